// SPDX-License-Identifier: GPL-2.0-or-later
// Where a report goes: standard output, or a file that is either complete or as it was before.
#pragma once

#include <string>

namespace iomc::cli {

/// InputError if the report could not be written to `path` later. Called before an hour of checking, not after it.
void check_output(const std::string& path);

/// Writes beside, then renames; devices and pipes are written directly. InputError with the system's reason.
void write_output(const std::string& path, const std::string& text);

/// A reader that has gone away (head) is no error. InputError for anything else.
void write_stdout(const std::string& text);

/// The whole of a file, or of standard input for "-". InputError with the system's reason.
std::string read_input(const std::string& path);

}  // namespace iomc::cli
