// SPDX-License-Identifier: GPL-2.0-or-later
// The state of one VMD: its vectors and their lists, the children's interrupts and queues, and who is at work on them.
#pragma once

#include <string>

#include "model/machine.hpp"
#include "spec/vmd/mode.hpp"

namespace iomc::spec::vmd {

/// Where the kernel can no longer be followed.
enum Crash : unsigned char {
  alive = 0,
  use_after_free,      ///< a freed vmd_irq or firmware node is dereferenced
  null_dereference,    ///< irqs is NULL
  poison_dereference,  ///< a list node is deleted twice
  self_deadlock,       ///< a context spins on a lock of its own, or of the one it interrupted
  wrong_free,          ///< an object is freed that is still in use
};

/// The life of a child's interrupt.
enum Life : unsigned char {
  unborn = 0,
  live = 1,
  torn_down = 2,  ///< msi_free has returned, the object's memory still waits for a grace period
  freed = 3
};

/// What a list_head's pointer points at, by the number of the node.
template <class T>
struct Node {
  using Byte = typename T::Byte;
  Byte at;

  Node() = default;
  Node(Byte node) : at(node) {}
  operator Byte() const { return at; }

  template <class Self, class F>
  static void visit(Self& s, F&& f) {
    f("node", s.at, model::any);
  }
  static std::string name(unsigned node) {
    if (node < T::Shape::children) return std::string(1, static_cast<char>('A' + node));
    return node < T::nodes ? "head " + std::to_string(node - T::Shape::children) : "poison";
  }
  void show(std::string& out) const { out = name(at.raw()); }
};

/// struct vmd_irq, the child's irq_desc, its MSI-X entry, and the queue behind it.
template <class T>
struct Child {
  using Byte = typename T::Byte;
  // struct vmd_irq
  Byte life;
  Byte vector;  ///< irq: index of its vmd_irq_list
  Byte enabled;
  Node<T> next;  ///< node.next
  Node<T> prev;  ///< node.prev
  // struct irq_desc
  model::SpinLock<typename T::D> lock;
  Byte action;
  Byte started;
  Byte disabled;
  Byte depth;
  Byte in_progress;
  Byte pending;
  Byte replay;
  Byte resend;     ///< on the resend list
  Byte handled;    ///< irq_count, scaled down
  Byte unhandled;  ///< irqs_unhandled, scaled down
  Byte spurious;   ///< IRQS_SPURIOUS_DISABLED
  Byte shut;       ///< IRQD_MANAGED_SHUTDOWN: its CPUs are all offline
  // the MSI-X entry
  Byte masked;
  Byte pba;
  // the NVMe queue
  Byte posts;      ///< completions still to come, where they are bounded
  Byte collected;  ///< completions since the last signal, where they are coalesced
  Byte raised;     ///< the device has a message to send
  Byte unseen;     ///< completions written but not yet visible
  Byte cq;         ///< completions visible and not reaped
  // ghosts
  Byte signalled;  ///< its message was accepted since its handler last started
  Byte disturbed;  ///< its driver has disabled its interrupt in this run

  template <class Self, class F>
  static void visit(Self& s, F&& f) {
    f("life", s.life, model::Range{0, 3});
    f("irq", s.vector, model::Range{0, T::Shape::vectors - 1});
    f("enabled", s.enabled, model::flag);
    f("next", s.next, model::any);
    f("prev", s.prev, model::any);
    f("lock", s.lock, model::any);
    f("action", s.action, model::flag);
    f("started", s.started, model::flag);
    f("disabled", s.disabled, model::flag);
    f("depth", s.depth, model::Range{0, 3});
    f("in_progress", s.in_progress, model::flag);
    f("pending", s.pending, model::flag);
    f("replay", s.replay, model::flag);
    f("resend", s.resend, model::flag);
    f("handled", s.handled, model::Range{0, 15});
    f("unhandled", s.unhandled, model::Range{0, 15});
    f("spurious_disabled", s.spurious, model::flag);
    f("managed_shutdown", s.shut, model::flag);
    f("masked", s.masked, model::flag);
    f("pba", s.pba, model::flag);
    f("posts", s.posts, model::any);
    f("collected", s.collected, model::Range{0, 7});
    f("raised", s.raised, model::flag);
    f("unseen", s.unseen, model::Range{0, 7});
    f("cq", s.cq, model::Range{0, 7});
    f("signalled", s.signalled, model::flag);
    f("disturbed", s.disturbed, model::flag);
  }
};

/// struct vmd_irq_list, the irq_desc of the VMD's own interrupt, its table entry, and the CPUs' LAPICs.
template <class T>
struct Vector {
  using Byte = typename T::Byte;
  Node<T> next;  ///< irq_list.next
  Node<T> prev;  ///< irq_list.prev
  Byte count;
  Byte in_progress;
  Byte pending;
  Byte masked;  ///< the VMD's own MSI-X entry
  Byte pba;
  Byte cpu;       ///< where its messages go
  Byte irr;       ///< one bit a CPU: latched there
  Byte shut;      ///< shut down with its CPU (managed vectors)
  Byte released;  ///< given back by vmd_suspend
  Byte resent;    ///< sent again by the interrupt core, to the vector itself

