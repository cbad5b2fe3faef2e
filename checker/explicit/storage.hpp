// SPDX-License-Identifier: GPL-2.0-or-later
// Visited sets: exact, with a dense id for each state in the order of discovery.
//
// FlatStorage keeps each state's bytes: best for small states. TreeStorage interns the state's words pairwise up a
// binary tree (lossless; two states that differ in one word share all but log2 of the nodes): best for wide ones, and a
// state that differs little from the one being expanded is inserted with few look-ups.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "checker/explicit/region.hpp"
#include "model/reflect.hpp"

namespace iomc::check {

using StateId = std::uint32_t;

struct Inserted {
  StateId id;
  bool fresh;
};

inline std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93ULL;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93ULL;
  return x ^ (x >> 32);
}

/// 64-bit hash of plain bytes: one 64x64->128 multiplication for two words. The rest is read as words that overlap what
/// came before them, because bytes gathered one by one would have to go through memory.
template <std::size_t Size>
std::uint64_t hash_bytes(const void* data) {
  const auto* p = static_cast<const unsigned char*>(data);
  std::size_t size = Size;
  std::uint64_t h = size * 0x9E3779B97F4A7C15ULL;
  const auto word = [](const unsigned char* from) {
    std::uint64_t w = 0;
    std::memcpy(&w, from, std::min<std::size_t>(Size, 8));
    return w;
  };
  const auto fold = [&](std::uint64_t a, std::uint64_t b) {
    __extension__ using u128 = unsigned __int128;
    const auto m = static_cast<u128>(a ^ 0xa0761d6478bd642fULL) * (b ^ h ^ 0xe7037ed1a0b428dbULL);
    h = static_cast<std::uint64_t>(m) ^ static_cast<std::uint64_t>(m >> 64);
  };
  for (; size > 16; p += 16, size -= 16) fold(word(p), word(p + 8));
  if constexpr (Size > 8)
    size > 8 ? fold(word(p), word(p + size - 8)) : fold(word(p + size - 8), 0);
  else
    fold(word(p), 0);
  return h;
}

/// Open addressing over ids: a slot is 32 bits of hash and id + 1. The caller keeps the keys.
/// The slot's place is the head of those 32 bits, so that growth is one pass over two arrays in order and asks for no
/// key.
class IdTable {
 public:
  /// equal(id): is the key stored under id the one looked for; add(): the id of a new key.
  template <class Equal, class Add>
  Inserted find_or_add(std::uint64_t hash, Equal&& equal, Add&& add) {
    if (4 * (used_ + 1) > 3 * size() && shift_ > 0) grow();
    const std::uint64_t tag = hash >> 32;
    for (std::size_t at = tag >> shift_;; at = (at + 1) & (size() - 1)) {
      const std::uint64_t slot = slots_[at];
      if (slot == 0) {
        const StateId id = add();
        slots_[at] = tag << 32 | (id + std::uint64_t{1});
        ++used_;
        return {id, true};
      }
      if (slot >> 32 == tag && equal(static_cast<StateId>(slot) - 1)) return {static_cast<StateId>(slot) - 1, false};
    }
  }

  void prefetch(std::uint64_t hash) const { __builtin_prefetch(&slots_[hash >> 32 >> shift_]); }
  /// Calls f(id) with a key that find_or_add(hash) will probably compare. A wrong guess costs time, nothing else.
  template <class F>
  void guess(std::uint64_t hash, F&& f) const {
    const std::uint64_t slot = slots_[hash >> 32 >> shift_];
    if (slot != 0) f(static_cast<StateId>(slot) - 1);
  }
  std::size_t bytes() const { return size() * sizeof(std::uint64_t); }

 private:
  std::size_t size() const { return std::size_t{1} << (32 - shift_); }

  void grow() {
    const std::size_t old = size();
    --shift_;
    Region<std::uint64_t> bigger(size());
    for (std::size_t i = 0; i < old; ++i) {
      const std::uint64_t slot = slots_[i];
      if (slot == 0) continue;
      std::size_t at = slot >> 32 >> shift_;
      while (bigger[at] != 0) at = (at + 1) & (size() - 1);
      bigger[at] = slot;
    }
    slots_ = std::move(bigger);
  }

  unsigned shift_ = 32 - 16;
  Region<std::uint64_t> slots_{size()};
  std::size_t used_ = 0;
};

