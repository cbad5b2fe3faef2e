// SPDX-License-Identifier: GPL-2.0-or-later
// What must be true of a report whatever its wording.
#include <catch2/catch.hpp>
#include <sstream>

#include "checker/report/recorded.hpp"
#include "checker/report/report.hpp"
#include "tests/checker/fake_system.hpp"

using namespace iomc;
using report::Format;

namespace {

constexpr Format formats[] = {Format::text, Format::json, Format::ktap, Format::junit};

check::RunResult only(check::Verdict verdict, const std::string& reason) {
  check::RunResult run;
  run.spec = "fake";
  run.kernel = "6.12";
  check::PropertyResult r;
  r.property = "fake.P1";
  r.claim = "a claim";
  r.verdict = verdict;
  r.reason = reason;
  run.results = {r};
  return run;
}

}  // namespace

TEST_CASE("nothing inconclusive looks like holding, in any format") {
  for (const auto* reason : {"time limit reached", "", "interrupted"}) {
    const auto run = only(check::Verdict::inconclusive, reason);
    for (const auto format : formats) {
      const std::string text = report::render(format, run, {});
      CAPTURE(text);
      CHECK(text.find("inconclusive") != std::string::npos);
      CHECK(text.find("holds") == std::string::npos);
      CHECK(text.find("\nok ") == std::string::npos);
      CHECK(text.find(" ok 1 fake.P1") == text.find(" ok 1 fake.P1 # ERROR"));
    }
    CHECK(report::render(Format::ktap, run, {}).find("  not ok 1 fake.P1 # ERROR inconclusive: ") != std::string::npos);
    CHECK(report::render(Format::junit, run, {}).find("errors=\"1\"") != std::string::npos);
  }
}

TEST_CASE("a run that checked nothing is inconclusive") {
  auto run = only(check::Verdict::holds, "");
  run.results.clear();
  CHECK(report::overall(run) == check::Verdict::inconclusive);
  for (const auto format : formats) CHECK(report::render(format, run, {}).find("inconclusive") != std::string::npos);
}

TEST_CASE("a property that nothing could have violated is marked vacuous in every format") {
  auto run = only(check::Verdict::holds, "");
  run.results[0].vacuous = true;
  CHECK(report::render(Format::text, run, {}).find("holds (vacuous) fake.P1") != std::string::npos);
  CHECK(report::render(Format::json, run, {}).find("\"vacuous\": true") != std::string::npos);
  CHECK(report::render(Format::ktap, run, {}).find("ok 1 fake.P1 # vacuous") != std::string::npos);
  CHECK(report::render(Format::junit, run, {}).find("holds (vacuous)") != std::string::npos);
}

TEST_CASE("the verdict line is as a reader's script expects it") {
  const std::string text = report::render(Format::text, only(check::Verdict::holds, ""), {});
  CHECK(text.find("\nholds        fake.P1  a claim\n") != std::string::npos);
}

TEST_CASE("text goes through any pipe: printable ASCII, and no colour unless asked") {
  auto run = check::fake::every_verdict();
  run.results[0].claim = "pfns \xe2\x89\xa4 8 \x1b[2J \xff";
  run.results[1].counterexample->conclusion = "bell \a and ]]> and <b>";
  for (const auto format : {Format::text, Format::ktap, Format::junit})
    for (const char c : report::render(format, run, {})) REQUIRE((c == '\n' || (c >= 0x20 && c < 0x7f)));
  report::Options coloured;
  coloured.colour = true;
  CHECK(report::render(Format::text, run, coloured).find("\x1b[1;31mviolated") != std::string::npos);
  CHECK(report::render(Format::ktap, run, coloured).find('\x1b') == std::string::npos);
  CHECK(report::render(Format::junit, run, coloured).find('\x1b') == std::string::npos);
}

TEST_CASE("the text report keeps to its width, but for the line that is copied") {
  for (const unsigned width : {72U, 80U, 100U, 132U}) {
    report::Options options;
    options.width = width;
    std::istringstream in(report::render(Format::text, check::fake::every_verdict(), options));
    for (std::string line; std::getline(in, line);) {
      CAPTURE(width, line);
      CHECK((line.size() <= width || line.starts_with("Replay: ")));
    }
  }
}

TEST_CASE("a claim cannot end the description of a KTAP line, or pass for a directive") {
  auto run = only(check::Verdict::holds, "");
  run.results[0].property = "fake.P1 # SKIP";
  CHECK(report::render(Format::ktap, run, {}).find("ok 1 fake.P1 _ SKIP # ") != std::string::npos);
}

TEST_CASE("the JSON of a run gives back what is needed to replay its counterexamples") {
  report::Options options;
  options.sizes = {{"cpus", "3"}};
  const auto run = check::fake::every_verdict();
  const auto records = report::read_recorded(report::render(Format::json, run, options), "x.json");
  REQUIRE(records.size() == 1);
  CHECK(records[0].spec == "fake");
  CHECK(records[0].kernel == "6.12");
  CHECK(records[0].facts == run.facts);
  CHECK(records[0].sizes == options.sizes);
  CHECK(records[0].property == "fake.P2");
  CHECK(records[0].configuration == "two-cpus");
  CHECK(records[0].path == "0/2/0/5/1/3/0");
}

TEST_CASE("JSON that is none is refused with the file and the line") {
  const auto message = [](const std::string& text) {
    try {
      report::read_recorded(text, "x.json");
    } catch (const check::InputError& e) {
      return std::string(e.what());
    }
    return std::string("accepted");
  };
  CHECK(message("{\n\n  \"a\": }").starts_with("x.json:3: not JSON"));
  CHECK(message("").starts_with("x.json:1: not JSON"));
  CHECK(message("[]").starts_with("x.json: its \"schema\""));
  CHECK(message("{\"schema\": 7}").starts_with("x.json: its \"schema\""));
  CHECK(message("{\"schema\": \"iomc.result/1\"}").find("'spec'") != std::string::npos);
  const std::string head = R"({"schema": "iomc.result/1", "spec": "s", "kernel": "k")";
  CHECK(message(head + "}").find("'results'") != std::string::npos);
  CHECK(message(head + R"(, "facts": {"a": 1}})").find("'facts.a'") != std::string::npos);
  CHECK(message(head + R"(, "results": [1]})").find("results[0]") != std::string::npos);
  CHECK(message(head + R"(, "results": [{"counterexample": 1, "property": "p", "configuration": ""}]})")
            .find("results[0].counterexample") != std::string::npos);
}

TEST_CASE("bytes that are no UTF-8 do not lose the JSON report") {
  auto run = only(check::Verdict::holds, "");
  run.results[0].claim = "\xff\xfe";
  CHECK(report::render(Format::json, run, {}).find("\"claim\"") != std::string::npos);
}
