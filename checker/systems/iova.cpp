// SPDX-License-Identifier: GPL-2.0-or-later
// The iova specification behind the System interface.
#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>

#include "checker/explicit/explorer.hpp"
#include "checker/systems/registry.hpp"
#include "properties/iova.hpp"
#include "properties/iova_runs.hpp"
#include "spec/iova/configurations.hpp"
#include "spec/iova/workloads.hpp"

namespace iomc::check {

namespace {

using namespace spec::iova;
namespace prop = properties::iova;

struct SizeName {
  const char* name;
  const char* what;
  unsigned Sizes::*member;
  unsigned lo;
  unsigned hi;
};

constexpr std::array size_names = {
    SizeName{"cpus", "CPUs", &Sizes::cpus, 1, Medium::cpus},
    SizeName{"bins", "size classes of the rcache", &Sizes::bins, 1, Medium::bins},
    SizeName{"mag_size", "entries of one magazine", &Sizes::mag_size, 1, Medium::mag},
    SizeName{"depot_max", "depot slots of one size class, where the depot is bounded", &Sizes::depot_max, 1,
             Medium::depot},
    SizeName{"boundary", "first pfn above the 32-bit limit", &Sizes::boundary, 2, 64},
    SizeName{"top", "first pfn beyond the widest device's limit", &Sizes::top, 2, 128},
    SizeName{"start_pfn", "first pfn of the domain", &Sizes::start_pfn, 0, 127},
    SizeName{"fq_size", "slots of one flush queue", &Sizes::fq_size, 2, Medium::ring},
    SizeName{"max_ranges", "tree nodes at one time", &Sizes::max_ranges, 1, Medium::nodes},
    SizeName{"max_mappings", "mappings that drivers hold at one time", &Sizes::max_mappings, 1, Medium::live},
};

template <class Shape>
bool fits(const Config& c) {
  const Sizes& s = c.sizes;
  // Two lanes may both have seen room for one more mapping.
  const unsigned mappings = s.max_mappings + static_cast<unsigned>(c.env.lanes.size());
  return s.cpus <= Shape::cpus && s.bins <= Shape::bins && s.mag_size <= Shape::mag && s.fq_size <= Shape::ring &&
         s.max_ranges <= Shape::nodes && mappings <= Shape::live && c.env.lanes.size() <= Shape::lanes &&
         c.env.devices.size() <= Shape::devices &&
         (c.facts.depot_max == 0 ? s.max_ranges / s.mag_size : s.depot_max) <= Shape::depot;
}

/// Calls f(spec) with the smallest shape that has room.
template <class F>
auto with_spec(const Config& c, F&& f) {
  if (fits<Small>(c)) return f(Iova<model::Concrete, Small>(c));
  if (fits<Medium>(c)) return f(Iova<model::Concrete, Medium>(c));
  throw InputError("configuration '" + c.name +
                   "' does not fit the exhaustive search at these sizes; lower max_ranges or raise " +
                   "mag_size (the depot holds at most " + std::to_string(Medium::depot) + " magazines there)");
}

Facts to_facts(const std::vector<NamedValue>& values) {
  Facts f;
  for (const auto& [name, value] : values) {
    const auto answer = model::set_fact(f, name, value);
    if (!answer) throw InputError("iova has no fact '" + name + "'");
    if (!answer->empty()) throw InputError("fact " + name + ": '" + value + "' is not " + *answer);
  }
  return f;
}

unsigned to_size(const SizeName& size, const std::string& value) {
  unsigned parsed = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), parsed);
  if (error != std::errc{} || end != value.data() + value.size() || parsed < size.lo || parsed > size.hi)
    throw InputError(std::string(size.name) + "=" + value + ": exhaustive search takes " + std::to_string(size.lo) +
                     " to " + std::to_string(size.hi) + " (" + size.what + ")");
  return parsed;
}

void set_sizes(Config& c, const std::vector<NamedValue>& sizes) {
  for (const auto& [name, value] : sizes)
    for (const auto& known : size_names)
      if (name == known.name) {
        const unsigned old_boundary = c.sizes.boundary;
        const unsigned old_top = c.sizes.top;
        c.sizes.*known.member = to_size(known, value);
        // Devices keep their place relative to the boundary and the top.
        for (Device& d : c.env.devices) {
          if (d.limit + 1 == old_top) d.limit = c.sizes.top - 1;
          else if (d.limit + 1 == old_boundary) d.limit = c.sizes.boundary - 1;
        }
      }
  const unsigned filled = c.env.depot_filled * c.sizes.mag_size;
  if (filled + c.sizes.start_pfn > c.sizes.boundary || filled > c.sizes.max_ranges)
    throw InputError("configuration '" + c.name + "' begins with " + std::to_string(filled) +
                     " cached pages: raise boundary and max_ranges, or lower mag_size and start_pfn");
  if (c.sizes.start_pfn >= c.sizes.top)
    throw InputError("start_pfn must lie below top (" + std::to_string(c.sizes.top) + ")");
}

