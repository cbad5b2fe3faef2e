// SPDX-License-Identifier: GPL-2.0-or-later
// What must hold of an IOVA domain, as predicates on live state and on what steps report. None of them knows a bug.
//
// Ghost sets: Live is what drivers hold (State::mapped), Queued the flush queues, Cached the magazines and the depot,
// In transit what a context is about to free, Reserved what reserve_iova was asked for, Tree the nodes.
#pragma once

#include <string>
#include <vector>

#include "model/property.hpp"
#include "spec/iova/iova.hpp"

namespace iomc::properties::iova {

using namespace iomc::spec::iova;
using model::both;
using model::either;
using model::negate;

/// Prose of all iova properties, state properties first (properties/iova.cpp).
const model::PropertyInfo& info(const char* id);

namespace detail {

template <class T>
typename T::Pfn last_page(const typename T::Pfn& lo, const typename T::Count& pages) {
  return lo + widen<T>(pages) - typename T::Pfn(1);
}

/// f(pfn, order) for every cached range.
template <class T, class F>
void for_each_cached(const State<T>& s, F&& f) {
  const auto magazine = [&](const Magazine<T>& mag, unsigned bin) {
    for (std::size_t i = 0; i < mag.pfns.size() && typename T::Count(i) < mag.size; ++i) f(mag.pfns[i], bin);
  };
  for (unsigned b = 0; b < s.rcache.size(); ++b) {
    for (const auto& cache : s.rcache[b].cpu) {
      magazine(cache.loaded, b);
      magazine(cache.prev, b);
    }
    for (std::size_t d = 0; d < s.rcache[b].depot.size() && typename T::Count(d) < s.rcache[b].depot_size; ++d)
      magazine(s.rcache[b].depot[d], b);
  }
}

/// Pages of the node behind a range of `pages`: alloc_iova_fast rounds cacheable sizes up.
template <class S>
unsigned node_pages(const S& spec, const typename S::T::Count& pages) {
  const auto n = static_cast<unsigned>(model::index_of(pages, 256));
  return rounded(n, spec.config().sizes.bins, own_caller(spec.config()));
}

/// f(pfn, node pages) for every range that someone accounts for: Live, Queued, Cached, in transit, Reserved.
/// What the domain's DMA windows leave out, once its set-up could have seen them.
template <class S, class F>
void for_each_reserved_gap(const S& spec, const typename S::State& s, F&& f) {
  const auto& lists = spec.config().env.windows;
  if (!s.windows.nonzero()) return;
  const std::size_t list = model::index_of(s.windows - typename S::T::Flag(1), lists.size());
  for_each_gap(lists[list], spec.config().sizes.top, f);
}

template <class S, class F>
void for_each_accounted(const S& spec, const typename S::State& s, F&& f) {
  using T = typename S::T;
  using Count = typename T::Count;
  for (std::size_t i = 0; i < s.mapped.size() && Count(i) < s.mappings; ++i)
    f(s.mapped[i].pfn, node_pages(spec, s.mapped[i].pages));
  for (const auto& queue : s.fq)
    for (std::size_t i = 0; i < queue.entries.size() && Count(i) < queue.tail; ++i)
      f(queue.entries[i].pfn, node_pages(spec, queue.entries[i].pages));
  for_each_cached<T>(s, [&](const auto& pfn, unsigned order) { f(pfn, 1U << order); });
  for (const auto& lane : s.lanes) {
    if (lane.queued_pages.nonzero() && !(lane.pc == static_cast<unsigned>(Step::queue_unlock)))
      f(lane.queued_pfn, node_pages(spec, lane.queued_pages));
    const bool freeing = lane.pc == static_cast<unsigned>(Step::rcache_insert_cpu) ||
                         lane.pc == static_cast<unsigned>(Step::rcache_insert) ||
                         lane.pc == static_cast<unsigned>(Step::free_find) ||
                         lane.pc == static_cast<unsigned>(Step::free_remove);
    if (freeing) f(lane.pfn, node_pages(spec, lane.pages));
    for (std::size_t i = 0; i < lane.mag.pfns.size() && Count(i) < lane.mag.size; ++i)
      f(lane.mag.pfns[i], 1U << model::index_of(lane.bin, 32));
  }
  if (s.reserved_in_tree.nonzero()) f(s.reserved.pfn, static_cast<unsigned>(model::index_of(s.reserved.pages, 256)));
  // A gap is reserved with the page behind it (spec/iova/dma.hpp, reserve_windows); the last one ends at `top`.
  for_each_reserved_gap(spec, s, [&](unsigned number, unsigned first, unsigned end) {
    if ((s.gaps_in_tree & typename T::Flag(1U << number)).nonzero())
      f(typename T::Pfn(first), (end > spec.config().sizes.top ? end : end + 1) - first);
  });
}

/// Whether an aligned gap of `size` pages lies within [start, last].
template <class T>
bool has_gap(const State<T>& s, unsigned start, const typename T::Pfn& last, const typename T::Pfn& size) {
  using Pfn = typename T::Pfn;
  const unsigned align = order_of(size);
  const Pfn step = Pfn(std::uint64_t{1} << align);
  // The candidate starts right after the start of the domain and right after each node, rounded up.
  const auto fits = [&](const Pfn& from) {
    const Pfn lo = (from + step - Pfn(1)) & (~Pfn(0) << align);
    const Pfn hi = lo + size - Pfn(1);
    if (either(either(lo < from, hi < lo), hi > last)) return false;
    typename T::Bool free = true;
    s.tree.for_each([&](const Pfn& l, const Pfn& h) { free = both(free, negate(both(l <= hi, lo <= h))); });
    return static_cast<bool>(free);
  };
  if (fits(Pfn(start))) return true;
  bool found = false;
  s.tree.for_each([&](const Pfn&, const Pfn& h) { found = found || (h + Pfn(1) > Pfn(start) && fits(h + Pfn(1))); });
  return found;
}

template <class V>
std::string number(const V& v) {
  return std::to_string(static_cast<std::uint64_t>(v.raw()));
}

template <class V>
std::string range_text(const V& lo, const V& size) {
  return "[" + number(lo) + "," + number(lo + size - V(1)) + "]";
}

}  // namespace detail

// ---- safety ----------------------------------------------------------------------------------------------------

template <class S>
struct Predicates {
  using T = typename S::T;
  using State = typename S::State;
  using Event = typename S::Event;
  using Pfn = typename T::Pfn;
  using Count = typename T::Count;

