// SPDX-License-Identifier: GPL-2.0-or-later
// Unbounded proofs about a whole domain at small sizes, and the mutants for which they fail.
#include <catch2/catch.hpp>
#include <cstdio>

#include "checker/symbolic/value.hpp"  // before the specification: its free functions are found by qualified name

#include "checker/symbolic/prove.hpp"
#include "properties/iova_invariants.hpp"
#include "spec/iova/configurations.hpp"

namespace {

using namespace iomc;
using namespace iomc::spec::iova;
using check::symbolic::Proof;
using check::symbolic::Symbolic;
namespace prop = properties::iova;
using Plain = Iova<model::Concrete, Tiny>;
using Twin = Iova<Symbolic, Tiny>;

Config tiny(const char* kernel) {
  Config c = make_config(*find_configuration("strict"), find_kernel(kernel)->facts);
  c.sizes.bins = 1;
  c.sizes.mag_size = 1;
  c.sizes.boundary = 5;
  c.sizes.top = 6;
  c.sizes.start_pfn = 2;
  c.sizes.fq_size = 2;
  c.sizes.max_ranges = 2;
  c.sizes.max_mappings = 2;
  c.env.devices = {{c.sizes.boundary - 1, true}};
  c.env.request_pages = {1};
  return c;
}

template <class S>
std::vector<model::Property<S>> chosen(const std::vector<std::string>& ids) {
  auto all = prop::properties<S>();
  std::erase_if(all, [&](const auto& p) { return std::find(ids.begin(), ids.end(), p.info.id) == ids.end(); });
  return all;
}

Proof prove(const Config& config, const std::vector<std::string>& ids) {
  const Plain plain(config);
  const Twin twin(config);
  const check::symbolic::ProofGoal<Plain, Twin> goal{chosen<Plain>(ids), chosen<Twin>(ids), prop::invariants<Plain>(),
                                                prop::invariants<Twin>()};
  const auto mined = check::symbolic::mine(plain, 100000);
  check::symbolic::ProveOptions options;
  options.fix = [](unsigned instance) -> std::vector<check::symbolic::FixedField> {
    const unsigned step = instance % step_count;
    const bool starts = step == static_cast<unsigned>(Step::migrate) || step <= static_cast<unsigned>(Step::unmap);
    if (starts) return {};
    return {{"lanes[" + std::to_string(instance / step_count) + "].pc", step}};
  };
  const Proof p = check::symbolic::prove(
      plain, twin, goal, std::span<const check::symbolic::Candidate>(mined.candidates), options);
  std::printf("%s%zu paths, %zu of %zu mined, %u rounds, %llu checks, rlimit %llu, %.1f s\n", text(p).c_str(), p.paths,
              p.kept, p.mined, p.rounds, static_cast<unsigned long long>(p.checks),
              static_cast<unsigned long long>(p.effort.rlimit), p.seconds);
  return p;
}

TEST_CASE("strict domain on 6.12: tree disjoint, cached handles alive, magazine entries alive and unique") {
  const Proof p = prove(tiny("6.12"), {"iova.P1", "iova.P2", "iova.P3", "iova.P4", "iova.P7", "iova.P20"});
  CHECK(p.outcome == Proof::Outcome::proved);
}

}  // namespace
