// SPDX-License-Identifier: GPL-2.0-or-later
// Two engines on one configuration: what they say side by side, and that they do not contradict each other.
#pragma once

#include <string>
#include <vector>

#include "checker/result.hpp"
#include "checker/system.hpp"

namespace iomc::check {

/// Steps of the longest runs where neither --depth nor a complete exploration says how many.
inline constexpr std::uint64_t default_depth = 25;

/// The scope of a configuration, which begins with what an exploration covers, for runs of bounded length.
std::string bounded_scope(const std::string& exhaustive, const Exploration& bounded);

/// A liveness property: runs of bounded length say nothing about it.
void add_undecided(Exploration& e, const PropertyText& property);

/// InternalError if the two verdicts on some property cannot both be right, or its counterexamples differ in length.
void require_agreement(const Exploration& explored, const Exploration& bounded);

/// As merge(), for explorations in pairs: of each configuration what either engine decided, with both verdicts.
std::vector<PropertyResult> merge_engines(const std::vector<Exploration>& pairs);

}  // namespace iomc::check
