// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/review/read_facts.hpp"

#include <catch2/catch.hpp>
#include <chrono>

#include "tests/checker/review/fake_system.hpp"
#include "tests/checker/review/source_packages.hpp"

using namespace iomc::check;
using iomc::check::testing::FakeIova;

namespace {

/// Every difference in words, so that a failing test says what to look at.
std::string differences(const FactReading& read, const std::vector<NamedValue>& expected) {
  std::string out;
  for (const auto& [name, value] : expected) {
    const FactRead* f = read.find(name);
    const std::string got = f == nullptr ? "not read at all" : f->value.value_or("unknown");
    if (got != value) out += name + ": expected " + value + ", read " + got + " (" + (f == nullptr ? "" : f->where) + ")\n";
  }
  return out;
}

}  // namespace

TEST_CASE("the facts of the two Debian kernels are the built-in ones") {
  const FakeIova system;
  for (const std::string version : {"6.1", "6.12"}) {
    const auto begun = std::chrono::steady_clock::now();
    const FactReading read = read_facts(testing::kernel(version), system);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
    INFO(to_text(read));
    INFO("seconds: " << took.count());
    CHECK(differences(read, system.facts("debian-" + version)) == "");
    CHECK(read.complete());
    CHECK(took.count() < 30);
  }
}
