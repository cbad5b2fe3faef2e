// SPDX-License-Identifier: GPL-2.0-or-later
// The state of one IOVA domain, its flush queues, its callers, and the ghost sets that properties speak about.
#pragma once

#include "model/machine.hpp"
#include "spec/iova/range_tree.hpp"
#include "spec/iova/types.hpp"

namespace iomc::spec::iova {

/// Where the kernel can no longer be followed.
enum Crash : unsigned char {
  alive = 0,
  use_after_free,      ///< a freed node, queue or domain is dereferenced
  null_dereference,
  bug_on,              ///< BUG()
  self_deadlock,       ///< a context spins on a lock of the one it interrupted
  no_termination,      ///< the tree search starts a third pass
  out_of_bounds,       ///< an array is written beyond its end
};

/// cached32_node and cached_node.
template <class T>
struct NodePointer {
  enum Kind : unsigned char { null = 0, node = 1, freed = 2 };
  typename T::Flag kind;
  typename T::Pfn lo;  ///< the node's name; ~0 is the anchor

  template <class Self, class F>
  static void visit(Self& self, F&& f) {
    f("kind", self.kind, model::Range{0, 2});
    f("lo", self.lo, model::any);
  }
  void show(std::string& out) const {
    if (kind == null) out = "NULL";
    else if (kind == freed) out = "freed node " + std::to_string(lo.raw());
    else if (lo == T::anchor_pfn()) out = "anchor";
    else out = "node " + std::to_string(lo.raw());
  }
};

template <class T>
struct Magazine {
  typename T::Count size;
  typename T::template Array<typename T::Pfn, T::Shape::mag> pfns;

  template <class Self, class F>
  static void visit(Self& self, F&& f) {
    f("size", self.size, T::Shape::mag == 0 ? model::any : model::Range{0, T::Shape::mag});
    f("pfns", self.pfns, model::any);
  }
  void show(std::string& out) const {
    out = "[";
    for (std::size_t i = 0; i < size.raw(); ++i) {
      if (i != 0) out += ' ';
      out += std::to_string(pfns[i].raw());
    }
    out += "]";
  }
};

template <class T>
struct CpuRcache {
  model::SpinLock<typename T::D> lock;
  typename T::Flag missing;  ///< loaded is NULL: its allocation failed at domain creation
  Magazine<T> loaded;
  Magazine<T> prev;

  template <class Self, class F>
  static void visit(Self& self, F&& f) {
    f("lock", self.lock, model::any);
    f("missing", self.missing, model::flag);
    f("loaded", self.loaded, model::any);
    f("prev", self.prev, model::any);
  }
};

/// One size class. Depot members are full; depot[depot_size - 1] was pushed last.
template <class T>
struct Rcache {
  model::SpinLock<typename T::D> lock;
  typename T::Count depot_size;
  typename T::Flag work;  ///< the trim work is scheduled
  typename T::template Array<Magazine<T>, T::Shape::depot> depot;
  typename T::template Array<CpuRcache<T>, T::Shape::cpus> cpu;

  template <class Self, class F>
  static void visit(Self& self, F&& f) {
    f("lock", self.lock, model::any);
    f("depot_size", self.depot_size, T::Shape::depot == 0 ? model::any : model::Range{0, T::Shape::depot});
    f("work", self.work, model::flag);
    f("depot", self.depot, model::any);
    f("cpu", self.cpu, model::any);
  }
};

template <class T>
struct QueueEntry {
  typename T::Pfn pfn;
  typename T::Count pages;
  typename T::Count counter;

  template <class Self, class F>
  static void visit(Self& self, F&& f) {
    f("pfn", self.pfn, model::any);
    f("pages", self.pages, model::any);
    f("counter", self.counter, model::any);
  }
};

/// The entries of a queue at real sizes: the oldest is taken without moving the others.
template <class T>
class RealRing {
 public:
  using Entry = QueueEntry<T>;
  std::size_t size() const { return entries_.size(); }
  void resize(std::size_t n) { entries_.resize(n); }
  Entry& operator[](std::size_t i) { return entries_[index(i)]; }
  const Entry& operator[](std::size_t i) const { return entries_[index(i)]; }
  Entry take_oldest() {
    const Entry oldest = entries_[first_];
    entries_[first_] = {};
    first_ = index(1);
    return oldest;
  }
  auto begin() { return entries_.begin(); }
  auto end() { return entries_.end(); }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }

