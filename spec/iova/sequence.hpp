// SPDX-License-Identifier: GPL-2.0-or-later
// Calls one after the other: each is run to its end on a CPU of the caller's choosing, by the steps of the
// specification. For test vectors, for counted workloads and for comparison with the reference model. Nothing here
// decides anything: a call is set up as its kernel caller would, and then only steps are taken.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>

#include "spec/iova/iova.hpp"

namespace iomc::spec::iova {

/// The kernel's own constants: 4 KiB pages, 32 bits of address end at pfn 0x100000.
inline Sizes real_sizes(const Facts& facts, unsigned cpus = 128) {
  Sizes s;
  s.cpus = cpus;
  s.bins = facts.bins;
  s.mag_size = facts.mag_size;
  s.depot_max = facts.depot_max;
  s.boundary = 0x100000;
  s.top = ~0U;
  s.start_pfn = 1;
  s.fq_size = facts.fq_size;
  s.max_ranges = ~0U;
  s.max_mappings = ~0U;
  return s;
}

/// One device, one task; lane 1 is the flush timer, or a second task where a vector stops the first one halfway.
inline Config real_config(const Facts& facts, const Sizes& sizes, bool lazy = false) {
  Config c;
  c.name = "sequence";
  c.what = "one call after the other";
  c.facts = facts;
  c.sizes = sizes;
  c.env.lanes = {{Role::mapper, 0, "task"}, {Role::timer, 0, "softirq timer"}};
  c.env.devices = {{sizes.top, true}};
  c.env.lazy = lazy;
  return c;
}

/// Searches of the tree: how many nodes each stepped over.
struct Walks {
  std::uint64_t searches = 0;
  std::uint64_t visits = 0;
  std::uint64_t longest = 0;

  void add(std::uint64_t n) {
    ++searches;
    visits += n;
    longest = std::max(longest, n);
  }
};

/// What was counted since the last reset.
struct Counted {
  model::CostCount events;
  Walks failed;  ///< searches that found nothing, quick refusals included
  Walks found;
  std::uint64_t cache_hits = 0;
  std::uint64_t longest_irqs_off = 0;  ///< steps, descents and erasures in one stretch with interrupts off
};

template <class Shape = Real>
class Sequence {
 public:
  using Spec = Iova<model::Concrete, Shape>;
  using T = typename Spec::T;
  using State = typename Spec::State;
  using Event = typename Spec::Event;
  using Granted = std::optional<std::uint64_t>;
  static constexpr std::size_t task = 0;
  static constexpr std::size_t timer = 1;

  explicit Sequence(Config config) : spec_(std::move(config)) { spec_.initial(state_, cx_); }
  explicit Sequence(const Facts& facts, unsigned cpus = 128) : Sequence(real_config(facts, real_sizes(facts, cpus))) {}

  const State& state() const { return state_; }
  const Config& config() const { return spec_.config(); }
  const Facts& facts() const { return spec_.config().facts; }
  unsigned crash() const { return state_.crash.raw(); }
  std::uint64_t nodes() const { return nodes_of(state_.tree); }
  /// The pfn_lo of cached32_node and cached_node: nullopt for NULL, ~0 for the anchor.
  Granted cached32() const { return name_of(state_.cached32); }
  Granted cached() const { return name_of(state_.cached); }
  std::uint64_t max32() const { return state_.max32_alloc_size.raw(); }

  const Counted& counted() {
    counted_.events = cx_.counted();
    return counted_;
  }
  void reset_counts() {
    cx_.reset_cost();
    counted_ = {};
  }

  // ---- drivers/iommu/iova.c ------------------------------------------------------------------------------------

  /// alloc_iova: the first pfn, or nothing.
  Granted alloc(std::uint64_t size, std::uint64_t limit, bool aligned = true) {
    const auto k = point(task);
    const std::uint64_t stepped = steps_so_far();
    cx_.begin();
    cx_.cost(Cost::slab_alloc);
    const Found<T> found = alloc_and_insert(k, typename T::Pfn(size), typename T::Pfn(limit), aligned);
    if (!found.ok) cx_.cost(Cost::slab_free);
    walk_seen(found.ok, stepped);
    return found.ok && crash() == alive ? Granted(found.lo.raw()) : std::nullopt;
  }

