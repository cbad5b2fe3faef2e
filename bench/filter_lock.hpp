// SPDX-License-Identifier: GPL-2.0-or-later
// The filter lock: Peterson's algorithm for N processes, which pass N-1 levels one by one.
//
// The same atomic steps as bench/spin/f*.pml and bench/rumur/f*.m, so that counts can be compared.
#pragma once

#include <array>
#include <span>
#include <string>

#include "model/property.hpp"
#include "model/reflect.hpp"
#include "model/step.hpp"

namespace iomc::bench {

/// Where a process is; also the number of the step that it takes next.
inline constexpr unsigned filter_start = 0;
inline constexpr unsigned filter_set_level = 1;
inline constexpr unsigned filter_set_last = 2;
inline constexpr unsigned filter_pass = 3;
inline constexpr unsigned filter_leave = 4;
inline constexpr unsigned filter_steps = 5;

inline constexpr std::array<model::StepInfo, filter_steps> filter_step_table = {{
    {"start", "filter_lock", "bench/filter_lock.hpp", "the process wants in and begins at level 1"},
    {"set_level", "filter_lock", "bench/filter_lock.hpp", "level[i] = l"},
    {"set_last", "filter_lock", "bench/filter_lock.hpp", "last[l] = i"},
    {"pass", "filter_lock", "bench/filter_lock.hpp", "nobody else is as far, or another came later: one level up"},
    {"leave", "filter_unlock", "bench/filter_lock.hpp", "level[i] = 0"},
}};

struct FilterConfig {
  unsigned missing_levels = 0;  ///< for the test of the checker: with one level less two processes get in
};

template <class D, unsigned N>
struct FilterState {
  using Byte = typename D::template Bits<8>;

  std::array<Byte, N> at{};         // a step, as numbered above
  std::array<Byte, N> l{};          // the process's own loop counter
  std::array<Byte, N> level{};
  std::array<Byte, N - 1> last{};   // last[k] belongs to level k + 1

  template <class Self, class F>
  static void visit(Self& self, F&& f) {
    f("at", self.at, model::Range{0, filter_steps - 1});
    f("l", self.l, model::Range{0, N - 1});
    f("level", self.level, model::Range{0, N - 1});
    f("last", self.last, model::Range{0, N - 1});
  }
};

template <class D, unsigned N>
class FilterLock {
 public:
  using State = FilterState<D, N>;
  struct Event {};

  FilterLock() = default;
  explicit FilterLock(FilterConfig config) : levels_(N - 1 - config.missing_levels) {}

  const char* name() const { return "filter"; }
  std::span<const model::StepInfo> steps() const { return filter_step_table; }
  unsigned instances() const { return N * filter_steps; }
  unsigned step_of(unsigned instance) const { return instance % filter_steps; }
  bool may_stop(const State&) const { return false; }
  model::Lane lane(const State&, unsigned instance) const {
    const unsigned i = instance / filter_steps;
    return {static_cast<int>(i), std::string("task ") + static_cast<char>('A' + i)};
  }

  void initial(State& s, model::StepContext<Event>&) const { s = State{}; }

  template <class F>
  void for_each_candidate(const State& s, F&& f) const {
    for (unsigned i = 0; i < N; ++i)
      f(i * filter_steps + static_cast<unsigned>(model::index_of(s.at[i], filter_steps)));
  }

  bool fire(State& s, unsigned instance, model::StepContext<Event>&) const {
    const unsigned i = instance / filter_steps;
    const unsigned step = instance % filter_steps;
    if (s.at[i] != step) return false;
    switch (step) {
      case filter_start:
        s.l[i] = 1;
        break;
      case filter_set_level:
        s.level[i] = s.l[i];
        break;
      case filter_set_last:
        s.last[model::index_of(s.l[i] - 1, N - 1)] = i;
        break;
      case filter_pass:
        return pass(s, i);
      default:
        s.level[i] = 0;
        s.l[i] = 0;
    }
    s.at[i] = (step + 1) % filter_steps;
    return true;
  }

 private:
  bool pass(State& s, unsigned i) const {
    typename D::Bool free = s.last[model::index_of(s.l[i] - 1, N - 1)] != i;
    typename D::Bool first = true;
    for (unsigned k = 0; k < N; ++k)
      if (k != i) first = model::both(first, s.level[k] < s.l[i]);
    if (!model::either(free, first)) return false;
    if (s.l[i] == levels_) {
      s.at[i] = filter_leave;
    } else {
      s.l[i] += 1;
      s.at[i] = filter_set_level;
    }
    return true;
  }

  unsigned levels_ = N - 1;
};

/// How many processes hold the lock: those whose next step is to leave.
template <class D, unsigned N>
unsigned filter_holders(const FilterState<D, N>& s) {
  unsigned n = 0;
  for (unsigned i = 0; i < N; ++i)
    if (s.at[i] == filter_leave) ++n;
  return n;
}

template <class D, unsigned N>
model::Property<FilterLock<D, N>> filter_mutual_exclusion() {
  using Spec = FilterLock<D, N>;
  using State = typename Spec::State;
  model::Property<Spec> p;
  p.info = {"filter.mutex", "at most one process holds the lock", "two writers in one critical section",
            "G. L. Peterson, Myths about the mutual exclusion problem, 1981", model::PropertyKind::safety};
  p.holds_in = [](const Spec&, const State& s) { return filter_holders(s) <= 1; };
  p.relevant_in = [](const Spec&, const State& s) { return filter_holders(s) > 0; };
  p.explain = [](const Spec&, const State&, const State& after, const typename Spec::Event*) {
    return std::to_string(filter_holders(after)) + " processes hold the lock";
  };
  return p;
}

}  // namespace iomc::bench
