// SPDX-License-Identifier: GPL-2.0-or-later
// What other tools got wrong about liveness, and what each notion of fairness means, on graphs small enough to see it.
#include <catch2/catch.hpp>

#include "tests/checker/explicit/abba.hpp"
#include "tests/checker/explicit/arrows.hpp"

using namespace iomc;
using check::Verdict;
using test::Arrows;
using test::decided;
using test::leads_to;

namespace {

// Groups: what goes on by itself, and the ones that a test is about.
constexpr int w = 0;
constexpr int a = 1;
constexpr int b = 2;

using Words = std::vector<std::string>;

Arrows going() {
  Arrows g;
  return g.weak("world");
}

void holds(const check::PropertyResult& r) {
  INFO((r.counterexample ? r.counterexample->path + " " + r.counterexample->conclusion : std::string()));
  CHECK(r.verdict == Verdict::holds);
  CHECK_FALSE(r.vacuous);
  CHECK_FALSE(r.counterexample.has_value());
}

void violated(const check::PropertyResult& r, const std::string& path) {
  CHECK(r.verdict == Verdict::violated);
  REQUIRE(r.counterexample.has_value());
  CHECK(r.counterexample->confirmed);
  CHECK(r.counterexample->path == path);
}

}  // namespace

TEST_CASE("a loop without the goal is a violation, and one through the goal is none") {
  Arrows g = going();
  g.arrow(0, {1}, w).arrow(1, {2}, w).arrow(2, {0}, w);
  holds(decided(g, leads_to({0}, {2})));
  g.arrow(1, {1}, w);
  violated(decided(g, leads_to({0}, {2})), "0/0/loop/1");
}

TEST_CASE("the stem and the loop are told apart") {
  Arrows g = going();
  g.arrow(0, {1}, w).arrow(1, {2}, w).arrow(2, {3}, w).arrow(3, {4}, w).arrow(4, {2}, w);
  const auto r = decided(g, leads_to({1}, {5}));
  violated(r, "0/0/0/loop/0/0/0");
  const auto& c = *r.counterexample;
  CHECK(c.steps.size() == 5);
  CHECK(c.loop_start == 2);
  CHECK(c.owed_from == 1);
  CHECK(c.initial == "0");
  CHECK(c.conclusion == "the same steps repeat for ever, and what is outstanding never comes: what is asked for comes");
}

TEST_CASE("a cycle through a state that was visited before is found") {
  // The first way to 2 leads past the goal, so the state is known when the way without the goal comes to it.
  Arrows g = going();
  g.arrow(0, {1, 3}, w).arrow(1, {2}, w).arrow(2, {0}, w).arrow(3, {2}, w);
  violated(decided(g, leads_to({0}, {1})), "0/loop/1/0/0");
  // The cycle closes only by a way back to a state that a depth-first search has left for good.
  Arrows h = going();
  h.arrow(0, {1}, w).arrow(1, {2, 3}, w).arrow(2, {4}, w).arrow(3, {2}, w).arrow(4, {3, 5}, w).arrow(5, {5}, w);
  violated(decided(h, leads_to({0}, {5})), "0/0/0/loop/0/0/0");
}

TEST_CASE("two triggers: the loop is found from the second one, whose states the first one's search has seen") {
  Arrows g = going();
  g.arrow(0, {1}, w).arrow(1, {2, 3}, w).arrow(2, {2}, w).arrow(3, {4}, w).arrow(4, {3}, w);
  violated(decided(g, leads_to({0, 3}, {1, 2})), "0/0/1/loop/0/0");
}

TEST_CASE("a loop that is reached only past the goal does not count") {
  Arrows g = going();
  g.arrow(0, {1}, w).arrow(1, {2}, w).arrow(2, {2}, w);
  holds(decided(g, leads_to({0}, {1})));
  violated(decided(g, leads_to({0, 2}, {1})), "0/0/0/loop/0");
}

