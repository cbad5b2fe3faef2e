// SPDX-License-Identifier: GPL-2.0-or-later
// Questions about the states that runs of at most K steps reach, and what those runs cost, answered by Z3 over the
// specification's relation. Include it before the specification.
#pragma once

#include "checker/ask/answer.hpp"
#include "checker/ask/fields.hpp"
#include "checker/symbolic/bmc.hpp"
#include "checker/symbolic/costliest.hpp"

namespace iomc::check::ask {

struct BoundedOptions {
  unsigned rlimit = 400'000'000;  ///< of one check
  const std::atomic<bool>* interrupted = nullptr;
  std::function<void(const std::string&)> tell;
};

template <class C, class S>
class Bounded {
 public:
  Bounded(const C& spec, const S& twin, const Question& question, const Fields& fields, BoundedOptions options)
      : spec_(spec), question_(question), fields_(fields), options_(std::move(options)),
        closure_(spec, twin, {}, closure_options()), terms_(closure_.relation().terms()),
        leaves_(closure_.relation().leaves()), solver_(terms_, limits()) {
    if (options_.tell) options_.tell(line(closure_.size()));
    for (const auto& n : question.names) shown_.push_back(fields.index(n));
    for (std::size_t i = 0; i < leaves_.size(); ++i)
      if (closure_.relation().variables()[i].symbolic()) open_.push_back(i), before_.push_back(leaves_[i].variable);
    collect_events();
    begin();
  }

  Answer run() {
    Answer out;
    out.engine = "symbolic";
    out.covers = "runs of at most " + std::to_string(*question_.within) + " steps";
    switch (question_.verb) {
      case Question::Verb::find: find(out); break;
      case Question::Verb::all: all(out); break;
      default: optimise(out); break;
    }
    out.solver = "z3 " + symbolic::z3_version();
    out.checks = solver_.checks();
    const auto effort = solver_.effort();
    out.rlimit = effort.rlimit;
    out.conflicts = effort.conflicts;
    out.decisions = effort.decisions;
    return out;
  }

 private:
  using Number = symbolic::Word<64>;
  using Truth = symbolic::Truth;
  using Value = symbolic::Value;

  /// Paths of different cost must not become one.
  symbolic::ClosureOptions closure_options() const {
    symbolic::ClosureOptions o;
    if (asks_cost()) o.merge_above = ~std::size_t{0};
    return o;
  }
  symbolic::SolverOptions limits() const {
    symbolic::SolverOptions o;
    o.rlimit = options_.rlimit;
    return o;
  }
  std::vector<Expr> calls() const {
    std::vector<std::string> words;
    std::vector<Expr> out;
    if (question_.measure) collect(*question_.measure, words, out);
    for (const Conjunct& c : question_.where) collect(c.expr, words, out);
    return out;
  }
  bool asks_cost() const { return !calls().empty(); }
  void collect_events() {
    for (const Expr& e : calls()) {
      if (e.text != "cost") throw InputError("question: " + e.text + "() goes with facts and sizes, not with 'within'");
      const auto at = std::find_if(model::cost_names.begin(), model::cost_names.end(),
                                   [&](const char* n) { return e.of[0].text == n; });
      if (at == model::cost_names.end())
        throw InputError("question: there is no event '" + e.of[0].text + "'; see: iomc list events");
      const auto event = static_cast<std::size_t>(at - model::cost_names.begin());
      if (std::find(events_.begin(), events_.end(), event) == events_.end()) events_.push_back(event);
    }
  }

  /// The state after some steps, and what it cost to come there.
  struct Moment {
    std::vector<Value> fields;
    std::vector<Number> paid;  ///< by events_
  };

  class AtMoment : public OverFields<Symbolic> {
   public:
    AtMoment(const Bounded& of, const Moment& m) : OverFields<Symbolic>(of.fields_), of_(of), moment_(m) {}

   protected:
    Number field(std::size_t i) override {
      const Value v = moment_.fields[i];
      if (!v.symbolic()) return Number(v.constant);
      return of_.leaves_[i].width == 64 ? Number::from(v) : Number::from(symbolic::resize(of_.leaves_[i].width, 64, v));
    }
    Number call(const Expr& e) override {
      for (std::size_t i = 0; i < of_.events_.size(); ++i)
        if (e.of[0].text == model::cost_names[of_.events_[i]]) return moment_.paid[i];
      return Number(0);
    }

   private:
    const Bounded& of_;
    const Moment& moment_;
  };

  static Truth same(unsigned width, Value a, Value b) {
    if (!a.symbolic() && !b.symbolic()) return Truth(a.constant == b.constant);
    return Truth::from(symbolic::apply(symbolic::Op::equal, width, a, b));
  }
  void add(Truth t) {
    given_.push_back(t);
    solver_.add(t);
  }

