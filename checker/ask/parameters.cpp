// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/symbolic/value.hpp"  // before the evaluation: its free functions are found by qualified name

#include "checker/ask/parameters.hpp"

#include <algorithm>
#include <map>
#include <memory>

#include "checker/ask/evaluate.hpp"
#include "checker/symbolic/terms.hpp"

namespace iomc::check::ask {

namespace {

using symbolic::Solver;
using symbolic::Symbolic;
using symbolic::Terms;
using symbolic::Truth;
using symbolic::Word;
using Number = Word<64>;

/// A name that the question leaves open.
struct Parameter {
  std::string name;
  Allowed allowed;
  Number variable;

  std::string text(std::uint64_t v) const { return allowed.words.empty() ? std::to_string(v) : allowed.words[v]; }
};

using Assignment = std::vector<std::uint64_t>;

class Parameters : private Evaluation<Symbolic> {
 public:
  Parameters(const Question& question, const System& system, const CheckRequest& request)
      : question_(question), system_(system), request_(request) {
    std::vector<std::string> words = question.names;
    if (question.measure) collect(*question.measure, words, calls_);
    for (const Conjunct& c : question.where) collect(c.expr, words, calls_);
    for (const auto& n : question.names) open(n);
    if (question.measure) {
      std::vector<std::string> measured;
      std::vector<Expr> none;
      collect(*question.measure, measured, none);
      for (const auto& n : measured) open(n);
    }
    // A name with a range of its own is open, too: cpus in 1..3.
    for (const Conjunct& c : question.where)
      if (c.text.find(" in ") != std::string::npos && c.expr.kind == Expr::Kind::conjunction)
        open(c.expr.of[0].of[0].text);
    for (const Expr& c : calls_)
      if (c.text == "cost") throw InputError("question: cost(" + c.of[0].text + ") needs 'within K steps'");
    for (const Conjunct& c : question.where) conditions_.push_back(truth(c.expr));
    bound_numbers();
  }

  Answer run() {
    Answer out;
    out.engine = "symbolic";
    out.covers = "every value of " + names();
    switch (question_.verb) {
      case Question::Verb::find:
      case Question::Verb::all: find(out); break;
      default: optimise(out); break;
    }
    if (out.outcome == Answer::Outcome::answered && out.found.empty()) {
      out.outcome = Answer::Outcome::unsatisfiable;
      if (undecided_.empty())
        for (const std::size_t i : smallest_core(conditions_.size(), [&](const auto& kept) { return !possible(kept); }))
          out.core.push_back(question_.where[i].text);
    }
    if (!undecided_.empty()) {
      out.reason = "inconclusive where " + undecided_;
      if (out.outcome != Answer::Outcome::answered || question_.verb != Question::Verb::find)
        out.outcome = Answer::Outcome::unknown;
    }
    out.solver = "z3 " + symbolic::z3_version();
    out.checks = checks_;
    out.rlimit = effort_.rlimit;
    out.conflicts = effort_.conflicts;
    out.decisions = effort_.decisions;
    return out;
  }

 private:
  // ---- names -----------------------------------------------------------------------------------------------------

  void open(const std::string& name) {
    for (const Parameter& p : parameters_)
      if (p.name == name) return;
    auto allowed = system_.possible(name);
    if (!allowed) throw InputError("question: " + system_.name() + " has no fact or size '" + name + "'");
    parameters_.push_back({name, std::move(*allowed), Number::from(terms_.variable(name, 64))});
  }

  /// A number has the bounds that the question gives it, where its own leave it open.
  void bound_numbers() {
    for (const Parameter& p : parameters_) {
      std::uint64_t hi = p.allowed.words.empty() ? p.allowed.hi : p.allowed.words.size() - 1;
      if (hi == ~std::uint64_t{0}) {
        const bool ranged = std::any_of(question_.where.begin(), question_.where.end(),
                                        [&](const Conjunct& c) { return c.text.starts_with(p.name + " in "); });
        if (!ranged) throw InputError("question: " + p.name + " may be any number; add " + p.name + " in A..B");
      }
      const std::uint64_t lo = p.allowed.words.empty() ? p.allowed.lo : 0;
      given_.push_back(both(p.variable >= Number(lo), p.variable <= Number(hi)));
    }
  }

  std::string names() const {
    std::string out;
    for (const Parameter& p : parameters_) out += (out.empty() ? "" : ", ") + p.name;
    return out;
  }

