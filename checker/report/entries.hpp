// SPDX-License-Identifier: GPL-2.0-or-later
// What `iomc list` and `iomc explain` print: named things, each with a few lines about it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "checker/report/report.hpp"

namespace iomc::report {

/// One named thing of a specification.
struct Entry {
  std::string kind;  ///< "property", "step", "fact", "kernel", "configuration", "size", "spec"
  std::string spec;
  std::string name;
  std::string summary;                                       ///< the line of a list
  std::vector<std::pair<std::string, std::string>> details;  ///< the lines of an explanation: label and text
};

/// A table, one line an entry, grouped by specification where there are several.
std::string list_text(const std::vector<Entry>& entries, const Options& options);
std::string explain_text(const std::vector<Entry>& entries, const Options& options);

/// {"schema":"iomc.list/1","entries":[{"kind","spec","name","summary", details…}]}
std::string entries_json(const std::vector<Entry>& entries);

}  // namespace iomc::report
