// SPDX-License-Identifier: GPL-2.0-or-later
// drivers/iommu/dma-iommu.c: iommu_dma_alloc_iova, __iommu_dma_unmap, iommu_dma_init_domain, iommu_put_dma_cookie, and
// the drivers that call them.
#pragma once

#include "spec/iova/deferred.hpp"

namespace iomc::spec::iova {

// ---- what drivers hold (ghost) ---------------------------------------------------------------------------------

template <class T>
void add_mapping(const Point<T>& k, const typename T::Pfn& pfn, const typename T::Count& pages) {
  if constexpr (T::Shape::ghosts) {
    using Count = typename T::Count;
    auto& s = k.s;
    IOMC_INVARIANT(s.mappings < Count(s.mapped.size()));
    // Ascending by pfn; what lies above moves up by one. No path forks here.
    for (std::size_t i = s.mapped.size(); i-- > 0;) {
      const auto goes_below = [&](std::size_t j) { return model::both(Count(j) < s.mappings, s.mapped[j].pfn <= pfn); };
      const typename T::Bool stays = model::either(goes_below(i), s.mappings < Count(i));
      const typename T::Bool here = i == 0 ? typename T::Bool(true) : goes_below(i - 1);
      const Mapping<T> below = i == 0 ? Mapping<T>{} : s.mapped[i - 1];
      s.mapped[i].pfn = model::select(stays, s.mapped[i].pfn, model::select(here, pfn, below.pfn));
      s.mapped[i].pages = model::select(stays, s.mapped[i].pages, model::select(here, pages, below.pages));
    }
    s.mappings += Count(1);
  }
}

template <class T>
Mapping<T> remove_mapping(State<T>& s, std::size_t i) {
  const Mapping<T> gone = s.mapped[i];
  for (; i + 1 < s.mapped.size(); ++i) s.mapped[i] = s.mapped[i + 1];
  s.mapped[s.mapped.size() - 1] = {};
  s.mappings -= typename T::Count(1);
  return gone;
}

// ---- iommu_dma_alloc_iova --------------------------------------------------------------------------------------

/// The attempt within the device's own limit.
template <class T>
bool full_attempt(const Point<T>& k, const Device& device) {
  using Count = typename T::Count;
  Lane<T>& me = k.me();
  me.attempt = Count(2);
  me.limit = typename T::Pfn(device.limit);
  me.flush = Count(!k.facts().flush_optional || k.facts().flush_on_full_failure ? 1 : 0);
  return start_alloc_fast(k);
}

/// iommu_dma_alloc_iova up to the first look into the cache.
template <class T>
bool start_map(const Point<T>& k, std::size_t device_index, unsigned pages) {
  using Count = typename T::Count;
  Lane<T>& me = k.me();
  const Device& device = k.config.env.devices[device_index];
  me.op = Count(Operation::op_map);
  me.context.active = typename T::Flag(1);
  me.device = Count(device_index);
  me.pages = Count(pages);
  const bool wide = device.limit >= k.sizes().boundary;
  // Intel's own forcedac is as old as the trick; AMD has none of its own.
  const bool own = own_caller(k.config);
  const bool can_skip = own ? k.config.env.driver == Driver::intel : k.facts().forcedac_option;
  const bool try_32bit = wide && (device.pci || own) && !(k.config.env.forcedac && can_skip);
  if (!try_32bit || (k.facts().sticky_32bit && !k.s.pci_32bit_workaround[device_index].nonzero()))
    return full_attempt(k, device);
  me.attempt = Count(1);
  me.limit = typename T::Pfn(k.sizes().boundary - 1);
  me.flush = Count(!k.facts().flush_optional || k.facts().flush_on_32bit_failure ? 1 : 0);
  return start_alloc_fast(k);
}

/// A driver maps a buffer for one of its devices.
template <class T>
bool map_step(const Point<T>& k) {
  const auto& env = k.config.env;
  if (!k.s.attached.nonzero() || k.s.life > DomainLife::live) return false;
  if (!(k.s.mappings < typename T::Count(k.sizes().max_mappings))) return false;
  const unsigned device = k.cx.pick(static_cast<unsigned>(env.devices.size()));
  const unsigned request = k.cx.pick(static_cast<unsigned>(env.request_pages.size()));
  return start_map(k, device, env.request_pages[request]);
}

/// alloc_iova_fast returned a range; iommu_map installs the translation, which may fail.
template <class T>
bool granted(const Point<T>& k, const typename T::Pfn& lo, bool from_cache) {
  using Count = typename T::Count;
  Lane<T>& me = k.me();
  k.emit(Event<T>::grant, lo, widen<T>(me.size), me.limit, Count(from_cache ? 1 : 0));
  if (k.config.env.lazy || frees_before_flush(k.config))
    k.emit(Event<T>::lazy_grant, lo, widen<T>(me.size), me.limit, Count(from_cache ? 1 : 0));
  if (me.op == Operation::op_map &&
      k.config.env.devices[model::index_of(me.device, k.config.env.devices.size())].true_limit != ~0U)
    k.emit(Event<T>::device_grant, lo, widen<T>(me.size), me.limit, Count(from_cache ? 1 : 0));
  if (!(me.op == Operation::op_map)) return k.done();
  const bool failed = k.config.env.map_failure && k.cx.pick(2) == 1;
  // A negative result that is compared as unsigned is taken for success.
  if (!failed || k.facts().map_sg_check == MapSgCheck::unsigned_compare) {
    if (k.config.env.map_failure)
      k.emit(Event<T>::untranslated, lo, widen<T>(me.size), me.limit, Count(failed ? 0 : 1));
    add_mapping(k, lo, me.pages);
    return k.done();
  }
  me.pfn = lo;
  return start_free_fast(k);
}

/// Ghost: is a range below the boundary idle in some cache?
template <class T>
bool holds_32bit_range(const Point<T>& k) {
  bool found = false;
  const auto look = [&](const Magazine<T>& mag) {
    for (std::size_t i = 0; i < mag.pfns.size() && typename T::Count(i) < mag.size; ++i)
      found = found || mag.pfns[i] < k.boundary();
  };
  for (const auto& rcache : k.s.rcache)
    for (const auto& cache : rcache.cpu) {
      look(cache.loaded);
      look(cache.prev);
    }
  return found;
}

/// alloc_iova_fast returned 0.
template <class T>
bool alloc_failed(const Point<T>& k) {
  using Count = typename T::Count;
  Lane<T>& me = k.me();
  k.emit(Event<T>::alloc_failed, {}, widen<T>(me.size), me.limit,
         model::select(me.flush == 0, Count(1), Count(0)));
  if (!(me.op == Operation::op_map)) return k.done();
  const std::size_t device = model::index_of(me.device, k.s.notices.size());
  if (me.attempt == 1) {
    if (k.config.env.count_stash && holds_32bit_range(k))
      k.s.stash_failures[device] = model::min_of(k.s.stash_failures[device] + typename T::Flag(1), typename T::Flag(2));
    if (k.facts().sticky_32bit) {
      k.emit(Event<T>::left_32bit, {}, widen<T>(me.size), me.limit);
      k.s.pci_32bit_workaround[device] = typename T::Flag(0);
      k.s.notices[device] = model::min_of(k.s.notices[device] + typename T::Flag(1), typename T::Flag(2));
    }
    return full_attempt(k, k.config.env.devices[device]);
  }
  // Compared with DMA_MAPPING_ERROR instead of 0, the failure is taken for a mapping at 0. Only AMD's driver did.
  if (k.facts().map_sg_check == MapSgCheck::mapping_error && k.config.env.driver == Driver::amd)
    add_mapping(k, typename T::Pfn(0), me.pages);
  return k.done();
}

// ---- __iommu_dma_unmap -----------------------------------------------------------------------------------------

/// Whether this domain's unmaps are queued. From 5.3 on an unmap looks for the queue first.
template <class T>
bool queues_unmaps(const Point<T>& k) {
  const QueueKind kind = queue_kind(k.config);
  if (kind == QueueKind::none || (k.config.env.caching_mode && k.facts().caching_mode_strict)) return false;
  if (kind != QueueKind::ring || !k.facts().fq_use_checked) return true;
  return !(k.s.fq_ready == QueueLife::no_queue);
}

/// What follows the reading of the CPU id on the way to a queue.
template <class T>
Step after_queue_cpu(const Point<T>& k) {
  return queue_kind(k.config) == QueueKind::table ? Step::table_test : Step::queue_lock;
}

/// iommu_dma_free_iova: to the cache at once, or through the flush queue.
template <class T>
bool start_unmap(const Point<T>& k, const typename T::Pfn& pfn, const typename T::Count& pages) {
  Lane<T>& me = k.me();
  const auto& env = k.config.env;
  me.op = typename T::Count(Operation::op_unmap);
  me.context.active = typename T::Flag(1);
  if (!queues_unmaps(k)) {
    me.pfn = pfn;
    me.pages = pages;
    if (frees_before_flush(k.config)) {
      add_stale(k, pfn, pages, true);
      tidy_stale(k.s);
    } else {
      k.cx.cost(Cost::iotlb_range);
    }
    return start_free_fast(k);
  }
  // Without the barrier the cleared entry may stay in the store buffer up to the release of the queue's lock.
  const bool visible = !env.weak_memory || k.facts().fq_barrier || k.cx.pick(2) == 0;
  add_stale(k, pfn, pages, visible);
  tidy_stale(k.s);
  me.queued_pfn = pfn;
  me.queued_pages = pages;
  if (!single_queue(k.config)) return read_cpu_then(k, Step::queue_cpu, after_queue_cpu(k));
  me.this_cpu = typename T::Count(0);
  return k.then(Step::queue_lock);
}

/// A driver unmaps one of its buffers; a wrong one where the configuration allows it.
template <class T>
bool unmap_step(const Point<T>& k) {
  using Count = typename T::Count;
  using Pfn = typename T::Pfn;
  const auto& env = k.config.env;
  if (env.never_unmap || k.s.life > DomainLife::live) return false;
  const unsigned which = k.cx.pick(k.sizes().max_mappings);
  if (!(Count(which) < k.s.mappings)) return false;
  Mapping<T> gone = k.s.mapped[which];
  Count pages = gone.pages;
  bool twice = false;
  if (env.wrong_unmap) {
    const auto sizes = static_cast<unsigned>(env.request_pages.size());
    const unsigned how = k.cx.pick(sizes + 2);
    if (how > 0 && k.s.mistakes.nonzero()) return false;
    if (how > 0) k.s.mistakes = typename T::Flag(1);
    twice = how == sizes + 1;
    if (how > 0 && !twice) pages = Count(env.request_pages[how - 1]);
  }
  if (!twice) remove_mapping(k.s, which);
  k.emit(Event<T>::unmapped, gone.pfn, widen<T>(pages), Pfn(widen<T>(gone.pages)));
  return start_unmap(k, gone.pfn, pages);
}

/// free_iova_fast has returned.
template <class T>
bool free_done(const Point<T>& k) {
  Lane<T>& me = k.me();
  if (me.op == Operation::op_timeout || me.op == Operation::op_cpu_dead || !(me.queued_pages == 0))
    return k.then(Step::ring_free);
  if (me.op == Operation::op_unmap && frees_before_flush(k.config)) return k.then(Step::late_flush);
  return k.done();
}

// ---- iommu_dma_init_domain -------------------------------------------------------------------------------------

template <class T>
bool first_reservation(const Point<T>& k);

template <class T>
Mapping<T> needed_region(const Point<T>& k) {
  const auto& env = k.config.env;
  return {typename T::Pfn(env.reserve_lo), typename T::Count(env.reserve_hi - env.reserve_lo + 1)};
}

/// A device joins the group: a domain that has a start_pfn is taken as set up.
template <class T>
bool init_check(const Point<T>& k) {
  Lane<T>& me = k.me();
  if (!(k.s.life <= DomainLife::live) || !(me.device == 0)) return false;
  if (k.facts().domain_init_locked) {
    if (k.s.init_mutex.nonzero()) return false;
    k.s.init_mutex = typename T::Flag(1);
  }
  me.context.active = typename T::Flag(1);
  if (k.s.life == DomainLife::unborn) return k.then(Step::init_domain);
  // A domain that exists is left as it is, whatever regions this device needs.
  if (k.config.env.late_region) k.s.reserved = needed_region(k);
  return init_return(k);
}

/// The lane is done for good: `device` marks that it has attached its device.
template <class T>
bool init_return(const Point<T>& k) {
  if (k.facts().domain_init_locked) k.s.init_mutex = typename T::Flag(0);
  k.s.attached = typename T::Flag(1);
  k.done();
  k.me().device = typename T::Count(1);
  return true;
}

/// The device is not attached; what init_iova_domain has done stays.
template <class T>
bool init_failed(const Point<T>& k) {
  k.s.life = typename T::Flag(DomainLife::live);
  if (k.facts().domain_init_locked) k.s.init_mutex = typename T::Flag(0);
  k.done();
  k.me().device = typename T::Count(1);
  return true;
}

template <class T>
void reset_tree(const Point<T>& k) {
  auto& s = k.s;
  const bool anchor = k.facts().tree_search == TreeSearch::anchor;
  s.tree.clear();
  s.cached32 = {typename T::Flag(anchor ? NodePointer<T>::node : NodePointer<T>::null),
                anchor ? T::anchor_pfn() : typename T::Pfn(0)};
  s.cached = s.cached32;
  s.max32_alloc_size = k.facts().max32_reset == Max32Reset::absent ? typename T::Pfn(0) : k.boundary();
}

/// init_iova_domain: the tree's root is set afresh, and start_pfn makes the domain look ready.
template <class T>
bool init_domain(const Point<T>& k) {
  reset_tree(k);
  k.s.life = typename T::Flag(DomainLife::initialising);
  return k.then(Step::init_rcaches);
}

template <class T>
bool init_rcaches(const Point<T>& k) {
  const bool checked = k.facts().rcache_init_checked;
  const unsigned places = checked ? 1 : k.sizes().bins * k.sizes().cpus;
  const unsigned failed = k.config.env.allocation_failure ? k.cx.pick(1 + places) : 0;
  if (failed > 0) {
    if (checked) {
      // start_pfn stays set, so the next device of the group takes the domain for ready.
      k.s.no_rcaches = typename T::Flag(1);
      return init_failed(k);
    }
    k.s.rcache[(failed - 1) / k.sizes().cpus].cpu[(failed - 1) % k.sizes().cpus].missing = typename T::Flag(1);
  }
  const bool queue = queue_kind(k.config) == QueueKind::ring && !k.config.env.queue_missing;
  return queue ? k.then(Step::fq_alloc) : first_reservation(k);
}

// ---- iommu_dma_init_fq -----------------------------------------------------------------------------------------

/// A strict domain in use is to be lazy: group->mutex is held, and nobody is made to wait for it. Once a run.
template <class T>
bool store_type(const Point<T>& k) {
  Lane<T>& me = k.me();
  if (!(k.s.life == DomainLife::live) || !(me.device == 0) || !k.facts().fq_live_switch) return false;
  if (!(k.s.fq_ready == QueueLife::no_queue)) return false;
  me.context.active = typename T::Flag(1);
  return k.then(Step::fq_alloc);
}

/// With or without a queue: at the set-up of a domain its regions come next.
template <class T>
bool fq_return(const Point<T>& k) {
  if (k.config.env.lanes[k.id].role == Role::initialiser) return first_reservation(k);
  k.done();
  k.me().device = typename T::Count(1);
  return true;
}

/// The counters start afresh and the queue is allocated; without memory the domain stays strict.
template <class T>
bool fq_alloc(const Point<T>& k) {
  auto& s = k.s;
  s.fq_flush_start_cnt = typename T::Count(finished_now);
  s.fq_flush_finish_cnt = typename T::Count(finished_now);
  if (k.config.env.allocation_failure && k.cx.pick(2) == 1) return fq_return(k);
  const FqPublish order = k.facts().fq_publish;
  // Without the barrier the last store may be seen first.
  const bool early = order == FqPublish::first ||
                     (order == FqPublish::unordered && k.config.env.weak_memory && k.cx.pick(2) == 1);
  if (early) s.fq_ready = typename T::Flag(QueueLife::no_rings);
  return k.then(Step::fq_rings);
}

template <class T>
bool fq_rings(const Point<T>& k) {
  if (k.facts().fq_publish == FqPublish::before_timer || k.s.fq_ready.nonzero())
    k.s.fq_ready = typename T::Flag(QueueLife::no_timer);
  return k.then(Step::fq_timer);
}

template <class T>
bool fq_timer(const Point<T>& k) {
  if (k.s.fq_ready.nonzero()) k.s.fq_ready = typename T::Flag(QueueLife::usable);
  k.s.fq_timer_on = typename T::Flag(0);
  return k.then(Step::fq_publish);
}

/// The last store. Where the queue was seen before, nothing is left to do.
template <class T>
bool fq_publish(const Point<T>& k) {
  k.s.fq_ready = typename T::Flag(QueueLife::usable);
  return fq_return(k);
}

/// What comes after the queue of a new domain. Which windows its host bridge has is seen here first, once.
template <class T>
bool first_reservation(const Point<T>& k) {
  const auto& lists = k.config.env.windows;
  if (lists.empty()) return k.then(Step::init_reserve);
  if (!k.s.windows.nonzero())
    k.s.windows = typename T::Flag(1 + k.cx.pick(static_cast<unsigned>(lists.size())));
  return k.then(k.facts().dma_windows_reserved ? Step::init_windows : Step::init_reserve);
}

/// iova_reserve_pci_windows: what lies below, between and above the DMA windows is reserved, one gap a step. It fails
/// where a gap is taken for an overlap; what was reserved by then stays. A window's first page goes with the gap below
/// it, since the gap's end is taken for its last byte. The results of reserve_iova are not looked at.
/// Deviation: memory windows of the bridge itself are reserve_lo..reserve_hi; the space ends at `top`, not at ~0.
template <class T>
bool init_windows(const Point<T>& k) {
  using Count = typename T::Count;
  using Flag = typename T::Flag;
  const auto& lists = k.config.env.windows;
  Lane<T>& me = k.me();
  const auto& windows = lists[model::index_of(k.s.windows - Flag(1), lists.size())];
  for (std::size_t i = model::index_of(me.cpu, windows.size() + 1);; ++i) {
    const bool last = i == windows.size();
    const unsigned start = i == 0 ? 0 : windows[i - 1].end;
    const unsigned end = last ? k.sizes().top : windows[i].start;
    me.cpu = Count(last ? 0 : i + 1);
    const bool gap = last ? start <= end : start < end;
    if (!gap && !last && (start > end || !k.facts().adjacent_windows)) {
      k.emit(Event<T>::windows_checked, {}, {}, {}, Count(0));
      return init_failed(k);
    }
    if (gap && reserve_iova(k, typename T::Pfn(start), typename T::Pfn(end))) k.s.gaps_in_tree |= Flag(1U << i);
    if (last) {
      k.emit(Event<T>::windows_checked, {}, {}, {}, Count(1));
      return k.then(Step::init_reserve);
    }
    if (gap) return true;
  }
}

/// The result of reserve_iova is not looked at.
template <class T>
void reserve_region(const Point<T>& k) {
  const auto& env = k.config.env;
  const bool kept = reserve_iova(k, typename T::Pfn(env.reserve_lo), typename T::Pfn(env.reserve_hi));
  k.s.reserved = needed_region(k);
  k.s.reserved_in_tree = typename T::Flag(kept ? 1 : 0);
}

template <class T>
bool init_reserve(const Point<T>& k) {
  const auto& env = k.config.env;
  if (env.reserve_hi != 0 && !env.late_region) reserve_region(k);
  if (k.s.life == DomainLife::initialising) k.s.life = typename T::Flag(DomainLife::live);
  return init_return(k);
}

/// reserve_iova at a time of its caller's choosing, once.
template <class T>
bool reserve_step(const Point<T>& k) {
  if (!k.s.reserved.pages.nonzero() && k.s.life == DomainLife::live && !k.s.tree.full(k.sizes().max_ranges)) {
    reserve_region(k);
    return true;
  }
  return false;
}

// ---- iommu_put_dma_cookie --------------------------------------------------------------------------------------

/// No driver uses the domain any more; the timer may.
template <class T>
bool teardown_timer(const Point<T>& k) {
  auto& s = k.s;
  if (!(s.life == DomainLife::live) || !(s.mappings == 0)) return false;
  for (std::size_t i = 0; i < s.lanes.size(); ++i) {
    const bool timer = i < k.config.env.lanes.size() && k.config.env.lanes[i].role == Role::timer;
    // del_timer_sync waits for a timer that runs; before 5.17 only a timer that had not fired was stopped.
    if (timer && !k.facts().fq_teardown_sync) continue;
    if (i != k.id && s.lanes[i].context.active.nonzero()) return false;
  }
  s.fq_timer_pending = typename T::Flag(0);
  s.life = typename T::Flag(DomainLife::ending);
  k.me().context.active = typename T::Flag(1);
  return k.then(Step::teardown_free);
}

/// The queues, the caches and the tree are freed.
template <class T>
bool teardown_free(const Point<T>& k) {
  auto& s = k.s;
  if (s.fq_ready.nonzero()) s.fq_ready = typename T::Flag(QueueLife::freed_queue);
  reset_tree(k);
  for (auto& rcache : s.rcache) {
    while (!(rcache.depot_size == 0)) depot_take(k, rcache, true);
    rcache.work = typename T::Flag(0);
    for (auto& cache : rcache.cpu) {
      cache.loaded = empty_magazine(k);
      cache.prev = empty_magazine(k);
    }
  }
  for (auto& queue : s.fq) {
    queue.tail = typename T::Count(0);
    for (auto& entry : queue.entries) entry = {};
  }
  for (auto& stale : s.stale) stale = {};
  s.life = typename T::Flag(DomainLife::dead);
  return k.done();
}

// ---- CPUs and tasks --------------------------------------------------------------------------------------------

template <class T>
bool cpu_is_quiet(const Point<T>& k, std::size_t cpu) {
  for (std::size_t i = 0; i < k.s.lanes.size(); ++i) {
    const auto& context = k.s.lanes[i].context;
    if (!context.active.nonzero() || !(context.cpu == cpu)) continue;
    const bool task =
        i >= k.config.env.lanes.size() || context_of(k.config.env.lanes[i].role) == model::ContextKind::task;
    if (!task || !(context.atomic == model::preemptible)) return false;
  }
  return true;
}

/// A CPU goes offline: its tasks move away, and with it down its timers do (timers_dead_cpu, which runs before the
/// callback of iova.c: CPUHP_TIMERS_PREPARE is above CPUHP_IOMMU_IOVA_DEAD). Then iova_cpuhp_dead runs on another CPU.
/// Deviation: tasks and timers go to the first CPU that is online, not to the scheduler's choice or the CPU of the
/// callback; a timer that moved stays there when it is armed again, not where it is armed.
template <class T>
bool cpu_down(const Point<T>& k) {
  using Count = typename T::Count;
  auto& s = k.s;
  const unsigned cpu = k.cx.pick(k.sizes().cpus);
  if (!s.online[cpu].nonzero() || !cpu_is_quiet(k, cpu)) return false;
  if (k.config.env.quiet_hotplug)
    for (std::size_t i = 0; i < s.lanes.size(); ++i)
      if (i != k.id && s.lanes[i].context.active.nonzero()) return false;
  std::size_t other = k.sizes().cpus;
  for (std::size_t c = 0; c < k.sizes().cpus && other == k.sizes().cpus; ++c)
    if (c != cpu && s.online[c].nonzero()) other = c;
  if (other == k.sizes().cpus) return false;
  s.online[cpu] = typename T::Flag(0);
  for (std::size_t i = 0; i < k.config.env.lanes.size(); ++i) {
    const bool moves = context_of(k.config.env.lanes[i].role) == model::ContextKind::task ||
                       k.config.env.lanes[i].role == Role::timer;
    if (moves && s.lanes[i].context.cpu == cpu) s.lanes[i].context.cpu = other;
  }
  // Intel's driver had a callback of its own long before.
  if (!k.facts().cpuhp_flush && !(k.config.env.driver == Driver::intel && own_caller(k.config))) return true;
  Lane<T>& me = k.me();
  me.op = Count(Operation::op_cpu_dead);
  me.context.active = typename T::Flag(1);
  me.cpu = Count(cpu);
  return k.then(Step::flush_loaded);
}

template <class T>
bool cpu_up(const Point<T>& k) {
  const unsigned cpu = k.cx.pick(k.sizes().cpus);
  if (k.s.online[cpu].nonzero()) return false;
  k.s.online[cpu] = typename T::Flag(1);
  return true;
}

/// The scheduler moves a task that can be preempted.
template <class T>
bool migrate(const Point<T>& k) {
  Lane<T>& me = k.me();
  if (!k.config.env.migration || !me.context.active.nonzero()) return false;
  if (!(me.context.atomic == model::preemptible)) return false;
  const unsigned cpu = k.cx.pick(k.sizes().cpus);
  if (me.context.cpu == cpu || !k.s.online[cpu].nonzero()) return false;
  me.context.cpu = typename T::Flag(cpu);
  return true;
}

}  // namespace iomc::spec::iova
