// SPDX-License-Identifier: GPL-2.0-or-later
// Answers: what is printed, and the exit status that scripts go by.
#include <algorithm>
#include <catch2/catch.hpp>
#include <csignal>

#include "tests/checker/cli/process.hpp"

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("the exit status is git bisect's") {
  CHECK(run({"check", "fake", "--kernel", "6.1"}).status == 0);
  CHECK(run({"check", "fake", "--kernel", "6.12"}).status == 1);
  CHECK(run({"check", "fake"}).status == 1);  // the newest release
  CHECK(run({"check", "fake", "--kernel", "6.1", "--set", "flush=false"}).status == 1);
  CHECK(run({"check", "fake", "--kernel", "6.1", "--state-limit", "10"}).status == 125);
  CHECK(run({"check", "fake", "--kernel", "6.12", "--state-limit", "10"}).status == 1);
  CHECK(run({"check", "fake", "--property", "P1", "--property", "fake.P4"}).status == 0);
  CHECK(run({"check", "fake", "--config", "offline"}).status == 0);
}

TEST_CASE("with --exit=ksft it is kselftest's") {
  CHECK(run({"check", "fake", "--exit=ksft", "--kernel", "6.1"}).status == 0);
  CHECK(run({"check", "fake", "--exit=ksft", "--kernel", "6.12"}).status == 1);
  CHECK(run({"check", "fake", "--exit=ksft", "--kernel", "6.1", "--state-limit", "10"}).status == 4);
  CHECK(run({"check", "nope", "--exit=ksft"}).status == 129);
}

TEST_CASE("an internal error is said to be one") {
  const Finished f = run({"check", "fake", "--config", "broken"});
  CHECK(f.status == 134);
  CHECK(f.out.empty());
  CHECK(f.err.starts_with("iomc: internal error: "));
  CHECK(has(f.err, "please report it"));
  CHECK(std::count(f.err.begin(), f.err.end(), '\n') == 1);
}

TEST_CASE("two runs give the same bytes in every format") {
  for (const auto* format : {"text", "json", "ktap", "junit"}) {
    const Finished first = run({"check", "fake", "--format", format});
    CHECK(first.out == run({"check", "fake", "--format", format, "--seed", "7", "--threads", "4"}).out);
    CHECK(first.err.empty());
    CHECK(!first.out.empty());
  }
}

TEST_CASE("the first SIGINT or SIGTERM gives the partial result and 125") {
  for (const int signal : {SIGINT, SIGTERM}) {
    const Finished f = run(Start{{"check", "fake", "--config", "slow"}, "", {}, {signal}, "", false});
    CHECK(f.status == 125);
    CHECK(has(f.out, "reason: interrupted"));
    CHECK(has(f.out, "4 inconclusive, 0 hold"));
    CHECK(f.err.empty());
  }
}

TEST_CASE("an interrupted run is 125 even where a violation was found before, and shows it") {
  const Finished f =
      run(Start{{"check", "fake", "--config", "two-cpus", "--config", "slow"}, "", {}, {SIGINT}, "", false});
  CHECK(f.status == 125);
  CHECK(has(f.out, "What went wrong: "));
  CHECK(has(f.out, "reason: interrupted"));
}

TEST_CASE("the second signal ends the program at once") {
  // A program that no longer listens must still be stoppable.
  for (const int second : {SIGINT, SIGTERM}) {
    const Finished twice = run(Start{{"check", "fake", "--config", "deaf"}, "", {}, {SIGINT, second}, "", false});
    CHECK(twice.status == 128 + second);
    CHECK(twice.out.empty());
  }
}

TEST_CASE("progress is on stderr, only where asked for or seen, at most a line a second") {
  const Finished quiet = run(Start{{"check", "fake", "--config", "slow"}, "", {}, {0, 0, SIGINT}, "", false});
  CHECK(quiet.err.empty());
  const Finished loud =
      run(Start{{"check", "fake", "--config", "slow", "--progress"}, "", {}, {0, 0, 0, 0, 0, 0, 0, SIGINT}, "", false});
  const auto lines = std::count(loud.err.begin(), loud.err.end(), '\n');
  CHECK(lines >= 1);
  CHECK(lines <= 3);
  CHECK(loud.err.starts_with("iomc: slow: "));
}

TEST_CASE("the width follows COLUMNS") {
  const Finished narrow = run(Start{{"check", "fake"}, "", {"COLUMNS=80"}, {}, "", false});
  const Finished odd = run(Start{{"check", "fake"}, "", {"COLUMNS=wide"}, {}, "", false});
  CHECK(narrow.out != odd.out);
  CHECK(odd.out == run({"check", "fake"}).out);
  CHECK(!has(odd.out, "\x1b"));
}

