// SPDX-License-Identifier: GPL-2.0-or-later
// A path of spec/iova on the kernel's own code. Each lane of the configuration is a coroutine that runs dma-iommu.c and
// iova.c. For every step of the path its lane runs to where the specification says that it goes on (stands_at), and the
// code's state is compared with the specification's. The first step after which there is no such place is the answer.
#include "checker/systems/iova_on_code.hpp"

#include <bit>
#include <optional>

#include "checker/kernel/dma_code.hpp"
#include "checker/systems/iova_compare.hpp"

namespace iomc::check {

/// Steps of a path with what the specification does not tell in its state: the choices.
template <class Spec>
struct ChosenStep {
  unsigned instance = 0;
  typename Spec::State before{};
  typename Spec::State after{};
  std::vector<typename Spec::Event> events;
  std::vector<unsigned> choices;
};

template <class Spec>
std::vector<ChosenStep<Spec>> with_choices(const Spec& spec, const Run<Spec>& run) {
  std::vector<ChosenStep<Spec>> out;
  typename Spec::State now = run.initial;
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    std::uint64_t left = run.path[i + 1];
    model::StepContext<typename Spec::Event> cx;
    std::optional<ChosenStep<Spec>> found;
    for (unsigned instance = 0; instance < spec.instances() && !found; ++instance) {
      cx.choices().clear();
      do {
        cx.begin();
        ChosenStep<Spec> t{instance, now, now, {}, {}};
        if (!spec.fire(t.after, instance, cx) || left-- != 0) continue;
        t.events.assign(cx.events().begin(), cx.events().end());
        for (std::size_t c = 0; c < cx.choices().used(); ++c) t.choices.push_back(cx.choices().at(c));
        found = std::move(t);
      } while (!found && cx.choices().advance());
    }
    IOMC_INVARIANT(found.has_value());
    now = found->after;
    out.push_back(std::move(*found));
  }
  return out;
}

/// Whether a lane that stopped here is where the specification says that it goes on.
template <class Lane>
bool stands_at(const Lane& me, bool holds_depot, const iomc_stop& stop) {
  using spec::iova::Step;
  const auto lock = [&](int kind) { return stop.point == iomc_at_lock && stop.lock_kind == kind; };
  const auto cache = [&](const auto& cpu) {
    return lock(iomc_lock_cpu_cache) && stop.cpu == cpu.raw() && stop.bin == me.bin.raw();
  };
  const auto variable = [&](int point, int which) { return stop.point == point && stop.variable == which; };
  switch (static_cast<Step>(me.pc.raw())) {
    case Step::idle: return stop.point == iomc_returned;
    case Step::rcache_get_cpu:
    case Step::rcache_insert_cpu:
    case Step::queue_cpu: return stop.point == iomc_at_cpu;
    case Step::rcache_get:
    case Step::rcache_insert: return cache(me.this_cpu);
    // Nothing tells the two apart but the allocation, which nobody else sees.
    case Step::alloc_mem:
    case Step::alloc_range: return stop.point == iomc_at_alloc && stop.atomic != 0;
    case Step::flush_loaded: return cache(me.cpu);
    case Step::flush_depot:
      return holds_depot ? stop.point == iomc_at_unlock && stop.lock_kind == iomc_lock_tree
                         : lock(iomc_lock_depot) && stop.bin == me.bin.raw();
    case Step::flush_prev:
    case Step::magazine_free:
    case Step::free_find:
    case Step::free_remove:
    case Step::init_windows: return lock(iomc_lock_tree);
    case Step::queue_lock: return lock(iomc_lock_queue) && stop.cpu == me.this_cpu.raw();
    case Step::timeout_lock: return lock(iomc_lock_queue) && stop.cpu == me.cpu.raw();
    // What comes after the counter of finished flushes was read: the first entry, a flush, the append, or the end.
    case Step::ring_free:
      return stop.point == iomc_at_assert || stop.point == iomc_at_cpu || lock(iomc_lock_cpu_cache) ||
             lock(iomc_lock_tree) || variable(iomc_at_write, iomc_flush_started) ||
             (stop.point == iomc_at_unlocking && stop.lock_kind == iomc_lock_queue);
    case Step::flush_start:
    case Step::fq_alloc: return variable(iomc_at_write, iomc_flush_started);
    case Step::flush_hw: return stop.point == iomc_at_hardware;
    case Step::flush_end: return stop.point == iomc_at_done;
    case Step::queue_append: return stop.point == iomc_at_assert;
    case Step::queue_unlock: return stop.point == iomc_at_unlocking && stop.lock_kind == iomc_lock_queue;
    case Step::timer_test: return variable(iomc_at_read, iomc_timer_on);
    case Step::timer_claim: return variable(iomc_at_write, iomc_timer_on);
    case Step::timer_arm: return stop.point == iomc_at_timer;
    case Step::fq_rings:
    case Step::fq_timer: return variable(iomc_at_write, iomc_timer_on);
    case Step::fq_publish: return variable(iomc_at_write, iomc_queue_domain);
    case Step::init_domain: return stop.point == iomc_at_mutex;
    case Step::init_rcaches: return stop.point == iomc_at_alloc && stop.atomic == 0;
    case Step::init_reserve:
      return lock(iomc_lock_tree) || (stop.point == iomc_at_unlocking && stop.lock_kind == iomc_lock_other);
    case Step::teardown_free: return stop.point == iomc_at_stopped || stop.point == iomc_at_nothing;
    default: return false;
  }
}

