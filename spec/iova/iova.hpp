// SPDX-License-Identifier: GPL-2.0-or-later
// The iova specification: step table, dispatch, initial states.
#pragma once

#include <span>
#include <vector>

#include "model/fairness.hpp"
#include "spec/iova/dma.hpp"

namespace iomc::spec::iova {

/// Names, kernel functions and meanings of the steps, in the order of Step.
std::span<const model::StepInfo> step_table();

/// Whether a kernel has the code behind a step. Steps that it has not are no gap in the coverage of a run.
bool in_kernel(Step step, const Facts& facts);

template <class D, class Shape>
class Iova {
 public:
  using T = Types<D, Shape>;
  using State = iova::State<T>;
  using Event = iova::Event<T>;
  using Point = iova::Point<T>;

  explicit Iova(Config config) : config_(std::move(config)) {
    for (std::size_t i = 0; i < Shape::lanes; ++i)
      kinds_[i] = i < config_.env.lanes.size() ? context_of(config_.env.lanes[i].role) : model::ContextKind::task;
    for (std::size_t i = 0; i < Shape::lanes; ++i)
      fairness_.push_back({i < config_.env.lanes.size() ? config_.env.lanes[i].name : "", model::FairnessKind::strong});
  }

  const Config& config() const { return config_; }
  const char* name() const { return "iova"; }
  unsigned instances() const { return Shape::lanes * step_count; }
  unsigned step_of(unsigned instance) const { return instance % step_count; }
  std::span<const model::StepInfo> steps() const { return step_table(); }

  void initial(State& s, model::StepContext<Event>& cx) const {
    s = {};
    const Point k{config_, s, cx, 0};
    size_to(s.rcache, config_.sizes.bins);
    for (auto& rcache : s.rcache) {
      size_to(rcache.cpu, config_.sizes.cpus);
      for (auto& cache : rcache.cpu) {
        cache.loaded = empty_magazine(k);
        cache.prev = empty_magazine(k);
      }
    }
    size_to(s.fq, config_.sizes.cpus);
    for (auto& queue : s.fq) size_to(queue.entries, config_.sizes.fq_size);
    size_to(s.online, config_.sizes.cpus);
    for (std::size_t c = 0; c < config_.sizes.cpus; ++c) s.online[c] = typename T::Flag(1);
    reset_tree(k);
    for (std::size_t i = 0; i < config_.env.devices.size(); ++i) s.pci_32bit_workaround[i] = typename T::Flag(1);
    s.fq_flush_start_cnt = typename T::Count(finished_now);
    s.fq_flush_finish_cnt = typename T::Count(finished_now);
    const bool queue_there = config_.env.domain_exists && !config_.env.queue_missing && !config_.env.queue_later;
    s.fq_ready = typename T::Flag(queue_there ? QueueLife::usable : QueueLife::no_queue);
    s.life = typename T::Flag(config_.env.domain_exists ? DomainLife::live : DomainLife::unborn);
    s.attached = typename T::Flag(config_.env.domain_exists ? 1 : 0);
    for (std::size_t i = 0; i < s.lanes.size(); ++i) {
      s.lanes[i] = k.fresh_lane();
      if (i < config_.env.lanes.size()) s.lanes[i].context.cpu = typename T::Flag(config_.env.lanes[i].cpu);
    }
    fill_depot(k);
    if (config_.env.page_zero) {
      s.tree.insert(typename T::Pfn(0), typename T::Pfn(0));
      s.reserved = {typename T::Pfn(0), typename T::Count(1)};
      s.reserved_in_tree = typename T::Flag(1);
    }
  }

  /// Single pages just below the boundary, allocated downwards and freed until they filled depot magazines. The CPUs'
  /// own magazines are empty, as after each CPU has been offline once.
  void fill_depot(const Point& k) const {
    auto& rcache = k.s.rcache[0];
    unsigned page = config_.sizes.boundary;
    for (unsigned m = 0; m < config_.env.depot_filled; ++m) {
      Magazine<T> mag = empty_magazine(k);
      for (unsigned i = 0; i < config_.sizes.mag_size; ++i) {
        const auto pfn = typename T::Pfn(--page);
        k.s.tree.insert(pfn, pfn);
        k.s.cached32 = {typename T::Flag(NodePointer<T>::node), pfn};
        magazine_push(mag, pfn);
      }
      depot_put(rcache, mag);
    }
    if (config_.env.depot_filled > 0 && config_.facts.depot_trim) rcache.work = typename T::Flag(1);
  }

