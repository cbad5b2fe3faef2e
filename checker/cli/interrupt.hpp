// SPDX-License-Identifier: GPL-2.0-or-later
// SIGINT and SIGTERM: the first asks the engines to stop and print what they have, the second ends the program.
#pragma once

#include <atomic>

namespace iomc::cli {

/// To be called once, before anything runs. Also makes a closed pipe an error of write() instead of a signal.
void handle_signals();

/// Set by the first SIGINT or SIGTERM.
const std::atomic<bool>& interrupted();

}  // namespace iomc::cli
