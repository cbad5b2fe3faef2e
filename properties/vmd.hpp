// SPDX-License-Identifier: GPL-2.0-or-later
// What must hold of a VMD and of the interrupts behind it, as predicates on live state and on what steps report. None
// of them knows a bug.
#pragma once

#include <string>
#include <vector>

#include "model/property.hpp"
#include "spec/vmd/vmd.hpp"

namespace iomc::properties::vmd {

using namespace iomc::spec::vmd;
using model::both;
using model::either;

/// Prose of all vmd properties (properties/vmd.cpp).
const model::PropertyInfo& info(const char* id);

template <class S>
struct Predicates {
  using T = typename S::T;
  using State = typename S::State;
  using Event = typename S::Event;
  using Byte = typename T::Byte;

  static bool alive(const State& s) { return !s.crash.nonzero(); }
  static bool never(const S&, const State&) { return false; }

  /// Nothing is under way: no context runs, no message is latched or about to be sent.
  static bool at_rest(const S&, const State& s) {
    for (const auto& lane : s.lanes)
      if (lane.context.active.nonzero()) return false;
    if (s.notified.nonzero()) return false;
    for (const auto& v : s.irqs)
      if (v.resent.nonzero() || v.irr.nonzero() || v.pba.nonzero() || v.in_progress.nonzero()) return false;
    for (const auto& c : s.children)
      if (c.raised.nonzero() || c.unseen.nonzero() || c.collected.nonzero() || c.resend.nonzero()) return false;
    return true;
  }
  /// Its driver wants its interrupts.
  static bool wanted(const Child<T>& c) {
    return c.life == live && c.action.nonzero() && (c.depth == 0 || c.spurious.nonzero());
  }
  static bool on_list(const State& s, unsigned vector, unsigned child, unsigned& times) {
    Byte node = s.irqs[vector].next;
    times = 0;
    for (unsigned i = 0; i <= T::nodes; ++i) {
      if (node == Byte(T::head(vector))) return true;
      if (node >= Byte(T::Shape::children)) return false;
      if (node == Byte(child)) ++times;
      node = s.children[model::index_of(node, T::Shape::children)].next.at;
    }
    return false;
  }

  // S1, S2, P7, P8: what the mode is, by what the driver has and by what the hardware does
  static const Mode<T>& m(const State& s) { return s.mode; }
  static bool some_armed(const State& s) {
    return (m(s).armed[nvme_child] == 1 || m(s).armed[port_child] == 1) && !(m(s).driver == other_os);
  }
  static bool mode_agrees(const S&, const State& s) {
    if (s.crash == null_dereference) return false;
    if (!alive(s) || !some_armed(s)) return true;
    const bool domain = static_cast<bool>(m(s).irq_domain.nonzero());
    const bool counted = static_cast<bool>(m(s).msix_count.nonzero());
    const bool remaps = !(m(s).vmconfig & Byte(remap_off)).nonzero();
    return domain == counted && domain == remaps;
  }
  static bool mode_matters(const S&, const State& s) { return some_armed(s); }
  static bool bypassed(const State& s) { return m(s).driver == bound && !m(s).irq_domain.nonzero(); }
  static const DeviceId& id_of(const State& s) { return device_ids[model::index_of(m(s).device, device_ids.size())]; }
  static bool on_host(const State& s) {
    return static_cast<bool>(m(s).platform == static_cast<unsigned>(Platform::host));
  }
  static bool bypass_possible(const S& spec, const State& s) {
    if (!alive(s) || !bypassed(s)) return true;
    const Remapping& ir = remappings[model::index_of(m(s).remapping, remappings.size())];
    if (!id_of(s).bypasses) return false;
    return !ir.on || (m(s).format[nvme_child] == remappable && spec.config().facts.irte_real_dma_dev);
  }
  static bool bypass_owned(const S&, const State& s) {
    return !alive(s) || !bypassed(s) || (on_host(s) && !m(s).offset.nonzero());
  }
  static bool decided(const S&, const State& s) { return static_cast<bool>(m(s).driver == bound); }
  static bool bypass_used(const S& spec, const State& s) { return !alive(s) || !could_bypass(spec, s) || bypassed(s); }
  static bool could_bypass(const S& spec, const State& s) {
    return spec.config().facts.mode_written && m(s).driver == bound && id_of(s).bypasses && on_host(s) &&
           !m(s).offset.nonzero();
  }
  static bool no_vectors_taken(const S&, const State& s) {
    return !(m(s).driver == bound && m(s).irq_domain.nonzero()) || m(s).cpu_vectors == 0;
  }
  static bool remapped(const S&, const State& s) { return m(s).driver == bound && m(s).irq_domain.nonzero(); }

