// SPDX-License-Identifier: GPL-2.0-or-later
#include "spec/vmd/configurations.hpp"

#include <array>

#include "spec/vmd/platform.hpp"

namespace iomc::spec::vmd {

namespace {

bool always(const Facts&) { return true; }
bool posts(const Facts& f) { return f.posted_ack != PostedAck::absent; }

LaneSetup handler(unsigned cpu) {
  static constexpr const char* names[] = {"hardirq 0", "hardirq 1", "hardirq 2"};
  return {Role::handler, cpu, names[cpu], 0, false};
}

LaneSetup once(Role role, unsigned cpu, const char* name, unsigned child) { return {role, cpu, name, child, true}; }

/// One queue's time-out beside the handler.
void siblings(Config& c) { c.env.lanes = {handler(0), once(Role::timeout, 1, "timeout A", 0)}; }

void siblings_fair(Config& c) {
  siblings(c);
  c.env.fair_locks = true;
}

/// The handler is not held up between two children, as it hardly ever is.
void prompt(Config& c) {
  siblings(c);
  c.env.prompt_walk = true;
}

/// The same with three queues, two of them timing out at once; each completes one command.
void wide(Config& c) {
  c.env.prompt_walk = true;
  c.sizes.cpus = 3;
  c.sizes.children = 3;
  c.sizes.posts = 1;
  c.env.lanes = {handler(0), once(Role::timeout, 1, "timeout A", 0), once(Role::timeout, 2, "timeout B", 1)};
}

void wide_fair(Config& c) {
  wide(c);
  c.env.fair_locks = true;
}

/// A driver that disables and enables its interrupt without looking itself; the software resend runs beside it.
void toggle(Config& c) {
  c.env.lanes = {handler(0), once(Role::toggler, 1, "driver A", 0), {Role::resender, 1, "softirq", 0, false}};
}

/// A time-out, and the software resend on its CPU.
void resend(Config& c) {
  c.env.lanes = {handler(0), once(Role::timeout, 1, "timeout A", 0), {Role::resender, 1, "softirq", 0, false}};
}

/// The VMD's vector moves to another CPU.
void move(Config& c) { c.env.lanes = {handler(0), handler(1), {Role::affinity, 1, "irqbalance", 0, true}}; }

/// Posted MSIs: two vectors with a child each, one of them given back and requested again.
void posted(Config& c) {
  c.sizes.vectors = 3;
  c.env.posted = true;
  c.env.lanes = {handler(0), once(Role::own_power, 1, "vmd pm", 1)};
}

/// A drive goes away while its neighbour signals.
void teardown(Config& c) { c.env.lanes = {handler(0), once(Role::freer, 1, "driver A", 0)}; }

void teardown_disabled(Config& c) { c.env.lanes = {handler(0), once(Role::disabling_freer, 1, "driver A", 0)}; }

/// A drive comes while another signals, and one goes.
void hotplug(Config& c) {
  c.sizes.vectors = 2;
  c.sizes.children = 3;
  c.sizes.posts = 1;
  c.env.unborn = 1;
  c.env.lanes = {handler(0), once(Role::freer, 1, "driver A", 0), once(Role::allocator, 0, "driver C", 2)};
}

/// A handler that disables its own interrupt, over a task that allocates.
void nosync(Config& c) {
  c.sizes.vectors = 2;  // with one there is nothing to compare, and no lock is taken
  c.env.unborn = 1;
  c.env.kinds = {ChildKind::nvme_nosync, ChildKind::nvme, ChildKind::nvme, ChildKind::nvme};
  c.env.lanes = {handler(0), once(Role::allocator, 0, "driver B", 1)};
}

/// Two vectors; a drive of one goes away while the other's handler runs, and somebody reads under RCU.
void grace(Config& c) {
  c.sizes.vectors = 3;
  c.sizes.posts = 1;
  c.env.lanes = {handler(0), once(Role::freer, 1, "driver A", 0), once(Role::rcu_reader, 1, "rcu reader", 0)};
}

/// One child signals, its neighbour on the vector is idle.
void neighbour(Config& c) {
  c.env.quiet_children = 1;
  c.env.nobody_cared = 3;
  c.env.lanes = {handler(0)};
}

/// Kinds of children on several vectors.
void kinds(Config& c) {
  c.sizes.vectors = 3;
  c.sizes.children = 4;
  c.env.unborn = 4;
  c.env.quiet_children = 4;
  c.env.kinds = {ChildKind::bridge, ChildKind::nvme, ChildKind::ahci, ChildKind::nvme};
  c.env.lanes = {handler(0), once(Role::allocator, 1, "port", 0), once(Role::allocator, 1, "nvme", 1),
                 once(Role::allocator, 1, "ahci", 2), once(Role::allocator, 1, "nvme", 3)};
}

/// PREEMPT_RT: a child masked in configuration space, and a reader through sysfs.
void rt(Config& c) {
  c.env.preempt_rt = true;
  c.env.msi_config = true;
  c.env.kinds = {ChildKind::bridge, ChildKind::bridge, ChildKind::nvme, ChildKind::nvme};
  c.env.lanes = {handler(0), once(Role::toggler, 1, "driver A", 0), once(Role::config_reader, 0, "lspci", 0),
                 once(Role::config_reader, 1, "lspci", 0)};
}

/// Several commands outstanding, a device that collects completions.
void coalesce(Config& c) {
  c.env.coalescing = 2;
  c.env.depth = 2;
  c.env.lanes = {handler(0), once(Role::timeout, 1, "timeout A", 0)};
}

/// Probe walks the bus while a device is added.
void bus(Config& c) {
  c.sizes.children = 2;
  c.env.unborn = 2;
  c.env.lanes = {once(Role::bus_walker, 0, "probe", 0), once(Role::bus_writer, 1, "hotplug", 0)};
}

void offline(Config& c) { c.env.lanes = {handler(0), handler(1), {Role::hotplug, 1, "cpuhp", 0, false}}; }

/// The life of the driver, on every device id, platform and IOMMU.
void mode(Config& c) {
  c.env.scene = Scene::life;
  c.env.lanes = {{Role::driver, 0, "vmd", 0, false}};
}

void handover(Config& c) {
  mode(c);
  c.env.kexec = true;
}

void faults(Config& c) {
  mode(c);
  c.env.faults = true;
}

void buses(Config& c) {
  mode(c);
  c.env.buses = true;
}

void ports(Config& c) {
  mode(c);
  c.env.port = true;
  c.env.ownership = true;
}

void left_behind(Config& c) {
  mode(c);
  c.env.left_behind = true;
}

/// The message may arrive before the completion.
void overtake(Config& c) {
  c.env.overtaking = true;
  c.env.lanes = {handler(0)};
}

constexpr std::array all = {
    NamedConfiguration{"siblings", "two queues on one vector, one times out: disabled, polled, enabled", true, always,
                       siblings},
    NamedConfiguration{"siblings-fair", "the same, descriptor locks given in the order of asking", true, always,
                       siblings_fair},
    NamedConfiguration{"prompt", "the same, the walk never held up between two children's handlers", true, always,
                       prompt},
    NamedConfiguration{"wide", "three queues on one vector, two time out at once; the walk never held up likewise",
                       true, always, wide},
    NamedConfiguration{"toggle", "a driver disables and enables its interrupt without polling; software resend", true,
                       always, toggle},
    NamedConfiguration{"teardown", "a drive goes away while its neighbour signals", true, always, teardown},
    NamedConfiguration{"teardown-disabled", "…after it disabled its interrupt", true, always, teardown_disabled},
    NamedConfiguration{"hotplug", "a drive goes and another comes, on two vectors", true, always, hotplug},
    NamedConfiguration{"nosync", "a handler that disables its own interrupt, over a task that allocates", true, always,
                       nosync},
    NamedConfiguration{"grace", "a drive goes away beside handlers of other vectors and other readers", true, always,
                       grace},
    NamedConfiguration{"neighbour", "one child signals, its neighbour on the vector is idle", true, always, neighbour},
    NamedConfiguration{"kinds", "a port, an AHCI controller and NVMe queues are given vectors", true, always, kinds},
    NamedConfiguration{"rt", "PREEMPT_RT, children masked in configuration space, readers through sysfs", true, always,
                       rt},
    NamedConfiguration{"bus", "probe walks the bus while a device is added", true, always, bus},
    NamedConfiguration{"offline", "CPUs go down and come back", true, always, offline},
    NamedConfiguration{"posted", "posted MSIs, and a VMD vector given back and requested again", true, posts, posted},
    NamedConfiguration{"mode", "probe, suspend and resume, removal: every device id, platform and IOMMU", true, always,
                       mode},
    NamedConfiguration{"handover", "the same with shutdown, warm restart, kexec and crash kernels", true, always,
                       handover},
    NamedConfiguration{"faults", "the same as mode, and each step of probe may fail", true, always, faults},
    NamedConfiguration{"buses", "the same as mode with each bus-number setting, and the bridges' windows", true, always,
                       buses},
    NamedConfiguration{"ports", "the same as mode with a port's interrupt, enabled through S3 (hotplug, AER, PME)",
                       false, always, ports},
    NamedConfiguration{"left-behind", "the same as mode where VMCONFIG may say bypass from the start", false, always,
                       left_behind},
    NamedConfiguration{"wide-fair", "as wide, descriptor locks given in the order of asking", false, always, wide_fair},
    NamedConfiguration{"resend", "a time-out, with the software resend on another CPU than the handler", false, always,
                       resend},
    NamedConfiguration{"move", "the VMD's vector is moved to another CPU", false, always, move},
    NamedConfiguration{"coalesce", "devices collect completions before they signal", false, always, coalesce},
    NamedConfiguration{"overtake", "a message may arrive before its completion (a device's fault, MTL016)", false,
                       always, overtake},
};

}  // namespace

std::span<const NamedConfiguration> configurations() { return all; }

Config make_config(const NamedConfiguration& which, const Facts& facts) {
  Config c;
  c.name = which.name;
  c.what = which.what;
  c.facts = facts;
  which.set(c);
  return c;
}

std::string scope_text(const Config& c) {
  const auto& s = c.sizes;
  if (c.env.scene == Scene::life)
    return "exhaustive over device " +
           (s.device == 0 ? std::string("ids all") : std::string("id ") + std::string(device_words[s.device - 1])) +
           ", platform " + (s.platform == 0 ? std::string("all") : std::string(platform_words[s.platform - 1])) +
           ", shadow registers, interrupt remapping off/on x EIME x CFIS; " + c.what;
  return "exhaustive at cpus=" + std::to_string(s.cpus) + " children=" + std::to_string(s.children) +
         " vectors=" + std::to_string(s.vectors) + " commands=" + std::to_string(c.env.depth) +
         (s.posts == 0 ? std::string(" completions unbounded") : " completions=" + std::to_string(s.posts)) + "; " +
         c.what;
}

}  // namespace iomc::spec::vmd
