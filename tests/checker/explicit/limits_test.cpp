// SPDX-License-Identifier: GPL-2.0-or-later
// An exploration that ends early says so and says how far it came. All limits here depend on work, none on the clock:
// the time limit is one that has passed before the first state is expanded.
#include <catch2/catch.hpp>

#include "bench/filter_lock.hpp"
#include "bench/german.hpp"
#include "tests/checker/explicit/explored.hpp"

using namespace iomc;

namespace {

constexpr std::uint64_t all_states = 344805;

check::Exploration limited(check::Limits limits) {
  using Spec = bench::FilterLock<model::Concrete, 5>;
  return test::explored(Spec{}, bench::filter_mutual_exclusion<model::Concrete, 5>(), std::move(limits));
}

void ended_early(const check::Exploration& e, const std::string& reason) {
  CHECK_FALSE(e.complete);
  CHECK_THAT(e.reason, Catch::Contains(reason));
  CHECK(e.states >= 1);
  CHECK(e.states < all_states);
  for (const auto& r : e.results) {
    CHECK(r.verdict == check::Verdict::inconclusive);
    CHECK_THAT(r.reason,
               Catch::Contains(reason) && Catch::Contains("of " + std::to_string(e.states) + " states found"));
    CHECK(r.states == e.states);
    CHECK(r.transitions == e.transitions);
  }
  CHECK(check::exit_status(e.results) == check::exit_inconclusive);
}

}  // namespace

TEST_CASE("a limit of states ends in an inconclusive result with partial counts") {
  check::Limits limits;
  limits.states = 20000;
  const check::Exploration e = limited(limits);
  ended_early(e, "limit of 20000 states reached");
  CHECK(e.states >= 20000);
  CHECK(e.transitions > e.states);
  CHECK(e.depth > 0);
}

TEST_CASE("a limit of memory ends in an inconclusive result with partial counts") {
  check::Limits limits;
  limits.memory_bytes = std::uint64_t{3} << 20;
  const check::Exploration e = limited(limits);
  ended_early(e, "memory limit reached");
  CHECK(e.states > 10000);
}

TEST_CASE("a limit of time ends in an inconclusive result") {
  check::Limits limits;
  limits.seconds = 1e-12;
  ended_early(limited(limits), "time limit reached");
}

TEST_CASE("an interruption ends in an inconclusive result with partial counts") {
  std::atomic<bool> interrupted{false};
  unsigned calls = 0;
  check::Limits limits;
  limits.interrupted = &interrupted;
  limits.progress = [&](const check::Progress& p) {
    CHECK(p.queued <= p.states);
    if (++calls == 3) interrupted = true;
  };
  const check::Exploration e = limited(limits);
  CHECK(calls == 3);
  ended_early(e, "interrupted");
  CHECK(e.states > 8192);
}

TEST_CASE("a violation found before the limit stands") {
  using Spec = bench::German<model::Concrete, 4>;
  check::Limits limits;
  limits.states = 100000;
  const check::Exploration e =
      test::explored(Spec(bench::GermanConfig{false}), bench::german_coherence<model::Concrete, 4>(), limits);
  CHECK_FALSE(e.complete);
  CHECK(e.results.at(0).verdict == check::Verdict::violated);
  CHECK(e.results.at(1).verdict == check::Verdict::inconclusive);
}
