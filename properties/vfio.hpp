// SPDX-License-Identifier: GPL-2.0-or-later
// What must hold of interrupt dispatch to vfio-pci. The ids follow the series of the reference; S20 continues it.
#pragma once

#include <vector>

#include "model/property.hpp"
#include "properties/vfio_kvm.hpp"
#include "spec/vfio/vfio.hpp"

namespace iomc::properties::vfio {

using namespace spec::vfio;
using model::PropertyInfo;
using model::PropertyKind;

namespace detail {

template <class S>
const char* lane_name(const S& spec, const Event* e) {
  return spec.config().env.lanes[e->lane].name;
}
template <class S>
std::string lock_name(const S& spec, const Event* e) {
  return spec.config().rules.locks[e->lock].name;
}
template <class S>
std::string crashed_lane(const S& spec, const typename S::State& s) {
  return spec.config().env.lanes[s.crash_lane.raw()].name;
}

/// No interrupt handler is under way for the irq, and its threads wait for work.
template <class S>
bool quiet(const S& spec, const typename S::State& s, std::size_t irq) {
  for (std::size_t l = 0; l < spec.config().env.lanes.size(); ++l) {
    if (s.machine.lanes[l].active == 0) continue;
    if (s.lanes[l].irq != irq && !spec.config().env.irqs[irq].nested) continue;
    const Role role = spec.config().env.lanes[l].role;
    if (role == Role::hardirq) return false;
    if (role != Role::irq_thread) continue;
    if (!(s.machine.lanes[l].blocked == model::Blocked::asleep)) return false;
    if (!stands_at(s.lanes[l], Step::thread_state) && !stands_at(s.lanes[l], Step::thread_test)) return false;
  }
  return true;
}

template <class S>
unsigned threaded_actions(const S& spec, const typename S::State& s, std::size_t irq) {
  unsigned n = 0;
  for (std::size_t a = 0; a < spec.config().env.actions.size(); ++a)
    if (spec.config().env.actions[a].irq == irq && s.action[a].primary == 1) ++n;
  return n;
}

}  // namespace detail

/// Safety and deadlock.
template <class S>
std::vector<model::Property<S>> properties() {
  using State = typename S::State;
  using Byte = typename S::Byte;
  using P = model::Property<S>;
  std::vector<P> out;
  const auto add = [&](P p) { out.push_back(std::move(p)); };

  P p{};
  p.info = {"vfio.S1", "a lock that may sleep is taken only where the scheduler may be called",
            "in a hard interrupt on PREEMPT_RT a contended spinlock_t schedules in the middle of the interrupt",
            "Documentation/locking/locktypes.rst; CVE-2025-71180; a 6.1 RT kernel with that flag on vfio_msihandler "
            "printed exactly this from eventfd_signal",
            PropertyKind::safety};
  p.relevant_on = [](const Event& e) { return e.kind == Event::acquire; };
  p.holds_on = [](const S&, const State&, const State&, const Event& e) { return e.kind != Event::acquire || e.ok; };
  p.explain = [](const S& s, const State&, const State&, const Event* e) {
    return std::string(detail::lane_name(s, e)) + " asks for " + detail::lock_name(s, e) +
           ", which may sleep, where nothing may sleep";
  };
  add(p);

  p = {};
  p.info = {"vfio.S2", "a sleeping lock is owned by the task that took it",
            "an interrupt that takes one owns it in the name of the task it interrupted, or of idle",
            "kernel/locking/spinlock_rt.c", PropertyKind::safety};
  p.relevant_on = [](const Event& e) { return e.kind == Event::acquire; };
  p.holds_on = [](const S&, const State&, const State&, const Event& e) { return e.kind != Event::acquire || e.own; };
  p.explain = [](const S& s, const State&, const State& after, const Event* e) {
    const unsigned owner = after.machine.locks[e->lock].owner.raw();
    const std::string name =
        owner == model::idle_owner ? "the idle task" : std::string(s.config().env.lanes[owner - 1].name);
    return detail::lock_name(s, e) + " is taken by " + detail::lane_name(s, e) + " and owned by " + name;
  };
  add(p);

  p = {};
  p.info = {"vfio.S3", "eventfd_signal drops a signal only inside a wake function of the same call chain",
            "a device's interrupt is lost: the count does not rise and nobody is woken",
            "b542e383d8c0; review of the IRQF_NO_THREAD patch", PropertyKind::safety};
  p.relevant_on = [](const Event& e) { return e.kind == Event::signal || e.kind == Event::dropped; };
  p.holds_on = [](const S&, const State&, const State&, const Event& e) { return e.kind != Event::dropped || e.ok; };
  p.explain = [](const S& s, const State&, const State&, const Event* e) {
    return "the signal of " + std::string(detail::lane_name(s, e)) +
           " is dropped, because another context of this CPU is inside an eventfd operation";
  };
  add(p);

  p = {};
  p.info = {"vfio.S4", "no handler, loopback or wake function is given a NULL eventfd",
            "a user can crash the kernel", "CVE-2024-26812, 26813, 26814", PropertyKind::safety};
  p.holds_in = [](const S&, const State& s) { return static_cast<bool>(s.crash != Crash::null_dereference); };
  p.explain = [](const S& s, const State&, const State& after, const Event*) {
    return detail::crashed_lane(s, after) + " dereferences NULL";
  };
  add(p);

  p = {};
  p.info = {"vfio.S5", "nothing is used after its last reference was dropped", "memory corruption",
            "CVE-2026-72283, CVE-2024-47748", PropertyKind::safety};
  p.holds_in = [](const S&, const State& s) { return static_cast<bool>(s.crash != Crash::use_after_free); };
  p.explain = [](const S& s, const State&, const State& after, const Event*) {
    return detail::crashed_lane(s, after) + " uses what was freed";
  };
  add(p);

  p = {};
  p.info = {"vfio.S10", "at rest, no thread of a line counts as active but those that were woken",
            "synchronize_irq, disable_irq and free_irq wait for a thread that is not there", "8707898e22fd",
            PropertyKind::safety};
  p.holds_in = [](const S& spec, const State& s) {
    for (std::size_t i = 0; i < spec.config().env.irqs.size(); ++i) {
      if (s.crash != 0 || !detail::quiet(spec, s, i)) continue;
      Byte woken = Byte(0);
      for (std::size_t a = 0; a < spec.config().env.actions.size(); ++a)
        if (spec.config().env.actions[a].irq == i) woken += s.action[a].runthread;
      if (s.desc[i].threads_active > woken) return false;
    }
    return true;
  };
  p.explain = [](const S&, const State&, const State&, const Event*) {
    return std::string("threads_active counts a thread that has ended or never ran");
  };
  add(p);

  p = {};
  p.info = {"vfio.S11", "an interrupt that is being handled stays activated",
            "it cannot be acknowledged, and its vector may be another's", "4001d8e8762f", PropertyKind::safety};
  p.relevant_in = [](const S&, const State& s) { return static_cast<bool>(s.desc[0].inprogress == 1); };
  p.holds_in = [](const S& spec, const State& s) {
    for (std::size_t i = 0; i < spec.config().env.irqs.size(); ++i)
      if (s.desc[i].inprogress == 1 && s.desc[i].activated == 0) return false;
    return true;
  };
  p.explain = [](const S&, const State&, const State&, const Event*) {
    return std::string("the interrupt is deactivated while its handler runs on another CPU");
  };
  add(p);

  p = {};
  p.info = {"vfio.S14", "sharers of a line can be registered together",
            "request_irq fails with -EBUSY and a device does not work", "c37927a203fa", PropertyKind::safety};
  p.relevant_on = [](const Event& e) { return e.kind == Event::sharer; };
  p.holds_on = [](const S&, const State&, const State&, const Event& e) {
    return e.kind != Event::sharer || e.ok;
  };
  p.explain = [](const S&, const State&, const State&, const Event*) {
    return std::string("request_irq finds that the flags do not match those of the first sharer");
  };
  add(p);

  p = {};
  p.info = {"vfio.S17", "a message-signalled interrupt is never masked for its thread",
            "messages would be held back while the thread runs", "the chips of PCI MSI are ONESHOT_SAFE",
            PropertyKind::safety};
  p.holds_in = [](const S& spec, const State& s) {
    for (std::size_t i = 0; i < spec.config().env.irqs.size(); ++i)
      if (spec.config().env.irqs[i].msi && s.desc[i].oneshot == 1) return false;
    return true;
  };
  p.explain = [](const S&, const State&, const State&, const Event*) {
    return std::string("the descriptor of a message-signalled interrupt is ONESHOT");
  };
  add(p);

  p = {};
  p.info = {"vfio.S20", "the scheduler is not called in an interrupt, or with interrupts or preemption off",
            "BUG: scheduling while atomic; the interrupt never returns",
            "kernel/sched/core.c: __schedule_bug; seen on a 6.1 RT kernel with IRQF_NO_THREAD on vfio_msihandler",
            PropertyKind::safety};
  p.holds_in = [](const S&, const State& s) { return static_cast<bool>(s.crash != Crash::scheduling_while_atomic); };
  p.explain = [](const S& s, const State&, const State& after, const Event*) {
    return detail::crashed_lane(s, after) + " has to wait for a lock where it may not call the scheduler";
  };
  add(p);

  p = {};
  p.info = {"vfio.S26", "outside SET_IRQS a vector has a handler exactly if its ctx has a trigger, and it is that one",
            "a handler that no call can take down signals an eventfd that nobody holds for it",
            "drivers/vfio/pci/vfio_pci_intrs.c: vfio_msi_set_vector_signal", PropertyKind::safety};
  p.relevant_in = [](const S&, const State& s) { return static_cast<bool>(s.vdev.irq_type == IrqType::type_msi); };
  p.holds_in = [](const S& spec, const State& s) {
    if (s.crash != 0 || s.machine.locks[LockId::igate].owner.nonzero()) return true;
    for (std::size_t a = 0; a < spec.config().env.actions.size(); ++a) {
      if (spec.config().env.actions[a].handler != Handler::msi) continue;
      const auto& c = s.vdev.ctx[spec.config().env.actions[a].irq];
      if (c.trigger != select(s.action[a].listed == 1, s.action[a].dev, Byte(0))) return false;
      if (c.exists != Byte(c.trigger.nonzero()) || c.name != c.exists) return false;
      if (c.exists == 1 && c.allocated == 0) return false;
    }
    return true;
  };
  p.explain = [](const S&, const State&, const State&, const Event*) {
    return std::string("what is registered with the interrupt is not what the ctx of its vector says");
  };
  add(p);

  p = {};
  p.info = {"vfio.S27", "a SET_IRQS that fails leaves the vectors it began with down, and MSI off if it enabled it",
            "the user is told that nothing was set up, and interrupts come", "vfio_msi_set_block, vfio_msi_enable",
            PropertyKind::safety};
  p.relevant_on = [](const Event& e) { return e.kind == Event::unwound; };
  p.holds_on = [](const S&, const State&, const State&, const Event& e) { return e.kind != Event::unwound || e.ok; };
  p.explain = [](const S&, const State&, const State&, const Event*) {
    return std::string("the call fails and leaves what it had set up");
  };
  add(p);

  p = {};
  p.info = {"vfio.S28", "vectors are freed only when no handler is registered, and none is left where MSI is off",
            "the descriptor of a freed vector is freed under its handler; a vector that is left is lost until the "
            "device is gone",
            "drivers/pci/msi; vfio_msi_disable", PropertyKind::safety};
  p.relevant_on = [](const Event& e) { return e.kind == Event::freed_vectors; };
  p.holds_on = [](const S&, const State&, const State&, const Event& e) {
    return e.kind != Event::freed_vectors || e.ok;
  };
  p.relevant_in = [](const S&, const State& s) { return static_cast<bool>(s.vdev.set_irqs.phase.nonzero()); };
  p.holds_in = [](const S&, const State& s) {
    if (s.machine.locks[LockId::igate].owner.nonzero() || s.vdev.irq_type != IrqType::type_none) return true;
    for (const auto& c : s.vdev.ctx)
      if (c.allocated == 1) return false;
    return true;
  };
  p.explain = [](const S&, const State&, const State&, const Event* e) {
    return e != nullptr ? std::string("vectors are freed with a handler registered")
                        : std::string("MSI is off, and a vector is still allocated");
  };
  add(p);

  p = {};
  p.info = {"vfio.R2", "at rest, an eventfd has a reference for its file and for each trigger, and no other",
            "memory is lost with each such call", "vfio_msi_set_vector_signal", PropertyKind::safety};
  p.relevant_in = [](const S&, const State& s) { return static_cast<bool>(s.vdev.set_irqs.phase.nonzero()); };
  p.holds_in = [](const S& spec, const State& s) {
    const auto& env = spec.config().env;
    if (s.crash != 0 || !env.irqfds.empty() || env.virqfd) return true;
    if (s.kvm.err_trigger.nonzero() || s.kvm.vdpa_call.nonzero()) return true;
    for (const auto& a : env.actions)
      if (a.handler != Handler::msi) return true;
    for (std::size_t l = 0; l < env.lanes.size(); ++l)
      if (env.lanes[l].role == Role::task && s.machine.lanes[l].active == 1) return true;
    for (std::size_t e = 0; e < env.eventfds; ++e) {
      Byte held = s.eventfd[e].open;
      for (const auto& c : s.vdev.ctx) held += Byte(c.trigger == static_cast<unsigned>(e + 1));
      if (s.eventfd[e].refs != held) return false;
    }
    return true;
  };
  p.explain = [](const S&, const State&, const State&, const Event*) {
    return std::string("an eventfd has a reference that neither its file nor a vector holds");
  };
  add(p);

  p = {};
  p.info = {"vfio.S29", "sections of one CPU with softirqs off, softirqs among them, exclude each other",
            "per-CPU data that local_bh_disable protects is corrupted",
            "kernel/softirq.c: softirq_ctrl.lock on PREEMPT_RT", PropertyKind::safety};
  p.relevant_in = [](const S& spec, const State& s) {
    for (std::size_t l = 0; l < spec.config().env.lanes.size(); ++l)
      if (s.machine.lanes[l].bh_off.nonzero()) return true;
    return false;
  };
  p.holds_in = [](const S& spec, const State& s) {
    std::array<unsigned, max_cpus> inside{};
    for (std::size_t l = 0; l < spec.config().env.lanes.size(); ++l) {
      const bool softirq = spec.config().rules.lanes[l].kind == model::ContextKind::softirq;
      if (s.machine.lanes[l].bh_off.nonzero() || (softirq && s.machine.lanes[l].active == 1))
        if (++inside[spec.config().env.lanes[l].cpu] > 1) return false;
    }
    return true;
  };
  p.explain = [](const S&, const State&, const State&, const Event*) {
    return std::string("two tasks of a CPU are inside sections with softirqs off");
  };
  add(p);

  p = {};
  p.info = {"vfio.D1", "no circle of tasks waits for each other's locks", "they wait for ever", "98693e0897f7",
            PropertyKind::safety};
  p.holds_in = [](const S& spec, const State& s) {
    for (std::size_t l = 0; l < spec.config().env.lanes.size(); ++l)
      if (s.machine.waits_in_circle(spec.config().rules, l)) return false;
    return true;
  };
  p.explain = [](const S& spec, const State&, const State& after, const Event*) {
    std::string text;
    for (std::size_t l = 0; l < spec.config().env.lanes.size(); ++l)
      if (after.machine.waits_in_circle(spec.config().rules, l))
        text += (text.empty() ? "" : ", ") + std::string(spec.config().env.lanes[l].name) + " waits for " +
                spec.config().rules.locks[after.machine.lanes[l].waits_for.raw() - 1U].name;
    return text;
  };
  add(p);

  p = {};
  p.info = {"vfio.D2", "no context waits for a lock that it owns, or that what it interrupted owns",
            "the CPU waits for ever", "81e2073c175b; CVE-2024-35971", PropertyKind::safety};
  p.holds_in = [](const S&, const State& s) { return static_cast<bool>(s.crash != Crash::self_deadlock); };
  p.explain = [](const S& s, const State&, const State& after, const Event*) {
    return detail::crashed_lane(s, after) + " waits for a lock whose owner cannot run before it";
  };
  add(p);

  p = {};
  p.info = {"vfio.D3", "a thread of a line does not wait for that line's threads", "it waits for itself",
            "519cc8652b3a; e2c12739ccf7", PropertyKind::safety};
  p.holds_in = [](const S& spec, const State& s) {
    for (std::size_t l = 0; l < spec.config().env.lanes.size(); ++l) {
      if (spec.config().env.lanes[l].role != Role::irq_thread) continue;
      if (!(s.machine.lanes[l].blocked == model::Blocked::asleep)) continue;
      if (detail::stands_at(s.lanes[l], Step::free_threads)) return false;
      if (detail::stands_at(s.lanes[l], Step::sync_threads)) return false;
    }
    return true;
  };
  p.explain = [](const S&, const State&, const State&, const Event*) {
    return std::string("the thread waits until threads_active is 0, and is counted in it");
  };
  add(p);

  p = {};
  p.info = {"vfio.T2", "a task that waits for a lock is kept waiting by the owner's section only",
            "a task of middle priority keeps one of high priority waiting: priority inversion",
            "0c43094f8cc9", PropertyKind::performance};
  p.relevant_on = [](const Event& e) { return e.kind == Event::acquire || e.kind == Event::inversion; };
  p.holds_on = [](const S&, const State&, const State&, const Event& e) { return e.kind != Event::inversion; };
  p.explain = [](const S& s, const State&, const State&, const Event* e) {
    return std::string(detail::lane_name(s, e)) + " runs while " + s.config().env.lanes[e->index].name + " waits for " +
           detail::lock_name(s, e) + " and its owner could run here";
  };
  add(p);

  p = {};
  p.info = {"vfio.T5", "the eventfd's count rises at most once for each interrupt",
            "interrupts of a threaded handler coalesce while its thread has yet to run", "__irq_wake_thread",
            PropertyKind::performance};
  p.relevant_in = [](const S&, const State& s) { return static_cast<bool>(s.eventfd[0].signals.nonzero()); };
  p.holds_in = [](const S& spec, const State& s) {
    for (std::size_t i = 0; i < spec.config().env.irqs.size(); ++i) {
      if (!spec.config().env.irqs[i].msi || spec.config().env.actions.size() <= i) continue;
      Byte signals = Byte(0);
      for (const auto& e : s.eventfd) signals += e.signals;
      if (spec.config().env.irqs.size() == 1 && signals > s.desc[i].taken) return false;
    }
    return true;
  };
  p.explain = [](const S&, const State&, const State&, const Event*) {
    return std::string("more signals than interrupts");
  };
  add(p);
  add_kvm_properties(out);
  return out;
}

/// Liveness, under the fairness of the specification.
template <class S>
std::vector<model::LeadsTo<S>> leads_to() {
  using State = typename S::State;
  std::vector<model::LeadsTo<S>> out;
  const model::Assumption<S> no_hog{
      "vfio.L6", "no SCHED_FIFO task of the irq thread's priority or more holds its CPU for ever",
      [](const S& spec, const State& s) {
        // The hog: in user space code that never blocks, current, and not below a thread that is ready.
        for (std::size_t o = 0; o < spec.config().env.lanes.size(); ++o) {
          if (!detail::stands_at(s.lanes[o], Step::spin_on)) continue;
          for (std::size_t t = 0; t < spec.config().env.lanes.size(); ++t) {
            const auto& thread = spec.config().env.lanes[t];
            if (thread.role != Role::irq_thread || thread.cpu != spec.config().env.lanes[o].cpu) continue;
            if (thread.priority <= spec.config().env.lanes[o].priority && s.machine.ready(t)) return false;
          }
        }
        return true;
      }};

  model::LeadsTo<S> l1;
  l1.info = {"vfio.L1", "every message to a vector with a trigger is followed by a signal that begins after it",
             "the guest waits for an interrupt that never comes", "review of the IRQF_NO_THREAD patch",
             PropertyKind::liveness};
  for (std::size_t i = 0; i < max_irqs; ++i) {
    l1.trigger = [i](const S&, const State& s) {
      return s.desc[i].owed == Owed::a_signal && s.desc[i].wanted == 1;
    };
    l1.goal = [i](const S&, const State& s) {
      return s.desc[i].owed == Owed::nothing || s.desc[i].wanted == 0;
    };
    l1.assumptions = {no_hog};
    l1.explain = [](const S& spec, const State&, std::span<const State> loop) {
      const State& s = loop.back();
      if (s.crash != 0) return std::string("the kernel hangs before the signal has raised the count");
      (void)spec;
      return std::string("the message is never followed by a signal");
    };
    out.push_back(l1);
  }

  model::LeadsTo<S> l4;
  l4.info = {"vfio.L4", "an interrupt thread that was woken runs its handler", "the interrupt is lost",
             "irq_wait_for_interrupt", PropertyKind::liveness};
  for (std::size_t a = 0; a < max_actions; ++a) {
    l4.trigger = [a](const S&, const State& s) {
      return s.action[a].runthread == 1 && s.action[a].listed == 1;
    };
    l4.goal = [a](const S&, const State& s) {
      return s.action[a].runthread == 0 || s.action[a].listed == 0;
    };
    l4.assumptions = {no_hog};
    l4.explain = [](const S&, const State&, std::span<const State>) {
      return std::string("RUNTHREAD stays set and the thread sleeps");
    };
    out.push_back(l4);
  }
  add_kvm_leads_to(out);
  return out;
}

}  // namespace iomc::properties::vfio
