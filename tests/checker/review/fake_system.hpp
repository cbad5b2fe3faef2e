// SPDX-License-Identifier: GPL-2.0-or-later
// The iova facts behind the System interface, with a check and a cost that a few facts decide by themselves: the
// review's own behaviour is tested here, not the engines'.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "checker/system.hpp"
#include "spec/iova/facts.hpp"

namespace iomc::check::testing {

class FakeIova : public System {
 public:
  std::string name() const override { return "iova"; }
  std::string title() const override { return "a stand-in"; }
  std::vector<std::string> files() const override { return {"drivers/iommu/iova.c", "drivers/iommu/dma-iommu.c"}; }
  std::vector<NamedText> kernels() const override { return {}; }
  std::vector<PropertyText> properties() const override {
    return {{"iova.P3", {}, {}, {}, "safety"},
            {"iova.P6", {}, {}, {}, "safety"},
            {"iova.P22", {}, {}, {}, "performance"}};
  }
  std::vector<StepText> steps() const override { return {}; }
  std::vector<NamedText> configurations() const override { return {}; }
  std::vector<NamedText> sizes() const override { return {}; }

  std::vector<FactText> fact_texts() const override {
    std::vector<FactText> out;
    spec::iova::Facts facts;
    spec::iova::Facts::visit(facts, [&](const model::FactInfo& i, auto& value) {
      out.push_back({i.name, i.what, i.file, i.function, i.source, model::parse_fact(i, "", value)});
    });
    return out;
  }

  std::vector<NamedValue> facts(const std::string& kernel) const override {
    const spec::iova::Kernel* k = spec::iova::find_kernel(kernel);
    if (k == nullptr) throw InputError("no kernel " + kernel);
    return model::list_facts(k->facts);
  }

  void set(const std::string& fact, const std::string& value, std::vector<NamedValue>& all,
           std::vector<NamedValue>&) const override {
    spec::iova::Facts facts;
    const auto wrong = model::set_fact(facts, fact, value);
    if (!wrong) throw InputError("no fact " + fact);
    if (!wrong->empty()) throw InputError(fact + ": " + *wrong);
    for (NamedValue& f : all)
      if (f.first == fact) f.second = value;
  }

  /// Each property is a condition over facts.
  RunResult check(const CheckRequest& request) const override {
    ++checks;
    const auto is = [&](const char* fact, const char* value) {
      for (const NamedValue& f : request.facts)
        if (f.first == fact) return f.second == value;
      return false;
    };
    RunResult out;
    out.spec = name();
    out.kernel = request.kernel;
    out.facts = request.facts;
    const auto add = [&](const char* id, const char* claim, bool holds) {
      PropertyResult p;
      p.property = id;
      p.claim = claim;
      p.scope = "facts only";
      p.verdict = holds ? Verdict::holds : Verdict::violated;
      if (!holds) p.counterexample = counterexample(id);
      out.results.push_back(p);
    };
    add("iova.P3", "no range lies below the start", is("retry_pfn_wraps", "false"));
    add("iova.P5", "no node is lost", is("node_zeroed", "true"));
    add("iova.P6", "no lock of the interrupt path is taken with interrupts on",
        is("depot_trim", "false") || is("depot_trim_irqsave", "true"));
    add("iova.P22", "one failure in an episode flushes", is("flush_on_32bit_failure", "false"));
    if (inconclusive) {
      out.results[0].verdict = Verdict::inconclusive;
      out.results[0].reason = "time limit";
    }
    return out;
  }

  Counterexample replay(const CheckRequest&, const std::string&, const std::string&) const override { return {}; }

  std::vector<WorkloadCost> costs(const std::vector<NamedValue>& all) const override {
    double locks = 4;
    for (const NamedValue& f : all)
      if (f.first == "flush_on_32bit_failure" && f.second == "true") locks = 2310;
    return {{"map-unmap", "128 CPUs, one mapping at a time", {{"locks", locks}, {"tree nodes", 1.25}}}};
  }

  mutable int checks = 0;
  bool inconclusive = false;

 private:
  static Counterexample counterexample(const std::string& id) {
    Counterexample c;
    TraceStep s;
    s.cpu = 0;
    s.context = "task A";
    s.step = "alloc";
    s.function = "alloc_iova_fast";
    s.what = "asks for one page";
    c.steps.push_back(s);
    c.path = "0/1";
    c.conclusion = id + " does not hold any more";
    return c;
  }
};

}  // namespace iomc::check::testing
