// SPDX-License-Identifier: GPL-2.0-or-later
// Requesting, freeing, disabling and waiting for interrupts (kernel/irq/manage.c). The lane's `act` is the action,
// `efd` what a vfio MSI action is registered with, `b` is 1 for IRQF_NO_AUTOEN. `res` is 0 or an error.
//
// Deviations: an interrupt thread has its priority from the beginning (in 6.1 and 6.12 it gives itself that after it
// has reported READY); a handler with a thread has no secondary thread; CONFIG_DEBUG_SHIRQ is off; the check that a
// default primary handler comes with ONESHOT is not there, nor are trigger types, which all sharers have in common.
#pragma once

#include "spec/vfio/irq.hpp"

namespace iomc::spec::vfio {

// ---- request_threaded_irq ------------------------------------------------------------------------------------------

template <class D>
bool request_begin(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  k.me().irq = Byte(k.action_setup().irq);
  if (k.env().request_failure && k.action_setup().handler == Handler::msi && k.cx.pick(2) == 1) {  // ENOMEM
    k.me().res = Byte(1);
    return k.ret();
  }
  set_up_action(k, k.act());
  k.action().dev = k.me().efd;
  return k.then(Step::request_lock);
}

template <class D>
bool request_lock(const Point<D>& k) {
  VFIO_LOCK(k, LockId::request_mutex + k.irq(), model::plain);
  return k.then(Step::request_install);
}

template <class D>
bool request_install(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  Desc<D>& d = k.desc();
  Action<D>& a = k.action();
  const IrqSetup& irq = k.env().irqs[k.irq()];
  bool first = true;
  bool agrees = true;
  Byte taken_bits(0);
  for (std::size_t o = 0; o < k.env().actions.size(); ++o) {
    if (!listed_on(k, o, k.irq())) continue;
    first = false;
    const Action<D>& old = k.s.action[o];
    taken_bits |= old.mask;
    if (!k.env().actions[o].shared || !k.action_setup().shared) agrees = false;
    if (k.env().actions[o].percpu != k.action_setup().percpu) agrees = false;
    if (old.oneshot == a.oneshot) continue;
    const bool follows = k.facts().cond_oneshot && k.action_setup().cond_oneshot && old.oneshot == 1;
    if (follows) a.oneshot = Byte(1);
    else agrees = false;
  }
  if (!first) {
    Event e;
    e.kind = Event::sharer;
    e.ok = agrees;
    e.index = static_cast<unsigned char>(k.act());
    k.emit(e);
  }
  // irq_activate: no CPU has a vector left.
  const bool may_fail = k.env().request_failure && k.action_setup().handler == Handler::msi && first;
  if (!agrees || (may_fail && k.cx.pick(2) == 1)) {
    if (a.thread.nonzero()) {
      const auto lane = static_cast<std::size_t>(k.action_setup().thread_lane);
      k.s.lanes[lane] = {};
      k.machine().lanes[lane] = {};
    }
    a = {};
    k.me().res = Byte(1);
    k.drop(LockId::request_mutex + k.irq());
    return k.ret();
  }
  if (a.oneshot == 1) {
    for (unsigned bit = 4; bit != 0; bit /= 2) a.mask = select((taken_bits & Byte(bit)) == 0, Byte(bit), a.mask);
  }
  a.listed = Byte(1);
  d.irq_count = Byte(0);
  d.irqs_unhandled = Byte(0);
  if (first) {
    // PENDING and REPLAY stay: an edge that came while nobody listened is sent to the new owner.
    d.spurious = Byte(0);
    d.inprogress = Byte(0);
    d.oneshot = a.oneshot;
    d.activated = Byte(1);
    if (k.me().b == 1 && k.action_setup().handler == Handler::intx) {
      d.depth = Byte(1);
      d.disabled = Byte(1);
    } else {
      irq_startup(d, irq.flow);
    }
  } else if (d.spurious == 1) {
    d.spurious = Byte(0);
    d.depth -= Byte(1);
    if (d.depth == 0) irq_startup(d, irq.flow);
  }
  return k.then(Step::request_wake);
}

template <class D>
bool request_wake(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  k.drop(LockId::request_mutex + k.irq());
  k.me().res = Byte(0);
  if (k.action().thread == 0) return k.ret();
  k.wake_task(static_cast<std::size_t>(k.action_setup().thread_lane));
  return k.facts().thread_ready_wait ? k.then(Step::request_ready) : k.ret();
}

template <class D>
bool request_ready(const Point<D>& k) {
  if (k.action().ready == 1) return k.ret();
  return wait_event(k, false, Step::request_ready);
}

// ---- __free_irq ----------------------------------------------------------------------------------------------------

template <class D>
bool free_lock(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  k.me().irq = Byte(k.action_setup().irq);
  VFIO_LOCK(k, LockId::request_mutex + k.action_setup().irq, model::plain);
  return k.then(Step::free_unlink);
}

template <class D>
bool free_unlink(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  Desc<D>& d = k.desc();
  k.action().listed = Byte(0);
  if (!has_action(k, k.irq())) {
    d.unlazy = Byte(0);
    irq_shutdown(d);
    if (!k.facts().deactivate_after_wait) d.activated = Byte(0);
  }
  return k.then(Step::free_hard);
}

/// After the hard handlers: where the threads of the whole line are waited for, they are.
template <class D>
Step after_hard(const Point<D>& k) {
  return k.facts().free_irq_wait == FreeWait::all_threads ? Step::free_threads : Step::free_stop;
}

/// __synchronize_hardirq spins: a handler runs or, where the chip tells (IO-APIC and others, no MSI on x86), a CPU has
/// the interrupt in service.
template <class D>
bool hard_in_progress(const Point<D>& k) {
  const bool chip_tells = k.facts().sync_asks_chip && k.env().irqs[k.irq()].flow == Flow::fasteoi;
  return k.desc().inprogress == 1 || (chip_tells && k.desc().isr == 1);
}

template <class D>
bool free_hard(const Point<D>& k) {
  if (hard_in_progress(k)) return false;
  return k.then(after_hard(k));
}

template <class D>
bool free_threads(const Point<D>& k) {
  return wait_event(k, static_cast<bool>(k.desc().threads_active == 0), Step::free_stop);
}

template <class D>
bool free_stop(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  if (k.action().thread == 0) return k.then(Step::free_end);
  k.action().stop = Byte(1);
  const auto lane = static_cast<std::size_t>(k.action_setup().thread_lane);
  k.s.lanes[lane].intent = Byte(0);
  k.wake_task(lane);
  return k.then(Step::free_stopped);
}

template <class D>
bool free_stopped(const Point<D>& k) {
  return wait_event(k, static_cast<bool>(k.action().thread == 0), Step::free_end);
}

template <class D>
bool free_end(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  if (!has_action(k, k.irq())) k.desc().activated = Byte(0);
  Event e;
  e.kind = Event::freed_action;
  e.index = static_cast<unsigned char>(k.act());
  e.ok = static_cast<bool>(k.action().running == 0);
  k.emit(e);
  k.action() = {};
  k.drop(LockId::request_mutex + k.irq());
  return k.ret();
}

// ---- disable, enable, synchronize ----------------------------------------------------------------------------------

/// irq_disable: lazy, unless the line is marked DISABLE_UNLAZY.
template <class D>
void disable_irq_nosync(Desc<D>& d) {
  using Byte = typename D::template Bits<8>;
  if (d.depth == 0) {
    d.disabled = Byte(1);
    if (d.unlazy == 1) mask_irq(d);
  }
  d.depth += Byte(1);
}

/// enable_irq. At depth 0 the kernel warns and does nothing.
template <class D>
void enable_irq(const Point<D>& k, std::size_t irq) {
  using Byte = typename Point<D>::Byte;  // a line of a controller that presents once is not looked at again here
  Desc<D>& d = k.s.desc[irq];
  if (d.depth == 0) {
    Event e;
    e.kind = Event::enabled_twice;
    e.index = static_cast<unsigned char>(irq);
    k.emit(e);
    return;
  }
  if (d.depth == 1) {
    irq_startup(d, k.env().irqs[irq].flow);
  } else {
    d.depth -= Byte(1);
  }
}

template <class D>
bool disable_begin(const Point<D>& k) {
  disable_irq_nosync(k.desc());
  return k.then(Step::sync_hard);
}

template <class D>
bool enable_begin(const Point<D>& k) {
  enable_irq(k, k.irq());
  return k.ret();
}

template <class D>
bool sync_hard(const Point<D>& k) {
  if (hard_in_progress(k)) return false;
  return k.then(Step::sync_threads);
}

template <class D>
bool sync_threads(const Point<D>& k) {
  if (k.desc().threads_active == 0) return k.ret();
  return wait_event(k, false, Step::sync_threads);
}

}  // namespace iomc::spec::vfio
