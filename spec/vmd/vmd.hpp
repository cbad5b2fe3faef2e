// SPDX-License-Identifier: GPL-2.0-or-later
// The vmd specification: step table, dispatch, initial states.
#pragma once

#include <span>

#include "model/fairness.hpp"
#include "spec/vmd/children.hpp"
#include "spec/vmd/life.hpp"
#include "spec/vmd/posted.hpp"

namespace iomc::spec::vmd {

/// Names, kernel functions and meanings of the steps, in the order of Step.
std::span<const model::StepInfo> step_table();

template <class D, class Shape>
class Vmd {
 public:
  using T = Types<D, Shape>;
  using State = vmd::State<T>;
  using Event = vmd::Event<T>;
  using Point = vmd::Point<T>;
  using Byte = typename T::Byte;

  explicit Vmd(Config config) : config_(std::move(config)) {
    for (std::size_t i = 0; i < Shape::lanes; ++i)
      kinds_[i] = i < config_.env.lanes.size() ? context_of(config_.env.lanes[i].role) : model::ContextKind::task;
    for (const LaneSetup& l : config_.env.lanes) fairness_.push_back({l.name, model::FairnessKind::strong});
    for (unsigned c = 0; c < config_.sizes.children; ++c)
      fairness_.push_back({std::string("device ") + static_cast<char>('A' + c), model::FairnessKind::weak});
    for (const LaneSetup& l : config_.env.lanes)
      fairness_.push_back({std::string(l.name) + ", a latched vector", model::FairnessKind::strong});
  }

  /// Whoever has begun goes on, and gets the lock that it waits for; a latched interrupt and a resend are taken; a
  /// device sends the message that it has to send. Nobody needs to begin anything else. A posted notification comes
  /// often, and does not keep a vector that is latched beside it from being taken for ever.
  std::span<const model::FairnessInfo> fairness() const { return fairness_; }
  int fairness_of(const State& s, unsigned instance) const {
    const std::size_t id = instance / step_count;
    const auto step = static_cast<Step>(instance % step_count);
    if (id >= Shape::lanes) {
      const bool owes = step == Step::send || step == Step::arrive || step == Step::coalesced;
      return owes ? static_cast<int>(config_.env.lanes.size() + id - Shape::lanes) : model::no_fairness;
    }
    const Role role = role_of(id);
    const auto begins = s.lanes[id].pc == 0;
    if (begins && step == Step::edge)
      return static_cast<int>(config_.env.lanes.size() + config_.sizes.children + id);
    return !begins || role == Role::handler || role == Role::resender ? static_cast<int>(id) : model::no_fairness;
  }

  const Config& config() const { return config_; }
  const char* name() const { return "vmd"; }
  /// The lanes' steps, then those of the children's devices.
  unsigned instances() const { return (Shape::lanes + Shape::children) * step_count; }
  unsigned step_of(unsigned instance) const { return instance % step_count; }
  std::span<const model::StepInfo> steps() const { return step_table(); }

  void initial(State& s, model::StepContext<Event>& cx) const {
    s = {};
    for (unsigned v = 0; v < Shape::vectors; ++v) s.irqs[v].next = s.irqs[v].prev = Byte(T::head(v));
    for (unsigned c = 0; c < config_.sizes.cpus; ++c) s.online[c] = Byte(1);
    for (std::size_t i = 0; i < config_.env.lanes.size(); ++i) s.lanes[i].context.cpu = Byte(config_.env.lanes[i].cpu);
    const Point k{config_, s, cx, 0};
    if (config_.env.scene == Scene::life) return initial_machine(k);
    for (unsigned c = 0; c + config_.env.unborn < config_.sizes.children; ++c) {
      place_child(k, c);
      Child<T>& child = s.children[c];
      child.action = child.started = Byte(1);
      child.disabled = child.depth = child.masked = Byte(0);
      if (!config_.facts.list_for_life && config_.facts.irq_startup != IrqStartup::inherited) link_child(s, c);
    }
    // The queue's interrupt was requested before this run begins: nothing of it is reported.
    cx.begin();
  }

  bool fire(State& s, unsigned instance, model::StepContext<Event>& cx) const {
    const std::size_t id = instance / step_count;
    const auto step = static_cast<Step>(instance % step_count);
    if (s.crash.nonzero()) return false;
    if (id >= Shape::lanes) return fire_device(Point{config_, s, cx, id - Shape::lanes}, step);
    const Role role = role_of(id);
    if (role == Role::absent) return false;
    const Lane<T>& me = s.lanes[id];
    const Point k{config_, s, cx, id};
    if (config_.env.prompt_walk && role != Role::handler && walk_hurries(s)) return false;
    if (step == Step::desc_wait) return model::may_run(s.lanes, kinds_, id) && me.pc.nonzero() && vmd::desc_wait(k);
    const auto starts = me.pc == 0;
    if (starts) {
      bool first = false;
      for (const Step f : first_steps(role)) first = first || step == f;
      if (!first) return false;
      if (me.done.nonzero() || !s.online[model::index_of(me.context.cpu, Shape::cpus)].nonzero()) return false;
      if (!model::may_start(s.lanes, kinds_, id)) return false;
    } else {
      if (!(me.pc == static_cast<unsigned>(step)) || !model::may_run(s.lanes, kinds_, id)) return false;
    }
    return take(k, step);
  }

