// SPDX-License-Identifier: GPL-2.0-or-later
// The flush queue (lazy mode): queue_iova, fq_ring_free_locked, fq_flush_iotlb, fq_flush_timeout. In iova.c to 5.16, in
// dma-iommu.c from 5.17. From 6.7 on one large queue may serve all CPUs. AMD's own queue to 4.12 is here too: it has no
// counters, and is flushed under its lock when it is full.
//
// Deviation: the two counters only grow and are only compared, so the state keeps them relative to the finished one
// (`rebase_counters`), and a pass over a queue decides at its start what the kernel decides entry by entry: the queue
// is locked and the value compared with was read once (`read_finished`).
#pragma once

#include "spec/iova/rcache.hpp"

namespace iomc::spec::iova {

/// Values of an entry's counter in the small shapes, from a finished counter of `finished_now` on: 0 is freed by the
/// pass under way, 1 will be by the next one.
inline constexpr unsigned finished_now = 2;

template <class T>
void rebase_counters(State<T>& s) {
  using Count = typename T::Count;
  if constexpr (T::Shape::ghosts) {
    const Count shift = s.fq_flush_finish_cnt - Count(finished_now);
    for (auto& queue : s.fq)
      for (auto& entry : queue.entries) {
        const Count covered = model::min_of(entry.counter, Count(1));
        entry.counter = model::select(entry.counter < s.fq_flush_finish_cnt, covered, entry.counter - shift);
      }
    s.fq_flush_start_cnt -= shift;
    s.fq_flush_finish_cnt = Count(finished_now);
  }
}

/// The start of fq_ring_free_locked: the finished counter is read, once.
template <class T>
void read_finished(const Point<T>& k, FlushQueue<T>& queue) {
  using Count = typename T::Count;
  if constexpr (T::Shape::ghosts) {
    for (auto& entry : queue.entries)
      entry.counter = model::select(entry.counter < k.s.fq_flush_finish_cnt, Count(0), entry.counter);
    k.me().finished = Count(1);
  } else {
    k.me().finished = k.s.fq_flush_finish_cnt;
  }
}

template <class T>
FlushQueue<T>& my_queue(const Point<T>& k) {
  return at(k.s.fq, k.me().cpu);
}

/// Takes the oldest entry.
template <class T>
QueueEntry<T> ring_take(FlushQueue<T>& queue) {
  queue.tail -= typename T::Count(1);
  if constexpr (T::Shape::ring == 0) {
    return queue.entries.take_oldest();
  } else {
    const QueueEntry<T> oldest = queue.entries[0];
    for (std::size_t i = 0; i + 1 < queue.entries.size(); ++i) queue.entries[i] = queue.entries[i + 1];
    queue.entries[queue.entries.size() - 1] = {};
    return oldest;
  }
}

/// How many queues the timer goes through.
template <class T>
typename T::Count queues(const Point<T>& k) {
  return typename T::Count(single_queue(k.config) ? 1 : k.sizes().cpus);
}

/// Intel's tables: spec/iova/deferred.hpp.
template <class T>
bool table_flushed(const Point<T>& k);

template <class T>
bool ring_full(const Point<T>& k, const FlushQueue<T>& queue) {
  return static_cast<bool>(queue.tail + typename T::Count(1) == typename T::Count(k.sizes().fq_size));
}

/// Ghost: the pages of a range may still be translated by the IOTLB.
template <class T>
void add_stale(const Point<T>& k, const typename T::Pfn& pfn, const typename T::Count& pages, bool visible) {
  if constexpr (T::Shape::ghosts) {
    for (auto& stale : k.s.stale)
      if (stale.pages == 0) {
        stale = {pfn, pages, typename T::Flag(visible ? 0 : 0x80)};
        return;
      }
  }
}

/// The store that cleared the page table entry is visible to the IOMMU from here on.
template <class T>
void make_visible(const Point<T>& k, const typename T::Pfn& pfn) {
  for (auto& stale : k.s.stale)
    if (model::both(stale.pages.nonzero(), model::both(stale.pfn == pfn, stale.covered == 0x80)))
      stale.covered = typename T::Flag(0);
}

/// Keeps the ghost list dense and ascending, so that equal sets are equal states.
template <class T>
void tidy_stale(State<T>& s) {
  const auto after = [](const StaleRange<T>& a, const StaleRange<T>& b) {
    return model::both(b.pages.nonzero(), model::either(a.pages == 0, b.pfn < a.pfn));
  };
  for (std::size_t round = 1; round < s.stale.size(); ++round)
    for (std::size_t i = 0; i + 1 < s.stale.size(); ++i)
      if (after(s.stale[i], s.stale[i + 1])) std::swap(s.stale[i], s.stale[i + 1]);
}

// ---- fq_flush_iotlb --------------------------------------------------------------------------------------------

template <class T>
bool flush_start(const Point<T>& k) {
  k.s.fq_flush_start_cnt += typename T::Count(1);
  k.cx.cost(Cost::shared_write);
  return k.then(Step::flush_hw);
}

/// The hardware begins to invalidate: what has been unmapped so far is covered.
template <class T>
bool flush_hw(const Point<T>& k) {
  using Flag = typename T::Flag;
  // Drivers that serialise their flushes do it with interrupts off.
  if (k.config.env.serialised_flush) {
    IOVA_LOCK(k, k.s.iommu_lock, Cost::shared_write);
    k.disable_irqs();
  }
  for (auto& stale : k.s.stale)
    stale.covered = model::select(model::both(stale.pages.nonzero(), model::negate(stale.covered == 0x80)),
                                  stale.covered | Flag(1U << k.id), stale.covered);
  const bool table = queue_kind(k.config) == QueueKind::table;
  // Where the IOMMU is emulated, Intel's tables were flushed range by range.
  if (table && k.config.env.caching_mode)
    k.cx.cost(Cost::iotlb_range, static_cast<std::uint64_t>(model::index_of(my_queue(k).tail, 1024)));
  else
    k.cx.cost(Cost::iotlb_flush);
  return k.then(Step::flush_end);
}

/// The hardware is done, and fq_flush_finish_cnt says so.
template <class T>
bool flush_end(const Point<T>& k) {
  using Flag = typename T::Flag;
  Lane<T>& me = k.me();
  for (auto& stale : k.s.stale) {
    if (!(stale.covered == 0x80) && (stale.covered & Flag(1U << k.id)).nonzero()) stale = {};
  }
  tidy_stale(k.s);
  if (k.config.env.serialised_flush) {
    model::release(k.s.iommu_lock);
    if (me.op == Operation::op_timeout) k.enable_irqs();
  }
  // Tables and lists have no counters: what they hold is what the flush was for, and their lock has been held since.
  if (queue_kind(k.config) != QueueKind::ring) return k.then(Step::ring_free);
  k.s.fq_flush_finish_cnt += typename T::Count(1);
  k.cx.cost(Cost::shared_write);
  if (me.op == Operation::op_timeout) {
    me.cpu = typename T::Count(0);
    rebase_counters(k.s);
    return k.then(Step::timeout_lock);
  }
  rebase_counters(k.s);
  read_finished(k, my_queue(k));
  return k.then(Step::ring_free);
}

// ---- queue_iova ------------------------------------------------------------------------------------------------

/// fq_flush_timeout lets go of one queue and turns to the next.
template <class T>
bool next_queue(const Point<T>& k) {
  Lane<T>& me = k.me();
  model::release(my_queue(k).lock);
  k.enable_irqs();
  me.cpu += typename T::Count(1);
  return me.cpu < queues(k) ? k.then(Step::timeout_lock) : k.done();
}

/// fq_ring_free_locked goes on to free_iova_fast for one entry, or has come to its end.
template <class T>
bool ring_free(const Point<T>& k) {
  using Count = typename T::Count;
  Lane<T>& me = k.me();
  FlushQueue<T>& queue = my_queue(k);
  if (!(queue.tail == 0) && queue.entries[0].counter < me.finished) {
    const QueueEntry<T> entry = ring_take(queue);
    me.pfn = entry.pfn;
    me.pages = entry.pages;
    return start_free_fast(k);
  }
  me.pfn = typename T::Pfn(0);
  me.pages = Count(0);
  me.finished = Count(0);
  if (queue_kind(k.config) == QueueKind::table) return table_flushed(k);
  if (me.op == Operation::op_timeout) return next_queue(k);
  // attempt 1: before the flush that a full queue makes; 2: after it, where the kernel does not look again.
  const bool look = me.attempt == 1 || k.facts().fq_recheck_after_flush;
  if (look && ring_full(k, queue)) {
    me.attempt = Count(2);
    return k.then(Step::flush_start);
  }
  return k.then(Step::queue_append);
}

template <class T>
bool queue_lock(const Point<T>& k) {
  Lane<T>& me = k.me();
  const bool list = queue_kind(k.config) == QueueKind::list;
  if (!list) {
    const auto rings = model::either(k.s.fq_ready == QueueLife::usable, k.s.fq_ready == QueueLife::no_timer);
    k.emit(Event<T>::queued, me.queued_pfn, widen<T>(me.queued_pages), {},
           model::select(rings, typename T::Count(1), typename T::Count(0)));
    if (k.s.fq_ready == QueueLife::freed_queue) return k.crash(use_after_free);
    if (!rings) return k.crash(null_dereference);
  }
  IOVA_LOCK(k, at(k.s.fq, me.this_cpu).lock, Cost::queue_lock);
  me.cpu = me.this_cpu;
  k.disable_irqs();
  me.attempt = typename T::Count(list ? 2 : 1);
  if (list) {
    if (!ring_full(k, my_queue(k))) return k.then(Step::queue_append);
    me.finished = typename T::Count(1);
    return k.then(Step::flush_hw);
  }
  read_finished(k, my_queue(k));
  return k.then(Step::ring_free);
}

/// The end of queue_iova's locked section: a release, which makes earlier stores visible.
template <class T>
bool queue_unlock(const Point<T>& k) {
  Lane<T>& me = k.me();
  make_visible(k, me.queued_pfn);
  me.queued_pfn = typename T::Pfn(0);
  me.queued_pages = typename T::Count(0);
  model::release(my_queue(k).lock);
  k.enable_irqs();
  put_cpu(k);
  return k.then(Step::timer_test);
}

/// fq_ring_add and what follows. A ring that could not be emptied is overrun: its tail meets its head, and it reads as
/// empty.
template <class T>
bool queue_append(const Point<T>& k) {
  using Count = typename T::Count;
  Lane<T>& me = k.me();
  FlushQueue<T>& queue = my_queue(k);
  const bool counts = queue_kind(k.config) == QueueKind::ring;
  at(queue.entries, queue.tail) = {me.queued_pfn, me.queued_pages, counts ? k.s.fq_flush_start_cnt : Count(0)};
  queue.tail += Count(1);
  if (queue.tail == Count(k.sizes().fq_size)) {
    queue.tail = Count(0);
    for (auto& entry : queue.entries) entry = {};
  }
  // Where stores are visible at once, nothing can be seen between the append and the unlock.
  return k.config.env.weak_memory ? k.then(Step::queue_unlock) : queue_unlock(k);
}

template <class T>
bool timer_test(const Point<T>& k) {
  if (k.facts().fq_timer_arm == TimerArm::cmpxchg) k.cx.cost(Cost::shared_write);
  if (k.s.fq_timer_on.nonzero()) return k.done();
  if (k.facts().fq_timer_arm != TimerArm::cmpxchg) return k.then(Step::timer_claim);
  k.s.fq_timer_on = typename T::Flag(1);
  return k.then(Step::timer_arm);
}

template <class T>
bool timer_claim(const Point<T>& k) {
  k.cx.cost(Cost::shared_write);
  if (k.s.fq_timer_on.nonzero()) return k.done();
  k.s.fq_timer_on = typename T::Flag(1);
  return k.then(Step::timer_arm);
}

template <class T>
bool timer_arm(const Point<T>& k) {
  if (k.s.fq_ready == QueueLife::no_timer) {
    k.emit(Event<T>::queued);
    return k.crash(null_dereference);
  }
  k.s.fq_timer_pending = typename T::Flag(1);
  k.cx.cost(Cost::timer_arm);
  return k.done();
}

// ---- fq_flush_timeout ------------------------------------------------------------------------------------------

/// Intel's per-CPU timers: spec/iova/deferred.hpp.
template <class T>
bool table_timeout(const Point<T>& k);

template <class T>
bool timeout(const Point<T>& k) {
  Lane<T>& me = k.me();
  const QueueKind kind = queue_kind(k.config);
  if (!k.s.fq_timer_pending.nonzero()) return false;
  if (kind == QueueKind::table) return table_timeout(k);
  k.s.fq_timer_pending = typename T::Flag(0);
  k.s.fq_timer_on = typename T::Flag(0);
  k.cx.cost(Cost::shared_write);
  me.op = typename T::Count(Operation::op_timeout);
  me.context.active = typename T::Flag(1);
  return k.then(kind == QueueKind::list ? Step::timeout_lock : Step::flush_start);
}

template <class T>
bool timeout_lock(const Point<T>& k) {
  if (k.s.fq_ready == QueueLife::freed_queue) return k.crash(use_after_free);
  FlushQueue<T>& queue = my_queue(k);
  IOVA_LOCK(k, queue.lock, Cost::queue_lock);
  k.disable_irqs();
  if (queue_kind(k.config) == QueueKind::list) {
    if (queue.tail == 0) return next_queue(k);
    k.me().finished = typename T::Count(1);
    return k.then(Step::flush_hw);
  }
  read_finished(k, queue);
  return k.then(Step::ring_free);
}

}  // namespace iomc::spec::iova
