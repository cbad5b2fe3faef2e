// SPDX-License-Identifier: GPL-2.0-or-later
// What the drivers did themselves before they left it to dma-iommu. drivers/iommu/intel-iommu.c to 4.13: add_unmap,
// flush_unmaps and the deferred-flush tables. drivers/iommu/amd_iommu.c to 4.17: the strict unmap that frees first.
//
// Deviation: a table belongs to a CPU and holds ranges of all domains, for each IOMMU; here there is one domain and one
// IOMMU. A table's usable entries are fq_size - 1 (250 in the kernel), as of a ring.
#pragma once

#include "spec/iova/fq.hpp"

namespace iomc::spec::iova {

/// put_cpu_ptr comes at the end of add_unmap: where get_cpu_ptr was used (to 4.12), preemption stays off until then.
template <class T>
void enable_irqs_of_task(const Point<T>& k) {
  const bool keeps_cpu = !k.facts().cpu_ptr_preemptible && k.me().op == Operation::op_unmap;
  k.me().context.atomic = keeps_cpu ? model::preempt_off : model::preemptible;
}

/// The next CPU whose table is flushed, from `first` on: only online ones where a full table made it necessary.
template <class T>
bool table_from(const Point<T>& k, std::size_t first) {
  for (std::size_t c = first; c < k.s.online.size(); ++c)
    if (k.s.online[c].nonzero()) {
      k.me().cpu = typename T::Count(c);
      return k.then(Step::table_lock);
    }
  return k.then(Step::table_add);
}

/// add_unmap compares the table's size with its capacity before it takes the lock, and for equality.
template <class T>
bool table_test(const Point<T>& k) {
  if (ring_full(k, at(k.s.fq, k.me().this_cpu))) return table_from(k, 0);
  return k.then(Step::table_add);
}

/// flush_unmaps_timeout up to the invalidation: the lock is held, interrupts off, until the table is empty.
template <class T>
bool table_lock(const Point<T>& k) {
  using Flag = typename T::Flag;
  Lane<T>& me = k.me();
  FlushQueue<T>& table = my_queue(k);
  IOVA_LOCK(k, table.lock, Cost::queue_lock);
  k.disable_irqs();
  k.s.fq_timer_on &= ~Flag(1U << model::index_of(me.cpu, k.s.online.size()));
  if (table.tail == 0) return table_flushed(k);
  me.finished = typename T::Count(1);
  return k.then(Step::flush_hw);
}

/// The table is empty: on to the next CPU's, or back to the caller.
template <class T>
bool table_flushed(const Point<T>& k) {
  Lane<T>& me = k.me();
  model::release(my_queue(k).lock);
  enable_irqs_of_task(k);
  if (!(me.op == Operation::op_unmap)) return k.done();
  return table_from(k, model::index_of(me.cpu, k.s.online.size()) + 1);
}

/// The rest of add_unmap, under the lock. The size is not looked at again.
template <class T>
bool table_add(const Point<T>& k) {
  using Count = typename T::Count;
  using Flag = typename T::Flag;
  Lane<T>& me = k.me();
  FlushQueue<T>& table = at(k.s.fq, me.this_cpu);
  IOVA_LOCK(k, table.lock, Cost::queue_lock);
  if (ring_full(k, table)) return k.crash(out_of_bounds);
  at(table.entries, table.tail) = {me.queued_pfn, me.queued_pages, Count(0)};
  table.tail += Count(1);
  const Flag mine = Flag(1U << model::index_of(me.this_cpu, k.s.online.size()));
  if (!(k.s.fq_timer_on & mine).nonzero()) {
    k.s.fq_timer_on |= mine;
    k.s.fq_timer_pending |= mine;
    k.cx.cost(Cost::timer_arm);
  }
  model::release(table.lock);
  return k.done();
}

/// The timer of one CPU's table fires. Deviation: on whichever CPU the configuration has its softirq.
template <class T>
bool table_timeout(const Point<T>& k) {
  using Flag = typename T::Flag;
  Lane<T>& me = k.me();
  const unsigned cpu = k.cx.pick(k.sizes().cpus);
  if (!(k.s.fq_timer_pending & Flag(1U << cpu)).nonzero()) return false;
  k.s.fq_timer_pending &= ~Flag(1U << cpu);
  me.op = typename T::Count(Operation::op_timeout);
  me.context.active = Flag(1);
  me.cpu = typename T::Count(cpu);
  return k.then(Step::table_lock);
}

/// AMD's strict unmap, to 4.17: only now the IOTLB forgets what may have been granted again.
template <class T>
bool late_flush(const Point<T>& k) {
  for (auto& stale : k.s.stale) stale = {};
  k.cx.cost(Cost::iotlb_flush);
  return k.done();
}

}  // namespace iomc::spec::iova
