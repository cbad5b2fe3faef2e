// SPDX-License-Identifier: GPL-2.0-or-later
// The vfio specification behind the System interface.
#include "checker/cost/verdicts.hpp"
#include "checker/systems/adapter.hpp"
#include "checker/systems/registry.hpp"
#include "checker/systems/vfio_delivery.hpp"
#include "checker/systems/vfio_tables.hpp"
#include "properties/vfio_intx.hpp"
#include "spec/vfio/configurations.hpp"

namespace iomc::check {

namespace {

namespace vfio = spec::vfio;
namespace prop = properties::vfio;

struct VfioTraits {
  using Facts = vfio::Facts;
  using Config = vfio::Config;
  using NamedConfiguration = vfio::NamedConfiguration;
  using AnySpec = vfio::Vfio<model::Concrete>;
  using Size = SizeName<vfio::Sizes>;

  static constexpr const char* name = "vfio";
  static constexpr const char* title = "interrupt dispatch to vfio-pci, and what PREEMPT_RT makes of it";
  static constexpr std::array size_names = {
      Size{"msis", "messages, or assertions of the line, that the device sends for each irq", &vfio::Sizes::msis, 1, 6},
      Size{"spurious_limit", "interrupts after which a line is judged, in place of 100000; 0: never",
           &vfio::Sizes::spurious_limit, 0, 6},
      Size{"priority", "SCHED_FIFO priority of a task that never blocks", &vfio::Sizes::priority, 1, 99},
      Size{"thread_priority", "SCHED_FIFO priority of irq threads", &vfio::Sizes::thread_priority, 1, 99},
  };

  static std::vector<std::string> files() {
    return {"drivers/vfio/pci/vfio_pci_intrs.c", "drivers/vfio/virqfd.c", "fs/eventfd.c", "kernel/irq/manage.c",
            "kernel/irq/chip.c", "kernel/irq/handle.c", "virt/kvm/eventfd.c"};
  }
  static auto kernels() { return vfio::kernels(); }
  static auto configurations() { return vfio::configurations(); }
  static auto steps() { return vfio::step_table(); }
  static Config make(const NamedConfiguration& which, const Facts& f) { return vfio::make_config(which, f); }
  static void resized(Config& c, const vfio::Sizes& before) {
    for (auto& lane : c.env.lanes) {
      if (lane.role == vfio::Role::irq_thread && c.sizes.thread_priority != before.thread_priority)
        lane.priority = c.sizes.thread_priority;
      const auto spins = [](const vfio::Call& call) { return call.op == vfio::Op::spin; };
      if (c.sizes.priority != before.priority && std::any_of(lane.calls.begin(), lane.calls.end(), spins))
        lane.priority = c.sizes.priority;
    }
  }
  static std::string scope(const Config& c) { return vfio::scope_text(c); }
  template <class Spec>
  static auto properties() {
    auto all = prop::properties<Spec>();
    prop::add_intx_properties(all);
    return all;
  }
  template <class Spec>
  static auto leads_to(const Config* config) {
    auto all = prop::leads_to<Spec>();
    prop::add_intx_leads_to(all, config);
    return all;
  }
  template <class F>
  static auto with_spec(const Config& c, F&& f) {
    return f(AnySpec(c));
  }
};

class VfioSystem : public SystemOf<VfioTraits> {
 public:
  std::vector<Build> builds() const override {
    std::vector<Build> out;
    for (const auto word : vfio::preemption_words) {
      const std::string value(word);
      out.push_back({"preempt=" + value, {{"preempt", value}}});
    }
    return out;
  }
  std::vector<WorkloadCost> costs(const std::vector<NamedValue>& facts) const override {
    return {vfio_delivery(to_facts(facts))};
  }
  std::vector<model::PropertyInfo> further_properties() const override {
    std::vector<model::PropertyInfo> out;
    for (const auto& p : properties::vfio_cost_properties()) out.push_back(p.info);
    return out;
  }
  /// Bounds on costs: all in a plain check, else those that were named.
  void check_further(const CheckRequest& request, const vfio::Facts&,
                     std::vector<PropertyResult>& results) const override {
    const bool plain = request.properties.empty() && request.configurations.empty();
    for (const auto& p : properties::vfio_cost_properties())
      if (plain || std::count(request.properties.begin(), request.properties.end(), p.info.id) != 0)
        results.push_back(cost::check_cost(p, request.facts));
  }
  std::vector<NamedText> tables() const override { return vfio_tables(); }
  Table table(const std::string& asked, const CheckRequest& request) const override {
    if (auto t = vfio_table(*this, asked, request)) return *t;
    throw no_table(asked);
  }
};

}  // namespace

std::unique_ptr<System> make_vfio_system() { return std::make_unique<VfioSystem>(); }

}  // namespace iomc::check