template <class Spec>
class OnCode {
 public:
  using Step = spec::iova::Step;
  using State = typename Spec::State;
  using Answer = std::optional<std::string>;

  OnCode(const Spec& spec, DmaCode& code) : spec_(spec), code_(code), compare_(spec, code) {}

  /// Follows all steps from the initial state: the first difference, or nothing.
  Answer follow(const State& initial, const std::vector<ChosenStep<Spec>>& steps) {
    if (code_->setup(&set_up_) != 0) return std::string("the domain cannot be set up");
    if (const Answer a = compare_(initial)) return "before the first step: " + *a;
    for (std::size_t i = 0; i < steps.size(); ++i)
      if (const Answer a = take(steps[i])) {
        // A pointer that the specification follows in the lane's next step the code may follow in this one.
        if (code_.machine().crash != nullptr && stops_next(steps, i)) return std::nullopt;
        const auto& info = spec_.steps()[spec_.step_of(steps[i].instance)];
        return "step " + std::to_string(i + 1) + " of " + std::to_string(steps.size()) + ", " + info.name + " (" +
               env().lanes[steps[i].instance / spec::iova::step_count].name + "): " + *a;
      }
    return std::nullopt;
  }

  iomc_dma_setup& set_up() { return set_up_; }

 private:
  static constexpr unsigned most_points = 2000;

  const auto& env() const { return spec_.config().env; }

  /// The kernel stops in the next step of the same lane.
  static bool stops_next(const std::vector<ChosenStep<Spec>>& steps, std::size_t i) {
    const unsigned lane = steps[i].instance / spec::iova::step_count;
    for (std::size_t next = i + 1; next < steps.size(); ++next)
      if (steps[next].instance / spec::iova::step_count == lane) return steps[next].after.crash.nonzero();
    return false;
  }

  /// What the environment decided in this step about memory and translations.
  void decide(const ChosenStep<Spec>& t, Step step) {
    iomc_machine& m = code_.machine();
    m.fail_atomic = m.fail_sleeping = 0;
    const bool chosen = !t.choices.empty();
    const bool maps = step == Step::alloc_range || step == Step::rcache_get;
    code_->fail_map(maps && env().map_failure && chosen && t.choices.back() != 0 ? 1 : 0);
    // The modelled memory ends at max_ranges nodes.
    if (step == Step::alloc_range && t.before.tree.full(spec_.config().sizes.max_ranges)) m.fail_atomic = 1;
    if (!env().allocation_failure || !chosen) return;
    switch (step) {
      case Step::alloc_mem:
      case Step::rcache_insert:
      case Step::init_windows:
      case Step::init_reserve:
      case Step::reserve: m.fail_atomic = t.choices.back() != 0 ? 1 : 0; break;
      case Step::init_rcaches:
      case Step::fq_alloc: m.fail_sleeping = t.choices.front() != 0 ? 1 : 0; break;
      default: break;
    }
  }

