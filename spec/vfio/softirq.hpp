// SPDX-License-Identifier: GPL-2.0-or-later
// Softirqs (kernel/softirq.c): raised by another device's handler, they complete a request of asynchronous I/O, which
// signals eventfd 0 (fs/aio.c). Without forced threading they run when the interrupt ends or softirqs are turned on
// again, on top of the task. With it they run in ksoftirqd, or in the task that turns softirqs on: an interrupt thread
// runs them at its own priority. On RT who has softirqs off on a CPU owns its lock, and can be preempted.
//
// Deviations: there is one softirq; it is run again while it is pending, without the limit of ten times or two
// milliseconds; ksoftirqd has nothing else to do.
#pragma once

#include "spec/vfio/eventfd.hpp"

namespace iomc::spec::vfio {

/// local_bh_disable, first entry: takes the lock of the CPU where there is one, or leaves the step as VFIO_LOCK does.
#define VFIO_BH_OFF(k)                                                                      \
  do {                                                                                      \
    if ((k).rt() && (k).facts().bh_lock)                                                    \
      VFIO_LOCK((k), LockId::bh_lock + (k).cpu(), model::bh_off);                           \
    else                                                                                    \
      bh_count((k), true);                                                                  \
  } while (false)

/// Without RT the count is part of preempt_count.
template <class D>
void bh_count(const Point<D>& k, bool off) {
  using Byte = typename Point<D>::Byte;
  k.exec().bh_off = off ? k.exec().bh_off + Byte(1) : k.exec().bh_off - Byte(1);
  if (!k.rt()) k.exec().preempt_off = off ? k.exec().preempt_off + Byte(1) : k.exec().preempt_off - Byte(1);
}

/// local_bh_enable, last exit, after pending softirqs have run.
template <class D>
void bh_on(const Point<D>& k) {
  if (k.rt() && k.facts().bh_lock)
    k.drop(LockId::bh_lock + k.cpu(), model::bh_off);
  else
    bh_count(k, false);
}

/// local_bh_enable has softirqs to run in this task first. Without forced threading they come on top of it.
template <class D>
bool softirqs_to_run(const Point<D>& k) {
  return k.force_irqthreads() && k.s.softirq.pending[k.cpu()] == 1 && k.exec().bh_off == 1;
}

template <class D>
bool softirq_raise(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  k.s.softirq.pending[k.cpu()] = Byte(1);
  bool off = false;  // in a section with softirqs off: its end runs them
  for (std::size_t o = 0; o < k.env().lanes.size(); ++o)
    if (k.env().lanes[o].cpu == k.cpu() && k.s.machine.lanes[o].bh_off.nonzero()) off = true;
  if (k.force_irqthreads() && !off) k.s.softirq.ksoftirqd[k.cpu()] = Byte(1);
  k.me().res = Byte(IrqReturn::irq_handled);
  return k.ret();
}

template <class D>
bool softirq_entry(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  auto& wanted = k.force_irqthreads() ? k.s.softirq.ksoftirqd[k.cpu()] : k.s.softirq.pending[k.cpu()];
  if (wanted == 0) return false;
  k.exec().active = Byte(1);
  if (!k.force_irqthreads()) return k.then(Step::softirq_begin);
  wanted = Byte(0);
  return k.then(Step::softirqd_lock);
}

template <class D>
bool softirqd_lock(const Point<D>& k) {
  VFIO_BH_OFF(k);
  if (k.s.softirq.pending[k.cpu()] == 0) return k.then(Step::softirqd_end);
  return k.call(Step::softirq_begin, Step::softirqd_end);
}

template <class D>
bool softirq_begin(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  k.s.softirq.pending[k.cpu()] = Byte(0);
  k.me().efd = Byte(1);
  return k.call(Step::signal_check, Step::softirq_end);
}

template <class D>
bool softirq_end(const Point<D>& k) {
  k.me().efd = typename Point<D>::Byte(0);
  if (k.s.softirq.pending[k.cpu()] == 1) return k.then(Step::softirq_begin);
  return k.task() ? k.ret() : k.done();
}

template <class D>
bool softirqd_end(const Point<D>& k) {
  bh_on(k);
  return k.done();
}

}  // namespace iomc::spec::vfio