TEST_CASE("a counterexample is replayed from its line, its file and standard input") {
  const std::string json = run({"check", "fake", "--format", "json", "--set", "cpus=3"}).out;
  const Finished piped = run(Start{{"replay", "-"}, json, {}, {}, "", false});
  CHECK(piped.status == 0);
  CHECK(has(piped.out, "confirmed: "));
  const std::string text = run({"check", "fake", "--set", "cpus=3"}).out;
  CHECK(has(text, "Replay: iomc replay fake/fake.P2 0/2/0/5/1/3/0 --kernel 6.12 --set cpus=3 --config two-cpus\n"));
  CHECK(run({"replay", "fake/fake.P2", "0/2/0/5/1/3/0", "--kernel", "6.12", "--set", "cpus=3", "--config", "two-cpus"})
            .status == 0);
  CHECK(run({"replay", "fake/P2", "0/2/0/5/1/3/0"}).status == 0);
  CHECK(run({"replay", "fake/P2", "0/2/0/5/1/3/0", "--format", "json"}).out.starts_with("{"));
}

TEST_CASE("a replay that does not violate is refuted, one that does not exist is not replayable") {
  const Finished refuted = run({"replay", "fake/P2", "0/2"});
  CHECK(refuted.status == 1);
  CHECK(has(refuted.out, "refuted: "));
  for (const char* path : {"0/2/loop/0", "0/2/end"}) CHECK(run({"replay", "fake/P2", path}).status == 1);
  const Finished gone = run({"replay", "fake/P2", "0/2/0/5/1/3/0/9"});
  CHECK(gone.status == 125);
  CHECK(has(gone.out, "not replayable: "));
  const std::string json = run({"check", "fake", "--format", "json"}).out;
  CHECK(run(Start{{"replay", "-", "--kernel", "6.1"}, json, {}, {}, "", false}).status == 1);
  const std::string holds = run({"check", "fake", "--kernel", "6.1", "--format", "json"}).out;
  const Finished nothing = run(Start{{"replay", "-"}, holds, {}, {}, "", false});
  CHECK(nothing.status == 129);
  CHECK(has(nothing.err, "no counterexample"));
}

TEST_CASE("a record with facts this version does not know is not replayable") {
  std::string json = run({"check", "fake", "--format", "json"}).out;
  json.replace(json.find("\"pop\""), 5, "\"old\"");
  const Finished f = run(Start{{"replay", "-"}, json, {}, {}, "", false});
  CHECK(f.status == 125);
  CHECK(has(f.out, "no fact or size old"));
}

TEST_CASE("a tree is checked like a kernel, and its unknown facts decide nothing until they are set") {
  CHECK(run({"check", "fake", "--tree", "linux"}).status == 1);
  CHECK(has(run({"check", "fake", "--tree", "my linux"}).out, "0/2/0/5/1/3/0 --tree 'my linux' --config two-cpus\n"));
  const Finished unknown = run(Start{{"check", "fake", "--tree", "unknown"}, "", {"COLUMNS=160"}, {}, "", false});
  CHECK(unknown.status == 125);
  CHECK(has(unknown.out, "unknown in this tree, give it with --set: flush (no call of alloc_iova_fast found)"));
  CHECK(run({"check", "fake", "--tree", "unknown", "--set", "flush=true"}).status == 0);
  CHECK(run({"replay", "fake/P2", "0/2/0/5/1/3/0", "--tree", "unknown"}).status == 125);
  CHECK(run({"replay", "fake/P2", "0/2/0/5/1/3/0", "--tree", "linux"}).status == 0);
}

TEST_CASE("facts lists what was read and where, and is 125 where something was not") {
  const Finished known = run({"facts", "--tree", "linux"});
  CHECK(known.status == 0);
  CHECK(has(known.out, "mag_size  127   drivers/iommu/iova.c:7"));
  const Finished unknown = run({"facts", "--tree", "unknown", "--spec", "fake"});
  CHECK(unknown.status == 125);
  CHECK(has(unknown.out, "unknown: no call of alloc_iova_fast found"));
}

TEST_CASE("review hands on what it was given and returns what it got") {
  const Finished f = run({"review", "a.patch", "-", "--tree", "linux", "--state-limit", "9"});
  CHECK(f.status == 1);
  CHECK(f.out == "patches 2, sets 0, states 9\n");
  CHECK(run({"review", "--kernel", "6.1", "--set", "flush=false", "--set", "cpus=2"}).out ==
        "patches 0, sets 2, states 0\n");
}

TEST_CASE("lists and explanations name what is there") {
  CHECK(has(run({"list"}).out, "fake  a cache"));
  CHECK(has(run({"list", "properties"}).out, "fake.P2  a request"));
  CHECK(has(run({"list", "kernels"}).out, "debian-6.12  linux-source-6.12"));
  CHECK(has(run({"list", "steps", "--spec", "fake"}).out, "alloc_iova.search"));
  CHECK(has(run({"list", "facts", "--format", "json"}).out, "\"iomc.list/1\""));
  CHECK(has(run({"list", "configurations"}).out, "two-cpus"));
  CHECK(has(run({"list", "sizes"}).out, "cpus"));
  for (const auto* id : {"fake.P2", "P2", "alloc_iova.search", "flush", "6.1", "two-cpus", "cpus", "fake"}) {
    const Finished f = run({"explain", id});
    CAPTURE(id);
    CHECK(f.status == 0);
    CHECK(has(f.out, "of fake)"));
  }
}
