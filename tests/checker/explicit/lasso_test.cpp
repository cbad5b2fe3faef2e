// SPDX-License-Identifier: GPL-2.0-or-later
// The replayer of runs without end: what it confirms, and that it refuses everything else with the reason.
#include <catch2/catch.hpp>

#include "tests/checker/explicit/arrows.hpp"
#include "tests/checker/explicit/explored.hpp"

using namespace iomc;
using test::Arrows;
using test::leads_to;

namespace {

constexpr int w = 0;
constexpr int a = 1;

/// 0 -> 1 -> 2 -> 1, from 2 the group a could go to the goal 3, from 1 a user; 4 is where nobody must act.
Arrows drawn() {
  Arrows g;
  g.weak("world").strong("a");
  g.arrow(0, {1, 4}, w).arrow(1, {2}, w).arrow(2, {1}, w).arrow(2, {3}, a).arrow(1, {3}).arrow(4, {3}).arrow(1, {1}, w);
  return g.arrow(3, {1}, w);
}

check::Counterexample judged(const Arrows& g, const test::ArrowsLeadsTo& p, const std::string& path,
                             const std::string& id = "arrows.L1") {
  const auto c = check::replay_leads_to<Arrows>(g, std::span(&p, 1), id, path);
  REQUIRE(c.has_value());
  CHECK(c->path == path);
  return *c;
}

void refuted(const check::Counterexample& c, const std::string& why) {
  CHECK_FALSE(c.confirmed);
  CHECK(c.conclusion == why);
}

}  // namespace

TEST_CASE("a fair loop without the goal is confirmed, and so is an end where nobody must act") {
  const auto p = leads_to({0}, {3});
  const auto loop = judged(drawn(), p, "0/0/loop/2");
  CHECK(loop.confirmed);
  CHECK(loop.loop_start == 1);
  CHECK(loop.steps.size() == 2);
  const auto end = judged(drawn(), p, "0/1/end");
  CHECK(end.confirmed);
  CHECK(end.loop_start == 1);
  CHECK_THAT(end.conclusion, Catch::StartsWith("nobody has to do anything more, and what"));
}

TEST_CASE("a run without end that shows nothing is refuted with the reason") {
  const auto p = leads_to({0}, {3});
  refuted(judged(drawn(), p, "0/0/loop/0"), "the loop does not come back to its start");
  refuted(judged(drawn(), p, "0/0/loop/0/1/0"), "the goal is reached in the loop");
  refuted(judged(drawn(), p, "0/0/1/0/loop/2"), "nothing asks for the goal after it was last reached");
  refuted(judged(drawn(), leads_to({4}, {3}), "0/0/loop/2"), "nothing asks for the goal after it was last reached");
  refuted(judged(drawn(), p, "0/0/loop/0/0"),
          "the loop is unfair to a, which can take a step again and again and never does");
  refuted(judged(drawn(), p, "0/0/1/end"), "the goal is reached where the run ends");
  refuted(judged(drawn(), p, "0/0/end"), "the run does not end there: world takes a step in the end");
  refuted(judged(drawn(), p, "0/0/0"), "arrows.L1 speaks of what happens in the end: the path needs a loop, or /end");
  Arrows always = drawn();
  always.arrow(1, {3}, a);
  always.groups[a].kind = model::FairnessKind::weak;
  refuted(judged(always, p, "0/0/loop/0/0"),
          "the loop is unfair to a, which can take a step in every state of it and never does");
}

TEST_CASE("a loop must meet the assumptions of the property, and fail the one that it is said to fail") {
  const auto p = leads_to({0}, {3}, {{"arrows.A1", {1, 3}}, {"arrows.A2", {2}}});
  refuted(judged(drawn(), p, "0/0/loop/2"), "assumption arrows.A2 is not met in the loop");
  refuted(judged(drawn(), p, "0/0/loop/2", "arrows.A1"), "assumption arrows.A1 is met in the loop");
  const auto failed = judged(drawn(), p, "0/0/loop/2", "arrows.A2");
  CHECK(failed.confirmed);
  CHECK_THAT(failed.conclusion, Catch::StartsWith("failed assumption of arrows.L1 (again and again in them): "));
  CHECK_FALSE(check::replay_leads_to<Arrows>(drawn(), std::span(&p, 1), "arrows.L9", "0/end").has_value());
}

TEST_CASE("of several properties with one id any may confirm a run") {
  const std::vector<test::ArrowsLeadsTo> both = {leads_to({0}, {1}), leads_to({0}, {3})};
  const auto c = check::replay_leads_to<Arrows>(drawn(), both, "arrows.L1", "0/0/loop/2");
  CHECK(c->confirmed);
  // If none does, the reason is that of the nearest one.
  for (const auto& order : {both, std::vector{both[1], both[0]}}) {
    const auto unfair = check::replay_leads_to<Arrows>(drawn(), order, "arrows.L1", "0/0/loop/0/0");
    CHECK_FALSE(unfair->confirmed);
    CHECK_THAT(unfair->conclusion, Catch::StartsWith("the loop is unfair to a"));
  }
}

TEST_CASE("what the search finds the replayer finds again from the path alone, to the byte") {
  const auto p = leads_to({0}, {3});
  const auto found = test::decided(drawn(), p);
  REQUIRE(found.counterexample.has_value());
  CHECK(test::whole(judged(drawn(), p, found.counterexample->path)) == test::whole(*found.counterexample));
  CHECK(test::whole(*test::decided(drawn(), p).counterexample) == test::whole(*found.counterexample));
}
