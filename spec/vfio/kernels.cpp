// SPDX-License-Identifier: GPL-2.0-or-later
// The built-in kernels, each told as what it changed against the one before it.
#include <string>
#include <vector>

#include "spec/vfio/facts.hpp"

namespace iomc::spec::vfio {

namespace {

struct Names {
  const char* plain;
  const char* rt;
  const char* threadirqs;
};

std::vector<Kernel> make_kernels() {
  std::vector<Kernel> out;
  const auto add = [&](Names names, std::string_view source, Facts f) {
    f.preempt = Preemption::none;
    out.push_back({names.plain, source, f});
    f.preempt = Preemption::rt;
    out.push_back({names.rt, source, f});
    f.preempt = Preemption::threadirqs;
    out.push_back({names.threadirqs, source, f});
  };

  Facts f;
  f.forced_irqs_off = false;
  f.bh_lock = false;
  f.rt_writer_first = false;
  f.thread_ready_wait = false;
  f.thread_last_run = false;
  f.free_irq_wait = FreeWait::all_threads;
  f.deactivate_after_wait = false;
  f.sync_asks_chip = false;
  f.nested_threads_counted = false;
  f.cond_oneshot = false;
  f.eventfd_guard = SignalGuard::absent;
  f.ep_lock = EpLock::spinlock;
  f.memory_lock = false;
  f.dynamic_msix = false;
  f.intx_lifetime = IntxLifetime::per_trigger;
  f.intx_config_igate = false;
  f.intx_trigger_checked = false;
  f.intx_no_autoen = false;
  f.err_trigger = ErrTrigger::unlocked;
  f.virqfd_drains = false;
  f.irqfd_drains = false;
  f.irqfd_wait = IrqfdWait::shared;
  f.irqfd_shutdown_waits = false;
  f.irqfd_resample_on_unmask = false;
  f.pi_wakeup_lock = SpinKind::spinlock;
  f.irte_gsi_checked = false;
  f.counter_irq_flags = HandlerFlags::none;  // the driver came later, as did the timers and the lock below
  f.gpio_keys_hard_timer = false;
  f.pci_irq_vector_locks = false;
  add({"4.14", "4.14-rt", "4.14-threadirqs"},
      "the references; of the source only manage.c and vfio_pci_intrs.c of a 4.14 tree were read", f);

  f.forced_irqs_off = true;
  f.bh_lock = true;
  f.thread_ready_wait = true;
  f.thread_last_run = true;
  f.free_irq_wait = FreeWait::own_thread;
  f.deactivate_after_wait = true;
  f.sync_asks_chip = true;
  f.eventfd_guard = SignalGuard::per_task;
  f.ep_lock = EpLock::rwlock;
  f.memory_lock = true;
  f.err_trigger = ErrTrigger::igate;
  f.virqfd_drains = true;
  f.irqfd_drains = true;
  f.irqfd_wait = IrqfdWait::exclusive;
  f.irqfd_shutdown_waits = true;
  f.pi_wakeup_lock = SpinKind::raw_spinlock;
  f.irte_gsi_checked = true;
  f.vdpa_token_follows_call = false;
  f.counter_irq_flags = HandlerFlags::no_thread;
  f.gpio_keys_hard_timer = true;
  f.ks8851_rx_unlocked = false;
  f.pci_irq_vector_locks = true;
  add({"6.1", "6.1-rt", "6.1-threadirqs"}, "linux-source-6.1, less its backports; RT was a patch of its own", f);

  Facts debian = f;
  debian.ep_lock = EpLock::spinlock;
  debian.intx_lifetime = IntxLifetime::per_ctx;
  debian.intx_config_igate = true;
  debian.intx_trigger_checked = true;
  debian.intx_no_autoen = true;
  debian.irqfd_inactive = IrqfdInactive::list;
  debian.route_change_resets_irte = true;
  debian.vmd_cfg_lock = SpinKind::raw_spinlock;
  debian.producer_locked = true;
  debian.vdpa_token_follows_call = true;
  debian.counter_irq_flags = HandlerFlags::none;
  debian.nvme_poll_saves_irq = true;
  debian.gpio_keys_hard_timer = false;
  debian.ks8851_rx_unlocked = true;
  add({"debian-6.1", "debian-6.1-rt", "debian-6.1-threadirqs"}, "linux-source-6.1", debian);

  f.rt_writer_first = true;
  f.free_irq_wait = FreeWait::all_threads;
  f.nested_threads_counted = true;
  f.cond_oneshot = true;
  f.dynamic_msix = true;
  f.intx_lifetime = IntxLifetime::per_ctx;
  f.intx_config_igate = true;
  f.intx_trigger_checked = true;
  f.intx_no_autoen = true;
  f.irqfd_resample_on_unmask = true;
  f.vdpa_token_follows_call = true;
  f.ks8851_rx_unlocked = true;
  add({"6.12", "6.12-rt", "6.12-threadirqs"}, "linux-source-6.12, less its backports", f);

  f.ep_lock = EpLock::spinlock;
  f.intx_disable_unlazy = true;
  f.err_trigger = ErrTrigger::rcu;
  f.irqfd_inactive = IrqfdInactive::list;
  f.route_change_resets_irte = true;
  f.vmd_cfg_lock = SpinKind::raw_spinlock;
  f.producer_locked = true;
  f.counter_irq_flags = HandlerFlags::none;
  f.gpio_keys_hard_timer = false;
  f.nvme_poll_saves_irq = true;
  add({"debian-6.12", "debian-6.12-rt", "debian-6.12-threadirqs"}, "linux-source-6.12", f);
  return out;
}

}  // namespace

std::span<const Kernel> kernels() {
  static const std::vector<Kernel> all = make_kernels();
  return all;
}

const Kernel* find_kernel(std::string_view name) {
  for (const auto& k : kernels())
    if (name == k.name) return &k;
  return nullptr;
}

}  // namespace iomc::spec::vfio
