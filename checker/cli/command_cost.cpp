// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>

#include "checker/cli/command.hpp"
#include "checker/cli/common.hpp"
#include "checker/cli/interrupt.hpp"
#include "checker/cli/selection.hpp"
#include "checker/cost/headlines.hpp"
#include "checker/cost/output.hpp"
#include "checker/cost/verdicts.hpp"

namespace iomc::cli {

namespace {

namespace cost = check::cost;

class Cost : public Command {
 public:
  std::string name() const override { return "cost"; }
  std::string summary() const override { return "what an operation costs: events, growth laws, time on a machine"; }
  std::string description() const override {
    return "Runs one stated operation of a specification at the kernel's own sizes, counts what it does (locks, tree "
           "nodes, wake-ups, messages), and prices it with a machine profile; every time carries its range. A sweep "
           "finds "
           "growth laws by exact interpolation, printed as 771 = 6P + 3: they are claimed only where every run "
           "confirms "
           "them.";
  }
  std::string examples() const override {
    return "iomc cost iova --kernel 4.13 --sweep cpus=1..256\n"
           "iomc cost iova --kernel 4.13 --set flush_optional=true --set flush_on_32bit_failure=false\n"
           "iomc cost vmd --sweep cpus=1..256 --sweep drives=1..64 --format csv\n"
           "iomc cost vmd --sweep drives=1..24 --format svg -o drives.svg\n"
           "iomc cost iova --kernel 4.13 --sweep cpus=1,16,128 --steady --seed 7\n"
           "iomc cost vfio --kernel 6.12-rt --bounds alone --event context_switch\n"
           "iomc cost vmd --hypothesis port-rate\n"
           "iomc cost vfio --kernel 6.12-rt --response examples/response/tuned.json\n"
           "iomc cost --headlines";
  }
  std::vector<std::string> extra_formats() const override { return {"csv", "svg"}; }
  std::vector<Argument> arguments() override {
    std::vector<Argument> out = {{"SPEC", "SPEC", "a specification from iomc list", &spec_}};
    out.push_back({"--kernel", "V", "a built-in kernel, as in 6.12 or debian-6.12 (default: the newest release)",
                   &selection_.kernel});
    out.push_back({"--tree", "DIR", "read the facts from the kernel source in DIR instead", &selection_.tree});
    out.push_back({"--set", "NAME=VALUE", "set one fact, or one size of the operation; may be given again", &sets_});
    out.push_back({"--sweep", "NAME=A..B", "evaluate at these sizes; may be given again", &sweeps_});
    out.push_back({"--profile", "NAME", "a machine from iomc list profiles, or a file", &profile_});
    out.push_back({"--hypothesis", "NAME",
                   "of the 28C0 regression: cpu-bound or port-rate, held against what was recorded", &hypothesis_});
    out.push_back({"--steady", "", "also the steady state under load, simulated (--seed)", &steady_});
    out.push_back({"--bounds", "CONFIG",
                   "the dearest and cheapest runs of a configuration's state graph; may be given again", &bounds_});
    out.push_back({"--event", "NAME", "with --bounds: count this event instead of time", &event_});
    out.push_back({"--steps", "K", "with --bounds: also the dearest run of K steps (default 20)", &steps_});
    out.push_back(
        {"--response", "FILE", "with vfio: response-time bounds on the CPU and tasks that FILE describes", &response_});
    out.push_back(
        {"--headlines", "", "the published figures and what the models give, of all specifications", &headlines_});
    return out;
  }
  Outcome run(const Common& common) override;

 private:
  Outcome bounds(const Common& common, const check::System& system, Selected selected,
                 const cost::Profile& profile) const;
  Outcome table_of(const Common& common, const check::Table& table) const {
    if (!common.extra_format.empty())
      throw check::InputError("--format " + common.extra_format + ": only a sweep is written in it; use text or json");
    return {report::render(common.format, table, report_options(common))};
  }

