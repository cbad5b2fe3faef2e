// SPDX-License-Identifier: GPL-2.0-or-later
// Performance properties of a VMD that remaps: bounds on counted runs of vmd_next_irq at the kernel's own sizes
// (spec/vmd/placement.hpp). A verdict speaks of those runs only.
#pragma once

#include <span>
#include <string>

#include "model/property.hpp"
#include "spec/vmd/placement.hpp"

namespace iomc::properties::vmd {

struct RunVerdict {
  bool holds = true;
  std::string scope;  ///< the runs, stated in full
  std::string found;  ///< one clause a run
};

struct RunProperty {
  model::PropertyInfo info;
  RunVerdict (*check)(const spec::vmd::Facts&);
};

/// vmd.P1, P2, P3, P4 and P9.
std::span<const RunProperty> run_properties();

}  // namespace iomc::properties::vmd
