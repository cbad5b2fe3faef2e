// SPDX-License-Identifier: GPL-2.0-or-later
// The point of execution: what every step function is given, and the program counters.
#pragma once

#include "model/step.hpp"
#include "spec/iova/config.hpp"
#include "spec/iova/state.hpp"

namespace iomc::spec::iova {

/// A lane's program counter is the step that comes next. Several steps start from idle.
enum class Step : unsigned char {
  idle = 0,
  // callers, drivers/iommu/dma-iommu.c
  map,
  unmap,
  // the rcache, drivers/iommu/iova.c
  rcache_get_cpu,
  rcache_get,
  alloc_mem,
  alloc_range,
  flush_loaded,
  flush_prev,
  flush_depot,
  rcache_insert_cpu,
  rcache_insert,
  magazine_free,
  free_find,
  free_remove,
  // the flush queue
  queue_cpu,
  queue_lock,
  ring_free,
  flush_start,
  flush_hw,
  flush_end,
  queue_append,
  queue_unlock,
  timer_test,
  timer_claim,
  timer_arm,
  timeout,
  timeout_lock,
  // Intel's deferred tables (to 4.13), AMD's strict unmap (to 4.17)
  table_test,
  table_lock,
  table_add,
  late_flush,
  // iommu_dma_init_fq
  fq_alloc,
  fq_rings,
  fq_timer,
  fq_publish,
  // delayed work and hotplug
  trim,
  trim_locked,
  cpu_down,
  cpu_up,
  // life of the domain
  init_check,
  init_domain,
  init_rcaches,
  init_windows,
  init_reserve,
  reserve,
  teardown_timer,
  teardown_free,
  store_type,
  // the environment
  migrate,
  count_
};

inline constexpr unsigned step_count = static_cast<unsigned>(Step::count_);

template <class T>
struct Point {
  using Ev = Event<T>;
  using Pfn = typename T::Pfn;
  using Count = typename T::Count;

  const Config& config;
  State<T>& s;
  model::StepContext<Ev>& cx;
  std::size_t id;  ///< the lane that takes the step

  const Facts& facts() const { return config.facts; }
  const Sizes& sizes() const { return config.sizes; }
  Lane<T>& me() const { return s.lanes[id]; }
  Pfn boundary() const {
    if constexpr (OpenBounds<typename T::Shape>) return s.dma_32bit_pfn;
    else return Pfn(config.sizes.boundary);
  }
  Pfn start_pfn() const {
    if constexpr (OpenBounds<typename T::Shape>) return s.start_pfn;
    else return Pfn(config.sizes.start_pfn);
  }

  /// The next step of this lane.
  bool then(Step next) const {
    me().pc = Count(static_cast<unsigned>(next));
    return true;
  }
  /// The kernel stops here.
  bool crash(Crash why) const {
    s.crash = typename T::Flag(static_cast<unsigned>(why));
    return true;
  }
  void emit(typename Ev::Kind kind, Pfn lo = {}, Pfn size = {}, Pfn limit = {}, Count flag = {}) const {
    Ev e;
    e.kind = kind;
    e.lane = static_cast<unsigned char>(id);
    e.lo = lo;
    e.size = size;
    e.limit = limit;
    e.device = me().device;
    e.flag = flag;
    cx.emit(e);
  }
  /// Back to idle: locals are gone. An interrupt or softirq handler leaves its CPU's stack.
  bool done() const {
    const auto cpu = me().context.cpu;
    me() = fresh_lane();
    me().context.cpu = cpu;
    return true;
  }
  /// At real sizes the magazine of a lane has no memory of its own: it is only ever moved in.
  Lane<T> fresh_lane() const { return {}; }
  void disable_irqs() const { me().context.atomic = model::irqs_off; }
  void enable_irqs() const { me().context.atomic = model::preemptible; }

  /// Takes the lock for the rest of this step or longer. `got` tells whether it did; false: the step cannot be taken
  /// now.
  bool lock(model::SpinLock<typename T::D>& l, model::Cost kind, bool& dead) const {
    const model::Acquire a = model::acquire(l, s.lanes, id);
    dead = a == model::Acquire::self_deadlock;
    if (a == model::Acquire::got) cx.cost(kind);
    return a == model::Acquire::got;
  }
};

/// Takes a lock in a step, or leaves the step: untaken where another context holds the lock, crashed where the holder
/// is what this context interrupted.
#define IOVA_LOCK(k, l, cost_kind)                                     \
  do {                                                                 \
    bool dead_ = false;                                                \
    if (!(k).lock((l), (cost_kind), dead_)) {                          \
      return dead_ ? (k).crash(::iomc::spec::iova::self_deadlock) : false; \
    }                                                                  \
  } while (false)

}  // namespace iomc::spec::iova
