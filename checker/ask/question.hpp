// SPDX-License-Identifier: GPL-2.0-or-later
// Questions: what is asked, and of which names.
//
//   [SPEC:] find NAMES where EXPR [within K steps]      one answer
//   [SPEC:] all NAMES where EXPR [within K steps]       every one
//   [SPEC:] min|max EXPR [where EXPR] [within K steps] [for NAME in A..B]
//
// EXPR: numbers (64 bits, unsigned, wrapping; 0x too), names, words of an enumeration, + - * &, = != < <= > >=,
// NAME in A..B, not, and, or, parentheses, violated(ID), holds(ID), cost(EVENT). A name is a field of the state as
// reports print it, or a fact or size. A minus needs blanks around it: a-b is one word.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace iomc::check::ask {

struct Expr {
  enum class Kind : unsigned char {
    number,
    word,        ///< a name, or a word beside one
    call,        ///< text(of[0]), the argument a word
    negation,
    conjunction,
    disjunction,
    comparison,  ///< text is = != < <= > >=
    operation    ///< text is + - * &
  };
  Kind kind = Kind::number;
  std::string text;
  std::uint64_t number = 0;
  std::vector<Expr> of;

  bool truth() const { return kind >= Kind::negation && kind <= Kind::comparison; }
};

struct Conjunct {
  std::string text;  ///< as it was written
  Expr expr;
};

struct Question {
  enum class Verb : unsigned char { find, all, min, max };

  std::string text;
  std::string spec;  ///< before the colon: "iova", or "iova.search"; empty: none
  Verb verb = Verb::find;
  std::vector<std::string> names;  ///< find, all
  std::optional<Expr> measure;     ///< min, max
  std::string measure_text;
  std::vector<Conjunct> where;     ///< all of these
  std::optional<std::uint64_t> within;
  std::string sweep;               ///< for NAME in …; empty: none
  std::uint64_t from = 0;
  std::uint64_t to = 0;
};

/// InputError with the place where it is no question.
Question parse(const std::string& text);

/// Every name or word and every call in it.
void collect(const Expr& e, std::vector<std::string>& words, std::vector<Expr>& calls);

}  // namespace iomc::check::ask
