// SPDX-License-Identifier: GPL-2.0-or-later
// Help texts, made from what the commands declare; 80 columns.
#pragma once

#include <string>
#include <vector>

#include "checker/cli/command.hpp"

namespace iomc::cli {

std::string program_help(const std::vector<std::unique_ptr<Command>>& all);
std::string command_help(Command& command, const std::vector<Argument>& common);

}  // namespace iomc::cli
