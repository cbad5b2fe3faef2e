// SPDX-License-Identifier: GPL-2.0-or-later
// The program itself on Debian's source package, as a user runs it: facts, reviews, and input that is none.
#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>

#include "tests/checker/cli/process.hpp"
#include "tests/checker/review/edits.hpp"
#include "tests/checker/review/source_packages.hpp"

namespace fixture = iomc::check::testing;

namespace {

const std::string dma_c = "drivers/iommu/dma-iommu.c";

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// The specified files of 6.12 as a tree, and patches beside it.
struct Place {
  TemporaryDirectory directory;
  std::string tree = directory / "tree";

  Place() {
    fixture::make_tree(tree, fixture::kernel("6.12"));
    const std::string header = "include/linux/iova.h";
    const auto package = iomc::check::SourceTree::open(fixture::package("6.12"), {header});
    fixture::make_tree(tree, {{header, package.read(header).value()}});
  }
  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(directory / name, std::ios::binary) << text;
    return directory / name;
  }
};

const Place& place() {
  static const Place p;
  return p;
}

const std::string& flush_again() {
  static const std::string path = place().file(
      "flush.patch",
      fixture::diff(fixture::kernel("6.12"),
                    fixture::patched(fixture::kernel("6.12"), fixture::example("flush-32bit-again.cocci"))));
  return path;
}

/// One line on stderr that says these things, status 129, nothing on stdout.
void refused(const std::vector<std::string>& arguments, const std::vector<std::string>& parts,
             const std::string& input = {}) {
  const Finished f = run(Start{arguments, input, {}, {}, "", false});
  CAPTURE(arguments, f.err, f.out);
  CHECK(f.status == 129);
  CHECK(f.out.empty());
  CHECK(std::count(f.err.begin(), f.err.end(), '\n') == 1);
  for (const auto& part : parts) CHECK(has(f.err, part));
}

std::vector<std::string> review(const std::string& patch, std::vector<std::string> more = {}) {
  std::vector<std::string> out = {"review", patch, "--tree", place().tree, "--config", "page-zero"};
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

}  // namespace

TEST_CASE("the 32-bit flush patch against the package: one fact changes, and the review says what that does") {
  const std::string package = fixture::package("6.12").string();
  const Finished f = run({"review", flush_again(), "--tree", package, "--config", "page-zero"});
  INFO(f.out << f.err);
  CHECK(f.err.empty());
  CHECK(has(f.out, "facts changed:\n  flush_on_32bit_failure  false -> true\n"));
  CHECK(has(f.out, "before: " + dma_c + ":"));
  CHECK(!has(f.out, "facts unknown"));
  CHECK(!has(f.out, "not covered"));
  CHECK(has(f.out, "\nverdict: "));
  CHECK(f.status == (has(f.out, "\nverdict: broken: ") ? 1 : 0));
}

TEST_CASE("every form of the change gives the same report") {
  const Finished file = run(review(flush_again()));
  CHECK((file.status == 0 || file.status == 1));
  const Finished again = run(review(flush_again()));
  CHECK(file.out == again.out);
  const Finished piped = run(Start{review("-"), contents(flush_again()), {}, {}, "", false});
  CHECK(piped.status == file.status);
  CHECK(has(piped.out, "review of standard input against "));
  const std::string tail = "facts changed:";
  CHECK(piped.out.substr(piped.out.find(tail)) == file.out.substr(file.out.find(tail)));
}

TEST_CASE("a broken property comes with its counterexample, which the line below it replays") {
  const std::string patch = place().file(
      "zero.patch",
      fixture::diff(fixture::kernel("6.12"),
                    fixture::patched(fixture::kernel("6.12"), fixture::test_data("patches/node-not-zeroed.cocci"))));
  const Finished f = run({"review", patch, "--tree", place().tree, "--config", "slab"});
  INFO(f.out << f.err);
  CHECK(f.status == 1);
  CHECK(has(f.out, "  node_zeroed  true -> false\n"));
  CHECK(has(f.out, "holds        violated     iova.P5"));
  CHECK(has(f.out, "What went wrong: "));
  CHECK(f.out.ends_with("\nverdict: broken: 1 property is violated that held\n"));
  const std::string mark = "\nReplay: iomc ";
  REQUIRE(has(f.out, mark));
  std::istringstream line(f.out.substr(f.out.find(mark) + mark.size()));
  std::vector<std::string> words(1);
  for (char c = 0; line.get(c) && c != '\n';) {
    if (c == ' ')
      words.emplace_back();
    else
      words.back() += c;
  }
  const Finished replayed = run(words);
  INFO(replayed.out << replayed.err);
  CHECK(replayed.status == 0);
  CHECK(has(replayed.out, "confirmed: "));
}

