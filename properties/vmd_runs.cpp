// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/vmd_runs.hpp"

#include <array>

namespace iomc::properties::vmd {

namespace {

using namespace iomc::spec::vmd;
using model::PropertyKind;

/// What drives ask for: an interrupt for each possible CPU and one for the admin queue, or fewer where they have fewer.
constexpr std::array all_runs = {
    Drives{63, 193, 4, 192},
    Drives{63, 193, 12, 192},
    Drives{63, 7, 12, 6},
    Drives{32, 33, 2, 192},
};

std::string text(const Drives& r) {
  return std::to_string(r.drives) + " drives that ask for " + std::to_string(r.entries) + ", " +
         std::to_string(r.fast) + " fast vectors, " + std::to_string(r.cpus) + " CPUs";
}

template <class Bound>
RunVerdict judge(const Facts& f, const char* what, Bound&& bound) {
  RunVerdict out;
  for (const Drives& r : all_runs) {
    const Placement p = place(f, r);
    const auto [found, allowed] = bound(p, r);
    out.holds = out.holds && found <= allowed;
    out.scope += (out.scope.empty() ? "counted at " : "; ") + text(r);
    out.found += (out.found.empty() ? "" : "; ") + text(r) + ": " + std::to_string(found) + " " + what + ", " +
                 std::to_string(allowed) + " allowed";
  }
  return out;
}

using Pair = std::pair<unsigned, unsigned>;

RunVerdict children(const Facts& f) {
  return judge(f, "children on the fullest vector", [](const Placement& p, const Drives& r) {
    const unsigned capped = std::min(r.entries, r.fast + 1);
    return Pair(p.most(), (r.drives * capped + r.fast - 1) / r.fast + 1);
  });
}

RunVerdict spurious(const Facts& f) {
  return judge(f, "handlers called for nothing by one child's interrupt",
               [](const Placement& p, const Drives& r) { return Pair(p.most() - 1, r.drives); });
}

RunVerdict waits(const Facts& f) {
  return judge(f, "waits of one interrupt before its children's handlers", [&](const Placement& p, const Drives&) {
    return Pair(f.before_child == BeforeChild::nothing ? 0U : p.most(), 0U);
  });
}

RunVerdict affinity(const Facts& f) {
  return judge(f, "I/O queues served on a CPU that is not theirs",
               [](const Placement& p, const Drives& r) { return Pair(p.away(r), 0U); });
}

RunVerdict sharing(const Facts& f) {
  return judge(f, "I/O queues of one drive on one vector",
               [](const Placement& p, const Drives&) { return Pair(p.own_sharing(), 1U); });
}

constexpr std::array all = {
    RunProperty{{"vmd.P1", "a vector has no more children than an even share, and one, with msix_count for each drive",
                 "each interrupt walks the whole list: the work grows with every child", "vmd_next_irq; d7d8ab87e3e7",
                 PropertyKind::performance},
                children},
    RunProperty{
        {"vmd.P2", "a child's interrupt calls at most one other handler for each drive",
         "empty polls at every interrupt; as many threads woken on PREEMPT_RT", "vmd_irq", PropertyKind::performance},
        spurious},
    RunProperty{{"vmd.P3", "a queue's interrupt is handled on a CPU of that queue", "each completion crosses CPUs",
                 "the affinity problem noted above vmd_next_irq", PropertyKind::performance},
                affinity},
    RunProperty{{"vmd.P4", "the I/O queues of one drive have a vector each",
                 "one drive's queues interrupt each other, and nothing is gained by having more of them",
                 "vmd_msi_prepare; d7d8ab87e3e7", PropertyKind::performance},
                sharing},
    RunProperty{{"vmd.P9", "an interrupt waits for nothing before it calls its children's handlers",
                 "a delay or a register read for each child of the vector, whoever signalled, with interrupts off",
                 "vmd_irq; the thread on erratum MTL016", PropertyKind::performance},
                waits},
};

}  // namespace

std::span<const RunProperty> run_properties() { return all; }

}  // namespace iomc::properties::vmd
