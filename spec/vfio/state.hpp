// SPDX-License-Identifier: GPL-2.0-or-later
// The state: the machine, interrupt descriptors and their threads, eventfds, and a vfio-pci device with its user.
#pragma once

#include "spec/vfio/intx_state.hpp"
#include "spec/vfio/kvm_state.hpp"

namespace iomc::spec::vfio {

/// Where the kernel can no longer be followed.
enum Crash : unsigned char {
  alive = 0,
  null_dereference,
  use_after_free,
  self_deadlock,           ///< a context waits for a lock that it, or what it interrupted, owns
  scheduling_while_atomic, ///< the scheduler is called where it may not be
  unbalanced_enable        ///< WARN: enable_irq at depth 0
};

/// What the user is owed since the last message to a trigger.
enum Owed : unsigned char {
  nothing = 0,
  a_signal,    ///< one that begins from here on
  being_served ///< it has begun, and has not raised the count yet
};

/// struct irq_desc and its chip.
template <class D>
struct Desc {
  using Byte = typename D::template Bits<8>;
  Byte depth;
  Byte disabled;
  Byte masked;
  Byte started;
  Byte activated;
  Byte inprogress;
  Byte pending;
  Byte replay;
  Byte oneshot;
  Byte unlazy;           ///< IRQ_DISABLE_UNLAZY
  Byte spurious;         ///< IRQS_SPURIOUS_DISABLED
  Byte threads_oneshot;
  Byte threads_active;
  Byte threads_handled;  ///< modulo 4
  Byte handled_last;     ///< modulo 4, bit 7: SPURIOUS_DEFERRED
  Byte irq_count;
  Byte irqs_unhandled;
  // hardware
  Byte irr;        ///< accepted by the CPU, not yet delivered
  Byte isr;        ///< in service
  Byte pba;        ///< pending in the device while the entry is masked
  Byte line;       ///< the device asserts the line
  Byte presented;  ///< a controller that presents once has presented this assertion
  // ghosts
  Byte sent;       ///< messages sent
  Byte taken;      ///< interrupts that a CPU took
  Byte owed;       ///< Owed
  Byte wanted;     ///< the user has a trigger for it, or is replacing one by another

  template <class Self, class F>
  static void visit(Self& s, F&& f) {
    f("depth", s.depth, Range{0, 7});
    f("disabled", s.disabled, flag);
    f("masked", s.masked, flag);
    f("started", s.started, flag);
    f("activated", s.activated, flag);
    f("INPROGRESS", s.inprogress, flag);
    f("PENDING", s.pending, flag);
    f("REPLAY", s.replay, flag);
    f("ONESHOT", s.oneshot, flag);
    f("UNLAZY", s.unlazy, flag);
    f("SPURIOUS_DISABLED", s.spurious, flag);
    f("threads_oneshot", s.threads_oneshot, Range{0, 7});
    f("threads_active", s.threads_active, any);
    f("threads_handled", s.threads_handled, Range{0, 3});
    f("threads_handled_last", s.handled_last, any);
    f("irq_count", s.irq_count, any);
    f("irqs_unhandled", s.irqs_unhandled, any);
    f("irr", s.irr, flag);
    f("isr", s.isr, flag);
    f("pba", s.pba, flag);
    f("line", s.line, flag);
    f("presented", s.presented, flag);
    f("sent", s.sent, any);
    f("taken", s.taken, any);
    f("owed", s.owed, Range{0, 2});
    f("wanted", s.wanted, flag);
  }
};

/// struct irqaction.
template <class D>
struct Action {
  using Byte = typename D::template Bits<8>;
  Byte listed;     ///< on desc->action
  Byte requested;  ///< request_irq has begun and free_irq has not ended
  Byte primary;    ///< its handler is the default primary handler
  Byte forced;     ///< IRQTF_FORCED_THREAD
  Byte oneshot;    ///< IRQF_ONESHOT after set-up
  Byte mask;       ///< thread_mask
  Byte runthread;
  Byte ready;
  Byte stop;       ///< kthread_should_stop
  Byte thread;     ///< 0 none, 1 made, 2 entered irq_thread
  Byte dev;        ///< 1 + the eventfd that is the handler's dev_id
  Byte running;    ///< ghost: its handler runs, in any context

