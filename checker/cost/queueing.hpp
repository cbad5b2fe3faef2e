// SPDX-License-Identifier: GPL-2.0-or-later
// Closed forms of queueing theory, for what has one; the simulation is held against them. Rates in events per unit of
// time, times in the same unit.
#pragma once

namespace iomc::check::cost {

/// Mean time in system of M/M/1, arrivals below service.
double mm1_response(double arrivals, double service);
/// Mean time in system of M/D/1 (Pollaczek and Khinchine with no variance).
double md1_response(double arrivals, double service);
/// Machine repairman: `machines` that work an exponential time of mean `think`, then need one repairman for an
/// exponential time of mean `repair`. Repairs done per unit of time.
double repairman_throughput(unsigned machines, double think, double repair);

}  // namespace iomc::check::cost
