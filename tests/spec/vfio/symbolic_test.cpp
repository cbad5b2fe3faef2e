// SPDX-License-Identifier: GPL-2.0-or-later
// One text, two readings: the paths of every step of the vfio specification give exactly the explorer's successors at
// the first states of each configuration and along a random walk, and no step leads out of the closed sets of values.
#include <catch2/catch.hpp>
#include <memory>
#include <set>

#include "checker/symbolic/value.hpp"  // before the specification: its free functions are found by qualified name

#include "checker/symbolic/agree.hpp"
#include "spec/vfio/configurations.hpp"
#include "spec/vfio/vfio.hpp"
#include "tests/spec/sampled_states.hpp"

namespace {

using namespace iomc;
using namespace iomc::spec::vfio;
using Plain = Vfio<model::Concrete>;
using Twin = Vfio<check::Symbolic>;

void agrees(const Config& config, const std::string& kernel, std::set<std::string>& too_large) {
  const Plain plain(config);
  const Twin twin(config);
  test::Sampled<Plain> sampled(plain);
  sampled.explored(600).walked(300);
  std::unique_ptr<check::symbolic::Closure<Plain, Twin>> made;
  try {
    const std::span<const model::Property<Twin>> none;
    made = std::make_unique<check::symbolic::Closure<Plain, Twin>>(plain, twin, none);
  } catch (const check::symbolic::UsageError& e) {
    std::printf("%s, %s: not taken: %s\n", kernel.c_str(), config.name.c_str(), e.what());
    too_large.insert(config.name);
    return;
  }
  auto& closure = *made;
  const auto result = check::symbolic::agree(plain, closure, std::span<const Plain::State>(sampled.states()));
  std::printf("%s, %s: %zu states, %zu successors; %s\n", kernel.c_str(), config.name.c_str(), result.states,
              result.successors, line(closure.size()).c_str());
  INFO("kernel " << kernel << ", configuration " << config.name << ": " << result.difference);
  CHECK(result.same);
  CHECK(result.states == sampled.states().size());
}

TEST_CASE("explorer and symbolic relation of vfio take the same steps") {
  std::printf("seed %u\n", Catch::rngSeed());
  std::set<std::string> too_large;
  for (const char* kernel : {"6.12"})
    for (const auto& which : configurations()) {
      const Kernel* known = find_kernel(kernel);
      REQUIRE(known != nullptr);
      const Facts& facts = known->facts;
      if (!which.applies(facts)) continue;
      agrees(make_config(which, facts), kernel, too_large);
    }
  // Thousands of choices of one call's arguments (docs/warts.md).
  CHECK(too_large == std::set<std::string>{"intx-mode", "set-irqs"});
}

}  // namespace
