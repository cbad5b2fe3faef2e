// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/cost/queueing.hpp"

#include "model/check.hpp"

namespace iomc::check::cost {

double mm1_response(double arrivals, double service) {
  IOMC_PRE(arrivals < service);
  return 1 / (service - arrivals);
}

double md1_response(double arrivals, double service) {
  IOMC_PRE(arrivals < service);
  const double load = arrivals / service;
  return 1 / service + load / (2 * service * (1 - load));
}

double repairman_throughput(unsigned machines, double think, double repair) {
  // Mean value analysis, exact here: an arriving machine sees the queue that one machine fewer would make.
  double queue = 0;
  double throughput = 0;
  for (unsigned n = 1; n <= machines; ++n) {
    const double response = repair * (1 + queue);
    throughput = n / (think + response);
    queue = throughput * response;
  }
  return throughput;
}

}  // namespace iomc::check::cost
