// SPDX-License-Identifier: GPL-2.0-or-later
// The symbolic value domain: the names of model::Concrete, over Z3 bit-vectors. No Z3 header is needed to use it.
//
// A value is a plain constant until it meets a symbolic one, so program counters and indices that a step keeps concrete
// cost what they cost in the concrete domain. Arithmetic wraps and comparisons are unsigned, as in model::Bits.
//
// A condition asked for its truth (`if`, `&&`, `||`, `!`, `?:`, a loop's test) forks a path; `both`, `either`, `negate`
// and `select` do not. Its conversion is explicit: a predicate ends with `return static_cast<bool>(a == b);`.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "model/check.hpp"
#include "model/reflect.hpp"
#include "model/value.hpp"

namespace iomc::check::symbolic {

/// One Z3 expression, owned by the Terms that made it.
struct Node;

/// A constant (term is null) or an expression; the width is kept in the type around it. Width 0 is a truth value.
struct Value {
  std::uint64_t constant = 0;
  const Node* term = nullptr;

  bool symbolic() const { return term != nullptr; }
  bool operator==(const Value&) const = default;  ///< the same expression, not equality of what it stands for
};

enum class Op : std::uint8_t { add, subtract, bit_and, bit_or, bit_xor, equal, less, less_equal };

/// The slow half of the operators: at least one operand is an expression.
Value apply(Op op, unsigned width, Value a, Value b);
Value invert(unsigned width, Value a);
Value shift(unsigned width, Value a, unsigned n, bool left);
Value resize(unsigned from, unsigned to, Value a);
Value choose(unsigned width, const Node* condition, Value yes, Value no);
Value all_of(Value a, Value b);
Value negation(Value a);

/// Asks the installed recorder which way to go. UsageError if there is none.
bool fork(const Node* condition);

/// Ends the path: a value may be outside what it indexes.
[[noreturn]] void index_out_of_bounds(std::size_t bound);

/// A specification that the symbolic engine cannot take, with the remedy in its text. Not a verdict on the system.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A truth value that may depend on symbolic ones.
class Truth {
 public:
  constexpr Truth() = default;
  constexpr Truth(std::same_as<bool> auto value) : value_{value ? 1U : 0U, nullptr} {}  // not from numbers or pointers
  static constexpr Truth from(Value v) {
    Truth out;
    out.value_ = v;
    return out;
  }
  constexpr Value value() const { return value_; }

  explicit operator bool() const { return value_.symbolic() ? fork(value_.term) : value_.constant != 0; }

 private:
  Value value_;
};

/// An unsigned integer of W bits, constant or symbolic.
template <unsigned W>
class Word {
 public:
  using raw_type = model::uint_of<W>;
  static constexpr unsigned width = W;

  constexpr Word() = default;
  template <model::Number I>
  constexpr Word(I value) : value_{static_cast<raw_type>(value), nullptr} {}
  Word(Truth t)
      : value_(t.value().symbolic() ? choose(W, t.value().term, {1, nullptr}, {0, nullptr}) : t.value()) {}
  static constexpr Word from(Value v) {
    Word out;
    out.value_ = v;
    return out;
  }
  constexpr Value value() const { return value_; }

  /// The number, where the value is a constant. A step that needs a number of a symbolic value takes index_of.
  constexpr raw_type raw() const {
    IOMC_PRE(!value_.symbolic());
    return static_cast<raw_type>(value_.constant);
  }

  Truth nonzero() const { return *this != Word(0); }
  /// The same value at another width: zero-extended, or cut.
  template <unsigned V>
  Word<V> to() const {
    return value_.symbolic() ? Word<V>::from(resize(W, V, value_)) : Word<V>(value_.constant);
  }

  Word& operator+=(Word o) { return *this = *this + o; }
  Word& operator-=(Word o) { return *this = *this - o; }
  Word& operator|=(Word o) { return *this = *this | o; }
  Word& operator&=(Word o) { return *this = *this & o; }

