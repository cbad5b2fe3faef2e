// SPDX-License-Identifier: GPL-2.0-or-later
// The vfio specification: step table, dispatch, initial states.
#pragma once

#include <span>

#include "model/property.hpp"
#include "spec/vfio/drivers.hpp"
#include "spec/vfio/irq_flow.hpp"
#include "spec/vfio/irq_thread.hpp"
#include "spec/vfio/level.hpp"
#include "spec/vfio/msi.hpp"
#include "spec/vfio/other.hpp"
#include "spec/vfio/set_irqs.hpp"
#include "spec/vfio/sharing.hpp"
#include "spec/vfio/virqfd.hpp"

namespace iomc::spec::vfio {

/// Names, kernel functions and meanings of the steps, in the order of Step.
std::span<const model::StepInfo> step_table();

template <class D>
bool call_handler(const Point<D>& k, Step back) {
  using Byte = typename Point<D>::Byte;
  Program<D>& me = k.me();
  k.cx.cost(Cost::handler_call);
  me.res = Byte(IrqReturn::irq_handled);
  switch (k.action_setup().handler) {
    case Handler::msi:
      me.efd = k.action().dev;
      me.covers = Byte(k.action_setup().irq + 1);
      return k.call(Step::signal_check, back);
    case Handler::locker:
    case Handler::counter:
    case Handler::key_timer:
      me.a = Byte(LockId::driver_lock);
      return k.call(Step::section_lock, back);
    case Handler::intx: return k.call(Step::intx_handler, back);
    case Handler::sharer: return k.call(Step::sharer_handler, back);
    case Handler::remover: return k.call(Step::remover_handler, back);
    case Handler::demux: return k.call(Step::nested_begin, back);
    case Handler::none: break;
    case Handler::wakeup: return k.call(Step::wakeup_lock, back);
    case Handler::config_reader: return k.call(Step::config_lock, back);
    case Handler::vector_lookup: return k.call(Step::lookup_lock, back);
    case Handler::xen_timer: return k.call(Step::xen_lock, back);
    case Handler::network: return k.call(Step::net_lock, back);
    case Handler::raiser: return k.call(Step::softirq_raise, back);
  }
  return k.then(back);
}

template <class D>
bool wake_virqfd(const Point<D>& k, std::size_t) {
  return k.then(Step::virqfd_woken);
}

template <class D>
class Vfio {
 public:
  using State = vfio::State<D>;
  using Event = vfio::Event;
  using Byte = typename Point<D>::Byte;

  explicit Vfio(Config config) : config_(std::move(config)) {
    config_.rules = make_rules(config_);
    for (std::size_t l = 0; l < config_.rules.lanes.size(); ++l)
      if (config_.rules.lanes[l].kind == model::ContextKind::softirq) softirq_ = l;
    // Strong: locks that spin are handed over in the order of asking, and a task that is runnable again and again runs.
    for (const LaneSetup& l : config_.env.lanes) fairness_.push_back({l.name, model::FairnessKind::strong});
  }

  const Config& config() const { return config_; }
  const char* name() const { return "vfio"; }
  unsigned instances() const { return max_lanes * step_count; }
  unsigned step_of(unsigned instance) const { return instance % step_count; }
  std::span<const model::StepInfo> steps() const { return step_table(); }

  void initial(State& s, model::StepContext<Event>& cx) const {
    s = {};
    const Point<D> k{config_, s, cx, 0};
    for (std::size_t i = 0; i < max_lanes; ++i) s.lanes[i] = {};
    for (auto& d : s.desc) {
      d.depth = Byte(1);
      d.disabled = Byte(1);
      d.masked = Byte(1);
    }
    for (std::size_t e = 0; e < config_.env.eventfds; ++e) {
      s.eventfd[e].refs = Byte(1);
      s.eventfd[e].open = Byte(1);
    }
    for (std::size_t a = 0; a < config_.env.actions.size(); ++a)
      if (config_.env.actions[a].registered) register_action(k, a);
    for (std::size_t i = 0; i < config_.env.lanes.size(); ++i)
      for (const Call& c : config_.env.lanes[i].calls) {
        if (c.op == Op::poll_remove) add_waiter(s.eventfd[c.a], WaiterKind::epoll, 0);
        if (c.op == Op::poll_disabled) s.intx.msix = Byte(1);
      }
    set_up_kvm(k);
  }

