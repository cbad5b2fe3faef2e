// SPDX-License-Identifier: GPL-2.0-or-later
#include <array>

#include "spec/iova/iova.hpp"

namespace iomc::spec::iova {

namespace {

constexpr const char* iova_c = "drivers/iommu/iova.c";
constexpr const char* dma_c = "drivers/iommu/dma-iommu.c";

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
    {"iova_depot_work", "iova_depot_work_func", iova_c,
     "takes one magazine out of a depot that holds more than one a CPU"},
    {"iova_depot_work.pop", "iova_depot_work_func", iova_c, "the same, once the lock is held with interrupts on"},
    {"cpu_down", "iova_cpuhp_dead", iova_c, "a CPU goes offline; its caches are emptied afterwards"},
    {"cpu_up", "-", "-", "a CPU comes back"},
    {"init_domain.check", "iommu_dma_init_domain", dma_c, "a device joins: is start_pfn set already?"},
    {"init_iova_domain", "init_iova_domain", iova_c, "sets up the tree and start_pfn"},
    {"init_rcaches", "iova_domain_init_rcaches", iova_c, "allocates the magazines"},
    {"reserve_regions", "iova_reserve_iommu_regions", dma_c, "reserves windows and regions"},
    {"reserve_iova", "reserve_iova", iova_c, "reserves a range while the domain is in use"},
    {"put_cookie.timer", "iommu_put_dma_cookie", dma_c, "stops the timer"},
    {"put_cookie.free", "iommu_put_dma_cookie", dma_c, "frees the queues, the caches and the tree"},
    {"migrate", "-", "-", "the scheduler moves the task to another CPU"},
}};

}  // namespace

std::span<const model::StepInfo> step_table() { return table; }

}  // namespace iomc::spec::iova
