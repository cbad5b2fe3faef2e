// SPDX-License-Identifier: GPL-2.0-or-later
#include <array>

#include "spec/vfio/vfio.hpp"

namespace iomc::spec::vfio {

std::span<const model::StepInfo> step_table() {
  static constexpr std::array<model::StepInfo, step_count> table = {{
      {"idle", "", "", ""},
#define VFIO_STEP(name, function, file, what) {#name, function, file, what},
      VFIO_STEPS(VFIO_STEP)
#undef VFIO_STEP
  }};
  return table;
}

}  // namespace iomc::spec::vfio
