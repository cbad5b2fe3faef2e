// SPDX-License-Identifier: GPL-2.0-or-later
// A level-triggered line through vfio and an irqfd with a resampler: the handler masks and signals, work raises the
// guest's pin, the guest's end of interrupt lowers it and has vfio unmask. The guest handles it as a Linux guest does
// with IRQF_ONESHOT: masked from the hard handler until the thread has served the device.
//
// Deviation: resamplefd and vfio's unmask of it are one step; where the line is still asserted, the handler that runs
// then stands for the signal that vfio queues itself.
#pragma once

#include "spec/vfio/kvm.hpp"

namespace iomc::spec::vfio {

/// vfio_pci_intx_unmask_handler, woken by resamplefd.
template <class D>
void resample(const Point<D>& k) {
  k.s.kvm.level.host_masked = typename Point<D>::Byte(0);
}

template <class D>
bool intx_arrives(const Point<D>& k) {
  k.s.kvm.level.host_masked = typename Point<D>::Byte(1);
  k.me().efd = typename Point<D>::Byte(1);
  return k.then(Step::intx_signal);
}

template <class D>
bool intx_signal(const Point<D>& k) {
  return k.call(Step::signal_check, Step::left);
}

/// The guest takes the interrupt: its hard handler masks the pin.
template <class D>
bool guest_takes(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  ResampledLine<D>& l = k.s.kvm.level;
  if (l.line == 0) l.bogus = select(l.old == 1, Byte(1), Byte(2));
  l.guest_masked = Byte(1);
  return k.then(Step::guest_eoi);
}

template <class D>
bool guest_eoi(const Point<D>& k) {
  k.s.kvm.level.pin = typename Point<D>::Byte(0);
  resample(k);
  return k.then(Step::guest_ack);
}

template <class D>
bool guest_ack(const Point<D>& k) {
  k.s.kvm.level.line = typename Point<D>::Byte(0);
  return k.then(Step::guest_unmask);
}

template <class D>
bool guest_unmask(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  ResampledLine<D>& l = k.s.kvm.level;
  l.guest_masked = Byte(0);
  if (l.pin == 1 && k.facts().irqfd_resample_on_unmask) {
    l.pin = Byte(0);
    resample(k);
  } else {
    l.old = l.pin;
  }
  return k.done();
}

// ---- work ----------------------------------------------------------------------------------------------------------

/// A worker, or what else begins where there is something to do: the work of one of its calls.
template <class D>
bool begin_work(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  const auto& calls = k.setup().calls;
  const Call& call = calls[k.cx.pick(static_cast<unsigned>(calls.size()))];
  ResampledLine<D>& l = k.s.kvm.level;
  const auto with_irqfd = [&] {
    k.exec().active = Byte(1);
    local(k).irqfd = Byte(call.a + 1);
  };
  switch (call.op) {
    case Op::work_inject:
      if (k.s.kvm.irqfd[call.a].inject == 0) return false;
      with_irqfd();
      return inject_begin(k);
    case Op::work_shutdown:
      if (!(k.s.kvm.irqfd[call.a].shutdown == Work::work_queued)) return false;
      with_irqfd();
      return shutdown_begin(k);
    case Op::work_intx:
      if (l.line == 0 || l.host_masked == 1) return false;
      k.exec().active = Byte(1);
      return intx_arrives(k);
    case Op::work_guest:
      if (l.pin == 0 || l.guest_masked == 1) return false;
      k.exec().active = Byte(1);
      return guest_takes(k);
    case Op::line_raise:
      if (l.line == 1 || !(k.me().at < k.setup().budget)) return false;
      k.me().at += Byte(1);
      l.line = Byte(1);
      return k.done();
    default: break;
  }
  IOMC_INVARIANT(false);
  return false;
}

// ---- the beginning -------------------------------------------------------------------------------------------------

/// What the run begins with, after vfio's vectors: irqfds at their eventfds, connected producers, other waiters.
template <class D>
void set_up_kvm(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  Kvm<D>& kvm = k.s.kvm;
  const auto eventfd_of = [&](std::size_t vector) { return k.s.vdev.ctx[vector].trigger; };
  if (k.env().bypass)
    for (std::size_t v = 0; v < max_vectors; ++v)
      if (eventfd_of(v).nonzero()) kvm.producer[v] = {eventfd_of(v), Byte(1), Byte(0)};
  for (std::size_t i = 0; i < k.env().irqfds.size(); ++i) {
    const IrqfdSetup& setup = k.env().irqfds[i];
    kvm.route[i] = Byte(setup.route);
    if (!setup.assigned) continue;
    Irqfd<D>& irqfd = kvm.irqfd[i];
    irqfd.exists = Byte(1);
    irqfd.listed = Byte(1);
    irqfd.eventfd = Byte(setup.eventfd + 1);
    irqfd.entry = Byte(setup.route);
    k.s.eventfd[setup.eventfd].refs += Byte(1);
    add_priority_waiter(k.s.eventfd[setup.eventfd], WaiterKind::irqfd_waiter, i);
    if (!k.env().bypass) continue;
    irqfd.consumer = Byte(1);
    for (std::size_t v = 0; v < max_vectors; ++v) {
      if (!(kvm.producer[v].token == irqfd.eventfd)) continue;
      irqfd.producer = Byte(v + 1);
      if (is_postable(setup.route)) kvm.producer[v].irte = Byte(setup.route);
    }
  }
  if (k.env().privcmd) add_priority_waiter(k.s.eventfd[0], WaiterKind::privcmd_waiter, 0);
  for (const LaneSetup& lane : k.env().lanes)
    for (const Call& call : lane.calls) {
      if (call.op != Op::aer_error) continue;
      kvm.err_trigger = Byte(1);
      k.s.eventfd[0].refs += Byte(1);
    }
}

}  // namespace iomc::spec::vfio