std::vector<const NamedConfiguration*> chosen(const CheckRequest& request, const Facts& facts) {
  std::vector<const NamedConfiguration*> out;
  for (const auto& name : request.configurations) {
    const NamedConfiguration* c = find_configuration(name);
    if (c == nullptr) {
      std::string known;
      for (const auto& k : configurations()) known += (known.empty() ? "" : ", ") + std::string(k.name);
      throw InputError("iova has no configuration '" + name + "'; it has: " + known);
    }
    if (!c->applies(facts))
      throw InputError("configuration '" + name + "' needs what this kernel does not have (" + c->what + ")");
    out.push_back(c);
  }
  if (request.configurations.empty())
    for (const auto& c : configurations())
      if (c.by_default && c.applies(facts)) out.push_back(&c);
  return out;
}

template <class Spec>
std::vector<model::Property<Spec>> chosen_properties(const CheckRequest& request) {
  const auto all = prop::properties<Spec>();
  if (request.properties.empty()) return all;
  std::vector<model::Property<Spec>> out;
  for (const auto& id : request.properties) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& p) { return p.info.id == id; });
    if (found != all.end()) out.push_back(*found);
  }
  return out;
}

const char* kind_name(model::PropertyKind k) {
  switch (k) {
    case model::PropertyKind::safety: return "safety";
    case model::PropertyKind::completeness: return "completeness";
    case model::PropertyKind::performance: return "performance";
    case model::PropertyKind::liveness: break;
  }
  return "liveness";
}

class IovaSystem : public System {
 public:
  std::string name() const override { return "iova"; }
  std::string title() const override { return "IOVA allocation, its caches and the flush queue"; }
  std::vector<std::string> files() const override {
    return {"drivers/iommu/iova.c", "drivers/iommu/dma-iommu.c", "include/linux/iova.h"};
  }
  std::vector<NamedText> kernels() const override {
    std::vector<NamedText> out;
    for (const Kernel& k : spec::iova::kernels()) out.push_back({std::string(k.name), std::string(k.source)});
    return out;
  }
  std::vector<PropertyText> properties() const override {
    std::vector<PropertyText> out;
    for (const auto& p : prop::properties<Iova<model::Concrete, Small>>())
      out.push_back({p.info.id, p.info.claim, p.info.why, p.info.source, kind_name(p.info.kind)});
    for (const auto& p : prop::run_properties())
      out.push_back({p.info.id, p.info.claim, p.info.why, p.info.source, kind_name(p.info.kind)});
    return out;
  }
  std::vector<StepText> steps() const override {
    std::vector<StepText> out;
    for (const auto& s : step_table()) out.push_back({s.name, s.function, s.file, s.what});
    return out;
  }
  std::vector<FactText> fact_texts() const override {
    std::vector<FactText> out;
    Facts f;
    Facts::visit(f, [&](const model::FactInfo& i, auto& value) {
      out.push_back({i.name, i.what, i.file, i.function, i.source, model::parse_fact(i, "?", value)});
    });
    return out;
  }
  std::vector<NamedText> configurations() const override {
    std::vector<NamedText> out;
    for (const auto& c : spec::iova::configurations())
      out.push_back({c.name, std::string(c.what) + (c.by_default ? "" : " [only with --config]")});
    return out;
  }
  std::vector<NamedText> sizes() const override {
    std::vector<NamedText> out;
    for (const auto& s : size_names)
      out.push_back({s.name, std::string(s.what) + ", " + std::to_string(s.lo) + ".." + std::to_string(s.hi)});
    return out;
  }

  std::vector<NamedValue> facts(const std::string& kernel) const override {
    if (const Kernel* k = find_kernel(kernel)) return model::list_facts(k->facts);
    std::string known;
    for (const Kernel& k : spec::iova::kernels()) known += (known.empty() ? "" : ", ") + std::string(k.name);
    throw InputError("iova has no kernel '" + kernel + "'; it has: " + known);
  }

  void set(const std::string& name, const std::string& value, std::vector<NamedValue>& facts,
           std::vector<NamedValue>& sizes) const override {
    for (const auto& size : size_names)
      if (name == size.name) {
        to_size(size, value);
        sizes.emplace_back(name, value);
        return;
      }
    Facts checked = to_facts(facts);
    const auto answer = model::set_fact(checked, name, value);
    if (!answer) throw InputError("iova has no fact or size '" + name + "'; see: iomc list facts, iomc list sizes");
    if (!answer->empty()) throw InputError("--set " + name + "=" + value + ": the value must be " + *answer);
    facts = model::list_facts(checked);
  }

