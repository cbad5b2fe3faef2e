// SPDX-License-Identifier: GPL-2.0-or-later
// What the systems' bounded checks share. Include it before the specification: its free functions are found by their
// qualified names.
#pragma once

#include "checker/ask/bounded.hpp"
#include "checker/symbolic/bmc.hpp"
#include "checker/system.hpp"
#include "checker/systems/symbolic.hpp"

namespace iomc::check {

template <class P>
std::vector<P> asked_for(std::vector<P> all, const std::vector<std::string>& ids) {
  if (!ids.empty())
    std::erase_if(all, [&](const P& p) { return std::find(ids.begin(), ids.end(), p.info.id) == ids.end(); });
  return all;
}

template <class C, class S>
Exploration bounded(const C& spec, const S& twin, std::vector<model::Property<C>> concrete,
                    std::vector<model::Property<S>> symbolic, const SymbolicRequest& request) {
  const auto start = std::chrono::steady_clock::now();
  symbolic::BmcOptions options;
  options.depth = static_cast<std::size_t>(request.depth);
  options.rlimit = request.effort;
  options.diameter = request.diameter;
  options.interrupted = request.interrupted;
  if (request.tell) {
    options.enumerated = [&](const symbolic::ClosureSize& s) { request.tell(line(s)); };
    options.progress = [&](const symbolic::UnrollSize& s) { request.tell(line(s)); };
  }
  auto result = symbolic::bounded_check(spec, twin, asked_for(std::move(concrete), request.properties),
                                        asked_for(std::move(symbolic), request.properties), options);
  Exploration out = std::move(result.found);
  out.engine = "symbolic";
  out.stats.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  out.stats.peak_memory_bytes = peak_memory_bytes();
  Solving s;
  s.solver = "z3 " + symbolic::z3_version();
  s.logic = symbolic::SolverOptions{}.logic;
  s.random_seed = symbolic::SolverOptions{}.seed;
  s.rlimit = result.size.effort.rlimit;
  s.conflicts = result.size.effort.conflicts;
  s.decisions = result.size.effort.decisions;
  s.checks = result.closure.checks + result.size.checks;
  s.paths = result.closure.paths;
  s.kept = result.closure.kept;
  s.fields = result.closure.fields;
  s.rounds = result.closure.rounds;
  s.enumeration_seconds = result.closure.seconds;
  out.solving = s;
  return out;
}

template <class C, class S>
ask::Answer within_steps(const C& spec, const S& twin, const ask::Question& question,
                         const std::vector<ask::FieldWords>& words, const CheckRequest& request) {
  const ask::Fields fields(symbolic::detail::shape_of(spec), words);
  ask::BoundedOptions options;
  options.interrupted = request.interrupted;
  if (request.progress)
    options.tell = [&](const std::string& text) { request.progress({"ask", 0, 0, 0, 0, text}); };
  return ask::Bounded<C, S>(spec, twin, question, fields, std::move(options)).run();
}

}  // namespace iomc::check
