// SPDX-License-Identifier: GPL-2.0-or-later
// What the sets of values say, against all values tried out.
#include <catch2/catch.hpp>

#include "checker/symbolic/domains.hpp"

namespace {

using namespace iomc::check::symbolic;

Values up_to(unsigned most) {
  Values out;
  for (unsigned v = 0; v <= most; ++v) out.add(v);
  return out;
}

struct Three {
  Terms terms;
  Domains domains;
  Word<8> x = terms.word<8>("x");
  Word<8> y = terms.word<8>("y");
  Word<8> z = terms.word<8>("z");
  Three() {
    domains.set(x.value().term, up_to(5));
    domains.set(y.value().term, up_to(5));
    domains.set(z.value().term, up_to(5));
  }
};

TEST_CASE("a condition on one field narrows it, and is undone") {
  Three t;
  CHECK(t.domains.possible(t.x == Word<8>(5)) == Answer::satisfiable);
  CHECK(t.domains.possible(t.x == Word<8>(6)) == Answer::unsatisfiable);
  t.domains.hold(t.x > Word<8>(2));
  t.domains.hold(negate(t.x == Word<8>(4)));
  CHECK(t.domains.possible(t.x == Word<8>(4)) == Answer::unsatisfiable);
  CHECK(t.domains.possible(t.x == Word<8>(3)) == Answer::satisfiable);
  CHECK(t.domains.image((t.x + Word<8>(1)).value()).in.count() == 2);
  t.domains.drop();
  CHECK(t.domains.possible(t.x == Word<8>(4)) == Answer::satisfiable);
  t.domains.drop();
  CHECK(t.domains.possible(t.x == Word<8>(0)) == Answer::satisfiable);
}

TEST_CASE("conditions on several fields are tried out together") {
  Three t;
  t.domains.hold(t.x < t.y);
  t.domains.hold(t.y < t.z);
  CHECK(t.domains.possible(t.z == Word<8>(1)) == Answer::unsatisfiable);
  CHECK(t.domains.possible(t.z == Word<8>(2)) == Answer::satisfiable);
  const Values z = t.domains.image(t.z.value());
  CHECK(z.in.count() == 4);  // 2 to 5
  CHECK_FALSE(z.contains(1));
  CHECK(t.domains.image(select(t.x == Word<8>(0), t.z, Word<8>(9)).value()).contains(9));
}

TEST_CASE("where any value is possible, and where there are too many, nothing is claimed") {
  Three t;
  Values all;
  all.any = true;
  const Word<16> wide = t.terms.word<16>("wide");
  t.domains.set(wide.value().term, all);
  CHECK(t.domains.possible(wide == Word<16>(3)) == Answer::unknown);
  CHECK(t.domains.image(wide.value()).any);
  Domains many;
  Word<8> total = Word<8>(0);
  for (int i = 0; i < 8; ++i) {
    std::string name("v");
    name += std::to_string(i);
    const Word<8> v = t.terms.word<8>(name);
    many.set(v.value().term, up_to(9));
    total += v;
  }
  CHECK(many.possible(total == Word<8>(200)) == Answer::unknown);
  CHECK(many.image(total.value()).any);
}

TEST_CASE("the interpreter computes what Z3 computes") {
  Three t;
  const Word<8> e = select(t.x < t.y, (t.x << 3) - t.z, ~(t.y ^ t.z) >> 1) & Word<8>(0x7d);
  const Word<16> w = e.to<16>() + Word<16>(250);
  Solver solver(t.terms, {});
  Interpreter interpreter;
  for (unsigned n = 0; n < 216; ++n) {
    const unsigned x = n % 6;
    const unsigned y = n / 6 % 6;
    const unsigned z = n / 36;
    interpreter.begin();
    interpreter.set(t.x.value().term, x);
    interpreter.set(t.y.value().term, y);
    interpreter.set(t.z.value().term, z);
    const Scope scope(solver);
    solver.add(t.x == Word<8>(x));
    solver.add(t.y == Word<8>(y));
    solver.add(t.z == Word<8>(z));
    REQUIRE(solver.check() == Answer::satisfiable);
    CHECK(interpreter(e.value()) == solver.value(e.value()));
    CHECK(interpreter(w.to<8>().value()) == solver.value(w.to<8>().value()));
  }
}

}  // namespace
