// SPDX-License-Identifier: GPL-2.0-or-later
// The state graph as numbers: states in the order of a breadth-first search, edges in rows, each with the fairness
// group of the step that it stands for. What a liveness property asks of a graph needs no more, and no specification.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "checker/explicit/limits.hpp"
#include "checker/explicit/region.hpp"
#include "checker/explicit/storage.hpp"
#include "model/fairness.hpp"
#include "model/reflect.hpp"

namespace iomc::check {

using Group = std::uint16_t;
inline constexpr Group no_group = 0xffff;

/// A set of states, one bit each.
class StateSet {
 public:
  void put(StateId s) {
    words_.reserve(s / 64 + std::size_t{1});
    words_[s / 64] |= std::uint64_t{1} << (s % 64);
    empty_ = false;
  }
  bool has(StateId s) const {
    return s / 64 < words_.capacity() && (words_[s / 64] >> (s % 64) & 1) != 0;
  }
  bool empty() const { return empty_; }

 private:
  Region<std::uint64_t> words_{std::size_t{64}};
  bool empty_ = true;
};

class Graph {
 public:
  static constexpr StateId no_parent = ~StateId{0};

  struct Edge {
    StateId to;
    Group group;
  };

  // Building: states in the order of their discovery, then the edges of each state, state by state.
  void add_state(StateId parent) {
    parents_.reserve(states_ + 1);
    parents_[states_++] = parent;
  }
  void begin_level(StateId first) { levels_.push_back(first); }
  void add_edge(StateId to, Group group) {
    to_.reserve(edges_ + 1);
    group_.reserve(edges_ + 1);
    to_[edges_] = to;
    group_[edges_++] = group;
  }
  /// The state after the last expanded one now has all its edges.
  void end_state() {
    row_.reserve(expanded_ + std::size_t{2});
    row_[++expanded_] = edges_;
  }

  std::size_t states() const { return states_; }
  std::uint64_t edges() const { return edges_; }
  StateId parent(StateId s) const { return parents_[s]; }
  /// The states at a distance from the initial ones: first, and one behind the last.
  std::size_t levels() const { return levels_.size(); }
  StateId level_begin(std::size_t level) const { return levels_[level]; }
  StateId level_end(std::size_t level) const {
    return level + 1 < levels_.size() ? levels_[level + 1] : static_cast<StateId>(states_);
  }

  /// Whether all steps of a state are known. Of the others nothing may be concluded: neither that a run ends there nor
  /// that a group is not enabled.
  bool expanded(StateId s) const { return s < expanded_; }
  std::size_t expanded() const { return expanded_; }
  std::uint64_t row_begin(StateId s) const { return s < expanded_ ? row_[s] : edges_; }
  std::uint64_t row_end(StateId s) const { return s < expanded_ ? row_[s + std::size_t{1}] : edges_; }
  Edge edge(std::uint64_t at) const { return {to_[at], group_[at]}; }
  /// Whether a run may end there: no step must be taken.
  bool may_rest(StateId s) const {
    for (std::uint64_t at = row_begin(s); at < row_end(s); ++at)
      if (group_[at] != no_group) return false;
    return expanded(s);
  }

  std::size_t bytes() const {
    return states_ * (sizeof(StateId) + sizeof(std::uint64_t)) + edges_ * (sizeof(StateId) + sizeof(Group));
  }

 private:
  Region<StateId> parents_{std::size_t{1} << 12};
  Region<std::uint64_t> row_{std::size_t{1} << 12};
  Region<StateId> to_{std::size_t{1} << 12};
  Region<Group> group_{std::size_t{1} << 12};
  std::vector<StateId> levels_;
  std::size_t states_ = 0;
  std::size_t expanded_ = 0;
  std::uint64_t edges_ = 0;
};

/// Explores a specification once and keeps the graph. `see(id, state)` is called for each state when it is found.
template <model::Specification Spec, class Storage = StorageFor<typename Spec::State>>
class GraphBuilder {
 public:
  using State = typename Spec::State;

  GraphBuilder(const Spec& spec, const Watch& watch)
      : spec_(spec), watch_(watch), groups_(model::fairness_of_spec(spec).size()) {
    IOMC_PRE(groups_ < no_group);
  }

  /// `extra_bytes` is what a state costs the caller.
  template <class See>
  void build(See&& see, std::size_t extra_bytes) {
    graph_.begin_level(0);
    model::for_each_choice(cx_, [&] {
      State s{};
      spec_.initial(s, cx_);
      insert(s, Graph::no_parent, see);
    });
    auto level_end = static_cast<StateId>(storage_.size());
    for (StateId at = 0; at < storage_.size(); ++at) {
      if (at == level_end) {
        graph_.begin_level(level_end);
        level_end = static_cast<StateId>(storage_.size());
      }
      if ((at & 0xfff) == 0 && stop(at, extra_bytes)) return;
      expand(at, see);
    }
  }

  const Graph& graph() const { return graph_; }
  /// Why the graph is not whole, or nothing.
  const std::string& reason() const { return reason_; }
  State state(StateId id) const {
    State s;
    storage_.load(id, s);
    return s;
  }

 private:
  template <class See>
  StateId insert(const State& s, StateId parent, See&& see) {
    const Inserted r = storage_.insert(s);
    if (r.fresh) {
      graph_.add_state(parent);
      model::require_ranges(s);
      see(r.id, s);
    }
    return r.id;
  }

  template <class See>
  void expand(StateId id, See&& see) {
    State before;
    storage_.load(id, before);
    storage_.expand(id);
    State after = before;
    spec_.for_each_candidate(before, [&](unsigned instance) {
      cx_.choices().clear();
      do {
        cx_.begin();
        if (!spec_.fire(after, instance, cx_)) continue;
        const StateId to = insert(after, id, see);
        graph_.add_edge(to, group_of(before, instance));
        after = before;
      } while (cx_.choices().advance());
    });
    graph_.end_state();
  }

  Group group_of(const State& s, unsigned instance) const {
    const int group = model::fairness_group(spec_, s, instance);
    if (group == model::no_fairness) return no_group;
    IOMC_INVARIANT(group >= 0 && static_cast<std::size_t>(group) < groups_);
    return static_cast<Group>(group);
  }

  bool stop(StateId at, std::size_t extra_bytes) {
    const std::uint64_t bytes = storage_.bytes() + graph_.bytes() + storage_.size() * extra_bytes;
    reason_ = watch_.ended({storage_.size(), graph_.edges(), graph_.levels() - 1, storage_.size() - at}, bytes);
    return !reason_.empty();
  }

  const Spec& spec_;
  const Watch& watch_;
  std::size_t groups_;
  Storage storage_;
  Graph graph_;
  model::StepContext<typename Spec::Event> cx_;
  std::string reason_;
};

}  // namespace iomc::check
