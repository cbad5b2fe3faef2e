// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/systems/symbolic_run.hpp"

#include "properties/vfio_intx.hpp"
#include "spec/vfio/vfio.hpp"

namespace iomc::check {

namespace {

template <class Spec>
std::vector<model::Property<Spec>> all_properties() {
  auto all = properties::vfio::properties<Spec>();
  properties::vfio::add_intx_properties(all);
  return all;
}

}  // namespace

Exploration check_symbolically(const spec::vfio::Config& config, const SymbolicRequest& request) {
  using Plain = spec::vfio::Vfio<model::Concrete>;
  using Twin = spec::vfio::Vfio<Symbolic>;
  return bounded(Plain(config), Twin(config), all_properties<Plain>(), all_properties<Twin>(), request);
}

ask::Answer answer_within(const spec::vfio::Config& config, const ask::Question& question,
                          const std::vector<ask::FieldWords>& words, const CheckRequest& request) {
  const spec::vfio::Vfio<model::Concrete> spec(config);
  const spec::vfio::Vfio<Symbolic> twin(config);
  return within_steps(spec, twin, question, words, request);
}

}  // namespace iomc::check
