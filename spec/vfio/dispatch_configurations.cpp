// SPDX-License-Identifier: GPL-2.0-or-later
// Configurations of one vector and its eventfd: who else is there.
#include <array>

#include "spec/vfio/lanes.hpp"

namespace iomc::spec::vfio {

namespace {

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

/// Two vectors and a user who sets and disables them in any order, while messages come and an eventfd is closed.
void set_block(Config& c) {
  c.sizes.msis = 1;
  c.env.lanes = {device(), hardirq(0), thread("irq/vfio-msix[0]", 0), thread("irq/vfio-msix[1]", 0)};
  c.env.irqs = {IrqSetup{}, IrqSetup{}};
  for (unsigned v = 0; v < 2; ++v) {
    ActionSetup msi;
    msi.handler = Handler::msi;
    msi.irq = v;
    msi.thread_lane = static_cast<int>(2 + v);
    c.env.actions.push_back(msi);
  }
  c.env.eventfds = 1;
  c.env.vector_shortage = c.env.request_failure = c.env.allocation_failure = true;
  const std::vector<Call> calls = {
      {Op::set_block, 0, 2}, {Op::set_block, 0, 1}, {Op::set_block, 1, 1}, {Op::disable_msi}};
  c.env.lanes.push_back({Role::task, 1, 0, "ioctl", calls, Order::any, 2});
  c.env.lanes.push_back(once("VMM", 1, 0, {{Op::close, 0, 0}}));
}

/// As set_block with MSI: contiguous vectors that the device cannot mask. The eventfd stays open.
void set_block_msi(Config& c) {
  set_block(c);
  c.env.lanes.pop_back();
  c.env.msix = false;
  for (IrqSetup& irq : c.env.irqs) irq.maskable = false;
}

void loopback(Config& c) {
  one_vector(c);
  c.env.lanes.push_back(once("ioctl", 1, 0, {{Op::loopback, 0, 0}, {Op::unset_vector, 0, 0}, {Op::loopback, 0, 0}}));
}

void softirqs_off(Config& c) {
  one_vector(c);
  c.env.lanes.push_back(loops("network task", 0, 0, {{Op::bh_section, 0, 0}}));
}

/// Another device's handler raises a softirq that signals the same eventfd; task A preempts who runs it.
void softirq(Config& c) {
  one_vector(c);
  c.env.lanes.push_back(thread("irq/nvme", 0));
  c.env.lanes.push_back({Role::softirq, 0, 0, "softirqs of CPU 0", {}, Order::once, 0});
  c.env.irqs.push_back(IrqSetup{});
  ActionSetup other;
  other.handler = Handler::raiser;
  other.irq = 1;
  other.thread_lane = 3;
  other.registered = true;
  c.env.actions.push_back(other);
  c.env.eventfds = 2;
  c.env.lanes.push_back(loops("task A", 0, 10, {{Op::fdinfo, 1, 0}}));
}

/// As softirq, raised in a hard interrupt on every kernel, as the tick does: with forced threading ksoftirqd runs it.
void softirq_tick(Config& c) {
  softirq(c);
  c.env.lanes[3].name = "none";
  c.env.actions[1].flags = HandlerFlags::no_thread;
}

void hog(Config& c) {
  one_vector(c);
  c.env.lanes.push_back(loops("vCPU that never blocks", 0, irq_thread_priority, {{Op::spin, 0, 0}}));
}

constexpr std::array dispatch = {
    NamedConfiguration{"alone", "one vector, nobody else at its eventfd", true, always, alone},
    NamedConfiguration{"reader", "a reader on the interrupt's CPU", true, always, reader_on_cpu},
    NamedConfiguration{"reader-elsewhere", "a reader on another CPU", true, always, reader_elsewhere},
    NamedConfiguration{"preempted", "a reader that a task of priority 10 preempts, on the interrupt's CPU", true,
                       always,
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
    NamedConfiguration{"set-block", "a user sets blocks of two vectors and disables MSI-X while messages come", false,
                       always, set_block},
    NamedConfiguration{"set-block-msi", "as set-block, with contiguous MSI vectors that cannot be masked", false,
                       always, set_block_msi},
    NamedConfiguration{"loopback", "the user signals a vector's trigger by ioctl, before and after it is unset", true,
                       always, loopback},
    NamedConfiguration{"softirqs-off", "a task that turns softirqs off, on the interrupt's CPU", true, always,
                       softirqs_off},
    NamedConfiguration{"softirq", "a softirq that signals the vector's eventfd, on the interrupt's CPU", true, always,
                       softirq},
    NamedConfiguration{"softirq-tick", "as softirq, raised by a handler that is not threaded", true, always,
                       softirq_tick},
    NamedConfiguration{"hog", "a task of the irq thread's priority that never blocks", true, always, hog},
};

}  // namespace

std::span<const NamedConfiguration> dispatch_configurations() { return dispatch; }

}  // namespace iomc::spec::vfio
