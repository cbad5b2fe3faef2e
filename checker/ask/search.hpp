// SPDX-License-Identifier: GPL-2.0-or-later
// Questions about one step of a specification that leaves values open (its parameters, and what is asked of it), from
// any state that its invariants allow, at the declared widths. Include it before the specification.
#pragma once

#include "checker/ask/answer.hpp"
#include "checker/ask/fields.hpp"
#include "checker/symbolic/costliest.hpp"
#include "checker/symbolic/relation.hpp"

namespace iomc::check::ask {

/// What a step gives back, by name: of an event or, without one, nothing.
template <class Spec>
struct Output {
  const char* name;
  std::function<typename Spec::T::Pfn(const typename Spec::Event&)> of;
};

/// C and S are the two instances; `outputs` belong to events that `wanted` picks; `granted` is 1 where there is one.
template <class C, class S>
class Search {
 public:
  using Number = symbolic::Word<64>;
  using Truth = symbolic::Truth;

  Search(const C& spec, const S& twin, const Question& question, unsigned instance,
         std::function<bool(const typename S::Event&)> wanted,
         std::function<bool(const typename C::Event&)> wanted_plain,
         std::vector<Output<S>> outputs, std::vector<Output<C>> plain_outputs,
         std::vector<std::pair<std::string, std::function<bool(const S&, const typename S::State&)>>> given)
      : spec_(spec), question_(question), instance_(instance), wanted_plain_(std::move(wanted_plain)),
        plain_outputs_(std::move(plain_outputs)), relation_(twin, options()), fields_(relation_.before(), {}),
        solver_(relation_.terms(), limits()), values_(*this) {
    for (const auto& [name, predicate] : given)
      for (const Truth& t : relation_.conjuncts(name, predicate)) {
        relation_.assume(t);
        add(t);
      }
    for (const auto& leaf : relation_.leaves())
      add(symbolic::detail::within(leaf.variable, leaf.width, leaf.range));
    names_.emplace_back("granted");
    for (const auto& o : outputs) names_.emplace_back(o.name);
    for (const auto& n : names_) results_.push_back(relation_.terms().template word<64>("result " + n));
    std::vector<Truth> ways;
    relation_.for_each_path(instance, [&](symbolic::StepPath<S>& p) {
      if (!p.enabled || !p.broken.empty()) return;
      Truth way = symbolic::detail::all(p.condition);
      const typename S::Event* event = nullptr;
      for (const auto& e : p.events)
        if (wanted(e)) event = &e;
      way = both(way, results_[0] == Number(event != nullptr ? 1 : 0));
      for (std::size_t i = 0; i < outputs.size(); ++i)
        way = both(way, results_[i + 1] == (event != nullptr ? outputs[i].of(*event).template to<64>() : Number(0)));
      ways.push_back(way);
    });
    add(symbolic::detail::some(ways));
  }

  Answer run() {
    Answer out;
    out.engine = "symbolic";
    std::vector<Truth> wanted;
    for (const Conjunct& c : question_.where) wanted.push_back(values_.truth(c.expr));
    if (question_.verb == Question::Verb::all)
      throw InputError("question: all values of 64 bits are too many; ask find, min or max");
    const symbolic::Answer possible = check(wanted);
    if (possible == symbolic::Answer::unsatisfiable) {
      out.outcome = Answer::Outcome::unsatisfiable;
      for (const std::size_t i : smallest_core(wanted.size(), [&](const auto& kept) {
             std::vector<Truth> some;
             for (const std::size_t k : kept) some.push_back(wanted[k]);
             return check(some) == symbolic::Answer::unsatisfiable;
           }))
        out.core.push_back(question_.where[i].text);
    } else if (possible == symbolic::Answer::satisfiable && question_.measure) {
      optimise(out, std::move(wanted));
    } else if (possible == symbolic::Answer::satisfiable) {
      out.found.push_back(found());
      out.outcome = Answer::Outcome::answered;
    }
    if (out.outcome == Answer::Outcome::unknown && out.reason.empty()) out.reason = "Z3 reached its limit";
    out.solver = "z3 " + symbolic::z3_version();
    out.checks = solver_.checks();
    const auto effort = solver_.effort();
    out.rlimit = effort.rlimit;
    out.conflicts = effort.conflicts;
    out.decisions = effort.decisions;
    return out;
  }

 private:
  static symbolic::SolverOptions limits() {
    symbolic::SolverOptions o;
    o.rlimit = 400'000'000;
    o.logic = symbolic::wide_logic;
    return o;
  }
  static symbolic::RelationOptions options() {
    symbolic::RelationOptions o;
    o.paths.paths = 20'000;
    o.solver.logic = symbolic::wide_logic;
    return o;
  }

