// SPDX-License-Identifier: GPL-2.0-or-later
// Performance properties that are bounds on what the cost engine computes: counted events of a stated operation, or
// time and rates under a named machine profile. The engine evaluates them (checker/cost/verdicts.hpp); what they claim,
// and the bound, stands here.
#pragma once

#include <span>

#include "model/property.hpp"

namespace iomc::properties {

/// What is bounded.
enum class CostQuantity : unsigned char {
  signal_time,      ///< vfio: message to signal at the most of the profile's ranges, on the reference CPU; ns
  thread_events,    ///< vfio: wake-ups and context switches that a threaded handler takes more than one in hard irq
  hard_irq_growth,  ///< vfio: events that one more waiter on the eventfd adds to the hard interrupt
  port_share,       ///< vmd: rate of a drive, four on a port, over what the drive can do
  mode_share,       ///< vmd: the same over the other mode's
};

struct CostProperty {
  model::PropertyInfo info;
  CostQuantity quantity;
  bool at_most;  ///< else at least
  double bound;
  const char* unit;     ///< "ns", "of the drive's own rate"
  const char* profile;  ///< nullptr: counted events need none
};

/// vfio.T1, T3 and T4.
std::span<const CostProperty> vfio_cost_properties();
/// vmd.P5 and P6.
std::span<const CostProperty> vmd_cost_properties();

}  // namespace iomc::properties
