// SPDX-License-Identifier: GPL-2.0-or-later
// A configuration: facts, sizes, and what the environment may do. Together they are the scope of a verdict.
#pragma once

#include <string>
#include <vector>

#include "model/machine.hpp"
#include "spec/vmd/facts.hpp"

namespace iomc::spec::vmd {

/// What a child is, as far as the driver distinguishes.
enum class ChildKind : unsigned char {
  nvme,         ///< an NVMe queue, MSI-X
  ahci,         ///< another storage controller, MSI
  bridge,       ///< a port's service interrupt (hotplug, AER, PME), MSI
  nvme_nosync,  ///< an NVMe queue whose handler disables its own interrupt (disable_irq_nosync)
};

enum class Role : unsigned char {
  absent,
  handler,          ///< the VMD's own interrupts on one CPU
  timeout,          ///< nvme_timeout of one queue: disable, poll, enable
  toggler,          ///< a driver that disables and enables its interrupt without polling
  freer,            ///< a driver that gives its interrupt back
  disabling_freer,  ///< …after disabling it
  allocator,        ///< a driver that gets its interrupt
  resender,         ///< the tasklet of the software resend
  config_reader,    ///< reads configuration space through sysfs
  bus_walker,       ///< pci_walk_bus with the PM quirk
  bus_writer,       ///< adds or removes a device: pci_bus_sem for writing
  affinity,         ///< moves a VMD vector to another CPU
  own_power,        ///< vmd_suspend and vmd_resume, for one of the VMD\'s own vectors
  hotplug,          ///< takes CPUs down and up
  rcu_reader,       ///< a long RCU reader elsewhere in the system
  driver,           ///< the life of the VMD driver itself: probe, power, removal, hand-over
};

struct LaneSetup {
  Role role = Role::absent;
  unsigned cpu = 0;
  const char* name = "";
  unsigned child = 0;  ///< the child it works on
  bool once = true;    ///< it acts one time
};

/// Sizes of the modelled machine; a result covers these and no others.
struct Sizes {
  unsigned cpus = 2;
  unsigned children = 2;
  unsigned vectors = 1;   ///< msix_count
  unsigned posts = 0;     ///< completions of each child; 0: no bound
  unsigned device = 0;    ///< 1 + index into device_ids, 0: each of them in turn
  unsigned platform = 0;  ///< 1 + Platform, 0: each of them in turn
};

enum class Platform : unsigned char { host, guest, xen };

/// What is under test.
enum class Scene : unsigned char {
  interrupts,  ///< the list, the handler and the children
  life,        ///< the mode, the register, power and hand-over
};

struct Environment {
  Scene scene = Scene::interrupts;
  std::vector<LaneSetup> lanes;
  std::vector<ChildKind> kinds = {ChildKind::nvme, ChildKind::nvme, ChildKind::nvme, ChildKind::nvme};
  unsigned unborn = 0;          ///< so many of the last children have no interrupt at the start
  unsigned quiet_children = 0;  ///< so many of the last children never complete anything
  bool fair_locks = false;      ///< a descriptor's lock is given in the order of asking
  bool prompt_walk = false;     ///< a walk is held up only by a child's handler or by a lock, by nothing else
  bool preempt_rt = false;
  bool posted = false;        ///< the IOMMU posts the VMD\'s own messages
  bool msi_config = false;    ///< children are masked in configuration space (plain MSI)
  bool overtaking = false;    ///< a message may arrive before the completion it announces (erratum MTL016)
  unsigned coalescing = 1;    ///< completions a device collects before it signals
  unsigned depth = 1;         ///< commands outstanding on a queue
  unsigned nobody_cared = 0;  ///< unhandled interrupts in a row after which one is disabled; 0: not counted
  bool faults = false;        ///< life: any step of probe may fail
  bool kexec = false;         ///< life: shutdown, restart, crash kernels
  bool port = false;          ///< life: a port's service interrupt, which stays enabled through S3
  bool buses = false;         ///< life: each bus-number setting, and the bridges' windows
  bool ownership = false;     ///< life: the platform may keep hotplug and AER for itself
  bool left_behind = false;   ///< life: VMCONFIG may say bypass when the kernel starts
};

struct Config {
  std::string name;
  std::string what;  ///< one line: what it switches on
  Facts facts;
  Sizes sizes;
  Environment env;
};

inline model::ContextKind context_of(Role r) {
  switch (r) {
    case Role::handler: return model::ContextKind::hardirq;
    case Role::resender: return model::ContextKind::softirq;
    default: return model::ContextKind::task;
  }
}

}  // namespace iomc::spec::vmd
