// SPDX-License-Identifier: GPL-2.0-or-later
// The historical bugs of the IOVA allocator, and the findings on 6.12: one row each. A row names the command that finds
// the violation on an affected kernel and the command that finds none on a fixed one; the test runs both.
#include <array>

#include "tests/bugs/rows.hpp"

namespace {

using namespace iomc::bugs;

constexpr std::array rows = {
    Row{"B4", "5016bdb796b3: a node at pfn 0 makes the walk wrap", "iova.P2", "--kernel 4.12 --config page-zero",
        "--kernel 4.12 --config page-zero --set underflow_guard=true", 6},
    Row{"B5", "757c370f036e: the lowest pfn cannot be granted", "iova.P9", "--kernel 4.12 --config fill",
        "--kernel 4.13 --config fill", 9},
    Row{"B6", "e8b198402745: only the top of the magazine is looked at", "iova.P13",
        "--kernel 4.15 --config one-magazine --set pop=top", "--kernel 4.15 --config one-magazine", 18},
    Row{"B7", "b826ee9a4f9d: a cached range may end above the limit", "iova.P2", "--kernel 4.13 --config odd-limit",
        "--kernel 4.15 --config odd-limit", 7},
    Row{"B9", "9eed17d37c77: cached32_node points at a freed node", "iova.P4", "--kernel 4.15 --config tree",
        "--kernel 4.15 --config tree --set delete_update_equal=true", 11},
    Row{"B10", "472d26df5e80: a recycled node that looks like the anchor is leaked", "iova.P5",
        "--kernel 5.2 --config slab", "--kernel 5.9 --config slab", 4},
    Row{"B12", "5b61343b5059: max32_alloc_size outlives the failure", "iova.P10", "--kernel 5.11 --config tree",
        "--kernel 5.11 --config tree --set max32_reset=any_32bit_free", 13},
    Row{"B12", "…and refuses requests that fit", "iova.P9", "--kernel 4.20 --config tree",
        "--kernel 5.18 --config tree", 0},
    Row{"B12", "…and so it would if its reset were dropped", "iova.P10",
        "--kernel 6.12 --config tree --set max32_reset=never", "--kernel 6.12 --config tree", 0},
    Row{"B15", "6fa3525b455a: the flush leaves the depot", "iova.P12", "--kernel 5.9 --config depot-flush",
        "--kernel 5.11 --config depot-flush", 30},
    Row{"B16", "dcdb3ba7e2a8: retry_pfn wraps, a range below start_pfn is granted", "iova.P3",
        "--kernel 6.1 --config aperture", "--kernel 6.2 --config aperture", 2},
    Row{"B18", "trimming as posted in August 2023: the depot lock with interrupts on", "iova.P6",
        "--kernel 6.12 --config depot --set depot_trim_irqsave=false", "--kernel 6.12 --config depot", 21},
    Row{"B20", "f598a497bc7d: what an offline CPU cached is out of reach", "iova.P12", "--kernel 5.11 --config offline",
        "--kernel 5.13 --config offline", 19},
    Row{"B20", "…except behind Intel's driver, which had a callback of its own", "iova.P12",
        "--kernel 5.9 --config offline", "--kernel 5.9 --config intel-offline", 0},
    Row{"B21", "d7061627d701: the timer runs on a queue that is freed", "iova.P4", "--kernel 5.13 --config teardown",
        "--kernel 5.18 --config teardown", 17},
    Row{"B22", "effa467870c7: a range is queued where there is no queue", "iova.P11", "--kernel 5.2 --config no-queue",
        "--kernel 5.9 --config no-queue", 5},
    Row{"B23", "AMD, 5.1 to 5.2: a failed mapping is taken for one at 0", "iova.P7",
        "--kernel 5.2 --config map-failure", "--kernel 5.9 --config map-failure", 13},
    Row{"B24", "d3e3d2be688b: a driver's mistake ends in BUG() elsewhere", "iova.P26",
        "--kernel 5.2 --config wrong-unmap", "--kernel 5.9 --config wrong-unmap", 14},
    Row{"B27", "ac9a5d522bb8: two devices of a group set the domain up twice", "iova.P5", "--kernel 5.18 --config init",
        "--kernel 6.1 --config init", 7},
    Row{"B28", "32e92d9f6f87: a magazine that was never allocated is written to", "iova.P4",
        "--kernel 5.13 --config probe", "--kernel 5.18 --config probe", 0},
    Row{"B30", "571f316074a2: adjacent DMA windows are refused", "iova.P24", "--kernel 5.9 --config init",
        "--kernel 5.11 --config init", 4},
    Row{"windows", "aadad097cd46: what no DMA window reaches is granted", "iova.P1", "--kernel 5.2 --config windows",
        "--kernel 5.11 --config windows", 0},
    Row{"B32", "791c2b17fb40: 32-bit attempts fail for ever beside idle 32-bit ranges", "iova.P27",
        "--kernel 6.2 --config stash", "--kernel 6.6 --config stash", 13},
    Row{"B33", "a negative result compared as unsigned: a mapping without a translation", "iova.P29",
        "--kernel 5.18 --config map-failure", "--kernel 6.1 --config map-failure", 3},
    Row{"P7", "no size is rounded up any more: the cache grants ranges of three pages as four", "iova.P7",
        "--kernel 6.12 --config odd-size --set round_in_alloc_fast=false", "--kernel 6.12 --config odd-size", 0},
    // Bounds on counted events of stated runs.
    Row{"B1", "538d5b333216: every failing 32-bit attempt flushes all CPUs' caches", "iova.P22", "--kernel 4.13",
        "--kernel 4.13 --set flush_optional=true --set flush_on_32bit_failure=false", 0},
    Row{"B2", "bb68b2fbfbd6: a free above 4 GiB forgets where the 32-bit space was left", "iova.P15a", "--kernel 4.13",
        "--kernel 4.15", 0},
    Row{"B8", "e60aa7b53845: no cached node for the space above 4 GiB", "iova.P15b", "--kernel 4.13",
        "--kernel 4.15", 0},
    Row{"B11", "bee60e94a1e2: a full 32-bit space is walked for each map", "iova.P15c", "--kernel 4.15",
        "--kernel 4.20", 0},
    Row{"B14", "4e89dce72521: each failing request walks the full 32-bit space", "iova.P15", "--kernel 6.2",
        "--kernel 6.6", 0},
    Row{"B17", "911aa1245da8: a full depot spills into the tree for ever", "iova.P21", "--kernel 6.6",
        "--kernel 6.12", 0},
    Row{"B25", "0d87308cca2c: every lazy unmap writes the timer flag's line", "iova.P14", "--kernel 5.2",
        "--kernel 5.9", 0},
    Row{"B26", "29b32839725f: an emulated IOMMU is asked to flush the whole domain", "iova.P30", "--kernel 5.9",
        "--kernel 5.11", 0},
    Row{"B26", "…brought by 13cf01744608", "iova.P30", "--kernel 4.15", "--kernel 4.13", 0},
    Row{"B29", "b4c9bf178ace: 128 entries make a magazine of 2048 bytes", "iova.P16", "--kernel 5.18",
        "--kernel 6.1", 0},
    Row{"B35", "one timer's run frees every CPU's queue into the tree", "iova.P17", "--kernel 6.6",
        "--kernel 6.12", 0},
    Row{"B34", "one hole at the top, and the next map of an uncached size walks all below it", "iova.P15d",
        "--kernel 6.12", "--kernel 6.12 --set bins=7", 0},
    Row{"B35", "…also with sizes that are not cached: in every release", "iova.P17a", "--kernel 6.12",
        "--kernel 6.12 --set bins=7", 0},
    Row{"P22a", "a device whose own space is full flushes all caches at each map", "iova.P22a", "--kernel 6.12",
        "--kernel 6.12 --set flush_on_full_failure=false", 0},
    Row{"B31", "6.6: a device with fewer address lines than declared meets wide addresses", "iova.P23",
        "--kernel 6.12 --config broken-device", "", 8},
    Row{"L1", "the flush queue's ring overruns while another flush is open", "iova.P5", "--kernel 6.12 --config lazy",
        "--kernel 6.12 --config lazy --set fq_recheck_after_flush=true", 88},
    Row{"L1", "…so that a queued range is never freed", "iova.P19", "--kernel 6.12 --config lazy",
        "--kernel 6.12 --config lazy --set fq_recheck_after_flush=true", 104},
    Row{"L1", "…and with one queue for all CPUs", "iova.P5", "--kernel 6.12 --config single-queue",
        "--kernel 6.12 --config single-queue --set fq_recheck_after_flush=true", 0},
    Row{"L1", "…and in AMD's own queue of 4.13, from which the design comes", "iova.P5",
        "--kernel 4.13 --config amd-queue", "--kernel 4.13 --config amd-queue --set fq_recheck_after_flush=true", 0},
    Row{"L1", "…but not in AMD's queue before, which is empty after its flush", "iova.P5",
        "--kernel 4.13 --config amd-queue", "--kernel 4.12 --config amd-queue", 0},
    Row{"L4", "Intel's deferred table is written beyond its end", "iova.P31", "--kernel 4.13 --config intel-table",
        "--kernel 4.15 --config lazy", 0},
    Row{"L4", "…also where preemption is off", "iova.P31", "--kernel 4.12 --config intel-table",
        "--kernel 4.12 --config amd-queue", 0},
    Row{"P18", "3c120143f584: AMD's strict unmap frees first and invalidates then", "iova.P18",
        "--kernel 4.15 --config amd-strict", "--kernel 4.20 --config amd-strict", 0},
    Row{"P11", "a queue that is seen before its rings are set up", "iova.P11",
        "--kernel 6.12 --config live-switch --set fq_publish=first", "--kernel 6.12 --config live-switch", 0},
    Row{"P11", "…or before its timer is", "iova.P11",
        "--kernel 6.12 --config live-switch --set fq_publish=before_timer", "--kernel 6.12 --config live-switch", 0},
    Row{"P11", "…or, on a weakly ordered CPU, because the barrier is missing", "iova.P11",
        "--kernel 6.12 --config live-switch --set fq_publish=unordered", "--kernel 6.12 --config live-switch", 0},
    Row{"L3", "reserve_iova over a cached range", "iova.P1", "--kernel 6.12 --config reserve", "", 8},
    Row{"L5", "a task read its CPU id, then that CPU died", "iova.P12", "--kernel 6.12 --config hotplug", "", 0},
    Row{"L1", "…also where the IOMMU driver serialises its flushes", "iova.P5", "--kernel 6.12 --config serialised",
        "--kernel 6.12 --config serialised --set fq_recheck_after_flush=true", 0},
    Row{"N2", "set-up of the rcaches failed, the next device of the group uses the domain", "iova.P4",
        "--kernel 6.12 --config init", "", 0},
    Row{"N3", "reserve_iova found no memory and nobody looked", "iova.P1", "--kernel 6.12 --config init", "", 0},
    Row{"L6", "the notice about wide addresses comes twice", "iova.P25", "--kernel 6.12 --config strict", "", 9},
    Row{"L6", "…but not where wide addresses are taken at once", "iova.P25", "--kernel 6.12 --config strict",
        "--kernel 6.12 --config forcedac", 9},
    Row{"L7", "one failed GFP_ATOMIC allocation ends 32-bit addressing", "iova.P28", "--kernel 6.12 --config irq", "",
        3},
    Row{"L8", "prev is not searched for a range that fits", "iova.P13", "--kernel 6.12 --config local", "", 20},
    Row{"L9", "another CPU's cache holds what a speculative request needs", "iova.P13a",
        "--kernel 6.12 --config strict", "", 8},
    Row{"L11", "a device that joins later gets no reserved regions", "iova.P1", "--kernel 6.12 --config late-device",
        "", 0},
    Row{"L12", "unmap of another size than map", "iova.P1", "--kernel 6.12 --config wrong-unmap", "", 7},
    Row{"L12", "…and the range is not aligned", "iova.P3a", "--kernel 6.12 --config wrong-unmap", "", 0},
    Row{"L12", "…because the size class is not the one of the allocation", "iova.P8",
        "--kernel 6.12 --config wrong-unmap", "", 0},
    Row{"P18", "5.15: the page table entry may be cleared after the flush counter is read", "iova.P18",
        "--kernel 5.13 --config weak-memory", "--kernel 5.18 --config weak-memory", 0},
    Row{"P20", "5.11 to 6.1 with start_pfn 0: the second pass is taken again and again", "iova.P20",
        "--kernel 6.1 --config tree --set start_pfn=0 --set top=3",
        "--kernel 6.2 --config tree --set start_pfn=0 --set top=3", 2},
    Row{"N1", "a limit inside the 32-bit space poisons max32_alloc_size", "iova.P9", "--kernel 6.12 --config limits",
        "", 16},
};

TEST_CASE("every historical bug is found on an affected kernel and on no fixed one") {
  // No queue, nothing queued; nothing freed before its invalidation, so that no such range is granted; no notice where
  // wide addresses are taken at once.
  constexpr std::array gone = {"effa467870c7", "3c120143f584", "…but not where wide addresses"};
  for (const Row& row : rows) {
    const bool vacuous = std::any_of(gone.begin(), gone.end(), [&](const char* text) {
      return std::string(row.what).rfind(text, 0) == 0;
    });
    check_row(iomc::check::find_system("iova"), row, vacuous);
  }
}

TEST_CASE("what is no bug of the allocator is not reported as one") {
  // B36: a driver that never unmaps fills the space; the ranges are its own. B19: depot members are not lost.
  for (const char* arguments : {"--kernel 4.20 --config fill", "--kernel 6.12 --config depot"}) {
    const iomc::check::System& iova = iomc::check::find_system("iova");
    const iomc::check::RunResult r = iova.check(request_of(iova, arguments, "iova.P5"));
    INFO("iomc check iova " << arguments << " --property iova.P5");
    CHECK(r.results.at(0).verdict == iomc::check::Verdict::holds);
  }
}

}  // namespace
