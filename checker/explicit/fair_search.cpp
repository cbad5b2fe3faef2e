// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/explicit/fair_search.hpp"

#include <algorithm>
#include <utility>

namespace iomc::check {

namespace {

using Rank = Outstanding::Rank;

/// A set of fairness groups.
class GroupSet {
 public:
  explicit GroupSet(std::size_t groups) : words_((groups + 63) / 64) {}
  void clear() { std::fill(words_.begin(), words_.end(), 0); }
  void fill() { std::fill(words_.begin(), words_.end(), ~std::uint64_t{0}); }
  void put(Group g) { words_[g / 64U] |= std::uint64_t{1} << (g % 64U); }
  bool has(Group g) const { return (words_[g / 64U] >> (g % 64U) & 1) != 0; }
  void keep(const GroupSet& o) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= o.words_[i];
  }
  void join(const GroupSet& o) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= o.words_[i];
  }
  void drop(const GroupSet& o) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= ~o.words_[i];
  }
  bool empty() const {
    return std::all_of(words_.begin(), words_.end(), [](std::uint64_t w) { return w == 0; });
  }
  bool meets(const GroupSet& o) const {
    for (std::size_t i = 0; i < words_.size(); ++i)
      if ((words_[i] & o.words_[i]) != 0) return true;
    return false;
  }

 private:
  std::vector<std::uint64_t> words_;
};

GroupSet groups_of(const Demand& demand, model::FairnessKind kind) {
  GroupSet out(demand.fairness.size());
  for (std::size_t g = 0; g < demand.fairness.size(); ++g)
    if (demand.fairness[g].kind == kind) out.put(static_cast<Group>(g));
  return out;
}

/// What is enabled in a state, by any of its edges in the whole graph.
void enabled_in(const Graph& graph, StateId s, GroupSet& out, SearchWork& work) {
  out.clear();
  for (std::uint64_t at = graph.row_begin(s); at < graph.row_end(s); ++at) {
    ++work.edges;
    if (const Group g = graph.edge(at).group; g != no_group) out.put(g);
  }
}

/// A set of states that is decomposed, and a component that will do, are lists of ranks of which each has the list's
/// number in `scope_`; all else is out of sight.
class FairSearch {
 public:
  FairSearch(const Graph& graph, const Outstanding& region, const Demand& demand, SearchWork& work)
      : graph_(graph),
        region_(region),
        demand_(demand),
        work_(work),
        weak_(groups_of(demand, model::FairnessKind::weak)),
        strong_(groups_of(demand, model::FairnessKind::strong)),
        scope_(region.size(), nowhere),
        index_(region.size(), 0),
        low_(region.size(), 0) {}

  std::optional<Lasso> run() {
    std::vector<Rank> all;
    for (Rank r = 0; r < region_.size(); ++r)
      if (demand_.never == nullptr || !demand_.never->has(region_.state(r))) all.push_back(r);
    enter(std::move(all));
    while (!waiting_.empty()) {
      Waiting next = std::move(waiting_.back());
      waiting_.pop_back();
      decompose(next);
    }
    if (best_.empty()) return std::nullopt;
    return lasso();
  }

 private:
  static constexpr std::uint32_t nowhere = 0;
  static constexpr Rank none = ~Rank{0};

  struct Waiting {
    std::vector<Rank> states;
    std::uint32_t scope;
  };
  struct Frame {
    Rank at;
    std::uint32_t next;  // edge of its row
  };

  /// A set that is to be decomposed.
  void enter(std::vector<Rank> states) {
    ++scopes_;
    for (const Rank r : states) {
      scope_[r] = scopes_;
      index_[r] = 0;
    }
    waiting_.push_back({std::move(states), scopes_});
  }

  Rank rank_in(StateId s, std::uint32_t scope) const {
    if (!region_.has(s)) return none;
    const Rank r = region_.rank(s);
    return scope_[r] == scope ? r : none;
  }

  /// Tarjan's algorithm without recursion. A state leaves the scope with its component, so what is in the scope and has
  /// an index is on the stack.
  void decompose(const Waiting& set) {
    std::uint32_t indices = 0;
    const auto visit = [&](Rank r) {
      work_.at_state();
      index_[r] = low_[r] = ++indices;
      stack_.push_back(r);
      frames_.push_back({r, 0});
    };
    for (const Rank root : set.states) {
      if (scope_[root] != set.scope || index_[root] != 0) continue;
      visit(root);
      while (!frames_.empty()) {
        Frame& f = frames_.back();
        const StateId s = region_.state(f.at);
        const std::uint64_t at = graph_.row_begin(s) + f.next;
        if (at < graph_.row_end(s)) {
          ++f.next;
          ++work_.edges;
          const Rank to = rank_in(graph_.edge(at).to, set.scope);
          if (to == none) continue;
          if (index_[to] == 0)
            visit(to);
          else
            low_[f.at] = std::min(low_[f.at], index_[to]);
          continue;
        }
        const Rank done = f.at;
        frames_.pop_back();
        if (!frames_.empty()) low_[frames_.back().at] = std::min(low_[frames_.back().at], low_[done]);
        if (low_[done] == index_[done]) leave(done);
      }
    }
  }

