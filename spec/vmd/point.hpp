// SPDX-License-Identifier: GPL-2.0-or-later
// The point of execution: what every step function is given, and the program counters.
#pragma once

#include "model/step.hpp"
#include "spec/vmd/config.hpp"
#include "spec/vmd/state.hpp"

namespace iomc::spec::vmd {

using model::Cost;

/// A lane's program counter is the step that comes next. Several steps start from idle.
enum class Step : unsigned char {
  idle = 0,
  // the VMD's own interrupt: kernel/irq/chip.c and vmd_irq
  edge,
  srcu_lock,
  walk_first,
  before_child,
  child_flow,
  child_handler,
  child_done,
  walk_next,
  srcu_unlock,
  edge_exit,
  notification,
  harvest,
  own_free,
  own_request,
  // disable_irq and enable_irq of a child
  nvme_timeout,
  driver_call,
  disable,
  mask,
  unlink,
  synchronize,
  poll,
  enable,
  link,
  unmask,
  desc_wait,
  // the life of a child's interrupt
  free_irq,
  free_begin,
  free_wait,
  free_count,
  free_unlock,
  free_node,
  msi_lock,
  msi_init,
  msi_unlock,
  request_irq,
  resend,
  // configuration space and the bus
  config_begin,
  config_end,
  bus_walk,
  bus_quirk,
  bus_walked,
  bus_write,
  bus_written,
  bus_done,
  // the machine
  set_affinity,
  cpu_down,
  cpu_up,
  rcu_begin,
  rcu_end,
  // the children and their messages
  post,
  arrive,
  coalesced,
  send,
  // the life of the driver
  probe,
  probe_offsets,
  probe_buses,
  probe_decide,
  probe_irqs,
  probe_remap,
  probe_domain,
  probe_bypass,
  probe_root_bus,
  probe_scan,
  window_first,
  window_second,
  window_third,
  probe_children,
  suspend_children,
  suspend_vmd,
  suspend_noirq,
  sleep,
  resume_noirq,
  resume_vmd,
  resume_children,
  remove_first,
  remove_second,
  remove_mode,
  shutdown_children,
  shutdown_vmd,
  restart,
  crash_kexec,
  signal,
  count_
};

inline constexpr unsigned step_count = static_cast<unsigned>(Step::count_);

template <class T>
struct Point {
  using Ev = Event<T>;
  using Byte = typename T::Byte;

  const Config& config;
  State<T>& s;
  model::StepContext<Ev>& cx;
  std::size_t id;  ///< the lane that takes the step; for a device's step, the child

  const Facts& facts() const { return config.facts; }
  const Environment& env() const { return config.env; }
  const Sizes& sizes() const { return config.sizes; }
  Lane<T>& me() const { return s.lanes[id]; }

  bool then(Step next) const {
    me().pc = Byte(static_cast<unsigned>(next));
    return true;
  }
  /// The kernel stops here.
  bool crash(Crash why) const {
    s.crash = Byte(static_cast<unsigned>(why));
    return true;
  }
  void emit(typename Ev::Kind kind, unsigned child = 0, unsigned value = 0, unsigned flag = 0) const {
    Ev e;
    e.kind = kind;
    e.lane = static_cast<unsigned char>(id);
    e.child = static_cast<unsigned char>(child);
    e.value = static_cast<unsigned char>(value);
    e.flag = static_cast<unsigned char>(flag);
    cx.emit(e);
  }
  /// Back to idle: locals are gone. A handler leaves its CPU's stack.
  bool done() const {
    const auto cpu = me().context.cpu;
    const bool once = id < env().lanes.size() && env().lanes[id].once;
    me() = {};
    me().context.cpu = cpu;
    me().done = Byte(once ? 1 : 0);
    return true;
  }
  void start(Operation op) const {
    me().context.active = Byte(1);
    me().op = Byte(static_cast<unsigned>(op));
  }
  void disable_irqs() const { me().context.atomic = Byte(model::irqs_off); }
  /// Interrupts are on again, unless this context runs with them off anyway.
  void restore_irqs() const {
    if (!(me().op == op_irq) && !(me().op == op_resend)) me().context.atomic = Byte(model::preemptible);
  }
  typename T::Bool holds(LockClass c) const { return (me().held & Byte(c)).nonzero(); }
  void drop(LockClass c) const { me().held &= ~Byte(c); }
  /// Reports that a lock of this class is taken now, and what is wrong about it.
  void took(LockClass c, LockKind kind) const {
    LockRule rule = allowed;
    const auto atomic = me().context.atomic == model::irqs_off;
    if (env().preempt_rt && kind == LockKind::spinlock && (atomic || holds(desc_lock))) rule = sleeps_in_atomic;
    if (holds(c)) rule = nested_class;
    if (c == desc_lock && holds(list_lock)) rule = wrong_order;
    if (c == list_lock && !atomic) rule = irqs_are_on;
    me().held |= Byte(c);
    emit(Ev::locked, 0, c, rule);
  }
};

/// Takes a spinlock in a step, or leaves the step: untaken where another context holds the lock, crashed where the
/// holder is what this context interrupted.
#define VMD_LOCK(k, l, lock_class, kind)                                                                   \
  do {                                                                                                     \
    const ::iomc::model::Acquire got_ = ::iomc::model::acquire((l), (k).s.lanes, (k).id);                  \
    if (got_ == ::iomc::model::Acquire::self_deadlock) return (k).crash(::iomc::spec::vmd::self_deadlock); \
    if (got_ == ::iomc::model::Acquire::busy) return false;                                                \
    (k).took((lock_class), (kind));                                                                        \
  } while (false)

}  // namespace iomc::spec::vmd