  class Values : public OverFields<Symbolic> {
   public:
    explicit Values(Search& of) : OverFields<Symbolic>(of.fields_), of_(of) {}

   protected:
    bool is_name(const std::string& w) override { return of_.result(w) != nullptr || OverFields<Symbolic>::is_name(w); }
    Number name(const std::string& w) override {
      if (const Number* r = of_.result(w)) return *r;
      return OverFields<Symbolic>::name(w);
    }
    Number field(std::size_t i) override {
      const auto& leaf = of_.relation_.leaves()[i];
      return leaf.width == 64 ? Number::from(leaf.variable)
                              : Number::from(symbolic::resize(leaf.width, 64, leaf.variable));
    }

   private:
    Search& of_;
  };

  const Number* result(const std::string& name) const {
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (names_[i] == name) return &results_[i];
    return nullptr;
  }
  void add(Truth t) {
    given_.push_back(t);
    solver_.add(t);
  }
  symbolic::Answer check(const std::vector<Truth>& wanted) {
    const symbolic::Scope scope(solver_);
    for (const Truth& t : wanted) solver_.add(t);
    const symbolic::Answer a = solver_.check();
    if (a != symbolic::Answer::satisfiable) return a;
    state_.clear();
    for (const auto& v : relation_.variables()) state_.push_back(v.symbolic() ? solver_.value(v) : v.constant);
    result_values_.clear();
    for (const Number& r : results_) result_values_.push_back(solver_.value(r.value()));
    return a;
  }

  void optimise(Answer& out, std::vector<Truth> wanted) {
    const Number measure = values_.number(*question_.measure, nullptr);
    const bool least = question_.verb == Question::Verb::min;
    const Number most = least ? ~measure : measure;
    std::uint64_t best = most.value().constant;
    if (most.value().symbolic()) {
      std::vector<Truth> given = given_;
      given.insert(given.end(), wanted.begin(), wanted.end());
      const auto found = symbolic::maximise(relation_.terms(), given, most.value(), 64);
      if (!found.cost) return void(out.reason = found.reason);
      best = *found.cost;
    }
    wanted.push_back(most == Number(best));
    if (check(wanted) != symbolic::Answer::satisfiable) return;
    out.found.push_back(found());
    out.found.back().optimum = least ? ~best : best;
    out.outcome = Answer::Outcome::answered;
  }

  /// The concrete specification must give back the same.
  Found found() {
    typename C::State before = symbolic::detail::shape_of(spec_);
    symbolic::detail::assign(before, state_);
    bool confirmed = false;
    model::StepContext<typename C::Event> cx;
    model::for_each_choice(cx, [&] {
      auto after = before;
      if (!spec_.fire(after, instance_, cx)) return;
      std::vector<std::uint64_t> results(names_.size());
      for (const auto& e : cx.events())
        if (wanted_plain_(e)) {
          results[0] = 1;
          for (std::size_t i = 0; i < plain_outputs_.size(); ++i) results[i + 1] = plain_outputs_[i].of(e).raw();
        }
      confirmed = confirmed || results == result_values_;
    });
    if (!confirmed) throw model::InternalError("the explorer does not confirm Z3's answer");
    Found out;
    const auto add = [&](const std::string& name, std::uint64_t value) {
      out.values.emplace_back(name, value > 0xffff ? hex(value) : std::to_string(value));
    };
    for (const auto& n : question_.names) {
      if (result(n) != nullptr)
        add(n, result_values_[static_cast<std::size_t>(result(n) - results_.data())]);
      else
        add(n, state_[fields_.index(n)]);
    }
    return out;
  }
  static std::string hex(std::uint64_t v) {
    std::string out;
    for (; v != 0; v >>= 4) out.insert(out.begin(), "0123456789abcdef"[v & 15]);
    return "0x" + out;
  }

  const C& spec_;
  const Question& question_;
  unsigned instance_;
  std::function<bool(const typename C::Event&)> wanted_plain_;
  std::vector<Output<C>> plain_outputs_;
  symbolic::Relation<S> relation_;
  Fields fields_;
  symbolic::Solver solver_;
  Values values_;
  std::vector<std::string> names_;
  std::vector<Number> results_;
  std::vector<Truth> given_;
  std::vector<std::uint64_t> state_;
  std::vector<std::uint64_t> result_values_;
};

}  // namespace iomc::check::ask
