// SPDX-License-Identifier: GPL-2.0-or-later
#include "spec/vfio/configurations.hpp"

#include <algorithm>
#include <vector>

namespace iomc::spec::vfio {

std::span<const NamedConfiguration> configurations() {
  static const std::vector<NamedConfiguration> all = [] {
    std::vector<NamedConfiguration> out;
    for (const auto part :
         {dispatch_configurations(), intx_configurations(), kvm_configurations(), driver_configurations()})
      out.insert(out.end(), part.begin(), part.end());
    std::stable_partition(out.begin(), out.end(), [](const auto& c) { return c.by_default; });
    return out;
  }();
  return all;
}

Config make_config(const NamedConfiguration& which, const Facts& facts) {
  Config c;
  c.name = which.name;
  c.what = which.what;
  c.facts = facts;
  which.set(c);
  return c;
}

std::string scope_text(const Config& c) {
  const auto names = preemption_words;
  return "exhaustive at preempt=" + std::string(names[static_cast<std::size_t>(c.facts.preempt)]) +
         " msis=" + std::to_string(c.sizes.msis) + "; " + c.what;
}

model::MachineRules make_rules(const Config& c) {
  using model::LockKind;
  const auto spin = [](SpinKind k) { return k == SpinKind::spinlock ? LockKind::spinlock : LockKind::raw_spinlock; };
  const Facts& f = c.facts;
  model::MachineRules r;
  r.preemption = f.preempt;
  r.rt_writer_first = f.rt_writer_first;
  for (const LaneSetup& l : c.env.lanes) r.lanes.push_back({context_of(l.role, f.preempt), l.cpu, l.priority});
  r.locks = {
      {"wqh.lock of eventfd 0", spin(f.eventfd_lock)},
      {"wqh.lock of eventfd 1", spin(f.eventfd_lock)},
      {"wqh.lock of eventfd 2", spin(f.eventfd_lock)},
      {"vdev->igate", LockKind::mutex},
      {"vdev->memory_lock", LockKind::rwsem},
      {"vdev->irqlock", LockKind::spinlock},
      {"virqfd_lock", LockKind::spinlock},
      {"desc->request_mutex of irq 0", LockKind::mutex},
      {"desc->request_mutex of irq 1", LockKind::mutex},
      {"the bypass mutex", LockKind::mutex},
      {"kvm->irqfds.lock", LockKind::spinlock},
      {"kvm->irqfds.lock of VM 1", LockKind::spinlock},
      {"ep->lock", f.ep_lock == EpLock::rwlock ? LockKind::rwlock : LockKind::spinlock},
      {"pci_lock", LockKind::raw_spinlock},
      {"vmd->cfg_lock", spin(f.vmd_cfg_lock)},
      {"pci_bus_sem", LockKind::rwsem},
      {"softirq_ctrl.lock of CPU 0", LockKind::local_lock},
      {"softirq_ctrl.lock of CPU 1", LockKind::local_lock},
      {"the driver's lock", LockKind::spinlock},
      {"wakeup_vcpus_on_cpu_lock", spin(f.pi_wakeup_lock)},
      {"gpc->lock", LockKind::rwlock},
      {"irqfds_lock of privcmd", f.privcmd_lock == SleepKind::mutex ? LockKind::mutex : LockKind::spinlock},
      {"dev->msi.data->mutex", LockKind::mutex},
  };
  return r;
}

}  // namespace iomc::spec::vfio
