// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/conformance/iova/differential.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace iomc::conformance {

using namespace spec::iova;
using model::Cost;

namespace {

constexpr std::size_t hotplug_lane = 1;
constexpr std::size_t remembered = 12;

Config config_for(const Facts& facts, std::uint64_t start_pfn) {
  Sizes sizes = real_sizes(facts, Differential::cpus);
  sizes.start_pfn = static_cast<unsigned>(start_pfn);
  Config c = real_config(facts, sizes);
  c.name = "conformance";
  c.what = "one call after the other, memory may fail, CPUs come and go";
  c.env.lanes[hotplug_lane] = {Role::hotplug, 0, "hotplug"};
  c.env.allocation_failure = true;
  return c;
}

}  // namespace

Compared& Compared::operator+=(const Compared& o) {
  operations += o.operations;
  full_states += o.full_states;
  visits += o.visits;
  locks += o.locks;
  second_passes += o.second_passes;
  straddles += o.straddles;
  failures += o.failures;
  warnings += o.warnings;
  most_nodes = std::max(most_nodes, o.most_nodes);
  most_depot = std::max(most_depot, o.most_depot);
  domains += o.domains;
  difference = o.difference;
  return *this;
}

Differential::Differential(check::IovaCode& code, const Facts& facts, std::uint64_t start_pfn)
    : code_(code), spec_(config_for(facts, start_pfn)) {
  compared_.domains = 1;
  if (code_->create(cpus, 4096, start_pfn) != 0) compared_.difference = "the domain could not be made";
  spec_.reset_counts();
}

Differential::~Differential() { code_->destroy(); }

bool Differential::differ(const std::string& what, std::uint64_t spec, std::uint64_t code) {
  compared_.difference = fmt::format("call {}: {}: specification {:#x}, kernel {:#x}\nthe latest calls:\n",
                                     compared_.operations, what, spec, code);
  for (const Operation& op : last_) compared_.difference += "  " + text_of(op) + "\n";
  return false;
}

std::uint64_t Differential::run_spec(const Operation& op) {
  spec_.reset_counts();
  spec_.fail_allocations(op.failing);
  std::uint64_t out = 0;
  switch (op.call) {
    case Call::alloc_fast:
      out = spec_.alloc_fast(op.cpu, static_cast<unsigned>(op.size), op.limit, op.flush).value_or(0);
      break;
    case Call::free_fast: spec_.free_fast(op.cpu, op.pfn, static_cast<unsigned>(op.size)); break;
    case Call::alloc: out = spec_.alloc(op.size, op.limit, op.flush).value_or(0); break;
    case Call::free: spec_.free(op.pfn); break;
    case Call::reserve: spec_.reserve(op.pfn, op.limit); break;
    case Call::work: spec_.trim(op.cpu, static_cast<unsigned>(op.size)); break;
    case Call::cpu_down: spec_.cpu_down(hotplug_lane, op.cpu); break;
    case Call::cpu_up: spec_.cpu_up(hotplug_lane, op.cpu); break;
    case Call::count_: break;
  }
  spec_.fail_allocations(0);
  return out;
}

std::uint64_t Differential::run_code(const Operation& op) {
  iomc_machine& m = code_.machine();
  m.counts = {};
  m.fail_atomic = op.failing;
  unsigned long out = 0;
  switch (op.call) {
    case Call::alloc_fast: out = code_->alloc_fast(op.cpu, op.size, op.limit, op.flush ? 1 : 0); break;
    case Call::free_fast: code_->free_fast(op.cpu, op.pfn, op.size); break;
    case Call::alloc:
      if (code_->alloc(op.size, op.limit, op.flush ? 1 : 0, &out) == 0) out = 0;
      break;
    case Call::free: code_->free(op.pfn); break;
    case Call::reserve: code_->reserve(op.pfn, op.limit); break;
    case Call::work: code_->run_work(op.cpu, static_cast<unsigned>(op.size)); break;
    case Call::cpu_down: code_->cpu_down(op.cpu); break;
    case Call::cpu_up: code_->cpu_up(op.cpu); break;
    case Call::count_: break;
  }
  m.fail_atomic = 0;
  return out;
}

