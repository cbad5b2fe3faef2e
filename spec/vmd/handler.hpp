// SPDX-License-Identifier: GPL-2.0-or-later
// vmd_irq, the handler of the VMD's own interrupts, with the flow around it (handle_edge_irq) and the flow of each
// child inside it (handle_untracked_irq, handle_simple_irq).
#pragma once

#include "spec/vmd/genirq.hpp"

namespace iomc::spec::vmd {

template <class T>
Vector<T>& vector_of(const Point<T>& k) {
  return at(k.s.irqs, k.me().vector);
}

/// handle_edge_irq of VMD vector i, up to the handler's call. False: nothing is to be run, another CPU is at it or
/// nobody wants it.
template <class T>
bool flow_begins(const Point<T>& k, unsigned i) {
  using Byte = typename T::Byte;
  Vector<T>& v = k.s.irqs[i];
  if (v.in_progress.nonzero() || v.released.nonzero()) {
    v.pending = Byte(1);
    v.masked = Byte(1);
    return false;
  }
  v.in_progress = Byte(1);
  k.me().vector = Byte(i);
  k.me().child = Byte(T::head(i));
  return true;
}

/// O1, handle_edge_irq: the CPU takes a latched message. Acknowledged before the handlers run, so that the next message
/// can be latched meanwhile. With posted MSIs only what the interrupt core sends again comes this way.
template <class T>
bool edge(const Point<T>& k) {
  using Byte = typename T::Byte;
  const unsigned cpu = static_cast<unsigned>(model::index_of(k.me().context.cpu, T::Shape::cpus));
  const Byte bit = Byte(1) << cpu;
  const auto latched = [&](const Vector<T>& v) {
    if (v.resent.nonzero() && v.cpu == Byte(cpu)) return true;
    return !k.env().posted && (v.irr & bit).nonzero();
  };
  unsigned n = 0;
  for (const auto& v : k.s.irqs) n += latched(v) ? 1 : 0;
  if (n == 0) return false;
  unsigned chosen = k.cx.pick(n);
  for (unsigned i = 0; i < T::Shape::vectors; ++i) {
    Vector<T>& v = k.s.irqs[i];
    if (!latched(v) || chosen-- != 0) continue;
    if (v.resent.nonzero()) {
      v.resent = Byte(0);
      if (k.env().posted && k.facts().posted_ack == PostedAck::no_eoi) k.s.unacked |= bit;
    } else {
      v.irr &= ~bit;
    }
    k.cx.cost(Cost::irq_entry);
    k.cx.cost(Cost::irq_eoi);
    k.cx.cost(Cost::raw_lock);
    if (!flow_begins(k, i)) return true;
    k.start(op_irq);
    k.disable_irqs();
    return k.then(Step::srcu_lock);
  }
  return false;
}

/// I0. Before it became a read-side section, the walk was under the list lock.
template <class T>
bool srcu_lock(const Point<T>& k) {
  if (k.facts().walk == Walk::list_lock) VMD_LOCK(k, k.s.list_lock, list_lock, k.facts().list_lock);
  k.cx.cost(Cost::srcu_pair);
  k.me().reading = typename T::Byte(1);
  return k.then(Step::walk_first);
}

/// The walker stands at `node` now.
template <class T>
bool walk_to(const Point<T>& k, const typename T::Byte& node) {
  k.me().child = node;
  if (is_head<T>(node)) return k.then(Step::srcu_unlock);
  return k.then(k.facts().before_child == BeforeChild::nothing ? Step::child_flow : Step::before_child);
}

/// What may come before a child's handler. A read of the child pushes everything the child has written before it, its
/// completions among that, to where the CPUs see it. A delay orders nothing: no bound on the time is known.
template <class T>
bool before_child(const Point<T>& k) {
  Child<T>& child = child_of(k);
  if (child.life == freed) return k.crash(use_after_free);
  if (k.facts().before_child == BeforeChild::read) {
    k.cx.cost(Cost::mmio_read);
    child.cq += child.unseen;
    child.unseen = typename T::Byte(0);
  }
  return k.then(Step::child_flow);
}

/// I1.
template <class T>
bool walk_first(const Point<T>& k) {
  return walk_to(k, vector_of(k).next);
}

/// I2, generic_handle_irq: the child's flow handler under the child's descriptor lock, up to the handler's call.
template <class T>
bool child_flow(const Point<T>& k) {
  using Byte = typename T::Byte;
  using Ev = Event<T>;
  Lane<T>& me = k.me();
  const Step next = me.op == op_irq ? Step::walk_next : Step::idle;
  const unsigned c = child_index(k);
  Child<T>& child = k.s.children[c];
  const auto leave = [&] {
    if (next == Step::idle) return k.done();
    return k.then(next);
  };
  if (child.life == freed) return k.crash(use_after_free);
  if (child.life == torn_down) {
    // handle_bad_irq
    k.emit(Ev::flow_after_free, c);
    return leave();
  }
  VMD_LOCK_DESC(k);
  if (child.in_progress.nonzero()) {
    if (k.facts().untracked_pending) child.pending = Byte(1);
    unlock_desc(k);
    return leave();
  }
  child.replay = Byte(0);
  if (!child.action.nonzero() || child.disabled.nonzero()) {
    child.pending = Byte(1);
    unlock_desc(k);
    return leave();
  }
  child.pending = Byte(0);
  child.in_progress = Byte(1);
  unlock_desc(k);
  k.cx.cost(Cost::handler_call);
  // A message that came after this walk began is latched, and calls the handler again; so does one still to be sent.
  const Vector<T>& v = at(k.s.irqs, child.vector);
  const bool called_again = v.irr.nonzero() || v.pba.nonzero() || v.pending.nonzero();
  const bool announced = child.unseen.nonzero() && child.signalled.nonzero() && !child.raised.nonzero();
  k.emit(Ev::handler_started, c, 0, announced && !called_again ? 0 : 1);
  return k.then(Step::child_handler);
}

/// The driver's handler: nvme_irq looks at the phase bit, and reaps what it finds.
template <class T>
bool child_handler(const Point<T>& k) {
  using Byte = typename T::Byte;
  const unsigned c = child_index(k);
  Child<T>& child = k.s.children[c];
  const bool found = static_cast<bool>(child.cq.nonzero());
  k.me().found = Byte(found ? 1 : 0);
  k.cx.cost(found ? Cost::cq_entry : Cost::cq_empty_poll);
  if (found) k.cx.cost(Cost::doorbell);
  reap(child);
  if (k.env().kinds[c] == ChildKind::nvme_nosync) {
    k.then(Step::disable);
    return true;
  }
  return k.then(Step::child_done);
}

/// The end of the child's flow. The tracked flow counts interrupts that nobody handled, and disables the interrupt in
/// the end; the count is scaled down from 99,900 of 100,000. Deviation: note_interrupt runs before the child's
/// interrupt is out of progress, and takes the list lock; here both are one step, after it.
template <class T>
bool child_done(const Point<T>& k) {
  using Byte = typename T::Byte;
  using Ev = Event<T>;
  const unsigned c = child_index(k);
  Child<T>& child = k.s.children[c];
  VMD_LOCK_DESC(k);
  if (k.facts().untracked_pending && child.pending.nonzero() && !child.disabled.nonzero()) {
    child.pending = Byte(0);
    unlock_desc(k);
    return k.then(Step::child_handler);
  }
  child.in_progress = Byte(0);
  const bool none = !k.me().found.nonzero();
  const bool signalled = static_cast<bool>(child.signalled.nonzero());
  child.signalled = Byte(0);
  k.me().found = Byte(0);
  unlock_desc(k);
  const bool counts = k.facts().child_flow == ChildFlow::simple;
  if (none) k.emit(Ev::unhandled, c, counts ? 1 : 0, !counts || signalled ? 1 : 0);
  if (counts) {
    if (k.env().nobody_cared != 0 && none) child.unhandled += Byte(1);
    if (k.env().nobody_cared != 0) child.handled += Byte(1);
    if (k.env().nobody_cared != 0 && child.handled == k.env().nobody_cared) {
      const auto nobody = child.unhandled == child.handled;
      child.handled = Byte(0);
      child.unhandled = Byte(0);
      if (nobody) {
        child.spurious = Byte(1);
        child.depth += Byte(1);
        child.disabled = Byte(1);
        child.masked = Byte(1);
        if (!unlink_child(k.facts(), k.s, c)) return k.crash(poison_dereference);
      }
    }
  }
  if (k.me().op == op_resend) return k.done();
  return k.then(Step::walk_next);
}

/// I3: the next pointer is read only now.
template <class T>
bool walk_next(const Point<T>& k) {
  Child<T>& child = child_of(k);
  if (child.life == freed) return k.crash(use_after_free);
  return walk_to(k, child.next);
}

/// I4. Grace periods that waited for this reader wait no more.
template <class T>
bool srcu_unlock(const Point<T>& k) {
  using Byte = typename T::Byte;
  if (k.facts().walk == Walk::list_lock) {
    model::release(k.s.list_lock);
    k.drop(list_lock);
  }
  k.me().reading = Byte(0);
  for (auto& lane : k.s.lanes) lane.waits &= ~(Byte(1) << static_cast<unsigned>(k.id));
  return k.then(Step::edge_exit);
}

/// O2: once more if another CPU was sent away meanwhile, else the interrupt is done.
template <class T>
bool edge_exit(const Point<T>& k) {
  using Byte = typename T::Byte;
  Vector<T>& v = vector_of(k);
  if (!v.pending.nonzero() || v.released.nonzero()) {
    v.in_progress = Byte(0);
    k.cx.cost(Cost::raw_lock);
    if (!k.me().round.nonzero()) k.cx.cost(Cost::irq_exit);
    return k.me().round.nonzero() ? k.then(Step::harvest) : k.done();
  }
  v.pending = Byte(0);
  if (v.masked.nonzero()) {
    v.masked = Byte(0);
    if (v.pba.nonzero()) {
      v.pba = Byte(0);
      deliver(k, static_cast<unsigned>(model::index_of(k.me().vector, T::Shape::vectors)));
    }
  }
  return k.then(Step::srcu_lock);
}

}  // namespace iomc::spec::vmd
