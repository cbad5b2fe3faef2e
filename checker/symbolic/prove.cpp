// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/symbolic/prove.hpp"

namespace iomc::check::symbolic {

std::string text(const Proof& p) {
  std::string out;
  switch (p.outcome) {
    case Proof::Outcome::proved: return "proved\n";
    case Proof::Outcome::unknown: return "unknown: " + p.reason + "\n";
    case Proof::Outcome::refuted:
      out = p.step.empty() ? "violated in an initial state: " + p.failing + "\n"
                           : "violated by a step from an initial state: " + p.step + " breaks: " + p.failing + "\n";
      break;
    case Proof::Outcome::not_inductive:
      out = "counterexample to induction (the state before may be unreachable)\n  " + p.step +
            " breaks: " + p.failing + "\n";
      break;
  }
  if (!p.reason.empty()) out += "  " + p.reason + "\n";
  out += "  before:";
  for (const auto& f : p.before) out += " " + f.name + "=" + f.value;
  out += "\n";
  if (!p.step.empty()) {
    out += "  changes:";
    for (const auto& c : p.changes) out += " " + c.name + " " + c.before + "->" + c.after;
    out += "\n";
  }
  return out;
}

namespace detail {

Truth member(Terms& terms, const Value& v, unsigned width, std::span<const std::uint64_t> values) {
  if (!v.symbolic()) return std::binary_search(values.begin(), values.end(), v.constant);
  // Runs of neighbours are intervals.
  std::vector<Truth> any;
  for (std::size_t i = 0; i < values.size();) {
    std::size_t last = i;
    while (last + 1 < values.size() && values[last + 1] == values[last] + 1) ++last;
    any.push_back(last == i ? Truth::from(apply(Op::equal, width, v, {values[i], nullptr}))
                            : within(v, width, {values[i], values[last]}));
    i = last + 1;
  }
  return terms.disjunction(any);
}

Conjuncts::Conjuncts(Terms& terms, const SolverOptions& options, std::span<const Leaf> leaves,
                     std::span<const Value> variables)
    : terms_(terms), options_(options), leaves_(leaves), variables_(variables) {
  for (const Leaf& l : leaves) given_.push_back(within(l.variable, l.width, l.range));
}

void Conjuncts::declare(const std::string& name, std::span<const Truth> parts) {
  for (const Truth& t : parts) {
    declared_.emplace_back(name, t);
    mentions_.push_back(terms_.mentions(t, variables_));
  }
}

void Conjuncts::mined(std::span<const Candidate> candidates) {
  candidates_.assign(candidates.begin(), candidates.end());
  alive_.assign(candidates.size(), true);
  for (const Candidate& c : candidates_) mined_.push_back(then(c, variables_));
}

void Conjuncts::assume(std::span<const Truth> parts) { given_.insert(given_.end(), parts.begin(), parts.end()); }

std::size_t Conjuncts::kept() const {
  return static_cast<std::size_t>(std::count(alive_.begin(), alive_.end(), true));
}

std::string Conjuncts::reads(std::span<const std::size_t> inputs) const {
  for (std::size_t i = 0; i < declared_.size(); ++i)
    for (const std::size_t leaf : mentions_[i])
      if (std::find(inputs.begin(), inputs.end(), leaf) != inputs.end())
        return declared_[i].first + "' (field '" + leaves_[leaf].name;
  return {};
}

Truth Conjuncts::then(const Candidate& c, std::span<const Value> after) const {
  const Truth in = member(terms_, after[c.leaf], leaves_[c.leaf].width, c.values);
  if (!c.counter) return in;
  const Truth there = member(terms_, after[*c.counter], leaves_[*c.counter].width, {&c.at, 1});
  return either(negate(there), in);
}

std::vector<Truth> Conjuncts::assumed() const {
  std::vector<Truth> out = given_;
  for (const auto& [name, t] : declared_) out.push_back(t);
  for (std::size_t i = 0; i < mined_.size(); ++i)
    if (alive_[i]) out.push_back(mined_[i]);
  return out;
}

Answer Conjuncts::ask(std::span<const Truth> condition, Truth goal, Solver& solver) const {
  for (const Truth& t : assumed()) solver.add(t);
  for (const Truth& t : condition) solver.add(t);
  solver.add(goal);
  return solver.check();
}

Answer Conjuncts::possible(std::span<const Truth> condition, std::vector<std::uint64_t>& before) {
  Solver solver(terms_, options_);
  const Answer a = ask(condition, true, solver);
  before.clear();
  if (a == Answer::satisfiable)
    for (const Value& v : variables_) before.push_back(solver.value(v));
  return a;
}

Conjuncts::Broken Conjuncts::breakable(std::span<const Truth> condition, std::span<const Value> after) {
  Broken out;
  std::vector<bool> changed(after.size());
  for (std::size_t i = 0; i < after.size(); ++i) changed[i] = after[i] != variables_[i];
  const auto is_true = [](Truth t) { return !t.value().symbolic() && t.value().constant != 0; };

  // What is owed after the step; what it does not touch holds because it is assumed before.
  struct Owed {
    Truth then;
    std::size_t index;
    bool is_mined;
  };
  std::vector<Owed> owed;
  std::vector<Truth> ranges;
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (!changed[i]) continue;
    const Truth in = within(after[i], leaves_[i].width, leaves_[i].range);
    if (!is_true(in)) ranges.push_back(in);
  }
  for (std::size_t i = 0; i < declared_.size(); ++i) {
    const auto touched = [&](std::size_t leaf) { return static_cast<bool>(changed[leaf]); };
    if (std::none_of(mentions_[i].begin(), mentions_[i].end(), touched)) continue;
    owed.push_back({terms_.substitute(declared_[i].second, variables_, after), i, false});
  }
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    const Candidate& c = candidates_[i];
    if (!alive_[i] || !(changed[c.leaf] || (c.counter && changed[*c.counter]))) continue;
    const Truth t = then(c, after);
    if (!is_true(t)) owed.push_back({t, i, true});
  }
  for (;;) {
    std::vector<Truth> broken;
    for (const Truth& t : ranges) broken.push_back(negate(t));
    for (const Owed& o : owed)
      if (!o.is_mined || alive_[o.index]) broken.push_back(negate(o.then));
    const Truth goal = terms_.disjunction(broken);
    if (!goal.value().symbolic() && goal.value().constant == 0) return out.answer = Answer::unsatisfiable, out;
    // One solver a question: it is simplified as a whole, and nothing of the questions before is trusted.
    Solver solver(terms_, options_);
    out.answer = ask(condition, goal, solver);
    if (out.answer != Answer::satisfiable) return out;
    const auto fails = [&](Truth t) { return solver.value(t.value()) == 0; };
    for (const Owed& o : owed)
      if (!o.is_mined && fails(o.then)) out.declared = declared_[o.index].first;
    if (std::any_of(ranges.begin(), ranges.end(), fails)) out.declared = "declared ranges";
    if (!out.declared.empty()) {
      for (const Value& v : variables_) out.before.push_back(solver.value(v));
      return out;
    }
    std::vector<std::size_t> gone;
    for (const Owed& o : owed)
      if (o.is_mined && alive_[o.index] && fails(o.then)) gone.push_back(o.index);
    IOMC_INVARIANT(!gone.empty());
    for (const std::size_t i : gone) alive_[i] = false;
    out.dropped = true;
  }
}

}  // namespace detail

}  // namespace iomc::check::symbolic
