// SPDX-License-Identifier: GPL-2.0-or-later
// What the configurations with KVM and with other drivers cover: explored to their end within a bound of states, with
// pinned counts and verdicts, and every step of theirs fires somewhere.
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "checker/system.hpp"

namespace {

using namespace iomc::check;

RunResult run(const std::string& kernel, const std::string& configuration, const std::string& set = {}) {
  const System& vfio = find_system("vfio");
  CheckRequest r;
  r.kernel = kernel;
  r.facts = vfio.facts(kernel);
  r.limit_states = 1000000;
  if (!set.empty()) vfio.set(set.substr(0, set.find('=')), set.substr(set.find('=') + 1), r.facts, r.sizes);
  r.configurations = {configuration};
  return vfio.check(r);
}

std::string violated(const RunResult& r) {
  std::ostringstream out;
  for (const auto& p : r.results)
    if (p.verdict == Verdict::violated) out << p.property << ' ';
  return out.str();
}

struct Scope {
  const char* kernel;
  const char* name;
  std::uint64_t states;
  const char* violated;
};

constexpr Scope scopes[] = {
    {"debian-6.12-rt", "irqfd", 382, ""},
    {"debian-6.12-rt", "irqfd-deassign", 3520, "vfio.S9a "},
    {"debian-6.12-rt", "irqfd-race", 5219, "vfio.S9a "},
    {"debian-6.12-rt", "irqfd-route", 641, ""},
    {"debian-6.12-rt", "irqfd-close", 5343, ""},
    {"debian-6.12-rt", "two-irqfds", 388, "vfio.S9a vfio.L1a "},
    {"debian-6.12-rt", "irqfd-again", 1865, ""},
    {"debian-6.12-rt", "irqfd-reader", 121, ""},
    {"debian-6.12-rt", "irqfd-poller", 295, ""},
    {"debian-6.12-rt", "irqfd-late", 20, "vfio.S9a "},
    {"debian-6.12-rt", "irqfd-xen", 31, ""},
    {"debian-6.12-rt", "irqfd-life", 724926, "vfio.S9a "},
    {"debian-6.12-rt", "bypass", 17820, ""},
    {"debian-6.12-rt", "bypass-failure", 56449, "vfio.S5 vfio.S13 "},
    {"debian-6.12-rt", "bypass-deassign", 184, ""},
    {"debian-6.12-rt", "bypass-pin", 236, ""},
    {"debian-6.12-rt", "bypass-no-route", 60, "vfio.S13 vfio.S13a "},
    {"debian-6.12-rt", "bypass-gsi", 1277, "vfio.S9a "},
    {"debian-6.12-rt", "bypass-life", 59884, ""},
    {"debian-6.12-rt", "vdpa", 30, ""},
    {"debian-6.12-rt", "resample", 892, "vfio.S12a "},
    {"debian-6.12-rt", "counter", 21, ""},
    {"debian-6.12-rt", "key-timer", 21, ""},
    {"debian-6.12-rt", "pi-wakeup", 26, ""},
    {"debian-6.12-rt", "xen-timer", 30, "vfio.S1 "},
    {"debian-6.12-rt", "vector-lookup", 84, "vfio.S1 "},
    {"debian-6.12-rt", "vmd-config", 16, ""},
    {"debian-6.12-rt", "privcmd", 13, ""},
    {"debian-6.12-rt", "network", 21, ""},
    {"debian-6.12-rt", "shared-lock", 165, "vfio.S1 vfio.S2 vfio.D2 "},
    {"debian-6.12-rt", "epoll-inversion", 1167, ""},
    {"debian-6.12-rt", "three-locks", 10035, ""},
    {"6.1", "three-locks-read", 716, ""},
    {"debian-6.12-rt", "error-release", 119, ""},
    {"debian-6.12", "irqfd-life", 111583, "vfio.S9a "},
    {"debian-6.12", "bypass-life", 17510, ""},
};

TEST_CASE("the configurations of KVM and of other drivers are explored to their end") {
  for (const Scope& s : scopes) {
    INFO("iomc check vfio --kernel " << s.kernel << " --config " << s.name);
    const RunResult r = run(s.kernel, s.name);
    const Exploration& e = r.explorations.at(0);
    CHECK(e.complete);
    CHECK(e.states == s.states);
    CHECK(violated(r) == s.violated);
  }
}

TEST_CASE("every step of KVM's, the bypass manager's and other drivers' code fires in some configuration") {
  std::set<std::string> fired;
  const auto add = [&](const RunResult& r) {
    for (const auto& step : r.explorations.at(0).coverage)
      if (step.fired != 0) fired.insert(step.step);
  };
  for (const char* name : {"irqfd-deassign", "irqfd-close", "irqfd-xen", "irqfd-route", "bypass", "bypass-deassign",
                           "bypass-gsi", "vdpa", "resample", "pi-wakeup", "xen-timer", "vector-lookup", "vmd-config",
                           "privcmd", "network", "epoll-inversion", "three-locks", "error-release"})
    add(run("6.12-rt", name));
  add(run("6.12-rt", "two-irqfds", "irqfd_wait=unique"));
  add(run("6.1", "network"));
  add(run("6.12", "bypass-deassign", "producer_locked=true"));
  bool kvm = false;
  for (const auto& step : find_system("vfio").steps()) {
    kvm = (kvm || step.name == "msi_armed") && step.name != "intx_handler";  // INTx's come after them
    INFO("step " << step.name << " (" << step.function << ") fires nowhere");
    CHECK((!kvm || fired.count(step.name) == 1));
  }
}

}  // namespace
