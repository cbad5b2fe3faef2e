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
    {"debian-6.12", "intx", 324, ""},
    {"debian-6.12", "intx-level", 324, ""},
    {"debian-6.12", "intx-legacy", 296, ""},
    {"debian-6.12", "intx-once", 474, ""},
    {"debian-6.12", "intx-mask", 2630, ""},
    {"debian-6.12", "intx-legacy-mask", 392, "vfio.S7 vfio.L3 "},
    {"debian-6.12", "intx-legacy-config", 483, "vfio.S7 vfio.L3 "},
    {"debian-6.12", "intx-enable", 1346, ""},
    {"debian-6.12", "intx-legacy-enable", 1482, ""},
    {"debian-6.12", "intx-replace", 404, ""},
    {"debian-6.12", "intx-legacy-triggers", 425, ""},
    {"debian-6.12", "intx-trigger-gap", 1819, "vfio.L2 "},
    {"debian-6.12", "intx-loopback", 212, ""},
    {"debian-6.12", "intx-triggers", 27200, ""},
    {"debian-6.12", "intx-mode", 5334, ""},
    {"debian-6.12", "virqfd", 602, ""},
    {"debian-6.12", "virqfd-legacy", 358, ""},
    {"debian-6.12", "virqfd-close", 27526, ""},
    {"debian-6.12", "set-irqs", 17427, ""},
    {"debian-6.12", "shared-line", 777, ""},
    {"debian-6.12", "sharer-comes", 868, ""},
    {"debian-6.12", "oneshot-sharer", 1201, ""},
    {"debian-6.12", "remover", 389, "vfio.D3 vfio.L4 vfio.L5 "},
    {"debian-6.12", "nested-disable", 1935, ""},
    {"debian-6.12", "nested-free", 1693, ""},
    {"debian-6.12", "starved-line", 562, ""},
    {"debian-6.12", "busy-line", 154, ""},
    {"debian-6.12", "polled-queue", 33, ""},
    {"debian-6.12", "mutant-swap", 248, "vfio.S18 "},
    {"debian-6.12", "mutant-wake", 146, "vfio.D2 vfio.D4 "},
    {"debian-6.12-rt", "intx", 803, ""},
    {"debian-6.12-rt", "intx-level", 803, ""},
    {"debian-6.12-rt", "intx-legacy", 796, "vfio.S16 "},
    {"debian-6.12-rt", "intx-once", 1376, "vfio.S16 "},
    {"debian-6.12-rt", "intx-mask", 4429, ""},
    {"debian-6.12-rt", "intx-legacy-mask", 1141, "vfio.S7 vfio.S16 vfio.L3 "},
    {"debian-6.12-rt", "intx-legacy-config", 1433, "vfio.S7 vfio.S16 vfio.L3 "},
    {"debian-6.12-rt", "intx-enable", 4737, ""},
    {"debian-6.12-rt", "intx-legacy-enable", 5133, "vfio.S7 "},
    {"debian-6.12-rt", "intx-replace", 801, ""},
    {"debian-6.12-rt", "intx-legacy-triggers", 1202, "vfio.S16 "},
    {"debian-6.12-rt", "intx-trigger-gap", 5159, "vfio.L2 "},
    {"debian-6.12-rt", "intx-loopback", 464, ""},
    {"debian-6.12-rt", "intx-triggers", 94199, ""},
    {"debian-6.12-rt", "intx-mode", 10279, ""},
    {"debian-6.12-rt", "virqfd", 1682, ""},
    {"debian-6.12-rt", "virqfd-legacy", 947, "vfio.S16 "},
    {"debian-6.12-rt", "virqfd-close", 104686, ""},
    {"debian-6.12-rt", "set-irqs", 17427, ""},
    {"debian-6.12-rt", "shared-line", 5648, ""},
    {"debian-6.12-rt", "sharer-comes", 10651, ""},
    {"debian-6.12-rt", "oneshot-sharer", 4464, ""},
    {"debian-6.12-rt", "remover", 176, "vfio.D3 vfio.deadlock vfio.L5 "},
    {"debian-6.12-rt", "nested-disable", 1935, ""},
    {"debian-6.12-rt", "nested-free", 1693, ""},
    {"debian-6.12-rt", "starved-line", 6004, "vfio.S24 vfio.L1 vfio.L6 "},
    {"debian-6.12-rt", "busy-line", 1857, ""},
    {"debian-6.12-rt", "polled-queue", 33, ""},
    {"debian-6.12-rt", "mutant-swap", 393, "vfio.S18 "},
    {"debian-6.12-rt", "mutant-wake", 379, "vfio.D4 "},
    {"4.14-rt", "intx-triggers", 94153, "vfio.S4 vfio.S9 vfio.S18 "},
    {"4.14-rt", "virqfd-close", 104167, "vfio.S9 "},
    {"4.14-rt", "intx-mode", 22384, "vfio.S5 vfio.S6 vfio.L1 vfio.L4 "},
    {"4.14-rt", "shared-line", 5354, "vfio.S29 "},
};

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
    {"vfio.S6", "6.12", "intx-mode", "intx_config_igate=false", 18},
    {"vfio.S7", "debian-6.12", "intx-legacy-enable", "intx_no_autoen=false", 28},
    {"vfio.S8", "6.12", "virqfd-close", "virqfd_locked=false", 21},
    {"vfio.S9", "6.12", "virqfd", "virqfd_drains=false", 27},
    {"vfio.S14", "6.12", "oneshot-sharer", "cond_oneshot=false", 4},
    {"vfio.S15", "6.12", "set-irqs", "set_irqs_validated=false", 3},
    {"vfio.S16", "debian-6.12-rt", "intx-legacy", "", 31},
    {"vfio.S18", "6.12", "mutant-swap", "", 12},
    {"vfio.S24", "debian-6.12-rt", "starved-line", "", 24},
    {"vfio.S25", "6.12", "nested-free", "free_irq_wait=own_thread", 19},
    {"vfio.D4", "6.12", "mutant-wake", "", 16},
    {"vfio.R1", "6.12", "intx-enable", "intx_frees_name=false", 4},
    {"vfio.L2", "debian-6.12", "intx-once", "intx_disable_unlazy=false", 31},
    {"vfio.L3", "6.1", "intx-legacy-triggers", "", 47},
    {"vfio.L5", "6.12", "nested-disable", "nested_threads_counted=false", 14},
};

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
  add(run("6.1", "remover", "", {"vfio.S1"}));
  bool mine = false;
  for (const auto& step : find_system("vfio").steps()) {
    mine = mine || step.name == "intx_handler";
    INFO("step " << step.name << " (" << step.function << ") fires nowhere");
    CHECK((!mine || fired.count(step.name) == 1));
  }
}

}  // namespace
