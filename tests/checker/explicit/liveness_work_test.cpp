// SPDX-License-Identifier: GPL-2.0-or-later
// The work of a liveness check, counted: how often states and edges are looked at, not how long it takes.
#include <catch2/catch.hpp>
#include <functional>
#include <vector>

#include "checker/explicit/fair_search.hpp"

using namespace iomc;
using check::Graph;
using check::Group;
using check::no_group;
using check::StateId;

namespace {

/// A graph of which state 0 is the initial one; the states are not in breadth-first order, which the search does not
/// need where 0 is the only root.
struct Drawn {
  explicit Drawn(StateId states) : rows(states) {}
  Drawn& arrow(StateId from, StateId to, Group group = no_group) {
    rows[from].push_back({to, group});
    return *this;
  }
  void build(Graph& g) const {
    g.begin_level(0);
    for (StateId s = 0; s < rows.size(); ++s) g.add_state(s == 0 ? Graph::no_parent : 0);
    for (const auto& row : rows) {
      for (const Graph::Edge e : row) g.add_edge(e.to, e.group);
      g.end_state();
    }
  }
  std::vector<std::vector<Graph::Edge>> rows;
};

struct Searched {
  bool violated = false;
  std::size_t loop = 0;
  std::uint64_t edges = 0;   // of the graph
  check::SearchWork work;
};

Searched searched(const Drawn& drawn, const std::vector<model::FairnessInfo>& fairness, StateId goal) {
  Graph g;
  drawn.build(g);
  check::StateSet roots;
  roots.put(0);
  check::StateSet goals;
  goals.put(goal);
  Searched out;
  const check::Outstanding outstanding(g, roots, &goals, out.work);
  const auto lasso = check::find_fair_run(g, outstanding, {fairness, {}, nullptr}, out.work);
  out.violated = lasso.has_value();
  if (lasso) out.loop = lasso->loop.size();
  out.edges = g.edges();
  return out;
}

const std::vector<model::FairnessInfo> three_weak(3, {"a group", model::FairnessKind::weak});

/// At most this often each edge is looked at where nothing is violated: to find what is outstanding, to decompose, for
/// a step that changes nothing, to judge.
constexpr std::uint64_t looks = 4;

constexpr StateId many = 200000;

/// One state after the other, each with a way to the goal; no loop.
Drawn line() {
  Drawn g(many);
  for (StateId s = 0; s + 1 < many; ++s) g.arrow(s, s + 1, static_cast<Group>(s % 3)).arrow(s, many - 1);
  g.arrow(many - 1, many - 1);
  return g;
}
/// One ring, as deep as it is long, which starves group a.
Drawn ring() {
  Drawn g(many);
  for (StateId s = 0; s < many - 1; ++s) g.arrow(s, (s + 1) % (many - 1), 1).arrow(s, many - 1, 0);
  return g;
}
/// Many small rings behind each other, each of which starves a group.
Drawn rings() {
  Drawn g(many);
  for (StateId s = 0; s + 1 < many; ++s) {
    const StateId first = s / 5 * 5;
    g.arrow(s, s % 5 == 4 || s + 2 == many ? first : s + 1, 2);
    g.arrow(s, std::min(s + 5, many - 1), static_cast<Group>(first / 5 % 2));
  }
  return g;
}
/// Each state to each.
Drawn dense() {
  constexpr StateId n = 600;
  Drawn g(n + 1);
  for (StateId s = 0; s < n; ++s) {
    for (StateId to = 0; to < n; ++to) g.arrow(s, to, 1);
    g.arrow(s, n, 0);
  }
  return g;
}

}  // namespace

TEST_CASE("each edge is looked at a fixed number of times, however deep the graph is") {
  for (const auto& [drawn, goal] : {std::pair{line(), many - 1}, std::pair{ring(), many - 1},
                                    std::pair{rings(), many - 1}, std::pair{dense(), StateId{600}}}) {
    const Searched r = searched(drawn, three_weak, goal);
    CHECK_FALSE(r.violated);
    CHECK(r.work.edges <= looks * r.edges);
    CHECK(r.work.states <= 2 * drawn.rows.size());
  }
}

TEST_CASE("a loop is put together with at most three looks at an edge for each thing that it must do") {
  // The ring takes b; a and c can be taken at one place each, far apart.
  Drawn g(many);
  for (StateId s = 0; s < many - 1; ++s)
    g.arrow(s, (s + 1) % (many - 1), 1).arrow(s, many - 1, 0).arrow(s, many - 1, 2);
  g.arrow(many / 3, many / 3, 0).arrow(many / 2, many / 2, 2);
  const Searched r = searched(g, three_weak, many - 1);
  CHECK(r.violated);
  CHECK(r.loop == many - 1 + 2);
  CHECK(r.work.edges <= (looks + 3 * (three_weak.size() + 1)) * r.edges);
}

TEST_CASE("strong fairness costs at most one more decomposition for each group that is removed") {
  // State i can take group i to the goal, and only the step from i - 1 to i takes group i inside: removing one state
  // leaves the next one unfair. Behind them is a block of states that is decomposed again each time.
  constexpr StateId block = 300;
  for (const StateId groups : {1U, 4U, 16U, 64U, 70U}) {
    std::vector<model::FairnessInfo> strong;
    for (StateId i = 0; i < groups; ++i) strong.push_back({std::to_string(i), model::FairnessKind::strong});
    const StateId first = groups;
    const StateId goal = groups + block;
    Drawn g(goal + 1);
    for (StateId i = 0; i < groups; ++i) {
      g.arrow(i, goal, static_cast<Group>(i)).arrow(i, first).arrow(first, i);
      if (i + 1 < groups) g.arrow(i, i + 1, static_cast<Group>(i + 1));
    }
    for (StateId s = first; s < goal; ++s)
      for (StateId to = first; to < goal; ++to) g.arrow(s, to, static_cast<Group>(groups - 1));
    // The last group is enabled in the whole block, and taken in it; with that step it would be a violation.
    const Searched fair = searched(g, strong, goal);
    CHECK(fair.violated);
    CHECK(fair.work.edges <= (looks + 2) * (groups + 1) * fair.edges);
    if (groups >= 4) CHECK(fair.work.edges >= groups * std::uint64_t{block} * block);
  }
}

TEST_CASE("a search that is told to end does") {
  std::atomic<bool> interrupted{true};
  check::Limits limits;
  limits.interrupted = &interrupted;
  const check::Watch watch(limits);
  Graph g;
  line().build(g);
  check::StateSet roots;
  roots.put(0);
  check::SearchWork work{&watch};
  CHECK_THROWS_AS(check::Outstanding(g, roots, nullptr, work), check::SearchEnded);
}
