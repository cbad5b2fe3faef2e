// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>

#include "checker/cost/model_parts.hpp"
#include "spec/vfio/configurations.hpp"
#include "spec/vfio/vfio.hpp"

namespace iomc::check::cost {

namespace {

namespace vfio = spec::vfio;

using Spec = vfio::Vfio<model::Concrete>;
using Context = model::StepContext<vfio::Event>;

Counted counted_from(const model::CostCount& c, std::int64_t steps) {
  Counted out;
  for (std::size_t i = 0; i < model::cost_kinds; ++i)
    out.counts.emplace_back(model::cost_names[i], static_cast<std::int64_t>(c.n[i]));
  out.counts.emplace_back("steps", steps);
  return out;
}

/// One step of a lane, the first that can be taken; false: it waits.
bool step_of(const Spec& spec, Spec::State& s, Context& cx, std::size_t lane) {
  bool moved = false;
  spec.for_each_candidate(s, [&](unsigned instance) {
    if (moved || instance / vfio::step_count != lane) return;
    cx.choices().clear();
    cx.begin();
    moved = spec.fire(s, instance, cx);
  });
  return moved;
}

class VfioModel : public Model {
 public:
  std::string spec() const override { return "vfio"; }
  std::string operation() const override {
    return "one message to a vector with an eventfd that readers wait for, nobody else on the machine: until the "
           "interrupt's side rests again";
  }
  std::string profile() const override { return "x86-rt"; }
  std::vector<Parameter> parameters() const override {
    return {{"readers", "w", "tasks that wait for the eventfd", 0, 3, 1}};
  }
  std::vector<std::string> counted() const override { return {"readers"}; }
  Counted count(const FactValues& facts, const Sizes& sizes) const override {
    const Delivery d = vfio_delivery_counts(facts, static_cast<unsigned>(sizes.at("readers")));
    Counted out = d.all;
    out.counts.emplace_back("hard_irq_steps", d.hard_irq["steps"]);
    return out;
  }
  std::vector<Derived> derive(const FactValues& facts, const Sizes& sizes, const Counted&,
                              const Profile& profile) const override {
    const Delivery d = vfio_delivery_counts(facts, static_cast<unsigned>(sizes.at("readers")));
    return {{"of it in the hard interrupt", "ns", price(d.hard_irq.events(), profile).ns}};
  }
  Network network(const FactValues&, const Sizes&, const Counted& counted, const Profile& profile) const override {
    // One vector: the device sends again when the user has been told.
    const Price paid = price(counted.events(), profile);
    const double source = paid.of({"msi"}).value;
    return {
        {{"the interrupt's source", 1}, {"the CPU", 1}},
        {{"message", 1, 0, {{0, source, Service::exponential}, {1, paid.ns.value - source, Service::exponential}}}}};
  }
};

}  // namespace

Delivery vfio_delivery_counts(const FactValues& facts, unsigned readers) {
  IOMC_PRE(readers <= vfio::max_waiters);
  const auto all = vfio::configurations();
  const auto alone = std::find_if(all.begin(), all.end(), [](const auto& c) { return std::string(c.name) == "alone"; });
  IOMC_INVARIANT(alone != all.end());
  vfio::Config config = vfio::make_config(*alone, facts_of<vfio::Facts>(facts));
  config.sizes.msis = 1;
  const std::size_t own = config.env.lanes.size();
  for (unsigned i = 0; i < readers; ++i) {
    vfio::LaneSetup reader;
    reader.role = vfio::Role::task;
    reader.cpu = 1;
    reader.name = "reader";
    reader.calls = {{vfio::Op::read, 0, 0}};
    config.env.lanes.push_back(reader);
  }
  const Spec spec(config);
  Spec::State s{};
  Context cx;
  spec.initial(s, cx);
  const auto& lanes = spec.config().env.lanes;
  // Readers and the interrupt's thread, if there is one, go to sleep first.
  for (std::size_t lane = 0; lane < lanes.size(); ++lane)
    if (lanes[lane].role == vfio::Role::task || lanes[lane].role == vfio::Role::irq_thread)
      while (step_of(spec, s, cx, lane)) {
      }
  model::CostCount sum;
  model::CostCount hard;
  std::int64_t steps = 0;
  std::int64_t hard_steps = 0;
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t lane = 0; lane < own && !moved; ++lane) {
      cx.reset_cost();
      if (!step_of(spec, s, cx, lane)) continue;
      moved = true;
      ++steps;
      sum += cx.counted();
      if (lanes[lane].role != vfio::Role::hardirq) continue;
      ++hard_steps;
      hard += cx.counted();
    }
  }
  IOMC_INVARIANT(s.eventfd[0].signals.raw() != 0);
  return {counted_from(sum, steps), counted_from(hard, hard_steps)};
}

std::int64_t vfio_context_switches(const FactValues& facts, unsigned priority) {
  const auto all = vfio::configurations();
  const auto alone = std::find_if(all.begin(), all.end(), [](const auto& c) { return std::string(c.name) == "alone"; });
  IOMC_INVARIANT(alone != all.end());
  vfio::Config config = vfio::make_config(*alone, facts_of<vfio::Facts>(facts));
  config.sizes.msis = 1;
  vfio::LaneSetup reader;
  reader.role = vfio::Role::task;
  reader.priority = priority;
  reader.name = "reader";
  reader.calls = {{vfio::Op::read, 0, 0}};
  reader.order = vfio::Order::once;  // back in user space it has no lane: a second read would look like a switch
  config.env.lanes.push_back(reader);
  const Spec spec(config);
  Spec::State s{};
  Context cx;
  spec.initial(s, cx);
  const std::size_t lanes = spec.config().env.lanes.size();
  for (std::size_t lane = lanes; lane-- > 0;)
    if (spec.config().env.lanes[lane].role == vfio::Role::task ||
        spec.config().env.lanes[lane].role == vfio::Role::irq_thread)
      while (step_of(spec, s, cx, lane)) {
      }
  cx.reset_cost();
  unsigned steps = 0;
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t lane = 0; lane < lanes && !moved; ++lane) moved = step_of(spec, s, cx, lane);
    IOMC_INVARIANT(++steps < 10'000);
  }
  return static_cast<std::int64_t>(cx.counted()[model::Cost::context_switch]);
}

std::unique_ptr<Model> make_vfio_model() { return std::make_unique<VfioModel>(); }

}  // namespace iomc::check::cost
