// SPDX-License-Identifier: GPL-2.0-or-later
#include <filesystem>

#include "checker/cli/command.hpp"
#include "checker/cli/common.hpp"
#include "checker/cli/output.hpp"
#include "checker/cli/selection.hpp"
#include "checker/explicit/lasso.hpp"
#include "checker/report/recorded.hpp"

namespace iomc::cli {

namespace {

using check::InputError;
using report::Replayed;

class Replay : public Command {
 public:
  std::string name() const override { return "replay"; }
  std::string summary() const override { return "follow a counterexample again, step by step"; }
  std::string description() const override {
    return "Follows a path on the specification, without the search that found it, and says whether the property is "
           "violated at its end, or by what it repeats for ever. COUNTEREXAMPLE is SPEC/PROPERTY with a PATH as a "
           "report prints it, or the JSON of an earlier run (- for standard input), of which every counterexample is "
           "replayed. With --kernel or --set the path is tried on another kernel. With --tree the same interleaving "
           "then runs on the kernel code of DIR (a source directory, or a linux-source-*.tar.xz), which is compiled "
           "for it: a C compiler must be there; so far this is done for iova. Exit status 0: confirmed; 1: refuted; "
           "125: the path does not exist there, or cannot be followed on code.";
  }
  std::string examples() const override {
    return "iomc replay iova/iova.P9 0/2/2/5/1 --kernel 6.12\n"
           "iomc check iova --format json | iomc replay -\n"
           "iomc replay result.json --kernel 6.1\n"
           "iomc replay result.json --tree /usr/src/linux-source-6.12.tar.xz";
  }
  std::vector<Argument> arguments() override {
    std::vector<Argument> out = {
        {"COUNTEREXAMPLE", "COUNTEREXAMPLE", "SPEC/PROPERTY, a JSON file, or -", &what_, true},
        {"PATH", "PATH", "numbers with / between them, and /loop or /end, after SPEC/PROPERTY", &path_},
    };
    for (auto& a : selection_.arguments()) {
      if (a.names == "--tree") a.help = "run it on the kernel code in DIR; without --kernel, with its facts";
      out.push_back(std::move(a));
    }
    return out;
  }
  Outcome run(const Common& common) override;

 private:
  Replayed replay_words() const;
  Replayed replay_recorded(const report::Recorded& recorded) const;
  bool selects_kernel() const { return !selection_.kernel.empty(); }

