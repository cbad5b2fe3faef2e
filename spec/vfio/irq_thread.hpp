// SPDX-License-Identifier: GPL-2.0-or-later
// The interrupt thread (kernel/irq/manage.c: irq_thread, irq_wait_for_interrupt, irq_forced_thread_fn).
#pragma once

#include "spec/vfio/irq.hpp"
#include "spec/vfio/softirq.hpp"

namespace iomc::spec::vfio {

/// The thread is gone; who waits in kthread_stop goes on.
template <class D>
bool thread_ends(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  k.action().thread = Byte(0);
  for (std::size_t o = 0; o < k.env().lanes.size(); ++o)
    if (model::both(k.s.lanes[o].pc == static_cast<unsigned>(Step::free_stopped), k.s.lanes[o].act == k.me().act))
      k.wake_task(o);
  k.done();
  k.me().at = Byte(0);
  return true;
}

/// kthread() does not call irq_thread at all where it is already told to stop.
template <class D>
bool thread_start(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  if (k.action().stop == 1) return thread_ends(k);
  k.action().ready = Byte(1);
  k.action().thread = Byte(2);
  wake_wait_for_threads(k, k.irq());
  return k.then(k.facts().thread_set_state_first ? Step::thread_state : Step::thread_test);
}

template <class D>
bool thread_state(const Point<D>& k) {
  k.me().intent = typename Point<D>::Byte(1);
  return k.then(k.facts().thread_set_state_first ? Step::thread_test : Step::thread_schedule);
}

template <class D>
bool thread_test(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  Action<D>& a = k.action();
  const bool work = static_cast<bool>(a.runthread == 1);
  if (a.stop == 1 && !(work && k.facts().thread_last_run)) {
    k.me().intent = Byte(0);
    return k.then(Step::thread_exit);
  }
  if (!work) return k.then(k.facts().thread_set_state_first ? Step::thread_schedule : Step::thread_state);
  k.cx.cost(Cost::atomic_op);  // test_and_clear_bit(IRQTF_RUNTHREAD)
  if (k.facts().thread_clears_work) a.runthread = Byte(0);
  k.me().intent = Byte(0);
  return k.then(a.forced == 1 ? Step::thread_bh_off : Step::thread_handler);
}

template <class D>
bool thread_schedule(const Point<D>& k) {
  const bool sleeps = static_cast<bool>(k.me().intent == 1);
  k.me().intent = typename Point<D>::Byte(0);
  k.then(k.facts().thread_set_state_first ? Step::thread_state : Step::thread_test);
  if (sleeps) k.machine().sleep(k.config.rules, k.id);
  return true;
}

/// local_bh_disable: on RT this takes a lock of the CPU, and waits for whoever has softirqs off there.
template <class D>
bool thread_bh_off(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  if (k.facts().forced_bh_off) VFIO_BH_OFF(k);
  if (!k.rt() && k.facts().forced_irqs_off) k.exec().irqs_off += Byte(1);
  return k.then(Step::thread_handler);
}

template <class D>
bool thread_handler(const Point<D>& k) {
  k.action().running += typename Point<D>::Byte(1);
  return call_handler(k, Step::thread_finalize);
}

template <class D>
bool thread_finalize(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  Desc<D>& d = k.desc();
  Action<D>& a = k.action();
  const bool masked_for_me = static_cast<bool>(d.oneshot == 1);
  if (masked_for_me && d.inprogress == 1) return false;  // it spins until the hard handler has ended
  a.running -= Byte(1);
  if (k.me().res == IrqReturn::irq_handled) {
    k.cx.cost(Cost::atomic_op);  // atomic_inc(threads_handled)
    if (k.config.sizes.spurious_limit != 0) d.threads_handled = (d.threads_handled + Byte(1)) & Byte(3);
  }
  k.me().res = Byte(0);
  if (masked_for_me && a.runthread == 0) {
    d.threads_oneshot &= ~a.mask;
    if (model::both(d.threads_oneshot == 0, model::both(d.disabled == 0, d.masked == 1))) {
      d.presented = Byte(0);
      unmask_irq(d);
    }
  }
  return k.then(a.forced == 1 ? Step::thread_bh_on : Step::thread_inactive);
}

/// local_bh_enable: softirqs that are pending run here first.
template <class D>
bool thread_bh_on(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  k.exec().irqs_off = Byte(0);
  if (softirqs_to_run(k)) return k.call(Step::softirq_begin, Step::thread_bh_on);
  if (k.facts().forced_bh_off) bh_on(k);
  return k.then(Step::thread_inactive);
}

template <class D>
bool thread_inactive(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  Desc<D>& d = k.desc();
  k.cx.cost(Cost::atomic_op);  // atomic_dec_and_test(threads_active)
  d.threads_active -= Byte(1);
  if (d.threads_active == 0) wake_wait_for_threads(k, k.irq());
  return k.then(k.facts().thread_set_state_first ? Step::thread_state : Step::thread_test);
}

template <class D>
bool thread_exit(const Point<D>& k) {
  return thread_ends(k);
}

}  // namespace iomc::spec::vfio
