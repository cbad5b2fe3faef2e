// SPDX-License-Identifier: GPL-2.0-or-later
// The seam the program calls, with a system whose verdicts follow from facts: what is asked, how often, and what is
// reported.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "checker/review/review_api.hpp"
#include "checker/review/sides.hpp"
#include "tests/checker/review/edits.hpp"
#include "tests/checker/review/fake_system.hpp"
#include "tests/checker/review/source_packages.hpp"

using namespace iomc;
using namespace iomc::check::testing;
using Catch::Matchers::Contains;
using check::InputError;

namespace {

class Iova : public FakeIova {
 public:
  std::vector<check::NamedText> kernels() const override { return {{"4.13", "v4.13"}, {"6.12", "v6.12"}}; }
  std::vector<check::PropertyText> properties() const override {
    return {{"iova.P3", "no range lies below the start", "", "", "safety"},
            {"iova.P22", "one failure in an episode flushes", "", "", "performance"}};
  }
  std::vector<check::NamedText> configurations() const override { return {{"two-cpus", "two CPUs"}}; }
};

const Iova& fake() { return static_cast<const Iova&>(*check::systems().front()); }

review::ReviewRequest told(std::vector<std::string> sets) {
  review::ReviewRequest out;
  out.kernel = "6.12";
  out.sets = std::move(sets);
  return out;
}

review::ReviewOutcome text(const review::ReviewRequest& request) {
  return review::review(request, report::Format::text, {});
}

/// A tree, and a patch in a file beside it.
struct Case {
  check::TemporaryDirectory place;
  review::ReviewRequest request;
  explicit Case(const std::string& patch) {
    make_tree(place.path() / "tree", kernel("6.12"));
    check::write_file(place.path() / "x.patch", patch);
    request.tree = (place.path() / "tree").string();
    request.patches = {(place.path() / "x.patch").string()};
  }
};

std::string flush_again() { return diff(kernel("6.12"), patched(kernel("6.12"), example("flush-32bit-again.cocci"))); }
std::string never_reset() {
  return diff(kernel("6.12"), patched(kernel("6.12"), test_data("patches/max32-reset-halved.cocci")));
}

}  // namespace

// The registry of this program: one system.
namespace iomc::check {

const std::vector<std::unique_ptr<System>>& systems() {
  static const auto all = [] {
    std::vector<std::unique_ptr<System>> out;
    out.push_back(std::make_unique<Iova>());
    return out;
  }();
  return all;
}

const System& find_system(const std::string& name) {
  if (name == "iova") return *systems().front();
  throw InputError("there is no specification " + name);
}

}  // namespace iomc::check

TEST_CASE("a change told as facts: broken one way, repaired the other") {
  const auto broken = text(told({"flush_on_32bit_failure=true"}));
  INFO(broken.report);
  CHECK(broken.status == 1);
  CHECK_THAT(broken.report,
             Contains("flush_on_32bit_failure  false -> true") && Contains("kernel 6.12, built in") &&
                 Contains("given with --set") && Contains("What went wrong: iova.P22 does not hold") &&
                 Contains("Replay: iomc replay iova/iova.P22 0/1 --kernel 6.12 --set flush_on_32bit_failure=true"));
  CHECK(broken.report.ends_with("verdict: broken: 1 property is violated that held\n"));
  CHECK_THAT(broken.report, !Contains("not covered"));

  review::ReviewRequest back = told({"flush_optional=true", "flush_on_32bit_failure=false"});
  back.kernel = "4.13";
  const auto repaired = text(back);
  INFO(repaired.report);
  CHECK(repaired.status == 0);
  CHECK(repaired.report.ends_with("verdict: nothing broken: 1 property holds that was violated\n"));
}

TEST_CASE("costs are a table, the largest change first") {
  const std::string report = text(told({"flush_on_32bit_failure=true"})).report;
  CHECK_THAT(report, Contains("x 578") && Contains("do not change"));
  CHECK(report.find("locks ") < report.find("tree nodes "));
}

TEST_CASE("a patch in a file: facts with their places, and the JSON of it") {
  Case c(flush_again());
  const auto report = text(c.request);
  INFO(report.report);
  CHECK(report.status == 1);
  CHECK_THAT(report.report,
             Contains("before: drivers/iommu/dma-iommu.c:") && Contains("after:  drivers/iommu/dma-iommu.c:"));
  const auto json = nlohmann::json::parse(review::review(c.request, report::Format::json, {}).report);
  CHECK(json["schema"] == "iomc.review/1");
  CHECK(json["verdict"] == "broken");
  const auto& one = json["reviews"][0];
  REQUIRE(one["facts_changed"].size() == 1);
  CHECK(one["facts_changed"][0]["fact"] == "flush_on_32bit_failure");
  CHECK(one["facts"]["before"]["flush_on_32bit_failure"] == "false");
  CHECK(one["costs"][0]["ratio"] == 577.5);
  CHECK(check::read_file(c.place.path() / "tree/drivers/iommu/dma-iommu.c") ==
        kernel("6.12").at("drivers/iommu/dma-iommu.c"));
}

