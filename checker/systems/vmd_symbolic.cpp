// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/systems/symbolic_run.hpp"

#include "properties/vmd.hpp"
#include "spec/vmd/vmd.hpp"

namespace iomc::check {

Exploration check_symbolically(const spec::vmd::Config& config, const SymbolicRequest& request) {
  using Plain = spec::vmd::Vmd<model::Concrete, spec::vmd::Small>;
  using Twin = spec::vmd::Vmd<Symbolic, spec::vmd::Small>;
  return bounded(Plain(config), Twin(config), properties::vmd::properties<Plain>(),
                 properties::vmd::properties<Twin>(), request);
}

ask::Answer answer_within(const spec::vmd::Config& config, const ask::Question& question,
                          const std::vector<ask::FieldWords>& words, const CheckRequest& request) {
  const spec::vmd::Vmd<model::Concrete, spec::vmd::Small> spec(config);
  const spec::vmd::Vmd<Symbolic, spec::vmd::Small> twin(config);
  return within_steps(spec, twin, question, words, request);
}

}  // namespace iomc::check
