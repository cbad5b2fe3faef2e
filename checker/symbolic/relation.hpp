// SPDX-License-Identifier: GPL-2.0-or-later
// The transition relation of a specification, its agreement with the explorer's steps, and one-step induction.
//
// A specification is here a pair of instances of one template, S<Concrete> and S<Symbolic>, made with the same
// parameters. Its state type is a template over the domain too. Nothing is described a second time:
//
//   const Magazine<Concrete> spec(sizes);
//   const Magazine<Symbolic> twin(sizes);
//   const std::vector<Lemma<Magazine>> lemmas{{"no address twice", [](const auto& s, const auto& st) { return …; }}};
//   const Induction proof = induct(spec, twin, lemmas);
#pragma once

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "checker/explicit/replay.hpp"
#include "checker/symbolic/domains.hpp"
#include "checker/symbolic/paths.hpp"
#include "model/reflect.hpp"
#include "model/step.hpp"

namespace iomc::check::symbolic {

/// A field of the state and the variable that stands for it before a step.
struct Leaf {
  std::string name;
  Value variable;
  unsigned width;
  model::Range range;
};

/// What the enumeration of one step instance took.
struct StepPaths {
  unsigned instance = 0;
  std::string step;
  std::size_t paths = 0;
  std::size_t enabled = 0;  ///< paths on which the step is taken
  std::uint64_t checks = 0;
  double seconds = 0;
};

/// "iova_rcache_get (3): 12 paths, 9 enabled, 40 checks, 0.012 s"
std::string line(const StepPaths& s);

/// One row a step, instances summed, and a total: for test logs.
std::string table(std::span<const StepPaths> instances);

struct FixedField {
  std::string name;
  std::uint64_t value;
};

struct RelationOptions {
  PathLimits paths;
  SolverOptions solver;
  /// Fields to make constants in the enumeration of an instance (a program counter, say). The rest of the states is
  /// enumerated too, under the opposite assumption: the relation stays whole.
  std::function<std::vector<FixedField>(unsigned instance)> fix;
  std::function<void(const StepPaths&)> log;  ///< called after each instance
  std::function<bool(unsigned instance)> include;  ///< agree: compare these instances only; all where empty
  /// The values that each field may have before a step, in the order of the leaves; empty: its declared range. A field
  /// with a single one is a constant, and no variable.
  std::vector<Values> values;
};

/// One path of one step instance.
template <class Spec>
struct StepPath {
  std::vector<Truth> condition;  ///< all of these, over the variables of the state before
  bool enabled = false;
  std::string broken;            ///< the internal error it ends in, or empty
  std::vector<unsigned> picks;
  typename Spec::State after;    ///< as before the step where it is not enabled
  std::vector<typename Spec::Event> events;
  model::CostCount cost;
};

namespace detail {

Truth within(const Value& v, unsigned width, model::Range r);
/// Conjunction and disjunction that Z3 need not read.
Truth all(std::span<const Truth> of);
Truth some(std::span<const Truth> of);
Truth one_of(Terms& terms, const Value& v, unsigned width, const Values& values);
std::vector<unsigned> taken(const model::Choices& choices);
/// The disjunction of `any`, negated, as conjuncts: no state of the excluded ones.
std::vector<Truth> none_of(Terms& terms, std::span<const std::vector<Truth>> excluded);

template <class State>
std::vector<Value> values_of(const State& s) {
  std::vector<Value> out;
  model::for_each_value(s, [&](const auto& v, model::Range) { out.push_back(v.value()); });
  return out;
}

template <class State>
std::vector<std::uint64_t> numbers_of(const State& s) {
  std::vector<std::uint64_t> out;
  model::for_each_value(s, [&](const auto& v, model::Range) { out.push_back(v.raw()); });
  return out;
}

template <class State>
void assign(State& s, std::span<const std::uint64_t> numbers) {
  std::size_t i = 0;
  model::for_each_value(s, [&](auto& v, model::Range) { v = std::remove_reference_t<decltype(v)>(numbers[i++]); });
}

/// An initial state, for its shape (a state may hold vectors).
template <class Spec>
typename Spec::State shape_of(const Spec& spec) {
  model::StepContext<typename Spec::Event> cx;
  typename Spec::State s{};
  spec.initial(s, cx);
  return s;
}

}  // namespace detail

/// The relation of a specification over the symbolic domain. Not movable: values point into it.
template <class Spec>
class Relation {
 public:
  using State = typename Spec::State;
  using Path = StepPath<Spec>;

