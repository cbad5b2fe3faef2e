// SPDX-License-Identifier: GPL-2.0-or-later
// Wrong variants of correct models: each is found, and no shorter run than the pinned one shows it.
#include <catch2/catch.hpp>

#include "bench/filter_lock.hpp"
#include "bench/german.hpp"
#include "bench/magazines.hpp"
#include "tests/checker/explicit/abba.hpp"
#include "tests/checker/explicit/explored.hpp"

using namespace iomc;
using model::Concrete;

namespace {

template <class Spec>
check::Counterexample found(const Spec& spec, const model::Property<Spec>& property, std::size_t length) {
  // Breadth first, the shortest run comes long before the end; a wrong model may have far more states than a correct
  // one.
  check::Limits limits;
  limits.states = 300000;
  const check::Exploration e = test::explored(spec, property, limits);
  const check::PropertyResult& r = e.results.at(0);
  REQUIRE(r.verdict == check::Verdict::violated);
  REQUIRE(r.counterexample.has_value());
  CHECK(r.counterexample->confirmed);
  CHECK(r.counterexample->steps.size() == length);
  return *r.counterexample;
}

}  // namespace

TEST_CASE("a filter lock with one level missing lets two processes in") {
  const auto c =
      found(bench::FilterLock<Concrete, 4>(bench::FilterConfig{1}), bench::filter_mutual_exclusion<Concrete, 4>(), 23);
  CHECK(c.conclusion == "2 processes hold the lock");
  CHECK(c.steps.back().step == "pass");
}

TEST_CASE("German's protocol without the check of ex shares a line that a client owns") {
  const auto c =
      found(bench::German<Concrete, 4>(bench::GermanConfig{false}), bench::german_coherence<Concrete, 4>(), 8);
  CHECK(c.conclusion == "1 clients own the line and 1 share it");
}

TEST_CASE("a depot slot that is not cleared gives an object out twice") {
  const auto c = found(bench::Magazines<Concrete, 7>(bench::MagazineConfig{false}),
                       bench::magazines_no_duplicate<Concrete, 7>(), 11);
  CHECK(c.steps.back().step == "alloc");
}

TEST_CASE("a violating event is found at the end of a shortest run") {
  test::Abba spec;
  spec.worst = 2;
  const auto c = found(spec, test::small_writes(), 3);
  CHECK(c.path == "0/0/0/2");
  CHECK(c.conclusion == "violated: no task writes more than 1");
}