  // S10, S13 to S19
  static bool flagged(const S&, const State&, const State&, const Event& e) { return e.flag != 0; }
  static bool is_handed_over(const Event& e) { return e.kind == Event::handed_over; }
  static bool is_windows_gone(const Event& e) { return e.kind == Event::windows_gone; }
  static bool is_bus_setting(const Event& e) { return e.kind == Event::bus_setting; }
  static bool is_scanned(const Event& e) { return e.kind == Event::scanned; }
  static bool is_window(const Event& e) { return e.kind == Event::window; }
  static bool is_windows(const Event& e) { return e.kind == Event::windows; }
  static bool is_cpu_left(const Event& e) { return e.kind == Event::cpu_left; }
  static bool is_interrupt_asked(const Event& e) { return e.kind == Event::interrupt_asked; }
  static bool hotplug_owned(const S&, const State& s) { return !(m(s).driver == bound) || m(s).owns_hotplug.nonzero(); }
  static bool aer_allowed(const S&, const State& s) {
    return !(m(s).driver == bound && m(s).owns_aer.nonzero() && m(s).platform_owns.nonzero());
  }
  static bool some_port(const S& spec, const State& s) { return spec.config().env.ownership && m(s).driver == bound; }
  static bool is_message(const Event& e) { return e.kind == Event::message; }

  // S3
  static bool index_in_range(const S& spec, const State&, const State&, const Event& e) {
    const auto& c = spec.config();
    if (e.kind == Event::indexed) return e.value >= e.flag;
    const bool nvme = requester(c.env.kinds[e.child], 0).nvme;
    return e.value < c.sizes.vectors &&
           (!nvme || c.sizes.vectors == 1 || e.value > 0 || c.facts.vector_choice == VectorChoice::least_of_all);
  }
  static bool is_placed(const Event& e) { return e.kind == Event::placed || e.kind == Event::indexed; }

  // S4
  static bool listed_once(const S& spec, const State& s) {
    if (s.crash == poison_dereference) return false;
    if (!alive(s)) return true;
    for (unsigned c = 0; c < spec.config().sizes.children; ++c) {
      const Child<T>& child = s.children[c];
      // Under its descriptor lock a child may be on its way, and so it is before msi_init and after msi_free.
      if (!(child.lock.owner == 0)) continue;
      unsigned times = 0;
      for (unsigned v = 0; v < spec.config().sizes.vectors; ++v) {
        unsigned here = 0;
        if (!on_list(s, v, c, here)) return true;  // S5's
        if (here != 0 && !(child.vector == Byte(v))) return false;
        times += here;
      }
      const bool enabled = child.life == live && child.started.nonzero() && !child.disabled.nonzero();
      if (times > 1 || (enabled && times == 0)) return false;
      if (times != 0 && !(child.life == live)) return false;
      if (times != 0 && !enabled && !spec.config().facts.list_for_life) return false;
    }
    return true;
  }
  static bool some_child(const S&, const State& s) {
    for (const auto& c : s.children)
      if (c.life == live) return true;
    return false;
  }