  bool fire(State& s, unsigned instance, model::StepContext<Event>& cx) const {
    const std::size_t id = instance / step_count;
    const auto step = static_cast<Step>(instance % step_count);
    if (id >= config_.env.lanes.size() || s.crash.nonzero()) return false;
    const Role role = config_.env.lanes[id].role;
    const Point<D> k{config_, s, cx, id};
    if (role == Role::device) {
      if (step == Step::device_msi) return device_msi(k);
      return step == Step::device_line && device_line(k);
    }
    const Program<D>& me = s.lanes[id];
    if (!(me.pc == static_cast<unsigned>(from_idle(step) ? Step::idle : step))) return false;
    if (from_idle(step)) {
      if (step != first_step(role) || !s.machine.may_start(config_.rules, id)) return false;
    } else if (!s.machine.may_run(config_.rules, id)) {
      return false;
    }
    if (softirq_first(s, id)) return false;
    tell_inversion(k);
    if (!take(k, step)) return false;
    if (model::both(k.task(), s.machine.ready(id))) {
      // Only the concrete domain is priced; elsewhere the question would be one more branch.
      if constexpr (std::is_same_v<D, model::Concrete>)
        if (s.machine.current[k.cpu()] != static_cast<unsigned>(id + 1)) cx.cost(Cost::context_switch);
      s.machine.runs(config_.rules, id);
    }
    return true;
  }

  template <class F>
  void for_each_candidate(const State& s, F&& f) const {
    for (unsigned id = 0; id < config_.env.lanes.size(); ++id) {
      const unsigned base = id * step_count;
      const Role role = config_.env.lanes[id].role;
      if (role == Role::device) {
        f(base + static_cast<unsigned>(Step::device_msi));
        f(base + static_cast<unsigned>(Step::device_line));
      } else if (s.lanes[id].pc.raw() != 0) {
        f(base + s.lanes[id].pc.raw());
      } else if (first_step(role) != Step::idle) {
        f(base + static_cast<unsigned>(first_step(role)));
      }
    }
  }

  /// Nobody is in the middle of anything: tasks are in user space, readers and interrupt threads wait for work.
  bool may_stop(const State& s) const {
    if (s.crash.nonzero()) return true;
    for (std::size_t i = 0; i < config_.env.lanes.size(); ++i) {
      const auto& lane = s.machine.lanes[i];
      if (lane.active == 0) continue;
      if (lane.blocked != model::Blocked::asleep) return false;
      const auto& pc = s.lanes[i].pc;
      const auto in_thread = model::either(pc == static_cast<unsigned>(Step::thread_state),
                                           pc == static_cast<unsigned>(Step::thread_test));
      if (!model::either(pc == static_cast<unsigned>(Step::read_lock), in_thread)) return false;
    }
    return true;
  }

  /// Each lane that can go on goes on.
  std::span<const model::FairnessInfo> fairness() const { return fairness_; }
  int fairness_of(const State&, unsigned instance) const {
    const unsigned id = instance / step_count;
    const auto step = static_cast<Step>(instance % step_count);
    // The environment owes nothing: a device may stay silent, a task in user space.
    const Role role = config_.env.lanes[id].role;
    const bool owes = (step != Step::begin || role == Role::worker) && role != Role::device;
    return owes ? static_cast<int>(id) : model::no_fairness;
  }

  model::Lane lane(const State&, unsigned instance) const {
    const LaneSetup& l = config_.env.lanes[instance / step_count];
    return {l.role == Role::device ? -1 : static_cast<int>(l.cpu), l.name};
  }

  /// Locks the lane holds after a step.
  std::string locks_held(const State& s, unsigned instance) const {
    std::string out;
    for (std::size_t l = 0; l < config_.rules.locks.size(); ++l)
      if (s.machine.owns(instance / step_count, l))
        out += (out.empty() ? "" : ", ") + std::string(config_.rules.locks[l].name);
    return out;
  }

