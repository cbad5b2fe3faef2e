// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/cost/growth.hpp"

#include <algorithm>
#include <stdexcept>

#include "model/check.hpp"

namespace iomc::check::cost {

namespace {

using Int = Rational::Int;

Int gcd(Int a, Int b) {
  if (a < 0) a = -a;
  while (b != 0) {
    const Int r = a % b;
    a = b;
    b = r < 0 ? -r : r;
  }
  return a;
}

Int times(Int a, Int b) {
  Int out = 0;
  if (__builtin_mul_overflow(a, b, &out)) throw std::overflow_error("a growth law's fraction is too large");
  return out;
}

Int plus(Int a, Int b) {
  Int out = 0;
  if (__builtin_add_overflow(a, b, &out)) throw std::overflow_error("a growth law's fraction is too large");
  return out;
}

std::string text_of(Int v) {
  if (v == 0) return "0";
  const bool negative = v < 0;
  std::string digits;
  for (; v != 0; v /= 10) digits += static_cast<char>('0' + static_cast<int>(v % 10 < 0 ? -(v % 10) : v % 10));
  if (negative) digits += '-';
  std::reverse(digits.begin(), digits.end());
  return digits;
}

using Row = std::vector<Rational>;

/// The one solution of rows of [coefficients | right side]; nothing if there is none, or more than one.
std::optional<Row> solve(std::vector<Row> rows, std::size_t unknowns) {
  std::size_t rank = 0;
  for (std::size_t c = 0; c < unknowns; ++c) {
    std::size_t pivot = rank;
    while (pivot < rows.size() && rows[pivot][c].zero()) ++pivot;
    if (pivot == rows.size()) return std::nullopt;
    std::swap(rows[rank], rows[pivot]);
    const Rational by = rows[rank][c];
    for (auto& x : rows[rank]) x = x / by;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (r == rank || rows[r][c].zero()) continue;
      const Rational factor = rows[r][c];
      for (std::size_t k = c; k <= unknowns; ++k) rows[r][k] = rows[r][k] - factor * rows[rank][k];
    }
    ++rank;
  }
  Row out;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (r < unknowns)
      out.push_back(rows[r][unknowns]);
    else if (!rows[r][unknowns].zero())
      return std::nullopt;
  }
  return out;
}

Rational power(const std::vector<std::int64_t>& at, const Powers& p) {
  Rational out = 1;
  for (std::size_t v = 0; v < p.size(); ++v)
    for (unsigned i = 0; i < p[v]; ++i) out = out * Rational(at[v]);
  return out;
}

/// All products of total degree `degree` at most.
std::vector<Powers> monomials(std::size_t variables, unsigned degree) {
  std::vector<Powers> out;
  Powers p(variables, 0);
  const auto fill = [&](auto&& self, std::size_t v, unsigned left) -> void {
    if (v == variables) {
      out.push_back(p);
      return;
    }
    for (unsigned e = 0; e <= left; ++e) {
      p[v] = e;
      self(self, v + 1, left - e);
    }
    p[v] = 0;
  };
  fill(fill, 0, degree);
  return out;
}

constexpr std::size_t to_spare = 2;

std::optional<Law> polynomial(const std::vector<Sample>& samples, const std::vector<Powers>& basis) {
  if (samples.size() < basis.size() + to_spare) return std::nullopt;
  std::vector<Row> rows;
  for (const Sample& s : samples) {
    Row row;
    for (const Powers& p : basis) row.push_back(power(s.at, p));
    row.push_back(s.value);
    rows.push_back(std::move(row));
  }
  const auto found = solve(std::move(rows), basis.size());
  if (!found) return std::nullopt;
  return Law{basis, *found, {}, samples.size()};
}

/// (a + b x) / (c + x)
std::optional<Law> quotient(const std::vector<Sample>& samples) {
  if (samples.size() < 3 + to_spare) return std::nullopt;
  std::vector<Row> rows;
  for (const Sample& s : samples) {
    const Rational x = s.at[0];
    rows.push_back({1, x, -s.value, s.value * x});
  }
  const auto found = solve(std::move(rows), 3);
  if (!found) return std::nullopt;
  return Law{{{0}, {1}}, {(*found)[0], (*found)[1]}, {(*found)[2], 1}, samples.size()};
}

