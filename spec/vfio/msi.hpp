// SPDX-License-Identifier: GPL-2.0-or-later
// vfio-pci MSI and MSI-X: VFIO_DEVICE_SET_IRQS enables, sets a block of vectors, or disables
// (drivers/vfio/pci/vfio_pci_intrs.c). Vector v has irq v and action v. `vdev.set_irqs` is what the call that holds
// igate keeps; the lane's `a` is the vector under way, `b` 1 + its new eventfd, or 0 for none.
//
// MSI-X entries are masked until an interrupt is requested. MSI without mask bits is activated, and its messages
// arrive, from the time it is enabled (arch/x86/kernel/apic/vector.c: no reservation for what cannot be masked).
//
// Deviations: the loop over a block is part of the steps around it; where one of name, ctx and eventfd cannot be got,
// what was got before is given back in the same step; vfio_msi_disable has no virqfds to disable, as the kernel
// offers none for MSI; an interrupt that a CPU took, and whose descriptor it has yet to lock, ends before its vector
// is freed, since a freed descriptor is nobody's; where the device has fewer vectors, it gets none, and the caller is
// not told how many there are; all of these happen under igate.
#pragma once

#include "spec/vfio/bypass.hpp"
#include "spec/vfio/irq_manage.hpp"

namespace iomc::spec::vfio {

template <class D>
std::size_t vector_of(const Point<D>& k) {
  return model::index_of(k.me().a, max_vectors);
}
template <class D>
VectorCtx<D>& ctx_of(const Point<D>& k) {
  return k.s.vdev.ctx[vector_of(k)];
}

/// What `mode` says of a call of SET_IRQS until it has igate.
enum SetIrqsKind : unsigned char { one_vector_given = 0, block_given, disable_given };

// ---- vfio_msi_set_block, and the loop of vfio_msi_disable -----------------------------------------------------------

template <class D>
bool set_vector_signal(const Point<D>& k, std::size_t vector, typename Point<D>::Byte fd);

template <class D>
bool arm_vector(const Point<D>& k);

/// The next vector of the block, or what comes after the last.
template <class D>
bool next_of_block(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  SetIrqsCall<D>& c = k.s.vdev.set_irqs;
  if (model::both(c.phase == SetIrqsPhase::setting_block, c.failed == 1)) {
    c.phase = Byte(SetIrqsPhase::unwinding_block);
    c.count = k.facts().msi_block_unwound ? c.next : Byte(0);
    c.next = Byte(0);
    c.fd = {};
  }
  if (c.next < c.count) {
    const std::size_t i = model::index_of(c.next, max_vectors);
    c.next += Byte(1);
    return set_vector_signal(k, model::index_of(c.start, max_vectors) + i, c.fd[i]);
  }
  if (model::both(c.failed == 1, c.enabled == 1) && k.facts().msi_enable_unwound) {
    c.phase = Byte(SetIrqsPhase::disabling_msi);
    c.next = Byte(0);
    return k.then(Step::msi_disable);
  }
  return k.then(Step::msi_unlock);
}

/// vfio_msi_set_vector_signal returns, with `failed` where it did.
template <class D>
bool vector_done(const Point<D>& k, bool failed = false) {
  using Byte = typename Point<D>::Byte;
  SetIrqsCall<D>& c = k.s.vdev.set_irqs;
  k.me().efd = Byte(0);
  if (failed) {
    c.failed = Byte(1);
    k.s.desc[vector_of(k)].wanted = Byte(0);
    k.s.desc[vector_of(k)].owed = Byte(Owed::nothing);
  }
  if (c.phase == SetIrqsPhase::disabling_msi) return k.then(Step::msi_disable);
  return next_of_block(k);
}

/// vfio_msi_set_vector_signal: a vector in use is taken down first.
template <class D>
bool set_vector_signal(const Point<D>& k, std::size_t vector, typename Point<D>::Byte fd) {
  k.me().a = typename Point<D>::Byte(vector);
  k.me().b = fd;
  if (fd == 0) k.s.desc[vector].wanted = typename Point<D>::Byte(0);
  if (k.s.vdev.ctx[vector].exists == 1) return k.then(Step::msi_disarm);
  if (fd == 0) return vector_done(k);
  return arm_vector(k);
}

/// The vector's Linux irq is known, or is allocated now where device and kernel can do that.
template <class D>
bool arm_vector(const Point<D>& k) {
  if (ctx_of(k).allocated == 1) return k.then(Step::msi_arm);
  if (k.facts().dynamic_msix && k.env().msix && k.env().dynamic_device) return k.then(Step::msi_alloc_lock);
  return vector_done(k, true);  // EINVAL
}

/// Before dynamic MSI-X a block must lie within what was enabled, or nothing is done.
template <class D>
bool begin_block(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  SetIrqsCall<D>& c = k.s.vdev.set_irqs;
  c.phase = Byte(SetIrqsPhase::setting_block);
  bool known = true;
  for (std::size_t v = 0; v < max_vectors; ++v)
    if (c.start <= static_cast<unsigned>(v) && static_cast<unsigned>(v) < c.start + c.count &&
        k.s.vdev.ctx[v].allocated == 0)
      known = false;
  if (known || k.facts().dynamic_msix) return next_of_block(k);
  c.failed = Byte(1);
  c.count = Byte(0);
  return k.then(Step::msi_unlock);
}

template <class D>
bool msi_lock(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  VFIO_LOCK(k, LockId::igate, model::plain);
  SetIrqsCall<D>& c = k.s.vdev.set_irqs;
  const auto kind = k.me().mode;
  k.me().mode = Byte(0);
  k.me().efd = Byte(0);
  if (k.s.vdev.irq_type == IrqType::type_intx) return k.then(Step::msi_unlock);  // EINVAL
  if (kind == SetIrqsKind::disable_given) {
    if (k.s.vdev.irq_type == IrqType::type_none) return k.then(Step::msi_unlock);  // EINVAL
    c.phase = Byte(SetIrqsPhase::disabling_msi);
    return k.then(Step::msi_disable);
  }
  c.start = k.me().a;
  c.count = kind == SetIrqsKind::block_given ? k.me().b : Byte(1);
  if (kind == SetIrqsKind::block_given)
    for (std::size_t i = 0; i < model::index_of(c.count, max_vectors + 1); ++i)
      c.fd[i] = Byte(k.cx.pick(k.env().eventfds + 1));
  else
    c.fd[0] = k.me().b;
  return k.s.vdev.irq_type == IrqType::type_none ? k.then(Step::msi_enable) : begin_block(k);
}

// ---- vfio_msi_enable -----------------------------------------------------------------------------------------------

/// The ctx array of kernels before dynamic MSI-X may be impossible to allocate.
template <class D>
bool msi_enable(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  if (!k.facts().dynamic_msix && k.env().allocation_failure && k.cx.pick(2) == 1) {  // ENOMEM
    k.s.vdev.set_irqs.failed = Byte(1);
    k.s.vdev.set_irqs.count = Byte(0);
    return k.then(Step::msi_unlock);
  }
  if (k.facts().memory_lock) VFIO_LOCK(k, LockId::memory_lock, model::plain);
  k.s.vdev.set_irqs.phase = Byte(SetIrqsPhase::setting_block);
  return k.then(Step::msi_alloc_vectors);
}

/// A vector gets a new descriptor. Without mask bits it is active from now on.
template <class D>
void allocate_vector(const Point<D>& k, std::size_t vector) {
  using Byte = typename Point<D>::Byte;
  k.s.vdev.ctx[vector].allocated = Byte(1);
  if (!k.env().irqs[vector].maskable) k.s.desc[vector].activated = Byte(1);
}

/// pci_free_irq_vectors: the device sends no more, and whatever was pending is gone with the descriptors.
template <class D>
void pci_free_irq_vectors(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  Event e;
  e.kind = Event::freed_vectors;
  for (std::size_t v = 0; v < k.env().irqs.size() && v < max_vectors; ++v) {
    Desc<D>& d = k.s.desc[v];
    if (has_action(k, v)) e.ok = false;
    k.s.vdev.ctx[v].allocated = Byte(0);
    const Byte sent = d.sent;
    const Byte taken = d.taken;
    const Byte active = d.threads_active;
    d = {};
    d.depth = d.disabled = d.masked = Byte(1);
    d.sent = sent;
    d.taken = taken;
    d.threads_active = active;
  }
  k.emit(e);
}

template <class D>
bool msi_alloc_vectors(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  SetIrqsCall<D>& c = k.s.vdev.set_irqs;
  const unsigned wanted = static_cast<unsigned>(model::index_of(c.start + c.count, max_vectors + 1));
  const unsigned shortage = k.env().vector_shortage ? k.cx.pick(wanted > 1 ? 3 : 2) : 0;
  const unsigned got = shortage == 0 ? wanted : shortage == 1 ? 0 : 1;
  for (unsigned v = 0; v < got; ++v) allocate_vector(k, v);
  if (got < wanted) {
    if (got > 0 && k.facts().msi_partial_freed) pci_free_irq_vectors(k);
    c.failed = Byte(1);
    c.count = Byte(0);
  } else {
    k.s.vdev.irq_type = Byte(IrqType::type_msi);
    c.enabled = Byte(1);
  }
  if (k.facts().memory_lock) k.drop(LockId::memory_lock);
  return c.failed == 1 ? k.then(Step::msi_unlock) : begin_block(k);
}

// ---- vfio_msi_set_vector_signal ------------------------------------------------------------------------------------

template <class D>
bool msi_disarm(const Point<D>& k) {
  if (k.env().bypass) return vfio_unregister_producer(k, Step::msi_free_memory);
  VFIO_LOCK(k, LockId::bypass_lock, model::plain);
  ctx_of(k).producer = typename Point<D>::Byte(0);
  k.drop(LockId::bypass_lock);
  return k.then(Step::msi_free_memory);
}

template <class D>
void put_trigger(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  VectorCtx<D>& c = ctx_of(k);
  if (c.trigger.nonzero()) eventfd_ctx_put(k, model::index_of(c.trigger - Byte(1), max_eventfds));
}

template <class D>
bool msi_free_memory(const Point<D>& k) {
  if (k.facts().memory_lock) VFIO_LOCK(k, LockId::memory_lock, model::plain);
  if (!k.facts().msi_freed_before_put) put_trigger(k);
  k.me().act = k.me().a;
  return k.call(Step::free_lock, Step::msi_freed);
}

template <class D>
bool msi_freed(const Point<D>& k) {
  if (k.facts().memory_lock) k.drop(LockId::memory_lock);
  return k.then(Step::msi_put);
}

template <class D>
bool msi_put(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  VectorCtx<D>& c = ctx_of(k);
  if (k.facts().msi_freed_before_put) put_trigger(k);
  k.s.kvm.producer[vector_of(k)].irte = Byte(0);  // with the activation of the freed interrupt
  c.trigger = Byte(0);
  c.name = Byte(0);
  c.exists = Byte(0);
  if (k.me().b.nonzero()) return arm_vector(k);
  k.s.desc[vector_of(k)].owed = Byte(Owed::nothing);
  return vector_done(k);
}

/// vfio_msi_alloc_irq, for a vector beyond those that were enabled. It stays allocated until MSI-X is disabled.
template <class D>
bool msi_alloc_lock(const Point<D>& k) {
  if (k.facts().memory_lock) VFIO_LOCK(k, LockId::memory_lock, model::plain);
  return k.then(Step::msi_alloc_one);
}

template <class D>
bool msi_alloc_one(const Point<D>& k) {
  const bool failed = k.env().vector_shortage && k.cx.pick(2) == 1;
  if (!failed) allocate_vector(k, vector_of(k));
  if (k.facts().memory_lock) k.drop(LockId::memory_lock);
  return failed ? vector_done(k, true) : k.then(Step::msi_arm);
}

template <class D>
bool msi_arm(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  VectorCtx<D>& c = ctx_of(k);
  Eventfd<D>& e = at(k.s.eventfd, k.me().b - Byte(1));
  if (k.env().allocation_failure && k.cx.pick(2) == 1) return vector_done(k, true);  // ENOMEM
  if (e.open == 0) return vector_done(k, true);                                      // EBADF
  c.exists = Byte(1);
  c.name = Byte(1);
  e.refs += Byte(1);
  k.me().efd = k.me().b;
  return k.then(Step::msi_memory);
}

template <class D>
bool msi_memory(const Point<D>& k) {
  if (k.facts().memory_lock) VFIO_LOCK(k, LockId::memory_lock, model::plain);
  k.me().act = k.me().a;
  return k.call(Step::request_begin, Step::msi_requested);
}

template <class D>
bool msi_requested(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  if (k.facts().memory_lock) k.drop(LockId::memory_lock);
  if (k.me().res == 0) return k.then(Step::msi_trigger);
  k.me().res = Byte(0);
  ctx_of(k).exists = Byte(0);
  ctx_of(k).name = Byte(0);
  if (k.facts().msi_error_puts) eventfd_ctx_put(k, efd_index(k));
  return vector_done(k, true);
}

template <class D>
bool msi_trigger(const Point<D>& k) {
  if (k.env().bypass) return vfio_register_producer(k);
  using Byte = typename Point<D>::Byte;
  VFIO_LOCK(k, LockId::bypass_lock, model::plain);
  ctx_of(k).producer = Byte(1);
  k.drop(LockId::bypass_lock);
  return set_trigger_of_vector(k);
}

template <class D>
bool set_trigger_of_vector(const Point<D>& k) {
  ctx_of(k).trigger = k.me().efd;
  k.s.desc[vector_of(k)].wanted = typename Point<D>::Byte(1);
  return vector_done(k);
}

// ---- vfio_msi_disable ----------------------------------------------------------------------------------------------

/// Each vector that is in use is taken down; then the vectors are freed.
template <class D>
bool msi_disable(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  SetIrqsCall<D>& c = k.s.vdev.set_irqs;
  for (std::size_t v = 0; k.facts().msi_disable_unsets && v < max_vectors; ++v) {
    if (!(c.next <= static_cast<unsigned>(v)) || k.s.vdev.ctx[v].exists == 0) continue;
    c.next = Byte(v + 1);
    return set_vector_signal(k, v, Byte(0));
  }
  if (k.facts().memory_lock) VFIO_LOCK(k, LockId::memory_lock, model::plain);
  return k.then(Step::msi_free_vectors);
}

template <class D>
bool msi_free_vectors(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  for (std::size_t o = 0; o < k.env().lanes.size(); ++o)
    if (k.s.lanes[o].pc == static_cast<unsigned>(Step::edge_begin)) return false;
  pci_free_irq_vectors(k);
  if (k.facts().memory_lock) k.drop(LockId::memory_lock);
  k.s.vdev.irq_type = Byte(IrqType::type_none);
  return k.then(Step::msi_unlock);
}

/// The call returns.
template <class D>
bool msi_unlock(const Point<D>& k) {
  const SetIrqsCall<D>& c = k.s.vdev.set_irqs;
  if (c.failed == 1) {
    Event e;
    e.kind = Event::unwound;
    for (std::size_t v = 0; v < max_vectors; ++v) {
      const bool begun = c.start <= static_cast<unsigned>(v) && static_cast<unsigned>(v) < c.start + c.count;
      if (begun && k.s.vdev.ctx[v].exists == 1) e.ok = false;
      if (c.enabled == 1 && k.s.vdev.ctx[v].allocated == 1) e.ok = false;
    }
    if (c.enabled == 1 && k.s.vdev.irq_type == IrqType::type_msi) e.ok = false;
    k.emit(e);
  }
  k.s.vdev.set_irqs = {};
  k.drop(LockId::igate);
  return k.done();
}

template <class D>
bool msi_loopback(const Point<D>& k) {
  VFIO_LOCK(k, LockId::igate, model::plain);
  const VectorCtx<D>& c = ctx_of(k);
  if (c.exists == 0) return k.then(Step::msi_unlock);
  k.me().efd = c.trigger;
  return k.call(Step::signal_check, Step::msi_unlock);
}

}  // namespace iomc::spec::vfio
