// SPDX-License-Identifier: GPL-2.0-or-later
// Which shape has room for a configuration of iova.
#pragma once

#include "spec/iova/config.hpp"
#include "spec/iova/types.hpp"

namespace iomc::check {

template <class Shape>
bool fits(const spec::iova::Config& c) {
  const spec::iova::Sizes& s = c.sizes;
  // Two lanes may both have seen room for one more mapping.
  const unsigned mappings = s.max_mappings + static_cast<unsigned>(c.env.lanes.size());
  return s.cpus <= Shape::cpus && s.bins <= Shape::bins && s.mag_size <= Shape::mag && s.fq_size <= Shape::ring &&
         s.max_ranges <= Shape::nodes && mappings <= Shape::live && c.env.lanes.size() <= Shape::lanes &&
         c.env.devices.size() <= Shape::devices &&
         (c.facts.depot_max == 0 ? s.max_ranges / s.mag_size : s.depot_max) <= Shape::depot;
}

}  // namespace iomc::check
