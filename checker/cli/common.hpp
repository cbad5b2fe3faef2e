// SPDX-License-Identifier: GPL-2.0-or-later
// The options that all commands share.
#pragma once

#include <string>
#include <vector>

#include "checker/cli/command.hpp"

namespace iomc::cli {

/// The same as words, before they are understood.
struct CommonWords {
  std::string format = "text";
  std::string output;
  std::string seed;
  std::string threads;
  std::string time_limit;
  std::string memory_limit;
  std::string state_limit;
  std::string exit = "bisect";
  bool stats = false;
  bool progress = false;

  std::vector<Argument> arguments();

  /// InputError for a word that is not allowed, with what is.
  Common parse(const std::vector<std::string>& extra_formats) const;
};

std::uint64_t parse_count(const std::string& option, const std::string& text);
std::uint64_t parse_bytes(const std::string& option, const std::string& text);
double parse_seconds(const std::string& option, const std::string& text);

/// The options of the report for a command's result.
report::Options report_options(const Common& common);

/// "a, b, c"
std::string joined(const std::vector<std::string>& words);

/// The word of `known` nearest to `word`, as "; did you mean X?", or nothing.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& known);

}  // namespace iomc::cli
