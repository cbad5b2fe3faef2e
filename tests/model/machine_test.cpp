// SPDX-License-Identifier: GPL-2.0-or-later
// The short form of the machine beside the whole one: the same lanes do the same things in both, in every order, and
// both must give the same answers to every question in every state on the way.
#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <vector>

#include "model/execution.hpp"
#include "model/machine.hpp"

namespace {

using namespace iomc::model;

constexpr unsigned lane_count = 5;
constexpr unsigned lock_count = 2;
using Whole = Machine<Concrete, lane_count, lock_count, 2>;

struct ShortLane {
  LaneContext<Concrete> context;
};

/// One machine, twice.
struct Both {
  std::array<ShortLane, lane_count> lanes{};
  std::array<SpinLock<Concrete>, lock_count> locks{};
  Whole whole{};

  std::string bytes() const {
    std::string out;
    for (const auto& l : lanes) {
      out += static_cast<char>(l.context.active.raw());
      out += static_cast<char>(l.context.atomic.raw());
    }
    for (const auto& l : locks) out += static_cast<char>(l.owner.raw());
    for (const auto& l : whole.lanes) {
      out += static_cast<char>(l.active.raw());
      out += static_cast<char>(l.irqs_off.raw());
      out += static_cast<char>(l.preempt_off.raw());
    }
    for (const auto& l : whole.locks) out += static_cast<char>(l.owner.raw());
    for (const auto& c : whole.current) out += static_cast<char>(c.raw());
    return out;
  }
};

/// Which kind of context each lane is, and where.
struct Scene {
  const char* what;
  std::array<ContextKind, lane_count> kinds;
  std::array<unsigned, lane_count> cpus;
  std::array<LockKind, lock_count> locks;
};

class Walk {
 public:
  Walk(const Scene& scene, Preemption preemption) : scene_(scene) {
    rules_.preemption = preemption;
    for (unsigned i = 0; i < lane_count; ++i) rules_.lanes.push_back({scene.kinds[i], scene.cpus[i], 0});
    for (const LockKind k : scene.locks) rules_.locks.push_back({"lock", k});
  }

  /// Visits every state that can be reached. Returns how many there are.
  std::size_t run() {
    Both first;
    for (unsigned i = 0; i < lane_count; ++i) first.lanes[i].context.cpu = scene_.cpus[i];
    visit(first);
    for (std::size_t at = 0; at < queue_.size(); ++at) {
      const Both s = queue_[at];
      for (unsigned lane = 0; lane < lane_count; ++lane) expand(s, lane);
    }
    return queue_.size();
  }
  std::set<Taken> answers() const { return answers_; }

 private:
  void visit(const Both& s) {
    if (seen_.insert(s.bytes()).second) queue_.push_back(s);
  }

  void expand(const Both& s, unsigned lane) {
    INFO(scene_.what << ", lane " << lane);
    const bool active = s.lanes[lane].context.active == 1;
    if (!active) {
      const bool starts = may_start(s.lanes, scene_.kinds, lane);
      if (starts != s.whole.may_start(rules_, lane)) CHECK(starts == s.whole.may_start(rules_, lane));
      if (starts) begin(s, lane);
      return;
    }
    const bool runs = may_run(s.lanes, scene_.kinds, lane);
    if (runs != s.whole.may_run(rules_, lane)) CHECK(runs == s.whole.may_run(rules_, lane));
    if (!runs) return;
    const auto& depth = s.whole.lanes[lane];
    const bool in_interrupt = scene_.kinds[lane] >= ContextKind::hardirq;
    const bool locked = s.whole.owns(lane, 0) || s.whole.owns(lane, 1);
    if (!locked && depth.preempt_off == 0 && (in_interrupt || depth.irqs_off == 0)) end(s, lane);
    if (!locked && !in_interrupt) {
      step(s, lane, [&](Execution<Concrete>& e) { e.irqs_off = e.irqs_off == 0 ? 1U : 0U; });
      if (depth.irqs_off == 0) step(s, lane, [&](Execution<Concrete>& e) { e.preempt_off = 1U - e.preempt_off.raw(); });
    }
    for (unsigned lock = 0; lock < lock_count; ++lock) {
      if (s.whole.owns(lane, lock))
        drop(s, lane, lock);
      else
        take(s, lane, lock);
    }
  }