  template <class Self, class F>
  static void visit(Self& s, F&& f) {
    f("irq_list.next", s.next, model::any);
    f("irq_list.prev", s.prev, model::any);
    f("count", s.count, model::any);
    f("in_progress", s.in_progress, model::flag);
    f("pending", s.pending, model::flag);
    f("masked", s.masked, model::flag);
    f("pba", s.pba, model::flag);
    f("cpu", s.cpu, model::Range{0, T::Shape::cpus - 1});
    f("irr", s.irr, model::Range{0, (1U << T::Shape::cpus) - 1});
    f("shut", s.shut, model::flag);
    f("released", s.released, model::flag);
    f("resent", s.resent, model::flag);
  }
};

/// What a lane is doing; decides where a shared piece of code returns to.
enum Operation : unsigned char {
  op_none = 0,
  op_irq,      ///< vmd_irq
  op_resend,   ///< resend_irqs
  op_timeout,  ///< nvme_poll_irqdisable
  op_toggle,   ///< disable_irq … enable_irq
  op_free,     ///< free_irq and vmd_msi_free
  op_alloc,    ///< vmd_msi_init and request_irq
  op_other
};

template <class T>
struct Lane {
  using Byte = typename T::Byte;
  model::LaneContext<typename T::D> context;
  Byte pc;       ///< the step that comes next; 0 is idle
  Byte op;       ///< Operation
  Byte vector;   ///< of the handler
  Byte child;    ///< the node it works on, or stands at
  Byte reading;  ///< inside (S)RCU
  Byte found;    ///< the child's handler found something
  Byte waits;    ///< one bit a lane: readers that a grace period still waits for
  Byte queued;   ///< place in the queue for the child's descriptor lock, from 1
  Byte held;     ///< LockClass bits
  Byte done;     ///< it has acted
  Byte posted;   ///< vectors that a posted notification has still to handle
  Byte round;    ///< of the notification; 0 outside of one

  template <class Self, class F>
  static void visit(Self& s, F&& f) {
    f("context", s.context, model::any);
    f("pc", s.pc, model::any);
    f("op", s.op, model::Range{0, 7});
    f("vector", s.vector, model::Range{0, T::Shape::vectors - 1});
    f("child", s.child, model::any);
    f("reading", s.reading, model::flag);
    f("found", s.found, model::flag);
    f("waits", s.waits, model::any);
    f("queued", s.queued, model::Range{0, T::Shape::lanes});
    f("held", s.held, model::any);
    f("done", s.done, model::flag);
    f("posted", s.posted, model::Range{0, (1U << T::Shape::vectors) - 1});
    f("round", s.round, model::Range{0, 4});
  }
  /// What the context is doing, for counterexamples; the program counter is the step that is shown.
  void show(std::string& out) const {
    const auto node = [](unsigned n) { return Node<T>::name(n); };
    switch (op.raw()) {
      case op_none: out = context.active.raw() != 0 ? "busy" : done.raw() != 0 ? "done" : "idle"; break;
      case op_irq:
        out = round.raw() != 0 && reading.raw() == 0
                  ? std::string("in a posted notification")
                  : "handles vector " + std::to_string(vector.raw()) + ", at " + node(child.raw());
        break;
      case op_resend: out = "resends " + node(child.raw()); break;
      case op_timeout: out = "polls " + node(child.raw()); break;
      case op_toggle: out = "disables and enables " + node(child.raw()); break;
      case op_free: out = "frees " + node(child.raw()); break;
      case op_alloc: out = "allocates " + node(child.raw()); break;
      default: out = "busy"; break;
    }
    if (queued.raw() != 0) out += ", place " + std::to_string(queued.raw()) + " in the queue for its lock";
    if (waits.raw() != 0) out += ", waits for readers";
    if (context.atomic == model::irqs_off && context.active.raw() != 0) out += ", irqs off";
  }
};

/// pci_bus_sem.
template <class T>
struct RwSem {
  using Byte = typename T::Byte;
  Byte readers;
  Byte writer;   ///< held for writing
  Byte waiting;  ///< a writer waits: further readers queue behind it

