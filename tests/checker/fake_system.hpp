// SPDX-License-Identifier: GPL-2.0-or-later
// A system without a specification behind it: fixed results with every kind of verdict, for tests of reports and of the
// program. What it says follows from its facts, so that each exit status can be had from the command line:
//   kernel 6.12                    fake.P2 is violated
//   kernel 6.1                     everything holds, fake.P3 vacuously
//   --state-limit N                everything that was not violated is inconclusive
//   --config slow                  explores until it is interrupted, or for a minute
//   --config deaf                  takes a minute, and does not listen
//   --config broken                breaks a rule of the program
#pragma once

#include <memory>

#include "checker/system.hpp"

namespace iomc::check::fake {

std::unique_ptr<System> make_system();

/// A violation on two CPUs, an interrupt and the device.
Counterexample counterexample();

/// All verdicts in one run: P1 holds, P2 violated, P3 vacuous, P4 inconclusive.
RunResult every_verdict();

/// Runs without end: L1 violated by a loop, L2 holds under the assumption L6, which fails by a run that ends.
RunResult liveness_run();

}  // namespace iomc::check::fake