 private:
  /// The lane is about to run: does one of higher priority wait for a lock that another task of this CPU owns?
  void tell_inversion(const Point<D>& k) const {
    if (!k.task()) return;
    const auto& m = k.s.machine;
    bool waits = false;
    for (std::size_t w = 0; w < config_.env.lanes.size(); ++w)
      if (m.lanes[w].waits_for.nonzero()) waits = true;
    if (!waits) return;
    const auto p = m.priorities(config_.rules);
    for (std::size_t w = 0; w < config_.env.lanes.size(); ++w) {
      if (m.lanes[w].waits_for == 0 || m.lanes[w].blocked == 0 || !(p[k.id] < p[w])) continue;
      const std::size_t lock = model::index_of(m.lanes[w].waits_for, lock_count + 1) - 1;
      for (std::size_t o = 0; o < config_.env.lanes.size(); ++o) {
        if (o == k.id || o == w || config_.rules.lanes[o].cpu != k.cpu() || !m.owns(o, lock)) continue;
        Event e;
        e.kind = Event::inversion;
        e.lock = static_cast<unsigned char>(lock);
        e.index = static_cast<unsigned char>(w);
        k.emit(e);
        return;
      }
    }
  }

  /// A softirq that can begin on the CPU does so before its task goes on.
  bool softirq_first(const State& s, std::size_t id) const {
    if (softirq_ == max_lanes || config_.rules.lanes[id].kind != model::ContextKind::task) return false;
    const unsigned cpu = config_.env.lanes[id].cpu;
    return config_.env.lanes[softirq_].cpu == cpu && s.softirq.pending[cpu] == 1 &&
           s.machine.may_start(config_.rules, softirq_);
  }

  static bool from_idle(Step step) {
    return step == Step::begin || step == Step::irq_entry || step == Step::softirq_entry;
  }
  static Step first_step(Role role) {
    switch (role) {
      case Role::hardirq: return Step::irq_entry;
      case Role::softirq: return Step::softirq_entry;
      case Role::task:
      case Role::worker: return Step::begin;
      default: return Step::idle;
    }
  }

  void register_action(const Point<D>& k, std::size_t a) const {
    const ActionSetup& setup = config_.env.actions[a];
    State& s = k.s;
    set_up_action(k, a);
    s.action[a].listed = Byte(1);
    if (s.action[a].oneshot == 1) s.action[a].mask = Byte(1U << a);
    Desc<D>& d = s.desc[setup.irq];
    d.oneshot |= s.action[a].oneshot;
    irq_startup(d, config_.env.irqs[setup.irq].flow);
    if (s.action[a].thread.nonzero()) {
      const auto lane = static_cast<std::size_t>(setup.thread_lane);
      s.action[a].thread = Byte(2);
      s.action[a].ready = Byte(1);
      const Step waits = config_.facts.thread_set_state_first ? Step::thread_state : Step::thread_test;
      s.lanes[lane].pc = Byte(static_cast<unsigned>(waits));
    }
    register_intx(k, a);
    if (setup.handler != Handler::msi) return;
    s.action[a].dev = Byte(setup.eventfd + 1);
    s.eventfd[setup.eventfd].refs += Byte(1);
    s.vdev.irq_type = Byte(IrqType::type_msi);
    VectorCtx<D>& c = s.vdev.ctx[setup.irq];
    c = {Byte(1), Byte(setup.eventfd + 1), Byte(0), Byte(1), Byte(1), Byte(1)};
    d.wanted = Byte(1);
  }

