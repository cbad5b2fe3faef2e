// SPDX-License-Identifier: GPL-2.0-or-later
// The per-CPU magazine cache of drivers/iommu/iova.c, one size class, as small as it shows all its cases: the proving
// specification of the symbolic engine. Kernel code: iova_rcache_get, __iova_rcache_insert, iova_magazine_free_pfns,
// free_cpu_cached_iovas, free_global_cached_iovas, alloc_iova, free_iova; depot as an array (before 6.7).
//
// Left out: limits (a pop takes the top entry), failing allocation of a magazine, the task's own program: a CPU may
// allocate or free at any time, except that it first finishes freeing the magazine it took out of the cache.
// Cached addresses stay in the tree, as in the kernel. Emptied slots are zeroed, so that equal caches are equal states.
#pragma once

#include <array>
#include <span>
#include <utility>

#include "model/property.hpp"
#include "model/reflect.hpp"
#include "model/step.hpp"
#include "model/value.hpp"

namespace iomc::examples::magazine {

using model::both;
using model::either;
using model::index_of;
using model::negate;
using model::Range;
using model::select;

inline constexpr unsigned cpus = 2;
inline constexpr unsigned mag_size = 2;

template <class D>
using U8 = typename D::template Bits<8>;

/// struct iova_magazine, over addresses 0..K-1
template <class D, unsigned K>
struct Magazine {
  U8<D> size;
  std::array<U8<D>, mag_size> pfns;

  template <class Self, class F>
  static void visit(Self& m, F&& f) {
    f("size", m.size, Range{0, mag_size});
    f("pfns", m.pfns, Range{0, K - 1});
  }
};

/// struct iova_cpu_rcache, and the local mag_to_free of the CPU's __iova_rcache_insert
template <class D, unsigned K>
struct CpuRcache {
  Magazine<D, K> loaded;
  Magazine<D, K> prev;
  Magazine<D, K> to_free;

  template <class Self, class F>
  static void visit(Self& c, F&& f) {
    f("loaded", c.loaded, model::any);
    f("prev", c.prev, model::any);
    f("to_free", c.to_free, model::any);
  }
};

template <class D, unsigned K>
struct Domain {
  std::array<CpuRcache<D, K>, cpus> cpu;
  U8<D> depot_size;
  Magazine<D, K> depot;            // the one magazine that the depot holds
  std::array<U8<D>, K> in_tree;    // the range has a node
  std::array<U8<D>, K> granted;    // a driver holds it

  template <class Self, class F>
  static void visit(Self& d, F&& f) {
    f("cpu", d.cpu, model::any);
    f("depot_size", d.depot_size, Range{0, 1});
    f("depot", d.depot, model::any);
    f("in_tree", d.in_tree, model::flag);
    f("granted", d.granted, model::flag);
  }
};

struct NoEvent {};

/// What a version of the code does. The default is the kernel's.
struct Facts {
  bool fresh_magazine_after_depot_push = true;  ///< false: the CPU keeps the magazine that it gave to the depot
};

template <class D, unsigned K>
class Spec {
 public:
  using State = Domain<D, K>;
  using Event = NoEvent;
  using Context = model::StepContext<Event>;
  using Mag = Magazine<D, K>;

  explicit Spec(Facts facts = {}) : facts_(facts) {}

  const char* name() const { return "magazine"; }
  std::span<const model::StepInfo> steps() const { return infos; }
  unsigned instances() const { return static_cast<unsigned>(infos.size()) * cpus; }
  unsigned step_of(unsigned instance) const { return instance / cpus; }
  model::Lane lane(const State&, unsigned instance) const { return {static_cast<int>(instance % cpus), "task"}; }
  bool may_stop(const State&) const { return false; }
  void initial(State&, Context&) const {}

  template <class F>
  void for_each_candidate(const State&, F&& f) const {
    for (unsigned i = 0; i < instances(); ++i) f(i);
  }

