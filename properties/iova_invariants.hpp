// SPDX-License-Identifier: GPL-2.0-or-later
// What the proofs about a whole IOVA domain rest on: who holds which node of the tree. Written without forks of paths
// (both, either, select), since every step of every lane is judged against it.
#pragma once

#include "model/invariant.hpp"
#include "properties/iova.hpp"

namespace iomc::properties::iova {

template <class S>
struct Holding {
  using T = typename S::T;
  using State = typename S::State;
  using Pfn = typename T::Pfn;
  using Count = typename T::Count;
  using Bool = typename T::Bool;

  /// Pages of the node behind a range of `pages`, as alloc_iova_fast rounds.
  static Pfn node_pages(const S& spec, const Count& pages) {
    const Pfn wanted = widen<T>(pages);
    const Pfn rounded_up = ~align_mask_of(wanted) + Pfn(1);
    if (own_caller(spec.config())) return rounded_up;
    const unsigned bins = spec.config().sizes.bins;
    return model::select(wanted < Pfn(std::uint64_t{1} << (bins - 1)), rounded_up, wanted);
  }

  static Bool at_step(const Lane<T>& lane, std::initializer_list<Step> steps) {
    Bool any = false;
    for (const Step step : steps) any = either(any, lane.pc == Count(static_cast<unsigned>(step)));
    return any;
  }

  struct Holder {
    Bool present;
    Pfn pfn;
    Pfn pages;
  };

  /// Everyone who accounts for a node: drivers, queues, magazines, the depot, contexts that are about to free it.
  static std::vector<Holder> holders(const S& spec, const State& s) {
    std::vector<Holder> out;
    const auto magazine = [&](const Magazine<T>& mag, Bool there, const Pfn& pages) {
      for (std::size_t i = 0; i < mag.pfns.size(); ++i)
        out.push_back({both(there, Count(i) < mag.size), mag.pfns[i], pages});
    };
    for (std::size_t i = 0; i < s.mapped.size(); ++i)
      out.push_back({Count(i) < s.mappings, s.mapped[i].pfn, node_pages(spec, s.mapped[i].pages)});
    const bool queues = queue_kind(spec.config()) != QueueKind::none;
    if (queues)
      for (const auto& queue : s.fq)
        for (std::size_t i = 0; i < queue.entries.size(); ++i)
          out.push_back({Count(i) < queue.tail, queue.entries[i].pfn, node_pages(spec, queue.entries[i].pages)});
    for (std::size_t b = 0; b < s.rcache.size(); ++b) {
      const Pfn pages(std::uint64_t{1} << b);
      for (const auto& cache : s.rcache[b].cpu) {
        magazine(cache.loaded, Bool(true), pages);
        magazine(cache.prev, Bool(true), pages);
      }
      for (std::size_t d = 0; d < s.rcache[b].depot.size(); ++d)
        magazine(s.rcache[b].depot[d], Count(d) < s.rcache[b].depot_size, pages);
    }
    for (const auto& lane : s.lanes) {
      if (queues)
        out.push_back({both(lane.queued_pages.nonzero(), negate(at_step(lane, {Step::queue_unlock}))),
                       lane.queued_pfn, node_pages(spec, lane.queued_pages)});
      const Bool freeing =
          at_step(lane, {Step::rcache_insert_cpu, Step::rcache_insert, Step::free_find, Step::free_remove});
      out.push_back({freeing, lane.pfn, node_pages(spec, lane.pages)});
      // A magazine that was taken out is of the size class in hand.
      for (std::size_t b = 0; b < s.rcache.size(); ++b)
        magazine(lane.mag, lane.bin == Count(b), Pfn(std::uint64_t{1} << b));
    }
    if (spec.config().env.reserve_hi != 0 || spec.config().env.page_zero)
      out.push_back({s.reserved_in_tree.nonzero(), s.reserved.pfn, widen<T>(s.reserved.pages)});
    return out;
  }

  static bool disjoint(const S&, const State& s) {
    Bool ok = true;
    for (unsigned i = 0; i < s.tree.lo_.size(); ++i) {
      Bool fine = both(s.tree.lo_[i] <= s.tree.hi_[i], s.tree.hi_[i] < T::anchor_pfn());
      if (i > 0) fine = both(fine, s.tree.hi_[i - 1] < s.tree.lo_[i]);
      ok = both(ok, either(negate(Count(i) < s.tree.n), fine));
    }
    return static_cast<bool>(ok);
  }

