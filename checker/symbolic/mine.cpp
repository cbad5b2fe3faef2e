// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/symbolic/mine.hpp"

namespace iomc::check::symbolic::detail {

std::string lane_of(const std::string& name) {
  return name.ends_with(".pc") ? name.substr(0, name.size() - 2) : std::string();
}

std::vector<Candidate> candidates(const std::vector<std::string>& names, const std::vector<Met>& met,
                                  const std::map<std::size_t, std::map<std::uint64_t, std::vector<Met>>>& met_at) {
  std::vector<Candidate> out;
  const auto listed = [](const Met& m) { return std::vector<std::uint64_t>(m.begin(), m.end()); };
  for (std::size_t leaf = 0; leaf < names.size(); ++leaf)
    if (met[leaf].size() <= candidate_values) out.push_back({leaf, listed(met[leaf]), std::nullopt, 0});
  for (const auto& [counter, by_value] : met_at) {
    for (const auto& [at, here] : by_value)
      for (std::size_t leaf = 0; leaf < names.size(); ++leaf) {
        if (leaf == counter || here[leaf].size() > candidate_values) continue;
        const bool narrower = met[leaf].size() > here[leaf].size();
        if (narrower) out.push_back({leaf, listed(here[leaf]), counter, at});
      }
  }
  return out;
}

}  // namespace iomc::check::symbolic::detail
