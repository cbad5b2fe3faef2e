// SPDX-License-Identifier: GPL-2.0-or-later
// vmd_next_irq against its arithmetic: entry j of drive k gets fast vector (k * entries + j) mod m.
#include "spec/vmd/placement.hpp"

#include <catch2/catch.hpp>

namespace {

using namespace iomc::spec::vmd;

Facts facts_of(const char* kernel) { return find_kernel(kernel)->facts; }

void follows_the_formula(const Placement& p, const Drives& run) {
  for (unsigned k = 0; k < run.drives; ++k)
    for (unsigned j = 0; j < p.granted; ++j) CHECK(p.vector[k][j] == 1 + (k * p.granted + j) % run.fast);
}

TEST_CASE("63 vectors, 64 entries: four drives fill each vector with four children, four vectors with five") {
  const Drives run{63, 64, 4, 192};
  const Placement p = place(facts_of("6.12"), run);
  CHECK(p.granted == 64);
  CHECK(p.vectors_with(4) == 59);
  CHECK(p.vectors_with(5) == 4);
  CHECK(p.children[0] == 0);
  follows_the_formula(p, run);
}

TEST_CASE("63 vectors, 64 entries, twelve drives: twelve or thirteen") {
  const Drives run{63, 64, 12, 192};
  const Placement p = place(facts_of("6.12"), run);
  CHECK(p.vectors_with(12) == 51);
  CHECK(p.vectors_with(13) == 12);
  follows_the_formula(p, run);
}

TEST_CASE("drive k is rotated by k: queue j of one drive shares with queue j - 1 of the next") {
  const Placement p = place(facts_of("6.12"), {63, 64, 4, 192});
  for (unsigned k = 1; k < 4; ++k)
    for (unsigned j = 1; j < 63; ++j) CHECK(p.vector[k][j - 1] == p.vector[k - 1][j]);
}

TEST_CASE("63 vectors, 7 entries, twelve drives: 42 vectors with one child, 21 with two") {
  const Drives run{63, 7, 12, 6};
  const Placement p = place(facts_of("6.12"), run);
  CHECK(p.vectors_with(1) == 42);
  CHECK(p.vectors_with(2) == 21);
  follows_the_formula(p, run);
}

TEST_CASE("32 vectors, 33 entries, two drives: 30 vectors with two children, 2 with three") {
  const Drives run{32, 33, 2, 192};
  const Placement p = place(facts_of("6.12"), run);
  CHECK(p.vectors_with(2) == 30);
  CHECK(p.vectors_with(3) == 2);
  follows_the_formula(p, run);
}

TEST_CASE("a drive that asks for 193 gets 64 up to 6.16, and all of them from 6.17 on") {
  const Drives run{63, 193, 4, 192};
  CHECK(place(facts_of("6.15"), run).granted == 64);
  const Placement p = place(facts_of("6.17"), run);
  CHECK(p.granted == 193);
  CHECK(p.least() == 12);
  CHECK(p.most() == 13);
  follows_the_formula(p, run);
}

TEST_CASE("a full-size drive doubles up on one vector, its last entry with its admin queue") {
  const Placement p = place(facts_of("6.12"), {63, 64, 1, 192});
  CHECK(p.vectors_with(2) == 1);
  CHECK(p.vector[0][63] == p.vector[0][0]);
  CHECK(p.own_sharing() == 1);
}

TEST_CASE("4.5 uses every vector, 4.8 keeps vector 0 for plain MSI") {
  CHECK(place(facts_of("4.5"), {63, 64, 1, 192}).children[0] == 1);
  CHECK(place(facts_of("4.8"), {63, 64, 1, 192}).children[0] == 0);
}

TEST_CASE("queues are served at home where queue and vector have one number, and the CPUs are as many") {
  const Drives run{63, 64, 4, 63};
  Facts f = facts_of("6.12");
  CHECK(place(f, run).away(run) == 4 * 63);
  f.vector_choice = VectorChoice::by_entry;
  CHECK(place(f, run).away(run) == 0);
}

TEST_CASE("vectors by entry number leave the range, and pile up on the low ones") {
  Facts f = facts_of("6.12");
  f.vector_choice = VectorChoice::by_entry;
  f.nvec_capped = false;
  const Placement p = place(f, {63, 65, 1, 192});
  CHECK(p.children[64] == 1);  // one beyond the last
  CHECK(place(f, {63, 7, 12, 6}).most() == 12);
}

}  // namespace
