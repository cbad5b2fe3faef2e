// SPDX-License-Identifier: GPL-2.0-or-later
// Properties: what must hold, in the words of a kernel developer.
#pragma once

#include <string>

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
/// violated here (a grant for a property of grants): a property that was never relevant is reported as vacuous.
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

}  // namespace iomc::model
