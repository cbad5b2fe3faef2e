// SPDX-License-Identifier: GPL-2.0-or-later
#include <array>

#include "spec/iova/iova.hpp"

namespace iomc::spec::iova {

namespace {

constexpr const char* iova_c = "drivers/iommu/iova.c";
constexpr const char* dma_c = "drivers/iommu/dma-iommu.c";
constexpr const char* iommu_c = "drivers/iommu/iommu.c";
constexpr const char* intel_c = "drivers/iommu/intel-iommu.c";
constexpr const char* amd_c = "drivers/iommu/amd_iommu.c";

constexpr std::array<model::StepInfo, step_count> table = {{
    {"idle", "-", "-", "nothing is under way"},
    {"map", "iommu_dma_alloc_iova", dma_c, "a driver asks for a range; 32 bits first for a PCI device"},
    {"unmap", "__iommu_dma_unmap", dma_c, "a driver gives a range back; its page table entries are cleared"},
    {"rcache_get.cpu", "__iova_rcache_get", iova_c, "reads which CPU it runs on"},
    {"rcache_get", "__iova_rcache_get", iova_c, "takes a range from this CPU's magazines or the depot, or misses"},
    {"alloc_iova_mem", "alloc_iova_mem", iova_c, "allocates a node, GFP_ATOMIC"},
    {"alloc_iova", "__alloc_and_insert_iova_range", iova_c, "searches the tree downwards and inserts the range"},
    {"free_cpu_cached.loaded", "free_cpu_cached_iovas", iova_c,
     "frees one CPU's loaded magazine of one size into the tree"},
    {"free_cpu_cached.prev", "free_cpu_cached_iovas", iova_c,
     "frees the second magazine under the same hold of its lock"},
    {"free_global_cached", "free_global_cached_iovas", iova_c, "frees one depot magazine into the tree"},
    {"rcache_insert.cpu", "__iova_rcache_insert", iova_c, "reads which CPU it runs on"},
    {"rcache_insert", "__iova_rcache_insert", iova_c,
     "caches the range on this CPU, through the depot where both are full"},
    {"magazine_free_pfns", "iova_magazine_free_pfns", iova_c, "frees a whole magazine into the tree"},
    {"free_iova.find", "free_iova", iova_c, "finds the node and lets go of the lock (to 5.10)"},
    {"free_iova", "free_iova", iova_c, "removes the range from the tree"},
    {"queue_iova.cpu", "queue_iova", dma_c, "reads which CPU it runs on"},
    {"queue_iova.lock", "queue_iova", dma_c, "locks that CPU's queue and reads the finished-flush counter"},
    {"fq_ring_free", "fq_ring_free_locked", dma_c, "takes the oldest entry that a flush has covered, or goes on"},
    {"fq_flush_iotlb.start", "fq_flush_iotlb", dma_c, "counts a flush as started"},
    {"fq_flush_iotlb.hw", "fq_flush_iotlb", dma_c, "the IOMMU begins to invalidate the whole domain"},
    {"fq_flush_iotlb.end", "fq_flush_iotlb", dma_c, "the invalidation is done and counted as finished"},
    {"queue_iova.add", "queue_iova", dma_c, "appends its range with the started-flush counter"},
    {"queue_iova.unlock", "queue_iova", dma_c, "unlocks the queue; the cleared page table entry is visible by now"},
    {"queue_iova.timer_test", "queue_iova", dma_c, "looks whether the timer is on"},
    {"queue_iova.timer_claim", "queue_iova", dma_c, "claims the timer"},
    {"queue_iova.timer_arm", "queue_iova", dma_c, "arms the timer"},
    {"fq_flush_timeout", "fq_flush_timeout", dma_c, "the timer fires"},
    {"fq_flush_timeout.lock", "fq_flush_timeout", dma_c,
     "locks the next CPU's queue and reads the finished-flush counter"},
    {"add_unmap.test", "add_unmap", intel_c,
     "looks whether this CPU's table is full, without its lock (Intel to 4.13)"},
    {"flush_unmaps", "flush_unmaps_timeout", intel_c, "locks the next CPU's table, to flush it (Intel to 4.13)"},
    {"add_unmap", "add_unmap", intel_c, "locks the table, appends the range and arms the timer (Intel to 4.13)"},
    {"unmap_single.flush", "__unmap_single", amd_c, "invalidates the whole domain, after the free (AMD to 4.17)"},
    {"init_fq.alloc", "iommu_dma_init_fq", dma_c, "resets the flush counters and allocates the queue"},
    {"init_fq.rings", "iommu_dma_init_one_fq", dma_c, "sets up the rings and their locks"},
    {"init_fq.timer", "iommu_dma_init_fq", dma_c, "sets up the timer"},
    {"init_fq.publish", "iommu_dma_init_fq", dma_c, "lets unmaps see the queue"},
    {"iova_depot_work", "iova_depot_work_func", iova_c,
     "takes one magazine out of a depot that holds more than one a CPU"},
    {"iova_depot_work.pop", "iova_depot_work_func", iova_c, "the same, once the lock is held with interrupts on"},
    {"cpu_down", "iova_cpuhp_dead", iova_c, "a CPU goes offline; its caches are emptied afterwards"},
    {"cpu_up", "-", "-", "a CPU comes back"},
    {"init_domain.check", "iommu_dma_init_domain", dma_c, "a device joins: is start_pfn set already?"},
    {"init_iova_domain", "init_iova_domain", iova_c, "sets up the tree and start_pfn"},
    {"init_rcaches", "iova_domain_init_rcaches", iova_c, "allocates the magazines"},
    {"reserve_windows", "iova_reserve_pci_windows", dma_c, "reserves the gap before a DMA window, or after the last"},
    {"reserve_regions", "iova_reserve_iommu_regions", dma_c, "reserves the device's regions"},
    {"reserve_iova", "reserve_iova", iova_c, "reserves a range while the domain is in use"},
    {"put_cookie.timer", "iommu_put_dma_cookie", dma_c, "stops the timer"},
    {"put_cookie.free", "iommu_put_dma_cookie", dma_c, "frees the queues, the caches and the tree"},
    {"store_type", "iommu_group_store_type", iommu_c, "a strict domain in use is to get a flush queue"},
    {"migrate", "-", "-", "the scheduler moves the task to another CPU"},
}};

}  // namespace

std::span<const model::StepInfo> step_table() { return table; }

bool in_kernel(Step step, const Facts& f) {
  const bool amd_own_queue = f.amd_caller != AmdCaller::dma_iommu;
  const bool ring = f.flush_queue || f.amd_caller == AmdCaller::own_ring;
  const bool table = f.intel_caller == IntelCaller::own_table;
  switch (step) {
    case Step::flush_depot: return f.flush_depot;
    case Step::free_find: return !f.free_iova_one_section;
    case Step::queue_lock:
    case Step::queue_append:
    case Step::queue_unlock:
    case Step::timer_test:
    case Step::timer_arm:
    case Step::timeout_lock: return ring || amd_own_queue;
    case Step::queue_cpu:
    case Step::ring_free:
    case Step::flush_hw:
    case Step::flush_end:
    case Step::timeout: return ring || amd_own_queue || table;
    case Step::flush_start: return ring;
    case Step::timer_claim: return ring && f.fq_timer_arm != TimerArm::cmpxchg;
    case Step::table_test:
    case Step::table_lock:
    case Step::table_add: return table;
    case Step::late_flush: return amd_own_queue && !f.amd_strict_flush_first;
    case Step::fq_alloc:
    case Step::fq_rings:
    case Step::fq_timer:
    case Step::fq_publish: return f.flush_queue;
    case Step::store_type: return f.fq_live_switch;
    case Step::init_windows: return f.dma_windows_reserved;
    case Step::trim: return f.depot_trim;
    case Step::trim_locked: return f.depot_trim && !f.depot_trim_irqsave;
    default: return true;
  }
}

}  // namespace iomc::spec::iova
