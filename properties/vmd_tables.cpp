// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/vmd_tables.hpp"

#include <array>
#include <cstdio>
#include <functional>

#include "model/check.hpp"
#include "properties/vmd.hpp"
#include "spec/vmd/placement.hpp"

namespace iomc::properties::vmd {

namespace {

using Spec = Vmd<model::Concrete, Small>;
using State = Spec::State;
using Event = Spec::Event;
using P = Predicates<Spec>;

/// A machine, by the indices of the specification's tables.
struct Place {
  unsigned device = 0;
  unsigned platform = 0;
  unsigned shadow = 0;
  unsigned remapping = 0;
  unsigned bus_setting = 0;
  unsigned vmconfig = 0;  ///< its low byte, as the kernel finds it
};

/// What may happen to a VMD that is bound.
struct Path {
  const char* name;
  std::vector<std::pair<Step, unsigned>> steps;  ///< each with the choice it takes
};

const std::vector<Path>& paths() {
  static const std::vector<Path> all = {
      {"S3",
       {{Step::suspend_children, 0},
        {Step::suspend_vmd, 0},
        {Step::suspend_noirq, 0},
        {Step::sleep, 0},
        {Step::resume_noirq, 0},
        {Step::resume_vmd, 0},
        {Step::resume_children, 0}}},
      {"s2idle",
       {{Step::suspend_children, 1},
        {Step::suspend_vmd, 0},
        {Step::suspend_noirq, 0},
        {Step::resume_noirq, 0},
        {Step::resume_vmd, 0},
        {Step::resume_children, 0}}},
      {"remove", {{Step::remove_first, 0}, {Step::remove_second, 0}, {Step::remove_mode, 0}}},
      {"restart, same kernel",
       {{Step::shutdown_children, 0}, {Step::shutdown_vmd, 0}, {Step::restart, 0}, {Step::probe, 0}}},
      {"restart, other system", {{Step::shutdown_children, 0}, {Step::shutdown_vmd, 0}, {Step::restart, 1}}},
      {"crash kernel", {{Step::crash_kexec, 0}, {Step::probe, 0}}},
  };
  return all;
}

/// One run of the driver's life on one machine, by the specification's own steps.
class Run {
 public:
  Run(const Facts& facts, const Place& place) : spec_(config(facts)) {
    cx_.begin();
    spec_.initial(state_, cx_);
    auto& m = state_.mode;
    m.device = place.device;
    m.platform = place.platform;
    m.shadow = place.shadow;
    m.remapping = place.remapping;
    m.bus_setting = place.bus_setting;
    m.vmconfig = place.vmconfig;
  }
  const State& state() const { return state_; }
  /// The step by its choice; what the properties say about it is remembered.
  bool take(Step step, unsigned choice) {
    cx_.choices().clear();
    do {
      State after = state_;
      cx_.begin();
      if (!spec_.fire(after, static_cast<unsigned>(step), cx_)) return false;
      if (choice-- != 0) continue;
      state_ = after;
      return look(), true;
    } while (cx_.choices().advance());
    return false;
  }
  /// probe, with all steps that follow it.
  bool probe() {
    if (!take(Step::probe, 0)) return false;
    finish();
    return true;
  }
  void finish() {
    while (state_.lanes[0].pc.raw() != 0 && state_.crash.raw() == 0)
      if (!take(static_cast<Step>(state_.lanes[0].pc.raw()), 0)) return;
  }
  void follow(const Path& path, const std::function<void(Step)>& after = {}) {
    for (const auto& [step, choice] : path.steps) {
      if (state_.crash.raw() != 0) return;
      if (step == Step::probe) {
        probe();
      } else if (!take(step, choice)) {
        return;
      }
      if (after) after(step);
    }
  }
  /// Whether NVMe's next message ends in its handler; nothing if there is no message to send.
  const char* message() {
    if (state_.crash.raw() != 0) return "crash";
    cx_.choices().clear();
    cx_.begin();
    State after = state_;
    if (!spec_.fire(after, Small::lanes * step_count + static_cast<unsigned>(Step::signal), cx_)) return "-";
    for (const Event& e : cx_.events())
      if (e.kind == Event::message) {
        if (e.flag == 0) lost = true;
        return e.flag != 0 ? "arrive" : "LOST";
      }
    return "-";
  }

