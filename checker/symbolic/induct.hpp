// SPDX-License-Identifier: GPL-2.0-or-later
// One-step induction: a predicate that holds initially and is kept by every step holds in every reachable state,
// however long the run.
#pragma once

#include "checker/symbolic/relation.hpp"

namespace iomc::check::symbolic {

/// One named part of an invariant, written once for both domains:
///   Lemma<C, S>{"at most one place", [](const auto& spec, const auto& state) { … return true; }}
template <class C, class S>
struct Lemma {
  template <class Predicate>
  Lemma(std::string lemma_name, Predicate p, bool guides = false)
      : name(std::move(lemma_name)), guides_paths(guides), concrete(p), symbolic(p) {}

  std::string name;
  bool guides_paths;  ///< assumed already while paths are enumerated: for a simple one that rules many of them out
  std::function<bool(const C&, const typename C::State&)> concrete;
  std::function<bool(const S&, const typename S::State&)> symbolic;
};

struct Induction {
  enum class Outcome {
    proved,          ///< for runs of any length at these sizes
    refuted,         ///< an initial state violates it: a real violation
    not_inductive,   ///< a counterexample to induction: the state before satisfies it all, and may be unreachable
    unknown          ///< the solver gave up on some step
  };
  Outcome outcome = Outcome::unknown;
  std::string lemma;   ///< the part that fails: a lemma, "declared ranges" or "no internal error"
  std::string step;    ///< and the step that breaks it
  unsigned instance = 0;
  std::vector<unsigned> picks;
  std::vector<model::FieldText> before;
  std::vector<model::FieldChange> changes;
  std::string reason;  ///< of an unknown; or the internal error
  std::vector<StepPaths> steps;
  double seconds = 0;
};

/// The result as text, a counterexample to induction under that heading.
std::string text(const Induction& r);

namespace detail {


/// The conjuncts that every step must keep. They are asked of solvers of their own: they are heavy, and paths are many.
class Obligations {
 public:
  Obligations(Terms& terms, const SolverOptions& options, std::span<const Leaf> leaves,
              std::span<const Value> variables);
  void add(std::span<const Truth> conjuncts);
  /// Whether, from a state with all conjuncts in which `condition` holds, `after` can be outside its ranges or violate
  /// a conjunct. Where it can, `state` is the state before.
  Answer breakable(std::span<const Truth> condition, std::span<const Value> after, std::vector<std::uint64_t>& state);
  /// Whether `condition` can hold at all: for a path that is wrong as such.
  Answer reachable(std::span<const Truth> condition, std::vector<std::uint64_t>& state);

 private:
  Answer check(std::span<const Truth> condition, Truth goal, std::vector<std::uint64_t>& state);

  Terms& terms_;
  SolverOptions options_;
  std::span<const Leaf> leaves_;
  std::span<const Value> variables_;
  std::vector<Truth> assumed_;
  std::vector<Truth> conjuncts_;
};

template <class C, class S>
std::string failing(const C& spec, const typename C::State& s, std::span<const Lemma<C, S>> lemmas) {
  if (!model::out_of_range(s).empty()) return "declared ranges";
  for (const auto& l : lemmas) {
    try {
      if (!l.concrete(spec, s)) return l.name;
    } catch (const model::InternalError&) {
      return l.name;
    }
  }
  return {};
}

/// Fires the concrete step from the solver's state and fills the report. The concrete specification must confirm it.
template <class C, class S>
void confirm(const C& spec, std::span<const Lemma<C, S>> lemmas, std::span<const std::uint64_t> numbers,
             Induction& out) {
  typename C::State before = shape_of(spec);
  assign(before, numbers);
  IOMC_INVARIANT(failing(spec, before, lemmas).empty());
  model::StepContext<typename C::Event> cx;
  bool confirmed = false;
  model::for_each_choice(cx, [&] {
    if (confirmed) return;
    typename C::State after = before;
    try {
      const bool fired = spec.fire(after, out.instance, cx);
      if (!fired || taken(cx.choices()) != out.picks) return;
      out.lemma = failing(spec, after, lemmas);
    } catch (const model::InternalError& e) {
      if (taken(cx.choices()) != out.picks) return;
      out.lemma = "no internal error";
      out.reason = e.what();
    }
    confirmed = !out.lemma.empty();
    out.changes = model::difference(before, after);
  });
  if (!confirmed)
    throw model::InternalError("the explorer does not confirm the counterexample to induction of " + out.step);
  out.before = model::describe(before);
}

template <class C, class S>
void base_case(const C& spec, std::span<const Lemma<C, S>> lemmas, Induction& out) {
  any_initial(spec, [&](const typename C::State& s) {
    out.lemma = failing(spec, s, lemmas);
    if (out.lemma.empty()) return false;
    out.outcome = Induction::Outcome::refuted;
    out.before = model::describe(s);
    return true;
  });
}

template <class C, class S>
void step_case(const C& spec, const S& twin, std::span<const Lemma<C, S>> lemmas, const SolverOptions& solver,
               Relation<S>& relation, Induction& out) {
  Obligations obligations(relation.terms(), solver, relation.leaves(), relation.variables());
  std::vector<Truth> guides;
  for (const auto& l : lemmas) {
    const auto formula = relation.conjuncts(l.name, l.symbolic);
    obligations.add(formula);
    if (l.guides_paths) guides.insert(guides.end(), formula.begin(), formula.end());
  }
  for (const Truth& t : guides) relation.assume(t);  // after the last formula: each must stand on the ranges alone
  std::string gave_up;
  std::vector<std::uint64_t> state;
  bool found = false;
  for (unsigned instance = 0; instance < twin.instances() && !found; ++instance)
    relation.for_each_path(instance, [&](const StepPath<S>& p) {
      if (found || (!p.enabled && p.broken.empty())) return;
      const Answer a = p.broken.empty() ? obligations.breakable(p.condition, values_of(p.after), state)
                                        : obligations.reachable(p.condition, state);
      if (a == Answer::unsatisfiable) return;
      const char* step = twin.steps()[twin.step_of(instance)].name;
      if (a == Answer::unknown) {
        gave_up = step;
        return;
      }
      found = true;
      out.step = step;
      out.instance = instance;
      out.picks = p.picks;
    });
  out.steps.assign(relation.log().begin(), relation.log().end());
  if (found) {
    out.outcome = Induction::Outcome::not_inductive;
    confirm(spec, lemmas, state, out);
  } else if (gave_up.empty()) {
    out.outcome = Induction::Outcome::proved;
  } else {
    out.reason = "the solver reached its limit on " + gave_up;
  }
}

}  // namespace detail

/// Proves the conjunction of the lemmas and of the declared ranges, and that no step ends in an internal error.
template <class C, class S>
Induction induct(const C& spec, const S& twin, std::span<const std::type_identity_t<Lemma<C, S>>> lemmas,
                 RelationOptions options = {}) {
  const auto start = std::chrono::steady_clock::now();
  Induction out;
  detail::base_case<C, S>(spec, lemmas, out);
  if (out.outcome != Induction::Outcome::refuted) {
    const SolverOptions solver = options.solver;
    Relation<S> relation(twin, std::move(options));
    detail::step_case<C, S>(spec, twin, lemmas, solver, relation, out);
  }
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return out;
}

}  // namespace iomc::check::symbolic
