// SPDX-License-Identifier: GPL-2.0-or-later
// One text, two readings: every step of the iova specification, enumerated by paths over Z3 bit-vectors, gives exactly
// the explorer's successors at up to a thousand reachable states of each configuration (all
// of them where a configuration has fewer).
#include <catch2/catch.hpp>
#include <algorithm>
#include <cstdio>
#include <functional>
#include <set>
#include <vector>

#include "checker/symbolic/value.hpp"  // before the specification: its free functions are found by qualified name

#include "checker/explicit/replay.hpp"
#include "checker/explicit/storage.hpp"
#include "checker/symbolic/agree.hpp"
#include "spec/iova/configurations.hpp"
#include "spec/iova/iova.hpp"

namespace {

/// Paths of one step instance. A search of the whole tree from an arbitrary state has the most.
constexpr std::size_t path_cap = 10000;

using namespace iomc;
using namespace iomc::spec::iova;
using check::symbolic::Symbolic;
using Plain = Iova<model::Concrete, Tiny>;
using Twin = Iova<Symbolic, Tiny>;

/// A named configuration cut down to the tiny shape.
Config tiny(const char* name, const char* kernel, unsigned top, unsigned start) {
  Config c = make_config(*find_configuration(name), find_kernel(kernel)->facts);
  c.sizes.bins = 1;
  c.sizes.mag_size = 1;
  c.sizes.boundary = 4;
  c.sizes.top = top;
  c.sizes.start_pfn = start;
  c.sizes.fq_size = 2;
  c.sizes.max_ranges = 2;
  c.sizes.max_mappings = 2;
  c.env.devices = {{top - 1, true}};
  if (c.env.lanes.size() > Tiny::lanes) c.env.lanes.resize(Tiny::lanes);
  c.env.depot_filled = 0;
  return c;
}

/// More that may happen, so that there are more states to compare at.
Config busy(Config c) {
  c.env.allocation_failure = true;
  c.env.migration = true;
  c.env.weak_memory = true;
  return c;
}

/// Reachable states, spread over the whole search.
std::vector<Plain::State> reachable(const Plain& spec, std::size_t wanted) {
  check::TreeStorage<Plain::State> seen;
  model::StepContext<Plain::Event> cx;
  model::for_each_choice(cx, [&] {
    Plain::State s{};
    spec.initial(s, cx);
    seen.insert(s);
  });
  for (check::StateId i = 0; i < seen.size() && seen.size() < 60 * wanted; ++i) {
    Plain::State from;
    seen.load(i, from);
    seen.expand(i);
    check::any_successor(spec, from, [&](const check::Taken<Plain>& t) { return seen.insert(t.after), false; });
  }
  std::vector<Plain::State> out;
  const std::size_t stride = seen.size() > wanted ? seen.size() / wanted : 1;
  for (std::size_t i = 0; i < seen.size() && out.size() < wanted; i += stride) {
    out.emplace_back();
    seen.load(static_cast<check::StateId>(i), out.back());
  }
  return out;
}

/// Where one step of one lane is compared, its program counter is a constant in the enumeration.
std::vector<check::symbolic::FixedField> program_counter(unsigned instance) {
  const unsigned step = instance % step_count;
  const bool starts = step == static_cast<unsigned>(Step::migrate) || step <= static_cast<unsigned>(Step::unmap);
  if (starts) return {};
  return {{"lanes[" + std::to_string(instance / step_count) + "].pc", step}};
}

/// Compares the chosen instances at up to a thousand reachable states, and says what it took.
void agrees(const Config& config, const std::function<bool(unsigned)>& include, std::set<std::string>& taken) {
  const Plain plain(config);
  const Twin twin(config);
  const auto states = reachable(plain, 1000);
  check::symbolic::RelationOptions options;
  options.paths.paths = path_cap;
  options.fix = program_counter;
  options.include = include;
  const auto result = check::symbolic::agree(plain, twin, std::span<const Plain::State>(states), options);
  std::printf("%s: %zu states, %zu successors compared\n%s\n", config.name.c_str(), result.states, result.successors,
              check::symbolic::table(result.steps).c_str());
  INFO("configuration " << config.name << ": " << result.difference);
  CHECK(result.same);
  CHECK(result.states == states.size());
  for (const auto& s : result.steps)
    if (s.enabled > 0) taken.insert(s.step);
}

TEST_CASE("explorer and symbolic relation take the same steps") {
  std::set<std::string> taken;
  // The steps that any lane may go on with are the same text for each: one lane, everything switched on.
  Config all = busy(tiny("lazy", "6.12", 6, 2));
  all.env.domain_exists = true;
  agrees(all, [](unsigned i) { return i < step_count; }, taken);
  // What other roles begin with, and what they alone go on with.
  const auto second_lane = [](std::initializer_list<Step> steps) {
    return [steps = std::vector<Step>(steps)](unsigned i) {
      return i >= step_count && std::find(steps.begin(), steps.end(), static_cast<Step>(i % step_count)) != steps.end();
    };
  };
  agrees(all, second_lane({Step::timeout, Step::timeout_lock, Step::flush_start}), taken);
  agrees(tiny("strict", "6.12", 6, 2), second_lane({Step::map, Step::unmap, Step::rcache_get}), taken);
  agrees(tiny("hotplug", "6.12", 4, 2), second_lane({Step::cpu_down, Step::cpu_up, Step::migrate}), taken);
  // One CPU, so that two magazines of one page are more than one a CPU.
  Config trimmed = busy(tiny("depot", "6.12", 4, 2));
  trimmed.sizes.cpus = 1;
  trimmed.env.depot_filled = 2;
  trimmed.env.lanes = {{Role::mapper, 0, "task A"}, {Role::trimmer, 0, "kworker"}};
  agrees(trimmed, second_lane({Step::trim, Step::magazine_free}), taken);
  trimmed.facts.depot_trim_irqsave = false;
  agrees(trimmed, second_lane({Step::trim, Step::trim_locked}), taken);
  agrees(busy(tiny("reserve", "6.12", 4, 1)), second_lane({Step::reserve}), taken);
  Config probes = busy(tiny("init", "6.12", 4, 1));
  probes.env.reserve_lo = 2;
  probes.env.reserve_hi = 2;
  probes.env.windows = {{{2, 4}}, {{3, 4}}};
  const auto init_steps = second_lane(
      {Step::init_check, Step::init_domain, Step::init_rcaches, Step::init_windows, Step::init_reserve});
  agrees(probes, init_steps, taken);
  probes.env.lanes = {{Role::mapper, 0, "task A"}, {Role::initialiser, 1, "probe A"}};
  probes.env.lazy = true;
  agrees(probes, init_steps, taken);
  Config detach = busy(tiny("teardown", "6.12", 4, 2));
  detach.env.lanes = {{Role::mapper, 0, "task A"}, {Role::teardown, 0, "detach"}};
  agrees(detach, second_lane({Step::teardown_timer, Step::teardown_free}), taken);
  Config switched = busy(tiny("live-switch", "6.12", 4, 2));
  switched.env.lanes = {{Role::mapper, 0, "task A"}, {Role::switcher, 1, "sysfs"}};
  agrees(switched,
         second_lane({Step::store_type, Step::fq_alloc, Step::fq_rings, Step::fq_timer, Step::fq_publish}), taken);
  const auto first_lane = [](std::initializer_list<Step> steps) {
    return [steps = std::vector<Step>(steps)](unsigned i) {
      return i < step_count && std::find(steps.begin(), steps.end(), static_cast<Step>(i)) != steps.end();
    };
  };
  // The drivers' own queues and callers.
  agrees(busy(tiny("intel-table", "4.13", 4, 2)),
         first_lane({Step::unmap, Step::table_test, Step::table_lock, Step::table_add, Step::flush_hw, Step::flush_end,
                     Step::ring_free}),
         taken);
  Config list = busy(tiny("amd-queue", "4.13", 4, 1));
  list.facts.amd_caller = AmdCaller::own_list;
  agrees(list, first_lane({Step::queue_lock, Step::ring_free, Step::queue_append, Step::flush_hw, Step::flush_end}),
         taken);
  agrees(list, second_lane({Step::timeout, Step::timeout_lock}), taken);
  agrees(tiny("amd-strict", "4.15", 6, 2), first_lane({Step::map, Step::unmap, Step::late_flush}), taken);
  agrees(tiny("single-queue", "6.12", 4, 2), first_lane({Step::unmap, Step::queue_lock, Step::queue_append}), taken);
  // The older search and the older ways to free.
  agrees(
      tiny("strict", "4.13", 6, 2),
      [](unsigned i) { return i % step_count == static_cast<unsigned>(Step::free_remove); }, taken);
  for (std::size_t i = 1; i < step_table().size(); ++i) {
    INFO("step " << step_table()[i].name << " has no enabled path");
    CHECK(taken.count(step_table()[i].name) == 1);
  }
}

}  // namespace
