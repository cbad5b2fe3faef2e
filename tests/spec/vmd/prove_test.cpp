// SPDX-License-Identifier: GPL-2.0-or-later
// VMD's mode equals its register, for runs of any length, outside the window that the invariants name; and the mutants.
#include <catch2/catch.hpp>

#include "checker/symbolic/value.hpp"  // before the specification: its free functions are found by qualified name

#include "checker/symbolic/prove.hpp"
#include "properties/vmd_invariants.hpp"
#include "spec/vmd/configurations.hpp"

namespace {

using namespace iomc;
using namespace iomc::spec::vmd;
using check::symbolic::Proof;
namespace prop = properties::vmd;
using Plain = Vmd<model::Concrete, Small>;
using Twin = Vmd<check::symbolic::Symbolic, Small>;

Facts facts_of(const char* kernel) {
  return std::find_if(kernels().begin(), kernels().end(), [&](const auto& k) { return k.name == kernel; })->facts;
}

template <class S>
std::vector<model::Property<S>> only(const std::string& id) {
  auto all = prop::properties<S>();
  std::erase_if(all, [&](const auto& p) { return p.info.id != id; });
  return all;
}

Proof prove(const Facts& facts, const char* configuration, const std::string& id) {
  const auto which = std::find_if(configurations().begin(), configurations().end(),
                                  [&](const auto& c) { return c.name == std::string(configuration); });
  const Config config = make_config(*which, facts);
  const Plain plain(config);
  const Twin twin(config);
  const check::symbolic::ProofGoal<Plain, Twin> goal{only<Plain>(id), only<Twin>(id), prop::mode_invariants<Plain>(),
                                                     prop::mode_invariants<Twin>()};
  const auto mined = check::symbolic::mine(plain, 20000);
  Proof p = check::symbolic::prove(plain, twin, goal, std::span<const check::symbolic::Candidate>(mined.candidates));
  std::printf("%s, %s: %s%zu paths, %zu of %zu mined, %llu checks, rlimit %llu\n", id.c_str(), configuration,
              text(p).c_str(), p.paths, p.kept, p.mined, static_cast<unsigned long long>(p.checks),
              static_cast<unsigned long long>(p.effort.rlimit));
  return p;
}

TEST_CASE("on 6.12 register, irq_domain and msix_count say one mode while a queue may signal") {
  CHECK(prove(facts_of("6.12"), "mode", "vmd.S1").outcome == Proof::Outcome::proved);
}

TEST_CASE("the driver's life is the same on one, two and three CPUs") {
  const auto which = std::find_if(configurations().begin(), configurations().end(),
                                  [](const auto& c) { return c.name == std::string("mode"); });
  std::vector<std::uint64_t> states;
  for (unsigned cpus = 1; cpus <= 3; ++cpus) {
    Config config = make_config(*which, facts_of("6.12"));
    config.sizes.cpus = cpus;
    const auto mined = check::symbolic::mine(Plain(config), 20000);
    CHECK(mined.complete);
    states.push_back(mined.states);
  }
  CHECK(states[0] == states[1]);
  CHECK(states[1] == states[2]);
}

TEST_CASE("outside the window of S3 they do so with a port's interrupt too") {
  // No property: the invariants alone, the one that names the window among them.
  CHECK(prove(facts_of("6.12"), "ports", "").outcome == Proof::Outcome::proved);
}

TEST_CASE("inside the window a port's interrupt meets the other mode") {
  const Proof p = prove(facts_of("6.12"), "ports", "vmd.S1");
  CHECK(p.outcome == Proof::Outcome::not_inductive);
  CHECK(p.failing == "vmd.S1");
}

TEST_CASE("a resume that leaves VMCONFIG alone breaks the proof") {
  Facts facts = facts_of("6.12");
  facts.resume_mode = ResumeMode::nothing;
  const Proof p = prove(facts, "mode", "vmd.S1");
  CHECK(p.outcome == Proof::Outcome::not_inductive);
}

}  // namespace
