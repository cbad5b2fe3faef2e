// SPDX-License-Identifier: GPL-2.0-or-later
// Posted MSIs: the IOMMU posts the VMD's messages into a per-CPU descriptor, and one notification stands for many
// (arch/x86/kernel/irq.c). And the VMD's own interrupts given back and requested again (vmd_suspend, vmd_resume), with
// the interrupt core's hardware resend.
#pragma once

#include "spec/vmd/handler.hpp"

namespace iomc::spec::vmd {

/// Rounds of one notification: so many before the outstanding-notification bit is cleared, and one after.
inline constexpr unsigned posted_rounds = 2;

/// This CPU's bit.
template <class T>
typename T::Byte cpu_bit(const Point<T>& k) {
  return typename T::Byte(1) << static_cast<unsigned>(model::index_of(k.me().context.cpu, T::Shape::cpus));
}

/// sysvec_posted_msi_notification.
template <class T>
bool notification(const Point<T>& k) {
  using Byte = typename T::Byte;
  if (!(k.s.notified & cpu_bit(k)).nonzero()) return false;
  k.s.notified &= ~cpu_bit(k);
  k.start(op_irq);
  k.disable_irqs();
  k.cx.cost(Cost::irq_entry);
  k.cx.cost(Cost::irq_eoi);
  k.cx.cost(Cost::irq_exit);
  k.me().child = Byte(T::head(0));
  k.me().round = Byte(1);
  return k.then(Step::harvest);
}

/// handle_pending_pir: the next vector of those taken out of the descriptor; where none is left, a further round, or
/// the end. A round that finds nothing is the last but one.
template <class T>
bool harvest(const Point<T>& k) {
  using Byte = typename T::Byte;
  Lane<T>& me = k.me();
  for (unsigned v = 0; v < T::Shape::vectors; ++v) {
    if (!(me.posted & (Byte(1) << v)).nonzero()) continue;
    me.posted &= ~(Byte(1) << v);
    return flow_begins(k, v) ? k.then(Step::srcu_lock) : true;
  }
  if (me.round > Byte(posted_rounds + 1)) return k.done();  // one EOI for the notification
  if (me.round == Byte(posted_rounds + 1)) k.s.outstanding &= ~cpu_bit(k);
  for (unsigned v = 0; v < T::Shape::vectors; ++v) {
    if (!(k.s.irqs[v].irr & cpu_bit(k)).nonzero()) continue;
    k.s.irqs[v].irr &= ~cpu_bit(k);
    me.posted |= Byte(1) << v;
  }
  me.round += Byte(1);
  if (!me.posted.nonzero() && me.round <= Byte(posted_rounds)) me.round = Byte(posted_rounds + 1);
  return true;
}

/// vmd_suspend: free_irq of one of the VMD's own interrupts, whose entry is masked. Deviation: its vector is not given
/// back to the CPU; a message that is latched then is marked pending instead of being lost as spurious.
template <class T>
bool own_free(const Point<T>& k) {
  using Byte = typename T::Byte;
  Vector<T>& v = k.s.irqs[k.env().lanes[k.id].child];
  k.start(op_other);
  v.released = Byte(1);
  v.masked = Byte(1);
  return k.then(Step::own_request);
}

/// vmd_resume: request_irq, once no handler is under way any more. The entry is unmasked, and what was marked pending
/// is sent again, to the vector itself.
template <class T>
bool own_request(const Point<T>& k) {
  using Byte = typename T::Byte;
  const unsigned i = k.env().lanes[k.id].child;
  Vector<T>& v = k.s.irqs[i];
  if (v.in_progress.nonzero()) return false;
  v.released = Byte(0);
  v.masked = Byte(0);
  if (v.pba.nonzero()) {
    v.pba = Byte(0);
    deliver(k, i);
  }
  if (v.pending.nonzero()) {
    v.pending = Byte(0);
    v.resent = Byte(1);
  }
  return k.done();
}

}  // namespace iomc::spec::vmd
