// SPDX-License-Identifier: GPL-2.0-or-later
// One text, two readings: the paths of every step of the vmd specification give exactly the explorer's successors at
// the first states of each configuration and along a random walk, and no step leads out of the closed sets of values.
#include <catch2/catch.hpp>

#include "checker/symbolic/value.hpp"  // before the specification: its free functions are found by qualified name

#include "checker/symbolic/agree.hpp"
#include "spec/vmd/configurations.hpp"
#include "spec/vmd/vmd.hpp"
#include "tests/spec/sampled_states.hpp"

namespace {

using namespace iomc;
using namespace iomc::spec::vmd;
using Plain = Vmd<model::Concrete, Small>;
using Twin = Vmd<check::Symbolic, Small>;

void agrees(const Config& config, const std::string& kernel) {
  const Plain plain(config);
  const Twin twin(config);
  test::Sampled<Plain> sampled(plain);
  sampled.explored(600).walked(300);
  check::symbolic::Closure<Plain, Twin> closure(plain, twin, {});
  const auto result = check::symbolic::agree(plain, closure, std::span<const Plain::State>(sampled.states()));
  std::printf("%s, %s: %zu states, %zu successors; %s\n", kernel.c_str(), config.name.c_str(), result.states,
              result.successors, line(closure.size()).c_str());
  INFO("kernel " << kernel << ", configuration " << config.name << ": " << result.difference);
  CHECK(result.same);
  CHECK(result.states == sampled.states().size());
}

TEST_CASE("explorer and symbolic relation of vmd take the same steps") {
  std::printf("seed %u\n", Catch::rngSeed());
  for (const char* kernel : {"5.19", "6.12"})
    for (const auto& which : configurations()) {
      const Kernel* known = find_kernel(kernel);
      REQUIRE(known != nullptr);
      const Facts& facts = known->facts;
      if (!which.applies(facts)) continue;
      // From these the closed sets of values make more than 2,000 paths of one step (docs/warts.md).
      const std::string name = which.name;
      if (name == "prompt" || name == "wide" || name == "wide-fair" || name == "rt") continue;
      agrees(make_config(which, facts), kernel);
    }
}

}  // namespace