bool Differential::compare_pointers() {
  unsigned long cached32 = 0, cached = 0, max32 = 0;
  code_->pointers(&cached32, &cached, &max32);
  if (spec_.cached32().value_or(0) != cached32) return differ("cached32_node", spec_.cached32().value_or(0), cached32);
  if (spec_.cached().value_or(0) != cached) return differ("cached_node", spec_.cached().value_or(0), cached);
  if (spec_.max32() != max32) return differ("max32_alloc_size", spec_.max32(), max32);
  return true;
}

bool Differential::compare_counts() {
  const model::CostCount& spec = spec_.counted().events;
  const iomc_counts& code = code_.machine().counts;
  const std::array<std::tuple<const char*, std::uint64_t, std::uint64_t>, 5> pairs = {{
      {"per-CPU locks taken", spec[Cost::cpu_cache_lock], code.locks[iomc_lock_cpu_cache]},
      {"depot locks taken", spec[Cost::depot_lock], code.locks[iomc_lock_depot]},
      {"tree locks taken", spec[Cost::tree_lock], code.locks[iomc_lock_tree]},
      // A second pass that begins at a node across its limit is one step shorter than one that begins above it.
      {"tree nodes visited", spec[Cost::tree_step], code.steps + code.straddles},
      {"tree nodes erased", spec[Cost::tree_erase], code.erases},
  }};
  for (const auto& [what, a, b] : pairs)
    if (a != b) return differ(what, a, b);
  visits_ = code.steps;
  compared_.visits += code.steps;
  compared_.second_passes += code.second_passes;
  compared_.straddles += code.straddles;
  compared_.warnings += code.warnings;
  for (const unsigned kind : {iomc_lock_cpu_cache, iomc_lock_depot, iomc_lock_tree})
    compared_.locks += code.locks[kind];
  return true;
}

bool Differential::compare_call(const Operation& op, std::uint64_t spec, std::uint64_t code) {
  if (const char* crash = code_.machine().crash) return differ(std::string("the kernel stops: ") + crash, 0, 1);
  if (spec_.crash() != 0) return differ("the specification stops", spec_.crash(), 0);
  if (spec != code) return differ("result", spec, code);
  if (!compare_counts() || !compare_pointers()) return false;
  const std::uint64_t nodes = code_.machine().live_objects[0];
  if (spec_.nodes() != nodes) return differ("tree nodes", spec_.nodes(), nodes);
  compared_.most_nodes = std::max(compared_.most_nodes, nodes);
  if ((op.call == Call::alloc_fast || op.call == Call::alloc) && code == 0) ++compared_.failures;
  return true;
}

bool Differential::apply(const Operation& op) {
  ++compared_.operations;
  last_.push_back(op);
  if (last_.size() > remembered) last_.pop_front();
  const std::uint64_t spec = run_spec(op);
  result_ = run_code(op);
  return compare_call(op, spec, result_);
}

bool Differential::compare_tree() {
  nodes_.resize(spec_.nodes() + 1);
  const std::uint64_t n = code_->nodes(nodes_.data(), nodes_.size());
  if (n != spec_.nodes()) return differ("nodes in the tree", spec_.nodes(), n);
  std::size_t i = 0;
  std::string wrong;
  spec_.state().tree.for_each([&](const auto& lo, const auto& hi) {
    if (wrong.empty() && (lo.raw() != nodes_[i].lo || hi.raw() != nodes_[i].hi))
      wrong = fmt::format("node {} of the tree: specification {:#x}-{:#x}, kernel {:#x}-{:#x}", i, lo.raw(), hi.raw(),
                          nodes_[i].lo, nodes_[i].hi);
    ++i;
  });
  return wrong.empty() || differ(wrong, 0, 1);
}

namespace {

template <class Mag>
bool same(const Mag& spec, const unsigned long* code, std::uint64_t size) {
  for (std::uint64_t i = 0; i < size; ++i)
    if (spec.pfns[i].raw() != code[i]) return false;
  return true;
}

}  // namespace