  static bool alive(const State& s) { return !(s.crash.nonzero()); }
  static bool flagged(const Event& e) { return static_cast<bool>(e.flag.nonzero()); }
  static bool running(const State& s) { return alive(s) && s.life == DomainLife::live; }

  // P1
  static bool disjoint(const S&, const State& s) {
    typename T::Bool ok = true;
    Pfn end{};
    bool first = true;
    s.tree.for_each([&](const Pfn& lo, const Pfn& hi) {
      ok = both(ok, both(lo <= hi, first ? typename T::Bool(true) : end < lo));
      end = hi;
      first = false;
    });
    return static_cast<bool>(ok);
  }
  static bool grant_is_free(const S& spec, const State& before, const State&, const Event& e) {
    const Pfn hi = e.lo + e.size - Pfn(1);
    if (before.reserved.pages.nonzero() && e.lo <= detail::last_page<T>(before.reserved.pfn, before.reserved.pages) &&
        before.reserved.pfn <= hi)
      return false;
    bool in_gap = false;
    detail::for_each_reserved_gap(spec, before, [&](unsigned, unsigned first, unsigned end) {
      in_gap = in_gap || (e.lo < Pfn(end) && Pfn(first) <= hi);
    });
    if (in_gap) return false;
    for (std::size_t i = 0; i < before.mapped.size() && Count(i) < before.mappings; ++i)
      if (e.lo <= detail::last_page<T>(before.mapped[i].pfn, before.mapped[i].pages) && before.mapped[i].pfn <= hi)
        return false;
    return true;
  }
  static bool is_grant(const Event& e) { return e.kind == Event::grant; }

  // P2, P23
  static bool within_limit(const S&, const State&, const State&, const Event& e) {
    const Pfn hi = e.lo + e.size - Pfn(1);
    return hi <= e.limit && !(hi < e.lo);
  }
  static bool within_device(const S& spec, const State&, const State&, const Event& e) {
    const auto& devices = spec.config().env.devices;
    const Device& d = devices[model::index_of(e.device, devices.size())];
    return d.true_limit == ~0U || e.lo + e.size - Pfn(1) <= Pfn(d.true_limit);
  }
  // P3, P3a
  static bool above_start(const S& spec, const State&, const State&, const Event& e) {
    return e.lo >= Pfn(spec.config().sizes.start_pfn) && !(e.lo == Pfn(0));
  }
  static bool aligned(const S&, const State&, const State&, const Event& e) {
    return static_cast<bool>((e.lo & ((Pfn(1) << order_of(e.size)) - Pfn(1))) == Pfn(0));
  }