  bool s1 = false;
  bool s2 = false;
  bool s2a = false;
  bool s10 = false;
  bool p7 = false;
  bool lost = false;

 private:
  static Config config(const Facts& facts) {
    Config c;
    c.facts = facts;
    c.env.scene = Scene::life;
    c.env.kexec = true;
    c.env.lanes = {{Role::driver, 0, "vmd", 0, false}};
    c.sizes.device = c.sizes.platform = 1;
    return c;
  }
  void look() {
    s1 |= !P::mode_agrees(spec_, state_);
    s2 |= !P::bypass_possible(spec_, state_);
    s2a |= !P::bypass_owned(spec_, state_);
    p7 |= !P::bypass_used(spec_, state_);
    for (const Event& e : cx_.events())
      if (P::is_handed_over(e)) s10 |= !P::flagged(spec_, state_, state_, e);
  }

  Spec spec_;
  State state_{};
  model::StepContext<Event> cx_;
};

const char* mode_word(const State& s) {
  if (s.crash.raw() == null_dereference) return "oops";
  if (s.mode.driver.raw() != bound) return "-";
  return s.mode.irq_domain.raw() != 0 ? "remap" : "bypass";
}

std::string hex(unsigned v) {
  char text[8];
  std::snprintf(text, sizeof text, "0x%04x", v);
  return text;
}

/// The answers of one machine, one cell a column.
std::vector<std::string> answers(const Facts& facts, const Place& place) {
  std::vector<std::string> out;
  Run booted(facts, place);
  booted.probe();
  out.push_back(mode_word(booted.state()));
  out.push_back(booted.message());
  for (const Path& path : paths()) {
    Run run(facts, place);
    run.probe();
    run.follow(path);
    const State& s = run.state();
    if (s.crash.raw() != 0) {
      out.push_back("oops");
      continue;
    }
    if (s.mode.driver.raw() == unbound)
      out.push_back(run.s10 ? "bit left set" : "default");
    else
      out.push_back(run.message());
  }
  std::string fails;
  Run all(facts, place);
  all.probe();
  all.message();
  bool s1 = all.s1, s2 = all.s2, s2a = all.s2a, s10 = false, p7 = all.p7, lost = all.lost;
  for (const Path& path : paths()) {
    Run run(facts, place);
    run.probe();
    run.follow(path);
    run.message();
    s1 |= run.s1;
    s2 |= run.s2;
    s2a |= run.s2a;
    s10 |= run.s10;
    p7 |= run.p7;
    lost |= run.lost;
  }
  const auto add = [&](bool failed, const char* id) {
    if (failed) fails += (fails.empty() ? "" : " ") + std::string(id);
  };
  add(s1, "S1");
  add(s2, "S2");
  add(s2a, "S2a");
  add(s10, "S10");
  add(lost, "L5");
  add(p7, "P7");
  out.push_back(fails.empty() ? "-" : fails);
  return out;
}

unsigned shadows(unsigned platform) { return platform == static_cast<unsigned>(Platform::guest) ? 3 : 2; }

/// All answers for one device id, in a fixed order of machines.
using Sheet = std::vector<std::vector<std::string>>;

Sheet sheet(const Facts& facts, unsigned device) {
  Sheet out;
  for (unsigned p = 0; p < 3; ++p)
    for (unsigned s = 0; s < shadows(p); ++s)
      for (unsigned r = 0; r < remappings.size(); ++r) out.push_back(answers(facts, {device, p, s, r, 0}));
  return out;
}

void rows_of(const std::string& devices, const Sheet& sheet, Table& table) {
  const auto add = [&](std::string_view platform, std::string_view shadow, const std::string& remapping,
                       const std::vector<std::string>& cells) {
    std::vector<std::string> row{devices, std::string(platform), std::string(shadow), remapping};
    row.insert(row.end(), cells.begin(), cells.end());
    table.rows.push_back(std::move(row));
  };
  const auto equal = [&](std::size_t from, std::size_t n) {
    for (std::size_t i = 1; i < n; ++i)
      if (sheet[from + i] != sheet[from]) return false;
    return true;
  };
  if (equal(0, sheet.size())) return add("any", "any", "any", sheet[0]);
  std::size_t at = 0;
  for (unsigned p = 0; p < 3; ++p) {
    const std::size_t all = shadows(p) * remappings.size();
    if (equal(at, all)) {
      add(platform_words[p], "any", "any", sheet[at]);
      at += all;
      continue;
    }
    for (unsigned s = 0; s < shadows(p); ++s) {
      std::vector<bool> done(remappings.size());
      for (std::size_t r = 0; r < remappings.size(); ++r) {
        if (done[r]) continue;
        std::string names;
        for (std::size_t i = r; i < remappings.size(); ++i) {
          if (sheet[at + i] != sheet[at + r]) continue;
          done[i] = true;
          names += (names.empty() ? "" : ", ") + std::string(remappings[i].name);
        }
        if (equal(at, remappings.size())) names = "any";
        add(platform_words[p], shadow_words[s], names, sheet[at + r]);
      }
      at += remappings.size();
    }
  }
}

}  // namespace

Table mode_table(const Facts& facts) {
  Table out;
  out.columns = {"device", "platform", "shadow regs", "irq remapping", "mode", "messages"};
  for (const Path& p : paths()) out.columns.emplace_back(p.name);
  out.columns.emplace_back("fails");
  std::vector<std::pair<Sheet, std::string>> groups;
  std::size_t machines = 0;
  for (unsigned d = 0; d < device_ids.size(); ++d) {
    if (!listed(facts.*device_ids[d].line)) continue;
    Sheet s = sheet(facts, d);
    machines += s.size();
    const std::string name(device_ids[d].name);
    bool known = false;
    for (auto& [other, names] : groups)
      if (other == s) {
        names += " " + name;
        known = true;
      }
    if (!known) groups.emplace_back(std::move(s), name);
  }
  for (const auto& [s, names] : groups) rows_of(names, s, out);
  out.notes.push_back(std::to_string(machines) + " machines (device ids of vmd_ids x platform x shadow registers x " +
                      "interrupt remapping off, on, x CFIS, x EIME), each run through boot and " +
                      std::to_string(paths().size()) + " events: " + std::to_string(machines * (paths().size() + 1)) +
                      " runs; rows with equal answers are one row");
  out.notes.emplace_back(
      "messages, S3, s2idle, restart, crash kernel: whether NVMe's messages end in its handler then");
  out.notes.emplace_back("remove: what VMCONFIG bit 1 is left at; fails: the properties that fail on some of the runs");
  return out;
}

Table register_table(const Facts& facts, unsigned vmconfig) {
  IOMC_PRE((vmconfig & ~0x3ffU) == 0);
  Table out;
  out.columns = {"path", "step", "201d (remaps)", "28c0 on a host"};
  const unsigned bus_setting = vmconfig >> 8;
  const unsigned low = vmconfig & 0xff;
  const auto value = [&](const State& s) {
    return hex(static_cast<unsigned>(s.mode.bus_setting.raw()) << 8 | s.mode.vmconfig.raw());
  };
  const std::array places = {Place{0, 0, 0, 1, bus_setting, low}, Place{1, 0, 0, 1, bus_setting, low}};
  const auto boot = [&](const char* path) {
    std::vector<std::string> before{path, "before probe"};
    std::vector<std::string> after{path, "vmd_probe"};
    for (const Place& place : places) {
      Run run(facts, place);
      before.push_back(value(run.state()));
      after.push_back(run.probe() ? value(run.state()) : "not bound");
    }
    out.rows.push_back(before);
    out.rows.push_back(after);
  };
  boot("boot");
  for (const Path& path : paths()) {
    std::vector<std::vector<std::string>> rows;
    for (const auto& [step, choice] : path.steps)
      rows.push_back({path.name, step_table()[static_cast<std::size_t>(step)].name});
    for (const Place& place : places) {
      Run run(facts, place);
      const bool is_bound = run.probe();
      std::size_t i = 0;
      run.follow(path, [&](Step) { rows[i++].push_back(is_bound ? value(run.state()) : "-"); });
      for (; i < rows.size(); ++i) rows[i].emplace_back(run.state().crash.raw() != 0 ? "oops" : "-");
    }
    out.rows.insert(out.rows.end(), rows.begin(), rows.end());
  }
  out.notes.emplace_back("bits 9:8 are the bus-number setting (" + std::to_string(bus_setting) +
                         " here), bit 1 turns remapping off, the rest is as the firmware left it");
  out.notes.emplace_back("kexec is the path \"restart, same kernel\"; kdump is \"crash kernel\"");
  return out;
}

namespace {

/// One machine through boot and every path.
void decide(const Facts& facts, const Place& place, Decisions& out) {
  ++out.machines;
  Run booted(facts, place);
  booted.probe();
  (booted.state().mode.irq_domain.raw() != 0 ? out.remapped : out.bypassed) += 1;
  const auto count = [&](Run run) {
    run.message();
    ++out.runs;
    out.s1 += run.s1;
    out.s2 += run.s2;
    out.s2a += run.s2a;
    out.s10 += run.s10;
    out.lost += run.lost;
    out.p7 += run.p7;
  };
  count(booted);
  for (const Path& path : paths()) {
    Run run = booted;
    run.follow(path);
    count(run);
  }
}

template <class F>
void for_each_machine(unsigned device, F&& f) {
  for (unsigned p = 0; p < 3; ++p)
    for (unsigned s = 0; s < shadows(p); ++s)
      for (unsigned r = 0; r < remappings.size(); ++r) f(Place{device, p, s, r, 0});
}

}  // namespace

Decisions decide_shipped(const Facts& facts) {
  Decisions out;
  for (unsigned d = 0; d < device_ids.size(); ++d)
    if (listed(facts.*device_ids[d].line)) for_each_machine(d, [&](const Place& p) { decide(facts, p, out); });
  return out;
}

Decisions decide_all(const Facts& facts) {
  Decisions out;
  for (unsigned d = 0; d < device_ids.size(); ++d)
    for (unsigned features = 0; features < 64; ++features) {
      Facts f = facts;
      f.*device_ids[d].line = id_with(static_cast<Features>(features));
      for_each_machine(d, [&](const Place& p) { decide(f, p, out); });
    }
  return out;
}

Table decisions_table() {
  Table out;
  out.columns = {"kernel", "features", "machines", "runs", "remap", "bypass", "S1", "S2", "S2a", "S10", "L5", "P7"};
  std::uint64_t machines = 0;
  std::uint64_t runs = 0;
  for (const Kernel& k : kernels())
    for (const bool shipped : {true, false}) {
      const Decisions d = shipped ? decide_shipped(k.facts) : decide_all(k.facts);
      machines += d.machines;
      runs += d.runs;
      const auto n = [](std::uint64_t v) { return std::to_string(v); };
      out.rows.push_back({std::string(k.name), shipped ? "as in vmd_ids" : "any", n(d.machines), n(d.runs),
                          n(d.remapped), n(d.bypassed), n(d.s1), n(d.s2), n(d.s2a), n(d.s10), n(d.lost), n(d.p7)});
    }
  out.notes.push_back(
      "device ids x features x platform x shadow registers x interrupt remapping: " + std::to_string(machines) +
      " machines, with boot and " + std::to_string(paths().size()) + " events " + std::to_string(runs) +
      " runs in all; a property's column counts the runs in which it fails");
  out.notes.emplace_back("any: every id with every set of features, which is what a patch might give it");
  return out;
}

Table vectors_table(const Facts& facts) {
  Table out;
  out.columns = {"fast vectors", "asked for", "granted", "drives", "children per vector"};
  constexpr std::array runs = {Drives{63, 64, 4, 192}, Drives{63, 64, 12, 192}, Drives{63, 193, 4, 192},
                               Drives{63, 7, 12, 6}, Drives{32, 33, 2, 192}};
  for (const Drives& r : runs) {
    const Placement p = place(facts, r);
    std::string text;
    for (unsigned n = 0; n <= p.most(); ++n)
      if (const unsigned v = p.vectors_with(n))
        text += (text.empty() ? "" : ", ") + std::to_string(n) + " on " + std::to_string(v);
    out.rows.push_back(
        {std::to_string(r.fast), std::to_string(r.entries), std::to_string(p.granted), std::to_string(r.drives), text});
  }
  out.notes.emplace_back(
      "identical drives, probed one after another; \"5 on 4\": four vectors have five children each");
  return out;
}

}  // namespace iomc::properties::vmd
