// SPDX-License-Identifier: GPL-2.0-or-later
// Configurations with KVM irqfds: one or two at a vector's eventfd, posted interrupts, a resampled line.
#include <array>

#include "spec/vfio/lanes.hpp"

namespace iomc::spec::vfio {

namespace {

LaneSetup worker(const char* name, unsigned cpu, std::vector<Call> calls, unsigned budget = 0) {
  return {Role::worker, cpu, 0, name, std::move(calls), Order::repeat, budget};
}
LaneSetup inject_worker(unsigned cpu) { return worker("kworker", cpu, {{Op::work_inject, 0, 0}}); }
LaneSetup cleanup_worker(unsigned cpu) { return worker("kvm-irqfd-cleanup", cpu, {{Op::work_shutdown, 0, 0}}); }

/// A vector and an irqfd at its eventfd.
void irqfd_only(Config& c) {
  one_vector(c);
  c.sizes.msis = 1;
  c.env.irqfds = {IrqfdSetup{}};
}
void with_irqfd(Config& c) {
  irqfd_only(c);
  c.env.irqfds[0].assigned = true;
}
void posted(Config& c) {
  with_irqfd(c);
  c.env.bypass = true;
}

void irqfd(Config& c) {
  with_irqfd(c);
  c.sizes.msis = 2;
}

void irqfd_deassign(Config& c) {
  irqfd_only(c);
  c.env.lanes.push_back(once("VMM", 1, 0, {{Op::irqfd_assign, 0, 0}, {Op::irqfd_deassign, 0, 0}}));
  c.env.lanes.push_back(inject_worker(1));
  c.env.lanes.push_back(cleanup_worker(1));
}

void irqfd_race(Config& c) {
  c.env.irqfds = {IrqfdSetup{}};
  c.env.lanes = {once("VMM thread A", 0, 0, {{Op::irqfd_assign, 0, 0}}),
                 once("VMM thread B", 1, 0, {{Op::irqfd_deassign, 0, 0}}),
                 once("vhost", 1, 0, {{Op::signal, 0, 0}}), inject_worker(1), cleanup_worker(1)};
}

void irqfd_route(Config& c) {
  with_irqfd(c);
  c.env.lanes.push_back(once("VMM", 0, 0, {{Op::route_update, 0, 2}}));
  c.env.eventfds = 2;
  c.env.lanes.push_back(loops("task A", 0, 10, {{Op::fdinfo, 1, 0}}));
}

void irqfd_close(Config& c) {
  with_irqfd(c);
  c.env.lanes.push_back(once("VMM", 1, 0, {{Op::close, 0, 0}, {Op::route_update, 0, 2}}));
  c.env.lanes.push_back(inject_worker(1));
  c.env.lanes.push_back(cleanup_worker(1));
}

void two_irqfds(Config& c) {
  with_irqfd(c);
  IrqfdSetup other;
  other.vm = 1;
  c.env.irqfds.push_back(other);
  c.env.lanes.push_back(once("VMM of VM 1", 1, 0, {{Op::irqfd_assign, 1, 0}}));
  c.env.lanes.push_back(worker("kworker", 1, {{Op::work_inject, 0, 0}, {Op::work_inject, 1, 0}}));
}

void irqfd_again(Config& c) {
  with_irqfd(c);
  c.env.irqfds.push_back(IrqfdSetup{});
  c.env.lanes.push_back(once("VMM thread A", 1, 0, {{Op::irqfd_assign, 1, 0}}));
  c.env.lanes.push_back(once("VMM thread B", 1, 0, {{Op::route_update, 0, 2}}));
  c.env.lanes.push_back(worker("kworker", 1, {{Op::work_inject, 0, 0}, {Op::work_inject, 1, 0}}));
}

void irqfd_poller(Config& c) {
  with_irqfd(c);
  c.env.lanes.push_back(loops("main loop", 0, 0, {{Op::poll_add, 0, 0}, {Op::poll_remove, 0, 0}, {Op::fdinfo, 0, 0}}));
}

void irqfd_reader(Config& c) {
  with_irqfd(c);
  c.env.lanes.push_back(loops("reader", 1, 0, {{Op::read, 0, 0}}));
}

void irqfd_late(Config& c) {
  c.env.irqfds = {IrqfdSetup{}};
  c.env.lanes = {once("VMM", 0, 0, {{Op::write, 0, 0}, {Op::irqfd_assign, 0, 0}}), inject_worker(1)};
}

void irqfd_xen(Config& c) {
  with_irqfd(c);
  c.env.irqfds[0].route = 5;
  c.env.lanes.push_back(inject_worker(1));
}

void bypass(Config& c) {
  posted(c);
  c.env.lanes.push_back(once("VMM", 1, 0, {{Op::unset_vector, 0, 0}, {Op::set_vector, 0, 0}}));
  c.env.lanes.push_back(once("vCPU", 0, 0, {{Op::route_update, 0, 2}}));
}

void bypass_failure(Config& c) {
  bypass(c);
  c.env.irte_failure = true;
  c.env.irqfds[0].assigned = true;
  c.env.lanes[3].calls = {{Op::unset_vector, 0, 0}, {Op::set_vector, 0, 0}, {Op::unset_vector, 0, 0}};
}

void bypass_deassign(Config& c) {
  posted(c);
  c.env.lanes.push_back(once("VMM", 1, 0, {{Op::irqfd_deassign, 0, 0}}));
  c.env.lanes.push_back(inject_worker(1));
  c.env.lanes.push_back(cleanup_worker(1));
}

void bypass_pin(Config& c) {
  posted(c);
  c.env.lanes.push_back(once("VMM", 1, 0, {{Op::route_update, 0, 4}}));
  c.env.lanes.push_back(inject_worker(1));
}

void bypass_no_route(Config& c) {
  bypass_pin(c);
  c.env.lanes[3].calls = {{Op::route_update, 0, 0}, {Op::irqfd_deassign, 0, 0}};
  c.env.lanes.push_back(cleanup_worker(1));
}

void bypass_gsi(Config& c) {
  irqfd_only(c);
  c.env.bypass = true;
  c.env.irqfds[0].beyond = true;
  c.env.irqfds[0].route = 0;
  c.env.lanes.push_back(once("VMM", 1, 0, {{Op::irqfd_assign, 0, 0}}));
  c.env.lanes.push_back(inject_worker(1));
}

void vdpa(Config& c) {
  c.env.eventfds = 2;
  c.env.bypass = true;
  c.env.irqfds = {IrqfdSetup{}};
  c.env.lanes = {once("VMM", 0, 0,
                      {{Op::vdpa_set_call, 0, 0}, {Op::close, 0, 0}, {Op::vdpa_set_call, 1, 0},
                       {Op::irqfd_assign, 0, 1}}),
                 inject_worker(1)};
}

void irqfd_life(Config& c) {
  irqfd_deassign(c);
  c.sizes.msis = 2;
  c.env.lanes.push_back(once("VMM thread B", 0, 0, {{Op::route_update, 0, 2}}));
}

void bypass_life(Config& c) {
  posted(c);
  c.sizes.msis = 0;
  c.env.lanes.push_back(once("VMM thread A", 1, 0, {{Op::unset_vector, 0, 0}, {Op::set_vector, 0, 0}}));
  c.env.lanes.push_back(once("VMM thread B", 0, 0, {{Op::irqfd_deassign, 0, 0}, {Op::irqfd_assign, 0, 0}}));
  c.env.lanes.push_back(once("VMM thread C", 1, 0, {{Op::route_update, 0, 2}}));
  c.env.lanes.push_back(cleanup_worker(1));
}

void resample(Config& c) {
  IrqfdSetup level;
  level.route = 4;
  level.assigned = true;
  level.resample = true;
  c.env.irqfds = {level};
  c.env.lanes = {worker("device", 1, {{Op::line_raise, 0, 0}}, 2), worker("irq/vfio-intx", 0, {{Op::work_intx, 0, 0}}),
                 inject_worker(0), worker("guest", 1, {{Op::work_guest, 0, 0}})};
}

constexpr std::array kvm = {
    NamedConfiguration{"irqfd", "a KVM irqfd at the vector's eventfd", true, always, irqfd},
    NamedConfiguration{"irqfd-deassign", "an irqfd is assigned and deassigned while a message comes", true, always,
                       irqfd_deassign},
    NamedConfiguration{"irqfd-race", "an irqfd is deassigned while it is being assigned", true, always, irqfd_race},
    NamedConfiguration{"irqfd-route", "the irqfd's route changes, on the interrupt's CPU", true, always, irqfd_route},
    NamedConfiguration{"irqfd-close", "the user closes the irqfd's eventfd, then changes the route", true, always,
                       irqfd_close},
    NamedConfiguration{"two-irqfds", "a second VM assigns an irqfd to the eventfd of the first", true, always,
                       two_irqfds},
    NamedConfiguration{"irqfd-again", "a VM assigns a second irqfd to its eventfd while the first one's route changes",
                       true, always, irqfd_again},
    NamedConfiguration{"irqfd-poller", "an irqfd beside a main loop that polls the same eventfd", true, always,
                       irqfd_poller},
    NamedConfiguration{"irqfd-reader", "an irqfd beside a reader of the same eventfd", true, always, irqfd_reader},
    NamedConfiguration{"irqfd-late", "an irqfd is assigned to an eventfd that is readable already", false, always,
                       irqfd_late},
    NamedConfiguration{"irqfd-xen", "an irqfd whose route is a Xen event channel", false, always, irqfd_xen},
    NamedConfiguration{"bypass", "a posted vector is taken down and set up while its route changes", true, always,
                       bypass},
    NamedConfiguration{"bypass-failure", "as bypass, and updates of the remapping entry may fail", false, always,
                       bypass_failure},
    NamedConfiguration{"bypass-deassign", "the irqfd of a posted vector is deassigned", true, always, bypass_deassign},
    NamedConfiguration{"bypass-pin", "the route of a posted vector becomes one that cannot be posted", true, always,
                       bypass_pin},
    NamedConfiguration{"bypass-no-route", "the route of a posted vector is taken away, then its irqfd", false, always,
                       bypass_no_route},
    NamedConfiguration{"bypass-gsi", "an irqfd whose gsi is beyond the table of routes", false, always, bypass_gsi},
    NamedConfiguration{"vdpa", "a vhost-vdpa queue whose call eventfd is closed and replaced", false, always, vdpa},
    NamedConfiguration{"irqfd-life", "an irqfd is assigned and deassigned while its route changes and messages come",
                       false, always, irqfd_life},
    NamedConfiguration{"bypass-life", "as bypass, without messages, and the irqfd is deassigned and assigned again",
                       false, always, bypass_life},
    NamedConfiguration{"resample", "a level-triggered line through an irqfd with a resampler", false, always, resample},
};

}  // namespace

std::span<const NamedConfiguration> kvm_configurations() { return kvm; }

}  // namespace iomc::spec::vfio