  // P10: what NVMe shares its vector with
  static bool is_nvme(const S& spec, unsigned c) { return requester(spec.config().env.kinds[c], 0).nvme; }
  static bool nvme_apart(const S& spec, const State& s) {
    if (!alive(s) || spec.config().sizes.vectors == 1) return true;
    for (unsigned c = 0; c < spec.config().sizes.children; ++c)
      for (unsigned d = 0; d < c; ++d)
        if (is_nvme(spec, c) != is_nvme(spec, d) && s.children[c].life == live && s.children[d].life == live &&
            s.children[c].vector == s.children[d].vector)
          return false;
    return true;
  }
  static bool nvme_and_others(const S& spec, const State& s) {
    bool nvme = false;
    bool other = false;
    for (unsigned c = 0; c < spec.config().sizes.children; ++c)
      if (s.children[c].life == live) (is_nvme(spec, c) ? nvme : other) = true;
    return spec.config().sizes.vectors != 1 && nvme && other;
  }

  // S5
  static bool ends(const State& s, Byte node) {
    for (unsigned i = 0; i <= T::nodes; ++i) {
      if (node >= Byte(T::Shape::children)) return true;
      node = s.children[model::index_of(node, T::Shape::children)].next.at;
    }
    return false;
  }
  static bool walks_end(const S&, const State& s) {
    for (const auto& v : s.irqs)
      if (!ends(s, v.next)) return false;
    for (const auto& lane : s.lanes)
      if (walking(lane) && !ends(s, lane.child)) return false;
    return true;
  }
  static bool walking(const Lane<T>& lane) { return lane.op == op_irq && lane.reading.nonzero(); }
  static bool some_walk(const S&, const State& s) {
    for (const auto& lane : s.lanes)
      if (walking(lane)) return true;
    return false;
  }

  // S6
  static bool nothing_freed_used(const S&, const State& s) {
    return !either(s.crash == use_after_free, s.crash == wrong_free);
  }
  static bool some_freed(const S&, const State& s) {
    for (const auto& c : s.children)
      if (c.life == freed || c.life == torn_down) return true;
    // …or a domain is about to be removed.
    const auto removes = s.lanes[0].pc == static_cast<unsigned>(Step::remove_mode);
    return (removes && m(s).irq_domain.nonzero()) || s.crash.nonzero();
  }
  static bool no_event(const S&, const State&, const State&, const Event&) { return false; }
  static bool is_flow_after_free(const Event& e) { return e.kind == Event::flow_after_free; }

  // S7
  static bool count_matches(const S& spec, const State& s) {
    for (const auto& lane : s.lanes)
      if (either(lane.op == op_alloc, lane.op == op_free)) return true;
    for (unsigned v = 0; v < spec.config().sizes.vectors; ++v) {
      Byte n{};
      for (const auto& c : s.children)
        if (c.life == live && c.vector == Byte(v)) n += Byte(1);
      if (!(n == s.irqs[v].count)) return false;
    }
    return true;
  }

  // S8
  static bool no_self_deadlock(const S&, const State& s) { return !(s.crash == self_deadlock); }
  static bool lock_allowed(const S&, const State&, const State&, const Event& e) { return e.flag == allowed; }
  static bool is_locked(const Event& e) { return e.kind == Event::locked; }

  // S9
  static bool completion_visible(const S&, const State&, const State&, const Event& e) { return e.flag != 0; }
  static bool is_handler_started(const Event& e) { return e.kind == Event::handler_started; }

  // S11
  static bool own_fault(const S&, const State&, const State&, const Event& e) { return e.flag != 0; }
  static bool is_unhandled(const Event& e) { return e.kind == Event::unhandled; }

  // S12
  static bool access_alone(const S&, const State&, const State&, const Event& e) { return e.flag == 0; }
  static bool is_config_access(const Event& e) { return e.kind == Event::config_access; }

  // L1 of children whose driver leaves their interrupt alone, L2 of the others
  static bool lost(const State& s, bool disturbed) {
    for (const auto& c : s.children)
      if (wanted(c) && c.cq.nonzero() && static_cast<bool>(c.disturbed.nonzero()) == disturbed) return true;
    return false;
  }
  static bool none_lost(const S& spec, const State& s) { return !alive(s) || !at_rest(spec, s) || !lost(s, false); }
  static bool none_lost_disturbed(const S& spec, const State& s) {
    return !alive(s) || !at_rest(spec, s) || !lost(s, true);
  }
  static bool some_completion(const S&, const State& s) { return completes(s, false); }
  static bool some_disturbed(const S&, const State& s) { return completes(s, true); }
  static bool completes(const State& s, bool disturbed) {
    for (const auto& c : s.children)
      if ((c.cq.nonzero() || c.unseen.nonzero()) && static_cast<bool>(c.disturbed.nonzero()) == disturbed) return true;
    return false;
  }