  bool fire(State& s, unsigned instance, Context& cx) const {
    CpuRcache<D, K>& cpu = s.cpu[instance % cpus];
    switch (step_of(instance)) {
      case 0: return iova_rcache_get(s, cpu);
      case 1: return iova_rcache_insert(s, cpu, cx.pick(K));
      case 2: return iova_magazine_free_pfns(s, cpu);
      case 3: return free_cpu_cached_iovas(s, cpu);
      case 4: return free_global_cached_iovas(s);
      case 5: return alloc_iova(s);
      case 6: return free_iova(s, cx.pick(K));
      default: IOMC_UNREACHABLE("no such step");
    }
  }

 private:
  static constexpr const char* file = "drivers/iommu/iova.c";
  static constexpr std::array<model::StepInfo, 7> infos = {{
      {"iova_rcache_get", "iova_rcache_get", file, "take a cached address: loaded, prev, or a magazine of the depot"},
      {"iova_rcache_insert", "__iova_rcache_insert", file, "cache a freed address; a full magazine goes to the depot"},
      {"iova_magazine_free_pfns", "iova_magazine_free_pfns", file, "free a magazine for which the depot had no room"},
      {"free_cpu_cached_iovas", "free_cpu_cached_iovas", file, "free all that one CPU has cached"},
      {"free_global_cached_iovas", "free_global_cached_iovas", file, "free all that the depot holds"},
      {"alloc_iova", "__alloc_and_insert_iova_range", file, "take the highest free address from the tree"},
      {"free_iova", "free_iova", file, "give an address straight back to the tree"},
  }};

  static U8<D> iova_magazine_pop(Mag& mag) {
    const auto top = index_of(mag.size - 1, mag_size);
    mag.size -= 1;
    return std::exchange(mag.pfns[top], U8<D>(0));
  }

  static void iova_magazine_push(Mag& mag, unsigned pfn) {
    mag.pfns[index_of(mag.size, mag_size)] = pfn;
    mag.size += 1;
  }

  /// Removes the magazine's ranges from the tree and empties it.
  static void free_magazine(State& s, Mag& mag) {
    for (unsigned i = 0; i < mag_size; ++i)
      for (unsigned pfn = 0; pfn < K; ++pfn)
        s.in_tree[pfn] = select(both(mag.size > i, mag.pfns[i] == pfn), U8<D>(0), s.in_tree[pfn]);
    mag = {};
  }

  bool iova_rcache_get(State& s, CpuRcache<D, K>& cpu) const {
    if (cpu.loaded.size == 0) {
      if (cpu.prev.size > 0) {
        std::swap(cpu.prev, cpu.loaded);
      } else if (s.depot_size > 0) {
        cpu.loaded = std::exchange(s.depot, Mag{});
        s.depot_size -= 1;
      } else {
        return false;
      }
    }
    const U8<D> taken = iova_magazine_pop(cpu.loaded);
    for (unsigned pfn = 0; pfn < K; ++pfn) s.granted[pfn] = select(taken == pfn, U8<D>(1), s.granted[pfn]);
    return true;
  }

  bool iova_rcache_insert(State& s, CpuRcache<D, K>& cpu, unsigned pfn) const {
    if (s.granted[pfn] == 0 || cpu.to_free.size > 0) return false;
    s.granted[pfn] = 0;
    if (cpu.loaded.size == mag_size) {
      if (cpu.prev.size < mag_size) {
        std::swap(cpu.prev, cpu.loaded);
      } else if (s.depot_size == 0) {
        s.depot = cpu.loaded;
        s.depot_size += 1;
        if (!facts_.fresh_magazine_after_depot_push) {
          s.in_tree[pfn] = 0;  // no room, so free_iova_fast falls back to free_iova
          return true;
        }
        cpu.loaded = {};
      } else {
        cpu.to_free = std::exchange(cpu.loaded, Mag{});
      }
    }
    iova_magazine_push(cpu.loaded, pfn);
    return true;
  }

