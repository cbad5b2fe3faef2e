// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/cost/longest.hpp"

#include <algorithm>
#include <deque>
#include <queue>

#include "model/check.hpp"

namespace iomc::check::cost {

namespace {

constexpr std::uint32_t none = ~std::uint32_t{0};

/// Tarjan's components, without recursion. Numbers rise against the edges: an edge goes to a component of a lower or
/// the same number.
class Components {
 public:
  explicit Components(const CostGraph& g) : g_(g), of_(g.edges.size(), none), low_(of_.size(), 0), index_(low_) {
    for (const GraphState s : g.initial)
      if (index_[s] == 0) visit(s);
  }
  std::uint32_t of(GraphState s) const { return of_[s]; }
  std::uint32_t count() const { return count_; }

 private:
  struct Frame {
    GraphState state;
    std::size_t next;
  };
  void visit(GraphState root) {
    std::vector<Frame> stack{{root, 0}};
    open(root);
    while (!stack.empty()) {
      auto& [s, next] = stack.back();
      if (next < g_.edges[s].size()) {
        const GraphState to = g_.edges[s][next++].to;
        if (index_[to] == 0) {
          open(to);
          stack.push_back({to, 0});
        } else if (of_[to] == none) {
          low_[s] = std::min(low_[s], index_[to]);
        }
        continue;
      }
      const GraphState done = s;
      stack.pop_back();
      if (!stack.empty()) low_[stack.back().state] = std::min(low_[stack.back().state], low_[done]);
      if (low_[done] != index_[done]) continue;
      for (GraphState member = none; member != done;) {
        member = pending_.back();
        pending_.pop_back();
        of_[member] = count_;
      }
      ++count_;
    }
  }
  void open(GraphState s) {
    index_[s] = low_[s] = ++clock_;
    pending_.push_back(s);
  }

