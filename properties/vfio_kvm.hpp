// SPDX-License-Identifier: GPL-2.0-or-later
// What must hold of KVM irqfds, of the bypass manager, and of a resampled line. S22 and S23 continue the series of the
// reference; a letter marks what belongs to the property of that number and fails on its own.
#pragma once

#include <vector>

#include "model/property.hpp"
#include "spec/vfio/vfio.hpp"

namespace iomc::properties::vfio {

using namespace spec::vfio;
using model::PropertyInfo;
using model::PropertyKind;

namespace detail {

/// The lane's next step.
template <class Program>
auto stands_at(const Program& lane, Step step) {
  return lane.pc == static_cast<unsigned>(step);
}

/// The eventfd of that number, from 1.
template <class State, class V>
const auto& eventfd_of(const State& s, const V& number) {
  return s.eventfd[model::index_of(number - V(1), s.eventfd.size())];
}

inline std::string irqfd_name(std::size_t i) { return "irqfd " + std::to_string(i); }

/// Some lane's next step is one of first..last.
template <class S>
bool under_way(const S& spec, const typename S::State& s, Step first, Step last) {
  for (std::size_t l = 0; l < spec.config().env.lanes.size(); ++l) {
    const auto& pc = s.lanes[l].pc;
    if (model::both(pc >= static_cast<unsigned>(first), pc <= static_cast<unsigned>(last))) return true;
  }
  return false;
}

template <class S>
bool is_free(const typename S::State& s, std::size_t lock) {
  return s.machine.locks[lock].owner == 0 && s.machine.locks[lock].readers == 0;
}

enum class Posting { right, wrong, left_over };

/// Whether the vector is in remapped mode, or posts as the route of its irqfd says. Not asked while either changes.
template <class S>
Posting posting(const S& spec, const typename S::State& s, std::size_t vector) {
  const auto& irte = s.kvm.producer[vector].irte;
  if (irte == 0 || s.desc[vector].activated == 0) return Posting::right;
  if (!is_free<S>(s, LockId::bypass_lock) || under_way(spec, s, Step::route_swap, Step::route_irte))
    return Posting::right;
  for (std::size_t i = 0; i < spec.config().env.irqfds.size(); ++i) {
    const auto& irqfd = s.kvm.irqfd[i];
    if (irqfd.exists == 0 || irqfd.producer != vector + 1) continue;
    const auto about_to_end = irqfd.listed == 0;  // its shutdown work is queued
    return about_to_end || irte == s.kvm.route[i] ? Posting::right : Posting::wrong;
  }
  return Posting::left_over;
}

}  // namespace detail

template <class S>
void add_kvm_properties(std::vector<model::Property<S>>& out) {
  using State = typename S::State;
  using P = model::Property<S>;
  const auto add = [&](P p) { out.push_back(std::move(p)); };

  P p{};
  p.info = {"vfio.S9", "a wake function that takes the event takes the count with it",
            "whoever reads or polls the eventfd next finds events that were served long ago",
            "b59e00dd8cda, b1b397aeef81", PropertyKind::safety};
  p.relevant_in = [](const S&, const State& s) {
    for (const auto& e : s.eventfd)
      for (const auto& w : e.waiters)
        if (w.kind == WaiterKind::irqfd_waiter || w.kind == WaiterKind::virqfd_waiter) return true;
    return false;
  };
  p.holds_in = [](const S& spec, const State& s) {
    for (std::size_t l = 0; l < spec.config().env.lanes.size(); ++l) {
      // read_out: a write has told the waiters
      const auto told = model::either(detail::stands_at(s.lanes[l], Step::signal_out),
                                      detail::stands_at(s.lanes[l], Step::read_out));
      if (!told || s.lanes[l].efd == 0) continue;
      const auto& e = detail::eventfd_of(s, s.lanes[l].efd);
      for (const auto& w : e.waiters)
        if (w.kind == WaiterKind::irqfd_waiter || w.kind == WaiterKind::virqfd_waiter)
          if (e.count != 0) return false;
    }
    return true;
  };
  p.explain = [](const S&, const State&, const State&, const Event*) {
    return std::string("the waiters have been told, and the count still stands");
  };
  add(p);

  p = {};
  p.info = {"vfio.S9a", "an event that an irqfd injected when it was assigned is not there for the next reader",
            "the same event is served twice: by the guest, and by whoever takes the eventfd over", "kvm_irqfd_assign",
            PropertyKind::safety};
  p.relevant_in = [](const S&, const State& s) { return static_cast<bool>(s.kvm.irqfd[0].listed == 1); };
  p.holds_in = [](const S& spec, const State& s) {
    for (std::size_t i = 0; i < spec.config().env.irqfds.size(); ++i) {
      const auto& irqfd = s.kvm.irqfd[i];
      if (irqfd.stale == 0 || irqfd.inject != 0 || irqfd.listed == 0) continue;
      if (detail::eventfd_of(s, irqfd.eventfd).count != 0) return false;
    }
    return true;
  };
  p.explain = [](const S&, const State&, const State&, const Event*) {
    return std::string("the event that was pending at assignment has been injected, and the count still stands");
  };
  add(p);

  p = {};
  p.info = {"vfio.S12",
            "what is pending when a guest unmasks a resampled line is delivered only if the device still asserts it",
            "a guest that handles the line in a thread gets an interrupt too many: failed suspends, input errors",
            "fef8f2b90edb, d583fbd7066a", PropertyKind::safety};
  p.relevant_in = [](const S&, const State& s) { return static_cast<bool>(s.kvm.level.pin == 1); };
  p.holds_in = [](const S&, const State& s) { return static_cast<bool>(s.kvm.level.bogus != 1); };
  p.explain = [](const S&, const State&, const State&, const Event*) {
    return std::string("the guest takes what was pending when it unmasked, though the device has dropped its line");
  };
  add(p);

  p = {};
  p.info = {"vfio.S12a", "a guest takes no interrupt of a resampled line that its device does not assert",
            "an interrupt too many, which a driver must bear", "irqfd_inject", PropertyKind::safety};
  p.relevant_in = [](const S&, const State& s) { return static_cast<bool>(s.kvm.level.pin == 1); };
  p.holds_in = [](const S&, const State& s) { return static_cast<bool>(s.kvm.level.bogus != 2); };
  p.explain = [](const S&, const State&, const State&, const Event*) {
    return std::string("work that was queued for an earlier assertion raises the pin after the guest has unmasked it");
  };
  add(p);

  p = {};
  p.info = {"vfio.S13", "an interrupt is posted to a guest only for an active irqfd, and as its route says",
            "a device writes into the posted-interrupt descriptor of a vCPU that should not get it, or is gone",
            "CVE-2026-23198, CVE-2025-37885", PropertyKind::safety};
  p.relevant_in = [](const S&, const State& s) { return static_cast<bool>(s.kvm.producer[0].irte.nonzero()); };
  p.holds_in = [](const S& spec, const State& s) {
    for (std::size_t v = 0; v < max_vectors; ++v)
      if (detail::posting(spec, s, v) != detail::Posting::right) return false;
    return true;
  };
  p.explain = [](const S& spec, const State&, const State& after, const Event*) {
    for (std::size_t v = 0; v < max_vectors; ++v)
      if (detail::posting(spec, after, v) != detail::Posting::right)
        return "the remapping entry of vector " + std::to_string(v) + " posts where no active irqfd has such a route";
    return std::string();
  };
  add(p);

  p = {};
  p.info = {"vfio.S13a", "no interrupt is posted to a guest whose irqfd is gone",
            "when the VM ends the device goes on writing into what was its memory", "CVE-2026-23198",
            PropertyKind::safety};
  p.relevant_in = [](const S&, const State& s) { return static_cast<bool>(s.kvm.producer[0].irte.nonzero()); };
  p.holds_in = [](const S& spec, const State& s) {
    for (std::size_t v = 0; v < max_vectors; ++v)
      if (detail::posting(spec, s, v) == detail::Posting::left_over) return false;
    return true;
  };
  p.explain = [](const S&, const State&, const State&, const Event*) {
    return std::string("the irqfd was deassigned, and the remapping entry still posts to its guest");
  };
  add(p);

  p = {};
  p.info = {"vfio.S15", "indices and counts that a user chooses are checked before they are used", "memory corruption",
            "05692d7005a3, CVE-2022-49154", PropertyKind::safety};
  p.relevant_on = [](const Event& e) { return e.kind == Event::range; };
  p.holds_on = [](const S&, const State&, const State&, const Event& e) { return e.kind != Event::range || e.ok; };
  p.explain = [](const S& s, const State& before, const State&, const Event* e) {
    if (static_cast<Step>(before.lanes[e->lane].pc.raw()) == Step::set_irqs_check)
      return "VFIO_DEVICE_SET_IRQS accepts " + text_of(asked_for(before.lanes[e->lane]));
    return std::string(s.config().env.lanes[e->lane].name) + " uses an index that nobody compared with what it indexes";
  };
  add(p);

  p = {};
  p.info = {"vfio.S22", "the bypass manager knows an eventfd only while it lives",
            "the token of a new eventfd at the same address meets the producer of the old one", "CVE-2024-47748",
            PropertyKind::safety};
  p.relevant_in = [](const S&, const State& s) {
    return s.kvm.producer[0].listed == 1 || s.kvm.producer[1].listed == 1;
  };
  p.holds_in = [](const S&, const State& s) {
    const auto alive = [&](const auto& token) { return token == 0 || detail::eventfd_of(s, token).refs != 0; };
    for (const auto& producer : s.kvm.producer)
      if (producer.listed == 1 && !alive(producer.token)) return false;
    for (const auto& irqfd : s.kvm.irqfd)
      if (irqfd.consumer == 1 && !alive(irqfd.eventfd)) return false;
    return true;
  };
  p.explain = [](const S&, const State&, const State&, const Event*) {
    return std::string("a listed producer's token is an eventfd that was freed");
  };
  add(p);

  p = {};
  p.info = {"vfio.S23", "an irqfd injects by its VM's current route, or by one whose change is under way",
            "the guest gets an interrupt that it has moved or taken away", "b4d37cdb77a0", PropertyKind::safety};
  p.relevant_on = [](const Event& e) { return e.kind == Event::injected; };
  p.holds_on = [](const S&, const State&, const State&, const Event& e) { return e.kind != Event::injected || e.ok; };
  p.explain = [](const S&, const State&, const State&, const Event* e) {
    return detail::irqfd_name(e->index) + " injects by a route that was replaced before";
  };
  add(p);
}

template <class S>
void add_kvm_leads_to(std::vector<model::LeadsTo<S>>& out) {
  using State = typename S::State;
  model::LeadsTo<S> l;
  l.info = {"vfio.L1a", "every signal of an eventfd reaches every irqfd that waits at it",
            "a guest waits for an interrupt that another guest's irqfd has taken", "e8dbf19508a1; 2cdd64cbf990",
            PropertyKind::liveness};
  for (std::size_t i = 0; i < max_irqfds; ++i) {
    l.trigger = [i](const S&, const State& s) {
      return s.kvm.irqfd[i].owed == 1 && s.kvm.irqfd[i].listed == 1;
    };
    l.goal = [i](const S&, const State& s) {
      return s.kvm.irqfd[i].owed == 0 || s.kvm.irqfd[i].listed == 0;
    };
    l.explain = [i](const S&, const State&, std::span<const State> loop) {
      if (loop.back().crash != 0) return std::string("the kernel hangs before the guest is told");
      return detail::irqfd_name(i) + " waits at the eventfd and is never told of the signal";
    };
    out.push_back(l);
  }

  l.info = {"vfio.L1b", "a reader that waits at an eventfd with a count is woken",
            "a user waits for an event that is there", "eventfd_signal_mask, __wake_up_common", PropertyKind::liveness};
  const auto waits = [](const S& spec, const State& s) {
    for (std::size_t r = 0; r < spec.config().env.lanes.size(); ++r) {
      if (s.machine.lanes[r].blocked != model::Blocked::asleep) continue;
      if (!detail::stands_at(s.lanes[r], Step::read_lock) || s.lanes[r].efd == 0) continue;
      if (detail::eventfd_of(s, s.lanes[r].efd).count != 0) return true;
    }
    return false;
  };
  l.trigger = waits;
  l.goal = [waits](const S& spec, const State& s) { return !waits(spec, s); };
  l.explain = [](const S&, const State&, std::span<const State> loop) {
    if (loop.back().crash != 0) return std::string("the kernel hangs before the reader is woken");
    return std::string("the count is not 0, and the reader sleeps on");
  };
  out.push_back(l);
}

}  // namespace iomc::properties::vfio
