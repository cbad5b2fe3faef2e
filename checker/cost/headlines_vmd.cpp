// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>
#include <cmath>

#include "checker/cost/headlines.hpp"
#include "checker/cost/simulate.hpp"

namespace iomc::check::cost {

namespace {

constexpr double kilo = 1000;
constexpr unsigned vmd_vectors = 64;
constexpr unsigned cpus_a_drive = 6;

/// The report's figures.
struct Recorded {
  double one_bypass = 1183 * kilo;
  double one_remap = 1171 * kilo;
  double twelve_bypass = 562 * kilo;
  double twelve_remap = 1144 * kilo;
  double eight_drop = 0.30;      ///< "about 30%" less than one drive
  double port_of_four = 1.47e6;  ///< messages/s
  double port_of_two = 1.60e6;
};

std::string thousands(double v) { return number(std::round(v / kilo)) + "k"; }
std::string thousands(const Range& r) {
  if (thousands(r.lo) == thousands(r.hi)) return thousands(r.value);
  return thousands(r.value) + " (" + thousands(r.lo) + ".." + thousands(r.hi) + ")";
}

/// I/O/s of one drive where `drives` share a port.
Range on_port(const Range& drive, const Range& port, double drives) { return least(drive, (1 / drives) * port); }

/// The port-rate model with what the report fixes.
struct PortRate {
  Profile machine = find_profile("xeon-28c0");
  Range drive = machine.figure("drive_iops").value;
  Range port = machine.figure("port_completions").value;
  Queues queues = vmd_queues(kernel_facts("vmd", "6.1"), machine.cpus, cpus_a_drive, vmd_vectors);
  Range merge = queues.used_bypass / queues.used_remap;