bool Differential::compare_caches(unsigned bin) {
  const auto& rcache = spec_.state().rcache[bin];
  for (unsigned cpu = 0; cpu < cpus; ++cpu)
    for (const int prev : {0, 1}) {
      const auto& mag = prev != 0 ? rcache.cpu[cpu].prev : rcache.cpu[cpu].loaded;
      const unsigned long* pfns = nullptr;
      const std::uint64_t size = code_->magazine(bin, cpu, prev, &pfns);
      const std::string name =
          fmt::format("{} magazine of CPU {}, size class {}", prev != 0 ? "prev" : "loaded", cpu, bin);
      if (mag.size.raw() != size) return differ(name + ", entries", mag.size.raw(), size);
      if (!same(mag, pfns, size)) return differ(name + ", its pfns", 0, 1);
    }
  const std::uint64_t depot = code_->depot_size(bin);
  compared_.most_depot = std::max(compared_.most_depot, depot);
  if (rcache.depot_size.raw() != depot)
    return differ(fmt::format("depot of size class {}", bin), rcache.depot_size.raw(), depot);
  std::vector<const unsigned long*> magazines(depot);
  code_->depot(bin, magazines.data());
  for (std::size_t i = 0; i < depot; ++i)
    if (!same(rcache.depot[i], magazines[i], code_->mag_size))
      return differ(fmt::format("depot of size class {}, magazine {}", bin, i), 0, 1);
  if (const int pending = code_->work_pending(bin); (rcache.work.raw() != 0) != (pending != 0))
    return differ(fmt::format("work of size class {} pending", bin), rcache.work.raw(), pending);
  return true;
}

bool Differential::compare_state() {
  ++compared_.full_states;
  if (!compare_tree() || !compare_pointers()) return false;
  for (unsigned bin = 0; bin < code_->bins; ++bin)
    if (!compare_caches(bin)) return false;
  const iomc_machine& m = code_.machine();
  for (unsigned cpu = 0; cpu < cpus; ++cpu)
    if ((spec_.state().online[cpu].raw() != 0) != (m.online[cpu] != 0))
      return differ(fmt::format("CPU {} online", cpu), spec_.state().online[cpu].raw(), m.online[cpu]);
  return true;
}

namespace {

Compared run_domain(check::IovaCode& code, const Facts& facts, std::uint64_t seed, std::uint64_t start_pfn,
                    std::uint64_t operations, std::uint64_t full_every, Distribution& distribution) {
  Differential both(code, facts, start_pfn);
  Generator generator(seed, Differential::cpus, start_pfn, code->has_work != 0);
  for (std::uint64_t i = 0; i < operations && both.compared().difference.empty(); ++i) {
    const Operation op = generator.next();
    if (!both.apply(op)) break;
    if (op.call == Call::alloc_fast || op.call == Call::alloc) generator.granted(op, both.last_result());
    generator.walked(both.last_visits());
    if ((i + 1) % full_every == 0 && !both.compare_state()) break;
  }
  if (both.compared().difference.empty()) both.compare_state();
  distribution += generator.distribution();
  return both.compared();
}

}  // namespace

Compared run_random(check::IovaCode& code, const Facts& facts, std::uint64_t seed, std::uint64_t operations,
                    std::uint64_t full_every, Distribution& distribution) {
  constexpr std::array<std::uint64_t, 6> lives = {300, 3000, 300, 30000, 3000, 300000};
  // The whole 32-bit space, 32768 pages of it, 512, 64.
  constexpr std::array<std::uint64_t, 5> starts = {1, 0xffe00, 0xfffc0, 1, 0xf8000};
  Compared out;
  for (std::uint64_t domain = 0; out.operations < operations && out.difference.empty(); ++domain) {
    const std::uint64_t life = std::min(lives[domain % lives.size()], operations - out.operations);
    out += run_domain(code, facts, seed * 1000003 + domain, starts[domain % starts.size()], life, full_every,
                      distribution);
  }
  if (!out.difference.empty()) out.difference = fmt::format("domain {}, {}", out.domains, out.difference);
  return out;
}

}  // namespace iomc::conformance
