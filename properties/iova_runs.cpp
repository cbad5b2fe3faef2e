// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/iova_runs.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <set>

namespace iomc::properties::iova {

namespace {

using namespace iomc::spec::iova;
using model::PropertyKind;

constexpr const char* per_pair = "per map and unmap";
constexpr const char* per_cycle = "per cycle of 8160 maps and unmaps";
constexpr const char* per_map = "per map";

// Two attempts, one put and one spare: a map that fails below 4 GiB and is served above takes three.
constexpr std::array p14_bounds = {
    RunBound{"hit", "cpu_cache_lock", Statistic::most, 2, nullptr, per_pair},
    RunBound{"hit", "depot_lock", Statistic::most, 0, nullptr, per_pair},
    RunBound{"hit", "tree_lock", Statistic::most, 0, nullptr, per_pair},
    RunBound{"hit", "shared_write", Statistic::most, 0, nullptr, per_pair},
    RunBound{"map-unmap", "cpu_cache_lock", Statistic::most, 4, nullptr, per_pair},
    RunBound{"map-unmap", "depot_lock", Statistic::most, 0, nullptr, per_pair},
    RunBound{"map-unmap", "tree_lock", Statistic::most, 1, nullptr, per_pair},
    RunBound{"lazy", "shared_write", Statistic::most, 8, nullptr, per_cycle},
};

constexpr double few_nodes = 8;
constexpr std::array p15_bounds = {
    RunBound{"map-unmap", failed_search_nodes, Statistic::most, few_nodes, nullptr, per_pair},
    RunBound{"full32-refill", failed_search_nodes, Statistic::most, few_nodes, nullptr, per_map},
};
constexpr std::array p15a_bounds = {
    RunBound{"high-frees", found_search_nodes, Statistic::most, few_nodes, nullptr, per_map},
};
constexpr std::array p15b_bounds = {
    RunBound{"wide", found_search_nodes, Statistic::most, few_nodes, nullptr, per_map},
};
constexpr std::array p15c_bounds = {
    RunBound{"full32", failed_search_nodes, Statistic::most, few_nodes, nullptr, per_map},
};
constexpr std::array p15d_bounds = {
    RunBound{"hole", found_search_nodes, Statistic::most, few_nodes, nullptr, per_map},
};

constexpr std::array p16_bounds = {
    RunBound{"crash-kernel", domain_bytes, Statistic::most, 12.0 * 1024 * 128, nullptr, "for 128 CPUs"},
};

// One magazine: 128 times a descent, an erasure and a step.
constexpr double one_magazine = 3 * 128;
constexpr std::array p17_bounds = {
    RunBound{"map-unmap", irqs_off_nodes, Statistic::most, one_magazine, nullptr, "at a stretch"},
    RunBound{"lazy", irqs_off_nodes, Statistic::most, one_magazine, nullptr, "at a stretch"},
};
constexpr std::array p17a_bounds = {
    RunBound{"lazy-uncacheable", irqs_off_nodes, Statistic::most, one_magazine, nullptr, "at a stretch"},
    RunBound{"hole", irqs_off_nodes, Statistic::most, one_magazine, nullptr, "at a stretch"},
};

constexpr std::array p21_bounds = {
    RunBound{"hit", found_searches, Statistic::most, 0, nullptr, per_pair},
    RunBound{"hit", "tree_erase", Statistic::most, 0, nullptr, per_pair},
    RunBound{"map-unmap", found_searches, Statistic::most, 0, nullptr, per_pair},
    RunBound{"map-unmap", "tree_erase", Statistic::most, 0, nullptr, per_pair},
    RunBound{"lazy", found_searches, Statistic::mean, 0, trimmed, per_cycle},
    RunBound{"lazy", "tree_erase", Statistic::mean, 0, trimmed, per_cycle},
};

constexpr std::array p22_bounds = {
    RunBound{"map-unmap", "cache_flush", Statistic::most, 0, nullptr, per_pair},
    RunBound{"full32", "cache_flush", Statistic::most, 0, nullptr, per_map},
    RunBound{"full32-refill", "cache_flush", Statistic::most, 0, nullptr, per_map},
};
constexpr std::array p22a_bounds = {
    RunBound{"exhausted", "cache_flush", Statistic::most, 0, nullptr, "per failing map"},
};

constexpr std::array p30_bounds = {
    RunBound{"virtual", "iotlb_flush", Statistic::most, 0, nullptr, "per cycle of 255 maps and unmaps"},
};

constexpr std::array all = {
    RunProperty{
        {"iova.P14",
         "a cached map and its unmap take at most 4 per-CPU locks, 1 tree lock and no depot lock at any number of "
         "CPUs; lazy unmaps write no shared line each",
         "throughput falls with the number of CPUs instead of rising: one stream ran at 0.02% of line rate on 128",
         "538d5b333216 (4.15); 0d87308cca2c (5.4)", PropertyKind::performance},
        p14_bounds},
    RunProperty{{"iova.P15",
                 "once a device has met a full 32-bit space no map of its walks that space again (8 nodes at most)",
                 "each map walks thousands of nodes under the tree lock with interrupts off: IOPS halve, soft lockups",
                 "bee60e94a1e2 (4.20); 4e89dce72521 (5.11); 791c2b17fb40 (6.6)", PropertyKind::performance},
                p15_bounds},
    RunProperty{{"iova.P15a",
                 "a 32-bit request does not walk the ranges above 4 GiB, whatever is freed there (8 nodes at most)",
                 "a device that needs low addresses pays for every buffer that the others hold above",
                 "bb68b2fbfbd6, e60aa7b53845 (4.15)", PropertyKind::performance},
                p15a_bounds},
    RunProperty{{"iova.P15b",
                 "a request above 4 GiB that fits next to the cached node does not walk the ranges there (8 nodes at "
                 "most)",
                 "each map of a 64-bit device walks all that is mapped above 4 GiB", "e60aa7b53845 (4.15)",
                 PropertyKind::performance},
                p15b_bounds},
    RunProperty{{"iova.P15c",
                 "a full 32-bit space in which nothing is freed is not walked again (8 nodes at most)",
                 "each map of a 64-bit device walks the whole 32-bit space to fail in it", "bee60e94a1e2 (4.20)",
                 PropertyKind::performance},
                p15c_bounds},
    RunProperty{{"iova.P15d",
                 "a request with a size that is not cached walks few nodes also after a free far above it (8 at most)",
                 "one freed range at the top makes the next map walk all that is mapped below it: soft lockups of 23 s",
                 "reported on 5.4 in May 2022; no release keeps to it", PropertyKind::performance},
                p15d_bounds},
    RunProperty{{"iova.P16", "the empty caches of a domain take at most 12 KiB for each possible CPU",
                 "a crash kernel with little memory and many CPUs runs out of it while devices are attached",
                 "b4c9bf178ace (6.0)", PropertyKind::performance},
                p16_bounds},
    RunProperty{{"iova.P17",
                 "with cacheable sizes no stretch with interrupts off takes more node operations than freeing one "
                 "magazine does (384)",
                 "interrupts are late by as much on that CPU, and all others wait for the tree lock",
                 "911aa1245da8 (6.7)", PropertyKind::performance},
                p17_bounds},
    RunProperty{{"iova.P17a",
                 "the same (384 node operations) with sizes that are not cached: neither a walk nor the flush timer's "
                 "run over all queues takes longer",
                 "interrupts are late, RCU stalls: seen at 128 CPUs on 6.7-rc4",
                 "reports of 2022 and 2023; no release keeps to it", PropertyKind::performance},
                p17a_bounds},
    RunProperty{{"iova.P21",
                 "after warm-up, one allocation for each free of the same size takes nothing from the tree and gives "
                 "it nothing but what the depot trim work frees",
                 "every burst pays for the tree, for ever: IOPS fall to a third after hours of load",
                 "911aa1245da8 (6.7); 538d5b333216 (4.15)", PropertyKind::performance},
                p21_bounds},
    RunProperty{
        {"iova.P22", "a full 32-bit space makes no map flush the caches of all CPUs while there is room above it",
         "each map takes 6 cache locks and 12 tree locks for each CPU and throws away what the next map needs",
         "538d5b333216 (4.15)", PropertyKind::performance},
        p22_bounds},
    RunProperty{{"iova.P22a",
                 "a device whose own space is full makes no map flush the caches of all CPUs again",
                 "every failing map of one device throws away what all others have cached",
                 "alloc_iova_fast with flush_rcache; no release keeps to it", PropertyKind::performance},
                p22a_bounds},
    RunProperty{{"iova.P30",
                 "behind an Intel IOMMU in caching mode, which a hypervisor emulates, no unmap ends in an invalidation "
                 "of the whole domain",
                 "the hypervisor answers it by looking through the guest's whole page table: domain flushes are far "
                 "dearer there than page flushes",
                 "29b32839725f (5.11); 13cf01744608 (4.14) had brought it", PropertyKind::performance},
                p30_bounds},
};

std::string number(double v) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), v == static_cast<double>(static_cast<long long>(v)) ? "%.0f" : "%.2f", v);
  return text.data();
}

