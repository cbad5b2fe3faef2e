// SPDX-License-Identifier: GPL-2.0-or-later
// Fairness: what a specification promises about steps that could be taken again and again. It is an optional part of a
// specification; only liveness properties ask for it.
//
//   fairness()                      the groups: a task, a lane, one step
//   fairness_of(state, instance)    the group that a step instance belongs to in a state, or no_fairness
//
// A group is enabled in a state if one of its step instances can be taken there, whatever it then picks.
//   weak    a group that is enabled in every state from some point on is taken again and again: a runnable task runs
//   strong  a group that is enabled again and again is taken again and again: a waiter gets a lock that is handed over
// A step outside all groups need never be taken: what a device or a user may do, it may leave undone. So a run may end
// where no group is enabled, and without fairness it may end anywhere. Nothing is promised about the choices of a step:
// each may be the one that it never picks.
#pragma once

#include <concepts>
#include <span>
#include <string>

#include "model/step.hpp"

namespace iomc::model {

enum class FairnessKind { weak, strong };

inline constexpr int no_fairness = -1;

struct FairnessInfo {
  std::string name;  ///< whose steps: "CPU0 task A", "hand-over of ctx->lock"
  FairnessKind kind = FairnessKind::weak;
};

template <class S>
concept FairSpecification =
    Specification<S> && requires(const S& spec, const typename S::State& state, unsigned instance) {
      { spec.fairness() } -> std::convertible_to<std::span<const FairnessInfo>>;
      { spec.fairness_of(state, instance) } -> std::convertible_to<int>;
    };

/// A specification that has only half of it, or has it with other types, would silently have no fairness at all.
template <class S>
inline constexpr bool fairness_is_whole =
    FairSpecification<S> || !(requires { &S::fairness; } || requires { &S::fairness_of; });

template <Specification S>
std::span<const FairnessInfo> fairness_of_spec(const S& spec) {
  static_assert(fairness_is_whole<S>, "fairness() and fairness_of(state, instance) go together");
  if constexpr (FairSpecification<S>)
    return spec.fairness();
  else
    return {};
}

/// The group of a step instance, or no_fairness.
template <Specification S>
int fairness_group(const S& spec, const typename S::State& state, unsigned instance) {
  if constexpr (FairSpecification<S>)
    return spec.fairness_of(state, instance);
  else
    return no_fairness;
}

}  // namespace iomc::model
