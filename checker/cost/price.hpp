// SPDX-License-Identifier: GPL-2.0-or-later
// From counted events to time: each event's number times what a profile says it takes.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "checker/cost/profile.hpp"

namespace iomc::check::cost {

/// Events by name, in the order of model/cost.hpp; names that are no events (measures of a workload) have no price.
using EventCounts = std::vector<std::pair<std::string, double>>;

EventCounts counts_of(const model::CostCount& c);

struct Part {
  std::string event;
  double n = 0;
  Range ns;  ///< all of them together
  Provenance provenance = Provenance::assumed;
};

struct Price {
  Range ns;
  std::vector<Part> parts;            ///< what was priced, in the order of the events
  std::vector<std::string> unpriced;  ///< counted, but the profile does not say what it takes: the sum is a lower bound

  /// The parts whose event is one of these, together.
  Range of(const std::vector<std::string>& events) const;
};

/// `nodes`: how many nodes the tree has, for entries that depend on it.
Price price(const EventCounts& counts, const Profile& profile, double nodes = 0);

/// "tree_step 5205, tree_lock 1539": the events that happened.
std::string counts_text(const EventCounts& counts);

}  // namespace iomc::check::cost
