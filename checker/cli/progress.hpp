// SPDX-License-Identifier: GPL-2.0-or-later
// Progress on stderr: whole lines, at most one a second, so that a CI log stays readable.
#pragma once

#include <functional>

#include "checker/system.hpp"

namespace iomc::cli {

std::function<void(const check::ProgressReport&)> progress_lines();

}  // namespace iomc::cli
