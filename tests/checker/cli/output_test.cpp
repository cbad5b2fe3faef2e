// SPDX-License-Identifier: GPL-2.0-or-later
// Where reports go, and what is left when they cannot.
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "tests/checker/cli/process.hpp"

TEST_CASE("-o writes the same bytes to a file, replaces an old one, and leaves nothing beside it") {
  const TemporaryDirectory directory;
  const std::string file = directory / "report.json";
  const std::string expected = run({"check", "fake", "--format", "json"}).out;
  std::ofstream(file) << "older";
  chmod(file.c_str(), 0640);
  const Finished f = run({"check", "fake", "--format", "json", "-o", file});
  CHECK(f.status == 1);
  CHECK(f.out.empty());
  CHECK(contents(file) == expected);
  CHECK(directory.files() == std::vector<std::string>{"report.json"});
  struct stat status = {};
  REQUIRE(stat(file.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0640);
}

TEST_CASE("-o - is standard output") { CHECK(run({"list", "-o", "-"}).out == run({"list"}).out); }

TEST_CASE("a missing parent, a directory and a bad run leave what was there") {
  const TemporaryDirectory directory;
  const Finished missing = run({"check", "fake", "-o", directory / "no/report"});
  CHECK(missing.status == 129);
  CHECK(missing.err.find("create it first") != std::string::npos);
  const Finished is_directory = run({"check", "fake", "-o", directory / "."});
  CHECK(is_directory.status == 129);
  const std::string file = directory / "kept";
  std::ofstream(file) << "kept";
  CHECK(run({"check", "nope", "-o", file}).status == 129);
  CHECK(run({"check", "fake", "--config", "broken", "-o", file}).status == 134);
  CHECK(contents(file) == "kept");
  CHECK(directory.files() == std::vector<std::string>{"kept"});
}

TEST_CASE("a symbolic link stays one, and a device is written to, not replaced") {
  const TemporaryDirectory directory;
  std::filesystem::create_symlink("target", directory / "link");
  CHECK(run({"list", "-o", directory / "link"}).status == 0);
  CHECK(std::filesystem::is_symlink(directory / "link"));
  CHECK(contents(directory / "target") == run({"list"}).out);
  CHECK(run({"list", "-o", "/dev/null"}).status == 0);
  CHECK(std::filesystem::is_character_file("/dev/null"));
  const Finished full = run({"list", "-o", "/dev/full"});
  CHECK(full.status == 129);
  CHECK(full.err.find("No space left") != std::string::npos);
}

TEST_CASE("a reader that went away is no error, a full device is") {
  Start start;
  start.arguments = {"check", "fake", "--format", "json"};
  start.close_reader = true;
  const Finished gone = run(start);
  CHECK(gone.status == 1);
  CHECK(gone.err.empty());
  Start full;
  full.arguments = {"list"};
  full.stdout_path = "/dev/full";
  const Finished f = run(full);
  CHECK(f.status == 129);
  CHECK(f.err.find("standard output: No space left") != std::string::npos);
}