  template <class Self, class F>
  static void visit(Self& s, F&& f) {
    f("listed", s.listed, flag);
    f("requested", s.requested, flag);
    f("primary", s.primary, flag);
    f("forced", s.forced, flag);
    f("oneshot", s.oneshot, flag);
    f("thread_mask", s.mask, Range{0, 7});
    f("RUNTHREAD", s.runthread, flag);
    f("READY", s.ready, flag);
    f("should_stop", s.stop, flag);
    f("thread", s.thread, Range{0, 2});
    f("dev_id", s.dev, Range{0, max_eventfds});
    f("running", s.running, Range{0, 3});
  }
};

enum WaiterKind : unsigned char { no_waiter = 0, reader, epoll, irqfd_waiter, virqfd_waiter, privcmd_waiter };

template <class D>
struct Waiter {
  using Byte = typename D::template Bits<8>;
  Byte kind;
  Byte id;  ///< reader: its lane; irqfd, virqfd: which

  template <class Self, class F>
  static void visit(Self& s, F&& f) {
    f("kind", s.kind, Range{0, 5});
    f("id", s.id, any);
  }
};

/// struct eventfd_ctx; its lock is in the machine.
template <class D>
struct Eventfd {
  using Byte = typename D::template Bits<8>;
  Byte refs;   ///< 0: freed
  Byte open;   ///< its file is open
  Byte count;  ///< up to 7, then it stays
  std::array<Waiter<D>, max_waiters> waiters;
  // ghosts
  Byte signals;  ///< how often the count was raised by a signal, up to 7

  template <class Self, class F>
  static void visit(Self& s, F&& f) {
    f("refs", s.refs, Range{0, 7});
    f("open", s.open, flag);
    f("count", s.count, Range{0, 7});
    f("waiters", s.waiters, any);
    f("signals", s.signals, Range{0, 7});
  }
};

enum IrqType : unsigned char { type_none = 0, type_intx = 1, type_msi = 2 };

/// struct vfio_pci_irq_ctx of one vector.
template <class D>
struct VectorCtx {
  using Byte = typename D::template Bits<8>;
  Byte exists;
  Byte trigger;    ///< 1 + eventfd; 0: NULL
  Byte masked;     ///< INTx: the virtual mask
  Byte allocated;  ///< the vector has a Linux irq
  Byte producer;   ///< registered with the bypass manager
  Byte name;       ///< its name is allocated

  template <class Self, class F>
  static void visit(Self& s, F&& f) {
    f("exists", s.exists, flag);
    f("trigger", s.trigger, Range{0, max_eventfds});
    f("masked", s.masked, flag);
    f("allocated", s.allocated, flag);
    f("producer", s.producer, flag);
    f("name", s.name, flag);
  }
};

enum SetIrqsPhase : unsigned char { set_irqs_idle = 0, setting_block, unwinding_block, disabling_msi };

/// VFIO_DEVICE_SET_IRQS for MSI or MSI-X: the locals of the call that holds igate.
template <class D>
struct SetIrqsCall {
  using Byte = typename D::template Bits<8>;
  Byte phase;    ///< SetIrqsPhase
  Byte start;
  Byte count;    ///< of the block; when it is unwound, how many of them it had begun with
  Byte next;     ///< index in the block, or the vector that is disabled next
  Byte failed;
  Byte enabled;  ///< this call has enabled MSI
  std::array<Byte, max_vectors> fd;  ///< 1 + eventfd, 0: -1

  template <class Self, class F>
  static void visit(Self& s, F&& f) {
    f("phase", s.phase, Range{0, 3});
    f("start", s.start, Range{0, max_vectors});
    f("count", s.count, Range{0, max_vectors});
    f("next", s.next, Range{0, max_vectors});
    f("failed", s.failed, flag);
    f("enabled", s.enabled, flag);
    f("fd", s.fd, Range{0, max_eventfds});
  }
};

/// struct vfio_pci_core_device.
template <class D>
struct VfioDevice {
  using Byte = typename D::template Bits<8>;
  Byte irq_type;
  Byte virq_disabled;
  std::array<VectorCtx<D>, max_vectors> ctx;
  SetIrqsCall<D> set_irqs;

