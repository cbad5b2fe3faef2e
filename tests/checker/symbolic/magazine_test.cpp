// SPDX-License-Identifier: GPL-2.0-or-later
#include <catch2/catch.hpp>

#include <cstdio>
#include <set>

#include "checker/explicit/explorer.hpp"
#include "checker/symbolic/agree.hpp"
#include "examples/magazine/lemmas.hpp"

using namespace iomc;
using namespace iomc::examples::magazine;
using check::Symbolic;
using check::symbolic::Agreement;
using check::symbolic::Induction;
using model::Concrete;

namespace {

constexpr Facts mutant{.fresh_magazine_after_depot_push = false};

/// Reachable states in breadth-first order, without the explorer's own storage.
template <class Spec>
std::vector<typename Spec::State> reachable(const Spec& spec, std::size_t most = ~std::size_t{0}) {
  using State = typename Spec::State;
  const auto less = [](const State& a, const State& b) { return std::memcmp(&a, &b, sizeof(State)) < 0; };
  std::set<State, decltype(less)> seen(less);
  std::vector<State> out;
  const auto visit = [&](const State& s) {
    if (out.size() < most && seen.insert(s).second) out.push_back(s);
    return false;
  };
  check::any_initial(spec, visit);
  for (std::size_t i = 0; i < out.size() && out.size() < most; ++i) {
    const State from = out[i];
    check::any_successor(spec, from, [&](const auto& t) { return visit(t.after); });
  }
  return out;
}

template <unsigned K>
check::Exploration explored(Facts facts = {}, check::Limits limits = {}) {
  const std::vector properties{one_place_property<K>()};
  const Spec<Concrete, K> spec(facts);
  return check::explore(spec, std::span<const model::Property<Spec<Concrete, K>>>(properties), limits);
}

template <unsigned K>
Induction proof(Facts facts = {}) {
  return check::symbolic::induct(Spec<Concrete, K>(facts), Spec<Symbolic, K>(facts), lemmas_of<K>());
}

void log(const Agreement& a) {
  std::printf("%sagreement: %zu states, %zu successors, %.3f s\n\n", table(a.steps).c_str(), a.states, a.successors,
              a.seconds);
}

}  // namespace

TEST_CASE("relation and explorer agree on every reachable state of the magazine cache with five addresses") {
  const Spec<Concrete, 5> spec;
  const auto states = reachable(spec);
  CHECK(states.size() == 7632);
  CHECK(states.size() == explored<5>().states);
  const Agreement a = agree(spec, Spec<Symbolic, 5>(), states);
  INFO(a.difference);
  CHECK(a.same);
  CHECK(a.states == states.size());
  CHECK(a.successors == explored<5>().transitions);
  log(a);
}

TEST_CASE("relation and explorer agree on a thousand states of the magazine cache with seven addresses") {
  // Seven are the fewest that overflow the depot.
  const Spec<Concrete, 7> spec;
  const auto many = reachable(spec, 200'000);
  std::vector<Domain<Concrete, 7>> states;
  for (std::size_t i = 0; i < 1000; ++i) states.push_back(many[i * 200]);
  const Agreement a = agree(spec, Spec<Symbolic, 7>(), states);
  INFO(a.difference);
  CHECK(a.same);
  CHECK(a.states == 1000);
  log(a);
}

TEST_CASE("the mutant's relation agrees with its explorer too") {
  const Spec<Concrete, 5> spec(mutant);
  const Agreement a = agree(spec, Spec<Symbolic, 5>(mutant), reachable(spec, 3000));
  INFO(a.difference);
  CHECK(a.same);
}

TEST_CASE("no address is in two places: explored") {
  const auto e = explored<7>();
  CHECK(e.complete);
  CHECK(e.states == 892096);
  CHECK(e.transitions == 8054818);
  CHECK(e.depth == 22);
  for (const auto& r : e.results) CHECK(r.verdict == check::Verdict::holds);
  for (const auto& c : e.coverage) CHECK(c.fired > 0);
}

TEST_CASE("no address is in two places: proved for runs of any length") {
  const Induction r = proof<7>();
  INFO(text(r));
  CHECK(r.outcome == Induction::Outcome::proved);
  std::printf("%sinduction: %.3f s\n\n", table(r.steps).c_str(), r.seconds);
}

TEST_CASE("the claim alone is not inductive") {
  const auto lemmas = lemmas_of<5>();
  const Induction r = check::symbolic::induct(Spec<Concrete, 5>(), Spec<Symbolic, 5>(), std::span(lemmas).first(1));
  CHECK(r.outcome == Induction::Outcome::not_inductive);
}

TEST_CASE("a magazine given to the depot and kept: a counterexample to induction") {
  const Induction r = proof<5>(mutant);
  REQUIRE(r.outcome == Induction::Outcome::not_inductive);
  CHECK(r.step == "iova_rcache_insert");
  CHECK(r.lemma == "no address is in two places");
  CHECK_THAT(text(r), Catch::StartsWith("counterexample to induction"));
}

TEST_CASE("a magazine given to the depot and kept: a shortest violation") {
  check::Limits limits;
  limits.states = 20'000;  // addresses in two places make far more states; the first is within the first levels
  const auto e = explored<5>(mutant, limits);
  const auto& r = e.results.front();
  REQUIRE(r.property == "magazine.P1");
  REQUIRE(r.verdict == check::Verdict::violated);
  REQUIRE(r.counterexample);
  CHECK(r.counterexample->confirmed);
  CHECK(r.counterexample->steps.size() == 10);  // five granted, five freed on one CPU
  CHECK(r.counterexample->steps.back().step == "iova_rcache_insert");
}
