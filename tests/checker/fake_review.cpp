// SPDX-License-Identifier: GPL-2.0-or-later
// The review of iomc_fake: trees are not opened. A tree called "unknown" has a fact that cannot be read, "none" is
// none.
#include "checker/review/review_api.hpp"

namespace iomc::review {

std::vector<FactReading> read_facts(const std::string& tree, const check::System& system) {
  if (tree == "none") throw check::InputError(tree + ": no kernel tree; it has no drivers/iommu");
  std::vector<FactReading> out;
  for (const auto& [name, value] : system.facts("6.12")) out.push_back({name, value, "drivers/iommu/iova.c:7", ""});
  if (tree == "unknown") out[0] = {out[0].name, std::nullopt, "", "no call of alloc_iova_fast found"};
  return out;
}

std::vector<std::vector<FactReading>> read_facts(const std::string& tree,
                                                 const std::vector<const check::System*>& systems) {
  std::vector<std::vector<FactReading>> out;
  for (const check::System* s : systems) out.push_back(read_facts(tree, *s));
  return out;
}

ReviewOutcome review(const ReviewRequest& request, report::Format, const report::Options&) {
  ReviewOutcome out;
  out.report = "patches " + std::to_string(request.patches.size()) + ", sets " + std::to_string(request.sets.size()) +
               ", states " + std::to_string(request.limits.limit_states) + "\n";
  out.status = check::exit_violated;
  return out;
}

}  // namespace iomc::review
