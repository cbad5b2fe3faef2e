// SPDX-License-Identifier: GPL-2.0-or-later
// Value domains: what an integer of a specification is.
//
// A specification is a template over a domain D and uses only D::Bits<W>, D::Bool and the free functions below.
// Concrete (here) makes machine integers of it; checker/symbolic supplies a domain of Z3 bit-vectors with the same
// names. Arithmetic wraps at the declared width in both, as the kernel's unsigned types do.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "model/check.hpp"

namespace iomc::model {

template <unsigned W>
using uint_of = std::conditional_t<W <= 8, std::uint8_t,
                                   std::conditional_t<W <= 16, std::uint16_t,
                                                      std::conditional_t<W <= 32, std::uint32_t, std::uint64_t>>>;

/// What may stand beside a Bits in an expression: an integer, or an enumerator that converts to one.
template <class I>
concept Number = std::integral<I> || (std::is_enum_v<I> && std::is_convertible_v<I, int>);

/// An unsigned machine integer of W bits (8, 16, 32 or 64) that wraps at W bits whatever C++ promotes to.
template <unsigned W>
class Bits {
  static_assert(W == 8 || W == 16 || W == 32 || W == 64, "a field is 8, 16, 32 or 64 bits wide");

 public:
  using raw_type = uint_of<W>;
  static constexpr unsigned width = W;

  constexpr Bits() = default;
  template <Number I>
  constexpr Bits(I value) : value_(static_cast<raw_type>(value)) {}

  constexpr raw_type raw() const { return value_; }
  constexpr bool nonzero() const { return value_ != 0; }
  /// The same value at another width: zero-extended, or cut.
  template <unsigned V>
  constexpr Bits<V> to() const {
    return Bits<V>(value_);
  }

  constexpr Bits& operator+=(Bits o) { return *this = *this + o; }
  constexpr Bits& operator-=(Bits o) { return *this = *this - o; }
  constexpr Bits& operator|=(Bits o) { return *this = *this | o; }
  constexpr Bits& operator&=(Bits o) { return *this = *this & o; }

  friend constexpr Bits operator+(Bits a, Bits b) { return Bits(static_cast<std::uint64_t>(a.value_) + b.value_); }
  friend constexpr Bits operator-(Bits a, Bits b) { return Bits(static_cast<std::uint64_t>(a.value_) - b.value_); }
  friend constexpr Bits operator&(Bits a, Bits b) { return Bits(static_cast<std::uint64_t>(a.value_) & b.value_); }
  friend constexpr Bits operator|(Bits a, Bits b) { return Bits(static_cast<std::uint64_t>(a.value_) | b.value_); }
  friend constexpr Bits operator^(Bits a, Bits b) { return Bits(static_cast<std::uint64_t>(a.value_) ^ b.value_); }
  friend constexpr Bits operator~(Bits a) { return Bits(~static_cast<std::uint64_t>(a.value_)); }
  friend constexpr Bits operator<<(Bits a, unsigned n) {
    return n >= W ? Bits(0) : Bits(static_cast<std::uint64_t>(a.value_) << n);
  }
  friend constexpr Bits operator>>(Bits a, unsigned n) {
    return n >= W ? Bits(0) : Bits(static_cast<std::uint64_t>(a.value_) >> n);
  }
  friend constexpr bool operator==(Bits a, Bits b) { return a.value_ == b.value_; }
  friend constexpr bool operator!=(Bits a, Bits b) { return a.value_ != b.value_; }
  friend constexpr bool operator<(Bits a, Bits b) { return a.value_ < b.value_; }
  friend constexpr bool operator<=(Bits a, Bits b) { return a.value_ <= b.value_; }
  friend constexpr bool operator>(Bits a, Bits b) { return a.value_ > b.value_; }
  friend constexpr bool operator>=(Bits a, Bits b) { return a.value_ >= b.value_; }

 private:
  raw_type value_ = 0;
};

/// The concrete domain: explicit exploration, sampling and costing.
struct Concrete {
  template <unsigned W>
  using Bits = model::Bits<W>;
  using Bool = bool;
  static constexpr bool symbolic = false;
};

/// Both branches at once: no path is forked in the symbolic domain.
template <class T>
constexpr T select(bool condition, const T& yes, const T& no) {
  return condition ? yes : no;
}

/// Conjunction, disjunction and negation that never fork a path (`&&` and `||` on symbolic values do).
constexpr bool both(bool a, bool b) { return a && b; }
constexpr bool either(bool a, bool b) { return a || b; }
constexpr bool negate(bool a) { return !a; }

template <class V>
constexpr V min_of(const V& a, const V& b) {
  return select(a < b, a, b);
}

/// The concrete index that a value stands for, below `bound`. The symbolic domain forks one path for each index.
template <unsigned W>
constexpr std::size_t index_of(Bits<W> value, std::size_t bound) {
  IOMC_INVARIANT(value.raw() < bound);
  return static_cast<std::size_t>(value.raw());
}

}  // namespace iomc::model
