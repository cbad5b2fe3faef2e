// SPDX-License-Identifier: GPL-2.0-or-later
#include <catch2/catch.hpp>

#include <cstdio>

#include "checker/symbolic/agree.hpp"
#include "checker/symbolic/induct.hpp"

using namespace iomc;
using namespace iomc::check::symbolic;
using model::Concrete;
using model::Range;

namespace {

/// A lane with a program counter, a loop, a pick, an index, and on request a fault.
template <class D>
struct Lane {
  typename D::template Bits<8> pc, n, sum, at;
  std::array<typename D::template Bits<8>, 3> slot;

  template <class Self, class F>
  static void visit(Self& s, F&& f) {
    f("pc", s.pc, Range{0, 3});
    f("n", s.n, Range{0, 3});
    f("sum", s.sum, Range{0, 7});
    f("at", s.at, Range{0, 2});
    f("slot", s.slot, Range{0, 1});
  }
};

enum class Fault { none, symbolic_differs, index, wraps };

struct Nothing {};

template <class D>
class Toy {
 public:
  using State = Lane<D>;
  using Event = Nothing;

  explicit Toy(Fault fault = Fault::none) : fault_(fault) {}
  const char* name() const { return "toy"; }
  std::span<const model::StepInfo> steps() const { return infos; }
  unsigned instances() const { return 4; }
  unsigned step_of(unsigned i) const { return i; }
  model::Lane lane(const State&, unsigned) const { return {}; }
  bool may_stop(const State&) const { return true; }
  void initial(State& s, model::StepContext<Event>& cx) const { s.n = cx.pick(4); }
  template <class F>
  void for_each_candidate(const State&, F&& f) const {
    for (unsigned i = 0; i < 4; ++i) f(i);
  }

  bool fire(State& s, unsigned step, model::StepContext<Event>& cx) const {
    if (!(s.pc == step)) return false;
    switch (step) {
      case 0:
        for (unsigned i = 0; i < s.n; ++i) s.sum += 1;
        s.sum &= 7;
        break;
      case 1: s.at = cx.pick(3); break;
      case 2: {
        const auto at = index_of(s.at, fault_ == Fault::index ? 2 : 3);
        if (s.slot[at] == 1) return false;
        s.slot[at] = 1;
        break;
      }
      default:
        if (s.n > 0 || fault_ == Fault::wraps) s.n -= 1;
        if (D::symbolic && fault_ == Fault::symbolic_differs && s.sum == 5) s.n = 0;
        s.pc = 0;
        s.at = 0;
        return true;
    }
    s.pc += 1;
    return true;
  }

 private:
  static constexpr std::array<model::StepInfo, 4> infos = {
      {{"count", "", "", ""}, {"choose", "", "", ""}, {"mark", "", "", ""}, {"again", "", "", ""}}};
  Fault fault_;
};

/// All 3,072 states inside the declared ranges.
std::vector<Lane<Concrete>> every_state() {
  std::vector<Lane<Concrete>> out;
  for (unsigned c = 0; c < 4 * 4 * 8 * 3 * 8; ++c) {
    Lane<Concrete> s{};
    unsigned rest = c;
    const auto digit = [&](unsigned base) {
      const unsigned d = rest % base;
      rest /= base;
      return d;
    };
    s.pc = digit(4), s.n = digit(4), s.sum = digit(8), s.at = digit(3);
    for (auto& slot : s.slot) slot = digit(2);
    out.push_back(s);
  }
  return out;
}

using ToyLemma = Lemma<Toy<Concrete>, Toy<Symbolic>>;

RelationOptions fix_counter() {
  RelationOptions o;
  o.fix = [](unsigned instance) { return std::vector<FixedField>{{"pc", instance}}; };
  return o;
}

}  // namespace

TEST_CASE("relation and explorer agree on every state of a small specification") {
  const Toy<Concrete> spec;
  const Toy<Symbolic> twin;
  const auto states = every_state();
  const Agreement a = agree(spec, twin, states);
  INFO(a.difference);
  CHECK(a.same);
  CHECK(a.states == 3072);
  CHECK(a.successors > 0);
  // count: pc differs, or one path for each n; choose: three picks; mark: three slots, free or taken; again: n or none.
  CHECK(a.steps[0].paths == 5);
  CHECK(a.steps[0].enabled == 4);
  CHECK(a.steps[1].paths == 4);
  CHECK(a.steps[2].paths == 7);
  CHECK(a.steps[3].paths == 3);
  std::printf("%sagreement: %zu states, %zu successors, %.3f s\n\n", table(a.steps).c_str(), a.states, a.successors,
              a.seconds);
}

