// SPDX-License-Identifier: GPL-2.0-or-later
// Two engines, one answer: exploration and bounded checking of small configurations, on every kernel of each system and
// on changed facts. `--engine all` stops with an internal error where they disagree on a verdict or on the length of a
// counterexample; here it is counted what was compared, so that it is not nothing.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdio>
#include <set>

#include "checker/system.hpp"

namespace {

using namespace iomc::check;

struct Case {
  const char* configuration;
  std::uint64_t depth;  ///< of the symbolic runs; 0: as deep as explored
  std::vector<NamedValue> set;
  bool all_kernels = false;
};

struct Compared {
  std::set<std::string> facts;  ///< fact sets, as text
  std::size_t runs = 0;
  std::size_t violated = 0;     ///< counterexamples of one length from both
  std::size_t same_path = 0;    ///< …and of one path
  std::size_t decided = 0;      ///< both say that it holds: all runs, or as far as the explorer's depth
  std::size_t within = 0;       ///< none of either within the depth
};

std::string text_of(const std::vector<NamedValue>& facts) {
  std::string out;
  for (const auto& [name, value] : facts) out += name + "=" + value + " ";
  return out;
}

const Exploration* of_engine(const RunResult& run, const std::string& engine) {
  for (const auto& e : run.explorations)
    if (e.engine == engine) return &e;
  return nullptr;
}

void compare(const System& system, const std::string& kernel, const Case& c, Compared& out) {
  CheckRequest request;
  request.kernel = kernel;
  request.facts = system.facts(kernel);
  for (const auto& [name, value] : c.set) system.set(name, value, request.facts, request.sizes);
  request.configurations = {c.configuration};
  request.engine = Engine::all;
  request.depth = c.depth;
  request.limit_effort = 40'000'000;
  INFO(system.name() << " " << c.configuration << ", kernel " << kernel << ", " << text_of(c.set));
  RunResult run;
  try {
    run = system.check(request);
  } catch (const InputError&) {
    return;  // this kernel has not what the configuration is about
  }
  const Exploration* explored = of_engine(run, "explicit");
  const Exploration* bounded = of_engine(run, "symbolic");
  REQUIRE(explored != nullptr);
  REQUIRE(bounded != nullptr);
  REQUIRE(bounded->solving);
  CHECK(bounded->depth >= std::min<std::uint64_t>(c.depth, 3));
  ++out.runs;
  out.facts.insert(text_of(request.facts));
  std::size_t violated = 0;
  for (const PropertyResult& b : bounded->results) {
    const auto x = std::find_if(explored->results.begin(), explored->results.end(),
                                [&](const auto& r) { return r.property == b.property; });
    if (x == explored->results.end() || !b.examined || (x->counterexample && x->counterexample->loop_start)) continue;
    INFO(b.property << ": explicit " << name(x->verdict) << ", symbolic " << name(b.verdict) << " " << b.reason);
    if (b.verdict == Verdict::violated) {
      REQUIRE(x->counterexample);
      CHECK(x->counterexample->steps.size() == b.counterexample->steps.size());
      CHECK(b.counterexample->confirmed);
      if (x->counterexample->path == b.counterexample->path) ++out.same_path;
      ++violated;
    } else if (b.verdict == Verdict::holds) {
      CHECK(x->verdict == Verdict::holds);
      ++out.decided;
    } else {
      CHECK((x->verdict != Verdict::violated || x->counterexample->steps.size() > b.depth));
      ++out.within;
    }
  }
  out.violated += violated;
  std::printf("%-5s %-14s %-12s explored %7llu states, depth %3llu%s; symbolic %3llu steps, %zu violated, "
              "rlimit %llu\n",
              system.name().c_str(), c.configuration, kernel.c_str(), static_cast<unsigned long long>(explored->states),
              static_cast<unsigned long long>(explored->depth), explored->complete ? "" : "+",
              static_cast<unsigned long long>(bounded->depth), violated,
              static_cast<unsigned long long>(bounded->solving->rlimit));
  std::fflush(stdout);
}

Compared compare_all(const std::string& name, const std::string& kernel, const std::vector<Case>& cases) {
  const System& system = find_system(name);
  Compared out;
  for (const Case& c : cases) {
    if (!c.all_kernels) compare(system, kernel, c, out);
    else
      for (const auto& k : system.kernels()) compare(system, k.name, c, out);
  }
  std::printf("%s: %zu runs on %zu fact sets: %zu counterexamples of one length, %zu of one path; %zu hold by both; "
              "%zu without one within the depth\n\n",
              name.c_str(), out.runs, out.facts.size(), out.violated, out.same_path, out.decided, out.within);
  return out;
}

TEST_CASE("the engines agree on vfio") {
  const std::vector<NamedValue> no_thread = {{"preempt", "rt"}, {"msi_handler_flags", "NO_THREAD"}};
  const Compared c = compare_all("vfio", "6.12",
                                 {{"alone", 0, {}, true},
                                  {"alone", 0, no_thread, true},
                                  {"alone", 0, {{"preempt", "threadirqs"}}, true},
                                  {"alone", 20, {{"preempt", "rt"}}},
                                  {"reader", 9, no_thread},
                                  {"teardown", 14, no_thread},
                                  {"loopback", 11, no_thread},
                                  {"two-signallers", 20, {{"preempt", "rt"}}}});
  CHECK(c.facts.size() >= 12);
  CHECK(c.violated >= 30);
  CHECK(c.decided >= 100);
}

TEST_CASE("the engines agree on vmd") {
  const Compared c = compare_all("vmd", "6.12",
                                 {{"neighbour", 0, {}, true},
                                  {"bus", 0, {}, true},
                                  {"mode", 12, {}, true},
                                  {"offline", 10, {}}});
  CHECK(c.facts.size() >= 12);
  CHECK(c.violated >= 12);
  CHECK(c.decided >= 100);
}

}  // namespace
