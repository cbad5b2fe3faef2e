// SPDX-License-Identifier: GPL-2.0-or-later
// drivers/iommu/iova.c, the tree: __get_cached_rbnode, __cached_rbnode_insert_update, __cached_rbnode_delete_update,
// iova_find_limit, __alloc_and_insert_iova_range, remove_iova, private_find_iova, reserve_iova. Kernels 4.12 to 6.12.
//
// Everything here runs under iova_rbtree_lock with interrupts off: one call is one atomic piece of a step.
#pragma once

#include "spec/iova/point.hpp"

namespace iomc::spec::iova {

using model::Cost;

template <class T>
using Position = typename RangeTree<T>::Position;

template <class T>
NodePointer<T> pointer_to(const RangeTree<T>& tree, Position<T> p) {
  return {NodePointer<T>::node, tree.lo(p)};
}

/// Follows cached32_node or cached_node; false, with the kernel stopped, where the node is gone.
template <class T>
bool follow(const Point<T>& k, const NodePointer<T>& pointer, Position<T>& out) {
  if (pointer.kind == NodePointer<T>::node && k.s.tree.find(pointer.lo, out)) return true;
  k.crash(use_after_free);
  return false;
}

/// __cached_rbnode_insert_update
template <class T>
void cached_insert_update(const Point<T>& k, const typename T::Pfn& lo, const typename T::Pfn& hi,
                          const typename T::Pfn& asked_limit) {
  const NodePointer<T> fresh{NodePointer<T>::node, lo};
  if (k.facts().tree_search == TreeSearch::cached32) {
    if (asked_limit == k.boundary()) k.s.cached32 = fresh;
  } else if (hi < k.boundary()) {
    k.s.cached32 = fresh;
  } else {
    k.s.cached = fresh;
  }
}

/// __cached_rbnode_delete_update, one cached node (to 4.14)
template <class T>
bool cached32_delete_update(const Point<T>& k, Position<T> gone) {
  auto& s = k.s;
  if (s.cached32.kind == NodePointer<T>::null) return true;
  Position<T> cached{};
  if (!follow(k, s.cached32, cached)) return false;
  if (!(s.tree.lo(gone) >= s.tree.lo(cached))) return true;
  Position<T> next = gone;
  s.tree.next(next);
  k.cx.cost(Cost::tree_step);
  if (!s.tree.is_anchor(next) && s.tree.lo(next) < k.boundary())
    s.cached32 = pointer_to<T>(s.tree, next);
  else
    s.cached32 = {NodePointer<T>::null, typename T::Pfn(0)};
  return true;
}

/// __cached_rbnode_delete_update (4.15 on)
template <class T>
bool cached_delete_update(const Point<T>& k, Position<T> gone) {
  auto& s = k.s;
  const auto lo = s.tree.lo(gone);
  const auto hi = s.tree.hi(gone);
  Position<T> next = gone;
  s.tree.next(next);
  const NodePointer<T> after = pointer_to<T>(s.tree, next);

  Position<T> cached{};
  bool moves = k.facts().delete_update_equal && s.cached32.kind == NodePointer<T>::node && s.cached32.lo == lo;
  // Only here is the cached node looked into.
  if (!moves && hi < k.boundary()) {
    if (!follow(k, s.cached32, cached)) return false;
    moves = static_cast<bool>(lo >= s.tree.lo(cached));
  }
  if (moves) {
    s.cached32 = after;
    k.cx.cost(Cost::tree_step);
    if (k.facts().max32_reset == Max32Reset::with_cached32) s.max32_alloc_size = k.boundary();
  }
  if (k.facts().max32_reset == Max32Reset::any_32bit_free && lo < k.boundary()) s.max32_alloc_size = k.boundary();

  if (!follow(k, s.cached, cached)) return false;
  if (lo >= s.tree.lo(cached)) {
    s.cached = after;
    k.cx.cost(Cost::tree_step);
  }
  return true;
}

/// remove_iova; the node goes back to its slab. False where the kernel stopped.
template <class T>
bool remove_iova(const Point<T>& k, Position<T> gone) {
  const bool ok = k.facts().tree_search == TreeSearch::cached32 ? cached32_delete_update(k, gone)
                                                                : cached_delete_update(k, gone);
  if (!ok) return false;
  const auto lo = k.s.tree.lo(gone);
  for (NodePointer<T>* p : {&k.s.cached32, &k.s.cached})
    if (p->kind == NodePointer<T>::node && p->lo == lo) p->kind = NodePointer<T>::freed;
  k.s.tree.erase(gone);
  k.cx.cost(Cost::tree_erase);
  k.cx.cost(Cost::slab_free);
  return true;
}

/// private_find_iova
template <class T>
bool find_iova(const Point<T>& k, const typename T::Pfn& pfn, Position<T>& out) {
  k.cx.cost(Cost::tree_find);
  return k.s.tree.containing(pfn, out);
}

/// What a search of the tree found.
template <class T>
struct Found {
  bool ok = false;
  typename T::Pfn lo{};
};

/// One downward walk (4.15 on): the do-while of __alloc_and_insert_iova_range. `high` and `fresh` are left as the
/// kernel's high_pfn and new_pfn.
template <class T>
void walk_down(const Point<T>& k, Position<T> curr, const typename T::Pfn& size, const typename T::Pfn& align_mask,
               const typename T::Pfn& low, typename T::Pfn& high, typename T::Pfn& fresh) {
  while (true) {
    high = model::min_of(high, k.s.tree.lo(curr));
    fresh = (high - size) & align_mask;
    k.cx.cost(Cost::tree_step);
    if (!k.s.tree.prev(curr)) return;
    if (!(fresh <= k.s.tree.hi(curr))) return;
    if (k.facts().second_pass != SecondPass::absent && !(fresh >= low)) return;
  }
}

/// Where the second pass starts: the anchor, or (iova_find_limit) the lowest node at or above the limit.
/// Deviation: a node that straddles the limit is found by the kernel only where the tree's shape leads there; starting
/// one node above it, as here, finds the same gaps.
template <class T>
Position<T> second_pass_start(const Point<T>& k, const typename T::Pfn& limit) {
  if (k.facts().second_pass == SecondPass::from_anchor || limit > k.boundary()) return k.s.tree.anchor();
  k.cx.cost(Cost::tree_find);
  return k.s.tree.lowest_from(limit);
}

/// __alloc_and_insert_iova_range, the search (4.15 on). `limit` is exclusive.
template <class T>
Found<T> search_from_cached(const Point<T>& k, const typename T::Pfn& size, const typename T::Pfn& limit,
                            const typename T::Pfn& align_mask) {
  using Pfn = typename T::Pfn;
  auto& s = k.s;
  const Facts& f = k.facts();
  const Pfn start = k.start_pfn();
  if (f.max32_reset != Max32Reset::absent && limit <= k.boundary() && size >= s.max32_alloc_size) {
    if (!f.max32_store_on_walk) s.max32_alloc_size = size;
    return {};
  }
  Position<T> curr{};
  if (!follow(k, limit <= k.boundary() ? s.cached32 : s.cached, curr)) return {};
  Pfn high = limit;
  Pfn low = start;
  Pfn retry = s.tree.hi(curr);
  if (f.retry_pfn_wraps) retry += Pfn(1);
  Pfn fresh{};
  unsigned passes = 1;
  for (;; ++passes) {
    walk_down(k, curr, size, align_mask, low, high, fresh);
    if (!(high < size) && !(fresh < low)) break;
    if (f.second_pass == SecondPass::absent || !(low == start) || !(retry < limit)) {
      k.emit(Event<T>::searched, {}, Pfn(passes));
      if (f.max32_reset != Max32Reset::absent) s.max32_alloc_size = size;
      return {};
    }
    if (passes == 2) {
      k.emit(Event<T>::searched, {}, Pfn(passes + 1));
      k.crash(no_termination);
      return {};
    }
    high = limit;
    low = f.retry_pfn_wraps ? retry : retry + Pfn(1);
    curr = second_pass_start(k, limit);
  }
  k.emit(Event<T>::searched, {}, Pfn(passes));
  return {true, fresh};
}

/// iova_get_pad_size: how far below the limit an aligned range of this size ends.
template <class T>
typename T::Pfn pad_below(const typename T::Pfn& size, const typename T::Pfn& limit,
                          const typename T::Pfn& align_mask) {
  return (limit - size) & ~align_mask;
}

/// __alloc_and_insert_iova_range, the search to 4.14. In 4.12 `limit` is inclusive, from 4.13 exclusive; `top` below is
/// the exclusive end in both.
template <class T>
Found<T> search_from_cached32(const Point<T>& k, const typename T::Pfn& size, const typename T::Pfn& asked,
                              const typename T::Pfn& align_mask) {
  using Pfn = typename T::Pfn;
  auto& s = k.s;
  const bool inclusive = !k.facts().limit_exclusive;
  const Pfn one = Pfn(inclusive ? 1 : 0);
  Pfn limit = asked;
  Position<T> curr = s.tree.anchor();
  // With inclusive limits the caller's dma_32bit_pfn was the last pfn below the boundary.
  if (!(limit + one > k.boundary()) && !(s.cached32.kind == NodePointer<T>::null)) {
    if (!follow(k, s.cached32, curr)) return {};
    limit = s.tree.lo(curr) - one;
    k.cx.cost(Cost::tree_step);  // rb_prev(cached32_node); otherwise the walk begins at rb_last
  }
  bool left = s.tree.prev(curr);
  for (; left; left = s.tree.prev(curr)) {
    k.cx.cost(Cost::tree_step);
    const Pfn lo = s.tree.lo(curr);
    const Pfn hi = s.tree.hi(curr);
    if (inclusive ? limit < lo : limit <= lo) continue;
    if (inclusive ? !(limit < hi) : limit > hi) {
      const Pfn pad = pad_below<T>(size, limit + one, align_mask);
      const Pfn need = hi + size + pad;
      if (inclusive ? need <= limit : need < limit) break;
    }
    if (inclusive && k.facts().underflow_guard && lo == Pfn(0))
      limit = Pfn(0);
    else
      limit = lo - one;
  }
  const Pfn pad = pad_below<T>(size, limit + one, align_mask);
  if (!left && k.start_pfn() + size + pad > limit) return {};
  return {true, limit + one - (size + pad)};
}

/// __alloc_and_insert_iova_range under iova_rbtree_lock; `limit` as alloc_iova passes it on.
template <class T>
Found<T> alloc_and_insert(const Point<T>& k, const typename T::Pfn& size, const typename T::Pfn& limit_pfn,
                          bool size_aligned) {
  using Pfn = typename T::Pfn;
  const Pfn limit = k.facts().limit_exclusive ? limit_pfn + Pfn(1) : limit_pfn;
  const Pfn align_mask = size_aligned ? align_mask_of(size) : ~Pfn(0);
  k.cx.cost(Cost::tree_lock);
  const Found<T> found = k.facts().tree_search == TreeSearch::cached32
                             ? search_from_cached32(k, size, limit, align_mask)
                             : search_from_cached(k, size, limit, align_mask);
  if (!found.ok) return found;
  const Pfn hi = found.lo + size - Pfn(1);
  k.cx.cost(Cost::tree_insert);  // iova_insert_rbtree starts at the gap's right neighbour: no descent
  if (!k.s.tree.insert(found.lo, hi)) {
    // iova_insert_rbtree warns and returns; its caller does not notice.
    k.emit(Event<T>::equal_node, found.lo);
    k.s.lost_nodes = typename T::Count(1);
  }
  cached_insert_update(k, found.lo, hi, k.facts().limit_exclusive ? limit : limit + Pfn(1));
  return found;
}

/// reserve_iova under iova_rbtree_lock. False where the node for the remainder could not be allocated (GFP_ATOMIC): the
/// kernel returns NULL, which no caller in the tree looks at.
template <class T>
bool reserve_iova(const Point<T>& k, typename T::Pfn lo, typename T::Pfn hi) {
  auto& tree = k.s.tree;
  k.cx.cost(Cost::tree_lock);
  bool overlap = false;
  Position<T> p = tree.first();
  for (; !tree.is_anchor(p); tree.next(p)) {
    if (model::both(lo <= tree.hi(p), hi >= tree.lo(p))) {
      if (lo < tree.lo(p)) {
        for (NodePointer<T>* c : {&k.s.cached32, &k.s.cached})
          if (c->kind == NodePointer<T>::node && c->lo == tree.lo(p)) c->lo = lo;
        tree.set_lo(p, lo);
      }
      if (hi > tree.hi(p)) lo = tree.hi(p) + typename T::Pfn(1);
      if (model::both(lo >= tree.lo(p), hi <= tree.hi(p))) return true;
      overlap = true;
    } else if (overlap) {
      break;
    }
    k.cx.cost(Cost::tree_step);
  }
  // The anchor is looked at too; what lies above it is the end.
  if (tree.is_anchor(p) && !overlap) k.cx.cost(Cost::tree_step);
  k.cx.cost(Cost::slab_alloc);
  if (tree.full(k.sizes().max_ranges)) return false;
  if (k.config.env.allocation_failure && k.cx.pick(2) == 1) return false;
  k.cx.cost(Cost::tree_find);
  k.cx.cost(Cost::tree_insert);
  tree.insert(lo, hi);
  return true;
}

}  // namespace iomc::spec::iova
