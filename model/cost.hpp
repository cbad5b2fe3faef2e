// SPDX-License-Identifier: GPL-2.0-or-later
// Cost events: what a step did that takes time. A step counts them; a machine profile turns them into cycles.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace iomc::model {

enum class Cost : std::uint8_t {
  cpu_cache_lock,   ///< a per-CPU, per-size cache lock taken
  depot_lock,       ///< a global per-size depot lock taken
  tree_lock,        ///< the domain's tree lock taken
  queue_lock,       ///< a flush queue's lock taken
  tree_step,        ///< one step to the neighbouring tree node (rb_prev, rb_next)
  tree_find,        ///< one descent from the root (find or insert): about log2(n) nodes
  tree_erase,       ///< one node erased and the tree rebalanced
  magazine_scan,    ///< one magazine entry looked at
  slab_alloc,       ///< one object taken from a slab
  slab_free,        ///< one object given back
  shared_write,     ///< a write to a cache line that every CPU reads
  iotlb_flush,      ///< an invalidation of the whole domain
  iotlb_range,      ///< an invalidation of one range
  timer_arm,        ///< a timer armed or a delayed work scheduled
  cache_flush,      ///< one pass of "free everything that any CPU has cached"
  count_
};

inline constexpr std::size_t cost_kinds = static_cast<std::size_t>(Cost::count_);

/// Names in reports, in the order of the enumeration.
inline constexpr std::array<const char*, cost_kinds> cost_names = {
    "cpu_cache_lock", "depot_lock",  "tree_lock",     "queue_lock", "tree_step",
    "tree_find",      "tree_erase",  "magazine_scan", "slab_alloc", "slab_free",
    "shared_write",   "iotlb_flush", "iotlb_range",   "timer_arm",  "cache_flush"};

/// How often each event happened.
struct CostCount {
  std::array<std::uint64_t, cost_kinds> n{};

  std::uint64_t operator[](Cost c) const { return n[static_cast<std::size_t>(c)]; }
  CostCount& operator+=(const CostCount& o) {
    for (std::size_t i = 0; i < cost_kinds; ++i) n[i] += o.n[i];
    return *this;
  }
  friend CostCount operator-(CostCount a, const CostCount& b) {
    for (std::size_t i = 0; i < cost_kinds; ++i) a.n[i] -= b.n[i];
    return a;
  }
  bool operator==(const CostCount&) const = default;
};

}  // namespace iomc::model
