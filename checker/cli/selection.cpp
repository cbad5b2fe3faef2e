// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/cli/selection.hpp"

#include <algorithm>

#include "checker/cli/common.hpp"
#include "checker/cli/interrupt.hpp"
#include "checker/cli/progress.hpp"
#include "checker/review/review_api.hpp"

namespace iomc::cli {

namespace {

using check::InputError;
using check::System;

/// The last kernel whose name is a release: no candidate, and no distribution's package.
std::string newest_kernel(const System& system) {
  const auto kernels = system.kernels();
  for (auto k = kernels.rbegin(); k != kernels.rend(); ++k)
    if (!k->name.empty() && k->name[0] >= '0' && k->name[0] <= '9' && k->name.find("-rc") == std::string::npos)
      return k->name;
  if (kernels.empty()) throw InputError(system.name() + " has no built-in kernel; give --tree DIR");
  return kernels.back().name;
}

struct Unknown {
  std::string name;
  std::string reason;
};

std::string some_value(const System& system, const std::string& fact) {
  for (const auto& [name, value] : system.facts(newest_kernel(system)))
    if (name == fact) return value;
  return {};
}

std::vector<Unknown> read_tree(const System& system, const std::string& tree, std::vector<check::NamedValue>& facts) {
  std::vector<Unknown> unknown;
  for (const auto& reading : review::read_facts(tree, system)) {
    // A fact without a value keeps its place, so that --set can give it one; until then some allowed value stands in,
    // because a system takes complete facts only.
    facts.emplace_back(reading.name, reading.value.value_or(some_value(system, reading.name)));
    if (!reading.value)
      unknown.push_back({reading.name, (reading.where.empty() ? "" : reading.where + ": ") + reading.reason});
  }
  return unknown;
}

std::string set_name(const std::string& set) {
  const std::size_t equals = set.find('=');
  if (equals == std::string::npos || equals == 0)
    throw InputError("--set " + set + ": expected NAME=VALUE, as in --set cpus=2");
  return set.substr(0, equals);
}

void check_configurations(const System& system, const std::vector<std::string>& wanted) {
  std::vector<std::string> names;
  for (const auto& c : system.configurations()) names.push_back(c.name);
  for (const auto& w : wanted)
    if (std::find(names.begin(), names.end(), w) == names.end())
      throw InputError("--config " + w + ": " + system.name() + " has no such configuration; it has " + joined(names));
}

}  // namespace

std::vector<Argument> Selection::arguments() {
  return {
      {"--kernel", "V", "a built-in kernel, as in 6.12 or debian-6.12 (default: the newest release)", &kernel},
      {"--tree", "DIR", "read the facts from the kernel source in DIR instead", &tree},
      {"--set", "NAME=VALUE", "set one fact or one size; may be given again", &sets},
      {"--config", "NAME", "explore this configuration only; may be given again", &configurations},
  };
}

Selected select(const System& system, const Selection& selection) {
  if (!selection.kernel.empty() && !selection.tree.empty()) throw InputError("--kernel and --tree: give one of them");
  Selected out;
  std::vector<Unknown> unknown;
  if (selection.tree.empty()) {
    out.request.kernel = selection.kernel.empty() ? newest_kernel(system) : selection.kernel;
    out.request.facts = system.facts(out.request.kernel);
    out.words = {"--kernel", out.request.kernel};
  } else {
    out.request.kernel = selection.tree;
    unknown = read_tree(system, selection.tree, out.request.facts);
    out.words = {"--tree", selection.tree};
  }
  for (const auto& set : selection.sets) {
    const std::string name = set_name(set);
    system.set(name, set.substr(name.size() + 1), out.request.facts, out.request.sizes);
    std::erase_if(unknown, [&](const Unknown& u) { return u.name == name; });
    out.words.insert(out.words.end(), {"--set", set});
  }
  for (const auto& u : unknown)
    for (auto& f : out.request.facts)
      if (f.first == u.name) f.second.clear();
  for (const auto& u : unknown) out.unknown.push_back(u.name + " (" + u.reason + ")");
  check_configurations(system, selection.configurations);
  out.request.configurations = selection.configurations;
  return out;
}

std::string property_id(const System& system, const std::string& word) {
  std::vector<std::string> ids;
  for (const auto& p : system.properties()) ids.push_back(p.id);
  ids.push_back(system.name() + ".deadlock");
  for (const auto& id : ids)
    if (word == id || system.name() + "." + word == id) return id;
  throw InputError(system.name() + " has no property " + word +
                   did_you_mean(word.find('.') == std::string::npos ? system.name() + "." + word : word, ids) +
                   " (iomc list properties)");
}

std::string claim_of(const System& system, const std::string& id) {
  for (const auto& p : system.properties())
    if (p.id == id) return p.claim;
  return "some step can be taken in every state that is not an end";
}

void set_limits(check::CheckRequest& request, const Common& common) {
  request.limit_states = common.state_limit;
  request.limit_memory_bytes = common.memory_limit_bytes;
  request.limit_seconds = common.time_limit_seconds;
  request.interrupted = &interrupted();
  if (common.progress) request.progress = progress_lines();
}

}  // namespace iomc::cli