  friend Word operator+(Word a, Word b) {
    return plain(a, b) ? Word(a.value_.constant + b.value_.constant) : of(Op::add, a, b);
  }
  friend Word operator-(Word a, Word b) {
    return plain(a, b) ? Word(a.value_.constant - b.value_.constant) : of(Op::subtract, a, b);
  }
  friend Word operator&(Word a, Word b) {
    return plain(a, b) ? Word(a.value_.constant & b.value_.constant) : of(Op::bit_and, a, b);
  }
  friend Word operator|(Word a, Word b) {
    return plain(a, b) ? Word(a.value_.constant | b.value_.constant) : of(Op::bit_or, a, b);
  }
  friend Word operator^(Word a, Word b) {
    return plain(a, b) ? Word(a.value_.constant ^ b.value_.constant) : of(Op::bit_xor, a, b);
  }
  friend Word operator~(Word a) { return a.value_.symbolic() ? from(invert(W, a.value_)) : Word(~a.value_.constant); }
  friend Word operator<<(Word a, unsigned n) {
    if (n >= W) return Word(0);
    return a.value_.symbolic() ? from(shift(W, a.value_, n, true)) : Word(a.value_.constant << n);
  }
  friend Word operator>>(Word a, unsigned n) {
    if (n >= W) return Word(0);
    return a.value_.symbolic() ? from(shift(W, a.value_, n, false)) : Word(a.value_.constant >> n);
  }
  friend Truth operator==(Word a, Word b) {
    return plain(a, b) ? Truth(a.value_.constant == b.value_.constant) : is(Op::equal, a, b);
  }
  friend Truth operator!=(Word a, Word b) {
    return plain(a, b) ? Truth(a.value_.constant != b.value_.constant) : no(Op::equal, a, b);
  }
  friend Truth operator<(Word a, Word b) {
    return plain(a, b) ? Truth(a.value_.constant < b.value_.constant) : is(Op::less, a, b);
  }
  friend Truth operator<=(Word a, Word b) {
    return plain(a, b) ? Truth(a.value_.constant <= b.value_.constant) : is(Op::less_equal, a, b);
  }
  friend Truth operator>(Word a, Word b) { return b < a; }
  friend Truth operator>=(Word a, Word b) { return b <= a; }

 private:
  static constexpr bool plain(Word a, Word b) { return !a.value_.symbolic() && !b.value_.symbolic(); }
  static Word of(Op op, Word a, Word b) { return from(apply(op, W, a.value_, b.value_)); }
  static Truth is(Op op, Word a, Word b) { return Truth::from(apply(op, W, a.value_, b.value_)); }
  static Truth no(Op op, Word a, Word b) { return Truth::from(negation(apply(op, W, a.value_, b.value_))); }

  Value value_;
};

inline Truth negate(Truth a) {
  return Truth::from(negation(a.value()));
}
inline Truth both(Truth a, Truth b) {
  return Truth::from(all_of(a.value(), b.value()));
}
inline Truth either(Truth a, Truth b) {
  return negate(both(negate(a), negate(b)));
}

template <unsigned W>
Word<W> select(Truth condition, Word<W> yes, Word<W> no) {
  const Value c = condition.value();
  if (!c.symbolic()) return c.constant != 0 ? yes : no;
  return Word<W>::from(choose(W, c.term, yes.value(), no.value()));
}
inline Truth select(Truth condition, Truth yes, Truth no) {
  return either(both(condition, yes), both(negate(condition), no));
}

namespace detail {
template <class T>
void merge(Truth condition, T& into, const T& no);
}  // namespace detail

/// A whole structure or array, field by field.
template <class T>
  requires(model::Sequence<T> || model::Reflected<T>)
T select(Truth condition, const T& yes, const T& no) {
  T out = yes;
  detail::merge(condition, out, no);
  return out;
}

namespace detail {
template <class T>
void merge(Truth condition, T& into, const T& no) {
  std::array<Value, 1024> other;  // a structure with more fields is no candidate for a merge
  std::size_t n = 0;
  model::for_each_value(no, [&](const auto& v, model::Range) {
    IOMC_PRE(n < other.size());
    other[n++] = v.value();
  });
  n = 0;
  model::for_each_value(into, [&](auto& v, model::Range) {
    v = select(condition, v, std::remove_reference_t<decltype(v)>::from(other[n++]));
  });
}
}  // namespace detail

template <unsigned W>
Word<W> min_of(Word<W> a, Word<W> b) {
  return select(a < b, a, b);
}

/// Forks one path for each index that the value can have.
template <unsigned W>
std::size_t index_of(Word<W> value, std::size_t bound) {
  if (!value.value().symbolic()) {
    IOMC_INVARIANT(value.raw() < bound);
    return static_cast<std::size_t>(value.raw());
  }
  constexpr std::uint64_t last = model::uint_of<W>(~std::uint64_t{0});
  for (std::size_t i = 0; i < bound && i <= last; ++i)
    if (value == Word<W>(i)) return i;
  index_out_of_bounds(bound);
}

/// The symbolic domain. The same text as with model::Concrete then makes Z3 expressions.
struct Symbolic {
  template <unsigned W>
  using Bits = Word<W>;
  using Bool = Truth;
  static constexpr bool symbolic = true;
};

}  // namespace iomc::check::symbolic

namespace iomc::check {
using symbolic::Symbolic;
}

// For specifications that call the free functions by their qualified name; unqualified calls find them by their
// arguments. A qualified name is looked up where the template is written: include this header first there.
namespace iomc::model {
using check::symbolic::both;
using check::symbolic::either;
using check::symbolic::index_of;
using check::symbolic::min_of;
using check::symbolic::negate;
using check::symbolic::select;
}  // namespace iomc::model
