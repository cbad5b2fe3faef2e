// SPDX-License-Identifier: GPL-2.0-or-later
// What comes out for each performance property and kernel; for each historical bug, the kernel that has it and the one
// that does not; for each property, one changed fact that turns a verdict.
#include "properties/iova_runs.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <functional>
#include <iostream>

using namespace iomc::spec::iova;
using namespace iomc::properties::iova;

namespace {

const RunProperty& property(const std::string& id) {
  for (const RunProperty& p : run_properties())
    if (id == p.info.id) return p;
  FAIL("no property " + id);
  return run_properties()[0];
}

Facts facts_of(const char* kernel) {
  const Kernel* k = find_kernel(kernel);
  REQUIRE(k != nullptr);
  return k->facts;
}

/// x: violated, o: holds. In the order of run_properties: P14, P15 15a 15b 15c 15d, P16, P17 17a, P21, P22 22a, P30.
struct Row {
  const char* kernel;
  const char* verdicts;
};

constexpr Row matrix[] = {
    {"4.12", "xxxxxxxxxxxxo"},  {"4.13", "xxxxxxxxxxxxo"},        {"4.15", "xxooxxxxxxoxx"}, {"4.20", "xxoooxxxxxoxx"},
    {"5.2", "xxoooxxxxxoxx"},   {"5.9", "oxoooxxxxxoxx"},         {"5.11", "oxoooxxxxxoxo"}, {"5.13", "oxoooxxxxxoxo"},
    {"5.18", "oxoooxxxxxoxo"},  {"6.1", "oxoooxoxxxoxo"},         {"debian-6.1", "oxoooxoxxxoxo"},
    {"6.2", "oxoooxoxxxoxo"},   {"6.6", "oooooxoxxxoxo"},         {"6.12", "oooooxooxooxo"},
    {"debian-6.12", "oooooxooxooxo"},
};

bool met(const RunVerdict& verdict, const std::string& run, const std::string& measure) {
  for (const BoundResult& r : verdict.bounds)
    if (run == r.bound->run && measure == r.bound->measure) return r.met;
  FAIL("no bound on " + measure + " of " + run);
  return false;
}

struct Bug {
  const char* id;
  const char* property;
  const char* run;
  const char* measure;
  const char* affected;
  const char* fixed;  ///< nullptr: no released kernel
};

constexpr Bug bugs[] = {
    {"B1", "iova.P14", "map-unmap", "cpu_cache_lock", "4.13", "4.15"},
    {"B1", "iova.P14", "map-unmap", "tree_lock", "4.13", "4.15"},
    {"B1", "iova.P15", "map-unmap", failed_search_nodes, "4.13", "4.15"},
    {"B1", "iova.P22", "map-unmap", "cache_flush", "4.13", "4.15"},
    {"B2", "iova.P15a", "high-frees", found_search_nodes, "4.13", "4.15"},
    {"B8", "iova.P15b", "wide", found_search_nodes, "4.13", "4.15"},
    {"B11", "iova.P15c", "full32", failed_search_nodes, "4.15", "4.20"},
    {"B14", "iova.P15", "full32-refill", failed_search_nodes, "5.11", "6.6"},
    {"B14", "iova.P15", "full32-refill", failed_search_nodes, "5.18", "6.6"},
    {"B17", "iova.P21", "lazy", "tree_erase", "5.11", "6.12"},
    {"B17", "iova.P21", "lazy", "tree_erase", "6.6", "6.12"},
    {"B17", "iova.P17", "lazy", irqs_off_nodes, "6.6", "6.12"},
    {"B25", "iova.P14", "lazy", "shared_write", "4.15", "5.9"},
    {"B25", "iova.P14", "lazy", "shared_write", "5.2", "5.9"},
    {"B26", "iova.P30", "virtual", "iotlb_flush", "4.15", "5.11"},
    {"B26", "iova.P30", "virtual", "iotlb_flush", "5.9", "4.13"},
    {"B29", "iova.P16", "crash-kernel", domain_bytes, "5.18", "6.1"},
    {"B34", "iova.P15d", "hole", found_search_nodes, "5.2", nullptr},
    {"B34", "iova.P15d", "hole", found_search_nodes, "6.12", nullptr},
    {"B35", "iova.P17a", "lazy-uncacheable", irqs_off_nodes, "5.11", nullptr},
    {"B35", "iova.P17a", "lazy-uncacheable", irqs_off_nodes, "6.12", nullptr},
};

struct Mutant {
  const char* property;
  const char* kernel;
  const char* what;
  std::function<void(Facts&)> change;
};

const Mutant mutants[] = {
    {"iova.P14", "6.12", "the timer claimed by a write a call", [](Facts& f) { f.fq_timer_arm = TimerArm::cmpxchg; }},
    {"iova.P15", "6.12", "32 bits tried every time", [](Facts& f) { f.sticky_32bit = false; }},
    {"iova.P16", "6.12", "128 entries", [](Facts& f) { f.mag_size = 128; }},
    {"iova.P17", "6.12", "a depot of 32", [](Facts& f) { f.depot_max = 32; }},
    {"iova.P21", "6.12", "a depot of 32", [](Facts& f) { f.depot_max = 32; }},
    {"iova.P15a", "4.15", "one cached node", [](Facts& f) { f.tree_search = TreeSearch::cached32; }},
    {"iova.P15b", "4.15", "one cached node", [](Facts& f) { f.tree_search = TreeSearch::cached32; }},
    {"iova.P15c", "4.20", "the failed size is not kept", [](Facts& f) { f.max32_reset = Max32Reset::absent; }},
    {"iova.P30", "6.12", "queued in caching mode too", [](Facts& f) { f.caching_mode_strict = false; }},
    {"iova.P22", "6.2", "a flush at every failure", [](Facts& f) { f.flush_optional = false; }},
};

}  // namespace

