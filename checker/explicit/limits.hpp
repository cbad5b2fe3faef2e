// SPDX-License-Identifier: GPL-2.0-or-later
// Where a search ends before the state space does.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace iomc::check {

struct Progress {
  std::uint64_t states;
  std::uint64_t transitions;
  std::uint64_t depth;
  std::uint64_t queued;
};

/// Zero means no limit.
struct Limits {
  std::uint64_t states = 0;
  std::uint64_t memory_bytes = 0;
  double seconds = 0;
  const std::atomic<bool>* interrupted = nullptr;
  std::function<void(const Progress&)> progress;  ///< called now and then
};

/// Bytes of memory this process has had at most.
std::uint64_t peak_memory_bytes();

/// The limits of one search, from its beginning.
class Watch {
 public:
  explicit Watch(Limits limits) : limits_(std::move(limits)), start_(std::chrono::steady_clock::now()) {}

  double seconds() const;

  /// Tells the progress; why to stop here, or nothing.
  std::string ended(const Progress& now, std::uint64_t bytes) const;

  /// Why to stop while nothing is added any more, or nothing.
  std::string ended() const;

 private:
  Limits limits_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace iomc::check
