// SPDX-License-Identifier: GPL-2.0-or-later
// The machine: CPUs with a stack of contexts (task, softirq, hard irq, NMI), tasks with priorities and states, locks of
// every kind, and the rules by which they run.
//
// A lane is a task, or the interrupt context of one kind that a CPU can run. It takes a step only where it is what its
// CPU runs: no context of a higher kind is active there and, for a task, the scheduler would pick it. A context switch
// is not a step of its own: it happens before the step of the task that is switched to. Interrupts arrive between any
// two steps where they are on.
//
// Sleeping locks of PREEMPT_RT are rt_mutexes (kernel/locking/rtmutex.c): a release wakes the top waiter, which stays
// enqueued until it has taken the lock; before it has, a task of higher priority may steal the lock, and for a
// spinlock_t or rwlock_t also one of the same priority, unless that is a real-time one.
//
// Deviations: tasks of SCHED_OTHER share a CPU in any order; waiters of one priority are woken together, not in the
// order they came. A mutex or rwsem without PREEMPT_RT wakes all its waiters, not the first; whoever asks first takes
// it, as optimistic spinners do. On RT a reader that waits behind a writer is let in by priority, where the kernel
// lets the writer go first.
#pragma once

#include <array>
#include <vector>

#include "model/locks.hpp"
#include "model/machine.hpp"

namespace iomc::model {

struct LaneRule {
  ContextKind kind = ContextKind::task;
  unsigned cpu = 0;
  unsigned priority = 0;  ///< 0: SCHED_OTHER; 1..99: SCHED_FIFO
};

struct LockRule {
  const char* name = "";
  LockKind kind = LockKind::raw_spinlock;
};

/// What does not change during a run.
struct MachineRules {
  Preemption preemption = Preemption::none;
  bool rt_writer_first = true;  ///< on RT new readers wait behind a writer that waits for readers
  std::vector<LaneRule> lanes;
  std::vector<LockRule> locks;
};

enum Blocked : std::uint8_t {
  runnable = 0,
  asleep = 1,         ///< until it is woken
  waits_write = 2,    ///< enqueued at a sleeping lock
  waits_read = 3
};

template <class D>
struct Execution {
  using Byte = typename D::template Bits<8>;
  Byte active;       ///< in the kernel, or on its CPU's interrupt stack
  Byte irqs_off;     ///< depth
  Byte preempt_off;  ///< depth, spin locks included
  Byte bh_off;       ///< depth
  Byte blocked;      ///< Blocked
  Byte waits_for;    ///< 1 + the lock it is enqueued at, also where it was woken to take it

  template <class Self, class F>
  static void visit(Self& self, F&& f) {
    f("active", self.active, flag);
    f("irqs_off", self.irqs_off, Range{0, 7});
    f("preempt_off", self.preempt_off, Range{0, 7});
    f("bh_off", self.bh_off, Range{0, 7});
    f("blocked", self.blocked, Range{0, 3});
    f("waits_for", self.waits_for, any);
  }
};

template <class D>
struct Lock {
  typename D::template Bits<8> owner;     ///< 0, 1 + a lane, or idle_owner
  typename D::template Bits<8> readers;  ///< one bit a lane

  template <class Self, class F>
  static void visit(Self& self, F&& f) {
    f("owner", self.owner, any);
    f("readers", self.readers, any);
  }
};

/// The owner of a sleeping lock that an interrupt took over the idle task.
inline constexpr unsigned idle_owner = 0xff;

enum class Taken : std::uint8_t {
  got,
  spins,        ///< held by another CPU: the step cannot be taken now
  blocks,       ///< enqueued; the lane asks again when it has been woken
  deadlock,     ///< the owner is this context, or what it interrupted
  atomic_sleep  ///< it would have to call the scheduler where it may not
};

template <class D, unsigned Lanes, unsigned Locks, unsigned Cpus>
struct Machine {
  using Bool = typename D::Bool;
  using Byte = typename D::template Bits<8>;
  using Mask = typename D::template Bits<8>;
  static_assert(Lanes <= 8);

  std::array<Execution<D>, Lanes> lanes;
  std::array<Lock<D>, Locks> locks;
  std::array<Byte, Cpus> current;  ///< 1 + the task that ran last and has not blocked since; 0: idle

  template <class Self, class F>
  static void visit(Self& self, F&& f) {
    f("lanes", self.lanes, any);
    f("locks", self.locks, any);
    f("current", self.current, any);
  }

  // ---- who runs ----------------------------------------------------------------------------------------------------

  Bool ready(std::size_t lane) const {
    return both(lanes[lane].active == 1, lanes[lane].blocked == 0);
  }
  Bool atomic(std::size_t lane) const {
    return either(lanes[lane].preempt_off.nonzero(), lanes[lane].irqs_off.nonzero());
  }

