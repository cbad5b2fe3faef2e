// SPDX-License-Identifier: GPL-2.0-or-later
// Bounded checking beside the explorer, on a specification small enough to know the answers by heart.
#include <catch2/catch.hpp>

#include "checker/symbolic/value.hpp"

#include "checker/explicit/explorer.hpp"
#include "checker/symbolic/agree.hpp"
#include "checker/symbolic/bmc.hpp"

namespace {

using namespace iomc;
using namespace iomc::check;
using check::symbolic::BmcOptions;
using check::symbolic::bounded_check;
using check::symbolic::Closure;
using model::Concrete;

/// Two counters and a latch.
template <class D>
struct Counters {
  using Byte = typename D::template Bits<8>;
  Byte a;
  Byte b;
  Byte latch;

  template <class Self, class F>
  static void visit(Self& s, F&& f) {
    f("a", s.a, model::Range{0, 5});
    f("b", s.b, model::Range{0, 7});
    f("latch", s.latch, model::flag);
  }
};

struct Told {
  bool full = false;
};

enum class Trouble { none, leaves_range, breaks };

/// raise: a, up to 4. add: 1 or 2 to b, up to 5. shut: both full; then nothing is left to do.
template <class D>
class Counting {
 public:
  using State = Counters<D>;
  using Event = Told;
  using Byte = typename State::Byte;

  explicit Counting(bool stops, Trouble trouble = Trouble::none) : stops_(stops), trouble_(trouble) {}
  void initial(State& s, model::StepContext<Event>& cx) const {
    s = {};
    s.b = Byte(cx.pick(2));
  }
  unsigned instances() const { return 3; }
  unsigned step_of(unsigned i) const { return i; }
  std::span<const model::StepInfo> steps() const { return infos; }
  model::Lane lane(const State&, unsigned) const { return {0, "task"}; }
  bool may_stop(const State& s) const { return stops_ && s.latch.nonzero(); }
  const char* name() const { return "counting"; }
  template <class F>
  void for_each_candidate(const State&, F&& f) const {
    for (unsigned i = 0; i < 3; ++i) f(i);
  }
  bool fire(State& s, unsigned instance, model::StepContext<Event>& cx) const {
    if (s.latch.nonzero()) return false;
    switch (instance) {
      case 0:
        if (!(s.a < 4)) return false;
        s.a += Byte(1);
        if (trouble_ == Trouble::breaks && s.a == 3 && s.b == 4) throw model::InternalError("broken on purpose");
        return true;
      case 1: {
        if (!(s.b < 6)) return false;
        s.b += Byte(1 + cx.pick(2));
        if (trouble_ == Trouble::leaves_range && s.a == 2 && s.b == 7) s.b += Byte(1);
        if (s.b == 7) cx.emit({true});
        return true;
      }
      default:
        if (!model::both(s.a == 4, s.b >= 6)) return false;
        s.latch = Byte(1);
        return true;
    }
  }

