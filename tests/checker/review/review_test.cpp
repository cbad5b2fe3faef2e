// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/review/review.hpp"

#include <catch2/catch.hpp>

#include "tests/checker/review/edits.hpp"
#include "tests/checker/review/fake_system.hpp"
#include "tests/checker/review/source_packages.hpp"

using namespace iomc::check;
using namespace iomc::check::testing;
using Catch::Matchers::Contains;

namespace {

const std::string iova_c = "drivers/iommu/iova.c";
const std::string dma_c = "drivers/iommu/dma-iommu.c";

/// 6.12 as a directory, once.
const std::filesystem::path& tree_612() {
  static const TemporaryDirectory tree = [] {
    TemporaryDirectory t;
    make_tree(t.path(), kernel("6.12"));
    return t;
  }();
  return tree.path();
}

Review review_text(const std::string& patch, const FakeIova& system = {}, const CheckRequest& request = {}) {
  return review(read_patches(patch, "x.patch"), tree_612(), system, request);
}

std::string semantic(const std::filesystem::path& p) { return diff(kernel("6.12"), patched(kernel("6.12"), p)); }

const PropertyPair& property(const Review& r, const std::string& id) {
  for (const PropertyPair& p : r.properties)
    if (p.after.property == id) return p;
  FAIL("no property " << id);
  return r.properties.front();
}

}  // namespace

TEST_CASE("what is lost in performance for something won is a trade-off, and said to be one") {
  const FakeIova system;
  const auto reading = [&](const std::vector<NamedValue>& changes) {
    FactReading out;
    for (const auto& [name, value] : system.facts("6.12")) {
      std::string now = value;
      for (const auto& [changed, to] : changes)
        if (changed == name) now = to;
      out.facts.push_back({name, now, "a test", {}, 0, {}});
    }
    return out;
  };
  const NamedValue slower{"flush_on_32bit_failure", "true"};
  const NamedValue wraps{"retry_pfn_wraps", "true"};
  const NamedValue unsafe{"depot_trim_irqsave", "false"};
  const auto verdict = [&](const std::vector<NamedValue>& before, const std::vector<NamedValue>& after) {
    return review_facts(reading(before), reading(after), {}, system, {}).verdict;
  };
  CHECK(verdict({wraps}, {slower}) ==
        "1 property is violated that held; 1 property holds that was violated; a trade-off: iova.P22 of performance "
        "for iova.P3");
  // Nothing won; and what is lost is not performance alone.
  CHECK(verdict({}, {slower}) == "1 property is violated that held");
  CHECK(verdict({wraps}, {slower, unsafe}) ==
        "2 properties are violated that held; 1 property holds that was violated");
}

TEST_CASE("the 32-bit attempt that flushes again: fact, verdict, counterexample, cost") {
  const Review r = review_text(semantic(example("flush-32bit-again.cocci")));
  INFO(to_text(r));
  REQUIRE(r.facts_changed.size() == 1);
  CHECK(r.facts_changed[0].name == "flush_on_32bit_failure");
  CHECK(r.facts_changed[0].before == "false");
  CHECK(r.facts_changed[0].after == "true");
  CHECK_THAT(r.facts_changed[0].where_after, Contains(dma_c + ":"));
  CHECK(property(r, "iova.P22").broken());
  CHECK(property(r, "iova.P22").after.counterexample);
  CHECK_FALSE(property(r, "iova.P3").changed());
  REQUIRE(r.costs.size() == 2);
  CHECK(r.costs[0].before < r.costs[0].after);
  CHECK(r.not_covered.empty());
  CHECK(r.exit == exit_violated);
  const std::string text = to_text(r);
  CHECK(text.find("facts changed:") < text.find("verdicts:"));
  CHECK(text.find("verdicts:") < text.find("costs per operation:"));
  CHECK_THAT(text, Contains("iova.P22: holds -> violated") && Contains("path 0/1") && Contains("locks: 4 -> 2310"));
}

TEST_CASE("the same patch backwards repairs the property") {
  const FileTexts after = patched(kernel("6.12"), example("flush-32bit-again.cocci"));
  const TemporaryDirectory tree;
  make_tree(tree.path(), after);
  const FakeIova system;
  const Review r = review(read_patches(diff(after, kernel("6.12")), "x.patch"), tree.path(), system, {});
  INFO(to_text(r));
  CHECK(property(r, "iova.P22").repaired());
  CHECK(r.exit == exit_holds);
  CHECK(system.checks == 2);
  CHECK(read_file(tree.path() / dma_c) == after.at(dma_c));
}

