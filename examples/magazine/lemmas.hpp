// SPDX-License-Identifier: GPL-2.0-or-later
// The claim about the magazine cache as an inductive invariant: what it takes, besides the declared ranges, to prove
// it.
#pragma once

#include <vector>

#include "checker/symbolic/induct.hpp"
#include "examples/magazine/magazine.hpp"

namespace iomc::examples::magazine {

template <unsigned K>
using MagazineLemma = check::symbolic::Lemma<Spec<model::Concrete, K>, Spec<check::Symbolic, K>>;

template <unsigned K>
std::vector<MagazineLemma<K>> lemmas_of() {
  return {
      {"no address is in two places", [](const auto& spec, const auto& s) { return one_place(spec, s); }},
      {"what is cached or granted is in the tree",
       [](const auto& spec, const auto& s) { return kept_in_tree(spec, s); }},
      {"what is in the tree is cached or granted", [](const auto& spec, const auto& s) { return none_lost(spec, s); }},
      {"a depot magazine is full", [](const auto& spec, const auto& s) { return depot_full_or_empty(spec, s); }},
  };
}

}  // namespace iomc::examples::magazine