  template <class Self, class F>
  static void visit(Self&, F&&) {}  // not a state for the explorer
  void show(std::string& out) const { out = std::to_string(entries_.size()) + " slots"; }

 private:
  std::size_t index(std::size_t i) const {
    const std::size_t at = first_ + i;
    return at < entries_.size() ? at : at - entries_.size();
  }
  std::vector<Entry> entries_;
  std::size_t first_ = 0;
};

/// struct iova_fq. Deviation: slots are counted from the kernel's `head`, so head is 0 here and taking the oldest entry
/// moves the others down; the ring's rotation changes nothing else. Slots from `tail` on are kept zero: nothing reads
/// them.
template <class T>
struct FlushQueue {
  model::SpinLock<typename T::D> lock;
  typename T::Count tail;
  std::conditional_t<T::Shape::ring == 0, RealRing<T>, std::array<QueueEntry<T>, T::Shape::ring>> entries;

  template <class Self, class F>
  static void visit(Self& self, F&& f) {
    f("lock", self.lock, model::any);
    f("tail", self.tail, T::small(T::Shape::ring - 1));
    f("entries", self.entries, model::any);
  }
};

/// A mapping a driver holds: what it will pass to unmap.
template <class T>
struct Mapping {
  typename T::Pfn pfn;
  typename T::Count pages;

  template <class Self, class F>
  static void visit(Self& self, F&& f) {
    f("pfn", self.pfn, model::any);
    f("pages", self.pages, model::any);
  }
  void show(std::string& out) const {
    if (pages == 0) out = "-";
    else out = std::to_string(pfn.raw()) + "+" + std::to_string(pages.raw());
  }
};

/// Ghost: an unmapped range that the IOTLB may still translate. `covered` has a bit for each lane whose flush of the
/// whole domain began after the unmap and has not finished.
template <class T>
struct StaleRange {
  typename T::Pfn pfn;
  typename T::Count pages;
  typename T::Flag covered;

  template <class Self, class F>
  static void visit(Self& self, F&& f) {
    f("pfn", self.pfn, model::any);
    f("pages", self.pages, model::any);
    f("covered", self.covered, model::any);
  }
};

/// What a lane is doing for whom; decides where a shared piece of code returns to.
enum Operation : unsigned char {
  op_none = 0,
  op_map,       ///< iommu_dma_alloc_iova
  op_unmap,     ///< __iommu_dma_unmap
  op_timeout,   ///< fq_flush_timeout
  op_trim,      ///< iova_depot_work_func
  op_cpu_dead,  ///< iova_cpuhp_dead
  op_fast,      ///< alloc_iova_fast alone (real sizes: tests and workloads)
  op_tree_only  ///< alloc_iova or free_iova alone
};

template <class T>
struct Lane {
  using Count = typename T::Count;
  using Pfn = typename T::Pfn;

  model::LaneContext<typename T::D> context;
  Count pc;        ///< the step that comes next; 0 is idle
  Count op;        ///< Operation
  Count device;    ///< index of the device it maps for
  Count size;      ///< pages, as alloc_iova_fast uses it
  Count pages;     ///< pages as the driver asked, or of the range being freed
  Pfn limit;       ///< limit_pfn of the current attempt, inclusive
  Count attempt;   ///< 1: within 32 bits, 2: the device's own limit
  Count flush;     ///< flush_rcache of the current attempt: 0 not asked for, 1 asked for, 2 done
  Count this_cpu;  ///< CPU id as raw_cpu_ptr read it
  Pfn pfn;         ///< range being freed
  Count cpu;       ///< loop over CPUs
  Count bin;       ///< loop over size classes
  Pfn queued_pfn;  ///< queue_iova's own range, while older entries are freed
  Count queued_pages;
  Count finished;  ///< fq_flush_finish_cnt as fq_ring_free_locked read it
  Magazine<T> mag; ///< a magazine taken out, to be freed into the tree
  Count had_local; ///< ghost, at the cache miss: 1 this CPU held a range that would have done, 2 another CPU did
  Count clean;     ///< ghost: nobody has cached a range since this flush of the caches began

