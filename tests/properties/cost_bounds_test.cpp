// SPDX-License-Identifier: GPL-2.0-or-later
// Properties that are bounds on costs: where they hold, and a kernel or a mutant that violates each.
#include <catch2/catch.hpp>

#include "checker/cost/headlines.hpp"
#include "checker/cost/verdicts.hpp"

using namespace iomc::check;
using namespace iomc::check::cost;
using iomc::properties::CostProperty;

namespace {

const CostProperty& property(const std::string& id) {
  for (const auto all : {iomc::properties::vfio_cost_properties(), iomc::properties::vmd_cost_properties()})
    for (const CostProperty& p : all)
      if (id == p.info.id) return p;
  FAIL("no property " << id);
  return iomc::properties::vmd_cost_properties()[0];
}

PropertyResult check(const std::string& id, const FactValues& facts) {
  const PropertyResult r = check_cost(property(id), facts);
  INFO(id << ": " << r.counted);
  CHECK_FALSE(r.scope.empty());
  return r;
}

using Changes = std::vector<std::pair<std::string, std::string>>;
const Changes no_thread = {{"msi_handler_flags", "NO_THREAD"}};

}  // namespace

TEST_CASE("vfio.T1: message to signal is bounded, unless a lock that sleeps is taken in the hard interrupt") {
  for (const char* kernel : {"4.14", "4.14-rt", "6.1-rt", "6.12", "6.12-rt", "6.12-threadirqs"})
    CHECK(check("vfio.T1", kernel_facts("vfio", kernel)).verdict == Verdict::holds);
  const auto r = check("vfio.T1", kernel_facts("vfio", "6.12-rt", no_thread));
  CHECK(r.verdict == Verdict::violated);
  CHECK(r.counted.find("unbounded") != std::string::npos);
  // Mutant: a slow signal.
  CHECK(judge(property("vfio.T1"), {151'000, false, "mutant", "mutant"}).verdict == Verdict::violated);
  CHECK(judge(property("vfio.T1"), {150'000, false, "mutant", "mutant"}).verdict == Verdict::holds);
}

TEST_CASE("vfio.T3: one wake-up and one context switch more") {
  CHECK(check("vfio.T3", kernel_facts("vfio", "6.12-rt")).verdict == Verdict::holds);
  CHECK_FALSE(check("vfio.T3", kernel_facts("vfio", "6.12-rt")).vacuous);
  CHECK(check("vfio.T3", kernel_facts("vfio", "6.12")).vacuous);
  const Found mutant{3, false, "mutant: a secondary thread too", "mutant"};
  CHECK(judge(property("vfio.T3"), mutant).verdict == Verdict::violated);
}

TEST_CASE("vfio.T4: with a thread the hard interrupt's work does not grow with waiters") {
  CHECK(check("vfio.T4", kernel_facts("vfio", "6.12-rt")).verdict == Verdict::holds);
  CHECK(check("vfio.T4", kernel_facts("vfio", "6.12")).vacuous);
  const auto r = check("vfio.T4", kernel_facts("vfio", "6.12-rt", no_thread));
  CHECK(r.verdict == Verdict::violated);
  CHECK(r.counted.find("w + 7") != std::string::npos);
}

TEST_CASE("vmd.P5 and vmd.P6: bypass of a full port") {
  for (const char* id : {"vmd.P5", "vmd.P6"}) {
    for (const char* kernel : {"5.11", "5.16"}) CHECK(check(id, kernel_facts("vmd", kernel)).verdict == Verdict::holds);
    for (const char* kernel : {"5.13", "6.1", "6.12"})
      CHECK(check(id, kernel_facts("vmd", kernel)).verdict == Verdict::violated);
    CHECK(check(id, kernel_facts("vmd", "4.5")).vacuous);
  }
  // Since no vector is capped any more both modes are slow: neither is worse than the other.
  CHECK(check("vmd.P5", kernel_facts("vmd", "6.17")).verdict == Verdict::violated);
  CHECK(check("vmd.P6", kernel_facts("vmd", "6.17")).verdict == Verdict::holds);
}
