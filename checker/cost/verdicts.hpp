// SPDX-License-Identifier: GPL-2.0-or-later
// The verdicts of properties that are bounds on costs (properties/cost_bounds.hpp).
#pragma once

#include "checker/cost/models.hpp"
#include "checker/cost/response.hpp"
#include "properties/cost_bounds.hpp"

namespace iomc::check::cost {

/// What was found for a quantity; nothing: the kernel has no such case.
struct Found {
  std::optional<double> value;
  bool unbounded = false;
  std::string text;   ///< what was found, in a clause
  std::string scope;  ///< what was run
};

/// Evaluates the quantity on these facts.
Found find_quantity(properties::CostQuantity quantity, const FactValues& facts, const Profile* profile);

/// Compares with the property's bound: a result for `iomc check`.
PropertyResult judge(const properties::CostProperty& property, const Found& found);

PropertyResult check_cost(const properties::CostProperty& property, const FactValues& facts);

/// The interrupt's own part of a response, each at the most of its range.
OwnCosts vfio_own_costs(const FactValues& facts, const Profile& profile);

/// The CPU that vfio.T1 speaks of: the interference-free part of the published traces, a timer and a disk.
TaskSet reference_cpu();

}  // namespace iomc::check::cost