TEST_CASE("a run that ends with the goal outstanding is a violation, even where it may stop") {
  Arrows g = going();
  g.arrow(0, {1}, w);
  for (const bool on_purpose : {false, true}) {
    g.ends_on_purpose = on_purpose;
    const auto r = decided(g, leads_to({0}, {2}));
    violated(r, "0/0/end");
    CHECK(r.counterexample->loop_start == 1);
    CHECK_THAT(r.counterexample->conclusion, Catch::StartsWith("nothing more can happen, and what is outstanding"));
  }
  holds(decided(g, leads_to({0}, {1})));
  Arrows alone = going();
  alone.states = 1;
  violated(decided(alone, leads_to({0}, {1})), "0/end");
}

TEST_CASE("a run may end where nobody has to act: a device that may help need not") {
  // Only outside all groups there is a way on: a second interrupt would bring what the first one owes.
  Arrows g = going();
  g.arrow(0, {1}, w).arrow(1, {2}).arrow(2, {0}, w);
  const auto r = decided(g, leads_to({0}, {2}));
  violated(r, "0/0/end");
  CHECK_THAT(r.counterexample->conclusion, Catch::StartsWith("nobody has to do anything more, and what"));
  g.arrows[1].group = w;
  holds(decided(g, leads_to({0}, {2})));
}

TEST_CASE("a run may end in a state that a loop leads through as well") {
  Arrows g = going();
  g.arrow(0, {1}).arrow(1, {0}).arrow(1, {2}, w);
  violated(decided(g, leads_to({0}, {2})), "0/end");
  // Where an assumption needs the other state, too, the loop is shown.
  violated(decided(g, leads_to({0}, {2}, {{"arrows.A1", {1}}})), "0/loop/0/0");
}

TEST_CASE("a step that changes nothing is a loop") {
  Arrows g = going();
  g.arrow(0, {0}, w).arrow(0, {1}, a).weak("a");
  holds(decided(g, leads_to({0}, {1})));
  g.groups.pop_back();
  g.arrows[1].group = model::no_fairness;
  violated(decided(g, leads_to({0}, {1})), "0/loop/0");
}

TEST_CASE("no trigger, or none without the goal: vacuous") {
  Arrows g = going();
  g.arrow(0, {1}, w).arrow(1, {0}, w);
  for (const auto& p : {leads_to({7}, {1}), leads_to({1}, {1})}) {
    const auto r = decided(g, p);
    CHECK(r.verdict == Verdict::holds);
    CHECK(r.vacuous);
  }
}

TEST_CASE("weak fairness: what can always be done is done") {
  Arrows g = going();
  g.weak("a").arrow(0, {1}, w).arrow(1, {0}, w).arrow(0, {2}, a).arrow(1, {2}, a);
  holds(decided(g, leads_to({0}, {2})));
  // In 1 it cannot be done: the loop may go on.
  g.arrows.pop_back();
  const auto r = decided(g, leads_to({0}, {2}));
  violated(r, "0/loop/0/0");
  CHECK(r.counterexample->fairness == Words{"world takes step 1", "a cannot take a step after step 1"});
}

TEST_CASE("strong fairness: what can be done again and again is done") {
  Arrows g = going();
  g.strong("a").arrow(0, {1}, w).arrow(1, {0}, w).arrow(0, {2}, a);
  holds(decided(g, leads_to({0}, {2})));
  // Beside it a loop in which it can never be done.
  g.arrow(1, {3}, w).arrow(3, {3}, w);
  violated(decided(g, leads_to({0}, {2})), "0/0/1/loop/0");
  // A loop back to where it can be done, and is.
  Arrows taken = going();
  taken.strong("a").arrow(0, {1}, w).arrow(1, {0}, w).arrow(0, {1}, a).arrow(0, {2}, a);
  const auto r = decided(taken, leads_to({0}, {2}));
  CHECK(r.verdict == Verdict::violated);
  CHECK(r.counterexample->fairness == Words{"world takes step 1", "a takes step 3"});
}