TEST_CASE("the patches that break something say which property") {
  const auto broken = [](const std::string& patch, const std::string& id) {
    const Review r = review_text(semantic(test_data("patches/" + patch + ".cocci")));
    INFO(to_text(r));
    CHECK(property(r, id).broken());
    CHECK(r.not_covered.empty());
    CHECK(r.exit == exit_violated);
  };
  broken("trim-plain-lock", "iova.P6");
  broken("retry-wraps", "iova.P3");
  broken("node-not-zeroed", "iova.P5");
}

TEST_CASE("a fact that cannot be read after the patch makes the review inconclusive") {
  const std::string patch = semantic(test_data("patches/max32-reset-halved.cocci"));
  const FakeIova system;
  const Review r = review_text(patch, system);
  INFO(to_text(r));
  CHECK(r.exit == exit_inconclusive);
  CHECK_FALSE(r.checked);
  CHECK(system.checks == 0);
  REQUIRE(r.unknown.size() == 1);
  CHECK(r.unknown[0].name == "max32_reset");
  CHECK(r.unknown[0].before == "any_32bit_free");
  CHECK_THAT(to_text(r), Contains("max32_reset: any_32bit_free -> unknown") && Contains("1 fact is unknown"));

  CheckRequest request;
  request.facts = {{"max32_reset", "absent"}};
  const Review given = review_text(patch, system, request);
  INFO(to_text(given));
  CHECK(given.checked);
  CHECK_THAT(to_text(given), Contains("note: max32_reset = absent was given, not read"));
}

TEST_CASE("code that changes without a fact is not covered, and never holds") {
  const Review r = review_text(semantic(test_data("patches/flush-possible-cpus.cocci")));
  INFO(to_text(r));
  CHECK(r.facts_changed.empty());
  CHECK_FALSE(r.checked);
  CHECK(r.exit == exit_inconclusive);
  REQUIRE(r.not_covered.size() == 1);
  CHECK(r.not_covered[0].function == "alloc_iova_fast");
  CHECK(r.not_covered[0].file == iova_c);
  CHECK(r.not_covered[0].first == r.not_covered[0].last);
  CHECK_THAT(r.verdict, Contains("1 change is not covered") && !Contains("holds"));
}

TEST_CASE("a change that is covered does not hide one that is not") {
  FileTexts after = patched(kernel("6.12"), example("flush-32bit-again.cocci"));
  after[iova_c] = edited(after[iova_c], "\tif (free->pfn_lo >= cached_iova->pfn_lo)\n\t\tiovad->cached_node",
                         "\tif (free->pfn_lo > cached_iova->pfn_lo)\n\t\tiovad->cached_node");
  std::string patch = diff(kernel("6.12"), after);
  patch += "--- /dev/null\n+++ b/drivers/iommu/extra.c\n@@ -0,0 +1 @@\n+int extra;\n";
  const Review r = review_text(patch);
  INFO(to_text(r));
  REQUIRE(r.not_covered.size() == 2);
  CHECK(r.not_covered[0].function == "__cached_rbnode_delete_update");
  CHECK(r.not_covered[1].file == "drivers/iommu/extra.c");
  CHECK_THAT(r.not_covered[1].why, Contains("no system specifies this file"));
  CHECK(r.exit == exit_violated);
}

TEST_CASE("comments, blanks and the order of definitions are no code") {
  FileTexts after = kernel("6.12");
  after[iova_c] =
      edited(after[iova_c], "/* Insert the iova into domain rbtree by holding writer lock */", "/* Other words. */");
  after[iova_c] =
      edited(after[iova_c], "\tunsigned long new_pfn, retry_pfn;\n", "\tunsigned long\n\t\tnew_pfn,  retry_pfn;\n");
  const std::string prototype = "static void free_iova_rcaches(struct iova_domain *iovad);\n";
  after[iova_c] = edited(after[iova_c], prototype, "");
  const FakeIova system;
  const Review r = review_text(diff(kernel("6.12"), after), system);
  INFO(to_text(r));
  CHECK(r.exit == exit_holds);
  CHECK(r.no_code_changed == std::vector<std::string>{iova_c});
  CHECK(r.not_covered.empty());
  CHECK(r.verdict == "no code changed");
  CHECK(system.checks == 0);
}