TEST_CASE("an inconclusive review is 125 in every format") {
  for (const auto* format : {"text", "json", "ktap", "junit"}) {
    const Finished f = run({"review", "--kernel", "6.12", "--set", "node_zeroed=false", "--config", "slab",
                            "--property", "P3", "--state-limit", "10", "--format", format});
    CAPTURE(format, f.out);
    CHECK(f.status == 125);
    CHECK(has(f.out, "inconclusive"));
    CHECK(f.err.empty());
  }
}

TEST_CASE("progress says which side is explored") {
  const Finished f = run({"review", "--kernel", "6.12", "--set", "flush_on_32bit_failure=true", "--config", "strict",
                          "--state-limit", "2000000", "--progress"});
  INFO(f.err);
  CHECK(has(f.err, "iomc: before, strict: "));
}

TEST_CASE("facts of a package are all read; of no tree, none") {
  const Finished f = run({"facts", "--tree", fixture::package("6.12").string()});
  INFO(f.out << f.err);
  CHECK(f.status == 0);
  CHECK(has(f.out, dma_c + ":"));
  CHECK(!has(f.out, "unknown"));
  refused({"facts", "--tree", "/nonexistent"}, {"/nonexistent", "give a kernel source directory"});
  refused({"facts", "--tree", place().directory / "."}, {"is it a kernel source tree?"});
  refused({"facts", "--tree", place().tree, "--format", "ktap"}, {"use --format text or json"});
}

TEST_CASE("what is no tree, no patch, or no name is refused with the remedy") {
  const Place& p = place();
  TemporaryDirectory empty;
  refused({"review", flush_again(), "--tree", empty / "."}, {"no drivers/iommu/iova.c", "is it a kernel source tree?"});
  refused({"review", flush_again(), "--tree", empty / "none"}, {"none: no such tree", "give"});
  refused({"review", flush_again()}, {"which tree", "--tree DIR"});
  refused(review("absent.patch"), {"absent.patch: no such file; give"});
  refused(review(p.file("fork.patch", "--- a/kernel/fork.c\n+++ b/kernel/fork.c\n@@ -1 +1 @@\n-a\n+b\n")),
          {"fork.patch", "touches no specified file", "drivers/iommu/iova.c"});
  refused(review(p.file("cut.patch", "--- a/" + dma_c + "\n+++ b/" + dma_c + "\n@@ -1,9 +1,9 @@\n-a\n+b\n")),
          {"cut.patch:3: the hunk ends early"});
  refused(review(p.file("other.patch", "--- a/" + dma_c + "\n+++ b/" + dma_c + "\n@@ -1 +1 @@\n-a\n+b\n")),
          {"other.patch:3: hunk", "does not apply"});
  refused(review(p.file("junk.patch", std::string("\x7f"
                                                  "ELF\0\1\2\n\xff\0",
                                                  10))),
          {"junk.patch:1: binary data"});
  refused(review(p.file("empty.patch", "")), {"empty.patch: is empty"});
  refused(review(p.file("words.patch", "nothing here\n")), {"words.patch: no unified diff in it"});
  refused(review("-"), {"standard input:1: binary data"}, std::string("\0\0", 2));
  refused(review(flush_again(), {"--property", "iova.P99"}), {"iova.P99", "iomc list properties"});
  refused(review(flush_again(), {"--config", "nowhere"}), {"--config nowhere", "strict"});
  refused(review(flush_again(), {"--set", "nonsense=1"}), {"no fact or size 'nonsense'", "iomc list facts"});
  refused(review(flush_again(), {"--set", "pop=top"}), {"--set pop=top: pop could be read", "leave it out"});
  refused(review(flush_again(), {"--set", "cpus=99"}), {"cpus=99"});
  refused(review(flush_again(), {"--spec", "nope"}), {"nope", "iova"});
  refused({"review", "--kernel", "3.0", "--set", "pop=top"}, {"no kernel '3.0'", "4.13"});
  refused({"review", "--kernel", "6.12", "--set", "cpus=2"}, {"nothing changes"});
  refused({"review", "HEAD~1..HEAD", "--tree", p.tree}, {"HEAD~1..HEAD: ", "is no git repository"});
  refused(review(flush_again(), {"--format", "markdown"}), {"--format markdown: not in this version"});
  refused(review(flush_again(), {"--format", "mail"}), {"--format mail: not in this version"});
}
