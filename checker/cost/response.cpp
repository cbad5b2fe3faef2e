// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/cost/response.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>

namespace iomc::check::cost {

namespace {

constexpr std::array<const char*, characterisations> names = {"none",     "worst single",   "one of each",
                                                              "sporadic", "sliding window", "sliding window, oWCET"};

double sporadic(const std::vector<Interference>& all, double window) {
  double sum = 0;
  for (const Interference& i : all) sum += std::ceil((window + i.jitter) / i.period) * i.wcet;
  return sum;
}

double load(const std::vector<Interference>& all) {
  double sum = 0;
  for (const Interference& i : all) sum += i.wcet / i.period;
  return sum;
}

/// Starts that are worth trying as a window's beginning: occurrences.
double most_in_window(const std::vector<Occurrence>& trace, double window,
                      const std::function<double(const Occurrence&)>& weight) {
  double most = 0;
  double inside = 0;
  std::size_t first = 0;
  for (const Occurrence& o : trace) {
    inside += weight(o);
    while (trace[first].at <= o.at - window) inside -= weight(trace[first++]);
    most = std::max(most, inside);
  }
  return most;
}

std::string too_much(const std::vector<Interference>& all, const char* kind) {
  const auto worst = std::max_element(
      all.begin(), all.end(), [](const auto& a, const auto& b) { return a.wcet / a.period < b.wcet / b.period; });
  return std::string(kind) + " " + worst->name + ": " + time_text(worst->wcet) + " every " + time_text(worst->period) +
         (load(all) == worst->wcet / worst->period ? "" : ", the largest part of a load of ") +
         (load(all) == worst->wcet / worst->period ? "" : number(load(all)));
}

/// The least x >= start with x = f(x), f monotone; nothing beyond `give_up`.
std::optional<double> fixed_point(double start, const std::function<double(double)>& f, unsigned& iterations) {
  constexpr double give_up = 1e10;  // ten seconds: no latency any more
  constexpr unsigned most = 1'000'000;
  double x = start;
  for (iterations = 1; iterations < most; ++iterations) {
    const double next = f(x);
    if (next <= x) return x;
    if (next > give_up) return std::nullopt;
    x = next;
  }
  return std::nullopt;
}

}  // namespace

const char* name(Characterisation c) { return names[static_cast<std::size_t>(c)]; }

double interference_free(const TaskSet& s) { return std::max(s.d_st, s.d_poid) + s.d_paie + s.d_psd; }

double interrupt_interference(const TaskSet& s, Characterisation c, double window) {
  double sum = 0;
  switch (c) {
    case Characterisation::none: break;
    case Characterisation::worst_single:
      for (const Interference& i : s.irqs) sum = std::max(sum, i.wcet);
      break;
    case Characterisation::one_of_each:
      for (const Interference& i : s.irqs) sum += i.wcet;
      break;
    case Characterisation::sporadic: return sporadic(s.irqs, window);
    case Characterisation::sliding_window:
      return most_in_window(s.trace, window, [](const Occurrence& o) { return o.duration; });
    case Characterisation::sliding_window_owcet: {
      std::map<std::string, double> longest;
      for (const Occurrence& o : s.trace) longest[o.name] = std::max(longest[o.name], o.duration);
      for (const auto& [which, wcet] : longest)
        sum += wcet * most_in_window(s.trace, window, [&](const Occurrence& o) { return o.name == which ? 1.0 : 0.0; });
      break;
    }
  }
  return sum;
}

namespace {

/// NMIs are taken as sporadic whatever the interrupts are taken as.
Bound latency_of(const TaskSet& s, Characterisation c, double own, bool as_latency) {
  Bound out;
  out.ns = fixed_point(
      std::max(own, 1.0), [&](double w) { return own + sporadic(s.nmis, w) + interrupt_interference(s, c, w); },
      out.iterations);
  if (out.ns) return out;
  const bool irqs = c == Characterisation::sporadic && load(s.irqs) >= load(s.nmis);
  if (!irqs && s.nmis.empty())
    out.culprit = "the trace's interrupts fill every window";
  else
    out.culprit = irqs ? too_much(s.irqs, "interrupt") : too_much(s.nmis, "NMI");
  (void)as_latency;
  return out;
}

}  // namespace

Bound scheduling_latency(const TaskSet& s, Characterisation c) { return latency_of(s, c, interference_free(s), true); }

Bound response_hard_irq(const TaskSet& s, const OwnCosts& own, Characterisation c) {
  return latency_of(s, c, own.hardware + s.d_ioff + own.entry + own.flow + own.signal, false);
}

Bound response_thread(const TaskSet& s, const OwnCosts& own, Characterisation c) {
  const Bound latency = scheduling_latency(s, c);
  if (!latency.ns) return latency;
  std::vector<Interference> above;
  for (const Interference& t : s.tasks) {
    // Equal priority: SCHED_FIFO does not preempt, and a task that never blocks never lets go.
    if (!t.blocks && t.priority >= s.irq_thread_priority)
      return {std::nullopt,
              "task " + t.name + ": priority " + std::to_string(t.priority) + " against the interrupt thread's " +
                  std::to_string(s.irq_thread_priority) + ", and it never blocks",
              latency.iterations};
    if (t.priority > s.irq_thread_priority) above.push_back(t);
  }
  double once = own.hardware + s.d_ioff + own.entry + own.flow + own.wake + *latency.ns + s.bh_section + s.wqh_section +
                own.bh + own.signal;
  for (const Interference& t : s.threads) once += t.wcet;
  // A task of the thread's own priority that blocks is queued ahead at most once.
  for (const Interference& t : s.tasks)
    if (t.priority == s.irq_thread_priority) once += t.wcet;
  Bound out;
  out.ns = fixed_point(
      once, [&](double w) { return once + sporadic(above, w); }, out.iterations);
  if (!out.ns) out.culprit = too_much(above, "task");
  return out;
}

namespace {

std::string bound_text(const Bound& b) { return b.ns ? time_text(*b.ns) : "diverges: " + b.culprit; }

}  // namespace

Table response_table(const TaskSet& s, const OwnCosts& own, const std::string& profile) {
  Table out;
  out.spec = "vfio";
  out.name = "response";
  out.title = "bounds from a device's message to the eventfd's signal; " + s.name;
  out.columns = {"interrupts taken as", "scheduling latency L", "R_N, in the hard interrupt", "R_T, in a thread"};
  for (unsigned i = 0; i < characterisations; ++i) {
    const auto c = static_cast<Characterisation>(i);
    const bool windows = c == Characterisation::sliding_window || c == Characterisation::sliding_window_owcet;
    if (windows && s.trace.empty()) continue;
    out.rows.push_back({name(c), bound_text(scheduling_latency(s, c)), bound_text(response_hard_irq(s, own, c)),
                        bound_text(response_thread(s, own, c))});
  }
  out.notes.push_back("L_IF = max(D_ST, D_POID) + D_PAIE + D_PSD = max(" + number(s.d_st / 1000) + ", " +
                      number(s.d_poid / 1000) + ") + " + number(s.d_paie / 1000) + " + " + number(s.d_psd / 1000) +
                      " us = " + time_text(interference_free(s)) + ".");
  out.notes.push_back("The interrupt's own part (profile " + profile + "): to the CPU " + time_text(own.hardware) +
                      ", entry " + time_text(own.entry) + ", flow " + time_text(own.flow) + ", wake-up " +
                      time_text(own.wake) + ", softirqs off and on " + time_text(own.bh) + ", signal " +
                      time_text(own.signal) + "; each at the most of its range.");
  out.notes.push_back(
      "R_N means something only where the eventfd's lock does not sleep: on PREEMPT_RT it does, and waiting for it in "
      "a "
      "hard interrupt has no bound (vfio.S1). `none`, `worst single` and `one of each` are no bounds unless interrupts "
      "really are that few.");
  return out;
}

}  // namespace iomc::check::cost
