// SPDX-License-Identifier: GPL-2.0-or-later
// The domain's rbtree as what it means: its nodes in order, and an anchor [~0,~0] above them that is never a node here.
//
// Deviation from the kernel: the shape of the red-black tree is not modelled. Steps to a neighbour (rb_prev, rb_next)
// are the kernel's; a descent from the root is one event (Cost::tree_find). iova_insert_rbtree starts its descent at
// the node right of the gap instead of the root, which lands in the same place. A node is named by its pfn_lo, which is
// unique in the tree because iova_insert_rbtree refuses an equal one.
#pragma once

#include <map>
#include <string>

#include "spec/iova/types.hpp"

namespace iomc::spec::iova {

/// Sorted arrays: comparable bytes for the explorer, values for Z3. A position is 0..size; size is the anchor.
template <class T>
struct SortedRanges {
  using Pfn = typename T::Pfn;
  using Count = typename T::Count;
  using Position = std::size_t;
  static constexpr unsigned capacity = T::Shape::nodes;

  Count n;
  std::array<Pfn, capacity> lo_;
  std::array<Pfn, capacity> hi_;

  template <class Self, class F>
  static void visit(Self& self, F&& f) {
    f("n", self.n, model::Range{0, capacity});
    f("lo", self.lo_, model::any);
    f("hi", self.hi_, model::any);
  }
  void show(std::string& out) const {
    for (unsigned i = 0; i < n.raw(); ++i) {
      out += (i == 0 ? "" : " ") + std::to_string(lo_[i].raw());
      if (hi_[i] != lo_[i]) out += "-" + std::to_string(hi_[i].raw());
    }
    if (out.empty()) out = "empty";
  }

  bool full(unsigned limit) const { return !(n < Count(limit < capacity ? limit : capacity)); }
  Position anchor() const { return model::index_of(n, capacity + 1); }
  bool is_anchor(Position p) const { return p == capacity || !(Count(p) < n); }
  bool empty() const { return static_cast<bool>(n == Count(0)); }
  Pfn lo(Position p) const { return is_anchor(p) ? T::anchor_pfn() : lo_[p]; }
  Pfn hi(Position p) const { return is_anchor(p) ? T::anchor_pfn() : hi_[p]; }
  void set_lo(Position& p, const Pfn& v) { lo_[p] = v; }
  void set_hi(Position p, const Pfn& v) { hi_[p] = v; }
  /// False where there is no node to the left.
  bool prev(Position& p) const {
    if (p == 0) return false;
    --p;
    return true;
  }
  void next(Position& p) const { ++p; }
  Position first() const { return 0; }

