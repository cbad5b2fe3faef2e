// SPDX-License-Identifier: GPL-2.0-or-later
// The models behind `iomc cost`: counts at real sizes, growth laws, sweeps, and what is done under load.
#include <catch2/catch.hpp>

#include "checker/cost/headlines.hpp"
#include "checker/cost/output.hpp"
#include "checker/cost/queueing.hpp"

using namespace iomc::check;
using namespace iomc::check::cost;

namespace {

FactValues old_iova() { return kernel_facts("iova", "4.13"); }
FactValues cured_iova() {
  return kernel_facts("iova", "4.13", {{"flush_optional", "true"}, {"flush_on_32bit_failure", "false"}});
}

SweepResult swept(const std::string& spec, const FactValues& facts, const std::vector<std::string>& sweeps,
                  std::vector<Sweep>* parsed = nullptr) {
  const Model& model = find_model(spec);
  std::vector<Sweep> all;
  for (const auto& s : sweeps) all.push_back(parse_sweep(model, s));
  if (parsed != nullptr) *parsed = all;
  return sweep(model, facts, {}, all, find_profile(model.profile()));
}

std::string law_of(const SweepResult& r, const std::string& event) {
  for (const LawLine& l : r.laws)
    if (l.name == event) return std::to_string(l.value) + " = " + l.law;
  return "none";
}

}  // namespace

TEST_CASE("iova: the locks of one map and unmap grow with the CPUs, until the flush is optional") {
  const SweepResult before = swept("iova", old_iova(), {"cpus=1..128"});
  CHECK(law_of(before, "cpu_cache_lock") == "771 = 6P + 3");
  CHECK(law_of(before, "tree_lock") == "1539 = 12P + 3");
  CHECK(law_of(before, "remote_line") == "768 = 6P");
  CHECK(before.rows.size() == 128);
  CHECK(before.runs < 16);
  // A row that a law gave is what a run gives.
  CHECK(before.rows[76].counted["tree_lock"] == map_unmap(old_iova(), {77, 2047, 512})["tree_lock"]);
  const SweepResult after = swept("iova", cured_iova(), {"cpus=1..128"});
  CHECK(law_of(after, "cpu_cache_lock") == "3 = 3");
  CHECK(law_of(after, "tree_lock") == "1 = 1");
}

TEST_CASE("iova: nodes walked grow with what is live, in two variables at once") {
  const SweepResult r = swept("iova", old_iova(), {"live=500,600,700,1000,2047", "in_flight=100,200,300,512"});
  CHECK(law_of(r, "nodes_walked") == "5130 = 2n + 2f + 12");
}

TEST_CASE("vmd: one interrupt's work grows with the children on its vector") {
  const SweepResult r = swept("vmd", kernel_facts("vmd", "6.12"), {"children=1..8"});
  CHECK(law_of(r, "handler_call") == "8 = c");
  CHECK(law_of(r, "cq_empty_poll") == "7 = c - 1");
  CHECK(law_of(r, "cq_entry") == "1 = 1");
  CHECK(law_of(r, "raw_lock") == "18 = 2c + 2");
}

TEST_CASE("vfio: who is woken where") {
  const SweepResult threaded = swept("vfio", kernel_facts("vfio", "6.12-rt"), {"readers=0..3"});
  CHECK(law_of(threaded, "wakeup") == "4 = w + 1");
  const Delivery hard = vfio_delivery_counts(kernel_facts("vfio", "6.12"), 2);
  CHECK(hard.hard_irq["wakeup"] == 2);
  CHECK(hard.all["context_switch"] == 0);
}

TEST_CASE("vmd: completion queues that neighbouring CPUs use") {
  const Queues q = vmd_queues(kernel_facts("vmd", "6.12"), 192, 6, 64);
  CHECK(q.entries_bypass == 193);
  CHECK(q.entries_remap == 64);
  CHECK(q.used_bypass == Range{6, 6, 6});
  CHECK(q.used_remap.lo == 2);
  CHECK(q.used_remap.hi == 3);
  CHECK(vmd_queues(kernel_facts("vmd", "6.17"), 192, 6, 64).entries_remap == 193);
}

TEST_CASE("wrong sweeps say what is wrong") {
  const Model& model = find_model("iova");
  for (const char* text :
       {"cpus", "cpu=1..2", "cpus=0..2", "cpus=1..999", "cpus=3..2", "cpus=1..x", "cpus=", "cpus=1,,2"}) {
    INFO(text);
    CHECK_THROWS_AS(parse_sweep(model, text), InputError);
  }
  CHECK(parse_sweep(model, "cpus=1,4,2").values == std::vector<std::int64_t>{1, 4, 2});
  CHECK_THROWS_AS(find_model("nothing"), InputError);
}

TEST_CASE("tables and CSV have a row for each combination; a plot needs an axis") {
  std::vector<Sweep> sweeps;
  const Model& model = find_model("vmd");
  const SweepResult r = swept("vmd", kernel_facts("vmd", "6.12"), {"drives=1..8", "cpus=1,6"}, &sweeps);
  const Profile profile = find_profile(model.profile());
  const Table t = sweep_table(model, r, sweeps, profile, "kernel 6.12");
  CHECK(t.rows.size() == 16);
  for (const auto& row : t.rows) CHECK(row.size() == t.columns.size());
  const std::string csv = sweep_csv(model, r, sweeps);
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 17);
  CHECK_THROWS_AS(sweep_svg(model, r, {}, profile, "x"), InputError);
  const std::string svg = sweep_svg(model, r, sweeps, profile, "kernel 6.12");
  CHECK(svg.find("<svg") != std::string::npos);
  CHECK(svg == sweep_svg(model, r, sweeps, profile, "kernel 6.12"));
}

TEST_CASE("under load one lock lets through what it lets through") {
  const Model& model = find_model("iova");
  const Profile profile = find_profile(model.profile());
  const SweepResult r = swept("iova", old_iova(), {"cpus=1,2,64"});
  SimulationOptions options;
  options.precision = 0.02;
  const auto steady = steady_states(model, old_iova(), r, profile, options);
  REQUIRE(steady.size() == 3);
  // Alone, nobody waits.
  CHECK(steady[0].rate.mean == Approx(1e9 / r.rows[0].price.ns.value).epsilon(0.05));
  // With many, the lock is always held: its time is the limit, and more CPUs only make it longer.
  const double held = r.rows[2].price.of({"tree_lock", "tree_step", "tree_find", "tree_insert", "tree_erase"}).value;
  CHECK(steady[2].rate.mean == Approx(1e9 / held).epsilon(0.05));
  CHECK(steady[2].busiest.find("the tree lock") == 0);
}

TEST_CASE("hypotheses: what each explains, and with how many parameters") {
  const Hypothesis cpu = vmd_hypothesis("cpu-bound");
  const Hypothesis port = vmd_hypothesis("port-rate");
  CHECK(cpu.fitted.size() == 2);
  CHECK(port.fitted.size() == 2);
  CHECK(cpu.count("fitted") == 2);
  CHECK(port.count("fitted") == 2);
  CHECK(cpu.count("contradicts") > cpu.count("explains"));
  CHECK(port.count("contradicts") < port.count("explains"));
  for (const Observation& o : port.observations)
    CHECK((o.verdict == "fitted" || o.verdict == "explains" || o.verdict == "contradicts" || o.verdict == "silent"));
  CHECK_THROWS_AS(vmd_hypothesis("luck"), InputError);
}
