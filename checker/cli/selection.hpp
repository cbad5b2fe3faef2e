// SPDX-License-Identifier: GPL-2.0-or-later
// Which kernel is meant: --kernel or --tree, and --set on top of it.
#pragma once

#include <string>
#include <vector>

#include "checker/cli/command.hpp"
#include "checker/system.hpp"

namespace iomc::cli {

/// The words of the command line.
struct Selection {
  std::string kernel;
  std::string tree;
  std::vector<std::string> sets;
  std::vector<std::string> configurations;

  std::vector<Argument> arguments();
};

/// A selection understood by one system.
struct Selected {
  check::CheckRequest request;       ///< kernel, facts, sizes and configurations are filled in
  std::vector<std::string> unknown;  ///< "NAME (why it could not be read)": facts of the tree that --set did not give
  std::vector<std::string> words;    ///< the selection as it goes on a command line
};

/// Without --kernel and --tree: the newest mainline kernel of the system. InputError names what is wrong and the
/// remedy.
Selected select(const check::System& system, const Selection& selection);

/// "iova.P9" or "P9" as the full id. InputError with the nearest one if the system has none of that name.
std::string property_id(const check::System& system, const std::string& word);

/// What the property claims.
std::string claim_of(const check::System& system, const std::string& id);

/// Limits, interruption and progress.
void set_limits(check::CheckRequest& request, const Common& common);

}  // namespace iomc::cli