  /// The one of them that changed, or nothing.
  template <class A, class F>
  static std::optional<unsigned> changed(const A& before, const A& after, F&& value) {
    for (unsigned i = 0; i < before.size(); ++i)
      if (value(before[i]) != value(after[i])) return i;
    return std::nullopt;
  }

  /// A call from idle. False: it is none that a lane runs.
  bool begin(const ChosenStep<Spec>& t, int lane, Step step) {
    const auto& me = t.after.lanes[static_cast<std::size_t>(lane)];
    const auto work = [](const auto& r) { return r.work.raw(); };
    switch (step) {
      case Step::map: code_->map(lane, static_cast<unsigned>(me.device.raw()), me.pages.raw()); break;
      case Step::unmap:
        for (const auto& e : t.events)
          if (e.kind == Spec::Event::unmapped) code_->unmap(lane, e.lo.raw(), e.size.raw());
        break;
      case Step::timeout: code_->timer(lane); break;
      case Step::trim:
        code_->work(lane, changed(t.before.rcache, t.after.rcache, work).value_or(me.bin.raw()));
        break;
      case Step::cpu_down:
        code_->cpu_down(lane, changed(t.before.online, t.after.online, [](const auto& o) { return o.raw(); }).value());
        break;
      case Step::reserve: code_->reserve(lane, env().reserve_lo, env().reserve_hi); break;
      case Step::init_check: code_->attach(lane); break;
      case Step::teardown_timer: code_->detach(lane); break;
      case Step::store_type: code_->make_lazy(lane); break;
      default: return false;
    }
    stops_[static_cast<std::size_t>(lane)] = {};
    return true;
  }

  Answer take(const ChosenStep<Spec>& t) {
    const int lane = static_cast<int>(t.instance / spec::iova::step_count);
    const auto step = static_cast<Step>(spec_.step_of(t.instance));
    if (step == Step::migrate) return compare_(t.after);
    if (step == Step::cpu_up) {
      iomc_machine& m = code_.machine();
      m.online[*changed(t.before.online, t.after.online, [](const auto& o) { return o.raw(); })] = 1;
      ++m.online_count;
      return compare_(t.after);
    }
    decide(t, step);
    begin(t, lane, step);
    return run(t, lane);
  }

  /// Runs the lane to where the specification has it, with the state that it has there.
  Answer run(const ChosenStep<Spec>& t, int lane) {
    const auto id = static_cast<std::size_t>(lane);
    const auto& me = t.after.lanes[id];
    const auto cpu = static_cast<unsigned>(t.before.lanes[id].context.cpu.raw());
    const auto held = [&] {
      for (unsigned bin = 0; bin < spec_.config().sizes.bins && code_->has_rcaches() != 0; ++bin)
        if (code_->owner(iomc_lock_depot, 0, bin) == id + 1) return true;
      return false;
    };
    iomc_stop& stop = stops_[id];
    Answer last;
    for (unsigned n = 0; n < most_points; ++n) {
      if (const char* why = code_.machine().crash)
        return t.after.crash.nonzero() ? std::nullopt : Answer("the kernel stops: " + std::string(why));
      if (t.after.crash.nonzero()) {
        if (stop.point == iomc_at_blocked && t.after.crash == spec::iova::self_deadlock) return std::nullopt;
        if (stop.point == iomc_returned) return "the specification stops here, and the kernel does not";
      } else if (stands_at(me, code_->alive() != 0 && held(), stop)) {
        last = compare_(t.after);
        if (!last) return std::nullopt;
      }
      if (stop.point == iomc_returned)
        return last ? last : Answer("the call returns, and the specification has it go on");
      const bool waits = stop.point == iomc_at_blocked;
      code_->run(lane, cpu, &stop);
      if (waits && stop.point == iomc_at_blocked) return "it waits for a lock that the specification has it take";
    }
    return last ? last : Answer("it does not come to where the specification has it");
  }

  const Spec& spec_;
  DmaCode& code_;
  IovaComparison<Spec> compare_;
  iomc_dma_setup set_up_{};
  std::array<iomc_stop, 16> stops_{};
};

