// SPDX-License-Identifier: GPL-2.0-or-later
// A configuration: facts, and who may do what. Together they are the scope of a verdict.
#pragma once

#include <string>
#include <vector>

#include "model/execution.hpp"
#include "spec/vfio/facts.hpp"

namespace iomc::spec::vfio {

/// Room in the state; a configuration uses what it needs.
inline constexpr unsigned max_lanes = 8;
inline constexpr unsigned max_cpus = 2;
inline constexpr unsigned max_irqs = 2;
inline constexpr unsigned max_actions = 3;
inline constexpr unsigned max_eventfds = 3;
inline constexpr unsigned max_waiters = 3;
inline constexpr unsigned max_vectors = 2;
inline constexpr unsigned max_irqfds = 2;
inline constexpr unsigned max_vms = 2;
inline constexpr unsigned max_depth = 5;  ///< of calls

struct Sizes {
  unsigned msis = 2;            ///< messages the device sends for each vector
  unsigned spurious_limit = 0;  ///< interrupts after which note_interrupt judges a line, for 100000; 0: never
  unsigned priority = 50;         ///< SCHED_FIFO, of a task that never blocks
  unsigned thread_priority = 50;  ///< SCHED_FIFO, of irq threads: setup_irq_thread's, or what chrt makes of it
};

/// Everything that is a lock. Descriptor locks (desc->lock) are raw, are taken with interrupts off and protect sections
/// without a point of interleaving: each such section is one step, and the lock is not part of the state.
enum LockId : unsigned char {
  wqh_lock = 0,  ///< of eventfd 0; the next two are of eventfds 1 and 2
  igate = wqh_lock + max_eventfds,
  memory_lock,
  irqlock,
  virqfd_lock,
  request_mutex,  ///< of irq 0; the next one is of irq 1
  bypass_lock = request_mutex + max_irqs,
  irqfds_lock,  ///< of VM 0; the next one is of VM 1
  ep_lock = irqfds_lock + max_vms,
  pci_lock,
  cfg_lock,
  pci_bus_sem,
  bh_lock,  ///< of CPU 0; the next one is of CPU 1
  driver_lock = bh_lock + max_cpus,
  wakeup_list_lock,
  gpc_lock,
  privcmd_lock,
  msi_mutex,
  lock_count
};

/// What an action's handler is.
enum class Handler : unsigned char {
  none,
  msi,     ///< vfio_msihandler: signals the eventfd that it was registered with
  intx,    ///< vfio_intx_handler
  sharer,  ///< another driver's handler on the same line
  remover, ///< a threaded handler that frees another action of its own line (pciehp taking out a device)
  locker,  ///< another driver's handler that takes that driver's spinlock_t
  wakeup,  ///< KVM's wakeup vector: takes the per-CPU list lock of blocked vCPUs
  config_reader, ///< a handler that reads PCI configuration space
  counter,       ///< interrupt-cnt: pushes an event under a spinlock_t
  vector_lookup, ///< a handler that asks pci_irq_vector for its own number
  xen_timer,     ///< KVM's timer of a Xen guest
  key_timer,     ///< gpio-keys' release timer: reports under a spinlock_t
  network,       ///< ks8851: passes packets up
  raiser,        ///< another device's handler, which raises a softirq
  demux    ///< a threaded handler that dispatches to irq 1, which is nested in it
};

enum class Flow : unsigned char { edge, fasteoi, level };

struct ActionSetup {
  Handler handler = Handler::none;
  unsigned irq = 0;
  int thread_lane = -1;       ///< the lane of its thread, where it may get one
  bool threaded = false;      ///< requested with a thread function and no primary handler
  HandlerFlags flags = HandlerFlags::none;  ///< vfio's own take theirs from the facts
  bool percpu = false;
  bool shared = false;
  bool cond_oneshot = false;
  bool registered = false;    ///< the run begins with it registered
  unsigned eventfd = 0;       ///< what the run's beginning registers it with
};

struct IrqSetup {
  Flow flow = Flow::edge;
  unsigned cpu = 0;         ///< where it is delivered
  bool msi = true;          ///< a message, not a line
  bool maskable = true;     ///< MSI-X, or MSI with a mask bit
  bool send_once = false;   ///< the controller presents an assertion once
  bool nested = false;      ///< its handlers run in the thread of irq 0
};

/// What a task may do next.
enum class Op : unsigned char {
  none,
  // fs/eventfd.c; a: eventfd
  read,
  write,
  signal,      ///< eventfd_signal in task context, as vhost does
  fdinfo,
  poll_add,
  poll_remove,
  close,
  // kernel/irq/manage.c; a: action or irq
  request,
  free,
  disable,
  enable,
  synchronize,
  // vfio-pci MSI; a: vector, b: eventfd
  set_vector,
  unset_vector,
  loopback,
  set_block,    ///< a: start, b: how many; each is given no eventfd or any
  disable_msi,
  // vfio-pci INTx; a: eventfd
  intx_enable,
  intx_disable,
  intx_set_trigger,
  intx_clear_trigger,
  intx_mask,
  intx_unmask,
  intx_loopback,
  intx_config_mask,
  intx_config_unmask,
  virqfd_enable,
  virqfd_disable,
  device_service,  ///< the guest's driver services the device, which drops its line
  device_quiet,    ///< the line's other device is told to be quiet, as before its driver frees the line
  virqfd_cleanup,  ///< a worker of vfio-irqfd-cleanup
  virqfd_events,   ///< a worker of the system's workqueue: inject works
  poll_disabled,   ///< nvme polls a queue with the interrupt of its vector disabled
  msix_off,        ///< nvme's device goes from MSI-X to INTx
  set_irqs,        ///< VFIO_DEVICE_SET_IRQS with boundary values
  // KVM; a: irqfd, b: eventfd
  irqfd_assign,
  irqfd_deassign,
  route_update,
  // other kernel code on the path
  spin,            ///< computes for ever and never blocks
  bh_section,      ///< runs with softirqs off
  read_config,     ///< pci_read_config under pci_lock
  vcpu_block,      ///< adds itself to the per-CPU list of blocked vCPUs
  aer_error,
  hot_reset,
  release_device,
  epoll_wait,      ///< takes what is ready
  hotplug,         ///< changes the list of devices under pci_bus_sem
  vdpa_set_call,   ///< a: eventfd
  line_raise,      ///< the device of the resampled line asserts it
  // work of Role::worker; a: irqfd
  work_inject,
  work_shutdown,
  work_intx,       ///< the handler of the resampled line
  work_guest       ///< the guest's handler of the resampled line
};

struct Call {
  Op op = Op::none;
  unsigned a = 0;
  unsigned b = 0;
};

enum class Order : unsigned char {
  once,    ///< one after the other, then nothing more
  repeat,  ///< one after the other, for ever
  any      ///< any of them at any time, `budget` times
};

enum class Role : unsigned char { absent, hardirq, softirq, nmi, irq_thread, worker, task, device };

struct LaneSetup {
  Role role = Role::absent;
  unsigned cpu = 0;
  unsigned priority = 0;
  const char* name = "";
  std::vector<Call> calls;
  Order order = Order::once;
  unsigned budget = 0;
};

/// An irqfd that a user may assign.
struct IrqfdSetup {
  unsigned vm = 0;
  unsigned eventfd = 0;
  unsigned route = 1;       ///< Route of its gsi at the beginning
  bool assigned = false;    ///< the run begins with it assigned
  bool beyond = false;      ///< its gsi is beyond the table
  bool resample = false;
};

struct Environment {
  std::vector<LaneSetup> lanes;
  std::vector<IrqSetup> irqs;
  std::vector<ActionSetup> actions;
  unsigned eventfds = 1;
  bool pci_2_3 = true;          ///< the device can mask its INTx itself
  bool msix = true;             ///< MSI-X, else MSI: its vectors are contiguous, and all allocated at enable
  bool dynamic_device = true;   ///< pci_msix_can_alloc_dyn
  bool vector_shortage = false;  ///< there may be fewer vectors than are asked for
  bool request_failure = false;  ///< request_irq for a vector may fail
  bool allocation_failure = false;
  std::vector<IrqfdSetup> irqfds;
  bool bypass = false;          ///< the IOMMU can post interrupts
  bool irte_failure = false;    ///< an update of a remapping entry may fail
  bool privcmd = false;         ///< a Xen privcmd irqfd waits at eventfd 0
  bool other_device = false;    ///< another device asserts the line too
  bool virqfd = false;          ///< the run begins with an unmask virqfd at eventfd 1
  bool broken = false;          ///< a mutant that no kernel is: set_signal does not wait, the wake function signals
  unsigned option = 0;          ///< for configurations with a variant of their own
};

struct Config {
  std::string name;
  std::string what;  ///< one line: what it switches on
  Facts facts;
  Sizes sizes;
  Environment env;
  model::MachineRules rules;  ///< made from the rest (`make_rules`)
};

/// Softirqs run in ksoftirqd where handlers are force-threaded, on top of what was interrupted elsewhere.
inline model::ContextKind context_of(Role r, Preemption p) {
  switch (r) {
    case Role::hardirq: return model::ContextKind::hardirq;
    case Role::softirq: return p == Preemption::none ? model::ContextKind::softirq : model::ContextKind::task;
    case Role::nmi: return model::ContextKind::nmi;
    default: return model::ContextKind::task;
  }
}

/// Lock names and kinds, lane kinds and priorities, for these facts.
model::MachineRules make_rules(const Config& config);

}  // namespace iomc::spec::vfio
