// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/systems/symbolic_run.hpp"

#include "checker/systems/iova_shapes.hpp"
#include "properties/iova.hpp"

namespace iomc::check {

namespace {

template <class Shape>
Exploration bounded_in(const spec::iova::Config& config, const SymbolicRequest& request) {
  using Plain = spec::iova::Iova<model::Concrete, Shape>;
  using Twin = spec::iova::Iova<Symbolic, Shape>;
  return bounded(Plain(config), Twin(config), properties::iova::properties<Plain>(),
                 properties::iova::properties<Twin>(), request);
}

template <class Shape>
ask::Answer answer_in(const spec::iova::Config& config, const ask::Question& question,
                      const std::vector<ask::FieldWords>& words, const CheckRequest& request) {
  const spec::iova::Iova<model::Concrete, Shape> spec(config);
  const spec::iova::Iova<Symbolic, Shape> twin(config);
  return within_steps(spec, twin, question, words, request);
}

[[noreturn]] void no_room(const spec::iova::Config& config) {
  throw InputError("configuration '" + config.name +
                   "' does not fit the symbolic engine at these sizes; lower them, or use the explicit engine");
}

}  // namespace

/// In the smallest shape that has room, as the fewer fields there are, the smaller the formulas.
Exploration check_symbolically(const spec::iova::Config& config, const SymbolicRequest& request) {
  if (fits<spec::iova::Tiny>(config)) return bounded_in<spec::iova::Tiny>(config, request);
  if (fits<spec::iova::Small>(config)) return bounded_in<spec::iova::Small>(config, request);
  no_room(config);
}

ask::Answer answer_within(const spec::iova::Config& config, const ask::Question& question,
                          const std::vector<ask::FieldWords>& words, const CheckRequest& request) {
  if (fits<spec::iova::Tiny>(config)) return answer_in<spec::iova::Tiny>(config, question, words, request);
  if (fits<spec::iova::Small>(config)) return answer_in<spec::iova::Small>(config, question, words, request);
  if (fits<spec::iova::Medium>(config)) return answer_in<spec::iova::Medium>(config, question, words, request);
  no_room(config);
}

}  // namespace iomc::check