  /// What the short form keeps of the depths.
  static void follow(Both& s, unsigned lane) {
    const auto& e = s.whole.lanes[lane];
    const Atomicity kept = e.preempt_off.nonzero() ? preempt_off : preemptible;
    s.lanes[lane].context.atomic = e.irqs_off.nonzero() ? irqs_off : kept;
  }

  template <class F>
  void step(Both s, unsigned lane, F&& change) {
    s.whole.runs(rules_, lane);
    change(s.whole.lanes[lane]);
    follow(s, lane);
    visit(s);
  }

  void begin(Both s, unsigned lane) {
    s.lanes[lane].context.active = 1;
    s.whole.lanes[lane].active = 1;
    const bool off = scene_.kinds[lane] >= ContextKind::hardirq;
    step(s, lane, [&](Execution<Concrete>& e) { e.irqs_off = off ? 1U : 0U; });
  }

  void end(Both s, unsigned lane) {
    s.lanes[lane].context.active = 0;
    s.whole.lanes[lane] = {};
    s.whole.leaves(rules_, lane);
    follow(s, lane);
    visit(s);
  }

  /// Lock 1 is taken in its irq form.
  void take(const Both& before, unsigned lane, unsigned lock) {
    Both s = before;
    s.whole.runs(rules_, lane);
    const Acquire short_answer = acquire(s.locks[lock], s.lanes, lane);
    const Taken answer = s.whole.acquire(rules_, lane, lock, lock == 1 ? irqsave : plain);
    answers_.insert(answer);
    const Taken expected = short_answer == Acquire::got    ? Taken::got
                           : short_answer == Acquire::busy ? Taken::spins
                                                           : Taken::deadlock;
    if (answer != expected) CHECK(int(answer) == int(expected));
    if (answer != Taken::got) return;
    follow(s, lane);
    visit(s);
  }

  void drop(Both s, unsigned lane, unsigned lock) {
    s.whole.runs(rules_, lane);
    release(s.locks[lock]);
    s.whole.release(rules_, lane, lock, lock == 1 ? irqsave : plain);
    follow(s, lane);
    visit(s);
  }

  const Scene& scene_;
  MachineRules rules_;
  std::vector<Both> queue_;
  std::set<std::string> seen_;
  std::set<Taken> answers_;
};

TEST_CASE("the short form gives the whole machine's answers") {
  using enum ContextKind;
  constexpr std::array spinlocks = {LockKind::spinlock, LockKind::spinlock};
  constexpr std::array raw = {LockKind::raw_spinlock, LockKind::raw_spinlock};
  const Scene scenes[] = {
      {"each kind of context on one CPU, a task on another", {task, softirq, hardirq, nmi, task}, {0, 0, 0, 0, 1},
       spinlocks},
      {"tasks and interrupts of two CPUs", {task, task, hardirq, softirq, hardirq}, {0, 0, 0, 1, 1}, spinlocks},
      {"three tasks of one CPU under a softirq and an interrupt", {task, task, task, softirq, hardirq},
       {0, 0, 0, 0, 0}, raw},
      {"two softirqs and two interrupts of one CPU", {task, softirq, softirq, hardirq, hardirq}, {0, 0, 0, 0, 0}, raw},
  };
  for (const Scene& scene : scenes)
    for (const Preemption p : {Preemption::none, Preemption::threadirqs}) {
      INFO(scene.what);
      Walk walk(scene, p);
      CHECK(walk.run() > 100);
      std::set<Taken> expected{Taken::got, Taken::deadlock};
      if (scene.cpus.back() == 1) expected.insert(Taken::spins);  // only another CPU can be waited for
      CHECK(walk.answers() == expected);
    }
}

TEST_CASE("with raw locks the short form also answers for PREEMPT_RT") {
  using enum ContextKind;
  const Scene scene = {"raw locks", {task, softirq, hardirq, task, hardirq}, {0, 0, 0, 1, 1},
                       {LockKind::raw_spinlock, LockKind::raw_spinlock}};
  Walk walk(scene, Preemption::rt);
  CHECK(walk.run() > 100);
  CHECK(walk.answers() == std::set<Taken>{Taken::got, Taken::spins, Taken::deadlock});
}

}  // namespace
