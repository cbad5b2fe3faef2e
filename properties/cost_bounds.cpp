// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/cost_bounds.hpp"

#include <array>

namespace iomc::properties {

namespace {

using model::PropertyKind;

constexpr std::array vfio_all = {
    CostProperty{
        {"vfio.T1",
         "from a device's message to the eventfd's signal no more than 150 us go by, on a CPU with a tuned real-time "
         "load",
         "a real-time guest or user misses its deadline; where the bound is not finite, it may wait for ever",
         "ECRTS 2020, Theorem 8; timerlat's largest latencies", PropertyKind::performance},
        CostQuantity::signal_time,
        true,
        150'000,
        "ns",
        "x86-rt"},
    CostProperty{{"vfio.T3",
                  "a handler in a thread takes one wake-up and one context switch more than one in the hard interrupt",
                  "each further one costs microseconds for every interrupt",
                  "the latencies of Nov 2017: 4.47 and 9.65 us on average", PropertyKind::performance},
                 CostQuantity::thread_events,
                 true,
                 2,
                 "wake-ups and context switches",
                 nullptr},
    CostProperty{{"vfio.T4", "on PREEMPT_RT the hard interrupt does no more where more tasks wait for the eventfd",
                  "interrupts are off for as long as there are waiters, and all latencies of the CPU grow with them",
                  "__irq_wake_thread against eventfd_signal in the hard interrupt", PropertyKind::performance},
                 CostQuantity::hard_irq_growth,
                 true,
                 0,
                 "events for one more waiter",
                 nullptr},
};

constexpr std::array vmd_all = {
    CostProperty{
        {"vmd.P5",
         "four drives on a port, 6 CPUs each, reach 90% of what each does alone, in the mode that a host is given",
         "a 28C0 in bypass halves the IOPS of a full port: 562k instead of 1144k a drive",
         "the 28C0 report of Dec 2022; d5c647b08ee0 (6.17) for remapping", PropertyKind::performance},
        CostQuantity::port_share,
        false,
        0.90,
        "of the drive's own rate",
        "xeon-28c0"},
    CostProperty{{"vmd.P6", "on the same load the mode that a host is given is at most 5% slower than the other",
                  "the machine is slower than its hardware allows, and nobody can tell why",
                  "the 28C0 report of Dec 2022; ee81ee84f873", PropertyKind::performance},
                 CostQuantity::mode_share,
                 false,
                 0.95,
                 "of the other mode's rate",
                 "xeon-28c0"},
};

}  // namespace

std::span<const CostProperty> vfio_cost_properties() { return vfio_all; }
std::span<const CostProperty> vmd_cost_properties() { return vmd_all; }

}  // namespace iomc::properties