  explicit Relation(const Spec& spec, RelationOptions options = {})
      : spec_(spec),
        options_(std::move(options)),
        solver_(terms_, options_.solver),
        paths_(solver_, options_.paths),
        before_(detail::shape_of(spec)) {
    if (!options_.values.empty()) paths_.decide_by(domains_, true);
    model::for_each_leaf(before_, [&](const std::string& name, auto& v, model::Range r) {
      using Field = std::remove_reference_t<decltype(v)>;
      if (const Values* of = values_of_leaf(); of != nullptr && of->single()) {
        leaves_.push_back({name, {of->first(), nullptr}, Field::width, r});
        variables_.push_back(leaves_.back().variable);
        v = Field(of->first());
        return;
      }
      leaves_.push_back({name, terms_.variable(name, Field::width), Field::width, r});
      variables_.push_back(leaves_.back().variable);
      v = Field::from(leaves_.back().variable);
      declare(leaves_.back());
    });
  }
  Relation(const Relation&) = delete;
  Relation& operator=(const Relation&) = delete;

  const State& before() const { return before_; }
  std::span<const Leaf> leaves() const { return leaves_; }
  std::span<const Value> variables() const { return variables_; }
  Terms& terms() { return terms_; }
  Solver& solver() { return solver_; }
  /// Where values were given: what is possible for each field on the path being told.
  Domains& domains() { return domains_; }
  std::span<const StepPaths> log() const { return log_; }

  /// From now on only states in which `t` holds.
  void assume(Truth t) {
    solver_.add(t);
    settled_ = false;
    if (!options_.values.empty()) paths_.decide_by(domains_, false);
  }

  /// A predicate on the state, `bool(const Spec&, const State&)`, as conjuncts over the variables. Enumerated by paths
  /// under what is assumed so far; a path that ends in an internal error counts as false.
  template <class Predicate>
  std::vector<Truth> conjuncts(const std::string& name, const Predicate& predicate) {
    std::vector<std::vector<Truth>> excluded;
    model::Choices none;
    settle();
    paths_.enumerate(none, name, [&] {
      bool holds = false;
      try {
        holds = static_cast<bool>(predicate(spec_, before_));
      } catch (const model::InternalError&) {
      }
      if (!holds) excluded.push_back(paths_.condition());
    });
    return detail::none_of(terms_, excluded);
  }

  /// The paths of `holds()`, a predicate on the state before or on what a path made of it, under `given`: the
  /// conditions of those on which it is false. A path that ends in an internal error counts as false.
  std::vector<std::vector<Truth>> failures(const std::string& name, std::span<const Truth> given,
                                           const std::function<bool()>& holds) {
    std::vector<std::vector<Truth>> out;
    model::Choices none;
    settle();
    const Paths::Given held(paths_, given);
    paths_.enumerate(none, name, [&] {
      bool ok = false;
      try {
        ok = holds();
      } catch (const model::InternalError&) {
      }
      if (!ok) out.push_back(paths_.condition());
    });
    return out;
  }

