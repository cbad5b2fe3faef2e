// SPDX-License-Identifier: GPL-2.0-or-later
// Agreement: at given concrete states, the explorer's steps and the symbolic relation must give the same successors.
#pragma once

#include "checker/symbolic/closure.hpp"

namespace iomc::check::symbolic {

struct Agreement {
  bool same = false;
  std::string difference;  ///< the first one, in words
  std::size_t states = 0;
  std::size_t successors = 0;  ///< compared, over all states
  std::vector<StepPaths> steps;
  double seconds = 0;
};

namespace detail {

/// What one way of firing an instance leads to.
struct Outcome {
  unsigned instance;
  std::vector<unsigned> picks;
  bool broken;
  std::vector<std::uint64_t> after;  ///< empty where broken

  auto operator<=>(const Outcome&) const = default;
};

/// The relation flattened for evaluation at many states.
class FlatRelation {
 public:
  explicit FlatRelation(std::span<const Value> variables) : variables_(variables) {}

  void add(unsigned instance, std::span<const Truth> condition, std::span<const unsigned> picks,
           bool broken, std::span<const Value> after);
  std::vector<Outcome> successors(std::span<const std::uint64_t> before);

 private:
  struct Change {
    std::size_t leaf;
    Value value;
  };
  struct Flat {
    unsigned instance;
    std::vector<std::size_t> condition;  // indices into conjuncts_
    std::vector<unsigned> picks;
    bool broken;
    std::vector<Change> changes;
  };
  bool holds(std::size_t conjunct);

  Interpreter interpreter_;
  std::span<const Value> variables_;
  std::vector<Flat> paths_;
  std::vector<Truth> conjuncts_;
  std::vector<std::size_t> index_of_node_;  // by number of the node, 1 more than the index; 0: none
  std::vector<signed char> known_;          // by conjunct, at the state being evaluated: -1 not asked yet
};

/// The first difference between two sorted lists as one sentence, or empty.
std::string first_difference(std::span<const Outcome> explorer, std::span<const Outcome> relation,
                             std::span<const Leaf> leaves, std::span<const std::uint64_t> before,
                             const std::function<std::string(unsigned)>& step_name);

template <class Spec>
std::vector<Outcome> explorer_successors(const Spec& spec, const typename Spec::State& from) {
  std::vector<Outcome> out;
  model::StepContext<typename Spec::Event> cx;
  for (unsigned instance = 0; instance < spec.instances(); ++instance)
    model::for_each_choice(cx, [&] {
      typename Spec::State after = from;
      try {
        if (spec.fire(after, instance, cx)) out.push_back({instance, taken(cx.choices()), false, numbers_of(after)});
      } catch (const model::InternalError&) {
        out.push_back({instance, taken(cx.choices()), true, {}});
      }
    });
  return out;
}

/// Both sides at one state, counted into `out`. False, with the difference, where they are not the same.
template <class C, class S>
bool same_successors(const C& spec, Relation<S>& relation, FlatRelation& flat, std::span<const std::uint64_t> before,
                     std::vector<Outcome> explored, Agreement& out) {
  const auto name = [&](unsigned instance) {
    return std::string(spec.steps()[spec.step_of(instance)].name) + " (" + std::to_string(instance) + ")";
  };
  auto evaluated = flat.successors(before);
  std::sort(explored.begin(), explored.end());
  std::sort(evaluated.begin(), evaluated.end());
  out.difference = first_difference(explored, evaluated, relation.leaves(), before, name);
  if (!out.difference.empty()) return false;
  ++out.states;
  out.successors += explored.size();
  return true;
}

}  // namespace detail

/// Compares {(instance, picks, state after)} of fire() and of the relation at each state, both ways. C and S are the
/// two instances of one specification. A step that ends in an internal error must do so in both.
template <class C, class S>
Agreement agree(const C& spec, const S& twin, std::span<const typename C::State> states, RelationOptions options = {}) {
  const auto start = std::chrono::steady_clock::now();
  Agreement out;
  const auto included = [&, filter = options.include](unsigned instance) { return !filter || filter(instance); };
  if (spec.instances() != twin.instances()) return out.difference = "the two have different numbers of instances", out;
  Relation<S> relation(twin, std::move(options));
  detail::FlatRelation flat(relation.variables());
  for (unsigned instance = 0; instance < twin.instances(); ++instance)
    if (included(instance)) relation.for_each_path(instance, [&](const StepPath<S>& p) {
      if (p.enabled || !p.broken.empty())
        flat.add(instance, p.condition, p.picks, !p.broken.empty(), detail::values_of(p.after));
    });
  out.steps.assign(relation.log().begin(), relation.log().end());
  for (const auto& state : states) {
    if (const std::string outside = model::out_of_range(state); !outside.empty())
      throw UsageError("agree: a state outside its declared ranges: " + outside);
    const auto before = detail::numbers_of(state);
    auto explored = detail::explorer_successors(spec, state);
    std::erase_if(explored, [&](const auto& o) { return !included(o.instance); });
    if (!detail::same_successors(spec, relation, flat, before, std::move(explored), out)) break;
  }
  out.same = out.difference.empty();
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return out;
}

/// The same for the paths of a closure, which bounded checking takes: with events left out, and those merged that are.
template <class C, class S>
Agreement agree(const C& spec, Closure<C, S>& closure, std::span<const typename C::State> states) {
  const auto start = std::chrono::steady_clock::now();
  Agreement out;
  Relation<S>& relation = closure.relation();
  detail::FlatRelation flat(relation.variables());
  for (const TakenPath& p : closure.paths()) {
    std::vector<Value> after(relation.variables().begin(), relation.variables().end());
    for (const Change& c : p.changes) after[c.leaf] = c.value;
    flat.add(p.instance, p.condition, p.picks, !p.broken.empty(), after);
  }
  out.steps.assign(relation.log().begin(), relation.log().end());
  for (const auto& state : states) {
    const auto before = detail::numbers_of(state);
    for (std::size_t i = 0; i < before.size(); ++i)
      if (!closure.values()[i].contains(before[i]))
        return out.difference = relation.leaves()[i].name + " is " + std::to_string(before[i]) +
                                ", which the closure has not", out;
    if (!detail::same_successors(spec, relation, flat, before, detail::explorer_successors(spec, state), out)) break;
  }
  out.same = out.difference.empty();
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return out;
}

}  // namespace iomc::check::symbolic
