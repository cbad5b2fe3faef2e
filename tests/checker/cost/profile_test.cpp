// SPDX-License-Identifier: GPL-2.0-or-later
#include <catch2/catch.hpp>

#include "checker/cost/price.hpp"
#include "checker/result.hpp"

using namespace iomc;
using namespace iomc::check::cost;

namespace {

const std::string good = R"({
  "schema": "iomc.profile/1",
  "name": "toy",
  "what": "a machine",
  "clock_ghz": 2,
  "cpus": 4,
  "numa_nodes": 1,
  "entries": [
    {"event": "tree_lock", "cycles": 50, "lo": 40, "hi": 80, "provenance": "measured", "source": "here"},
    {"event": "tree_step", "provenance": "published", "source": "there",
     "by_nodes": [
       {"nodes": 100, "ns": 2, "lo": 1, "hi": 4},
       {"nodes": 10000, "ns": 6, "lo": 3, "hi": 8}]}
  ],
  "figures": [
    {"name": "limit", "unit": "I/O/s", "value": 5, "lo": 4, "hi": 6, "provenance": "fitted", "source": "a run"}
  ]
}
)";

std::string complaint(const std::string& from, const std::string& to) {
  std::string text = good;
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  text.replace(at, from.size(), to);
  try {
    parse_profile(text, "toy.json");
  } catch (const check::InputError& e) {
    return e.what();
  }
  return "accepted";
}

bool says(const std::string& text, const std::string& part) {
  INFO(text);
  CHECK(text.find(part) != std::string::npos);
  return true;
}

}  // namespace

TEST_CASE("a profile is read, cycles by its clock, ranges kept") {
  const Profile p = parse_profile(good, "toy.json");
  CHECK(p.entry("tree_lock")->ns(0) == Range{20, 25, 40});
  CHECK(p.entry("tree_step")->ns(5) == Range{1, 2, 4});
  CHECK(p.entry("tree_step")->ns(1000).value == Approx(4));
  CHECK(p.entry("tree_step")->ns(1e6) == Range{3, 6, 8});
  CHECK(p.figure("limit").value == Range{4, 5, 6});
  CHECK(p.fitted() == 1);
  CHECK_THROWS_AS(p.figure("nothing"), check::InputError);
}

TEST_CASE("what is priced, and what is not") {
  const Profile p = parse_profile(good, "toy.json");
  const Price paid = price({{"tree_lock", 2}, {"tree_step", 10}, {"slab_alloc", 1}, {"cache_hits", 9}}, p, 100);
  CHECK(paid.ns == Range{50, 70, 120});
  CHECK(paid.of({"tree_step"}) == Range{10, 20, 40});
  CHECK(paid.unpriced == std::vector<std::string>{"slab_alloc"});
}

TEST_CASE("bad profiles: file, line, what, and what to do") {
  says(complaint("\"cpus\": 4,", "\"cpus\": 4"), "toy.json:7: not JSON: ");
  says(complaint("\"cpus\": 4,", "\"cpus\": 0,"), "toy.json:6: \"cpus\" must be a number above 0");
  says(complaint("\"cpus\": 4,", "\"cpus\": 1.5,"), "toy.json:6: \"cpus\" must be a whole number");
  says(complaint("\"cpus\": 4,", "\"cpu\": 4,"), "toy.json:6: \"cpu\" is no key here; use: clock_ghz, cpus,");
  says(complaint("\"cpus\": 4,", "\"name\": \"toy\","), "toy.json:6: the key \"name\" is there twice");
  says(complaint("\"cpus\": 4,\n", ""), "the key \"cpus\" is missing; add it");
  says(complaint("iomc.profile/1", "iomc.profile/2"), "toy.json:2: \"schema\" must be \"iomc.profile/1\"");
  says(complaint("tree_lock", "tree_luck"),
       "toy.json:9: \"event\" is \"tree_luck\", which is no event; see: iomc list");
  says(complaint("\"event\": \"tree_step\"", "\"event\": \"tree_lock\""),
       "toy.json:10: \"event\" \"tree_lock\" has an entry");
  says(complaint("\"measured\"", "\"guessed\""), "toy.json:9: \"provenance\" is \"guessed\"; use measured, published,");
  says(complaint("\"lo\": 40", "\"lo\": 60"), "toy.json:9: \"lo\" must be at most \"cycles\"");
  says(complaint("\"hi\": 8}", "\"hi\": 5}"), "toy.json:13: \"hi\" must be at least \"ns\"");
  says(complaint("\"nodes\": 10000", "\"nodes\": 10"), "toy.json:13: \"nodes\" must rise");
  says(complaint("\"here\"", "\"\""), "toy.json:9: \"source\" must be a text");
  says(complaint("\"cycles\": 50", "\"cycles\": \"50\""), "toy.json:9: \"cycles\" must be a number");
  says(complaint("\"cycles\": 50, ", ""), "toy.json:9: needs one of \"ns\" and \"cycles\"");
  says(complaint("\"entries\": [", "\"entries\": [7, "), "toy.json:8: must be an object");
  CHECK(complaint("\"here\"", "\"there\"") == "accepted");
}

TEST_CASE("the built-in profiles are valid, and say of each entry where it is from") {
  CHECK(profiles().size() == 4);
  for (const Profile& p : profiles()) CHECK(p.entries.size() > 9);
  CHECK_THROWS_AS(find_profile("none"), check::InputError);
  CHECK_THROWS_AS(find_profile("./none.json"), check::InputError);
}

TEST_CASE("numbers have three digits, times a unit") {
  CHECK(number(0.0213) == "0.0213");
  CHECK(number(41.66) == "41.7");
  CHECK(number(5205) == "5205");
  CHECK(number(2248000) == "2250000");
  CHECK(time_text(Range{950, 1320, 2000}) == "1.32 (0.950..2) us");
  CHECK(error_text(1171, 1144) == "+2.4%");
}
