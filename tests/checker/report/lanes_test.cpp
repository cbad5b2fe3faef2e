// SPDX-License-Identifier: GPL-2.0-or-later
#include <catch2/catch.hpp>
#include <sstream>

#include "checker/report/lanes.hpp"
#include "tests/checker/fake_system.hpp"

using namespace iomc;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> out;
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

check::Counterexample with_lanes(int lanes) {
  check::Counterexample c;
  for (int i = 0; i < lanes; ++i) {
    check::TraceStep s;
    s.cpu = i;
    s.context = "task " + std::to_string(i);
    s.step = s.function = "__alloc_and_insert_iova_range";
    s.what = "walks from the limit down until it finds a hole that is wide enough and aligned to its size";
    s.locks = "iova_rbtree_lock";
    c.steps.push_back(s);
  }
  return c;
}

}  // namespace

TEST_CASE("no line of a chart is wider than asked, and none ends in spaces") {
  for (const unsigned width : {72U, 80U, 100U, 132U})
    for (const int lanes : {1, 2, 3, 4, 6, 8}) {
      CAPTURE(width, lanes);
      for (const auto& line : lines_of(report::lane_chart(with_lanes(lanes), width))) {
        CAPTURE(line);
        CHECK(line.size() <= width);
        CHECK((line.empty() || line.back() != ' '));
      }
    }
}

TEST_CASE("kernel function names are never broken, however many lanes there are") {
  for (const int lanes : {1, 2, 3, 5, 8, 12})
    CHECK(report::lane_chart(with_lanes(lanes), 80).find("__alloc_and_insert_iova_range()") != std::string::npos);
}

TEST_CASE("lanes are the CPUs in order, the environment last") {
  const auto lines = lines_of(report::lane_chart(check::fake::counterexample(), 132));
  const std::string& header = lines.at(0);
  const auto at = [&](const char* label) { return header.find(label); };
  CHECK(at("CPU0 task A") < at("CPU1 task B"));
  CHECK(at("CPU1 task B") < at("CPU1 hardirq"));
  CHECK(at("CPU1 hardirq") < at("device"));
  CHECK(at("device") != std::string::npos);
}

TEST_CASE("the cost is a running sum, shown where it grows") {
  const std::string chart = report::lane_chart(check::fake::counterexample(), 100);
  CHECK(chart.find("cost so far: cpu_cache_lock 1") != std::string::npos);
  CHECK(chart.find("cost so far: cpu_cache_lock 2, tree_lock 1, tree_step 3") != std::string::npos);
}

TEST_CASE("every step says which locks are held, also where there is none") {
  const std::string chart = report::lane_chart(check::fake::counterexample(), 100);
  std::size_t said = 0;
  for (std::size_t at = chart.find("locks: "); at != std::string::npos; at = chart.find("locks: ", at + 1)) ++said;
  CHECK(said == check::fake::counterexample().steps.size());
  CHECK(chart.find("locks: none") != std::string::npos);
}

TEST_CASE("a violation in the initial state has a chart as well") {
  CHECK(report::lane_chart({}, 80).find("initial state") != std::string::npos);
}
