// SPDX-License-Identifier: GPL-2.0-or-later
// Test vectors of the tree: calls of alloc_iova, free_iova and reserve_iova on a fresh domain, one row for each vector
// and kernel. Calls: a<size>,<limit> aligned, u<size>,<limit> unaligned, f<n> frees the range that call number n of the
// allocations got (from 0), r<lo>,<hi> reserves. All numbers are hexadecimal. Results: one for each allocation.
#include <catch2/catch.hpp>
#include <sstream>

#include "spec/iova/sequence.hpp"

using namespace iomc::spec::iova;

namespace {

struct Vector {
  const char* id;
  unsigned start;
  unsigned boundary;
  const char* calls;
};

struct Row {
  const char* kernels;  ///< names, separated by spaces
  const char* results;
  const char* cached32 = "";  ///< afterwards: pfn_lo, "NULL" or "anchor"; empty where the vector does not say
  const char* max32 = "";
};

std::string hex(std::uint64_t v) {
  std::ostringstream out;
  out << std::hex << v;
  return out.str();
}

std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> out;
  for (std::string word; in >> word;) out.push_back(word);
  return out;
}

struct Outcome {
  std::string results;
  std::string cached32;
  std::string max32;
};

Outcome run(const Vector& v, const Facts& facts) {
  Sizes sizes = real_sizes(facts, 1);
  sizes.start_pfn = v.start;
  sizes.boundary = v.boundary;
  Sequence<> s(real_config(facts, sizes));
  std::vector<Sequence<>::Granted> granted;
  std::string results;
  for (const std::string& call : words(v.calls)) {
    const std::size_t comma = call.find(',');
    const std::uint64_t first = std::stoull(call.substr(1, comma - 1), nullptr, 16);
    const std::uint64_t second = comma == std::string::npos ? 0 : std::stoull(call.substr(comma + 1), nullptr, 16);
    if (call[0] == 'f') {
      s.free(granted.at(first).value());
    } else if (call[0] == 'r') {
      s.reserve(first, second);
    } else {
      granted.push_back(s.alloc(first, second, call[0] == 'a'));
      const auto lo = granted.back();
      results += results.empty() ? "" : " ";
      results += !lo ? "-" : first == 1 ? hex(*lo) : hex(*lo) + "-" + hex(*lo + first - 1);
    }
  }
  REQUIRE(s.crash() == alive);
  const auto cached32 = s.cached32();
  return {results, !cached32 ? "NULL" : *cached32 == ~std::uint64_t{0} ? "anchor" : hex(*cached32), hex(s.max32())};
}

void check(const Vector& v, std::initializer_list<Row> rows) {
  for (const Row& row : rows)
    for (const std::string& name : words(row.kernels)) {
      INFO(v.id << " in " << name << ": " << v.calls);
      const Kernel* kernel = find_kernel(name);
      REQUIRE(kernel != nullptr);
      const Outcome got = run(v, kernel->facts);
      CHECK(got.results == row.results);
      if (*row.cached32 != '\0') CHECK(got.cached32 == row.cached32);
      if (*row.max32 != '\0') CHECK(got.max32 == row.max32);
    }
}

// The eras, each by one of its kernels, and all kernels with max32_alloc_size.
constexpr const char* every = "4.12 4.13 4.15 4.20 5.2 5.9 5.11 5.13 5.18 6.1 debian-6.1 6.2 6.6 6.12 debian-6.12";
constexpr const char* from_4_13 = "4.13 4.15 4.20 5.2 5.9 5.11 5.13 5.18 6.1 debian-6.1 6.2 6.6 6.12 debian-6.12";
constexpr const char* from_4_15 = "4.15 4.20 5.2 5.9 5.11 5.13 5.18 6.1 debian-6.1 6.2 6.6 6.12 debian-6.12";
constexpr const char* from_4_20 = "4.20 5.2 5.9 5.11 5.13 5.18 6.1 debian-6.1 6.2 6.6 6.12 debian-6.12";

}  // namespace

TEST_CASE("V1: ranges are granted downwards, aligned to their size") {
  check({"V1", 1, 0x100000, "a1,fffff a3,fffff a1,fffff a8,fffff a1,fffff"},
        {{every, "fffff ffffc-ffffe ffffb ffff0-ffff7 fffef", "fffef"}});
}

