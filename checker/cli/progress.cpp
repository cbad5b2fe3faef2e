// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/cli/progress.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>

namespace iomc::cli {

std::function<void(const check::ProgressReport&)> progress_lines() {
  using Clock = std::chrono::steady_clock;
  return [last = Clock::now()](const check::ProgressReport& r) mutable {
    if (!r.text.empty()) return fmt::print(stderr, "iomc: {}: {}\n", r.configuration, r.text);
    const auto now = Clock::now();
    if (now - last < std::chrono::seconds(1)) return;
    last = now;
    fmt::print(stderr, "iomc: {}: {} states, {} transitions, depth {}, {} to expand\n", r.configuration, r.states,
               r.transitions, r.depth, r.queued);
  };
}

}  // namespace iomc::cli
