// SPDX-License-Identifier: GPL-2.0-or-later
// Specification and kernel code agree; an error in either is seen.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>

#include "tests/checker/review/source_packages.hpp"
#include "tests/conformance/iova/differential.hpp"

using namespace iomc;
using namespace iomc::conformance;

namespace {

check::IovaCode& code_of(const std::string& version) {
  static std::map<std::string, std::unique_ptr<check::IovaCode>> built;
  auto& code = built[version];
  if (!code)
    code = std::make_unique<check::IovaCode>(
        check::SourceTree::open(check::testing::package(version), check::iova_code_files()));
  return *code;
}

spec::iova::Facts facts_of(const std::string& version) {
  return spec::iova::find_kernel("debian-" + version)->facts;
}

Compared run(const std::string& version, const spec::iova::Facts& facts, std::uint64_t operations = 60000) {
  Distribution distribution;
  return run_random(code_of(version), facts, 1, operations, 1000, distribution);
}

}  // namespace

TEST_CASE("the constants of the built code are the facts of the kernel") {
  for (const char* version : {"6.1", "6.12"}) {
    const auto& code = code_of(version);
    const spec::iova::Facts facts = facts_of(version);
    CHECK(code->bins == facts.bins);
    CHECK(code->mag_size == facts.mag_size);
    CHECK(code->depot_max == facts.depot_max);
    CHECK((code->has_work != 0) == facts.depot_trim);
  }
}

TEST_CASE("a second pass may begin at a node across its limit: one visit less, and nothing else") {
  for (const char* version : {"6.1", "6.12"}) {
    std::uint64_t straddles = 0;
    for (unsigned nodes = 1; nodes <= 12; ++nodes)
      for (std::uint64_t limit = 0x100000 - 4 * nodes; limit < 0xfffff; ++limit) {
        Differential both(code_of(version), facts_of(version), 0x100000 - 4 * nodes);
        bool same = true;
        for (unsigned i = 0; i < nodes; ++i)
          same = same && both.apply({.call = Call::alloc, .size = 4, .limit = 0xfffff, .flush = true});
        same = same && both.apply({.call = Call::alloc, .size = 1, .limit = limit, .flush = true});
        INFO(version << ", " << nodes << " nodes, limit " << limit << '\n' << both.compared().difference);
        REQUIRE((same && both.compare_state()));
        straddles += both.compared().straddles;
      }
    CHECK(straddles > 0);
  }
}

TEST_CASE("a million operations, random: no difference") {
  // IOMC_SEED repeats a run; conform_iova_run makes longer ones.
  const char* given = std::getenv("IOMC_SEED");
  const std::uint64_t seed = given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device{}();
  for (const char* version : {"6.1", "6.12"}) {
    Distribution distribution;
    const Compared c = run_random(code_of(version), facts_of(version), seed, 500000, 1000, distribution);
    INFO(version << ": IOMC_SEED=" << seed << '\n' << c.difference);
    CHECK(c.operations == 500000);
    CHECK(c.full_states >= 500);
    CHECK(distribution.rough * 3 >= c.operations);
    REQUIRE(c.difference.empty());
    WARN(version << ", IOMC_SEED=" << seed << ": " << c.operations << " operations on " << c.domains << " domains, "
                 << c.locks << " locks, " << c.visits << " nodes visited, " << c.full_states
                 << " whole states compared, " << distribution.cross_frees << " frees on another CPU, "
                 << distribution.failing << " calls with failing memory");
  }
}

