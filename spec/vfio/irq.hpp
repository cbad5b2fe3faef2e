// SPDX-License-Identifier: GPL-2.0-or-later
// What the flow handlers, the threads and kernel/irq/manage.c share: a descriptor's chip, its actions, its waiters.
#pragma once

#include "spec/vfio/point.hpp"

namespace iomc::spec::vfio {

// ---- the chip ------------------------------------------------------------------------------------------------------

template <class D>
void mask_irq(Desc<D>& d) {
  d.masked = typename D::template Bits<8>(1);
}

/// A message that the device kept while its entry was masked is sent now.
template <class D>
void unmask_irq(Desc<D>& d) {
  using Byte = typename D::template Bits<8>;
  d.masked = Byte(0);
  if (d.pba.nonzero()) {
    d.pba = Byte(0);
    d.irr = select(d.activated == 1, Byte(1), d.irr);
  }
}

/// End of interrupt. A controller that presents an assertion once looks at the line again only where it is told of the
/// end: its chip does not tell it for an interrupt that is masked or disabled (XIVE).
template <class D>
void eoi(Desc<D>& d) {
  using Byte = typename D::template Bits<8>;
  d.isr = Byte(0);
  d.presented = select(model::both(d.masked == 0, d.disabled == 0), Byte(0), d.presented);
}

/// check_irq_resend: a PENDING edge is sent again by the CPU to itself. Level interrupts resend themselves.
template <class D>
void check_irq_resend(Desc<D>& d, Flow flow) {
  using Byte = typename D::template Bits<8>;
  if (flow != Flow::edge) {
    d.pending = Byte(0);
    return;
  }
  if (d.replay.nonzero()) return;
  if (d.pending == 0) return;
  d.pending = Byte(0);
  d.replay = Byte(1);
  d.irr = Byte(1);
}

/// irq_startup with resend.
template <class D>
void irq_startup(Desc<D>& d, Flow flow) {
  using Byte = typename D::template Bits<8>;
  d.depth = Byte(0);
  d.started = Byte(1);
  d.activated = Byte(1);
  d.disabled = Byte(0);
  unmask_irq(d);
  check_irq_resend(d, flow);
}

template <class D>
void irq_shutdown(Desc<D>& d) {
  using Byte = typename D::template Bits<8>;
  d.depth = Byte(1);
  d.started = Byte(0);
  d.disabled = Byte(1);
  mask_irq(d);
}

// ---- actions -------------------------------------------------------------------------------------------------------

template <class D>
bool listed_on(const Point<D>& k, std::size_t action, std::size_t irq) {
  return k.env().actions[action].irq == irq && k.s.action[action].listed == 1;
}

template <class D>
bool has_action(const Point<D>& k, std::size_t irq) {
  for (std::size_t a = 0; a < k.env().actions.size(); ++a)
    if (listed_on(k, a, irq)) return true;
  return false;
}

/// Lanes that wait on desc->wait_for_threads look at their condition again.
template <class D>
void wake_wait_for_threads(const Point<D>& k, std::size_t irq) {
  for (std::size_t o = 0; o < k.env().lanes.size(); ++o) {
    const auto pc = k.s.lanes[o].pc;
    const auto waits = model::either(
        model::either(pc == static_cast<unsigned>(Step::request_ready),
                      pc == static_cast<unsigned>(Step::free_threads)),
        pc == static_cast<unsigned>(Step::sync_threads));
    if (model::both(waits, k.s.lanes[o].irq == static_cast<unsigned>(irq))) k.wake_task(o);
  }
}

/// A wait_event: goes on where `condition` is true, else sleeps until it is woken and looks again.
template <class D>
bool wait_event(const Point<D>& k, bool condition, Step next) {
  if (condition) return k.then(next);
  k.machine().sleep(k.config.rules, k.id);
  return true;
}

/// The thread of an action is made. It runs when it is woken.
template <class D>
void make_thread(const Point<D>& k, std::size_t action) {
  using Byte = typename Point<D>::Byte;
  Action<D>& a = k.s.action[action];
  a.thread = Byte(1);
  a.runthread = Byte(0);
  a.ready = Byte(0);
  a.stop = Byte(0);
  const auto lane = static_cast<std::size_t>(k.env().actions[action].thread_lane);
  k.s.lanes[lane] = {};
  k.s.lanes[lane].pc = Byte(static_cast<unsigned>(Step::thread_start));
  k.s.lanes[lane].act = Byte(action);
  k.s.lanes[lane].irq = Byte(k.env().actions[action].irq);
  k.machine().lanes[lane] = {};
  k.machine().lanes[lane].active = Byte(1);
  k.machine().lanes[lane].blocked = Byte(model::Blocked::asleep);
}

/// irq_setup_forced_threading and what __setup_irq makes of the flags before it takes a lock.
template <class D>
void set_up_action(const Point<D>& k, std::size_t action) {
  using Byte = typename Point<D>::Byte;
  const Facts& f = k.facts();
  const ActionSetup& setup = k.env().actions[action];
  const HandlerFlags flags = k.flags_of(setup);
  Action<D>& a = k.s.action[action];
  const bool own_primary = setup.handler == Handler::remover;  // it silences its device, and needs no masking
  bool oneshot = flags == HandlerFlags::oneshot || (setup.threaded && !own_primary);
  const bool exempt = (flags == HandlerFlags::no_thread && f.forced_exempt_no_thread) ||
                      (setup.percpu && f.forced_exempt_percpu) || (oneshot && f.forced_exempt_oneshot);
  const bool forced = k.force_irqthreads() && !exempt && !setup.threaded;
  oneshot = oneshot || forced || (own_primary && k.force_irqthreads() && !exempt);
  if (k.env().irqs[setup.irq].msi && f.msi_oneshot_safe) oneshot = false;
  a.requested = Byte(1);
  if (k.env().irqs[setup.irq].nested) return;  // its handlers are called by a thread
  a.primary = Byte(forced || setup.threaded ? 1 : 0);
  a.forced = Byte(forced ? 1 : 0);
  a.oneshot = Byte(oneshot ? 1 : 0);
  a.mask = Byte(0);
  a.running = Byte(0);
  if (forced || setup.threaded) make_thread(k, action);
}

/// The primary handler of an action with a thread runs, where it is not the default one.
template <class D>
void own_primary_handler(const Point<D>& k, std::size_t action);

/// Calls the handler of the lane's action. `res` is its result when it comes back to `back`.
template <class D>
bool call_handler(const Point<D>& k, Step back);

}  // namespace iomc::spec::vfio
