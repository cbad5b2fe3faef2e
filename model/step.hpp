// SPDX-License-Identifier: GPL-2.0-or-later
// Steps: what a specification hands to the engines.
//
// A step is what the kernel does without interleaving. It is an ordinary function on the state; it returns false, with
// the state untouched, where it cannot be taken. What it does not decide itself it asks of the context:
//   pick(n)    a choice of the environment, 0..n-1; the engines take each of them
//   emit(e)    something happened that a property may speak about (a grant, a failed search)
//   cost(c,n)  something happened that takes time
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/cost.hpp"
#include "model/value.hpp"

namespace iomc::model {

/// A step's public name and the kernel code it stands for.
struct StepInfo {
  const char* name;      ///< stable identifier: the kernel function, with a suffix where a function has several steps
  const char* function;  ///< kernel function
  const char* file;      ///< kernel file
  const char* what;      ///< one line: what happens between the two points where others may interleave
};

/// Where a step runs, for the lanes of a counterexample.
struct Lane {
  int cpu = -1;         ///< -1: no CPU (hardware, the environment)
  std::string context;  ///< "task A", "hardirq", "softirq timer"
};

/// The choices of one step: a vector that is replayed, then extended. Shared by all engines.
class Choices {
 public:
  unsigned pick(unsigned n) {
    IOMC_PRE(n > 0);
    if (n == 1) return 0;
    if (at_ == taken_.size()) taken_.push_back({0, n});
    IOMC_INVARIANT(taken_[at_].bound == n);
    return taken_[at_++].value;
  }
  void restart() { at_ = 0; }
  /// The next vector in order; false after the last.
  bool advance() {
    while (!taken_.empty())
      if (advance_last()) return true;
    return false;
  }
  /// The last choice's next value; false, and the choice is dropped, after its last. For an engine that backtracks
  /// over decisions of its own between the choices.
  bool advance_last() {
    IOMC_PRE(!taken_.empty());
    at_ = 0;
    if (taken_.back().value + 1 == taken_.back().bound) return taken_.pop_back(), false;
    return ++taken_.back().value, true;
  }
  void clear() {
    taken_.clear();
    at_ = 0;
  }
  bool empty() const { return taken_.empty(); }
  std::size_t used() const { return at_; }
  std::size_t size() const { return taken_.size(); }
  unsigned at(std::size_t i) const { return taken_[i].value; }

 private:
  struct Choice {
    unsigned value;
    unsigned bound;
  };
  std::vector<Choice> taken_;
  std::size_t at_ = 0;
};

/// What a step is given besides the state. Event is the specification's own type.
template <class Event>
class StepContext {
 public:
  unsigned pick(unsigned n) { return choices_.pick(n); }
  void emit(const Event& e) {
    IOMC_INVARIANT(events_used_ < events_.size());
    events_[events_used_++] = e;
  }
  void cost(Cost c, std::uint64_t n = 1) {
    counted_.n[static_cast<std::size_t>(c)] += n;
  }

  std::span<const Event> events() const { return {events_.data(), events_used_}; }
  const CostCount& counted() const { return counted_; }
  Choices& choices() { return choices_; }

  /// Forgets events, keeps choices and costs: before each execution of a step.
  void begin() {
    events_used_ = 0;
    choices_.restart();
  }
  void reset_cost() { counted_ = {}; }

 private:
  Choices choices_;
  std::array<Event, 8> events_{};
  std::size_t events_used_ = 0;
  CostCount counted_{};
};

/// What every engine may ask of a specification S.
///   S::State, S::Event                     the state (with visit) and the event type
///   initial(state, cx)                     makes one initial state; picks enumerate the others
///   instances()                            how many step instances there are, numbered from 0
///   fire(state, instance, cx) -> bool      takes one, or returns false with the state untouched
///   for_each_candidate(state, f)           calls f(instance) for a superset of the enabled ones, ascending
///   step_of(instance) -> index into steps()
///   steps()                                the table of StepInfo
///   lane(state, instance)                  where it runs
///   name()                                 "iova": the prefix of its property ids
///   may_stop(state)                        no enabled step is fine here (not a deadlock)
template <class S>
concept Specification = requires(const S& spec, typename S::State& state, StepContext<typename S::Event>& cx,
                                 unsigned i) {
  spec.initial(state, cx);
  { spec.instances() } -> std::convertible_to<unsigned>;
  { spec.fire(state, i, cx) } -> std::convertible_to<bool>;
  { spec.step_of(i) } -> std::convertible_to<unsigned>;
  { spec.steps() } -> std::convertible_to<std::span<const StepInfo>>;
  { spec.lane(state, i) } -> std::convertible_to<Lane>;
  { spec.may_stop(state) } -> std::convertible_to<bool>;
  { spec.name() } -> std::convertible_to<const char*>;
  spec.for_each_candidate(state, [](unsigned) {});
};

/// Runs `body` once for each vector of choices: body() must execute one step from a fresh copy of the state.
template <class Event, class Body>
void for_each_choice(StepContext<Event>& cx, Body&& body) {
  cx.choices().clear();
  do {
    cx.begin();
    body();
  } while (cx.choices().advance());
}

}  // namespace iomc::model
