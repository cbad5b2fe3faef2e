// SPDX-License-Identifier: GPL-2.0-or-later
// A line of the prompt as words, quoted as in a shell.
#pragma once

#include <string>
#include <vector>

namespace iomc::cli {

/// Words end at blanks; '…' keeps everything, "…" all but \" and \\, \ the next character; # begins a comment where a
/// word could begin. InputError for a quote that is not closed.
std::vector<std::string> split_words(const std::string& line);

}  // namespace iomc::cli
