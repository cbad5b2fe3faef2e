// SPDX-License-Identifier: GPL-2.0-or-later
#include <set>
#include <vector>

#include "model/step.hpp"
#include "tests/checker/explicit/seeded.hpp"

using namespace iomc::model;

namespace {
struct NoEvent {};

/// What a step picks whose next bound may depend on what it picked before.
std::vector<unsigned> picked(StepContext<NoEvent>& cx, const std::vector<unsigned>& bounds, bool dependent) {
  std::vector<unsigned> out;
  for (const unsigned bound : bounds) {
    out.push_back(cx.pick(bound));
    if (dependent && out.back() == 0 && bound > 1) break;
  }
  return out;
}
}  // namespace

TEST_CASE("all vectors of choices come, once each, in order") {
  iomc::test::seeded("choices enumerate the product of their bounds", [](const std::vector<std::uint8_t>& raw) {
    std::vector<unsigned> bounds;
    std::size_t product = 1;
    for (std::size_t i = 0; i < raw.size() && i < 5; ++i) {
      bounds.push_back(1 + raw[i] % 4U);
      product *= bounds.back();
    }
    std::vector<std::vector<unsigned>> all;
    StepContext<NoEvent> cx;
    for_each_choice(cx, [&] { all.push_back(picked(cx, bounds, false)); });
    RC_ASSERT(all.size() == product);
    RC_ASSERT(std::is_sorted(all.begin(), all.end()));
    RC_ASSERT((std::set<std::vector<unsigned>>(all.begin(), all.end()).size()) == product);
    for (const auto& v : all)
      for (std::size_t i = 0; i < v.size(); ++i) RC_ASSERT(v[i] < bounds[i]);
  });
}

TEST_CASE("a choice may depend on the ones before it") {
  std::vector<std::vector<unsigned>> all;
  StepContext<NoEvent> cx;
  for_each_choice(cx, [&] { all.push_back(picked(cx, {2, 3, 2}, true)); });
  CHECK(all == std::vector<std::vector<unsigned>>{{0}, {1, 0}, {1, 1, 0}, {1, 1, 1}, {1, 2, 0}, {1, 2, 1}});
}

TEST_CASE("a step without choices runs once") {
  StepContext<NoEvent> cx;
  unsigned runs = 0;
  for_each_choice(cx, [&] { ++runs; });
  for_each_choice(cx, [&] { runs += 1 + cx.pick(1); });
  CHECK(runs == 2);
}

TEST_CASE("a step that asks differently the second time stops the program") {
  StepContext<NoEvent> cx;
  cx.pick(2);
  cx.begin();
  CHECK_THROWS_AS(cx.pick(3), InternalError);
  CHECK_THROWS_AS(cx.pick(0), InternalError);
}
