// SPDX-License-Identifier: GPL-2.0-or-later
// Unbounded proofs: properties of one specification, with the invariants that are declared beside them and with those
// that are mined from a search, by one-step induction over the paths of every step.
//
// A specification may leave values open (`Open` below): parameters, which no step changes, and inputs, which are
// anything at each step. A proof then holds for every value of theirs that it assumes nothing else about.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "checker/symbolic/induct.hpp"
#include "checker/symbolic/mine.hpp"
#include "model/invariant.hpp"
#include "model/property.hpp"

namespace iomc::check::symbolic {

/// A specification with open values.
///   is_parameter(field), is_input(field)  by the field's name
///   assumed(state)                        what is assumed of them, a predicate that reads nothing else
///   begin(state)                          an initial state; parameters are set and stay
template <class S>
concept Open = requires(const S& spec, typename S::State& s) {
  spec.is_parameter(std::string());
  spec.is_input(std::string());
  spec.assumed(s);
  spec.begin(s);
};

/// What is to be proved, in both domains, in the same order.
template <class C, class S>
struct ProofGoal {
  std::vector<model::Property<C>> properties;
  std::vector<model::Property<S>> symbolic;
  std::vector<model::Invariant<C>> invariants;
  std::vector<model::Invariant<S>> twins;
};

struct ProveOptions {
  PathLimits paths{20000, 4096, 1'000'000};
  SolverOptions solver;
  std::function<std::vector<FixedField>(unsigned instance)> fix;
  const std::atomic<bool>* interrupted = nullptr;
  std::function<void(const std::string&)> progress;
};

struct Proof {
  enum class Outcome {
    proved,         ///< for runs of any length
    refuted,        ///< an initial state, or a step from one, violates a property
    not_inductive,  ///< there is a counterexample to induction, which may be unreachable
    unknown         ///< the solver reached its limit, or the call was interrupted
  };
  Outcome outcome = Outcome::unknown;
  std::string failing;   ///< the part that fails: the property's id, an invariant, or "no internal error"
  std::string step;      ///< the step that breaks it
  unsigned instance = 0;
  std::vector<unsigned> picks;
  std::vector<model::FieldText> before;  ///< of a step: fields as in the first initial state are left out
  std::vector<model::FieldChange> changes;
  std::string reason;    ///< of an unknown; or the internal error
  std::vector<std::string> declared;  ///< names of the declared invariants
  std::size_t mined = 0;              ///< candidates…
  std::size_t kept = 0;               ///< …and those that are invariants: no step breaks them
  std::size_t paths = 0;
  unsigned rounds = 0;   ///< enumerations of all paths
  Effort effort;
  std::uint64_t checks = 0;
  std::vector<StepPaths> steps;
  double seconds = 0;
};

namespace detail {

/// What a path leaves behind, kept for many questions.
template <class S>
struct KeptPath {
  unsigned instance;
  std::vector<unsigned> picks;
  std::vector<Truth> condition;
  std::string broken;
  std::vector<typename S::Event> events;
  typename S::State after;
  std::vector<Value> values;
};

/// The conjuncts of an invariant that is being sought: the greatest part of them that every step keeps, provided that
/// all declared ones are in it.
class Conjuncts {
 public:
  Conjuncts(Terms& terms, const SolverOptions& options, std::span<const Leaf> leaves,
            std::span<const Value> variables);

  void declare(const std::string& name, std::span<const Truth> parts);
  void mined(std::span<const Candidate> candidates);
  /// What holds before every step whatever the steps do: of parameters and inputs.
  void assume(std::span<const Truth> parts);

  struct Broken {
    Answer answer = Answer::unsatisfiable;
    std::string declared;               ///< of a declared one: its name
    bool dropped = false;               ///< mined ones were, and the question is to be asked again
    std::vector<std::uint64_t> before;  ///< of a declared one: the state
  };
  /// Whether a path can break one. Mined ones that it can are dropped, until it breaks none or a declared one.
  Broken breakable(std::span<const Truth> condition, std::span<const Value> after);
  Answer possible(std::span<const Truth> condition, std::vector<std::uint64_t>& before);
  /// Ranges and assumptions.
  std::span<const Truth> given() const { return given_; }
  /// Everything that is assumed before a step.
  std::vector<Truth> assumed() const;