  /// free_iova
  void free(std::uint64_t pfn) {
    auto& me = begin(task, 0, op_tree_only);
    me.pfn = typename T::Pfn(pfn);
    point(task).then(facts().free_iova_one_section ? Step::free_remove : Step::free_find);
    finish(task);
  }

  Granted alloc_fast(unsigned cpu, unsigned size, std::uint64_t limit, bool flush) {
    auto& me = begin(task, cpu, op_fast);
    me.pages = typename T::Count(size);
    me.limit = typename T::Pfn(limit);
    me.flush = typename T::Count(!facts().flush_optional || flush ? 1 : 0);
    start_alloc_fast(point(task));
    finish(task);
    return result_;
  }

  void free_fast(unsigned cpu, std::uint64_t pfn, unsigned size) {
    auto& me = begin(task, cpu, op_fast);
    me.pfn = typename T::Pfn(pfn);
    me.pages = typename T::Count(size);
    start_free_fast(point(task));
    finish(task);
  }

  void reserve(std::uint64_t lo, std::uint64_t hi) {
    decide();
    reserve_iova(point(task), typename T::Pfn(lo), typename T::Pfn(hi));
    decided();
  }

  /// Where the configuration lets allocations fail: the lowest bit decides about the next one (1: it fails) and is then
  /// dropped.
  void fail_allocations(std::uint64_t bits) { failing_ = bits; }

  /// A CPU goes offline and iova_cpuhp_dead empties its caches; `lane` is the configuration's hotplug lane.
  void cpu_down(std::size_t lane, unsigned cpu) {
    choose(lane, Step::cpu_down, cpu);
    finish(lane);
  }
  void cpu_up(std::size_t lane, unsigned cpu) { choose(lane, Step::cpu_up, cpu); }

  /// iova_depot_work_func of one size class, where it is due. True if it freed a magazine.
  bool trim(unsigned cpu, unsigned bin) {
    if (!facts().depot_trim || !state_.rcache[bin].work.nonzero()) return false;
    begin(task, cpu, op_trim);
    const std::uint64_t before = erased();
    trim_bin(point(task), bin);
    finish(task);
    return erased() != before;
  }

  // ---- drivers/iommu/dma-iommu.c -------------------------------------------------------------------------------

  /// iommu_dma_alloc_iova for a device of the configuration.
  Granted map(unsigned cpu, unsigned device, unsigned pages) {
    begin(task, cpu, op_map);
    start_map(point(task), device, pages);
    finish(task);
    return result_;
  }

  /// __iommu_dma_unmap: strict, or queued where the configuration is lazy.
  void unmap(unsigned cpu, std::uint64_t pfn, unsigned pages) {
    begin_unmap(task, cpu, pfn, pages);
    finish(task);
  }

  /// fq_flush_timeout, if the timer is pending.
  bool fire_timer(unsigned cpu) {
    if (!begin_timer(cpu)) return false;
    finish(timer);
    return true;
  }

  // ---- step by step --------------------------------------------------------------------------------------------

  void begin_unmap(std::size_t lane, unsigned cpu, std::uint64_t pfn, unsigned pages) {
    begin(lane, cpu, op_unmap);
    start_unmap(point(lane), typename T::Pfn(pfn), typename T::Count(pages));
  }
  bool begin_timer(unsigned cpu) {
    if (!state_.fq_timer_pending.nonzero()) return false;
    begin(timer, cpu, op_timeout);
    return timeout(point(timer));
  }
  /// What the lane does next; idle when its call has returned.
  Step next(std::size_t lane) const { return static_cast<Step>(state_.lanes[lane].pc.raw()); }

