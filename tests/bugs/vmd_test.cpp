// SPDX-License-Identifier: GPL-2.0-or-later
// The historical bugs of the VMD driver, patches that were never merged, and the findings on 6.12: one row each. A row
// names the command that finds the violation and the command that finds none; the test runs both.
#include <array>
#include <catch2/catch.hpp>
#include <sstream>
#include <string>

#include "checker/system.hpp"

namespace {

using namespace iomc::check;

struct Row {
  const char* id;  ///< B: fixed; U: posted and never merged; N: a finding that releases still have
  const char* what;
  const char* property;
  const char* affected;  ///< arguments of `iomc check vmd`
  const char* fixed;     ///< empty: no kernel has a cure
  std::size_t steps;     ///< of the shortest counterexample
};

constexpr std::array rows = {
    Row{"B1", "the handler walks under list_lock, enable_irq takes it under the descriptor lock", "vmd.deadlock",
        "--kernel 4.5 --config siblings --set walk=list_lock", "--kernel 4.5 --config siblings", 10},
    Row{"B1", "…as a lock order", "vmd.S8", "--kernel 4.5 --config siblings --set walk=list_lock",
        "--kernel 4.5 --config siblings", 6},
    Row{"B2", "4.9: list_lock is held with interrupts on, and the handler takes it", "vmd.S8",
        "--kernel 4.8 --config nosync", "--kernel 4.9 --config nosync", 2},
    Row{"B2", "…and three contexts wait for each other", "vmd.deadlock", "--kernel 4.8 --config hotplug",
        "--kernel 4.9 --config hotplug", 10},
    Row{"B3", "21c80c9fefc3: a child that is disabled twice is deleted twice", "vmd.S4",
        "--kernel 4.5 --config teardown-disabled", "--kernel 4.8 --config teardown-disabled", 8},
    Row{"B4", "97e923063575 in 4.8-rc: the handler stands at a node that leads to itself", "vmd.S5",
        "--kernel 4.8 --config siblings --set list_del=reinit", "--kernel 4.8 --config siblings", 9},
    Row{"B4", "…and a driver that frees its interrupt waits for that handler for ever", "vmd.L6",
        "--kernel 4.9 --config teardown --set list_del=reinit", "--kernel 4.9 --config teardown", 0},
    Row{"B5", "4.9: nothing waits for the handler before a child is torn down", "vmd.S6",
        "--kernel 4.8 --config teardown", "--kernel 4.9 --config teardown", 15},
    Row{"B6", "3906b91844d6: freeing a child waits for every RCU reader of the system", "vmd.L3",
        "--kernel 4.9 --config grace", "--kernel 5.4 --config grace", 7},
    Row{"B7", "4.9: an idle child is charged with its neighbour's interrupts", "vmd.S11",
        "--kernel 4.8 --config neighbour", "--kernel 4.9 --config neighbour", 0},
    Row{"B8", "d899aa668498: VMCONFIG is not restored after S3", "vmd.S1",
        "--kernel 6.1 --config mode --set platform=host", "--kernel 6.5 --config mode --set platform=host", 0},
    Row{"B8", "…and no message arrives", "vmd.L5", "--kernel 6.1 --config mode --set platform=host",
        "--kernel 6.5 --config mode --set platform=host", 0},
    Row{"B9", "e06720c1d9e1: bypass stays set over a restart", "vmd.S10",
        "--kernel 6.1 --config handover --set platform=host", "--kernel 6.5 --config handover --set platform=host", 0},
    Row{"B9", "…and the next system's drives are mute", "vmd.L5",
        "--kernel 6.1 --config handover --set platform=host --set resume_mode=both",
        "--kernel 6.5 --config handover --set platform=host", 0},
    Row{"B10", "886e67100b: bypass in compatibility format under interrupt remapping", "vmd.S2",
        "--kernel 5.13 --config mode --set platform=host", "--kernel 5.19 --config mode --set platform=host", 0},
    Row{"B10", "…and the IOMMU blocks it", "vmd.L5",
        "--kernel 5.13 --config mode --set platform=host --set resume_mode=both",
        "--kernel 5.19 --config mode --set platform=host --set resume_mode=both", 0},
    Row{"B11", "2565e5b69c44: no host with interrupt remapping bypasses", "vmd.P7", "--kernel 5.16 --config mode",
        "--kernel 5.19 --config mode", 0},
    Row{"B13", "f6b7bb847c: children on vector 0, which client hardware does not forward", "vmd.S3",
        "--kernel 5.11 --config ports --set id_467f=RV --set device=467f",
        "--kernel 5.11 --config ports --set device=467f", 0},
    Row{"B14", "ba1366f3d039: the MSI mutex is taken inside vmd_msi_init", "vmd.S8",
        "--kernel 5.19 --config kinds --set init_looks_up_vector=true", "--kernel 5.19 --config kinds", 2},
    Row{"B15", "e3beca48a45b: the domain's firmware node is freed before the domain", "vmd.S6",
        "--kernel 5.11 --config mode --set fwnode_outlives=false", "--kernel 5.11 --config mode", 0},
    Row{"B16", "d5c647b08ee0: another object is freed than was allocated", "vmd.S6",
        "--kernel 6.17 --config teardown --set free_own_data=false", "--kernel 6.17 --config teardown", 10},
    Row{"B17", "e433110eb5bf: a child is started and not listed", "vmd.S4", "--kernel 6.18-rc1 --config siblings",
        "--kernel 6.18-rc1 --config siblings --set irq_startup=overridden", 0},
    Row{"B17", "…and never handled", "vmd.L1", "--kernel 6.18-rc1 --config prompt",
        "--kernel 6.18-rc1 --config prompt --set irq_startup=overridden", 7},
    Row{"B18", "6.17-rc: a root port with plain MSI is refused", "vmd.S17",
        "--kernel 6.17 --config ports --set msi_children=false", "--kernel 6.17 --config ports", 0},
    Row{"B19", "dc8af3a827df: the windows go before the children", "vmd.S13", "--kernel 4.9 --config mode",
        "--kernel 5.4 --config mode", 0},
    Row{"B20", "04b12ef163d1: AER is on where the platform keeps it", "vmd.S19", "--kernel 5.13 --config ports",
        "--kernel 5.19 --config ports", 0},
    Row{"B20", "…and with it hotplug is lost", "vmd.S18", "--kernel 5.19 --config ports",
        "--kernel 5.13 --config ports", 0},
    Row{"B21", "18056a48669a: a sleeping lock around config accesses on PREEMPT_RT", "vmd.S8",
        "--kernel 6.12 --config rt", "--kernel debian-6.12 --config rt", 3},
    Row{"B22", "6c4d5aadf5df: bypass under Xen", "vmd.S2a", "--kernel 6.12 --config mode --set platform=xen",
        "--kernel 6.15 --config mode --set platform=xen", 0},
    Row{"B23", "MTL016: the message overtakes the completion", "vmd.S9", "--kernel 6.12 --config overtake", "", 6},
    Row{"B23", "…and the completion is not seen", "vmd.L1", "--kernel 6.12 --config overtake", "", 16},
    Row{"B24", "f73eedc90bf7: a bridge's window opens while it is reset", "vmd.S15", "--kernel 6.1 --config buses",
        "--kernel 6.12 --config buses", 0},
    Row{"B25", "6.12: each CPU that goes offline warns about children it cannot move", "vmd.S21",
        "--kernel 6.1 --config offline", "--kernel 6.12 --config offline", 1},
    Row{"B27", "585dfe8abc44: children take up vectors of the CPUs", "vmd.P8", "--kernel 5.4 --config mode",
        "--kernel 5.11 --config mode", 0},
    Row{"B28", "2a5a9c9a20f9: configuration space is looked for beyond the window", "vmd.S14",
        "--kernel 5.4 --config buses --set bus_rebased=false", "--kernel 5.4 --config buses", 0},
    Row{"B29", "3e5095eebe01: type bits of the shadow registers shift the windows", "vmd.S16",
        "--kernel 5.4 --config mode", "--kernel 5.11 --config mode", 0},
    Row{"B30", "f492edb40b54: pci_bus_sem is taken twice", "vmd.deadlock", "--kernel 6.5 --config bus",
        "--kernel 6.12 --config bus", 2},
    Row{"B30", "…as a lock rule", "vmd.S8", "--kernel 6.5 --config bus", "--kernel 6.12 --config bus", 2},
    Row{"B31", "a posted interrupt that is sent again is never acknowledged", "vmd.S22",
        "--kernel 6.12 --config posted", "--kernel debian-6.12 --config posted", 0},
    Row{"U1", "a high vector count forces remapping: msix_count is set in bypass too", "vmd.S1",
        "--kernel 6.12 --config mode --set platform=host --set count_term=above_64",
        "--kernel 6.12 --config mode --set platform=host", 0},
    Row{"U1", "…and bypass stays set when the driver goes", "vmd.S10",
        "--kernel 6.12 --config handover --set platform=host --set count_term=above_64",
        "--kernel 6.12 --config handover --set platform=host", 0},
    Row{"U2", "the parameter of v1 to v4 makes any device bypass", "vmd.S2",
        "--kernel 6.12 --config mode --set platform=host --set bypass_option=adds",
        "--kernel 6.12 --config mode --set platform=host --set bypass_option=clears", 0},
    Row{"U3", "vectors by entry number: one beyond the last", "vmd.S3",
        "--kernel 6.12 --config kinds --set vector_choice=by_entry", "--kernel 6.12 --config kinds", 2},
    Row{"U3", "…and the low ones are overloaded", "vmd.P1", "--kernel 6.12 --set vector_choice=by_entry",
        "--kernel 6.12", 0},
    Row{"U4", "managed vectors are shut down with their CPU", "vmd.L4",
        "--kernel 6.12 --config offline --set vectors_managed=true", "--kernel 6.12 --config offline", 1},
    Row{"U5", "no lock around config accesses", "vmd.S12", "--kernel debian-6.12 --config rt --set cfg_lock=none",
        "--kernel debian-6.12 --config rt", 2},
    Row{"N1", "the handler skips a sibling of a child that is disabled and enabled", "vmd.L1",
        "--kernel 6.12 --config siblings", "--kernel 6.12 --config siblings --set list_for_life=true", 20},
    Row{"N1", "…with descriptor locks in the order of asking", "vmd.L1", "--kernel 6.12 --config siblings-fair",
        "--kernel 6.12 --config siblings-fair --set list_for_life=true", 20},
    Row{"N1", "the wide form: the walk is never held up, two time-outs at once", "vmd.L1",
        "--kernel 6.12 --config wide", "--kernel 6.12 --config wide --set list_for_life=true", 33},
    Row{"N1", "…with descriptor locks in the order of asking", "vmd.L1", "--kernel 6.12 --config wide-fair",
        "--kernel 6.12 --config wide-fair --set list_for_life=true", 33},
    Row{"N1", "…as liveness: a message that is followed by nothing in a fair run", "vmd.L7",
        "--kernel 6.12 --config wide", "--kernel 6.12 --config wide --set list_for_life=true", 0},
    Row{"N2", "6.17: no bound on a child's interrupts", "vmd.P1", "--kernel 6.17", "--kernel 6.15", 0},
    Row{"N2", "…and a drive's queues share vectors", "vmd.P4", "--kernel 6.17", "--kernel 6.15", 0},
    Row{"N2", "…and one child's interrupt calls a dozen others for nothing", "vmd.P2", "--kernel 6.17", "--kernel 6.15",
        0},
    Row{"P3", "behind remapping a queue's interrupt is served where its vector is, not where the queue is", "vmd.P3",
        "--kernel 6.12", "", 0},
    Row{"N5", "a guest without shadow registers bypasses", "vmd.S2a",
        "--kernel debian-6.12 --config mode --set platform=guest", "", 0},
    Row{"N6", "between the interrupt core's resume and the driver's, VMCONFIG says remapping", "vmd.S1",
        "--kernel debian-6.12 --config ports --set platform=host", "", 0},
    Row{"N7", "no domain number after bypass was set: the probe fails and leaves it", "vmd.S10",
        "--kernel 6.15 --config faults --set domain_number_first=false", "--kernel 6.15 --config faults", 0},
    Row{"N8", "a software resend and the handler meet at one child: its completion is dropped", "vmd.L2",
        "--kernel 6.12 --config resend --set list_for_life=true",
        "--kernel 6.12 --config resend --set list_for_life=true --set untracked_pending=true", 37},
    Row{"N8", "…for a driver that disables and enables without polling", "vmd.L2", "--kernel 6.12 --config toggle",
        "--kernel 6.12 --config toggle --set list_for_life=true --set untracked_pending=true", 19},
    Row{"N9", "children on the slow vector are never counted, and are discounted", "vmd.S7",
        "--kernel 6.12 --config siblings", "--kernel 6.12 --config siblings --set slow_child_counted=true", 0},
    Row{"N10", "bus-number setting 3 is refused", "vmd.S20", "--kernel 6.1 --config buses",
        "--kernel 6.12 --config buses", 0},
};

/// "--kernel 4.12 --config x --set a=b" as a request.
CheckRequest request_of(const std::string& arguments, const std::string& property) {
  const System& vmd = find_system("vmd");
  CheckRequest r;
  std::istringstream words(arguments);
  std::string option;
  std::string value;
  std::vector<std::string> sets;
  while (words >> option >> value) {
    if (option == "--kernel")
      r.kernel = value;
    else if (option == "--config")
      r.configurations.push_back(value);
    else if (option == "--set")
      sets.push_back(value);
    else
      FAIL("row with an unknown option " << option);
  }
  r.facts = vmd.facts(r.kernel);
  for (const auto& s : sets) vmd.set(s.substr(0, s.find('=')), s.substr(s.find('=') + 1), r.facts, r.sizes);
  r.properties = {property};
  return r;
}

TEST_CASE("every bug and finding is found where it is and not where it is cured") {
  for (const Row& row : rows) {
    INFO(row.id << ": " << row.what);
    INFO("affected: iomc check vmd " << row.affected << " --property " << row.property);
    const RunResult bad = find_system("vmd").check(request_of(row.affected, row.property));
    REQUIRE(bad.results.size() == 1);
    CHECK(bad.results[0].verdict == Verdict::violated);
    if (bad.results[0].counted.empty()) {
      REQUIRE(bad.results[0].counterexample.has_value());
      CHECK(bad.results[0].counterexample->confirmed);
      if (row.steps != 0) CHECK(bad.results[0].counterexample->steps.size() == row.steps);
    }
    if (*row.fixed == '\0') continue;
    INFO("fixed: iomc check vmd " << row.fixed << " --property " << row.property);
    const RunResult good = find_system("vmd").check(request_of(row.fixed, row.property));
    REQUIRE(good.results.size() == 1);
    INFO(good.results[0].reason << (good.results[0].counterexample ? good.results[0].counterexample->conclusion : ""));
    CHECK(good.results[0].verdict == Verdict::holds);
  }
}

TEST_CASE("the skipped sibling needs a walk that is held up, or two other children at once") {
  // Two children, and nothing but handlers and locks holds up the walk: disable_irq waits for the handler of its own
  // child, and nobody gets between that handler's end and the read of the next pointer.
  const RunResult r = find_system("vmd").check(request_of("--kernel 6.12 --config prompt", "vmd.L1"));
  CHECK(r.results.at(0).verdict == Verdict::holds);
  CHECK_FALSE(r.results.at(0).vacuous);
}

}  // namespace
