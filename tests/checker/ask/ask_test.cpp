// SPDX-License-Identifier: GPL-2.0-or-later
// Answers on the real specifications, and that both engines give the same ones.
#include <catch2/catch.hpp>
#include <algorithm>

#include "checker/ask/answer.hpp"
#include "checker/ask/question.hpp"
#include "checker/system.hpp"

namespace {

using namespace iomc::check;
using ask::Answer;
using Sets = std::vector<std::pair<std::string, std::string>>;

Answer answer(const std::string& question, const std::string& kernel, const std::string& configuration,
              const Sets& sets = {}) {
  const ask::Question q = ask::parse(question);
  const System& system = find_system(q.spec.substr(0, q.spec.find('.')));
  CheckRequest r;
  r.kernel = kernel;
  r.facts = system.facts(kernel);
  for (const auto& [name, value] : sets) system.set(name, value, r.facts, r.sizes);
  if (!configuration.empty()) r.configurations = {configuration};
  return system.ask(q, r);
}

using Rows = std::vector<std::vector<std::string>>;
Rows rows(const Answer& a) {
  Rows out;
  for (const auto& f : a.found) {
    out.emplace_back();
    for (const auto& [name, value] : f.values) out.back().push_back(value);
  }
  return out;
}

std::string refusal(const std::string& question, const std::string& configuration = {}) {
  try {
    answer(question, "6.12", configuration);
  } catch (const InputError& e) {
    return e.what();
  }
  return {};
}

TEST_CASE("the fewest CPUs with which a property breaks") {
  const Answer a = answer("iova: min cpus where violated(P12)", "6.12", "hotplug-strict");
  CHECK(a.outcome == Answer::Outcome::answered);
  REQUIRE(a.found.size() == 1);
  CHECK(a.found[0].optimum == 2);
  const Answer none = answer("iova: min cpus where violated(P12)", "6.12", "hotplug-strict", {{"cpuhp_flush", "true"},
                             {"max_ranges", "1"}});
  INFO(none.reason);
  CHECK(none.outcome != Answer::Outcome::unknown);
}

TEST_CASE("which facts break a property, and what excludes it") {
  const Answer a = answer("iova: all fq_recheck_after_flush where violated(P5)", "6.12", "serialised");
  CHECK(rows(a) == Rows{{"false"}});
  const Answer none =
      answer("iova: find cpus where violated(P3) and cpus in 1..2 and cpus < 9", "6.12", "aperture");
  CHECK(none.outcome == Answer::Outcome::unsatisfiable);
  CHECK(none.core == std::vector<std::string>{"violated(P3)"});
}

TEST_CASE("every device that is driven in bypass inside a guest") {
  const Answer a = answer("vmd: all device, shadow where VMCONFIG & 2 = 2 and driver = 2 and platform = guest", "6.12",
                          "mode");
  CHECK(a.outcome == Answer::Outcome::answered);
  CHECK(rows(a) == Rows{{"28c0", "0"}, {"28c0", "1"}});
  for (const auto& f : a.found) CHECK(f.path.has_value());
}

TEST_CASE("the priorities at which the irq thread can starve") {
  const Answer a = answer("vfio: min priority where violated(L6)", "6.12-rt", "hog");
  REQUIRE(a.found.size() == 1);
  CHECK(a.found[0].optimum == 50);
  const Answer raised = answer("vfio: min priority where violated(L6) and priority in 45..60", "6.12-rt", "hog",
                               {{"thread_priority", "55"}});
  REQUIRE(raised.found.size() == 1);
  CHECK(raised.found[0].optimum == 55);
  const Answer below = answer("vfio: find priority where violated(L6) and priority in 48..49", "6.12-rt", "hog");
  CHECK(below.outcome == Answer::Outcome::unsatisfiable);
  CHECK(below.core == std::vector<std::string>{"violated(L6)", "priority in 48..49"});
}

TEST_CASE("exploration names the conditions that exclude each other") {
  const Answer a = answer("iova: find mappings where mappings = 2 and crash = 0 and mappings = 3", "6.12", "tree");
  CHECK(a.outcome == Answer::Outcome::unsatisfiable);
  CHECK(a.core == std::vector<std::string>{"mappings = 2", "mappings = 3"});
  const Answer most = answer("iova: max mappings where crash = 0", "6.12", "tree");
  REQUIRE(most.found.size() == 1);
  CHECK(most.found[0].optimum == 4);
}

TEST_CASE("wrong questions are refused with the remedy") {
  CHECK(refusal("iova: find colour where colour = 1").find("--config NAME") != std::string::npos);
  CHECK(refusal("iova: find colour where colour = 1", "tree").find("no field 'colour'") != std::string::npos);
  CHECK(refusal("iova: find cpus where violated(P99)").find("no property 'P99'") != std::string::npos);
  CHECK(refusal("vmd: find device where violated(S1) and device = 28c9").find("one of") != std::string::npos);
  CHECK(refusal("iova: find lo where lo = 1", "tree").find("may be") != std::string::npos);
  CHECK(refusal("iova: find mappings where cost(tree_step) = 1", "tree").find("within K steps") != std::string::npos);
  CHECK(refusal("iova.nowhere: find a where a = 1").find("iova.search") != std::string::npos);
}

/// Small enough that Z3 has the whole relation in seconds.
const Sets tiny = {{"mag_size", "1"}, {"max_ranges", "2"}, {"max_mappings", "1"}};

TEST_CASE("both engines give the same answers about the same runs") {
  // Eight steps are more than the configuration's depth, as the explorer has it.
  for (const char* asked : {"iova: max mappings where crash = 0", "iova: all mappings where crash = 0",
                            "iova: find mappings where mappings = 1", "iova: min cached32_node.lo where mappings = 1",
                            "iova: find mappings where mappings = 1 and crash = 0 and mappings = 0"}) {
    const Answer explored = answer(asked, "6.12", "fill", tiny);
    const Answer solved = answer(std::string(asked) + " within 8 steps", "6.12", "fill", tiny);
    INFO(asked << ": " << solved.reason);
    CHECK(solved.outcome == explored.outcome);
    CHECK(rows(solved) == rows(explored));
    CHECK(solved.core == explored.core);
    if (!explored.found.empty() && !solved.found.empty()) CHECK(solved.found[0].optimum == explored.found[0].optimum);
  }
}

TEST_CASE("the largest cost of an allocation that fails as a function of the CPUs") {
  // One page to give: the second call flushes every CPU's two magazines, and fails.
  Sets one_page = {{"mag_size", "1"}, {"max_ranges", "2"}, {"max_mappings", "2"}, {"top", "8"}, {"start_pfn", "7"}};
  const char* asked = "iova: max cost(cpu_cache_lock) where crash = 0 within 12 steps for cpus in 1..3";
  const Answer a = answer(asked, "6.12", "fill", one_page);
  INFO(a.reason);
  CHECK(a.outcome == Answer::Outcome::answered);
  REQUIRE(a.found.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(a.found[i].at == i + 1);
    CHECK(a.found[i].optimum == 2 * (i + 1) + 2);
    CHECK(a.found[i].path.has_value());
  }
}

TEST_CASE("the start, size and limit for which a grant leaves its limits") {
  const char* below =
      "iova.search: find start_pfn, size, limit_pfn, grant_lo where granted = 1 and grant_lo < start_pfn";
  const char* above = "iova.search: find limit_pfn, grant_hi where granted = 1 and grant_hi > limit_pfn";
  const Answer wraps = answer(below, "6.1", {});
  CHECK(wraps.outcome == Answer::Outcome::answered);
  CHECK(wraps.found.size() == 1);
  for (const char* asked : {below, above}) {
    const Answer fixed = answer(asked, "6.12", {});
    INFO(asked << ": " << fixed.reason);
    CHECK(fixed.outcome == Answer::Outcome::unsatisfiable);
    CHECK(fixed.core.back() == std::string(asked).substr(std::string(asked).rfind(" and ") + 5));
  }
  const Answer lowest = answer("iova.search: min grant_lo where granted = 1", "6.12", {});
  REQUIRE(lowest.found.size() == 1);
  CHECK(lowest.found[0].optimum == 1);
}

}  // namespace