  bool iova_magazine_free_pfns(State& s, CpuRcache<D, K>& cpu) const {
    if (cpu.to_free.size == 0) return false;
    free_magazine(s, cpu.to_free);
    return true;
  }

  bool free_cpu_cached_iovas(State& s, CpuRcache<D, K>& cpu) const {
    if (both(cpu.loaded.size == 0, cpu.prev.size == 0)) return false;
    free_magazine(s, cpu.loaded);
    free_magazine(s, cpu.prev);
    return true;
  }

  bool free_global_cached_iovas(State& s) const {
    if (s.depot_size == 0) return false;
    free_magazine(s, s.depot);
    s.depot_size = 0;
    return true;
  }

  bool alloc_iova(State& s) const {
    for (unsigned pfn = K; pfn-- > 0;)
      if (s.in_tree[pfn] == 0) {
        s.in_tree[pfn] = 1;
        s.granted[pfn] = 1;
        return true;
      }
    return false;
  }

  bool free_iova(State& s, unsigned pfn) const {
    if (s.granted[pfn] == 0) return false;
    s.granted[pfn] = 0;
    s.in_tree[pfn] = 0;
    return true;
  }

  Facts facts_;
};

/// Whether an address is in some place, and whether in a second one: with a driver, in a CPU's magazine, in the depot.
/// Truth values, not a count: a solver has nothing to add up.
template <class D>
struct Places {
  typename D::Bool some = false;
  typename D::Bool several = false;

  void add(typename D::Bool here) {
    several = either(several, both(some, here));
    some = either(some, here);
  }
};

template <class D, unsigned K>
Places<D> places(const Domain<D, K>& s, unsigned pfn) {
  Places<D> out;
  const auto look = [&](const Magazine<D, K>& mag) {
    for (unsigned i = 0; i < mag_size; ++i) out.add(both(mag.size > i, mag.pfns[i] == pfn));
  };
  out.add(s.granted[pfn] == 1);
  for (const auto& cpu : s.cpu) {
    look(cpu.loaded);
    look(cpu.prev);
    look(cpu.to_free);
  }
  look(s.depot);
  return out;
}

/// The claim: two drivers can never be given one address.
template <class D, unsigned K>
bool one_place(const Spec<D, K>&, const Domain<D, K>& s) {
  for (unsigned pfn = 0; pfn < K; ++pfn)
    if (places(s, pfn).several) return false;
  return true;
}

/// What is cached or granted has its node in the tree, so that the tree does not give it to another.
template <class D, unsigned K>
bool kept_in_tree(const Spec<D, K>&, const Domain<D, K>& s) {
  for (unsigned pfn = 0; pfn < K; ++pfn)
    if (both(places(s, pfn).some, s.in_tree[pfn] == 0)) return false;
  return true;
}

/// And the other way round: no address is lost.
template <class D, unsigned K>
bool none_lost(const Spec<D, K>&, const Domain<D, K>& s) {
  for (unsigned pfn = 0; pfn < K; ++pfn)
    if (both(negate(places(s, pfn).some), s.in_tree[pfn] == 1)) return false;
  return true;
}

/// Magazines reach the depot only when full, and leave nothing behind.
template <class D, unsigned K>
bool depot_full_or_empty(const Spec<D, K>&, const Domain<D, K>& s) {
  return static_cast<bool>(s.depot.size == select(s.depot_size == 1, U8<D>(mag_size), U8<D>(0)));
}

template <unsigned K>
model::Property<Spec<model::Concrete, K>> one_place_property() {
  return {{"magazine.P1", "no address is in two places", "two drivers would map one DMA address",
           "drivers/iommu/iova.c", model::PropertyKind::safety},
          one_place<model::Concrete, K>, nullptr, nullptr, nullptr, nullptr};
}

}  // namespace iomc::examples::magazine
