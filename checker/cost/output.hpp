// SPDX-License-Identifier: GPL-2.0-or-later
// A sweep as a table, as CSV and as a plot.
#pragma once

#include "checker/cost/models.hpp"
#include "checker/result.hpp"

namespace iomc::check::cost {

/// One row for each combination of sizes. `what`: the kernel and the facts that were set, for the title.
Table sweep_table(const Model& model, const SweepResult& result, const std::vector<Sweep>& sweeps,
                  const Profile& profile, const std::string& what);

/// The same with full numbers: sizes, counts, then each time and rate with its least and most.
std::string sweep_csv(const Model& model, const SweepResult& result, const std::vector<Sweep>& sweeps);

/// Adds the steady state under load to a sweep's table: rate with its 95% interval, and what is busiest. `what`: what
/// goes round ("CPU"). Rows in which the simulation was not precise enough say so.
struct Steady {
  Estimate rate;  ///< of all customers together, per second
  std::string busiest;
  bool precise = false;
};
std::vector<Steady> steady_states(const Model& model, const FactValues& facts, const SweepResult& result,
                                  const Profile& profile, const SimulationOptions& options);
void add_steady(const std::vector<Steady>& steady, std::uint64_t seed, Table& table);

/// An SVG by gnuplot, readable without colours: lines differ by dashes and marks. The first sweep is the x axis; a
/// second one, and each rate of one unit, makes lines. InputError where gnuplot is missing.
std::string sweep_svg(const Model& model, const SweepResult& result, const std::vector<Sweep>& sweeps,
                      const Profile& profile, const std::string& what);

}  // namespace iomc::check::cost
