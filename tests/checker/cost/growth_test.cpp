// SPDX-License-Identifier: GPL-2.0-or-later
#include <catch2/catch.hpp>

#include "checker/cost/growth.hpp"

using namespace iomc::check::cost;

namespace {

template <class F>
std::vector<Sample> samples(std::initializer_list<std::int64_t> at, F&& f) {
  std::vector<Sample> out;
  for (const auto x : at) out.push_back({{x}, f(x)});
  return out;
}

std::string law(const std::vector<Sample>& s, const std::vector<std::string>& names = {"P"}) {
  const auto found = find_law(s);
  return found ? found->text(names) : "none";
}

}  // namespace

TEST_CASE("fractions are exact and in lowest terms") {
  const Rational third = Rational::fraction(2, 6);
  CHECK((third + third + third) == Rational(1));
  CHECK((third - Rational(1)).text() == "-2/3");
  CHECK((third * Rational(-3)).text() == "-1");
  CHECK((Rational(1) / Rational::fraction(-4, 2)).text() == "-1/2");
  const Rational large(std::numeric_limits<std::int64_t>::max());
  CHECK_THROWS_AS(large * large * large, std::overflow_error);
}

TEST_CASE("a law is printed as a kernel developer would write it") {
  CHECK(law(samples({1, 2, 5, 9}, [](auto) { return Rational(7); })) == "7");
  CHECK(law(samples({1, 2, 5, 9}, [](auto p) { return Rational(6 * p + 3); })) == "6P + 3");
  CHECK(law(samples({1, 2, 5, 9, 30}, [](auto p) { return Rational(p * p - p); })) == "P^2 - P");
  CHECK(law(samples({2, 4, 6, 9}, [](auto p) { return Rational::fraction(p, 2); })) == "(1/2)P");
  CHECK(law(samples({2, 4, 8, 16, 126}, [](auto m) { return Rational::fraction(2 * m + 1, m); })) == "(2P + 1)/(P)");
  const auto six_p = find_law(samples({1, 2, 5, 9}, [](auto p) { return Rational(6 * p + 3); }));
  REQUIRE(six_p);
  CHECK(six_p->at({128}) == Rational(771));
}

TEST_CASE("two variables") {
  std::vector<Sample> s;
  for (std::int64_t p = 1; p <= 3; ++p)
    for (std::int64_t n = 10; n <= 40; n += 10) s.push_back({{p, n}, Rational(12 * p + 2 * n + 3)});
  CHECK(law(s, {"P", "n"}) == "12P + 2n + 3");
  for (auto& x : s) x.value = Rational(x.at[0] * x.at[1]);
  CHECK(law(s, {"P", "n"}) == "P*n");
}

TEST_CASE("one point that does not fit is no law, nor are too few points") {
  auto s = samples({1, 2, 3, 4, 5, 6, 7}, [](auto p) { return Rational(6 * p + 3); });
  s.back().value = Rational(46);
  CHECK(law(s) == "none");
  CHECK(law(samples({1, 2, 3}, [](auto p) { return Rational(6 * p + 3); })) == "none");
  // A step function: no polynomial, whatever its degree below the number of points.
  CHECK(law(samples({1, 2, 3, 4, 5, 6, 7, 8}, [](auto p) { return Rational((p + 2) / 3); })) == "none");
}