  /// Of the candidates, by index.
  const std::vector<bool>& alive() const { return alive_; }
  std::size_t kept() const;
  /// Whether anything declared or mined reads an input.
  std::string reads(std::span<const std::size_t> inputs) const;
  std::span<const std::pair<std::string, Truth>> declared() const { return declared_; }

 private:
  Truth then(const Candidate& c, std::span<const Value> after) const;
  Answer ask(std::span<const Truth> condition, Truth goal, Solver& solver) const;

  Terms& terms_;
  SolverOptions options_;
  std::span<const Leaf> leaves_;
  std::span<const Value> variables_;
  std::vector<Truth> given_;  // ranges and assumptions
  std::vector<std::pair<std::string, Truth>> declared_;
  std::vector<std::vector<std::size_t>> mentions_;  // of the declared ones
  std::vector<Candidate> candidates_;
  std::vector<Truth> mined_;
  std::vector<bool> alive_;
};

Truth member(Terms& terms, const Value& v, unsigned width, std::span<const std::uint64_t> values);

/// One enumeration of all paths and the search on them.
template <class C, class S>
class Prover {
 public:
  Prover(const C& spec, const S& twin, const ProofGoal<C, S>& goal, const ProveOptions& options)
      : spec_(spec), twin_(twin), goal_(goal), options_(options) {}

  Proof run(std::span<const Candidate> candidates) {
    const auto start = std::chrono::steady_clock::now();
    for (const auto& i : goal_.invariants) proof_.declared.push_back(i.name);
    proof_.mined = candidates.size();
    std::vector<Candidate> left(candidates.begin(), candidates.end());
    if (!base_case())
      while (round(left)) {
      }
    proof_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return std::move(proof_);
  }

 private:
  using State = typename C::State;

  /// The first part that does not hold in a concrete state, or nothing.
  std::string failing(const State& s) const {
    if (!model::out_of_range(s).empty()) return "declared ranges";
    const auto holds = [&](auto* predicate) {
      try {
        return predicate == nullptr || predicate(spec_, s);
      } catch (const model::InternalError&) {
        return false;
      }
    };
    for (const auto& p : goal_.properties)
      if (!holds(p.holds_in)) return p.info.id;
    for (const auto& i : goal_.invariants)
      if (!holds(i.holds_in)) return i.name;
    return {};
  }
  /// An initial state fails: a violation, unless it is only an invariant that was wrong.
  bool fails_initially(const State& s) {
    proof_.before = model::describe(s);
    const bool is_property = std::any_of(goal_.properties.begin(), goal_.properties.end(),
                                         [&](const auto& p) { return p.info.id == proof_.failing; });
    proof_.outcome = is_property ? Proof::Outcome::refuted : Proof::Outcome::unknown;
    if (!is_property) proof_.reason = "an initial state does not have the declared invariant: " + proof_.failing;
    return true;
  }

  /// Initial states that are plain numbers. True: the answer is known.
  bool base_case() {
    if constexpr (Open<S>) return false;
    return any_initial(spec_, [&](const State& s) {
      proof_.failing = failing(s);
      return !proof_.failing.empty() && fails_initially(s);
    });
  }

