// SPDX-License-Identifier: GPL-2.0-or-later
// The tree alone at the kernel's 64-bit widths: what holds of every search for every start, boundary, size and limit,
// and what fails where the kernel was wrong.
#include <catch2/catch.hpp>
#include <cstdio>

#include "checker/symbolic/value.hpp"  // before the specification: its free functions are found by qualified name

#include "checker/symbolic/prove.hpp"
#include "properties/iova_tree.hpp"
#include "spec/iova/configurations.hpp"

namespace {

using namespace iomc;
using namespace iomc::spec::iova;
using check::symbolic::Proof;
using check::symbolic::Symbolic;
namespace prop = properties::iova;

constexpr unsigned nodes = 2;
using Plain = TreeAlone<model::Concrete, nodes>;
using Twin = TreeAlone<Symbolic, nodes>;

template <class S>
std::vector<model::Property<S>> chosen(const std::vector<std::string>& ids) {
  auto all = prop::tree_properties<S>();
  std::erase_if(all, [&](const auto& p) { return std::find(ids.begin(), ids.end(), p.info.id) == ids.end(); });
  return all;
}

Proof prove(const Facts& facts, const std::vector<std::string>& ids, bool from_zero = false) {
  const Plain plain(facts, from_zero);
  const Twin twin(facts, from_zero);
  const check::symbolic::ProofGoal<Plain, Twin> goal{
      chosen<Plain>(ids), chosen<Twin>(ids), prop::tree_invariants<Plain>(), prop::tree_invariants<Twin>()};
  check::symbolic::ProveOptions options;
  options.solver.logic = check::symbolic::wide_logic;
  const Proof p = check::symbolic::prove(plain, twin, goal, {}, options);
  std::printf("%s%zu paths, %llu checks, rlimit %llu, %.1f s\n", text(p).c_str(), p.paths,
              static_cast<unsigned long long>(p.checks), static_cast<unsigned long long>(p.effort.rlimit), p.seconds);
  return p;
}

TEST_CASE("on 6.12 every grant lies within start_pfn and limit_pfn, and the search ends, for all values of them") {
  const Proof p = prove(find_kernel("6.12")->facts, {"iova.P1", "iova.P2", "iova.P3", "iova.P4", "iova.P20"});
  CHECK(p.outcome == Proof::Outcome::proved);
}

TEST_CASE("the wrap of retry_pfn is found in one call to an empty domain") {
  for (const char* kernel : {"5.11", "6.1"}) {
    const Proof p = prove(find_kernel(kernel)->facts, {"iova.P3"});
    CHECK(p.outcome == Proof::Outcome::refuted);
    CHECK(p.failing == "iova.P3");
  }
}

TEST_CASE("with retry_pfn wrapping, a domain that starts at 0 is searched for ever") {
  Facts facts = find_kernel("6.1")->facts;
  const Proof p = prove(facts, {"iova.P20"}, true);
  CHECK(p.outcome == Proof::Outcome::refuted);
  CHECK(p.failing == "iova.P20");
}

TEST_CASE("cached32_node may outlive its node where only low frees are looked at") {
  Facts facts = find_kernel("6.12")->facts;
  facts.delete_update_equal = false;
  const Proof p = prove(facts, {"iova.P4"});
  CHECK(p.outcome == Proof::Outcome::not_inductive);
}

TEST_CASE("with inclusive limits and no guard, the tree's ranges come to overlap") {
  const Proof p = prove(find_kernel("4.12")->facts, {"iova.P1", "iova.P2"});
  CHECK(p.outcome == Proof::Outcome::refuted);
}

}  // namespace
