// SPDX-License-Identifier: GPL-2.0-or-later
// The facts of a specification behind the System interface, and nothing else: what reading them needs. So rules can be
// tested beside a specification whose steps are not registered.
#pragma once

#include <string>
#include <vector>

#include "checker/system.hpp"
#include "spec/iova/facts.hpp"
#include "spec/vfio/facts.hpp"
#include "spec/vmd/facts.hpp"

namespace iomc::check::testing {

template <class Facts, class Kernel>
class FactSystem : public System {
 public:
  FactSystem(std::string name, std::vector<std::string> files, const Kernel* (*find)(std::string_view))
      : name_(std::move(name)), files_(std::move(files)), find_(find) {}

  std::string name() const override { return name_; }
  std::string title() const override { return "a stand-in"; }
  std::vector<std::string> files() const override { return files_; }
  std::vector<NamedText> kernels() const override { return {}; }
  std::vector<PropertyText> properties() const override { return {}; }
  std::vector<StepText> steps() const override { return {}; }
  std::vector<NamedText> configurations() const override { return {}; }
  std::vector<NamedText> sizes() const override { return {}; }

  std::vector<FactText> fact_texts() const override {
    std::vector<FactText> out;
    Facts facts;
    Facts::visit(facts, [&](const model::FactInfo& i, auto& value) {
      out.push_back({i.name, i.what, i.file, i.function, i.source, model::parse_fact(i, "", value)});
    });
    return out;
  }

  std::vector<NamedValue> facts(const std::string& kernel) const override {
    const Kernel* k = find_(kernel);
    if (k == nullptr) throw InputError("no kernel " + kernel);
    return model::list_facts(k->facts);
  }

  void set(const std::string& fact, const std::string& value, std::vector<NamedValue>& all,
           std::vector<NamedValue>&) const override {
    Facts facts;
    const auto wrong = model::set_fact(facts, fact, value);
    if (!wrong) throw InputError("no fact " + fact);
    if (!wrong->empty()) throw InputError(fact + ": " + *wrong);
    for (NamedValue& f : all)
      if (f.first == fact) f.second = value;
  }

  RunResult check(const CheckRequest& request) const override {
    RunResult out;
    out.spec = name();
    out.kernel = request.kernel;
    out.facts = request.facts;
    return out;
  }
  Counterexample replay(const CheckRequest&, const std::string&, const std::string&) const override { return {}; }
  std::vector<WorkloadCost> costs(const std::vector<NamedValue>&) const override { return {}; }

 private:
  std::string name_;
  std::vector<std::string> files_;
  const Kernel* (*find_)(std::string_view);
};

inline FactSystem<spec::iova::Facts, spec::iova::Kernel> iova_facts() {
  return {"iova", {"drivers/iommu/iova.c", "drivers/iommu/dma-iommu.c"}, spec::iova::find_kernel};
}

inline FactSystem<spec::vfio::Facts, spec::vfio::Kernel> vfio_facts() {
  return {"vfio",
          {"drivers/vfio/pci/vfio_pci_intrs.c", "kernel/irq/manage.c", "kernel/irq/chip.c", "fs/eventfd.c"},
          spec::vfio::find_kernel};
}

inline FactSystem<spec::vmd::Facts, spec::vmd::Kernel> vmd_facts() {
  return {"vmd", {"drivers/pci/controller/vmd.c"}, spec::vmd::find_kernel};
}

}  // namespace iomc::check::testing
