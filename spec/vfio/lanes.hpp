// SPDX-License-Identifier: GPL-2.0-or-later
// What the configurations are put together from.
#pragma once

#include "spec/vfio/configurations.hpp"

namespace iomc::spec::vfio {

inline bool always(const Facts&) { return true; }

inline constexpr unsigned irq_thread_priority = 50;

inline LaneSetup hardirq(unsigned cpu) {
  return {Role::hardirq, cpu, 0, cpu == 0 ? "hardirq" : "hardirq of CPU 1", {}, Order::once, 0};
}
inline LaneSetup thread(const char* name, unsigned cpu) {
  return {Role::irq_thread, cpu, irq_thread_priority, name, {}, Order::once, 0};
}
inline LaneSetup device() { return {Role::device, 0, 0, "device", {}, Order::once, 0}; }
inline LaneSetup loops(const char* name, unsigned cpu, unsigned priority, std::vector<Call> calls) {
  return {Role::task, cpu, priority, name, std::move(calls), Order::repeat, 0};
}
inline LaneSetup once(const char* name, unsigned cpu, unsigned priority, std::vector<Call> calls) {
  return {Role::task, cpu, priority, name, std::move(calls), Order::once, 0};
}

/// One MSI-X vector whose eventfd 0 is signalled by its handler: lanes 0, 1 and 2.
inline void one_vector(Config& c) {
  c.env.lanes = {device(), hardirq(0), thread("irq/vfio-msix[0]", 0)};
  c.env.irqs = {IrqSetup{}};
  ActionSetup msi;
  msi.handler = Handler::msi;
  msi.thread_lane = 2;
  msi.registered = true;
  c.env.actions = {msi};
}

}  // namespace iomc::spec::vfio