  /// A task enters the kernel.
  static bool begin(const Point<D>& k) {
    const LaneSetup& setup = k.setup();
    if (setup.role == Role::worker) return serves_virqfds(setup) ? begin_virqfd_work(k) : begin_work(k);
    Program<D>& me = k.me();
    const auto n = static_cast<unsigned>(setup.calls.size());
    unsigned which = 0;
    if (n == 0) return false;
    if (setup.order == Order::any) {
      if (!(me.at < setup.budget)) return false;
      which = k.cx.pick(n);
      me.at += Byte(1);
    } else {
      if (setup.order == Order::once && !(me.at < n)) return false;
      which = static_cast<unsigned>(model::index_of(me.at, n));
      me.at = Byte(setup.order == Order::once ? which + 1 : (which + 1) % n);
    }
    const Call& call = setup.calls[which];
    k.exec().active = Byte(1);
    me.a = Byte(call.a);
    me.b = Byte(call.b);
    me.efd = Byte(call.a + 1);
    switch (call.op) {
      case Op::read: return k.then(Step::read_lock);
      case Op::write: return k.then(Step::write_lock);
      case Op::signal: return k.call(Step::signal_check, Step::left);
      case Op::fdinfo: return k.then(Step::fdinfo_lock);
      case Op::poll_add: me.b = Byte(0); return k.then(Step::poll_lock);
      case Op::poll_remove: me.b = Byte(1); return k.then(Step::poll_lock);
      case Op::close: return k.then(Step::close_lock);
      case Op::request: me.act = Byte(call.a); me.efd = Byte(0); return k.call(Step::request_begin, Step::left);
      case Op::free: me.act = Byte(call.a); return k.call(Step::free_lock, Step::left);
      case Op::disable: me.irq = Byte(call.a); return k.call(Step::disable_begin, Step::left);
      case Op::enable: me.irq = Byte(call.a); return k.call(Step::enable_begin, Step::left);
      case Op::synchronize: me.irq = Byte(call.a); return k.call(Step::sync_hard, Step::left);
      case Op::set_vector: me.b = Byte(call.b + 1); return k.then(Step::msi_lock);
      case Op::set_block: me.mode = Byte(SetIrqsKind::block_given); return k.then(Step::msi_lock);
      case Op::disable_msi: me.mode = Byte(SetIrqsKind::disable_given); return k.then(Step::msi_lock);
      case Op::unset_vector: me.b = Byte(0); return k.then(Step::msi_lock);
      case Op::loopback: return k.then(Step::msi_loopback);
      case Op::spin: return k.then(Step::spin_on);
      case Op::bh_section: return k.then(Step::bh_take);
      case Op::irqfd_assign: local(k).irqfd = Byte(call.a + 1); return k.then(Step::assign_begin);
      case Op::irqfd_deassign: local(k).irqfd = Byte(call.a + 1); return k.then(Step::deassign_lock);
      case Op::route_update: local(k).irqfd = Byte(call.a + 1); return k.then(Step::route_swap);
      case Op::vdpa_set_call: return vdpa_begin(k);
      case Op::read_config: return k.then(Step::config_lock);
      case Op::vcpu_block: return k.then(Step::block_irqs);
      case Op::epoll_wait: return k.then(Step::scan_lock);
      case Op::hotplug: return k.then(Step::hotplug_lock);
      case Op::aer_error: return k.then(Step::aer_walk);
      case Op::hot_reset: return k.then(Step::reset_lock);
      case Op::release_device: return k.then(Step::release_lock);
      case Op::intx_enable:
      case Op::intx_disable:
      case Op::intx_set_trigger:
      case Op::intx_clear_trigger:
      case Op::intx_mask:
      case Op::intx_unmask:
      case Op::intx_loopback:
      case Op::virqfd_enable:
      case Op::virqfd_disable: me.b = Byte(static_cast<unsigned>(call.op)); return k.then(Step::intx_ioctl);
      case Op::intx_config_mask: me.a = Byte(1); return k.then(Step::config_disintx);
      case Op::intx_config_unmask: me.a = Byte(0); return k.then(Step::config_disintx);
      case Op::device_service: return k.then(Step::device_service);
      case Op::device_quiet: return k.then(Step::device_quiet);
      case Op::poll_disabled: return k.then(Step::poll_disable);
      case Op::msix_off: return k.then(Step::msix_off);
      case Op::set_irqs: me.efd = Byte(0); return k.then(Step::set_irqs_header);
      default: break;
    }
    IOMC_INVARIANT(false);
    return false;
  }

  /// The task is back in user space after code that returns to its caller.
  static bool left(const Point<D>& k) { return k.done(); }

  static bool take(const Point<D>& k, Step step) {
    switch (step) {
#define VFIO_STEP(step_name, function, file, what) \
  case Step::step_name: return step_name(k);
      VFIO_STEPS(VFIO_STEP)
#undef VFIO_STEP
      case Step::idle:
      case Step::count_: break;
    }
    return false;
  }

  Config config_;
  std::size_t softirq_ = max_lanes;  ///< the lane of softirqs, where they come on top of a task
  std::vector<model::FairnessInfo> fairness_;
};

}  // namespace iomc::spec::vfio
