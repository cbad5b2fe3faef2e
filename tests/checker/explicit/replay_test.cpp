// SPDX-License-Identifier: GPL-2.0-or-later
#include <catch2/catch.hpp>

#include "bench/german.hpp"
#include "checker/explicit/lasso.hpp"
#include "tests/checker/explicit/abba.hpp"
#include "tests/checker/explicit/explored.hpp"

using namespace iomc;

namespace {

using Spec = bench::German<model::Concrete, 2>;

const Spec& wrong() {
  static const Spec spec(bench::GermanConfig{false});
  return spec;
}
check::Counterexample counterexample() {
  return *test::explored(wrong(), bench::german_coherence<model::Concrete, 2>()).results.at(0).counterexample;
}

}  // namespace

TEST_CASE("a path becomes text and numbers again, and leads to the same trace") {
  const check::Counterexample first = counterexample();
  const check::Path path = check::parse_path(first.path);
  CHECK(check::path_text(path) == first.path);
  CHECK(path.size() == first.steps.size() + 1);

  const auto run = check::follow(wrong(), path);
  check::Counterexample again = check::render(wrong(), run);
  again.confirmed =
      check::violates_at_end(wrong(), bench::german_coherence<model::Concrete, 2>(), run, again.conclusion);
  CHECK(again.confirmed);
  CHECK(test::whole(again) == test::whole(first));
}

TEST_CASE("two explorations give the same counterexample to the byte") {
  CHECK(test::whole(counterexample()) == test::whole(counterexample()));
  test::Abba spec;
  spec.worst = 2;
  const auto once = [&] {
    return test::whole(*test::explored(spec, test::small_writes()).results.at(0).counterexample);
  };
  CHECK(once() == once());
}

TEST_CASE("a trace says what each step changed and what it cost") {
  test::Abba spec;
  spec.worst = 2;
  const auto c = *test::explored(spec, test::small_writes()).results.at(0).counterexample;
  REQUIRE(c.steps.size() == 3);
  CHECK(c.steps[0].step == "take_first");
  REQUIRE(c.steps[0].changes.size() == 2);
  CHECK(c.steps[0].changes[0].field == "owner[0]");
  CHECK(c.steps[0].changes[0].before == "0");
  CHECK(c.steps[0].changes[0].after == "1");
  CHECK(c.steps[0].cost.empty());
  REQUIRE(c.steps[2].cost.size() == 1);
  CHECK(c.steps[2].cost[0].first == "shared_write");
  CHECK(c.steps[2].cost[0].second == 1);
}

TEST_CASE("what is not a path is refused") {
  for (const char* text : {"", "/", "1/", "/1", "1//2", "a", "1/-2", "1 /2", "99999999999999999999"})
    CHECK_THROWS_AS(check::parse_path(text), check::InputError);
  CHECK(check::parse_path("0/12/3") == check::Path{0, 12, 3});
}

TEST_CASE("a run without end has a path with a loop or an end, and nothing else is one") {
  for (const char* text : {"0/loop/1", "0/2/loop/5/1", "0/end", "0/2/5/end", "0", "0/2/5"}) {
    const check::Route route = check::parse_route(text);
    CHECK(check::route_text(route) == text);
  }
  CHECK(check::parse_route("0/2/loop/5/1").loop_start == 1);
  CHECK(check::parse_route("0/2/loop/5/1").path == check::Path{0, 2, 5, 1});
  CHECK(check::parse_route("0/2/5/end").loop_start == 2);
  CHECK_FALSE(check::parse_route("0/2/5").loop_start.has_value());
  for (const char* text : {"", "loop", "end", "loop/1", "end/1", "0/loop", "0/loop/", "0/end/", "0/end/1", "0/loop/end",
                           "0/loop/1/end", "0/loop/1/loop/2", "0/end/end", "0//end", "0/loops/1", "0/ loop/1"})
    CHECK_THROWS_AS(check::parse_route(text), check::InputError);
  for (const char* text : {"0/loop/1", "0/end"}) CHECK_THROWS_AS(check::parse_path(text), check::InputError);
}

TEST_CASE("a path that leads nowhere is refused") {
  CHECK_THROWS_AS(check::follow(wrong(), {}), check::InputError);
  CHECK_THROWS_AS(check::follow(wrong(), {1}), check::InputError);
  CHECK_THROWS_AS(check::follow(wrong(), {0, 99}), check::InputError);
}
