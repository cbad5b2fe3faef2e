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

}  // namespace

/// In the smallest shape that has room, as the fewer fields there are, the smaller the formulas.
Exploration check_symbolically(const spec::iova::Config& config, const SymbolicRequest& request) {
  if (fits<spec::iova::Tiny>(config)) return bounded_in<spec::iova::Tiny>(config, request);
  if (fits<spec::iova::Small>(config)) return bounded_in<spec::iova::Small>(config, request);
  throw InputError("configuration '" + config.name +
                   "' does not fit the symbolic engine at these sizes; lower them, or use --engine explicit");
}

}  // namespace iomc::check
