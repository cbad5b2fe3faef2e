// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/ask/question.hpp"

#include <catch2/catch.hpp>

#include "checker/ask/evaluate.hpp"

namespace {

using namespace iomc::check;
using ask::Question;

/// a, b and x.c are 1, 2 and 3; a is one of zero, one.
class Names : public ask::Evaluation<iomc::model::Concrete> {
 protected:
  bool is_name(const std::string& w) override { return w == "a" || w == "b" || w == "x.c"; }
  Number name(const std::string& w) override {
    if (!is_name(w)) throw InputError("no name " + w);
    return w == "a" ? 1 : w == "b" ? 2 : 3;
  }
  std::optional<std::uint64_t> word_of(const std::string& n, const std::string& w) override {
    if (n != "a") return std::nullopt;
    if (w == "zero") return 0;
    if (w == "one") return 1;
    return std::nullopt;
  }
  Number call(const ask::Expr&) override { return 7; }
};

bool truth(const std::string& condition) {
  const Question q = ask::parse("find a where " + condition);
  bool all = true;
  for (const auto& c : q.where) all = Names().truth(c.expr) && all;
  return all;
}

std::string refusal(const std::string& question) {
  try {
    ask::parse(question);
  } catch (const InputError& e) {
    return e.what();
  }
  return {};
}

TEST_CASE("a question is taken apart") {
  const Question q = ask::parse(
      "iova: max cost(tree_step) + 2 * n where a = 1 and (b < 2 or c in 1..3) within 12 steps for cpus in 1..4");
  CHECK(q.spec == "iova");
  CHECK(q.verb == Question::Verb::max);
  CHECK(q.measure_text == "cost(tree_step) + 2 * n");
  REQUIRE(q.where.size() == 2);
  CHECK(q.where[0].text == "a = 1");
  CHECK(q.where[1].text == "(b < 2 or c in 1..3)");
  CHECK(q.within == 12);
  CHECK(q.sweep == "cpus");
  CHECK(q.from == 1);
  CHECK(q.to == 4);
  CHECK(ask::parse("all device, x[0].pc where a = 1").names == std::vector<std::string>{"device", "x[0].pc"});
  CHECK(ask::parse("iova.search: find a where b = 1").spec == "iova.search");
}

TEST_CASE("conditions mean what they say") {
  CHECK(truth("a = 1"));
  CHECK(truth("a = one"));
  CHECK(truth("one = a"));
  CHECK_FALSE(truth("a = zero"));
  CHECK(truth("a + b = x.c and b - a = 1 and 2 * b = 4 and b * 2 = 4 and x.c & 2 = 2"));
  CHECK(truth("a - b = 0xffffffffffffffff"));  // as the kernel's unsigned long
  CHECK(truth("a = 2 or b = 2"));
  CHECK(truth("a = 1 or a = 2 and b = 3"));  // and binds first
  CHECK_FALSE(truth("(a = 1 or a = 2) and b = 3"));
  CHECK(truth("not a = 2 and not (a = 2 or b = 1)"));
  CHECK(truth("b in 1..3 and not b in 3..4"));
  CHECK(truth("a < b and a <= 1 and b > a and b >= 2 and a != b and a == 1"));
  CHECK(truth("violated(P9) and holds(P9) = 7"));
}

TEST_CASE("what is no question is refused with the place") {
  CHECK(refusal("") == "question, column 1: expected find, all, min or max; it ends there");
  CHECK(refusal("find a") == "question, column 7: expected where, and a condition; it ends there");
  CHECK(refusal("find a where a =").find("column 17") != std::string::npos);
  CHECK(refusal("find a where a = 1 b").find("found 'b'") != std::string::npos);
  CHECK(refusal("find a where (a = 1").find("')'") != std::string::npos);
  CHECK(refusal("find a where a").empty());  // the value of a name that is a condition is checked where it is asked
  CHECK(refusal("find a where a and b = 1").find("a condition") != std::string::npos);
  CHECK(refusal("min a for cpus in 3..1").find("a range that is not empty") != std::string::npos);
  CHECK(refusal("find a where b = 1 for cpus in 1..3").find("'for' goes with min and max") != std::string::npos);
  CHECK(refusal("find a where frobs(b) = 1").find("there is no frobs()") != std::string::npos);
  CHECK(refusal("find a where b = 99999999999999999999").find("64 bits") != std::string::npos);
  CHECK(refusal("find a where b = ?").find("column 18") != std::string::npos);
  CHECK(refusal("find where where a = 1").find("column") != std::string::npos);
}

}  // namespace
