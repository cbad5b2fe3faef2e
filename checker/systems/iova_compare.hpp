// SPDX-License-Identifier: GPL-2.0-or-later
// The state of spec/iova beside that of the built kernel code. A pfn of the specification has 8 bits: the code's are
// compared by their lowest 8, and what lies beyond the top of the modelled space is the top.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "checker/kernel/dma_code.hpp"
#include "spec/iova/iova.hpp"

namespace iomc::check {

template <class Spec>
class IovaComparison {
 public:
  using State = typename Spec::State;
  using Step = spec::iova::Step;
  using Answer = std::optional<std::string>;

  IovaComparison(const Spec& spec, DmaCode& code) : spec_(spec), code_(code) {}

  /// The first thing that differs, or nothing.
  Answer operator()(const State& s) const {
    if (Answer a = machine(s)) return a;
    if (s.life == spec::iova::DomainLife::unborn || s.life > spec::iova::DomainLife::live || code_->alive() == 0)
      return std::nullopt;
    if (Answer a = tree(s)) return a;
    if (s.no_rcaches.nonzero() && code_->has_rcaches() != 0) return "rcaches: specification NULL, kernel not";
    if (code_->has_rcaches() != 0)
      for (unsigned bin = 0; bin < s.rcache.size() && bin < sizes().bins; ++bin)
        if (Answer a = caches(s, bin)) return a;
    return queues(s);
  }

 private:
  const auto& sizes() const { return spec_.config().sizes; }
  static Answer differ(const std::string& what, const std::string& spec, const std::string& kernel) {
    return what + ": specification " + spec + ", kernel " + kernel;
  }
  template <class A, class B>
  static Answer same(const std::string& what, const A& spec, const B& kernel) {
    const auto a = static_cast<std::uint64_t>(spec);
    const auto b = static_cast<std::uint64_t>(kernel);
    return a == b ? std::nullopt : differ(what, std::to_string(a), std::to_string(b));
  }
  std::string pfn(unsigned long v) const {
    if (v == ~0UL) return "anchor";
    if (!spec_.config().env.windows.empty() && v > sizes().top && v < ~0UL - 0xff) v = sizes().top;
    return std::to_string(v & 0xff);
  }
  template <class V>
  static std::string pfn_of(const V& v) {
    return v.raw() == 0xff ? "anchor" : std::to_string(static_cast<unsigned>(v.raw()));
  }

  Answer machine(const State& s) const {
    const iomc_machine& m = code_.machine();
    for (unsigned c = 0; c < sizes().cpus; ++c)
      if (Answer a = same("CPU " + std::to_string(c) + " online", s.online[c].raw(), m.online[c])) return a;
    const auto& env = spec_.config().env;
    for (unsigned d = 0; d < env.devices.size() && spec_.config().facts.sticky_32bit; ++d) {
      if (!env.devices[d].pci || env.forcedac) continue;
      const std::string device = "device " + std::to_string(d);
      if (Answer a = same(device + " pci_32bit_workaround", s.pci_32bit_workaround[d].raw(), code_->workaround(d)))
        return a;
      if (Answer a = same(device + " notices", s.notices[d].raw(), std::min(2U, code_->notices(d)))) return a;
    }
    return std::nullopt;
  }

  Answer tree(const State& s) const {
    std::vector<iomc_range> nodes(64);
    nodes.resize(std::min<std::size_t>(nodes.size(), code_.iova().nodes(nodes.data(), nodes.size())));
    std::string kernel;
    for (const iomc_range& n : nodes) kernel += (kernel.empty() ? "" : " ") + pfn(n.lo) + "-" + pfn(n.hi);
    std::string spec;
    s.tree.for_each([&](const auto& lo, const auto& hi) {
      spec += (spec.empty() ? "" : " ") + pfn_of(lo) + "-" + pfn_of(hi);
    });
    if (spec != kernel) return differ("tree", "[" + spec + "]", "[" + kernel + "]");
    unsigned long cached32 = 0, cached = 0, max32 = 0;
    code_.iova().pointers(&cached32, &cached, &max32);
    if (pfn_of(s.cached32.lo) != pfn(cached32)) return differ("cached32_node", pfn_of(s.cached32.lo), pfn(cached32));
    if (pfn_of(s.cached.lo) != pfn(cached)) return differ("cached_node", pfn_of(s.cached.lo), pfn(cached));
    return same("max32_alloc_size", s.max32_alloc_size.raw(), max32);
  }

  template <class Mag>
  Answer magazine(const std::string& name, const Mag& mag, const unsigned long* pfns, std::uint64_t size) const {
    std::string spec, kernel;
    for (std::size_t i = 0; i < mag.size.raw(); ++i) spec += " " + pfn_of(mag.pfns[i]);
    for (std::size_t i = 0; i < size; ++i) kernel += " " + pfn(pfns[i]);
    return spec == kernel ? std::nullopt : differ(name, "[" + spec + " ]", "[" + kernel + " ]");
  }