TEST_CASE("Performance properties: what comes out in each kernel") {
  for (const Row& row : matrix) {
    Runs runs(facts_of(row.kernel));
    std::string got;
    for (const RunProperty& p : run_properties()) {
      const RunVerdict v = check(p, runs);
      got += v.holds ? 'o' : 'x';
      CHECK_FALSE(v.scope.empty());
      if (std::getenv("IOMC_SHOW_COUNTS") != nullptr)
        std::cout << row.kernel << " " << p.info.id << " " << v.found << "\n";
    }
    INFO(row.kernel);
    CHECK(got == row.verdicts);
  }
  CHECK(std::size(matrix) == kernels().size());
}

TEST_CASE("Performance properties: affected and fixed kernels of the historical bugs") {
  for (const Bug& bug : bugs) {
    INFO(bug.id << ", " << bug.property << ", " << bug.run << " " << bug.measure);
    const RunProperty& p = property(bug.property);
    const RunVerdict before = check(p, facts_of(bug.affected));
    CHECK_FALSE(met(before, bug.run, bug.measure));
    if (bug.fixed != nullptr) CHECK(met(check(p, facts_of(bug.fixed)), bug.run, bug.measure));
  }
}

TEST_CASE("Performance properties: a size class more would cure B34 and B35 for buffers of 64 pages") {
  Facts f = facts_of("6.12");
  f.bins = 7;
  CHECK(met(check(property("iova.P15d"), f), "hole", found_search_nodes));
  CHECK(met(check(property("iova.P17a"), f), "lazy-uncacheable", irqs_off_nodes));
}

TEST_CASE("Performance properties: no flush at the last attempt would cure P22a") {
  Facts f = facts_of("6.12");
  f.flush_on_full_failure = false;
  CHECK(check(property("iova.P22a"), f).holds);
}

TEST_CASE("Performance properties: one changed fact turns the verdict") {
  for (const Mutant& m : mutants) {
    INFO(m.property << " in " << m.kernel << ": " << m.what);
    const Facts before = facts_of(m.kernel);
    Facts after = before;
    m.change(after);
    CHECK(check(property(m.property), before).holds);
    CHECK_FALSE(check(property(m.property), after).holds);
  }
}
