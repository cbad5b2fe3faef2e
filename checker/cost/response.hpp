// SPDX-License-Identifier: GPL-2.0-or-later
// Response-time analysis of a vfio interrupt on PREEMPT_RT: the scheduling latency of de Oliveira et al. (ECRTS 2020,
// Theorem 8), and from it bounds from the device's message to the eventfd's signal, with the handler in the hard
// interrupt (R_N) and in its thread (R_T). All times in nanoseconds.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checker/cost/range.hpp"
#include "checker/result.hpp"

namespace iomc::check::cost {

/// An interrupt or a task that interferes.
struct Interference {
  std::string name;
  double wcet = 0;    ///< the longest execution seen
  double period = 0;  ///< the shortest time between two seen
  double jitter = 0;
  unsigned priority = 0;  ///< tasks: SCHED_FIFO 1..99, 100 for SCHED_DEADLINE
  bool blocks = true;     ///< false: it never gives up its CPU
};

/// One interrupt of a trace, for the sliding windows.
struct Occurrence {
  std::string name;
  double at = 0;
  double duration = 0;
};

/// The CPU that takes the interrupt, and what runs there.
struct TaskSet {
  std::string name;
  unsigned irq_thread_priority = 50;
  double d_poid = 0;       ///< longest window with preemption or interrupts off that is not for scheduling
  double d_paie = 0;       ///< longest window with both on while a reschedule is pending
  double d_psd = 0;        ///< longest window with preemption off up to the scheduler
  double d_st = 0;         ///< longest tail of the scheduler
  double d_ioff = 0;       ///< longest window with interrupts off
  double bh_section = 0;   ///< longest softirqs-off section of a task of lower priority, softirqs run in it included
  double wqh_section = 0;  ///< longest section under the eventfd's lock
  std::vector<Interference> irqs;
  std::vector<Interference> nmis;
  std::vector<Interference> tasks;
  std::vector<Interference> threads;  ///< interrupt threads of the same priority that are queued ahead, once each
  std::vector<Occurrence> trace;
};

TaskSet parse_task_set(const std::string& text, const std::string& file);
TaskSet read_task_set(const std::string& file);

enum class Characterisation : unsigned char {
  none,
  worst_single,         ///< the longest interrupt, once
  one_of_each,          ///< each interrupt once
  sporadic,             ///< each as often as its shortest distance allows
  sliding_window,       ///< the most that any window of the trace had
  sliding_window_owcet  ///< the most that any window of the trace had of each, at its longest execution
};
const char* name(Characterisation c);
inline constexpr unsigned characterisations = 6;

/// A bound, or why there is none.
struct Bound {
  std::optional<double> ns;
  std::string culprit;  ///< where there is no bound: whom it diverges with, and why
  unsigned iterations = 0;
};

/// The interference-free part: max(D_ST, D_POID) + D_PAIE + D_PSD.
double interference_free(const TaskSet& s);
/// How much interrupts take in a window of that length.
double interrupt_interference(const TaskSet& s, Characterisation c, double window);
/// The least positive L = L_IF + I_NMI(L) + I_IRQ(L).
Bound scheduling_latency(const TaskSet& s, Characterisation c);

/// What the interrupt itself does, from counted events and a profile.
struct OwnCosts {
  double hardware = 0;  ///< message to CPU
  double entry = 0;
  double flow = 0;
  double wake = 0;
  double bh = 0;
  double signal = 0;
};

Bound response_hard_irq(const TaskSet& s, const OwnCosts& own, Characterisation c);
Bound response_thread(const TaskSet& s, const OwnCosts& own, Characterisation c);

Table response_table(const TaskSet& s, const OwnCosts& own, const std::string& profile);

}  // namespace iomc::check::cost