TEST_CASE("strong fairness inside a component: the part in which the group is not enabled is fair") {
  // One component 0-1-2-3; in 0 the strong group leads out of it. What is left, 1-2, is a loop.
  Arrows g = going();
  g.strong("a").arrow(0, {1}, w).arrow(1, {2}, w).arrow(2, {1, 3}, w).arrow(3, {0}, w).arrow(0, {4}, a);
  violated(decided(g, leads_to({0}, {4})), "0/0/loop/0/0");
  // The part that is left needs a second strong group, and what that leaves is no loop any more.
  g.strong("b").arrow(1, {4}, b);
  holds(decided(g, leads_to({0}, {4})));
}

TEST_CASE("enabled is asked of the whole graph, taken of the loop") {
  // The only step of the group leads to the goal. Seen in the part without the goal alone, it would be enabled nowhere.
  Arrows g = going();
  g.weak("a").arrow(0, {0}, w).arrow(0, {1}, a).arrow(1, {1}, w);
  holds(decided(g, leads_to({0}, {1})));
  g.groups[a].kind = model::FairnessKind::strong;
  holds(decided(g, leads_to({0}, {1})));
}

TEST_CASE("two weak groups at once: each has a loop to itself, and no loop is fair to both") {
  // a is starved in the loop at 1, b in the loop at 2; there is no way between them.
  Arrows g = going();
  g.weak("a").weak("b").arrow(0, {1, 2}, w);
  g.arrow(1, {1}, a).arrow(1, {3}, b).arrow(2, {2}, b).arrow(2, {3}, a);
  holds(decided(g, leads_to({0}, {3})));
  // Judged group by group each would have been "fair": with one of them there is a violation.
  Arrows one = g;
  one.arrows[2].group = model::no_fairness;
  violated(decided(one, leads_to({0}, {3})), "0/0/loop/0");
}

TEST_CASE("two weak groups at once: only the union of two loops is fair") {
  // Loop 0-1 takes a, loop 0-2 takes b; each group is enabled everywhere. Fair is only what goes round both.
  Arrows g = going();
  g.weak("a").weak("b");
  g.arrow(0, {1}, a).arrow(1, {0}, w).arrow(0, {2}, b).arrow(2, {0}, w);
  g.arrow(1, {3}, b).arrow(1, {3}, a).arrow(2, {3}, a).arrow(2, {3}, b);
  const auto r = decided(g, leads_to({0}, {3}));
  violated(r, "0/loop/0/0/1/0");
  CHECK(r.counterexample->fairness == (Words{"world takes step 2", "a takes step 1", "b takes step 3"}));
}

TEST_CASE("a run through the goal in between is not one of the two ways to be fair") {
  // The loop that would serve b leads through the goal.
  Arrows g = going();
  g.weak("a").weak("b").arrow(0, {0}, a).arrow(0, {1}, b).arrow(1, {0}, w);
  holds(decided(g, leads_to({0}, {1})));
}

TEST_CASE("fairness together with an assumption: both bind the same loop") {
  // The loop 1-2 is fair to a and never in 3; the loop 3 is in 3 and starves a. No loop is both.
  Arrows g = going();
  g.weak("a").arrow(0, {1, 3}, w).arrow(1, {2}, a).arrow(2, {1}, w).arrow(3, {3}, w).arrow(3, {4}, a);
  const auto both = decided(g, std::vector{leads_to({0}, {4}, {{"arrows.A1", {3, 4}}})});
  holds(both.at(0));
  CHECK(both.at(0).assumes == Words{"arrows.A1"});
  // With a way between them the union will do.
  g.arrow(3, {1}, w).arrow(2, {3}, w);
  const auto r = decided(g, leads_to({0}, {4}, {{"arrows.A1", {3, 4}}}));
  CHECK(r.verdict == Verdict::violated);
  CHECK(r.assumes.empty());
}