  bool fire(State& s, unsigned instance, model::StepContext<Event>& cx) const {
    const std::size_t id = instance / step_count;
    const auto step = static_cast<Step>(instance % step_count);
    const Role role = role_of(id);
    if (role == Role::absent || !suits(role, step)) return false;
    Lane<T>& me = s.lanes[id];
    const bool starts = from_idle(step);
    if (step != Step::migrate && !(me.pc == static_cast<unsigned>(starts ? Step::idle : step))) return false;
    if (s.crash.nonzero()) return false;
    const Point k{config_, s, cx, id};
    if (starts ? !can_start(s, id) : !model::may_run(s.lanes, kinds_, id)) return false;
    return take(k, step);
  }

  template <class F>
  void for_each_candidate(const State& s, F&& f) const {
    for (unsigned id = 0; id < Shape::lanes; ++id) {
      const unsigned base = id * step_count;
      const unsigned pc = s.lanes[id].pc.raw();
      if (pc != 0) {
        f(base + pc);
      } else {
        for (const Step step : {Step::map, Step::unmap, Step::timeout, Step::trim, Step::cpu_down, Step::cpu_up,
                                Step::init_check, Step::reserve, Step::teardown_timer, Step::store_type})
          f(base + static_cast<unsigned>(step));
      }
      f(base + static_cast<unsigned>(Step::migrate));
    }
  }

  /// A context that could go on again and again goes on, and the timer fires where it is armed. Drivers, hotplug and
  /// administrators owe nothing.
  std::span<const model::FairnessInfo> fairness() const { return fairness_; }
  int fairness_of(const State&, unsigned instance) const {
    const auto step = static_cast<Step>(instance % step_count);
    const bool owes = step == Step::timeout || !(from_idle(step) || step == Step::migrate);
    return owes ? static_cast<int>(instance / step_count) : model::no_fairness;
  }

  /// The end of a run: the kernel stopped, the domain is gone, or nobody is there to act: no probe succeeded.
  bool may_stop(const State& s) const {
    if (s.crash != 0 || s.life > DomainLife::live) return true;
    for (const auto& lane : s.lanes)
      if (lane.context.active.nonzero()) return false;
    return static_cast<bool>(s.attached == 0);
  }

  model::Lane lane(const State& s, unsigned instance) const {
    const std::size_t id = instance / step_count;
    return {static_cast<int>(s.lanes[id].context.cpu.raw()), config_.env.lanes[id].name};
  }

  /// Locks the lane still holds after a step.
  std::string locks_held(const State& s, unsigned instance) const {
    const unsigned owner = instance / step_count + 1;
    std::string out;
    const auto add = [&](const auto& lock, const std::string& text) {
      if (lock.owner.raw() == owner) out += (out.empty() ? "" : ", ") + text;
    };
    for (std::size_t b = 0; b < s.rcache.size(); ++b) {
      add(s.rcache[b].lock, "rcaches[" + std::to_string(b) + "].lock");
      for (std::size_t c = 0; c < s.rcache[b].cpu.size(); ++c)
        add(s.rcache[b].cpu[c].lock, "cpu_rcaches[" + std::to_string(b) + "] of CPU " + std::to_string(c));
    }
    for (std::size_t c = 0; c < s.fq.size(); ++c) add(s.fq[c].lock, "fq->lock of CPU " + std::to_string(c));
    add(s.iommu_lock, "the IOMMU driver's lock");
    return out;
  }

 private:
  Role role_of(std::size_t id) const {
    return id < config_.env.lanes.size() ? config_.env.lanes[id].role : Role::absent;
  }

  static bool from_idle(Step step) {
    switch (step) {
      case Step::map:
      case Step::unmap:
      case Step::timeout:
      case Step::trim:
      case Step::cpu_down:
      case Step::cpu_up:
      case Step::init_check:
      case Step::reserve:
      case Step::teardown_timer:
      case Step::store_type: return true;
      default: return false;
    }
  }

