// SPDX-License-Identifier: GPL-2.0-or-later
// A small specification for the tests of the explorer: two tasks take two locks, write a value of the environment's
// choice and release both. In the wrong order they deadlock.
#pragma once

#include <array>
#include <span>
#include <string>

#include "model/property.hpp"
#include "model/reflect.hpp"
#include "model/step.hpp"

namespace iomc::test {

struct AbbaState {
  std::array<model::Bits<8>, 2> owner{};  // 0 free, else 1 + task
  std::array<model::Bits<8>, 2> held{};   // how many locks a task has
  model::Bits<16> value{};

  template <class Self, class F>
  static void visit(Self& self, F&& f) {
    f("owner", self.owner, model::Range{0, 2});
    f("held", self.held, model::Range{0, 2});
    f("value", self.value, model::Range{0, 2});
  }
};

struct Abba {
  using State = AbbaState;
  struct Event {
    unsigned value = 0;
  };
  using Context = model::StepContext<Event>;

  bool same_order = true;
  bool silent = false;     // emits nothing
  unsigned worst = 1;      // the greatest value that may be written
  unsigned initials = 1;   // initial states: value 0, 1, ...
  bool ends = false;       // no step is fine

  enum Step : unsigned { take_first, take_second, write, abandon, steps_ };
  static constexpr std::array<model::StepInfo, steps_> table = {{
      {"take_first", "task", "abba.c", "takes its first lock"},
      {"take_second", "task", "abba.c", "takes its second lock"},
      {"write", "task", "abba.c", "writes and releases both"},
      {"abandon", "task", "abba.c", "never happens"},
  }};

  const char* name() const { return "abba"; }
  std::span<const model::StepInfo> steps() const { return table; }
  unsigned instances() const { return 2 * steps_; }
  unsigned step_of(unsigned instance) const { return instance % steps_; }
  bool may_stop(const State&) const { return ends; }
  model::Lane lane(const State&, unsigned instance) const { return {static_cast<int>(instance / steps_), "task"}; }
  void initial(State& s, Context& cx) const {
    s = State{};
    s.value = cx.pick(initials);
  }
  template <class F>
  void for_each_candidate(const State&, F&& f) const {
    for (unsigned i = 0; i < 2 * steps_; ++i) f(i);
  }

  bool fire(State& s, unsigned instance, Context& cx) const {
    const unsigned task = instance / steps_;
    const unsigned step = instance % steps_;
    if (step == abandon || s.held[task] != step) return false;
    if (step != write) {
      const unsigned lock = same_order || task == 0 ? step : 1 - step;
      if (s.owner[lock] != 0) return false;
      s.owner[lock] = 1 + task;
      s.held[task] += 1;
      return true;
    }
    s.value = cx.pick(worst + 1);
    s.owner = {};
    s.held[task] = 0;
    cx.cost(model::Cost::shared_write);
    if (!silent) cx.emit({s.value.raw()});
    return true;
  }
};

/// No write is of 2 or more; speaks of events only.
inline model::Property<Abba> small_writes() {
  model::Property<Abba> p;
  p.info = {"abba.small", "no task writes more than 1", "the value is an index", "test", model::PropertyKind::safety};
  p.holds_on = [](const Abba&, const AbbaState&, const AbbaState&, const Abba::Event& e) { return e.value < 2; };
  p.relevant_on = [](const Abba::Event&) { return true; };
  return p;
}

/// A lock that is owned has an owner that counts it; speaks of states only.
inline model::Property<Abba> owners_hold() {
  model::Property<Abba> p;
  p.info = {"abba.owners", "an owned lock is held", "lost locks", "test", model::PropertyKind::safety};
  p.holds_in = [](const Abba&, const AbbaState& s) {
    for (const auto& o : s.owner)
      if (o != 0 && s.held[o.raw() - 1U] == 0) return false;
    return true;
  };
  return p;
}

}  // namespace iomc::test