template <model::Packed State>
class FlatStorage {
 public:
  void expand(StateId) {}
  void load(StateId id, State& out) const { out = states_[id]; }
  Inserted insert(const State& s) { return insert(s, hash(s)); }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return table_.bytes() + size_ * sizeof(State); }

  // For a caller that knows early what it will insert: hash, then prefetch the slot, then the state that it names.
  static std::uint64_t hash(const State& s) { return hash_bytes<sizeof s>(&s); }
  void prefetch_slot(std::uint64_t hash) const { table_.prefetch(hash); }
  void prefetch_state(std::uint64_t hash) const {
    table_.guess(hash, [&](StateId id) { __builtin_prefetch(&states_[id]); });
  }
  Inserted insert(const State& s, std::uint64_t hash) {
    return table_.find_or_add(
        hash, [&](StateId id) { return model::same(states_[id], s); },
        [&] {
          states_.reserve(size_ + 1);
          states_[size_] = s;
          return static_cast<StateId>(size_++);
        });
  }

 private:
  IdTable table_;
  Region<State> states_{std::size_t{1} << 12};
  std::size_t size_ = 0;
};

/// Pairs of 32-bit words, interned to dense ids.
class PairTable {
 public:
  Inserted intern(std::uint64_t key) {
    return table_.find_or_add(
        mix(key), [&](StateId id) { return keys_[id] == key; },
        [&] {
          keys_.reserve(size_ + 1);
          keys_[size_] = key;
          return static_cast<StateId>(size_++);
        });
  }
  std::uint64_t key(StateId id) const { return keys_[id]; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return table_.bytes() + size_ * sizeof(std::uint64_t); }

 private:
  IdTable table_;
  Region<std::uint64_t> keys_{std::size_t{1} << 12};
  std::size_t size_ = 0;
};

template <model::Packed State>
class TreeStorage {
 public:
  /// Sets the state that the following inserts are expected to resemble.
  void expand(StateId id) {
    unpack(id, node_);
    expanded_ = true;
  }
  void load(StateId id, State& out) const {
    std::array<std::uint32_t, 2 * words> node;
    unpack(id, node);
    std::memcpy(static_cast<void*>(&out), &node[words], sizeof(State));
  }
  Inserted insert(const State& s) {
    std::array<std::uint32_t, words> leaf{};
    std::memcpy(leaf.data(), &s, sizeof(State));
    dirty_.fill(0);
    undo_.used = 0;
    for (std::size_t i = 0; i < words; ++i)
      if (leaf[i] != node_[words + i]) {
        change(words + i, leaf[i]);
        mark((words + i) / 2);
      }
    if (!expanded_)
      for (std::size_t i = 2; i < words; ++i) mark(i);
    for (std::size_t w = dirty_.size(); w-- > 0;)
      while (dirty_[w] != 0) {
        const auto bit = 63U - static_cast<unsigned>(std::countl_zero(dirty_[w]));
        dirty_[w] &= ~(std::uint64_t{1} << bit);
        const std::size_t at = 64 * w + bit;
        if (at < 2) continue;
        change(at, inner_.intern(pair(at)).id);
        mark(at / 2);
      }
    const Inserted r = roots_.intern(pair(1));
    for (std::size_t i = undo_.used; i-- > 0;) node_[undo_.entry[i].at] = undo_.entry[i].value;
    return r;
  }
  std::size_t size() const { return roots_.size(); }
  std::size_t bytes() const { return roots_.bytes() + inner_.bytes(); }

 private:
  // Heap order: 1 is the root, i has the children 2i and 2i+1, the leaves (the state's words) are words..2*words-1.
  static constexpr std::size_t words = sizeof(State) <= 8 ? 2 : (sizeof(State) + 3) / 4;

  std::uint64_t pair(std::size_t at) const {
    return std::uint64_t{node_[2 * at]} << 32 | node_[2 * at + 1];
  }
  void mark(std::size_t at) { dirty_[at / 64] |= std::uint64_t{1} << (at % 64); }
  void change(std::size_t at, std::uint32_t value) {
    undo_.entry[undo_.used++] = {static_cast<std::uint32_t>(at), node_[at]};
    node_[at] = value;
  }
  void unpack(StateId id, std::array<std::uint32_t, 2 * words>& node) const {
    const auto split = [&](std::size_t at, std::uint64_t key) {
      node[2 * at] = static_cast<std::uint32_t>(key >> 32);
      node[2 * at + 1] = static_cast<std::uint32_t>(key);
    };
    split(1, roots_.key(id));
    for (std::size_t at = 2; at < words; ++at) split(at, inner_.key(node[at]));
  }

  PairTable inner_;
  PairTable roots_;
  std::array<std::uint32_t, 2 * words> node_{};
  std::array<std::uint64_t, words / 64 + 1> dirty_{};
  struct Undo {
    struct Entry {
      std::uint32_t at;
      std::uint32_t value;
    };
    std::array<Entry, 2 * words> entry;
    std::size_t used = 0;
  } undo_{};
  bool expanded_ = false;  // before that, no inner node of node_ is an id
};

/// States up to a cache line are kept whole.
template <model::Packed State>
using StorageFor = std::conditional_t<sizeof(State) <= 64, FlatStorage<State>, TreeStorage<State>>;

}  // namespace iomc::check
