// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "checker/cost/headlines.hpp"
#include "checker/cost/model_parts.hpp"
#include "spec/iova/sequence.hpp"
#include "spec/iova/workloads.hpp"

namespace iomc::check::cost {

namespace {

namespace iova = spec::iova;

const std::vector<std::string> locks = {"cpu_cache_lock", "depot_lock", "tree_lock", "remote_line", "queue_lock"};
const std::vector<std::string> under_the_tree_lock = {"tree_lock", "tree_step", "tree_find", "tree_insert",
                                                      "tree_erase"};

FactValues before() { return kernel_facts("iova", "4.13"); }
FactValues after() {
  return kernel_facts("iova", "4.13", {{"flush_optional", "true"}, {"flush_on_32bit_failure", "false"}});
}

Price priced(const Counted& c, const Profile& p) { return price(c.events(), p, static_cast<double>(c.nodes)); }

/// The law of one count over sizes, at a size that is too large to run often: two further runs must confirm it.
std::string law_text(const std::string& event, const FactValues& facts, Pressure p, unsigned Pressure::*size,
                     const std::vector<unsigned>& at, const char* symbol) {
  std::vector<Sample> samples;
  for (const unsigned v : at) {
    p.*size = v;
    samples.push_back({{v}, Rational(map_unmap(facts, p)[event])});
  }
  const auto law = find_law(samples);
  const std::string value = std::to_string(static_cast<std::int64_t>(samples.back().value.value()));
  if (law && law->constant()) return value + " at every " + symbol;
  return law ? value + " = " + law->text({symbol}) : value + ", no law";
}

std::string per_cent(double share) { return number(100 * share) + "%"; }

std::string per_cent(const Range& share) { return text(100 * share) + "%"; }

/// Bytes a second over the line's rate, where one operation moves `bytes` and nothing else takes time.
Range of_line(const Range& ns, double bytes, double line) {
  const Range full = Range::exactly(1);
  return least(full, {bytes / ns.hi * 1e9 / line, bytes / ns.value * 1e9 / line, bytes / ns.lo * 1e9 / line});
}

void collapse(Headlines& out) {
  const Profile machine = find_profile("arm64-128");
  const double line = machine.figure("line_rate").value.value;
  const auto live = static_cast<unsigned>(machine.figure("live_ranges").value.value);
  constexpr const char* spec = "iova";
  const std::vector<unsigned> cpus = {1, 2, 4, 8, 16, 32, 64, 128, 256};
  for (const unsigned p : cpus) {
    const Pressure at{p, 2047, 512};
    out.rows.push_back({spec, "map+unmap, " + std::to_string(p) + " CPUs, 2047 live: before", "",
                        time_text(priced(map_unmap(before(), at), machine).ns), "", Basis::ours});
    out.rows.push_back({spec, "map+unmap, " + std::to_string(p) + " CPUs, 2047 live: after", "",
                        time_text(priced(map_unmap(after(), at), machine).ns), "", Basis::ours});
  }
  const std::vector<unsigned> some = {1, 2, 3, 8, 128};
  const Pressure base{128, 2047, 512};
  for (const auto& [event, what] : {std::pair{"cpu_cache_lock", "per-CPU locks"}, {"tree_lock", "tree locks"}}) {
    out.rows.push_back({spec, std::string(what) + " of P = 128 CPUs: before", "",
                        law_text(event, before(), base, &Pressure::cpus, some, "P"), "", Basis::ours});
    out.rows.push_back({spec, std::string(what) + " of P = 128 CPUs: after", "",
                        law_text(event, after(), base, &Pressure::cpus, some, "P"), "", Basis::ours});
  }
  out.rows.push_back({spec, "nodes walked, n live below 4 GiB, 128 CPUs: before", "",
                      law_text("nodes_walked", before(), base, &Pressure::live, {500, 1000, 1500, 3000, live}, "n"), "",
                      Basis::ours});
  const Pressure published{128, live, 512};
  const Price paid = priced(map_unmap(before(), published), machine);
  const Price cured = priced(map_unmap(after(), published), machine);
  const Range lock_part = paid.of(locks);
  const Range walk_part = paid.of({"tree_step"});
  for (const double bytes : {1500.0, 4096.0}) {
    const std::string unit = bytes < 2000 ? "1500-byte packets" : "4 KiB pages";
    const auto row = [&](const std::string& what, const Range& ns) {
      const Range share = of_line(ns, bytes, line);
      const double factor = share.value / 0.0002;
      out.rows.push_back({spec, what + ", " + unit, "0.02%", per_cent(share), "x" + number(factor), Basis::left_out});
    };
    row("throughput with IOMMU over without, before", paid.ns);
    row("  the same by locks alone", lock_part);
    row("  the same by tree walks alone", walk_part);
    const Range with = of_line(cured.ns, bytes, line);
    out.rows.push_back({spec, "throughput with IOMMU over without, after, " + unit, "100%", per_cent(with),
                        error_text(with.value, 1), Basis::left_out});
    const double budget = bytes / line * 1e9;
    const Range busy{budget / (budget + cured.ns.hi), budget / (budget + cured.ns.value),
                     budget / (budget + cured.ns.lo)};
    out.rows.push_back({spec, "  the same where the CPU has no time left without the IOMMU", "100%", per_cent(busy),
                        error_text(busy.value, 1), Basis::left_out});
  }
  out.rows.push_back({spec, "share of locks in the time of one map+unmap, before", "",
                      per_cent(lock_part.value / paid.ns.value), "", Basis::ours});
  out.rows.push_back(
      {spec, "share of tree walks, before", "", per_cent(walk_part.value / paid.ns.value), "", Basis::ours});
  std::string unpriced;
  for (const auto& e : paid.unpriced) unpriced += (unpriced.empty() ? "" : ", ") + e;
  out.notes.push_back(
      "iova: before is 4.13, after is 4.13 with flush_optional=true and flush_on_32bit_failure=false; profile "
      "arm64-128. "
      "No parameter is fitted. Live ranges (" +
      std::to_string(live) +
      ") and the far line's time are assumed; the report "
      "says neither how many buffers were live nor what one mapping held, so both sizes are shown. One stream, so "
      "nobody "
      "queues. "
      "Not priced, and the same before and after: " +
      unpriced + ".");
}

/// Buffers of one size that is not cached, more of them than fit below 4 GiB: one is unmapped at random, another
/// mapped, below if there is room, else above. `above`: the share of maps that end there.
Counted overfull(const char* kernel, unsigned per_cent_more, double& above) {
  constexpr unsigned pages = 64;
  constexpr std::uint64_t wide = 0xffffff;
  const auto facts = facts_of<iova::Facts>(kernel_facts("iova", kernel));
  iova::Sizes sizes = iova::real_sizes(facts, 1);
  sizes.boundary = 1U << 17;
  iova::Sequence<> s(iova::real_config(facts, sizes));
  std::vector<std::uint64_t> live;
  while (const auto pfn = s.alloc(pages, sizes.boundary - 1)) live.push_back(*pfn);
  for (std::size_t more = live.size() * per_cent_more / 100; more > 0; --more) live.push_back(*s.alloc(pages, wide));
  std::mt19937 random(1);
  std::uint64_t fell = 0;
  const auto churn = [&](unsigned rounds) {
    for (unsigned i = 0; i < rounds; ++i) {
      std::uint64_t& chosen = live[random() % live.size()];
      s.free(chosen);
      auto pfn = s.alloc(pages, sizes.boundary - 1);
      if (!pfn) ++fell, pfn = s.alloc(pages, wide);
      chosen = *pfn;
    }
  };
  constexpr unsigned rounds = 3000;
  churn(2000);
  s.reset_counts();
  fell = 0;
  churn(rounds);
  above = static_cast<double>(fell) / rounds;
  Counted out;
  for (std::size_t i = 0; i < model::cost_kinds; ++i)
    out.counts.emplace_back(model::cost_names[i], static_cast<std::int64_t>(s.counted().events.n[i]));
  out.nodes = static_cast<std::int64_t>(s.nodes());
  return out;
}

void second_pass(Headlines& out) {
  const Profile machine = find_profile("arm64-128");
  // As many more as make that share of searches fail that the report gives; the ratio is not looked at.
  constexpr double published_share = 0.20;
  unsigned more = 2;
  double above = 0;
  Counted counted = overfull("5.9", more, above);
  while (above < published_share && more < 40) counted = overfull("5.9", ++more, above);
  const Range first = priced(counted, machine).of(under_the_tree_lock);
  const std::string share = per_cent(above);
  for (const char* kernel : {"5.11", "5.18", "6.1"}) {
    double unused = 0;
    const Range second = priced(overfull(kernel, more, unused), machine).of(under_the_tree_lock);
    const double ratio = second.value / first.value;
    out.rows.push_back({"iova", std::string("B14, IOPS of 5.9 over those of ") + kernel + ", tree lock full",
                        "1.85-2.0", number(ratio), error_text(ratio, 1.93), Basis::left_out});
  }
  out.notes.push_back(
      "iova B14: buffers of 64 pages, " + std::to_string(more) +
      "% more than fit below 4 GiB, one replaced at random; the "
      "ratio of the time under the tree lock, which is that of the IOPS while the lock is the limit. Fitted: those " +
      std::to_string(more) + "%, to the published share of failing searches (about 20%; here " + share +
      "), not to the ratio. The report measured 5.11 and 5.12.");
}

/// One map and unmap of a lazy domain. `each` of them a CPU go by between two runs of the flush timer, which frees all
/// of that on one CPU.
struct Lazy {
  Range tree;  ///< under the tree lock, the fetch of its line from another CPU included
  Range all;
};

class LazyCost {
 public:
  LazyCost(const char* kernel, const Profile& machine)
      : facts_(facts_of<iova::Facts>(kernel_facts("iova", kernel))), machine_(machine) {}

