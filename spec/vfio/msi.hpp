// SPDX-License-Identifier: GPL-2.0-or-later
// vfio-pci MSI and MSI-X: VFIO_DEVICE_SET_IRQS on one vector (drivers/vfio/pci/vfio_pci_intrs.c). Vector v has irq v
// and action v. The lane's `a` is the vector, `b` 1 + the new eventfd, or 0 for none.
//
// Deviations: enabling MSI allocates all vectors and cannot fail; allocations in vfio_msi_set_vector_signal fail only
// where the configuration says so; igate, memory_lock and the bypass mutex are held over the steps that hold them.
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

template <class D>
bool msi_lock(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  VFIO_LOCK(k, LockId::igate, model::plain);
  if (k.s.vdev.irq_type == IrqType::type_intx) return k.then(Step::msi_unlock);  // EINVAL
  if (k.s.vdev.irq_type == IrqType::type_none) k.s.vdev.irq_type = Byte(IrqType::type_msi);
  if (k.me().b == 0) k.s.desc[vector_of(k)].wanted = Byte(0);
  if (ctx_of(k).exists == 1) return k.then(Step::msi_disarm);
  return k.then(k.me().b == 0 ? Step::msi_unlock : Step::msi_arm);
}

template <class D>
bool msi_disarm(const Point<D>& k) {
  if (k.env().bypass) return vfio_unregister_producer(k, Step::msi_free_memory);
  VFIO_LOCK(k, LockId::bypass_lock, model::plain);
  ctx_of(k).producer = typename Point<D>::Byte(0);
  k.drop(LockId::bypass_lock);
  return k.then(Step::msi_free_memory);
}

template <class D>
bool msi_free_memory(const Point<D>& k) {
  if (k.facts().memory_lock) VFIO_LOCK(k, LockId::memory_lock, model::plain);
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
  if (c.trigger.nonzero()) eventfd_ctx_put(k, model::index_of(c.trigger - Byte(1), max_eventfds));
  k.s.kvm.producer[vector_of(k)].irte = Byte(0);  // with the activation of the freed interrupt
  c.trigger = Byte(0);
  c.name = Byte(0);
  c.exists = Byte(0);
  if (k.me().b == 0) k.s.desc[vector_of(k)].owed = Byte(Owed::nothing);
  return k.then(k.me().b == 0 ? Step::msi_unlock : Step::msi_arm);
}

template <class D>
bool msi_arm(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  VectorCtx<D>& c = ctx_of(k);
  Eventfd<D>& e = at(k.s.eventfd, k.me().b - Byte(1));
  if (k.env().allocation_failure && k.cx.pick(2) == 1) {
    k.s.desc[vector_of(k)].wanted = Byte(0);
    return k.then(Step::msi_unlock);
  }
  if (e.open == 0) {  // EBADF
    k.s.desc[vector_of(k)].wanted = Byte(0);
    return k.then(Step::msi_unlock);
  }
  c.allocated = Byte(1);
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
  k.s.desc[vector_of(k)].wanted = Byte(0);
  eventfd_ctx_put(k, efd_index(k));
  return k.then(Step::msi_unlock);
}

template <class D>
bool msi_trigger(const Point<D>& k) {
  if (k.env().bypass) return vfio_register_producer(k);
  using Byte = typename Point<D>::Byte;
  VFIO_LOCK(k, LockId::bypass_lock, model::plain);
  ctx_of(k).producer = Byte(1);
  k.drop(LockId::bypass_lock);
  ctx_of(k).trigger = k.me().efd;
  k.s.desc[vector_of(k)].wanted = Byte(1);
  return k.then(Step::msi_unlock);
}

template <class D>
bool msi_unlock(const Point<D>& k) {
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