TEST_CASE("where a property rests on an assumption, the run that fails it is told") {
  // 1 is the loop of a task that never blocks; the thread comes to the goal from 2.
  Arrows g = going();
  g.strong("thread").arrow(0, {1, 2}, w).arrow(1, {1}, w).arrow(1, {2}, w).arrow(2, {1}, w).arrow(2, {3}, a);
  const auto rest = leads_to({0}, {3}, {{"arrows.A1", {2, 3}}});
  const auto r = decided(g, std::vector{rest});
  REQUIRE(r.size() == 2);
  holds(r[0]);
  CHECK(r[0].assumes == Words{"arrows.A1"});
  CHECK(r[1].property == "arrows.A1");
  CHECK(r[1].claim == "again and again in them");
  CHECK(r[1].assumption_of == Words{"arrows.L1"});
  violated(r[1], "0/0/loop/0");
  CHECK_THAT(r[1].counterexample->conclusion,
             Catch::StartsWith("failed assumption of arrows.L1 (again and again in them): the same steps repeat"));
  // An assumption that nothing needs holds, and is not named by the property.
  const auto unneeded = decided(g, std::vector{leads_to({2}, {1, 3}, {{"arrows.A1", {0}}})});
  holds(unneeded[0]);
  CHECK(unneeded[0].assumes.empty());
  holds(unneeded[1]);
}

TEST_CASE("of several assumptions only those are named that the property needs") {
  // Each of two loops has an assumption against it; a third assumption is met by neither, so it is enough.
  Arrows g = going();
  g.arrow(0, {1, 2, 3}, w).arrow(1, {1}, w).arrow(2, {2}, w);
  const auto two = decided(g, std::vector{leads_to({0}, {3}, {{"arrows.A1", {2, 3}}, {"arrows.A2", {1, 3}}})});
  REQUIRE(two.size() == 3);
  CHECK(two[0].assumes == Words{"arrows.A1", "arrows.A2"});
  CHECK(two[0].vacuous == false);
  violated(two[1], "0/0/loop/0");
  violated(two[2], "0/1/loop/0");
  const auto enough = decided(
      g, std::vector{leads_to({0}, {3}, {{"arrows.A1", {2, 3}}, {"arrows.A2", {1, 3}}, {"arrows.A3", {3}}})});
  CHECK(enough[0].assumes == Words{"arrows.A3"});
  CHECK(enough[1].verdict == Verdict::holds);
  CHECK(enough[2].verdict == Verdict::holds);
  CHECK(enough[3].verdict == Verdict::violated);
}

TEST_CASE("an assumption that no run with the trigger meets makes the property vacuous") {
  Arrows g = going();
  g.arrow(0, {1}, w).arrow(1, {1}, w).arrow(1, {2}, w).arrow(2, {2}, w);
  const auto r = decided(g, leads_to({0}, {2}, {{"arrows.A1", {0}}}));
  CHECK(r.verdict == Verdict::holds);
  CHECK(r.assumes == Words{"arrows.A1"});
  CHECK(r.vacuous);
}

TEST_CASE("a run that ends meets an assumption if its last state does") {
  Arrows g = going();
  g.arrow(0, {1}, w);
  violated(decided(g, leads_to({0}, {2}, {{"arrows.A1", {1}}})), "0/0/end");
  const auto r = decided(g, std::vector{leads_to({0}, {2}, {{"arrows.A1", {0}}})});
  CHECK(r[0].verdict == Verdict::holds);
  violated(r[1], "0/0/end");
}

TEST_CASE("an assumption that fails together with a violated property is told as well") {
  Arrows g = going();
  g.arrow(0, {1, 2}, w).arrow(1, {1}, w).arrow(2, {2}, w);
  const auto r = decided(g, std::vector{leads_to({0}, {3}, {{"arrows.A1", {1}}})});
  violated(r[0], "0/0/loop/0");
  violated(r[1], "0/1/loop/0");
}

