// SPDX-License-Identifier: GPL-2.0-or-later
// The historical bugs of interrupt dispatch to vfio and KVM, and the findings on 6.12: one row each. A row names the
// command that finds the violation on an affected kernel and the command that finds none on a fixed one; the test runs
// both.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <sstream>
#include <string>

#include "checker/system.hpp"

namespace {

using namespace iomc::check;

struct Row {
  const char* id;        ///< B: a bug that was fixed or never merged; N: a finding
  const char* what;
  const char* property;
  const char* affected;  ///< arguments of `iomc check vfio`
  const char* fixed;     ///< empty: no kernel has a cure
  std::size_t steps;     ///< of the shortest counterexample
};

constexpr std::array rows = {
    Row{"B1", "IRQF_NO_THREAD on vfio_msihandler: a sleeping lock in a hard interrupt", "vfio.S1",
        "--kernel 6.12-rt --config reader --set msi_handler_flags=NO_THREAD", "--kernel 6.12-rt --config reader", 6},
    Row{"B1", "...which the interrupted reader owns", "vfio.D2",
        "--kernel 6.12-rt --config reader --set msi_handler_flags=NO_THREAD", "--kernel 6.12-rt --config reader", 8},
    Row{"B1", "...or a preempted one", "vfio.S20",
        "--kernel 6.12-rt --config preempted --set msi_handler_flags=NO_THREAD", "--kernel 6.12-rt --config preempted",
        9},
    Row{"B1", "...or the signal is dropped, since the reader is inside an eventfd operation", "vfio.S3",
        "--kernel 6.12-rt --config reader --set msi_handler_flags=NO_THREAD", "--kernel 6.12-rt --config reader", 20},
    Row{"B1", "...and the message is lost", "vfio.L1",
        "--kernel 6.12-rt --config reader --set msi_handler_flags=NO_THREAD", "--kernel 6.12-rt --config reader", 8},
    Row{"B1", "...and without any reader, where an irqfd's route is being written", "vfio.S20",
        "--kernel 6.12-rt --config irqfd-route --set msi_handler_flags=NO_THREAD",
        "--kernel 6.12-rt --config irqfd-route", 15},
    Row{"B2", "23f9485510c3: a NO_THREAD handler takes a spinlock_t", "vfio.S1", "--kernel 6.12-rt --config counter",
        "--kernel 6.12-rt --config counter --set counter_irq_flags=0", 5},
    Row{"B3", "5f02ef741a78: the wakeup vector takes a spinlock_t", "vfio.S1", "--kernel 4.14-rt --config pi-wakeup",
        "--kernel 6.1-rt --config pi-wakeup", 3},
    Row{"B4", "b542e383d8c0: the guard against recursion counts per CPU", "vfio.S3",
        "--kernel 6.1-rt --config two-signallers --set eventfd_guard=per_cpu",
        "--kernel 6.1-rt --config two-signallers", 6},
    Row{"B14", "b59e00dd8cda: the wake function of an irqfd leaves the count", "vfio.S9",
        "--kernel 4.14 --config irqfd", "--kernel 6.1 --config irqfd", 11},
    Row{"B14", "...and where it also takes the event, a reader beside it sleeps on", "vfio.L1b",
        "--kernel 6.1 --config irqfd-reader --set irqfd_drains=false", "--kernel 6.1 --config irqfd-reader", 19},
    Row{"B15", "e8dbf19508a1 to 2cdd64cbf990: the first of two irqfds takes every event", "vfio.L1a",
        "--kernel 6.12 --config two-irqfds", "--kernel 6.12 --config two-irqfds --set irqfd_wait=unique", 24},
    Row{"B17", "98693e0897f7: SET_IRQS, a hot reset and AER wait for each other", "vfio.D1",
        "--kernel 6.1 --config three-locks", "--kernel 6.1 --config three-locks --set err_trigger=rcu", 12},
    Row{"B18", "b872d0640840: AER signals a trigger that release has put", "vfio.S5",
        "--kernel 4.14 --config error-release", "--kernel 6.1 --config error-release", 12},
    Row{"B18", "...which RCU prevents as well", "vfio.S5",
        "--kernel 6.12 --config error-release --set err_trigger=unlocked",
        "--kernel debian-6.12 --config error-release", 12},
    Row{"B19", "81e2073c175b: a force-threaded handler holds a lock with interrupts on", "vfio.D2",
        "--kernel 6.1-threadirqs --config shared-lock --set forced_irqs_off=false",
        "--kernel 6.1-threadirqs --config shared-lock", 18},
    Row{"B21", "8707898e22fd: free_irq stops a thread that never ran", "vfio.S10",
        "--kernel 6.1-rt --config teardown --set thread_ready_wait=false", "--kernel 6.1-rt --config teardown", 30},
    Row{"B22", "4001d8e8762f: free_irq deactivates an interrupt in flight", "vfio.S11",
        "--kernel 6.1 --config teardown --set deactivate_after_wait=false", "--kernel 6.1 --config teardown", 20},
    Row{"B25", "fef8f2b90edb: what was pending at the guest's unmask is old", "vfio.S12",
        "--kernel 6.1 --config resample", "--kernel 6.12 --config resample", 34},
    Row{"B26", "b4d37cdb77a0: deassign clears the route that del_producer goes by", "vfio.S13a",
        "--kernel 6.12 --config bypass-deassign --set irte_route=entry",
        "--kernel 6.12 --config bypass-deassign --set irte_route=entry --set irqfd_inactive=list", 12},
    Row{"B26", "...and to 6.16: an irqfd whose eventfd is closed injects by an old route", "vfio.S23",
        "--kernel 6.12 --config irqfd-close", "--kernel debian-6.12 --config irqfd-close", 22},
    Row{"B27", "9bcac97dc42d: posting goes on after the route became a pin", "vfio.S13",
        "--kernel 6.12 --config bypass-pin", "--kernel debian-6.12 --config bypass-pin", 5},
    Row{"B28", "ed446e8aa894: a failed set-up leaves the producer, whose ctx is freed", "vfio.S5",
        "--kernel debian-6.12 --config bypass-failure",
        "--kernel debian-6.12 --config bypass-failure --set producer_cleared_on_error=true", 49},
    Row{"B29", "02e9e9366fef: a vhost-vdpa producer outlives its eventfd", "vfio.S22", "--kernel 6.1 --config vdpa",
        "--kernel 6.12 --config vdpa", 12},
    Row{"B30", "1c682593096a: a wake function takes a mutex at hang-up", "vfio.S1",
        "--kernel 6.12 --config privcmd --set privcmd_lock=mutex", "--kernel 6.12 --config privcmd", 10},
    Row{"B31", "a Xen guest's timer takes gpc->lock in a hard interrupt", "vfio.S1",
        "--kernel debian-6.12-rt --config xen-timer",
        "--kernel debian-6.12-rt --config xen-timer --set xen_evtchn_trylock=true", 5},
    Row{"B34", "an MSI that cannot be masked is lost between free_irq and request_irq", "vfio.L1",
        "--kernel 6.12 --config replace-plain-msi", "", 22},
    Row{"B35", "0c43094f8cc9: readers of ep->lock are lent no priority", "vfio.T2",
        "--kernel 6.12-rt --config epoll-inversion", "--kernel debian-6.12-rt --config epoll-inversion", 12},
    Row{"B36", "be0384bf599c: packets are passed up under the lock that sending takes", "vfio.D2",
        "--kernel 6.1 --config network", "--kernel 6.12 --config network", 14},
    Row{"B37", "18056a48669a: VMD's cfg_lock under the raw pci_lock", "vfio.S1", "--kernel 6.12-rt --config vmd-config",
        "--kernel debian-6.12-rt --config vmd-config", 3},
    Row{"B39", "4dcddc1c794d: pci_irq_vector in a hard interrupt", "vfio.S1", "--kernel 6.12 --config vector-lookup",
        "--kernel 6.12 --config vector-lookup --set pci_irq_vector_locks=false", 5},
    Row{"B40", "f4a8f561d08e: a hard timer reports under a spinlock_t", "vfio.S1",
        "--kernel 6.12-rt --config key-timer", "--kernel debian-6.12-rt --config key-timer", 5},
    Row{"B43", "an irqfd is shut down before its assignment has ended", "vfio.S5", "--kernel 4.14 --config irqfd-race",
        "--kernel 6.1 --config irqfd-race", 13},
    Row{"B44", "a80ced6ea514: a gsi beyond the table of routes", "vfio.S15",
        "--kernel 6.1 --config bypass-gsi --set irte_gsi_checked=false", "--kernel 6.1 --config bypass-gsi", 10},
    Row{"N", "f1fb088d9cec: a change of routes meets a producer that is being unregistered", "vfio.S4",
        "--kernel 6.12 --config bypass", "--kernel debian-6.12 --config bypass", 10},
    Row{"N1", "posting goes on after the route is taken away", "vfio.S13",
        "--kernel debian-6.12 --config bypass-no-route",
        "--kernel debian-6.12 --config bypass-no-route --set irte_route=entry", 5},
    Row{"N1", "...and after its irqfd is gone", "vfio.S13a", "--kernel debian-6.12 --config bypass-no-route",
        "--kernel debian-6.12 --config bypass-no-route --set irte_route=entry", 18},
    Row{"N2", "an event that was injected at assignment is there for the next reader", "vfio.S9a",
        "--kernel debian-6.12 --config irqfd-late", "", 13},
    Row{"N3", "work that is under way raises a pin that the guest has just unmasked", "vfio.S12a",
        "--kernel debian-6.12 --config resample", "", 34},
    Row{"N5", "a failed update at a change of routes leaves the old posting", "vfio.S13",
        "--kernel debian-6.12 --config bypass-failure", "", 5},
    Row{"N10", "from 6.17 on PREEMPT_RT: wqh.lock under irqfds.lock, and irqfds.lock under wqh.lock", "vfio.D1",
        "--kernel debian-6.12-rt --config irqfd-again --set irqfd_wait=unique",
        "--kernel debian-6.12-rt --config irqfd-again", 29},
    Row{"N4", "a message whose handler is unlinked after the flow handler took it is answered by nobody", "vfio.L1",
        "--kernel debian-6.12 --config replace", "", 26},
};

/// "--kernel 6.12 --config x --set a=b" as a request.
CheckRequest request_of(const std::string& arguments, const std::string& property) {
  const System& vfio = find_system("vfio");
  CheckRequest r;
  std::istringstream words(arguments);
  std::string option;
  std::string value;
  std::vector<std::string> sets;
  while (words >> option >> value) {
    if (option == "--kernel") r.kernel = value;
    else if (option == "--config") r.configurations.push_back(value);
    else if (option == "--set") sets.push_back(value);
    else FAIL("row with an unknown option " << option);
  }
  r.facts = vfio.facts(r.kernel);
  for (const auto& s : sets) vfio.set(s.substr(0, s.find('=')), s.substr(s.find('=') + 1), r.facts, r.sizes);
  r.properties = {property};
  return r;
}

const PropertyResult& result_of(const RunResult& run, const std::string& property) {
  const auto r = std::find_if(run.results.begin(), run.results.end(),
                              [&](const auto& x) { return x.property == property; });
  REQUIRE(r != run.results.end());
  return *r;
}

TEST_CASE("every historical bug is found on an affected kernel and on no fixed one") {
  for (const Row& row : rows) {
    INFO(row.id << ": " << row.what);
    INFO("affected: iomc check vfio " << row.affected << " --property " << row.property);
    const RunResult bad = find_system("vfio").check(request_of(row.affected, row.property));
    const PropertyResult& found = result_of(bad, row.property);
    CHECK(found.verdict == Verdict::violated);
    CHECK(found.counterexample.has_value());
    if (found.counterexample) {
      CHECK(found.counterexample->confirmed);
      CHECK(found.counterexample->steps.size() == row.steps);
    }
    if (*row.fixed == '\0') continue;
    INFO("fixed: iomc check vfio " << row.fixed << " --property " << row.property);
    const RunResult good = find_system("vfio").check(request_of(row.fixed, row.property));
    const PropertyResult& none = result_of(good, row.property);
    INFO(none.reason << (none.counterexample ? none.counterexample->conclusion : ""));
    CHECK(none.verdict == Verdict::holds);
    CHECK_FALSE(none.vacuous);
  }
}

}  // namespace
