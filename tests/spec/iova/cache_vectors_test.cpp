// SPDX-License-Identifier: GPL-2.0-or-later
// Test vectors of the caches and of the flush queue.
#include <catch2/catch.hpp>

#include "spec/iova/sequence.hpp"

using namespace iomc::spec::iova;

namespace {

Config small_magazines(const Facts& facts, unsigned mag_size) {
  Sizes sizes = real_sizes(facts, 2);
  sizes.mag_size = mag_size;
  return real_config(facts, sizes);
}

}  // namespace

TEST_CASE("V13: a low range in the second magazine is not looked at") {
  for (const Kernel& kernel : kernels()) {
    INFO(kernel.name);
    Sequence<> s(small_magazines(kernel.facts, 4));
    std::vector<std::uint64_t> low;
    std::vector<std::uint64_t> high;
    for (int i = 0; i < 4; ++i) low.push_back(s.alloc(1, 0xfffff).value());
    for (int i = 0; i < 4; ++i) high.push_back(s.alloc(1, 0xffffff).value());
    for (const auto pfn : low) s.free_fast(0, pfn, 1);
    for (const auto pfn : high) s.free_fast(0, pfn, 1);
    REQUIRE(s.state().rcache[0].cpu[0].loaded.size == 4);
    REQUIRE(s.state().rcache[0].cpu[0].prev.size == 4);
    REQUIRE(s.nodes() == 8);
    const auto got = s.alloc_fast(0, 1, 0xfffff, false);
    CHECK(got.value() == 0xffffb);
    CHECK(s.nodes() == 9);
  }
}

TEST_CASE("V14: a full ring that the local flush does not empty is overrun") {
  for (const Kernel& kernel : kernels()) {
    if (!kernel.facts.flush_queue) continue;
    INFO(kernel.name);
    Sizes sizes = real_sizes(kernel.facts, 2);
    sizes.fq_size = 4;
    Sequence<> s(real_config(kernel.facts, sizes, true));
    std::vector<std::uint64_t> pfns;
    for (int i = 0; i < 5; ++i) pfns.push_back(s.map(0, 0, 1).value());
    // An unmap on CPU 0 arms the timer, which empties that queue again; the next one arms it anew.
    s.unmap(0, pfns[4], 1);
    REQUIRE(s.fire_timer(0));
    s.unmap(0, s.map(0, 0, 1).value(), 1);
    const auto before = s.state().fq_flush_finish_cnt.raw();

    // CPU 0's flush is under way while CPU 1 fills its ring of three usable slots, and one more.
    REQUIRE(s.begin_timer(0));
    REQUIRE(s.run_to(Sequence<>::timer, Step::flush_end));
    REQUIRE(s.state().fq_flush_finish_cnt.raw() == before);
    for (int i = 0; i < 4; ++i) s.unmap(1, pfns[static_cast<std::size_t>(i)], 1);
    const auto& cache = s.state().rcache[0].cpu[1];
    CHECK(s.state().fq[1].tail == 0);  // reads as empty
    CHECK(cache.loaded.size == 0);     // nothing was freed
    s.finish(Sequence<>::timer);
    // A complete flush of everything finds nothing to free there either: the tree keeps four ranges nobody can give
    // back.
    while (s.fire_timer(0)) {
    }
    CHECK(s.state().fq[1].tail == 0);
    std::size_t cached = 0;
    for (const auto& c : s.state().rcache[0].cpu) cached += c.loaded.size.raw() + c.prev.size.raw();
    CHECK(s.nodes() == cached + 4);
    CHECK(s.crash() == alive);
  }
}

TEST_CASE("B9: cached32_node outlives its node (9eed17d37c77)") {
  for (const Kernel& kernel : kernels()) {
    if (kernel.facts.tree_search == TreeSearch::cached32) continue;
    INFO(kernel.name);
    Sequence<> s(kernel.facts, 1);
    const auto high = s.alloc(1, 0xffffff).value();
    const auto low = s.alloc(1, 0xfffff).value();
    s.free(low);
    s.free(high);
    s.alloc(1, 0xfffff);
    CHECK(s.crash() == (kernel.facts.delete_update_equal ? alive : use_after_free));
  }
}

TEST_CASE("The depot hands out the magazine pushed last, and is bounded to 6.6") {
  for (const Kernel& kernel : kernels()) {
    INFO(kernel.name);
    Sizes sizes = real_sizes(kernel.facts, 2);
    sizes.mag_size = 2;
    sizes.depot_max = kernel.facts.depot_max == 0 ? 0 : 2;
    Sequence<> s(real_config(kernel.facts, sizes));
    std::vector<std::uint64_t> pfns;
    for (int i = 0; i < 12; ++i) pfns.push_back(s.alloc(1, 0xfffff).value());
    for (const auto pfn : pfns) s.free_fast(0, pfn, 1);
    const bool bounded = kernel.facts.depot_max != 0;
    // Two magazines stay on the CPU; of the other four, two find no room in the bounded depot.
    CHECK(s.state().rcache[0].depot_size == (bounded ? 2 : 4));
    CHECK(s.nodes() == (bounded ? 8 : 12));
    const auto got = s.alloc_fast(1, 1, 0xfffff, false).value();
    // The loaded magazine is what overflows, so the depot keeps the first two that were pushed.
    CHECK(got == (bounded ? pfns[5] : pfns[9]));
    if (!kernel.facts.depot_trim) continue;
    CHECK(s.trim(0, 0));
    CHECK(s.state().rcache[0].depot_size == 2);
    CHECK_FALSE(s.trim(0, 0));  // two magazines, two CPUs online
    CHECK_FALSE(s.state().rcache[0].work.nonzero());
  }
}
