// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/symbolic/induct.hpp"

namespace iomc::check::symbolic {

std::string text(const Induction& r) {
  std::string out;
  switch (r.outcome) {
    case Induction::Outcome::proved: return "proved\n";
    case Induction::Outcome::unknown: return "unknown: " + r.reason + "\n";
    case Induction::Outcome::refuted:
      out = "violated in an initial state: " + r.lemma + "\n";
      break;
    case Induction::Outcome::not_inductive:
      out = "counterexample to induction (the state before may be unreachable)\n  " + r.step + " breaks: " + r.lemma + "\n";
      if (!r.reason.empty()) out += "  " + r.reason + "\n";
      break;
  }
  out += "  before:";
  for (const auto& f : r.before) out += " " + f.name + "=" + f.value;
  out += "\n";
  if (r.outcome == Induction::Outcome::not_inductive) {
    out += "  changes:";
    for (const auto& c : r.changes) out += " " + c.name + " " + c.before + "->" + c.after;
    out += "\n";
  }
  return out;
}

namespace detail {

Answer Obligations::breakable(std::span<const Value> after, std::vector<std::uint64_t>& state) {
  std::vector<Truth> broken;
  for (std::size_t i = 0; i < after.size(); ++i)
    if (after[i] != variables_[i]) broken.push_back(negate(within(after[i], leaves_[i].width, leaves_[i].range)));
  // What the step does not touch holds after it because it is assumed before it.
  for (const Truth& t : conjuncts_) {
    const Truth then = terms_.substitute(t, variables_, after);
    if (then.value() != t.value()) broken.push_back(negate(then));
  }
  const Truth any = terms_.disjunction(broken);
  if (!any.value().symbolic() && any.value().constant == 0) return Answer::unsatisfiable;
  const Scope scope(solver_);
  solver_.add(any);
  return reachable(state);
}

Answer Obligations::reachable(std::vector<std::uint64_t>& state) {
  const Answer a = solver_.check();
  if (a != Answer::satisfiable) return a;
  state.clear();
  for (const Value& v : variables_) state.push_back(solver_.value(v));
  return a;
}

}  // namespace detail

}  // namespace iomc::check::symbolic
