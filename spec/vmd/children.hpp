// SPDX-License-Identifier: GPL-2.0-or-later
// The life of a child's interrupt (vmd_msi_init, request_irq, free_irq, vmd_msi_free), configuration accesses, the bus
// walk, CPUs that come and go, and the children's devices.
#pragma once

#include "spec/vmd/handler.hpp"

namespace iomc::spec::vmd {

// ---- free ------------------------------------------------------------------------------------------------------

/// free_irq: the action goes, and the interrupt is shut down. Deviation: before 6.5 a resend that is queued is not
/// taken back; here it is in every kernel.
template <class T>
bool free_irq(const Point<T>& k) {
  using Byte = typename T::Byte;
  VMD_LOCK_DESC(k);
  Child<T>& c = child_of(k);
  k.disable_irqs();
  c.action = Byte(0);
  c.started = Byte(0);
  c.resend = Byte(0);
  c.depth = Byte(1);
  if (c.disabled.nonzero() && k.facts().disable_checks_state) {
    c.masked = Byte(1);
    return disabled_return(k);
  }
  c.disabled = Byte(1);
  return k.then(Step::mask);
}

/// F1: waits for the handlers that walk the list now. SRCU knows this list's readers alone; RCU waits for all. A child
/// that was listed for life leaves the list here.
template <class T>
bool free_begin(const Point<T>& k) {
  using Byte = typename T::Byte;
  Lane<T>& me = k.me();
  if (k.facts().list_for_life) {
    if (!(k.s.list_lock.owner == 0)) return false;
    list_del(k.s, child_index(k));
  }
  k.took(msi_mutex, LockKind::spinlock);
  if (!k.facts().free_waits) return k.then(Step::free_count);
  const Byte own = child_of(k).vector;
  bool foreign = false;
  for (std::size_t i = 0; i < k.s.lanes.size(); ++i) {
    const Lane<T>& lane = k.s.lanes[i];
    if (!lane.reading.nonzero()) continue;
    const bool same = lane.op == op_irq && lane.vector == own;
    if (k.facts().walk == Walk::srcu && !same) continue;
    foreign = foreign || !same;
    me.waits |= Byte(1) << static_cast<unsigned>(i);
  }
  k.emit(Event<T>::waits_for, child_index(k), 0, foreign ? 1 : 0);
  return k.then(Step::free_wait);
}

template <class T>
bool free_wait(const Point<T>& k) {
  if (k.me().waits.nonzero()) return false;
  return k.then(Step::free_count);
}

/// F2. Without irqsave, interrupts stay on under the lock.
template <class T>
bool free_count(const Point<T>& k) {
  using Byte = typename T::Byte;
  if (k.facts().list_lock_irqsave) k.disable_irqs();
  const model::Acquire got = model::acquire(k.s.list_lock, k.s.lanes, k.id);
  if (got != model::Acquire::got) {
    if (k.facts().list_lock_irqsave) k.restore_irqs();
    return got == model::Acquire::self_deadlock ? k.crash(self_deadlock) : false;
  }
  k.took(list_lock, k.facts().list_lock);
  at(k.s.irqs, child_of(k).vector).count -= Byte(1);
  return k.then(Step::free_unlock);
}

template <class T>
bool free_unlock(const Point<T>& k) {
  model::release(k.s.list_lock);
  k.drop(list_lock);
  k.restore_irqs();
  return k.then(Step::free_node);
}

/// F3. Under RCU the memory outlives its readers (kfree_rcu); the descriptor does not.
template <class T>
bool free_node(const Point<T>& k) {
  using Byte = typename T::Byte;
  Child<T>& c = child_of(k);
  if (!k.facts().free_own_data) {
    k.emit(Event<T>::freed_wrong, child_index(k));
    return k.crash(wrong_free);
  }
  const Byte next = c.next;
  const Byte vector = c.vector;
  c = {};
  c.vector = vector;
  c.next = next;  // readers may still stand here
  c.prev = Byte(T::poison);
  c.life = Byte(k.facts().walk == Walk::rcu ? torn_down : freed);
  return k.done();
}

// ---- allocate --------------------------------------------------------------------------------------------------

/// The child's driver asks for its interrupt: the MSI mutex of the child's device.
template <class T>
bool msi_lock(const Point<T>& k) {
  const LaneSetup& setup = k.env().lanes[k.id];
  if (!(k.s.children[setup.child].life == unborn)) return false;
  k.start(op_alloc);
  k.me().child = typename T::Byte(setup.child);
  k.took(msi_mutex, LockKind::spinlock);
  return k.then(Step::msi_init);
}

template <class T>
Requester requester_of(const Point<T>& k, unsigned c) {
  return requester(k.env().kinds[c], c);
}

/// vmd_msi_init. With a list for life the child is listed here, disabled as it is. The list lock is taken where counts
/// are compared or the list is changed.
template <class T>
bool msi_init(const Point<T>& k) {
  const unsigned c = child_index(k);
  if (k.facts().init_looks_up_vector) k.took(msi_mutex, LockKind::spinlock);
  const bool compares = compares_counts(k.facts(), 0, k.sizes().vectors, requester_of(k, c));
  if (!compares && !k.facts().list_for_life && !k.facts().slow_child_counted) {
    place_child(k, c);
    k.drop(msi_mutex);
    return k.then(Step::request_irq);
  }
  if (k.facts().list_lock_irqsave) k.disable_irqs();
  const model::Acquire got = model::acquire(k.s.list_lock, k.s.lanes, k.id);
  if (got != model::Acquire::got) {
    if (k.facts().list_lock_irqsave) k.restore_irqs();
    return got == model::Acquire::self_deadlock ? k.crash(self_deadlock) : false;
  }
  k.took(list_lock, k.facts().list_lock);
  place_child(k, c);
  return k.then(Step::msi_unlock);
}

/// The new vmd_irq of a child: its vector, and not listed. Deviation: there is always memory for it.
template <class T>
void place_child(const Point<T>& k, unsigned c) {
  using Byte = typename T::Byte;
  std::array<Byte, T::Shape::vectors> counts{};
  for (unsigned v = 0; v < T::Shape::vectors; ++v) counts[v] = k.s.irqs[v].count;
  const unsigned vector = vmd_next_irq(k.facts(), 0, k.sizes().vectors, requester_of(k, c), counts);
  for (unsigned v = 0; v < T::Shape::vectors; ++v) k.s.irqs[v].count = counts[v];
  k.emit(Event<T>::placed, c, vector);
  Child<T>& child = k.s.children[c];
  child.life = Byte(live);
  child.vector = Byte(vector < k.sizes().vectors ? vector : 0);
  child.depth = Byte(1);
  child.disabled = Byte(1);
  child.masked = Byte(1);
  child.next = child.prev = Byte(c);
  child.posts = Byte(k.sizes().posts);
  if (k.facts().list_for_life) list_add_tail(k.s, c, T::head(vector));
}

template <class T>
bool msi_unlock(const Point<T>& k) {
  model::release(k.s.list_lock);
  k.drop(list_lock);
  k.restore_irqs();
  k.drop(msi_mutex);
  return k.then(Step::request_irq);
}

template <class T>
bool request_irq(const Point<T>& k) {
  VMD_LOCK_DESC(k);
  k.disable_irqs();
  child_of(k).action = typename T::Byte(1);
  return startup(k);
}

// ---- configuration space and the bus ---------------------------------------------------------------------------

/// vmd_pci_read: an access that is not serialised may hang some of the hardware.
template <class T>
bool config_begin(const Point<T>& k) {
  using Byte = typename T::Byte;
  if (k.facts().cfg_lock != LockKind::none) VMD_LOCK(k, k.s.cfg_lock, cfg_lock, k.facts().cfg_lock);
  k.start(op_other);
  if (k.facts().cfg_lock != LockKind::none) k.disable_irqs();
  k.emit(Event<T>::config_access, 0, 0, k.s.in_config.nonzero() ? 1 : 0);
  k.s.in_config += Byte(1);
  return k.then(Step::config_end);
}

template <class T>
bool config_end(const Point<T>& k) {
  k.s.in_config -= typename T::Byte(1);
  if (k.facts().cfg_lock != LockKind::none) model::release(k.s.cfg_lock);
  return k.done();
}

/// pci_walk_bus: pci_bus_sem for reading; a writer that waits keeps further readers out.
template <class T>
bool bus_read(const Point<T>& k) {
  if (k.s.bus_sem.writer.nonzero() || k.s.bus_sem.waiting.nonzero()) return false;
  k.s.bus_sem.readers += typename T::Byte(1);
  k.took(bus_sem, LockKind::spinlock);
  return true;
}

template <class T>
bool bus_walk(const Point<T>& k) {
  if (!bus_read(k)) return false;
  k.start(op_other);
  return k.then(k.facts().pm_quirk_relocks ? Step::bus_quirk : Step::bus_done);
}

/// vmd_pm_enable_quirk calls a function that takes the semaphore itself.
template <class T>
bool bus_quirk(const Point<T>& k) {
  if (!bus_read(k)) return false;
  return k.then(Step::bus_walked);
}

template <class T>
bool bus_walked(const Point<T>& k) {
  k.s.bus_sem.readers -= typename T::Byte(1);
  return k.then(Step::bus_done);
}

template <class T>
bool bus_done(const Point<T>& k) {
  k.s.bus_sem.readers -= typename T::Byte(1);
  return k.done();
}

template <class T>
bool bus_write(const Point<T>& k) {
  if (k.s.bus_sem.waiting.nonzero()) return false;
  k.start(op_other);
  k.s.bus_sem.waiting = typename T::Byte(1);
  return k.then(Step::bus_written);
}

template <class T>
bool bus_written(const Point<T>& k) {
  if (k.s.bus_sem.readers.nonzero()) return false;
  k.s.bus_sem.waiting = typename T::Byte(0);
  return k.done();
}

// ---- the machine -----------------------------------------------------------------------------------------------

/// The VMD's own vector is moved: messages go to the other CPU, what is latched stays where it is.
template <class T>
bool set_affinity(const Point<T>& k) {
  using Byte = typename T::Byte;
  Vector<T>& v = k.s.irqs[k.env().lanes[k.id].child];
  v.cpu = Byte(v.cpu == 0 ? 1 : 0);
  return k.done();
}

/// migrate_one_irq for one child. Child A's interrupt is managed and belongs to this CPU alone; the others' masks hold
/// all CPUs. A chip that cannot move a child at all is left alone; one that refuses is complained about.
template <class T>
void leave_cpu(const Point<T>& k, unsigned c) {
  using Byte = typename T::Byte;
  Child<T>& child = k.s.children[c];
  if (!(child.life == live) || !child.started.nonzero()) return;
  if (k.facts().affinity == Affinity::no_affinity) {
    k.emit(Event<T>::cpu_left, c, 0, 1);
    return;
  }
  if (c != 0) {
    k.emit(Event<T>::cpu_left, c, 0, 0);
    return;
  }
  k.emit(Event<T>::cpu_left, c, 0, 1);
  child.shut = child.disabled = child.masked = child.depth = Byte(1);
  child.started = Byte(0);
  if (!k.facts().list_for_life) unlink_child(k.facts(), k.s, c);
}

/// All interrupts leave a CPU that goes away. A managed vector of the VMD whose mask has no CPU left is shut down,
/// another one moves, and what was latched is sent again. Nothing else runs meanwhile (stop_machine).
template <class T>
bool cpu_down(const Point<T>& k) {
  using Byte = typename T::Byte;
  const unsigned cpu = k.env().lanes[k.id].child;
  if (!k.s.online[cpu].nonzero()) return false;
  for (const auto& lane : k.s.lanes)
    if (lane.context.active.nonzero() && lane.context.cpu == cpu) return false;
  // blk-mq waits for the commands of a queue whose last CPU goes away.
  const Child<T>& own = k.s.children[0];
  if (own.cq.nonzero() || own.unseen.nonzero() || own.raised.nonzero() || own.pba.nonzero()) return false;
  for (const auto& c : k.s.children)
    if (!(c.lock.owner == 0) || c.in_progress.nonzero()) return false;
  k.s.online[cpu] = Byte(0);
  for (unsigned c = 0; c < k.sizes().children; ++c) leave_cpu(k, c);
  for (auto& v : k.s.irqs) {
    if (!(v.cpu == cpu)) continue;
    const bool latched = static_cast<bool>((v.irr & (Byte(1) << cpu)).nonzero());
    v.irr &= ~(Byte(1) << cpu);
    if (k.facts().vectors_managed) {
      v.shut = Byte(1);
      continue;
    }
    v.cpu = Byte(cpu == 0 ? 1 : 0);
    if (latched) v.irr |= Byte(1) << (cpu == 0 ? 1U : 0U);
  }
  return true;
}

template <class T>
bool cpu_up(const Point<T>& k) {
  using Byte = typename T::Byte;
  const unsigned cpu = k.env().lanes[k.id].child;
  if (k.s.online[cpu].nonzero()) return false;
  k.s.online[cpu] = Byte(1);
  for (auto& v : k.s.irqs)
    if (v.cpu == cpu) v.shut = Byte(0);
  Child<T>& child = k.s.children[0];
  if (child.shut.nonzero()) {
    child.shut = child.disabled = child.masked = child.depth = Byte(0);
    child.started = Byte(1);
    if (!k.facts().list_for_life) link_child(k.s, 0);
  }
  return true;
}

template <class T>
bool rcu_begin(const Point<T>& k) {
  k.start(op_other);
  k.me().reading = typename T::Byte(1);
  return k.then(Step::rcu_end);
}

template <class T>
bool rcu_end(const Point<T>& k) {
  for (auto& lane : k.s.lanes) lane.waits &= ~(typename T::Byte(1) << static_cast<unsigned>(k.id));
  return k.done();
}

// ---- the children's devices ------------------------------------------------------------------------------------

/// The device writes a completion. Where it collects completions, it signals with the last of them.
template <class T>
bool post(const Point<T>& k) {
  using Byte = typename T::Byte;
  Child<T>& c = k.s.children[k.id];
  if (!(c.life == live) || !c.action.nonzero() || c.shut.nonzero()) return false;
  if (k.id + k.env().quiet_children >= k.sizes().children) return false;
  if (!(c.cq + c.unseen < Byte(k.env().depth))) return false;
  if (k.sizes().posts != 0) {
    if (!c.posts.nonzero()) return false;
    c.posts -= Byte(1);
  }
  if (k.env().overtaking)
    c.unseen += Byte(1);
  else
    c.cq += Byte(1);
  if (k.env().coalescing > 1) {
    c.collected += Byte(1);
    if (c.collected < Byte(k.env().coalescing)) return true;
    c.collected = Byte(0);
  }
  c.raised = Byte(1);
  return true;
}

/// A completion becomes visible to the CPUs.
template <class T>
bool arrive(const Point<T>& k) {
  using Byte = typename T::Byte;
  Child<T>& c = k.s.children[k.id];
  if (!c.unseen.nonzero()) return false;
  c.unseen -= Byte(1);
  c.cq += Byte(1);
  return true;
}

/// The aggregation time is over.
template <class T>
bool coalesced(const Point<T>& k) {
  using Byte = typename T::Byte;
  Child<T>& c = k.s.children[k.id];
  if (!c.collected.nonzero()) return false;
  c.collected = Byte(0);
  c.raised = Byte(1);
  return true;
}

/// The device sends its message, or remembers it where its entry is masked.
template <class T>
bool send(const Point<T>& k) {
  using Byte = typename T::Byte;
  Child<T>& c = k.s.children[k.id];
  if (!c.raised.nonzero()) return false;
  c.raised = Byte(0);
  if (c.masked.nonzero())
    c.pba = Byte(1);
  else
    accept(k, static_cast<unsigned>(k.id));
  return true;
}

}  // namespace iomc::spec::vmd
