// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/cost/verdicts.hpp"

#include <cmath>

#include "checker/cost/model_parts.hpp"
#include "model/locks.hpp"
#include "properties/vmd_tables.hpp"
#include "spec/vfio/facts.hpp"
#include "spec/vmd/facts.hpp"

namespace iomc::check::cost {

namespace {

using properties::CostQuantity;

bool real_time(const FactValues& facts) { return facts_of<spec::vfio::Facts>(facts).preempt == model::Preemption::rt; }

bool in_a_thread(const Delivery& d) { return d.hard_irq["wakeup"] > 0 && d.all["context_switch"] > 0; }

FactValues changed(FactValues facts, const std::string& name, const std::string& value) {
  for (auto& [n, v] : facts)
    if (n == name) v = value;
  return facts;
}

Found signal_time(const FactValues& facts, const Profile& profile) {
  Found out;
  const Delivery d = vfio_delivery_counts(facts, 0);
  const TaskSet cpu = reference_cpu();
  const OwnCosts own = vfio_own_costs(facts, profile);
  out.scope = "response-time analysis, interrupts sporadic; " + cpu.name + "; profile " + profile.name;
  const bool threaded = in_a_thread(d);
  // In the hard interrupt a lock that sleeps is waited for as long as its owner does not run: nobody bounds that.
  if (!threaded && d.hard_irq["sleeping_lock"] > 0) {
    out.unbounded = true;
    out.text = "unbounded: the hard interrupt takes a lock that sleeps, and its owner may be the task it interrupted";
    return out;
  }
  const Bound b = threaded ? response_thread(cpu, own, Characterisation::sporadic)
                           : response_hard_irq(cpu, own, Characterisation::sporadic);
  out.unbounded = !b.ns.has_value();
  out.value = b.ns;
  out.text =
      b.ns ? time_text(*b.ns) + (threaded ? " through a thread" : " in the hard interrupt") : "diverges: " + b.culprit;
  return out;
}

Found thread_events(const FactValues& facts) {
  Found out;
  out.scope =
      "counted: one message to a vector with an eventfd, nobody else there; with the handler as it is, and with "
      "IRQF_NO_THREAD";
  const Delivery with = vfio_delivery_counts(facts, 0);
  if (!in_a_thread(with)) {
    out.text = "the handler runs in the hard interrupt";
    return out;
  }
  const Delivery without = vfio_delivery_counts(changed(facts, "msi_handler_flags", "NO_THREAD"), 0);
  const std::int64_t wakeups = with.all["wakeup"] - without.all["wakeup"];
  const std::int64_t switches = with.all["context_switch"] - without.all["context_switch"];
  out.value = static_cast<double>(wakeups + switches);
  out.text = std::to_string(wakeups) + " wake-ups and " + std::to_string(switches) + " context switches more";
  return out;
}

Found hard_irq_growth(const FactValues& facts) {
  Found out;
  out.scope = "counted: one message to a vector with an eventfd that 0 to 3 tasks wait for";
  if (!real_time(facts)) {
    out.text = "no PREEMPT_RT";
    return out;
  }
  std::vector<Sample> samples;
  for (unsigned readers = 0; readers <= 3; ++readers) {
    std::int64_t sum = 0;
    for (const auto& [event, n] : vfio_delivery_counts(facts, readers).hard_irq.counts) sum += event == "steps" ? 0 : n;
    samples.push_back({{readers}, Rational(sum)});
  }
  const auto law = find_law(samples);
  out.value = samples[3].value.value() - samples[2].value.value();
  out.text = "events in the hard interrupt: " + (law ? law->text({"w"}) : std::string("no law")) + " for w waiters";
  return out;
}

/// The mode that a 28C0 on a host with interrupt remapping ends up in, by the specification's own probe.
bool vmd_bypasses(const spec::vmd::Facts& facts) {
  for (const auto& row : properties::vmd::mode_table(facts).rows) {
    const bool host = row[1] == "any" || row[1] == "host";
    const bool remapping = row[3] == "any" || row[3].find("on") != std::string::npos;
    if (row[0].find("28c0") != std::string::npos && host && remapping) return row[4] == "bypass";
  }
  return false;
}

struct Rates {
  Range bypass;
  Range remapped;
  bool bypasses = false;
};

/// Nothing where the kernel does not know the device.
std::optional<Rates> rates(const FactValues& values, const Profile& profile) {
  const auto f = facts_of<spec::vmd::Facts>(values);
  if (!spec::vmd::listed(f.id_28c0)) return std::nullopt;
  constexpr double on_port = 4;
  const Queues q = vmd_queues(values, profile.cpus, 6, 64);
  const Range drive = profile.figure("drive_iops").value;
  const Range port = (1 / on_port) * profile.figure("port_completions").value;
  Rates out;
  out.bypass = least(drive, port);
  out.remapped = least(drive, q.used_bypass / q.used_remap * port);
  out.bypasses = vmd_bypasses(f);
  return out;
}

Found vmd_rate(const FactValues& facts, const Profile& profile, bool against_other) {
  Found out;
  out.scope = "computed: device 28c0 on a host, four drives on a port, 6 neighbouring CPUs each of " +
              std::to_string(profile.cpus) + "; profile " + profile.name;
  const auto r = rates(facts, profile);
  if (!r) {
    out.text = "this kernel does not know the device";
    return out;
  }
  const Range mine = r->bypasses ? r->bypass : r->remapped;
  const Range base = against_other ? (r->bypasses ? r->remapped : r->bypass) : profile.figure("drive_iops").value;
  out.value = mine.value / base.value;
  out.text = std::string(r->bypasses ? "bypass" : "remapped") + ": " + number(mine.value) + " I/O/s a drive, " +
             number(*out.value) + (against_other ? " of the other mode's " : " of the drive's own ") +
             number(base.value);
  return out;
}

}  // namespace

OwnCosts vfio_own_costs(const FactValues& facts, const Profile& profile) {
  const Delivery d = vfio_delivery_counts(facts, 0);
  const Price p = price(d.all.events(), profile);
  const auto most = [&](const std::vector<std::string>& events) { return p.of(events).hi; };
  OwnCosts out;
  out.hardware = most({"msi"});
  out.entry = most({"irq_entry", "irq_eoi"});
  out.flow = most({"raw_lock", "irq_exit"});
  // In a thread the wake-up is the hard interrupt's; the switch to it is part of the scheduling latency.
  const double atomics = most({"atomic_op"});
  const double early = price(d.hard_irq.events(), profile).of({"atomic_op"}).hi;
  out.wake = most({"wakeup", "ipi"}) + early;
  const double locks = most({"sleeping_lock"});
  out.bh = in_a_thread(d) && d.all["sleeping_lock"] > 1 ? locks / 2 : 0;
  out.signal = most({"handler_call"}) + locks - out.bh + atomics - early;
  return out;
}

TaskSet reference_cpu() {
  TaskSet s;
  s.name =
      "a CPU with the longest windows of the published single-core traces (L_IF 42.2 us), a timer of 9.6 us a "
      "millisecond, a disk of 7.1 us every 200 us, and no task of the interrupt thread's priority";
  s.d_st = 22'500;
  s.d_poid = 19'300;
  s.d_psd = 19'700;
  s.d_ioff = 19'300;
  s.bh_section = 12'000;
  s.wqh_section = 2'000;
  s.irqs = {{"timer", 9'600, 1'000'000, 0, 0, true}, {"disk", 7'100, 200'000, 0, 0, true}};
  return s;
}

Found find_quantity(CostQuantity quantity, const FactValues& facts, const Profile* profile) {
  switch (quantity) {
    case CostQuantity::signal_time: return signal_time(facts, *profile);
    case CostQuantity::thread_events: return thread_events(facts);
    case CostQuantity::hard_irq_growth: return hard_irq_growth(facts);
    case CostQuantity::port_share: return vmd_rate(facts, *profile, false);
    case CostQuantity::mode_share: break;
  }
  return vmd_rate(facts, *profile, true);
}

PropertyResult judge(const properties::CostProperty& property, const Found& found) {
  PropertyResult r;
  r.property = property.info.id;
  r.claim = property.info.claim;
  r.configuration = "counted runs";
  r.scope = found.scope;
  const std::string bound =
      property.unit == std::string("ns") ? time_text(property.bound) : number(property.bound) + " " + property.unit;
  r.counted = found.text;
  if (!found.value && !found.unbounded) {
    r.verdict = Verdict::holds;
    r.vacuous = true;
    return r;
  }
  r.counted += std::string(", ") + (property.at_most ? "at most " : "at least ") + bound + " allowed";
  const bool holds =
      !found.unbounded && (property.at_most ? *found.value <= property.bound : *found.value >= property.bound);
  r.verdict = holds ? Verdict::holds : Verdict::violated;
  return r;
}

PropertyResult check_cost(const properties::CostProperty& property, const FactValues& facts) {
  if (property.profile == nullptr) return judge(property, find_quantity(property.quantity, facts, nullptr));
  const Profile profile = find_profile(property.profile);
  return judge(property, find_quantity(property.quantity, facts, &profile));
}

}  // namespace iomc::check::cost
