// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/symbolic/value.hpp"  // before the specification: its free functions are found by qualified name

#include "checker/proofs/attempts.hpp"
#include "properties/vmd_invariants.hpp"
#include "spec/vmd/configurations.hpp"

namespace iomc::check::proofs {

namespace vmd = spec::vmd;
namespace prop = properties::vmd;

std::vector<Attempt> vmd_attempts(const Request& request) {
  using Plain = vmd::Vmd<model::Concrete, vmd::Small>;
  using Twin = vmd::Vmd<symbolic::Symbolic, vmd::Small>;
  const auto facts = facts_of<vmd::Facts>(request);
  const auto& asked = request.check.configurations;
  std::vector<Attempt> out;
  if (!request.check.sizes.empty())
    throw InputError("proofs about vmd take each configuration's own sizes; leave --set " +
                     request.check.sizes.front().first + " out");
  if (only(prop::properties<Plain>(), request.property).empty()) return out;
  for (const auto& c : vmd::configurations()) {
    const bool chosen = asked.empty() ? std::string(c.name) == "mode"
                                      : std::find(asked.begin(), asked.end(), c.name) != asked.end();
    if (!chosen) continue;
    if (!c.applies(facts))
      throw InputError("configuration '" + std::string(c.name) + "' needs what this kernel does not have");
    const vmd::Config config = vmd::make_config(c, facts);
    const bool life = config.env.scene == vmd::Scene::life;
    const Plain plain(config);
    const Twin twin(config);
    symbolic::ProofGoal<Plain, Twin> goal{only(prop::properties<Plain>(), request.property),
                                          only(prop::properties<Twin>(), request.property), {}, {}};
    if (life) {
      goal.invariants = prop::mode_invariants<Plain>();
      goal.twins = prop::mode_invariants<Twin>();
    }
    Attempt a = attempt(plain, twin, goal, options_of(request), mined_states(request));
    a.configuration = c.name;
    std::string scope = vmd::scope_text(config);
    if (const std::string known = "exhaustive "; scope.starts_with(known)) scope.erase(0, known.size());
    a.scope = scope;
    out.push_back(std::move(a));
  }
  return out;
}

}  // namespace iomc::check::proofs
