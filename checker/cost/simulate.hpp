// SPDX-License-Identifier: GPL-2.0-or-later
// Discrete-event simulation of a queueing network: what a lock, a CPU, an interrupt source or a port does under load.
// Seeded: the same network and seed give the same numbers on every machine.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace iomc::check::cost {

enum class Service : unsigned char { fixed, exponential };

/// First come first served. `servers` 0: as many as there are customers, nobody waits.
struct Station {
  std::string name;
  unsigned servers = 1;
};

/// One stop on a customer's way.
struct Visit {
  unsigned station = 0;
  double mean = 0;
  Service law = Service::fixed;
};

/// Customers of one kind. Closed: `customers` go round for ever. Open (customers 0): they arrive as a Poisson stream of
/// `arrivals` per unit of time and leave after the last visit.
struct Class {
  std::string name;
  unsigned customers = 0;
  double arrivals = 0;
  std::vector<Visit> visits;
};

struct Network {
  std::vector<Station> stations;
  std::vector<Class> classes;
};

struct SimulationOptions {
  std::uint64_t seed = 1;
  double precision = 0.01;          ///< stop when each interval's half width is at most this part of its mean
  std::uint64_t most = 20'000'000;  ///< completions at which it gives up: `precise` is false then
  const std::atomic<bool>* interrupted = nullptr;
};

/// A mean with its 95% confidence interval, by batch means.
struct Estimate {
  double mean = 0;
  double half_width = 0;
};

struct ClassResult {
  Estimate throughput;  ///< rounds, or departures, per unit of time
  Estimate response;    ///< time of one round
};

struct SimulationResult {
  std::vector<ClassResult> classes;
  std::vector<double> utilisation;  ///< of each station's servers; 0 where there are as many as customers
  std::uint64_t completions = 0;
  bool precise = false;
};

SimulationResult simulate(const Network& network, const SimulationOptions& options);

}  // namespace iomc::check::cost