  template <class Self, class F>
  static void visit(Self& s, F&& f) {
    f("readers", s.readers, model::Range{0, 7});
    f("writer", s.writer, model::flag);
    f("waiting", s.waiting, model::flag);
  }
};

template <class T>
struct State {
  using Byte = typename T::Byte;
  using Shape = typename T::Shape;
  std::array<Vector<T>, Shape::vectors> irqs;
  std::array<Child<T>, Shape::children> children;
  std::array<Lane<T>, Shape::lanes> lanes;
  model::SpinLock<typename T::D> list_lock;
  model::SpinLock<typename T::D> cfg_lock;
  Byte in_config;  ///< config accesses under way
  RwSem<T> bus_sem;
  std::array<Byte, Shape::cpus> online;
  Byte outstanding;  ///< one bit a CPU: posted descriptors that have notified
  Byte notified;     ///< …whose notification is latched
  Byte unacked;      ///< one bit a CPU: an interrupt was taken and its EOI is missing
  Mode<T> mode;
  Byte crash;

  template <class Self, class F>
  static void visit(Self& s, F&& f) {
    f("irqs", s.irqs, model::any);
    static constexpr std::array names = {"A", "B", "C", "D"};
    static_assert(names.size() == Shape::children);
    for (std::size_t c = 0; c < names.size(); ++c) f(names[c], s.children[c], model::any);
    f("lanes", s.lanes, model::any);
    f("list_lock", s.list_lock, model::any);
    f("cfg_lock", s.cfg_lock, model::any);
    f("in_config", s.in_config, model::Range{0, 7});
    f("pci_bus_sem", s.bus_sem, model::any);
    f("online", s.online, model::flag);
    f("pi_desc.on", s.outstanding, model::any);
    f("notified", s.notified, model::any);
    f("lapic.unacked", s.unacked, model::any);
    f("vmd", s.mode, model::any);
    f("crash", s.crash, model::Range{0, 5});
  }
};

/// Locks by class, as bits.
enum LockClass : unsigned char {
  desc_lock = 1,  ///< a child's irq_desc
  list_lock = 2,
  cfg_lock = 4,
  msi_mutex = 8,
  bus_sem = 16
};

/// What happened in a step, for the properties.
template <class T>
struct Event {
  enum Kind : unsigned char {
    nothing,
    handler_started,  ///< child; flag: its completions are all visible
    flow_after_free,  ///< child: its flow handler was called after msi_free returned
    unhandled,        ///< child: its handler found nothing; value: that is counted; flag: not, or it had signalled
    placed,           ///< child, value: its vector
    locked,           ///< value: LockClass; flag: LockRule broken, or 0
    waits_for,        ///< child; flag: the grace period waits for a reader of another vector
    config_access,    ///< flag: another one is under way
    freed_wrong,      ///< child: another object than the child's own was freed
    message,          ///< child: sends a message of the format `value`; flag: its handler runs
    handed_over,      ///< the driver has let go of the device; flag: VMCONFIG is as it must be
    indexed,          ///< child gets vector `value`; flag: the first one that the hardware forwards
    windows,          ///< the offsets of the windows were read; flag: they are right
    bus_setting,      ///< flag: the driver knows the setting
    scanned,          ///< the first bus was read; flag: at its place
    window,           ///< one of a bridge's window registers was written; flag: nothing new is open
    interrupt_asked,  ///< child; flag: it is given an interrupt
    cpu_left,         ///< child: its CPU goes offline; flag: without a complaint
    windows_gone      ///< the windows are taken away; flag: no child uses them any more
  };
  unsigned char kind = nothing;
  unsigned char lane = 0;
  unsigned char child = 0;
  unsigned char value = 0;
  unsigned char flag = 0;
};

/// What is wrong about taking a lock at some place.
enum LockRule : unsigned char {
  allowed = 0,
  sleeps_in_atomic,  ///< a lock that sleeps on PREEMPT_RT, with interrupts off or under a raw lock
  nested_class,      ///< its class is held already
  wrong_order,       ///< a descriptor lock under the list lock
  irqs_are_on        ///< the list lock, which handlers take, with interrupts on
};

}  // namespace iomc::spec::vmd