  template <class F>
  void for_each_candidate(const State& s, F&& f) const {
    for (unsigned id = 0; id < config_.env.lanes.size(); ++id) {
      const unsigned base = id * step_count;
      const unsigned pc = s.lanes[id].pc.raw();
      if (pc == 0) {
        for (const Step step : first_steps(role_of(id))) f(base + static_cast<unsigned>(step));
        continue;
      }
      // Ascending.
      const auto wait = static_cast<unsigned>(Step::desc_wait);
      if (config_.env.fair_locks && wait < pc) f(base + wait);
      f(base + pc);
      if (config_.env.fair_locks && wait > pc) f(base + wait);
    }
    for (unsigned c = 0; c < config_.sizes.children; ++c)
      for (const Step step : {Step::post, Step::arrive, Step::coalesced, Step::send, Step::signal})
        f((Shape::lanes + c) * step_count + static_cast<unsigned>(step));
  }

  /// The end of a run: the kernel stopped, or nobody is in the middle of anything.
  bool may_stop(const State& s) const {
    if (s.crash.nonzero()) return true;
    for (const auto& lane : s.lanes)
      if (lane.context.active.nonzero()) return false;
    return true;
  }

  model::Lane lane(const State& s, unsigned instance) const {
    const std::size_t id = instance / step_count;
    if (id >= Shape::lanes) return {-1, std::string("device ") + static_cast<char>('A' + (id - Shape::lanes))};
    return {static_cast<int>(s.lanes[id].context.cpu.raw()), config_.env.lanes[id].name};
  }

  /// Locks the lane still holds after a step.
  std::string locks_held(const State& s, unsigned instance) const {
    const unsigned owner = instance / step_count + 1;
    if (owner > Shape::lanes) return {};
    std::string out;
    const auto add = [&](const auto& lock, const std::string& text) {
      if (lock.owner.raw() == owner) out += (out.empty() ? "" : ", ") + text;
    };
    for (std::size_t c = 0; c < Shape::children; ++c)
      add(s.children[c].lock, std::string("desc->lock of ") + static_cast<char>('A' + c));
    add(s.list_lock, "list_lock");
    add(s.cfg_lock, "cfg_lock");
    return out;
  }

 private:
  Role role_of(std::size_t id) const {
    return id < config_.env.lanes.size() ? config_.env.lanes[id].role : Role::absent;
  }

  /// Some walk is between two handlers, and not waiting for a lock.
  bool walk_hurries(const State& s) const {
    using Bool = typename T::Bool;
    Bool hurries = false;
    for (std::size_t i = 0; i < config_.env.lanes.size(); ++i) {
      const Lane<T>& lane = s.lanes[i];
      const Bool walks =
          model::both(lane.op == op_irq, model::negate(lane.pc == static_cast<unsigned>(Step::child_handler)));
      if (model::detail::certain(model::negate(walks))) continue;
      Bool can = model::negate(wants_desc_lock(lane));
      for (unsigned c = 0; c < Shape::children; ++c)
        can = model::either(can, model::both(lane.child == c, s.children[c].lock.owner == 0));
      hurries = model::either(hurries, model::both(walks, can));
    }
    return static_cast<bool>(hurries);
  }

  /// The steps that a lane may begin with, ascending.
  static std::span<const Step> first_steps(Role role) {
    static constexpr std::array own{Step::own_free}, timeout{Step::nvme_timeout}, call{Step::driver_call},
        msi_lock{Step::msi_lock}, resend{Step::resend}, config_begin{Step::config_begin}, bus_walk{Step::bus_walk},
        bus_write{Step::bus_write}, set_affinity{Step::set_affinity}, rcu_begin{Step::rcu_begin};
    static constexpr std::array edge{Step::edge, Step::notification};
    static constexpr std::array cpus{Step::cpu_down, Step::cpu_up};
    static constexpr std::array life{Step::probe, Step::suspend_children, Step::remove_first, Step::shutdown_children,
                                     Step::crash_kexec};
    switch (role) {
      case Role::handler: return edge;
      case Role::timeout: return timeout;
      case Role::toggler:
      case Role::freer:
      case Role::disabling_freer: return call;
      case Role::allocator: return msi_lock;
      case Role::resender: return resend;
      case Role::config_reader: return config_begin;
      case Role::bus_walker: return bus_walk;
      case Role::bus_writer: return bus_write;
      case Role::own_power: return own;
      case Role::affinity: return set_affinity;
      case Role::hotplug: return cpus;
      case Role::rcu_reader: return rcu_begin;
      case Role::driver: return life;
      case Role::absent: break;
    }
    return {};
  }

