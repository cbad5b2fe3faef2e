// SPDX-License-Identifier: GPL-2.0-or-later
// drivers/iommu/iova.c, the rcache: __iova_rcache_get, __iova_rcache_insert, iova_magazine_*, free_cpu_cached_iovas,
// free_global_cached_iovas, iova_depot_work_func, and alloc_iova_fast / free_iova_fast around them. Kernels 4.12
// to 6.12.
#pragma once

#include "spec/iova/tree.hpp"

namespace iomc::spec::iova {

template <class T>
bool granted(const Point<T>& k, const typename T::Pfn& lo, bool from_cache);
template <class T>
bool alloc_failed(const Point<T>& k);
template <class T>
bool free_done(const Point<T>& k);

// ---- magazines -------------------------------------------------------------------------------------------------

template <class T>
bool magazine_empty(const Magazine<T>& mag) {
  return static_cast<bool>(mag.size == 0);
}

template <class T>
bool magazine_full(const Point<T>& k, const Magazine<T>& mag) {
  return static_cast<bool>(mag.size == k.sizes().mag_size);
}

template <class T>
void magazine_push(Magazine<T>& mag, const typename T::Pfn& pfn) {
  at(mag.pfns, mag.size) = pfn;
  mag.size += typename T::Count(1);
}

template <class T>
Magazine<T> empty_magazine(const Point<T>& k) {
  Magazine<T> mag{};
  size_to(mag.pfns, k.sizes().mag_size);
  return mag;
}

/// Entries from `size` on are kept zero where states are compared; nothing reads them.
template <class T>
void clear_magazine(Magazine<T>& mag) {
  if constexpr (T::Shape::mag != 0)
    for (auto& pfn : mag.pfns) pfn = typename T::Pfn(0);
  mag.size = typename T::Count(0);
}

/// Whether the pop may take this entry for the request of `me`.
template <class T>
typename T::Bool pop_accepts(const Point<T>& k, const typename T::Pfn& pfn) {
  using Pfn = typename T::Pfn;
  const Lane<T>& me = k.me();
  if (k.facts().pop_limit_by_size) return pfn <= me.limit + Pfn(1) - widen<T>(me.size);
  return pfn < me.limit;
}

/// iova_magazine_pop: false is a miss.
template <class T>
bool magazine_pop(const Point<T>& k, Magazine<T>& mag, typename T::Pfn& out) {
  using Count = typename T::Count;
  std::size_t i = model::index_of(mag.size - Count(1), mag.pfns.size());
  k.cx.cost(Cost::magazine_scan);
  while (!pop_accepts(k, mag.pfns[i])) {
    if (i == 0 || k.facts().pop == MagazinePop::top) return false;
    --i;
    k.cx.cost(Cost::magazine_scan);
  }
  out = mag.pfns[i];
  mag.size -= Count(1);
  auto& last = at(mag.pfns, mag.size);
  mag.pfns[i] = last;
  last = typename T::Pfn(0);  // the kernel leaves it there; nothing reads it
  return true;
}

/// iova_magazine_free_pfns, one hold of iova_rbtree_lock. False where the kernel stopped.
template <class T>
bool magazine_free_pfns(const Point<T>& k, Magazine<T>& mag) {
  using Count = typename T::Count;
  k.cx.cost(Cost::tree_lock);
  bool warned = false;
  for (std::size_t i = 0; i < mag.pfns.size() && Count(i) < mag.size; ++i) {
    Position<T> node{};
    if (!find_iova(k, mag.pfns[i], node)) {
      if (!warned) k.emit(Event<T>::not_in_tree, mag.pfns[i]);
      warned = true;
      if (k.facts().missing_range == MissingRange::bug) {
        k.crash(bug_on);
        return false;
      }
      continue;
    }
    if (!remove_iova(k, node)) return false;
  }
  clear_magazine<T>(mag);
  return true;
}

/// Takes one magazine out of the depot: the one pushed last, or the oldest.
template <class T>
Magazine<T> depot_take(const Point<T>& k, Rcache<T>& rcache, bool newest) {
  using Count = typename T::Count;
  if constexpr (T::Shape::depot == 0) {
    const auto where = newest ? rcache.depot.end() - 1 : rcache.depot.begin();
    Magazine<T> mag = std::move(*where);
    rcache.depot.erase(where);
    rcache.depot_size -= Count(1);
    return mag;
  } else {
    const std::size_t last = model::index_of(rcache.depot_size - Count(1), rcache.depot.size());
    Magazine<T> mag = rcache.depot[newest ? last : 0];
    if (!newest)
      for (std::size_t i = 0; i < last; ++i) rcache.depot[i] = rcache.depot[i + 1];
    rcache.depot[last] = empty_magazine(k);
    rcache.depot_size -= Count(1);
    return mag;
  }
}

template <class T>
void depot_put(Rcache<T>& rcache, Magazine<T> mag) {
  if constexpr (T::Shape::depot == 0)
    rcache.depot.push_back(std::move(mag));
  else
    at(rcache.depot, rcache.depot_size) = std::move(mag);
  rcache.depot_size += typename T::Count(1);
}

template <class T>
bool depot_has_room(const Point<T>& k, const Rcache<T>& rcache) {
  return k.facts().depot_max == 0 || rcache.depot_size < typename T::Count(k.sizes().depot_max);
}

/// alloc_iova allocates a node, then searches. An allocation that cannot fail is no step of its own.
template <class T>
bool start_alloc_iova(const Point<T>& k) {
  return k.then(k.config.env.allocation_failure ? Step::alloc_mem : Step::alloc_range);
}

// ---- __iova_rcache_get -----------------------------------------------------------------------------------------

/// raw_cpu_ptr: the CPU id is read before the lock is taken (get_cpu_ptr before 4.13: no preemption from here on).
template <class T>
bool read_cpu(const Point<T>& k, Step next) {
  k.me().this_cpu = narrow<T>(k.me().context.cpu);
  if (!k.facts().cpu_ptr_preemptible && k.me().context.atomic == model::preemptible)
    k.me().context.atomic = model::preempt_off;
  return k.then(next);
}

/// Whether anything in this configuration can move a task. Where nothing can, the CPU id is read in the step before:
/// there is no difference to see, and fewer states.
template <class T>
bool can_move(const Point<T>& k) {
  if (k.me().context.atomic == model::irqs_off) return false;
  if (context_of(k.config.env.lanes[k.id].role) != model::ContextKind::task) return false;
  return k.config.env.migration;
}

/// The CPU id is read by a step of its own, or at once where nothing could come between.
template <class T>
bool read_cpu_then(const Point<T>& k, Step read, Step next) {
  return can_move(k) ? k.then(read) : read_cpu(k, next);
}

/// put_cpu_ptr, where get_cpu_ptr was used and interrupts are on.
template <class T>
void put_cpu(const Point<T>& k) {
  if (k.me().context.atomic == model::preempt_off) k.me().context.atomic = model::preemptible;
}

/// Ghost, at a miss: 1 if this CPU's magazines hold a range that would have served the request, else 2 if another
/// CPU's do, else 0.
template <class T>
typename T::Count who_holds(const Point<T>& k, const Rcache<T>& rcache, const CpuRcache<T>& mine) {
  using Count = typename T::Count;
  using Pfn = typename T::Pfn;
  if constexpr (!T::Shape::ghosts) {
    return Count(0);
  } else {
    const auto holds = [&](const CpuRcache<T>& cache) {
      typename T::Bool found = false;
      for (const Magazine<T>* mag : {&cache.loaded, &cache.prev})
        for (std::size_t i = 0; i < mag->pfns.size(); ++i)
          found = model::either(found, model::both(Count(i) < mag->size,
                                                   mag->pfns[i] <= k.me().limit + Pfn(1) - widen<T>(k.me().size)));
      return found;
    };
    typename T::Bool elsewhere = false;
    for (const auto& cache : rcache.cpu) elsewhere = model::either(elsewhere, holds(cache));
    return model::select(holds(mine), Count(1), model::select(elsewhere, Count(2), Count(0)));
  }
}

template <class T>
bool rcache_get(const Point<T>& k) {
  Lane<T>& me = k.me();
  if (k.s.no_rcaches.nonzero()) return k.crash(null_dereference);
  Rcache<T>& rcache = at(k.s.rcache, me.bin);
  CpuRcache<T>& cache = at(rcache.cpu, me.this_cpu);
  IOVA_LOCK(k, cache.lock, Cost::cpu_cache_lock);
  bool has_pfn = false;
  if (!cache.missing.nonzero() && !magazine_empty(cache.loaded)) {
    has_pfn = true;
  } else if (!magazine_empty(cache.prev)) {
    std::swap(cache.prev, cache.loaded);
    has_pfn = true;
  } else {
    bool dead = false;
    if (!k.lock(rcache.lock, Cost::depot_lock, dead)) {
      model::release(cache.lock);
      return dead ? k.crash(self_deadlock) : false;
    }
    if (!(rcache.depot_size == 0)) {
      cache.loaded = depot_take(k, rcache, true);
      cache.missing = typename T::Flag(0);
      k.cx.cost(Cost::slab_free);
      has_pfn = true;
    }
    model::release(rcache.lock);
  }
  typename T::Pfn pfn{};
  // A cached pfn 0 reads as a miss to the caller, and is gone.
  const bool hit = has_pfn && magazine_pop(k, cache.loaded, pfn) && pfn.nonzero();
  me.had_local = hit ? typename T::Count(0) : who_holds(k, rcache, cache);
  model::release(cache.lock);
  put_cpu(k);
  return hit ? granted(k, pfn, true) : start_alloc_iova(k);
}

// ---- alloc_iova_fast -------------------------------------------------------------------------------------------

/// alloc_iova_fast up to its first look into the cache. me.pages, me.limit and me.flush are its arguments.
template <class T>
bool start_alloc_fast(const Point<T>& k) {
  Lane<T>& me = k.me();
  const unsigned bins = k.sizes().bins;
  me.size = me.pages;
  unsigned order = order_of(me.size);
  // Whoever rounds: a size that is no power of two must not reach the cache, which files ranges by order alone.
  const bool rounds = k.facts().round_in_alloc_fast || k.facts().callers_round;
  if (own_caller(k.config)) me.size = typename T::Count(1U << order);
  else if (rounds && me.size < typename T::Count(1U << (bins - 1))) me.size = typename T::Count(1U << order);
  if (order >= bins) return start_alloc_iova(k);
  me.bin = typename T::Count(order);
  return read_cpu_then(k, Step::rcache_get_cpu, Step::rcache_get);
}

/// alloc_iova returned NULL.
template <class T>
bool after_alloc_failure(const Point<T>& k) {
  using Count = typename T::Count;
  Lane<T>& me = k.me();
  if (!(me.flush == 1)) return alloc_failed(k);
  me.flush = Count(2);
  me.clean = Count(1);
  me.cpu = Count(0);
  me.bin = Count(0);
  k.cx.cost(Cost::cache_flush);
  for (std::size_t c = 0; c < k.s.online.size(); ++c)
    if (k.s.online[c].nonzero()) {
      me.cpu = Count(c);
      break;
    }
  return k.then(Step::flush_loaded);
}

/// alloc_iova_mem: GFP_ATOMIC may fail.
template <class T>
bool alloc_mem(const Point<T>& k) {
  k.cx.cost(Cost::slab_alloc);
  if (k.cx.pick(2) == 1) return after_alloc_failure(k);
  return k.then(Step::alloc_range);
}

/// __alloc_and_insert_iova_range, called by alloc_iova.
template <class T>
bool alloc_range(const Point<T>& k) {
  Lane<T>& me = k.me();
  if (!k.config.env.allocation_failure) k.cx.cost(Cost::slab_alloc);
  // The modelled memory ends at max_ranges nodes; the kernel's slab ends somewhere too.
  if (k.s.tree.full(k.sizes().max_ranges)) return after_alloc_failure(k);
  const Found<T> found = alloc_and_insert(k, widen<T>(me.size), me.limit, true);
  if (k.s.crash.nonzero()) return true;
  // alloc_iova_fast returns pfn_lo: a range at 0 reads as failure, and nobody will free it.
  if (found.ok && !found.lo.nonzero() && !(me.op == Operation::op_tree_only)) return alloc_failed(k);
  if (found.ok) return granted(k, found.lo, false);
  k.cx.cost(Cost::slab_free);
  k.emit(Event<T>::search_failed, {}, widen<T>(me.size), me.limit);
  // free_iova_mem keeps what looks like the anchor: a recycled node that was not zeroed may hold ~0.
  if (k.config.env.stale_slab && k.facts().tree_search == TreeSearch::anchor && !k.facts().node_zeroed &&
      k.cx.pick(2) == 1)
    k.s.lost_nodes = typename T::Count(1);
  return after_alloc_failure(k);
}

// ---- free_cpu_cached_iovas, free_global_cached_iovas -----------------------------------------------------------

/// The next CPU (or, for iova_cpuhp_dead, the end) after all size classes of one CPU.
template <class T>
bool next_cache_to_flush(const Point<T>& k) {
  using Count = typename T::Count;
  Lane<T>& me = k.me();
  me.bin += Count(1);
  if (me.bin < Count(k.sizes().bins)) return k.then(Step::flush_loaded);
  me.bin = Count(0);
  if (me.op == Operation::op_cpu_dead)
    return queue_kind(k.config) == QueueKind::table ? k.then(Step::table_lock) : k.done();
  for (std::size_t c = model::index_of(me.cpu, k.s.online.size()) + 1; c < k.s.online.size(); ++c)
    if (k.s.online[c].nonzero()) {
      me.cpu = Count(c);
      return k.then(Step::flush_loaded);
    }
  me.cpu = Count(0);
  if (k.facts().flush_depot) return k.then(Step::flush_depot);
  k.emit(Event<T>::caches_flushed, {}, {}, {}, me.clean);
  return start_alloc_iova(k);
}

template <class T>
CpuRcache<T>& cache_to_flush(const Point<T>& k) {
  return at(at(k.s.rcache, k.me().bin).cpu, k.me().cpu);
}

template <class T>
bool flush_prev(const Point<T>& k) {
  CpuRcache<T>& cache = cache_to_flush(k);
  if (!magazine_free_pfns(k, cache.prev)) return true;
  model::release(cache.lock);
  k.enable_irqs();
  return next_cache_to_flush(k);
}

/// The first of the two magazines. The cache's lock stays held, and interrupts off, up to the second; where that one is
/// empty its turn changes nothing and is taken at once.
template <class T>
bool flush_loaded(const Point<T>& k) {
  CpuRcache<T>& cache = cache_to_flush(k);
  IOVA_LOCK(k, cache.lock, Cost::cpu_cache_lock);
  k.cx.cost(Cost::remote_line);
  if (!cache.missing.nonzero() && !magazine_free_pfns(k, cache.loaded)) return true;
  k.disable_irqs();
  if (magazine_empty(cache.prev)) return flush_prev(k);
  return k.then(Step::flush_prev);
}

/// One depot magazine; the depot's lock stays held until the size class is empty.
template <class T>
bool flush_depot(const Point<T>& k) {
  using Count = typename T::Count;
  Lane<T>& me = k.me();
  Rcache<T>& rcache = at(k.s.rcache, me.bin);
  // Interrupts are off here only where the lock is still held for the magazine before.
  if (!(me.context.atomic == model::irqs_off)) {
    IOVA_LOCK(k, rcache.lock, Cost::depot_lock);
  }
  if (!(rcache.depot_size == 0)) {
    Magazine<T> mag = depot_take(k, rcache, k.facts().depot_flush_newest_first);
    if (!magazine_free_pfns(k, mag)) return true;
    k.cx.cost(Cost::slab_free);
    k.disable_irqs();
  }
  if (!(rcache.depot_size == 0)) return k.then(Step::flush_depot);
  model::release(rcache.lock);
  k.enable_irqs();
  me.bin += Count(1);
  if (me.bin < Count(k.sizes().bins)) return k.then(Step::flush_depot);
  me.bin = Count(0);
  k.emit(Event<T>::caches_flushed, {}, {}, {}, me.clean);
  return start_alloc_iova(k);
}

// ---- free_iova_fast --------------------------------------------------------------------------------------------

/// free_iova_fast(me.pfn, me.pages) up to its first look into the cache.
template <class T>
bool start_free_fast(const Point<T>& k) {
  Lane<T>& me = k.me();
  const unsigned order = order_of(me.pages);
  if (order >= k.sizes().bins) return k.then(k.facts().free_iova_one_section ? Step::free_remove : Step::free_find);
  me.bin = typename T::Count(order);
  return read_cpu_then(k, Step::rcache_insert_cpu, Step::rcache_insert);
}

/// Ghost: a flush of the caches that is under way can no longer promise that they are empty.
template <class T>
void someone_cached(const Point<T>& k) {
  for (auto& lane : k.s.lanes) lane.clean = typename T::Count(0);
}

/// __iova_rcache_insert
template <class T>
bool rcache_insert(const Point<T>& k) {
  Lane<T>& me = k.me();
  if (k.s.no_rcaches.nonzero()) return k.crash(null_dereference);
  Rcache<T>& rcache = at(k.s.rcache, me.bin);
  CpuRcache<T>& cache = at(rcache.cpu, me.this_cpu);
  IOVA_LOCK(k, cache.lock, Cost::cpu_cache_lock);
  // A NULL magazine counts as not full, and is then written to.
  if (cache.missing.nonzero()) return k.crash(null_dereference);
  bool can_insert = true;
  if (magazine_full(k, cache.loaded)) {
    if (!magazine_full(k, cache.prev)) {
      std::swap(cache.prev, cache.loaded);
    } else if (k.config.env.allocation_failure && k.cx.pick(2) == 1) {
      can_insert = false;
    } else {
      bool dead = false;
      if (!k.lock(rcache.lock, Cost::depot_lock, dead)) {
        model::release(cache.lock);
        return dead ? k.crash(self_deadlock) : false;
      }
      k.cx.cost(Cost::slab_alloc);
      if (depot_has_room(k, rcache)) {
        depot_put(rcache, std::move(cache.loaded));
        if (k.facts().depot_trim && !rcache.work.nonzero()) {
          rcache.work = typename T::Flag(1);
          k.cx.cost(Cost::timer_arm);
        }
      } else {
        me.mag = std::move(cache.loaded);
      }
      model::release(rcache.lock);
      cache.loaded = empty_magazine(k);
    }
  }
  if (can_insert) {
    magazine_push(cache.loaded, me.pfn);
    someone_cached(k);
  }
  model::release(cache.lock);
  put_cpu(k);
  if (!can_insert) return k.then(k.facts().free_iova_one_section ? Step::free_remove : Step::free_find);
  if (!magazine_empty(me.mag)) return k.then(Step::magazine_free);
  return free_done(k);
}

/// The magazine that found no room in the depot, or that the trim work took out, goes back to the tree.
template <class T>
bool magazine_free(const Point<T>& k) {
  Lane<T>& me = k.me();
  if (!magazine_free_pfns(k, me.mag)) return true;
  k.cx.cost(Cost::slab_free);
  if (!(me.op == Operation::op_trim)) return free_done(k);
  at(k.s.rcache, me.bin).work = typename T::Flag(1);
  k.cx.cost(Cost::timer_arm);
  return k.done();
}

/// free_iova to 5.10, the first hold of the lock: the node is found and the lock let go.
template <class T>
bool free_find(const Point<T>& k) {
  Position<T> node{};
  k.cx.cost(Cost::tree_lock);
  if (!find_iova(k, k.me().pfn, node)) return free_done(k);
  k.me().pfn = k.s.tree.lo(node);
  return k.then(Step::free_remove);
}

/// free_iova (5.11 on), or the second hold: __free_iova on the node found before, wherever it is now.
template <class T>
bool free_remove(const Point<T>& k) {
  Position<T> node{};
  k.cx.cost(Cost::tree_lock);
  const bool found = k.facts().free_iova_one_section ? find_iova(k, k.me().pfn, node) : k.s.tree.find(k.me().pfn, node);
  if (!found) return k.facts().free_iova_one_section ? free_done(k) : k.crash(use_after_free);
  if (!remove_iova(k, node)) return true;
  return free_done(k);
}

// ---- iova_depot_work_func --------------------------------------------------------------------------------------

template <class T>
unsigned online_cpus(const Point<T>& k) {
  unsigned n = 0;
  for (const auto& o : k.s.online)
    if (o.nonzero()) ++n;
  return n;
}

template <class T>
bool trim_pop(const Point<T>& k) {
  Lane<T>& me = k.me();
  Rcache<T>& rcache = at(k.s.rcache, me.bin);
  if (rcache.depot_size > typename T::Count(online_cpus(k))) me.mag = depot_take(k, rcache, true);
  model::release(rcache.lock);
  k.enable_irqs();
  return magazine_empty(me.mag) ? k.done() : k.then(Step::magazine_free);
}

/// The work of one size class.
template <class T>
bool trim_bin(const Point<T>& k, unsigned bin) {
  Lane<T>& me = k.me();
  Rcache<T>& rcache = k.s.rcache[bin];
  if (!rcache.work.nonzero()) return false;
  IOVA_LOCK(k, rcache.lock, Cost::depot_lock);
  rcache.work = typename T::Flag(0);
  me.bin = typename T::Count(bin);
  me.op = typename T::Count(Operation::op_trim);
  me.context.active = typename T::Flag(1);
  if (k.facts().depot_trim_irqsave) return trim_pop(k);
  me.context.atomic = model::preempt_off;
  return k.then(Step::trim_locked);
}

template <class T>
bool trim(const Point<T>& k) {
  return k.facts().depot_trim && trim_bin(k, k.cx.pick(k.sizes().bins));
}

}  // namespace iomc::spec::iova