  /// True: some candidate that the paths were enumerated under has been dropped; again, with `left`.
  bool round(std::vector<Candidate>& left) {
    ++proof_.rounds;
    RelationOptions ro;
    ro.paths = options_.paths;
    ro.solver = options_.solver;
    ro.fix = options_.fix;
    if (options_.progress) ro.log = [this](const StepPaths& row) { options_.progress(line(row)); };
    Relation<S> relation(twin_, ro);
    Conjuncts conjuncts(relation.terms(), options_.solver, relation.leaves(), relation.variables());
    std::vector<Truth> guides;
    if constexpr (Open<S>) {
      const auto assumed = [](const S& s, const auto& state) { return s.assumed(state); };
      const auto given = relation.conjuncts("what is assumed", assumed);
      conjuncts.assume(given);
      for (const Truth& t : given) relation.assume(t);
    }
    for (const auto& i : goal_.twins) {
      const auto parts = relation.conjuncts(i.name, i.holds_in);
      conjuncts.declare(i.name, parts);
      if (i.guides) guides.insert(guides.end(), parts.begin(), parts.end());
    }
    for (const auto& p : goal_.symbolic)
      if (p.holds_in != nullptr && !implied(p, relation, conjuncts))
        conjuncts.declare(p.info.id, relation.conjuncts(p.info.id, p.holds_in));
    conjuncts.mined(left);
    for (const Truth& t : guides) relation.assume(t);
    for (const Candidate& c : left)
      if (guides_paths(c)) {
        const Leaf& leaf = relation.leaves()[c.leaf];
        relation.assume(member(relation.terms(), leaf.variable, leaf.width, c.values));
      }
    std::vector<KeptPath<S>> paths;
    bool again = false;
    if (!check_open(relation, conjuncts) && !enumerate(relation, paths) &&
        !violated_at_once(relation, conjuncts, paths) && !search(conjuncts, paths)) {
      std::vector<Candidate> kept;
      for (std::size_t i = 0; i < left.size(); ++i)
        if (conjuncts.alive()[i]) kept.push_back(left[i]);
        else again |= guides_paths(left[i]);
      left = std::move(kept);
      const auto claimed = [&](const auto& p) { return check_claims(p, relation, conjuncts, paths); };
      if (!again && std::none_of(goal_.symbolic.begin(), goal_.symbolic.end(), claimed))
        proof_.outcome = Proof::Outcome::proved;
    }
    proof_.steps.assign(relation.log().begin(), relation.log().end());
    proof_.paths = paths.size();
    proof_.kept = conjuncts.kept();
    proof_.effort += relation.terms().effort();
    proof_.checks += relation.terms().checks();
    return again;
  }

  /// The cases in which a predicate does not hold, contradictory ones included: the question that follows rules those
  /// out.
  template <class Predicate>
  std::vector<std::vector<Truth>> cases_against(const std::string& name, Terms& terms, Predicate&& predicate) {
    Solver nothing_assumed(terms, options_.solver);
    Paths cases(nothing_assumed, options_.paths);
    std::vector<std::vector<Truth>> out;
    model::Choices none;
    cases.enumerate(none, name, [&] {
      bool holds = false;
      try {
        holds = predicate();
      } catch (const model::InternalError&) {
      }
      if (!holds) out.push_back(cases.condition());
    });
    return out;
  }

  /// Whether the declared invariants alone say what a property says of states: then it is no conjunct of its own.
  bool implied(const model::Property<S>& property, Relation<S>& relation, Conjuncts& conjuncts) {
    const auto failing = cases_against(property.info.id, relation.terms(), [&] {
      return property.holds_in(twin_, relation.before());
    });
    std::vector<std::uint64_t> state;
    return std::all_of(failing.begin(), failing.end(), [&](const auto& condition) {
      return conjuncts.possible(condition, state) == Answer::unsatisfiable;
    });
  }

  /// Fields that never change make most paths impossible.
  static bool guides_paths(const Candidate& c) { return !c.counter && c.values.size() <= 2; }

  /// Initial states with open values. True: the answer is known.
  bool check_open(Relation<S>& relation, Conjuncts& conjuncts) {
    if constexpr (Open<S>) {
      std::vector<std::size_t> inputs;
      for (std::size_t i = 0; i < relation.leaves().size(); ++i)
        if (twin_.is_input(relation.leaves()[i].name)) inputs.push_back(i);
      if (const std::string reader = conjuncts.reads(inputs); !reader.empty())
        throw UsageError("'" + reader + "' reads an input: an invariant may read parameters and the state");
      for (const auto& [name, formula] : conjuncts.declared()) {
        const Truth then = relation.terms().substitute(formula, relation.variables(), initial(relation));
        Solver solver(relation.terms(), options_.solver);
        for (const Truth& t : conjuncts.given()) solver.add(t);
        solver.add(negate(then));
        const Answer a = solver.check();
        if (a == Answer::unsatisfiable) continue;
        proof_.failing = name;
        if (a == Answer::unknown) return give_up("an initial state");
        std::vector<std::uint64_t> numbers;
        for (const Value& v : initial(relation)) numbers.push_back(solver.value(v));
        State s = shape_of(spec_);
        assign(s, numbers);
        return fails_initially(s);
      }
    }
    return false;
  }

  bool give_up(const std::string& where) {
    proof_.outcome = Proof::Outcome::unknown;
    proof_.reason = "the solver reached its limit on " + where;
    return true;
  }
  bool interrupted() {
    if (options_.interrupted == nullptr || !options_.interrupted->load()) return false;
    proof_.outcome = Proof::Outcome::unknown;
    proof_.reason = "interrupted";
    return true;
  }

