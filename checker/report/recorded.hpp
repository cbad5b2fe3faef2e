// SPDX-License-Identifier: GPL-2.0-or-later
// Reading counterexamples back from the JSON of an earlier run.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace iomc::report {

/// One counterexample of a recorded run, with all that is needed to follow it again.
struct Recorded {
  std::string spec;
  std::string kernel;
  std::vector<std::pair<std::string, std::string>> facts;
  std::vector<std::pair<std::string, std::string>> sizes;
  std::string property;
  std::string configuration;
  std::string path;
};

/// All counterexamples in `text`, which came from `file`. InputError if it is no iomc.result/1.
std::vector<Recorded> read_recorded(const std::string& text, const std::string& file);

}  // namespace iomc::report
