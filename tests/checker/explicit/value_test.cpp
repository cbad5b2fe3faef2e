// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/value.hpp"

#include "tests/checker/explicit/seeded.hpp"

using namespace iomc::model;

namespace {

/// Bits<W> against the machine's unsigned integer of the same width; U() undoes the promotion to int.
template <unsigned W>
void like_the_machine() {
  using U = uint_of<W>;
  iomc::test::seeded("Bits<" + std::to_string(W) + "> computes like uint" + std::to_string(W) + "_t", [](U a, U b) {
    const Bits<W> x(a);
    const Bits<W> y(b);
    RC_ASSERT((x + y).raw() == U(a + b));
    RC_ASSERT((x - y).raw() == U(a - b));
    RC_ASSERT((x & y).raw() == U(a & b));
    RC_ASSERT((x | y).raw() == U(a | b));
    RC_ASSERT((x ^ y).raw() == U(a ^ b));
    RC_ASSERT((~x).raw() == U(~a));
    RC_ASSERT((x == y) == (a == b));
    RC_ASSERT((x != y) == (a != b));
    RC_ASSERT((x < y) == (a < b));
    RC_ASSERT((x <= y) == (a <= b));
    RC_ASSERT((x > y) == (a > b));
    RC_ASSERT((x >= y) == (a >= b));
    RC_ASSERT(min_of(x, y).raw() == std::min(a, b));
    RC_ASSERT((Bits<W>(x) += y).raw() == U(a + b));
    RC_ASSERT((Bits<W>(x) -= y).raw() == U(a - b));
    RC_ASSERT((Bits<W>(x) |= y).raw() == U(a | b));
    RC_ASSERT((Bits<W>(x) &= y).raw() == U(a & b));
    for (unsigned n = 0; n < W; ++n) {
      RC_ASSERT((x << n).raw() == U(std::uint64_t{a} << n));
      RC_ASSERT((x >> n).raw() == U(std::uint64_t{a} >> n));
    }
    for (unsigned n = W; n < 2 * W; ++n) {
      RC_ASSERT((x << n).raw() == 0);
      RC_ASSERT((x >> n).raw() == 0);
    }
  });
}

}  // namespace

TEST_CASE("a value of W bits computes like the kernel's unsigned type") {
  like_the_machine<8>();
  like_the_machine<16>();
  like_the_machine<32>();
  like_the_machine<64>();
}

TEST_CASE("a value wraps at its width, whatever it is made from") {
  CHECK((Bits<8>(255) + 1).raw() == 0);
  CHECK((Bits<8>(0) - 1).raw() == 255);
  CHECK((Bits<16>(0xffff) + 2).raw() == 1);
  CHECK((Bits<32>(0) - 1).raw() == 0xffffffffU);
  CHECK((Bits<64>(0) - 1).raw() == ~std::uint64_t{0});
  CHECK(Bits<8>(-1).raw() == 255);
  CHECK(Bits<8>(0x1234).raw() == 0x34);
}

TEST_CASE("an index beyond its bound stops the program") {
  CHECK(index_of(Bits<8>(3), 4) == 3);
  CHECK_THROWS_AS(index_of(Bits<8>(4), 4), InternalError);
}
