// SPDX-License-Identifier: GPL-2.0-or-later
#include "spec/iova/workloads.hpp"

#include <bit>
#include <deque>

#include "spec/iova/sequence.hpp"

namespace iomc::spec::iova {

namespace {

constexpr std::array<const char*, 7> extra_names = {
    failed_searches, failed_search_nodes, found_searches, found_search_nodes, cache_hits, irqs_off_nodes, trimmed};
constexpr std::size_t measure_count = model::cost_kinds + extra_names.size();
using Sample = std::array<std::uint64_t, measure_count>;

/// Steele, Lea and Flood's SplitMix64: the same numbers everywhere.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::size_t below(std::size_t n) {
    state_ += 0x9e3779b97f4a7c15;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return static_cast<std::size_t>((z ^ (z >> 31)) % n);
  }

 private:
  std::uint64_t state_;
};

/// Collects one sample for each operation.
class Recorder {
 public:
  explicit Recorder(Sequence<>& sequence) : sequence_(sequence) {}

  void begin() { sequence_.reset_counts(); }
  void end(std::uint64_t ranges_trimmed = 0) {
    const Counted& c = sequence_.counted();
    Sample s{};
    std::copy(c.events.n.begin(), c.events.n.end(), s.begin());
    const std::array<std::uint64_t, extra_names.size()> extra = {c.failed.searches, c.failed.visits, c.found.searches,
                                                                 c.found.visits,    c.cache_hits,    c.longest_irqs_off,
                                                                 ranges_trimmed};
    std::copy(extra.begin(), extra.end(), s.begin() + model::cost_kinds);
    samples_.push_back(s);
  }

  Run result(std::string name, std::string workload) const {
    IOMC_INVARIANT(sequence_.crash() == alive);
    Run run{std::move(name), std::move(workload), samples_.size(), {}};
    for (std::size_t m = 0; m < measure_count; ++m) {
      std::vector<std::uint64_t> values;
      double sum = 0;
      for (const Sample& s : samples_) {
        values.push_back(s[m]);
        sum += static_cast<double>(s[m]);
      }
      std::sort(values.begin(), values.end());
      const auto as_double = [&](std::size_t i) { return static_cast<double>(values[i]); };
      const char* measure = m < model::cost_kinds ? model::cost_names[m] : extra_names[m - model::cost_kinds];
      run.measures.push_back({measure, sum / static_cast<double>(values.size()), as_double(values.size() / 2),
                              as_double(0), as_double(values.size() - 1)});
    }
    return run;
  }

 private:
  Sequence<>& sequence_;
  std::vector<Sample> samples_;
};

constexpr unsigned large = 64;  ///< pages of a buffer that no built-in kernel caches
constexpr unsigned large_low = 1023;  ///< of them fill a 32-bit space of 1024: pfn 0 spoils the lowest

Sizes sizes_of(const Facts& facts, unsigned cpus, unsigned boundary) {
  Sizes s = real_sizes(facts, cpus);
  s.boundary = boundary;
  return s;
}

/// Maps one buffer, which must succeed.
std::uint64_t must_map(Sequence<>& s, unsigned cpu, unsigned pages, unsigned device = 0) {
  const auto pfn = s.map(cpu, device, pages);
  IOMC_INVARIANT(pfn.has_value());
  return *pfn;
}

/// A wide device that never tries 32 bits first, and one that can address no more than 32 bits.
Config two_devices(const Facts& facts, const Sizes& sizes) {
  Config c = real_config(facts, sizes);
  c.env.devices = {{sizes.top, false}, {sizes.boundary - 1, true}};
  return c;
}

Run map_unmap(const Facts& facts) {
  constexpr unsigned cpus = 128;
  constexpr unsigned low = 2047;
  constexpr unsigned flying = 512;
  constexpr unsigned operations = 2 * flying;
  Sequence<> s(real_config(facts, sizes_of(facts, cpus, low + 1)));
  while (s.alloc(1, low)) {
  }
  std::deque<std::uint64_t> live;
  for (unsigned i = 0; i < flying; ++i) live.push_back(must_map(s, i % cpus, 1));
  Recorder recorder(s);
  for (unsigned i = 0; i < 2 * operations; ++i) {
    recorder.begin();
    s.unmap(i % cpus, live.front(), 1);
    live.pop_front();
    live.push_back(must_map(s, i % cpus, 1));
    if (i >= operations) recorder.end();
  }
  return recorder.result(
      "map-unmap",
      "128 CPUs; the 32-bit space is 2047 pages, all live (to 4.12 the lowest cannot be had); a 64-bit PCI device "
      "with 512 single pages in flight above. One operation: unmap the oldest page and map a new one on one CPU, "
      "CPUs in turn, strict. 1024 operations after 1024 to warm up");
}

