// SPDX-License-Identifier: GPL-2.0-or-later
// vfio-pci INTx: the handler, virtual masking, VFIO_DEVICE_SET_IRQS, configuration writes of DisINTx
// (drivers/vfio/pci/vfio_pci_intrs.c, vfio_pci_config.c). The lane's `a` is an eventfd, `b` the Op under igate, `old`
// 1 + the eventfd that goes in or out, `mode` the irq_type that a masking decision found.
//
// Deviations: what follows from the test of irq_type is one step, as nothing but irq_type and virq_disabled changes
// without irqlock; ctx 0 is not shared with MSI vector 0, so that a ctx of INTx that is used after it was freed is seen
// as that; a device without an interrupt line is not there, and one task at a time writes its configuration.
#pragma once

#include "spec/vfio/line.hpp"
#include "spec/vfio/msi.hpp"

namespace iomc::spec::vfio {

/// In a lane's `res`: the unmask handler found the device asserting.
inline constexpr unsigned unmask_pending = 4;

template <class D>
std::size_t intx_action(const Point<D>& k) {
  for (std::size_t a = 0; a < k.env().actions.size(); ++a)
    if (k.env().actions[a].handler == Handler::intx) return a;
  IOMC_INVARIANT(false);
  return 0;
}
template <class D>
std::size_t intx_irq(const Point<D>& k) {
  return k.env().actions[intx_action(k)].irq;
}
template <class D>
VectorCtx<D>& intx_ctx(const Point<D>& k) {
  return k.s.vdev.ctx[0];
}
template <class D>
bool is_intx(const Point<D>& k) {
  return static_cast<bool>(k.s.vdev.irq_type == IrqType::type_intx);
}
template <class D>
void put_old(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  if (k.me().old.nonzero()) eventfd_ctx_put(k, model::index_of(k.me().old - Byte(1), max_eventfds));
  k.me().old = Byte(0);
}

/// The run begins with INTx enabled.
template <class D>
void register_intx(const Point<D>& k, std::size_t action) {
  using Byte = typename Point<D>::Byte;
  const ActionSetup& setup = k.env().actions[action];
  if (setup.handler != Handler::intx) return;
  State<D>& s = k.s;
  s.vdev.irq_type = Byte(IrqType::type_intx);
  intx_ctx(k) = {Byte(1), Byte(setup.eventfd + 1), Byte(0), Byte(0), Byte(0), Byte(1)};
  s.eventfd[setup.eventfd].refs += Byte(1);
  s.intx.names = Byte(1);
  s.desc[setup.irq].unlazy = Byte(!k.env().pci_2_3 && k.facts().intx_disable_unlazy ? 1 : 0);
  if (!k.env().virqfd) return;
  s.intx.virqfd[0] = {Byte(1), Byte(2), Byte(0), Byte(0), Byte(0)};
  s.intx.unmask = Byte(1);
  s.eventfd[1].refs += Byte(1);
  add_waiter(s.eventfd[1], WaiterKind::virqfd_waiter, 0);
}

// ---- vfio_intx_handler ---------------------------------------------------------------------------------------------

template <class D>
bool intx_handler(const Point<D>& k) {
  VFIO_LOCK(k, LockId::irqlock, model::irqsave);
  return k.then(Step::intx_handler_mask);
}

/// Without DisINTx the line is disabled, whatever the virtual mask says; with it, only if the device asserts and the
/// user has not masked.
template <class D>
bool intx_handler_mask(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  VectorCtx<D>& c = intx_ctx(k);
  if (c.exists == 0) return k.crash(Crash::use_after_free);
  typename D::Bool handled = true;
  if (!k.env().pci_2_3) {
    if (!(k.facts().intx_handler_tests_mask && c.masked == 1)) disable_irq_nosync(k.s.desc[intx_irq(k)]);
  } else {
    handled = model::both(c.masked == 0, k.s.intx.status == 1);
    if (handled) pci_intx(k, false);
  }
  if (handled) {
    c.masked = Byte(1);
    k.s.intx.unmask_wanted = Byte(0);
  }
  k.drop(LockId::irqlock, model::irqsave);
  k.me().res = Byte(handled ? IrqReturn::irq_handled : IrqReturn::irq_none);
  return handled ? k.then(Step::intx_send) : k.ret();
}

/// vfio_send_intx_eventfd: irq_type, virq_disabled and the trigger are read without a lock.
template <class D>
bool intx_send(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  k.s.intx.unmask_wanted = Byte(0);
  if (!is_intx(k) || k.s.vdev.virq_disabled == 1) return k.ret();
  if (intx_ctx(k).exists == 0) return k.crash(Crash::use_after_free);
  k.me().efd = intx_ctx(k).trigger;
  if (k.facts().intx_trigger_checked && k.me().efd == 0) return k.ret();
  return k.then(Step::signal_check);
}

// ---- masking, by ioctl, configuration write or eventfd --------------------------------------------------------------

template <class D>
bool intx_mask_lock(const Point<D>& k) {
  VFIO_LOCK(k, LockId::irqlock, model::irqsave);
  k.me().mode = k.s.vdev.irq_type;
  return k.then(Step::intx_mask);
}

template <class D>
bool intx_mask(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  VectorCtx<D>& c = intx_ctx(k);
  if (!(k.me().mode == IrqType::type_intx)) {
    if (k.env().pci_2_3) pci_intx(k, false);
  } else if (c.exists == 0) {  // since 6.5 the ctx is looked up, and not found
    if (!k.facts().dynamic_msix) return k.crash(Crash::use_after_free);
  } else if (c.masked == 0) {
    if (k.env().pci_2_3) pci_intx(k, false);
    else disable_irq_nosync(k.s.desc[intx_irq(k)]);
    c.masked = Byte(1);
  }
  k.s.intx.unmask_wanted = Byte(0);
  k.me().mode = Byte(0);
  k.drop(LockId::irqlock, model::irqsave);
  return k.ret();
}

template <class D>
bool intx_unmask_lock(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  VFIO_LOCK(k, LockId::irqlock, model::irqsave);
  k.me().mode = k.s.vdev.irq_type;
  k.s.intx.user_masked = Byte(0);
  const auto wanted = model::both(model::both(is_intx(k), intx_ctx(k).masked == 1), k.s.vdev.virq_disabled == 0);
  k.s.intx.unmask_wanted = select(wanted, Byte(1), k.s.intx.unmask_wanted);
  return k.then(Step::intx_unmask);
}

template <class D>
bool intx_unmask(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  VectorCtx<D>& c = intx_ctx(k);
  Intx<D>& x = k.s.intx;
  if (!(k.me().mode == IrqType::type_intx)) {
    if (k.env().pci_2_3) pci_intx(k, true);
  } else if (c.exists == 0) {
    return k.crash(Crash::use_after_free);
  } else if (model::both(c.masked == 1, k.s.vdev.virq_disabled == 0)) {
    const bool pending = k.env().pci_2_3 && x.status == 1;
    if (pending) k.me().res |= Byte(unmask_pending);
    else if (k.env().pci_2_3) pci_intx(k, true);
    else enable_irq(k, intx_irq(k));
    c.masked = Byte(pending ? 1 : 0);
    const bool open = k.env().pci_2_3 ? static_cast<bool>(x.disintx == 0)
                                      : static_cast<bool>(k.s.desc[intx_irq(k)].disabled == 0);
    if (open) x.unmask_wanted = Byte(0);
  }
  k.me().mode = Byte(0);
  k.drop(LockId::irqlock, model::irqsave);
  return k.ret();
}

/// The user is told at once that the device still wants service.
template <class D>
bool intx_unmasked(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  const auto pending = (k.me().res & Byte(unmask_pending)).nonzero();
  k.me().res = Byte(0);
  return pending ? k.then(Step::intx_send) : k.ret();
}

/// The masking or unmasking that `igate` protects where it does.
template <class D>
bool change_mask(const Point<D>& k, bool mask, Step back) {
  if (mask) return k.call(Step::intx_mask_lock, back);
  k.call(Step::intx_unmasked, back);
  return k.call(Step::intx_unmask_lock, Step::intx_unmasked);
}

/// A write of the guest's DisINTx. `a` is 1 to set it.
template <class D>
bool config_disintx(const Point<D>& k) {
  if (k.s.vdev.virq_disabled == k.me().a) return k.done();
  k.s.vdev.virq_disabled = k.me().a;
  if (k.facts().intx_config_igate) return k.then(Step::disintx_lock);
  return change_mask(k, static_cast<bool>(k.me().a == 1), Step::disintx_end);
}

template <class D>
bool disintx_lock(const Point<D>& k) {
  VFIO_LOCK(k, LockId::igate, model::plain);
  return change_mask(k, static_cast<bool>(k.me().a == 1), Step::disintx_end);
}

template <class D>
bool disintx_end(const Point<D>& k) {
  if (k.facts().intx_config_igate) k.drop(LockId::igate);
  return k.done();
}

// ---- VFIO_DEVICE_SET_IRQS ------------------------------------------------------------------------------------------

template <class D>
bool set_trigger(const Point<D>& k, bool clear) {
  using Byte = typename Point<D>::Byte;
  if (k.s.vdev.irq_type == IrqType::type_msi) return k.then(Step::intx_unlock);  // EINVAL
  const bool per_ctx = k.facts().intx_lifetime == IntxLifetime::per_ctx;
  k.me().old = clear ? Byte(0) : k.me().a + Byte(1);
  if (per_ctx && !clear) {
    Eventfd<D>& e = at(k.s.eventfd, k.me().a);
    if (e.open == 0) {  // EBADF
      k.me().old = Byte(0);
      return k.then(Step::intx_unlock);
    }
    e.refs += Byte(1);
  }
  if (!is_intx(k)) return k.then(Step::intx_alloc);
  return k.then(per_ctx ? Step::intx_swap : Step::intx_detach);
}

template <class D>
bool intx_ioctl(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  VFIO_LOCK(k, LockId::igate, model::plain);
  const auto op = static_cast<Op>(model::index_of(k.me().b, static_cast<std::size_t>(Op::work_guest) + 1));
  if (op == Op::intx_enable || op == Op::intx_set_trigger) return set_trigger(k, false);
  if (op == Op::intx_clear_trigger) return set_trigger(k, true);
  if (!is_intx(k)) return k.then(Step::intx_unlock);  // EINVAL
  switch (op) {
    case Op::intx_disable: return k.then(Step::intx_disable);
    case Op::intx_mask:
      k.s.intx.user_masked = Byte(1);
      return change_mask(k, true, Step::intx_unlock);
    case Op::intx_unmask: return change_mask(k, false, Step::intx_unlock);
    case Op::intx_loopback: return k.call(Step::intx_send, Step::intx_unlock);
    case Op::virqfd_enable: return k.then(Step::virqfd_alloc);
    case Op::virqfd_disable: return k.call(Step::virqfd_disable_lock, Step::intx_unlock);
    default: break;
  }
  IOMC_INVARIANT(false);
  return false;
}

template <class D>
bool intx_unlock(const Point<D>& k) {
  k.drop(LockId::igate);
  return k.done();
}

// ---- vfio_intx_enable ----------------------------------------------------------------------------------------------

/// Name and ctx are made. Where the handler lives with the trigger, only the ctx is, and `i` notes that it is new.
template <class D>
bool intx_alloc(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  const bool per_ctx = k.facts().intx_lifetime == IntxLifetime::per_ctx;
  const unsigned failed = k.env().allocation_failure ? k.cx.pick(per_ctx ? 3 : 2) : 0;
  if (failed != 0) {
    if (failed == 2 && !k.facts().intx_frees_name) k.s.intx.names += Byte(1);
    if (per_ctx) put_old(k);
    k.me().old = Byte(0);
    return k.then(Step::intx_unlock);
  }
  intx_ctx(k) = {Byte(1), Byte(0), Byte(0), Byte(0), Byte(0), Byte(per_ctx ? 1 : 0)};
  if (per_ctx) {
    k.s.intx.names += Byte(1);
    if (k.facts().intx_set_before_request) intx_ctx(k).trigger = k.me().old;
  } else {
    k.me().i = Byte(1);
  }
  return k.then(Step::intx_program);
}

/// The virtual mask follows virq_disabled, and the device's own mask the virtual one.
template <class D>
bool intx_program(const Point<D>& k) {
  intx_ctx(k).masked = k.s.vdev.virq_disabled;
  if (k.env().pci_2_3) pci_intx(k, static_cast<bool>(intx_ctx(k).masked == 0));
  return k.then(Step::intx_type);
}

template <class D>
bool request_intx(const Point<D>& k, bool no_autoen, Step back) {
  using Byte = typename Point<D>::Byte;
  k.me().act = Byte(intx_action(k));
  k.me().efd = Byte(0);
  k.me().b = Byte(no_autoen ? 1 : 0);
  return k.call(Step::request_begin, back);
}

template <class D>
bool intx_type(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  const bool per_ctx = k.facts().intx_lifetime == IntxLifetime::per_ctx;
  if (!per_ctx || k.facts().intx_set_before_request) k.s.vdev.irq_type = Byte(IrqType::type_intx);
  if (!per_ctx) return k.then(Step::intx_attach);
  const bool legacy = !k.env().pci_2_3;
  if (legacy && k.facts().intx_disable_unlazy) k.s.desc[intx_irq(k)].unlazy = Byte(1);
  return request_intx(k, legacy && k.facts().intx_no_autoen && intx_ctx(k).masked == 1, Step::intx_requested);
}

template <class D>
bool intx_requested(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  if (k.me().res.nonzero()) {
    k.me().res = Byte(0);
    k.s.desc[intx_irq(k)].unlazy = Byte(0);
    k.s.vdev.irq_type = Byte(IrqType::type_none);
    k.s.intx.names -= Byte(1);
    intx_ctx(k) = {};
    put_old(k);
    return k.then(Step::intx_unlock);
  }
  if (!k.facts().intx_set_before_request) {
    intx_ctx(k).trigger = k.me().old;
    k.s.vdev.irq_type = Byte(IrqType::type_intx);
  }
  k.me().old = Byte(0);
  return k.then(k.env().pci_2_3 || k.facts().intx_no_autoen ? Step::intx_unlock : Step::intx_late_lock);
}

// ---- vfio_intx_set_signal, the handler living with the ctx ----------------------------------------------------------

template <class D>
bool intx_swap(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  const Byte before = intx_ctx(k).trigger;
  intx_ctx(k).trigger = k.me().old;
  k.me().old = before;
  if (before == 0) return k.then(Step::intx_unlock);
  if (k.env().broken) return k.then(Step::intx_put_old);
  k.me().irq = Byte(intx_irq(k));
  return k.call(Step::sync_hard, Step::intx_swapped);
}

template <class D>
bool intx_swapped(const Point<D>& k) {
  return k.call(Step::virqfd_flush_lock, Step::intx_put_old);
}

template <class D>
bool intx_put_old(const Point<D>& k) {
  put_old(k);
  return k.then(Step::intx_unlock);
}

// ---- vfio_intx_set_signal, the handler living with the trigger ------------------------------------------------------

template <class D>
bool intx_detach(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  if (intx_ctx(k).trigger == 0) return k.then(Step::intx_attach);
  k.me().act = Byte(intx_action(k));
  return k.call(Step::free_lock, Step::intx_detached);
}

template <class D>
bool intx_detached(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  k.s.intx.names -= Byte(1);
  intx_ctx(k).name = Byte(0);
  eventfd_ctx_put(k, model::index_of(intx_ctx(k).trigger - Byte(1), max_eventfds));
  return k.then(Step::intx_detached_clear);
}

template <class D>
bool intx_detached_clear(const Point<D>& k) {
  intx_ctx(k).trigger = typename Point<D>::Byte(0);
  return k.then(Step::intx_attach);
}

/// What follows where the new trigger could not be set: a ctx that is new is taken down again.
template <class D>
bool attach_fails(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  const bool made_now = static_cast<bool>(k.me().i == 1);
  k.me().i = Byte(0);
  k.me().old = Byte(0);
  k.me().res = Byte(0);
  return k.then(made_now ? Step::intx_disable : Step::intx_unlock);
}

template <class D>
bool intx_attach(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  if (k.me().old == 0) {  // no trigger is wanted
    k.me().i = Byte(0);
    return k.then(Step::intx_unlock);
  }
  if (k.env().allocation_failure && k.cx.pick(2) == 1) return attach_fails(k);
  Eventfd<D>& e = at(k.s.eventfd, k.me().old - Byte(1));
  if (e.open == 0) return attach_fails(k);
  k.s.intx.names += Byte(1);
  intx_ctx(k).name = Byte(1);
  e.refs += Byte(1);
  if (k.facts().intx_set_before_request) intx_ctx(k).trigger = k.me().old;
  return request_intx(k, !k.env().pci_2_3 && k.facts().intx_no_autoen, Step::intx_attached);
}

template <class D>
bool intx_attached(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  if (k.me().res.nonzero()) {
    intx_ctx(k).trigger = Byte(0);
    intx_ctx(k).name = Byte(0);
    k.s.intx.names -= Byte(1);
    put_old(k);
    return attach_fails(k);
  }
  intx_ctx(k).trigger = k.me().old;
  k.me().old = Byte(0);
  k.me().i = Byte(0);
  return k.then(k.env().pci_2_3 ? Step::intx_unlock : Step::intx_late_lock);
}

template <class D>
bool intx_late_lock(const Point<D>& k) {
  VFIO_LOCK(k, LockId::irqlock, model::irqsave);
  return k.then(Step::intx_late);
}

/// The line of a device without DisINTx is made to follow the virtual mask.
template <class D>
bool intx_late(const Point<D>& k) {
  const bool masked = static_cast<bool>(intx_ctx(k).masked == 1);
  if (!k.facts().intx_no_autoen) {
    if (masked) disable_irq_nosync(k.s.desc[intx_irq(k)]);
  } else if (!masked) {
    enable_irq(k, intx_irq(k));
  }
  k.drop(LockId::irqlock, model::irqsave);
  return k.then(Step::intx_unlock);
}

// ---- vfio_intx_disable ---------------------------------------------------------------------------------------------

template <class D>
bool intx_disable(const Point<D>& k) {
  return k.call(Step::virqfd_disable_lock, Step::intx_disable_free);
}

template <class D>
bool intx_disable_free(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  const bool registered = k.facts().intx_lifetime == IntxLifetime::per_ctx || intx_ctx(k).trigger.nonzero();
  if (!registered) return k.then(Step::intx_disable_put);
  k.me().act = Byte(intx_action(k));
  return k.call(Step::free_lock, Step::intx_disable_put);
}

/// Since 6.5 the ctx is freed before irq_type says so, until then after.
template <class D>
bool intx_disable_put(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  VectorCtx<D>& c = intx_ctx(k);
  k.s.desc[intx_irq(k)].unlazy = Byte(0);
  if (c.trigger.nonzero()) eventfd_ctx_put(k, model::index_of(c.trigger - Byte(1), max_eventfds));
  if (c.name == 1) k.s.intx.names -= Byte(1);
  c.trigger = Byte(0);
  c.name = Byte(0);
  if (k.facts().dynamic_msix) c = {};
  else k.s.vdev.irq_type = Byte(IrqType::type_none);
  return k.then(Step::intx_disable_type);
}

template <class D>
bool intx_disable_type(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  intx_ctx(k) = {};
  k.s.vdev.irq_type = Byte(IrqType::type_none);
  k.s.intx.user_masked = Byte(0);
  k.s.intx.unmask_wanted = Byte(0);
  return k.then(Step::intx_unlock);
}

// ---- the user ------------------------------------------------------------------------------------------------------

/// The guest's driver does what the device wants; the device drops its line.
template <class D>
bool device_service(const Point<D>& k) {
  k.s.intx.status = typename Point<D>::Byte(0);
  update_line(k);
  return k.done();
}

}  // namespace iomc::spec::vfio