  /// Priorities with what waiters lend.
  std::array<Byte, Lanes> priorities(const MachineRules& rules) const {
    std::array<Byte, Lanes> p{};
    Bool waits = false;
    for (std::size_t i = 0; i < rules.lanes.size(); ++i) {
      p[i] = Byte(rules.lanes[i].priority);
      waits = either(waits, lanes[i].waits_for.nonzero());
    }
    if (!waits) return p;
    // A chain of waiters is no longer than the list of lanes.
    for (std::size_t round = 0; round < rules.lanes.size(); ++round)
      for (std::size_t w = 0; w < rules.lanes.size(); ++w)
        for (std::size_t l = 0; l < rules.locks.size(); ++l) {
          if (!inherits_priority(rules.locks[l].kind, rules.preemption)) continue;
          const Bool here = lanes[w].waits_for == static_cast<unsigned>(l + 1);
          if (detail::certain(negate(here))) continue;
          for (std::size_t o = 0; o < rules.lanes.size(); ++o)
            p[o] = select(both(here, both(locks[l].owner == static_cast<unsigned>(o + 1), p[o] < p[w])), p[w], p[o]);
        }
    return p;
  }

  /// The scheduler would have `me` on its CPU, were it ready. `wanted`: count `me` as ready.
  bool scheduled(const MachineRules& rules, std::size_t me) const {
    const unsigned cpu = rules.lanes[me].cpu;
    if (current[cpu] == static_cast<unsigned>(me + 1)) {
      if (atomic(me)) return true;
    } else {
      for (std::size_t o = 0; o < rules.lanes.size(); ++o)
        if (both(current[cpu] == static_cast<unsigned>(o + 1), atomic(o))) return false;
    }
    const auto p = priorities(rules);
    Bool other = false;
    for (std::size_t o = 0; o < rules.lanes.size(); ++o) {
      if (o == me || rules.lanes[o].kind != ContextKind::task || rules.lanes[o].cpu != cpu) continue;
      const Bool is_ready = ready(o);
      if (detail::certain(negate(is_ready))) continue;
      // Among equals SCHED_FIFO keeps the one that runs.
      const Bool keeps = both(both(p[me] == p[o], p[o].nonzero()), current[cpu] == static_cast<unsigned>(o + 1));
      other = either(other, both(is_ready, either(p[me] < p[o], keeps)));
      if (detail::certain(other)) return false;
    }
    return static_cast<bool>(negate(other));
  }

  bool interrupted(const MachineRules& rules, std::size_t me, ContextKind above) const {
    Bool is = false;
    for (std::size_t o = 0; o < rules.lanes.size(); ++o)
      if (o != me && rules.lanes[o].cpu == rules.lanes[me].cpu && rules.lanes[o].kind > above)
        is = either(is, lanes[o].active == 1);
    return static_cast<bool>(is);
  }

  /// Whether `me`, which is active, may take a step.
  bool may_run(const MachineRules& rules, std::size_t me) const {
    if (!ready(me)) return false;
    const ContextKind kind = rules.lanes[me].kind;
    if (interrupted(rules, me, kind)) return false;
    return kind != ContextKind::task || scheduled(rules, me);
  }

  /// Whether `me`, which is not active, may begin: a task enters the kernel, an interrupt arrives.
  bool may_start(const MachineRules& rules, std::size_t me) const {
    if (lanes[me].active.nonzero()) return false;
    const ContextKind kind = rules.lanes[me].kind;
    if (interrupted(rules, me, kind)) return false;
    if (kind == ContextKind::task) return scheduled(rules, me);
    for (std::size_t o = 0; o < rules.lanes.size(); ++o)  // nothing nests in its own kind
      if (rules.lanes[o].kind == kind && rules.lanes[o].cpu == rules.lanes[me].cpu && lanes[o].active == 1)
        return false;
    if (kind == ContextKind::nmi) return true;
    Bool kept_out = false;
    for (std::size_t o = 0; o < rules.lanes.size(); ++o) {
      if (o == me || rules.lanes[o].cpu != rules.lanes[me].cpu) continue;
      const Bool on_cpu = rules.lanes[o].kind == ContextKind::task
                              ? current[rules.lanes[me].cpu] == static_cast<unsigned>(o + 1)
                              : lanes[o].active == 1;
      Bool off = lanes[o].irqs_off.nonzero();
      if (kind == ContextKind::softirq) off = either(off, lanes[o].bh_off.nonzero());
      kept_out = either(kept_out, both(on_cpu, off));
      if (detail::certain(kept_out)) return false;
    }
    return static_cast<bool>(negate(kept_out));
  }