  void begin() {
    any_initial(spec_, [&](const typename C::State& s) {
      auto numbers = symbolic::detail::numbers_of(s);
      if (std::find(initial_.begin(), initial_.end(), numbers) == initial_.end())
        initial_.push_back(std::move(numbers));
      return initial_.size() > most_initial;
    });
    if (initial_.size() > most_initial)
      throw InputError("question: more than " + std::to_string(most_initial) + " initial states; ask without 'within'");
    start_ = terms_.variable("start", 16);
    Moment first;
    for (std::size_t i = 0; i < leaves_.size(); ++i) {
      Value v{initial_[0][i], nullptr};
      for (std::size_t k = 1; k < initial_.size(); ++k)
        if (initial_[k][i] != initial_[k - 1][i]) {
          v = terms_.variable(leaves_[i].name + "@0", leaves_[i].width);
          break;
        }
      first.fields.push_back(v);
    }
    std::vector<Truth> any;
    for (std::size_t k = 0; k < initial_.size(); ++k) {
      std::vector<Truth> all{same(16, start_, {k, nullptr})};
      for (std::size_t i = 0; i < leaves_.size(); ++i)
        all.push_back(same(leaves_[i].width, first.fields[i], {initial_[k][i], nullptr}));
      any.push_back(symbolic::detail::all(all));
    }
    add(symbolic::detail::some(any));
    first.paid.assign(events_.size(), Number(0));
    moments_.push_back(std::move(first));
  }

  /// One step more, or none: a run may end early.
  void lengthen() {
    const auto paths = closure_.paths();
    const std::size_t k = moments_.size();
    const Moment& now = moments_.back();
    const Value pick = terms_.variable("path@" + std::to_string(k), 16);
    add(Truth::from(symbolic::apply(symbolic::Op::less_equal, 16, pick, {paths.size(), nullptr})));
    Moment next = now;
    std::vector<Value> known;
    for (const std::size_t i : open_) known.push_back(now.fields[i]);
    std::vector<std::vector<std::pair<Truth, Value>>> changed(leaves_.size());
    for (std::size_t p = 0; p < paths.size(); ++p) {
      const Truth chosen = same(16, pick, {p, nullptr});
      const Truth condition = terms_.substitute(symbolic::detail::all(paths[p].condition), before_, known);
      if (!paths[p].broken.empty()) {
        add(negate(chosen));
        continue;
      }
      add(either(negate(chosen), condition));
      for (const auto& c : paths[p].changes) changed[c.leaf].emplace_back(chosen, c.value);
      for (std::size_t e = 0; e < events_.size(); ++e)
        if (const std::uint64_t n = paths[p].cost.n[events_[e]]; n != 0)
          next.paid[e] = select(chosen, now.paid[e] + Number(n), next.paid[e]);
    }
    for (std::size_t i = 0; i < leaves_.size(); ++i) {
      if (changed[i].empty()) continue;
      const Value after = terms_.variable(leaves_[i].name + "@" + std::to_string(k), leaves_[i].width);
      Truth stays(true);
      for (const auto& [chosen, value] : changed[i]) {
        stays = both(stays, negate(chosen));
        const Truth is = terms_.substitute(same(leaves_[i].width, after, value), before_, known);
        add(either(negate(chosen), is));
      }
      add(either(negate(stays), same(leaves_[i].width, after, now.fields[i])));
      next.fields[i] = after;
    }
    picks_.push_back(pick);
    moments_.push_back(std::move(next));
    if (options_.tell) options_.tell("step " + std::to_string(k) + " of " + std::to_string(*question_.within));
  }
  bool stopped() const { return options_.interrupted != nullptr && options_.interrupted->load(); }

  /// All steps. False where the run was interrupted.
  bool to_the_end(Answer& out) {
    while (moments_.size() <= *question_.within) {
      if (stopped()) return out.reason = "interrupted", false;
      lengthen();
    }
    return true;
  }

  std::vector<Truth> conditions() {
    AtMoment at(*this, moments_.back());
    std::vector<Truth> out;
    for (const Conjunct& c : question_.where) out.push_back(at.truth(c.expr));
    return out;
  }

  void find(Answer& out) {
    for (;;) {
      const auto wanted = conditions();
      const symbolic::Answer a = check(wanted);
      if (a == symbolic::Answer::satisfiable) {
        out.found.push_back(found());
        out.outcome = Answer::Outcome::answered;
        return;
      }
      if (a == symbolic::Answer::unknown) return void(out.reason = limit_text());
      if (moments_.size() > *question_.within) break;
      if (stopped()) return void(out.reason = "interrupted");
      lengthen();
    }
    excluded(out);
  }

  symbolic::Answer check(const std::vector<Truth>& wanted) {
    const symbolic::Scope scope(solver_);
    for (const Truth& t : wanted) solver_.add(t);
    const symbolic::Answer a = solver_.check();
    if (a == symbolic::Answer::satisfiable) read();
    return a;
  }
  static std::string limit_text() { return "Z3 reached its limit"; }