  /// Which lanes may begin with which step; every lane may go on with what it began.
  static bool suits(Role role, Step step) {
    switch (step) {
      case Step::map: return role == Role::mapper || role == Role::irq_mapper;
      case Step::unmap: return role == Role::mapper || role == Role::irq_mapper || role == Role::irq_unmapper;
      case Step::timeout: return role == Role::timer;
      case Step::trim: return role == Role::trimmer;
      case Step::cpu_down:
      case Step::cpu_up: return role == Role::hotplug;
      case Step::init_check: return role == Role::initialiser;
      case Step::reserve: return role == Role::reserver;
      case Step::teardown_timer: return role == Role::teardown;
      case Step::store_type: return role == Role::switcher;
      case Step::migrate: return context_of(role) == model::ContextKind::task;
      case Step::idle: return false;
      default: return true;
    }
  }

  bool can_start(const State& s, std::size_t id) const {
    if (!at(s.online, s.lanes[id].context.cpu).nonzero()) return false;
    if (config_.env.quiet_hotplug && role_of(id) != Role::hotplug)
      for (std::size_t i = 0; i < s.lanes.size(); ++i)
        if (role_of(i) == Role::hotplug && s.lanes[i].context.active.nonzero()) return false;
    return model::may_start(s.lanes, kinds_, id);
  }

  bool take(const Point& k, Step step) const {
    switch (step) {
      case Step::map: return map_step(k);
      case Step::unmap: return unmap_step(k);
      case Step::rcache_get_cpu: return read_cpu(k, Step::rcache_get);
      case Step::rcache_get: return rcache_get(k);
      case Step::alloc_mem: return alloc_mem(k);
      case Step::alloc_range: return alloc_range(k);
      case Step::flush_loaded: return flush_loaded(k);
      case Step::flush_prev: return flush_prev(k);
      case Step::flush_depot: return flush_depot(k);
      case Step::rcache_insert_cpu: return read_cpu(k, Step::rcache_insert);
      case Step::rcache_insert: return rcache_insert(k);
      case Step::magazine_free: return magazine_free(k);
      case Step::free_find: return free_find(k);
      case Step::free_remove: return free_remove(k);
      case Step::queue_cpu: return read_cpu(k, after_queue_cpu(k));
      case Step::queue_lock: return queue_lock(k);
      case Step::ring_free: return ring_free(k);
      case Step::flush_start: return flush_start(k);
      case Step::flush_hw: return flush_hw(k);
      case Step::flush_end: return flush_end(k);
      case Step::queue_append: return queue_append(k);
      case Step::queue_unlock: return queue_unlock(k);
      case Step::timer_test: return timer_test(k);
      case Step::timer_claim: return timer_claim(k);
      case Step::timer_arm: return timer_arm(k);
      case Step::timeout: return timeout(k);
      case Step::timeout_lock: return timeout_lock(k);
      case Step::table_test: return table_test(k);
      case Step::table_lock: return table_lock(k);
      case Step::table_add: return table_add(k);
      case Step::late_flush: return late_flush(k);
      case Step::fq_alloc: return fq_alloc(k);
      case Step::fq_rings: return fq_rings(k);
      case Step::fq_timer: return fq_timer(k);
      case Step::fq_publish: return fq_publish(k);
      case Step::trim: return trim(k);
      case Step::trim_locked: return trim_pop(k);
      case Step::cpu_down: return cpu_down(k);
      case Step::cpu_up: return cpu_up(k);
      case Step::init_check: return init_check(k);
      case Step::init_domain: return init_domain(k);
      case Step::init_rcaches: return init_rcaches(k);
      case Step::init_windows: return init_windows(k);
      case Step::init_reserve: return init_reserve(k);
      case Step::reserve: return reserve_step(k);
      case Step::teardown_timer: return teardown_timer(k);
      case Step::teardown_free: return teardown_free(k);
      case Step::store_type: return store_type(k);
      case Step::migrate: return migrate(k);
      case Step::idle:
      case Step::count_: break;
    }
    return false;
  }

  Config config_;
  std::array<model::ContextKind, Shape::lanes> kinds_{};
  std::vector<model::FairnessInfo> fairness_;
};

}  // namespace iomc::spec::iova
