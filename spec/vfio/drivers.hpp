// SPDX-License-Identifier: GPL-2.0-or-later
// Other kernel code that shares locks, CPUs or contexts with the path: PCI configuration space behind VMD, vCPUs that
// block, Xen guests and privcmd, drivers whose locks are facts, errors and resets of the device.
//
// Deviations: of each function only its locks and what it frees are there; the softirq that a driver's receive path
// runs is a call; gpc->lock stands for the two caches that an event channel looks at one after the other.
#pragma once

#include "spec/vfio/kvm.hpp"
#include "spec/vfio/other.hpp"

namespace iomc::spec::vfio {

// ---- configuration space behind VMD --------------------------------------------------------------------------------

template <class D>
bool config_lock(const Point<D>& k) {
  VFIO_LOCK(k, LockId::pci_lock, model::irqsave);
  return k.then(Step::config_inner);
}
template <class D>
bool config_inner(const Point<D>& k) {
  VFIO_LOCK(k, LockId::cfg_lock, model::irqsave);
  return k.then(Step::config_read);
}
template <class D>
bool config_read(const Point<D>& k) {
  k.drop(LockId::cfg_lock, model::irqsave);
  return k.then(Step::config_unlock);
}
template <class D>
bool config_unlock(const Point<D>& k) {
  k.drop(LockId::pci_lock, model::irqsave);
  return finish(k);
}

// ---- vCPUs that block ----------------------------------------------------------------------------------------------

template <class D>
bool block_irqs(const Point<D>& k) {
  k.exec().irqs_off += typename Point<D>::Byte(1);
  return k.then(Step::block_lock);
}
template <class D>
bool block_lock(const Point<D>& k) {
  VFIO_LOCK(k, LockId::wakeup_list_lock, model::plain);
  return k.then(Step::block_unlock);
}
template <class D>
bool block_unlock(const Point<D>& k) {
  k.drop(LockId::wakeup_list_lock);
  k.exec().irqs_off -= typename Point<D>::Byte(1);
  return finish(k);
}
template <class D>
bool wakeup_lock(const Point<D>& k) {
  VFIO_LOCK(k, LockId::wakeup_list_lock, model::plain);
  return k.then(Step::wakeup_unlock);
}
template <class D>
bool wakeup_unlock(const Point<D>& k) {
  k.drop(LockId::wakeup_list_lock);
  return k.ret();
}

// ---- Xen -----------------------------------------------------------------------------------------------------------

template <class D>
bool xen_lock(const Point<D>& k) {
  constexpr model::LockMode mode{true, false, true};
  if (k.facts().xen_evtchn_trylock && !k.task()) {
    if (k.try_take(LockId::gpc_lock, mode)) return k.then(Step::xen_unlock);
    local(k).res = typename Point<D>::Byte(1);
    return k.ret();
  }
  VFIO_LOCK(k, LockId::gpc_lock, mode);
  return k.then(Step::xen_unlock);
}
template <class D>
bool xen_unlock(const Point<D>& k) {
  k.drop(LockId::gpc_lock, model::LockMode{true, false, true});
  return k.ret();
}

/// privcmd's wake function: an event is a hypercall, a hang-up takes a lock.
template <class D>
bool wake_privcmd(const Point<D>& k) {
  if (k.me().key == WakeKey::key_hup) return k.then(Step::privcmd_take);
  return wake_function_done(k, false, false);
}
template <class D>
bool privcmd_take(const Point<D>& k) {
  VFIO_LOCK(k, LockId::privcmd_lock, model::irqsave);
  return k.then(Step::privcmd_drop);
}
template <class D>
bool privcmd_drop(const Point<D>& k) {
  k.drop(LockId::privcmd_lock, model::irqsave);
  return wake_function_done(k, false, false);
}

// ---- drivers -------------------------------------------------------------------------------------------------------

template <class D>
bool lookup_lock(const Point<D>& k) {
  if (k.facts().pci_irq_vector_locks) VFIO_LOCK(k, LockId::msi_mutex, model::plain);
  return k.then(Step::lookup_unlock);
}
template <class D>
bool lookup_unlock(const Point<D>& k) {
  if (k.facts().pci_irq_vector_locks) k.drop(LockId::msi_mutex);
  return finish(k);
}

/// ks8851's interrupt thread, of the variant whose lock is a spinlock_t.
template <class D>
bool net_lock(const Point<D>& k) {
  VFIO_LOCK(k, LockId::driver_lock, model::irqsave);
  return k.then(Step::net_rx);
}
/// netif_rx turns softirqs off and on; where nothing else has them off, they run there, and may find packets to send.
template <class D>
bool net_rx(const Point<D>& k) {
  if (!k.facts().ks8851_rx_unlocked) {
    const bool here = k.task() && k.exec().bh_off == 0 && k.cx.pick(2) == 1;
    return here ? k.call(Step::net_xmit, Step::net_unlock) : k.then(Step::net_unlock);
  }
  k.drop(LockId::driver_lock, model::irqsave);
  return k.then(Step::net_xmit);
}
template <class D>
bool net_unlock(const Point<D>& k) {
  k.drop(LockId::driver_lock, model::irqsave);
  return k.ret();
}
template <class D>
bool net_xmit(const Point<D>& k) {
  VFIO_LOCK(k, LockId::driver_lock, model::irqsave);
  return k.then(Step::net_sent);
}
template <class D>
bool net_sent(const Point<D>& k) {
  k.drop(LockId::driver_lock, model::irqsave);
  return finish(k);
}

/// epoll_wait takes the ready list: the write side where ep->lock has two sides.
template <class D>
bool scan_lock(const Point<D>& k) {
  VFIO_LOCK(k, LockId::ep_lock, model::irqsave);
  return k.then(Step::scan_unlock);
}
template <class D>
bool scan_unlock(const Point<D>& k) {
  k.drop(LockId::ep_lock, model::irqsave);
  return k.done();
}

// ---- errors, resets, release ---------------------------------------------------------------------------------------

inline constexpr model::LockMode read_side{false, false, true};

template <class D>
bool hotplug_lock(const Point<D>& k) {
  VFIO_LOCK(k, LockId::pci_bus_sem, model::plain);
  return k.then(Step::hotplug_unlock);
}
template <class D>
bool hotplug_unlock(const Point<D>& k) {
  k.drop(LockId::pci_bus_sem);
  return k.done();
}

template <class D>
bool aer_walk(const Point<D>& k) {
  VFIO_LOCK(k, LockId::pci_bus_sem, read_side);
  return k.then(Step::aer_lock);
}
template <class D>
bool aer_lock(const Point<D>& k) {
  if (k.facts().err_trigger == ErrTrigger::igate) VFIO_LOCK(k, LockId::igate, model::plain);
  if (k.facts().err_trigger == ErrTrigger::rcu) k.s.kvm.rcu |= typename Point<D>::Byte(1U << k.id);
  return k.then(Step::aer_load);
}
template <class D>
bool aer_load(const Point<D>& k) {
  k.me().efd = k.s.kvm.err_trigger;
  if (k.me().efd == 0) return k.then(Step::aer_unlock);
  return k.call(Step::signal_check, Step::aer_unlock);
}
template <class D>
bool aer_unlock(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  if (k.facts().err_trigger == ErrTrigger::igate) k.drop(LockId::igate);
  if (k.facts().err_trigger == ErrTrigger::rcu) {
    k.s.kvm.rcu &= ~Byte(1U << k.id);
    k.s.kvm.rcu_grace &= ~Byte(1U << k.id);
    wake_at(k, Step::release_put);
  }
  return k.then(Step::aer_walked);
}
template <class D>
bool aer_walked(const Point<D>& k) {
  k.drop(LockId::pci_bus_sem, read_side);
  return k.done();
}

/// VFIO_DEVICE_PCI_HOT_RESET: memory_lock is only tried; the reset then looks for devices on the bus.
template <class D>
bool reset_lock(const Point<D>& k) {
  if (!k.try_take(LockId::memory_lock, model::plain)) return k.done();
  return k.then(Step::reset_bus);
}
template <class D>
bool reset_bus(const Point<D>& k) {
  VFIO_LOCK(k, LockId::pci_bus_sem, read_side);
  return k.then(Step::reset_end);
}
template <class D>
bool reset_end(const Point<D>& k) {
  k.drop(LockId::pci_bus_sem, read_side);
  k.drop(LockId::memory_lock);
  return k.done();
}

template <class D>
bool release_lock(const Point<D>& k) {
  if (k.facts().err_trigger != ErrTrigger::unlocked) VFIO_LOCK(k, LockId::igate, model::plain);
  return k.then(Step::release_clear);
}
template <class D>
bool release_clear(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  k.me().efd = k.s.kvm.err_trigger;
  k.s.kvm.err_trigger = Byte(0);
  k.s.kvm.rcu_grace = k.s.kvm.rcu;
  if (k.facts().err_trigger == ErrTrigger::rcu) k.drop(LockId::igate);
  return k.then(Step::release_put);
}
/// With RCU the put is a callback, after a grace period.
template <class D>
bool release_put(const Point<D>& k) {
  if (k.facts().err_trigger == ErrTrigger::rcu && k.s.kvm.rcu_grace.nonzero())
    return wait_event(k, false, Step::release_put);
  if (k.me().efd.nonzero()) eventfd_ctx_put(k, efd_index(k));
  if (k.facts().err_trigger == ErrTrigger::igate) k.drop(LockId::igate);
  return k.done();
}

}  // namespace iomc::spec::vfio
