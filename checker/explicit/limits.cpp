// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/explicit/limits.hpp"

#include <sys/resource.h>

namespace iomc::check {

std::uint64_t peak_memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

double Watch::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

std::string Watch::ended(const Progress& now, std::uint64_t bytes) const {
  if (limits_.progress) limits_.progress(now);
  if (limits_.interrupted != nullptr && limits_.interrupted->load(std::memory_order_relaxed)) return "interrupted";
  if (limits_.states != 0 && now.states >= limits_.states)
    return "limit of " + std::to_string(limits_.states) + " states reached";
  if (std::string reason = ended(); !reason.empty()) return reason;
  if (limits_.memory_bytes != 0 && bytes >= limits_.memory_bytes) return "memory limit reached";
  if (now.states >= 0xffff0000U) return "more states than can be numbered";
  return {};
}

std::string Watch::ended() const {
  if (limits_.interrupted != nullptr && limits_.interrupted->load(std::memory_order_relaxed)) return "interrupted";
  if (limits_.seconds != 0 && seconds() >= limits_.seconds) return "time limit reached";
  return {};
}

}  // namespace iomc::check
