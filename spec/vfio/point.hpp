// SPDX-License-Identifier: GPL-2.0-or-later
// The point of execution: what every step function is given, and the program counters.
#pragma once

#include "model/step.hpp"
#include "spec/vfio/state.hpp"
#include "spec/vfio/step_list.hpp"

namespace iomc::spec::vfio {

using model::Cost;

/// A lane's program counter is the step that comes next.
enum class Step : unsigned char {
  idle = 0,
#define VFIO_STEP(name, function, file, what) name,
  VFIO_STEPS(VFIO_STEP)
#undef VFIO_STEP
  count_
};
inline constexpr unsigned step_count = static_cast<unsigned>(Step::count_);

enum WakeKey : unsigned char { key_in = 1, key_hup = 2 };
enum IrqReturn : unsigned char { irq_none = 0, irq_handled = 1, irq_wake_thread = 2 };

template <class D_>
struct Point {
  using D = D_;
  using Byte = typename D::template Bits<8>;

  const Config& config;
  State<D>& s;
  model::StepContext<Event>& cx;
  std::size_t id;  ///< the lane that takes the step

  const Facts& facts() const { return config.facts; }
  const Environment& env() const { return config.env; }
  const LaneSetup& setup() const { return config.env.lanes[id]; }
  Program<D>& me() const { return s.lanes[id]; }
  auto& machine() const { return s.machine; }
  auto& exec() const { return s.machine.lanes[id]; }
  unsigned cpu() const { return config.env.lanes[id].cpu; }
  bool task() const { return config.rules.lanes[id].kind == model::ContextKind::task; }
  bool rt() const { return config.facts.preempt == Preemption::rt; }
  bool force_irqthreads() const { return config.facts.preempt != Preemption::none; }

  std::size_t irq() const { return model::index_of(me().irq, max_irqs); }
  Desc<D>& desc() const { return s.desc[irq()]; }
  std::size_t act() const { return model::index_of(me().act, max_actions); }
  Action<D>& action() const { return s.action[act()]; }
  const ActionSetup& action_setup() const {
    const std::size_t a = act();
    IOMC_INVARIANT(a < config.env.actions.size());
    return config.env.actions[a];
  }

  bool then(Step next) const {
    me().pc = Byte(static_cast<unsigned>(next));
    return true;
  }
  /// Goes to `callee`; its `ret` comes back to `back`.
  bool call(Step callee, Step back) const {
    IOMC_INVARIANT(static_cast<bool>(me().ret[max_depth - 1] == 0));
    for (std::size_t i = max_depth; i-- > 1;) me().ret[i] = me().ret[i - 1];
    me().ret[0] = Byte(static_cast<unsigned>(back));
    return then(callee);
  }
  bool ret() const {
    me().pc = me().ret[0];
    for (std::size_t i = 0; i + 1 < max_depth; ++i) me().ret[i] = me().ret[i + 1];
    me().ret[max_depth - 1] = Byte(0);
    return true;
  }
  /// Back to user space, or off the interrupt stack: locals are gone, the count of calls stays.
  bool done() const {
    if (config.rules.lanes[id].kind == model::ContextKind::hardirq) cx.cost(Cost::irq_exit);
    const Byte at = me().at;
    me() = {};
    me().at = at;
    exec() = {};
    machine().leaves(config.rules, id);
    return true;
  }
  /// The kernel stops here.
  bool crash(Crash why) const {
    s.crash = Byte(static_cast<unsigned>(why));
    s.crash_lane = Byte(id);
    return true;
  }
  void emit(Event e) const {
    e.lane = static_cast<unsigned char>(id);
    cx.emit(e);
  }

  /// Asks for a lock. Taken::deadlock and atomic_sleep have crashed the kernel.
  model::Taken take(unsigned lock, model::LockMode mode) const {
    Event e;
    e.kind = Event::acquire;
    e.lock = static_cast<unsigned char>(lock);
    e.ok = machine().context_allows(config.rules, id, lock, config.facts.prove_raw_lock_nesting, threadable());
    const model::Taken t = machine().acquire(config.rules, id, lock, mode);
    e.own = mode.shared || t != model::Taken::got ||
            static_cast<bool>(machine().locks[lock].owner == static_cast<unsigned>(id + 1));
    emit(e);
    if (t == model::Taken::got)
      cx.cost(model::sleeps(config.rules.locks[lock].kind, facts().preempt) ? Cost::sleeping_lock : Cost::raw_lock);
    else if (t != model::Taken::spins)
      cx.cost(Cost::lock_wait);
    if (t == model::Taken::deadlock) crash(Crash::self_deadlock);
    if (t == model::Taken::atomic_sleep) crash(Crash::scheduling_while_atomic);
    return t;
  }
  void drop(unsigned lock, model::LockMode mode = model::plain) const {
    machine().release(config.rules, id, lock, mode);
  }

  /// try_to_wake_up of another lane's task; one that is at home on another CPU is told by an interrupt.
  void wake_task(std::size_t lane) const {
    cx.cost(Cost::wakeup);
    if (config.rules.lanes[lane].cpu != cpu()) cx.cost(Cost::ipi);
    machine().wake(lane);
  }

  /// A trylock: lockdep's rule does not ask about it.
  bool try_take(unsigned lock, model::LockMode mode) const {
    return machine().free_for(config.rules, id, lock, mode) &&
           machine().acquire(config.rules, id, lock, mode) == model::Taken::got;
  }

  /// lockdep's current->hardirq_threaded: the handler that runs in this hard interrupt would be threaded on RT.
  bool threadable() const {
    if (task() || !(me().act < static_cast<unsigned>(env().actions.size()))) return false;
    const ActionSetup& a = action_setup();
    return flags_of(a) == HandlerFlags::none && !a.percpu;
  }
  HandlerFlags flags_of(const ActionSetup& a) const {
    if (a.handler == Handler::msi) return config.facts.msi_handler_flags;
    if (a.handler == Handler::intx) return config.facts.intx_handler_flags;
    if (a.handler == Handler::counter) return config.facts.counter_irq_flags;
    if (a.handler == Handler::key_timer && config.facts.gpio_keys_hard_timer) return HandlerFlags::no_thread;
    return a.flags;
  }

  /// The kernel's `current`: the interrupted task for an interrupt, `none` over the idle task.
  static constexpr std::size_t none = max_lanes;
  std::size_t current() const {
    if (task()) return id;
    for (std::size_t o = 0; o < env().lanes.size(); ++o)
      if (machine().current[cpu()] == static_cast<unsigned>(o + 1)) return o;
    return none;
  }
};

/// Takes a lock in a step, or leaves the step: untaken where the lock spins, taken where the lane was enqueued or the
/// kernel crashed.
#define VFIO_LOCK(k, lock, mode)                                            \
  do {                                                                      \
    const ::iomc::model::Taken taken_ = (k).take((lock), (mode));           \
    if (taken_ == ::iomc::model::Taken::spins) return false;                \
    if (taken_ != ::iomc::model::Taken::got) return true;                   \
  } while (false)

template <class Array, class V>
auto& at(Array& a, const V& index) {
  return a[model::index_of(index, a.size())];
}

}  // namespace iomc::spec::vfio