 private:
  static constexpr std::array<model::StepInfo, 3> infos = {
      {{"raise", "", "", ""}, {"add", "", "", ""}, {"shut", "", "", ""}}};
  bool stops_;
  Trouble trouble_;
};

template <class S>
std::vector<model::Property<S>> counting_properties() {
  using State = typename S::State;
  std::vector<model::Property<S>> out(3);
  out[0].info = {"counting.P1", "the counters are not 3 and 5", "", "", model::PropertyKind::safety};
  out[0].holds_in = [](const S&, const State& s) { return !(s.a == 3 && s.b == 5); };
  out[1].info = {"counting.P2", "b does not become 7 after a is 2", "", "", model::PropertyKind::safety};
  out[1].relevant_on = [](const Told& e) { return e.full; };
  out[1].holds_on = [](const S&, const State& before, const State&, const Told&) {
    return static_cast<bool>(before.a <= 2);
  };
  out[2].info = {"counting.P3", "a is at most 4", "", "", model::PropertyKind::safety};
  out[2].holds_in = [](const S&, const State& s) { return static_cast<bool>(s.a <= 4); };
  return out;
}

struct Both {
  Exploration explored;
  symbolic::BmcResult bounded;
};

Both run(bool stops, BmcOptions options, Trouble trouble = Trouble::none) {
  const Counting<Concrete> spec(stops, trouble);
  const Counting<Symbolic> twin(stops, trouble);
  const auto concrete = counting_properties<Counting<Concrete>>();
  const auto symbolic = counting_properties<Counting<Symbolic>>();
  Both out;
  out.bounded = bounded_check(spec, twin, concrete, symbolic, std::move(options));
  if (trouble == Trouble::none)
    out.explored = explore(spec, std::span<const model::Property<Counting<Concrete>>>(concrete));
  return out;
}

TEST_CASE("bounded checking finds the explorer's own counterexamples") {
  const Both both = run(true, {});
  REQUIRE(both.bounded.found.results.size() == both.explored.results.size());
  for (std::size_t i = 0; i < both.explored.results.size(); ++i) {
    const auto& x = both.explored.results[i];
    const auto& b = both.bounded.found.results[i];
    INFO(x.property);
    CHECK(x.property == b.property);
    CHECK(x.verdict == b.verdict);
    REQUIRE(x.counterexample.has_value() == b.counterexample.has_value());
    if (!x.counterexample) continue;
    CHECK(x.counterexample->path == b.counterexample->path);
    CHECK(b.counterexample->confirmed);
  }
  CHECK(both.bounded.found.results[0].verdict == Verdict::violated);
  CHECK(both.bounded.found.results[1].verdict == Verdict::violated);
  // No run is longer than 4 + 6 + 1 steps: what was not violated then holds.
  CHECK(both.bounded.found.complete);
  CHECK(both.bounded.found.results[2].verdict == Verdict::holds);
}

TEST_CASE("a state in which nothing can be done is a deadlock, unless runs may end there") {
  const Both both = run(false, {});
  const auto& x = both.explored.results.back();
  const auto& b = both.bounded.found.results.back();
  REQUIRE(b.counterexample);
  CHECK(b.verdict == Verdict::violated);
  CHECK(b.counterexample->path == x.counterexample->path);
}

TEST_CASE("what runs of bounded length do not decide is inconclusive") {
  BmcOptions options;
  options.depth = 3;
  const Both both = run(true, options);
  const auto& results = both.bounded.found.results;
  CHECK_FALSE(both.bounded.found.complete);
  CHECK(results[0].verdict == Verdict::inconclusive);
  CHECK(results[0].reason == "no violation within 3 steps");
  CHECK(results[2].verdict == Verdict::inconclusive);
  // But as deep as the farthest state is, it is decided.
  options.depth = 12;
  options.diameter = both.explored.depth;
  const Both deep = run(true, options);
  CHECK(deep.bounded.found.results[2].verdict == Verdict::holds);
}

TEST_CASE("an effort that is not enough is inconclusive, and the same each time") {
  BmcOptions options;
  options.rlimit = 300;
  const Both first = run(true, options);
  const Both second = run(true, options);
  for (const auto& r : first.bounded.found.results) CHECK(r.verdict != Verdict::holds);
  CHECK(first.bounded.found.reason == second.bounded.found.reason);
  CHECK(first.bounded.size.effort.rlimit == second.bounded.size.effort.rlimit);
  CHECK(first.bounded.found.reason.find("300 of Z3's resource units") != std::string::npos);
}

TEST_CASE("a step that breaks, or leaves a declared range, is an internal error here as in the explorer") {
  CHECK_THROWS_AS(run(true, {}, Trouble::breaks), model::InternalError);
  CHECK_THROWS_AS(run(true, {}, Trouble::leaves_range), model::InternalError);
}

TEST_CASE("more paths than allowed are inconclusive, with the step's name") {
  BmcOptions options;
  options.closure.paths.paths = 1;
  const Both both = run(true, options);
  CHECK(both.bounded.found.results[0].verdict == Verdict::inconclusive);
  CHECK(both.bounded.found.results[0].reason.find("more than 1 paths") != std::string::npos);
}

TEST_CASE("merged paths take the same steps as those that they were made of") {
  const Counting<Concrete> spec(true);
  const Counting<Symbolic> twin(true);
  std::vector<Counters<Concrete>> states;
  for (unsigned a = 0; a <= 4; ++a)
    for (unsigned b = 0; b <= 7; ++b) states.push_back({a, b, 0});
  for (const std::size_t above : {0U, 30U}) {
    symbolic::ClosureOptions options;
    options.merge_above = above;
    Closure<Counting<Concrete>, Counting<Symbolic>> closure(spec, twin, {}, options);
    const auto result = symbolic::agree(spec, closure, std::span<const Counters<Concrete>>(states));
    INFO(result.difference);
    CHECK(result.same);
    CHECK(result.states == states.size());
  }
}

}  // namespace
