// SPDX-License-Identifier: GPL-2.0-or-later
// Runs that a liveness property forbids: from a state in which the goal is outstanding, past no state that is a goal,
// on for ever and fairly, or to an end. Decided on strongly connected components: what a run repeats for ever lies in
// one.
//
// Weak fairness: a component will do for a group if one of its edges is of the group, or the group is not enabled in
// one of its states; a run that visits all of the component then does so again and again. A greater component does at
// least what a part of it does, so only maximal ones are looked at.
// Strong fairness: a group that is enabled in a component of which no edge is of the group is enabled nowhere in what a
// fair run repeats. The states that enable it are removed, and the rest is decomposed again.
// A run may also stay where it is, if no group is enabled there: a state by itself is a component, loop or not.
//
// Whether a group is enabled is asked of the whole graph, whether it is taken of the component: a step that leads to
// the goal is enabled, and a run that never comes to the goal never takes it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "checker/explicit/graph.hpp"

namespace iomc::check {

/// The search was told to end.
struct SearchEnded {
  std::string reason;
};

/// How much a search did; with it tests bound the work, and a caller may end it.
struct SearchWork {
  const Watch* watch = nullptr;
  std::uint64_t states = 0;  ///< states visited, each as often as it was
  std::uint64_t edges = 0;   ///< edges visited, each as often as it was

  void at_state() {
    if ((++states & 0xffff) == 0) poll();
  }
  void poll() const;  ///< throws SearchEnded
};

/// The states that a run may be in after one of `roots` without having met a `blocked` one, nearest to the initial
/// states first. The rank of a state is its place in that order.
class Outstanding {
 public:
  using Rank = std::uint32_t;

  Outstanding(const Graph& graph, const StateSet& roots, const StateSet* blocked, SearchWork& work);

  std::size_t size() const { return size_; }
  StateId state(Rank r) const { return order_[r]; }
  bool has(StateId s) const { return rank_[s] != 0; }
  Rank rank(StateId s) const { return rank_[s] - 1; }
  /// A shortest run from an initial state through a root to a state.
  std::vector<StateId> stem(Rank r) const;

  static std::size_t bytes_per_state() { return 3 * sizeof(Rank); }

 private:
  void add(StateId s, Rank parent);

  const Graph& graph_;
  Region<Rank> rank_{std::size_t{1} << 12};  // + 1; 0 where the state is none of them
  Region<StateId> order_{std::size_t{1} << 12};
  Region<Rank> parent_{std::size_t{1} << 12};  // its own rank: a root
  Rank size_ = 0;
};

/// What a run must do to count as a violation.
struct Demand {
  std::span<const model::FairnessInfo> fairness;
  std::vector<const StateSet*> again;  ///< each: some state that the run repeats is in it
  const StateSet* never = nullptr;     ///< no state that the run repeats is in it
};

struct Lasso {
  std::vector<StateId> stem;       ///< from an initial state to the first state of the loop
  std::vector<Graph::Edge> loop;   ///< empty: the run may end there
};

/// The violating run with the shortest stem, if there is any. The loop does what the demand asks, in few steps.
std::optional<Lasso> find_fair_run(const Graph& graph, const Outstanding& outstanding, const Demand& demand,
                                   SearchWork& work);

}  // namespace iomc::check
