// SPDX-License-Identifier: GPL-2.0-or-later
// The most that k steps can cost, by Z3's optimisation over the specification's own relation; the same question that
// checker/cost/longest.hpp answers on the explicit graph.
#pragma once

#include <functional>
#include <optional>

#include "checker/symbolic/relation.hpp"

namespace iomc::check::symbolic {

/// Also the answer of `maximise`.
struct Costliest {
  std::optional<std::uint64_t> cost;  ///< nothing: Z3 does not know
  std::string reason;
};

/// The largest unsigned value of `v` while all of `given` holds, by z3::optimize; a plain solver must then agree that
/// it can be had and that one more cannot.
Costliest maximise(Terms& terms, std::span<const Truth> given, Value v, unsigned width);

/// `spec` for the initial state, `twin` for the relation. Costs must be small enough that k of them fit 32 bits.
template <class Spec, class Twin>
Costliest costliest_within(const Spec& spec, const Twin& twin, unsigned steps,
                           const std::function<std::uint64_t(const model::CostCount&)>& weigh) {
  Relation<Twin> relation(twin);
  Terms& terms = relation.terms();
  const auto before = relation.variables();
  const auto leaves = relation.leaves();
  struct Step {
    Truth condition;
    std::vector<Value> after;
    std::uint64_t cost;
  };
  std::vector<Step> all;
  for (unsigned i = 0; i < twin.instances(); ++i)
    relation.for_each_path(i, [&](auto& path) {
      if (!path.enabled || !path.broken.empty()) return;
      all.push_back({terms.conjunction(path.condition), detail::values_of(path.after), weigh(path.cost)});
    });
  const auto at_step = [&](unsigned k) {
    std::vector<Value> out;
    for (const Leaf& l : leaves) out.push_back(terms.variable(l.name + "@" + std::to_string(k), l.width));
    return out;
  };
  const auto equal = [](unsigned width, Value a, Value b) { return Truth::from(apply(Op::equal, width, a, b)); };
  constexpr unsigned width = 32;
  std::vector<Truth> all_given;
  auto now = at_step(0);
  Value paid = terms.variable("paid@0", width);
  std::vector<Truth> starts;
  model::StepContext<typename Spec::Event> cx;
  model::for_each_choice(cx, [&] {
    typename Spec::State s{};
    spec.initial(s, cx);
    const auto numbers = detail::numbers_of(s);
    std::vector<Truth> same;
    for (std::size_t i = 0; i < leaves.size(); ++i)
      same.push_back(equal(leaves[i].width, now[i], {numbers[i], nullptr}));
    starts.push_back(terms.conjunction(same));
  });
  all_given.push_back(terms.disjunction(starts));
  all_given.push_back(equal(width, paid, {0, nullptr}));
  for (unsigned k = 0; k < steps; ++k) {
    const auto next = at_step(k + 1);
    const Value then = terms.variable("paid@" + std::to_string(k + 1), width);
    std::vector<Truth> ways;
    // A run may end early: the state stays, at no cost.
    std::vector<Truth> stays{equal(width, then, paid)};
    for (std::size_t i = 0; i < leaves.size(); ++i) stays.push_back(equal(leaves[i].width, next[i], now[i]));
    ways.push_back(terms.conjunction(stays));
    for (const Step& step : all) {
      std::vector<Truth> here{terms.substitute(step.condition, before, now),
                              equal(width, then, apply(Op::add, width, paid, {step.cost, nullptr}))};
      for (std::size_t i = 0; i < leaves.size(); ++i)
        here.push_back(terms.substitute(equal(leaves[i].width, next[i], step.after[i]), before, now));
      ways.push_back(terms.conjunction(here));
    }
    all_given.push_back(terms.disjunction(ways));
    now = next;
    paid = then;
  }
  return maximise(terms, all_given, paid, width);
}

}  // namespace iomc::check::symbolic