  /// One step of a call that is under way.
  void step(std::size_t lane) {
    const unsigned pc = state_.lanes[lane].pc.raw();
    const std::uint64_t stepped = steps_so_far();
    const std::uint64_t before = node_operations();
    decide();
    const bool taken = spec_.fire(state_, static_cast<unsigned>(lane) * step_count + pc, cx_);
    IOMC_INVARIANT(taken);
    decided();
    for (const Event& e : cx_.events()) {
      if (e.kind == Event::alloc_failed) result_.reset();
      if (e.kind == Event::search_failed) walk_seen(false, stepped);
      if (e.kind != Event::grant) continue;
      result_ = e.lo.raw();
      if (e.flag.nonzero())
        ++counted_.cache_hits;
      else
        walk_seen(true, stepped);
    }
    // A stretch with interrupts off goes on where they are still off between two steps.
    irqs_off_ += node_operations() - before;
    counted_.longest_irqs_off = std::max(counted_.longest_irqs_off, irqs_off_);
    if (!(state_.lanes[lane].context.atomic == model::irqs_off)) irqs_off_ = 0;
  }

  /// Steps until the call returns or the kernel stops.
  void finish(std::size_t lane) {
    while (next(lane) != Step::idle && crash() == alive) step(lane);
  }
  /// Steps until this step would be next; false where the call returned before.
  bool run_to(std::size_t lane, Step where) {
    while (next(lane) != where && next(lane) != Step::idle && crash() == alive) step(lane);
    return next(lane) == where;
  }

 private:
  typename Spec::Point point(std::size_t lane) { return {spec_.config(), state_, cx_, lane}; }

  Lane<T>& begin(std::size_t lane, unsigned cpu, Operation op) {
    IOMC_PRE(next(lane) == Step::idle);
    IOMC_PRE(cpu < config().sizes.cpus);
    Lane<T>& me = state_.lanes[lane];
    me.context.cpu = typename T::Flag(cpu);
    me.context.active = typename T::Flag(1);
    me.op = typename T::Count(op);
    result_.reset();
    return me;
  }

  /// The choice that the next step may ask for.
  void decide() {
    cx_.choices().clear();
    if ((failing_ & 1) != 0) {
      cx_.pick(2);
      cx_.choices().advance();
    }
    cx_.begin();
  }
  void decided() {
    if (cx_.choices().used() > 0) failing_ >>= 1;
    cx_.choices().clear();
  }
  /// One of the steps that pick a CPU.
  void choose(std::size_t lane, Step which, unsigned cpu) {
    cx_.choices().clear();
    cx_.pick(config().sizes.cpus);
    for (unsigned i = 0; i < cpu; ++i) cx_.choices().advance();
    cx_.begin();
    const bool taken = spec_.fire(state_, static_cast<unsigned>(lane) * step_count + static_cast<unsigned>(which), cx_);
    IOMC_INVARIANT(taken);
    cx_.choices().clear();
  }

  void walk_seen(bool found, std::uint64_t stepped_before) {
    (found ? counted_.found : counted_.failed).add(steps_so_far() - stepped_before);
  }
  std::uint64_t steps_so_far() const { return cx_.counted()[Cost::tree_step]; }
  std::uint64_t erased() const { return cx_.counted()[Cost::tree_erase]; }
  std::uint64_t node_operations() const {
    const auto& c = cx_.counted();
    return c[Cost::tree_step] + c[Cost::tree_find] + c[Cost::tree_erase];
  }
  static Granted name_of(const NodePointer<T>& p) {
    return p.kind == NodePointer<T>::null ? std::nullopt : Granted(p.lo.raw());
  }
  template <class Tree>
  static std::uint64_t nodes_of(const Tree& tree) {
    if constexpr (Shape::nodes == 0)
      return tree.ranges.size();
    else
      return tree.n.raw();
  }

  Spec spec_;
  State state_{};
  model::StepContext<Event> cx_;
  Granted result_;
  Counted counted_;
  std::uint64_t irqs_off_ = 0;
  std::uint64_t failing_ = 0;
};

}  // namespace iomc::spec::iova