std::string clause(const BoundResult& r) {
  std::string measure = r.bound->measure;
  std::replace(measure.begin(), measure.end(), '_', ' ');
  std::string out = std::string(r.bound->run) + ": " + measure + " " + number(r.found) + " " + r.bound->unit +
                    ", bound " + number(r.allowed);
  return out;
}

BoundResult measure(const RunBound& bound, Runs& runs) {
  const Run& run = runs[bound.run];
  const Measure& m = run[bound.measure];
  const double found = bound.statistic == Statistic::most ? m.most : m.mean;
  const double allowed = bound.bound_measure != nullptr ? run[bound.bound_measure].mean : bound.bound;
  return {&bound, found, allowed, found <= allowed};
}

}  // namespace

std::span<const RunProperty> run_properties() { return all; }

RunVerdict check(const RunProperty& property, Runs& runs) {
  RunVerdict out;
  std::set<std::string> stated;
  for (const RunBound& bound : property.bounds) {
    out.bounds.push_back(measure(bound, runs));
    if (!out.bounds.back().met) out.holds = false;
    if (!stated.insert(bound.run).second) continue;
    out.scope += (out.scope.empty() ? "" : "; ") + std::string(bound.run) + ": " + runs[bound.run].workload;
  }
  // What decided against comes first.
  for (const bool met : {false, true})
    for (const BoundResult& r : out.bounds)
      if (r.met == met) out.found += (out.found.empty() ? "" : "; ") + clause(r);
  return out;
}

RunVerdict check(const RunProperty& property, const Facts& facts) {
  Runs runs(facts);
  return check(property, runs);
}

}  // namespace iomc::properties::iova
