// SPDX-License-Identifier: GPL-2.0-or-later
// What differs between kernels in kernel/irq/, fs/eventfd.c, drivers/vfio/ and virt/kvm/, as facts.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "model/facts.hpp"
#include "model/locks.hpp"

namespace iomc::spec::vfio {

using model::Preemption;
inline constexpr std::array<std::string_view, 3> preemption_words = {"none", "rt", "threadirqs"};

/// The flags of a request_irq call, IRQF_SHARED and IRQF_NO_AUTOEN aside.
enum class HandlerFlags : unsigned char { none, no_thread, oneshot };
inline constexpr std::array<std::string_view, 3> handler_flags_words = {"0", "NO_THREAD", "ONESHOT"};

enum class SpinKind : unsigned char { spinlock, raw_spinlock };
inline constexpr std::array<std::string_view, 2> spin_kind_words = {"spinlock", "raw_spinlock"};

/// What stops a wake function from signalling an eventfd again.
enum class SignalGuard : unsigned char { absent, per_cpu, per_task };
inline constexpr std::array<std::string_view, 3> signal_guard_words = {"absent", "per_cpu", "per_task"};

/// What __free_irq waits for beside hard handlers.
enum class FreeWait : unsigned char { all_threads, own_thread };
inline constexpr std::array<std::string_view, 2> free_wait_words = {"all_threads", "own_thread"};

/// How long the INTx handler stays registered.
enum class IntxLifetime : unsigned char { per_trigger, per_ctx };
inline constexpr std::array<std::string_view, 2> intx_lifetime_words = {"per_trigger", "per_ctx"};

/// What protects the error and request triggers.
enum class ErrTrigger : unsigned char { unlocked, igate, rcu };
inline constexpr std::array<std::string_view, 3> err_trigger_words = {"unlocked", "igate", "rcu"};

/// How the wake entry of a KVM irqfd stands in the eventfd's queue.
enum class IrqfdWait : unsigned char { shared, exclusive, unique };
inline constexpr std::array<std::string_view, 3> irqfd_wait_words = {"shared", "exclusive", "unique"};

/// What tells that an irqfd was deactivated.
enum class IrqfdInactive : unsigned char { route_type, list };
inline constexpr std::array<std::string_view, 2> irqfd_inactive_words = {"route_type", "list"};

enum class EpLock : unsigned char { spinlock, rwlock };
inline constexpr std::array<std::string_view, 2> ep_lock_words = {"spinlock", "rwlock"};

enum class SleepKind : unsigned char { spinlock, mutex };
inline constexpr std::array<std::string_view, 2> sleep_kind_words = {"spinlock", "mutex"};

/// Which route an update of a remapping entry looks at.
enum class IrteRoute : unsigned char { table, entry };
inline constexpr std::array<std::string_view, 2> irte_route_words = {"table", "entry"};

/// One kernel's choices. The defaults are those of mainline 6.12.
struct Facts {
  // how it was built and booted
  Preemption preempt = Preemption::none;
  bool prove_raw_lock_nesting = false;
  // kernel/irq/
  bool forced_exempt_no_thread = true;
  bool forced_exempt_percpu = true;
  bool forced_exempt_oneshot = true;
  bool forced_irqs_off = true;
  bool forced_bh_off = true;
  bool bh_lock = true;
  bool rt_writer_first = true;
  bool msi_oneshot_safe = true;
  bool thread_ready_wait = true;
  bool thread_set_state_first = true;
  bool thread_last_run = true;
  bool thread_clears_work = true;
  FreeWait free_irq_wait = FreeWait::all_threads;
  bool deactivate_after_wait = true;
  bool sync_asks_chip = true;
  bool nested_threads_counted = true;
  bool cond_oneshot = true;
  // fs/eventfd.c, fs/eventpoll.c
  SpinKind eventfd_lock = SpinKind::spinlock;
  SignalGuard eventfd_guard = SignalGuard::per_task;
  EpLock ep_lock = EpLock::rwlock;
  // drivers/vfio/
  HandlerFlags msi_handler_flags = HandlerFlags::none;
  HandlerFlags intx_handler_flags = HandlerFlags::none;
  bool memory_lock = true;
  bool dynamic_msix = true;
  bool msi_partial_freed = true;
  bool msi_enable_unwound = true;
  bool msi_block_unwound = true;
  bool msi_error_puts = true;
  bool msi_freed_before_put = true;
  bool msi_disable_unsets = true;
  bool set_irqs_validated = true;
  IntxLifetime intx_lifetime = IntxLifetime::per_ctx;
  bool intx_set_before_request = true;
  bool intx_config_igate = true;
  bool intx_trigger_checked = true;
  bool intx_no_autoen = true;
  bool intx_handler_tests_mask = false;
  bool intx_disable_unlazy = false;
  bool intx_frees_name = true;
  ErrTrigger err_trigger = ErrTrigger::igate;
  bool virqfd_locked = true;
  bool virqfd_drains = true;
  // virt/kvm/, arch/x86/kvm/
  bool irqfd_drains = true;
  IrqfdWait irqfd_wait = IrqfdWait::exclusive;
  IrqfdInactive irqfd_inactive = IrqfdInactive::route_type;
  bool irqfd_shutdown_waits = true;
  bool irqfd_resample_on_unmask = true;
  bool route_change_resets_irte = false;
  bool producer_cleared_on_error = false;
  SpinKind pi_wakeup_lock = SpinKind::raw_spinlock;
  bool xen_evtchn_trylock = false;
  bool producer_locked = false;
  IrteRoute irte_route = IrteRoute::table;
  bool irte_gsi_checked = true;
  // others on the path
  SpinKind vmd_cfg_lock = SpinKind::spinlock;
  bool vdpa_token_follows_call = true;
  SleepKind privcmd_lock = SleepKind::spinlock;
  HandlerFlags counter_irq_flags = HandlerFlags::no_thread;
  bool gpio_keys_hard_timer = true;
  bool ks8851_rx_unlocked = true;
  bool pci_irq_vector_locks = true;
  bool nvme_poll_saves_irq = false;