  unsigned cpus() const { return machine_.cpus; }
  unsigned most_each() const { return static_cast<unsigned>(facts_.fq_size) - 1; }

  const Lazy& at(unsigned each) {
    const auto [found, fresh] = known_.try_emplace(each);
    if (fresh) {
      EventCounts counts;
      const double pairs = static_cast<double>(cpus()) * each;
      double locked = 0;
      for (const auto& m : iova::run_lazy_cycles(facts_, cpus(), each).measures) {
        counts.emplace_back(m.name, m.mean / pairs);
        if (m.name == "tree_lock") locked = m.mean / pairs;
      }
      const Price p = price(counts, machine_, cached_ranges);
      found->second = {p.of(under_the_tree_lock) + locked * machine_.entry("remote_line")->ns(0), p.ns};
    }
    return found->second;
  }

 private:
  static constexpr double cached_ranges = 87008;  ///< recorded with the first run, after 16 hours
  iova::Facts facts_;
  const Profile& machine_;
  std::map<unsigned, Lazy> known_;
};

constexpr double timer_period = 0.010;  ///< seconds: IOVA_FQ_TIMEOUT, 10 ms

unsigned each_at(LazyCost& cost, double rate) {
  const double each = std::round(rate * timer_period / cost.cpus());
  return static_cast<unsigned>(std::clamp<double>(each, 1, cost.most_each()));
}

/// The rate, at most `fresh`, at which the tree lock is taken all of the time. With the rate falls what overflows the
/// depot in a period, and with that the time under the lock.
double rate_of_the_lock(LazyCost& cost, double fresh, double Range::*part) {
  const auto busy = [&](double rate) { return rate / 1e9 * (cost.at(each_at(cost, rate)).tree.*part); };
  if (busy(fresh) <= 1) return fresh;
  double low = 0;
  double high = fresh;
  while (high - low > 1e3) {
    const double middle = (low + high) / 2;
    (busy(middle) <= 1 ? low : high) = middle;
  }
  return low;
}

void aging(Headlines& out) {
  const Profile machine = find_profile("arm64-128");
  LazyCost aged("6.6", machine);
  LazyCost trimmed("6.12", machine);
  for (const auto& [run, fresh, published, middle] :
       {std::tuple{"12 SAS drives, 16 hours, from 1.45-1.73M I/O/s", 1591e3, "2.1-5.2", 3.65},
        std::tuple{"the other run, from 2.17M I/O/s", 2170e3, "1.5-1.65", 1.575}}) {
    const Range ratio{fresh / rate_of_the_lock(aged, fresh, &Range::lo),
                      fresh / rate_of_the_lock(aged, fresh, &Range::value),
                      fresh / rate_of_the_lock(aged, fresh, &Range::hi)};
    out.rows.push_back({"iova", std::string("B17, fresh over aged I/O rate: ") + run, published, text(ratio),
                        error_text(ratio.value, middle), Basis::left_out});
    const unsigned each = each_at(aged, fresh);
    const Range time = aged.at(each).all / trimmed.at(each).all;
    out.rows.push_back({"iova", "  CPU time of one map+unmap at that rate, 6.6 over 6.12", published, text(time),
                        error_text(time.value, middle), Basis::left_out});
  }
  out.notes.push_back(
      "iova B17: counted: " + std::to_string(machine.cpus) +
      " CPUs share the fresh rate, the flush timer frees all that was unmapped in its 10 ms on one CPU, and what the "
      "32 magazines of the depot cannot take goes through the tree. Computed: the rate at which the tree lock is "
      "never free, prices at 87,008 tree nodes, the recorded number of cached ranges. Nothing is fitted. Published: "
      "12 SAS drives, aged by 16 hours (1.45-1.73M to 0.33-0.69M I/O/s), and another test (2.17M to 1.32-1.47M). What "
      "tells them apart here is the fresh rate: a period's unmaps grow with it, the depot does not. The other test "
      "comes out; the 16 hours do not: their aged rate is one at which the depot takes nearly all of a period, so "
      "that something besides the tree lock must hold it down, which no record names.");
}

void user_space(Headlines& out) {
  const Profile machine = find_profile("x86-userspace");
  const FactValues flushing = kernel_facts("iova", "6.1", {{"flush_on_32bit_failure", "true"}});
  const auto ns = [&](const FactValues& facts, unsigned cpus, unsigned live) {
    return priced(map_unmap(facts, {cpus, live, 16 * cpus}), machine).ns;
  };
  const Range at_1 = ns(flushing, 1, 255);
  const Range at_128 = ns(flushing, 128, 255);
  const double slope = (at_128.value - at_1.value) / 127;
  out.rows.push_back({"iova", "6.1 with flush in user space: growth a CPU", "125 ns", time_text(slope),
                      error_text(slope, 125), Basis::left_out});
  out.rows.push_back({"iova", "  the same at 128 CPUs", "16-20 us", time_text(at_128), error_text(at_128.value, 18000),
                      Basis::left_out});
  const Range with = ns(before(), 128, 65536);
  const Range without = ns(after(), 128, 65536);
  const double ratio = with.value / without.value;
  out.rows.push_back({"iova", "4.13 with flush in user space, 65536 live, 128 CPUs", "480-850 us", time_text(with),
                      error_text(with.value, 665000), Basis::left_out});
  out.rows.push_back({"iova", "  its ratio to flush made optional", "5000-8600", number(ratio), error_text(ratio, 6800),
                      Basis::left_out});
  out.notes.push_back(
      "iova in user space: the real code timed with one thread; profile x86-userspace, whose lock was measured on the "
      "cached path and whose node was measured on walks of another workload. The flush workloads were not used for "
      "it.");
}

}  // namespace

Headlines iova_headlines() {
  Headlines out;
  collapse(out);
  second_pass(out);
  aging(out);
  user_space(out);
  return out;
}

}  // namespace iomc::check::cost