  Answer caches(const State& s, unsigned bin) const {
    const auto& rcache = s.rcache[bin];
    const std::string of = " of size class " + std::to_string(bin);
    for (unsigned cpu = 0; cpu < sizes().cpus; ++cpu) {
      const std::string where = of + ", CPU " + std::to_string(cpu);
      for (const int prev : {0, 1}) {
        const unsigned long* pfns = nullptr;
        const std::uint64_t size = code_.iova().magazine(bin, cpu, prev, &pfns);
        const auto& mag = prev != 0 ? rcache.cpu[cpu].prev : rcache.cpu[cpu].loaded;
        if (Answer a = magazine((prev != 0 ? "prev" : "loaded") + where, mag, pfns, size)) return a;
      }
      if (Answer a = same("owner of the cache's lock" + where, rcache.cpu[cpu].lock.owner.raw(),
                          code_->owner(iomc_lock_cpu_cache, cpu, bin)))
        return a;
    }
    const unsigned long depot = code_.iova().depot_size(bin);
    if (Answer a = same("depot" + of, rcache.depot_size.raw(), depot)) return a;
    std::vector<const unsigned long*> magazines(depot);
    code_.iova().depot(bin, magazines.data());
    for (std::size_t i = 0; i < depot; ++i)
      if (Answer a = magazine("depot magazine " + std::to_string(i) + of, rcache.depot[i], magazines[i],
                              sizes().mag_size))
        return a;
    if (Answer a = same("owner of the depot's lock" + of, rcache.lock.owner.raw(),
                        code_->owner(iomc_lock_depot, 0, bin)))
      return a;
    return same("work pending" + of, rcache.work.raw(), code_.iova().work_pending(bin));
  }

  /// The lane is inside free_iova_fast for an entry that the code takes off its queue afterwards.
  template <class Lane>
  static bool frees_an_entry(const Lane& lane) {
    const auto pc = static_cast<Step>(lane.pc.raw());
    const bool inside = pc == Step::rcache_insert_cpu || pc == Step::rcache_insert || pc == Step::free_remove ||
                        pc == Step::magazine_free;
    return inside && (lane.op == spec::iova::op_timeout || !(lane.queued_pages == 0));
  }

  Answer queues(const State& s) const {
    const auto& c = spec_.config();
    if (queue_kind(c) != spec::iova::QueueKind::ring || c.env.queue_missing) return std::nullopt;
    const bool usable = s.fq_ready == spec::iova::QueueLife::usable;
    if (Answer a = same("flush queue in use", usable ? 1 : 0, code_->queue_ready())) return a;
    if (!usable) return std::nullopt;
    unsigned long long started = 0, finished = 0;
    int on = 0, pending = 0;
    code_->counters(&started, &finished, &on, &pending);
    if (Answer a = same("flushes under way", s.fq_flush_start_cnt.raw() - s.fq_flush_finish_cnt.raw(),
                        started - finished))
      return a;
    if (Answer a = same("fq_timer_on", s.fq_timer_on.raw(), on)) return a;
    if (Answer a = same("timer pending", s.fq_timer_pending.raw(), pending)) return a;
    for (unsigned cpu = 0; cpu < (single_queue(spec_.config()) ? 1 : sizes().cpus); ++cpu)
      if (Answer a = queue(s, cpu, finished)) return a;
    return std::nullopt;
  }

  Answer queue(const State& s, unsigned cpu, unsigned long long finished) const {
    std::vector<iomc_queued> entries(32);
    entries.resize(code_->queue(cpu, entries.data(), 32));
    for (const auto& lane : s.lanes)
      if (frees_an_entry(lane) && lane.cpu == cpu && !entries.empty()) entries.erase(entries.begin());
    std::string spec, kernel;
    for (std::size_t i = 0; i < s.fq[cpu].tail.raw(); ++i) {
      const auto& e = s.fq[cpu].entries[i];
      spec += " " + pfn_of(e.pfn) + "+" + std::to_string(e.pages.raw()) +
              (e.counter < s.fq_flush_finish_cnt ? " covered" : "");
    }
    for (const iomc_queued& e : entries)
      kernel += " " + pfn(e.pfn) + "+" + std::to_string(e.pages) + (e.counter < finished ? " covered" : "");
    const std::string name = "flush queue of CPU " + std::to_string(cpu);
    if (spec != kernel) return differ(name, "[" + spec + " ]", "[" + kernel + " ]");
    return same("owner of the lock of the " + name, s.fq[cpu].lock.owner.raw(), code_->owner(iomc_lock_queue, cpu, 0));
  }

  const Spec& spec_;
  DmaCode& code_;
};

}  // namespace iomc::check
