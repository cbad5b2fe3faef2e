// SPDX-License-Identifier: GPL-2.0-or-later
// The machine: who runs, and what each lock kind does on each kernel.
#include <catch2/catch.hpp>

#include "model/execution.hpp"

namespace {

using namespace iomc::model;
using M = Machine<Concrete, 6, 8, 2>;

enum Lanes : std::size_t { low, high, elsewhere, softirq, hardirq, nmi };
enum Locks : std::size_t { raw, spin, rw, local, mutex_, sem, seq, spin2 };

MachineRules rules(Preemption p) {
  MachineRules r;
  r.preemption = p;
  r.lanes = {{ContextKind::task, 0, 0},    {ContextKind::task, 0, 50},   {ContextKind::task, 1, 0},
             {ContextKind::softirq, 0, 0}, {ContextKind::hardirq, 0, 0}, {ContextKind::nmi, 0, 0}};
  r.locks = {{"raw", LockKind::raw_spinlock}, {"spin", LockKind::spinlock}, {"rw", LockKind::rwlock},
             {"local", LockKind::local_lock}, {"mutex", LockKind::mutex},   {"sem", LockKind::rwsem},
             {"seq", LockKind::seqcount},     {"spin2", LockKind::spinlock}};
  return r;
}

/// The tasks of CPU 0 and 1 are in the kernel, `current` is current.
M machine(const MachineRules& r, std::size_t current) {
  M m{};
  m.lanes[low].active = 1;
  m.lanes[elsewhere].active = 1;
  m.runs(r, current);
  return m;
}

TEST_CASE("the task of higher priority runs, and equals of SCHED_FIFO run to the block") {
  auto r = rules(Preemption::rt);
  M m = machine(r, low);
  CHECK(m.may_run(r, low));
  m.lanes[high].active = 1;
  CHECK_FALSE(m.may_run(r, low));
  CHECK(m.may_run(r, high));
  CHECK(m.may_run(r, elsewhere));
  r.lanes[low].priority = 50;
  CHECK(m.may_run(r, low));
  CHECK_FALSE(m.may_run(r, high));
  m.sleep(r, low);
  CHECK(m.may_run(r, high));
  CHECK_FALSE(m.may_run(r, low));
  m.wake(low);
  CHECK(m.may_run(r, low));
}

TEST_CASE("nothing preempts a task with preemption or interrupts off") {
  const auto r = rules(Preemption::none);
  M m = machine(r, low);
  m.lanes[high].active = 1;
  m.lanes[low].preempt_off = 1;
  CHECK(m.may_run(r, low));
  CHECK_FALSE(m.may_run(r, high));
  CHECK(m.may_start(r, hardirq));
  m.lanes[low].preempt_off = 0;
  m.lanes[low].irqs_off = 1;
  CHECK_FALSE(m.may_run(r, high));
  CHECK_FALSE(m.may_start(r, hardirq));
  CHECK_FALSE(m.may_start(r, softirq));
  CHECK(m.may_start(r, nmi));
}

TEST_CASE("interrupt contexts nest upwards only") {
  const auto r = rules(Preemption::none);
  M m = machine(r, low);
  CHECK(m.may_start(r, softirq));
  m.lanes[low].bh_off = 1;
  CHECK_FALSE(m.may_start(r, softirq));
  m.lanes[low].bh_off = 0;
  m.lanes[softirq].active = 1;
  CHECK_FALSE(m.may_run(r, low));
  CHECK(m.may_start(r, hardirq));
  m.lanes[hardirq].active = 1;
  m.lanes[hardirq].irqs_off = 1;
  CHECK_FALSE(m.may_run(r, softirq));
  CHECK_FALSE(m.may_start(r, hardirq));
  CHECK(m.may_start(r, nmi));
  m.lanes[nmi].active = 1;
  CHECK_FALSE(m.may_run(r, hardirq));
  CHECK(m.may_run(r, elsewhere));
}

TEST_CASE("a spinlock_t spins without RT and turns interrupts off in its irq form") {
  for (const Preemption p : {Preemption::none, Preemption::threadirqs}) {
    const auto r = rules(p);
    M m = machine(r, low);
    CHECK(m.acquire(r, low, spin, irqsave) == Taken::got);
    CHECK(m.lanes[low].preempt_off == 1);
    CHECK(m.lanes[low].irqs_off == 1);
    CHECK(m.acquire(r, elsewhere, spin) == Taken::spins);
    CHECK(m.lanes[elsewhere].blocked == 0);
    m.release(r, low, spin, irqsave);
    CHECK(m.lanes[low].irqs_off == 0);
    CHECK(m.acquire(r, elsewhere, spin) == Taken::got);
  }
}

TEST_CASE("a spinlock_t on RT leaves interrupts and preemption on, blocks, and lends the waiter's priority") {
  auto r = rules(Preemption::rt);
  M m = machine(r, low);
  CHECK(m.acquire(r, low, spin, irqsave) == Taken::got);
  CHECK(m.lanes[low].preempt_off == 0);
  CHECK(m.may_start(r, hardirq));
  m.lanes[high].active = 1;
  m.runs(r, high);
  CHECK(m.acquire(r, high, spin) == Taken::blocks);
  CHECK(m.priorities(r)[low] == 50);
  CHECK(m.may_run(r, low));
  CHECK_FALSE(m.may_run(r, high));
  m.release(r, low, spin, irqsave);
  CHECK(m.priorities(r)[low] == 0);
  CHECK(m.may_run(r, high));
  CHECK_FALSE(m.may_run(r, low));
}

TEST_CASE("priority goes along a chain of owners, and not to readers") {
  auto r = rules(Preemption::rt);
  M m = machine(r, low);
  REQUIRE(m.acquire(r, low, spin) == Taken::got);
  REQUIRE(m.acquire(r, elsewhere, spin2) == Taken::got);
  REQUIRE(m.acquire(r, elsewhere, spin) == Taken::blocks);
  m.lanes[high].active = 1;
  REQUIRE(m.acquire(r, high, spin2) == Taken::blocks);
  CHECK(m.priorities(r)[elsewhere] == 50);
  CHECK(m.priorities(r)[low] == 50);

  M readers = machine(r, low);
  REQUIRE(readers.acquire(r, low, rw, shared) == Taken::got);
  readers.lanes[high].active = 1;
  REQUIRE(readers.acquire(r, high, rw) == Taken::blocks);
  CHECK(readers.priorities(r)[low] == 0);
}

TEST_CASE("a hard interrupt that takes a spinlock_t on RT") {
  const auto r = rules(Preemption::rt);
  SECTION("uncontended: it owns the lock in the name of what it interrupted") {
    M m = machine(r, low);
    m.lanes[hardirq].active = 1;
    CHECK_FALSE(m.context_allows(r, hardirq, spin, false, false));
    CHECK(m.acquire(r, hardirq, spin, irqsave) == Taken::got);
    CHECK(m.locks[spin].owner == low + 1);
    m.release(r, hardirq, spin, irqsave);
    m.leaves(r, low);
    CHECK(m.acquire(r, hardirq, spin, irqsave) == Taken::got);
    CHECK(m.locks[spin].owner == idle_owner);
  }
  SECTION("the interrupted task is the owner: it never ends") {
    M m = machine(r, low);
    REQUIRE(m.acquire(r, low, spin) == Taken::got);
    m.lanes[hardirq].active = 1;
    CHECK(m.acquire(r, hardirq, spin) == Taken::deadlock);
  }
  SECTION("another task is the owner: it would have to call the scheduler") {
    M m = machine(r, low);
    REQUIRE(m.acquire(r, elsewhere, spin) == Taken::got);
    m.lanes[hardirq].active = 1;
    CHECK(m.acquire(r, hardirq, spin) == Taken::atomic_sleep);
  }
  SECTION("over the idle task as well") {
    M m = machine(r, low);
    REQUIRE(m.acquire(r, elsewhere, spin) == Taken::got);
    m.leaves(r, low);
    m.lanes[hardirq].active = 1;
    CHECK(m.acquire(r, hardirq, spin) == Taken::atomic_sleep);
  }
}

TEST_CASE("an interrupt that spins on a lock of what it interrupted never ends") {
  const auto r = rules(Preemption::none);
  M m = machine(r, low);
  REQUIRE(m.acquire(r, low, spin) == Taken::got);
  m.lanes[hardirq].active = 1;
  CHECK(m.acquire(r, hardirq, spin) == Taken::deadlock);
  CHECK(m.acquire(r, elsewhere, spin) == Taken::spins);
}

TEST_CASE("sleeping locks block in tasks, and nowhere else") {
  const auto r = rules(Preemption::none);
  M m = machine(r, low);
  CHECK(m.acquire(r, low, mutex_) == Taken::got);
  CHECK(m.lanes[low].preempt_off == 0);
  CHECK(m.acquire(r, elsewhere, mutex_) == Taken::blocks);
  CHECK_FALSE(m.may_run(r, elsewhere));
  CHECK(m.acquire(r, low, mutex_) == Taken::deadlock);
  m.release(r, low, mutex_);
  CHECK(m.may_run(r, elsewhere));
  CHECK(m.acquire(r, elsewhere, mutex_) == Taken::got);
  m.lanes[low].preempt_off = 1;
  CHECK(m.acquire(r, low, mutex_) == Taken::atomic_sleep);
}

TEST_CASE("a writer that waits comes before new readers") {
  const auto r = rules(Preemption::none);
  M m = machine(r, low);
  REQUIRE(m.acquire(r, low, sem, shared) == Taken::got);
  REQUIRE(m.acquire(r, elsewhere, sem) == Taken::blocks);
  m.lanes[high].active = 1;
  CHECK(m.acquire(r, high, sem, shared) == Taken::blocks);
  m.release(r, low, sem, shared);
  CHECK(m.lanes[elsewhere].blocked == 0);
}

TEST_CASE("a released rt_mutex goes to its top waiter, or to who may steal it") {
  auto r = rules(Preemption::rt);
  r.lanes.resize(nmi);
  r.lanes.push_back({ContextKind::task, 1, 10});
  constexpr std::size_t middle = nmi;
  M m = machine(r, low);
  m.lanes[high].active = 1;
  m.lanes[middle].active = 1;
  REQUIRE(m.acquire(r, low, spin) == Taken::got);
  REQUIRE(m.acquire(r, elsewhere, spin) == Taken::blocks);
  REQUIRE(m.acquire(r, middle, spin) == Taken::blocks);
  m.release(r, low, spin);

  SECTION("the top waiter is woken, and stays enqueued; the other sleeps on") {
    CHECK(m.lanes[middle].blocked == 0);
    CHECK(m.waits_at(middle, spin));
    CHECK(m.lanes[elsewhere].blocked == waits_write);
    CHECK(m.acquire(r, middle, spin) == Taken::got);
    CHECK_FALSE(m.waits_at(middle, spin));
    m.release(r, middle, spin);
    CHECK(m.lanes[elsewhere].blocked == 0);
  }
  SECTION("a task of lower priority cannot take it before, by trying neither") {
    CHECK_FALSE(m.free_for(r, low, spin, plain));
    CHECK(m.acquire(r, low, spin) == Taken::blocks);
    CHECK(m.free_for(r, middle, spin, plain));
  }
  SECTION("a task of higher priority steals it, and the waiter waits on and lends it nothing") {
    CHECK(m.acquire(r, high, spin) == Taken::got);
    CHECK(m.acquire(r, middle, spin) == Taken::blocks);
    CHECK(m.priorities(r)[high] == 50);
    m.release(r, high, spin);
    CHECK(m.lanes[middle].blocked == 0);
  }
  SECTION("nor may an interrupt over a task of lower priority, or over idle") {
    m.lanes[hardirq].active = 1;
    CHECK(m.acquire(r, hardirq, spin) == Taken::atomic_sleep);
    m.leaves(r, low);
    CHECK(m.acquire(r, hardirq, spin) == Taken::atomic_sleep);
  }
}

TEST_CASE("among equals a spinlock_t is stolen by tasks that are not real-time only, a mutex by none") {
  auto r = rules(Preemption::rt);
  r.lanes.resize(nmi);
  r.lanes.push_back({ContextKind::task, 0, 0});
  constexpr std::size_t thief = nmi;
  for (const unsigned priority : {0U, 10U})
    for (const std::size_t lock : {spin, mutex_}) {
      r.lanes[elsewhere].priority = r.lanes[thief].priority = priority;
      M m = machine(r, low);
      m.lanes[thief].active = 1;
      REQUIRE(m.acquire(r, low, lock) == Taken::got);
      REQUIRE(m.acquire(r, elsewhere, lock) == Taken::blocks);
      m.release(r, low, lock);
      INFO("priority " << priority << ", " << r.locks[lock].name);
      CHECK(m.free_for(r, thief, lock, plain) == (priority == 0 && lock == spin));
      CHECK(m.free_for(r, elsewhere, lock, plain));
    }
}

TEST_CASE("on RT readers pass a writer that has yet to take the lock, and no writer that waits for readers") {
  const auto r = rules(Preemption::rt);
  M m = machine(r, low);
  m.lanes[high].active = 1;
  REQUIRE(m.acquire(r, low, rw, shared) == Taken::got);
  REQUIRE(m.acquire(r, elsewhere, rw) == Taken::blocks);
  CHECK_FALSE(m.free_for(r, high, rw, shared));
  m.release(r, low, rw, shared);
  CHECK(m.lanes[elsewhere].blocked == 0);
  CHECK(m.acquire(r, high, rw, shared) == Taken::got);
  CHECK(m.acquire(r, elsewhere, rw) == Taken::blocks);
}

TEST_CASE("to 6.3, on RT, readers pass a writer that waits for readers") {
  auto r = rules(Preemption::rt);
  r.rt_writer_first = false;
  M m = machine(r, low);
  m.lanes[high].active = 1;
  REQUIRE(m.acquire(r, low, sem, shared) == Taken::got);
  REQUIRE(m.acquire(r, elsewhere, sem) == Taken::blocks);
  CHECK(m.acquire(r, high, sem, shared) == Taken::got);
  CHECK_FALSE(m.waits_in_circle(r, high));
  m.release(r, low, sem, shared);
  CHECK(m.lanes[elsewhere].blocked == waits_write);
  m.release(r, high, sem, shared);
  CHECK(m.lanes[elsewhere].blocked == 0);
}

TEST_CASE("without RT a released mutex is anybody's") {
  const auto r = rules(Preemption::none);
  M m = machine(r, low);
  m.lanes[high].active = 1;
  REQUIRE(m.acquire(r, low, mutex_) == Taken::got);
  REQUIRE(m.acquire(r, high, mutex_) == Taken::blocks);
  m.release(r, low, mutex_);
  CHECK(m.free_for(r, elsewhere, mutex_, plain));
}

TEST_CASE("the rule of contexts, lock by lock") {
  struct Case {
    Preemption p;
    std::size_t lane;
    std::size_t lock;
    bool allowed;
  };
  const Case cases[] = {
      {Preemption::none, hardirq, raw, true},   {Preemption::none, hardirq, spin, true},
      {Preemption::none, hardirq, mutex_, false}, {Preemption::none, softirq, spin, true},
      {Preemption::none, softirq, mutex_, false}, {Preemption::none, low, mutex_, true},
      {Preemption::threadirqs, hardirq, spin, true}, {Preemption::rt, hardirq, raw, true},
      {Preemption::rt, hardirq, spin, false},   {Preemption::rt, hardirq, rw, false},
      {Preemption::rt, hardirq, local, false},  {Preemption::rt, hardirq, sem, false},
      {Preemption::rt, hardirq, seq, true},     {Preemption::rt, low, spin, true},
      {Preemption::rt, nmi, spin, false},
  };
  for (const Case& c : cases) {
    const auto r = rules(c.p);
    const M m = machine(r, low);
    INFO("preemption " << int(c.p) << ", lane " << c.lane << ", lock " << r.locks[c.lock].name);
    CHECK(m.context_allows(r, c.lane, c.lock, false, false) == c.allowed);
  }
}

TEST_CASE("under a raw lock nothing that sleeps may be taken") {
  const auto r = rules(Preemption::rt);
  M m = machine(r, low);
  REQUIRE(m.acquire(r, low, raw) == Taken::got);
  CHECK_FALSE(m.context_allows(r, low, spin, false, false));
  REQUIRE(m.acquire(r, elsewhere, spin) == Taken::got);
  CHECK(m.acquire(r, low, spin) == Taken::atomic_sleep);
  CHECK(m.context_allows(r, elsewhere, spin2, false, false));
}

TEST_CASE("lockdep judges a handler as RT would run it") {
  const auto r = rules(Preemption::none);
  const M m = machine(r, low);
  CHECK(m.context_allows(r, hardirq, spin, true, true));
  CHECK_FALSE(m.context_allows(r, hardirq, spin, true, false));
  CHECK_FALSE(m.context_allows(r, hardirq, mutex_, true, true));
}

TEST_CASE("a circle of tasks that wait for each other") {
  const auto r = rules(Preemption::none);
  M m = machine(r, low);
  REQUIRE(m.acquire(r, low, mutex_) == Taken::got);
  REQUIRE(m.acquire(r, elsewhere, sem) == Taken::got);
  REQUIRE(m.acquire(r, low, sem) == Taken::blocks);
  CHECK_FALSE(m.waits_in_circle(r, low));
  REQUIRE(m.acquire(r, elsewhere, mutex_) == Taken::blocks);
  CHECK(m.waits_in_circle(r, low));
  CHECK(m.waits_in_circle(r, elsewhere));
  CHECK_FALSE(m.waits_in_circle(r, high));
}

}  // namespace