  std::string what_;
  std::string path_;
  Selection selection_;
};

/// Not replayed yet: what is to be followed.
Replayed planned(const check::System& system, const std::string& kernel, const std::string& property,
                 const std::string& path) {
  Replayed out;
  out.spec = system.name();
  out.kernel = kernel;
  out.property = property;
  out.claim = claim_of(system, property);
  out.path = path;
  return out;
}

/// Follows the path; that it does not exist on this kernel is an answer, not a wrong call.
Replayed follow(const check::System& system, const check::CheckRequest& request, const std::string& property,
                const std::string& path, const std::string& tree) {
  Replayed out = planned(system, request.kernel, property, path);
  if (!request.configurations.empty()) out.configuration = request.configurations.front();
  try {
    out.counterexample = system.replay(request, property, path);
    out.outcome = out.counterexample->confirmed ? Replayed::Outcome::confirmed : Replayed::Outcome::refuted;
  } catch (const InputError& e) {
    out.reason = e.what();
    return out;
  }
  if (tree.empty() || !out.counterexample->confirmed) return out;
  // A tree that cannot be read, or no compiler, is a wrong call.
  const check::CodeReplay on_code = system.replay_on_code(request, property, path, tree);
  if (on_code.text.empty()) return out;  // of this system only the specification is there
  out.code = tree;
  out.reason = on_code.text;
  switch (on_code.outcome) {
    case check::CodeReplay::Outcome::confirmed: out.outcome = Replayed::Outcome::confirmed; break;
    case check::CodeReplay::Outcome::refuted: out.outcome = Replayed::Outcome::refuted; break;
    case check::CodeReplay::Outcome::not_replayable: out.outcome = Replayed::Outcome::not_replayable; break;
  }
  return out;
}

Replayed unknown_facts(Replayed out, const Selected& selected) {
  out.kernel = selected.request.kernel;
  out.reason = "unknown in this tree, give it with --set: " + joined(selected.unknown);
  return out;
}

Replayed Replay::replay_words() const {
  const std::size_t slash = what_.find('/');
  if (slash == std::string::npos)
    throw InputError("replay " + what_ + " " + path_ + ": expected SPEC/PROPERTY before the path, as in iova/iova.P9");
  const check::System& system = check::find_system(what_.substr(0, slash));
  const std::string property = property_id(system, what_.substr(slash + 1));
  check::parse_route(path_);  // a path that is none is a wrong call
  // With both the facts are the kernel's and the code is the tree's.
  Selection selection = selection_;
  if (!selection.kernel.empty()) selection.tree.clear();
  const Selected selected = select(system, selection);
  if (!selected.unknown.empty())
    return unknown_facts(planned(system, selected.request.kernel, property, path_), selected);
  return follow(system, selected.request, property, path_, selection_.tree);
}

/// A fact of a record. InputError if this version has none of that name; its value is checked where it is used.
void set_fact(const check::System& system, const std::string& name, const std::string& value,
              std::vector<check::NamedValue>& facts) {
  for (auto& fact : facts)
    if (fact.first == name) {
      fact.second = value;
      return;
    }
  std::vector<check::NamedValue> none;
  system.set(name, value, facts, none);  // says that there is none of that name
}

Replayed Replay::replay_recorded(const report::Recorded& recorded) const {
  const check::System& system = check::find_system(recorded.spec);
  const std::string property = property_id(system, recorded.property);
  check::parse_route(recorded.path);
  Selection selection = selection_;
  selection.tree.clear();
  if (selection.configurations.empty() && !recorded.configuration.empty())
    selection.configurations = {recorded.configuration};
  Replayed out = planned(system, recorded.kernel, property, recorded.path);
  Selected selected;
  try {
    if (!selects_kernel()) selection.sets.clear();
    selected = select(system, selection);
    if (!selects_kernel()) {
      // The record's own facts: its kernel may be a tree that is long gone. A name may be that of a fact and of a size.
      selected.request.kernel = recorded.kernel;
      for (const auto& [name, value] : recorded.facts) set_fact(system, name, value, selected.request.facts);
      for (const auto& [name, value] : recorded.sizes)
        system.set(name, value, selected.request.facts, selected.request.sizes);
      for (const std::string& set : selection_.sets) {
        const std::size_t equals = set.find('=');
        if (equals == std::string::npos) throw InputError("--set " + set + ": expected NAME=VALUE, as in --set cpus=2");
        system.set(set.substr(0, equals), set.substr(equals + 1), selected.request.facts, selected.request.sizes);
      }
    }
  } catch (const InputError& e) {
    // What the command line asks for is checked first; the rest is a record this version cannot follow.
    if (selects_kernel() || !selection_.configurations.empty() || !selection_.sets.empty()) throw;
    out.reason = e.what();
    return out;
  }
  if (!selected.unknown.empty()) return unknown_facts(std::move(out), selected);
  return follow(system, selected.request, property, recorded.path, selection_.tree);
}

/// SPEC/PROPERTY, not a file in a folder.
bool names_property(const std::string& what) {
  for (const auto& system : check::systems())
    if (what.starts_with(system->name() + "/")) return !std::filesystem::exists(what);
  return false;
}

Outcome Replay::run(const Common& common) {
  std::vector<Replayed> replayed;
  if (!path_.empty()) {
    replayed.push_back(replay_words());
  } else {
    if (names_property(what_)) throw InputError("replay " + what_ + ": PATH is missing, as in 0/2/2/5/1");
    const std::string file = what_ == "-" ? "standard input" : what_;
    const auto records = report::read_recorded(read_input(what_), file);
    if (records.empty()) throw InputError(file + ": it has no counterexample; nothing to replay");
    for (const auto& r : records) replayed.push_back(replay_recorded(r));
  }
  Outcome out{report::render(common.format, replayed, report_options(common))};
  for (const auto& r : replayed) {
    if (r.outcome == Replayed::Outcome::refuted) out.status = check::exit_violated;
    if (r.outcome == Replayed::Outcome::not_replayable && out.status == check::exit_holds)
      out.status = check::exit_inconclusive;
  }
  return out;
}

}  // namespace

std::unique_ptr<Command> make_replay_command() { return std::make_unique<Replay>(); }

}  // namespace iomc::cli