  // P4
  static bool pointer_ok(const State& s, const NodePointer<T>& p) {
    typename RangeTree<T>::Position at{};
    return p.kind == NodePointer<T>::null || (p.kind == NodePointer<T>::node && s.tree.find(p.lo, at));
  }
  static bool no_stale_pointer(const S&, const State& s) {
    if (s.crash == use_after_free || s.crash == null_dereference) return false;
    return pointer_ok(s, s.cached32) && pointer_ok(s, s.cached);
  }

  // P5
  static bool accounted(const S& spec, const State& s) {
    if (s.lost_nodes.nonzero()) return false;
    if (!running(s)) return true;
    typename T::Bool ok = true;
    unsigned holders = 0;
    detail::for_each_accounted(spec, s, [&](const Pfn& pfn, unsigned pages) {
      typename T::Bool node = false;
      s.tree.for_each([&](const Pfn& lo, const Pfn& hi) {
        node = either(node, both(lo == pfn, hi == pfn + Pfn(pages - 1)));
      });
      ok = both(ok, node);
      ++holders;
    });
    unsigned nodes = 0;
    s.tree.for_each([&](const Pfn&, const Pfn&) { ++nodes; });
    return holders == nodes && ok;
  }

  // P6
  static bool no_self_deadlock(const S&, const State& s) { return !(s.crash == self_deadlock); }

  // P20
  static bool at_most_two_passes(const S&, const State&, const State&, const Event& e) {
    return static_cast<bool>(e.size <= Pfn(2));
  }
  static bool is_searched(const Event& e) { return e.kind == Event::searched; }

  // P7
  static bool cache_is_sound(const S&, const State& s) {
    if (s.crash == bug_on) return false;
    if (!running(s)) return true;
    typename T::Bool ok = true;
    detail::for_each_cached<T>(s, [&](const Pfn& pfn, unsigned order) {
      typename T::Bool node = false;
      s.tree.for_each([&](const Pfn& lo, const Pfn& hi) {
        node = either(node, both(lo == pfn, hi - lo == Pfn((1U << order) - 1)));
      });
      Count copies = Count(0);
      detail::for_each_cached<T>(s, [&](const Pfn& other, unsigned) { copies += Count(other == pfn); });
      typename T::Bool held = false;
      for (std::size_t i = 0; i < s.mapped.size() && Count(i) < s.mappings; ++i)
        held = either(held, s.mapped[i].pfn == pfn);
      ok = both(ok, both(both(node, copies == Count(1)), negate(held)));
    });
    return static_cast<bool>(ok);
  }
  static bool found_in_tree(const S&, const State&, const State&, const Event&) { return false; }
  static bool is_not_in_tree(const Event& e) { return e.kind == Event::not_in_tree; }

  // P8
  static bool same_order(const S&, const State&, const State&, const Event& e) {
    return e.limit.nonzero() && order_of(e.size) == order_of(e.limit);
  }
  static bool is_unmapped(const Event& e) { return e.kind == Event::unmapped; }

  // P9, P10
  static bool no_gap_was_there(const S& spec, const State& before, const State&, const Event& e) {
    return !detail::has_gap<T>(before, spec.config().sizes.start_pfn, e.limit, e.size);
  }
  static bool is_search_failed(const Event& e) { return e.kind == Event::search_failed; }
  static bool max32_is_sound(const S& spec, const State& s) {
    const auto& c = spec.config();
    if (!running(s) || c.facts.max32_reset == Max32Reset::absent || !(s.max32_alloc_size < Pfn(c.sizes.boundary)))
      return true;
    return !detail::has_gap<T>(s, c.sizes.start_pfn, Pfn(c.sizes.boundary - 1), s.max32_alloc_size);
  }
  static bool remembers_failure(const S& spec, const State& s) {
    const auto& c = spec.config();
    return c.facts.max32_reset != Max32Reset::absent && s.max32_alloc_size < Pfn(c.sizes.boundary);
  }

  // P11
  static bool queue_usable(const S&, const State&, const State&, const Event& e) { return flagged(e); }
  static bool is_queued(const Event& e) { return e.kind == Event::queued; }
  static bool queue_alive(const S&, const State& s) {
    return !(s.fq_ready == QueueLife::freed_queue && s.crash == use_after_free);
  }