  RunResult check(const CheckRequest& request) const override {
    const Facts f = to_facts(request.facts);
    for (const auto& id : request.properties) require_property(id);
    RunResult out;
    out.spec = name();
    out.kernel = request.kernel;
    out.facts = request.facts;
    const auto start = std::chrono::steady_clock::now();
    for (const NamedConfiguration* which : chosen(request, f)) {
      if (only_counted(request)) break;
      Config c = make_config(*which, f);
      set_sizes(c, request.sizes);
      const double gone = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      out.explorations.push_back(explore_one(c, request, gone));
    }
    out.results = merge(out.explorations);
    count_runs(request, f, out.results);
    for (std::size_t i = 1; i < step_table().size(); ++i) {
      if (out.explorations.empty()) break;
      const bool fired = std::any_of(out.explorations.begin(), out.explorations.end(),
                                     [&](const auto& e) { return e.coverage[i].fired != 0; });
      if (!fired) out.never_fired.push_back(step_table()[i].name);
    }
    return out;
  }

  Counterexample replay(const CheckRequest& request, const std::string& property,
                        const std::string& path) const override {
    require_property(property);
    const Facts f = to_facts(request.facts);
    const auto which = chosen(request, f);
    if (which.empty())
      throw InputError("replay needs the configuration the counterexample was found in: --config NAME");
    Config c = make_config(*which.front(), f);
    set_sizes(c, request.sizes);
    return with_spec(c, [&](const auto& spec) {
      using Spec = std::remove_cvref_t<decltype(spec)>;
      const Run<Spec> run = follow(spec, parse_path(path));
      Counterexample out = render(spec, run);
      const auto all = prop::properties<Spec>();
      const auto p = std::find_if(all.begin(), all.end(), [&](const auto& x) { return x.info.id == property; });
      out.confirmed = p != all.end() && violates_at_end(spec, *p, run, out.conclusion);
      if (!out.confirmed) out.conclusion = property + " does not fail at the end of this path, or fails before it";
      return out;
    });
  }

  std::vector<WorkloadCost> costs(const std::vector<NamedValue>& facts) const override {
    const Facts f = to_facts(facts);
    std::vector<WorkloadCost> out;
    for (const char* name : {"map-unmap", "hit", "lazy"}) {
      const spec::iova::Run run = run_workload(name, f);
      out.push_back({run.name, run.workload, {}});
      for (const auto& m : run.measures) out.back().per_operation.emplace_back(m.name, m.mean);
    }
    return out;
  }

 private:
  static const prop::RunProperty* run_property(const std::string& id) {
    for (const auto& p : prop::run_properties())
      if (p.info.id == id) return &p;
    return nullptr;
  }

  /// Nothing that was asked for needs an exploration.
  static bool only_counted(const CheckRequest& request) {
    return !request.properties.empty() && std::all_of(request.properties.begin(), request.properties.end(),
                                                      [](const auto& id) { return run_property(id) != nullptr; });
  }

  /// The properties of counted runs: all in a plain check, else those that were named.
  static void count_runs(const CheckRequest& request, const Facts& f, std::vector<PropertyResult>& results) {
    Runs runs(f);
    const bool plain = request.properties.empty() && request.configurations.empty();
    for (const auto& p : prop::run_properties()) {
      const bool named =
          std::find(request.properties.begin(), request.properties.end(), p.info.id) != request.properties.end();
      if (!plain && !named) continue;
      PropertyResult r;
      r.property = p.info.id;
      r.claim = p.info.claim;
      r.configuration = "counted runs";
      if (request.interrupted != nullptr && *request.interrupted) {
        r.reason = "interrupted before its runs were made";
      } else {
        const prop::RunVerdict v = prop::check(p, runs);
        r.verdict = v.holds ? Verdict::holds : Verdict::violated;
        r.scope = v.scope;
        r.counted = v.found;
      }
      results.push_back(std::move(r));
    }
  }

  void require_property(const std::string& id) const {
    if (id == "iova.deadlock") return;
    for (const auto& p : properties())
      if (p.id == id) return;
    throw InputError("iova has no property '" + id + "'; see: iomc list properties");
  }

  Exploration explore_one(const Config& c, const CheckRequest& request, double gone) const {
    Limits limits;
    limits.states = request.limit_states;
    limits.memory_bytes = request.limit_memory_bytes;
    limits.interrupted = request.interrupted;
    if (request.limit_seconds > 0) limits.seconds = std::max(0.001, request.limit_seconds - gone);
    if (request.progress)
      limits.progress = [&](const Progress& p) {
        request.progress({c.name, p.states, p.transitions, p.depth, p.queued});
      };
    return with_spec(c, [&](const auto& spec) {
      using Spec = std::remove_cvref_t<decltype(spec)>;
      const auto properties = chosen_properties<Spec>(request);
      Exploration e = explore(spec, std::span<const model::Property<Spec>>(properties), limits);
      e.configuration = c.name;
      e.scope = scope_text(c);
      if (!request.properties.empty() &&
          std::find(request.properties.begin(), request.properties.end(), "iova.deadlock") == request.properties.end())
        e.results.pop_back();
      for (auto& r : e.results) {
        r.configuration = c.name;
        r.scope = e.scope;
      }
      return e;
    });
  }
};

}  // namespace

std::unique_ptr<System> make_iova_system() { return std::make_unique<IovaSystem>(); }

}  // namespace iomc::check