  template <class Self, class F>
  static void visit(Self& s, F&& f) {
    f("context", s.context, model::any);
    f("pc", s.pc, T::small(254));
    f("op", s.op, T::small(7));
    f("device", s.device, T::small((T::Shape::devices < 2 ? 1 : T::Shape::devices - 1)));
    f("size", s.size, T::small(64));
    f("pages", s.pages, T::small(64));
    f("limit", s.limit, model::any);
    f("attempt", s.attempt, T::small(2));
    f("flush", s.flush, model::Range{0, 2});
    f("this_cpu", s.this_cpu, T::small(T::Shape::cpus - 1));
    f("pfn", s.pfn, model::any);
    f("cpu", s.cpu, T::small(T::Shape::cpus));
    f("bin", s.bin, T::small(31));
    f("queued_pfn", s.queued_pfn, model::any);
    f("queued_pages", s.queued_pages, T::small(64));
    f("finished", s.finished, T::small(1));
    f("mag", s.mag, model::any);
    f("had_local", s.had_local, model::Range{0, 2});
    f("clean", s.clean, model::flag);
  }
  /// What the context is doing, for counterexamples; the program counter is the step that is shown.
  void show(std::string& out) const {
    const auto n = [](const auto& v) { return std::to_string(static_cast<std::uint64_t>(v.raw())); };
    out = context.active.raw() == 0 ? "idle" : operation_name(op.raw());
    if (op == op_map) {
      out += " " + n(pages) + " pages up to " + n(limit) + (attempt == 1 ? ", 32-bit attempt" : ", last attempt");
      if (flush == 1) out += ", may flush";
      if (flush == 2) out += ", has flushed";
    }
    if (!(queued_pages == 0)) out += " " + n(queued_pfn) + "+" + n(queued_pages);
    if (!(pages == 0) && !(op == op_map)) out += ", freeing " + n(pfn) + "+" + n(pages);
    if (!(mag.size == 0)) {
      std::string text;
      mag.show(text);
      out += ", freeing magazine " + text;
    }
    if (context.atomic == model::irqs_off) out += ", irqs off";
    if (context.atomic == model::preempt_off) out += ", preemption off";
  }
  static const char* operation_name(unsigned operation) {
    switch (operation) {
      case op_map: return "maps";
      case op_unmap: return "unmaps";
      case op_timeout: return "flushes the queues";
      case op_trim: return "trims the depot";
      case op_cpu_dead: return "empties a dead CPU's caches";
      default: return "busy";
    }
  }
};

/// Where a domain is in its life.
enum DomainLife : unsigned char { unborn = 0, initialising = 1, live = 2, ending = 3, dead = 4 };

/// What an unmap finds where its domain's flush queue should be.
enum QueueLife : unsigned char {
  no_queue = 0,
  no_rings = 1,  ///< visible, its rings and locks not set up
  usable = 2,
  no_timer = 3,  ///< visible, its timer not set up
  freed_queue = 4
};

/// iovad->start_pfn and iovad->dma_32bit_pfn, in a shape that leaves them open; elsewhere they are constants of the
/// configuration.
template <class T>
struct Bounds {
  typename T::Pfn start_pfn;
  typename T::Pfn dma_32bit_pfn;
};
struct NoBounds {};

template <class T>
struct State : std::conditional_t<OpenBounds<typename T::Shape>, Bounds<T>, NoBounds> {
  using Count = typename T::Count;
  using Pfn = typename T::Pfn;
  using Flag = typename T::Flag;
  using Shape = typename T::Shape;
  template <class E, unsigned N>
  using Array = typename T::template Array<E, N>;

  // struct iova_domain
  RangeTree<T> tree;
  NodePointer<T> cached32;
  NodePointer<T> cached;
  Pfn max32_alloc_size;
  Array<Rcache<T>, Shape::bins> rcache;
  // struct iommu_dma_cookie: the flush queue
  Array<FlushQueue<T>, Shape::cpus> fq;
  Count fq_flush_start_cnt;
  Count fq_flush_finish_cnt;
  Flag fq_timer_on;       ///< with Intel's tables a bit for each CPU
  Flag fq_timer_pending;  ///< likewise
  model::SpinLock<typename T::D> iommu_lock;  ///< the driver's own lock around its flush, where it has one
  Flag fq_ready;                              ///< QueueLife: what an unmap sees
  // the machine and the callers
  Array<Flag, Shape::cpus> online;
  std::array<Flag, Shape::devices> pci_32bit_workaround;
  std::array<Flag, Shape::devices> notices;  ///< times "Using N-bit DMA addresses" was printed, 2 is "more than once"
  std::array<Flag, Shape::devices> stash_failures;  ///< ghost, 2 is "more than once"
  std::array<Lane<T>, Shape::lanes> lanes;
  Flag life;      ///< DomainLife
  Flag attached;  ///< some device has been attached, so its driver may map
  Flag no_rcaches;  ///< rcaches is NULL: their set-up failed
  Flag init_mutex;
  Flag crash;
  // ghosts
  Count mappings;                             ///< used entries of `mapped`
  std::array<Mapping<T>, Shape::live> mapped; ///< what drivers hold, ascending
  std::array<StaleRange<T>, Shape::ghosts ? Shape::nodes : 0> stale;
  Count lost_nodes;                           ///< nodes neither in the tree nor given back
  Flag mistakes;                              ///< a driver has made the one mistake it may make
  Mapping<T> reserved;                        ///< what an attached device needs kept free
  Flag reserved_in_tree;                      ///< …and reserve_iova has put it into the tree
  Flag windows;                               ///< 1 + the list of DMA windows that the host bridge has; 0: none seen
  Flag gaps_in_tree;                          ///< …bit i: reserve_iova has put the i-th into the tree

