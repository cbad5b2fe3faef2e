// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/systems/engines.hpp"

#include <algorithm>

#include "model/check.hpp"

namespace iomc::check {

namespace {

const PropertyResult* find(const Exploration& e, const std::string& property) {
  const auto at =
      std::find_if(e.results.begin(), e.results.end(), [&](const auto& r) { return r.property == property; });
  return at == e.results.end() ? nullptr : &*at;
}

std::uint64_t length(const PropertyResult& r) {
  return r.counterexample ? r.counterexample->steps.size() : r.depth;
}

EngineVerdict verdict_of(const Exploration& e, const PropertyResult& r) {
  return {e.engine, r.verdict, length(r), r.verdict == Verdict::inconclusive ? r.reason : ""};
}

[[noreturn]] void disagree(const PropertyResult& explored, const PropertyResult& bounded) {
  const auto say = [](const PropertyResult& r) {
    return std::string(name(r.verdict)) + (r.counterexample ? " in " + std::to_string(length(r)) + " steps (" +
                                                                  r.counterexample->path + ")"
                                                            : " at depth " + std::to_string(r.depth));
  };
  throw model::InternalError("the engines disagree on " + explored.property + " in configuration " +
                             explored.configuration + ": explicit " + say(explored) + ", symbolic " + say(bounded));
}

}  // namespace

std::string bounded_scope(const std::string& exhaustive, const Exploration& bounded) {
  const std::string word = "exhaustive";
  const std::string runs = "runs of at most " + std::to_string(bounded.depth) + " steps";
  return exhaustive.rfind(word, 0) == 0 ? runs + exhaustive.substr(word.size()) : runs + "; " + exhaustive;
}

void add_undecided(Exploration& e, const PropertyText& property) {
  if (find(e, property.id) != nullptr) return;
  PropertyResult r;
  r.property = property.id;
  r.claim = property.claim;
  r.depth = e.depth;
  r.reason = "liveness: runs of bounded length say nothing about it; use --engine explicit";
  e.results.push_back(std::move(r));
}

void require_agreement(const Exploration& explored, const Exploration& bounded) {
  for (const PropertyResult& b : bounded.results) {
    const PropertyResult* x = find(explored, b.property);
    if (x == nullptr) continue;
    const bool explicit_found = x->verdict == Verdict::violated && x->counterexample && !x->counterexample->loop_start;
    if (b.verdict == Verdict::violated) {
      if (x->verdict == Verdict::holds || (explicit_found && length(*x) != length(b))) disagree(*x, b);
    } else if (explicit_found && (b.verdict == Verdict::holds || (b.examined && length(*x) <= b.depth))) {
      disagree(*x, b);
    }
  }
}

std::vector<PropertyResult> merge_engines(const std::vector<Exploration>& pairs) {
  std::vector<PropertyResult> out;
  std::vector<std::pair<std::string, std::vector<EngineVerdict>>> verdicts;
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2)
    for (const PropertyResult& x : pairs[i].results) {
      const PropertyResult* b = find(pairs[i + 1], x.property);
      PropertyResult decided = b != nullptr && x.verdict == Verdict::inconclusive ? *b : x;
      decided.engines = {verdict_of(pairs[i], x)};
      if (b != nullptr) decided.engines.push_back(verdict_of(pairs[i + 1], *b));
      merge_into(out, decided);
    }
  return out;
}

}  // namespace iomc::check