  std::string spec_;
  Selection selection_;
  std::vector<std::string> sets_;
  std::vector<std::string> sweeps_;
  std::string profile_;
  std::string hypothesis_;
  std::string response_;
  bool steady_ = false;
  std::vector<std::string> bounds_;
  std::string event_;
  std::string steps_ = "20";
  bool headlines_ = false;
};

/// --set of a size of the model, taken out of the words.
cost::Sizes own_sizes(const cost::Model& model, const std::vector<std::string>& sets, Selection& rest) {
  cost::Sizes out;
  for (const auto& set : sets) {
    const std::string name = set.substr(0, set.find('='));
    const auto parameters = model.parameters();
    if (std::none_of(parameters.begin(), parameters.end(), [&](const auto& p) { return name == p.name; })) {
      rest.sets.push_back(set);
      continue;
    }
    const auto one = cost::parse_sweep(model, set);
    if (one.values.size() != 1) throw check::InputError("--set " + set + ": give one value; --sweep takes several");
    out[name] = one.values.front();
  }
  return out;
}

Outcome Cost::bounds(const Common& common, const check::System& system, Selected selected,
                     const cost::Profile& profile) const {
  const std::uint64_t steps = parse_count("--steps", steps_);
  if (steps == 0 || steps > 1000) throw check::InputError("--steps " + steps_ + ": give a number from 1 to 1000");
  const auto& events = model::cost_names;
  const auto event = std::find(events.begin(), events.end(), event_);
  if (!event_.empty() && event == events.end())
    throw check::InputError("--event " + event_ + ": no such event (iomc list events)");
  const auto weigh = [&](const model::CostCount& c) {
    if (!event_.empty()) return c.n[static_cast<std::size_t>(event - events.begin())];
    return static_cast<std::uint64_t>(1000 * cost::price(cost::counts_of(c), profile).ns.value + 0.5);
  };
  const auto shown = [&](std::uint64_t v) {
    return event_.empty() ? cost::time_text(static_cast<double>(v) / 1000) : std::to_string(v);
  };
  selected.request.configurations = bounds_;
  set_limits(selected.request, common);
  check::Table table;
  table.spec = spec_;
  table.name = "bounds";
  table.title = "the dearest and the cheapest run of each configuration, in " +
                (event_.empty() ? "time on " + profile.name : event_) + "; kernel " + selected.request.kernel;
  table.columns = {"configuration", "states", "worst", "best", "worst within " + steps_ + " steps"};
  bool whole = true;
  for (const auto& b : system.cost_bounds(selected.request, weigh, static_cast<unsigned>(steps))) {
    whole = whole && b.incomplete.empty();
    const std::string states = std::to_string(b.states);
    if (!b.incomplete.empty()) {
      table.rows.push_back({b.configuration, states, "inconclusive", "inconclusive", "inconclusive"});
      table.notes.push_back(b.configuration + ": " + b.incomplete);
      continue;
    }
    table.rows.push_back({b.configuration, states, b.unbounded ? "unbounded" : shown(b.worst),
                          b.ends ? shown(b.best) : "no run ends", shown(b.within)});
    table.notes.push_back(b.configuration + ": " + b.scope);
    std::string loop;
    for (const auto& s : b.worst_steps) loop += (loop.empty() ? "" : " ") + s;
    if (b.unbounded) table.notes.push_back("  grows without bound, each time round: " + loop);
    table.notes.push_back("  worst: " + b.worst_path);
    if (b.ends) table.notes.push_back("  best: " + b.best_path);
    table.notes.push_back("  within " + steps_ + " steps: " + b.within_path);
  }
  Outcome out = table_of(common, table);
  if (!whole) out.status = check::exit_inconclusive;
  return out;
}

Outcome Cost::run(const Common& common) {
  if (headlines_) {
    if (!spec_.empty()) throw check::InputError("cost --headlines: it is about all specifications; leave SPEC out");
    return table_of(common, cost::headline_table());
  }
  if (spec_.empty())
    throw check::InputError("cost: SPEC is missing: a specification from iomc list (iomc cost --help)");
  const check::System& system = check::find_system(spec_);
  const cost::Model& model = cost::find_model(spec_);
  if (!hypothesis_.empty()) {
    if (spec_ != "vmd")
      throw check::InputError("cost --hypothesis: only vmd has hypotheses; iomc cost vmd --hypothesis NAME");
    return table_of(common, cost::hypothesis_table(cost::vmd_hypothesis(hypothesis_)));
  }
  const cost::Sizes sizes = own_sizes(model, sets_, selection_);
  const Selected selected = select(system, selection_);
  if (!selected.unknown.empty())
    throw check::InputError("cost: unknown in this tree, give it with --set: " + joined(selected.unknown));
  const cost::Profile profile = cost::find_profile(profile_.empty() ? model.profile() : profile_);
  if (!bounds_.empty()) return bounds(common, system, selected, profile);
  if (!response_.empty()) {
    if (spec_ != "vfio") throw check::InputError("cost --response: only vfio has it; iomc cost vfio --response FILE");
    const cost::TaskSet tasks = cost::read_task_set(response_);
    const cost::OwnCosts own = cost::vfio_own_costs(selected.request.facts, profile);
    return table_of(common, cost::response_table(tasks, own, profile.name));
  }
  std::vector<cost::Sweep> sweeps;
  for (const auto& s : sweeps_) {
    sweeps.push_back(cost::parse_sweep(model, s));
    for (std::size_t i = 0; i + 1 < sweeps.size(); ++i)
      if (sweeps[i].name == sweeps.back().name)
        throw check::InputError("--sweep " + s + ": " + sweeps[i].name + " is swept already; give all values at once");
  }
  if (steady_ && !common.extra_format.empty())
    throw check::InputError("--steady: written as text or json only, not --format " + common.extra_format);
  const cost::SweepResult result = cost::sweep(model, selected.request.facts, sizes, sweeps, profile);
  std::string what = "kernel " + selected.request.kernel;
  for (const auto& s : selection_.sets) what += ", " + s;
  if (common.extra_format == "csv") return {cost::sweep_csv(model, result, sweeps)};
  if (common.extra_format == "svg") return {cost::sweep_svg(model, result, sweeps, profile, what)};
  check::Table table = cost::sweep_table(model, result, sweeps, profile, what);
  if (!steady_) return table_of(common, table);
  cost::SimulationOptions options;
  options.seed = common.seed == 0 ? 1 : common.seed;
  options.interrupted = &interrupted();
  const auto steady = cost::steady_states(model, selected.request.facts, result, profile, options);
  cost::add_steady(steady, options.seed, table);
  Outcome out = table_of(common, table);
  if (std::any_of(steady.begin(), steady.end(), [](const auto& s) { return !s.precise; }) ||
      steady.size() < result.rows.size())
    out.status = check::exit_inconclusive;
  return out;
}

}  // namespace

std::unique_ptr<Command> make_cost_command() { return std::make_unique<Cost>(); }

}  // namespace iomc::cli
