// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/conformance/iova/operations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace iomc::conformance {

std::uint64_t Distribution::total() const { return std::accumulate(calls.begin(), calls.end(), std::uint64_t{0}); }

Distribution& Distribution::operator+=(const Distribution& o) {
  for (std::size_t i = 0; i < calls.size(); ++i) calls[i] += o.calls[i];
  rough += o.rough;
  cross_frees += o.cross_frees;
  failing += o.failing;
  phases += o.phases;
  return *this;
}

namespace {

constexpr std::uint64_t last_32bit = 0xfffff;
constexpr std::size_t most_held = 24000;

}  // namespace

std::string text_of(const Operation& op) {
  std::string out = call_names[static_cast<std::size_t>(op.call)];
  switch (op.call) {
    case Call::alloc_fast:
      out += fmt::format("({}, {:#x}, {})", op.size, op.limit, op.flush ? "flush" : "no flush");
      break;
    case Call::free_fast: out += fmt::format("({:#x}, {})", op.pfn, op.size); break;
    case Call::alloc:
      out += fmt::format("({}, {:#x}, {})", op.size, op.limit, op.flush ? "aligned" : "unaligned");
      break;
    case Call::free: out += fmt::format("({:#x})", op.pfn); break;
    case Call::reserve: out += fmt::format("({:#x}, {:#x})", op.pfn, op.limit); break;
    case Call::work: out += fmt::format(" of size class {}", op.size); break;
    case Call::cpu_down:
    case Call::cpu_up:
    case Call::count_: break;
  }
  out += fmt::format(" on CPU {}", op.cpu);
  if (op.failing != 0) out += fmt::format(", allocations fail: {:#x}", op.failing);
  return out;
}

Generator::Generator(std::uint64_t seed, unsigned cpus, std::uint64_t start_pfn, bool has_work)
    : random_(seed), cpus_(cpus), start_(start_pfn), has_work_(has_work), online_(cpus, 1) {
  new_phase();
}

void Generator::new_phase() {
  constexpr std::array<unsigned, 6> widths = {1, 1, 2, 4, 16, 128};
  constexpr std::array<unsigned, 5> balances = {50, 50, 80, 20, 65};
  constexpr std::array<unsigned, 6> flushes = {0, 0, 1, 1, 20, 100};
  Phase p;
  p.rough = distribution_.rough * 100 < distribution_.total() * 36;
  p.filling = below(6) == 0;
  p.length = static_cast<unsigned>(1000 + below(6000));
  p.cpus = std::min(widths[below(widths.size())], cpus_);
  p.first_cpu = static_cast<unsigned>(below(cpus_));
  p.sizes = static_cast<unsigned>(below(6));
  p.limits = static_cast<unsigned>(below(6));
  p.order = static_cast<unsigned>(below(3));
  p.allocate_percent = balances[below(balances.size())];
  p.flush_percent = flushes[below(flushes.size())];
  p.walk_budget = 300000;
  // Bursts fill a depot, or empty it: one CPU, one or few sizes, for a long time nothing but frees or allocations.
  if (below(5) == 0) {
    p.length = 12000;
    p.cpus = 1;
    p.sizes = static_cast<unsigned>(below(2));
    p.limits = static_cast<unsigned>(below(3));
    p.order = static_cast<unsigned>(below(2));
    p.allocate_percent = percent(50) ? 2 : 98;
  }
  phase_ = p;
  in_phase_ = 0;
  ++distribution_.phases;
}

void Generator::walked(std::uint64_t nodes) {
  phase_.walk_budget -= std::min(nodes, phase_.walk_budget);
  if (phase_.walk_budget == 0) new_phase();
}

unsigned Generator::some_cpu() {
  // Few calls are made where a CPU went offline: the task read its id before that (raw_cpu_ptr).
  unsigned cpu = (phase_.first_cpu + static_cast<unsigned>(below(phase_.cpus))) % cpus_;
  if (phase_.rough && below(200) == 0) return cpu;
  while (online_[cpu] == 0) cpu = (cpu + 1) % cpus_;
  return cpu;
}

std::uint64_t Generator::some_size() {
  switch (phase_.sizes) {
    case 0: return 1;
    case 1: return std::uint64_t{1} << below(6);
    case 2: return 1 + below(32);
    case 3: return percent(90) ? std::uint64_t{1} << below(6) : 33 + below(480);
    case 4: return percent(50) ? 1 : 1 + below(64);
    default: return percent(98) ? 1 + below(16) : std::uint64_t{1} << (6 + below(9));
  }
}

