// SPDX-License-Identifier: GPL-2.0-or-later
// Growth laws: a count as a function of sizes, found by exact interpolation over the rational numbers. A law is only
// given where it goes through every point, two more than it has coefficients at least: it is never a best fit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace iomc::check::cost {

/// A fraction in lowest terms, denominator above 0. Overflow is an error (std::overflow_error), never a wrong number.
class Rational {
 public:
  __extension__ using Int = __int128;

  Rational(std::int64_t whole = 0) : n_(whole) {}  // NOLINT: a whole number is one
  static Rational fraction(Int n, Int d);

  Rational operator-() const;
  friend Rational operator+(const Rational& a, const Rational& b);
  friend Rational operator-(const Rational& a, const Rational& b) { return a + -b; }
  friend Rational operator*(const Rational& a, const Rational& b);
  friend Rational operator/(const Rational& a, const Rational& b);
  bool operator==(const Rational&) const = default;
  bool zero() const { return n_ == 0; }
  bool negative() const { return n_ < 0; }
  double value() const { return static_cast<double>(n_) / static_cast<double>(d_); }
  std::string text() const;  ///< "3", "-7/2"

 private:
  Int n_ = 0;
  Int d_ = 1;
};

/// One evaluation: the sizes and what was counted.
struct Sample {
  std::vector<std::int64_t> at;
  Rational value;
};

/// A term's powers of the variables.
using Powers = std::vector<unsigned>;

struct Law {
  std::vector<Powers> over;            ///< numerator
  std::vector<Rational> coefficients;  ///< of the numerator
  std::vector<Rational> under;  ///< one variable: denominator, lowest power first, highest coefficient 1; or empty
  std::size_t points = 0;       ///< samples that it goes through

  Rational at(const std::vector<std::int64_t>& sizes) const;
  /// "6P + 3", "2n + 1/2", "(2m + 1)/(m + 4)"
  std::string text(const std::vector<std::string>& variables) const;
  bool constant() const;
};

/// The law with the fewest coefficients through all samples, polynomials of total degree 3 at most before quotients of
/// linear ones; nothing where there is none, or where there are too few samples to tell.
std::optional<Law> find_law(const std::vector<Sample>& samples);

}  // namespace iomc::check::cost
