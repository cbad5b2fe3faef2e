// SPDX-License-Identifier: GPL-2.0-or-later
// The chart of a counterexample: one column per CPU and context, time downwards. docs/counterexample.md is its legend.
#pragma once

#include <string>

#include "checker/result.hpp"

namespace iomc::report {

/// Lines of at most `width` characters, each ending in a newline; no conclusion and no replay line.
std::string lane_chart(const check::Counterexample& counterexample, unsigned width);

}  // namespace iomc::report
