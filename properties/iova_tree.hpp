// SPDX-License-Identifier: GPL-2.0-or-later
// The properties of the tree alone (spec/iova/tree_alone.hpp), under the ids that they have for a whole domain, and the
// invariants that their proofs rest on.
#pragma once

#include "model/invariant.hpp"
#include "properties/iova.hpp"
#include "spec/iova/tree_alone.hpp"

namespace iomc::properties::iova {

template <class S>
struct TreePredicates {
  using T = typename S::T;
  using State = typename S::State;
  using Event = typename S::Event;
  using Pfn = typename T::Pfn;
  using Flag = typename T::Flag;
  using Bool = typename T::Bool;

  static bool is_grant(const Event& e) { return e.kind == Event::grant; }
  static bool is_searched(const Event& e) { return e.kind == Event::searched; }

  // P1
  static bool disjoint(const S&, const State& s) {
    const auto& tree = s.domain.tree;
    Bool ok = true;
    for (unsigned i = 0; i < tree.lo_.size(); ++i) {
      const Bool here = typename T::Count(i) < tree.n;
      Bool fine = both(tree.lo_[i] <= tree.hi_[i], tree.hi_[i] < T::anchor_pfn());
      if (i > 0) fine = both(fine, tree.hi_[i - 1] < tree.lo_[i]);
      ok = both(ok, either(negate(here), fine));
    }
    return static_cast<bool>(ok);
  }
  // P2
  static bool within_limit(const S&, const State&, const State&, const Event& e) {
    const Pfn hi = e.lo + e.size - Pfn(1);
    return static_cast<bool>(both(hi <= e.limit, e.lo <= hi));
  }
  // P3
  static bool above_start(const S&, const State& before, const State&, const Event& e) {
    return static_cast<bool>(e.lo >= before.domain.start_pfn);
  }
  // P4
  static bool cached_alive(const S& spec, const State& s) {
    if (s.domain.crash == use_after_free) return false;
    const auto any = [](const Pfn&) { return Bool(true); };
    return static_cast<bool>(
        both(node_with(spec, s, s.domain.cached32, any), node_with(spec, s, s.domain.cached, any)));
  }
  // P20
  static bool search_ends(const S&, const State& s) { return !(s.domain.crash == no_termination); }
  static bool at_most_two_passes(const S&, const State&, const State&, const Event& e) {
    return static_cast<bool>(e.size <= Pfn(2));
  }

  // What the reference names for P20: neither cached node ends below start_pfn.
  static bool cached_above_start(const S& spec, const State& s) {
    const auto above = [&](const Pfn& hi) { return Bool(hi >= s.domain.start_pfn); };
    return static_cast<bool>(
        both(node_with(spec, s, s.domain.cached32, above), node_with(spec, s, s.domain.cached, above)));
  }

 private:
  /// It is the anchor, or a node of the tree for which `test` holds of its last pfn. To 4.14 it may be NULL.
  template <class Test>
  static Bool node_with(const S& spec, const State& s, const NodePointer<T>& p, Test&& test) {
    const auto& tree = s.domain.tree;
    const bool anchored = spec.config().facts.tree_search == TreeSearch::anchor;
    Bool found = both(Bool(anchored), p.lo == T::anchor_pfn());
    for (unsigned i = 0; i < tree.lo_.size(); ++i)
      found = either(found, both(typename T::Count(i) < tree.n, both(tree.lo_[i] == p.lo, test(tree.hi_[i]))));
    const Bool null = both(Bool(!anchored), p.kind == Flag(NodePointer<T>::null));
    return either(null, both(p.kind == Flag(NodePointer<T>::node), found));
  }
};

template <class S>
std::vector<model::Property<S>> tree_properties() {
  using P = TreePredicates<S>;
  return {
      {info("iova.P1"), P::disjoint, nullptr, nullptr, nullptr, nullptr},
      {info("iova.P2"), nullptr, nullptr, P::within_limit, P::is_grant, nullptr},
      {info("iova.P3"), nullptr, nullptr, P::above_start, P::is_grant, nullptr},
      {info("iova.P4"), P::cached_alive, nullptr, nullptr, nullptr, nullptr},
      {info("iova.P20"), P::search_ends, nullptr, P::at_most_two_passes, P::is_searched, nullptr},
  };
}

template <class S>
std::vector<model::Invariant<S>> tree_invariants() {
  using P = TreePredicates<S>;
  return {
      {"the ranges of the tree are disjoint, in order and below the anchor", P::disjoint, true},
      {"cached32_node and cached_node are the anchor, or nodes of the tree that end at or above start_pfn",
       P::cached_above_start, true},
      {"the kernel goes on", [](const S&, const typename S::State& s) { return !s.domain.crash.nonzero(); }, true},
  };
}

}  // namespace iomc::properties::iova