  std::vector<Value> initial(Relation<S>& relation) const {
    auto s = relation.before();
    if constexpr (Open<S>) twin_.begin(s);
    return values_of(s);
  }

  bool enumerate(Relation<S>& relation, std::vector<KeptPath<S>>& paths);
  bool violated_at_once(Relation<S>& relation, Conjuncts& conjuncts, const std::vector<KeptPath<S>>& paths);
  bool search(Conjuncts& conjuncts, const std::vector<KeptPath<S>>& paths);
  bool check_claims(const model::Property<S>& property, Relation<S>& relation, Conjuncts& conjuncts,
                    const std::vector<KeptPath<S>>& paths);
  void confirm(std::span<const std::uint64_t> numbers, const KeptPath<S>& path);
  const char* name_of(unsigned instance) const { return twin_.steps()[twin_.step_of(instance)].name; }

  const C& spec_;
  const S& twin_;
  const ProofGoal<C, S>& goal_;
  const ProveOptions& options_;
  Proof proof_;
};

/// True: the call was interrupted.
template <class C, class S>
bool Prover<C, S>::enumerate(Relation<S>& relation, std::vector<KeptPath<S>>& paths) {
  for (unsigned instance = 0; instance < twin_.instances(); ++instance) {
    if (interrupted()) return true;
    relation.for_each_path(instance, [&](StepPath<S>& p) {
      if (!p.enabled && p.broken.empty()) return;
      auto values = values_of(p.after);
      paths.push_back({instance, p.picks, p.condition, p.broken, p.events, p.after, std::move(values)});
    });
  }
  if (options_.progress) options_.progress(std::to_string(paths.size()) + " paths");
  return false;
}

/// A first step that violates a property is a violation, whatever the invariants say. For open values only: runs of
/// plain numbers are the explorer's. True: there is one.
template <class C, class S>
bool Prover<C, S>::violated_at_once(Relation<S>& relation, Conjuncts& conjuncts,
                                    const std::vector<KeptPath<S>>& paths) {
  if constexpr (!Open<S>) return false;
  std::vector<Truth> at_start;
  const auto start = initial(relation);
  for (std::size_t i = 0; i < start.size(); ++i)
    if (start[i] != relation.variables()[i])
      at_start.push_back(Truth::from(apply(Op::equal, relation.leaves()[i].width, relation.variables()[i], start[i])));
  const auto happens = [&](const KeptPath<S>& p, const std::vector<Truth>& also) {
    auto condition = at_start;
    condition.insert(condition.end(), p.condition.begin(), p.condition.end());
    condition.insert(condition.end(), also.begin(), also.end());
    std::vector<std::uint64_t> numbers;
    if (conjuncts.possible(condition, numbers) != Answer::satisfiable) return false;
    confirm(numbers, p);
    proof_.outcome = Proof::Outcome::refuted;
    return true;
  };
  for (const auto& p : paths) {
    Solver first(relation.terms(), options_.solver);
    for (const Truth& t : at_start) first.add(t);
    for (const Truth& t : p.condition) first.add(t);
    if (first.check() == Answer::unsatisfiable) continue;
    for (const auto& property : goal_.symbolic) {
      if (property.holds_in != nullptr)
        for (const auto& c : cases_against(property.info.id, relation.terms(),
                                           [&] { return property.holds_in(twin_, p.after); }))
          if (happens(p, c)) return true;
      if (property.holds_on == nullptr) continue;
      for (const auto& event : p.events)
        if (property.relevant_on == nullptr || property.relevant_on(event))
          for (const auto& c : cases_against(property.info.id, relation.terms(), [&] {
                 return property.holds_on(twin_, relation.before(), p.after, event);
               }))
            if (happens(p, c)) return true;
    }
  }
  return false;
}

/// Looks for what all paths keep. True: the answer is known.
template <class C, class S>
bool Prover<C, S>::search(Conjuncts& conjuncts, const std::vector<KeptPath<S>>& paths) {
  // Until all paths in a row have kept what is left.
  std::size_t in_a_row = 0;
  std::string gave_up;
  for (std::size_t i = 0; in_a_row < paths.size(); i = (i + 1) % paths.size()) {
    if ((i & 0x3f) == 0 && interrupted()) return true;
    const auto& p = paths[i];
    std::vector<std::uint64_t> numbers;
    if (!p.broken.empty()) {
      const Answer a = conjuncts.possible(p.condition, numbers);
      if (a == Answer::satisfiable) return confirm(numbers, p), true;
      if (a == Answer::unknown) gave_up = name_of(p.instance);
      ++in_a_row;
      continue;
    }
    const auto broken = conjuncts.breakable(p.condition, p.values);
    if (broken.answer == Answer::satisfiable) return confirm(broken.before, p), true;
    if (broken.answer == Answer::unknown) gave_up = name_of(p.instance);
    in_a_row = broken.dropped ? 1 : in_a_row + 1;
  }
  return !gave_up.empty() && give_up(gave_up);
}

/// What the property says of events, on every path that has one. True: the answer is known.
template <class C, class S>
bool Prover<C, S>::check_claims(const model::Property<S>& property, Relation<S>& relation, Conjuncts& conjuncts,
                                const std::vector<KeptPath<S>>& paths) {
  if (property.holds_on == nullptr) return false;
  for (const auto& p : paths)
    for (const auto& event : p.events) {
      if (property.relevant_on != nullptr && !property.relevant_on(event)) continue;
      auto failing = cases_against(property.info.id, relation.terms(), [&] {
        return property.holds_on(twin_, relation.before(), p.after, event);
      });
      for (auto& condition : failing) {
        condition.insert(condition.end(), p.condition.begin(), p.condition.end());
        std::vector<std::uint64_t> numbers;
        const Answer a = conjuncts.possible(condition, numbers);
        if (a == Answer::unsatisfiable) continue;
        if (a == Answer::unknown) return give_up(name_of(p.instance));
        return confirm(numbers, p), true;
      }
    }
  return false;
}

/// Fires the concrete step from the solver's state and fills the report. The concrete specification must confirm it.
template <class C, class S>
void Prover<C, S>::confirm(std::span<const std::uint64_t> numbers, const KeptPath<S>& path) {
  State before = shape_of(spec_);
  assign(before, numbers);
  proof_.outcome = Proof::Outcome::not_inductive;
  proof_.step = name_of(path.instance);
  proof_.instance = path.instance;
  proof_.picks = path.picks;
  proof_.before = model::describe(before);
  const auto usual = model::describe(shape_of(spec_));
  std::erase_if(proof_.before, [&, i = std::size_t{0}](const auto& f) mutable { return f == usual[i++]; });
  if (const std::string f = failing(before); !f.empty())
    throw model::InternalError("the state before a counterexample to induction does not satisfy: " + f);
  bool confirmed = false;
  model::StepContext<typename C::Event> cx;
  model::for_each_choice(cx, [&] {
    if (confirmed) return;
    State after = before;
    std::string why;
    try {
      if (!spec_.fire(after, path.instance, cx) || taken(cx.choices()) != path.picks) return;
      for (const auto& p : goal_.properties)
        for (const auto& e : cx.events())
          if (why.empty() && p.holds_on != nullptr && (p.relevant_on == nullptr || p.relevant_on(e)) &&
              !p.holds_on(spec_, before, after, e))
            why = p.info.id;
      if (why.empty()) why = failing(after);
    } catch (const model::InternalError& e) {
      if (taken(cx.choices()) != path.picks) return;
      why = "no internal error";
      proof_.reason = e.what();
    }
    if (why.empty()) return;
    confirmed = true;
    proof_.failing = why;
    proof_.changes = model::difference(before, after);
  });
  if (!confirmed)
    throw model::InternalError("the explorer does not confirm the counterexample to induction of " + proof_.step);
}

}  // namespace detail

/// Proves the properties with all that is declared beside it. `candidates` may help and need not hold.
template <class C, class S>
Proof prove(const C& spec, const S& twin, const ProofGoal<C, S>& goal, std::span<const Candidate> candidates,
            const ProveOptions& options = {}) {
  IOMC_PRE(goal.invariants.size() == goal.twins.size());
  return detail::Prover<C, S>(spec, twin, goal, options).run(candidates);
}

/// The result as text, a counterexample to induction under that heading.
std::string text(const Proof& p);

}  // namespace iomc::check::symbolic
