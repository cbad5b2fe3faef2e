// SPDX-License-Identifier: GPL-2.0-or-later
// Configurations of an INTx line, its virtual mask and its virqfd, and of lines that handlers share.
#include <array>

#include "spec/vfio/lanes.hpp"

namespace iomc::spec::vfio {

namespace {

LaneSetup worker(const char* name, unsigned cpu, Op op) {
  return {Role::worker, cpu, 0, name, {{op, 0, 0}}, Order::repeat, 0};
}

/// A guest that waits for its eventfd, services the device and unmasks by ioctl.
LaneSetup guest(unsigned cpu) {
  return loops("guest", cpu, 0, {{Op::read, 0, 0}, {Op::device_service, 0, 0}, {Op::intx_unmask, 0, 0}});
}

/// INTx enabled with eventfd 0 as its trigger: lanes 0, 1 and 2.
void line(Config& c, bool pci_2_3) {
  c.env.lanes = {device(), hardirq(0), thread("irq/vfio-intx", 0)};
  IrqSetup irq;
  irq.flow = Flow::fasteoi;
  irq.msi = false;
  c.env.irqs = {irq};
  ActionSetup intx;
  intx.handler = Handler::intx;
  intx.thread_lane = 2;
  intx.shared = pci_2_3;
  intx.registered = true;
  c.env.actions = {intx};
  c.env.pci_2_3 = pci_2_3;
}

void workers(Config& c) {
  c.env.lanes.push_back(worker("vfio-irqfd-cleanup", 1, Op::virqfd_cleanup));
  c.env.lanes.push_back(worker("events", 1, Op::virqfd_events));
}

void intx(Config& c) {
  line(c, true);
  c.env.lanes.push_back(guest(1));
}

void intx_level(Config& c) {
  intx(c);
  c.env.irqs[0].flow = Flow::level;
}

void legacy(Config& c) {
  line(c, false);
  c.env.lanes.push_back(guest(1));
}

void legacy_once(Config& c) {
  legacy(c);
  c.env.irqs[0].send_once = true;
  c.sizes.msis = 3;
}

void virqfd(Config& c) {
  line(c, true);
  c.env.eventfds = 2;
  c.env.virqfd = true;
  c.env.lanes.push_back(
      loops("guest", 1, 0, {{Op::read, 0, 0}, {Op::device_service, 0, 0}, {Op::write, 1, 0}}));
  workers(c);
}

void virqfd_legacy(Config& c) {
  virqfd(c);
  c.env.pci_2_3 = false;
  c.env.actions[0].shared = false;
}

void virqfd_close(Config& c) {
  line(c, true);
  c.sizes.msis = 1;
  c.env.eventfds = 2;
  c.env.virqfd = true;
  c.env.lanes.push_back(once("ioctl", 0, 0, {{Op::virqfd_disable, 0, 0}, {Op::virqfd_enable, 1, 0}}));
  c.env.lanes.push_back(once("closer", 1, 0, {{Op::write, 1, 0}, {Op::close, 1, 0}}));
  workers(c);
}

void triggers(Config& c) {
  line(c, true);
  c.sizes.msis = 1;
  c.env.eventfds = 3;
  c.env.virqfd = true;
  c.env.lanes.push_back(once("ioctl", 0, 0, {{Op::intx_clear_trigger, 0, 0}, {Op::intx_set_trigger, 2, 0}}));
  c.env.lanes.push_back(once("vCPU", 1, 0, {{Op::write, 1, 0}, {Op::write, 1, 0}}));
  workers(c);
}

void loopback(Config& c) {
  line(c, true);
  c.sizes.msis = 1;
  c.env.lanes.push_back(once("ioctl", 1, 0, {{Op::intx_clear_trigger, 0, 0}, {Op::intx_loopback, 0, 0}}));
}

void replace_trigger(Config& c) {
  line(c, true);
  c.env.eventfds = 2;
  c.env.lanes.push_back(once("ioctl", 1, 0, {{Op::intx_set_trigger, 1, 0}, {Op::intx_set_trigger, 0, 0}}));
}

void broken_swap(Config& c) {
  replace_trigger(c);
  c.env.broken = true;
}

void trigger_gap(Config& c) {
  intx(c);
  c.sizes.msis = 1;
  c.env.lanes.push_back(once("ioctl", 1, 0, {{Op::intx_clear_trigger, 0, 0}, {Op::intx_set_trigger, 0, 0}}));
}

void legacy_triggers(Config& c) {
  line(c, false);
  c.env.lanes.push_back(
      once("ioctl", 1, 0, {{Op::intx_clear_trigger, 0, 0}, {Op::intx_set_trigger, 0, 0}, {Op::intx_unmask, 0, 0}}));
}

void mode_switch(Config& c) {
  line(c, true);
  c.sizes.msis = 1;
  IrqSetup vector;
  ActionSetup msi;
  msi.handler = Handler::msi;
  msi.irq = 1;
  msi.thread_lane = 3;
  c.env.irqs.push_back(vector);
  c.env.actions.push_back(msi);
  c.env.lanes.push_back(thread("irq/vfio-msix[1]", 0));
  c.env.lanes.push_back(once("ioctl", 0, 0, {{Op::intx_disable, 0, 0}, {Op::set_vector, 1, 0}}));
  c.env.lanes.push_back(once("vCPU", 1, 0, {{Op::intx_config_mask, 0, 0}, {Op::intx_config_unmask, 0, 0}}));
}

void enable(Config& c) {
  line(c, true);
  c.env.actions[0].registered = false;
  c.env.allocation_failure = true;
  c.sizes.msis = 1;
  c.env.lanes.push_back(once("ioctl", 1, 0, {{Op::intx_enable, 0, 0}, {Op::intx_disable, 0, 0}}));
  c.env.lanes.push_back(once("vCPU", 0, 0, {{Op::intx_config_mask, 0, 0}}));
}

void legacy_enable(Config& c) {
  enable(c);
  c.env.pci_2_3 = false;
  c.env.actions[0].shared = false;
}

void legacy_mask(Config& c) {
  line(c, false);
  c.sizes.msis = 1;
  c.env.lanes.push_back(once("ioctl", 1, 0, {{Op::intx_mask, 0, 0}, {Op::intx_unmask, 0, 0}}));
}

void legacy_config(Config& c) {
  line(c, false);
  c.sizes.msis = 1;
  c.env.lanes.push_back(once("vCPU", 1, 0, {{Op::intx_config_mask, 0, 0}, {Op::intx_config_unmask, 0, 0}}));
}

void mask(Config& c) {
  line(c, true);
  c.env.lanes.push_back(once("ioctl", 1, 0, {{Op::intx_mask, 0, 0}, {Op::intx_unmask, 0, 0}}));
  c.env.lanes.push_back(once("vCPU", 0, 0, {{Op::intx_config_mask, 0, 0}, {Op::intx_config_unmask, 0, 0}}));
}

void same_eventfd(Config& c) {
  line(c, true);
  c.env.eventfds = 2;
  c.env.virqfd = true;
  c.env.actions[0].eventfd = 1;
  c.sizes.msis = 1;
  c.env.lanes.push_back(once("vCPU", 1, 0, {{Op::write, 1, 0}}));
  c.env.broken = true;
}

// ---- sharing -------------------------------------------------------------------------------------------------------

/// Another driver's action on the line, after vfio's or in its place.
ActionSetup other_action(Handler handler, int thread_lane, bool registered) {
  ActionSetup a;
  a.handler = handler;
  a.thread_lane = thread_lane;
  a.shared = true;
  a.registered = registered;
  return a;
}

void shared_line(Config& c) {
  line(c, true);
  c.sizes.msis = 1;
  c.env.other_device = true;
  c.env.actions.push_back(other_action(Handler::sharer, 3, true));
  c.env.lanes.push_back(thread("irq/other", 0));
  c.env.lanes.push_back(guest(1));
}

void sharer_comes(Config& c) {
  line(c, true);
  c.sizes.msis = 1;
  c.env.other_device = true;
  c.env.actions.push_back(other_action(Handler::sharer, 3, false));
  c.env.lanes.push_back(thread("irq/other", 0));
  c.env.lanes.push_back(once("probe", 1, 0, {{Op::request, 1, 0}, {Op::device_quiet, 0, 0}, {Op::free, 1, 0}}));
}

/// A threaded handler that was requested with ONESHOT has the line; a driver without a thread comes.
void oneshot_sharer(Config& c) {
  line(c, true);
  c.sizes.msis = 1;
  c.env.other_device = true;
  c.env.actions = {other_action(Handler::sharer, 2, true), other_action(Handler::none, -1, false)};
  c.env.actions[0].threaded = true;
  c.env.actions[1].cond_oneshot = true;
  c.env.lanes = {device(), hardirq(0), thread("irq/acpi", 0), thread("irq/pinctrl", 0),
                 once("probe", 1, 0, {{Op::request, 1, 0}})};
  c.env.actions[1].thread_lane = 3;
}

/// pciehp's thread removes the driver of a device that shares the port's line.
void remover(Config& c) {
  line(c, true);
  c.sizes.msis = 1;
  c.env.other_device = true;
  c.env.actions = {other_action(Handler::remover, 2, true), other_action(Handler::sharer, 3, true)};
  c.env.actions[0].threaded = true;
  c.env.lanes = {device(), hardirq(0), thread("irq/pciehp", 0), thread("irq/child", 0)};
}

/// Irq 1 is nested in irq 0; a task of higher priority than the thread's waits for its handlers.
void nested(Config& c, std::vector<Call> calls, unsigned priority) {
  line(c, true);
  c.sizes.msis = 1;
  c.env.other_device = true;
  IrqSetup inner;
  inner.flow = Flow::level;
  inner.msi = false;
  inner.nested = true;
  c.env.irqs.push_back(inner);
  c.env.actions = {other_action(Handler::demux, 2, true), other_action(Handler::sharer, -1, true)};
  c.env.actions[0].threaded = true;
  c.env.actions[1].irq = 1;
  c.env.lanes = {device(), hardirq(0), thread("irq/expander", 0), once("task", 0, priority, std::move(calls))};
}

void nested_disable(Config& c) {
  nested(c, {{Op::disable, 1, 0}, {Op::enable, 1, 0}}, 90);
}

void nested_free(Config& c) {
  nested(c, {{Op::free, 1, 0}}, 90);
}

void starved(Config& c) {
  one_vector(c);
  c.sizes.msis = 4;
  c.sizes.spurious_limit = 2;
  c.env.lanes.push_back(loops("vCPU that never blocks", 0, irq_thread_priority, {{Op::spin, 0, 0}}));
}

void busy(Config& c) {
  one_vector(c);
  c.sizes.msis = 3;
  c.sizes.spurious_limit = 3;
}

/// Irq 0 is the MSI-X vector of an nvme queue, irq 1 the line, which another driver uses.
void polled_queue(Config& c) {
  c.env.irqs = {IrqSetup{}, IrqSetup{}};
  c.env.irqs[1].flow = Flow::fasteoi;
  c.env.irqs[1].msi = false;
  c.env.actions = {other_action(Handler::none, 2, true), other_action(Handler::sharer, 3, true)};
  c.env.actions[1].irq = 1;
  c.sizes.msis = 1;
  c.env.lanes = {once("timeout", 0, 0, {{Op::poll_disabled, 0, 0}}), once("reset", 1, 0, {{Op::msix_off, 0, 0}}),
                 thread("irq/nvme0q1", 0), thread("irq/other", 0)};
}

void set_irqs(Config& c) {
  c.env.lanes = {once("ioctl", 0, 0, {{Op::set_irqs, 0, 0}})};
}

constexpr std::array intx_all = {
    NamedConfiguration{"intx", "INTx of a device with DisINTx; the guest unmasks by ioctl", true, always, intx},
    NamedConfiguration{"intx-level", "as intx, with the level flow", true, always, intx_level},
    NamedConfiguration{"intx-legacy", "INTx of a device without DisINTx; the guest unmasks by ioctl", true, always,
                       legacy},
    NamedConfiguration{"intx-once", "as intx-legacy, behind a controller that presents an assertion once", true, always,
                       legacy_once},
    NamedConfiguration{"intx-mask", "INTx with DisINTx, masked by ioctl and by the guest's DisINTx", true, always,
                       mask},
    NamedConfiguration{"intx-legacy-mask", "INTx without DisINTx, masked and unmasked by ioctl", true, always,
                       legacy_mask},
    NamedConfiguration{"intx-legacy-config", "INTx without DisINTx, masked and unmasked by the guest's DisINTx", true,
                       always, legacy_config},
    NamedConfiguration{"intx-enable", "INTx enabled and disabled, allocations may fail, the guest sets DisINTx", true,
                       always, enable},
    NamedConfiguration{"intx-legacy-enable", "as intx-enable, without DisINTx in the device", true, always,
                       legacy_enable},
    NamedConfiguration{"intx-replace", "the user replaces the trigger of INTx", true, always, replace_trigger},
    NamedConfiguration{"intx-legacy-triggers", "the trigger is taken away and set again, without DisINTx", true, always,
                       legacy_triggers},
    NamedConfiguration{"intx-trigger-gap", "the trigger is taken away and set again, with a guest", true, always,
                       trigger_gap},
    NamedConfiguration{"intx-loopback", "the trigger is taken away, then signalled by ioctl", true, always, loopback},
    NamedConfiguration{"intx-triggers", "the trigger is taken away and set again while an eventfd unmasks", true,
                       always, triggers},
    NamedConfiguration{"intx-mode", "the user goes from INTx to MSI-X, the guest writes DisINTx", true, always,
                       mode_switch},
    NamedConfiguration{"virqfd", "the guest unmasks by an eventfd", true, always, virqfd},
    NamedConfiguration{"virqfd-legacy", "as virqfd, without DisINTx in the device", true, always, virqfd_legacy},
    NamedConfiguration{"virqfd-close", "the unmask eventfd is closed, replaced and written", true, always,
                       virqfd_close},
    NamedConfiguration{"shared-line", "another driver shares the line; both devices assert it", true, always,
                       shared_line},
    NamedConfiguration{"sharer-comes", "another driver requests and frees the line that INTx uses", true, always,
                       sharer_comes},
    NamedConfiguration{"oneshot-sharer", "a driver requests a line whose first handler is threaded", true, always,
                       oneshot_sharer},
    NamedConfiguration{"remover", "a thread of the line removes a driver that shares it", true, always, remover},
    NamedConfiguration{"nested-disable", "a nested line is disabled by a task of higher priority", true, always,
                       nested_disable},
    NamedConfiguration{"nested-free", "a nested line is freed by a task of higher priority", true, always, nested_free},
    NamedConfiguration{"starved-line", "as hog, with a limit for unhandled interrupts", true, always, starved},
    NamedConfiguration{"busy-line", "as alone, with a limit for unhandled interrupts", true, always, busy},
    NamedConfiguration{"polled-queue", "nvme polls a queue while its device goes from MSI-X to INTx", true, always,
                       polled_queue},
    NamedConfiguration{"set-irqs", "headers of VFIO_DEVICE_SET_IRQS with boundary values", true, always, set_irqs},
    NamedConfiguration{"mutant-swap", "no kernel's: a trigger is exchanged without waiting", false, always,
                       broken_swap},
    NamedConfiguration{"mutant-wake", "no kernel's: the wake function signals the trigger, which is its own eventfd",
                       false, always, same_eventfd},
};

}  // namespace

std::span<const NamedConfiguration> intx_configurations() { return intx_all; }

}  // namespace iomc::spec::vfio
