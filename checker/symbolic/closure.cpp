// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/symbolic/closure.hpp"

#include <cstdio>
#include <map>

namespace iomc::check::symbolic {

std::string line(const ClosureSize& s) {
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.3f", s.seconds);
  return std::to_string(s.kept) + " paths (of " + std::to_string(s.paths) + "), " + std::to_string(s.fields) +
         " fields, " + std::to_string(s.rounds) + " rounds, " + std::to_string(s.checks) + " solver checks, " +
         seconds + " s";
}

namespace detail {

namespace {

TakenPath merge(std::span<TakenPath> paths, std::span<const Leaf> leaves) {
  TakenPath out = paths[0];
  if (paths.size() == 1) return out;
  std::vector<Truth> when;
  for (const TakenPath& p : paths) when.push_back(all(p.condition));
  out.condition = {some(when)};
  std::map<std::size_t, Value> changed;
  for (const TakenPath& p : paths)
    for (const Change& c : p.changes) changed.try_emplace(c.leaf, leaves[c.leaf].variable);
  std::map<std::size_t, std::vector<Truth>> bad;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    for (auto& [leaf, value] : changed) {
      const auto& changes = paths[i].changes;
      const auto at =
          std::find_if(changes.begin(), changes.end(), [&, l = leaf](const Change& c) { return c.leaf == l; });
      const Value here = at == changes.end() ? leaves[leaf].variable : at->value;
      if (i == 0) value = here;  // where none of the others holds
      else if (!when[i].value().symbolic()) value = when[i].value().constant != 0 ? here : value;
      else value = choose(leaves[leaf].width, when[i].value().term, here, value);
    }
    for (const auto& [property, t] : paths[i].bad) bad[property].push_back(both(when[i], t));
    for (const std::size_t l : paths[i].leaving) out.leaving.push_back(l);
    for (const std::size_t r : paths[i].relevant) out.relevant.push_back(r);
  }
  out.changes.clear();
  for (const auto& [leaf, value] : changed) out.changes.push_back({leaf, value});
  out.bad.clear();
  for (const auto& [property, any] : bad) out.bad.emplace_back(property, some(any));
  for (auto* list : {&out.leaving, &out.relevant}) {
    std::sort(list->begin(), list->end());
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
  return out;
}

}  // namespace

std::vector<TakenPath> merged(std::vector<TakenPath> paths, std::span<const Leaf> leaves, std::size_t above) {
  if (paths.size() <= above) return paths;
  const auto before = [](const TakenPath& a, const TakenPath& b) {
    return std::tie(a.picks, a.broken) < std::tie(b.picks, b.broken);
  };
  std::stable_sort(paths.begin(), paths.end(), before);
  std::vector<TakenPath> out;
  for (std::size_t begin = 0, end = 0; begin < paths.size(); begin = end) {
    while (end < paths.size() && !before(paths[begin], paths[end])) ++end;
    out.push_back(merge({paths.data() + begin, end - begin}, leaves));
  }
  return out;
}

}  // namespace detail

}  // namespace iomc::check::symbolic
