// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

namespace iomc::cli {

/// The whole program: parses, runs, writes. Returns the exit status; never throws.
int program(int argc, const char* const* argv);

}  // namespace iomc::cli
