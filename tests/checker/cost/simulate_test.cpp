// SPDX-License-Identifier: GPL-2.0-or-later
// The simulation against what queueing theory knows. Three half widths: a 95% interval misses now and then.
#include <catch2/catch.hpp>

#include "checker/cost/queueing.hpp"
#include "checker/cost/simulate.hpp"

using namespace iomc::check::cost;

namespace {

void agrees(const Estimate& e, double exact) {
  INFO("simulated " << e.mean << " +- " << e.half_width << ", exact " << exact);
  CHECK(std::abs(e.mean - exact) <= 3 * e.half_width);
  CHECK(e.half_width <= 0.02 * exact);
}

Network one_server(double arrivals, Service law) {
  return {{{"server", 1}}, {{"customers", 0, arrivals, {{0, 1.0, law}}}}};
}

SimulationOptions seeded(std::uint64_t seed, double precision) {
  SimulationOptions o;
  o.seed = seed;
  o.precision = precision;
  return o;
}

}  // namespace

TEST_CASE("M/M/1") {
  for (const double load : {0.3, 0.6, 0.8}) {
    const auto r = simulate(one_server(load, Service::exponential), seeded(7, 0.02));
    REQUIRE(r.precise);
    agrees(r.classes[0].response, mm1_response(load, 1));
    CHECK(r.utilisation[0] == Approx(load).epsilon(0.03));
  }
}

TEST_CASE("M/D/1") {
  for (const double load : {0.3, 0.6, 0.8}) {
    const auto r = simulate(one_server(load, Service::fixed), seeded(8, 0.02));
    REQUIRE(r.precise);
    agrees(r.classes[0].response, md1_response(load, 1));
  }
}

TEST_CASE("machine repairman") {
  for (const unsigned machines : {1U, 4U, 16U, 64U}) {
    const Network n{{{"working", 0}, {"repairman", 1}},
                    {{"machine", machines, 0, {{0, 10, Service::exponential}, {1, 1, Service::exponential}}}}};
    const auto r = simulate(n, seeded(9, 0.01));
    REQUIRE(r.precise);
    agrees(r.classes[0].throughput, repairman_throughput(machines, 10, 1));
  }
}

TEST_CASE("closed form: the repairman's known values") {
  CHECK(repairman_throughput(1, 9, 1) == Approx(0.1));
  // Two machines, think 1, repair 1: states 0, 1, 2 waiting have weights 1, 2, 2.
  CHECK(repairman_throughput(2, 1, 1) == Approx(0.8));
  CHECK(repairman_throughput(1000, 10, 1) == Approx(1).epsilon(1e-6));
}

TEST_CASE("a fixed network needs no luck: a lock and three CPUs") {
  const Network n{{{"elsewhere", 0}, {"lock", 1}}, {{"cpu", 3, 0, {{0, 1, Service::fixed}, {1, 1, Service::fixed}}}}};
  const auto r = simulate(n, seeded(1, 0.01));
  CHECK(r.classes[0].throughput.mean == Approx(1).epsilon(1e-3));
  CHECK(r.classes[0].response.mean == Approx(3).epsilon(1e-3));
  CHECK(r.utilisation[1] == Approx(1).epsilon(1e-3));
}

TEST_CASE("the same seed gives the same numbers, another seed others; a limit ends it") {
  const auto n = one_server(0.6, Service::exponential);
  const auto a = simulate(n, seeded(3, 0.05));
  CHECK(a.classes[0].response.mean == simulate(n, seeded(3, 0.05)).classes[0].response.mean);
  CHECK(a.classes[0].response.mean != simulate(n, seeded(4, 0.05)).classes[0].response.mean);
  SimulationOptions short_run = seeded(3, 1e-9);
  short_run.most = 100'000;
  CHECK_FALSE(simulate(n, short_run).precise);
}
