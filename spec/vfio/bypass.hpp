// SPDX-License-Identifier: GPL-2.0-or-later
// The bypass manager and posted interrupts (virt/lib/irqbypass.c, arch/x86/kvm/x86.c, vmx/posted_intr.c): a producer
// (vfio's vector, a vhost-vdpa queue) and a consumer (an irqfd) meet by their token, the eventfd, and the IOMMU then
// posts the producer's interrupts to the guest. Producer v is of vector v. The lane's `efd` is the token.
//
// Deviations: a section under irqfds.lock in which nothing but the remapping entry is written is one step; the stop and
// start hooks, which do nothing on x86, are not there; the routing table's entry of a gsi is at most one.
#pragma once

#include "spec/vfio/eventfd.hpp"

namespace iomc::spec::vfio {

template <class D>
KvmLocal<D>& local(const Point<D>& k) {
  return k.s.kvm.local[k.id];
}
template <class D>
std::size_t irqfd_index(const Point<D>& k) {
  return model::index_of(local(k).irqfd - typename Point<D>::Byte(1), max_irqfds);
}
template <class D>
Irqfd<D>& irqfd_of(const Point<D>& k) {
  return k.s.kvm.irqfd[irqfd_index(k)];
}
template <class D>
unsigned vm_of(const Point<D>& k, std::size_t irqfd) {
  return k.env().irqfds[irqfd].vm;
}
/// irqfds.lock of the VM of the irqfd under way.
template <class D>
unsigned irqfds(const Point<D>& k) {
  return LockId::irqfds_lock + vm_of(k, irqfd_index(k));
}
template <class D>
std::size_t producer_index(const Point<D>& k) {
  return model::index_of(local(k).producer - typename Point<D>::Byte(1), max_vectors);
}
template <class D>
Producer<D>& producer_of(const Point<D>& k) {
  return k.s.kvm.producer[producer_index(k)];
}

/// The memory that a producer is embedded in. Before dynamic MSI-X the ctx array lived until MSI was disabled.
template <class D>
bool producer_alive(const Point<D>& k, std::size_t producer) {
  return !k.facts().dynamic_msix || k.s.vdev.ctx[producer].exists == 1;
}

// ---- the remapping entry -------------------------------------------------------------------------------------------

/// vmx_pi_update_irte and avic_pi_update_irte: `set` posts where the route allows it, else the entry goes back to
/// remapped mode. False: the update failed.
template <class D>
bool update_irte(const Point<D>& k, std::size_t which, std::size_t producer, bool set) {
  using Byte = typename Point<D>::Byte;
  const Facts& f = k.facts();
  const Irqfd<D>& irqfd = k.s.kvm.irqfd[which];
  Byte& irte = k.s.kvm.producer[producer].irte;
  const bool by_table = f.irte_route == IrteRoute::table;
  const auto route = static_cast<unsigned>(model::index_of(by_table ? k.s.kvm.route[which] : irqfd.entry, 6));
  if (k.env().irqfds[which].beyond) {
    Event e;
    e.kind = Event::range;
    e.index = static_cast<unsigned char>(which);
    e.ok = f.irte_gsi_checked;
    k.emit(e);
    return true;
  }
  if (by_table && route == Route::route_none) return true;  // "no route": nothing is written
  if (!by_table && !is_msi(route) && !set) return true;     // the caller asks only for MSI
  if (set && is_postable(route)) {
    if (k.env().irte_failure && k.cx.pick(2) == 1) return false;
    irte = Byte(route);
    return true;
  }
  if (is_msi(route) || f.route_change_resets_irte || !by_table) irte = Byte(0);
  return true;
}

/// The device's message goes to the guest, past the host.
template <class D>
bool posts(const Point<D>& k, std::size_t irq) {
  return irq < max_vectors && k.s.kvm.producer[irq].irte.nonzero();
}

// ---- kvm_arch_irq_bypass_add_producer, del_producer ----------------------------------------------------------------

template <class D>
bool connected(const Point<D>& k, bool ok) {
  using Byte = typename Point<D>::Byte;
  local(k).res = Byte(ok ? 0 : 1);
  if (!ok && k.facts().producer_cleared_on_error) irqfd_of(k).producer = Byte(0);
  return k.ret();
}

template <class D>
bool connect(const Point<D>& k) {
  const bool locked = k.facts().producer_locked;
  if (locked) VFIO_LOCK(k, irqfds(k), model::irqsave);
  irqfd_of(k).producer = local(k).producer;
  if (!locked) return k.then(Step::connect_irte);
  const bool ok = update_irte(k, irqfd_index(k), producer_index(k), true);
  k.drop(irqfds(k), model::irqsave);
  return connected(k, ok);
}

template <class D>
bool connect_irte(const Point<D>& k) {
  return connected(k, update_irte(k, irqfd_index(k), producer_index(k), true));
}

template <class D>
bool disconnect(const Point<D>& k) {
  const bool locked = k.facts().producer_locked;
  if (locked) VFIO_LOCK(k, irqfds(k), model::irqsave);
  irqfd_of(k).producer = typename Point<D>::Byte(0);
  if (!locked) return k.then(Step::disconnect_irte);
  update_irte(k, irqfd_index(k), producer_index(k), false);
  k.drop(irqfds(k), model::irqsave);
  return k.ret();
}

template <class D>
bool disconnect_irte(const Point<D>& k) {
  update_irte(k, irqfd_index(k), producer_index(k), false);
  return k.ret();
}

// ---- producers -----------------------------------------------------------------------------------------------------

/// The listed consumer with that token, or max_irqfds.
template <class D>
std::size_t consumer_with(const Point<D>& k, typename Point<D>::Byte token) {
  for (std::size_t i = 0; i < k.env().irqfds.size(); ++i)
    if (model::both(k.s.kvm.irqfd[i].consumer == 1, k.s.kvm.irqfd[i].eventfd == token)) return i;
  return max_irqfds;
}
/// The listed producer with that token, or max_vectors.
template <class D>
std::size_t producer_with(const Point<D>& k, typename Point<D>::Byte token) {
  for (std::size_t p = 0; p < max_vectors; ++p)
    if (model::both(k.s.kvm.producer[p].listed == 1, k.s.kvm.producer[p].token == token)) return p;
  return max_vectors;
}

/// irq_bypass_register_producer of the lane's producer, whose token is set. An error leaves `res` 1.
template <class D>
bool producer_lock(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  VFIO_LOCK(k, LockId::bypass_lock, model::plain);
  local(k).res = Byte(0);
  if (producer_with(k, producer_of(k).token) != max_vectors) {  // EBUSY
    local(k).res = Byte(1);
    return k.then(Step::producer_listed);
  }
  const std::size_t consumer = consumer_with(k, producer_of(k).token);
  if (consumer == max_irqfds) return k.then(Step::producer_listed);
  local(k).irqfd = Byte(consumer + 1);
  return k.call(Step::connect, Step::producer_listed);
}

template <class D>
bool producer_listed(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  if (local(k).res == 0) producer_of(k).listed = Byte(1);
  local(k).irqfd = Byte(0);
  k.drop(LockId::bypass_lock);
  return k.ret();
}

/// irq_bypass_unregister_producer: it goes by the token, and does nothing without one.
template <class D>
bool unproduce_lock(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  if (producer_of(k).token == 0) {
    local(k).producer = Byte(0);
    return k.ret();
  }
  VFIO_LOCK(k, LockId::bypass_lock, model::plain);
  if (producer_of(k).listed == 0) return k.then(Step::unproduce_listed);
  const std::size_t consumer = consumer_with(k, producer_of(k).token);
  if (consumer == max_irqfds) return k.then(Step::unproduce_listed);
  local(k).irqfd = Byte(consumer + 1);
  return k.call(Step::disconnect, Step::unproduce_listed);
}

template <class D>
bool unproduce_listed(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  producer_of(k).listed = Byte(0);
  producer_of(k).token = Byte(0);
  local(k) = {};
  k.drop(LockId::bypass_lock);
  return k.ret();
}

// ---- consumers -----------------------------------------------------------------------------------------------------

template <class D>
bool consumer_lock(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  VFIO_LOCK(k, LockId::bypass_lock, model::plain);
  local(k).res = Byte(0);
  if (consumer_with(k, irqfd_of(k).eventfd) != max_irqfds) {  // EBUSY
    local(k).res = Byte(1);
    return k.then(Step::consumer_listed);
  }
  const std::size_t producer = producer_with(k, irqfd_of(k).eventfd);
  if (producer == max_vectors) return k.then(Step::consumer_listed);
  local(k).producer = Byte(producer + 1);
  return k.call(Step::connect, Step::consumer_listed);
}

template <class D>
bool consumer_listed(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  if (local(k).res == 0) irqfd_of(k).consumer = Byte(1);
  local(k).res = Byte(0);
  local(k).producer = Byte(0);
  k.drop(LockId::bypass_lock);
  return k.ret();
}

template <class D>
bool unconsume_lock(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  VFIO_LOCK(k, LockId::bypass_lock, model::plain);
  const std::size_t producer = producer_with(k, irqfd_of(k).eventfd);
  if (irqfd_of(k).consumer == 0 || producer == max_vectors) return k.then(Step::unconsume_listed);
  local(k).producer = Byte(producer + 1);
  return k.call(Step::disconnect, Step::unconsume_listed);
}

template <class D>
bool unconsume_listed(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  irqfd_of(k).consumer = Byte(0);
  local(k).producer = Byte(0);
  k.drop(LockId::bypass_lock);
  return k.ret();
}

// ---- vfio's side ---------------------------------------------------------------------------------------------------

/// vfio registers the producer of a vector: the token is its eventfd.
template <class D>
bool vfio_register_producer(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  local(k).producer = k.me().a + Byte(1);
  producer_of(k).token = k.me().efd;
  return k.call(Step::producer_lock, Step::msi_armed);
}
template <class D>
bool vfio_unregister_producer(const Point<D>& k, Step back) {
  local(k).producer = k.me().a + typename Point<D>::Byte(1);
  return k.call(Step::unproduce_lock, back);
}

/// The last of vfio_msi_set_vector_signal.
template <class D>
bool set_trigger_of_vector(const Point<D>& k);

template <class D>
bool msi_armed(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  const std::size_t v = model::index_of(k.me().a, max_vectors);
  if (local(k).res == 1) producer_of(k).token = Byte(0);  // logged, and the vector works without
  k.s.vdev.ctx[v].producer = producer_of(k).listed;
  local(k) = {};
  return set_trigger_of_vector(k);
}

// ---- vhost-vdpa's side ---------------------------------------------------------------------------------------------

/// VHOST_SET_VRING_CALL of a queue, as producer 1. The lane's `a` is the new eventfd.
template <class D>
bool vdpa_begin(const Point<D>& k) {
  local(k).producer = typename Point<D>::Byte(2);
  return k.facts().vdpa_token_follows_call ? k.call(Step::unproduce_lock, Step::vdpa_swap) : k.then(Step::vdpa_swap);
}

template <class D>
bool vdpa_swap(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  Byte& call = k.s.kvm.vdpa_call;
  Eventfd<D>& e = at(k.s.eventfd, k.me().a);
  if (e.open == 0) {
    local(k) = {};
    return k.done();
  }
  if (call.nonzero()) eventfd_ctx_put(k, model::index_of(call - Byte(1), max_eventfds));
  call = k.me().a + Byte(1);
  e.refs += Byte(1);
  local(k).producer = Byte(2);
  // Before the fix the old producer is unregistered only now, by a token whose eventfd may be gone.
  if (!k.facts().vdpa_token_follows_call) return k.call(Step::unproduce_lock, Step::vdpa_setup);
  return k.then(Step::vdpa_setup);
}

template <class D>
bool vdpa_setup(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  local(k).producer = Byte(2);
  producer_of(k).token = k.s.kvm.vdpa_call;
  return k.call(Step::producer_lock, Step::left);
}

}  // namespace iomc::spec::vfio
