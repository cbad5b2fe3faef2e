// SPDX-License-Identifier: GPL-2.0-or-later
// Configurations of other code that shares locks, CPUs or contexts with the path.
#include <array>

#include "spec/vfio/lanes.hpp"

namespace iomc::spec::vfio {

namespace {

/// One interrupt with a handler of another driver or of KVM: lanes 0, 1 and 2.
void one_handler(Config& c, Handler handler, HandlerFlags flags, const char* thread_name) {
  c.sizes.msis = 1;
  c.env.lanes = {device(), hardirq(0), thread(thread_name, 0)};
  c.env.irqs = {IrqSetup{}};
  ActionSetup a;
  a.handler = handler;
  a.flags = flags;
  a.thread_lane = 2;
  a.registered = true;
  c.env.actions = {a};
}

void counter(Config& c) { one_handler(c, Handler::counter, HandlerFlags::none, "irq/counter"); }

void key_timer(Config& c) { one_handler(c, Handler::key_timer, HandlerFlags::none, "ktimers"); }

void pi_wakeup(Config& c) {
  one_handler(c, Handler::wakeup, HandlerFlags::no_thread, "none");
  c.env.lanes.push_back(loops("vCPU", 0, 0, {{Op::vcpu_block, 0, 0}}));
}

void xen_timer(Config& c) {
  one_handler(c, Handler::xen_timer, HandlerFlags::no_thread, "none");
  c.env.lanes.push_back(loops("vCPU", 0, 0, {{Op::fdinfo, 0, 0}}));
}

void vector_lookup(Config& c) {
  one_handler(c, Handler::vector_lookup, HandlerFlags::none, "irq/lookup");
  c.env.lanes.push_back(once("task A", 1, 0, {{Op::fdinfo, 0, 0}}));
}

void vmd_config(Config& c) {
  c.env.lanes = {loops("task A", 0, 0, {{Op::read_config, 0, 0}}), loops("task B", 1, 0, {{Op::read_config, 0, 0}})};
}

void privcmd(Config& c) {
  c.env.privcmd = true;
  c.env.lanes = {once("VMM", 0, 0, {{Op::write, 0, 0}, {Op::close, 0, 0}})};
}

void network(Config& c) {
  one_handler(c, Handler::network, HandlerFlags::none, "irq/ks8851");
  c.env.actions[0].threaded = true;
}

void network_forced(Config& c) { one_handler(c, Handler::network, HandlerFlags::none, "irq/ks8851"); }

void shared_lock(Config& c) {
  one_handler(c, Handler::locker, HandlerFlags::none, "irq/locker");
  c.env.irqs.push_back(IrqSetup{});
  ActionSetup timer;
  timer.handler = Handler::locker;
  timer.irq = 1;
  timer.flags = HandlerFlags::no_thread;
  timer.registered = true;
  c.env.actions.push_back(timer);
}

void epoll_inversion(Config& c) {
  c.env.eventfds = 2;
  c.env.lanes = {loops("signaller of priority 10", 0, 10, {{Op::poll_add, 0, 0}, {Op::signal, 0, 0}}),
                 loops("task of priority 20", 0, 20, {{Op::fdinfo, 1, 0}}),
                 loops("epoll_wait of priority 30", 0, 30, {{Op::epoll_wait, 0, 0}})};
}

void three_locks(Config& c) {
  one_vector(c);
  c.sizes.msis = 1;
  c.env.lanes = {once("SET_IRQS", 0, 0, {{Op::unset_vector, 0, 0}}), once("hot reset", 1, 0, {{Op::hot_reset, 0, 0}}),
                 thread("irq/vfio-msix[0]", 0), once("AER", 1, 0, {{Op::aer_error, 0, 0}}),
                 once("hot plug", 0, 0, {{Op::hotplug, 0, 0}})};
}

void three_locks_read(Config& c) {
  three_locks(c);
  c.env.lanes.pop_back();
}

void error_release(Config& c) {
  c.env.lanes = {once("VMM", 0, 0, {{Op::close, 0, 0}, {Op::release_device, 0, 0}}),
                 once("AER", 1, 0, {{Op::aer_error, 0, 0}})};
}

constexpr std::array drivers = {
    NamedConfiguration{"counter", "interrupt-cnt's handler", false, always, counter},
    NamedConfiguration{"key-timer", "gpio-keys' release timer", false, always, key_timer},
    NamedConfiguration{"pi-wakeup", "KVM's wakeup vector beside a vCPU that blocks", false, always, pi_wakeup},
    NamedConfiguration{"xen-timer", "KVM's timer of a Xen guest expires in a hard interrupt", false, always, xen_timer},
    NamedConfiguration{"vector-lookup", "a handler that asks pci_irq_vector for its number", false, always,
                       vector_lookup},
    NamedConfiguration{"vmd-config", "tasks that read configuration space of devices behind VMD", false, always,
                       vmd_config},
    NamedConfiguration{"privcmd", "the eventfd of a Xen privcmd irqfd is closed", false, always, privcmd},
    NamedConfiguration{"network", "ks8851's interrupt thread passes packets up", false, always, network},
    NamedConfiguration{"network-forced", "as network, and the handler has a thread only where it is forced", false,
                       always, network_forced},
    NamedConfiguration{"shared-lock", "a driver's handler and its NO_THREAD handler share a lock", false, always,
                       shared_lock},
    NamedConfiguration{"epoll-inversion", "a signal to epoll, a busy task and epoll_wait by rising priority", false,
                       always, epoll_inversion},
    NamedConfiguration{"three-locks", "a vector is taken down during a hot reset, an AER error and a hot plug", false,
                       always, three_locks},
    NamedConfiguration{"three-locks-read", "as three-locks, and nobody changes the list of devices", false, always,
                       three_locks_read},
    NamedConfiguration{"error-release", "the device is released during an AER error", false, always, error_release},
};

}  // namespace

std::span<const NamedConfiguration> driver_configurations() { return drivers; }

}  // namespace iomc::spec::vfio
