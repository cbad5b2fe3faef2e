// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/iova.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace iomc::properties::iova {

namespace {

using model::PropertyKind;
constexpr const char* ref_tree = "drivers/iommu/iova.c, __alloc_and_insert_iova_range";

constexpr std::array all_info = {
    model::PropertyInfo{"iova.P1", "ranges in the tree are disjoint, and no grant overlaps a mapping or a reservation",
                        "two drivers, or a driver and a bridge window, would share bus addresses: silent corruption",
                        "the purpose of the rbtree; 5016bdb796b3, ac9a5d522bb8", PropertyKind::safety},
    model::PropertyInfo{"iova.P2", "a granted range ends at or below the limit that was asked for",
                        "the device truncates the address and writes to another page",
                        "alloc_iova's contract; b826ee9a4f9d", PropertyKind::safety},
    model::PropertyInfo{"iova.P3", "a granted range starts at or above start_pfn, and never at pfn 0",
                        "addresses outside the IOMMU's aperture fault; pfn 0 reads as failure",
                        "dcdb3ba7e2a8 (CVE-2023-52910)", PropertyKind::safety},
    model::PropertyInfo{"iova.P3a", "a granted range is aligned to its size rounded up to a power of two",
                        "drivers rely on natural alignment of DMA addresses", "alloc_iova's size_aligned",
                        PropertyKind::safety},
    model::PropertyInfo{
        "iova.P4", "cached32_node and cached_node are NULL, the anchor or a node of the tree; nothing freed is used",
        "use after free in the allocator: a crash, or a corrupted tree", "9eed17d37c77, d7061627d701",
        PropertyKind::safety},
    model::PropertyInfo{"iova.P5",
                        "every node of the tree is mapped, queued, cached, on its way back, or reserved, and only once",
                        "lost ranges fill the space until the domain is torn down; ranges held twice are granted twice",
                        "conservation of ranges; 472d26df5e80", PropertyKind::safety},
    model::PropertyInfo{"iova.P6", "no context spins on a lock held by the context it interrupted",
                        "the CPU is dead: hard lockup", "review of the depot trimming series, August 2023",
                        PropertyKind::safety},
    model::PropertyInfo{"iova.P7",
                        "a cached pfn starts a node of exactly its class's size, is cached once, and nobody holds it",
                        "the cache would grant memory that is in use, or crash another CPU's flush",
                        "the rcache works by value; d3e3d2be688b", PropertyKind::safety},
    model::PropertyInfo{"iova.P8", "a range is freed with the size class it was allocated with",
                        "the cache files it under the wrong size and grants overlapping ranges later",
                        "free_iova_fast's contract", PropertyKind::safety},
    model::PropertyInfo{"iova.P9", "the tree search finds a range wherever an aligned gap within the limits exists",
                        "DMA mapping fails, or falls back above 4 GiB, although there is room", ref_tree,
                        PropertyKind::completeness},
    model::PropertyInfo{"iova.P10", "no aligned gap of max32_alloc_size pages lies below the 32-bit boundary",
                        "requests that fit are refused without a search", "bee60e94a1e2, 5b61343b5059",
                        PropertyKind::completeness},
    model::PropertyInfo{"iova.P11", "a range is queued only on a flush queue that is set up and not being torn down",
                        "a NULL or freed per-CPU queue is written to", "effa467870c7, d7061627d701",
                        PropertyKind::safety},
    model::PropertyInfo{"iova.P12", "after a flush of all caches during which nobody freed, nothing is cached anywhere",
                        "an allocation fails although the caches hold the space it needs", "6fa3525b455a, f598a497bc7d",
                        PropertyKind::completeness},
    model::PropertyInfo{"iova.P13",
                        "a request that may not flush fails only if this CPU's magazines hold nothing that would do",
                        "32-bit space is given up on while suitable ranges sit in the local cache", "e8b198402745",
                        PropertyKind::completeness},
    model::PropertyInfo{"iova.P13a",
                        "a request that may not flush fails only if no other CPU's magazines hold what would do",
                        "32-bit space is given up on while another CPU's cache holds suitable ranges", "538d5b333216",
                        PropertyKind::completeness},
    model::PropertyInfo{"iova.P18",
                        "no range is granted before an invalidation that began after its unmap has finished",
                        "a device still reaches the previous owner's page through the IOTLB",
                        "the flush counters of 4.14", PropertyKind::safety},
    model::PropertyInfo{"iova.P20", "the tree search ends: it passes over the tree at most twice",
                        "the CPU loops for ever with iova_rbtree_lock held and interrupts off", ref_tree,
                        PropertyKind::safety},
    model::PropertyInfo{"iova.P23", "a granted range lies within what the device can really address",
                        "a device with fewer address lines than its driver declares faults or corrupts memory",
                        "791c2b17fb40 and the reports after 6.6", PropertyKind::safety},
    model::PropertyInfo{"iova.P24", "domain set-up accepts every sorted list of disjoint DMA windows",
                        "the device gets no DMA domain at all", "571f316074a2", PropertyKind::completeness},
    model::PropertyInfo{"iova.P25", "the switch of a device to wide addresses is announced once",
                        "duplicate notices in the log: two CPUs both saw the flag set",
                        "791c2b17fb40; seen in recorded 6.12 traces", PropertyKind::safety},
    model::PropertyInfo{"iova.P26", "a driver's mistake does not stop the kernel: nothing ends in BUG()",
                        "the crash comes later, on another CPU, in code that did nothing wrong", "d3e3d2be688b",
                        PropertyKind::safety},
    model::PropertyInfo{"iova.P27",
                        "32-bit attempts of one device do not fail again and again beside cached 32-bit ranges",
                        "idle ranges of another size keep the 32-bit space almost full for ever", "791c2b17fb40",
                        PropertyKind::completeness},
    model::PropertyInfo{"iova.P28",
                        "a device leaves 32-bit addressing for good only when the tree has no 32-bit range for it",
                        "one failed GFP_ATOMIC allocation moves a device to addresses it may not support",
                        "791c2b17fb40", PropertyKind::completeness},
    model::PropertyInfo{"iova.P29", "a mapping that a driver is given has its translation installed",
                        "the device's first access faults, although the driver was told that all is well",
                        "the result of iommu_map_sg; 5.15 to 5.18", PropertyKind::safety},
    model::PropertyInfo{"iova.P31", "no entry is written beyond the end of the queue or table it is put into",
                        "the memory behind the table is overwritten, and what is there is freed later as a range",
                        "add_unmap of drivers/iommu/intel-iommu.c, to 4.13", PropertyKind::safety},
};

}  // namespace

