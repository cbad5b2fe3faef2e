// SPDX-License-Identifier: GPL-2.0-or-later
#include <catch2/catch.hpp>

#include "checker/cost/response.hpp"

using namespace iomc::check;
using namespace iomc::check::cost;

namespace {

/// The published traces' windows, in ns.
TaskSet published() {
  TaskSet s;
  s.name = "published";
  s.d_st = 22'500;
  s.d_poid = 19'300;
  s.d_psd = 19'700;
  return s;
}

const OwnCosts no_costs{};

}  // namespace

TEST_CASE("the interference-free latency is the published one") {
  CHECK(interference_free(published()) == 42'200);  // ECRTS 2020, Fig. 24
  TaskSet readme;
  readme.d_st = 45'900;
  readme.d_poid = 56'200;
  readme.d_paie = 5'200;
  readme.d_psd = 48'100;
  CHECK(interference_free(readme) == 109'500);  // rtsl's README
  CHECK(*scheduling_latency(readme, Characterisation::none).ns == 109'500);
}

TEST_CASE("each way to take interrupts") {
  TaskSet s = published();
  s.irqs = {{"a", 1'000, 50'000, 0, 0, true}, {"b", 3'000, 20'000, 5'000, 0, true}};
  s.trace = {{"a", 0, 500}, {"b", 100, 2'000}, {"a", 1'000, 800}, {"b", 900'000, 3'000}};
  const auto taken = [&](Characterisation c, double window) { return interrupt_interference(s, c, window); };
  CHECK(taken(Characterisation::none, 1e6) == 0);
  CHECK(taken(Characterisation::worst_single, 1e6) == 3'000);
  CHECK(taken(Characterisation::one_of_each, 1e6) == 4'000);
  CHECK(taken(Characterisation::sporadic, 50'000) == 1'000 + 3 * 3'000);
  CHECK(taken(Characterisation::sliding_window, 50'000) == 3'300);
  CHECK(taken(Characterisation::sliding_window, 500) == 3'000);
  CHECK(taken(Characterisation::sliding_window_owcet, 50'000) == 2 * 800 + 3'000);
  // The least fixed point: 42.2 + 1 + 3 x 3 = 52.2, which has one more of each.
  CHECK(*scheduling_latency(s, Characterisation::sporadic).ns == 42'200 + 2 * 1'000 + 3 * 3'000);
}

TEST_CASE("interrupts that come faster than they are handled: no bound, and who it is") {
  TaskSet s = published();
  s.irqs = {{"timer", 9'600, 1'000'000, 0, 0, true}, {"storm", 20'700, 1'560, 0, 0, true}};
  const Bound b = scheduling_latency(s, Characterisation::sporadic);
  CHECK_FALSE(b.ns);
  CHECK(b.culprit.find("storm") != std::string::npos);
  CHECK(scheduling_latency(s, Characterisation::one_of_each).ns);
  s.irqs.clear();
  s.nmis = {{"watchdog", 2'000, 1'000, 0, 0, true}};
  CHECK(scheduling_latency(s, Characterisation::none).culprit.find("NMI watchdog") != std::string::npos);
}

TEST_CASE("tasks against the interrupt thread") {
  TaskSet s = published();
  const auto thread = [&] { return response_thread(s, no_costs, Characterisation::none); };
  CHECK(*thread().ns == 42'200);
  s.tasks = {{"below", 500'000, 1'000'000, 0, 49, true}};
  CHECK(*thread().ns == 42'200);
  s.tasks = {{"equal", 5'000, 1'000'000, 0, 50, true}};
  CHECK(*thread().ns == 47'200);  // queued ahead once
  s.tasks = {{"above", 10'000, 50'000, 0, 90, true}};
  CHECK(*thread().ns == 62'200);  // 42.2 + 10 is beyond one period: twice
  s.tasks = {{"above", 60'000, 50'000, 0, 90, true}};
  CHECK_FALSE(thread().ns);
  CHECK(thread().culprit.find("above") != std::string::npos);
  for (const unsigned priority : {49U, 50U, 80U}) {
    s.tasks = {{"vcpu0", 0, 0, 0, priority, false}};
    INFO(priority);
    CHECK(thread().ns.has_value() == (priority < 50));
    if (priority >= 50) CHECK(thread().culprit.find("vcpu0") != std::string::npos);
    // In the hard interrupt no task is in the way.
    CHECK(response_hard_irq(s, no_costs, Characterisation::none).ns.has_value());
  }
  s.tasks.clear();
  s.threads = {{"irq/24", 15'000, 0, 0, 0, true}};
  s.bh_section = 1'000;
  s.wqh_section = 500;
  CHECK(*thread().ns == 42'200 + 16'500);
}

TEST_CASE("task sets are read strictly") {
  const std::string good = R"({
  "schema": "iomc.tasks/1",
  "name": "x",
  "d_poid_ns": 1, "d_paie_ns": 2, "d_psd_ns": 3, "d_st_ns": 4,
  "tasks": [
    {"name": "a", "priority": 90, "wcet_ns": 5, "period_ns": 60},
    {"name": "b", "priority": 50, "blocks": false}
  ],
  "trace": [
    {"name": "t", "at_ns": 5, "duration_ns": 1},
    {"name": "t", "at_ns": 7, "duration_ns": 1}
  ]
})";
  const TaskSet s = parse_task_set(good, "x.json");
  CHECK(s.tasks.size() == 2);
  CHECK_FALSE(s.tasks[1].blocks);
  CHECK(s.d_ioff == 1);
  const auto complaint = [&](const std::string& from, const std::string& to, const std::string& says) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    try {
      parse_task_set(text, "x.json");
      FAIL("accepted: " << to);
    } catch (const InputError& e) {
      INFO(e.what());
      CHECK(std::string(e.what()).find(says) != std::string::npos);
    }
  };
  complaint("\"priority\": 90", "\"priority\": 900", "x.json:6: \"priority\" must be 1 to 99");
  complaint("\"wcet_ns\": 5, ", "", "x.json:6: the key \"wcet_ns\" is missing; add it");
  complaint("\"blocks\": false", "\"blocks\": 0", "x.json:7: \"blocks\" must be true or false");
  complaint("\"at_ns\": 7", "\"at_ns\": 4", "x.json:11: \"at_ns\" must not be before");
  complaint("\"d_st_ns\": 4", "\"d_sst_ns\": 4", "x.json:4: \"d_sst_ns\" is no key here");
}
