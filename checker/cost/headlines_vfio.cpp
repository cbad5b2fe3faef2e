// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>

#include "checker/cost/headlines.hpp"

namespace iomc::check::cost {

namespace {

/// Published: minimum, average, maximum in ns.
struct Figures {
  const char* variant;
  double least;
  double mean;
  double most;
};
constexpr Figures hard{"in the hard interrupt", 4180, 4470, 10260};
constexpr Figures threaded{"in a thread", 8970, 9650, 26110};

std::string us(double ns) { return number(ns / 1000) + " us"; }

void budget(Headlines& out, const std::string& variant, const Price& p) {
  for (const Part& part : p.parts)
    if (part.ns.hi > 0)
      out.rows.push_back({"vfio",
                          "  " + variant + ": " + number(part.n) + " " + part.event + ", " + name(part.provenance), "",
                          time_text(part.ns), "", Basis::ours});
}

}  // namespace

Headlines vfio_headlines() {
  Headlines out;
  const Profile machine = find_profile("x86-rt");
  const Delivery in_thread = vfio_delivery_counts(kernel_facts("vfio", "4.14-rt"), 0);
  const Delivery in_irq =
      vfio_delivery_counts(kernel_facts("vfio", "4.14-rt", {{"msi_handler_flags", "NO_THREAD"}}), 0);
  const Price t = price(in_thread.all.events(), machine);
  const Price n = price(in_irq.all.events(), machine);
  // What both variants have behind the signal, and nobody has published: the one fitted parameter.
  const double rest = std::max(0.0, hard.mean - n.ns.value);
  const auto add = [&](const std::string& figure, double published, double computed, Basis basis) {
    out.rows.push_back({"vfio", figure, us(published), us(computed), error_text(computed, published), basis});
  };
  const double least_share = n.ns.lo;
  add("average, in the hard interrupt", hard.mean, n.ns.value + rest, Basis::fitted);
  add("average, in a thread", threaded.mean, t.ns.value + rest, Basis::left_out);
  add("minimum, in the hard interrupt", hard.least, least_share + rest, Basis::left_out);
  add("minimum, in a thread", threaded.least, t.ns.lo + rest, Basis::left_out);
  // The worst of a tuned machine: what held interrupts off, and what kept the thread from its CPU.
  const Range irq_max = machine.figure("irq_latency_max").value;
  const Range thread_max = machine.figure("thread_latency_max").value;
  add("maximum, in the hard interrupt", hard.most, irq_max.value + rest, Basis::left_out);
  add("maximum, in a thread", threaded.most, thread_max.value + rest, Basis::left_out);
  const Range difference{t.ns.lo - n.ns.lo, t.ns.value - n.ns.value, t.ns.hi - n.ns.hi};
  out.rows.push_back({"vfio", "difference of the averages, in a thread less in the hard interrupt", "5.18 us",
                      time_text(difference), error_text(difference.value, threaded.mean - hard.mean), Basis::left_out});
  // Recorded with unmodified kernels in an emulator: counts are real there, times are not.
  const auto switches = [&](const char* what, const char* kernel, unsigned priority, int recorded) {
    const std::int64_t found = vfio_context_switches(kernel_facts("vfio", kernel), priority);
    out.rows.push_back({"vfio", std::string("context switches an interrupt, waiter on its CPU: ") + what,
                        std::to_string(recorded), std::to_string(found),
                        error_text(static_cast<double>(found), recorded), Basis::left_out});
  };
  switches("6.1, hard interrupt", "6.1", 80, 1);
  switches("6.1, threadirqs", "6.1-threadirqs", 80, 2);
  switches("6.1 RT, waiter below the thread", "6.1-rt", 10, 2);
  switches("6.1 RT, waiter above the thread", "6.1-rt", 80, 4);
  budget(out, "hard interrupt", n);
  budget(out, "thread", t);
  out.notes.push_back(
      "vfio: kernel 4.14-rt as it is, and with msi_handler_flags=NO_THREAD; profile x86-rt, whose entries come from "
      "other "
      "machines' published figures. Fitted: one parameter, " +
      us(rest) +
      " that both variants spend outside the counted "
      "steps (from the signal to where the report's clock stopped), to the average in the hard interrupt. Left out: "
      "the "
      "other five figures and the difference. The maxima are timerlat's largest latencies of a tuned machine plus that "
      "rest; the report's machine and load are not known.");
  out.notes.push_back(
      "vfio, context switches: recorded with unmodified kernels in an emulator, 300 interrupts each. The model counts "
      "the "
      "thread's return to its CPU after a waiter above it, and does not count a waiter that preempts the thread only "
      "to "
      "block on the eventfd's lock.");
  if (!t.unpriced.empty()) out.notes.push_back("vfio: without a price: " + t.unpriced.front() + ".");
  return out;
}

}  // namespace iomc::check::cost