  /// The component of which `first` was found first is complete. Most are one state that no run stays in.
  void leave(Rank first) {
    ++scopes_;
    if (stack_.back() == first) {
      stack_.pop_back();
      scope_[first] = scopes_;
      if (may_stay(region_.state(first))) judge({first}, scopes_);
      return;
    }
    const auto begin = std::find(stack_.rbegin(), stack_.rend(), first).base() - 1;
    std::vector<Rank> component(begin, stack_.end());
    stack_.erase(begin, stack_.end());
    for (const Rank r : component) scope_[r] = scopes_;
    judge(std::move(component), scopes_);
  }

  bool may_stay(StateId s) {
    if (graph_.may_rest(s)) return true;
    for (std::uint64_t at = graph_.row_begin(s); at < graph_.row_end(s); ++at) {
      ++work_.edges;
      if (graph_.edge(at).to == s) return true;
    }
    return false;
  }

  void judge(std::vector<Rank> component, std::uint32_t scope) {
    const Rank entry = *std::min_element(component.begin(), component.end());
    if (!best_.empty() && best_entry_ < entry) return;
    always_.fill();
    ever_.clear();
    taken_.clear();
    for (const Rank r : component) {
      const StateId s = region_.state(r);
      enabled_.clear();
      for (std::uint64_t at = graph_.row_begin(s); at < graph_.row_end(s); ++at) {
        ++work_.edges;
        const Graph::Edge e = graph_.edge(at);
        if (e.group == no_group) continue;
        enabled_.put(e.group);
        if (rank_in(e.to, scope) != none) taken_.put(e.group);
      }
      always_.keep(enabled_);
      ever_.join(enabled_);
    }
    for (const StateSet* set : demand_.again)
      if (std::none_of(component.begin(), component.end(), [&](Rank r) { return set->has(region_.state(r)); })) return;
    always_.drop(taken_);
    if (always_.meets(weak_)) return;
    ever_.drop(taken_);
    if (ever_.meets(strong_)) return decompose_without(component);
    best_ = std::move(component);
    best_entry_ = entry;
    best_scope_ = scope;
    best_taken_ = taken_;
  }

  /// What is left of a component without the states that enable a strong group of which it has no edge.
  void decompose_without(const std::vector<Rank>& component) {
    ever_.keep(strong_);
    std::vector<Rank> rest;
    for (const Rank r : component) {
      enabled_in(graph_, region_.state(r), enabled_, work_);
      if (!enabled_.meets(ever_)) rest.push_back(r);
    }
    if (!rest.empty()) enter(std::move(rest));
  }

  // The lasso: a walk through the best component that does one outstanding thing after the other, each on a shortest
  // way, and then comes back.

  struct Need {
    std::vector<Group> edges;             // an edge of the group
    std::vector<Group> edge_or_disabled;  // or a state in which it is not enabled
    std::vector<const StateSet*> states;
    bool empty() const { return edges.empty() && edge_or_disabled.empty() && states.empty(); }
  };

  bool met_in(const Need& need, StateId s) {
    if (std::any_of(need.states.begin(), need.states.end(), [&](const StateSet* set) { return set->has(s); }))
      return true;
    if (need.edge_or_disabled.empty()) return false;
    enabled_in(graph_, s, enabled_, work_);
    return std::any_of(need.edge_or_disabled.begin(), need.edge_or_disabled.end(),
                       [&](Group g) { return !enabled_.has(g); });
  }
  static bool met_by(const Need& need, Group g) {
    const auto in = [&](const std::vector<Group>& list) { return std::ranges::find(list, g) != list.end(); };
    return g != no_group && (in(need.edges) || in(need.edge_or_disabled));
  }
  void at_state(Need& need, StateId s) {
    std::erase_if(need.states, [&](const StateSet* set) { return set->has(s); });
    if (need.edge_or_disabled.empty()) return;
    enabled_in(graph_, s, enabled_, work_);
    std::erase_if(need.edge_or_disabled, [&](Group g) { return !enabled_.has(g); });
  }
  static void by_edge(Need& need, Group g) {
    std::erase(need.edges, g);
    std::erase(need.edge_or_disabled, g);
  }

  Lasso lasso() {
    Lasso out{region_.stem(best_entry_), {}};
    const StateId entry = region_.state(best_entry_);
    if (graph_.may_rest(entry) &&
        std::all_of(demand_.again.begin(), demand_.again.end(), [&](const StateSet* set) { return set->has(entry); }))
      return out;
    Need need;
    need.states = demand_.again;
    for (Group g = 0; g < demand_.fairness.size(); ++g) {
      if (weak_.has(g))
        need.edge_or_disabled.push_back(g);
      else if (best_taken_.has(g))
        need.edges.push_back(g);  // else it is enabled nowhere in the component
    }
    at_state(need, entry);
    StateId now = entry;
    const auto walk = [&](const std::vector<Graph::Edge>& edges) {
      for (const Graph::Edge& e : edges) {
        by_edge(need, e.group);
        at_state(need, e.to);
        out.loop.push_back(e);
        now = e.to;
      }
    };
    const auto wanted_edge = [&](const Graph::Edge& e) { return met_by(need, e.group); };
    const auto wanted_state = [&](StateId s) { return met_in(need, s); };
    while (!need.empty()) walk(shortest(now, wanted_edge, wanted_state));
    const auto back = [&](const Graph::Edge& e) { return e.to == entry; };
    if (out.loop.empty() || now != entry) walk(shortest(now, back, [](StateId) { return false; }));
    return out;
  }

