// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/systems/vfio_delivery.hpp"

#include <algorithm>
#include <map>

#include "spec/vfio/configurations.hpp"
#include "spec/vfio/vfio.hpp"

namespace iomc::check {

namespace vfio = spec::vfio;

WorkloadCost vfio_delivery(const vfio::Facts& facts) {
  using Spec = vfio::Vfio<model::Concrete>;
  const auto all = vfio::configurations();
  const auto alone = std::find_if(all.begin(), all.end(), [](const auto& c) { return std::string(c.name) == "alone"; });
  IOMC_INVARIANT(alone != all.end());
  vfio::Config config = vfio::make_config(*alone, facts);
  config.sizes.msis = 1;
  const Spec spec(config);
  Spec::State s{};
  model::StepContext<vfio::Event> cx;
  spec.initial(s, cx);
  std::map<std::string, double> steps;
  double switches = 0;
  double sleeping_locks = 0;
  double in_hard_irq = 0;
  bool counted = false;
  // Nothing competes here: the message is sent, and then one lane at a time can go on.
  for (bool moved = true; moved && !counted;) {
    moved = false;
    spec.for_each_candidate(s, [&](unsigned instance) {
      if (moved || counted) return;
      const auto before = s.machine.current[0];
      cx.choices().clear();
      cx.begin();
      if (!spec.fire(s, instance, cx)) return;
      moved = true;
      const std::size_t lane = instance / vfio::step_count;
      const auto& info = vfio::step_table()[spec.step_of(instance)];
      steps[std::string(info.name) + " (" + info.function + ")"] += 1;
      if (config.env.lanes[lane].role == vfio::Role::hardirq) in_hard_irq += 1;
      if (config.env.lanes[lane].role == vfio::Role::irq_thread && before.raw() != lane + 1) switches += 1;
      for (const vfio::Event& e : cx.events())
        if (e.kind == vfio::Event::acquire && model::sleeps(spec.config().rules.locks[e.lock].kind, facts.preempt))
          sleeping_locks += 1;
      counted = s.eventfd[0].signals.raw() != 0;
    });
  }
  WorkloadCost out;
  out.name = "delivery";
  out.workload = "one message to a vector with an eventfd, nobody else on the machine: until the count is raised";
  double total = 0;
  for (const auto& [step, n] : steps) total += n;
  out.per_operation = {{"steps until the count is raised", total},
                       {"context switches", switches},
                       {"locks that may sleep", sleeping_locks},
                       {"steps with interrupts off, in the hard interrupt", in_hard_irq}};
  // All step names, so that what falls away on one side is shown as 0.
  for (std::size_t i = 1; i < vfio::step_table().size(); ++i) {
    const auto& info = vfio::step_table()[i];
    const std::string name = std::string(info.name) + " (" + info.function + ")";
    const auto found = steps.find(name);
    out.per_operation.emplace_back("step " + name, found == steps.end() ? 0 : found->second);
  }
  return out;
}

}  // namespace iomc::check
