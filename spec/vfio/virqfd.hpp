// SPDX-License-Identifier: GPL-2.0-or-later
// The eventfd with which a user unmasks INTx (drivers/vfio/virqfd.c): set up and taken down by ioctl, woken by a
// signal, and taken down by a hang-up. The lane's `i` is the virqfd, or 1 + it where it is read without the lock.
//
// Without virqfd_lock (to 3.6) a hang-up queues the shutdown whoever else has, the ioctl queues that of the virqfd it
// last saw, and the shutdown clears the pointer; taken from the message of the change that added the lock.
//
// Deviation: flush_workqueue waits until its queue is empty, also for works queued meanwhile. The single thread of the
// queue takes flush_inject works before shutdown works: that of a virqfd is always queued first.
#pragma once

#include "spec/vfio/intx.hpp"

namespace iomc::spec::vfio {

template <class D>
void queue_work(const Point<D>& k, typename Point<D>::Byte& work) {
  using Byte = typename Point<D>::Byte;
  (void)k;
  if (work == Work::work_idle) work = Byte(Work::work_queued);
  else if (work == Work::work_running) work = Byte(Work::work_running_and_queued);
}

/// A work has ended; who waits for works looks again.
template <class D>
void work_ends(const Point<D>& k, typename Point<D>::Byte& work) {
  using Byte = typename Point<D>::Byte;
  work = select(work == Work::work_running_and_queued, Byte(Work::work_queued), Byte(Work::work_idle));
  for (std::size_t o = 0; o < k.env().lanes.size(); ++o) {
    const auto pc = k.s.lanes[o].pc;
    const auto waits = model::either(pc == static_cast<unsigned>(Step::virqfd_flush_queue),
                                     model::either(pc == static_cast<unsigned>(Step::virqfd_shutdown_flush),
                                                   pc == static_cast<unsigned>(Step::virqfd_flush_inject)));
    if (waits) k.wake_task(o);
  }
}

template <class D>
std::size_t virqfd_index(const Point<D>& k) {
  return model::index_of(k.me().i, max_virqfds);
}
template <class D>
Virqfd<D>& my_virqfd(const Point<D>& k) {
  return k.s.intx.virqfd[virqfd_index(k)];
}

// ---- vfio_virqfd_enable, under igate -------------------------------------------------------------------------------

/// The virqfd is made, the eventfd and its file are got. Any failure ends the call.
template <class D>
bool virqfd_alloc(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  if (k.env().allocation_failure && k.cx.pick(2) == 1) return k.then(Step::intx_unlock);
  Eventfd<D>& e = at(k.s.eventfd, k.me().a);
  std::size_t slot = max_virqfds;
  for (std::size_t v = max_virqfds; v-- > 0;) {
    const Virqfd<D>& q = k.s.intx.virqfd[v];
    if (model::both(model::both(q.exists == 0, q.shutdown == 0), q.inject == 0)) slot = v;
  }
  if (e.open == 0 || slot == max_virqfds) return k.then(Step::intx_unlock);
  e.refs += Byte(1);
  k.s.intx.file_held = k.me().a + Byte(1);
  k.me().efd = k.me().a + Byte(1);
  k.me().i = Byte(slot);
  my_virqfd(k) = {Byte(1), k.me().efd, Byte(0), Byte(0), Byte(0)};
  return k.then(Step::virqfd_publish);
}

template <class D>
bool virqfd_publish(const Point<D>& k) {
  if (k.facts().virqfd_locked) VFIO_LOCK(k, LockId::virqfd_lock, model::irqsave);
  return k.then(Step::virqfd_published);
}

template <class D>
bool virqfd_published(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  const auto busy = k.s.intx.unmask.nonzero();
  if (!busy) k.s.intx.unmask = k.me().i + Byte(1);
  if (k.facts().virqfd_locked) k.drop(LockId::virqfd_lock, model::irqsave);
  if (!busy) return k.then(Step::virqfd_poll);
  eventfd_ctx_put(k, efd_index(k));
  my_virqfd(k) = {};
  return k.then(Step::virqfd_enabled);
}

template <class D>
bool virqfd_poll(const Point<D>& k) {
  VFIO_LOCK(k, wqh(k), model::irqsave);
  return k.then(Step::virqfd_polled);
}

template <class D>
bool virqfd_polled(const Point<D>& k) {
  IOMC_INVARIANT(add_waiter(efd(k), WaiterKind::virqfd_waiter, virqfd_index(k)));
  k.drop(wqh(k), model::irqsave);
  return k.then(Step::virqfd_look);
}

/// The count is read without the lock; an event that was there already is handled now.
template <class D>
bool virqfd_look(const Point<D>& k) {
  if (efd(k).count == 0) return k.then(Step::virqfd_enabled);
  return k.call(Step::intx_unmask_lock, Step::virqfd_enabled);
}

/// The file's reference is dropped last.
template <class D>
bool virqfd_enabled(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  if ((k.me().res & Byte(unmask_pending)).nonzero()) queue_work(k, my_virqfd(k).inject);
  k.me().res = Byte(0);
  k.me().i = Byte(0);
  k.s.intx.file_held = Byte(0);
  return k.then(Step::intx_unlock);
}

// ---- vfio_virqfd_disable, vfio_virqfd_flush_thread -----------------------------------------------------------------

template <class D>
bool virqfd_disable_lock(const Point<D>& k) {
  if (k.facts().virqfd_locked)
    VFIO_LOCK(k, LockId::virqfd_lock, model::irqsave);
  else
    k.me().i = k.s.intx.unmask;
  return k.then(Step::virqfd_disable);
}

template <class D>
bool virqfd_disable(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  const bool locked = k.facts().virqfd_locked;
  const Byte which = locked ? k.s.intx.unmask : k.me().i;
  if (which.nonzero()) {
    Virqfd<D>& v = at(k.s.intx.virqfd, which - Byte(1));
    if (v.exists == 0) return k.crash(Crash::use_after_free);
    queue_work(k, v.shutdown);
    if (locked) k.s.intx.unmask = Byte(0);
  }
  k.me().i = Byte(0);
  if (locked) k.drop(LockId::virqfd_lock, model::irqsave);
  return k.then(Step::virqfd_flush_queue);
}

template <class D>
bool virqfd_flush_lock(const Point<D>& k) {
  VFIO_LOCK(k, LockId::virqfd_lock, model::irqsave);
  return k.then(Step::virqfd_flush);
}

template <class D>
bool virqfd_flush(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  if (k.s.intx.unmask.nonzero()) queue_work(k, at(k.s.intx.virqfd, k.s.intx.unmask - Byte(1)).flush_inject);
  k.drop(LockId::virqfd_lock, model::irqsave);
  return k.then(Step::virqfd_flush_queue);
}

template <class D>
bool virqfd_flush_queue(const Point<D>& k) {
  bool empty = true;
  for (const Virqfd<D>& v : k.s.intx.virqfd)
    if (model::either(v.shutdown.nonzero(), v.flush_inject.nonzero())) empty = false;
  if (empty) return k.ret();
  return wait_event(k, false, Step::virqfd_flush_queue);
}

// ---- virqfd_wakeup, under the wait queue's lock --------------------------------------------------------------------

template <class D>
Virqfd<D>& woken_virqfd(const Point<D>& k) {
  return at(k.s.intx.virqfd, efd(k).waiters[model::index_of(k.me().w, max_waiters)].id);
}

template <class D>
bool virqfd_woken(const Point<D>& k) {
  if (woken_virqfd(k).exists == 0) return k.crash(Crash::use_after_free);
  if (k.me().key == WakeKey::key_hup) return k.then(Step::virqfd_hup_lock);
  if (k.facts().virqfd_drains) efd(k).count = typename Point<D>::Byte(0);
  return k.call(Step::intx_unmask_lock, Step::virqfd_handled);
}

/// The device still wants service: the user is told by a work, as this eventfd's lock is held here.
template <class D>
bool virqfd_handled(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  const auto pending = (k.me().res & Byte(unmask_pending)).nonzero();
  k.me().res &= ~Byte(unmask_pending);
  if (pending && k.env().broken) return k.call(Step::intx_send, Step::virqfd_told);
  if (pending) queue_work(k, woken_virqfd(k).inject);
  return wake_function_done(k, false, false);
}

template <class D>
bool virqfd_told(const Point<D>& k) {
  return wake_function_done(k, false, false);
}

template <class D>
bool virqfd_hup_lock(const Point<D>& k) {
  if (k.facts().virqfd_locked) VFIO_LOCK(k, LockId::virqfd_lock, model::irqsave);
  return k.then(Step::virqfd_hup);
}

template <class D>
bool virqfd_hup(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  const Byte which = efd(k).waiters[model::index_of(k.me().w, max_waiters)].id;
  if (!k.facts().virqfd_locked) {
    queue_work(k, woken_virqfd(k).shutdown);
  } else {
    if (k.s.intx.unmask == which + Byte(1)) {
      k.s.intx.unmask = Byte(0);
      queue_work(k, woken_virqfd(k).shutdown);
    }
    k.drop(LockId::virqfd_lock, model::irqsave);
  }
  return wake_function_done(k, false, false);
}

// ---- works ---------------------------------------------------------------------------------------------------------

inline bool serves_virqfds(const LaneSetup& worker) {
  return worker.calls[0].op == Op::virqfd_cleanup || worker.calls[0].op == Op::virqfd_events;
}

/// The worker takes the first work that is queued.
template <class D>
bool begin_virqfd_work(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  const Op op = k.setup().calls[0].op;
  const auto runs = [&](Byte& work, std::size_t v, Step step) {
    if (!(work == Work::work_queued)) return false;
    work = Byte(Work::work_running);
    k.exec().active = Byte(1);
    k.me().i = Byte(v);
    return k.then(step);
  };
  for (std::size_t v = 0; v < max_virqfds; ++v) {
    Virqfd<D>& q = k.s.intx.virqfd[v];
    if (op == Op::virqfd_events && runs(q.inject, v, Step::virqfd_inject)) return true;
    if (op == Op::virqfd_cleanup && runs(q.flush_inject, v, Step::virqfd_flush_inject)) return true;
  }
  for (std::size_t v = 0; op == Op::virqfd_cleanup && v < max_virqfds; ++v)
    if (runs(k.s.intx.virqfd[v].shutdown, v, Step::virqfd_shutdown)) return true;
  return false;
}

template <class D>
bool virqfd_inject(const Point<D>& k) {
  if (my_virqfd(k).exists == 0) return k.crash(Crash::use_after_free);
  return k.call(Step::intx_send, Step::virqfd_injected);
}

template <class D>
bool virqfd_injected(const Point<D>& k) {
  work_ends(k, my_virqfd(k).inject);
  return k.done();
}

template <class D>
bool virqfd_flush_inject(const Point<D>& k) {
  if (my_virqfd(k).inject.nonzero()) return wait_event(k, false, Step::virqfd_flush_inject);
  work_ends(k, my_virqfd(k).flush_inject);
  return k.done();
}

template <class D>
bool virqfd_shutdown(const Point<D>& k) {
  const Virqfd<D>& v = my_virqfd(k);
  if (v.exists == 0) return k.crash(Crash::use_after_free);
  k.me().efd = v.eventfd;
  if (!usable(k)) return true;
  VFIO_LOCK(k, wqh(k), model::irqsave);
  return k.then(Step::virqfd_removed);
}

/// eventfd_ctx_remove_wait_queue also takes the count.
template <class D>
bool virqfd_removed(const Point<D>& k) {
  efd(k).count = typename Point<D>::Byte(0);
  remove_waiter(efd(k), WaiterKind::virqfd_waiter, virqfd_index(k));
  k.drop(wqh(k), model::irqsave);
  return k.then(Step::virqfd_shutdown_flush);
}

template <class D>
bool virqfd_shutdown_flush(const Point<D>& k) {
  return wait_event(k, static_cast<bool>(my_virqfd(k).inject == 0), Step::virqfd_freed);
}

template <class D>
bool virqfd_freed(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  Virqfd<D>& v = my_virqfd(k);
  eventfd_ctx_put(k, efd_index(k));
  v.exists = Byte(0);
  v.eventfd = Byte(0);
  if (!k.facts().virqfd_locked && k.s.intx.unmask == k.me().i + Byte(1)) k.s.intx.unmask = Byte(0);
  work_ends(k, v.shutdown);
  return k.done();
}

}  // namespace iomc::spec::vfio
