// SPDX-License-Identifier: GPL-2.0-or-later
// A quantity with what it may be at least and at most. Ranges are added and multiplied end by end: the result holds for
// every choice of values within the ranges, also where they depend on each other.
#pragma once

#include <algorithm>
#include <string>

namespace iomc::check::cost {

struct Range {
  double lo = 0;
  double value = 0;  ///< the central estimate, lo <= value <= hi
  double hi = 0;

  static Range exactly(double v) { return {v, v, v}; }

  friend Range operator+(const Range& a, const Range& b) { return {a.lo + b.lo, a.value + b.value, a.hi + b.hi}; }
  Range& operator+=(const Range& o) { return *this = *this + o; }
  /// Of quantities that are not negative.
  friend Range operator*(const Range& a, const Range& b) { return {a.lo * b.lo, a.value * b.value, a.hi * b.hi}; }
  friend Range operator*(double n, const Range& r) { return {n * r.lo, n * r.value, n * r.hi}; }
  /// Of quantities that are positive: the least of the one over the most of the other.
  friend Range operator/(const Range& a, const Range& b) { return {a.lo / b.hi, a.value / b.value, a.hi / b.lo}; }
  friend Range operator-(const Range& a, const Range& b) { return {a.lo - b.hi, a.value - b.value, a.hi - b.lo}; }
  bool operator==(const Range&) const = default;
};

inline Range least(const Range& a, const Range& b) {
  return {std::min(a.lo, b.lo), std::min(a.value, b.value), std::min(a.hi, b.hi)};
}

/// Three significant digits, without an exponent: "0.0213", "41.7", "1180", "2250000".
std::string number(double v);
/// "41.7 (33.0..50.2)"; the number alone where there is but one.
std::string text(const Range& r);
/// Nanoseconds in the unit that suits: "46.2 ns", "1.32 us", "2.10 ms".
std::string time_text(double ns);
std::string time_text(const Range& ns);
/// "+2.4%": how far `found` is from `published`.
std::string error_text(double found, double published);

}  // namespace iomc::check::cost
