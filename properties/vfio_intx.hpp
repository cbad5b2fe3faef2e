// SPDX-License-Identifier: GPL-2.0-or-later
// What must hold of INTx, its virtual mask and its virqfd, and of lines that handlers share. S24 and S25 continue the
// series of the reference.
#pragma once

#include <algorithm>

#include "properties/vfio.hpp"

namespace iomc::properties::vfio {

namespace detail {

/// Everybody is in user space, off the interrupt, or asleep.
template <class S>
bool all_rest(const S& spec, const typename S::State& s) {
  if (s.crash != 0) return false;
  for (std::size_t l = 0; l < spec.config().env.lanes.size(); ++l)
    if (s.machine.lanes[l].active == 1 && s.machine.lanes[l].blocked != model::Blocked::asleep)
      return false;
  return true;
}

/// A task does not sleep half-way through a call, but waits for an event.
template <class S>
bool no_call_under_way(const S& spec, const typename S::State& s) {
  for (std::size_t l = 0; l < spec.config().env.lanes.size(); ++l) {
    const Role role = spec.config().env.lanes[l].role;
    if (role != Role::task && role != Role::worker) continue;
    if (s.machine.lanes[l].active == 1 && !stands_at(s.lanes[l], Step::read_lock)) return false;
  }
  return true;
}

template <class S>
const ActionSetup* intx_setup(const S& spec) {
  for (const auto& a : spec.config().env.actions)
    if (a.handler == Handler::intx) return &a;
  return nullptr;
}

/// The lane stands in one of these steps.
template <class S>
bool stands_in(const typename S::State& s, std::size_t lane, std::initializer_list<Step> steps) {
  return std::any_of(steps.begin(), steps.end(),
                     [&](Step step) { return static_cast<bool>(stands_at(s.lanes[lane], step)); });
}

/// The lane waits in free_irq, disable_irq or synchronize_irq.
template <class S>
bool waits_for_handlers(const typename S::State& s, std::size_t lane) {
  return stands_in<S>(s, lane,
                      {Step::free_hard, Step::free_threads, Step::free_stopped, Step::sync_hard, Step::sync_threads});
}

/// The user has INTx with a trigger, has not masked it, waits for its eventfd, and the device wants service.
template <class S>
bool user_waits_for_intx(const S& spec, const typename S::State& s) {
  const auto& c = s.vdev.ctx[0];
  if (s.crash != 0 || s.vdev.irq_type != IrqType::type_intx || c.exists == 0) return false;
  if (c.trigger == 0 || s.vdev.virq_disabled == 1 || s.intx.user_masked == 1) return false;
  if (s.intx.status == 0 || eventfd_of(s, c.trigger).count != 0) return false;
  for (std::size_t l = 0; l < spec.config().env.lanes.size(); ++l) {
    const auto& calls = spec.config().env.lanes[l].calls;
    if (calls.empty() || calls[0].op != Op::read) continue;
    const bool reads = stands_at(s.lanes[l], Step::read_lock) &&
                       s.machine.lanes[l].blocked == model::Blocked::asleep;
    const bool about_to = s.machine.lanes[l].active == 0 && s.lanes[l].at == 0;
    return reads || about_to;
  }
  return false;
}

}  // namespace detail

template <class S>
void add_intx_properties(std::vector<model::Property<S>>& out) {
  using State = typename S::State;
  using P = model::Property<S>;
  const auto add = [&](P p) { out.push_back(std::move(p)); };

  P p{};
  p.info = {"vfio.S6", "while INTx is masked or unmasked, irq_type stays what the decision was made on",
            "the mask of another mode is changed, or a ctx that is gone", "CVE-2024-26810", PropertyKind::safety};
  p.relevant_in = [](const S&, const State& s) {
    for (const auto& l : s.lanes)
      if (l.mode == IrqType::type_intx) return true;
    return false;
  };
  p.holds_in = [](const S& spec, const State& s) {
    for (std::size_t l = 0; l < spec.config().env.lanes.size(); ++l)
      if (detail::stands_in<S>(s, l, {Step::intx_mask, Step::intx_unmask}) &&
          s.lanes[l].mode != s.vdev.irq_type)
        return false;
    return true;
  };
  p.explain = [](const S&, const State&, const State&, const Event*) {
    return std::string("irq_type changes between the test of it and the masking that follows from it");
  };
  add(p);

  p = {};
  p.info = {"vfio.S7", "at rest, a line without DisINTx is disabled once if INTx is masked, and not if it is not",
            "an unmask leaves the line disabled, or an enable is one too many", "CVE-2024-27437, CVE-2026-43448",
            PropertyKind::safety};
  p.relevant_in = [](const S& spec, const State& s) {
    return (detail::intx_setup(spec) != nullptr && !spec.config().env.pci_2_3 && s.vdev.ctx[0].masked == 1) ||
           s.intx.msix == 1;
  };
  p.holds_in = [](const S& spec, const State& s) {
    const ActionSetup* setup = detail::intx_setup(spec);
    if (setup == nullptr || spec.config().env.pci_2_3) return true;
    if (s.vdev.irq_type != IrqType::type_intx || s.vdev.ctx[0].exists == 0) return true;
    const auto which = static_cast<std::size_t>(setup - spec.config().env.actions.data());
    if (s.action[which].listed == 0 || s.action[which].runthread == 1) return true;
    if (!detail::all_rest(spec, s) || !detail::no_call_under_way(spec, s)) return true;
    const auto& d = s.desc[setup->irq];
    return static_cast<bool>(d.depth == s.vdev.ctx[0].masked + d.spurious);
  };
  p.relevant_on = [](const Event& e) { return e.kind == Event::enabled_twice; };
  p.holds_on = [](const S&, const State&, const State&, const Event& e) { return e.kind != Event::enabled_twice; };
  p.explain = [](const S& spec, const State&, const State& after, const Event* e) {
    if (e != nullptr) return "irq " + std::to_string(e->index) + " is enabled although it is not disabled";
    const auto& d = after.desc[detail::intx_setup(spec)->irq];
    return "INTx is " + std::string(after.vdev.ctx[0].masked == 1 ? "masked" : "not masked") +
           ", and its line is disabled " + std::to_string(d.depth.raw()) + " times";
  };
  add(p);

  p = {};
  p.info = {"vfio.S8", "each virqfd is shut down once", "its memory is used after it was freed", "b68e7fa879cd",
            PropertyKind::safety};
  p.relevant_in = [](const S&, const State& s) {
    return s.intx.virqfd[0].shutdown != 0 || s.intx.virqfd[1].shutdown != 0;
  };
  p.holds_in = [](const S&, const State& s) {
    for (const auto& v : s.intx.virqfd)
      if (v.shutdown == Work::work_running_and_queued || (v.shutdown != 0 && v.exists == 0))
        return false;
    return true;
  };
  p.explain = [](const S&, const State&, const State&, const Event*) {
    return std::string("a second shutdown is queued for a virqfd whose first one has begun");
  };
  add(p);

  p = {};
  p.info = {"vfio.S16", "a ONESHOT line is masked until all threads that its interrupt woke have finished",
            "it is delivered again while its device still asserts it, for as long as the threads take",
            "kernel/irq/manage.c: irq_finalize_oneshot", PropertyKind::safety};
  p.relevant_in = [](const S&, const State& s) { return static_cast<bool>(s.desc[0].threads_oneshot != 0); };
  p.holds_in = [](const S& spec, const State& s) {
    for (std::size_t i = 0; i < spec.config().env.irqs.size(); ++i)
      if (s.desc[i].threads_oneshot != 0 && s.desc[i].masked == 0) return false;
    return true;
  };
  p.explain = [](const S&, const State&, const State&, const Event*) {
    return std::string("the line is not masked, and a thread of it has not finished");
  };
  add(p);

  p = {};
  p.info = {"vfio.S18", "after SET_IRQS has returned, no handler signals an eventfd that it took away",
            "the user gets an interrupt where it no longer expects one, or memory that was freed is used",
            "18c198c96a81", PropertyKind::safety};
  p.relevant_in = [](const S&, const State& s) { return static_cast<bool>(s.vdev.irq_type != IrqType::type_none); };
  p.holds_in = [](const S& spec, const State& s) {
    if (s.machine.locks[LockId::igate].owner != 0) return true;
    for (std::size_t l = 0; l < spec.config().env.lanes.size(); ++l) {
      const Role role = spec.config().env.lanes[l].role;
      if (role != Role::hardirq && role != Role::irq_thread && role != Role::worker) continue;
      if (!detail::stands_in<S>(s, l, {Step::signal_check, Step::signal_lock, Step::signal_count})) continue;
      bool trigger = false;
      for (const auto& c : s.vdev.ctx)
        if (c.trigger == s.lanes[l].efd) trigger = true;
      if (!trigger && s.lanes[l].efd != 0 && s.vdev.irq_type != 0) return false;
    }
    return true;
  };
  p.explain = [](const S&, const State&, const State&, const Event*) {
    return std::string("a handler is about to signal an eventfd that is no longer a trigger");
  };
  add(p);

  p = {};
  p.info = {"vfio.S24", "a line whose interrupts all have a handler is not disabled as spurious",
            "nobody cared: the device's interrupts are off until its driver requests them again",
            "kernel/irq/spurious.c: note_interrupt", PropertyKind::safety};
  p.relevant_in = [](const S&, const State& s) { return static_cast<bool>(s.desc[0].irqs_unhandled != 0); };
  p.holds_in = [](const S&, const State& s) {
    return std::none_of(s.desc.begin(), s.desc.end(), [](const auto& d) { return static_cast<bool>(d.spurious == 1); });
  };
  p.explain = [](const S&, const State&, const State&, const Event*) {
    return std::string("the line is disabled although its handler would have handled each interrupt");
  };
  add(p);

  p = {};
  p.info = {"vfio.S25", "free_irq returns when the action's handler does not run", "the driver frees what it uses",
            "e2c12739ccf7", PropertyKind::safety};
  p.relevant_on = [](const Event& e) { return e.kind == Event::freed_action; };
  p.holds_on = [](const S&, const State&, const State&, const Event& e) {
    return e.kind != Event::freed_action || e.ok;
  };
  p.explain = [](const S& s, const State&, const State&, const Event* e) {
    return std::string(detail::lane_name(s, e)) + " returns from free_irq while the action's handler runs";
  };
  add(p);

  p = {};
  p.info = {"vfio.D4", "a wake function does not signal the eventfd that it is called from",
            "it waits for the lock that its caller holds", "drivers/vfio/pci/vfio_pci_intrs.c: the unmask handler",
            PropertyKind::safety};
  p.relevant_on = [](const Event& e) { return e.kind == Event::signal || e.kind == Event::dropped; };
  p.holds_on = [](const S&, const State& before, const State&, const Event& e) {
    if (e.index == 0) return true;
    return !before.machine.owns(e.lane, static_cast<std::size_t>(LockId::wqh_lock) + e.index - 1U);
  };
  p.explain = [](const S& s, const State&, const State&, const Event* e) {
    return std::string(detail::lane_name(s, e)) + " signals an eventfd whose wait queue's lock it holds";
  };
  add(p);

  p = {};
  p.info = {"vfio.R1", "at rest, what vfio allocated for INTx is reachable", "memory is lost with each such call",
            "CVE-2024-38632", PropertyKind::safety};
  p.relevant_in = [](const S&, const State& s) {
    return s.intx.names != 0 || s.intx.virqfd[0].exists != 0;
  };
  p.holds_in = [](const S& spec, const State& s) {
    if (detail::intx_setup(spec) == nullptr) return true;
    if (!detail::all_rest(spec, s) || !detail::no_call_under_way(spec, s)) return true;
    if (s.intx.names != s.vdev.ctx[0].name) return false;
    for (std::size_t v = 0; v < s.intx.virqfd.size(); ++v) {
      const auto& q = s.intx.virqfd[v];
      if (q.exists == 1 && q.shutdown == 0 && s.intx.unmask != static_cast<unsigned>(v + 1)) return false;
    }
    return true;
  };
  p.explain = [](const S&, const State&, const State& after, const Event*) {
    return after.intx.names != after.vdev.ctx[0].name ? std::string("a name is allocated that no ctx has")
                                                                  : std::string("a virqfd exists that no ctx has");
  };
  add(p);
}

/// Those that the configuration can owe; all without one.
template <class S>
void add_intx_leads_to(std::vector<model::LeadsTo<S>>& out, const Config* config) {
  using State = typename S::State;
  const bool has_intx =
      config == nullptr || std::any_of(config->env.actions.begin(), config->env.actions.end(),
                                       [](const auto& a) { return a.handler == Handler::intx; });

  model::LeadsTo<S> l2;
  l2.info = {"vfio.L2", "a device that asserts an unmasked INTx is told to the user who waits for it",
             "the device stalls", "8b9f128947dd", PropertyKind::liveness};
  l2.trigger = [](const S& spec, const State& s) { return detail::user_waits_for_intx(spec, s); };
  l2.goal = [](const S& spec, const State& s) { return !detail::user_waits_for_intx(spec, s); };
  l2.explain = [](const S&, const State&, std::span<const State>) {
    return std::string("the device wants service, the user waits, and no signal comes");
  };
  if (has_intx) out.push_back(l2);

  model::LeadsTo<S> l3;
  l3.info = {"vfio.L3", "a user's unmask of INTx unmasks the hardware, or signals that the device still asserts",
             "the line stays disabled: the device stalls", "CVE-2024-27437", PropertyKind::liveness};
  l3.trigger = [](const S&, const State& s) { return s.intx.unmask_wanted == 1 && s.crash == 0; };
  l3.goal = [](const S&, const State& s) { return s.intx.unmask_wanted == 0 || s.crash != 0; };
  l3.explain = [](const S&, const State&, std::span<const State> loop) {
    return "INTx is " + std::string(loop.back().vdev.ctx[0].masked == 1 ? "masked" : "not masked") +
           ", and the hardware stays masked";
  };
  if (has_intx) out.push_back(l3);

  model::LeadsTo<S> l5;
  l5.info = {"vfio.L5", "free_irq, disable_irq and synchronize_irq return", "the caller waits for ever, with its locks",
             "519cc8652b3a; e2c12739ccf7", PropertyKind::liveness};
  for (std::size_t l = 0; l < (config == nullptr ? max_lanes : config->env.lanes.size()); ++l) {
    if (config != nullptr && config->env.lanes[l].role == Role::device) continue;
    if (config != nullptr && config->env.lanes[l].role == Role::hardirq) continue;
    l5.trigger = [l](const S&, const State& s) { return detail::waits_for_handlers<S>(s, l) && s.crash == 0; };
    l5.goal = [l](const S&, const State& s) { return !detail::waits_for_handlers<S>(s, l) || s.crash != 0; };
    l5.explain = [l](const S& spec, const State&, std::span<const State>) {
      return std::string(spec.config().env.lanes[l].name) + " waits for handlers that never end";
    };
    out.push_back(l5);
  }
}

}  // namespace iomc::properties::vfio