  /// To be called for each step that `me` takes: a task that steps is its CPU's current one.
  void runs(const MachineRules& rules, std::size_t me) {
    if (rules.lanes[me].kind == ContextKind::task) current[rules.lanes[me].cpu] = Byte(me + 1);
  }
  /// The task left the kernel or went to sleep.
  void leaves(const MachineRules& rules, std::size_t me) {
    Byte& c = current[rules.lanes[me].cpu];
    if (rules.lanes[me].kind == ContextKind::task) c = select(c == static_cast<unsigned>(me + 1), Byte(0), c);
  }

  void sleep(const MachineRules& rules, std::size_t me) {
    lanes[me].blocked = Byte(Blocked::asleep);
    leaves(rules, me);
  }
  void wake(std::size_t lane) {
    lanes[lane].blocked = select(lanes[lane].blocked == Blocked::asleep, Byte(0), lanes[lane].blocked);
  }

  // ---- locks -------------------------------------------------------------------------------------------------------

  /// Lane `me` is enqueued at the lock, or woken and yet to take it.
  Bool waits_at(std::size_t lane, std::size_t lock) const {
    return lanes[lane].waits_for == static_cast<unsigned>(lock + 1);
  }

  /// try_to_take_rt_mutex: no waiter comes before `me`, which in an interrupt is whom it interrupted.
  bool comes_first(const MachineRules& rules, std::size_t me, std::size_t lock) const {
    Bool waiters = false;
    for (std::size_t o = 0; o < rules.lanes.size(); ++o)
      if (o != me) waiters = either(waiters, waits_at(o, lock));
    if (!waiters) return true;
    const auto p = priorities(rules);
    Byte mine = p[me];
    if (rules.lanes[me].kind != ContextKind::task)
      for (std::size_t o = 0; o < rules.lanes.size(); ++o)
        mine = select(current[rules.lanes[me].cpu] == static_cast<unsigned>(o + 1), p[o], mine);
    // rt_mutex_steal
    const Bool lateral = both(wait_type(rules.locks[lock].kind) == WaitType::config, mine == 0);
    Bool behind = false;
    for (std::size_t o = 0; o < rules.lanes.size(); ++o) {
      if (o == me) continue;
      const Bool equal = both(mine == p[o], negate(either(lateral, waits_at(me, lock))));
      behind = either(behind, both(waits_at(o, lock), either(mine < p[o], equal)));
    }
    return static_cast<bool>(negate(behind));
  }

  /// `me` could take the lock now.
  bool free_for(const MachineRules& rules, std::size_t me, std::size_t lock, LockMode mode) const {
    const Lock<D>& l = locks[lock];
    if (!(l.owner == 0)) return false;
    const bool rt_mutex = inherits_priority(rules.locks[lock].kind, rules.preemption);
    if (!mode.shared) {
      if (l.readers.nonzero()) return false;
      return !rt_mutex || comes_first(rules, me, lock);
    }
    // A writer in the queue of an rwsem comes before new readers; on RT one that only waits for readers to end.
    if (!sleeps(rules.locks[lock].kind, rules.preemption)) return true;
    if (rt_mutex && (l.readers == 0 || !rules.rt_writer_first)) return true;
    Bool queued = false;
    for (std::size_t o = 0; o < rules.lanes.size(); ++o)
      queued = either(queued, both(waits_at(o, lock), lanes[o].blocked == Blocked::waits_write));
    return static_cast<bool>(negate(queued));
  }

  Bool owns(std::size_t lane, std::size_t lock) const {
    return either(locks[lock].owner == static_cast<unsigned>(lane + 1),
                  (locks[lock].readers & Mask(1U << lane)).nonzero());
  }

  /// The kernel's rule for asking for a lock here, contended or not: nothing that may sleep in an interrupt, with
  /// interrupts or preemption off, or under a spinning lock. `nesting`: judge as lockdep does with
  /// PROVE_RAW_LOCK_NESTING, as if on RT; `threadable` then excuses a handler that RT would run in a thread.
  bool context_allows(const MachineRules& rules, std::size_t me, std::size_t lock, bool nesting,
                      bool threadable) const {
    const WaitType wanted = wait_type(rules.locks[lock].kind);
    const Preemption judged = nesting ? Preemption::rt : rules.preemption;
    if (!sleeps(rules.locks[lock].kind, judged)) return true;
    if (rules.lanes[me].kind == ContextKind::nmi) return false;
    if (rules.lanes[me].kind == ContextKind::hardirq)
      return wanted == WaitType::config && rules.preemption != Preemption::rt && threadable;
    if (wanted == WaitType::sleep || rules.preemption == Preemption::rt) {
      if (rules.lanes[me].kind != ContextKind::task) return false;
      if (atomic(me)) return false;
    }
    for (std::size_t l = 0; l < rules.locks.size(); ++l)
      if (wait_type(rules.locks[l].kind) < wanted && wait_type(rules.locks[l].kind) != WaitType::free && owns(me, l))
        return false;
    return true;
  }