  const CostGraph& g_;
  std::vector<std::uint32_t> of_;
  std::vector<std::uint32_t> low_;
  std::vector<std::uint32_t> index_;
  std::vector<GraphState> pending_;
  std::uint32_t clock_ = 0;
  std::uint32_t count_ = 0;
};

/// The edge by which a search came to each state.
struct Came {
  GraphState from = none;
  std::uint32_t edge = 0;
};

std::vector<std::uint32_t> back_to(const std::vector<Came>& came, GraphState at, GraphState& first) {
  std::vector<std::uint32_t> out;
  for (; came[at].from != none; at = came[at].from) out.push_back(came[at].edge);
  first = at;
  std::reverse(out.begin(), out.end());
  return out;
}

/// A shortest way from some state of `from` to `to`, through states that `allowed` lets pass.
template <class Allowed>
std::vector<std::uint32_t> way(const CostGraph& g, const std::vector<GraphState>& from, GraphState to,
                               GraphState& first, Allowed&& allowed) {
  std::vector<Came> came(g.edges.size());
  std::vector<bool> seen(g.edges.size(), false);
  std::deque<GraphState> queue;
  for (const GraphState s : from)
    if (!seen[s]) seen[s] = true, queue.push_back(s);
  while (!seen[to]) {
    IOMC_INVARIANT(!queue.empty());
    const GraphState s = queue.front();
    queue.pop_front();
    for (std::uint32_t i = 0; i < g.edges[s].size(); ++i) {
      const GraphState next = g.edges[s][i].to;
      if (seen[next] || !allowed(next)) continue;
      seen[next] = true;
      came[next] = {s, i};
      queue.push_back(next);
    }
  }
  return back_to(came, to, first);
}

}  // namespace

Dearest dearest(const CostGraph& g) {
  const Components components(g);
  Dearest out;
  for (GraphState s = 0; s < g.edges.size(); ++s) {
    if (components.of(s) == none) continue;
    for (std::uint32_t i = 0; i < g.edges[s].size(); ++i) {
      const CostEdge& e = g.edges[s][i];
      if (e.cost == 0 || components.of(e.to) != components.of(s)) continue;
      out.unbounded = true;
      out.run.taken = way(g, g.initial, s, out.run.from, [](GraphState) { return true; });
      out.loop_start = out.run.taken.size();
      out.run.taken.push_back(i);
      GraphState unused = 0;
      const auto back = way(g, {e.to}, s, unused, [&](GraphState t) { return components.of(t) == components.of(s); });
      out.run.taken.insert(out.run.taken.end(), back.begin(), back.end());
      return out;
    }
  }
  // Inside a component every edge is free now: one value a component, from the first ones (high numbers) on.
  std::vector<std::vector<GraphState>> members(components.count());
  for (GraphState s = 0; s < g.edges.size(); ++s)
    if (components.of(s) != none) members[components.of(s)].push_back(s);
  std::vector<std::uint64_t> best(components.count(), 0);
  std::vector<bool> reached(components.count(), false);
  std::vector<Came> entered(components.count());
  for (const GraphState s : g.initial) reached[components.of(s)] = true;
  std::uint32_t end = none;
  for (std::uint32_t c = components.count(); c-- > 0;) {
    if (!reached[c]) continue;
    if (end == none || best[c] > best[end]) end = c;
    for (const GraphState s : members[c])
      for (std::uint32_t i = 0; i < g.edges[s].size(); ++i) {
        const CostEdge& e = g.edges[s][i];
        const std::uint32_t to = components.of(e.to);
        if (to == c || (reached[to] && best[c] + e.cost <= best[to])) continue;
        reached[to] = true;
        best[to] = best[c] + e.cost;
        entered[to] = {s, i};
      }
  }
  IOMC_INVARIANT(end != none);
  out.cost = out.run.cost = best[end];
  // Back along the entries; within a component any way will do, they are all free.
  std::uint32_t c = end;
  GraphState target = none;
  while (entered[c].from != none) {
    const Came in = entered[c];
    const GraphState door = g.edges[in.from][in.edge].to;
    std::vector<std::uint32_t> part{in.edge};
    if (target != none) {
      GraphState unused = 0;
      const auto inside = way(g, {door}, target, unused, [&](GraphState t) { return components.of(t) == c; });
      part.insert(part.end(), inside.begin(), inside.end());
    }
    out.run.taken.insert(out.run.taken.begin(), part.begin(), part.end());
    target = in.from;
    c = components.of(in.from);
  }
  std::vector<GraphState> starts;
  for (const GraphState s : g.initial)
    if (components.of(s) == c) starts.push_back(s);
  if (target == none) {
    out.run.from = starts.front();
    return out;
  }
  const auto first = way(g, starts, target, out.run.from, [&](GraphState t) { return components.of(t) == c; });
  out.run.taken.insert(out.run.taken.begin(), first.begin(), first.end());
  return out;
}

CostRun dearest_within(const CostGraph& g, unsigned steps) {
  constexpr std::uint64_t unreached = ~std::uint64_t{0};
  std::vector<std::vector<std::uint64_t>> best(steps + std::size_t{1},
                                               std::vector<std::uint64_t>(g.edges.size(), unreached));
  std::vector<std::vector<Came>> came(steps + std::size_t{1}, std::vector<Came>(g.edges.size()));
  for (const GraphState s : g.initial) best[0][s] = 0;
  std::size_t end_step = 0;
  GraphState end = g.initial.front();
  for (unsigned k = 0; k <= steps; ++k)
    for (GraphState s = 0; s < g.edges.size(); ++s) {
      if (best[k][s] == unreached) continue;
      if (best[k][s] > best[end_step][end]) end_step = k, end = s;
      if (k == steps) continue;
      for (std::uint32_t i = 0; i < g.edges[s].size(); ++i) {
        const CostEdge& e = g.edges[s][i];
        auto& there = best[k + 1][e.to];
        if (there != unreached && best[k][s] + e.cost <= there) continue;
        there = best[k][s] + e.cost;
        came[k + 1][e.to] = {s, i};
      }
    }
  CostRun out;
  out.cost = best[end_step][end];
  for (std::size_t k = end_step; k > 0; --k) {
    out.taken.push_back(came[k][end].edge);
    end = came[k][end].from;
  }
  out.from = end;
  std::reverse(out.taken.begin(), out.taken.end());
  return out;
}

bool cheapest(const CostGraph& g, CostRun& out) {
  constexpr std::uint64_t unreached = ~std::uint64_t{0};
  std::vector<std::uint64_t> cost(g.edges.size(), unreached);
  std::vector<Came> came(g.edges.size());
  using Item = std::pair<std::uint64_t, GraphState>;
  std::priority_queue<Item, std::vector<Item>, std::greater<>> queue;
  for (const GraphState s : g.initial) cost[s] = 0, queue.emplace(0, s);
  while (!queue.empty()) {
    const auto [paid, s] = queue.top();
    queue.pop();
    if (paid != cost[s]) continue;
    if (g.ends[s]) {
      out.cost = paid;
      out.taken = back_to(came, s, out.from);
      return true;
    }
    for (std::uint32_t i = 0; i < g.edges[s].size(); ++i) {
      const CostEdge& e = g.edges[s][i];
      if (paid + e.cost >= cost[e.to]) continue;
      cost[e.to] = paid + e.cost;
      came[e.to] = {s, i};
      queue.emplace(cost[e.to], e.to);
    }
  }
  return false;
}

}  // namespace iomc::check::cost
