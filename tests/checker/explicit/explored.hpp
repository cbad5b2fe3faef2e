// SPDX-License-Identifier: GPL-2.0-or-later
// Shorthands of the explorer's tests.
#pragma once

#include <array>
#include <string>

#include "checker/explicit/explorer.hpp"

namespace iomc::test {

template <class Spec>
check::Exploration explored(const Spec& spec, const model::Property<Spec>& property, check::Limits limits = {}) {
  const std::array<model::Property<Spec>, 1> properties = {property};
  return check::explore<Spec>(spec, properties, std::move(limits));
}

/// Every field of a counterexample, so that "the same" means the same bytes.
inline std::string whole(const check::Counterexample& c) {
  std::string out = c.initial + "|" + c.path + "|" + c.conclusion + (c.confirmed ? "|confirmed" : "|not confirmed");
  if (c.loop_start) out += "|loop " + std::to_string(*c.loop_start) + " owed " + std::to_string(c.owed_from);
  for (const auto& group : c.fairness) out += "|" + group;
  for (const auto& s : c.steps) {
    out += "\n" + std::to_string(s.choice) + "|" + std::to_string(s.cpu) + "|" + s.context + "|" + s.step + "|" +
           s.function + "|" + s.file + "|" + s.what + "|" + s.locks;
    for (const auto& change : s.changes) out += "|" + change.field + ":" + change.before + ">" + change.after;
    for (const auto& [name, n] : s.cost) out += "|" + name + "=" + std::to_string(n);
  }
  return out;
}

}  // namespace iomc::test
