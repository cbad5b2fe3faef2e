// SPDX-License-Identifier: GPL-2.0-or-later
// Wrong calls: status 129, nothing on standard output, one line that says what to do.
#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/checker/cli/process.hpp"

namespace {

struct Wrong {
  std::vector<std::string> arguments;
  std::string says;
};

void refuse(const Wrong& wrong) {
  const Finished f = run(wrong.arguments);
  CAPTURE(wrong.arguments, f.err);
  CHECK(f.status == 129);
  CHECK(f.out.empty());
  CHECK(std::count(f.err.begin(), f.err.end(), '\n') == 1);
  CHECK(f.err.starts_with("iomc: "));
  CHECK(f.err.find(wrong.says) != std::string::npos);
}

}  // namespace

TEST_CASE("a command that is not there is refused, with the nearest one") {
  refuse({{"chek", "fake"}, "did you mean check?"});
  refuse({{"frobnicate"}, "iomc --help"});
  refuse({{"--format", "json"}, "options follow the command"});
  refuse({{""}, "no such command"});
}

TEST_CASE("commands and engines of later versions say so") {
  for (const auto* name : {"trace", "ci", "export"})
    refuse({{name, "--anything"}, "not in this version"});
  refuse({{"check", "fake", "--engine", "random"}, "not in this version"});
  for (const auto* name : {"markdown", "html", "sarif", "mail", "perfetto"})
    refuse({{"check", "fake", "--format", name}, "not in this version"});
}

TEST_CASE("wrong arguments of check are refused with the remedy") {
  refuse({{"check"}, "SPEC is missing"});
  refuse({{"check", "nope"}, "there is fake"});
  refuse({{"check", "fake", "extra"}, "extra"});
  refuse({{"check", "fake", "--bogus"}, "iomc check --help"});
  refuse({{"check", "fake", "--kernel"}, "--kernel"});
  refuse({{"check", "fake", "--kernel", "9.9"}, "it has 6.1, 6.12"});
  refuse({{"check", "fake", "--kernel", "6.1", "--kernel", "6.12"}, "--kernel"});
  refuse({{"check", "fake", "--kernel", "6.1", "--tree", "."}, "give one of them"});
  refuse({{"check", "fake", "--set", "flush"}, "expected NAME=VALUE"});
  refuse({{"check", "fake", "--set", "=1"}, "expected NAME=VALUE"});
  refuse({{"check", "fake", "--set", "nope=1"}, "it has flush, pop, mag_size, cpus"});
  refuse({{"check", "fake", "--set", "flush=maybe"}, "expected true or false"});
  refuse({{"check", "fake", "--set", "cpus=99"}, "expected 1 to 4"});
  refuse({{"check", "fake", "--property", "P9"}, "did you mean fake.P1?"});
  refuse({{"check", "fake", "--config", "nope"}, "it has two-cpus"});
  refuse({{"check", "fake", "--engine", "nope"}, "use --engine explicit, symbolic or all"});
  refuse({{"check", "fake", "--depth", "9"}, "for --engine symbolic or all"});
  refuse({{"check", "fake", "--engine", "symbolic", "--depth", "nine"}, "expected a number"});
}

TEST_CASE("wrong values of the common options are refused with what is allowed") {
  refuse({{"list", "--format", "yaml"}, "use text, json, ktap or junit"});
  refuse({{"list", "--seed", "x"}, "expected a number"});
  refuse({{"list", "--threads", "0"}, "at least one"});
  refuse({{"list", "--threads", "-1"}, "expected a number"});
  refuse({{"list", "--state-limit", "0"}, "at least one"});
  refuse({{"list", "--state-limit", "99999999999999999999"}, "expected a number"});
  for (const auto* text : {"0", "-1", "nan", "inf", "1s", "", "1e999"})
    if (*text != '\0') refuse({{"list", "--time-limit", text}, "expected seconds"});
  for (const auto* text : {"0", "2X", "G", "2GB", "-1", "99999999999T"})
    refuse({{"list", "--memory-limit", text}, "as in 512M or 2G"});
  refuse({{"list", "--exit", "zero"}, "use bisect or ksft"});
}

TEST_CASE("wrong arguments of the other commands are refused") {
  refuse({{"list", "nope"}, "there are specs, properties"});
  refuse({{"list", "--spec", "nope"}, "there is fake"});
  refuse({{"list", "--format", "ktap"}, "--format text or json"});
  refuse({{"explain"}, "ID is missing"});
  refuse({{"explain", "fake.P9"}, "did you mean fake.P1?"});
  refuse({{"facts"}, "give --tree DIR"});
  refuse({{"facts", "--tree", "none"}, "none: no kernel tree"});
  refuse({{"check", "fake", "--tree", "none"}, "none: no kernel tree"});
  refuse({{"review"}, "no change"});
  refuse({{"review", "a.patch"}, "give --tree DIR"});
  refuse({{"review", "--set", "flush=false"}, "which kernel"});
  refuse({{"replay"}, "COUNTEREXAMPLE is missing"});
  refuse({{"replay", "fake/fake.P2"}, "PATH is missing"});
  refuse({{"replay", "fake.P2", "0/1"}, "expected SPEC/PROPERTY"});
  refuse({{"replay", "fake/fake.P2", "0/x"}, "expected numbers"});
  refuse({{"replay", "fake/fake.P2", "0/1/loop"}, "expected numbers"});
  refuse({{"replay", "fake/fake.P9", "0"}, "did you mean"});
  refuse({{"replay", "no such file.json"}, "No such file"});
  refuse({{"replay", "/"}, "Is a directory"});
  refuse({{"replay", "fake/fake.P2", "0", "--format", "ktap"}, "--format text or json"});
}

TEST_CASE("help is on standard output, in 80 columns, and names every option") {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"--help"},
                                                {"help"},
                                                {"-h"},
                                                {"check", "--help"},
                                                {"help", "check"},
                                                {"list", "-h"},
                                                {"explain", "--help"},
                                                {"replay", "--help"},
                                                {"facts", "--help"},
                                                {"review", "--help"}}) {
    const Finished f = run(words);
    CAPTURE(words);
    CHECK(f.status == 0);
    CHECK(f.err.empty());
    CHECK(f.out.starts_with("usage: iomc "));
    CHECK(f.out.find("\nexamples:\n") != std::string::npos);
    for (std::size_t at = 0, end = 0; (end = f.out.find('\n', at)) != std::string::npos; at = end + 1)
      CHECK(end - at <= 80);
  }
  CHECK(run({"--version"}).out.starts_with("iomc "));
}
