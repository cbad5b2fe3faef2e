// SPDX-License-Identifier: GPL-2.0-or-later
// Runs of a bounded length as one formula, a step longer each time: one solver that keeps what it has learnt.
#pragma once

#include <memory>
#include <optional>

#include "checker/symbolic/closure.hpp"

namespace iomc::check::symbolic {

/// What a run may end in.
struct Goal {
  Truth state;                             ///< over the fields: a bad state
  std::optional<std::size_t> property;     ///< whose events count too (TakenPath::bad)
  bool stuck = false;                      ///< no step can be taken in it, and `state` holds
  bool broken = false;                     ///< a step from it ends in an internal error, or leaves a declared range
};

/// A choice of one step: what an explorer's path index is counted over.
struct Choice {
  unsigned instance = 0;
  std::vector<unsigned> picks;
  bool operator==(const Choice&) const = default;
  auto operator<=>(const Choice&) const = default;
};

struct UnrolledRun {
  std::size_t initial = 0;  ///< index into the initial states
  std::vector<Choice> steps;
};

struct UnrollSize {
  std::size_t depth = 0;      ///< the length that runs have now
  std::size_t paths = 0;      ///< that can be taken by the last step
  std::size_t fields = 0;     ///< that are not constants there
  std::uint64_t checks = 0;
  Effort effort;
};

/// "depth 12: 98 paths, 43 fields, 1682 conflicts, rlimit 2114903"
std::string line(const UnrollSize& s);

class Unrolling {
 public:
  /// `initial`: the initial states as numbers, in order.
  Unrolling(Terms& terms, const SolverOptions& options, std::span<const Leaf> leaves, std::span<const TakenPath> paths,
            std::span<const Values> values, std::vector<std::vector<std::uint64_t>> initial, std::vector<Goal> goals);
  ~Unrolling();
  Unrolling(const Unrolling&) = delete;
  Unrolling& operator=(const Unrolling&) = delete;

  /// Whether a run of exactly the present length ends in any of these goals, or in that one. A goal that cannot be
  /// reached is told to the solver.
  Answer any(std::span<const std::size_t> goals);
  Answer reached(std::size_t goal);
  /// After a goal was reached: the least of the runs of that length that reach it, by its choices. Where a question for
  /// a lesser one is not answered within the limit, `least` is false and the run is the least found.
  UnrolledRun run(std::size_t goal, bool& least);

  /// Makes runs one step longer. Unsatisfiable if no run is that long: then no longer one is either.
  Answer lengthen();

  const UnrollSize& size() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace iomc::check::symbolic