TEST_CASE("a local variable of another name changes no fact; that the code is the same is not claimed") {
  FileTexts after = kernel("6.12");
  after[iova_c] = edited_everywhere(after[iova_c], "retry_pfn", "upper_floor");
  const Review r = review_text(diff(kernel("6.12"), after));
  INFO(to_text(r));
  CHECK(r.facts_changed.empty());
  CHECK(r.unknown.empty());
  CHECK(r.exit == exit_inconclusive);
  REQUIRE_FALSE(r.not_covered.empty());
  for (const Uncovered& u : r.not_covered) CHECK(u.function == "__alloc_and_insert_iova_range");
}

TEST_CASE("an inconclusive check is never a pass") {
  FakeIova system;
  system.inconclusive = true;
  FileTexts after = kernel("6.12");
  after[dma_c] = edited(after[dma_c], "#define IOVA_DEFAULT_FQ_SIZE\t256", "#define IOVA_DEFAULT_FQ_SIZE\t512");
  const Review r = review_text(diff(kernel("6.12"), after), system);
  INFO(to_text(r));
  CHECK(r.exit == exit_inconclusive);
  CHECK_THAT(to_text(r), Contains("iova.P3: inconclusive -> inconclusive") && Contains("time limit"));
}

TEST_CASE("patches of a series are reviewed as one change, on a package as on a directory") {
  const FileTexts& before = kernel("6.1");
  FileTexts middle = before, after;
  middle[iova_c] = edited(middle[iova_c], "#define IOVA_MAG_SIZE 127", "#define IOVA_MAG_SIZE 63");
  after = middle;
  after[iova_c] = edited(after[iova_c], "#define IOVA_MAG_SIZE 63", "#define IOVA_MAG_SIZE 31");
  std::vector<Patch> series = read_patches(diff(before, middle), "1.patch");
  series.push_back(read_patches(diff(middle, after), "2.patch").front());
  const Review r = review(series, package("6.1"), FakeIova(), {});
  INFO(to_text(r));
  REQUIRE(r.facts_changed.size() == 1);
  CHECK(r.facts_changed[0].after == "31");
  CHECK(r.not_covered.empty());
  CHECK(r.exit == exit_holds);
}

TEST_CASE("a patch for other files is refused with the specified ones") {
  CHECK_THROWS_WITH(review_text("--- a/kernel/fork.c\n+++ b/kernel/fork.c\n@@ -1 +1 @@\n-a\n+b\n"),
                    Contains("x.patch: touches no specified file (iova specifies drivers/iommu/iova.c"));
  CHECK_THROWS_WITH(review_text("--- a/drivers/iommu/iova.c\n+++ b/drivers/iommu/iova.c\n@@ -1 +1 @@\n-a\n+b\n"),
                    Contains("x.patch:3: hunk"));
}

TEST_CASE("a range of a git repository is reviewed from its commits, whatever is checked out") {
  const TemporaryDirectory repository;
  const auto git = [&](std::vector<std::string> arguments) {
    std::vector<std::string> argv{"git",
                                  "-C",
                                  repository.path().string(),
                                  "-c",
                                  "user.name=T",
                                  "-c",
                                  "user.email=t@e.x",
                                  "-c",
                                  "commit.gpgsign=false"};
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    return run_checked({.argv = argv, .package = "git", .directory = {}, .input = {}});
  };
  git({"init", "-q"});
  make_tree(repository.path(), kernel("6.12"));
  git({"add", "."});
  git({"commit", "-q", "-m", "before"});
  make_tree(repository.path(), patched(kernel("6.12"), example("flush-32bit-again.cocci")));
  git({"commit", "-q", "-a", "-m", "after"});
  write_file(repository.path() / iova_c, "not what was committed");
  const Review r = review_range("HEAD~1..HEAD", repository.path(), FakeIova(), {});
  INFO(to_text(r));
  CHECK(r.exit == exit_violated);
  CHECK(property(r, "iova.P22").broken());
  CHECK_THROWS_WITH(review_range("HEAD", repository.path(), FakeIova(), {}), Contains("not a range"));
  CHECK_THROWS_WITH(review_range("x..y", repository.path(), FakeIova(), {}), Contains("git failed"));
  CHECK_THROWS_WITH(review_range("HEAD..HEAD", repository.path(), FakeIova(), {}), Contains("no change"));
}
