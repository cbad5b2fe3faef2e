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

}  // namespace

std::vector<PropertyResult> merge(const std::vector<Exploration>& explorations) {
  std::vector<PropertyResult> out;
  for (const auto& e : explorations)
    for (const auto& r : e.results) {
      const auto seen = std::find_if(out.begin(), out.end(), [&](const auto& o) { return o.property == r.property; });
      if (seen == out.end())
        out.push_back(r);
      else if (better(r, *seen))
        *seen = r;
    }
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
