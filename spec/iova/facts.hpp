// SPDX-License-Identifier: GPL-2.0-or-later
// What differs between kernels in drivers/iommu/iova.c and drivers/iommu/dma-iommu.c, as facts.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "model/facts.hpp"

namespace iomc::spec::iova {

/// How __alloc_and_insert_iova_range walks.
enum class TreeSearch : unsigned char {
  cached32,  ///< one cached node, NULL when unknown; limit replaced by the cached node's pfn_lo
  anchor     ///< an anchor node at the top, a cached node for each of the two spaces
};
inline constexpr std::array<std::string_view, 2> tree_search_words = {"cached32", "anchor"};

/// When the size of the last failed 32-bit search is forgotten.
/// `never` is in no release: what a patch that drops the reset leaves.
enum class Max32Reset : unsigned char { absent, with_cached32, any_32bit_free, never };
inline constexpr std::array<std::string_view, 4> max32_reset_words = {"absent", "with_cached32", "any_32bit_free",
                                                                      "never"};

/// Whether a failed search looks again above the cached node, and from where.
enum class SecondPass : unsigned char { absent, from_anchor, from_limit };
inline constexpr std::array<std::string_view, 3> second_pass_words = {"absent", "from_anchor", "from_limit"};

/// Which entry of the loaded magazine iova_magazine_pop may take.
enum class MagazinePop : unsigned char { top, scan };
inline constexpr std::array<std::string_view, 2> magazine_pop_words = {"top", "scan"};

/// What iova_magazine_free_pfns does with a pfn that is not in the tree.
enum class MissingRange : unsigned char { bug, warn };
inline constexpr std::array<std::string_view, 2> missing_range_words = {"bug", "warn"};

/// How queue_iova decides to arm the timer.
enum class TimerArm : unsigned char { cmpxchg, test_cmpxchg, test_xchg };
inline constexpr std::array<std::string_view, 3> timer_arm_words = {"cmpxchg", "test_cmpxchg", "test_xchg"};

/// How a map_sg caller tests the result of the mapping.
enum class MapSgCheck : unsigned char { correct, mapping_error, unsigned_compare };
inline constexpr std::array<std::string_view, 3> map_sg_check_words = {"correct", "mapping_error", "unsigned_compare"};

/// When iommu_dma_init_fq (init_iova_flush_queue to 5.16) lets other CPUs see the queue: before its rings are set up,
/// before its timer is, or last of all; `unordered` is last without the barrier.
enum class FqPublish : unsigned char { first, before_timer, unordered, last };
inline constexpr std::array<std::string_view, 4> fq_publish_words = {"first", "before_timer", "unordered", "last"};

/// Who asks for ranges behind an Intel IOMMU, and where the driver keeps what waits for an invalidation.
enum class IntelCaller : unsigned char { own_table, own_ring, dma_iommu };
inline constexpr std::array<std::string_view, 3> intel_caller_words = {"own_table", "own_ring", "dma_iommu"};

/// The same behind an AMD IOMMU.
enum class AmdCaller : unsigned char { own_list, own_ring, dma_iommu };
inline constexpr std::array<std::string_view, 3> amd_caller_words = {"own_list", "own_ring", "dma_iommu"};

/// One kernel's choices. The defaults are those of mainline 6.12.
struct Facts {
  // drivers/iommu/iova.c: the tree
  TreeSearch tree_search = TreeSearch::anchor;
  bool limit_exclusive = true;
  bool underflow_guard = true;
  bool delete_update_equal = true;
  Max32Reset max32_reset = Max32Reset::any_32bit_free;
  bool max32_store_on_walk = true;
  SecondPass second_pass = SecondPass::from_limit;
  bool retry_pfn_wraps = false;
  bool free_iova_one_section = true;
  bool node_zeroed = true;
  // drivers/iommu/iova.c: the rcache
  unsigned bins = 6;
  unsigned mag_size = 127;
  unsigned depot_max = 0;
  MagazinePop pop = MagazinePop::scan;
  bool pop_limit_by_size = true;
  bool cpu_ptr_preemptible = true;
  MissingRange missing_range = MissingRange::warn;
  bool rcache_init_checked = true;
  bool round_in_alloc_fast = true;
  bool flush_optional = true;
  bool flush_depot = true;
  bool depot_flush_newest_first = true;
  bool cpuhp_flush = true;
  bool depot_trim = true;
  bool depot_trim_irqsave = true;
  // drivers/iommu/dma-iommu.c: the callers
  bool callers_round = false;
  bool flush_on_32bit_failure = false;
  bool flush_on_full_failure = true;
  bool sticky_32bit = true;
  bool forcedac_option = true;
  bool domain_init_locked = true;
  bool adjacent_windows = true;
  bool dma_windows_reserved = true;
  MapSgCheck map_sg_check = MapSgCheck::correct;
  // the flush queue
  bool flush_queue = true;
  unsigned fq_size = 256;
  TimerArm fq_timer_arm = TimerArm::test_xchg;
  bool fq_barrier = true;
  bool fq_use_checked = true;
  bool fq_teardown_sync = true;
  bool fq_recheck_after_flush = false;
  bool fq_single = true;
  FqPublish fq_publish = FqPublish::last;
  bool fq_live_switch = true;
  // drivers/iommu/intel/iommu.c, drivers/iommu/amd/iommu.c
  bool caching_mode_strict = true;
  IntelCaller intel_caller = IntelCaller::dma_iommu;
  AmdCaller amd_caller = AmdCaller::dma_iommu;
  bool amd_strict_flush_first = true;

