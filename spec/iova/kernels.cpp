// SPDX-License-Identifier: GPL-2.0-or-later
// The built-in kernels, each told as what it changed against the one before it.
#include <vector>

#include "spec/iova/facts.hpp"

namespace iomc::spec::iova {

namespace {

std::vector<Kernel> make_kernels() {
  std::vector<Kernel> out;
  const auto add = [&](std::string_view name, std::string_view source, const Facts& f) {
    out.push_back({name, source, f});
  };

  Facts f;
  f.tree_search = TreeSearch::cached32;
  f.limit_exclusive = false;
  f.underflow_guard = false;
  f.delete_update_equal = true;  // with one cached node, any freed range at or above it moves the pointer
  f.max32_reset = Max32Reset::absent;
  f.max32_store_on_walk = false;
  f.second_pass = SecondPass::absent;
  f.retry_pfn_wraps = false;
  f.free_iova_one_section = false;
  f.node_zeroed = false;
  f.mag_size = 128;
  f.depot_max = 32;
  f.pop = MagazinePop::top;
  f.pop_limit_by_size = false;
  f.cpu_ptr_preemptible = false;
  f.missing_range = MissingRange::bug;
  f.rcache_init_checked = false;
  f.round_in_alloc_fast = false;
  f.flush_optional = false;
  f.flush_depot = false;
  f.depot_flush_newest_first = false;
  f.cpuhp_flush = false;
  f.depot_trim = false;
  f.depot_trim_irqsave = false;
  f.callers_round = true;
  f.flush_on_32bit_failure = true;
  f.flush_on_full_failure = true;
  f.sticky_32bit = false;
  f.forcedac_option = false;
  f.domain_init_locked = false;
  f.adjacent_windows = true;  // DMA windows are not looked at before 5.3
  f.dma_windows_reserved = false;
  f.map_sg_check = MapSgCheck::correct;
  f.flush_queue = false;
  f.fq_timer_arm = TimerArm::cmpxchg;
  f.fq_barrier = false;
  f.fq_use_checked = false;
  f.fq_teardown_sync = false;
  f.fq_single = false;
  f.fq_publish = FqPublish::first;
  f.fq_live_switch = false;
  f.caching_mode_strict = false;
  f.intel_caller = IntelCaller::own_table;
  f.amd_caller = AmdCaller::own_list;
  f.amd_strict_flush_first = false;
  add("4.12", "a stored copy of the file; the list archive", f);

  f.limit_exclusive = true;
  f.underflow_guard = true;
  f.cpu_ptr_preemptible = true;
  f.amd_caller = AmdCaller::own_ring;
  add("4.13", "a stored copy of the file; the list archive", f);

  f.tree_search = TreeSearch::anchor;
  f.delete_update_equal = false;
  f.pop = MagazinePop::scan;
  f.pop_limit_by_size = true;
  f.flush_optional = true;
  f.flush_on_32bit_failure = false;
  f.flush_queue = true;
  f.intel_caller = IntelCaller::own_ring;
  add("4.15", "a 4.15-stable file without its 2019 backports", f);

  f.max32_reset = Max32Reset::with_cached32;
  f.amd_strict_flush_first = true;
  add("4.20", "the list archive", f);

  f.max32_store_on_walk = true;
  f.map_sg_check = MapSgCheck::mapping_error;
  add("5.2", "the list archive; the failed map_sg test is AMD's", f);

  f.map_sg_check = MapSgCheck::correct;
  f.delete_update_equal = true;
  f.fq_use_checked = true;
  f.fq_timer_arm = TimerArm::test_cmpxchg;
  f.node_zeroed = true;
  f.missing_range = MissingRange::warn;
  f.adjacent_windows = false;
  f.dma_windows_reserved = true;
  f.fq_publish = FqPublish::before_timer;
  f.amd_caller = AmdCaller::dma_iommu;
  add("5.9", "the list archive", f);

  f.adjacent_windows = true;
  f.fq_timer_arm = TimerArm::test_xchg;
  f.second_pass = SecondPass::from_anchor;
  f.retry_pfn_wraps = true;
  f.flush_depot = true;
  f.free_iova_one_section = true;
  f.caching_mode_strict = true;
  f.intel_caller = IntelCaller::dma_iommu;
  add("5.11", "the list archive", f);

  f.second_pass = SecondPass::from_limit;
  f.cpuhp_flush = true;
  f.forcedac_option = true;
  add("5.13", "the list archive", f);

  f.fq_barrier = true;
  f.fq_publish = FqPublish::last;
  f.fq_live_switch = true;
  f.map_sg_check = MapSgCheck::unsigned_compare;
  f.round_in_alloc_fast = true;
  f.callers_round = false;
  f.fq_teardown_sync = true;
  f.max32_reset = Max32Reset::any_32bit_free;
  f.rcache_init_checked = true;
  add("5.18", "the list archive", f);

  f.map_sg_check = MapSgCheck::correct;
  f.mag_size = 127;
  f.domain_init_locked = true;
  add("6.1", "linux-source-6.1, less dcdb3ba7e2a8", f);

  f.retry_pfn_wraps = false;
  add("debian-6.1", "linux-source-6.1", f);
  add("6.2", "linux-source-6.1", f);

  f.sticky_32bit = true;
  add("6.6", "linux-source-6.12, less the depot list", f);

  f.depot_max = 0;
  f.depot_flush_newest_first = true;
  f.depot_trim = true;
  f.depot_trim_irqsave = true;
  f.fq_single = true;
  add("6.12", "linux-source-6.12", f);
  add("debian-6.12", "linux-source-6.12", f);
  return out;
}

}  // namespace

std::span<const Kernel> kernels() {
  static const std::vector<Kernel> all = make_kernels();
  return all;
}

const Kernel* find_kernel(std::string_view name) {
  for (const Kernel& k : kernels())
    if (k.name == name) return &k;
  return nullptr;
}

}  // namespace iomc::spec::iova