TEST_CASE("properties that share an id or an assumption are one in the results") {
  Arrows g = going();
  g.arrow(0, {1, 2}, w).arrow(1, {1}, w).arrow(2, {2}, w);
  const auto r = decided(g, std::vector{leads_to({0}, {1, 2}), leads_to({0}, {1}, {{"arrows.A1", {1}}}),
                                        leads_to({0}, {2}, {{"arrows.A1", {0}}}, "arrows.L2")});
  REQUIRE(r.size() == 3);
  CHECK(r[0].property == "arrows.L1");
  CHECK(r[0].assumes == Words{"arrows.A1"});
  CHECK(r[1].property == "arrows.L2");
  CHECK(r[2].assumption_of == Words{"arrows.L1", "arrows.L2"});
  violated(r[2], "0/1/loop/0");
}

TEST_CASE("each initial state is a beginning") {
  Arrows g = going();
  g.initials = {1, 0};
  g.arrow(0, {0}, w).arrow(1, {2}, w).arrow(2, {2}, w);
  violated(decided(g, leads_to({0}, {2})), "1/loop/0");
}

TEST_CASE("a step of another group to the same state is not taken for the fair one") {
  // Both arrows lead from 0 to 1; only the second is a's, and the path must name it.
  Arrows g = going();
  g.weak("a").arrow(0, {1}).arrow(0, {1}, a).arrow(1, {0}).arrow(1, {2}, a);
  violated(decided(g, leads_to({0}, {2})), "0/loop/1/0");
}

TEST_CASE("each input counts: one changed, the verdict is another") {
  // A waiter in 0 and 1 gets the lock from 1, strongly; a user may hold it up in 2 under no promise but A1.
  Arrows right = going();
  right.strong("a").arrow(0, {1}, w).arrow(1, {0}, w).arrow(1, {3}, a).arrow(0, {2}, w).arrow(2, {2}, w);
  const auto p = leads_to({0}, {3}, {{"arrows.A1", {0, 1, 3}}});
  holds(decided(right, p));
  const auto wrong = [&](const Arrows& g, const test::ArrowsLeadsTo& property) {
    CHECK(decided(g, property).verdict == Verdict::violated);
  };
  Arrows g = right;
  g.groups[a].kind = model::FairnessKind::weak;
  wrong(g, p);
  g = right;
  g.arrows[2].group = model::no_fairness;
  wrong(g, p);
  g = right;
  g.arrows[2].to = {0};
  wrong(g, p);
  wrong(right, leads_to({0}, {3}));
  wrong(right, leads_to({0}, {3}, {{"arrows.A1", {2}}}));
  wrong(right, leads_to({0}, {4}, {{"arrows.A1", {0, 1, 3}}}));
  CHECK(decided(right, leads_to({7}, {3})).vacuous);
}

TEST_CASE("a spec without fairness has none") {
  test::Abba spec;
  model::LeadsTo<test::Abba> p;
  p.info = {"abba.L1", "task 0 gets its locks", "", "test", model::PropertyKind::liveness};
  p.trigger = [](const test::Abba&, const test::AbbaState& s) { return s.held[0] == 0; };
  p.goal = [](const test::Abba&, const test::AbbaState& s) { return s.held[0] == 2; };
  p.explain = [](const test::Abba&, const test::AbbaState& owed, std::span<const test::AbbaState> loop) {
    return "task 0 waits with " + std::to_string(owed.held[0].raw()) + " in " + std::to_string(loop.size()) + " state";
  };
  const auto r = check::check_leads_to<test::Abba>(spec, std::span(&p, 1));
  violated(r.at(0), "0/end");
  CHECK(r.at(0).counterexample->conclusion == "task 0 waits with 0 in 1 state");
  CHECK(r.at(0).counterexample->fairness.empty());
}
