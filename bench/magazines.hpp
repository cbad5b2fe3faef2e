// SPDX-License-Identifier: GPL-2.0-or-later
// Per-CPU magazines over a lowest-free allocator, the shape of the kernel's IOVA rcache: each of two CPUs has a loaded
// and a previous magazine of two slots, all share a depot of one full magazine, and K objects go round.
//
// The same atomic steps as bench/spin/m*.pml and bench/rumur/m*.m, so that counts can be compared.
#pragma once

#include <array>
#include <span>
#include <string>
#include <utility>

#include "model/property.hpp"
#include "model/reflect.hpp"
#include "model/step.hpp"

namespace iomc::bench {

inline constexpr unsigned magazine_alloc = 0;
inline constexpr unsigned magazine_free = 1;
inline constexpr unsigned magazine_steps = 2;

inline constexpr std::array<model::StepInfo, magazine_steps> magazine_step_table = {{
    {"alloc", "alloc", "bench/magazines.hpp", "one object from the magazines, the depot or the allocator"},
    {"free", "free", "bench/magazines.hpp", "one object into the magazines; a full one goes to the depot or empties"},
}};

inline constexpr unsigned object_free = 0;
inline constexpr unsigned object_held = 1;
inline constexpr unsigned object_cached = 2;

struct MagazineConfig {
  bool clear_depot = true;  ///< false, for the test of the checker: a magazine taken from the depot stays there too
};

inline constexpr unsigned magazine_cpus = 2;
inline constexpr unsigned magazine_slots = 2;

template <class D, unsigned K>
struct MagazineCpu {
  using Byte = typename D::template Bits<8>;
  using Magazine = std::array<Byte, magazine_slots>;  // object numbers from 1, from the front; 0 is an empty slot

  Magazine loaded{};
  Magazine previous{};

  template <class Self, class F>
  static void visit(Self& self, F&& f) {
    f("loaded", self.loaded, model::Range{0, K});
    f("previous", self.previous, model::Range{0, K});
  }
};

template <class D, unsigned K>
struct MagazineState {
  using Byte = typename D::template Bits<8>;
  using Cpu = MagazineCpu<D, K>;

  std::array<Cpu, magazine_cpus> cpu{};
  typename Cpu::Magazine depot{};
  std::array<Byte, K> place{};  // where object k + 1 is, as numbered above

  template <class Self, class F>
  static void visit(Self& self, F&& f) {
    f("cpu", self.cpu, model::any);
    f("depot", self.depot, model::Range{0, K});
    f("place", self.place, model::Range{0, object_cached});
  }
};

template <class D, unsigned K>
class Magazines {
 public:
  using State = MagazineState<D, K>;
  using Cpu = typename State::Cpu;
  using Magazine = typename Cpu::Magazine;
  struct Event {};
  using Context = model::StepContext<Event>;

  Magazines() = default;
  explicit Magazines(MagazineConfig config) : config_(config) {}

  const char* name() const { return "magazines"; }
  std::span<const model::StepInfo> steps() const { return magazine_step_table; }
  // For each CPU: one allocation, then a free of each object.
  unsigned instances() const { return magazine_cpus * (1 + K); }
  unsigned step_of(unsigned instance) const { return instance % (1 + K) == 0 ? magazine_alloc : magazine_free; }
  bool may_stop(const State&) const { return false; }
  model::Lane lane(const State&, unsigned instance) const {
    const unsigned cpu = instance / (1 + K);
    return {static_cast<int>(cpu), "task " + std::to_string(cpu)};
  }

  void initial(State& s, Context&) const { s = State{}; }

  template <class F>
  void for_each_candidate(const State& s, F&& f) const {
    for (unsigned cpu = 0; cpu < magazine_cpus; ++cpu) {
      f(cpu * (1 + K));
      for (unsigned k = 0; k < K; ++k)
        if (s.place[k] == object_held) f(cpu * (1 + K) + 1 + k);
    }
  }

  bool fire(State& s, unsigned instance, Context&) const {
    const unsigned cpu = instance / (1 + K);
    const unsigned object = instance % (1 + K);
    return object == 0 ? alloc(s, s.cpu[cpu]) : free(s, s.cpu[cpu], object);
  }

 private:
  static unsigned used(const Magazine& m) {
    unsigned n = 0;
    while (n < magazine_slots && m[n] != 0) ++n;
    return n;
  }

  static void pop(State& s, Magazine& m, unsigned n) {
    s.place[model::index_of(m[n - 1] - 1, K)] = object_held;
    m[n - 1] = 0;
  }

  bool alloc(State& s, Cpu& cpu) const {
    if (const unsigned n = used(cpu.loaded); n > 0) {
      pop(s, cpu.loaded, n);
      return true;
    }
    if (const unsigned n = used(cpu.previous); n > 0) {
      std::swap(cpu.loaded, cpu.previous);
      pop(s, cpu.loaded, n);
      return true;
    }
    if (s.depot[0] != 0) {
      cpu.loaded = s.depot;
      if (config_.clear_depot) s.depot = Magazine{};
      pop(s, cpu.loaded, magazine_slots);
      return true;
    }
    for (auto& place : s.place)
      if (place == object_free) {
        place = object_held;
        return true;
      }
    return false;
  }

  static bool free(State& s, Cpu& cpu, unsigned object) {
    if (s.place[object - 1] != object_held) return false;
    s.place[object - 1] = object_cached;
    unsigned n = used(cpu.loaded);
    if (n == magazine_slots) {
      n = used(cpu.previous);
      if (n < magazine_slots) {
        std::swap(cpu.loaded, cpu.previous);
      } else {
        retire(s, cpu.loaded);
        n = 0;
      }
    }
    cpu.loaded[n] = object;
    return true;
  }

  /// A full magazine goes to the depot; if that is full, its objects go back to the allocator.
  static void retire(State& s, Magazine& full) {
    if (s.depot[0] == 0)
      s.depot = full;
    else
      for (const auto& object : full) s.place[model::index_of(object - 1, K)] = object_free;
    full = Magazine{};
  }

  MagazineConfig config_;
};

/// No object is in two slots, and none in a slot is held by a caller or free in the allocator as well.
template <class D, unsigned K>
bool magazines_exact(const MagazineState<D, K>& s) {
  unsigned seen = 0;
  const auto exact = [&](const auto& magazine) {
    for (const auto& object : magazine) {
      if (object == 0) continue;
      const std::size_t k = model::index_of(object - 1, K);
      if ((seen >> k & 1U) != 0 || s.place[k] != object_cached) return false;
      seen |= 1U << k;
    }
    return true;
  };
  for (const auto& cpu : s.cpu)
    if (!exact(cpu.loaded) || !exact(cpu.previous)) return false;
  return exact(s.depot);
}

template <class D, unsigned K>
model::Property<Magazines<D, K>> magazines_no_duplicate() {
  using Spec = Magazines<D, K>;
  using State = typename Spec::State;
  model::Property<Spec> p;
  p.info = {"magazines.no_duplicate", "an object is in at most one slot, and then nobody holds it",
            "one address range is given to two callers", "drivers/iommu/iova.c, the rcache",
            model::PropertyKind::safety};
  p.holds_in = [](const Spec&, const State& s) { return magazines_exact(s); };
  p.relevant_in = [](const Spec&, const State& s) { return s.cpu[0].loaded[0] != 0 || s.cpu[1].loaded[0] != 0; };
  p.explain = [](const Spec&, const State&, const State&, const typename Spec::Event*) {
    return std::string("an object is in two slots, or in a slot and held");
  };
  return p;
}

}  // namespace iomc::bench