Run hit(const Facts& facts) {
  constexpr unsigned cpus = 128;
  constexpr unsigned each = 16;
  Sequence<> s(facts, cpus);
  std::vector<std::uint64_t> live;
  for (unsigned i = 0; i < cpus * each; ++i) live.push_back(must_map(s, i % cpus, 1));
  Recorder recorder(s);
  for (unsigned round = 0; round < 4; ++round)
    for (unsigned i = 0; i < cpus * each; ++i) {
      recorder.begin();
      s.unmap(i % cpus, live[i], 1);
      live[i] = must_map(s, i % cpus, 1);
      if (round >= 2) recorder.end();
    }
  return recorder.result(
      "hit",
      "128 CPUs with 16 single pages live each, a 64-bit PCI device, room below 4 GiB. One operation: unmap "
      "a page and map one on the same CPU, CPUs in turn, strict. 4096 operations after 4096 to warm up");
}

/// Bursts that the flush timer then frees on one CPU. One operation is a cycle; the trim work runs after each tenth.
struct Bursts {
  unsigned cpus = 32;
  unsigned each = 0;  ///< maps of a CPU in a cycle
  unsigned pages = 1;
  unsigned warm_up = 10;
  unsigned measured = 20;
};

Run lazy_bursts(const Facts& facts, const char* name, const Bursts& bursts, std::string text) {
  const auto [cpus, burst, pages, warm_up, measured] = bursts;
  Config config = real_config(facts, real_sizes(facts, cpus), true);
  config.env.devices = {{config.sizes.boundary - 1, true}};
  // Room for every buffer of a cycle and for what the caches keep back.
  if (pages > 1) config.sizes.boundary *= 16, config.env.devices[0].limit = config.sizes.boundary - 1;
  Sequence<> s(std::move(config));
  Recorder recorder(s);
  for (unsigned cycle = 0; cycle < warm_up + measured; ++cycle) {
    recorder.begin();
    std::vector<std::uint64_t> live;
    for (unsigned i = 0; i < cpus * burst; ++i) live.push_back(must_map(s, i / burst, pages));
    for (unsigned i = 0; i < cpus * burst; ++i) s.unmap(i / burst, live[i], pages);
    s.fire_timer(0);
    std::uint64_t freed = 0;
    if (cycle % 10 == 9)
      for (unsigned bin = 0; bin < facts.bins; ++bin)
        if (s.trim(0, bin)) freed += facts.mag_size;
    if (cycle >= warm_up) recorder.end(freed);
  }
  if (!facts.flush_queue) text += "; this kernel has no flush queue here: strict";
  return recorder.result(name, std::move(text));
}

Run lazy(const Facts& facts) {
  return lazy_bursts(
      facts, "lazy", {.each = facts.fq_size - 1},
      "32 CPUs, lazy, single pages, a 32-bit device. One operation is a cycle of 10 ms: each CPU maps as many "
      "pages as its flush queue holds and unmaps them, then the flush timer fires on CPU 0 and frees "
      "them all there; the depot trim work runs once in ten cycles. 20 cycles after 10 to warm up");
}

Run lazy_uncacheable(const Facts& facts) {
  return lazy_bursts(
      facts, "lazy-uncacheable", {.each = facts.fq_size - 1, .pages = large},
      "as lazy, with buffers of 64 pages, which have no size class in the caches. The 32-bit space is taken "
      "16 times as large, to hold them");
}

