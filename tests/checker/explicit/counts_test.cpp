// SPDX-License-Identifier: GPL-2.0-or-later
// Golden counts: SPIN and Rumur find the same numbers of states and transitions (bench/run.sh).
#include <catch2/catch.hpp>

#include "bench/filter_lock.hpp"
#include "bench/german.hpp"
#include "bench/magazines.hpp"
#include "tests/checker/explicit/explored.hpp"

using namespace iomc;
using model::Concrete;

namespace {

template <class Spec>
void counts(const model::Property<Spec>& property, std::uint64_t states, std::uint64_t transitions,
            std::uint64_t depth) {
  const check::Exploration e = test::explored(Spec{}, property);
  CHECK(e.complete);
  CHECK(e.states == states);
  CHECK(e.transitions == transitions);
  CHECK(e.depth == depth);
  REQUIRE(e.results.size() == 2);
  for (const auto& r : e.results) {
    CHECK(r.verdict == check::Verdict::holds);
    CHECK_FALSE(r.vacuous);
    CHECK_FALSE(r.counterexample.has_value());
  }
  std::uint64_t fired = 0;
  for (const auto& c : e.coverage) {
    CHECK(c.fired > 0);
    fired += c.fired;
  }
  CHECK(fired == transitions);
}

}  // namespace

TEST_CASE("the filter lock has as many states as elsewhere") {
  counts(bench::filter_mutual_exclusion<Concrete, 5>(), 344805, 1205325, 54);
}

TEST_CASE("German's protocol has as many states as elsewhere") {
  counts(bench::german_coherence<Concrete, 4>(), 544617, 2912544, 34);
}

TEST_CASE("the magazines have as many states as elsewhere") {
  counts(bench::magazines_no_duplicate<Concrete, 7>(), 363925, 1442758, 26);
}
