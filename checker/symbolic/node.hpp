// SPDX-License-Identifier: GPL-2.0-or-later
// The inside of an expression: Z3's own, and what it was made of. Only checker/symbolic/*.cpp include this.
#pragma once

#include "checker/symbolic/terms.hpp"

struct _Z3_ast;

namespace iomc::check::symbolic {

/// How an expression was made; the first ones in the order of Op.
enum class Made : std::uint8_t {
  add, subtract, bit_and, bit_or, bit_xor, equal, less, less_equal,
  inverted,
  shifted_left,   ///< by n
  shifted_right,
  resized,        ///< from n bits
  chosen,         ///< by `condition`, between a and b
  negated,
  both,
  variable,
  elsewhere       ///< by Z3 itself
};

struct Node {
  _Z3_ast* ast;
  Terms::Impl* owner;
  unsigned width;                   // 0: a truth value
  std::size_t number;
  bool negative = false;            // made as a negation
  const Node* negated = nullptr;    // its negation, once made
  const Node* condition = nullptr;  // of a choice: between yes and no
  Value yes{};
  Value no{};
  Made made = Made::elsewhere;
  Value a{};
  Value b{};
  std::uint64_t n = 0;  // of a comparison or an operation: the width of its operands
};

/// What `n` is of its operands' values, and of its condition's.
std::uint64_t made_of(const Node& n, std::uint64_t a, std::uint64_t b, bool condition);

}  // namespace iomc::check::symbolic