TEST_CASE("set-up without memory: 6.1 gives up in order, 6.12 gives NULL back to the magazines' slab cache") {
  // The allocations of iova_domain_init_rcaches, in order: the rcaches, a size class's per-CPU caches, its magazines.
  constexpr unsigned first_magazine = 2;
  for (const char* version : {"6.1", "6.12"})
    for (const unsigned failing : {0U, 1U, 2U, 3U, 20U}) {
      INFO(version << ", allocation " << failing << " fails");
      check::IovaCode& code = code_of(version);
      code.machine().fail_sleeping = std::uint64_t{1} << failing;
      const int error = code->create(4, 4096, 1);
      const char* crash = code.machine().crash;
      if (version == std::string("6.12") && failing >= first_magazine) {
        REQUIRE(crash != nullptr);
        CHECK(std::string(crash) == "NULL is given back to a slab cache");
      } else {
        CHECK(crash == nullptr);
        CHECK(error == -12);
        code->destroy();
      }
    }
}

TEST_CASE("a wrong shim is seen") {
  for (const char* version : {"6.1", "6.12"})
    for (const int injected : {1, 2}) {
      INFO(version << ", injected error " << injected);
      code_of(version).machine().injected = injected;
      CHECK_FALSE(run(version, facts_of(version)).difference.empty());
      code_of(version).machine().injected = 0;
      CHECK(run(version, facts_of(version), 5000).difference.empty());
    }
}

TEST_CASE("a wrong specification is seen: one fact at a time") {
  using Facts = spec::iova::Facts;
  const std::vector<std::pair<const char*, void (*)(Facts&)>> wrong = {
      {"retry_pfn_wraps", [](Facts& f) { f.retry_pfn_wraps = !f.retry_pfn_wraps; }},
      {"max32_reset", [](Facts& f) { f.max32_reset = spec::iova::Max32Reset::with_cached32; }},
      {"max32_store_on_walk", [](Facts& f) { f.max32_store_on_walk = false; }},
      {"delete_update_equal", [](Facts& f) { f.delete_update_equal = false; }},
      {"second_pass", [](Facts& f) { f.second_pass = spec::iova::SecondPass::from_anchor; }},
      {"mag_size", [](Facts& f) { f.mag_size = 128; }},
      {"bins", [](Facts& f) { f.bins = 5; }},
      {"pop", [](Facts& f) { f.pop = spec::iova::MagazinePop::top; }},
      {"pop_limit_by_size", [](Facts& f) { f.pop_limit_by_size = false; }},
      {"flush_depot", [](Facts& f) { f.flush_depot = false; }},
      {"cpuhp_flush", [](Facts& f) { f.cpuhp_flush = false; }},
      {"round_in_alloc_fast", [](Facts& f) { f.round_in_alloc_fast = false; }},
      {"flush_optional", [](Facts& f) { f.flush_optional = false; }},
      {"free_iova_one_section", [](Facts& f) { f.free_iova_one_section = false; }},
  };
  for (const auto& [name, change] : wrong) {
    INFO(name);
    Facts facts = facts_of("6.12");
    change(facts);
    CHECK_FALSE(run("6.12", facts, 200000).difference.empty());
  }
}

TEST_CASE("a depot beyond its bound: 6.1 frees a magazine into the tree, 6.12 keeps it") {
  const auto overfill = [](const std::string& version, const spec::iova::Facts& facts) {
    Differential both(code_of(version), facts, 1);
    std::vector<std::uint64_t> held;
    bool same = true;
    for (unsigned i = 0; i < 40 * 127 && same; ++i) {
      same = both.apply({.call = Call::alloc_fast, .size = 1, .limit = 0xfffff});
      held.push_back(both.last_result());
    }
    for (std::size_t i = 0; i < held.size() && same; ++i)
      same = both.apply({.call = Call::free_fast, .size = 1, .pfn = held[i]});
    if (same) both.compare_state();
    return both.compared();
  };
  const Compared bounded = overfill("6.1", facts_of("6.1"));
  CHECK(bounded.difference == "");
  CHECK(bounded.most_depot == 32);
  const Compared list = overfill("6.12", facts_of("6.12"));
  CHECK(list.difference == "");
  CHECK(list.most_depot == 38);
  spec::iova::Facts wrong = facts_of("6.1");
  wrong.depot_max = 31;
  CHECK(overfill("6.1", wrong).difference != "");
}
