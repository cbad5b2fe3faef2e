// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/result.hpp"

#include <algorithm>

namespace iomc::check {

namespace {

int weight(const PropertyResult& r) {
  switch (r.verdict) {
    case Verdict::violated: return 3;
    case Verdict::inconclusive: return 2;
    case Verdict::holds: break;
  }
  return r.vacuous ? 0 : 1;
}

/// Of two violations the one with fewer steps is the one to show.
bool better(const PropertyResult& a, const PropertyResult& b) {
  if (weight(a) != weight(b)) return weight(a) > weight(b);
  if (a.counterexample && b.counterexample) return a.counterexample->steps.size() < b.counterexample->steps.size();
  return a.states > b.states;
}

std::vector<std::string> united(std::vector<std::string> a, const std::vector<std::string>& b) {
  for (const auto& word : b)
    if (std::find(a.begin(), a.end(), word) == a.end()) a.push_back(word);
  return a;
}

}  // namespace

void merge_into(std::vector<PropertyResult>& results, const PropertyResult& result) {
  const auto seen = std::find_if(results.begin(), results.end(),
                                 [&](const auto& o) { return o.property == result.property; });
  if (seen == results.end()) {
    results.push_back(result);
    return;
  }
  // What one needs to hold, all of them need.
  auto assumes = united(seen->assumes, result.assumes);
  auto assumption_of = united(seen->assumption_of, result.assumption_of);
  if (better(result, *seen)) *seen = result;
  seen->assumes = seen->verdict == Verdict::holds ? std::move(assumes) : std::vector<std::string>{};
  seen->assumption_of = std::move(assumption_of);
}

std::vector<PropertyResult> merge(const std::vector<Exploration>& explorations) {
  std::vector<PropertyResult> out;
  for (const auto& e : explorations)
    for (const auto& r : e.results) merge_into(out, r);
  return out;
}

ExitStatus exit_status(const std::vector<PropertyResult>& results) {
  bool inconclusive = false;
  for (const auto& r : results) {
    if (r.verdict == Verdict::violated) return exit_violated;
    inconclusive |= r.verdict == Verdict::inconclusive;
  }
  return inconclusive ? exit_inconclusive : exit_holds;
}

}  // namespace iomc::check
