// SPDX-License-Identifier: GPL-2.0-or-later
// Running another program: an argument vector, no shell, everything it prints captured.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace iomc::check {

struct Command {
  std::vector<std::string> argv;    ///< argv[0] is looked up in PATH
  std::string package;              ///< Debian package that has it, for the message when it is missing
  std::filesystem::path directory;  ///< working directory; empty: this process's own
  std::string input;                ///< what it reads from standard input
  double limit_seconds = 0;         ///< killed after this long; 0: never
};

struct ProcessResult {
  int status = 0;  ///< exit status; 128 + number where a signal ended it
  bool timed_out = false;
  std::string out;
  std::string err;
};

/// Runs the command to its end. InputError if the program is missing or cannot be started; a failing program is no
/// error here.
ProcessResult run_process(const Command& command);

/// As run_process, but a status other than 0 is an InputError that quotes the first line it printed on standard error.
ProcessResult run_checked(const Command& command);

/// First line of a text, without its line end.
std::string first_line(const std::string& text);

}  // namespace iomc::check