Run in_guest(const Facts& facts) {
  const unsigned burst = facts.fq_size - 1;
  Config config = real_config(facts, real_sizes(facts, 2), true);
  config.env.devices = {{config.sizes.boundary - 1, true}};
  config.env.caching_mode = true;
  config.env.driver = Driver::intel;
  Sequence<> s(std::move(config));
  Recorder recorder(s);
  for (unsigned cycle = 0; cycle < 12; ++cycle) {
    recorder.begin();
    std::vector<std::uint64_t> live;
    for (unsigned i = 0; i < burst; ++i) live.push_back(must_map(s, 0, 1));
    for (const auto pfn : live) s.unmap(0, pfn, 1);
    s.fire_timer(0);
    if (cycle >= 2) recorder.end();
  }
  return recorder.result(
      "virtual",
      "a guest of 2 CPUs whose Intel IOMMU is emulated (caching mode), lazy where the kernel still is then. One "
      "operation is a cycle: one CPU maps as many single pages as its flush queue holds and unmaps them, then the "
      "flush timer fires. 10 cycles after 2 to warm up");
}

/// A 32-bit space full of large buffers, the cached node of the 32-bit space on top of it.
std::vector<std::uint64_t> fill_low(Sequence<>& s) {
  std::vector<std::uint64_t> live;
  for (unsigned i = 0; i < large_low; ++i) live.push_back(must_map(s, 0, large, 1));
  s.unmap(0, live[0], large);
  live[0] = must_map(s, 0, large, 1);
  return live;
}

Config full32_config(const Facts& facts) {
  const Sizes sizes = sizes_of(facts, 16, large * (large_low + 1));
  Config c = real_config(facts, sizes);
  c.env.devices = {{sizes.top, true}, {sizes.boundary - 1, true}};
  return c;
}

Run full32(const Facts& facts) {
  Sequence<> s(full32_config(facts));
  fill_low(s);
  Recorder recorder(s);
  for (unsigned i = 0; i < 264; ++i) {
    recorder.begin();
    const auto pfn = must_map(s, i % 16, large);
    if (i >= 8) recorder.end();
    s.unmap(i % 16, pfn, large);
  }
  return recorder.result(
      "full32",
      "16 CPUs; 1023 live buffers of 64 pages fill the 32-bit space, the topmost of them mapped last. One "
      "operation: a 64-bit PCI device maps 64 pages, which lands above; it is unmapped before the next, "
      "and nothing is freed below. 256 operations after 8 to warm up");
}

Run full32_refill(const Facts& facts) {
  Sequence<> s(full32_config(facts));
  std::vector<std::uint64_t> live = fill_low(s);
  Random random(1);
  Recorder recorder(s);
  for (unsigned i = 0; i < 264; ++i) {
    std::uint64_t& chosen = live[random.below(live.size())];
    s.unmap(0, chosen, large);
    chosen = must_map(s, 0, large, 1);
    recorder.begin();
    const auto pfn = must_map(s, i % 16, 2 * large);
    if (i >= 8) recorder.end();
    s.unmap(i % 16, pfn, 2 * large);
  }
  return recorder.result(
      "full32-refill",
      "as full32, with operations of 128 pages; before each, one of the 1023 buffers, drawn at random "
      "(SplitMix64, seed 1), is unmapped and a 32-bit device maps 64 pages in its place");
}

Run high_frees(const Facts& facts) {
  Sequence<> s(two_devices(facts, real_sizes(facts, 16)));
  constexpr unsigned high = 1024;
  std::vector<std::uint64_t> live;
  for (unsigned i = 0; i < high; ++i) live.push_back(must_map(s, 0, large, 0));
  for (unsigned i = 0; i < 16; ++i) must_map(s, 0, large, 1);
  Random random(1);
  Recorder recorder(s);
  for (unsigned i = 0; i < 264; ++i) {
    std::uint64_t& chosen = live[random.below(high)];
    s.unmap(0, chosen, large);
    chosen = must_map(s, 0, large, 0);
    recorder.begin();
    const auto pfn = must_map(s, 0, large, 1);
    if (i >= 8) recorder.end();
    s.unmap(0, pfn, large);
  }
  return recorder.result(
      "high-frees",
      "16 CPUs; 1024 live buffers of 64 pages above 4 GiB, 16 below. One operation: a 32-bit device maps 64 "
      "pages; before it a buffer above, drawn at random (SplitMix64, seed 1), is unmapped and mapped "
      "again. 256 operations after 8 to warm up");
}

