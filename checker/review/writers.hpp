// SPDX-License-Identifier: GPL-2.0-or-later
// Reports of reviews. Pure functions of their arguments, as those of checker/report are. docs/formats.md describes
// them.
#pragma once

#include <string>
#include <vector>

#include "checker/report/report.hpp"
#include "checker/review/review.hpp"

namespace iomc::review {

/// A review, and what a report needs besides.
struct Reviewed {
  check::Review review;
  std::vector<check::RunResult> runs;  ///< before and after; empty where nothing was checked
  report::Options before;              ///< how a path of that side is replayed
  report::Options after;
};

/// All reviews of one run, one a specification.
std::string render(report::Format format, const std::vector<Reviewed>& all, const report::Options& options);

std::string text_report(const std::vector<Reviewed>& all, const report::Options& options);
std::string json_report(const std::vector<Reviewed>& all, const report::Options& options);
std::string ktap_report(const std::vector<Reviewed>& all, const report::Options& options);
std::string junit_report(const std::vector<Reviewed>& all, const report::Options& options);

/// "broken", "inconclusive" or "nothing broken". Not "holds": what was violated before still is.
std::string verdict_word(check::ExitStatus exit);

/// Of all reviews together: broken wins, then inconclusive.
check::ExitStatus overall(const std::vector<Reviewed>& all);

/// What the change did to a property: "broken", "repaired", "inconclusive", "violated on both sides" or "holds on both
/// sides".
std::string change_word(const check::PropertyPair& pair);

/// "before" or "after" as a reason why a pair is inconclusive: "after: limit of 1000 states reached".
std::string open_reason(const check::PropertyPair& pair);

/// "drivers/iommu/iova.c:61-64 (iova_magazine_pop): the code changes, no fact does; x.patch:12"
std::string uncovered_text(const check::Uncovered& uncovered);

/// "max32_reset: any_32bit_free -> unknown; drivers/iommu/iova.c:91 (…): no rule matches the code"
std::string unknown_text(const check::FactChange& fact);

}  // namespace iomc::review