  bool operator==(const Facts&) const = default;

  template <class Self, class V>
  static void visit(Self& f, V&& v) {
    using model::FactInfo;
    constexpr const char* iova_c = "drivers/iommu/iova.c";
    constexpr const char* dma_c = "drivers/iommu/dma-iommu.c";
    constexpr const char* iommu_c = "drivers/iommu/iommu.c";
    constexpr const char* amd_c = "drivers/iommu/amd/iommu.c";
    constexpr const char* intel_c = "drivers/iommu/intel/iommu.c";
    v(FactInfo{"tree_search", "where the search starts and what bounds it", iova_c, "__get_cached_rbnode",
               "bb68b2fbfbd6 and e60aa7b53845, 4.15", tree_search_words},
      f.tree_search);
    v(FactInfo{"limit_exclusive", "alloc_iova passes limit_pfn + 1, so the lowest pfn can be granted", iova_c,
               "alloc_iova", "757c370f036e, 4.13"},
      f.limit_exclusive);
    v(FactInfo{"underflow_guard", "a node at pfn 0 cannot make the walk wrap to the top", iova_c,
               "__alloc_and_insert_iova_range", "5016bdb796b3, 4.13"},
      f.underflow_guard);
    v(FactInfo{"delete_update_equal", "freeing the node that cached32_node points at always moves the pointer", iova_c,
               "__cached_rbnode_delete_update", "9eed17d37c77, 5.3"},
      f.delete_update_equal);
    v(FactInfo{"max32_reset", "when max32_alloc_size, the size of the last failed 32-bit search, is reset", iova_c,
               "__cached_rbnode_delete_update", "bee60e94a1e2, 4.20; 5b61343b5059, 5.18", max32_reset_words},
      f.max32_reset);
    v(FactInfo{"max32_store_on_walk", "only a search that walked stores max32_alloc_size, not a quick refusal", iova_c,
               "__alloc_and_insert_iova_range", "80ef4464d5e2, 5.1"},
      f.max32_store_on_walk);
    v(FactInfo{"second_pass", "a failed search looks again above the cached node, from the anchor or from the limit",
               iova_c, "__alloc_and_insert_iova_range", "4e89dce72521, 5.11; 371d7955e310, 5.13", second_pass_words},
      f.second_pass);
    v(FactInfo{"retry_pfn_wraps", "retry_pfn is cached.pfn_hi + 1, which is 0 when the anchor is cached", iova_c,
               "__alloc_and_insert_iova_range", "4e89dce72521, 5.11; fixed by dcdb3ba7e2a8, 6.2"},
      f.retry_pfn_wraps);
    v(FactInfo{"free_iova_one_section", "free_iova finds and removes under one hold of iova_rbtree_lock", iova_c,
               "free_iova", "3a651b3a27a1, 5.11"},
      f.free_iova_one_section);
    v(FactInfo{"node_zeroed", "a new struct iova is zeroed, so it cannot look like the anchor", iova_c,
               "alloc_iova_mem", "472d26df5e80, 5.5"},
      f.node_zeroed);
    v(FactInfo{"bins", "size classes of the rcache (orders 0 to bins-1)", iova_c, "IOVA_RANGE_CACHE_MAX_SIZE",
               "9257b4a206fc, 4.7"},
      f.bins);
    v(FactInfo{"mag_size", "entries of one magazine", iova_c, "IOVA_MAG_SIZE", "b4c9bf178ace, 6.0: 128 to 127"},
      f.mag_size);
    v(FactInfo{"depot_max", "magazines the depot holds in one size class; 0 is a list without bound", iova_c,
               "MAX_GLOBAL_MAGS", "911aa1245da8, 6.7: 32 to unbounded"},
      f.depot_max);
    v(FactInfo{"pop", "which entries of the loaded magazine a request may take", iova_c, "iova_magazine_pop",
               "e8b198402745, 4.15", magazine_pop_words},
      f.pop);
    v(FactInfo{"pop_limit_by_size", "the limit of a cached range is the limit of its last page, not of its first",
               iova_c, "iova_rcache_get", "b826ee9a4f9d, 4.15"},
      f.pop_limit_by_size);
    v(FactInfo{"cpu_ptr_preemptible", "the per-CPU cache is found with preemption on (raw_cpu_ptr)", iova_c,
               "__iova_rcache_insert", "aaffaa8a3b59, 4.13"},
      f.cpu_ptr_preemptible);
    v(FactInfo{"missing_range", "a cached pfn that is not in the tree stops the kernel or warns", iova_c,
               "iova_magazine_free_pfns", "d3e3d2be688b, 5.9", missing_range_words},
      f.missing_range);
    v(FactInfo{"rcache_init_checked", "a magazine that cannot be allocated at domain creation is an error", iova_c,
               "iova_domain_init_rcaches", "32e92d9f6f87, 5.18"},
      f.rcache_init_checked);
    v(FactInfo{"round_in_alloc_fast", "alloc_iova_fast rounds cacheable sizes up itself; before, its callers had to",
               iova_c, "alloc_iova_fast", "5.17"},
      f.round_in_alloc_fast);
    v(FactInfo{"flush_optional", "alloc_iova_fast flushes the caches only where its caller asks for it", iova_c,
               "alloc_iova_fast", "538d5b333216, 4.15"},
      f.flush_optional);
    v(FactInfo{"flush_depot", "the flush of the caches also empties the depots", iova_c, "alloc_iova_fast",
               "6fa3525b455a, 5.11"},
      f.flush_depot);
    v(FactInfo{"depot_flush_newest_first", "the depot is emptied from the magazine pushed last", iova_c,
               "free_global_cached_iovas", "911aa1245da8, 6.7"},
      f.depot_flush_newest_first);
    v(FactInfo{"cpuhp_flush", "the caches of a CPU that goes offline are emptied", iova_c, "iova_cpuhp_dead",
               "f598a497bc7d, 5.13"},
      f.cpuhp_flush);
    v(FactInfo{"depot_trim", "delayed work frees one depot magazine at a time down to the number of online CPUs",
               iova_c, "iova_depot_work_func", "233045378dbb, 6.7"},
      f.depot_trim);
    v(FactInfo{"depot_trim_irqsave", "that work takes the depot lock with interrupts off", iova_c,
               "iova_depot_work_func", "233045378dbb, 6.7; posted without in August 2023"},
      f.depot_trim_irqsave);
    v(FactInfo{"callers_round", "iommu_dma_alloc_iova rounds cacheable sizes up before it asks for them", dma_c,
               "iommu_dma_alloc_iova", "to 5.16"},
      f.callers_round);
    v(FactInfo{"flush_on_32bit_failure", "the first, 32-bit attempt flushes the caches when it fails", dma_c,
               "iommu_dma_alloc_iova", "538d5b333216, 4.15"},
      f.flush_on_32bit_failure);
    v(FactInfo{"flush_on_full_failure", "the last attempt flushes the caches when it fails", dma_c,
               "iommu_dma_alloc_iova", "538d5b333216, 4.15"},
      f.flush_on_full_failure);
    v(FactInfo{"sticky_32bit", "the first failed 32-bit attempt ends such attempts for that device", dma_c,
               "iommu_dma_alloc_iova", "791c2b17fb40, 6.6"},
      f.sticky_32bit);
    v(FactInfo{"forcedac_option", "iommu.forcedac=1 skips the 32-bit attempt", dma_c, "iommu_dma_forcedac_setup",
               "3542dcb15cef, 5.13"},
      f.forcedac_option);
    v(FactInfo{"domain_init_locked", "two devices of one group cannot both initialise the domain", dma_c,
               "iommu_dma_init_domain", "ac9a5d522bb8, 6.0"},
      f.domain_init_locked);
    v(FactInfo{"adjacent_windows", "a DMA window that starts at 0 or where the last one ended is accepted", dma_c,
               "iova_reserve_pci_windows", "571f316074a2, 5.10"},
      f.adjacent_windows);
    v(FactInfo{"dma_windows_reserved", "domain set-up reserves what the host bridge's DMA windows leave out", dma_c,
               "iova_reserve_pci_windows", "aadad097cd46, 5.3"},
      f.dma_windows_reserved);
    v(FactInfo{"map_sg_check", "how a failed mapping of a scatter list is recognised (AMD's driver: mapping_error)",
               dma_c, "iommu_dma_map_sg", "b3aa14f02254, 5.1 (AMD); ad8f36e4b6b1, 5.15", map_sg_check_words},
      f.map_sg_check);
    v(FactInfo{"flush_queue", "unmap may queue the range for a later invalidation (lazy mode)", dma_c, "queue_iova",
               "13cf01744608, 4.14"},
      f.flush_queue);
    v(FactInfo{"fq_size", "slots of one CPU's flush queue, one of them always empty", dma_c, "IOVA_DEFAULT_FQ_SIZE",
               "4.14"},
      f.fq_size);
    v(FactInfo{"fq_timer_arm", "how queue_iova claims the timer: one write a call, or a read first", dma_c,
               "queue_iova", "0d87308cca2c, 5.4; 5.10", timer_arm_words},
      f.fq_timer_arm);
    v(FactInfo{"fq_barrier", "a full barrier orders the cleared page table before the read of the flush counter", dma_c,
               "queue_iova", "5.15"},
      f.fq_barrier);
    v(FactInfo{"fq_use_checked", "a range is queued only where the domain has a flush queue", dma_c,
               "iommu_dma_free_iova", "effa467870c7, 5.3"},
      f.fq_use_checked);
    v(FactInfo{"fq_teardown_sync", "teardown waits for a running timer before the queue is freed", dma_c,
               "iommu_dma_free_fq", "d7061627d701, 5.17"},
      f.fq_teardown_sync);
    v(FactInfo{"fq_recheck_after_flush", "queue_iova checks again for room after its own flush", dma_c, "queue_iova",
               "in no release: the cure of the ring overflow"},
      f.fq_recheck_after_flush);
    v(FactInfo{"fq_single", "where a flush fills shadow tables (s390) one large queue serves all CPUs", dma_c,
               "iommu_dma_init_options", "6.7"},
      f.fq_single);
    v(FactInfo{"fq_publish", "when other CPUs may see a flush queue that is being set up", dma_c, "iommu_dma_init_fq",
               "effa467870c7, 5.3; 5.15", fq_publish_words},
      f.fq_publish);
    v(FactInfo{"fq_live_switch", "a strict domain in use may be given a flush queue (sysfs: DMA to DMA-FQ)", iommu_c,
               "iommu_group_store_type", "5.15"},
      f.fq_live_switch);
    v(FactInfo{"caching_mode_strict", "behind an Intel IOMMU in caching mode (an emulated one) unmaps are not queued",
               intel_c, "intel_iommu_init", "29b32839725f, 5.11"},
      f.caching_mode_strict);
    v(FactInfo{"intel_caller", "who asks for ranges behind an Intel IOMMU; own_table and own_ring tell where it queues",
               intel_c, "intel_iommu_init", "13cf01744608, 4.14; c588072bba6b, 5.11", intel_caller_words},
      f.intel_caller);
    v(FactInfo{"amd_caller", "who asks for ranges behind an AMD IOMMU; own_list and own_ring tell where it queues",
               amd_c, "amd_iommu_unmap", "4.13; be62dbf554c5, 5.5", amd_caller_words},
      f.amd_caller);
    v(FactInfo{"amd_strict_flush_first", "AMD's strict unmap invalidates before it frees the range", amd_c,
               "amd_iommu_unmap", "3c120143f584, 4.18"},
      f.amd_strict_flush_first);
  }
};

/// A built-in fact set.
struct Kernel {
  std::string_view name;    ///< "4.13", "debian-6.12"
  std::string_view source;  ///< where its facts were taken from
  Facts facts;
};

/// All built-in fact sets, oldest first.
std::span<const Kernel> kernels();

/// The built-in fact set of that name, or nullptr.
const Kernel* find_kernel(std::string_view name);

}  // namespace iomc::spec::iova
