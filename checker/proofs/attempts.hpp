// SPDX-License-Identifier: GPL-2.0-or-later
// Between the proofs of one specification and the program.
#pragma once

#include <algorithm>

#include "checker/proofs/proofs.hpp"
#include "checker/symbolic/prove.hpp"
#include "model/facts.hpp"

namespace iomc::check::proofs {

std::vector<Attempt> iova_attempts(const Request& request);
std::vector<Attempt> vmd_attempts(const Request& request);

/// The property of that id, if the list has it: as a list of one.
template <class S>
std::vector<model::Property<S>> only(std::vector<model::Property<S>> all, const std::string& id) {
  std::erase_if(all, [&](const auto& p) { return p.info.id != id; });
  return all;
}

template <class Facts>
Facts facts_of(const Request& request) {
  Facts f;
  for (const auto& [name, value] : request.check.facts) model::set_fact(f, name, value);
  return f;
}

inline symbolic::ProveOptions options_of(const Request& request) {
  symbolic::ProveOptions o;
  if (request.rlimit != 0) o.solver.rlimit = request.rlimit;
  o.solver.seed = request.seed;
  o.interrupted = request.check.interrupted;
  return o;
}

/// States that candidates are mined from.
inline std::uint64_t mined_states(const Request& request) {
  return request.check.limit_states != 0 ? request.check.limit_states : 100'000;
}

inline Attempt attempt_of(const symbolic::Proof& p, const symbolic::ProveOptions& options) {
  using Proof = symbolic::Proof;
  Attempt a;
  a.method = "one-step induction over the paths of every step";
  a.outcome = p.outcome == Proof::Outcome::proved    ? Outcome::proved
              : p.outcome == Proof::Outcome::refuted ? Outcome::violated
                                                     : Outcome::inconclusive;
  a.induction_fails = p.outcome == Proof::Outcome::not_inductive;
  a.invariants = p.declared;
  a.mined = p.mined;
  a.kept = p.kept;
  a.paths = p.paths;
  a.failing = p.failing;
  a.step = p.step;
  a.before = p.before;
  a.changes = p.changes;
  a.reason = p.reason;
  a.solver = "Z3 " + symbolic::z3_version();
  a.logic = options.solver.logic;
  a.rlimit = p.effort.rlimit;
  a.checks = p.checks;
  a.conflicts = p.effort.conflicts;
  a.decisions = p.effort.decisions;
  a.seconds = p.seconds;
  return a;
}

/// One whole configuration: candidates are mined, then everything is proved together.
template <class C, class S>
Attempt attempt(const C& spec, const S& twin, const symbolic::ProofGoal<C, S>& goal,
                const symbolic::ProveOptions& options, std::uint64_t states) {
  const symbolic::Mining mining = symbolic::mine(spec, states);
  Attempt a = attempt_of(
      symbolic::prove(spec, twin, goal, std::span<const symbolic::Candidate>(mining.candidates), options), options);
  a.searched = mining.states;
  return a;
}

}  // namespace iomc::check::proofs