  Taken acquire(const MachineRules& rules, std::size_t me, std::size_t lock, LockMode mode = plain) {
    Lock<D>& l = locks[lock];
    const bool sleepy = sleeps(rules.locks[lock].kind, rules.preemption);
    const bool task = rules.lanes[me].kind == ContextKind::task;
    if (free_for(rules, me, lock, mode)) {
      if (mode.shared)
        l.readers |= Mask(1U << me);
      else if (sleepy && !task)  // the fast path: `current` is the interrupted task, or idle
        l.owner = select(current[rules.lanes[me].cpu] == 0, Byte(idle_owner), current[rules.lanes[me].cpu]);
      else
        l.owner = Byte(me + 1);
      if (!sleepy) lanes[me].preempt_off += Byte(1);
      if (!sleepy && mode.irq) lanes[me].irqs_off += Byte(1);
      if (mode.bh) lanes[me].bh_off += Byte(1);
      const bool waited = task && waits_at(me, lock);
      lanes[me].waits_for = Byte(0);
      // A reader that waited drops the rt_mutex again, which wakes the next.
      if (waited && mode.shared && inherits_priority(rules.locks[lock].kind, rules.preemption))
        wake_top_waiters(rules, lock);
      return Taken::got;
    }
    if (!sleepy) {
      for (std::size_t o = 0; o < rules.lanes.size(); ++o)
        if (rules.lanes[o].cpu == rules.lanes[me].cpu && owns(o, lock)) return Taken::deadlock;
      return Taken::spins;
    }
    if (!task) {
      const Byte interrupted_task = current[rules.lanes[me].cpu];
      const Bool own = both(interrupted_task.nonzero(), l.owner == interrupted_task);
      return own ? Taken::deadlock : Taken::atomic_sleep;
    }
    if (l.owner == static_cast<unsigned>(me + 1)) return Taken::deadlock;
    if (atomic(me)) return Taken::atomic_sleep;
    lanes[me].blocked = Byte(mode.shared ? Blocked::waits_read : Blocked::waits_write);
    lanes[me].waits_for = Byte(lock + 1);
    leaves(rules, me);
    return Taken::blocks;
  }

  void release(const MachineRules& rules, std::size_t me, std::size_t lock, LockMode mode = plain) {
    const bool sleepy = sleeps(rules.locks[lock].kind, rules.preemption);
    if (mode.shared)
      locks[lock].readers &= ~Mask(1U << me);
    else
      locks[lock].owner = Byte(0);
    if (!sleepy) lanes[me].preempt_off -= Byte(1);
    if (!sleepy && mode.irq) lanes[me].irqs_off -= Byte(1);
    if (mode.bh) lanes[me].bh_off -= Byte(1);
    if (!sleepy) return;
    if (inherits_priority(rules.locks[lock].kind, rules.preemption)) {
      if (locks[lock].readers == 0) wake_top_waiters(rules, lock);
      return;
    }
    for (std::size_t o = 0; o < rules.lanes.size(); ++o) {
      const Bool waits = waits_at(o, lock);
      lanes[o].waits_for = select(waits, Byte(0), lanes[o].waits_for);
      lanes[o].blocked = select(waits, Byte(0), lanes[o].blocked);
    }
  }

  /// They stay enqueued, and ask again.
  void wake_top_waiters(const MachineRules& rules, std::size_t lock) {
    Bool waiters = false;
    for (std::size_t o = 0; o < rules.lanes.size(); ++o) waiters = either(waiters, waits_at(o, lock));
    if (!waiters) return;
    const auto p = priorities(rules);
    Byte top(0);
    for (std::size_t o = 0; o < rules.lanes.size(); ++o)
      top = select(both(waits_at(o, lock), top < p[o]), p[o], top);
    for (std::size_t o = 0; o < rules.lanes.size(); ++o)
      lanes[o].blocked = select(both(waits_at(o, lock), p[o] == top), Byte(0), lanes[o].blocked);
  }

  /// A chain of lanes that wait for each other's sleeping locks comes back to `me`. One that was woken is about to ask
  /// again, and waits for nobody.
  bool waits_in_circle(const MachineRules& rules, std::size_t me) const {
    std::size_t at = me;
    for (std::size_t hop = 0; hop < rules.lanes.size(); ++hop) {
      std::size_t next = Lanes;
      if (lanes[at].blocked == 0) return false;
      for (std::size_t l = 0; l < rules.locks.size(); ++l) {
        if (!(lanes[at].waits_for == static_cast<unsigned>(l + 1))) continue;
        for (std::size_t o = 0; o < rules.lanes.size(); ++o)
          if (o != at && owns(o, l)) next = o;
      }
      if (next == Lanes) return false;
      if (next == me) return true;
      at = next;
    }
    return false;
  }
};

}  // namespace iomc::model