  /// A shortest walk of at least one edge inside the best component, the last edge or state of which is wanted.
  template <class WantedEdge, class WantedState>
  std::vector<Graph::Edge> shortest(StateId from, WantedEdge&& wanted_edge, WantedState&& wanted_state) {
    struct Reached {
      std::uint32_t from;  // place in `reached`
      Graph::Edge by;
    };
    ++visits_;
    std::vector<Reached> reached{{0, {from, no_group}}};
    seen_.resize(region_.size(), 0);
    seen_[region_.rank(from)] = visits_;
    for (std::uint32_t at = 0; at < reached.size(); ++at) {
      work_.at_state();
      const StateId s = reached[at].by.to;
      for (std::uint64_t i = graph_.row_begin(s); i < graph_.row_end(s); ++i) {
        ++work_.edges;
        const Graph::Edge e = graph_.edge(i);
        const Rank to = rank_in(e.to, best_scope_);
        if (to == none) continue;
        const bool first = std::exchange(seen_[to], visits_) != visits_;
        if (wanted_edge(e) || (first && wanted_state(e.to))) {
          std::vector<Graph::Edge> out{e};
          for (std::uint32_t back = at; back != 0; back = reached[back].from) out.push_back(reached[back].by);
          std::reverse(out.begin(), out.end());
          return out;
        }
        if (first) reached.push_back({at, e});
      }
    }
    IOMC_UNREACHABLE("a component that will do lacks what it was chosen for");
  }

  const Graph& graph_;
  const Outstanding& region_;
  const Demand& demand_;
  SearchWork& work_;
  GroupSet weak_;
  GroupSet strong_;
  GroupSet always_{demand_.fairness.size()};  // of the component being judged: enabled in all of its states
  GroupSet ever_{demand_.fairness.size()};    // enabled in one of them
  GroupSet taken_{demand_.fairness.size()};   // by one of its edges
  GroupSet enabled_{demand_.fairness.size()};
  std::vector<std::uint32_t> scope_;
  std::vector<std::uint32_t> index_;
  std::vector<std::uint32_t> low_;
  std::vector<Rank> stack_;
  std::vector<Frame> frames_;
  std::vector<Waiting> waiting_;
  std::uint32_t scopes_ = nowhere;
  std::vector<Rank> best_;
  Rank best_entry_ = 0;
  std::uint32_t best_scope_ = nowhere;
  GroupSet best_taken_{demand_.fairness.size()};
  std::vector<std::uint32_t> seen_;
  std::uint32_t visits_ = 0;
};

}  // namespace

void SearchWork::poll() const {
  if (watch == nullptr) return;
  if (std::string reason = watch->ended(); !reason.empty()) throw SearchEnded{std::move(reason)};
}

Outstanding::Outstanding(const Graph& graph, const StateSet& roots, const StateSet* blocked, SearchWork& work)
    : graph_(graph) {
  rank_.reserve(graph.states());
  const auto open = [&](StateId s) { return !has(s) && (blocked == nullptr || !blocked->has(s)); };
  Rank at = 0;
  // One round for each distance: the roots that far away join what the round before has reached.
  for (std::size_t level = 0; level < graph.levels() || at < size_; ++level) {
    if (level < graph.levels() && !roots.empty())
      for (StateId s = graph.level_begin(level); s < graph.level_end(level); ++s)
        if (roots.has(s) && open(s)) add(s, size_);
    for (const Rank end = size_; at < end; ++at) {
      work.at_state();
      const StateId s = order_[at];
      for (std::uint64_t i = graph.row_begin(s); i < graph.row_end(s); ++i) {
        ++work.edges;
        if (const StateId to = graph.edge(i).to; open(to)) add(to, at);
      }
    }
  }
}

void Outstanding::add(StateId s, Rank parent) {
  order_.reserve(size_ + std::size_t{1});
  parent_.reserve(size_ + std::size_t{1});
  order_[size_] = s;
  parent_[size_] = parent;
  rank_[s] = ++size_;
}

std::vector<StateId> Outstanding::stem(Rank r) const {
  std::vector<StateId> out{state(r)};
  for (; parent_[r] != r; r = parent_[r]) out.push_back(state(parent_[r]));
  while (graph_.parent(out.back()) != Graph::no_parent) out.push_back(graph_.parent(out.back()));
  std::reverse(out.begin(), out.end());
  return out;
}

std::optional<Lasso> find_fair_run(const Graph& graph, const Outstanding& outstanding, const Demand& demand,
                                   SearchWork& work) {
  return FairSearch(graph, outstanding, demand, work).run();
}

}  // namespace iomc::check
