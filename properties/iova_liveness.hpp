// SPDX-License-Identifier: GPL-2.0-or-later
// Liveness of an IOVA domain: what is queued is freed. The timer runs where it can; drivers owe nothing.
#pragma once

#include "properties/iova.hpp"

namespace iomc::properties::iova {

/// One property for each pfn in [from, end): `P leads to Q` speaks of one range at a time.
template <class S>
std::vector<model::LeadsTo<S>> leads_to(unsigned from, unsigned end) {
  using State = typename S::State;
  using T = typename S::T;
  std::vector<model::LeadsTo<S>> out;
  for (unsigned pfn = from; pfn < end; ++pfn) {
    const auto queued = [pfn](const State& s) {
      for (const auto& queue : s.fq)
        for (std::size_t i = 0; i < queue.entries.size() && i < queue.tail.raw(); ++i)
          if (queue.entries[i].pfn.raw() == pfn) return true;
      return false;
    };
    model::LeadsTo<S> p;
    p.info = {"iova.P19", "a range in a flush queue is freed",
              "the address is lost until the domain goes", "queue_iova and fq_flush_timeout",
              model::PropertyKind::liveness};
    p.trigger = [queued](const S&, const State& s) { return s.life == DomainLife::live && queued(s); };
    // Freed: cached, out of the tree, or a driver's again; or there is no domain any more.
    p.goal = [queued, pfn](const S&, const State& s) {
      if (!(s.life == DomainLife::live)) return true;
      if (queued(s)) return false;
      bool in_tree = false;
      bool reached = false;
      s.tree.for_each([&](const auto& lo, const auto&) { in_tree = in_tree || lo.raw() == pfn; });
      detail::for_each_cached<T>(s, [&](const auto& lo, unsigned) { reached = reached || lo.raw() == pfn; });
      for (std::size_t i = 0; i < s.mapped.size() && i < s.mappings.raw(); ++i)
        reached = reached || s.mapped[i].pfn.raw() == pfn;
      return !in_tree || reached;
    };
    p.explain = [pfn](const S&, const State&, std::span<const State>) {
      return "the range at pfn " + std::to_string(pfn) + " was in a flush queue, and is never freed";
    };
    out.push_back(std::move(p));
  }
  return out;
}

}  // namespace iomc::properties::iova
