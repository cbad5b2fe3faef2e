// SPDX-License-Identifier: GPL-2.0-or-later
// The dearest and the cheapest runs of a state graph whose edges have a cost. Costs are whole numbers: events, or
// picoseconds of a profile's central value.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace iomc::check::cost {

using GraphState = std::uint32_t;

struct CostEdge {
  GraphState to = 0;
  std::uint32_t label = 0;  ///< the caller's: which step
  std::uint64_t cost = 0;
};

struct CostGraph {
  std::vector<std::vector<CostEdge>> edges;  ///< of each state
  std::vector<GraphState> initial;
  std::vector<bool> ends;  ///< a run may end here
  std::string incomplete;  ///< why the graph is not whole, or empty
};

/// A run: the states' edges in order, as indices into edges[state].
struct CostRun {
  std::uint64_t cost = 0;
  GraphState from = 0;
  std::vector<std::uint32_t> taken;
};

struct Dearest {
  bool unbounded = false;
  std::uint64_t cost = 0;      ///< where bounded
  CostRun run;                 ///< a dearest run; where unbounded the stem and then the loop
  std::size_t loop_start = 0;  ///< edges before the loop, where unbounded
};

/// The most that any run costs. Unbounded, with the loop, where one can go round at a cost.
Dearest dearest(const CostGraph& graph);

/// The most that a run of at most `steps` steps costs.
CostRun dearest_within(const CostGraph& graph, unsigned steps);

/// The least that a run to an end costs; false where no end can be reached.
bool cheapest(const CostGraph& graph, CostRun& out);

}  // namespace iomc::check::cost