std::uint64_t Generator::some_limit() {
  switch (phase_.limits) {
    case 0: return last_32bit;
    case 1: return percent(50) ? last_32bit : 0xfffffffff;
    case 2: return 0xfffffffff;
    case 3: return percent(95) ? last_32bit : 0xfff;                                     // 24 bits, beside others
    case 4: return percent(90) ? last_32bit : (percent(50) ? 0x7ffff : 0x3ffff + below(5));  // 31, 30 bits
    // Odd limits all over the space: some lie inside a range that is in use.
    default: return below(4) == 0 ? start_ + below(0x100000 - start_ + 0x1000) : last_32bit;
  }
}

std::uint64_t Generator::some_failures() {
  if (!phase_.rough || below(20) != 0) return 0;
  ++distribution_.failing;
  return 1 + below(3);
}

Operation Generator::allocation(bool fast) {
  Operation op;
  op.call = fast ? Call::alloc_fast : Call::alloc;
  op.cpu = some_cpu();
  op.size = phase_.filling && percent(10) ? std::uint64_t{1} << (10 + below(6)) : some_size();
  op.limit = phase_.filling ? last_32bit : some_limit();
  op.flush = fast ? percent(phase_.flush_percent) : percent(80);
  if (fast) op.failing = some_failures();
  return op;
}

Held Generator::take_held() {
  std::size_t at = held_.size() - 1;
  if (phase_.order == 1) at = oldest_++ % held_.size();
  if (phase_.order == 2) at = below(held_.size());
  const Held out = held_[at];
  held_[at] = held_.back();
  held_.pop_back();
  return out;
}

Operation Generator::release(bool fast) {
  Operation op;
  op.call = fast ? Call::free_fast : Call::free;
  Held held{};
  if (phase_.rough && below(1000) == 0 && !freed_.empty()) {
    held = freed_[below(freed_.size())];  // freed twice
  } else {
    held = take_held();
    if (freed_.size() < 64)
      freed_.push_back(held);
    else
      freed_[below(freed_.size())] = held;
  }
  op.cpu = phase_.rough || online_[held.cpu] == 0 ? some_cpu() : held.cpu;
  if (op.cpu != held.cpu) ++distribution_.cross_frees;
  op.pfn = held.pfn;
  op.size = held.size;
  if (phase_.rough && below(500) == 0) op.size = some_size();  // of another size than it was asked for
  if (fast) op.failing = some_failures();
  return op;
}

Operation Generator::rare() {
  Operation op;
  op.cpu = some_cpu();
  const std::uint64_t which = below(phase_.rough ? 8 : 4);
  if (which == 0) {
    op.call = Call::free;
    op.pfn = below(0x110000);  // most likely nobody's
    if (!held_.empty() && percent(50)) {
      const Held inside = take_held();
      op.pfn = inside.pfn + inside.size / 2;
    }
  } else if (which <= 3 || (which <= 4 && offline_ == 0)) {
    op.call = Call::work;
    op.size = below(6);
    if (!has_work_) return allocation(false);
  } else if (which <= 4) {
    op.call = Call::cpu_up;
    op.cpu = static_cast<unsigned>(below(cpus_));
    while (online_[op.cpu] != 0) op.cpu = (op.cpu + 1) % cpus_;
    online_[op.cpu] = 1;
    --offline_;
  } else if (which <= 6 && offline_ + 1 < cpus_ / 2) {
    op.call = Call::cpu_down;
    op.cpu = some_cpu();
    while (online_[op.cpu] == 0) op.cpu = (op.cpu + 1) % cpus_;
    online_[op.cpu] = 0;
    ++offline_;
  } else {
    op.call = Call::reserve;
    op.pfn = start_ + below(0x200000);
    op.limit = op.pfn + below(64);
    if (below(20) != 0) return allocation(false);
    op.failing = some_failures();
  }
  return op;
}

Operation Generator::next() {
  if (in_phase_++ >= phase_.length) new_phase();
  Operation op;
  if (below(100) == 0)
    op = rare();
  else if (held_.empty() || (held_.size() < most_held && percent(phase_.filling ? 90 : phase_.allocate_percent)))
    op = allocation(below(40) != 0);
  else
    op = release(below(60) != 0);
  ++distribution_.calls[static_cast<std::size_t>(op.call)];
  if (phase_.rough) ++distribution_.rough;
  return op;
}

void Generator::granted(const Operation& op, std::uint64_t pfn) {
  if (pfn == 0) return;
  held_.push_back({pfn, op.size, op.cpu});
}

}  // namespace iomc::conformance
