// SPDX-License-Identifier: GPL-2.0-or-later
// Each format byte for byte. After an intended change: IOMC_UPDATE_GOLDEN=1 test_report, then read the difference.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "checker/report/report.hpp"
#include "tests/checker/fake_system.hpp"

using namespace iomc;
using report::Format;

namespace {

void compare(const std::string& name, const std::string& actual) {
  const std::string path = std::string(IOMC_GOLDEN_DIR) + "/" + name;
  if (std::getenv("IOMC_UPDATE_GOLDEN") != nullptr) std::ofstream(path, std::ios::binary) << actual;
  std::ifstream in(path, std::ios::binary);
  REQUIRE(in.good());
  std::ostringstream expected;
  expected << in.rdbuf();
  CHECK(actual == expected.str());
}

report::Options options_of(unsigned width) {
  report::Options out;
  out.width = width;
  out.selection = {"--kernel", "6.12", "--set", "cpus=2"};
  out.sizes = {{"cpus", "2"}};
  return out;
}

}  // namespace

TEST_CASE("each format of a run with every verdict is as it was") {
  const auto run = check::fake::every_verdict();
  compare("every_verdict.txt", report::render(Format::text, run, options_of(100)));
  compare("every_verdict_80.txt", report::render(Format::text, run, options_of(80)));
  compare("every_verdict.json", report::render(Format::json, run, options_of(100)));
  compare("every_verdict.ktap", report::render(Format::ktap, run, options_of(100)));
  compare("every_verdict.xml", report::render(Format::junit, run, options_of(100)));
}

TEST_CASE("runs without end are as they were: stem and loop apart, assumptions named") {
  const auto run = check::fake::liveness_run();
  compare("liveness.txt", report::render(Format::text, run, options_of(100)));
  compare("liveness.json", report::render(Format::json, run, options_of(100)));
  compare("liveness.ktap", report::render(Format::ktap, run, options_of(100)));
  compare("liveness.xml", report::render(Format::junit, run, options_of(100)));
  using report::Replayed;
  const check::Counterexample confirmed = *run.results[0].counterexample;
  check::Counterexample refuted = confirmed;
  refuted.confirmed = false;
  refuted.conclusion = "the goal is reached in the loop";
  std::vector<Replayed> replayed;
  for (const auto& c : {confirmed, refuted})
    replayed.push_back({"fake", "6.12", "fake.L1", "claim", "two-cpus", c.path,
                        c.confirmed ? Replayed::Outcome::confirmed : Replayed::Outcome::refuted, "", c});
  compare("liveness_replay.txt", report::render(Format::text, replayed, options_of(100)));
}

TEST_CASE("the statistics are added only where they are asked for") {
  auto options = options_of(100);
  options.stats = true;
  const auto run = check::fake::every_verdict();
  CHECK(report::render(Format::text, run, options).find("stats: 1.00 s, 42841 states/s") != std::string::npos);
  CHECK(report::render(Format::json, run, options).find("\"peak_memory_bytes\": 1048576") != std::string::npos);
  CHECK(report::render(Format::junit, run, options).find("time=\"1.0") != std::string::npos);
  options.stats = false;
  for (const auto format : {Format::text, Format::json, Format::ktap, Format::junit}) {
    const std::string text = report::render(format, run, options);
    CHECK(text.find("seconds") == std::string::npos);
    CHECK(text.find("time=") == std::string::npos);
    CHECK(text.find("states/s") == std::string::npos);
  }
}

TEST_CASE("replays are as they were") {
  report::Replayed confirmed{"fake",
                             "6.12",
                             "fake.P2",
                             "claim",
                             "two-cpus",
                             "0/2/0/5/1/3/0",
                             report::Replayed::Outcome::confirmed,
                             "",
                             check::fake::counterexample()};
  report::Replayed gone{"fake",
                        "6.1",
                        "fake.P2",
                        "claim",
                        "",
                        "0/9",
                        report::Replayed::Outcome::not_replayable,
                        "replay path: step 1 has no choice 9",
                        std::nullopt};
  compare("replay.txt", report::render(Format::text, std::vector{confirmed, gone}, options_of(100)));
  compare("replay.json", report::render(Format::json, std::vector{confirmed, gone}, options_of(100)));
  CHECK_THROWS_AS(report::render(Format::ktap, std::vector{gone}, options_of(100)), check::InputError);
}
