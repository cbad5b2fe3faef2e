// SPDX-License-Identifier: GPL-2.0-or-later
// Performance properties of an IOVA domain: bounds on counted events of stated workloads (spec/iova/workloads.hpp).
// A verdict speaks of those workloads only.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/property.hpp"
#include "spec/iova/workloads.hpp"

namespace iomc::properties::iova {

/// What of a measure is bounded: its largest value in one operation, or its mean.
enum class Statistic : unsigned char { most, mean };

/// One bound.
struct RunBound {
  const char* run;
  const char* measure;
  Statistic statistic;
  double bound;
  const char* bound_measure;  ///< where not null, the bound is that measure's mean in the same run
  const char* unit;           ///< "per map and unmap"
};

struct RunProperty {
  model::PropertyInfo info;
  std::span<const RunBound> bounds;
};

/// A bound with what was counted.
struct BoundResult {
  const RunBound* bound;
  double found;
  double allowed;
  bool met;
};

struct RunVerdict {
  bool holds = true;
  std::string scope;  ///< the workloads, stated in full
  std::string found;  ///< one clause a bound, those that are not kept first
  std::vector<BoundResult> bounds;
};

/// iova.P14 to P17, P21, P22 and P30, with the parts that have a letter of their own.
std::span<const RunProperty> run_properties();

RunVerdict check(const RunProperty& property, spec::iova::Runs& runs);
RunVerdict check(const RunProperty& property, const spec::iova::Facts& facts);

}  // namespace iomc::properties::iova
