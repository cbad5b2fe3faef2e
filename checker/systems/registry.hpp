// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <memory>

#include "checker/system.hpp"

namespace iomc::check {

std::unique_ptr<System> make_iova_system();
std::unique_ptr<System> make_vfio_system();
std::unique_ptr<System> make_vmd_system();

}  // namespace iomc::check
