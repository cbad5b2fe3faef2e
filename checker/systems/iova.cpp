// SPDX-License-Identifier: GPL-2.0-or-later
// The iova specification behind the System interface.
#include "checker/systems/adapter.hpp"
#include "checker/systems/iova_on_code.hpp"
#include "checker/systems/iova_shapes.hpp"
#include "checker/systems/registry.hpp"
#include "properties/iova.hpp"
#include "properties/iova_liveness.hpp"
#include "properties/iova_runs.hpp"
#include "spec/iova/configurations.hpp"
#include "spec/iova/workloads.hpp"

namespace iomc::check {

namespace {

namespace iova = spec::iova;
namespace prop = properties::iova;

struct IovaTraits {
  using Facts = iova::Facts;
  using Config = iova::Config;
  using NamedConfiguration = iova::NamedConfiguration;
  using AnySpec = iova::Iova<model::Concrete, iova::Small>;
  using Size = SizeName<iova::Sizes>;

  static constexpr const char* name = "iova";
  static constexpr const char* title = "IOVA allocation, its caches and the flush queue";
  static constexpr std::array size_names = {
      Size{"cpus", "CPUs", &iova::Sizes::cpus, 1, iova::Medium::cpus},
      Size{"bins", "size classes of the rcache", &iova::Sizes::bins, 1, iova::Medium::bins, 10},
      Size{"mag_size", "entries of one magazine", &iova::Sizes::mag_size, 1, iova::Medium::mag, 1024},
      Size{"depot_max", "depot slots of one size class, where the depot is bounded", &iova::Sizes::depot_max, 1,
           iova::Medium::depot, 1024},
      Size{"boundary", "first pfn above the 32-bit limit", &iova::Sizes::boundary, 2, 64},
      Size{"top", "first pfn beyond the widest device's limit", &iova::Sizes::top, 2, 128},
      Size{"start_pfn", "first pfn of the domain", &iova::Sizes::start_pfn, 0, 127},
      Size{"fq_size", "slots of one flush queue", &iova::Sizes::fq_size, 2, iova::Medium::ring, 1024},
      Size{"max_ranges", "tree nodes at one time", &iova::Sizes::max_ranges, 1, iova::Medium::nodes},
      Size{"max_mappings", "mappings that drivers hold at one time", &iova::Sizes::max_mappings, 1, iova::Medium::live},
  };

  static std::vector<std::string> files() {
    return {"drivers/iommu/iova.c", "drivers/iommu/dma-iommu.c", "include/linux/iova.h"};
  }
  static auto kernels() { return iova::kernels(); }
  static auto configurations() { return iova::configurations(); }
  static auto steps() { return iova::step_table(); }
  static Config make(const NamedConfiguration& which, const Facts& f) { return iova::make_config(which, f); }
  static std::string scope(const Config& c) { return iova::scope_text(c); }
  template <class Spec>
  static auto properties() {
    return prop::properties<Spec>();
  }

  static bool in_kernel(std::size_t step, const Facts& facts) {
    return iova::in_kernel(static_cast<iova::Step>(step), facts);
  }

  template <class Spec>
  static auto leads_to(const Config* c) {
    if (c == nullptr) return prop::leads_to<Spec>(0, 1);
    return c->env.lazy ? prop::leads_to<Spec>(c->sizes.start_pfn, c->sizes.top) : std::vector<model::LeadsTo<Spec>>{};
  }

  static void resized(Config& c, const iova::Sizes& before) {
    // Devices keep their place relative to the boundary and the top.
    for (iova::Device& d : c.env.devices) {
      if (d.limit + 1 == before.top) d.limit = c.sizes.top - 1;
      else if (d.limit + 1 == before.boundary) d.limit = c.sizes.boundary - 1;
    }
    const unsigned filled = c.env.depot_filled * c.sizes.mag_size;
    if (filled + c.sizes.start_pfn > c.sizes.boundary || filled > c.sizes.max_ranges)
      throw InputError("configuration '" + c.name + "' begins with " + std::to_string(filled) +
                       " cached pages: raise boundary and max_ranges, or lower mag_size and start_pfn");
    if (c.sizes.start_pfn >= c.sizes.top)
      throw InputError("start_pfn must lie below top (" + std::to_string(c.sizes.top) + ")");
  }

  /// The smallest shape that has room.
  template <class F>
  static auto with_spec(const Config& c, F&& f) {
    if (fits<iova::Small>(c)) return f(iova::Iova<model::Concrete, iova::Small>(c));
    if (fits<iova::Medium>(c)) return f(iova::Iova<model::Concrete, iova::Medium>(c));
    throw InputError("configuration '" + c.name +
                     "' does not fit the exhaustive search at these sizes; lower max_ranges or raise " +
                     "mag_size (the depot holds at most " + std::to_string(iova::Medium::depot) +
                     " magazines there)");
  }
};

/// Sizes of the explored domain that are constants of the kernel too.
constexpr std::array<std::pair<std::string_view, unsigned iova::Facts::*>, 4> constants = {
    {{"bins", &iova::Facts::bins},
     {"mag_size", &iova::Facts::mag_size},
     {"depot_max", &iova::Facts::depot_max},
     {"fq_size", &iova::Facts::fq_size}}};

class IovaSystem : public SystemOf<IovaTraits> {
 public:
  std::vector<WorkloadCost> costs(const std::vector<NamedValue>& facts) const override {
    const iova::Facts f = to_facts(facts);
    std::vector<WorkloadCost> out;
    for (const char* name : {"map-unmap", "hit", "lazy"}) {
      const iova::Run run = iova::run_workload(name, f);
      out.push_back({run.name, run.workload, {}});
      for (const auto& m : run.measures) out.back().per_operation.emplace_back(m.name, m.mean);
    }
    return out;
  }

  CodeReplay replay_on_code(const CheckRequest& request, const std::string& property, const std::string& path,
                            const std::string& tree) const override {
    const Counterexample judged = replay(request, property, path);
    if (!judged.confirmed)
      return {CodeReplay::Outcome::not_replayable, "the specification does not confirm it: " + judged.conclusion};
    return with_chosen(request, [&](const auto& spec) {
      return follow_on_code(spec, parse_route(path).path, judged.loop_start.has_value(), tree);
    });
  }

 protected:
  std::optional<ask::Answer> ask_part(const ask::Question& question, const CheckRequest& request) const override {
    if (question.spec != "iova.search")
      throw InputError("question: there is no '" + question.spec + "' to ask about; there are iova and iova.search");
    if (question.within || !question.sweep.empty() || !request.configurations.empty())
      throw InputError("question: iova.search is one search: neither within, for, nor --config");
    return answer_search(to_facts(request.facts), question);
  }

  std::vector<model::PropertyInfo> further_properties() const override {
    std::vector<model::PropertyInfo> out;
    for (const auto& p : prop::run_properties()) out.push_back(p.info);
    return out;
  }

  /// The properties of counted runs: all in a plain check, else those that were named.
  void check_further(const CheckRequest& request, const Facts& f, std::vector<PropertyResult>& results) const override {
    // Told with counted properties alone, a size is the kernel's own constant.
    Facts counted = f;
    for (const auto& [name, value] : request.sizes) {
      if (!only_further(request)) break;
      for (const auto& [known, member] : constants)
        if (name == known) counted.*member = static_cast<unsigned>(std::stoul(value));
    }
    iova::Runs runs(counted);
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
};

}  // namespace

std::unique_ptr<System> make_iova_system() { return std::make_unique<IovaSystem>(); }

}  // namespace iomc::check
