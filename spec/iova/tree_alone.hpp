// SPDX-License-Identifier: GPL-2.0-or-later
// The tree of one domain alone, at the kernel's 64-bit widths: alloc_iova's search, free_iova and reserve_iova, each as
// one hold of iova_rbtree_lock. For Z3: the domain's bounds and what every call asks for are left open, and any tree of
// up to Nodes nodes may be met.
//
// No code of its own: the calls are those of spec/iova/tree.hpp. What is left out is who calls, the caches in front of
// the tree, and failing allocations of a node.
#pragma once

#include <string>
#include <string_view>

#include "spec/iova/iova.hpp"

namespace iomc::spec::iova {

/// What the next call asks for: anything, at each step.
template <class T>
struct Request {
  typename T::Pfn size;
  typename T::Pfn limit;  ///< limit_pfn, inclusive
  typename T::Pfn lo;     ///< of a range to reserve; a pfn of the range to free
  typename T::Pfn hi;

  template <class Self, class F>
  static void visit(Self& self, F&& f) {
    f("size", self.size, model::any);
    f("limit_pfn", self.limit, model::any);
    f("pfn_lo", self.lo, model::any);
    f("pfn_hi", self.hi, model::any);
  }
};

template <class D, unsigned Nodes>
class TreeAlone {
 public:
  using T = Types<D, Wide<Nodes>>;
  using Event = iova::Event<T>;
  using Pfn = typename T::Pfn;
  enum Call : unsigned { alloc_aligned, alloc_unaligned, free, reserve, call_count };

  struct State {
    iova::State<T> domain;
    Request<T> request;

    template <class Self, class F>
    static void visit(Self& self, F&& f) {
      auto& d = self.domain;
      f("start_pfn", d.start_pfn, model::any);
      f("dma_32bit_pfn", d.dma_32bit_pfn, model::any);
      f("tree", d.tree, model::any);
      f("cached32_node", d.cached32, model::any);
      f("cached_node", d.cached, model::any);
      f("max32_alloc_size", d.max32_alloc_size, model::any);
      f("request", self.request, model::any);
      f("crash", d.crash, model::Range{0, 6});
    }
  };

  /// `from_zero`: start_pfn may be 0, which dma-iommu never asks for.
  explicit TreeAlone(const Facts& facts, bool from_zero = false) : from_zero_(from_zero) {
    config_.name = "tree-alone";
    config_.facts = facts;
  }

  const Config& config() const { return config_; }
  const char* name() const { return "iova"; }
  unsigned instances() const { return call_count; }
  unsigned step_of(unsigned instance) const {
    return static_cast<unsigned>(instance == free      ? Step::free_remove
                                 : instance == reserve ? Step::reserve
                                                       : Step::alloc_range);
  }
  std::span<const model::StepInfo> steps() const { return step_table(); }
  template <class F>
  void for_each_candidate(const State&, F&& f) const {
    for (unsigned i = 0; i < call_count; ++i) f(i);
  }
  model::Lane lane(const State&, unsigned) const { return {-1, "caller"}; }
  bool may_stop(const State&) const { return true; }

  // ---- what is left open ---------------------------------------------------------------------------------------

  bool is_parameter(std::string_view field) const { return field == "start_pfn" || field == "dma_32bit_pfn"; }
  bool is_input(std::string_view field) const { return field.starts_with("request."); }

  /// dma-iommu starts no domain at 0, and callers ask for at least a page. A range to reserve is one, below the anchor.
  bool assumed(const State& s) const {
    using model::both;
    const Request<T>& r = s.request;
    const auto start = both(s.domain.start_pfn >= Pfn(from_zero_ ? 0 : 1), s.domain.start_pfn < T::anchor_pfn());
    return static_cast<bool>(both(both(start, s.domain.dma_32bit_pfn.nonzero()),
                                  both(r.size.nonzero(), both(r.lo <= r.hi, r.hi < T::anchor_pfn()))));
  }
  static const char* assumptions() {
    return "1 <= start_pfn < 2^64-1; dma_32bit_pfn, size >= 1; any limit_pfn; nothing is reserved above 2^64-2";
  }

  /// An empty domain with these bounds: init_iova_domain.
  void begin(State& s) const {
    model::StepContext<Event> cx;
    const auto start = s.domain.start_pfn;
    const auto boundary = s.domain.dma_32bit_pfn;
    s.domain = {};
    s.domain.start_pfn = start;
    s.domain.dma_32bit_pfn = boundary;
    reset_tree(iova::Point<T>{config_, s.domain, cx, 0});
  }
  /// The same with some bounds, for the shape of the state.
  void initial(State& s, model::StepContext<Event>&) const {
    s = {};
    s.domain.start_pfn = Pfn(1);
    s.domain.dma_32bit_pfn = Pfn(std::uint64_t{1} << 20);
    s.request.size = Pfn(1);
    begin(s);
  }

  bool fire(State& s, unsigned instance, model::StepContext<Event>& cx) const {
    const iova::Point<T> k{config_, s.domain, cx, 0};
    if (s.domain.crash.nonzero()) return false;
    switch (instance) {
      case alloc_aligned: return alloc(k, s.request, true);
      case alloc_unaligned: return alloc(k, s.request, false);
      case free: return give_back(k, s.request);
      default: return take_out(k, s.request);
    }
  }

 private:
  static bool alloc(const iova::Point<T>& k, const Request<T>& r, bool size_aligned) {
    if (k.s.tree.full(Nodes)) return false;
    const Found<T> found = alloc_and_insert(k, r.size, r.limit, size_aligned);
    if (!k.s.crash.nonzero() && found.ok) k.emit(Event::grant, found.lo, r.size, r.limit);
    return true;
  }
  static bool give_back(const iova::Point<T>& k, const Request<T>& r) {
    Position<T> node{};
    if (!find_iova(k, r.lo, node)) return false;
    remove_iova(k, node);
    return true;
  }
  static bool take_out(const iova::Point<T>& k, const Request<T>& r) {
    if (k.s.tree.full(Nodes)) return false;
    reserve_iova(k, r.lo, r.hi);
    return true;
  }

  Config config_;
  bool from_zero_;
};

}  // namespace iomc::spec::iova
