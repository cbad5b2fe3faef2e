// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/reflect.hpp"

#include <catch2/catch.hpp>

using namespace iomc::model;

namespace {

struct Pair {
  Bits<8> first{};
  Bits<8> second{};
  template <class Self, class F>
  static void visit(Self& self, F&& f) {
    f("first", self.first, flag);
    f("second", self.second, Range{2, 9});
  }
};

struct Interval {
  Bits<16> lo{};
  Bits<16> hi{};
  template <class Self, class F>
  static void visit(Self& self, F&& f) {
    f("lo", self.lo, any);
    f("hi", self.hi, any);
  }
  void show(std::string& out) const {
    out += '[';
    out += std::to_string(lo.raw());
    out += ',';
    out += std::to_string(hi.raw());
    out += ']';
  }
};

struct Whole {
  std::array<Pair, 2> pair{{{0, 2}, {0, 2}}};
  std::array<std::array<Bits<8>, 2>, 2> grid{};
  Interval interval{};
  template <class Self, class F>
  static void visit(Self& self, F&& f) {
    f("pair", self.pair, any);
    f("grid", self.grid, Range{0, 7});
    f("interval", self.interval, any);
  }
};

}  // namespace

TEST_CASE("fields are described in the order of their declaration, named as in C") {
  Whole w;
  w.grid[1][0] = 5;
  const std::vector<FieldText> expected = {{"pair[0].first", "0"},  {"pair[0].second", "2"}, {"pair[1].first", "0"},
                                           {"pair[1].second", "2"}, {"grid[0][0]", "0"},     {"grid[0][1]", "0"},
                                           {"grid[1][0]", "5"},     {"grid[1][1]", "0"},     {"interval", "[0,0]"}};
  CHECK(describe(w) == expected);
}

TEST_CASE("a difference names what changed and nothing else") {
  const Whole before;
  CHECK(difference(before, before).empty());
  Whole after;
  after.pair[1].second = 9;
  after.interval.hi = 300;
  const auto changes = difference(before, after);
  REQUIRE(changes.size() == 2);
  CHECK(changes[0].name == "pair[1].second");
  CHECK(changes[0].before == "2");
  CHECK(changes[0].after == "9");
  CHECK(changes[1].name == "interval");
  CHECK(changes[1].after == "[0,300]");
}

TEST_CASE("the first field outside its range is named") {
  Whole w;
  CHECK(out_of_range(w).empty());
  w.pair[1].second = 1;
  w.grid[0][1] = 8;
  CHECK(out_of_range(w) == "pair[1].second = 1, declared 2..9");
  w.pair[1].second = 9;
  CHECK(out_of_range(w) == "grid[0][1] = 8, declared 0..7");
}

TEST_CASE("leaves with and without names are the same ones") {
  const Whole w;
  std::vector<std::uint64_t> named;
  std::vector<std::uint64_t> plain;
  for_each_leaf(w, [&](const std::string&, const auto& v, Range r) {
    named.insert(named.end(), {v.raw(), r.lo, r.hi});
  });
  for_each_value(w, [&](const auto& v, Range r) { plain.insert(plain.end(), {v.raw(), r.lo, r.hi}); });
  CHECK(named.size() == 3 * 10);
  CHECK(named == plain);
}
