// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/symbolic/agree.hpp"

namespace iomc::check::symbolic::detail {

void FlatRelation::add(unsigned instance, std::span<const Truth> condition, std::span<const unsigned> picks,
                       bool broken, std::span<const Value> after) {
  Flat flat{instance, {}, {picks.begin(), picks.end()}, broken, {}};
  for (const Truth& t : condition) {
    if (!t.value().symbolic()) {
      if (t.value().constant == 0) return;
      continue;
    }
    const std::size_t number = number_of(t.value().term);
    if (number >= index_of_node_.size()) index_of_node_.resize(number + number / 2 + 64, 0);
    if (index_of_node_[number] == 0) {
      conjuncts_.push_back(t);
      index_of_node_[number] = conjuncts_.size();
    }
    flat.condition.push_back(index_of_node_[number] - 1);
  }
  for (std::size_t i = 0; i < after.size(); ++i)
    if (after[i] != variables_[i]) flat.changes.push_back({i, after[i]});
  paths_.push_back(std::move(flat));
}

bool FlatRelation::holds(std::size_t conjunct) {
  signed char& known = known_[conjunct];
  if (known < 0) known = interpreter_(conjuncts_[conjunct].value()) != 0;
  return known != 0;
}

std::vector<Outcome> FlatRelation::successors(std::span<const std::uint64_t> before) {
  interpreter_.begin();
  for (std::size_t i = 0; i < variables_.size(); ++i)
    if (variables_[i].symbolic()) interpreter_.set(variables_[i].term, before[i]);
  known_.assign(conjuncts_.size(), -1);
  std::vector<Outcome> out;
  for (const Flat& path : paths_) {
    const auto fails = [&](std::size_t c) { return !holds(c); };
    if (std::any_of(path.condition.begin(), path.condition.end(), fails)) continue;
    Outcome o{path.instance, path.picks, path.broken, {}};
    if (!path.broken) {
      o.after.assign(before.begin(), before.end());
      for (const Change& c : path.changes) o.after[c.leaf] = interpreter_(c.value);
    }
    out.push_back(std::move(o));
  }
  return out;
}

namespace {

std::string list(std::span<const unsigned> picks) {
  std::string out;
  for (const unsigned p : picks) {
    if (!out.empty()) out += '/';
    out += std::to_string(p);
  }
  return out.empty() ? "none" : out;
}

std::string state_text(std::span<const Leaf> leaves, std::span<const std::uint64_t> numbers) {
  std::string out;
  for (std::size_t i = 0; i < leaves.size(); ++i)
    out += (i == 0 ? "" : " ") + leaves[i].name + "=" + std::to_string(numbers[i]);
  return out;
}

std::string effect(const Outcome& o, std::span<const Leaf> leaves, std::span<const std::uint64_t> before) {
  if (o.broken) return "an internal error";
  std::string out;
  for (std::size_t i = 0; i < leaves.size(); ++i)
    if (o.after[i] != before[i]) {
      if (!out.empty()) out += ", ";
      out += leaves[i].name + " " + std::to_string(before[i]) + "->" + std::to_string(o.after[i]);
    }
  return out.empty() ? "no change" : out;
}

}  // namespace

std::string first_difference(std::span<const Outcome> explorer, std::span<const Outcome> relation,
                             std::span<const Leaf> leaves, std::span<const std::uint64_t> before,
                             const std::function<std::string(unsigned)>& step_name) {
  std::size_t i = 0;
  while (i < explorer.size() && i < relation.size() && explorer[i] == relation[i]) ++i;
  if (i == explorer.size() && i == relation.size()) return {};
  const bool extra = i < relation.size() && (i == explorer.size() || relation[i] < explorer[i]);
  const Outcome& odd = extra ? relation[i] : explorer[i];
  std::string out = "only the " + std::string(extra ? "relation" : "explorer") + " takes " + step_name(odd.instance) +
                    ", picks " + list(odd.picks) + ", to: " + effect(odd, leaves, before);
  const auto others = extra ? explorer : relation;
  for (const Outcome& o : others)
    if (o.instance == odd.instance && o.picks == odd.picks)
      out += "; the other has: " + effect(o, leaves, before);
  return out + "\n  at " + state_text(leaves, before);
}

}  // namespace iomc::check::symbolic::detail