  // P12
  static bool nothing_cached(const S&, const State&, const State& after, const Event& e) {
    if (!e.flag.nonzero()) return true;
    // A CPU that is going offline is emptied by its own callback, which has begun.
    for (const auto& lane : after.lanes)
      if (lane.op == Operation::op_cpu_dead) return true;
    bool cached = false;
    detail::for_each_cached<T>(after, [&](const Pfn&, unsigned) { cached = true; });
    return !cached;
  }
  static bool is_caches_flushed(const Event& e) { return e.kind == Event::caches_flushed && e.flag.nonzero(); }

  // P13
  static bool no_local_range(const S&, const State& before, const State&, const Event& e) {
    return !(before.lanes[e.lane].had_local == 1);
  }
  static bool no_range_elsewhere(const S&, const State& before, const State&, const Event& e) {
    return !(before.lanes[e.lane].had_local == 2);
  }
  static bool is_speculative_failure(const Event& e) { return e.kind == Event::alloc_failed && e.flag.nonzero(); }

  // P18
  static bool not_stale(const S&, const State& before, const State&, const Event& e) {
    for (const auto& stale : before.stale)
      if (stale.pages.nonzero() && e.lo <= detail::last_page<T>(stale.pfn, stale.pages) &&
          stale.pfn <= e.lo + e.size - Pfn(1))
        return false;
    return true;
  }

  static bool is_lazy_grant(const Event& e) { return e.kind == Event::lazy_grant; }
  static bool is_device_grant(const Event& e) { return e.kind == Event::device_grant; }
  /// An interrupt or softirq handler is at work.
  static bool handler_runs(const S& spec, const State& s) {
    for (std::size_t i = 0; i < spec.config().env.lanes.size(); ++i)
      if (context_of(spec.config().env.lanes[i].role) != model::ContextKind::task &&
          s.lanes[i].context.active.nonzero())
        return true;
    return false;
  }
  static bool made_mistake(const S&, const State& s) { return static_cast<bool>(s.mistakes.nonzero()); }

  // P29
  static bool is_translated(const S&, const State&, const State&, const Event& e) { return flagged(e); }
  static bool is_mapping_made(const Event& e) { return e.kind == Event::untranslated; }

  // P31
  static bool within_bounds(const S&, const State& s) { return !(s.crash == out_of_bounds); }
  static bool something_queued(const S&, const State& s) {
    for (const auto& queue : s.fq)
      if (queue.tail.nonzero()) return true;
    return false;
  }

  // P26, P27, P28
  static bool no_bug(const S&, const State& s) { return !(s.crash == bug_on); }
  static bool stash_once(const S&, const State& s) {
    for (const auto& n : s.stash_failures)
      if (n > 1) return false;
    return true;
  }
  static bool some_stash(const S&, const State& s) {
    for (const auto& n : s.stash_failures)
      if (n.nonzero()) return true;
    return false;
  }
  static bool space_exhausted(const S& spec, const State& before, const State&, const Event& e) {
    // The end of the modelled memory (max_ranges) stands for a failed allocation only where those are switched on.
    if (!spec.config().env.allocation_failure && before.tree.full(spec.config().sizes.max_ranges)) return true;
    return !detail::has_gap<T>(before, spec.config().sizes.start_pfn, e.limit, e.size);
  }
  static bool is_left_32bit(const Event& e) { return e.kind == Event::left_32bit; }

