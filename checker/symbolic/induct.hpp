// SPDX-License-Identifier: GPL-2.0-or-later
// One-step induction: a predicate that holds initially and is kept by every step holds in every reachable state, however
// long the run.
#pragma once

#include "checker/symbolic/relation.hpp"

namespace iomc::check::symbolic {

/// One named part of an invariant, written once for both domains:
///   Lemma<C, S>{"at most one place", [](const auto& spec, const auto& state) { … return true; }}
template <class C, class S>
struct Lemma {
  template <class Predicate>
  Lemma(std::string lemma_name, Predicate p) : name(std::move(lemma_name)), concrete(p), symbolic(p) {}

  std::string name;
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


/// Conjuncts that a step must keep, and the search for a way in which it does not.
class Obligations {
 public:
  Obligations(Terms& terms, Solver& solver, std::span<const Leaf> leaves, std::span<const Value> variables)
      : terms_(terms), solver_(solver), leaves_(leaves), variables_(variables) {}
  void add(std::vector<Truth> conjuncts) { conjuncts_.insert(conjuncts_.end(), conjuncts.begin(), conjuncts.end()); }
  /// Whether, with what the solver holds, `after` can be outside its ranges or violate a conjunct. Where it can, `state`
  /// is the state before. The solver's assertions are as they were on return.
  Answer breakable(std::span<const Value> after, std::vector<std::uint64_t>& state);
  /// As breakable, for a path that is wrong as such.
  Answer reachable(std::vector<std::uint64_t>& state);

 private:
  Terms& terms_;
  Solver& solver_;
  std::span<const Leaf> leaves_;
  std::span<const Value> variables_;
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
void confirm(const C& spec, std::span<const Lemma<C, S>> lemmas, std::span<const std::uint64_t> numbers, Induction& out) {
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
  if (!confirmed) throw model::InternalError("the explorer does not confirm the counterexample to induction of " + out.step);
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
void step_case(const C& spec, const S& twin, std::span<const Lemma<C, S>> lemmas, Relation<S>& relation, Induction& out) {
  Obligations obligations(relation.terms(), relation.solver(), relation.leaves(), relation.variables());
  std::vector<std::vector<Truth>> formulas;
  for (const auto& l : lemmas) formulas.push_back(relation.conjuncts(l.name, l.symbolic));
  for (auto& formula : formulas) {
    for (const Truth& t : formula) relation.assume(t);
    obligations.add(std::move(formula));
  }
  std::string gave_up;
  std::vector<std::uint64_t> state;
  bool found = false;
  for (unsigned instance = 0; instance < twin.instances() && !found; ++instance)
    relation.for_each_path(instance, [&](const StepPath<S>& p) {
      if (found || (!p.enabled && p.broken.empty())) return;
      const Answer a = p.broken.empty() ? obligations.breakable(values_of(p.after), state) : obligations.reachable(state);
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
Induction induct(const C& spec, const S& twin, std::span<const Lemma<C, S>> lemmas, RelationOptions options = {}) {
  const auto start = std::chrono::steady_clock::now();
  Induction out;
  detail::base_case(spec, lemmas, out);
  if (out.outcome != Induction::Outcome::refuted) {
    Relation<S> relation(twin, std::move(options));
    detail::step_case(spec, twin, lemmas, relation, out);
  }
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return out;
}

}  // namespace iomc::check::symbolic