  template <class Self, class F>
  static void visit(Self& s, F&& f) {
    f("irq_type", s.irq_type, Range{0, 2});
    f("virq_disabled", s.virq_disabled, flag);
    f("ctx", s.ctx, any);
    f("set_irqs", s.set_irqs, any);
  }
};

/// What a lane does: its program counter, where its calls return to, and its locals.
template <class D>
struct Program {
  using Byte = typename D::template Bits<8>;
  Byte pc;
  std::array<Byte, max_depth> ret;
  Byte at;       ///< calls begun
  Byte a;        ///< arguments of the call
  Byte b;
  Byte irq;
  Byte act;
  Byte efd;      ///< 1 + the eventfd under way; 0: NULL
  Byte key;      ///< what it is woken with: EPOLLIN, EPOLLHUP
  Byte i;        ///< index of the next action
  Byte w;        ///< index of the next waiter
  Byte res;      ///< result of the call that returned
  Byte results;  ///< OR of what the actions of an interrupt returned
  Byte intent;   ///< TASK_INTERRUPTIBLE is set, schedule() not yet called
  Byte in_eventfd;
  Byte mode;     ///< irq_type, as a masking decision found it
  Byte old;      ///< 1 + the eventfd that was, or is going to be, the trigger
  Byte covers;   ///< ghost: 1 + the irq whose interrupt the signal under way answers

  template <class Self, class F>
  static void visit(Self& s, F&& f) {
    f("pc", s.pc, any);
    f("ret", s.ret, any);
    f("at", s.at, any);
    f("a", s.a, any);
    f("b", s.b, any);
    f("irq", s.irq, Range{0, max_irqs - 1});
    f("action", s.act, Range{0, max_actions});
    f("eventfd", s.efd, Range{0, max_eventfds});
    f("key", s.key, any);
    f("i", s.i, any);
    f("w", s.w, any);
    f("res", s.res, any);
    f("results", s.results, Range{0, 3});
    f("INTERRUPTIBLE", s.intent, flag);
    f("in_eventfd", s.in_eventfd, flag);
    f("mode", s.mode, Range{0, 2});
    f("old", s.old, Range{0, max_eventfds});
    f("covers", s.covers, Range{0, max_irqs});
  }
};

/// kernel/softirq.c, with one softirq.
template <class D>
struct Softirqs {
  using Byte = typename D::template Bits<8>;
  std::array<Byte, max_cpus> pending;
  std::array<Byte, max_cpus> ksoftirqd;  ///< it was woken

  template <class Self, class F>
  static void visit(Self& s, F&& f) {
    f("pending", s.pending, flag);
    f("ksoftirqd", s.ksoftirqd, flag);
  }
};

template <class D>
struct State {
  using Byte = typename D::template Bits<8>;
  Byte crash;
  Byte crash_lane;
  model::Machine<D, max_lanes, lock_count, max_cpus> machine;
  std::array<Program<D>, max_lanes> lanes;
  std::array<Desc<D>, max_irqs> desc;
  std::array<Action<D>, max_actions> action;
  std::array<Eventfd<D>, max_eventfds> eventfd;
  std::array<Byte, max_cpus> cpu_in_eventfd;  ///< the per-CPU guard's count
  Softirqs<D> softirq;
  VfioDevice<D> vdev;
  Kvm<D> kvm;
  Intx<D> intx;

  template <class Self, class F>
  static void visit(Self& s, F&& f) {
    f("crash", s.crash, any);
    f("crash_lane", s.crash_lane, any);
    f("machine", s.machine, any);
    f("lanes", s.lanes, any);
    f("desc", s.desc, any);
    f("action", s.action, any);
    f("eventfd", s.eventfd, any);
    f("eventfd_wake_count", s.cpu_in_eventfd, any);
    f("softirq", s.softirq, any);
    f("vdev", s.vdev, any);
    f("kvm", s.kvm, any);
    f("intx", s.intx, any);
  }
};

/// What a property may speak about.
struct Event {
  enum Kind : unsigned char {
    acquire,       ///< a lock is asked for: `lock`, `ok`: the context allows it, `own`: the owner is who asked
    signal,        ///< eventfd_signal begins: `index` is the eventfd
    dropped,       ///< …and returns without counting; `ok`: the same call chain is inside a signal
    inversion,     ///< a task runs while one of higher priority waits for a lock of another task of this CPU
    enabled_twice, ///< enable_irq at depth 0
    sharer,        ///< request_irq finds that others have the line: `ok`: all flags agree
    range,         ///< an index is used; `ok`: in range
    put,           ///< an object's last reference is dropped
    injected,      ///< an irqfd injects: `index`, `ok`: not by a route that has been replaced
    freed_action,  ///< free_irq ends: `ok`: the action's handler does not run
    unwound,       ///< SET_IRQS fails: `ok`: the vectors it began with are down, and MSI, where it enabled it, is off
    freed_vectors  ///< pci_free_irq_vectors: `ok`: no handler is registered
  };
  Kind kind = acquire;
  unsigned char lane = 0;
  unsigned char lock = 0;
  unsigned char index = 0;
  bool ok = true;
  bool own = true;
};

}  // namespace iomc::spec::vfio