  static bool all_alive(const S& spec, const State& s) {
    Bool ok = true;
    for (const Holder& h : holders(spec, s)) {
      Bool node = false;
      for (unsigned i = 0; i < s.tree.lo_.size(); ++i)
        node = either(node, both(Count(i) < s.tree.n,
                                 both(s.tree.lo_[i] == h.pfn, s.tree.hi_[i] == h.pfn + h.pages - Pfn(1))));
      ok = both(ok, either(negate(h.present), node));
    }
    return static_cast<bool>(ok);
  }

  static bool one_holder(const S& spec, const State& s) {
    const auto all = holders(spec, s);
    Bool ok = true;
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        ok = both(ok, negate(both(both(all[i].present, all[j].present), all[i].pfn == all[j].pfn)));
    return static_cast<bool>(ok);
  }

  static bool none_lost(const S& spec, const State& s) {
    const auto all = holders(spec, s);
    Bool ok = s.lost_nodes == Count(0);
    for (unsigned i = 0; i < s.tree.lo_.size(); ++i) {
      Bool held = false;
      for (const Holder& h : all) held = either(held, both(h.present, h.pfn == s.tree.lo_[i]));
      ok = both(ok, either(negate(Count(i) < s.tree.n), held));
    }
    return static_cast<bool>(ok);
  }

  /// cached32_node and cached_node: the anchor, or a node that ends at or above start_pfn. To 4.14 it may be NULL.
  static bool cached_alive(const S& spec, const State& s) {
    const bool anchored = spec.config().facts.tree_search == TreeSearch::anchor;
    const auto fine = [&](const NodePointer<T>& p) {
      Bool found = both(Bool(anchored), p.lo == T::anchor_pfn());
      for (unsigned i = 0; i < s.tree.lo_.size(); ++i)
        found = either(found, both(both(Count(i) < s.tree.n, s.tree.lo_[i] == p.lo),
                                   s.tree.hi_[i] >= Pfn(spec.config().sizes.start_pfn)));
      const Bool null = both(Bool(!anchored), p.kind == typename T::Flag(NodePointer<T>::null));
      return either(null, both(p.kind == typename T::Flag(NodePointer<T>::node), found));
    };
    return static_cast<bool>(both(fine(s.cached32), fine(s.cached)));
  }

  static bool nodes_within(const S& spec, const State& s) {
    Bool ok = true;
    for (unsigned i = 0; i < s.tree.lo_.size(); ++i) {
      const Bool reserved = both(s.reserved_in_tree.nonzero(), s.tree.lo_[i] == s.reserved.pfn);
      const Bool above = s.tree.lo_[i] >= Pfn(spec.config().sizes.start_pfn);
      ok = both(ok, either(negate(Count(i) < s.tree.n), either(above, reserved)));
    }
    return static_cast<bool>(ok);
  }

  static bool depot_full(const S& spec, const State& s) {
    Bool ok = true;
    for (const auto& rcache : s.rcache)
      for (std::size_t d = 0; d < rcache.depot.size(); ++d)
        ok = both(ok, either(negate(Count(d) < rcache.depot_size),
                             rcache.depot[d].size == Count(spec.config().sizes.mag_size)));
    return static_cast<bool>(ok);
  }

  static bool asks_for_its_pages(const S& spec, const State& s) {
    Bool ok = true;
    for (const auto& lane : s.lanes) {
      const Bool maps = both(lane.op == Count(Operation::op_map), lane.size.nonzero());
      const Bool before_grant = negate(at_step(
          lane, {Step::idle, Step::rcache_insert_cpu, Step::rcache_insert, Step::free_find, Step::free_remove}));
      ok = both(ok, either(negate(both(maps, before_grant)), widen<T>(lane.size) == node_pages(spec, lane.pages)));
    }
    return static_cast<bool>(ok);
  }
};

template <class S>
std::vector<model::Invariant<S>> invariants() {
  using H = Holding<S>;
  return {
      {"the ranges of the tree are disjoint, in order and below the anchor", H::disjoint},
      {"who accounts for a range accounts for a node of the tree, from its first page to its last", H::all_alive},
      {"no node is accounted for twice", H::one_holder},
      {"every node is accounted for", H::none_lost},
      {"cached32_node and cached_node are the anchor, or nodes of the tree that end at or above start_pfn",
       H::cached_alive},
      {"nodes below start_pfn are reserved ones", H::nodes_within},
      {"the magazines of the depot are full", H::depot_full},
      {"who maps asks the tree for as many pages as the driver will give back", H::asks_for_its_pages},
  };
}

}  // namespace iomc::properties::iova
