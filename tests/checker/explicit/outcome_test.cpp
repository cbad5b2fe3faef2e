// SPDX-License-Identifier: GPL-2.0-or-later
#include <catch2/catch.hpp>

#include "tests/checker/explicit/abba.hpp"
#include "tests/checker/explicit/explored.hpp"

using namespace iomc;
using test::Abba;

TEST_CASE("a deadlock is found, with a shortest run that the replayer confirms") {
  Abba spec;
  spec.same_order = false;
  const check::Exploration e = test::explored(spec, test::owners_hold());
  REQUIRE(e.results.size() == 2);
  CHECK(e.results[0].verdict == check::Verdict::holds);
  const check::PropertyResult& r = e.results[1];
  CHECK(r.property == "abba.deadlock");
  REQUIRE(r.verdict == check::Verdict::violated);
  CHECK(r.counterexample->confirmed);
  CHECK(r.counterexample->steps.size() == 2);
  CHECK(check::exit_status(e.results) == check::exit_violated);
}

TEST_CASE("a state without a step is no deadlock where the specification may stop") {
  Abba spec;
  spec.same_order = false;
  spec.ends = true;
  const check::Exploration e = test::explored(spec, test::owners_hold());
  CHECK(e.results[1].verdict == check::Verdict::holds);
}

TEST_CASE("the replayer refuses a deadlock that is none") {
  CHECK_THROWS_AS(check::replay_deadlock(Abba{}, {0, 0}), model::InternalError);
  std::string conclusion;
  CHECK_FALSE(check::deadlocked_at_end(Abba{}, check::follow(Abba{}, {0, 0}), conclusion));
  CHECK(conclusion.empty());
}

TEST_CASE("the replayer refuses a violation that is none, or that does not come last") {
  Abba spec;
  spec.worst = 2;
  CHECK_THROWS_AS(check::replay_violation(spec, test::small_writes(), {0, 0, 0, 1}), model::InternalError);
  CHECK_THROWS_AS(check::replay_violation(spec, test::small_writes(), {0, 0, 0, 2, 0}), model::InternalError);
}

TEST_CASE("a property that nothing could have violated is reported as vacuous") {
  Abba spec;
  spec.silent = true;
  const check::Exploration silent = test::explored(spec, test::small_writes());
  CHECK(silent.results[0].verdict == check::Verdict::holds);
  CHECK(silent.results[0].vacuous);
  const check::Exploration speaking = test::explored(Abba{}, test::small_writes());
  CHECK(speaking.results[0].verdict == check::Verdict::holds);
  CHECK_FALSE(speaking.results[0].vacuous);
}

TEST_CASE("without relevant_on every event counts, for the explorer and the replayer") {
  Abba spec;
  spec.worst = 2;
  model::Property<Abba> p = test::small_writes();
  p.relevant_on = nullptr;
  const check::Exploration e = test::explored(spec, p);
  REQUIRE(e.results[0].verdict == check::Verdict::violated);
  CHECK(e.results[0].counterexample->confirmed);
  const check::Exploration good = test::explored(Abba{}, p);
  CHECK(good.results[0].verdict == check::Verdict::holds);
  CHECK_FALSE(good.results[0].vacuous);
}

TEST_CASE("a step that never fires is in the coverage with 0") {
  const check::Exploration e = test::explored(Abba{}, test::small_writes());
  REQUIRE(e.coverage.size() == Abba::steps_);
  CHECK(e.coverage[Abba::write].step == "write");
  CHECK(e.coverage[Abba::write].fired > 0);
  CHECK(e.coverage[Abba::abandon].step == "abandon");
  CHECK(e.coverage[Abba::abandon].fired == 0);
}

TEST_CASE("every initial state is explored, and a path names the one it starts from") {
  Abba spec;
  spec.initials = 3;
  model::Property<Abba> p = test::owners_hold();
  p.holds_in = [](const Abba&, const test::AbbaState& s) { return s.value != 2; };
  const check::Exploration e = test::explored(spec, p);
  REQUIRE(e.results[0].verdict == check::Verdict::violated);
  CHECK(e.results[0].counterexample->path == "2");
  CHECK(e.results[0].counterexample->steps.empty());
}

TEST_CASE("a field outside its declared range stops the program") {
  Abba spec;
  spec.worst = 3;
  CHECK_THROWS_WITH(test::explored(spec, test::owners_hold()), Catch::Contains("value = 3, declared 0..2"));
}
