// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>
#include <vector>

#include "checker/cost/model_parts.hpp"
#include "spec/vmd/configurations.hpp"
#include "spec/vmd/placement.hpp"
#include "spec/vmd/vmd.hpp"

namespace iomc::check::cost {

namespace {

namespace vmd = spec::vmd;

/// Room for lists as long as real ones.
struct Long {
  static constexpr unsigned cpus = 2;
  static constexpr unsigned children = 8;
  static constexpr unsigned vectors = 1;
  static constexpr unsigned lanes = 1;
};

using Spec = vmd::Vmd<model::Concrete, Long>;

Range used_queues(unsigned queues, unsigned cpus, unsigned used) {
  Range out;
  double sum = 0;
  // How many CPUs of the window each queue has: the window moves on by one CPU at a time.
  std::vector<unsigned> inside(queues, 0);
  double n = 0;
  const auto queue = [&](unsigned cpu) { return cpu % cpus * queues / cpus; };
  for (unsigned i = 0; i < used; ++i) n += inside[queue(i)]++ == 0 ? 1 : 0;
  for (unsigned first = 0; first < cpus; ++first) {
    if (first != 0) {
      n -= --inside[queue(first - 1)] == 0 ? 1 : 0;
      n += inside[queue(first - 1 + used)]++ == 0 ? 1 : 0;
    }
    out.lo = first == 0 ? n : std::min(out.lo, n);
    out.hi = std::max(out.hi, n);
    sum += n;
  }
  out.value = sum / cpus;
  return out;
}

/// I/O/s of one drive on average: drives spread over ports, each port with a limit of its own.
Range per_drive(const Range& drive, const Range& port, std::int64_t drives, std::int64_t ports) {
  Range sum;
  for (std::int64_t p = 0; p < ports; ++p) {
    const std::int64_t here = drives / ports + (p < drives % ports ? 1 : 0);
    if (here != 0) sum += static_cast<double>(here) * least(drive, (1 / static_cast<double>(here)) * port);
  }
  return (1 / static_cast<double>(drives)) * sum;
}

class VmdModel : public Model {
 public:
  std::string spec() const override { return "vmd"; }
  std::string operation() const override {
    return "one interrupt of a VMD that remaps, raised by one child with one completion, its neighbours on the vector "
           "idle";
  }
  std::string profile() const override { return "xeon-28c0"; }
  std::vector<Parameter> parameters() const override {
    return {{"children", "c", "child interrupts on the vector", 1, Long::children, 4},
            {"drives", "d", "drives behind the ports", 1, 64, 12},
            {"ports", "p", "PCIe ports that the drives are spread over", 1, 16, 3},
            {"cpus", "P", "neighbouring CPUs that submit to each drive", 1, 256, 6}};
  }
  std::vector<std::string> counted() const override { return {"children"}; }
  Counted count(const FactValues& facts, const Sizes& sizes) const override {
    return vmd_interrupt(facts, static_cast<unsigned>(sizes.at("children")));
  }
  std::vector<Derived> derive(const FactValues& facts, const Sizes& sizes, const Counted&,
                              const Profile& profile) const override {
    const auto used = static_cast<unsigned>(sizes.at("cpus"));
    const Queues q = vmd_queues(facts, std::max(profile.cpus, used), used, 64);
    const Range merge = q.used_bypass / q.used_remap;
    const Range drive = profile.figure("drive_iops").value;
    const Range port = profile.figure("port_completions").value;
    const std::int64_t drives = sizes.at("drives");
    const std::int64_t ports = sizes.at("ports");
    return {{"completion queues in use, bypass", "a drive", q.used_bypass},
            {"completion queues in use, remapped", "a drive", q.used_remap},
            {"bypass", "I/O/s a drive", per_drive(drive, port, drives, ports)},
            {"remapped", "I/O/s a drive", per_drive(drive, merge * port, drives, ports)}};
  }
  /// The fullest port of a VMD that remaps: each drive has its own limit, then the port, then the CPUs.
  Network network(const FactValues& facts, const Sizes& sizes, const Counted& counted,
                  const Profile& profile) const override {
    const auto used = static_cast<unsigned>(sizes.at("cpus"));
    const Queues q = vmd_queues(facts, std::max(profile.cpus, used), used, 64);
    const double port = (q.used_bypass / q.used_remap).value * profile.figure("port_completions").value.value;
    const auto drives = static_cast<unsigned>((sizes.at("drives") + sizes.at("ports") - 1) / sizes.at("ports"));
    constexpr unsigned outstanding = 64;
    Network out;
    out.stations = {{"the port", 1}, {"CPUs", std::max(1U, used)}};
    // An interrupt is worth as many completions as a message carries.
    const double irq = price(counted.events(), profile).ns.value * profile.figure("port_messages").value.value /
                       profile.figure("port_completions").value.value;
    for (unsigned d = 0; d < drives; ++d) {
      out.stations.push_back({"drive", 1});
      out.classes.push_back({"drive",
                             outstanding,
                             0,
                             {{d + 2, 1e9 / profile.figure("drive_iops").value.value, Service::exponential},
                              {0, 1e9 / port, Service::exponential},
                              {1, irq, Service::exponential}}});
    }
    return out;
  }
};

}  // namespace

Counted vmd_interrupt(const FactValues& facts, unsigned children) {
  IOMC_PRE(children >= 1 && children <= Long::children);
  vmd::Config config;
  config.name = "one interrupt";
  config.facts = facts_of<vmd::Facts>(facts);
  config.sizes.cpus = Long::cpus;
  config.sizes.children = children;
  config.sizes.posts = 1;
  config.env.lanes = {{vmd::Role::handler, 0, "hardirq 0", 0, false}};
  config.env.kinds.assign(Long::children, vmd::ChildKind::nvme);
  config.env.quiet_children = children - 1;
  const Spec spec(config);
  Spec::State s{};
  model::StepContext<Spec::Event> cx;
  spec.initial(s, cx);
  std::int64_t steps = 0;
  for (bool moved = true; moved;) {
    moved = false;
    spec.for_each_candidate(s, [&](unsigned instance) {
      if (moved) return;
      cx.choices().clear();
      cx.begin();
      moved = spec.fire(s, instance, cx);
    });
    steps += moved ? 1 : 0;
    IOMC_INVARIANT(steps < 100'000);
  }
  Counted out;
  for (std::size_t i = 0; i < model::cost_kinds; ++i)
    out.counts.emplace_back(model::cost_names[i], static_cast<std::int64_t>(cx.counted().n[i]));
  return out;
}

Queues vmd_queues(const FactValues& facts, unsigned machine_cpus, unsigned used_cpus, unsigned vmd_vectors) {
  const auto f = facts_of<vmd::Facts>(facts);
  Queues out;
  // nvme asks for an interrupt for each possible CPU and one for its admin queue.
  out.entries_bypass = machine_cpus + 1;
  out.entries_remap = f.nvec_capped ? std::min(out.entries_bypass, vmd_vectors) : out.entries_bypass;
  out.used_bypass = used_queues(out.entries_bypass - 1, machine_cpus, used_cpus);
  out.used_remap = used_queues(out.entries_remap - 1, machine_cpus, used_cpus);
  return out;
}

std::unique_ptr<Model> make_vmd_model() { return std::make_unique<VmdModel>(); }

}  // namespace iomc::check::cost
