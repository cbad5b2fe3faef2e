// SPDX-License-Identifier: GPL-2.0-or-later
// Other drivers whose interrupts meet ours: sharers of the line, a threaded handler that removes a sharer, nested
// handlers, polling with the interrupt disabled (kernel/irq/chip.c: handle_nested_irq; drivers/nvme/host/pci.c).
//
// Deviation: where handlers are force-threaded, the remover's primary handler and its thread function run in one
// thread, not in two: what counts is that the second one is a thread of the line, and is counted as active.
#pragma once

#include "spec/vfio/irq_manage.hpp"
#include "spec/vfio/line.hpp"
#include "spec/vfio/other.hpp"

namespace iomc::spec::vfio {

/// A sharer looks whether its own device asserts, and services it.
template <class D>
bool sharer_handler(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  const bool mine = static_cast<bool>(k.s.intx.other == 1);
  k.s.intx.other = Byte(0);
  update_line(k);
  k.me().res = Byte(mine ? IrqReturn::irq_handled : IrqReturn::irq_none);
  return k.ret();
}

/// Before its driver frees the line, a device is told to be quiet, and is so for good.
template <class D>
bool device_quiet(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  k.s.intx.other = Byte(0);
  k.s.intx.other_sent = Byte(k.config.sizes.msis);
  update_line(k);
  return k.done();
}

template <class D>
void own_primary_handler(const Point<D>& k, std::size_t action) {
  if (k.env().actions[action].handler != Handler::remover || k.s.action[action].oneshot == 1) return;
  k.s.intx.other = typename Point<D>::Byte(0);
  update_line(k);
}

/// The lane is the thread of this action.
template <class D>
std::size_t own_action(const Point<D>& k) {
  for (std::size_t a = 0; a < k.env().actions.size(); ++a)
    if (k.env().actions[a].thread_lane == static_cast<int>(k.id)) return a;
  IOMC_INVARIANT(false);
  return 0;
}

/// Its device says that what is behind it is gone: the driver of that, which shares the line, is removed.
template <class D>
bool remover_handler(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  k.s.intx.other = Byte(0);
  update_line(k);
  for (std::size_t a = 0; a < k.env().actions.size(); ++a) {
    if (a == own_action(k) || k.s.action[a].listed == 0) continue;
    k.me().act = Byte(a);
    return k.call(Step::free_lock, Step::remover_done);
  }
  return k.then(Step::remover_done);
}

template <class D>
bool remover_done(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  k.me().act = Byte(own_action(k));
  k.me().res = Byte(IrqReturn::irq_handled);
  return k.ret();
}

// ---- handle_nested_irq, called by the thread of irq 0 for irq 1 -----------------------------------------------------

template <class D>
bool nested_begin(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  Desc<D>& d = k.s.desc[1];
  d.replay = Byte(0);
  if (model::either(d.disabled == 1, !has_action(k, 1))) {
    d.pending = Byte(1);
    return k.then(Step::nested_done);
  }
  if (k.facts().nested_threads_counted) d.threads_active += Byte(1);
  else d.inprogress = Byte(1);
  return k.then(Step::nested_handler);
}

/// The thread functions of the nested line's actions; there is one.
template <class D>
bool nested_handler(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  for (std::size_t a = 0; a < k.env().actions.size(); ++a)
    if (listed_on(k, a, 1)) {
      k.me().act = Byte(a);
      k.s.action[a].running += Byte(1);
      return k.call(Step::sharer_handler, Step::nested_end);
    }
  return k.then(Step::nested_end);
}

template <class D>
bool nested_end(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  Desc<D>& d = k.s.desc[1];
  if (!(k.me().act == static_cast<unsigned>(own_action(k)))) {
    Action<D>& a = k.action();
    a.running = select(a.running == 0, Byte(0), a.running - Byte(1));
  }
  if (k.facts().nested_threads_counted) {
    d.threads_active -= Byte(1);
    if (d.threads_active == 0) wake_wait_for_threads(k, 1);
  } else {
    d.inprogress = Byte(0);
  }
  return k.then(Step::nested_done);
}

template <class D>
bool nested_done(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  k.s.intx.other = Byte(0);
  update_line(k);
  k.me().act = Byte(own_action(k));
  k.me().res = Byte(IrqReturn::irq_handled);
  return k.ret();
}

// ---- nvme_poll_irqdisable ------------------------------------------------------------------------------------------

/// pci_irq_vector: irq 0 is the vector's, irq 1 that of the line.
template <class D>
std::size_t vector_irq(const Point<D>& k) {
  return k.s.intx.msix == 1 ? 0 : 1;
}

template <class D>
bool poll_disable(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  k.me().irq = Byte(vector_irq(k));
  k.me().b = k.me().irq;
  return k.call(Step::disable_begin, Step::poll_enable);
}

template <class D>
bool poll_enable(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  k.me().irq = k.facts().nvme_poll_saves_irq ? k.me().b : Byte(vector_irq(k));
  return k.call(Step::enable_begin, Step::left);
}

template <class D>
bool msix_off(const Point<D>& k) {
  k.s.intx.msix = typename Point<D>::Byte(0);
  return k.done();
}

}  // namespace iomc::spec::vfio
