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
      {"lazy", 791961, 1520105, 190, {"iova.P5"}},
      {"hotplug", 20925, 58947, 48, {"iova.P12"}},
      {"depot", 31261, 58666, 92, {}},
  };
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
  }
}

TEST_CASE("every step fires in some configuration") {
  std::set<std::string> fired;
  const auto add = [&](const RunResult& r) {
    for (const auto& step : r.explorations.at(0).coverage)
      if (step.fired != 0) fired.insert(step.step);
  };
  for (const char* name : {"irq", "lazy", "hotplug", "depot", "init", "teardown", "reserve", "weak-memory",
                           "lazy-migration"})
    add(run("6.12", name));
  add(run("6.12", "depot", "depot_trim_irqsave=false"));
  add(run("5.2", "tree"));
  for (const auto& step : find_system("iova").steps()) {
    INFO("step " << step.name << " (" << step.function << ") fires nowhere");
    CHECK((step.name == "idle" || fired.count(step.name) == 1));
  }
}

}  // namespace