  bool is_name(const std::string& word) override { return system_.possible(word).has_value(); }
  Number name(const std::string& word) override {
    for (const Parameter& p : parameters_)
      if (p.name == word) return p.variable;
    const auto allowed = system_.possible(word);
    if (!allowed) throw InputError("question: " + system_.name() + " has no fact or size '" + word + "'");
    for (const auto* list : {&request_.sizes, &request_.facts})
      for (const auto& [n, value] : *list)
        if (n == word) return Number(number_of(word, *allowed, value));
    throw InputError("question: " + word + " has no value here; ask for it, or give --set " + word + "=VALUE");
  }
  static std::uint64_t number_of(const std::string& name, const Allowed& allowed, const std::string& value) {
    for (std::size_t i = 0; i < allowed.words.size(); ++i)
      if (allowed.words[i] == value) return i;
    try {
      return std::stoull(value);
    } catch (const std::exception&) {
      throw InputError("question: " + name + " is '" + value + "' here, which is no number");
    }
  }
  std::optional<std::uint64_t> word_of(const std::string& name, const std::string& word) override {
    const auto allowed = system_.possible(name);
    if (!allowed) return std::nullopt;
    for (std::size_t i = 0; i < allowed->words.size(); ++i)
      if (allowed->words[i] == word) return i;
    if (allowed->words.empty()) return std::nullopt;
    std::string known;
    for (const auto& w : allowed->words) known += (known.empty() ? "" : ", ") + w;
    throw InputError("question: " + name + " is one of " + known + ", not '" + word + "'");
  }

  /// violated(ID) and holds(ID): numbers that Z3 may choose until the engines have said what they are.
  Number call(const Expr& e) override {
    const std::string key = e.text + "(" + full_id(e.of[0].text) + ")";
    for (const auto& [known, variable] : verdicts_)
      if (known == key) return variable;
    verdicts_.emplace_back(key, Number::from(terms_.variable(key, 64)));
    const std::string id = full_id(e.of[0].text);
    if (std::find(properties_.begin(), properties_.end(), id) == properties_.end()) properties_.push_back(id);
    given_.push_back(verdicts_.back().second <= Number(1));
    return verdicts_.back().second;
  }
  std::string full_id(const std::string& word) const {
    for (const auto& p : system_.properties())
      if (p.id == word || p.id == system_.name() + "." + word) return p.id;
    if (word == system_.name() + ".deadlock" || word == "deadlock") return system_.name() + ".deadlock";
    throw InputError("question: " + system_.name() + " has no property '" + word + "'; see: iomc list properties");
  }

  // ---- the loop --------------------------------------------------------------------------------------------------

  Truth is(const Assignment& a) const {
    Truth all(true);
    for (std::size_t i = 0; i < a.size(); ++i) all = both(all, parameters_[i].variable == Number(a[i]));
    return all;
  }

  /// What the engines say at some values, as a lemma. False where they could not decide.
  bool evaluate(const Assignment& a) {
    if (const auto known = evaluated_.find(a); known != evaluated_.end()) return known->second;
    CheckRequest r = request_;
    r.properties = properties_;
    std::string where;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const std::string value = parameters_[i].text(a[i]);
      where += (where.empty() ? "" : " ") + parameters_[i].name + "=" + value;
      std::erase_if(r.sizes, [&](const auto& s) { return s.first == parameters_[i].name; });
      system_.set(parameters_[i].name, value, r.facts, r.sizes);
    }
    bool decided = true;
    Truth lemma(true);
    if (!properties_.empty()) {
      const RunResult result = system_.check(r);
      for (const auto& [key, variable] : verdicts_) {
        const bool asks_violated = key.starts_with("violated(");
        const std::string id = key.substr(key.find('(') + 1, key.size() - key.find('(') - 2);
        const auto at = std::find_if(result.results.begin(), result.results.end(),
                                     [&](const PropertyResult& p) { return p.property == id; });
        // Where no configuration of these values is about it, nothing is claimed either way.
        const bool none = at == result.results.end();
        if (!none && at->verdict == Verdict::inconclusive) decided = false;
        const bool yes = !none && at->verdict == (asks_violated ? Verdict::violated : Verdict::holds);
        lemma = both(lemma, variable == Number(yes ? 1 : 0));
      }
    }
    if (decided) {
      given_.push_back(either(negate(is(a)), lemma));
    } else {
      given_.push_back(negate(is(a)));
      undecided_ += (undecided_.empty() ? "" : "; ") + where;
    }
    evaluated_[a] = decided;
    return decided;
  }

  void interrupt_point() const {
    if (request_.interrupted != nullptr && request_.interrupted->load()) throw Interrupted{};
  }
  struct Interrupted {};

  /// Values at which all of `wanted` holds with what the engines said, or nothing.
  std::optional<Assignment> solve(const std::vector<Truth>& wanted) {
    for (;;) {
      interrupt_point();
      Solver solver(terms_, {});
      for (const Truth& t : given_) solver.add(t);
      for (const Truth& t : wanted) solver.add(t);
      const symbolic::Answer a = solver.check();
      count(solver);
      if (a == symbolic::Answer::unsatisfiable) return std::nullopt;
      if (a == symbolic::Answer::unknown) throw InputError("question: Z3 reached its limit");
      Assignment values;
      for (const Parameter& p : parameters_) values.push_back(solver.value(p.variable.value()));
      const bool known = evaluated_.contains(values);
      evaluate(values);
      if (known || verdicts_.empty()) return values;
    }
  }
  void count(const Solver& solver) {
    checks_ += solver.checks();
    effort_ += solver.effort();
  }

  bool possible(const std::vector<std::size_t>& kept) {
    std::vector<Truth> wanted;
    for (const std::size_t i : kept) wanted.push_back(conditions_[i]);
    return solve(wanted).has_value();
  }

