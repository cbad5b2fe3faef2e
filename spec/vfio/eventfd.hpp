// SPDX-License-Identifier: GPL-2.0-or-later
// eventfd: signal, read, write, poll, release, and the walk over the wait queue (fs/eventfd.c, kernel/sched/wait.c,
// fs/eventpoll.c). The lane's `efd` is 1 + the eventfd, `key` what waiters are woken with.
//
// Deviations: noting that a signal is under way and raising the count are one step (both under the lock, and only the
// note is looked at without it); counts stay at 7; a reader's wake-up of writers is the step between noting and
// clearing the note, since no writer waits, and other entries take nothing of it; a reader that was woken is off the
// queue and joins at its end, as in 6.12, where in 6.1 it stays in its place (no entry but an exclusive one cares);
// reads and writes note themselves under each guard, which between 5.6 and 5.19 only signals did.
#pragma once

#include "spec/vfio/point.hpp"

namespace iomc::spec::vfio {

/// The eventfd under way. A NULL or freed one crashes: false.
template <class D>
bool usable(const Point<D>& k) {
  if (k.me().efd == 0) return k.crash(Crash::null_dereference), false;
  if (at(k.s.eventfd, k.me().efd - typename Point<D>::Byte(1)).refs == 0)
    return k.crash(Crash::use_after_free), false;
  return true;
}

template <class D>
std::size_t efd_index(const Point<D>& k) {
  return model::index_of(k.me().efd - typename Point<D>::Byte(1), max_eventfds);
}

template <class D>
Eventfd<D>& efd(const Point<D>& k) {
  return k.s.eventfd[efd_index(k)];
}

template <class D>
unsigned wqh(const Point<D>& k) {
  return static_cast<unsigned>(LockId::wqh_lock + efd_index(k));
}

/// Drops a reference; the last one frees.
template <class D>
void eventfd_ctx_put(const Point<D>& k, std::size_t index) {
  using Byte = typename Point<D>::Byte;
  Eventfd<D>& e = k.s.eventfd[index];
  if (e.refs == 0) {
    k.crash(Crash::use_after_free);
    return;
  }
  e.refs -= Byte(1);
}

template <class D>
void raise_count(Eventfd<D>& e) {
  using Byte = typename D::template Bits<8>;
  e.count = select(e.count < 7U, e.count + Byte(1), e.count);
}

/// The guard's note, where `current` keeps it: in the task, or on the CPU.
template <class D>
void note_signal(const Point<D>& k, bool under_way) {
  using Byte = typename Point<D>::Byte;
  const SignalGuard guard = k.facts().eventfd_guard;
  if (guard == SignalGuard::per_cpu) {
    auto& count = k.s.cpu_in_eventfd[k.cpu()];
    count = under_way ? count + Byte(1) : count - Byte(1);
  } else if (guard == SignalGuard::per_task) {
    const std::size_t c = k.current();
    if (c != k.none) k.s.lanes[c].in_eventfd = Byte(under_way ? 1 : 0);
  }
}

// ---- the wait queue ------------------------------------------------------------------------------------------------

/// Adds an entry at the end, or at the front for a priority waiter. No room: false.
template <class D>
bool add_waiter(Eventfd<D>& e, WaiterKind kind, std::size_t id, bool front = false) {
  using Byte = typename D::template Bits<8>;
  auto& w = e.waiters;
  if (w[max_waiters - 1].kind.nonzero()) return false;
  if (front) {
    for (std::size_t i = max_waiters; i-- > 1;) w[i] = w[i - 1];
    w[0] = {Byte(static_cast<unsigned>(kind)), Byte(id)};
    return true;
  }
  for (auto& entry : w)
    if (entry.kind == 0) {
      entry = {Byte(static_cast<unsigned>(kind)), Byte(id)};
      return true;
    }
  return false;
}

template <class D>
bool has_waiter(const Eventfd<D>& e, WaiterKind kind, std::size_t id) {
  for (const auto& entry : e.waiters)
    if (model::both(entry.kind == static_cast<unsigned>(kind), entry.id == static_cast<unsigned>(id))) return true;
  return false;
}

template <class D>
void remove_waiter_at(Eventfd<D>& e, std::size_t index) {
  for (std::size_t i = index; i + 1 < max_waiters; ++i) e.waiters[i] = e.waiters[i + 1];
  e.waiters[max_waiters - 1] = {};
}

template <class D>
void remove_waiter(Eventfd<D>& e, WaiterKind kind, std::size_t id) {
  for (std::size_t i = 0; i < max_waiters; ++i)
    if (model::both(e.waiters[i].kind == static_cast<unsigned>(kind), e.waiters[i].id == static_cast<unsigned>(id))) {
      remove_waiter_at(e, i);
      return;
    }
}

/// Starts a walk over the queue with `key`; the walk comes back to `back`.
template <class D>
bool wake_up_locked_poll(const Point<D>& k, WakeKey key, Step back) {
  using Byte = typename Point<D>::Byte;
  k.me().key = Byte(static_cast<unsigned>(key));
  k.me().w = Byte(0);
  if (efd(k).waiters[0].kind == 0) {  // waitqueue_active
    k.me().key = Byte(0);
    return k.then(back);
  }
  return k.call(Step::wake_next, back);
}

/// A wake function has ended. `exclusive`: it took the event, and no later entry is told.
template <class D>
bool wake_function_done(const Point<D>& k, bool removed, bool exclusive) {
  using Byte = typename Point<D>::Byte;
  Program<D>& me = k.me();
  if (!removed) me.w += Byte(1);
  const bool end = exclusive || !(me.w < max_waiters) || efd(k).waiters[model::index_of(me.w, max_waiters)].kind == 0;
  if (!end) return k.then(Step::wake_next);
  me.w = Byte(0);
  me.key = Byte(0);
  return k.ret();
}

template <class D>
bool wake_irqfd(const Point<D>& k, std::size_t which);
template <class D>
bool wake_virqfd(const Point<D>& k, std::size_t which);
template <class D>
bool wake_privcmd(const Point<D>& k);
/// The count has been raised.
template <class D>
void tell_irqfds(const Point<D>& k);

template <class D>
bool wake_next(const Point<D>& k) {
  const std::size_t i = model::index_of(k.me().w, max_waiters);
  const Waiter<D> w = efd(k).waiters[i];
  if (w.kind == WaiterKind::reader) {
    remove_waiter_at(efd(k), i);
    k.wake_task(model::index_of(w.id, max_lanes));
    return wake_function_done(k, true, false);
  }
  if (w.kind == WaiterKind::epoll) return k.then(Step::epoll_lock);
  if (w.kind == WaiterKind::irqfd_waiter) return wake_irqfd(k, model::index_of(w.id, 4));
  if (w.kind == WaiterKind::privcmd_waiter) return wake_privcmd(k);
  return wake_virqfd(k, model::index_of(w.id, 4));
}

template <class D>
bool epoll_lock(const Point<D>& k) {
  const bool readers = k.facts().ep_lock == EpLock::rwlock;
  VFIO_LOCK(k, LockId::ep_lock, (model::LockMode{true, false, readers}));
  return k.then(Step::epoll_unlock);
}

template <class D>
bool epoll_unlock(const Point<D>& k) {
  k.drop(LockId::ep_lock, model::LockMode{true, false, k.facts().ep_lock == EpLock::rwlock});
  return wake_function_done(k, false, false);
}

// ---- eventfd_signal_mask -------------------------------------------------------------------------------------------

template <class D>
bool signal_check(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  Event e;
  e.index = static_cast<unsigned char>(model::index_of(k.me().efd, max_eventfds + 1));
  e.own = static_cast<bool>(k.me().covers == 0);
  typename D::Bool noted = false;
  const typename D::Bool own = k.me().key.nonzero();  // called from a wake function
  const std::size_t c = k.current();
  if (k.facts().eventfd_guard == SignalGuard::per_task && c != k.none) noted = k.s.lanes[c].in_eventfd == 1;
  if (k.facts().eventfd_guard == SignalGuard::per_cpu) noted = k.s.cpu_in_eventfd[k.cpu()].nonzero();
  if (noted) {
    e.kind = Event::dropped;
    e.ok = static_cast<bool>(own);
    k.emit(e);
    k.me().covers = Byte(0);
    return k.ret();
  }
  e.kind = Event::signal;
  k.emit(e);
  if (!usable(k)) return true;
  if (k.me().covers.nonzero()) {
    auto& owed = at(k.s.desc, k.me().covers - Byte(1)).owed;
    owed = select(owed == Owed::a_signal, Byte(Owed::being_served), owed);
  }
  return k.then(Step::signal_lock);
}

template <class D>
bool signal_lock(const Point<D>& k) {
  if (!usable(k)) return true;
  VFIO_LOCK(k, wqh(k), model::irqsave);
  return k.then(Step::signal_count);
}

template <class D>
bool signal_count(const Point<D>& k) {
  if (!usable(k)) return true;
  note_signal(k, true);
  raise_count(efd(k));
  tell_irqfds(k);
  if (k.me().covers.nonzero()) {
    using Byte = typename Point<D>::Byte;
    auto& n = efd(k).signals;
    n = select(n < 7U, n + Byte(1), n);
    auto& owed = at(k.s.desc, k.me().covers - Byte(1)).owed;
    owed = select(owed == Owed::being_served, Byte(Owed::nothing), owed);
  }
  return wake_up_locked_poll(k, WakeKey::key_in, Step::signal_out);
}

template <class D>
bool signal_out(const Point<D>& k) {
  note_signal(k, false);
  return k.then(Step::signal_unlock);
}

template <class D>
bool signal_unlock(const Point<D>& k) {
  if (!usable(k)) return true;
  k.drop(wqh(k), model::irqsave);
  k.me().covers = typename Point<D>::Byte(0);
  return k.ret();
}

// ---- system calls --------------------------------------------------------------------------------------------------

template <class D>
bool read_lock(const Point<D>& k) {
  VFIO_LOCK(k, wqh(k), model::irqsave);
  return k.then(Step::read_test);
}

/// The count is taken, or the reader waits: it joins the queue, drops the lock and sleeps, and asks for the lock again
/// when it has been woken.
template <class D>
bool read_test(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  Eventfd<D>& e = efd(k);
  if (e.count == 0) {
    if (!has_waiter(e, WaiterKind::reader, k.id) && !add_waiter(e, WaiterKind::reader, k.id)) return false;
    k.drop(wqh(k), model::irqsave);
    k.machine().sleep(k.config.rules, k.id);
    return k.then(Step::read_lock);
  }
  e.count = Byte(0);
  note_signal(k, true);
  return k.then(Step::read_out);
}

template <class D>
bool read_out(const Point<D>& k) {
  note_signal(k, false);
  return k.then(Step::read_unlock);
}

template <class D>
bool read_unlock(const Point<D>& k) {
  remove_waiter(efd(k), WaiterKind::reader, k.id);
  k.drop(wqh(k), model::irqsave);
  return k.done();
}

template <class D>
bool write_lock(const Point<D>& k) {
  VFIO_LOCK(k, wqh(k), model::irqsave);
  return k.then(Step::write_add);
}

template <class D>
bool write_add(const Point<D>& k) {
  raise_count(efd(k));
  tell_irqfds(k);
  note_signal(k, true);
  return wake_up_locked_poll(k, WakeKey::key_in, Step::read_out);
}

template <class D>
bool fdinfo_lock(const Point<D>& k) {
  VFIO_LOCK(k, wqh(k), model::irqsave);
  return k.then(Step::fdinfo_unlock);
}

template <class D>
bool fdinfo_unlock(const Point<D>& k) {
  k.drop(wqh(k), model::irqsave);
  return k.done();
}

template <class D>
bool poll_lock(const Point<D>& k) {
  VFIO_LOCK(k, wqh(k), model::irqsave);
  return k.then(Step::poll_unlock);
}

template <class D>
bool poll_unlock(const Point<D>& k) {
  Eventfd<D>& e = efd(k);
  if (k.me().b == 1)
    remove_waiter(e, WaiterKind::epoll, 0);
  else if (!has_waiter(e, WaiterKind::epoll, 0))
    add_waiter(e, WaiterKind::epoll, 0);
  k.drop(wqh(k), model::irqsave);
  return k.done();
}

/// eventfd_release, when the last file reference is dropped.
template <class D>
bool close_lock(const Point<D>& k) {
  if (k.s.intx.file_held == k.me().efd) return false;  // the last reference is not dropped yet
  VFIO_LOCK(k, wqh(k), model::irqsave);
  efd(k).open = typename Point<D>::Byte(0);
  return wake_up_locked_poll(k, WakeKey::key_hup, Step::close_unlock);
}

template <class D>
bool close_unlock(const Point<D>& k) {
  k.drop(wqh(k), model::irqsave);
  eventfd_ctx_put(k, efd_index(k));
  return k.done();
}

}  // namespace iomc::spec::vfio