Run wide(const Facts& facts) {
  Sequence<> s(two_devices(facts, real_sizes(facts, 16)));
  for (unsigned i = 0; i < 1024; ++i) must_map(s, 0, large, 0);
  Recorder recorder(s);
  for (unsigned i = 0; i < 264; ++i) {
    recorder.begin();
    const auto pfn = must_map(s, 0, large, 0);
    if (i >= 8) recorder.end();
    s.unmap(0, pfn, large);
  }
  return recorder.result(
      "wide",
      "16 CPUs; 1024 live buffers of 64 pages above 4 GiB, without a gap. One operation: a 64-bit device "
      "that does not try 32 bits maps 64 pages below them; it is unmapped before the next. 256 operations "
      "after 8 to warm up");
}

Run hole(const Facts& facts) {
  Sequence<> s(two_devices(facts, real_sizes(facts, 16)));
  std::uint64_t top = must_map(s, 0, large, 0);
  for (unsigned i = 1; i < 4096; ++i) must_map(s, 0, large, 0);
  Recorder recorder(s);
  for (unsigned i = 0; i < 68; ++i) {
    s.unmap(0, top, large);
    top = must_map(s, 0, large, 0);
    recorder.begin();
    const auto second = must_map(s, 0, large, 0);
    if (i >= 4) recorder.end();
    s.unmap(0, second, large);
  }
  return recorder.result(
      "hole",
      "16 CPUs; 4096 live buffers of 64 pages above 4 GiB, without a gap. The topmost is unmapped and its "
      "place mapped again; one operation: the map after that, by a 64-bit device that does not try 32 bits. "
      "64 operations after 4 to warm up");
}

Run exhausted(const Facts& facts) {
  Sequence<> s(full32_config(facts));
  fill_low(s);
  Recorder recorder(s);
  for (unsigned i = 0; i < 40; ++i) {
    recorder.begin();
    IOMC_INVARIANT(!s.map(i % 16, 1, large).has_value());
    if (i >= 8) recorder.end();
  }
  return recorder.result(
      "exhausted",
      "16 CPUs; 1023 live buffers of 64 pages fill all the addresses of a 32-bit device. One operation: it "
      "asks for 64 pages more. 32 operations after 8 to warm up");
}

Run crash_kernel(const Facts& facts) {
  constexpr unsigned cpus = 128;
  Run run{"crash-kernel",
          "128 possible CPUs; one operation is the creation of a domain: two empty magazines for each CPU and "
          "size class, as the slab rounds them up",
          1,
          {}};
  const double bytes = 2.0 * facts.bins * cpus * magazine_bytes(facts);
  run.measures.push_back({domain_bytes, bytes, bytes, bytes, bytes});
  return run;
}

constexpr std::array<Workload, 12> all = {{{"hit", hit},
                                           {"map-unmap", map_unmap},
                                           {"lazy", lazy},
                                           {"lazy-uncacheable", lazy_uncacheable},
                                           {"virtual", in_guest},
                                           {"full32", full32},
                                           {"full32-refill", full32_refill},
                                           {"exhausted", exhausted},
                                           {"high-frees", high_frees},
                                           {"wide", wide},
                                           {"hole", hole},
                                           {"crash-kernel", crash_kernel}}};

}  // namespace

const Measure& Run::operator[](std::string_view measure) const {
  static const Measure none;
  for (const Measure& m : measures)
    if (m.name == measure) return m;
  return none;
}

std::span<const Workload> workloads() { return all; }

Run run_lazy_cycles(const Facts& facts, unsigned cpus, unsigned each) {
  IOMC_PRE(each < facts.fq_size);
  return lazy_bursts(facts, "lazy", {.cpus = cpus, .each = each, .warm_up = 2, .measured = 4}, "lazy, other sizes");
}

Run run_workload(std::string_view name, const Facts& facts) {
  for (const Workload& w : all)
    if (name == w.name) return w.run(facts);
  IOMC_UNREACHABLE("no workload of that name");
}

const Run& Runs::operator[](const std::string& name) {
  const auto found = made_.find(name);
  return found != made_.end() ? found->second : made_.emplace(name, run_workload(name, facts_)).first->second;
}

unsigned magazine_bytes(const Facts& facts) { return std::bit_ceil(8 * (1 + facts.mag_size)); }

}  // namespace iomc::spec::iova