  Found found(const Assignment& a) const {
    Found out;
    for (std::size_t i = 0; i < a.size(); ++i) out.values.emplace_back(parameters_[i].name, parameters_[i].text(a[i]));
    return out;
  }

  void find(Answer& out) {
    std::vector<Truth> wanted = conditions_;
    try {
      while (const auto a = solve(wanted)) {
        out.found.push_back(found(*a));
        if (question_.verb == Question::Verb::find) break;
        Truth same(true);
        for (const auto& n : question_.names)
          for (std::size_t i = 0; i < parameters_.size(); ++i)
            if (parameters_[i].name == n) same = both(same, parameters_[i].variable == Number((*a)[i]));
        wanted.push_back(negate(same));
      }
      out.outcome = Answer::Outcome::answered;
    } catch (const Interrupted&) {
      out.reason = "interrupted";
    }
    const auto order = [](const Found& a, const Found& b) {
      for (std::size_t i = 0; i < a.values.size(); ++i) {
        const auto& x = a.values[i].second;
        const auto& y = b.values[i].second;
        const bool numbers = std::all_of(x.begin(), x.end(), ::isdigit) && std::all_of(y.begin(), y.end(), ::isdigit);
        if (x != y) return numbers && x.size() != y.size() ? x.size() < y.size() : x < y;
      }
      return false;
    };
    std::sort(out.found.begin(), out.found.end(), order);
  }

  void optimise(Answer& out) {
    const Number measure = number(*question_.measure, nullptr);
    const bool least = question_.verb == Question::Verb::min;
    const Number most = least ? ~measure : measure;
    try {
      for (;;) {
        interrupt_point();
        std::vector<Truth> all = given_;
        all.insert(all.end(), conditions_.begin(), conditions_.end());
        std::uint64_t best = 0;
        if (most.value().symbolic()) {
          const auto a = symbolic::largest(terms_, all, most.value(), 64, optimise_limit, best);
          if (a == symbolic::Answer::unknown) throw InputError("question: Z3 reached its limit");
          if (a == symbolic::Answer::unsatisfiable) break;
        } else {
          best = most.raw();
        }
        // The values that have it, and the engines' word on them; then none may be better.
        Solver solver(terms_, {});
        for (const Truth& t : all) solver.add(t);
        solver.add(most == Number(best));
        const symbolic::Answer reached = solver.check();
        if (reached != symbolic::Answer::satisfiable) {
          count(solver);
          if (!most.value().symbolic() && reached == symbolic::Answer::unsatisfiable) break;
          throw model::InternalError("Z3's optimum has no values");
        }
        Assignment values;
        for (const Parameter& p : parameters_) values.push_back(solver.value(p.variable.value()));
        count(solver);
        const bool known = evaluated_.contains(values);
        if (!evaluate(values) || (!known && !verdicts_.empty())) continue;
        Solver better(terms_, {});
        for (const Truth& t : all) better.add(t);
        better.add(negate(most <= Number(best)));
        const symbolic::Answer a = better.check();
        count(better);
        if (a == symbolic::Answer::unknown) throw InputError("question: Z3 reached its limit");
        if (a == symbolic::Answer::satisfiable) throw model::InternalError("Z3's optimum can be exceeded");
        out.found.push_back(found(values));
        out.found.back().optimum = least ? ~best : best;
        break;
      }
      out.outcome = Answer::Outcome::answered;
    } catch (const Interrupted&) {
      out.reason = "interrupted";
    }
  }

  static constexpr unsigned optimise_limit = 200'000'000;

  const Question& question_;
  const System& system_;
  const CheckRequest& request_;
  Terms terms_;
  std::vector<Parameter> parameters_;
  std::vector<Expr> calls_;
  std::vector<std::string> properties_;
  std::vector<std::pair<std::string, Number>> verdicts_;
  std::vector<Truth> given_;       // ranges, and what the engines said
  std::vector<Truth> conditions_;
  std::map<Assignment, bool> evaluated_;
  std::string undecided_;
  std::uint64_t checks_ = 0;
  symbolic::Effort effort_;
};

}  // namespace

bool about_parameters(const Question& question, const System& system, const CheckRequest& request) {
  std::vector<std::string> words = question.names;
  std::vector<Expr> calls;
  if (question.measure) collect(*question.measure, words, calls);
  for (const Conjunct& c : question.where) collect(c.expr, words, calls);
  if (std::any_of(calls.begin(), calls.end(), [](const Expr& e) { return e.text != "cost"; })) return true;
  if (question.within || !request.configurations.empty()) return false;
  return std::all_of(question.names.begin(), question.names.end(),
                     [&](const auto& n) { return system.possible(n).has_value(); }) &&
         !question.names.empty();
}

Answer answer_parameters(const Question& question, const System& system, const CheckRequest& request) {
  if (question.within) throw InputError("question: 'within' goes with fields of the state");
  if (!question.sweep.empty())
    throw InputError("question: 'for' goes with 'within'; use " + question.sweep + " in A..B");
  return Parameters(question, system, request).run();
}

}  // namespace iomc::check::ask
