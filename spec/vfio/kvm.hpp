// SPDX-License-Identifier: GPL-2.0-or-later
// KVM irqfds (virt/kvm/eventfd.c): assign, deassign, the wake function, work, changes of routes. The lane's `a` is the
// irqfd, `b` the eventfd or the new route.
//
// Deviations: copying irq_entry is one read, so that a reader never has to retry; kvm->irq_lock is not there, one task
// at a time changes a VM's routes; an update looks only at the irqfd whose route changes; the file that assign holds is
// not closed meanwhile; flush_workqueue also waits for work that is queued after it; one worker serves each queue.
#pragma once

#include "spec/vfio/bypass.hpp"

namespace iomc::spec::vfio {

// ---- kvm->irq_srcu -------------------------------------------------------------------------------------------------

template <class D>
void srcu_read_lock(const Point<D>& k) {
  k.s.kvm.vm[vm_of(k, irqfd_index(k))].readers |= typename Point<D>::Byte(1U << k.id);
}

/// Leaves; who waited for this reader alone goes on.
template <class D>
void srcu_read_unlock(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  const unsigned vm = vm_of(k, irqfd_index(k));
  const Byte others = ~Byte(1U << k.id);
  k.s.kvm.vm[vm].readers &= others;
  k.s.kvm.vm[vm].grace &= others;
  for (std::size_t i = 0; i < k.env().irqfds.size(); ++i)
    if (vm_of(k, i) == vm) k.s.kvm.irqfd[i].grace &= others;
  for (std::size_t o = 0; o < k.env().lanes.size(); ++o) {
    const auto pc = k.s.lanes[o].pc;
    if (pc == static_cast<unsigned>(Step::shutdown_grace) || pc == static_cast<unsigned>(Step::route_grace))
      k.wake_task(o);
  }
}

// ---- the life of an irqfd ------------------------------------------------------------------------------------------

/// Freed memory is used: the kernel crashes.
template <class D>
bool irqfd_alive(const Point<D>& k) {
  if (irqfd_of(k).exists == 1) return true;
  k.crash(Crash::use_after_free);
  return false;
}

/// add_wait_queue_priority: behind other priority entries, before all else.
template <class D>
void add_priority_waiter(Eventfd<D>& e, WaiterKind kind, std::size_t id) {
  using Byte = typename D::template Bits<8>;
  auto& w = e.waiters;
  std::size_t at = 0;
  while (at < max_waiters && model::either(w[at].kind == static_cast<unsigned>(WaiterKind::irqfd_waiter),
                                           w[at].kind == static_cast<unsigned>(WaiterKind::privcmd_waiter)))
    ++at;
  IOMC_INVARIANT(at < max_waiters && static_cast<bool>(w[max_waiters - 1].kind == 0));
  for (std::size_t i = max_waiters; i-- > at + 1;) w[i] = w[i - 1];
  w[at] = {Byte(static_cast<unsigned>(kind)), Byte(id)};
}

template <class D>
typename D::Bool has_priority_waiter(const Eventfd<D>& e) {
  return model::either(e.waiters[0].kind == static_cast<unsigned>(WaiterKind::irqfd_waiter),
                       e.waiters[0].kind == static_cast<unsigned>(WaiterKind::privcmd_waiter));
}

/// irqfd_deactivate, under irqfds.lock.
template <class D>
void irqfd_deactivate(Irqfd<D>& irqfd) {
  using Byte = typename D::template Bits<8>;
  irqfd.listed = Byte(0);
  irqfd.shutdown = Byte(Work::work_queued);
}

/// With unique waiters the entry joins the wait queue under irqfds.lock, before the irqfd is listed.
template <class D>
bool joins_before_list(const Point<D>& k) {
  return k.facts().irqfd_wait == IrqfdWait::unique;
}

// ---- kvm_irqfd_assign ----------------------------------------------------------------------------------------------

template <class D>
bool assign_begin(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  Irqfd<D>& irqfd = irqfd_of(k);
  Eventfd<D>& e = at(k.s.eventfd, k.me().b);
  if (irqfd.exists == 1 || e.open == 0) {
    local(k) = {};
    return k.done();
  }
  irqfd = {};
  irqfd.exists = Byte(1);
  irqfd.eventfd = k.me().b + Byte(1);
  k.me().efd = irqfd.eventfd;
  e.refs += Byte(1);
  if (joins_before_list(k)) srcu_read_lock(k);
  return k.then(Step::assign_lock);
}

template <class D>
bool assign_lock(const Point<D>& k) {
  VFIO_LOCK(k, irqfds(k), model::irqsave);
  for (std::size_t o = 0; o < k.env().irqfds.size(); ++o) {
    const Irqfd<D>& other = k.s.kvm.irqfd[o];
    if (o == irqfd_index(k) || vm_of(k, o) != vm_of(k, irqfd_index(k)) || joins_before_list(k)) continue;
    if (model::both(other.listed == 1, other.eventfd == irqfd_of(k).eventfd)) {  // EBUSY
      k.drop(irqfds(k), model::irqsave);
      return k.then(Step::assign_fail);
    }
  }
  return k.then(Step::assign_list);
}

template <class D>
bool assign_list(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  irqfd_of(k).entry = k.s.kvm.route[irqfd_index(k)];
  if (joins_before_list(k)) return k.then(Step::assign_wait);
  srcu_read_lock(k);
  irqfd_of(k).listed = Byte(1);
  k.drop(irqfds(k), model::irqsave);
  return k.then(Step::assign_wait);
}

template <class D>
bool assign_wait(const Point<D>& k) {
  if (!irqfd_alive(k)) return true;
  VFIO_LOCK(k, wqh(k), model::irqsave);
  return k.then(Step::assign_queue);
}

template <class D>
bool assign_queue(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  if (!irqfd_alive(k)) return true;
  const bool refused = joins_before_list(k) && has_priority_waiter(efd(k));
  if (!refused) add_priority_waiter(efd(k), WaiterKind::irqfd_waiter, irqfd_index(k));
  k.drop(wqh(k), model::irqsave);
  if (!joins_before_list(k)) return k.then(Step::assign_poll);
  irqfd_of(k).listed = Byte(refused ? 0 : 1);
  k.drop(irqfds(k), model::irqsave);
  if (!refused) return k.then(Step::assign_poll);
  srcu_read_unlock(k);
  return k.then(Step::assign_fail);
}

template <class D>
bool assign_poll(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  if (!irqfd_alive(k)) return true;
  if (efd(k).count.nonzero()) {
    irqfd_of(k).inject = Byte(1);
    irqfd_of(k).stale = Byte(1);
  }
  return k.env().bypass ? k.call(Step::consumer_lock, Step::assign_end) : k.then(Step::assign_end);
}

template <class D>
bool assign_end(const Point<D>& k) {
  srcu_read_unlock(k);
  local(k) = {};
  return k.done();
}

template <class D>
bool assign_fail(const Point<D>& k) {
  eventfd_ctx_put(k, efd_index(k));
  irqfd_of(k) = {};
  local(k) = {};
  return k.done();
}

// ---- kvm_irqfd_deassign, irqfd_shutdown ----------------------------------------------------------------------------

template <class D>
bool deassign_lock(const Point<D>& k) {
  VFIO_LOCK(k, irqfds(k), model::irqsave);
  return k.then(Step::deassign_mark);
}

template <class D>
bool deassign_mark(const Point<D>& k) {
  Irqfd<D>& irqfd = irqfd_of(k);
  if (irqfd.listed == 1) {
    // Deviation: clearing the type is one write here; with irqfds.lock held nobody but the wake function reads it.
    if (k.facts().irqfd_inactive == IrqfdInactive::route_type)
      irqfd.entry = typename Point<D>::Byte(Route::route_none);
    irqfd_deactivate(irqfd);
  }
  k.drop(irqfds(k), model::irqsave);
  return k.then(Step::deassign_flush);
}

template <class D>
bool deassign_flush(const Point<D>& k) {
  for (const auto& irqfd : k.s.kvm.irqfd)
    if (irqfd.shutdown.nonzero()) return wait_event(k, false, Step::deassign_flush);
  local(k) = {};
  return k.done();
}

/// The worker takes shutdown work: it begins with a grace period, so that assign has ended.
template <class D>
bool shutdown_begin(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  Irqfd<D>& irqfd = irqfd_of(k);
  irqfd.shutdown = Byte(Work::work_running);
  k.me().efd = irqfd.eventfd;
  if (!k.facts().irqfd_shutdown_waits) return k.then(Step::shutdown_lock);
  irqfd.grace = k.s.kvm.vm[vm_of(k, irqfd_index(k))].readers;
  return k.then(Step::shutdown_grace);
}

template <class D>
bool shutdown_grace(const Point<D>& k) {
  return wait_event(k, static_cast<bool>(irqfd_of(k).grace == 0), Step::shutdown_lock);
}

template <class D>
bool shutdown_lock(const Point<D>& k) {
  VFIO_LOCK(k, wqh(k), model::irqsave);
  return k.then(Step::shutdown_remove);
}

template <class D>
bool shutdown_remove(const Point<D>& k) {
  efd(k).count = typename Point<D>::Byte(0);
  remove_waiter(efd(k), WaiterKind::irqfd_waiter, irqfd_index(k));
  k.drop(wqh(k), model::irqsave);
  return k.then(Step::shutdown_flush);
}

template <class D>
bool shutdown_flush(const Point<D>& k) {
  const Irqfd<D>& irqfd = irqfd_of(k);
  if (model::either(irqfd.inject.nonzero(), irqfd.injecting.nonzero()))
    return wait_event(k, false, Step::shutdown_flush);
  return k.env().bypass ? k.call(Step::unconsume_lock, Step::shutdown_free) : k.then(Step::shutdown_free);
}

template <class D>
void wake_at(const Point<D>& k, Step step) {
  for (std::size_t o = 0; o < k.env().lanes.size(); ++o)
    if (k.s.lanes[o].pc == static_cast<unsigned>(step)) k.wake_task(o);
}

template <class D>
bool shutdown_free(const Point<D>& k) {
  eventfd_ctx_put(k, efd_index(k));
  irqfd_of(k) = {};
  local(k) = {};
  wake_at(k, Step::deassign_flush);
  return k.done();
}

// ---- irqfd_inject --------------------------------------------------------------------------------------------------

/// The interrupt is with the guest's interrupt controller.
template <class D>
void injected(const Point<D>& k, std::size_t which, unsigned route, bool by_table) {
  using Byte = typename Point<D>::Byte;
  Irqfd<D>& irqfd = k.s.kvm.irqfd[which];
  bool changing = false;
  for (std::size_t o = 0; o < k.env().lanes.size(); ++o) {
    const auto pc = k.s.lanes[o].pc;
    if (!(pc < static_cast<unsigned>(Step::route_swap)) && !(pc > static_cast<unsigned>(Step::route_grace)))
      changing = true;
  }
  Event e;
  e.kind = Event::injected;
  e.index = static_cast<unsigned char>(which);
  e.ok = by_table || changing || k.s.kvm.route[which] == route;
  k.emit(e);
  irqfd.owed = Byte(0);
}

template <class D>
bool inject_begin(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  irqfd_of(k).inject = Byte(0);
  irqfd_of(k).injecting = Byte(1);
  return k.then(Step::inject_set);
}

template <class D>
bool inject_set(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  if (!irqfd_alive(k)) return true;
  if (k.env().irqfds[irqfd_index(k)].resample) {
    k.s.kvm.level.pin = Byte(1);
    k.s.kvm.level.old = Byte(0);
  }
  injected(k, irqfd_index(k), Route::route_none, true);
  return k.then(Step::inject_end);
}

template <class D>
bool inject_end(const Point<D>& k) {
  irqfd_of(k).injecting = typename Point<D>::Byte(0);
  local(k) = {};
  wake_at(k, Step::shutdown_flush);
  return k.done();
}

// ---- irqfd_wakeup --------------------------------------------------------------------------------------------------

/// A signal has raised the count: each irqfd that waits is owed an injection.
template <class D>
void tell_irqfds(const Point<D>& k) {
  for (std::size_t i = 0; i < k.env().irqfds.size(); ++i)
    if (k.s.kvm.irqfd[i].listed == 1 && has_waiter(efd(k), WaiterKind::irqfd_waiter, i))
      k.s.kvm.irqfd[i].owed = typename Point<D>::Byte(1);
}

template <class D>
bool wake_irqfd(const Point<D>& k, std::size_t which) {
  local(k).irqfd = typename Point<D>::Byte(which + 1);
  if (!irqfd_alive(k)) return true;
  return k.then(k.me().key == WakeKey::key_hup ? Step::irqfd_hup_lock : Step::irqfd_drain);
}

template <class D>
bool irqfd_drain(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  if (k.facts().irqfd_drains) efd(k).count = Byte(0);
  irqfd_of(k).stale = Byte(0);
  srcu_read_lock(k);
  return k.then(Step::irqfd_entry);
}

/// read_seqcount_begin: a reader that meets a writer spins, or on RT takes the writer's lock to have it finish.
template <class D>
bool irqfd_entry(const Point<D>& k) {
  if (irqfd_of(k).seq == 1) return k.rt() ? k.then(Step::irqfd_push) : false;
  local(k).entry = irqfd_of(k).entry;
  return k.then(Step::irqfd_deliver);
}

template <class D>
bool irqfd_push(const Point<D>& k) {
  VFIO_LOCK(k, irqfds(k), model::plain);
  k.drop(irqfds(k));
  return k.then(Step::irqfd_entry);
}

/// The wake function returns 1, which counts as taking the event where the entry is exclusive.
template <class D>
bool irqfd_woken(const Point<D>& k) {
  srcu_read_unlock(k);
  local(k) = {};
  return wake_function_done(k, false, k.facts().irqfd_wait != IrqfdWait::shared);
}

/// The active check, then kvm_arch_set_irq_inatomic. Deviation: an MSI always finds the fast map of local APICs.
template <class D>
bool irqfd_deliver(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  Irqfd<D>& irqfd = irqfd_of(k);
  const bool inactive = k.facts().irqfd_inactive == IrqfdInactive::list && irqfd.listed == 0;
  const auto route = static_cast<unsigned>(model::index_of(local(k).entry, 6));
  if (!inactive && route == Route::route_xen) return k.call(Step::xen_lock, Step::irqfd_delivered);
  if (!inactive && is_msi(route))
    injected(k, irqfd_index(k), route, false);
  else
    irqfd.inject = Byte(1);
  return irqfd_woken(k);
}

template <class D>
bool irqfd_delivered(const Point<D>& k) {
  if (local(k).res == 1)
    irqfd_of(k).inject = typename Point<D>::Byte(1);
  else
    injected(k, irqfd_index(k), Route::route_xen, false);
  return irqfd_woken(k);
}

template <class D>
bool irqfd_hup_lock(const Point<D>& k) {
  VFIO_LOCK(k, irqfds(k), model::irqsave);
  return k.then(Step::irqfd_hup);
}

template <class D>
bool irqfd_hup(const Point<D>& k) {
  if (irqfd_of(k).listed == 1) irqfd_deactivate(irqfd_of(k));
  k.drop(irqfds(k), model::irqsave);
  local(k) = {};
  return wake_function_done(k, false, false);
}

// ---- kvm_set_irq_routing -------------------------------------------------------------------------------------------

template <class D>
bool route_swap(const Point<D>& k) {
  k.s.kvm.route[irqfd_index(k)] = k.me().b;
  return k.then(Step::route_lock);
}

/// kvm_irq_routing_update: irqfd_update begins to write.
template <class D>
bool route_lock(const Point<D>& k) {
  VFIO_LOCK(k, irqfds(k), model::irqsave);
  if (irqfd_of(k).listed == 0) return k.then(Step::route_unlock);
  irqfd_of(k).seq = typename Point<D>::Byte(1);
  return k.then(Step::route_write);
}

template <class D>
bool route_write(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  Irqfd<D>& irqfd = irqfd_of(k);
  const bool changed = !(irqfd.entry == k.me().b);
  irqfd.entry = k.me().b;
  irqfd.seq = Byte(0);
  return k.then(changed && irqfd.producer.nonzero() ? Step::route_irte : Step::route_unlock);
}

/// irqfd->producer is loaded again, and what it points to is read.
template <class D>
bool route_irte(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  const Byte producer = irqfd_of(k).producer;
  if (producer == 0) return k.crash(Crash::null_dereference);
  const std::size_t p = model::index_of(producer - Byte(1), max_vectors);
  if (!producer_alive(k, p)) return k.crash(Crash::use_after_free);
  update_irte(k, irqfd_index(k), p, true);
  return k.then(Step::route_unlock);
}

template <class D>
bool route_unlock(const Point<D>& k) {
  k.drop(irqfds(k), model::irqsave);
  Vm<D>& vm = k.s.kvm.vm[vm_of(k, irqfd_index(k))];
  vm.grace = vm.readers;
  return k.then(Step::route_grace);
}

template <class D>
bool route_grace(const Point<D>& k) {
  if (k.s.kvm.vm[vm_of(k, irqfd_index(k))].grace.nonzero()) return wait_event(k, false, Step::route_grace);
  local(k) = {};
  return k.done();
}

}  // namespace iomc::spec::vfio