/// What the harness is to set up for a configuration; `windows` is 1 + the list of DMA windows of the run, or 0.
inline iomc_dma_setup set_up_for(const spec::iova::Config& c, unsigned page_shift, std::size_t windows) {
  iomc_dma_setup out{};
  out.cpus = c.sizes.cpus;
  out.shift = page_shift;
  out.start_pfn = c.sizes.start_pfn;
  out.exists = c.env.domain_exists ? 1 : 0;
  out.lazy = c.env.lazy && !c.env.queue_missing && !c.env.queue_later ? 1 : 0;
  out.single_queue = single_queue(c) ? 1 : 0;
  out.serialised = c.env.serialised_flush ? 1 : 0;
  out.forcedac = c.env.forcedac ? 1 : 0;
  out.page_zero = c.env.page_zero ? 1 : 0;
  out.depot_filled = c.env.depot_filled;
  out.devices = static_cast<unsigned>(c.env.devices.size());
  for (std::size_t i = 0; i < c.env.devices.size(); ++i) {
    out.limits[i] = c.env.devices[i].limit;
    out.pci[i] = c.env.devices[i].pci ? 1 : 0;
  }
  if (!c.env.late_region) {
    out.reserve_lo = c.env.reserve_lo;
    out.reserve_hi = c.env.reserve_hi;
  }
  if (windows != 0)
    for (const auto& w : c.env.windows[windows - 1]) {
      out.window_start[out.windows] = w.start;
      out.window_end[out.windows++] = w.end;
    }
  return out;
}

/// Why a configuration cannot be followed on code, or nothing.
inline std::string not_on_code(const spec::iova::Config& c) {
  if (c.env.driver != spec::iova::Driver::dma_iommu) return "it is about the callers of another driver than dma-iommu";
  if (c.env.caching_mode) return "it is about an emulated IOMMU";
  if (!std::has_single_bit(c.sizes.boundary))
    return "boundary must be a power of two: 32 bits of address are whole pages";
  if (c.env.lazy && !std::has_single_bit(c.sizes.fq_size) && c.facts.fq_single)
    return "fq_size must be a power of two on this kernel: --set fq_size=4";
  if (c.env.weak_memory && !c.facts.fq_barrier) return "the code runs with stores in order";
  return {};
}

/// The path on the code of a tree.
template <class Spec>
CodeReplay follow_on_code(const Spec& spec, const Path& path, bool loops, const std::string& tree) {
  using Outcome = CodeReplay::Outcome;
  const spec::iova::Config& c = spec.config();
  const SourceTree source = SourceTree::open(tree, dma_code_files());
  if (const std::string why = not_on_code(c); !why.empty()) return {Outcome::not_replayable, why};
  const auto run = check::follow(spec, path);
  const auto steps = with_choices(spec, run);
  DmaConstants constants{c.sizes.mag_size, c.sizes.bins, c.sizes.depot_max, c.sizes.fq_size, 0};
  constants.page_shift = 32 - static_cast<unsigned>(std::countr_zero(c.sizes.boundary));
  DmaCode code(source, constants);
  OnCode<Spec> on(spec, code);
  const std::size_t windows = steps.empty() ? 0 : steps.back().after.windows.raw();
  on.set_up() = set_up_for(c, constants.page_shift, windows);
  const auto difference = on.follow(run.initial, steps);
  if (difference) return {Outcome::refuted, *difference};
  return {Outcome::confirmed,
          std::to_string(steps.size()) + " steps on dma-iommu.c and iova.c" +
              (loops ? ", what repeats once" : "") + "; the state was equal after each (magazines of " +
              std::to_string(c.sizes.mag_size) + ", " + std::to_string(c.sizes.bins) +
              " size classes, pages so large that 32 bits of address are " + std::to_string(c.sizes.boundary) + ")"};
}

template CodeReplay follow_on_code(const spec::iova::Iova<model::Concrete, spec::iova::Small>&, const Path&, bool,
                                   const std::string&);
template CodeReplay follow_on_code(const spec::iova::Iova<model::Concrete, spec::iova::Medium>&, const Path&, bool,
                                   const std::string&);

}  // namespace iomc::check