  template <class Self, class F>
  static void visit(Self& s, F&& f) {
    f("tree", s.tree, model::any);
    f("cached32_node", s.cached32, model::any);
    f("cached_node", s.cached, model::any);
    f("max32_alloc_size", s.max32_alloc_size, model::any);
    f("rcache", s.rcache, model::any);
    f("fq", s.fq, model::any);
    f("fq_flush_start_cnt", s.fq_flush_start_cnt, T::Shape::ghosts ? model::Range{2, 2 + T::Shape::lanes} : model::any);
    f("fq_flush_finish_cnt", s.fq_flush_finish_cnt, T::Shape::ghosts ? model::Range{2, 3} : model::any);
    f("fq_timer_on", s.fq_timer_on, T::small((1U << T::Shape::cpus) - 1));
    f("fq_timer_pending", s.fq_timer_pending, T::small((1U << T::Shape::cpus) - 1));
    f("iommu_lock", s.iommu_lock, model::any);
    f("fq_ready", s.fq_ready, model::Range{0, 4});
    f("online", s.online, model::flag);
    f("pci_32bit_workaround", s.pci_32bit_workaround, model::flag);
    f("notices", s.notices, model::Range{0, 2});
    f("stash_failures", s.stash_failures, model::Range{0, 2});
    f("lanes", s.lanes, model::any);
    f("life", s.life, model::Range{0, 4});
    f("attached", s.attached, model::flag);
    f("no_rcaches", s.no_rcaches, model::flag);
    f("init_mutex", s.init_mutex, model::flag);
    f("crash", s.crash, model::Range{0, 6});
    f("mappings", s.mappings, T::small(T::Shape::live));
    f("mapped", s.mapped, model::any);
    f("stale", s.stale, model::any);
    f("lost_nodes", s.lost_nodes, model::any);
    f("mistakes", s.mistakes, model::flag);
    f("reserved", s.reserved, model::any);
    f("reserved_in_tree", s.reserved_in_tree, model::flag);
    f("windows", s.windows, model::any);
    f("gaps_in_tree", s.gaps_in_tree, model::any);
  }
};

/// What happened in a step, for the properties.
template <class T>
struct Event {
  enum Kind : unsigned char {
    nothing,
    lazy_grant,     ///< as grant, in a domain whose unmaps are queued
    device_grant,   ///< as grant, for a device that can address less than it says
    untranslated,   ///< a mapping was given to a driver; flag: its translation is installed
    grant,          ///< lo, size: the range; limit, device; from the cache if flag is set
    search_failed,  ///< size, limit (inclusive): the tree had no room, or refused to look
    alloc_failed,   ///< size, limit: alloc_iova_fast returns 0; flag: it could not flush; lane had_local is still set
    left_32bit,     ///< size: a device gives up on 32-bit addresses after failing to get as many pages
    caches_flushed, ///< flag: nobody cached a range since the flush began
    searched,       ///< size: passes over the tree
    unmapped,       ///< lo, size: what a driver gave back; limit: pages it had been granted, 0 if it held nothing there
    queued,         ///< a range entered a flush queue; flag: the queue was usable
    not_in_tree,    ///< lo: a cached pfn that no node starts at was to be freed
    equal_node,     ///< lo: iova_insert_rbtree met a node with this pfn_lo
    windows_checked ///< a list of DMA windows, sorted and disjoint; flag: it was accepted
  };
  unsigned char kind = nothing;
  unsigned char lane = 0;
  typename T::Pfn lo{};
  typename T::Pfn size{};
  typename T::Pfn limit{};
  typename T::Count device{};
  typename T::Count flag{};
};

}  // namespace iomc::spec::iova
