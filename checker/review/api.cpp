// SPDX-License-Identifier: GPL-2.0-or-later
// What the program asks of this folder: facts of a tree, and reviews in three forms: patches, a range of commits, or a
// change told as facts.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <iterator>

#include "checker/process.hpp"
#include "checker/review/review.hpp"
#include "checker/review/review_api.hpp"
#include "checker/review/sides.hpp"
#include "checker/review/writers.hpp"

namespace iomc::review {

namespace {

using check::InputError;
using check::NamedValue;
using check::System;

template <class List, class T>
bool contains(const List& all, const T& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

/// The change, read but not applied.
struct Change {
  std::vector<check::Patch> patches;
  std::string range;                 ///< of commits, instead of patches
  std::vector<std::string> touched;  ///< paths; empty where the change is told as facts
  bool told() const { return patches.empty() && range.empty(); }
};

/// "A..B" that is no file. Parts of paths ("../x.patch", "a/../b") are none.
bool is_range(const std::string& word) {
  const auto dots = word.find("..");
  std::error_code error;
  if (dots == std::string::npos || std::filesystem::exists(word, error)) return false;
  const bool behind = dots == 0 || word[dots - 1] == '/';
  return !behind && (dots + 2 == word.size() || word[dots + 2] != '/');
}

std::vector<check::Patch> read_one(const std::string& word) {
  if (word == "-") {
    const std::string text{std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
    return check::read_patches(text, "standard input");
  }
  std::error_code error;
  if (!std::filesystem::exists(word, error))
    throw InputError(word + ": no such file; give a patch, an mbox, - for standard input, or a git range A..B");
  return check::read_patches(check::read_file(word), word);
}

check::ProcessResult git(const std::string& tree, std::vector<std::string> words) {
  words.insert(words.begin(), {"git", "-C", tree, "--no-pager"});
  return check::run_process({.argv = std::move(words), .package = "git", .directory = {}, .input = {}});
}

std::vector<std::string> touched_by_range(const std::string& range, const std::string& tree) {
  std::error_code error;
  if (!std::filesystem::is_directory(tree, error) || git(tree, {"rev-parse", "--git-dir"}).status != 0)
    throw InputError(fmt::format(
        "{}: is no file; as a range it needs --tree with a git repository, and {} is no git repository", range, tree));
  if (range.find("...") != std::string::npos) throw InputError(range + ": not a range: write A..B, with two dots");
  const check::ProcessResult r =
      git(tree, {"diff", "--no-ext-diff", "--no-renames", "--name-only", "--end-of-options", range, "--"});
  if (r.status != 0)
    throw InputError(fmt::format("{}: git in {} says: {}; give two commits of a git repository as A..B", range, tree,
                                 check::first_line(r.err)));
  std::vector<std::string> out;
  for (std::size_t at = 0; at < r.out.size();) {
    const std::size_t end = std::min(r.out.find('\n', at), r.out.size());
    out.push_back(r.out.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

Change read_change(const ReviewRequest& request) {
  Change out;
  const auto& words = request.patches;
  const auto range = std::find_if(words.begin(), words.end(), is_range);
  if (range != words.end()) {
    if (words.size() > 1) throw InputError(*range + ": a range is reviewed alone; leave the other patches out");
    out.range = *range;
    out.touched = touched_by_range(out.range, request.tree);
    return out;
  }
  if (std::count(words.begin(), words.end(), "-") > 1)
    throw InputError("review: - was given twice; standard input can be read once");
  for (const auto& word : words)
    for (auto& p : read_one(word)) out.patches.push_back(std::move(p));
  out.touched = check::paths_named(out.patches);
  return out;
}

std::string name_of_set(const std::string& set) {
  const std::size_t equals = set.find('=');
  if (equals == std::string::npos || equals == 0)
    throw InputError("--set " + set + ": expected NAME=VALUE, as in --set cpus=2");
  return set.substr(0, equals);
}

bool knows(const System& system, const std::string& name) {
  const auto named = [&](const auto& t) { return t.name == name; };
  const auto facts = system.fact_texts();
  const auto sizes = system.sizes();
  return std::any_of(facts.begin(), facts.end(), named) || std::any_of(sizes.begin(), sizes.end(), named);
}

/// Whether the change is any business of the system.
bool concerned(const System& system, const Change& change, const ReviewRequest& request) {
  if (change.told())
    return std::any_of(request.sets.begin(), request.sets.end(),
                       [&](const auto& s) { return knows(system, name_of_set(s)); });
  const auto files = system.files();
  return std::any_of(change.touched.begin(), change.touched.end(), [&](const auto& f) { return contains(files, f); });
}

std::vector<const System*> systems_for(const Change& change, const ReviewRequest& request) {
  std::vector<const System*> out;
  for (const auto& name : request.specs)
    if (const System* s = &check::find_system(name); !contains(out, s)) out.push_back(s);
  if (!out.empty()) return out;
  for (const auto& s : check::systems())
    if (concerned(*s, change, request)) out.push_back(s.get());
  // With one specification it is clear which was meant, and its own messages say what is wrong.
  if (out.empty() && check::systems().size() == 1) out.push_back(check::systems().front().get());
  if (!out.empty()) return out;
  std::string files;
  for (const auto& s : check::systems())
    for (const auto& f : s->files()) files += (files.empty() ? "" : ", ") + f;
  const std::string source = change.told() ? "--set " + request.sets.front() : request.patches.front();
  throw InputError(source + (change.told() ? ": no specification has a fact or size of that name; see: iomc list facts"
                                           : ": touches no specified file; specified are " + files));
}

/// What --set said, in the system's own words.
struct Told {
  std::vector<NamedValue> facts;
  std::vector<NamedValue> sizes;
};

Told told_of(const System& system, const std::vector<std::string>& sets, bool alone) {
  const auto kernels = system.kernels();
  Told out;
  std::vector<NamedValue> base = kernels.empty() ? std::vector<NamedValue>{} : system.facts(kernels.back().name);
  for (const auto& set : sets) {
    const std::string name = name_of_set(set);
    if (!alone && !knows(system, name)) continue;  // meant for another of the reviewed specifications
    const std::size_t sizes = out.sizes.size();
    system.set(name, set.substr(name.size() + 1), base, out.sizes);
    if (out.sizes.size() != sizes) continue;
    std::erase_if(out.facts, [&](const NamedValue& f) { return f.first == name; });
    for (const auto& f : base)
      if (f.first == name) out.facts.push_back(f);
  }
  return out;
}

void check_words(const System& system, const ReviewRequest& request) {
  for (const auto& word : request.limits.configurations) {
    std::string known;
    bool found = false;
    for (const auto& c : system.configurations()) {
      found = found || c.name == word;
      known += (known.empty() ? "" : ", ") + c.name;
    }
    if (!found)
      throw InputError(fmt::format("--config {}: {} has no such configuration; it has {}", word, system.name(), known));
  }
  const auto properties = system.properties();
  for (const auto& id : request.limits.properties) {
    const bool known = id == system.name() + ".deadlock" ||
                       std::any_of(properties.begin(), properties.end(), [&](const auto& p) { return p.id == id; });
    if (!known)
      throw InputError(
          fmt::format("--property {}: {} has no such property; see: iomc list properties", id, system.name()));
  }
}

template <class T>
void drop_repeated(std::vector<T>& words) {
  std::vector<T> once;
  for (auto& w : words)
    if (!contains(once, w)) once.push_back(std::move(w));
  words = std::move(once);
}

check::FactReading reading_of(const std::string& label, const std::string& where,
                              const std::vector<NamedValue>& facts) {
  check::FactReading out{label, {}};
  for (const auto& [name, value] : facts) out.facts.push_back({name, value, where, {}, 0, {}});
  return out;
}

check::Review review_told(const System& system, const ReviewRequest& request, const Told& told,
                          const check::CheckRequest& limits) {
  if (told.facts.empty())
    throw InputError("review: --set gives sizes only, so nothing changes; give the facts that the change is about");
  check::FactReading before = request.tree.empty()
                                  ? reading_of("kernel " + request.kernel, "kernel " + request.kernel + ", built in",
                                               system.facts(request.kernel))
                                  : check::read_facts(request.tree, system);
  check::FactReading after = before;
  std::vector<std::string> changes;
  for (const auto& [name, value] : told.facts) {
    changes.push_back(name + "=" + value);
    for (auto& f : after.facts)
      if (f.name == name) f = {name, value, "given with --set", {}, 0, {}};
  }
  return check::review_facts(before, after, changes, system, limits);
}

/// The words that replay a path under these facts: the built-in kernel nearest to them, and what differs from it. No
/// tree is needed, so the line works wherever the patched source went.
report::Options replay_options(const System& system, const check::FactReading& facts, const Told& told,
                               const std::string& kernel, const report::Options& options) {
  report::Options out = options;
  out.sizes = told.sizes;
  std::vector<std::string> best;
  std::vector<std::string> names;
  for (const auto& k : system.kernels()) names.push_back(k.name);
  if (!kernel.empty()) names.push_back(kernel);
  for (const auto& name : names) {
    std::vector<std::string> words = {"--kernel", name};
    const auto built_in = system.facts(name);
    for (const auto& f : facts.values())
      if (!contains(built_in, f)) words.insert(words.end(), {"--set", f.first + "=" + f.second});
    // Of two that are as near, the newer, and before all the one that was given.
    if (best.empty() || words.size() <= best.size()) best = std::move(words);
  }
  for (const auto& [name, value] : told.sizes) best.insert(best.end(), {"--set", name + "=" + value});
  out.selection = std::move(best);
  return out;
}

/// The builds to review besides the first: none where the build was told.
std::vector<check::Build> other_builds(const System& system, const ReviewRequest& request, const Told& told) {
  std::vector<check::Build> all = system.builds();
  if (all.empty()) return all;
  for (const auto& [name, value] : all.front().facts) {
    if (std::any_of(told.facts.begin(), told.facts.end(), [&](const auto& f) { return f.first == name; })) return {};
    if (request.kernel.empty()) continue;
    if (!contains(system.facts(request.kernel), NamedValue{name, value})) return {};
  }
  all.erase(all.begin());
  return all;
}

std::vector<Reviewed> review_one(const System& system, const Change& change, const ReviewRequest& request, bool alone,
                                 const report::Options& options) {
  const Told told = told_of(system, request.sets, alone);
  check::CheckRequest limits = request.limits;
  limits.sizes = told.sizes;
  if (!change.told()) limits.facts = told.facts;  // they stand in for what cannot be read
  drop_repeated(limits.configurations);
  drop_repeated(limits.properties);
  const Sides sides(system);
  Reviewed out;
  if (change.told())
    out.review = review_told(sides, request, told, limits);
  else if (!change.range.empty())
    out.review = check::review_range(change.range, request.tree, sides, limits);
  else
    out.review = check::review(change.patches, request.tree, sides, limits);
  const auto finish = [&](Reviewed& one, const Sides& asked) {
    one.runs = asked.answers();
    one.before = replay_options(system, one.review.before, told, request.kernel, options);
    one.after = replay_options(system, one.review.after, told, request.kernel, options);
  };
  finish(out, sides);
  std::vector<Reviewed> all = {out};
  const auto builds = other_builds(system, request, told);
  if (!builds.empty()) all.front().review.build = system.builds().front().name;
  for (const check::Build& build : builds) {
    const Sides again(system);
    Reviewed other;
    other.review = check::review_build(out.review, build, again, limits);
    finish(other, again);
    all.push_back(std::move(other));
  }
  return all;
}

/// "drivers/iommu/iova.c:91 (alloc_iova): no rule matches" is a place and a reason.
FactReading as_told(const check::FactRead& f) {
  if (f.value) return {f.name, f.value, f.where, ""};
  const std::string place = f.line == 0 ? f.file : f.file + ":" + std::to_string(f.line);
  const auto colon = f.where.find(": ");
  const bool begins = !f.file.empty() && f.where.starts_with(f.file) && colon != std::string::npos;
  if (!begins) return {f.name, std::nullopt, place, f.where};
  return {f.name, std::nullopt, f.where.substr(0, colon), f.where.substr(colon + 2)};
}

bool left_open(const std::vector<Reviewed>& all) {
  for (const auto& r : all)
    for (const auto& p : r.review.properties)
      if (change_word(p) == "inconclusive") return true;
  return false;
}

}  // namespace

std::vector<std::vector<FactReading>> read_facts(const std::string& tree, const std::vector<const System*>& systems) {
  std::vector<std::vector<FactReading>> out;
  for (const check::FactReading& reading : check::read_facts(tree, systems)) {
    out.emplace_back();
    for (const auto& f : reading.facts) out.back().push_back(as_told(f));
  }
  return out;
}

std::vector<FactReading> read_facts(const std::string& tree, const System& system) {
  return std::move(read_facts(tree, std::vector<const System*>{&system}).front());
}

ReviewOutcome review(const ReviewRequest& request, report::Format format, const report::Options& options) {
  const Change change = read_change(request);
  const auto systems = systems_for(change, request);
  // All words are looked at before the first minute of checking, not after it.
  for (const System* s : systems) {
    check_words(*s, request);
    told_of(*s, request.sets, systems.size() == 1);
    if (!request.kernel.empty()) s->facts(request.kernel);
  }
  std::vector<Reviewed> all;
  for (const System* s : systems)
    for (Reviewed& one : review_one(*s, change, request, systems.size() == 1, options)) all.push_back(std::move(one));
  ReviewOutcome out;
  out.report = render(format, all, options);
  out.status = overall(all);
  // What was found before a signal is in the report; whether it is all there is, nobody knows.
  const auto* signal = request.limits.interrupted;
  if (signal != nullptr && signal->load() && left_open(all)) out.status = check::exit_inconclusive;
  return out;
}

}  // namespace iomc::review