  bool fire_device(const Point& k, Step step) const {
    if (k.id >= config_.sizes.children) return false;
    switch (step) {
      case Step::post: return post(k);
      case Step::arrive: return arrive(k);
      case Step::coalesced: return coalesced(k);
      case Step::signal: return vmd::signal(k);
      case Step::send: return config_.env.overtaking || k.s.children[k.id].unseen == 0 ? send(k) : false;
      default: return false;
    }
  }

  bool take(const Point& k, Step step) const {
    switch (step) {
      case Step::edge: return edge(k);
      case Step::srcu_lock: return srcu_lock(k);
      case Step::walk_first: return walk_first(k);
      case Step::before_child: return vmd::before_child(k);
      case Step::child_flow: return child_flow(k);
      case Step::child_handler: return child_handler(k);
      case Step::child_done: return child_done(k);
      case Step::walk_next: return walk_next(k);
      case Step::srcu_unlock: return srcu_unlock(k);
      case Step::edge_exit: return edge_exit(k);
      case Step::notification: return notification(k);
      case Step::harvest: return harvest(k);
      case Step::own_free: return own_free(k);
      case Step::own_request: return own_request(k);
      case Step::nvme_timeout: return vmd::nvme_timeout(k);
      case Step::driver_call: return driver_call(k);
      case Step::disable: return disable_irq(k);
      case Step::mask: return mask_step(k);
      case Step::unlink: return unlink_step(k);
      case Step::synchronize: return synchronize(k);
      case Step::poll: return poll(k);
      case Step::enable: return enable_irq(k);
      case Step::link: return link_step(k);
      case Step::unmask: return unmask_step(k);
      case Step::free_irq: return free_irq(k);
      case Step::free_begin: return free_begin(k);
      case Step::free_wait: return free_wait(k);
      case Step::free_count: return free_count(k);
      case Step::free_unlock: return free_unlock(k);
      case Step::free_node: return free_node(k);
      case Step::msi_lock: return msi_lock(k);
      case Step::msi_init: return msi_init(k);
      case Step::msi_unlock: return msi_unlock(k);
      case Step::request_irq: return request_irq(k);
      case Step::resend: return resend_step(k);
      case Step::config_begin: return config_begin(k);
      case Step::config_end: return config_end(k);
      case Step::bus_walk: return bus_walk(k);
      case Step::bus_quirk: return bus_quirk(k);
      case Step::bus_walked: return bus_walked(k);
      case Step::bus_write: return bus_write(k);
      case Step::bus_written: return bus_written(k);
      case Step::bus_done: return bus_done(k);
      case Step::set_affinity: return set_affinity(k);
      case Step::cpu_down: return cpu_down(k);
      case Step::cpu_up: return cpu_up(k);
      case Step::rcu_begin: return rcu_begin(k);
      case Step::rcu_end: return rcu_end(k);
      default: return take_life(k, step);
    }
  }

  bool take_life(const Point& k, Step step) const {
    switch (step) {
      case Step::probe: return probe(k);
      case Step::probe_offsets: return probe_offsets(k);
      case Step::probe_buses: return probe_buses(k);
      case Step::probe_decide: return probe_decide(k);
      case Step::probe_irqs: return probe_irqs(k);
      case Step::probe_remap: return probe_remap(k);
      case Step::probe_domain: return probe_domain(k);
      case Step::probe_bypass: return probe_bypass(k);
      case Step::probe_root_bus: return probe_root_bus(k);
      case Step::probe_scan: return probe_scan(k);
      case Step::window_first: return window_step(k, 0);
      case Step::window_second: return window_step(k, 1);
      case Step::window_third: return window_step(k, 2);
      case Step::probe_children: return probe_children(k);
      case Step::suspend_children: return suspend_children(k);
      case Step::suspend_vmd: return suspend_vmd(k);
      case Step::suspend_noirq: return suspend_noirq(k);
      case Step::sleep: return sleep_step(k);
      case Step::resume_noirq: return resume_noirq(k);
      case Step::resume_vmd: return resume_vmd(k);
      case Step::resume_children: return resume_children(k);
      case Step::remove_first: return remove_first(k);
      case Step::remove_second: return remove_second(k);
      case Step::remove_mode: return remove_mode(k);
      case Step::shutdown_children: return shutdown_children(k);
      case Step::shutdown_vmd: return shutdown_vmd(k);
      case Step::restart: return restart(k);
      case Step::crash_kexec: return crash_kexec(k);
      default: return false;
    }
  }

  Config config_;
  std::array<model::ContextKind, Shape::lanes> kinds_{};
  std::vector<model::FairnessInfo> fairness_;
};

}  // namespace iomc::spec::vmd
