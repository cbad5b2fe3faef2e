// SPDX-License-Identifier: GPL-2.0-or-later
// Cost events: what a step did that takes time. A step counts them; a machine profile (checker/cost/profiles) turns
// them into cycles. An event says what the kernel did, not what it met: whether a lock's line was far away or the lock
// was taken is the profile's and the queueing simulation's business, except where the step itself decides it.
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
  tree_insert,      ///< one node linked where it was found to belong and the tree rebalanced
  tree_erase,       ///< one node erased and the tree rebalanced
  magazine_scan,    ///< one magazine entry looked at
  slab_alloc,       ///< one object taken from a slab
  slab_free,        ///< one object given back
  shared_write,     ///< a write to a cache line that every CPU reads
  iotlb_flush,      ///< an invalidation of the whole domain
  iotlb_range,      ///< an invalidation of one range
  timer_arm,        ///< a timer armed or a delayed work scheduled
  cache_flush,      ///< one pass of "free everything that any CPU has cached"
  remote_line,      ///< a cache line fetched that another CPU wrote last (a flush visits each CPU's cache, its own too)
  lock_wait,        ///< a lock that sleeps found taken: the task was queued on it
  raw_lock,         ///< a lock taken that never sleeps: raw_spinlock_t; spinlock_t too where it does not sleep
  sleeping_lock,    ///< an uncontended lock taken that may sleep: rt-mutex, mutex, rwsem (one compare-and-exchange)
  atomic_op,        ///< one locked read-modify-write, alone
  msi,              ///< one message-signalled interrupt sent: a posted write that the platform turns into an interrupt
  msi_merged,       ///< a message that met one still pending on the same vector: no interrupt of its own
  irq_entry,        ///< a CPU enters a hard interrupt: vector, stack, irq_enter
  irq_eoi,          ///< the end of interrupt told to the local APIC
  irq_exit,         ///< a CPU leaves a hard interrupt: irq_exit, return to what was interrupted
  handler_call,     ///< one action's handler called, with its flow around it
  wakeup,           ///< try_to_wake_up of a task that slept
  context_switch,   ///< a CPU goes over to another task
  ipi,              ///< one interrupt sent to another CPU
  srcu_pair,        ///< srcu_read_lock and srcu_read_unlock
  cq_entry,         ///< one completion taken out of a completion queue
  cq_empty_poll,    ///< a completion queue looked at and found empty
  doorbell,         ///< one posted MMIO write to a device
  mmio_read,        ///< one non-posted MMIO read
  count_
};

inline constexpr std::size_t cost_kinds = static_cast<std::size_t>(Cost::count_);

/// Names in reports, in the order of the enumeration.
inline constexpr std::array<const char*, cost_kinds> cost_names = {
    "cpu_cache_lock", "depot_lock",  "tree_lock",      "queue_lock",    "tree_step", "tree_find",  "tree_insert",
    "tree_erase",     "magazine_scan", "slab_alloc",   "slab_free",     "shared_write", "iotlb_flush", "iotlb_range",
    "timer_arm",      "cache_flush", "remote_line",    "lock_wait",     "raw_lock",    "sleeping_lock", "atomic_op",
    "msi",            "msi_merged",  "irq_entry",      "irq_eoi",       "irq_exit",    "handler_call", "wakeup",
    "context_switch", "ipi",         "srcu_pair",      "cq_entry",      "cq_empty_poll", "doorbell", "mmio_read"};

/// What each means, in the same order: the comments of the enumeration for `iomc list events`.
inline constexpr std::array<const char*, cost_kinds> cost_meanings = {
    "a per-CPU, per-size cache lock taken",
    "a global per-size depot lock taken",
    "the domain's tree lock taken",
    "a flush queue's lock taken",
    "one step to the neighbouring tree node (rb_prev, rb_next)",
    "one descent from the root (find or insert): about log2(n) nodes",
    "one node linked where it was found to belong and the tree rebalanced",
    "one node erased and the tree rebalanced",
    "one magazine entry looked at",
    "one object taken from a slab",
    "one object given back",
    "a write to a cache line that every CPU reads",
    "an invalidation of the whole domain",
    "an invalidation of one range",
    "a timer armed or a delayed work scheduled",
    "one pass of \"free everything that any CPU has cached\"",
    "a cache line fetched that another CPU wrote last (a flush visits each CPU's cache, its own too)",
    "a lock that sleeps found taken: the task was queued on it",
    "a lock taken that never sleeps: raw_spinlock_t; spinlock_t too where it does not sleep",
    "an uncontended lock taken that may sleep: rt-mutex, mutex, rwsem (one compare-and-exchange)",
    "one locked read-modify-write, alone",
    "one message-signalled interrupt sent: a posted write that the platform turns into an interrupt",
    "a message that met one still pending on the same vector: no interrupt of its own",
    "a CPU enters a hard interrupt: vector, stack, irq_enter",
    "the end of interrupt told to the local APIC",
    "a CPU leaves a hard interrupt: irq_exit, return to what was interrupted",
    "one action's handler called, with its flow around it",
    "try_to_wake_up of a task that slept",
    "a CPU goes over to another task",
    "one interrupt sent to another CPU",
    "srcu_read_lock and srcu_read_unlock",
    "one completion taken out of a completion queue",
    "a completion queue looked at and found empty",
    "one posted MMIO write to a device",
    "one non-posted MMIO read",
};

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
