// SPDX-License-Identifier: GPL-2.0-or-later
// Reachable states to compare two readings of a specification at: the first ones of an exploration, and a random walk.
#pragma once

#include <catch2/catch.hpp>
#include <cstdio>
#include <random>
#include <vector>

#include "checker/explicit/replay.hpp"
#include "checker/explicit/storage.hpp"

namespace iomc::test {

template <class Spec>
class Sampled {
 public:
  using State = typename Spec::State;

  explicit Sampled(const Spec& spec) : spec_(spec) {}

  /// Breadth first, until there are `wanted`.
  Sampled& explored(std::size_t wanted) {
    check::any_initial(spec_, [&](const State& s) { return visit(s), false; });
    for (std::size_t i = 0; i < states_.size() && states_.size() < wanted; ++i) {
      const State from = states_[i];
      check::any_successor(spec_, from, [&](const check::Taken<Spec>& t) { return visit(t.after), false; });
    }
    return *this;
  }

  /// Along one run, with any enabled step taken next. The seed is Catch2's: --rng-seed N.
  Sampled& walked(std::size_t steps) {
    std::mt19937 random(Catch::rngSeed());
    State now = states_.front();
    for (std::size_t i = 0; i < steps; ++i) {
      std::vector<State> next;
      check::any_successor(spec_, now, [&](const check::Taken<Spec>& t) { return next.push_back(t.after), false; });
      if (next.empty()) now = states_.front();
      else now = next[random() % next.size()];
      visit(now);
    }
    return *this;
  }

  const std::vector<State>& states() const { return states_; }

 private:
  void visit(const State& s) {
    if (seen_.insert(s).fresh) states_.push_back(s);
  }

  const Spec& spec_;
  check::StorageFor<State> seen_;
  std::vector<State> states_;
};

}  // namespace iomc::test
