// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/cost/range.hpp"

#include <array>
#include <cmath>
#include <cstdio>

namespace iomc::check::cost {

namespace {

std::string printed(const char* format, double v) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), format, v);
  return text.data();
}

struct Unit {
  double ns;
  const char* name;
};

Unit unit_of(double ns) {
  if (ns >= 1e9) return {1e9, "s"};
  if (ns >= 1e6) return {1e6, "ms"};
  if (ns >= 1e3) return {1e3, "us"};
  return {1, "ns"};
}

}  // namespace

std::string number(double v) {
  if (std::isinf(v)) return v > 0 ? "unbounded" : "-unbounded";
  if (v == 0) return "0";
  const int digits = 2 - static_cast<int>(std::floor(std::log10(std::fabs(v)) + 1e-12));
  if (digits > 0) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.*f", digits, v);
    std::string out = text.data();
    if (v == std::floor(v)) out = printed("%.0f", v);
    return out;
  }
  const double unit = std::pow(10.0, -digits);
  // Whole numbers below a hundred thousand are counts: all digits.
  if (std::fabs(v) < 100000) return printed("%.0f", v);
  return printed("%.0f", std::round(v / unit) * unit);
}

std::string text(const Range& r) {
  if (r.lo == r.hi) return number(r.value);
  return number(r.value) + " (" + number(r.lo) + ".." + number(r.hi) + ")";
}

std::string time_text(double ns) {
  const Unit u = unit_of(ns);
  return number(ns / u.ns) + " " + u.name;
}

std::string time_text(const Range& ns) {
  const Unit u = unit_of(ns.value);
  return text((1 / u.ns) * ns) + " " + u.name;
}

std::string error_text(double found, double published) {
  const double error = 100 * (found - published) / published;
  return printed(std::fabs(error) < 9.95 ? "%+.1f%%" : "%+.0f%%", error);
}

}  // namespace iomc::check::cost
