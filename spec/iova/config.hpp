// SPDX-License-Identifier: GPL-2.0-or-later
// A configuration: facts, sizes, and what the environment may do. Together they are the scope of a verdict.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "model/machine.hpp"
#include "spec/iova/facts.hpp"

namespace iomc::spec::iova {

/// Sizes of the modelled domain; a result covers these and no others.
struct Sizes {
  unsigned cpus = 2;
  unsigned bins = 2;        ///< size classes, in place of the fact
  unsigned mag_size = 2;    ///< in place of the fact
  unsigned depot_max = 1;   ///< in place of the fact where that is not 0 (unbounded)
  unsigned boundary = 8;    ///< dma_32bit_pfn: the first pfn above the 32-bit limit
  unsigned top = 12;        ///< first pfn beyond the widest device's limit
  unsigned start_pfn = 1;
  unsigned fq_size = 4;
  unsigned max_ranges = 4;  ///< tree nodes at one time; a further allocation of a node fails as GFP_ATOMIC may
  unsigned max_mappings = 3;  ///< mappings the drivers hold at one time
};

struct Device {
  unsigned limit = 0;            ///< last pfn it says it can address
  bool pci = true;               ///< tries 32 bits first
  unsigned true_limit = ~0U;     ///< last pfn it really can address
};

enum class Role : unsigned char {
  absent,
  mapper,      ///< a task that maps and unmaps for ever
  irq_mapper,  ///< an interrupt handler that does the same
  irq_unmapper,
  timer,       ///< fq_flush_timeout, in softirq
  trimmer,     ///< iova_depot_work_func, in a worker
  hotplug,     ///< takes CPUs down and up
  initialiser, ///< attaches a device: iommu_dma_init_domain
  teardown,    ///< iommu_put_dma_cookie
  reserver,    ///< calls reserve_iova once, at any time
  switcher     ///< gives a domain in use its flush queue, once: iommu_group_store_type
};

/// Whose code calls the allocator and queues unmapped ranges, where the driver had its own in that kernel.
enum class Driver : unsigned char { dma_iommu, intel, amd };

struct LaneSetup {
  Role role = Role::absent;
  unsigned cpu = 0;
  const char* name = "";
};

struct Window {
  unsigned start;
  unsigned end;  ///< exclusive
};

/// Calls f(i, first, end) for what a sorted list of windows leaves out of [0, top] before its i-th, or behind its last;
/// `end` is exclusive.
template <class F>
void for_each_gap(const std::vector<Window>& windows, unsigned top, F&& f) {
  unsigned start = 0;
  for (unsigned i = 0; i < windows.size(); start = windows[i++].end)
    if (windows[i].start > start) f(i, start, windows[i].start);
  if (start <= top) f(static_cast<unsigned>(windows.size()), start, top + 1);
}

struct Environment {
  std::vector<LaneSetup> lanes;
  std::vector<Device> devices;
  Driver driver = Driver::dma_iommu;
  std::vector<unsigned> request_pages = {1, 2};
  bool allocation_failure = false;  ///< any GFP_ATOMIC allocation may fail
  bool migration = false;           ///< a task may move to another CPU wherever it can be preempted
  bool lazy = false;                ///< unmaps are queued (the domain is of the lazy kind)
  bool caching_mode = false;        ///< the IOMMU is Intel's and caches entries that are not present: an emulated one
  bool queue_missing = false;       ///< …but has no flush queue
  bool queue_later = false;         ///< …and gets its flush queue while it is in use
  bool shadow_on_flush = false;     ///< a flush of the IOTLB fills shadow tables, as on s390
  bool serialised_flush = false;    ///< the IOMMU driver holds a lock during a flush of the whole domain
  bool weak_memory = false;         ///< a store may become visible after a later load
  bool map_failure = false;         ///< installing the translation may fail after the range was granted
  bool wrong_unmap = false;         ///< once, a driver may unmap with another size than it mapped, or unmap twice
  bool never_unmap = false;         ///< drivers keep what they mapped
  bool stale_slab = false;          ///< a node's memory may hold what it held before
  bool forcedac = false;
  bool quiet_hotplug = false;       ///< a CPU goes down only while no task is inside the allocator
  bool count_stash = false;         ///< ghost: count 32-bit attempts that failed beside cached 32-bit ranges
  bool page_zero = false;           ///< the run begins with pfn 0 reserved
  bool late_region = false;         ///< only the device attached second needs reserve_lo..reserve_hi reserved
  bool domain_exists = true;        ///< the run begins with a domain that is set up
  unsigned depot_filled = 0;        ///< …and with this many full magazines of single pages in the depot
  unsigned reserve_lo = 0;          ///< what the reserver, or domain set-up, reserves; 0: nothing
  unsigned reserve_hi = 0;
  std::vector<std::vector<Window>> windows;  ///< lists of DMA windows that domain set-up may meet
};

struct Config {
  std::string name;
  std::string what;  ///< one line: what it switches on
  Facts facts;
  Sizes sizes;
  Environment env;
};

inline model::ContextKind context_of(Role r) {
  switch (r) {
    case Role::irq_mapper:
    case Role::irq_unmapper: return model::ContextKind::hardirq;
    case Role::timer: return model::ContextKind::softirq;
    default: return model::ContextKind::task;
  }
}

/// Where unmapped ranges wait for an invalidation.
enum class QueueKind : unsigned char {
  none,
  ring,   ///< queue_iova: a ring for each CPU, with counters of flushes started and finished
  table,  ///< Intel to 4.13, add_unmap: a table for each CPU; whoever finds its own full flushes those of all CPUs
  list    ///< AMD to 4.12, queue_add: a list for each CPU, flushed under its lock when it is full
};

inline QueueKind queue_kind(const Config& c) {
  const QueueKind generic = c.facts.flush_queue ? QueueKind::ring : QueueKind::none;
  if (!c.env.lazy) return QueueKind::none;
  if (c.env.driver == Driver::intel && c.facts.intel_caller == IntelCaller::own_table) return QueueKind::table;
  if (c.env.driver != Driver::amd) return generic;
  switch (c.facts.amd_caller) {
    case AmdCaller::own_list: return QueueKind::list;
    case AmdCaller::own_ring: return QueueKind::ring;  // to 4.13 in the driver itself, of the same design
    case AmdCaller::dma_iommu: break;
  }
  return generic;
}

/// The driver's own callers instead of dma-iommu's: 32 bits first for every device, and all sizes rounded up.
inline bool own_caller(const Config& c) {
  return (c.env.driver == Driver::intel && c.facts.intel_caller != IntelCaller::dma_iommu) ||
         (c.env.driver == Driver::amd && c.facts.amd_caller != AmdCaller::dma_iommu);
}

/// AMD's strict unmap to 4.17: the range is free before its invalidation has begun.
inline bool frees_before_flush(const Config& c) {
  return !c.env.lazy && c.env.driver == Driver::amd && own_caller(c) && !c.facts.amd_strict_flush_first;
}

/// One queue serves all CPUs.
inline bool single_queue(const Config& c) {
  return c.env.shadow_on_flush && c.facts.fq_single && queue_kind(c) == QueueKind::ring;
}

/// Pages that alloc_iova_fast asks for when its caller wants `pages`: cacheable sizes are rounded up to a power of two.
inline unsigned rounded(unsigned pages, unsigned bins, bool all_sizes = false) {
  if (!all_sizes && (bins == 0 || pages >= (1U << (bins - 1)))) return pages;
  unsigned r = 1;
  while (r < pages) r *= 2;
  return r;
}

}  // namespace iomc::spec::iova
