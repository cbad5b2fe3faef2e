// SPDX-License-Identifier: GPL-2.0-or-later
// INTx, virqfds and shared lines: what the configurations cover, explored to their end within a bound of states; for
// each property what breaks it; what each era of free_irq breaks.
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "checker/system.hpp"

namespace {

using namespace iomc::check;

RunResult run(const std::string& kernel, const std::string& configuration, const std::string& set = {},
              const std::vector<std::string>& properties = {}) {
  const System& vfio = find_system("vfio");
  CheckRequest r;
  r.kernel = kernel;
  r.facts = vfio.facts(kernel);
  r.limit_states = 1000000;
  if (!set.empty()) vfio.set(set.substr(0, set.find('=')), set.substr(set.find('=') + 1), r.facts, r.sizes);
  r.configurations = {configuration};
  r.properties = properties;
  return vfio.check(r);
}

std::string violated(const RunResult& r) {
  std::ostringstream out;
  for (const auto& p : r.results) {
    CHECK(p.verdict != Verdict::inconclusive);
    if (p.verdict != Verdict::violated) continue;
    CHECK((p.counterexample && p.counterexample->confirmed));
    out << p.property << ' ';
  }
  return out.str();
}

struct Scope {
  const char* kernel;
  const char* name;
  std::uint64_t states;
  const char* violated;
};

constexpr Scope scopes[] = {
@SCOPES@};

TEST_CASE("the configurations of INTx, virqfds and shared lines are explored to their end") {
  for (const Scope& s : scopes) {
    INFO("iomc check vfio --kernel " << s.kernel << " --config " << s.name);
    const RunResult r = run(s.kernel, s.name);
    CHECK(r.explorations.at(0).complete);
    CHECK(r.explorations.at(0).states == s.states);
    CHECK(violated(r) == s.violated);
  }
}

struct Mutant {
  const char* property;
  const char* kernel;
  const char* configuration;
  const char* set;
  std::size_t steps;
};

constexpr Mutant mutants[] = {
@MUTANTS@};

TEST_CASE("each property of INTx, virqfds and shared lines has something that breaks it") {
  for (const Mutant& m : mutants) {
    INFO(m.property << " on " << m.kernel << ", " << m.configuration << ", " << m.set);
    const RunResult r = run(m.kernel, m.configuration, m.set, {m.property});
    CHECK(violated(r).find(m.property) != std::string::npos);
    for (const auto& p : r.results)
      if (p.property == m.property && p.counterexample) CHECK(p.counterexample->steps.size() == m.steps);
    if (*m.set != '\0') CHECK(violated(run(m.kernel, m.configuration, "", {m.property})).empty());
  }
}

TEST_CASE("each era of free_irq's wait breaks something") {
  const auto broken = [](const char* kernel, const char* configuration, const char* set, const char* property) {
    return !violated(run(kernel, configuration, set, {property})).empty();
  };
  for (const char* kernel : {"4.14", "6.12"}) {  // all threads of the line, to 4.18 and since 6.6
    INFO(kernel);
    CHECK(broken(kernel, "remover", "", "vfio.D3"));
    CHECK(broken(kernel, "remover", "", "vfio.L5"));
    CHECK_FALSE(broken(kernel, "nested-free", "", "vfio.S25"));
  }
  // Its own thread only: nested handlers must count as hard ones, which starve who waits at a higher priority.
  CHECK_FALSE(broken("6.1", "remover", "", "vfio.D3"));
  CHECK_FALSE(broken("6.1", "remover", "", "vfio.L5"));
  CHECK(broken("6.1", "nested-free", "", "vfio.L5"));
  CHECK_FALSE(broken("6.1", "nested-free", "", "vfio.S25"));
  CHECK(broken("6.1", "nested-free", "nested_threads_counted=true", "vfio.S25"));
  CHECK_FALSE(broken("6.12", "nested-free", "", "vfio.L5"));
}

TEST_CASE("every step of INTx, virqfds and shared lines fires in some configuration") {
  std::set<std::string> fired;
  const auto add = [&](const RunResult& r) {
    for (const auto& step : r.explorations.at(0).coverage)
      if (step.fired != 0) fired.insert(step.step);
  };
  for (const char* name : {"intx", "intx-mask", "intx-enable", "virqfd-close", "remover", "nested-disable",
                           "sharer-comes", "polled-queue", "set-irqs", "mutant-wake", "intx-triggers"})
    add(run("6.12", name, "", {"vfio.S1"}));
  add(run("6.1", "intx-legacy-enable", "", {"vfio.S1"}));
  add(run("6.1", "intx-legacy-triggers", "", {"vfio.S1"}));
  add(run("6.1", "intx-replace", "", {"vfio.S1"}));
  bool mine = false;
  for (const auto& step : find_system("vfio").steps()) {
    mine = mine || step.name == "intx_handler";
    INFO("step " << step.name << " (" << step.function << ") fires nowhere");
    CHECK((!mine || fired.count(step.name) == 1));
  }
}

}  // namespace
