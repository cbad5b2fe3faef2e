// SPDX-License-Identifier: GPL-2.0-or-later
// Worst and best cases of a small specification: on its explicit graph, within k steps, and by Z3's optimisation.
#include <catch2/catch.hpp>

#include "checker/cost/explore_cost.hpp"
#include "checker/symbolic/costliest.hpp"

using namespace iomc;
using namespace iomc::check::cost;
using check::symbolic::Symbolic;
using model::Concrete;

namespace {

/// Two CPUs free pages through a magazine each; a full magazine goes to the tree, node by node. With `refill`, an empty
/// CPU may begin again.
template <class D>
struct Pages {
  std::array<typename D::template Bits<8>, 2> left, cached;

  template <class Self, class F>
  static void visit(Self& s, F&& f) {
    f("left", s.left, model::Range{0, 4});
    f("cached", s.cached, model::Range{0, 2});
  }
};

struct Nothing {};

template <class D>
class Toy {
 public:
  using State = Pages<D>;
  using Event = Nothing;

  explicit Toy(bool refill = false) : refill_(refill) {}
  const char* name() const { return "toy"; }
  std::span<const model::StepInfo> steps() const { return infos; }
  unsigned instances() const { return 4; }
  unsigned step_of(unsigned i) const { return i / 2; }
  model::Lane lane(const State&, unsigned i) const { return {static_cast<int>(i % 2), "task"}; }
  bool may_stop(const State&) const { return true; }
  void initial(State& s, model::StepContext<Event>& cx) const {
    s.left[0] = 1 + cx.pick(4);
    s.left[1] = 3;
  }
  template <class F>
  void for_each_candidate(const State&, F&& f) const {
    for (unsigned i = 0; i < 4; ++i) f(i);
  }
  bool fire(State& s, unsigned i, model::StepContext<Event>& cx) const {
    auto& left = s.left[i % 2];
    auto& cached = s.cached[i % 2];
    if (i / 2 == 0) {
      if (left == 0) return false;
      cx.cost(model::Cost::cpu_cache_lock);
      left -= 1;
      if (cached == 2) {
        cx.cost(model::Cost::tree_lock);
        cx.cost(model::Cost::tree_erase, 2);
        cached = 0;
      }
      cached += 1;
      return true;
    }
    if (!refill_ || left > 0) return false;
    left = 1;
    return true;
  }

 private:
  static constexpr std::array<model::StepInfo, 2> infos = {{{"free", "", "", ""}, {"refill", "", "", ""}}};
  bool refill_;
};

std::uint64_t weigh(const model::CostCount& c) {
  return c[model::Cost::cpu_cache_lock] + 5 * c[model::Cost::tree_lock] + 10 * c[model::Cost::tree_erase];
}

CostGraph graph_of(const Toy<Concrete>& spec) {
  const check::Watch watch{check::Limits{}};
  return explore_cost(spec, watch, weigh);
}

std::uint64_t cost_along(const CostGraph& g, const CostRun& run, std::size_t from = 0) {
  GraphState at = run.from;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < run.taken.size(); ++i) {
    const CostEdge& e = g.edges[at][run.taken[i]];
    if (i >= from) sum += e.cost;
    at = e.to;
  }
  return sum;
}

}  // namespace

TEST_CASE("the dearest and the cheapest run of a graph without circles") {
  const CostGraph g = graph_of(Toy<Concrete>());
  const Dearest d = dearest(g);
  CHECK_FALSE(d.unbounded);
  CHECK(d.cost == (4 + 25) + (3 + 25));  // the third page of each CPU empties its magazine
  CHECK(cost_along(g, d.run) == d.cost);
  CostRun least;
  REQUIRE(cheapest(g, least));
  CHECK(least.cost == 1 + 28);  // CPU 0 had one page only
  CHECK(cost_along(g, least) == least.cost);
}

TEST_CASE("growth without bound is reported with its loop") {
  const CostGraph g = graph_of(Toy<Concrete>(true));
  const Dearest d = dearest(g);
  REQUIRE(d.unbounded);
  CHECK(cost_along(g, d.run, d.loop_start) > 0);
  // The loop ends where it began.
  GraphState at = d.run.from;
  GraphState loop = at;
  for (std::size_t i = 0; i < d.run.taken.size(); ++i) {
    if (i == d.loop_start) loop = at;
    at = g.edges[at][d.run.taken[i]].to;
  }
  CHECK(at == loop);
}

TEST_CASE("over k steps the graph and Z3 agree") {
  for (const bool refill : {false, true}) {
    const Toy<Concrete> spec(refill);
    const Toy<Symbolic> twin(refill);
    const CostGraph g = graph_of(spec);
    for (const unsigned k : {1U, 3U, 4U, 6U}) {
      const CostRun run = dearest_within(g, k);
      CHECK(cost_along(g, run) == run.cost);
      CHECK(run.taken.size() <= k);
      const auto z3 = check::symbolic::costliest_within(spec, twin, k, weigh);
      INFO("k = " << k << ", refill " << refill << ": " << z3.reason);
      REQUIRE(z3.cost);
      CHECK(*z3.cost == run.cost);
    }
  }
}

TEST_CASE("a circle that costs nothing is no growth") {
  CostGraph g;
  g.edges = {{{1, 0, 4}}, {{2, 0, 0}}, {{1, 0, 0}, {3, 0, 2}}, {}};
  g.initial = {0};
  g.ends = {false, false, false, true};
  const Dearest d = dearest(g);
  CHECK_FALSE(d.unbounded);
  CHECK(d.cost == 6);
  CHECK(cost_along(g, d.run) == 6);
  g.edges[2][0].cost = 1;
  CHECK(dearest(g).unbounded);
}

TEST_CASE("a limit leaves the graph incomplete, and says so") {
  check::Limits limits;
  limits.states = 1;
  const check::Watch watch{limits};
  CHECK_FALSE(explore_cost(Toy<Concrete>(), watch, weigh).incomplete.empty());
}
