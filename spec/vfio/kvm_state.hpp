// SPDX-License-Identifier: GPL-2.0-or-later
// KVM's part of the state: irqfds, VMs, bypass producers, a resampled line; and what other drivers on the path keep.
#pragma once

#include "spec/vfio/config.hpp"

namespace iomc::spec::vfio {

using model::any;
using model::flag;
using model::Range;

/// The route of a gsi in the VM's table, and what an irqfd remembers of it.
enum Route : unsigned char {
  route_none = 0,       ///< the table has no entry for the gsi
  route_msi_a,          ///< an MSI to one vCPU: it can be posted
  route_msi_b,          ///< an MSI to another one
  route_msi_multicast,  ///< an MSI that cannot be posted
  route_pin,            ///< a pin of an interrupt controller
  route_xen             ///< a Xen event channel
};

constexpr bool is_msi(unsigned route) {
  return route == route_msi_a || route == route_msi_b || route == route_msi_multicast;
}
constexpr bool is_postable(unsigned route) { return route == route_msi_a || route == route_msi_b; }

enum Work : unsigned char { work_idle = 0, work_queued, work_running, work_running_and_queued };

/// struct kvm_kernel_irqfd.
template <class D>
struct Irqfd {
  using Byte = typename D::template Bits<8>;
  Byte exists;    ///< allocated
  Byte listed;    ///< on kvm->irqfds.items: active
  Byte eventfd;   ///< 1 + the eventfd
  Byte entry;     ///< irq_entry: Route
  Byte seq;       ///< irq_entry_sc is odd: a writer is in the middle
  Byte inject;    ///< work is queued
  Byte injecting; ///< work runs
  Byte shutdown;  ///< Work
  Byte producer;  ///< 1 + the producer
  Byte consumer;  ///< on the bypass manager's list
  Byte grace;     ///< readers that its shutdown waits for
  // ghosts
  Byte owed;      ///< a signal came while it waited, and nothing has been injected since
  Byte stale;     ///< it was assigned to a readable eventfd, injected for that, and the count still stands

  template <class Self, class F>
  static void visit(Self& s, F&& f) {
    f("exists", s.exists, flag);
    f("active", s.listed, flag);
    f("eventfd", s.eventfd, Range{0, max_eventfds});
    f("irq_entry", s.entry, Range{0, 5});
    f("irq_entry_sc", s.seq, flag);
    f("inject", s.inject, flag);
    f("injecting", s.injecting, flag);
    f("shutdown", s.shutdown, Range{0, 2});
    f("producer", s.producer, Range{0, max_vectors});
    f("consumer", s.consumer, flag);
    f("grace", s.grace, any);
    f("owed", s.owed, flag);
    f("stale", s.stale, flag);
  }
};

/// struct kvm, as far as interrupts go.
template <class D>
struct Vm {
  using Byte = typename D::template Bits<8>;
  Byte readers;  ///< of irq_srcu: one bit a lane
  Byte grace;    ///< readers that a change of routes waits for

  template <class Self, class F>
  static void visit(Self& s, F&& f) {
    f("irq_srcu", s.readers, any);
    f("grace", s.grace, any);
  }
};

/// struct irq_bypass_producer, and the remapping entry of its irq.
template <class D>
struct Producer {
  using Byte = typename D::template Bits<8>;
  Byte token;   ///< 1 + the eventfd
  Byte listed;  ///< on the bypass manager's list
  Byte irte;    ///< 0: remapped mode; else the route it posts to

  template <class Self, class F>
  static void visit(Self& s, F&& f) {
    f("token", s.token, Range{0, max_eventfds});
    f("listed", s.listed, flag);
    f("irte", s.irte, Range{0, 5});
  }
};

/// A level-triggered line that goes through an irqfd with a resampler.
template <class D>
struct ResampledLine {
  using Byte = typename D::template Bits<8>;
  Byte line;         ///< the device asserts it
  Byte host_masked;  ///< vfio has masked it
  Byte pin;          ///< the guest's controller has it pending
  Byte guest_masked;
  // ghosts
  Byte old;          ///< what is pending was pending when the guest unmasked, and nobody looked at the device
  Byte bogus;        ///< the guest took an interrupt that the device no longer asserts: 1 an old one, 2 another

  template <class Self, class F>
  static void visit(Self& s, F&& f) {
    f("line", s.line, flag);
    f("host_masked", s.host_masked, flag);
    f("pin", s.pin, flag);
    f("guest_masked", s.guest_masked, flag);
    f("old", s.old, flag);
    f("bogus", s.bogus, Range{0, 2});
  }
};

/// A lane's locals in KVM's functions.
template <class D>
struct KvmLocal {
  using Byte = typename D::template Bits<8>;
  Byte irqfd;     ///< 1 + the irqfd under way
  Byte producer;  ///< 1 + the producer under way
  Byte entry;     ///< copy of irq_entry
  Byte res;       ///< 1: an error, or -EWOULDBLOCK

  template <class Self, class F>
  static void visit(Self& s, F&& f) {
    f("irqfd", s.irqfd, Range{0, max_irqfds});
    f("producer", s.producer, Range{0, max_vectors});
    f("entry", s.entry, Range{0, 5});
    f("res", s.res, flag);
  }
};

template <class D>
struct Kvm {
  using Byte = typename D::template Bits<8>;
  std::array<Irqfd<D>, max_irqfds> irqfd;
  std::array<Byte, max_irqfds> route;  ///< the table's entry for each irqfd's gsi
  std::array<Vm<D>, max_vms> vm;
  std::array<Producer<D>, max_vectors> producer;
  std::array<KvmLocal<D>, max_lanes> local;
  ResampledLine<D> level;
  Byte vdpa_call;    ///< vhost-vdpa: 1 + the eventfd of the queue's call_ctx
  Byte err_trigger;  ///< vfio-pci: 1 + the eventfd for errors
  Byte rcu;          ///< lanes inside rcu_read_lock
  Byte rcu_grace;    ///< those that an update waits for

  template <class Self, class F>
  static void visit(Self& s, F&& f) {
    f("irqfd", s.irqfd, any);
    f("route", s.route, any);
    f("vm", s.vm, any);
    f("producer", s.producer, any);
    f("local", s.local, any);
    f("level", s.level, any);
    f("vdpa_call", s.vdpa_call, Range{0, max_eventfds});
    f("err_trigger", s.err_trigger, Range{0, max_eventfds});
    f("rcu", s.rcu, any);
    f("rcu_grace", s.rcu_grace, any);
  }
};

}  // namespace iomc::spec::vfio
