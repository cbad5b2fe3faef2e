// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/explicit/storage.hpp"

#include <map>
#include <set>
#include <vector>

#include "tests/checker/explicit/seeded.hpp"

using namespace iomc::check;

namespace {

template <std::size_t N>
struct Blob {
  std::array<std::uint8_t, N> bytes{};
  auto operator<=>(const Blob&) const = default;
};

/// A walk over states: each is an earlier one with a few bytes changed to one of a few values, so that states return.
template <std::size_t N>
std::vector<std::pair<StateId, Blob<N>>> walk(const std::vector<std::uint32_t>& moves) {
  std::vector<std::pair<StateId, Blob<N>>> out{{0, Blob<N>{}}};
  std::vector<Blob<N>> known{Blob<N>{}};
  for (const std::uint32_t m : moves) {
    const auto from = static_cast<StateId>(m % known.size());
    Blob<N> next = known[from];
    for (unsigned change = 0; change < 1 + (m >> 8) % 3; ++change)
      next.bytes[(m >> 4 * change) % N] = static_cast<std::uint8_t>((m >> (28 - change)) % 4);
    out.emplace_back(from, next);
    if (std::find(known.begin(), known.end(), next) == known.end()) known.push_back(next);
  }
  return out;
}

/// Both storages number the states as a set would, in the order of discovery, and give each back whole.
template <std::size_t N>
void agree() {
  const std::string claim = "storages of " + std::to_string(N) + " bytes agree with std::set";
  iomc::test::seeded(claim, [](std::vector<std::uint32_t> moves) {
    FlatStorage<Blob<N>> flat;
    TreeStorage<Blob<N>> tree;
    std::set<Blob<N>> set;
    std::map<StateId, Blob<N>> by_id;
    for (const auto& [from, next] : walk<N>(moves)) {
      if (!set.empty()) tree.expand(from);
      const bool fresh = set.insert(next).second;
      const Inserted f = flat.insert(next);
      const Inserted t = tree.insert(next);
      RC_ASSERT(f.fresh == fresh);
      RC_ASSERT(t.fresh == fresh);
      RC_ASSERT(f.id == t.id);
      if (fresh) RC_ASSERT(f.id + std::size_t{1} == set.size());
      RC_ASSERT(by_id.emplace(f.id, next).first->second == next);
    }
    RC_ASSERT(flat.size() == set.size());
    RC_ASSERT(tree.size() == set.size());
    for (const auto& [id, state] : by_id) {
      Blob<N> from_flat;
      Blob<N> from_tree;
      flat.load(id, from_flat);
      tree.load(id, from_tree);
      RC_ASSERT(from_flat == state);
      RC_ASSERT(from_tree == state);
    }
  });
}

/// The i-th of many states that differ in few bits.
template <std::size_t N>
Blob<N> numbered(std::uint32_t i) {
  Blob<N> b;
  std::memcpy(b.bytes.data(), &i, 3);
  b.bytes[N - 1] = static_cast<std::uint8_t>(i % 7);
  return b;
}

/// Far more states than a table starts with: each is found again after every growth.
template <class Storage, std::size_t N>
void grows() {
  constexpr std::uint32_t many = 150000;
  Storage storage;
  for (std::uint32_t i = 0; i < many; ++i) {
    const Inserted r = storage.insert(numbered<N>(i));
    REQUIRE((r.fresh && r.id == i));
    if (i % 1000 == 0) storage.expand(i);
  }
  for (std::uint32_t i = 0; i < many; ++i) {
    const Inserted r = storage.insert(numbered<N>(i));
    REQUIRE((!r.fresh && r.id == i));
  }
  CHECK(storage.size() == many);
  CHECK(storage.bytes() > 0);
}

}  // namespace

TEST_CASE("the storages agree with std::set on small states") {
  agree<4>();
  agree<5>();
  agree<8>();
  agree<12>();
  agree<19>();
  agree<27>();
}

TEST_CASE("the storages agree with std::set on wide states") {
  agree<64>();
  agree<65>();
  agree<100>();
  agree<258>();
  agree<600>();
}

TEST_CASE("a storage keeps its numbering while it grows") {
  grows<FlatStorage<Blob<5>>, 5>();
  grows<FlatStorage<Blob<27>>, 27>();
  grows<TreeStorage<Blob<27>>, 27>();
  grows<TreeStorage<Blob<100>>, 100>();
}

TEST_CASE("every byte of a state counts in its hash") {
  Blob<27> a;
  const std::uint64_t h = hash_bytes<27>(&a);
  for (std::size_t i = 0; i < 27; ++i) {
    Blob<27> b;
    b.bytes[i] = 1;
    CHECK(hash_bytes<27>(&b) >> 32 != h >> 32);
  }
}

TEST_CASE("prefetching does not change what is stored") {
  FlatStorage<Blob<8>> storage;
  const Blob<8> s = numbered<8>(3);
  const std::uint64_t h = FlatStorage<Blob<8>>::hash(s);
  storage.prefetch_slot(h);
  storage.prefetch_state(h);
  CHECK(storage.size() == 0);
  CHECK(storage.insert(s, h).fresh);
  storage.prefetch_state(h);
  CHECK_FALSE(storage.insert(s).fresh);
}