std::string sum_text(const std::vector<std::pair<Powers, Rational>>& terms, const std::vector<std::string>& variables) {
  std::string out;
  for (const auto& [p, c] : terms) {
    if (c.zero()) continue;
    std::string product;
    for (std::size_t v = 0; v < p.size(); ++v) {
      if (p[v] == 0) continue;
      product += (product.empty() ? "" : "*") + variables[v] + (p[v] > 1 ? "^" + std::to_string(p[v]) : "");
    }
    const Rational size = c.negative() ? -c : c;
    const std::string shown = size.text();
    const bool whole = shown.find('/') == std::string::npos;
    std::string term = shown;
    if (!product.empty())
      term = size == Rational(1) ? product : (whole ? shown + product : "(" + shown + ")" + product);
    if (out.empty())
      out = (c.negative() ? "-" : "") + term;
    else
      out += (c.negative() ? " - " : " + ") + term;
  }
  return out.empty() ? "0" : out;
}

}  // namespace

Rational Rational::fraction(Int n, Int d) {
  IOMC_PRE(d != 0);
  if (d < 0) n = -n, d = -d;
  const Int g = gcd(n, d);
  Rational out;
  out.n_ = n / g;
  out.d_ = d / g;
  return out;
}

Rational Rational::operator-() const {
  Rational out = *this;
  out.n_ = -n_;
  return out;
}

Rational operator+(const Rational& a, const Rational& b) {
  const Int g = gcd(a.d_, b.d_);
  return Rational::fraction(plus(times(a.n_, b.d_ / g), times(b.n_, a.d_ / g)), times(a.d_, b.d_ / g));
}

Rational operator*(const Rational& a, const Rational& b) {
  const Int g = gcd(a.n_, b.d_);
  const Int h = gcd(b.n_, a.d_);
  const Int one = 1;
  const Int x = g == 0 ? one : g;
  const Int y = h == 0 ? one : h;
  return Rational::fraction(times(a.n_ / x, b.n_ / y), times(a.d_ / y, b.d_ / x));
}

Rational operator/(const Rational& a, const Rational& b) { return a * Rational::fraction(b.d_, b.n_); }

std::string Rational::text() const { return d_ == 1 ? text_of(n_) : text_of(n_) + "/" + text_of(d_); }

Rational Law::at(const std::vector<std::int64_t>& sizes) const {
  Rational top;
  for (std::size_t i = 0; i < over.size(); ++i) top = top + coefficients[i] * power(sizes, over[i]);
  if (under.empty()) return top;
  return top / (under[0] + under[1] * Rational(sizes[0]));
}

bool Law::constant() const {
  if (!under.empty()) return false;
  for (std::size_t i = 0; i < over.size(); ++i) {
    const bool one = std::all_of(over[i].begin(), over[i].end(), [](unsigned e) { return e == 0; });
    if (!one && !coefficients[i].zero()) return false;
  }
  return true;
}

std::string Law::text(const std::vector<std::string>& variables) const {
  std::vector<std::pair<Powers, Rational>> terms;
  for (std::size_t i = 0; i < over.size(); ++i) terms.emplace_back(over[i], coefficients[i]);
  const auto degree = [](const Powers& p) {
    unsigned sum = 0;
    for (const unsigned e : p) sum += e;
    return sum;
  };
  std::stable_sort(terms.begin(), terms.end(), [&](const auto& a, const auto& b) {
    return degree(a.first) != degree(b.first) ? degree(a.first) > degree(b.first) : a.first > b.first;
  });
  const std::string top = sum_text(terms, variables);
  if (under.empty()) return top;
  return "(" + top + ")/(" + sum_text({{{1}, under[1]}, {{0}, under[0]}}, variables) + ")";
}

std::optional<Law> find_law(const std::vector<Sample>& samples) {
  if (samples.empty()) return std::nullopt;
  const std::size_t variables = samples.front().at.size();
  try {
    for (unsigned degree = 0; degree <= 3; ++degree)
      if (auto law = polynomial(samples, monomials(variables, degree))) return law;
    if (variables == 1) return quotient(samples);
  } catch (const std::overflow_error&) {
    // No law can be told at these sizes.
  }
  return std::nullopt;
}

}  // namespace iomc::check::cost
