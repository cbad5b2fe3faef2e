// SPDX-License-Identifier: GPL-2.0-or-later
// Liveness of specifications whose answers are known, and of explorations that end early.
#include <array>
#include <catch2/catch.hpp>

#include "bench/filter_lock.hpp"
#include "checker/explicit/explorer.hpp"
#include "tests/checker/explicit/abba.hpp"
#include "tests/checker/explicit/arrows.hpp"
#include "tests/checker/explicit/explored.hpp"

using namespace iomc;
using check::Verdict;

namespace {

/// The filter lock, whose processes go on once they have begun.
template <unsigned N>
struct FairFilter : bench::FilterLock<model::Concrete, N> {
  using State = bench::FilterState<model::Concrete, N>;
  std::vector<model::FairnessInfo> groups;
  int negligent = -1;  // a process that may stop anywhere

  FairFilter() {
    for (unsigned i = 0; i < N; ++i)
      groups.push_back({std::string("task ") + static_cast<char>('A' + i), model::FairnessKind::weak});
  }
  std::span<const model::FairnessInfo> fairness() const { return groups; }
  int fairness_of(const State&, unsigned instance) const {
    const unsigned i = instance / bench::filter_steps;
    const bool bound = instance % bench::filter_steps != bench::filter_start && static_cast<int>(i) != negligent;
    return bound ? static_cast<int>(i) : model::no_fairness;
  }
};

template <class Spec>
model::LeadsTo<Spec> gets_in(unsigned process) {
  model::LeadsTo<Spec> p;
  p.info = {"filter.L1", "a process that wants the lock gets it", "it would wait for ever", "Peterson 1981",
            model::PropertyKind::liveness};
  p.trigger = [process](const Spec&, const auto& s) { return s.at[process] == bench::filter_set_level; };
  p.goal = [process](const Spec&, const auto& s) { return s.at[process] == bench::filter_leave; };
  return p;
}

template <class Spec>
check::PropertyResult decided(const Spec& spec, const model::LeadsTo<Spec>& p, check::Limits limits = {}) {
  return check::check_leads_to<Spec>(spec, std::span(&p, 1), std::move(limits)).at(0);
}

/// Two tasks that take the same two locks in the same order.
struct FairAbba : test::Abba {
  std::vector<model::FairnessInfo> groups;
  explicit FairAbba(model::FairnessKind of_locks)
      : groups{{"task 0", model::FairnessKind::weak},
               {"task 1", model::FairnessKind::weak},
               {"the lock goes to task 0", of_locks}} {}
  std::span<const model::FairnessInfo> fairness() const { return groups; }
  int fairness_of(const State&, unsigned instance) const {
    return instance == take_first ? 2 : static_cast<int>(instance / steps_);
  }
};

}  // namespace

TEST_CASE("the filter lock lets every process in, if all that have begun go on") {
  const FairFilter<4> spec;
  for (const unsigned process : {0U, 3U}) {
    const auto r = decided(spec, gets_in<FairFilter<4>>(process));
    CHECK(r.verdict == Verdict::holds);
    CHECK_FALSE(r.vacuous);
  }
}

TEST_CASE("a process of the filter lock that stops half-way keeps the others out") {
  FairFilter<3> spec;
  spec.negligent = 1;
  const auto r = decided(spec, gets_in<FairFilter<3>>(0));
  REQUIRE(r.verdict == Verdict::violated);
  CHECK(r.counterexample->confirmed);
  CHECK(decided(spec, gets_in<FairFilter<3>>(2)).verdict == Verdict::violated);
}

TEST_CASE("without fairness the filter lock promises nothing") {
  using Spec = bench::FilterLock<model::Concrete, 3>;
  const auto r = decided(Spec{}, gets_in<Spec>(0));
  CHECK(r.verdict == Verdict::violated);
  CHECK(r.counterexample->fairness.empty());
}

TEST_CASE("a lock that is only weakly fair starves a task, a strongly fair one does not") {
  model::LeadsTo<FairAbba> p;
  p.info = {"abba.L1", "task 0 gets its locks", "", "test", model::PropertyKind::liveness};
  p.trigger = [](const FairAbba&, const test::AbbaState& s) { return s.held[0] == 0; };
  p.goal = [](const FairAbba&, const test::AbbaState& s) { return s.held[0] == 2; };
  CHECK(decided(FairAbba(model::FairnessKind::strong), p).verdict == Verdict::holds);
  const auto r = decided(FairAbba(model::FairnessKind::weak), p);
  REQUIRE(r.verdict == Verdict::violated);
  const auto& told = r.counterexample->fairness;
  CHECK(std::find(told.begin(), told.end(), "the lock goes to task 0 cannot take a step after step 1") != told.end());
}

TEST_CASE("several properties are decided on one graph") {
  const FairFilter<3> spec;
  std::vector<model::LeadsTo<FairFilter<3>>> properties;
  for (unsigned i = 0; i < 3; ++i) properties.push_back(gets_in<FairFilter<3>>(i));
  properties[2].info.id = "filter.L2";
  const auto r = check::check_leads_to<FairFilter<3>>(spec, properties);
  REQUIRE(r.size() == 2);
  const check::Exploration e = check::explore<FairFilter<3>>(spec, {});
  for (const auto& one : r) {
    CHECK(one.verdict == Verdict::holds);
    CHECK(one.states == e.states);
    CHECK(one.transitions == e.transitions);
    CHECK(one.depth == e.depth);
  }
}

