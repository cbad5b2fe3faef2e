// SPDX-License-Identifier: GPL-2.0-or-later
// The value of an expression, in either domain: numbers are D::Bits<64>, conditions D::Bool, and no path is forked.
#pragma once

#include "checker/ask/question.hpp"
#include "checker/result.hpp"
#include "model/value.hpp"

namespace iomc::check::ask {

template <class D>
class Evaluation {
 public:
  using Number = typename D::template Bits<64>;
  using Bool = typename D::Bool;

  virtual ~Evaluation() = default;

  Bool truth(const Expr& e) {
    using model::both;
    using model::either;
    using model::negate;
    switch (e.kind) {
      case Expr::Kind::negation: return negate(truth(e.of[0]));
      case Expr::Kind::conjunction: {
        Bool all = truth(e.of[0]);
        for (std::size_t i = 1; i < e.of.size(); ++i) all = both(all, truth(e.of[i]));
        return all;
      }
      case Expr::Kind::disjunction: {
        Bool any = truth(e.of[0]);
        for (std::size_t i = 1; i < e.of.size(); ++i) any = either(any, truth(e.of[i]));
        return any;
      }
      case Expr::Kind::comparison: return compare(e.text, number(e.of[0], &e.of[1]), number(e.of[1], &e.of[0]));
      default: return Bool(number(e, nullptr) != Number(0));
    }
  }

  /// `beside` is what it is compared with: a word may be one of the values that this has.
  Number number(const Expr& e, const Expr* beside) {
    switch (e.kind) {
      case Expr::Kind::number: return Number(e.number);
      case Expr::Kind::word:
        if (beside != nullptr && beside->kind == Expr::Kind::word && !is_name(e.text))
          if (const auto value = word_of(beside->text, e.text)) return Number(*value);
        return name(e.text);
      case Expr::Kind::call: return call(e);
      case Expr::Kind::operation: break;
      default: throw InputError("question: a condition stands where a number is needed");
    }
    const Number a = number(e.of[0], nullptr);
    const Number b = number(e.of[1], nullptr);
    if (e.text == "+") return a + b;
    if (e.text == "-") return a - b;
    if (e.text == "&") return a & b;
    return product(e, a, b);
  }

 protected:
  virtual bool is_name(const std::string& word) = 0;
  /// InputError for what is no name.
  virtual Number name(const std::string& word) = 0;
  /// The number behind a word, for a name that has words for its values.
  virtual std::optional<std::uint64_t> word_of(const std::string& name, const std::string& word) = 0;
  virtual Number call(const Expr& e) = 0;

 private:
  Bool compare(const std::string& sign, const Number& a, const Number& b) {
    using model::negate;
    if (sign == "=") return Bool(a == b);
    if (sign == "!=") return Bool(negate(a == b));
    if (sign == "<") return Bool(a < b);
    if (sign == "<=") return Bool(a <= b);
    if (sign == ">") return Bool(a > b);
    return Bool(a >= b);
  }

  /// By a number that stands there, as additions: neither domain multiplies.
  Number product(const Expr& e, const Number& a, const Number& b) {
    const bool left = e.of[0].kind == Expr::Kind::number;
    if (!left && e.of[1].kind != Expr::Kind::number)
      throw InputError("question: one side of * must be a number");
    std::uint64_t factor = left ? e.of[0].number : e.of[1].number;
    Number shifted = left ? b : a;
    Number out(0);
    for (; factor != 0; factor >>= 1, shifted = shifted << 1)
      if ((factor & 1) != 0) out = out + shifted;
    return out;
  }
};

}  // namespace iomc::check::ask
