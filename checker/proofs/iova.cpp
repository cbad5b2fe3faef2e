// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/symbolic/value.hpp"  // before the specification: its free functions are found by qualified name

#include "checker/proofs/attempts.hpp"
#include "properties/iova_invariants.hpp"
#include "properties/iova_tree.hpp"
#include "spec/iova/configurations.hpp"

namespace iomc::check::proofs {

namespace {

namespace iova = spec::iova;
namespace prop = properties::iova;
using symbolic::Symbolic;

constexpr unsigned tree_nodes = 2;

Attempt tree_alone(const Request& request, const iova::Facts& facts) {
  using Plain = iova::TreeAlone<model::Concrete, tree_nodes>;
  using Twin = iova::TreeAlone<Symbolic, tree_nodes>;
  const Plain plain(facts);
  const Twin twin(facts);
  symbolic::ProveOptions options = options_of(request);
  options.solver.logic = symbolic::wide_logic;
  const symbolic::ProofGoal<Plain, Twin> goal{only(prop::tree_properties<Plain>(), request.property),
                                              only(prop::tree_properties<Twin>(), request.property),
                                              prop::tree_invariants<Plain>(), prop::tree_invariants<Twin>()};
  Attempt a = attempt_of(symbolic::prove(plain, twin, goal, {}, options), options);
  a.configuration = "tree-alone";
  a.scope = "the tree alone, 64-bit pfns, at most " + std::to_string(tree_nodes) + " nodes with any contents";
  a.open = std::string(Plain::assumptions()) + "; aligned and unaligned requests";
  return a;
}

/// The configuration cut down to the shape that proofs are made in, with the sizes that were asked for.
iova::Config cut_down(const iova::NamedConfiguration& which, const iova::Facts& facts, const Request& request) {
  using Shape = iova::Tiny;
  iova::Config c = iova::make_config(which, facts);
  c.sizes.cpus = Shape::cpus;
  c.sizes.bins = Shape::bins;
  c.sizes.mag_size = Shape::mag;
  c.sizes.depot_max = 1;
  c.sizes.boundary = 5;
  c.sizes.top = 6;
  c.sizes.start_pfn = 2;
  c.sizes.fq_size = Shape::ring;
  c.sizes.max_ranges = Shape::nodes;
  c.sizes.max_mappings = 2;
  struct Named {
    const char* name;
    unsigned iova::Sizes::*member;
    unsigned most;
  };
  constexpr Named named[] = {{"cpus", &iova::Sizes::cpus, Shape::cpus},
                             {"bins", &iova::Sizes::bins, Shape::bins},
                             {"mag_size", &iova::Sizes::mag_size, Shape::mag},
                             {"depot_max", &iova::Sizes::depot_max, Shape::depot},
                             {"boundary", &iova::Sizes::boundary, 64},
                             {"top", &iova::Sizes::top, 128},
                             {"start_pfn", &iova::Sizes::start_pfn, 127},
                             {"fq_size", &iova::Sizes::fq_size, Shape::ring},
                             {"max_ranges", &iova::Sizes::max_ranges, Shape::nodes},
                             {"max_mappings", &iova::Sizes::max_mappings, 2}};
  for (const auto& [size, value] : request.check.sizes)
    for (const Named& n : named)
      if (size == n.name) {
        const auto v = static_cast<unsigned>(std::stoul(value));
        if (v > n.most)
          throw InputError(size + "=" + value + ": proofs take at most " + std::to_string(n.most) +
                           "; iomc check explores larger sizes");
        c.sizes.*n.member = v;
      }
  if (c.sizes.start_pfn >= c.sizes.top)
    throw InputError("start_pfn must lie below top (" + std::to_string(c.sizes.top) + ")");
  // Single pages within 32 bits: with two sizes and two attempts there are seven times as many paths.
  c.env.request_pages = {1};
  for (iova::Device& d : c.env.devices) d.limit = c.sizes.boundary - 1;
  if (c.env.devices.size() > Shape::devices || c.env.lanes.size() > Shape::lanes || c.env.depot_filled > 0)
    throw InputError("configuration '" + c.name + "' is too large for a proof (at most " +
                     std::to_string(Shape::devices) + " device and " + std::to_string(Shape::lanes) +
                     " contexts); iomc check explores it");
  return c;
}

Attempt whole(const Request& request, const iova::Facts& facts, const iova::NamedConfiguration& which) {
  using Plain = iova::Iova<model::Concrete, iova::Tiny>;
  using Twin = iova::Iova<Symbolic, iova::Tiny>;
  const iova::Config config = cut_down(which, facts, request);
  const Plain plain(config);
  const Twin twin(config);
  symbolic::ProveOptions options = options_of(request);
  options.fix = [](unsigned instance) -> std::vector<symbolic::FixedField> {
    const unsigned step = instance % iova::step_count;
    const bool starts = step == static_cast<unsigned>(iova::Step::migrate) ||
                        step <= static_cast<unsigned>(iova::Step::unmap);
    if (starts) return {};
    std::string counter = "lanes[";
    counter += std::to_string(instance / iova::step_count);
    counter += "].pc";
    return {{std::move(counter), step}};
  };
  const symbolic::ProofGoal<Plain, Twin> goal{only(prop::properties<Plain>(), request.property),
                                              only(prop::properties<Twin>(), request.property),
                                              prop::invariants<Plain>(), prop::invariants<Twin>()};
  Attempt a = attempt(plain, twin, goal, options, mined_states(request));
  a.configuration = which.name;
  std::string scope = iova::scope_text(config);
  if (const std::string known = "exhaustive "; scope.starts_with(known)) scope.erase(0, known.size());
  a.scope = scope;
  return a;
}

}  // namespace

std::vector<Attempt> iova_attempts(const Request& request) {
  const auto facts = facts_of<iova::Facts>(request);
  using Any = iova::TreeAlone<model::Concrete, tree_nodes>;
  const bool of_tree = !only(prop::tree_properties<Any>(), request.property).empty();
  const auto& asked = request.check.configurations;
  const auto wants = [&](const char* name) {
    return asked.empty() || std::find(asked.begin(), asked.end(), name) != asked.end();
  };
  std::vector<Attempt> out;
  if (of_tree && wants("tree-alone")) out.push_back(tree_alone(request, facts));
  for (const auto& c : iova::configurations()) {
    const bool chosen = asked.empty() ? !of_tree && std::string(c.name) == "strict" : wants(c.name);
    if (!chosen) continue;
    if (!c.applies(facts))
      throw InputError("configuration '" + std::string(c.name) + "' needs what this kernel does not have");
    if (only(prop::properties<iova::Iova<model::Concrete, iova::Tiny>>(), request.property).empty()) continue;
    out.push_back(whole(request, facts, c));
  }
  return out;
}

}  // namespace iomc::check::proofs