  // S22
  static bool acknowledged(const S&, const State& s) {
    for (const auto& lane : s.lanes)
      if (lane.op == op_irq) return true;
    return !s.unacked.nonzero();
  }
  static bool some_resent(const S&, const State& s) {
    for (const auto& v : s.irqs)
      if (v.resent.nonzero()) return true;
    return false;
  }

  // L3
  static bool own_readers(const S&, const State&, const State&, const Event& e) { return e.flag == 0; }
  static bool is_waits_for(const Event& e) { return e.kind == Event::waits_for; }

  // L4
  static bool served(const S& spec, const State& s) {
    bool any = false;
    for (const auto& cpu : s.online) any = any || cpu.nonzero();
    if (!any || !alive(s)) return true;
    for (unsigned v = 0; v < spec.config().sizes.vectors; ++v)
      if (s.irqs[v].shut.nonzero() || !s.online[model::index_of(s.irqs[v].cpu, T::Shape::cpus)].nonzero()) return false;
    return true;
  }
  static bool some_offline(const S& spec, const State& s) {
    for (unsigned c = 0; c < spec.config().sizes.cpus; ++c)
      if (!s.online[c].nonzero()) return true;
    return false;
  }
};

/// Sentences for violations (concrete domain only).
template <class S>
struct Explain {
  using State = typename S::State;
  using Event = typename S::Event;
  static std::string lost(const S&, const State&, const State&, const Event*);
  static std::string list(const S&, const State&, const State&, const Event*);
  static std::string lock(const S&, const State&, const State&, const Event*);
  static std::string freed(const S&, const State&, const State&, const Event*);
  static std::string count(const S&, const State&, const State&, const Event*);
  static std::string shared(const S&, const State&, const State&, const Event*);
  static std::string mode(const S&, const State&, const State&, const Event*);
  static std::string event(const S&, const State&, const State&, const Event*);
};

/// The symbolic domain tells no sentences: its counterexamples are replayed on the concrete specification.
template <class S>
  requires(S::T::D::symbolic)
struct Explain<S> {
  static constexpr std::nullptr_t lost = nullptr;
  static constexpr std::nullptr_t list = nullptr;
  static constexpr std::nullptr_t lock = nullptr;
  static constexpr std::nullptr_t freed = nullptr;
  static constexpr std::nullptr_t count = nullptr;
  static constexpr std::nullptr_t mode = nullptr;
  static constexpr std::nullptr_t shared = nullptr;
  static constexpr std::nullptr_t event = nullptr;
};

/// The properties of spec S, in the order of the reference.
template <class S>
std::vector<model::Property<S>> properties() {
  using P = Predicates<S>;
  using X = Explain<S>;
  return {
      {info("vmd.S1"), P::mode_agrees, P::mode_matters, nullptr, nullptr, X::mode},
      {info("vmd.S2"), P::bypass_possible, P::decided, nullptr, nullptr, X::mode},
      {info("vmd.S2a"), P::bypass_owned, P::decided, nullptr, nullptr, X::mode},
      {info("vmd.S3"), nullptr, nullptr, P::index_in_range, P::is_placed, X::event},
      {info("vmd.S4"), P::listed_once, P::some_child, nullptr, nullptr, X::list},
      {info("vmd.S5"), P::walks_end, P::some_walk, nullptr, nullptr, X::list},
      {info("vmd.S6"), P::nothing_freed_used, P::some_freed, P::no_event, P::is_flow_after_free, X::freed},
      {info("vmd.S7"), P::count_matches, P::some_child, nullptr, nullptr, X::count},
      {info("vmd.S8"), P::no_self_deadlock, P::never, P::lock_allowed, P::is_locked, X::lock},
      {info("vmd.S9"), nullptr, nullptr, P::completion_visible, P::is_handler_started, X::event},
      {info("vmd.S10"), nullptr, nullptr, P::flagged, P::is_handed_over, X::mode},
      {info("vmd.S11"), nullptr, nullptr, P::own_fault, P::is_unhandled, X::event},
      {info("vmd.S12"), nullptr, nullptr, P::access_alone, P::is_config_access, X::event},
      {info("vmd.S13"), nullptr, nullptr, P::flagged, P::is_windows_gone, X::event},
      {info("vmd.S14"), nullptr, nullptr, P::flagged, P::is_scanned, X::event},
      {info("vmd.S15"), nullptr, nullptr, P::flagged, P::is_window, X::event},
      {info("vmd.S16"), nullptr, nullptr, P::flagged, P::is_windows, X::event},
      {info("vmd.S17"), nullptr, nullptr, P::flagged, P::is_interrupt_asked, X::event},
      {info("vmd.S18"), P::hotplug_owned, P::some_port, nullptr, nullptr, X::mode},
      {info("vmd.S19"), P::aer_allowed, P::some_port, nullptr, nullptr, X::mode},
      {info("vmd.S20"), nullptr, nullptr, P::flagged, P::is_bus_setting, X::event},
      {info("vmd.S21"), nullptr, nullptr, P::flagged, P::is_cpu_left, X::event},
      {info("vmd.S22"), P::acknowledged, P::some_resent, nullptr, nullptr, X::event},
      {info("vmd.L1"), P::none_lost, P::some_completion, nullptr, nullptr, X::lost},
      {info("vmd.L2"), P::none_lost_disturbed, P::some_disturbed, nullptr, nullptr, X::lost},
      {info("vmd.L3"), nullptr, nullptr, P::own_readers, P::is_waits_for, X::event},
      {info("vmd.L4"), P::served, P::some_offline, nullptr, nullptr, X::event},
      {info("vmd.L5"), nullptr, nullptr, P::flagged, P::is_message, X::mode},
      {info("vmd.P7"), P::bypass_used, P::could_bypass, nullptr, nullptr, X::mode},
      {info("vmd.P8"), P::no_vectors_taken, P::remapped, nullptr, nullptr, X::mode},
      {info("vmd.P10"), P::nvme_apart, P::nvme_and_others, nullptr, nullptr, X::shared},
  };
}

/// Liveness, under the fairness of the specification.
template <class S>
std::vector<model::LeadsTo<S>> leads_to() {
  using P = Predicates<S>;
  using State = typename S::State;
  std::vector<model::LeadsTo<S>> out;
  model::LeadsTo<S> freed;
  freed.info = info("vmd.L6");
  freed.explain = [](const S&, const State&, std::span<const State>) {
    return std::string("the driver never gets back from freeing its interrupt");
  };
  for (std::size_t i = 0; i < S::T::Shape::lanes; ++i) {
    freed.trigger = [i](const S&, const State& s) { return s.lanes[i].op == op_free; };
    freed.goal = [i](const S&, const State& s) { return !(s.lanes[i].op == op_free); };
    out.push_back(freed);
  }
  model::LeadsTo<S> seen;
  seen.info = info("vmd.L7");
  for (unsigned c = 0; c < S::T::Shape::children; ++c) {
    const auto waits = [c](const State& s) {
      const auto& child = s.children[c];
      return child.signalled.nonzero() && child.cq.nonzero() && P::wanted(child) && !child.disturbed.nonzero();
    };
    seen.trigger = [waits](const S&, const State& s) { return waits(s); };
    seen.goal = [c](const S&, const State& s) {
      const auto& child = s.children[c];
      return child.cq == 0 || !P::wanted(child) || child.disturbed.nonzero();
    };
    seen.explain = [c](const S&, const State&, std::span<const State>) {
      return Node<typename S::T>::name(c) + "'s message was accepted, and nobody ever looks at its queue";
    };
    out.push_back(seen);
  }
  return out;
}

}  // namespace iomc::properties::vmd
