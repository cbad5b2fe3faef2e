// SPDX-License-Identifier: GPL-2.0-or-later
#include "spec/iova/configurations.hpp"

#include <array>

namespace iomc::spec::iova {

namespace {

bool always(const Facts&) { return true; }
bool has_queue(const Facts& f) { return f.flush_queue; }
bool has_trim(const Facts& f) { return f.depot_trim; }

LaneSetup task(const char* name, unsigned cpu) { return {Role::mapper, cpu, name}; }

/// One device behind PCI that can address everything: it tries 32 bits first, then its own limit.
Device wide(const Config& c) { return {c.sizes.top - 1, true}; }
/// A device that can address what lies below the boundary, and no more.
Device narrow(const Config& c) { return {c.sizes.boundary - 1, true}; }

/// Three pages below the boundary, four above it.
void small_space(Config& c) {
  c.sizes.start_pfn = 5;
  c.sizes.max_ranges = 3;
  c.sizes.max_mappings = 2;
}

void strict(Config& c) {
  small_space(c);
  c.env.devices = {wide(c)};
  c.env.lanes = {task("task A", 0), task("task B", 1)};
}

void irq(Config& c) {
  small_space(c);
  c.env.devices = {wide(c)};
  c.env.allocation_failure = true;
  c.env.lanes = {task("task A", 0), {Role::irq_mapper, 0, "hardirq"}};
}

/// A domain of the lazy kind in use.
void queued(Config& c) {
  small_space(c);
  c.sizes.top = 8;
  c.sizes.start_pfn = 4;
  c.sizes.max_ranges = 4;
  c.sizes.max_mappings = 1;
  c.env.request_pages = {1};
  c.env.devices = {narrow(c)};
  c.env.lazy = true;
  c.env.lanes = {task("task A", 0), {Role::timer, 1, "softirq timer"}};
}

/// The whole life of such a domain.
void lazy(Config& c) {
  queued(c);
  c.env.domain_exists = false;
  c.env.weak_memory = true;
  if (c.facts.dma_windows_reserved) {
    c.env.windows = {{{1, 8}}};  // the gaps below and above it are two nodes more
    c.sizes.max_ranges += 2;
  }
  c.env.lanes.push_back({Role::initialiser, 0, "probe"});
  c.env.lanes.push_back({Role::teardown, 0, "detach"});
}

/// Tasks and caches alone.
void moving(Config& c) {
  small_space(c);
  c.sizes.max_mappings = 3;
  c.env.request_pages = {1};
  c.env.devices = {narrow(c)};
  c.env.migration = true;
  c.env.lanes = {task("task A", 0), {Role::hotplug, 1, "cpuhp"}};
}

/// …and, where the kernel can do that, a domain that becomes lazy meanwhile: one range less.
void hotplug(Config& c) {
  moving(c);
  if (!c.facts.fq_live_switch) return;
  c.sizes.max_ranges = 2;
  c.sizes.max_mappings = 2;
  c.env.lazy = true;
  c.env.queue_later = true;
  c.env.lanes.push_back({Role::switcher, 0, "sysfs"});
  c.env.lanes.push_back({Role::timer, 1, "softirq timer"});
}

void depot(Config& c) {
  c.sizes.start_pfn = 1;
  c.sizes.top = 8;
  c.sizes.max_ranges = 7;
  c.sizes.max_mappings = 1;
  c.env.request_pages = {1, 4};
  c.env.devices = {narrow(c)};
  c.env.depot_filled = 3;
  c.env.reserve_lo = 0;
  c.env.reserve_hi = 0;
  c.env.lanes = {task("task A", 0),
                 {Role::trimmer, 1, "kworker"},
                 {Role::irq_unmapper, 1, "hardirq"},
                 {Role::reserver, 0, "attach"}};
}

// ---- scenarios for one question each ---------------------------------------------------------------------------

/// Nothing is cached but single pages: larger requests go to the tree.
void tree(Config& c) {
  c.sizes.bins = 1;
  c.sizes.start_pfn = 1;
  c.sizes.max_ranges = 4;
  c.sizes.max_mappings = 4;
  c.env.request_pages = {2, 4};
  c.env.devices = {wide(c), narrow(c)};
  c.env.lanes = {task("task A", 0)};
}

/// Limits that are no power of two, one of them far below the 32-bit boundary.
void limits(Config& c) {
  c.sizes.bins = 2;
  c.sizes.start_pfn = 1;
  c.sizes.max_ranges = 4;
  c.sizes.max_mappings = 3;
  c.env.request_pages = {1, 2};
  c.env.devices = {narrow(c), {4, true}};
  c.env.lanes = {task("task A", 0)};
}

/// A domain whose aperture starts close to its end, as behind some host bridges.
void aperture(Config& c) {
  c.sizes.start_pfn = 6;
  c.sizes.bins = 1;
  c.sizes.max_ranges = 3;
  c.sizes.max_mappings = 2;
  c.env.request_pages = {2, 4};
  c.env.devices = {narrow(c)};
  c.env.lanes = {task("task A", 0)};
}

void init(Config& c) {
  c.sizes.start_pfn = 4;
  c.sizes.top = 8;
  c.sizes.max_ranges = 6;
  c.sizes.max_mappings = 2;
  c.sizes.bins = 1;
  c.env.request_pages = {1};
  c.env.devices = {narrow(c)};
  c.env.domain_exists = false;
  c.env.allocation_failure = true;
  c.env.reserve_lo = 5;
  c.env.reserve_hi = 5;
  c.env.windows = {{{0, 8}}, {{4, 6}, {6, 8}}, {{4, 6}, {7, 8}}};
  c.env.lanes = {{Role::initialiser, 0, "probe A"}, {Role::initialiser, 1, "probe B"}, task("task A", 0)};
}

/// …that is set up without a failure, so that nothing but its windows says what may be granted.
void dma_windows(Config& c) {
  init(c);
  c.env.allocation_failure = false;
  c.env.lanes = {{Role::initialiser, 0, "probe A"}, task("task A", 0)};
}

/// One device alone: its domain's set-up may fail half-way.
void probe(Config& c) {
  init(c);
  c.env.lanes = {{Role::initialiser, 0, "probe A"}, task("task A", 0)};
}

void teardown(Config& c) {
  queued(c);
  c.sizes.max_ranges = 2;
  c.env.lanes = {task("task A", 0), {Role::timer, 1, "softirq timer"}, {Role::teardown, 0, "detach"}};
}

void no_queue(Config& c) {
  queued(c);
  c.env.queue_missing = true;
  c.env.lanes = {task("task A", 0)};
}

/// Freed memory is handed out again with what it held.
void slab(Config& c) {
  tree(c);
  c.env.stale_slab = true;
}

void reserve(Config& c) {
  small_space(c);
  c.sizes.start_pfn = 4;
  c.env.request_pages = {1, 2};
  c.env.devices = {narrow(c)};
  c.env.reserve_lo = 5;
  c.env.reserve_hi = 6;
  c.env.lanes = {task("task A", 0), {Role::reserver, 1, "attach"}};
}

/// A driver that unmaps another size than it mapped, or twice.
void wrong_unmap(Config& c) {
  small_space(c);
  c.sizes.start_pfn = 4;
  c.env.devices = {narrow(c)};
  c.env.wrong_unmap = true;
  c.env.lanes = {task("task A", 0)};
}

/// Installing the translation may fail, and so may finding a range.
void map_failure(Config& c) {
  small_space(c);
  c.env.devices = {narrow(c)};
  c.env.map_failure = true;
  if (c.facts.map_sg_check == MapSgCheck::mapping_error) c.env.driver = Driver::amd;
  c.env.lanes = {task("task A", 0)};
}

/// A device that decodes fewer address bits than its driver declares.
void broken_device(Config& c) {
  small_space(c);
  c.env.devices = {{c.sizes.top - 1, true, c.sizes.boundary - 1}};
  c.env.lanes = {task("task A", 0)};
}

/// An unmap's store to the page table may become visible late.
void weak_memory(Config& c) {
  queued(c);
  c.sizes.max_ranges = 2;
  c.env.weak_memory = true;
}

/// The IOMMU driver serialises its flushes of the whole domain.
void serialised(Config& c) {
  queued(c);
  c.env.serialised_flush = true;
}

/// More mappings at a time, and the task moves between CPUs.
void overflow(Config& c) {
  queued(c);
  c.sizes.start_pfn = 1;
  c.sizes.max_ranges = 3;
  c.sizes.max_mappings = 3;
  c.env.migration = true;
}

/// Large enough magazines' worth of ranges for the depot to be filled from nothing.
void cached_elsewhere(Config& c) {
  c.sizes.bins = 1;
  c.sizes.start_pfn = 3;
  c.sizes.top = 8;
  c.sizes.max_ranges = 5;
  c.sizes.max_mappings = 5;
  c.env.request_pages = {1, 4};
  c.env.devices = {narrow(c)};
  c.env.lanes = {task("task A", 0)};
}

/// Drivers only map: the space fills from the top to its first page.
void fill(Config& c) {
  c.sizes.start_pfn = 5;
  c.sizes.max_ranges = 4;
  c.sizes.max_mappings = 4;
  c.env.request_pages = {1};
  c.env.never_unmap = true;
  c.env.devices = {narrow(c)};
  c.env.lanes = {task("task A", 0)};
}

void page_zero(Config& c) {
  c.sizes.start_pfn = 1;
  c.sizes.boundary = 4;
  c.sizes.max_ranges = 4;
  c.sizes.max_mappings = 3;
  c.env.request_pages = {2};
  c.env.never_unmap = true;
  c.env.page_zero = true;
  c.env.devices = {narrow(c)};
  c.env.lanes = {task("task A", 0)};
}

/// Four cached pages, and a device whose limit lies in the middle of them.
void odd_limit(Config& c) {
  c.sizes.bins = 3;
  c.sizes.start_pfn = 1;
  c.sizes.max_ranges = 2;
  c.sizes.max_mappings = 2;
  c.env.request_pages = {4};
  c.env.devices = {narrow(c), {5, true}};
  c.env.lanes = {task("task A", 0)};
}

/// Three pages: cacheable, and no power of two.
void odd_size(Config& c) {
  c.sizes.bins = 4;
  c.sizes.boundary = 16;
  c.sizes.top = 20;
  c.sizes.start_pfn = 4;
  c.sizes.max_ranges = 3;
  c.sizes.max_mappings = 2;
  c.env.request_pages = {3};
  c.env.devices = {narrow(c)};
  c.env.lanes = {task("task A", 0)};
}

/// A CPU whose tasks are elsewhere goes down with what it cached.
void offline(Config& c) {
  moving(c);
  c.env.migration = false;
  c.env.quiet_hotplug = true;
  c.env.lanes = {task("task A", 0), task("task B", 1), {Role::hotplug, 1, "cpuhp"}};
  c.sizes.max_mappings = 2;
}

/// Cached low and high ranges side by side on one CPU; two devices, each with its own first attempt.
void local(Config& c) {
  c.sizes.bins = 1;
  c.sizes.start_pfn = 6;
  c.sizes.max_ranges = 4;
  c.sizes.max_mappings = 4;
  c.env.request_pages = {1};
  c.env.devices = {wide(c), wide(c)};
  c.env.lanes = {task("task A", 0)};
}

/// The same with room for all of them in one magazine.
void one_magazine(Config& c) {
  local(c);
  c.sizes.mag_size = 4;
}

/// Single pages sit in the cache while two pages are wanted again and again.
void stash(Config& c) {
  c.sizes.start_pfn = 6;
  c.sizes.max_ranges = 4;
  c.sizes.max_mappings = 2;
  c.env.count_stash = true;
  c.env.devices = {wide(c)};
  c.env.lanes = {task("task A", 0)};
}

/// Reserved regions of a device that joins a domain in use.
void late_device(Config& c) {
  init(c);
  c.env.allocation_failure = false;
  c.env.late_region = true;
  c.env.reserve_lo = 6;
  c.env.reserve_hi = 6;
  c.env.windows.clear();
}

/// One queue for all CPUs, whose flush fills shadow tables.
void one_queue(Config& c) {
  queued(c);
  c.sizes.max_ranges = 3;
  c.sizes.fq_size = 3;
  c.env.shadow_on_flush = true;
  c.env.lanes = {task("task A", 0), task("task B", 1), {Role::timer, 1, "softirq timer"}};
}

/// A strict domain becomes lazy while its devices work.
void live_switch(Config& c) {
  queued(c);
  c.sizes.max_ranges = 2;
  c.env.queue_later = true;
  c.env.allocation_failure = true;
  c.env.weak_memory = true;
  c.env.lanes = {task("task A", 0), {Role::timer, 0, "softirq timer"}, {Role::switcher, 1, "sysfs"}};
}

/// Intel's deferred tables: a task and an interrupt handler fill one CPU's.
void intel_table(Config& c) {
  queued(c);
  c.env.driver = Driver::intel;
  c.env.devices = {{c.sizes.boundary - 1, false}};
  c.sizes.fq_size = 3;
  c.sizes.max_mappings = 2;
  c.env.lanes = {task("task A", 0), {Role::irq_unmapper, 0, "hardirq"}, {Role::timer, 1, "softirq timer"}};
}

void amd_queue(Config& c) {
  queued(c);
  c.env.driver = Driver::amd;
  c.env.devices = {{c.sizes.boundary - 1, false}};
  c.sizes.fq_size = 3;
}

/// AMD's strict unmap; its devices try 32 bits first whether they are PCI or not.
void amd_strict(Config& c) {
  strict(c);
  c.sizes.max_ranges = 2;
  c.env.request_pages = {1};
  c.env.driver = Driver::amd;
  c.env.devices = {{c.sizes.top - 1, false}};
}

/// Intel's driver empties an offline CPU's caches in every kernel.
void intel_offline(Config& c) {
  offline(c);
  c.env.driver = Driver::intel;
}

/// Devices are sent straight to wide addresses.
void forcedac(Config& c) {
  strict(c);
  c.sizes.max_ranges = 2;
  c.env.forcedac = true;
}

constexpr std::array all = {
    NamedConfiguration{"strict", "two tasks on two CPUs map and unmap one or two pages, 32-bit first and beyond", true,
                       always, strict},
    NamedConfiguration{"irq", "a task and an interrupt handler on one CPU; any GFP_ATOMIC allocation may fail", true,
                       always, irq},
    NamedConfiguration{"lazy", "a lazy domain from set-up to end: ring of 4, the timer in softirq on the other CPU",
                       true, has_queue, lazy},
    NamedConfiguration{"hotplug", "CPUs go down and come back, tasks migrate, a domain in use becomes lazy (5.15 on)",
                       true, always, hotplug},
    NamedConfiguration{"depot", "three depot magazines, the trim work, a handler that frees; pfn 0 is reserved in use",
                       true, has_trim, depot},
    NamedConfiguration{"hotplug-strict", "CPUs go down and come back, tasks migrate; the domain stays strict", true,
                       [](const Facts& f) { return f.fq_live_switch; }, moving},
    NamedConfiguration{"tree", "two and four pages straight from the tree, 32-bit and full limits", true, always, tree},
    NamedConfiguration{"limits", "devices with limits inside the 32-bit space", true, always, limits},
    NamedConfiguration{"aperture", "a domain that starts close to its end", true, always, aperture},
    NamedConfiguration{"init", "two devices of one group are probed at once, allocations fail, DMA windows", true,
                       always, init},
    NamedConfiguration{"windows", "one device is probed, its host bridge has DMA windows", true, always, dma_windows},
    NamedConfiguration{"probe", "one device is probed, allocations fail", true, always, probe},
    NamedConfiguration{"teardown", "the domain is torn down while the flush-queue timer runs", true, has_queue,
                       teardown},
    NamedConfiguration{"no-queue", "a lazy domain that has no flush queue", true, has_queue, no_queue},
    NamedConfiguration{"slab", "a node's memory may hold what it held before", true, always, slab},
    NamedConfiguration{"odd-size", "three pages: cacheable, and no power of two", true, always, odd_size},
    NamedConfiguration{"map-failure", "installing the translation may fail", true, always, map_failure},
    NamedConfiguration{"live-switch", "a strict domain in use is given its flush queue, stores become visible late",
                       true, [](const Facts& f) { return f.fq_live_switch; }, live_switch},
    NamedConfiguration{"intel-table", "unmaps wait in Intel's per-CPU tables, a handler unmaps too", true,
                       [](const Facts& f) { return f.intel_caller == IntelCaller::own_table; }, intel_table},
    NamedConfiguration{"amd-queue", "unmaps wait in the queues of AMD's driver, the timer fires", true,
                       [](const Facts& f) { return f.amd_caller != AmdCaller::dma_iommu; }, amd_queue},
    NamedConfiguration{"amd-strict", "two tasks behind AMD's driver, strict", true,
                       [](const Facts& f) { return f.amd_caller != AmdCaller::dma_iommu; }, amd_strict},
    NamedConfiguration{"single-queue", "one flush queue for all CPUs, as on s390, and its timer", false,
                       [](const Facts& f) { return f.fq_single; }, one_queue},
    NamedConfiguration{"intel-offline", "as offline, behind Intel's driver", false,
                       [](const Facts& f) { return f.intel_caller != IntelCaller::dma_iommu; }, intel_offline},
    NamedConfiguration{"forcedac", "two tasks whose devices skip the 32-bit attempt (iommu.forcedac=1)", false,
                       [](const Facts& f) { return f.forcedac_option; }, forcedac},
    NamedConfiguration{"depot-flush", "single pages fill magazines and depot, then four pages are wanted", false,
                       always, cached_elsewhere},
    NamedConfiguration{"fill", "single pages are mapped until none is left", false, always, fill},
    NamedConfiguration{"page-zero", "pfn 0 is reserved and the space fills", false, always, page_zero},
    NamedConfiguration{"odd-limit", "a limit in the middle of a cached range", false, always, odd_limit},
    NamedConfiguration{"offline", "a CPU goes down while no task is inside the allocator", false, always, offline},
    NamedConfiguration{"local", "low and high ranges in one CPU's two magazines, two devices", false, always, local},
    NamedConfiguration{"one-magazine", "low and high ranges in one magazine, two devices", false, always, one_magazine},
    NamedConfiguration{"stash", "cached single pages beside requests for two", false, always, stash},
    NamedConfiguration{"late-device", "a device with a reserved region joins a domain in use", false, always,
                       late_device},
    NamedConfiguration{"weak-memory", "stores become visible late, as on arm64", false, has_queue, weak_memory},
    NamedConfiguration{"lazy-migration", "unmaps are queued while the task moves between CPUs", false, has_queue,
                       overflow},
    NamedConfiguration{"serialised", "unmaps are queued, the IOMMU driver serialises its flushes", false, has_queue,
                       serialised},
    NamedConfiguration{"reserve", "reserve_iova on a domain in use (no caller in the tree does this)", false, always,
                       reserve},
    NamedConfiguration{"wrong-unmap", "a driver unmaps another size than it mapped, or twice (a driver's fault)", false,
                       always, wrong_unmap},
    NamedConfiguration{"broken-device", "a device decodes fewer address bits than declared (a device's fault)", false,
                       always, broken_device},
};

}  // namespace

std::span<const NamedConfiguration> configurations() { return all; }

const NamedConfiguration* find_configuration(std::string_view name) {
  for (const auto& c : all)
    if (name == c.name) return &c;
  return nullptr;
}

Config make_config(const NamedConfiguration& which, const Facts& facts) {
  Config c;
  c.name = which.name;
  c.what = which.what;
  c.facts = facts;
  which.set(c);
  return c;
}

std::string scope_text(const Config& c) {
  const auto& s = c.sizes;
  std::string pages;
  for (const unsigned p : c.env.request_pages) pages += (pages.empty() ? "" : ",") + std::to_string(p);
  return "exhaustive at cpus=" + std::to_string(s.cpus) + " bins=" + std::to_string(s.bins) +
         " mag_size=" + std::to_string(s.mag_size) +
         (c.facts.depot_max == 0 ? std::string(" depot unbounded") : " depot_max=" + std::to_string(s.depot_max)) +
         " pfns " + std::to_string(s.start_pfn) + ".." + std::to_string(s.top - 1) +
         " boundary=" + std::to_string(s.boundary) + " fq_size=" + std::to_string(s.fq_size) +
         " ranges<=" + std::to_string(s.max_ranges) + " mappings<=" + std::to_string(s.max_mappings) + " pages " +
         pages + "; " + c.what;
}

}  // namespace iomc::spec::iova