TEST_CASE("V2: the range freed last at the top is granted again") {
  check({"V2", 1, 0x100000, "a1,fffff a1,fffff a1,fffff f0 a1,fffff"}, {{every, "fffff ffffe ffffd fffff", "fffff"}});
}

TEST_CASE("V3: a hole above the cached node is not used") {
  check({"V3", 1, 0x100000, "a1,fffff a1,fffff a1,fffff f2 a1,fffff f1 a2,fffff"},
        {{every, "fffff ffffe ffffd ffffd ffffa-ffffb", "ffffa"}});
}

TEST_CASE("V6: the second pass wraps below start_pfn (dcdb3ba7e2a8)") {
  // 6.1 before its stable update is in the affected range: linux-source-6.1 has the fix, v6.1 has not.
  check({"V6", 0x1f0000, 0x100000, "ab00,1f09ff"},
        {{"4.12 4.13 4.15 4.20 5.2 5.9 debian-6.1 6.2 6.6 6.12 debian-6.12", "-"},
         {"5.11 5.13 5.18 6.1", "1ef000-1efaff"}});
}

TEST_CASE("V8: a stale max32_alloc_size refuses what would fit (5b61343b5059)") {
  check({"V8", 0, 0x40, "a8,3f a8,3f a8,3f a8,3f a8,3f a8,3f a8,3f a8,3f f0 a8,3f a8,3f f5 a8,3f"},
        {{"4.13 4.15", "38-3f 30-37 28-2f 20-27 18-1f 10-17 8-f 0-7 38-3f - 10-17", "10"},
         {"5.18 6.1 debian-6.1 6.2 6.6 6.12 debian-6.12", "38-3f 30-37 28-2f 20-27 18-1f 10-17 8-f 0-7 38-3f - 10-17",
          "10", "40"},
         {"4.20 5.2 5.9 5.11 5.13", "38-3f 30-37 28-2f 20-27 18-1f 10-17 8-f 0-7 38-3f - -", "38", "8"}});
}

TEST_CASE("V9: one cached node for each of the two spaces") {
  check({"V9", 1, 0x100000, "a1,ffffff a1,fffff f0 a1,ffffff a1,fffff"},
        {{every, "ffffff fffff ffffff ffffe", "ffffe"}});
  // To 4.14 freeing the high range forgets the cached node of the 32-bit space.
  check({"V9 up to the free", 1, 0x100000, "a1,ffffff a1,fffff f0"},
        {{"4.12 4.13", "ffffff fffff", "NULL"}, {from_4_15, "ffffff fffff", "fffff"}});
}

TEST_CASE("V10: a full 32-bit space, and a range above it") {
  check({"V10", 1, 4, "a1,3 a1,3 a1,3 a1,3 a1,ff"},
        {{"4.13 4.15", "3 2 1 - ff", "1"}, {from_4_20, "3 2 1 - ff", "1", "1"}});
}

TEST_CASE("V11: a request larger than its limit fails") { check({"V11", 1, 16, "a8,3"}, {{every, "-"}}); }

TEST_CASE("V12: aligned and unaligned requests over one hole") {
  check({"V12", 1, 8, "a1,7 a1,7 a1,7 f1 a4,7 a4,7 u3,7 u2,7"}, {{from_4_13, "7 6 5 - - 2-4 -"}});
  // With inclusive limits pfn 1 is beyond reach, but 2-4 is not.
  check({"V12", 1, 8, "a1,7 a1,7 a1,7 f1 a4,7 a4,7 u3,7 u2,7"}, {{"4.12", "7 6 5 - - 2-4 -"}});
}

TEST_CASE("B4: a node at pfn 0 wraps the walk to the top of the number space (5016bdb796b3)") {
  check({"B4", 1, 0x100000, "r0,0 a2,3 a2,3"},
        {{"4.12", "2-3 fffffffffffffffe-ffffffffffffffff"}, {from_4_13, "2-3 -"}});
}

TEST_CASE("B5: with an inclusive limit start_pfn itself is never granted (757c370f036e)") {
  check({"B5", 1, 0x100000, "a1,4 a1,4 a1,4 a1,4"}, {{"4.12", "4 3 2 -"}, {from_4_13, "4 3 2 1"}});
}
