// SPDX-License-Identifier: GPL-2.0-or-later
#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "checker/symbolic/terms.hpp"

using namespace iomc;
using check::symbolic::Evaluator;
using check::symbolic::Symbolic;
using check::symbolic::Terms;
using check::symbolic::Truth;
using check::symbolic::Value;
using check::symbolic::Word;
using model::Concrete;

namespace {

enum Named : unsigned char { seven = 7 };

/// Every operator once, through `out`. The same text for both domains.
template <class D, unsigned W, class Out>
void all_operators(typename D::template Bits<W> x, typename D::template Bits<W> y, unsigned n, int k, Out&& out) {
  using Bits = typename D::template Bits<W>;
  using Bool = typename D::Bool;
  using model::both, model::either, model::min_of, model::negate, model::select;
  for (const Bits& word : {Bits(x + y), Bits(x - y), Bits(x & y), Bits(x | y), Bits(x ^ y), ~x, x << n, x >> n, x + k,
                           k + x, x - k, k - x, x & k, k | x, x ^ k, select(x < y, x, y), min_of(x, y),
                           select(Bool(x == y), Bits(k), y), Bits(x < y), x + seven, seven & y,
                           x.template to<8>().template to<W>(), x.template to<64>().template to<W>()})
    out(word);
  Bits z = x;
  z += y, z -= k, z |= y, z &= Bits(k);
  out(z);
  for (const Bool& truth : {Bool(x == y), Bool(x != y), Bool(x < y), Bool(x <= y), Bool(x > y), Bool(x >= y),
                            Bool(x == k), Bool(k < x), Bool(k <= x), Bool(x > k), Bool(k >= x), Bool(k != x),
                            x.nonzero(), Bool(x == seven), both(x < y, y > k), either(x < y, y > k), negate(x < y),
                            negate(negate(x == k)),
                            Bool(select(x < y, Bits(1), Bits(0)) == 1), Bool(select(x < y, Bits(7), Bits(2)) < 3)})
    out(truth);
}

template <unsigned W>
std::vector<std::uint64_t> concretely(model::Bits<W> x, model::Bits<W> y, unsigned n, int k) {
  std::vector<std::uint64_t> out;
  all_operators<Concrete, W>(x, y, n, k, [&](const auto& v) {
    if constexpr (requires { v.raw(); })
      out.push_back(v.raw());
    else
      out.push_back(v ? 1 : 0);
  });
  return out;
}

/// Edges and small numbers more often than chance would give them.
template <unsigned W>
rc::Gen<model::uint_of<W>> operand() {
  using Raw = model::uint_of<W>;
  const Raw most = static_cast<Raw>(~std::uint64_t{0});
  return rc::gen::oneOf(rc::gen::arbitrary<Raw>(),
                        rc::gen::element<Raw>(0, 1, 2, 3, 7, most / 2 + 1, most - 1, most));
}

template <unsigned W>
bool operators_agree() {
  Terms terms;
  Evaluator evaluate(terms);
  const auto x = terms.word<W>("x");
  const auto y = terms.word<W>("y");
  return rc::check("symbolic words of " + std::to_string(W) + " bits compute as concrete ones", [&] {
    const auto a = *operand<W>();
    const auto b = *operand<W>();
    const unsigned n = *rc::gen::inRange(0U, W + 2);
    const int k = *rc::gen::oneOf(rc::gen::inRange(-3, 10), rc::gen::arbitrary<int>());
    const auto expected = concretely<W>(a, b, n, k);
    const std::vector<Value> variables{x.value(), y.value()};
    const std::vector<std::uint64_t> numbers{a, b};
    evaluate.set(variables, numbers);
    const Word<W> ca = a;
    const Word<W> cb = b;
    for (const auto& [left, right] : {std::pair{x, y}, std::pair{x, cb}, std::pair{ca, y}, std::pair{ca, cb}}) {
      std::vector<std::uint64_t> found;
      all_operators<Symbolic, W>(left, right, n, k, [&](const auto& v) { found.push_back(evaluate(v.value())); });
      RC_ASSERT(found == expected);
    }
  });
}

struct Pair {
  Word<8> a;
  std::array<Word<16>, 2> b;
  template <class Self, class F>
  static void visit(Self& p, F&& f) {
    f("a", p.a, model::any);
    f("b", p.b, model::any);
  }
};

}  // namespace

TEST_CASE("symbolic values wrap and compare as machine integers of their width") {
  CHECK(operators_agree<8>());
  CHECK(operators_agree<16>());
  CHECK(operators_agree<32>());
  CHECK(operators_agree<64>());
}

TEST_CASE("constants make no expressions") {
  Terms terms;
  const auto x = terms.word<8>("x");
  const auto before = terms.size();
  all_operators<Symbolic, 8>(200, 100, 3, 5, [](const auto& v) { CHECK_FALSE(v.value().symbolic()); });
  Word<8> pc;
  pc += 1;
  CHECK(pc.raw() == 1);
  CHECK(static_cast<bool>(pc == 1));
  CHECK(index_of(pc, 4) == 1);
  CHECK(select(pc == 1, x, pc).value() == x.value());
  CHECK(terms.size() == before);
}

TEST_CASE("what is known without a solver makes no expression either") {
  Terms terms;
  const auto x = terms.word<8>("x");
  const auto before = terms.size();
  CHECK((x + 0).value() == x.value());
  CHECK((x - x).raw() == 0);
  CHECK((x & 0).raw() == 0);
  CHECK(static_cast<bool>(x == x));
  CHECK_FALSE(static_cast<bool>(x < 0));
  CHECK(static_cast<bool>(x <= 255));
  CHECK(terms.size() == before);
}

TEST_CASE("a flag made of a condition and tested again is that condition") {
  Terms terms;
  const auto x = terms.word<8>("x");
  const Truth c = x < 5;
  CHECK((select(c, Word<8>(1), Word<8>(0)) == 1).value() == c.value());
  CHECK((select(c, Word<8>(1), Word<8>(0)) == 0).value() == negate(c).value());
  CHECK((select(c, Word<8>(1), Word<8>(0)) == 2).value() == Truth(false).value());
  CHECK((Word<8>(c) == 1).value() == c.value());
}

TEST_CASE("structures merge field by field") {
  Terms terms;
  Evaluator evaluate(terms);
  const auto x = terms.word<8>("x");
  const Pair yes{1, {2, 3}};
  const Pair no{x, {2, 9}};
  const Pair merged = select(x < 5, yes, no);
  CHECK_FALSE(merged.b[0].value().symbolic());
  const std::vector<Value> variables{x.value()};
  for (const std::uint64_t n : {4U, 5U}) {
    evaluate.set(variables, std::vector<std::uint64_t>{n});
    CHECK(evaluate(merged.a.value()) == (n < 5 ? 1 : n));
    CHECK(evaluate(merged.b[1].value()) == (n < 5 ? 3 : 9));
  }
}

TEST_CASE("a symbolic value has no number") {
  Terms terms;
  CHECK_THROWS_AS(terms.word<8>("x").raw(), model::InternalError);
}

TEST_CASE("a condition asked outside an enumeration is refused") {
  Terms terms;
  const auto x = terms.word<8>("x");
  CHECK_THROWS_WITH(static_cast<bool>(x == 1), Catch::Contains("outside an enumeration of paths"));
}