  /// Calls f(path) for each feasible path of an instance; meanwhile the solver holds the path's condition.
  template <class F>
  void for_each_path(unsigned instance, F&& f) {
    StepPaths row{instance, spec_.steps()[spec_.step_of(instance)].name, 0, 0, 0, 0};
    const auto start = std::chrono::steady_clock::now();
    const std::uint64_t checks = solver_.checks();
    settle();
    const bool fixes = options_.fix && options_.values.empty();  // values make a counter a constant by themselves
    const auto fixed = fixes ? options_.fix(instance) : std::vector<FixedField>{};
    const auto run = [&](const State& from, std::span<const Truth> given) {
      const Scope scope(solver_);
      for (const Truth& t : given) solver_.add(t);
      enumerate(instance, from, given, row, f);
    };
    if (fixed.empty()) {
      run(before_, {});
    } else {
      State from = before_;
      const std::vector<Truth> here = fix(from, fixed);
      run(from, here);
      const std::vector<Truth> elsewhere{negate(detail::all(here))};
      run(before_, elsewhere);
    }
    row.checks = solver_.checks() - checks;
    row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (options_.log) options_.log(row);
    log_.push_back(row);
  }

  std::vector<Path> paths(unsigned instance) {
    std::vector<Path> out;
    for_each_path(instance, [&](Path& p) { out.push_back(std::move(p)); });
    return out;
  }

 private:
  template <class F>
  void enumerate(unsigned instance, const State& from, std::span<const Truth> given, StepPaths& row, F&& f) {
    const std::string what = row.step + " (" + std::to_string(instance) + ")";
    model::StepContext<typename Spec::Event> cx;
    row.paths += paths_.enumerate(cx.choices(), what, [&] {
      cx.begin();
      cx.reset_cost();
      Path p;
      p.after = from;
      try {
        p.enabled = static_cast<bool>(spec_.fire(p.after, instance, cx));
      } catch (const model::InternalError& e) {
        p.broken = e.what();
      }
      if (p.enabled) ++row.enabled;
      p.condition.assign(given.begin(), given.end());
      const auto decided = paths_.condition();
      p.condition.insert(p.condition.end(), decided.begin(), decided.end());
      p.picks = detail::taken(cx.choices());
      p.events.assign(cx.events().begin(), cx.events().end());
      p.cost = cx.counted();
      f(p);
    });
  }

  const Values* values_of_leaf() const { return options_.values.empty() ? nullptr : &options_.values[leaves_.size()]; }

  /// The range of a field, and where they are given its values.
  void declare(const Leaf& leaf) {
    solver_.add(detail::within(leaf.variable, leaf.width, leaf.range));
    if (options_.values.empty()) return;
    const Values& values = options_.values[leaves_.size() - 1];
    domains_.set(leaf.variable.term, values);
    if (!values.any) solver_.add(detail::one_of(terms_, leaf.variable, leaf.width, values));
  }

  /// What the solver first looks at inside a scope it forgets at the end of it, translation to clauses included.
  void settle() {
    if (!settled_) solver_.check();
    settled_ = true;
  }

  std::vector<Truth> fix(State& state, const std::vector<FixedField>& fixed) {
    std::vector<Truth> out;
    for (const FixedField& field : fixed) {
      const auto at = std::find_if(leaves_.begin(), leaves_.end(), [&](const Leaf& l) { return l.name == field.name; });
      if (at == leaves_.end()) throw UsageError("there is no field '" + field.name + "' to fix");
      std::size_t i = static_cast<std::size_t>(at - leaves_.begin());
      out.push_back(Truth::from(apply(Op::equal, at->width, at->variable, {field.value, nullptr})));
      model::for_each_value(state, [&](auto& v, model::Range) {
        if (i-- == 0) v = std::remove_reference_t<decltype(v)>(field.value);
      });
    }
    return out;
  }

  const Spec& spec_;
  RelationOptions options_;
  Terms terms_;
  Solver solver_;
  Domains domains_;
  Paths paths_;
  State before_;
  std::vector<Leaf> leaves_;
  std::vector<Value> variables_;
  std::vector<StepPaths> log_;
  bool settled_ = false;
};

}  // namespace iomc::check::symbolic
