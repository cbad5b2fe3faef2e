// SPDX-License-Identifier: GPL-2.0-or-later
#include "spec/vfio/configurations.hpp"

#include <array>

namespace iomc::spec::vfio {

namespace {

bool always(const Facts&) { return true; }

constexpr unsigned irq_thread_priority = 50;

LaneSetup hardirq(unsigned cpu) {
  return {Role::hardirq, cpu, 0, cpu == 0 ? "hardirq" : "hardirq of CPU 1", {}, Order::once, 0};
}
LaneSetup thread(const char* name, unsigned cpu) {
  return {Role::irq_thread, cpu, irq_thread_priority, name, {}, Order::once, 0};
}
LaneSetup device() { return {Role::device, 0, 0, "device", {}, Order::once, 0}; }
LaneSetup loops(const char* name, unsigned cpu, unsigned priority, std::vector<Call> calls) {
  return {Role::task, cpu, priority, name, std::move(calls), Order::repeat, 0};
}
LaneSetup once(const char* name, unsigned cpu, unsigned priority, std::vector<Call> calls) {
  return {Role::task, cpu, priority, name, std::move(calls), Order::once, 0};
}

/// One MSI-X vector whose eventfd 0 is signalled by its handler: lanes 0, 1 and 2.
void one_vector(Config& c) {
  c.env.lanes = {device(), hardirq(0), thread("irq/vfio-msix[0]", 0)};
  c.env.irqs = {IrqSetup{}};
  ActionSetup msi;
  msi.handler = Handler::msi;
  msi.thread_lane = 2;
  msi.registered = true;
  c.env.actions = {msi};
}

void alone(Config& c) {
  one_vector(c);
}

void reader_on_cpu(Config& c) {
  one_vector(c);
  c.env.lanes.push_back(loops("reader", 0, 0, {{Op::read, 0, 0}}));
}

void reader_elsewhere(Config& c) {
  one_vector(c);
  c.env.lanes.push_back(loops("reader", 1, 0, {{Op::read, 0, 0}}));
}

void reader_preempted(Config& c) {
  one_vector(c);
  c.env.lanes.push_back(loops("reader", 0, 0, {{Op::read, 0, 0}}));
  c.env.eventfds = 2;
  c.env.lanes.push_back(loops("task A", 0, 10, {{Op::fdinfo, 1, 0}}));
}

void preempted_elsewhere(Config& c) {
  one_vector(c);
  c.env.lanes.push_back(loops("reader", 1, 0, {{Op::read, 0, 0}}));
  c.env.eventfds = 2;
  c.env.lanes.push_back(loops("task A", 1, 10, {{Op::fdinfo, 1, 0}}));
}

void poller(Config& c) {
  one_vector(c);
  c.env.lanes.push_back(loops("main loop", 0, 0, {{Op::poll_add, 0, 0}, {Op::poll_remove, 0, 0}, {Op::fdinfo, 0, 0}}));
}

void two_signallers(Config& c) {
  c.env.eventfds = 2;
  c.env.lanes = {loops("vhost A", 0, 0, {{Op::signal, 0, 0}}), loops("vhost B", 0, 10, {{Op::signal, 1, 0}})};
}

void replace(Config& c) {
  one_vector(c);
  c.env.eventfds = 2;
  c.env.lanes.push_back(once("ioctl", 1, 0, {{Op::set_vector, 0, 1}, {Op::set_vector, 0, 0}}));
}

void replace_plain_msi(Config& c) {
  replace(c);
  c.env.irqs[0].maskable = false;
}

void teardown(Config& c) {
  one_vector(c);
  c.env.actions[0].registered = false;
  c.env.lanes.push_back(
      once("ioctl", 1, 0, {{Op::set_vector, 0, 0}, {Op::unset_vector, 0, 0}, {Op::synchronize, 0, 0}}));
}

void hog(Config& c) {
  one_vector(c);
  c.env.lanes.push_back(loops("vCPU of priority 50", 0, irq_thread_priority, {{Op::spin, 0, 0}}));
}

constexpr std::array all = {
    NamedConfiguration{"alone", "one vector, nobody else at its eventfd", true, always, alone},
    NamedConfiguration{"reader", "a reader on the interrupt's CPU", true, always, reader_on_cpu},
    NamedConfiguration{"reader-elsewhere", "a reader on another CPU", true, always, reader_elsewhere},
    NamedConfiguration{"preempted", "a reader that a task of priority 10 preempts, on the interrupt's CPU", true, always,
                       reader_preempted},
    NamedConfiguration{"preempted-elsewhere", "a reader that a task of priority 10 preempts, on another CPU", true,
                       always, preempted_elsewhere},
    NamedConfiguration{"poller", "a main loop that adds and removes the eventfd from epoll and reads its fdinfo", true,
                       always, poller},
    NamedConfiguration{"two-signallers", "two tasks of one CPU that signal two eventfds", true, always,
                       two_signallers},
    NamedConfiguration{"replace", "the user replaces a vector's eventfd while messages come", true, always, replace},
    NamedConfiguration{"replace-plain-msi", "as replace, and the device cannot mask its vector", true, always,
                       replace_plain_msi},
    NamedConfiguration{"teardown", "a vector is set up and taken down while messages come", true, always, teardown},
    NamedConfiguration{"hog", "a task of the irq thread's priority that never blocks", true, always, hog},
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
  for (const LaneSetup& l : c.env.lanes) r.lanes.push_back({context_of(l.role), l.cpu, l.priority});
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
      {"ep->lock", f.ep_lock == EpLock::rwlock ? LockKind::rwlock : LockKind::spinlock},
      {"pci_lock", LockKind::raw_spinlock},
      {"vmd->cfg_lock", spin(f.vmd_cfg_lock)},
      {"pci_bus_sem", LockKind::rwsem},
      {"softirq_ctrl.lock of CPU 0", LockKind::local_lock},
      {"softirq_ctrl.lock of CPU 1", LockKind::local_lock},
      {"the driver's lock", LockKind::spinlock},
      {"wakeup_vcpus_on_cpu_lock", spin(f.pi_wakeup_lock)},
      {"gpc->lock", LockKind::rwlock},
  };
  return r;
}

}  // namespace iomc::spec::vfio