  bool operator==(const Facts&) const = default;

  template <class Self, class V>
  static void visit(Self& f, V&& v) {
    using model::FactInfo;
    constexpr const char* manage = "kernel/irq/manage.c";
    constexpr const char* eventfd = "fs/eventfd.c";
    constexpr const char* intrs = "drivers/vfio/pci/vfio_pci_intrs.c";
    constexpr const char* virqfd = "drivers/vfio/virqfd.c";
    constexpr const char* kvm = "virt/kvm/eventfd.c";
    v(FactInfo{"preempt", "how the kernel is built and booted: PREEMPT_RT, or the option threadirqs", "Kconfig",
               "CONFIG_PREEMPT_RT", "chosen by whoever builds the kernel", preemption_words},
      f.preempt);
    v(FactInfo{"prove_raw_lock_nesting", "lockdep judges lock nesting as if on PREEMPT_RT", "lib/Kconfig.debug",
               "CONFIG_PROVE_RAW_LOCK_NESTING", "chosen by whoever builds the kernel"},
      f.prove_raw_lock_nesting);
    v(FactInfo{"forced_exempt_no_thread", "IRQF_NO_THREAD exempts a handler from forced threading", manage,
               "irq_setup_forced_threading", "2.6.39"},
      f.forced_exempt_no_thread);
    v(FactInfo{"forced_exempt_percpu", "IRQF_PERCPU exempts a handler from forced threading", manage,
               "irq_setup_forced_threading", "2.6.39"},
      f.forced_exempt_percpu);
    v(FactInfo{"forced_exempt_oneshot", "IRQF_ONESHOT exempts a handler from forced threading, silently", manage,
               "irq_setup_forced_threading", "2.6.39; aef30c8d569c warns, 7.0"},
      f.forced_exempt_oneshot);
    v(FactInfo{"forced_irqs_off", "without PREEMPT_RT a force-threaded handler runs with interrupts off", manage,
               "irq_forced_thread_fn", "81e2073c175b, 5.12"},
      f.forced_irqs_off);
    v(FactInfo{"forced_bh_off", "a force-threaded handler runs with softirqs off", manage, "irq_forced_thread_fn",
               "2.6.39"},
      f.forced_bh_off);
    v(FactInfo{"bh_lock", "on PREEMPT_RT local_bh_disable takes a lock of the CPU", "kernel/softirq.c",
               "__local_bh_disable_ip", "5.13; an option from 6.18"},
      f.bh_lock);
    v(FactInfo{"rt_writer_first", "on PREEMPT_RT new readers wait behind a writer that waits for readers",
               "kernel/locking/rwbase_rt.c", "__rwbase_read_lock", "286deb7ec03d, 6.4"},
      f.rt_writer_first);
    v(FactInfo{"msi_oneshot_safe", "the chips of PCI MSI and MSI-X need no masking for threads",
               "drivers/pci/msi/irqdomain.c", "pci_msi_domain_update_chip_ops",
               "4.8"},
      f.msi_oneshot_safe);
    v(FactInfo{"thread_ready_wait", "request_irq waits until the interrupt thread has begun", manage, "__setup_irq",
               "8707898e22fd, 5.18"},
      f.thread_ready_wait);
    v(FactInfo{"thread_set_state_first", "the thread sets its state before it tests for work", manage,
               "irq_wait_for_interrupt", "2.6.30"},
      f.thread_set_state_first);
    v(FactInfo{"thread_last_run", "a thread that is stopped runs once more if it was woken", manage,
               "irq_wait_for_interrupt", "519cc8652b3a, 4.19"},
      f.thread_last_run);
    v(FactInfo{"thread_clears_work", "the thread clears the note that it was woken before it runs its handler", manage,
               "irq_wait_for_interrupt", "2.6.30"},
      f.thread_clears_work);
    v(FactInfo{"free_irq_wait", "what __free_irq waits for beside hard handlers", manage, "__free_irq",
               "519cc8652b3a, 4.19; e2c12739ccf7, 6.6", free_wait_words},
      f.free_irq_wait);
    v(FactInfo{"deactivate_after_wait", "__free_irq deactivates the interrupt after it has waited for handlers", manage,
               "__free_irq", "4001d8e8762f, 5.3"},
      f.deactivate_after_wait);
    v(FactInfo{"sync_asks_chip", "waiting for a hard handler also asks the chip for an interrupt in service", manage,
               "__synchronize_hardirq", "62e0468650c3, 5.3"},
      f.sync_asks_chip);
    v(FactInfo{"nested_threads_counted", "a nested handler counts as an active thread, not as a hard handler",
               "kernel/irq/chip.c", "handle_nested_irq", "e2c12739ccf7, 6.6"},
      f.nested_threads_counted);
    v(FactInfo{"cond_oneshot", "IRQF_COND_ONESHOT lets a sharer follow the first one", manage, "__setup_irq",
               "c37927a203fa, 6.9"},
      f.cond_oneshot);
    v(FactInfo{"eventfd_lock", "the kind of the eventfd wait queue's lock", "include/linux/wait.h",
               "struct wait_queue_head", "2.6.22", spin_kind_words},
      f.eventfd_lock);
    v(FactInfo{"eventfd_guard", "where a signal notes that it is under way, so that wake functions cannot recurse",
               eventfd, "eventfd_signal_mask", "b5e683d5cab8, 5.6; b542e383d8c0, 5.16", signal_guard_words},
      f.eventfd_guard);
    v(FactInfo{"ep_lock", "the kind of the lock that epoll's wake function takes", "fs/eventpoll.c", "ep_poll_callback",
               "a218cc491420, 5.0; 0c43094f8cc9, 6.18", ep_lock_words},
      f.ep_lock);
    v(FactInfo{"msi_handler_flags", "the flags with which vfio_msihandler is requested", intrs,
               "vfio_msi_set_vector_signal", "3.6; NO_THREAD: the patch of Nov 2017, not merged", handler_flags_words},
      f.msi_handler_flags);
    v(FactInfo{"intx_handler_flags", "the flags with which vfio_intx_handler is requested, SHARED and NO_AUTOEN aside",
               intrs, "vfio_intx_enable", "3.6", handler_flags_words},
      f.intx_handler_flags);
    v(FactInfo{"memory_lock", "interrupts are set up under memory_lock with memory enabled", intrs,
               "vfio_msi_set_vector_signal", "abafbc551fdd, 5.8"},
      f.memory_lock);
    v(FactInfo{"dynamic_msix", "an MSI-X vector is allocated when it is first used, not all at enable", intrs,
               "vfio_msi_alloc_irq", "e4163438e015, 6.5"},
      f.dynamic_msix);
    v(FactInfo{"msi_partial_freed", "MSI vectors are freed again where there are fewer than were asked for", intrs,
               "vfio_msi_enable", "in 4.14 and later"},
      f.msi_partial_freed);
    v(FactInfo{"msi_enable_unwound", "a SET_IRQS that enabled MSI and then fails disables it", intrs,
               "vfio_pci_set_msi_trigger", "3.6"},
      f.msi_enable_unwound);
    v(FactInfo{"msi_block_unwound", "where a vector of a block fails, those before it are taken down", intrs,
               "vfio_msi_set_block", "3.6"},
      f.msi_block_unwound);
    v(FactInfo{"msi_error_puts", "the eventfd of a vector is put where its interrupt cannot be requested", intrs,
               "vfio_msi_set_vector_signal", "3.6"},
      f.msi_error_puts);
    v(FactInfo{"msi_freed_before_put", "a vector's interrupt is freed before its handler's eventfd is put", intrs,
               "vfio_msi_set_vector_signal", "3.6"},
      f.msi_freed_before_put);
    v(FactInfo{"msi_disable_unsets", "vectors are taken down before MSI is disabled", intrs, "vfio_msi_disable", "3.6"},
      f.msi_disable_unsets);
    v(FactInfo{"set_irqs_validated", "VFIO_DEVICE_SET_IRQS checks start and count without overflow",
               "drivers/vfio/vfio_main.c", "vfio_set_irqs_validate_and_prepare", "05692d7005a3, 4.9"},
      f.set_irqs_validated);
    v(FactInfo{"intx_lifetime", "how long the INTx handler stays registered: with each trigger, or with the ctx", intrs,
               "vfio_intx_set_signal", "18c198c96a81, 6.9", intx_lifetime_words},
      f.intx_lifetime);
    v(FactInfo{"intx_set_before_request", "trigger and irq_type are set before the INTx handler is requested", intrs,
               "vfio_intx_enable", "9dbdfd23b763, 3.7"},
      f.intx_set_before_request);
    v(FactInfo{"intx_config_igate", "a config write of DisINTx takes igate", intrs, "vfio_pci_intx_mask",
               "810cd4bb5345, 6.9"},
      f.intx_config_igate);
    v(FactInfo{"intx_trigger_checked", "the INTx signal tests its trigger for NULL", intrs, "vfio_send_intx_eventfd",
               "18c198c96a81, 6.9"},
      f.intx_trigger_checked);
    v(FactInfo{"intx_no_autoen", "the line of a device without DisINTx stays disabled until its virtual mask is known",
               intrs, "vfio_intx_set_signal", "fe9a7082684e, 6.9"},
      f.intx_no_autoen);
    v(FactInfo{"intx_handler_tests_mask", "the INTx handler disables a line only if INTx is not masked already", intrs,
               "vfio_intx_handler", "a cure of finding N6, in no kernel"},
      f.intx_handler_tests_mask);
    v(FactInfo{"intx_disable_unlazy", "a device without DisINTx has its line masked at once when it is disabled", intrs,
               "vfio_intx_enable", "8b9f128947dd, 6.18"},
      f.intx_disable_unlazy);
    v(FactInfo{"intx_frees_name", "a failed INTx enable frees the name it made", intrs, "vfio_intx_enable",
               "the fix of CVE-2024-38632, 6.10"},
      f.intx_frees_name);
    v(FactInfo{"err_trigger", "what protects the error and request triggers", "drivers/vfio/pci/vfio_pci_core.c",
               "vfio_pci_core_aer_err_detected", "b872d0640840, 5.8; 98693e0897f7, 6.19", err_trigger_words},
      f.err_trigger);
    v(FactInfo{"virqfd_locked", "virqfd_lock decides who queues a virqfd's shutdown", virqfd, "vfio_virqfd_disable",
               "b68e7fa879cd, 3.7"},
      f.virqfd_locked);
    v(FactInfo{"virqfd_drains", "a virqfd's wake function reads the count", virqfd, "virqfd_wakeup",
               "b1b397aeef81, 5.11"},
      f.virqfd_drains);
    v(FactInfo{"irqfd_drains", "a KVM irqfd's wake function reads the count", kvm, "irqfd_wakeup",
               "b59e00dd8cda, 5.11"},
      f.irqfd_drains);
    v(FactInfo{"irqfd_wait", "how an irqfd waits at its eventfd, and whether a second one may", kvm,
               "irqfd_ptable_queue_proc", "e8dbf19508a1, 5.11; 2cdd64cbf990, 6.17", irqfd_wait_words},
      f.irqfd_wait);
    v(FactInfo{"irqfd_inactive", "what tells that an irqfd was deactivated", kvm, "irqfd_deactivate",
               "b4d37cdb77a0, 6.19", irqfd_inactive_words},
      f.irqfd_inactive);
    v(FactInfo{"irqfd_shutdown_waits", "the shutdown of an irqfd waits for an SRCU grace period first", kvm,
               "irqfd_shutdown", "4.17"},
      f.irqfd_shutdown_waits);
    v(FactInfo{"irqfd_resample_on_unmask", "a guest's unmask of a resampled line looks at the device again", kvm,
               "irqfd_resampler_ack", "fef8f2b90edb and d583fbd7066a, 6.3"},
      f.irqfd_resample_on_unmask);
    v(FactInfo{"route_change_resets_irte", "a route that can no longer be posted takes the device back to host mode",
               "arch/x86/kvm/vmx/posted_intr.c", "vmx_pi_update_irte", "9bcac97dc42d, 6.15"},
      f.route_change_resets_irte);
    v(FactInfo{"producer_cleared_on_error", "a failed bypass set-up forgets the producer", "arch/x86/kvm/x86.c",
               "kvm_arch_irq_bypass_add_producer", "ed446e8aa894, 7.2"},
      f.producer_cleared_on_error);
    v(FactInfo{"pi_wakeup_lock", "the kind of the per-CPU lock of blocked vCPUs", "arch/x86/kvm/vmx/posted_intr.c",
               "pi_wakeup_handler", "5f02ef741a78, 5.17", spin_kind_words},
      f.pi_wakeup_lock);
    v(FactInfo{"xen_evtchn_trylock", "the in-atomic Xen event channel path only tries gpc->lock", "arch/x86/kvm/xen.c",
               "kvm_xen_set_evtchn_fast", "proposed in Feb 2024, not merged"},
      f.xen_evtchn_trylock);
    v(FactInfo{"vmd_cfg_lock", "the kind of VMD's config access lock, taken under pci_lock",
               "drivers/pci/controller/vmd.c", "vmd_pci_read", "18056a48669a, 6.15", spin_kind_words},
      f.vmd_cfg_lock);
    v(FactInfo{"producer_locked", "a bypass producer is set and cleared under irqfds.lock", "arch/x86/kvm/x86.c",
               "kvm_arch_irq_bypass_add_producer", "f1fb088d9cec, 6.15"},
      f.producer_locked);
    v(FactInfo{"irte_route", "which route a bypass update looks at: the VM's table, or the irqfd's copy",
               "arch/x86/kvm/vmx/posted_intr.c", "vmx_pi_update_irte",
               "the series that hands irqfd and route to it, 6.17", irte_route_words},
      f.irte_route);
    v(FactInfo{"irte_gsi_checked", "a bypass update compares the gsi with the size of the VM's table",
               "arch/x86/kvm/svm/avic.c", "avic_pi_update_irte", "3a8b0677fc61, 4.14 (VMX); a80ced6ea514, 5.18 (SVM)"},
      f.irte_gsi_checked);
    v(FactInfo{"vdpa_token_follows_call", "a vhost-vdpa queue's producer is unregistered before its eventfd is put",
               "drivers/vhost/vdpa.c", "vhost_vdpa_vring_ioctl", "02e9e9366fef, 6.12"},
      f.vdpa_token_follows_call);
    v(FactInfo{"privcmd_lock", "the kind of the lock that privcmd's wake function takes at a hang-up",
               "drivers/xen/privcmd.c", "irqfd_wakeup", "1c682593096a, 6.11", sleep_kind_words},
      f.privcmd_lock);
    v(FactInfo{"counter_irq_flags", "the flags with which interrupt-cnt requests its interrupt, the trigger aside",
               "drivers/counter/interrupt-cnt.c", "interrupt_cnt_probe", "23f9485510c3, 6.19", handler_flags_words},
      f.counter_irq_flags);
    v(FactInfo{"gpio_keys_hard_timer", "gpio-keys' timers expire in hard interrupts also on PREEMPT_RT",
               "drivers/input/keyboard/gpio_keys.c", "gpio_keys_setup_key", "f4a8f561d08e, 6.16"},
      f.gpio_keys_hard_timer);
    v(FactInfo{"ks8851_rx_unlocked", "ks8851 passes packets up after it has dropped its lock",
               "drivers/net/ethernet/micrel/ks8851_common.c", "ks8851_irq", "be0384bf599c, 6.9"},
      f.ks8851_rx_unlocked);
    v(FactInfo{"pci_irq_vector_locks", "pci_irq_vector takes the mutex of the device's MSI descriptors",
               "kernel/irq/msi.c", "msi_get_virq", "5.17"},
      f.pci_irq_vector_locks);
    v(FactInfo{"nvme_poll_saves_irq", "the number of the interrupt that is disabled for polling is not asked for again",
               "drivers/nvme/host/pci.c", "nvme_poll_irqdisable", "fc71f409b22c, 7.0"},
      f.nvme_poll_saves_irq);
  }
};

/// A built-in fact set.
struct Kernel {
  std::string_view name;    ///< "6.12", "debian-6.12-rt"
  std::string_view source;  ///< where its facts were taken from
  Facts facts;
};

/// All built-in fact sets, oldest first; each as non-RT, RT and threadirqs.
std::span<const Kernel> kernels();

/// The built-in fact set of that name, or nullptr.
const Kernel* find_kernel(std::string_view name);

}  // namespace iomc::spec::vfio
