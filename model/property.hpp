// SPDX-License-Identifier: GPL-2.0-or-later
// Properties: what must hold, in the words of a kernel developer.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "model/fairness.hpp"

namespace iomc::model {

enum class PropertyKind { safety, completeness, performance, liveness };

/// Stable identity and prose of a property.
struct PropertyInfo {
  const char* id;      ///< "iova.P9"
  const char* claim;   ///< one line, kernel terms
  const char* why;     ///< what goes wrong for users if it fails
  const char* source;  ///< where the claim comes from
  PropertyKind kind;
};

/// A property of specification S. Either predicate may be null. `relevant` says that the property could have been
/// violated here (a grant for a property of grants): a property that was never relevant is reported as vacuous. Without
/// one every state, or every event, counts as relevant.
/// `explain` is asked only for a violation, and answers in one sentence.
template <class S>
struct Property {
  using State = typename S::State;
  using Event = typename S::Event;

  PropertyInfo info;
  bool (*holds_in)(const S&, const State&) = nullptr;
  bool (*relevant_in)(const S&, const State&) = nullptr;
  bool (*holds_on)(const S&, const State& before, const State& after, const Event&) = nullptr;
  bool (*relevant_on)(const Event&) = nullptr;
  std::string (*explain)(const S&, const State& before, const State& after, const Event*) = nullptr;
};

/// What a liveness property needs and the specified code does not give: a predicate that must hold again and again. It
/// has a property id of its own, under which a run that breaks it is reported as a failed assumption.
template <class S>
struct Assumption {
  std::string id;    ///< "vfio.L6"
  std::string text;  ///< one line: "no FIFO task that never blocks has the irq thread's CPU"
  std::function<bool(const S&, const typename S::State&)> holds_in;
};

/// Liveness: after every state in which `trigger` holds, and in it if not before, `goal` holds at some time, in every
/// run that is fair (model/fairness.hpp) and meets the assumptions. A run that ends with the goal outstanding violates
/// it, also where may_stop() says that it may: that nobody has anything left to do is how a lost interrupt looks.
/// Several with one id (one a vector, say) are one property: it holds if all of them do.
/// `explain` is asked only for a violation, and answers in one sentence: `owed` is the state since which the goal is
/// outstanding, `loop` the states that the run repeats for ever, or the one in which it ends.
template <class S>
struct LeadsTo {
  using State = typename S::State;
  using Predicate = std::function<bool(const S&, const State&)>;

  PropertyInfo info;  ///< kind liveness
  Predicate trigger;
  Predicate goal;
  std::vector<Assumption<S>> assumptions;
  std::function<std::string(const S&, const State& owed, std::span<const State> loop)> explain;
};

}  // namespace iomc::model
