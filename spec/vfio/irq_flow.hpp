// SPDX-License-Identifier: GPL-2.0-or-later
// The hard interrupt: delivery, the flow handlers, the dispatch to actions (kernel/irq/chip.c, handle.c, spurious.c).
//
// Each section under desc->lock is one step: the lock is raw and its sections have no point of interleaving. The edge
// handler's first section and the start of handle_irq_event are one section, and so one step.
//
// Deviations: setting RUNTHREAD and counting the thread in threads_active are one step. The kernel does them one after
// the other, but nothing acts on the count before the hard handler has ended. No chip has the flags EOI_IF_HANDLED,
// EOI_THREADED or, as the LPIs of a GIC do, resends what came while it was in progress; no irq is a wake-up source or
// moves to another CPU; polling of a line that was disabled as spurious is not there.
#pragma once

#include "spec/vfio/line.hpp"

namespace iomc::spec::vfio {

/// The message of a vector goes to a guest, past the host.
template <class D>
bool posts(const Point<D>& k, std::size_t irq);

// ---- the device ----------------------------------------------------------------------------------------------------

template <class D>
bool device_msi(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  const unsigned irq = k.cx.pick(static_cast<unsigned>(k.env().irqs.size()));
  const IrqSetup& setup = k.env().irqs[irq];
  Desc<D>& d = k.s.desc[irq];
  if (!setup.msi || !(d.sent < k.config.sizes.msis)) return false;
  if (!model::either(d.activated == 1, d.wanted == 1)) return false;
  d.sent += Byte(1);
  k.cx.cost(Cost::msi);
  if (d.irr == 1) k.cx.cost(Cost::msi_merged);
  if (model::either(d.wanted == 1, has_action(k, irq))) d.owed = Byte(Owed::a_signal);
  if (setup.maskable && d.masked == 1)
    d.pba = Byte(1);
  else if (d.activated == 1 && posts(k, irq))
    d.owed = Byte(Owed::nothing);
  else
    d.irr = select(d.activated == 1, Byte(1), d.irr);  // without a vector the message goes nowhere
  return true;
}

/// A CPU can take this interrupt now.
template <class D>
bool deliverable(const Desc<D>& d, const IrqSetup& setup) {
  if (setup.msi) return static_cast<bool>(d.irr == 1);
  const auto level = model::both(model::both(d.line == 1, d.masked == 0), model::both(d.isr == 0, d.activated == 1));
  return static_cast<bool>(setup.send_once ? model::both(level, d.presented == 0) : level);
}

template <class D>
bool irq_entry(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  const unsigned irq = k.cx.pick(static_cast<unsigned>(k.env().irqs.size()));
  const IrqSetup& setup = k.env().irqs[irq];
  Desc<D>& d = k.s.desc[irq];
  if (setup.cpu != k.cpu() || !deliverable(d, setup)) return false;
  k.cx.cost(Cost::irq_entry);
  d.irr = Byte(0);
  d.isr = Byte(1);
  if (setup.msi) d.taken += Byte(1);
  d.presented = Byte(setup.send_once ? 1 : 0);
  k.exec().active = Byte(1);
  k.exec().irqs_off = Byte(1);
  k.me().irq = Byte(irq);
  k.me().act = Byte(max_actions);
  switch (setup.flow) {
    case Flow::edge: return k.then(Step::edge_begin);
    case Flow::fasteoi: return k.then(Step::fasteoi_begin);
    case Flow::level: break;
  }
  return k.then(Step::level_begin);
}

// ---- flow handlers -------------------------------------------------------------------------------------------------

/// The first half of handle_irq_event, in the same section as what comes before.
template <class D>
bool handle_irq_event(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  k.desc().pending = Byte(0);
  k.desc().inprogress = Byte(1);
  k.me().i = Byte(0);
  k.me().results = Byte(0);
  return k.then(Step::event_action);
}

template <class D>
bool edge_begin(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  Desc<D>& d = k.desc();
  k.cx.cost(Cost::raw_lock);
  k.cx.cost(Cost::irq_eoi);
  d.replay = Byte(0);
  d.isr = Byte(0);  // acknowledged before any handler
  if (model::either(d.inprogress == 1, model::either(d.disabled == 1, !has_action(k, k.irq())))) {
    d.pending = Byte(1);
    mask_irq(d);
    return k.done();
  }
  return handle_irq_event(k);
}

template <class D>
bool edge_end(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  Desc<D>& d = k.desc();
  k.cx.cost(Cost::raw_lock);
  d.inprogress = Byte(0);
  if (!model::both(d.pending == 1, d.disabled == 0)) return k.done();
  if (!has_action(k, k.irq())) {
    mask_irq(d);
    return k.done();
  }
  if (d.masked == 1) unmask_irq(d);
  return handle_irq_event(k);
}

template <class D>
bool fasteoi_begin(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  Desc<D>& d = k.desc();
  k.cx.cost(Cost::raw_lock);
  k.cx.cost(Cost::irq_eoi);
  if (d.inprogress == 1) {
    eoi(d);
    return k.done();
  }
  d.replay = Byte(0);
  if (model::either(d.disabled == 1, !has_action(k, k.irq()))) {
    d.pending = Byte(1);
    mask_irq(d);
    eoi(d);
    return k.done();
  }
  if (d.oneshot == 1) mask_irq(d);
  return handle_irq_event(k);
}

template <class D>
bool fasteoi_end(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  Desc<D>& d = k.desc();
  d.inprogress = Byte(0);
  eoi(d);
  if (model::both(d.oneshot == 1, model::both(model::both(d.disabled == 0, d.masked == 1), d.threads_oneshot == 0)))
    unmask_irq(d);
  return k.done();
}

template <class D>
bool level_begin(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  Desc<D>& d = k.desc();
  mask_irq(d);
  d.isr = Byte(0);
  if (d.inprogress == 1) return k.done();
  d.replay = Byte(0);
  if (model::either(d.disabled == 1, !has_action(k, k.irq()))) {
    d.pending = Byte(1);
    return k.done();
  }
  return handle_irq_event(k);
}

template <class D>
bool level_end(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  Desc<D>& d = k.desc();
  d.inprogress = Byte(0);
  if (model::both(model::both(d.disabled == 0, d.masked == 1), d.threads_oneshot == 0)) {
    d.presented = Byte(0);
    unmask_irq(d);
  }
  return k.done();
}

template <class D>
Step flow_end(const Point<D>& k) {
  switch (k.env().irqs[k.irq()].flow) {
    case Flow::edge: return Step::edge_end;
    case Flow::fasteoi: return Step::fasteoi_end;
    case Flow::level: break;
  }
  return Step::level_end;
}

// ---- __handle_irq_event_percpu -------------------------------------------------------------------------------------

template <class D>
bool event_action(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  Program<D>& me = k.me();
  for (std::size_t a = 0; a < k.env().actions.size(); ++a) {
    if (me.i > static_cast<unsigned>(a) || !listed_on(k, a, k.irq())) continue;
    me.act = Byte(a);
    me.i = Byte(a + 1);
    if (k.s.action[a].primary == 1) {
      me.results |= Byte(IrqReturn::irq_wake_thread);
      own_primary_handler(k, a);
      return k.then(Step::wake_set);
    }
    k.s.action[a].running += Byte(1);
    return call_handler(k, Step::event_returned);
  }
  me.act = Byte(max_actions);
  return k.then(k.config.sizes.spurious_limit == 0 ? flow_end(k) : Step::event_end);
}

template <class D>
bool event_returned(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  k.action().running -= Byte(1);
  k.me().results |= k.me().res;
  const bool wakes = static_cast<bool>(k.me().res == IrqReturn::irq_wake_thread);
  k.me().res = Byte(0);
  return k.then(wakes ? Step::wake_set : Step::event_action);
}

template <class D>
bool wake_set(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  Action<D>& a = k.action();
  if (a.thread == 0) return k.then(Step::event_action);  // PF_EXITING
  if (a.runthread == 1) return k.then(Step::event_action);
  k.cx.cost(Cost::atomic_op, 2);  // test_and_set_bit(IRQTF_RUNTHREAD), atomic_inc(threads_active)
  a.runthread = Byte(1);
  k.desc().threads_oneshot |= a.mask;
  k.desc().threads_active += Byte(1);
  return k.then(Step::wake_thread);
}

template <class D>
bool wake_thread(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  const auto lane = static_cast<std::size_t>(k.action_setup().thread_lane);
  k.s.lanes[lane].intent = Byte(0);
  k.wake_task(lane);
  return k.then(Step::event_action);
}

/// note_interrupt. Deviation: the time since the last unhandled interrupt is never more than a tenth of a second.
template <class D>
bool event_end(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  constexpr unsigned deferred = 0x80;
  Desc<D>& d = k.desc();
  const Step end = flow_end(k);
  Byte result = k.me().results;
  if (result == IrqReturn::irq_wake_thread) {
    if (!(d.handled_last & Byte(deferred)).nonzero()) {
      d.handled_last |= Byte(deferred);
      return k.then(end);
    }
    const Byte handled = d.threads_handled | Byte(deferred);
    result = select(handled == d.handled_last, Byte(IrqReturn::irq_none), Byte(IrqReturn::irq_handled));
    d.handled_last = handled;
  } else if ((result & Byte(IrqReturn::irq_wake_thread)).nonzero()) {
    d.handled_last &= ~Byte(deferred);
  }
  if (result == IrqReturn::irq_none) d.irqs_unhandled += Byte(1);
  if (d.irqs_unhandled == 0) return k.then(end);
  d.irq_count += Byte(1);
  if (d.irq_count < k.config.sizes.spurious_limit) return k.then(end);
  d.irq_count = Byte(0);
  if (!(d.irqs_unhandled < k.config.sizes.spurious_limit)) {
    d.spurious = Byte(1);
    d.depth += Byte(1);
    d.disabled = Byte(1);
    if (d.unlazy == 1) mask_irq(d);
  }
  d.irqs_unhandled = Byte(0);
  return k.then(end);
}

}  // namespace iomc::spec::vfio