  // P24, P25
  static bool windows_accepted(const S&, const State&, const State&, const Event& e) { return flagged(e); }
  static bool is_windows_checked(const Event& e) { return e.kind == Event::windows_checked; }
  static bool one_notice(const S&, const State& s) {
    for (const auto& n : s.notices)
      if (n > 1) return false;
    return true;
  }
  static bool some_notice(const S&, const State& s) {
    for (const auto& n : s.notices)
      if (n.nonzero()) return true;
    return false;
  }
  /// The state predicate alone says nothing; the events do.
  static bool never(const S&, const State&) { return false; }
  static bool tree_in_use(const S&, const State& s) { return !s.tree.empty(); }
  static bool something_cached(const S&, const State& s) {
    bool cached = false;
    detail::for_each_cached<T>(s, [&](const Pfn&, unsigned) { cached = true; });
    return cached;
  }
};

/// Sentences for violations (concrete domain only; properties/iova.cpp instantiates the shapes).
template <class S>
struct Explain {
  using State = typename S::State;
  using Event = typename S::Event;
  static std::string grant(const S&, const State&, const State&, const Event*);
  static std::string search_failed(const S&, const State&, const State&, const Event*);
  static std::string pointer(const S&, const State&, const State&, const Event*);
  static std::string accounting(const S&, const State&, const State&, const Event*);
  static std::string deadlock(const S&, const State&, const State&, const Event*);
  static std::string cache(const S&, const State&, const State&, const Event*);
  static std::string flushed(const S&, const State&, const State&, const Event*);
  static std::string max32(const S&, const State&, const State&, const Event*);
  static std::string speculative(const S&, const State&, const State&, const Event*);
  static std::string other(const S&, const State&, const State&, const Event*);
};

/// The symbolic domain tells no sentences: its counterexamples are replayed on the concrete specification.
template <class S>
  requires(S::T::D::symbolic)
struct Explain<S> {
  static constexpr std::nullptr_t grant = nullptr;
  static constexpr std::nullptr_t search_failed = nullptr;
  static constexpr std::nullptr_t pointer = nullptr;
  static constexpr std::nullptr_t accounting = nullptr;
  static constexpr std::nullptr_t deadlock = nullptr;
  static constexpr std::nullptr_t cache = nullptr;
  static constexpr std::nullptr_t flushed = nullptr;
  static constexpr std::nullptr_t max32 = nullptr;
  static constexpr std::nullptr_t speculative = nullptr;
  static constexpr std::nullptr_t other = nullptr;
};

/// The properties of spec S, in the order of the reference.
template <class S>
std::vector<model::Property<S>> properties() {
  using P = Predicates<S>;
  using X = Explain<S>;
  return {
      {info("iova.P1"), P::disjoint, P::tree_in_use, P::grant_is_free, P::is_grant, X::grant},
      {info("iova.P2"), nullptr, nullptr, P::within_limit, P::is_grant, X::grant},
      {info("iova.P3"), nullptr, nullptr, P::above_start, P::is_grant, X::grant},
      {info("iova.P3a"), nullptr, nullptr, P::aligned, P::is_grant, X::grant},
      {info("iova.P4"), P::no_stale_pointer, nullptr, nullptr, nullptr, X::pointer},
      {info("iova.P5"), P::accounted, P::tree_in_use, nullptr, nullptr, X::accounting},
      {info("iova.P6"), P::no_self_deadlock, P::handler_runs, nullptr, nullptr, X::deadlock},
      {info("iova.P7"), P::cache_is_sound, P::something_cached, P::found_in_tree, P::is_not_in_tree, X::cache},
      {info("iova.P8"), nullptr, nullptr, P::same_order, P::is_unmapped, X::other},
      {info("iova.P9"), nullptr, nullptr, P::no_gap_was_there, P::is_search_failed, X::search_failed},
      {info("iova.P10"), P::max32_is_sound, P::remembers_failure, nullptr, nullptr, X::max32},
      {info("iova.P11"), P::queue_alive, P::never, P::queue_usable, P::is_queued, X::other},
      {info("iova.P12"), nullptr, nullptr, P::nothing_cached, P::is_caches_flushed, X::flushed},
      {info("iova.P13"), nullptr, nullptr, P::no_local_range, P::is_speculative_failure, X::speculative},
      {info("iova.P13a"), nullptr, nullptr, P::no_range_elsewhere, P::is_speculative_failure, X::speculative},
      {info("iova.P18"), nullptr, nullptr, P::not_stale, P::is_lazy_grant, X::grant},
      {info("iova.P20"), nullptr, nullptr, P::at_most_two_passes, P::is_searched, X::other},
      {info("iova.P23"), nullptr, nullptr, P::within_device, P::is_device_grant, X::grant},
      {info("iova.P24"), nullptr, nullptr, P::windows_accepted, P::is_windows_checked, X::other},
      {info("iova.P25"), P::one_notice, P::some_notice, nullptr, nullptr, X::other},
      {info("iova.P26"), P::no_bug, P::made_mistake, nullptr, nullptr, X::other},
      {info("iova.P27"), P::stash_once, P::some_stash, nullptr, nullptr, X::other},
      {info("iova.P28"), nullptr, nullptr, P::space_exhausted, P::is_left_32bit, X::other},
      {info("iova.P29"), nullptr, nullptr, P::is_translated, P::is_mapping_made, X::other},
      {info("iova.P31"), P::within_bounds, P::something_queued, nullptr, nullptr, X::other},
  };
}

}  // namespace iomc::properties::iova
