// SPDX-License-Identifier: GPL-2.0-or-later
// The machine in its short form: CPUs with a stack of contexts (task, softirq, hard irq), the interrupt flag, and spin
// locks with an owner. For specifications in which no task has a priority and no lock sleeps; model/execution.hpp is
// the whole machine. Of that it is a special case: SCHED_OTHER tasks only, locks that spin, softirqs off only where
// interrupts are, and `atomic` for the depths of irqs_off and preempt_off. tests/model/machine_test.cpp runs both
// beside each other and compares each answer in every state that they can reach.
//
// A lane is one thread of execution: a task, or the softirq or interrupt handler that a configuration allows. A lane
// takes a step only where it is what its CPU runs: nothing of a higher kind is active there, and no task that cannot be
// preempted is in its way. Interrupts arrive between any two steps where the flag is on.
#pragma once

#include <cstdint>
#include <type_traits>

#include "model/reflect.hpp"
#include "model/value.hpp"

namespace iomc::model {

/// What a CPU may run, each on top of those before it.
enum class ContextKind : std::uint8_t { task, softirq, hardirq, nmi };

/// What may not happen to the CPU under a lane, between two of its steps.
enum Atomicity : std::uint8_t { preemptible = 0, preempt_off = 1, irqs_off = 2 };

/// The part of a lane that the machine needs.
template <class D>
struct LaneContext {
  using Byte = typename D::template Bits<8>;
  Byte cpu;     ///< where it runs
  Byte active;  ///< it is on its CPU's stack (a task between two calls is not)
  Byte atomic;  ///< Atomicity

  template <class Self, class F>
  static void visit(Self& self, F&& f) {
    f("cpu", self.cpu, any);
    f("active", self.active, flag);
    f("atomic", self.atomic, Range{0, 2});
  }
};

/// A spinlock: 0, or 1 + the lane that owns it.
template <class D>
struct SpinLock {
  typename D::template Bits<8> owner;

  template <class Self, class F>
  static void visit(Self& self, F&& f) {
    f("owner", self.owner, any);
  }
};

enum class Acquire { got, busy, self_deadlock };

namespace detail {

/// True for certain, whatever a symbolic part of it is: a loop whose answer is known may end.
template <class Bool>
constexpr bool certain(const Bool& b) {
  if constexpr (std::is_same_v<Bool, bool>) return b;
  else return !b.value().symbolic() && b.value().constant != 0;
}

}  // namespace detail

/// Whether lane `me` may take a step: kinds[i] is the kind of lane i, contexts[i] its LaneContext.
template <class Lanes, class Kinds>
bool may_run(const Lanes& lanes, const Kinds& kinds, std::size_t me) {
  const auto& mine = lanes[me].context;
  using Bool = decltype(mine.active == 1);
  Bool kept_out = false;
  for (std::size_t o = 0; o < lanes.size(); ++o) {
    if (o == me || kinds[o] < kinds[me]) continue;
    const auto& other = lanes[o].context;
    const Bool here = both(other.active == 1, other.cpu == mine.cpu);
    if (detail::certain(negate(here))) continue;
    // A softirq or interrupt handler runs to its end before another of its kind starts on the CPU.
    Bool in_the_way = true;
    if (kinds[o] == kinds[me])
      in_the_way = either(negate(other.atomic == 0), both(kinds[me] != ContextKind::task, mine.active == 0));
    kept_out = either(kept_out, both(here, in_the_way));
    if (detail::certain(kept_out)) return false;
  }
  return static_cast<bool>(negate(kept_out));
}

/// Whether lane `me`, not active yet, may start on top of what its CPU runs now.
template <class Lanes, class Kinds>
bool may_start(const Lanes& lanes, const Kinds& kinds, std::size_t me) {
  if (!may_run(lanes, kinds, me)) return false;
  if (kinds[me] == ContextKind::task || kinds[me] == ContextKind::nmi) return true;
  const auto& mine = lanes[me].context;
  using Bool = decltype(mine.active == 1);
  Bool off = false;
  for (std::size_t o = 0; o < lanes.size(); ++o) {
    if (o == me) continue;
    const auto& other = lanes[o].context;
    off = either(off, both(both(other.active == 1, other.cpu == mine.cpu), other.atomic == 2));
  }
  return static_cast<bool>(negate(off));
}

/// spin_lock. A lane that meets a lock owned by what it interrupted spins for ever.
template <class D, class Lanes>
Acquire acquire(SpinLock<D>& lock, const Lanes& lanes, std::size_t me) {
  if (lock.owner == 0) {
    lock.owner = typename D::template Bits<8>(me + 1);
    return Acquire::got;
  }
  for (std::size_t o = 0; o < lanes.size(); ++o) {
    if (!(lock.owner == typename D::template Bits<8>(o + 1))) continue;
    if (o == me) return Acquire::self_deadlock;
    if (both(lanes[o].context.active == 1, lanes[o].context.cpu == lanes[me].context.cpu))
      return Acquire::self_deadlock;
  }
  return Acquire::busy;
}

template <class D>
void release(SpinLock<D>& lock) {
  lock.owner = typename D::template Bits<8>(0);
}

}  // namespace iomc::model