const model::PropertyInfo& info(const char* id) {
  const auto found =
      std::find_if(all_info.begin(), all_info.end(), [&](const auto& i) { return std::strcmp(i.id, id) == 0; });
  IOMC_PRE(found != all_info.end());
  return *found;
}

namespace {

template <class S>
std::string tree_text(const typename S::State& s) {
  std::string text;
  s.tree.show(text);
  return text;
}

}  // namespace

template <class S>
std::string Explain<S>::grant(const S& spec, const State& before, const State& after, const Event* e) {
  if (e == nullptr) return "the tree holds overlapping ranges: " + tree_text<S>(after);
  const auto& sizes = spec.config().sizes;
  std::string out = "granted " + detail::range_text(e->lo, e->size) + " for a limit of " + detail::number(e->limit) +
                    "; the domain starts at " + std::to_string(sizes.start_pfn);
  if (e->flag.nonzero()) out += "; it came from the cache";
  for (const auto& stale : before.stale)
    if (stale.pages.nonzero() && e->lo <= stale.pfn && stale.pfn <= e->lo + e->size - typename S::T::Pfn(1))
      out += "; the IOTLB may still translate " + detail::number(stale.pfn) + " for its previous owner";
  if (before.reserved.pages.nonzero())
    out += "; reserved is " + detail::range_text(before.reserved.pfn, widen<typename S::T>(before.reserved.pages));
  return out;
}

template <class S>
std::string Explain<S>::search_failed(const S& spec, const State& before, const State&, const Event* e) {
  const bool refused = before.lanes[e->lane].limit < typename S::T::Pfn(spec.config().sizes.boundary) &&
                       spec.config().facts.max32_reset != Max32Reset::absent && e->size >= before.max32_alloc_size;
  return detail::number(e->size) + " pages up to " + detail::number(e->limit) + " were refused" +
         (refused ? " without a search, because max32_alloc_size is " + detail::number(before.max32_alloc_size) : "") +
         ", although the tree (" + tree_text<S>(before) + ") leaves an aligned gap from " +
         std::to_string(spec.config().sizes.start_pfn) + " on";
}

