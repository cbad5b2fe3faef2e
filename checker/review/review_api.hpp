// SPDX-License-Identifier: GPL-2.0-or-later
// What the program asks of checker/review. Plain data, so that neither side includes the other's insides.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checker/report/report.hpp"
#include "checker/system.hpp"

namespace iomc::review {

/// One fact as it was found in a tree.
struct FactReading {
  std::string name;
  std::optional<std::string> value;  ///< nothing: could not be read
  std::string where;                 ///< "drivers/iommu/iova.c:41", as far as known
  std::string reason;                ///< why it could not be read
};

/// All facts of `system` in the kernel tree, in the order of System::fact_texts(). InputError if `tree` is no kernel
/// tree.
std::vector<FactReading> read_facts(const std::string& tree, const check::System& system);

/// The same of several systems, in their order; a package is unpacked once.
std::vector<std::vector<FactReading>> read_facts(const std::string& tree,
                                                 const std::vector<const check::System*>& systems);

struct ReviewRequest {
  std::vector<std::string> patches;  ///< files, "-", or one git range; may be empty where `sets` is not
  std::string tree;                  ///< empty: `kernel`
  std::string kernel;                ///< a built-in kernel as the state before
  std::vector<std::string> sets;     ///< NAME=VALUE: what the change does to it
  std::vector<std::string> specs;    ///< empty: each whose files the patches touch
  check::CheckRequest limits;        ///< limits, interruption, progress, properties, configurations
};

struct ReviewOutcome {
  std::string report;  ///< in the format asked for
  int status = check::exit_inconclusive;
};

/// Checks before and after, and reports the difference.
ReviewOutcome review(const ReviewRequest& request, report::Format format, const report::Options& options);

}  // namespace iomc::review
