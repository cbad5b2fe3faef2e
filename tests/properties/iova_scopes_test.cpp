// SPDX-License-Identifier: GPL-2.0-or-later
// What the named configurations of Linux 6.12 cover: states, transitions, depth and verdicts are pinned, and every step
// fires somewhere.
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <vector>

#include "checker/system.hpp"

namespace {

using namespace iomc::check;

RunResult run(const std::string& kernel, const std::string& configuration, const std::string& set = {}) {
  const System& iova = find_system("iova");
  CheckRequest r;
  r.kernel = kernel;
  r.facts = iova.facts(kernel);
  if (!set.empty()) iova.set(set.substr(0, set.find('=')), set.substr(set.find('=') + 1), r.facts, r.sizes);
  r.configurations = {configuration};
  return iova.check(r);
}

struct Scope {
  const char* name;
  std::uint64_t states;
  std::uint64_t transitions;
  std::uint64_t depth;
  std::vector<std::string> violated;
};

TEST_CASE("the five configurations of 6.12 are explored to their end, with the pinned counts") {
  const std::vector<Scope> scopes = {
      {"strict", 2342646, 5386494, 90, {"iova.P13a", "iova.P25"}},
      {"irq", 522851, 829522, 84, {"iova.P25", "iova.P28"}},
      {"lazy", 855562, 1636326, 212, {"iova.P5", "iova.P19"}},
      {"hotplug", 422460, 888690, 163, {"iova.P12"}},
      {"depot", 66575, 152684, 93, {}},
  };
  // What no run so far has fired.
  std::set<std::string> left;
  for (const auto& step : find_system("iova").steps()) left.insert(step.name);
  for (const Scope& s : scopes) {
    INFO("iomc check iova --kernel 6.12 --config " << s.name);
    const RunResult r = run("6.12", s.name);
    const Exploration& e = r.explorations.at(0);
    CHECK(e.complete);
    CHECK(e.states == s.states);
    CHECK(e.transitions == s.transitions);
    CHECK(e.depth == s.depth);
    std::vector<std::string> violated;
    for (const auto& p : r.results)
      if (p.verdict == Verdict::violated) violated.push_back(p.property);
    CHECK(violated == s.violated);
    std::set<std::string> still;
    for (const auto& step : r.never_fired)
      if (left.count(step) == 1) still.insert(step);
    left = still;
  }
  // 6.12 has no step that fires in none of the five.
  CHECK(left == std::set<std::string>{});
}

TEST_CASE("the steps that 6.12 does not have fire in kernels that have them") {
  std::set<std::string> fired;
  const auto add = [&](const RunResult& r) {
    CHECK(r.explorations.at(0).complete);
    for (const auto& step : r.explorations.at(0).coverage)
      if (step.fired != 0) fired.insert(step.step);
  };
  add(run("6.12", "depot", "depot_trim_irqsave=false"));
  add(run("5.2", "tree"));
  add(run("4.13", "intel-table"));
  add(run("4.15", "amd-strict"));
  for (const char* step :
       {"iova_depot_work.pop", "free_iova.find", "add_unmap.test", "flush_unmaps", "add_unmap", "unmap_single.flush"}) {
    INFO("step " << step << " fires nowhere");
    CHECK(fired.count(step) == 1);
  }
}

TEST_CASE("a step that a kernel does not have is not missed there, and does not fire there") {
  for (const char* kernel : {"4.12", "5.9", "6.12"}) {
    const RunResult r = run(kernel, "aperture");
    for (const auto& step : r.explorations.at(0).coverage)
      if (step.fired != 0)
        CHECK(std::find(r.never_fired.begin(), r.never_fired.end(), step.step) == r.never_fired.end());
    const bool has_tables = std::string(kernel) == "4.12";
    const bool missed = std::find(r.never_fired.begin(), r.never_fired.end(), "add_unmap") != r.never_fired.end();
    CHECK(missed == has_tables);
  }
}

}  // namespace
