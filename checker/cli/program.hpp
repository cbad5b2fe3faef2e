// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <string>
#include <vector>

namespace iomc::cli {

/// The whole program: parses, runs, writes. Returns the exit status; never throws.
int program(int argc, const char* const* argv);

/// One command line without the program's name, as program() runs it.
int run_words(std::vector<std::string> words);

}  // namespace iomc::cli