TEST_CASE("the answer does not depend on how states are stored") {
  FairFilter<4> spec;
  spec.negligent = 1;
  using Spec = FairFilter<4>;
  const std::vector<model::LeadsTo<Spec>> properties = {gets_in<Spec>(0)};
  const auto tree = check::Liveness<Spec, check::TreeStorage<Spec::State>>(spec, properties, {}).run();
  const auto flat = check::Liveness<Spec, check::FlatStorage<Spec::State>>(spec, properties, {}).run();
  REQUIRE(tree.at(0).counterexample.has_value());
  CHECK(test::whole(*tree[0].counterexample) == test::whole(*flat.at(0).counterexample));
  CHECK(tree[0].states == flat[0].states);
  CHECK(tree[0].transitions == flat[0].transitions);
}

TEST_CASE("of several configurations all assumptions are named, and only where the property holds") {
  const auto one = [](Verdict v, std::uint64_t states, std::vector<std::string> assumes) {
    check::Exploration e;
    e.results.emplace_back();
    e.results[0].property = "x.L1";
    e.results[0].verdict = v;
    e.results[0].states = states;
    e.results[0].assumes = std::move(assumes);
    return e;
  };
  const auto with = one(Verdict::holds, 5, {"x.A1"});
  const auto without = one(Verdict::holds, 9, {});
  const auto other = one(Verdict::holds, 7, {"x.A2", "x.A1"});
  CHECK(check::merge({with, without}).at(0).assumes == std::vector<std::string>{"x.A1"});
  CHECK(check::merge({without, with, other}).at(0).assumes == std::vector<std::string>{"x.A1", "x.A2"});
  CHECK(check::merge({with, one(Verdict::violated, 1, {})}).at(0).assumes.empty());
  CHECK(check::merge({one(Verdict::inconclusive, 1, {}), with}).at(0).assumes.empty());
}

TEST_CASE("a graph that is not whole gives no holds, and says how far it came") {
  check::Limits limits;
  limits.states = 10000;
  const auto r = decided(FairFilter<5>{}, gets_in<FairFilter<5>>(0), limits);
  CHECK(r.verdict == Verdict::inconclusive);
  CHECK_FALSE(r.vacuous);
  CHECK_THAT(r.reason, Catch::Contains("limit of 10000 states reached; 8192 of " + std::to_string(r.states) +
                                       " states found"));
  limits = {};
  limits.memory_bytes = std::uint64_t{3} << 20;
  CHECK_THAT(decided(FairFilter<5>{}, gets_in<FairFilter<5>>(0), limits).reason,
             Catch::Contains("memory limit reached"));
  limits = {};
  limits.seconds = 1e-12;
  CHECK_THAT(decided(FairFilter<5>{}, gets_in<FairFilter<5>>(0), limits).reason,
             Catch::Contains("time limit reached; 0 of 1 states"));
}

TEST_CASE("a violation among states whose steps are all known stands") {
  FairFilter<5> spec;
  spec.negligent = 1;
  check::Limits limits;
  limits.states = 10000;
  const auto r = decided(spec, gets_in<FairFilter<5>>(0), limits);
  REQUIRE(r.verdict == Verdict::violated);
  CHECK(r.counterexample->confirmed);
}

TEST_CASE("an assumption is inconclusive in a graph that is not whole, or fails there for good") {
  using Spec = FairFilter<5>;
  auto p = gets_in<Spec>(0);
  p.assumptions.push_back({"filter.A1", "task A is in again and again", [](const Spec&, const auto& s) {
                             return s.at[0] == bench::filter_leave;
                           }});
  check::Limits limits;
  limits.states = 10000;
  const auto r = check::check_leads_to<Spec>(Spec{}, std::span(&p, 1), limits);
  REQUIRE(r.size() == 2);
  CHECK(r[0].verdict == Verdict::inconclusive);
  CHECK(r[0].assumes.empty());
  CHECK(r[1].verdict == Verdict::inconclusive);
  Spec negligent;
  negligent.negligent = 0;
  const auto fails = check::check_leads_to<Spec>(negligent, std::span(&p, 1), limits);
  CHECK(fails[0].verdict == Verdict::inconclusive);
  CHECK(fails[1].verdict == Verdict::violated);
  CHECK(fails[1].counterexample->confirmed);
}

TEST_CASE("an interruption is heard while the graph is built and while it is searched") {
  std::atomic<bool> interrupted{false};
  unsigned calls = 0;
  check::Limits limits;
  limits.interrupted = &interrupted;
  limits.progress = [&](const check::Progress& p) {
    CHECK(p.queued <= p.states);
    if (++calls == 2) interrupted = true;
  };
  const auto early = decided(FairFilter<5>{}, gets_in<FairFilter<5>>(0), limits);
  CHECK(early.verdict == Verdict::inconclusive);
  CHECK_THAT(early.reason, Catch::StartsWith("interrupted; 4096 of"));
}

TEST_CASE("a field outside its range stops the program here, too") {
  test::Abba spec;
  spec.worst = 3;
  model::LeadsTo<test::Abba> p;
  p.info = {"abba.L1", "", "", "", model::PropertyKind::liveness};
  p.trigger = p.goal = [](const test::Abba&, const test::AbbaState&) { return false; };
  CHECK_THROWS_WITH(decided(spec, p), Catch::Contains("value = 3, declared 0..2"));
}

TEST_CASE("a fairness group that does not exist stops the program") {
  test::Arrows g;
  g.arrow(0, {0}, 3);
  CHECK_THROWS_AS(test::decided(g, test::leads_to({0}, {1})), model::InternalError);
}
