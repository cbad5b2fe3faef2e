// SPDX-License-Identifier: GPL-2.0-or-later
// Stands in for checker/review where that is not built: says so, and does nothing else.
#include "checker/review/review_api.hpp"

namespace iomc::review {

std::vector<std::vector<FactReading>> read_facts(const std::string& tree, const std::vector<const check::System*>&) {
  throw check::InputError(tree + ": reading facts from a tree is not in this version; use --kernel and --set");
}

std::vector<FactReading> read_facts(const std::string& tree, const check::System& system) {
  return read_facts(tree, std::vector<const check::System*>{&system}).front();
}

ReviewOutcome review(const ReviewRequest&, report::Format, const report::Options&) {
  throw check::InputError("review: not in this version");
}

}  // namespace iomc::review