  /// The node named by its pfn_lo (the anchor by ~0); false where there is none.
  bool find(const Pfn& name, Position& out) const {
    if (name == T::anchor_pfn()) {
      out = anchor();
      return true;
    }
    for (out = 0; out < capacity && Count(out) < n; ++out)
      if (lo_[out] == name) return true;
    return false;
  }
  /// The first node that contains the pfn; false where there is none.
  bool containing(const Pfn& pfn, Position& out) const {
    for (out = 0; out < capacity && Count(out) < n; ++out)
      if (model::both(lo_[out] <= pfn, pfn <= hi_[out])) return true;
    return false;
  }
  /// The lowest node with pfn_lo >= limit, or the anchor.
  Position lowest_from(const Pfn& limit) const {
    Position p = 0;
    while (!is_anchor(p) && lo_[p] < limit) ++p;
    return p;
  }
  /// False, with nothing inserted, where a node starts at the same pfn.
  bool insert(const Pfn& lo, const Pfn& hi) {
    IOMC_INVARIANT(n < Count(capacity));
    typename T::Bool taken = false;
    for (Position i = 0; i < capacity; ++i) taken = model::either(taken, model::both(Count(i) < n, lo_[i] == lo));
    if (taken) return false;
    // From the top down: what lies at or above the new range moves up by one. No path forks here.
    for (Position i = capacity; i-- > 0;) {
      const typename T::Bool stays = model::both(Count(i) < n, lo_[i] < lo);
      const typename T::Bool here = i == 0 ? typename T::Bool(true) : model::both(Count(i - 1) < n, lo_[i - 1] < lo);
      const Pfn below_lo = i == 0 ? Pfn(0) : lo_[i - 1];
      const Pfn below_hi = i == 0 ? Pfn(0) : hi_[i - 1];
      const typename T::Bool moved = model::both(model::negate(here), model::negate(n < Count(i)));
      lo_[i] = model::select(stays, lo_[i], model::select(here, lo, model::select(moved, below_lo, lo_[i])));
      hi_[i] = model::select(stays, hi_[i], model::select(here, hi, model::select(moved, below_hi, hi_[i])));
    }
    n += Count(1);
    return true;
  }
  void erase(Position p) {
    for (Position i = p; i + 1 < capacity; ++i) {
      lo_[i] = lo_[i + 1];
      hi_[i] = hi_[i + 1];
    }
    lo_[capacity - 1] = Pfn(0);
    hi_[capacity - 1] = Pfn(0);
    n -= Count(1);
  }
  void clear() { *this = {}; }
  template <class F>
  void for_each(F&& f) const {
    for (Position p = 0; p < capacity && Count(p) < n; ++p) f(lo_[p], hi_[p]);
  }
};

/// The same interface over a balanced tree, for real sizes.
template <class T>
struct BalancedRanges {
  using Pfn = typename T::Pfn;
  using Map = std::map<std::uint64_t, std::uint64_t>;
  using Position = Map::const_iterator;

  Map ranges;

  template <class Self, class F>
  static void visit(Self&, F&&) {}  // not a state for the explorer
  void show(std::string& out) const { out = std::to_string(ranges.size()) + " ranges"; }

  bool full(unsigned) const { return false; }
  Position anchor() const { return ranges.end(); }
  bool is_anchor(Position p) const { return p == ranges.end(); }
  bool empty() const { return ranges.empty(); }
  Pfn lo(Position p) const { return is_anchor(p) ? T::anchor_pfn() : Pfn(p->first); }
  Pfn hi(Position p) const { return is_anchor(p) ? T::anchor_pfn() : Pfn(p->second); }
  /// Moves the position along: the map keeps no iterator to a node that was taken out.
  void set_lo(Position& p, const Pfn& v) {
    auto node = ranges.extract(p);
    node.key() = v.raw();
    p = ranges.insert(std::move(node)).position;
  }
  void set_hi(Position p, const Pfn& v) { ranges[p->first] = v.raw(); }
  bool prev(Position& p) const {
    if (p == ranges.begin()) return false;
    --p;
    return true;
  }
  void next(Position& p) const { ++p; }
  Position first() const { return ranges.begin(); }
  bool find(const Pfn& name, Position& out) const {
    out = ranges.find(name.raw());
    return out != ranges.end() || name == T::anchor_pfn();
  }
  bool containing(const Pfn& pfn, Position& out) const {
    out = ranges.upper_bound(pfn.raw());
    if (out == ranges.begin()) return false;
    --out;
    return pfn.raw() <= out->second;
  }
  Position lowest_from(const Pfn& limit) const { return ranges.lower_bound(limit.raw()); }
  bool insert(const Pfn& lo, const Pfn& hi) { return ranges.emplace(lo.raw(), hi.raw()).second; }
  void erase(Position p) { ranges.erase(p); }
  void clear() { ranges.clear(); }
  template <class F>
  void for_each(F&& f) const {
    for (const auto& [lo, hi] : ranges) f(Pfn(lo), Pfn(hi));
  }
};

template <class T>
using RangeTree = std::conditional_t<T::Shape::nodes == 0, BalancedRanges<T>, SortedRanges<T>>;

}  // namespace iomc::spec::iova