TEST_CASE("ktap and junit: broken fails, what was violated before passes with a note") {
  const auto request = told({"flush_on_32bit_failure=true", "node_zeroed=false"});
  const std::string ktap = review::review(request, report::Format::ktap, {}).report;
  INFO(ktap);
  CHECK_THAT(ktap, Contains("\n  not ok 6 iova.P22 # violated: ") && Contains("\n  ok 1 iova.facts") &&
                       Contains("\nnot ok 1 iova # broken: 2 properties are violated that held"));
  const auto again = told({"fq_size=512"});
  const std::string fine = review::review(again, report::Format::ktap, {}).report;
  CHECK_THAT(fine, !Contains("not ok") && Contains("\nok 1 iova # nothing broken"));
  const std::string junit = review::review(request, report::Format::junit, {}).report;
  CHECK_THAT(junit, Contains("failures=\"2\"") && Contains("errors=\"0\"") && Contains("<failure message=\"iova.P22"));
}

TEST_CASE("a fact that cannot be read leaves a review open unless it is given") {
  Case c(never_reset());
  const auto open = text(c.request);
  INFO(open.report);
  CHECK(open.status == 125);
  CHECK_THAT(open.report,
             Contains("facts unknown") && Contains("max32_reset, any_32bit_free -> unknown: drivers/iommu/iova.c:"));
  CHECK_THAT(review::review(c.request, report::Format::ktap, {}).report,
             Contains("not ok 1 iova.facts # ERROR inconclusive"));
  CHECK_THAT(review::review(c.request, report::Format::junit, {}).report, Contains("errors=\"1\""));
  c.request.sets = {"max32_reset=absent"};
  CHECK_THAT(text(c.request).report, Contains("max32_reset = absent was given, not read"));
  c.request.sets = {"mag_size=3"};
  CHECK_THROWS_WITH(text(c.request), Contains("--set mag_size=3: mag_size could be read"));
}

TEST_CASE("what cannot be meant is refused in one line") {
  const auto refused = [](review::ReviewRequest r, const std::string& part) {
    try {
      text(r);
      FAIL("accepted, expected: " << part);
    } catch (const InputError& e) {
      CHECK_THAT(e.what(), Contains(part));
      CHECK(std::string(e.what()).find('\n') == std::string::npos);
    }
  };
  refused(told({"nonsense=1"}), "no fact nonsense");
  refused(told({"mag_size"}), "expected NAME=VALUE");
  review::ReviewRequest r = told({"mag_size=3"});
  r.kernel = "3.0";
  refused(r, "no kernel 3.0");
  r = told({"mag_size=3"});
  r.limits.configurations = {"none"};
  refused(r, "it has two-cpus");
  r = told({"mag_size=3"});
  r.limits.properties = {"iova.P99"};
  refused(r, "iova.P99");
  Case c("--- a/kernel/fork.c\n+++ b/kernel/fork.c\n@@ -1 +1 @@\n-a\n+b\n");
  refused(c.request, "touches no specified file");
  c.request.patches = {"absent.patch"};
  refused(c.request, "absent.patch: no such file; give");
  c.request.patches = {"A..B"};
  refused(c.request, "is no git repository");
  c.request.patches = {"A..B", "x.patch"};
  refused(c.request, "a range is reviewed alone");
  c.request.patches = {"-", "-"};
  refused(c.request, "given twice");
}

TEST_CASE("what is the same on both sides is asked once, and progress says the side") {
  const Iova system;
  const review::Sides sides(system);
  check::CheckRequest request;
  request.facts = system.facts("6.12");
  request.kernel = "before";
  sides.check(request);
  request.kernel = "after";
  CHECK(sides.check(request).kernel == "after");
  CHECK(system.checks == 1);
  CHECK(sides.answers().size() == 2);
  request.configurations = {"two-cpus"};
  sides.check(request);
  CHECK(system.checks == 2);
}

TEST_CASE("facts: a value with its place, or the place looked at and why") {
  Case c("");
  const auto all = review::read_facts(c.request.tree, fake());
  for (const auto& f : all) {
    CAPTURE(f.name);
    CHECK(f.value);
    CHECK_THAT(f.where, Contains("drivers/iommu/"));
  }
  const check::TemporaryDirectory empty;
  CHECK_THROWS_WITH(review::read_facts(empty.path().string(), fake()), Contains("is it a kernel source tree?"));
  make_tree(empty.path(), patched(kernel("6.12"), test_data("patches/max32-reset-halved.cocci")));
  bool unknown = false;
  for (const auto& f : review::read_facts(empty.path().string(), fake()))
    if (f.name == "max32_reset") {
      unknown = true;
      CHECK_FALSE(f.value);
      CHECK_THAT(f.where, Contains("drivers/iommu/iova.c:"));
      CHECK_THAT(f.reason, Contains("no rule matches") && !Contains("drivers/"));
    }
  CHECK(unknown);
}