TEST_CASE("fixing fields before the enumeration leaves the relation whole") {
  const Toy<Concrete> spec;
  const Toy<Symbolic> twin;
  const Agreement a = agree(spec, twin, every_state(), fix_counter());
  INFO(a.difference);
  CHECK(a.same);
  CHECK(a.states == 3072);
  RelationOptions wrong;
  wrong.fix = [](unsigned) { return std::vector<FixedField>{{"pcc", 0}}; };
  CHECK_THROWS_WITH(agree(spec, twin, every_state(), wrong), Catch::Contains("no field 'pcc'"));
}

TEST_CASE("a difference is found and told with step, effects and state") {
  const Toy<Concrete> spec(Fault::symbolic_differs);
  const Toy<Symbolic> twin(Fault::symbolic_differs);
  const Agreement a = agree(spec, twin, every_state());
  CHECK_FALSE(a.same);
  CHECK_THAT(a.difference,
             Catch::Contains("again (3)") && Catch::Contains("sum=5") && Catch::Contains("the other has:"));
}

TEST_CASE("a step that only one side takes is a difference both ways") {
  const Toy<Concrete> spec;
  const Toy<Symbolic> twin(Fault::index);
  const Agreement a = agree(spec, twin, every_state());
  CHECK_FALSE(a.same);
  CHECK_THAT(a.difference, Catch::Contains("an internal error"));
}

TEST_CASE("an internal error of a step is part of the relation") {
  const Toy<Concrete> spec(Fault::index);
  const Toy<Symbolic> twin(Fault::index);
  CHECK(agree(spec, twin, every_state()).same);
}

TEST_CASE("declared ranges are proved without a lemma") {
  for (const bool fixed : {false, true}) {
    const auto r = induct(Toy<Concrete>(), Toy<Symbolic>(), {}, fixed ? fix_counter() : RelationOptions{});
    INFO(text(r));
    CHECK(r.outcome == Induction::Outcome::proved);
    CHECK(text(r) == "proved\n");
  }
}

TEST_CASE("leaving a range is a counterexample to induction") {
  const auto r = induct(Toy<Concrete>(Fault::wraps), Toy<Symbolic>(Fault::wraps), {});
  REQUIRE(r.outcome == Induction::Outcome::not_inductive);
  CHECK(r.lemma == "declared ranges");
  CHECK(r.step == "again");
  CHECK_THAT(text(r), Catch::StartsWith("counterexample to induction (the state before may be unreachable)") &&
                          Catch::Contains("n 0->255"));
}

TEST_CASE("an internal error is a counterexample to induction") {
  const auto r = induct(Toy<Concrete>(Fault::index), Toy<Symbolic>(Fault::index), {});
  REQUIRE(r.outcome == Induction::Outcome::not_inductive);
  CHECK(r.lemma == "no internal error");
  CHECK(r.step == "mark");
}

TEST_CASE("a lemma makes the proof where the ranges do not") {
  const std::vector<ToyLemma> lemmas{
      {"the second index", [](const auto&, const auto& s) { return static_cast<bool>(s.at < 2); }}};
  const auto r = induct(Toy<Concrete>(Fault::index), Toy<Symbolic>(Fault::index), lemmas);
  REQUIRE(r.outcome == Induction::Outcome::not_inductive);  // choose may pick 2
  CHECK(r.lemma == "the second index");
  CHECK(r.step == "choose");
  CHECK(r.picks == std::vector<unsigned>{2});
}

TEST_CASE("what an initial state violates is refuted, not disproved by induction") {
  const std::vector<ToyLemma> lemmas{
      {"n is below 3", [](const auto&, const auto& s) { return static_cast<bool>(s.n < 3); }}};
  const auto r = induct(Toy<Concrete>(), Toy<Symbolic>(), lemmas);
  CHECK(r.outcome == Induction::Outcome::refuted);
  CHECK_THAT(text(r), Catch::StartsWith("violated in an initial state: n is below 3"));
}

TEST_CASE("a true predicate that is not inductive is not proved") {
  // sum never changes by more than n, so it is reachable only in some combinations; the ranges do not say so.
  const std::vector<ToyLemma> lemmas{
      {"sum is not 7", [](const auto&, const auto& s) { return static_cast<bool>(s.sum != 7); }}};
  const auto r = induct(Toy<Concrete>(), Toy<Symbolic>(), lemmas);
  CHECK(r.outcome == Induction::Outcome::not_inductive);
}

TEST_CASE("a guiding lemma cuts paths and proves the same") {
  const std::vector<ToyLemma> lemmas{
      {"at is 0 until chosen",
       [](const auto&, const auto& s) { return !(s.pc < 2) || static_cast<bool>(s.at == 0); }, true}};
  const auto r = induct(Toy<Concrete>(), Toy<Symbolic>(), lemmas);
  INFO(text(r));
  CHECK(r.outcome == Induction::Outcome::proved);
}
