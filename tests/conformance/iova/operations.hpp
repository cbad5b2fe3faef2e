// SPDX-License-Identifier: GPL-2.0-or-later
// Random sequences of calls for the IOVA allocator: what a call is, and who makes them up.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace iomc::conformance {

enum class Call : unsigned char {
  alloc_fast,  ///< alloc_iova_fast(size, limit, flush) on cpu
  free_fast,   ///< free_iova_fast(pfn, size) on cpu
  alloc,       ///< alloc_iova(size, limit, flush: aligned)
  free,        ///< free_iova(pfn)
  reserve,     ///< reserve_iova(pfn, limit)
  work,        ///< iova_depot_work_func of size class `size` on cpu, if it is pending
  cpu_down,
  cpu_up,
  count_
};

inline constexpr std::array<const char*, static_cast<std::size_t>(Call::count_)> call_names = {
    "alloc_iova_fast", "free_iova_fast", "alloc_iova", "free_iova", "reserve_iova", "iova_depot_work_func", "cpu_down",
    "cpu_up"};

struct Operation {
  Call call = Call::alloc_fast;
  unsigned cpu = 0;
  std::uint64_t size = 0;
  std::uint64_t pfn = 0;
  std::uint64_t limit = 0;
  bool flush = false;
  std::uint64_t failing = 0;  ///< bit i: the i-th GFP_ATOMIC allocation of this call fails
};

/// "alloc_iova_fast(4, 0xfffff, flush) on CPU 3, memory fails 0x1"
std::string text_of(const Operation& op);

/// A range that some driver holds.
struct Held {
  std::uint64_t pfn;
  std::uint64_t size;
  unsigned cpu;  ///< where it was allocated
};

/// How often what was asked for.
struct Distribution {
  std::array<std::uint64_t, static_cast<std::size_t>(Call::count_)> calls{};
  std::uint64_t rough = 0;  ///< in phases with cross-CPU frees, failing memory and hotplug
  std::uint64_t cross_frees = 0;
  std::uint64_t failing = 0;
  std::uint64_t phases = 0;

  std::uint64_t total() const;
  Distribution& operator+=(const Distribution& o);
};

/// Makes up calls in phases: each has its own sizes, limits, CPUs, and its own balance of allocating and freeing. More
/// than a third of the calls are in rough phases: ranges are freed on other CPUs, memory fails, CPUs come and go,
/// drivers free twice or wrongly.
class Generator {
 public:
  Generator(std::uint64_t seed, unsigned cpus, std::uint64_t start_pfn, bool has_work);

  Operation next();
  /// What an allocation gave; 0 is a failure.
  void granted(const Operation& op, std::uint64_t pfn);
  /// Tree nodes that the last call stepped over: a phase that walks too much is ended.
  void walked(std::uint64_t nodes);

  const Distribution& distribution() const { return distribution_; }

 private:
  struct Phase {
    bool rough = false;
    bool filling = false;
    unsigned length = 0;
    unsigned cpus = 1;
    unsigned first_cpu = 0;
    unsigned sizes = 0;
    unsigned limits = 0;
    unsigned order = 0;  ///< which range is freed: the newest, the oldest, any
    unsigned allocate_percent = 50;
    unsigned flush_percent = 0;
    std::uint64_t walk_budget = 0;
  };

  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  bool percent(unsigned p) { return below(100) < p; }
  void new_phase();
  unsigned some_cpu();
  std::uint64_t some_size();
  std::uint64_t some_limit();
  std::uint64_t some_failures();
  Operation allocation(bool fast);
  Operation release(bool fast);
  Operation rare();
  Held take_held();

  std::mt19937_64 random_;
  unsigned cpus_;
  std::uint64_t start_;
  bool has_work_;
  Phase phase_;
  unsigned in_phase_ = 0;
  std::vector<Held> held_;
  std::size_t oldest_ = 0;
  std::vector<unsigned char> online_;
  unsigned offline_ = 0;
  std::vector<Held> freed_;  ///< given back lately: what a driver may free twice
  Distribution distribution_;
};

}  // namespace iomc::conformance