  Range bypass(double on_a_port) const { return on_port(drive, port, on_a_port); }
  Range remap(double on_a_port) const { return on_port(drive, merge * port, on_a_port); }
  /// Eight drives on three ports: three, three and two.
  Range eight() const { return (1.0 / 8) * (6 * bypass(3) + 2 * bypass(2)); }
};

/// Drives of one port in closed loop, simulated: each drive's own limit, then the port that passes completions on.
Estimate simulated(const PortRate& model, double drives, double merge) {
  Network n;
  for (unsigned d = 0; d < drives; ++d) n.stations.push_back({"drive", 1});
  n.stations.push_back({"port", 1});
  const auto port = static_cast<unsigned>(drives);
  constexpr unsigned outstanding = 64;
  for (unsigned d = 0; d < drives; ++d)
    n.classes.push_back({"drive",
                         outstanding,
                         0,
                         {{d, 1 / model.drive.value, Service::exponential},
                          {port, 1 / (model.port.value * merge), Service::exponential}}});
  SimulationOptions options;
  options.precision = 0.01;
  options.most = 2'000'000;
  const SimulationResult r = simulate(n, options);
  return r.classes.front().throughput;
}

std::string estimate_text(const Estimate& e) { return thousands(e.mean) + " +-" + number(e.half_width / kilo) + "k"; }

}  // namespace

Headlines vmd_headlines() {
  Headlines out;
  const PortRate model;
  const Recorded r;
  const auto add = [&](const std::string& figure, double published, const Range& computed, Basis basis) {
    out.rows.push_back(
        {"vmd", figure, thousands(published), thousands(computed), error_text(computed.value, published), basis});
  };
  add("1 drive, 1 CPU, bypass, I/O/s", r.one_bypass, model.bypass(1), Basis::fitted);
  add("1 drive, 1 CPU, remapped", r.one_remap, model.drive, Basis::left_out);
  add("12 drives on 3 ports, 6 CPUs each, bypass, I/O/s a drive", r.twelve_bypass, model.bypass(4), Basis::fitted);
  add("12 drives, remapped", r.twelve_remap, model.remap(4), Basis::left_out);
  out.rows.push_back({"vmd", "  the same, simulated (95% interval)", thousands(r.twelve_remap),
                      estimate_text(simulated(model, 4, model.merge.value)),
                      error_text(simulated(model, 4, model.merge.value).mean, r.twelve_remap), Basis::left_out});
  out.rows.push_back({"vmd", "  12 drives, bypass, simulated", thousands(r.twelve_bypass),
                      estimate_text(simulated(model, 4, 1)), error_text(simulated(model, 4, 1).mean, r.twelve_bypass),
                      Basis::fitted});
  add("8 drives on 3 ports, bypass (about -30%), I/O/s a drive", (1 - r.eight_drop) * r.one_bypass, model.eight(),
      Basis::left_out);
  // Remapping merges where it lowers the number of completion queues; with 6.17 it does not any more.
  const Queues newer = vmd_queues(kernel_facts("vmd", "6.17"), model.machine.cpus, cpus_a_drive, vmd_vectors);
  out.rows.push_back({"vmd", "  12 drives, remapped, 6.17 (no cap on vectors): a prediction", "",
                      thousands(on_port(model.drive, newer.used_bypass / newer.used_remap * model.port, 4)), "",
                      Basis::ours});
  // Both ports are full in the model, so that they send messages at one rate.
  const double full_two = std::min(2 * model.drive.value, model.port.value) / model.port.value;
  out.rows.push_back({"vmd", "messages/s of the 2-drive port over those of the 4-drive port", "1.09", number(full_two),
                      error_text(full_two, r.port_of_two / r.port_of_four), Basis::left_out});
  // Another platform: Sapphire Rapids, Gen5 drives; nothing is taken from it.
  for (const auto& [drives, each] : {std::pair{2, 1991.0}, {4, 1136.0}, {8, 834.0}})
    add("posted-MSI series, not posted, " + std::to_string(drives) + " drives on a socket, I/O/s a drive", each * kilo,
        model.bypass(drives), Basis::left_out);
  for (const auto& [drives, each] : {std::pair{4, 2023.0}, {8, 1943.0}})
    add("  the same with posting, " + std::to_string(drives) + " drives", each * kilo, model.drive, Basis::left_out);
  const Range twelve = 12 * model.bypass(4);
  add("moderation series, off: 12 SSD, I/O/s in all", 6e6, twelve, Basis::left_out);
  add("  the same, on", 20.5e6, 12 * model.drive, Basis::left_out);
  add("6.8.8, 4 drives on a port, I/O/s in all (unit presumed)", 2300 * kilo, 4 * model.bypass(4), Basis::left_out);
  // With posting, messages are no limit: what is left of a port is its drives.
  const Range unlimited = Range::exactly(INFINITY);
  const double modes =
      on_port(model.drive, unlimited, 4).value / on_port(model.drive, model.merge * unlimited, 4).value;
  out.rows.push_back({"vmd", "posted MSI, 4 drives: bypass over remapped", "0.985", number(modes),
                      error_text(modes, 6010.0 / 6100), Basis::left_out});
  const Counted one = vmd_interrupt(kernel_facts("vmd", "6.1"), 1);
  const Counted four = vmd_interrupt(kernel_facts("vmd", "6.1"), 4);
  out.rows.push_back(
      {"vmd", "CPU time of one interrupt, remapped, 1 and 4 children on the vector", "",
       time_text(price(one.events(), model.machine).ns) + "; " + time_text(price(four.events(), model.machine).ns), "",
       Basis::ours});
  for (const char* name : {"cpu-bound", "port-rate"}) {
    const Hypothesis h = vmd_hypothesis(name);
    const std::string verdict = std::to_string(h.count("explains")) + " explained, " +
                                std::to_string(h.count("contradicts")) + " contradicted, " +
                                std::to_string(h.fitted.size()) + " parameters";
    out.rows.push_back({"vmd",
                        std::string(name) + (std::string(name) == "cpu-bound" ? ", the patch's own explanation" : ""),
                        "", verdict, "", Basis::ours});
  }
  out.notes.push_back(
      "vmd: profile xeon-28c0. Fitted: drive_iops to one drive in bypass, port_completions to 12 drives in bypass. "
      "Left "
      "out: everything else, the 8-drive figure, the posted-MSI curve and the moderation figures among it. Remapping "
      "has "
      "no parameter: it multiplies the completions of a message by the completion queues that 6 neighbouring CPUs use "
      "in "
      "bypass (" +
      text(model.queues.used_bypass) + ") over those that they use with " + std::to_string(model.queues.entries_remap) +
      " vectors a drive (" + text(model.queues.used_remap) +
      "), an assumption. Figures of other platforms are computed with this machine's two parameters: their errors say "
      "how "
      "far those carry.");
  return out;
}

Hypothesis vmd_hypothesis(const std::string& name) {
  const Recorded r;
  Hypothesis h;
  h.name = name;
  const auto judged = [](double predicted, double recorded) {
    return std::string(std::fabs(predicted / recorded - 1) <= 0.10 ? "explains" : "contradicts");
  };
  const auto number_row = [&](const std::string& what, double recorded, double predicted, bool was_fitted,
                              const std::string& unit) {
    const auto shown = [&](double v) { return unit == "k" ? thousands(v) : number(v) + unit; };
    h.observations.push_back({what, shown(recorded), shown(predicted) + " (" + error_text(predicted, recorded) + ")",
                              was_fitted ? "fitted" : judged(predicted, recorded)});
  };
  const auto word_row = [&](const std::string& what, const std::string& recorded, const std::string& predicted,
                            const std::string& verdict) {
    h.observations.push_back({what, recorded, predicted, verdict});
  };
  if (name == "cpu-bound") {
    h.claim =
        "The 28C0 regression: the CPUs that serve the drives are busy with interrupts, and bypass raises the cost of "
        "one";
    // The strongest reading of the report: six CPUs serve all drives, and each I/O takes what it takes with one drive.
    const double bypass_io = 1 / r.one_bypass;
    const double remap_io = 1 / r.one_remap;
    h.fitted = {"CPU time of an I/O in bypass, " + time_text(1e9 * bypass_io) + ", to one drive on one CPU",
                "CPU time of an I/O remapped, " + time_text(1e9 * remap_io) + ", to one drive on one CPU"};
    const auto each = [&](double drives, double io) { return std::min(1 / io, cpus_a_drive / io / drives); };
    number_row("1 drive, 1 CPU, bypass", r.one_bypass, each(1, bypass_io), true, "k");
    number_row("1 drive, 1 CPU, remapped", r.one_remap, each(1, remap_io), true, "k");
    number_row("12 drives, 6 CPUs, bypass", r.twelve_bypass, each(12, bypass_io), false, "k");
    number_row("12 drives, 6 CPUs, remapped", r.twelve_remap, each(12, remap_io), false, "k");
    number_row("8 drives, 6 CPUs, bypass (about -30%)", 0.7 * r.one_bypass, each(8, bypass_io), false, "k");
    number_row("CPUs busy of 192, bypass (91% idle)", 17.3, cpus_a_drive, false, "");
    number_row("CPUs busy of 192, remapped (78% idle)", 42.2, cpus_a_drive, false, "");
    word_row("interrupts of a queue, port with 2 drives over port with 4, the same CPUs", "2.2", "1", judged(1, 2.2));
    word_row("drives on a port with 1 or 2", "as fast as one drive", "no difference between ports", "contradicts");
    word_row("context switches in bypass", "far fewer", "more", "contradicts");
    word_row("VMD off in firmware", "as bypass", "as bypass: the same interrupts", "explains");
    word_row("NVMe interrupt coalescing, in bypass", "back to normal", "fewer interrupts, so faster", "explains");
    word_row("posted MSI: bypass over remapped", "0.985", "", "silent");
    word_row("interrupt rate below 1M/s with posting (other platform)", "no gain, no loss", "a gain at any rate",
             "contradicts");
    return h;
  }
  if (name == "port-rate") {
    h.claim =
        "The 28C0 regression: a PCIe port passes on so many messages a second, and a completion queue puts so many "
        "completions "
        "into one; fewer queues, more completions";
    const PortRate m;
    h.fitted = {"limit of a drive, " + thousands(m.drive.value) + " I/O/s, to one drive in bypass",
                "completions that a port's messages carry, " + thousands(m.port.value) + "/s, to 12 drives in bypass"};
    number_row("1 drive, 1 CPU, bypass", r.one_bypass, m.bypass(1).value, true, "k");
    number_row("1 drive, 1 CPU, remapped", r.one_remap, m.remap(1).value, false, "k");
    number_row("12 drives, 6 CPUs, bypass", r.twelve_bypass, m.bypass(4).value, true, "k");
    number_row("12 drives, 6 CPUs, remapped", r.twelve_remap, m.remap(4).value, false, "k");
    number_row("8 drives, 6 CPUs, bypass (about -30%)", 0.7 * r.one_bypass, m.eight().value, false, "k");
    word_row("CPU idle of 192, bypass and remapped", "91% and 78%", "CPUs wait in bypass: more idle than remapped",
             "explains");
    const double per_queue = 2.0 * std::min(2 * m.drive.value, m.port.value) / m.port.value;
    number_row("interrupts of a queue, port with 2 drives over port with 4", 399.4 / 182.4, per_queue, false, "");
    number_row("messages/s, port with 2 drives over port with 4", r.port_of_two / r.port_of_four, per_queue / 2, false,
               "");
    number_row("drives on a port with 2, of one drive", 1, m.bypass(2).value / m.bypass(1).value, false, "");
    word_row("context switches in bypass", "far fewer", "fewer I/O, so fewer", "explains");
    word_row("VMD off in firmware", "as bypass", "as bypass: the same messages", "explains");
    word_row("NVMe interrupt coalescing, in bypass", "back to normal", "more completions a message", "explains");
    number_row("posted MSI: bypass over remapped", 6010.0 / 6100, 1, false, "");
    number_row("6.8.8, 4 drives on a port, in all", 2300 * kilo, 4 * m.bypass(4).value, false, "k");
    word_row("interrupt rate below 1M/s with posting (other platform)", "no gain, no loss", "none: below the ceiling",
             "explains");
    for (const auto& [drives, each] : {std::pair{2, 1991.0}, {4, 1136.0}, {8, 834.0}})
      number_row("posted-MSI series (other platform), not posted, " + std::to_string(drives) + " drives", each * kilo,
                 m.bypass(drives).value, false, "k");
    number_row("moderation series (other platform), off, 12 SSD in all", 6e6, 12 * m.bypass(4).value, false, "k");
    number_row("  the same, on", 20.5e6, 12 * m.drive.value, false, "k");
    return h;
  }
  throw InputError("--hypothesis " + name + ": no such hypothesis; there are: cpu-bound, port-rate");
}

}  // namespace iomc::check::cost
