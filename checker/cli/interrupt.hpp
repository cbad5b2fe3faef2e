// SPDX-License-Identifier: GPL-2.0-or-later
// SIGINT and SIGTERM: the first asks the engines to stop and print what they have, the second ends the program.
#pragma once

#include <atomic>

namespace iomc::cli {

/// To be called once, before anything runs. Also makes a closed pipe an error of write() instead of a signal.
void handle_signals();

/// Set by the first SIGINT or SIGTERM.
const std::atomic<bool>& interrupted();

/// For the prompt: from now on SIGINT stops what runs, never the program; SIGTERM ends it at once. `end_reads`: a read
/// that waits for the next line ends, too.
void outlive_interrupts(bool end_reads);

/// The next one counts as the first again.
void clear_interrupt();

}  // namespace iomc::cli
