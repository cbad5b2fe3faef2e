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
           "replayed. With --kernel, --tree or --set the path is tried on another kernel. Exit status 0: confirmed; "
           "1: refuted; 125: the path does not exist there.";
  }
  std::string examples() const override {
    return "iomc replay iova/iova.P9 0/2/2/5/1 --kernel 6.12\n"
           "iomc check iova --format json | iomc replay -\n"
           "iomc replay result.json --kernel 6.1";
  }
  std::vector<Argument> arguments() override {
    std::vector<Argument> out = {
        {"COUNTEREXAMPLE", "COUNTEREXAMPLE", "SPEC/PROPERTY, a JSON file, or -", &what_, true},
        {"PATH", "PATH", "numbers with / between them, and /loop or /end, after SPEC/PROPERTY", &path_},
    };
    for (auto& a : selection_.arguments()) out.push_back(std::move(a));
    return out;
  }
  Outcome run(const Common& common) override;

 private:
  Replayed replay_words() const;
  Replayed replay_recorded(const report::Recorded& recorded) const;
  bool selects_kernel() const { return !selection_.kernel.empty() || !selection_.tree.empty(); }

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
                const std::string& path) {
  Replayed out = planned(system, request.kernel, property, path);
  if (!request.configurations.empty()) out.configuration = request.configurations.front();
  try {
    out.counterexample = system.replay(request, property, path);
    out.outcome = out.counterexample->confirmed ? Replayed::Outcome::confirmed : Replayed::Outcome::refuted;
  } catch (const InputError& e) {
    out.reason = e.what();
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
  const Selected selected = select(system, selection_);
  if (!selected.unknown.empty())
    return unknown_facts(planned(system, selected.request.kernel, property, path_), selected);
  return follow(system, selected.request, property, path_);
}

Replayed Replay::replay_recorded(const report::Recorded& recorded) const {
  const check::System& system = check::find_system(recorded.spec);
  const std::string property = property_id(system, recorded.property);
  check::parse_route(recorded.path);
  Selection selection = selection_;
  if (selection.configurations.empty() && !recorded.configuration.empty())
    selection.configurations = {recorded.configuration};
  Replayed out = planned(system, recorded.kernel, property, recorded.path);
  try {
    if (!selects_kernel()) {
      // The record's own facts: its kernel may be a tree that is long gone.
      selection.sets.clear();
      for (const auto* list : {&recorded.facts, &recorded.sizes})
        for (const auto& [name, value] : *list) selection.sets.push_back(name + "=" + value);
      selection.sets.insert(selection.sets.end(), selection_.sets.begin(), selection_.sets.end());
    }
    Selected selected = select(system, selection);
    if (!selects_kernel()) selected.request.kernel = recorded.kernel;
    if (!selected.unknown.empty()) return unknown_facts(std::move(out), selected);
    return follow(system, selected.request, property, recorded.path);
  } catch (const InputError& e) {
    // What the command line asks for is checked first; the rest is a record this version cannot follow.
    if (selects_kernel() || !selection_.configurations.empty() || !selection_.sets.empty()) throw;
    out.reason = e.what();
    return out;
  }
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