  void excluded(Answer& out) {
    const auto wanted = conditions();
    out.outcome = Answer::Outcome::unsatisfiable;
    for (const std::size_t i : smallest_core(wanted.size(), [&](const auto& kept) {
           std::vector<Truth> some;
           for (const std::size_t k : kept) some.push_back(wanted[k]);
           return check(some) == symbolic::Answer::unsatisfiable;
         }))
      out.core.push_back(question_.where[i].text);
  }

  void all(Answer& out) {
    if (!to_the_end(out)) return;
    auto wanted = conditions();
    for (;;) {
      if (stopped()) return void(out.reason = "interrupted");
      const symbolic::Answer a = check(wanted);
      if (a == symbolic::Answer::unknown) return void(out.reason = limit_text());
      if (a == symbolic::Answer::unsatisfiable) break;
      out.found.push_back(found());
      Truth again(true);
      for (const std::size_t i : shown_)
        again = both(again, same(leaves_[i].width, moments_.back().fields[i], {last_[i], nullptr}));
      wanted.push_back(negate(again));
      shown_values_.emplace_back();
      for (const std::size_t i : shown_) shown_values_.back().push_back(last_[i]);
    }
    if (out.found.empty()) return excluded(out);
    // In the order of the values, as the other engine has them.
    std::vector<std::size_t> order(out.found.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return shown_values_[a] < shown_values_[b]; });
    std::vector<Found> sorted;
    for (const std::size_t i : order) sorted.push_back(std::move(out.found[i]));
    out.found = std::move(sorted);
    out.outcome = Answer::Outcome::answered;
  }

  void optimise(Answer& out) {
    if (!to_the_end(out)) return;
    const auto wanted = conditions();
    AtMoment at(*this, moments_.back());
    const Number measure = at.number(*question_.measure, nullptr);
    const bool least = question_.verb == Question::Verb::min;
    const Number most = least ? ~measure : measure;
    const symbolic::Answer possible = check(wanted);
    if (possible == symbolic::Answer::unknown) return void(out.reason = limit_text());
    if (possible == symbolic::Answer::unsatisfiable) return excluded(out);
    std::uint64_t best = most.value().constant;
    if (most.value().symbolic()) {
      std::vector<Truth> given = given_;
      given.insert(given.end(), wanted.begin(), wanted.end());
      const auto found = symbolic::maximise(terms_, given, most.value(), 64);
      if (!found.cost) return void(out.reason = found.reason);
      best = *found.cost;
    }
    auto there = wanted;
    there.push_back(most == Number(best));
    if (check(there) != symbolic::Answer::satisfiable) return void(out.reason = limit_text());
    out.found.push_back(found());
    out.found.back().optimum = least ? ~best : best;
    out.outcome = Answer::Outcome::answered;
  }

  /// What the model of the last check says, before the scope that it was made in is gone.
  void read() {
    last_.clear();
    for (std::size_t i = 0; i < leaves_.size(); ++i) {
      const Value v = moments_.back().fields[i];
      last_.push_back(v.symbolic() ? solver_.value(v) : v.constant);
    }
    last_run_ = {};
    last_run_.initial = static_cast<std::size_t>(solver_.value(start_));
    for (const Value& pick : picks_) {
      const std::uint64_t p = solver_.value(pick);
      if (p >= closure_.paths().size()) continue;  // the run had ended
      last_run_.steps.push_back({closure_.paths()[p].instance, closure_.paths()[p].picks});
    }
  }

  /// The concrete specification must come to the same state.
  Found found() {
    symbolic::detail::Decoder<C> decoder(spec_);
    const Path path = decoder.path(last_run_, initial_[last_run_.initial]);
    const Run<C> run = follow(spec_, path);
    const auto& end = run.steps.empty() ? run.initial : run.steps.back().after;
    if (symbolic::detail::numbers_of(end) != last_)
      throw model::InternalError("the explorer does not come to the state that Z3 found, at " + path_text(path));
    Found out;
    for (std::size_t i = 0; i < shown_.size(); ++i)
      out.values.emplace_back(question_.names[i], fields_.text(fields_.names()[shown_[i]], last_[shown_[i]]));
    out.path = path_text(path);
    return out;
  }

  static constexpr std::size_t most_initial = 4096;

  const C& spec_;
  const Question& question_;
  const Fields& fields_;
  BoundedOptions options_;
  symbolic::Closure<C, S> closure_;
  symbolic::Terms& terms_;
  std::span<const symbolic::Leaf> leaves_;
  std::vector<std::size_t> open_;  ///< fields that are no constants…
  std::vector<Value> before_;      ///< …and their variables
  symbolic::Solver solver_;
  std::vector<std::size_t> events_;
  std::vector<std::size_t> shown_;
  std::vector<std::vector<std::uint64_t>> shown_values_;
  std::vector<std::vector<std::uint64_t>> initial_;
  Value start_;
  std::vector<Value> picks_;
  std::vector<Moment> moments_;
  std::vector<Truth> given_;
  std::vector<std::uint64_t> last_;
  symbolic::UnrolledRun last_run_;
};

}  // namespace iomc::check::ask
