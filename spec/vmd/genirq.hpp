// SPDX-License-Identifier: GPL-2.0-or-later
// What the interrupt core does with a child's interrupt, beside the chip functions of vmd.c: disable_irq, enable_irq,
// request_irq, free_irq (kernel/irq/manage.c, chip.c), the software resend (resend.c), and the message hardware.
#pragma once

#include "spec/vmd/list.hpp"

namespace iomc::spec::vmd {

template <class T>
Child<T>& child_of(const Point<T>& k) {
  return at(k.s.children, k.me().child);
}
template <class T>
unsigned child_index(const Point<T>& k) {
  return static_cast<unsigned>(model::index_of(k.me().child, T::Shape::children));
}

// ---- messages --------------------------------------------------------------------------------------------------

/// A message of VMD vector v leaves the VMD's own table and is latched in its CPU's LAPIC; a message for a vector that
/// is latched already is absorbed. Posted, it is a bit in the CPU's descriptor, and only the first one of some
/// notifies.
template <class T>
void deliver(const Point<T>& k, unsigned v) {
  using Byte = typename T::Byte;
  Vector<T>& vector = k.s.irqs[v];
  if (vector.shut.nonzero()) return;
  if (vector.masked.nonzero()) {
    vector.pba = Byte(1);
    return;
  }
  const Byte bit = Byte(1) << static_cast<unsigned>(model::index_of(vector.cpu, T::Shape::cpus));
  k.cx.cost(Cost::msi);
  if ((vector.irr & bit).nonzero()) k.cx.cost(Cost::msi_merged);
  vector.irr |= bit;
  if (!k.env().posted || (k.s.outstanding & bit).nonzero()) return;
  k.s.outstanding |= bit;
  k.s.notified |= bit;
}

/// A child's message reaches the VMD, which replaces it by its own entry's.
template <class T>
void accept(const Point<T>& k, unsigned c) {
  k.s.children[c].signalled = typename T::Byte(1);
  deliver(k, static_cast<unsigned>(model::index_of(k.s.children[c].vector, T::Shape::vectors)));
}

// ---- descriptor locks ------------------------------------------------------------------------------------------

/// Whether the lane's next step takes the descriptor lock of the child it works on.
template <class T>
typename T::Bool wants_desc_lock(const Lane<T>& lane) {
  typename T::Bool wants = false;
  for (const Step s : {Step::child_flow, Step::child_done, Step::disable, Step::enable, Step::free_irq,
                       Step::request_irq, Step::synchronize})
    wants = model::either(wants, lane.pc == static_cast<unsigned>(s));
  return wants;
}

/// A lane that finds the lock taken, or others waiting for it, takes its place behind them (fair locks only).
template <class T>
bool desc_wait(const Point<T>& k) {
  using Byte = typename T::Byte;
  Lane<T>& me = k.me();
  if (!k.env().fair_locks || me.queued.nonzero() || !wants_desc_lock(me)) return false;
  unsigned place = 1;
  for (const auto& other : k.s.lanes)
    if (other.queued.nonzero() && other.child == me.child) ++place;
  if (child_of(k).lock.owner == 0 && place == 1) return false;
  me.queued = Byte(place);
  return true;
}

/// Takes the descriptor lock of the lane's child; false: not now.
template <class T>
bool lock_desc(const Point<T>& k, bool& dead) {
  using Byte = typename T::Byte;
  Lane<T>& me = k.me();
  dead = false;
  if (k.env().fair_locks) {
    if (me.queued > 1) return false;
    for (const auto& other : k.s.lanes)
      if (!me.queued.nonzero() && other.queued.nonzero() && other.child == me.child) return false;
  }
  const model::Acquire got = model::acquire(child_of(k).lock, k.s.lanes, k.id);
  dead = got == model::Acquire::self_deadlock;
  if (got != model::Acquire::got) return false;
  for (auto& other : k.s.lanes)
    other.queued = select(model::both(other.queued.nonzero(), other.child == me.child), other.queued - Byte(1),
                          other.queued);
  me.queued = Byte(0);
  k.cx.cost(Cost::raw_lock);
  k.took(desc_lock, LockKind::raw);
  return true;
}

template <class T>
void unlock_desc(const Point<T>& k) {
  model::release(child_of(k).lock);
  k.drop(desc_lock);
}

#define VMD_LOCK_DESC(k)                                                         \
  do {                                                                           \
    bool dead_ = false;                                                          \
    if (!lock_desc((k), dead_)) return dead_ ? (k).crash(self_deadlock) : false; \
  } while (false)

// ---- disable_irq -----------------------------------------------------------------------------------------------

template <class T>
bool msi_free_begin(const Point<T>& k);

/// After the lines that disable a child, back to who asked for it.
template <class T>
bool disabled_return(const Point<T>& k) {
  unlock_desc(k);
  k.restore_irqs();
  // The handler's own disable_irq_nosync, or the core's after "nobody cared", does not wait.
  return k.then(k.me().op == op_irq || k.me().op == op_resend ? Step::child_done : Step::synchronize);
}

/// A command times out, or a driver begins to disable or to free its interrupt.
template <class T>
bool begin_call(const Point<T>& k, Operation op, Step first) {
  const LaneSetup& setup = k.env().lanes[k.id];
  const Child<T>& c = k.s.children[setup.child];
  if (!(c.life == live) || !c.started.nonzero()) return false;
  k.start(op);
  k.me().child = typename T::Byte(setup.child);
  return k.then(first);
}

template <class T>
bool nvme_timeout(const Point<T>& k) {
  return begin_call(k, op_timeout, Step::disable);
}

template <class T>
bool driver_call(const Point<T>& k) {
  const Role role = k.env().lanes[k.id].role;
  return begin_call(k, role == Role::toggler ? op_toggle : op_free,
                    role == Role::freer ? Step::free_irq : Step::disable);
}

/// __disable_irq_nosync: the first disable reaches the chip.
template <class T>
bool disable_irq(const Point<T>& k) {
  using Byte = typename T::Byte;
  VMD_LOCK_DESC(k);
  Child<T>& c = child_of(k);
  k.disable_irqs();
  c.disturbed = Byte(1);
  const auto first = c.depth == 0;
  c.depth += Byte(1);
  if (!first) return disabled_return(k);
  c.disabled = Byte(1);
  return k.then(Step::mask);
}

/// Plain MSI is masked in configuration space: one access, which waits for others where there is a lock. False: not
/// now.
template <class T>
bool mask_in_config(const Point<T>& k) {
  if (!k.env().msi_config) return true;
  const bool locks = k.facts().cfg_lock != LockKind::none;
  if (locks) VMD_LOCK(k, k.s.cfg_lock, cfg_lock, k.facts().cfg_lock);
  k.emit(Event<T>::config_access, 0, 0, k.s.in_config.nonzero() ? 1 : 0);
  if (locks) {
    model::release(k.s.cfg_lock);
    k.drop(cfg_lock);
  }
  return true;
}

/// D1: the child's entry is masked, and the mask is read back.
template <class T>
bool mask_step(const Point<T>& k) {
  if (!mask_in_config(k)) return false;
  if (k.s.crash.nonzero()) return true;
  child_of(k).masked = typename T::Byte(1);
  if (k.facts().list_for_life) return disabled_return(k);
  return k.then(Step::unlink);
}

/// D2: off the list.
template <class T>
bool unlink_step(const Point<T>& k) {
  VMD_LOCK(k, k.s.list_lock, list_lock, k.facts().list_lock);
  const bool sound = unlink_child(k.facts(), k.s, child_index(k));
  model::release(k.s.list_lock);
  k.drop(list_lock);
  if (!sound) return k.crash(poison_dereference);
  return disabled_return(k);
}

/// synchronize_irq: waits for this child's own flow, for no other, and for nothing that is still latched.
template <class T>
bool synchronize(const Point<T>& k) {
  if (child_of(k).in_progress.nonzero()) return false;
  VMD_LOCK_DESC(k);
  unlock_desc(k);
  if (k.me().op == op_timeout) return k.then(Step::poll);
  if (k.me().op == op_toggle) return k.then(Step::enable);
  if (child_of(k).action.nonzero()) return k.then(Step::free_irq);
  return k.then(Step::free_begin);
}

/// nvme_poll_cq: what is visible is reaped, and the queue is used again.
template <class T>
void reap(Child<T>& c) {
  c.cq = typename T::Byte(0);
}

template <class T>
bool poll(const Point<T>& k) {
  reap(child_of(k));
  return k.then(Step::enable);
}

// ---- enable_irq ------------------------------------------------------------------------------------------------

/// irq_startup and irq_enable, up to the chip's function.
template <class T>
bool startup(const Point<T>& k) {
  using Byte = typename T::Byte;
  Child<T>& c = child_of(k);
  c.depth = Byte(0);
  c.disabled = Byte(0);
  // __irq_startup prefers the chip's irq_startup, which may not know of the list.
  const bool listed = c.started.nonzero() || k.facts().irq_startup != IrqStartup::inherited;
  if (k.facts().list_for_life || !listed) return k.then(Step::unmask);
  return k.then(Step::link);
}

template <class T>
bool enable_irq(const Point<T>& k) {
  VMD_LOCK_DESC(k);
  k.disable_irqs();
  Child<T>& c = child_of(k);
  if (c.depth > 1) {
    c.depth -= typename T::Byte(1);
    unlock_desc(k);
    return k.done();
  }
  return startup(k);
}

/// E1: onto the list.
template <class T>
bool link_step(const Point<T>& k) {
  VMD_LOCK(k, k.s.list_lock, list_lock, k.facts().list_lock);
  link_child(k.s, child_index(k));
  model::release(k.s.list_lock);
  k.drop(list_lock);
  return k.then(Step::unmask);
}

/// E2: the child's entry is unmasked, and a message that waited is sent; then check_irq_resend. Deviation: where the
/// children's domain has the CPUs' vectors as its parent (4.8 to 5.9) the resend is an interrupt on the child's own
/// unused vector; here it is the tasklet in every kernel, which runs the same flow.
template <class T>
bool unmask_step(const Point<T>& k) {
  using Byte = typename T::Byte;
  Child<T>& c = child_of(k);
  if (!mask_in_config(k)) return false;
  if (k.s.crash.nonzero()) return true;
  c.masked = Byte(0);
  c.started = Byte(1);
  if (c.pba.nonzero()) {
    c.pba = Byte(0);
    accept(k, child_index(k));
  }
  if (!c.replay.nonzero() && c.pending.nonzero()) {
    c.pending = Byte(0);
    c.replay = Byte(1);
    c.resend = Byte(1);
  }
  unlock_desc(k);
  return k.done();
}

/// resend_irqs: the tasklet calls the flow handler of one child.
template <class T>
bool resend_step(const Point<T>& k) {
  using Byte = typename T::Byte;
  unsigned waiting = 0;
  for (const auto& c : k.s.children) waiting += c.resend.nonzero() ? 1 : 0;
  if (waiting == 0) return false;
  unsigned chosen = k.cx.pick(waiting);
  for (unsigned c = 0; c < T::Shape::children; ++c) {
    if (!k.s.children[c].resend.nonzero() || chosen-- != 0) continue;
    k.start(op_resend);
    k.disable_irqs();
    k.s.children[c].resend = Byte(0);
    k.me().child = Byte(c);
    return k.then(Step::child_flow);
  }
  return false;
}

}  // namespace iomc::spec::vmd