template <class S>
std::string Explain<S>::pointer(const S&, const State&, const State& after, const Event*) {
  if (after.crash == null_dereference)
    return "a NULL pointer is written through: the magazine was never allocated, or there is no queue";
  if (after.crash == use_after_free) return "memory that has been freed is used";
  std::string a;
  std::string b;
  after.cached32.show(a);
  after.cached.show(b);
  return "cached32_node is " + a + ", cached_node is " + b + "; the next search or free follows a freed node";
}

template <class S>
std::string Explain<S>::accounting(const S&, const State&, const State& after, const Event*) {
  if (after.lost_nodes.nonzero()) return "a node is neither in the tree nor back in its slab: leaked";
  return "the tree holds " + tree_text<S>(after) +
         ", which is not what is mapped, queued, cached, on its way back and reserved";
}

template <class S>
std::string Explain<S>::deadlock(const S&, const State&, const State&, const Event*) {
  return "the interrupt handler spins on a lock that the code it interrupted holds with interrupts on: the CPU is "
         "stuck";
}

template <class S>
std::string Explain<S>::cache(const S&, const State&, const State& after, const Event* e) {
  if (after.crash == bug_on) return "BUG: a cached pfn that is not in the tree was to be freed";
  if (e != nullptr) return "cached pfn " + detail::number(e->lo) + " is not in the tree (" + tree_text<S>(after) + ")";
  return "a magazine holds a pfn that starts no node of its size, is cached twice, or is in use; the tree is " +
         tree_text<S>(after);
}

template <class S>
std::string Explain<S>::flushed(const S&, const State&, const State& after, const Event*) {
  std::string left;
  detail::for_each_cached<typename S::T>(after, [&](const auto& pfn, unsigned) { left += " " + detail::number(pfn); });
  return "all caches were flushed and nobody freed meanwhile, yet these pfns are still cached:" + left;
}

template <class S>
std::string Explain<S>::max32(const S& spec, const State&, const State& after, const Event*) {
  return "max32_alloc_size is " + detail::number(after.max32_alloc_size) + ", but the tree (" + tree_text<S>(after) +
         ") leaves an aligned gap of that size below " + std::to_string(spec.config().sizes.boundary);
}

template <class S>
std::string Explain<S>::speculative(const S&, const State& before, const State&, const Event* e) {
  const bool mine = before.lanes[e->lane].had_local == 1;
  return "a request for " + detail::number(e->size) + " pages up to " + detail::number(e->limit) + " failed while " +
         (mine ? "this" : "another") + " CPU's magazines held a range that fits";
}

template <class S>
std::string Explain<S>::other(const S&, const State&, const State& after, const Event* e) {
  if (after.crash == bug_on) return "BUG: a cached pfn that is not in the tree was to be freed";
  if (after.crash == out_of_bounds)
    return "the table was found to have room before its lock was taken; now it is full, and is written beyond its end";
  if (after.crash == no_termination) return "the search starts a third pass over the tree: it never ends";
  if (e == nullptr) {
    for (const auto& n : after.notices)
      if (n > 1) return "the notice about wide addresses was printed twice for one device";
    for (const auto& n : after.stash_failures)
      if (n > 1)
        return "a second 32-bit attempt of the device failed while ranges below the boundary sat in the caches";
    return "a flush queue that has been freed is used";
  }
  switch (e->kind) {
    case Event::unmapped:
      return "unmapped " + detail::number(e->size) + " pages at " + detail::number(e->lo) + ", mapped were " +
             detail::number(e->limit);
    case Event::left_32bit:
      return "the device gives up on 32-bit addresses although the tree has room for " + detail::number(e->size) +
             " pages below " + detail::number(e->limit + typename S::T::Pfn(1));
    case Event::untranslated:
      return "the driver was given " + detail::number(e->lo) + ", but installing its translation had failed";
    case Event::queued: return "a range was queued on a flush queue that is not set up, or not completely";
    case Event::windows_checked: return "a sorted list of disjoint DMA windows was refused: the domain's set-up fails";
    default: return "violated";
  }
}

template struct Explain<Iova<model::Concrete, Small>>;
template struct Explain<Iova<model::Concrete, Tiny>>;
template struct Explain<Iova<model::Concrete, Medium>>;

}  // namespace iomc::properties::iova
