// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>

#include "checker/cli/command.hpp"
#include "checker/cli/common.hpp"
#include "checker/cli/interrupt.hpp"
#include "checker/cli/selection.hpp"

namespace iomc::cli {

namespace {

class Check : public Command {
 public:
  std::string name() const override { return "check"; }
  std::string summary() const override { return "check the properties of a specification on one kernel"; }
  std::string description() const override {
    return "Explores every interleaving of the specified kernel code within the sizes of each configuration, and says "
           "of "
           "each property whether it holds, is violated (with a shortest counterexample), or could not be decided. The "
           "report names the sizes: it claims nothing beyond them. Exit status 0: all hold; 1: something is violated; "
           "125: nothing is violated, but something is inconclusive; so that git bisect run iomc check ... works.";
  }
  std::string examples() const override {
    return "iomc check iova\n"
           "iomc check iova --kernel 6.1 --property iova.P9\n"
           "iomc check iova --set flush_on_32bit_failure=true --set cpus=2\n"
           "git bisect run iomc check iova --tree . --state-limit 10000000\n"
           "iomc check vmd --format ktap -o vmd.ktap";
  }
  std::vector<Argument> arguments() override {
    std::vector<Argument> out = {{"SPEC", "SPEC", "a specification from iomc list", &spec_, true}};
    for (auto& a : selection_.arguments()) out.push_back(std::move(a));
    out.push_back({"--property", "ID", "check this property only; may be given again", &properties_});
    out.push_back({"--table", "NAME", "print a table instead (iomc check SPEC --table '?' lists them)", &table_});
    out.push_back(
        {"--engine", "NAME",
         "explicit (default), symbolic or all (both, which must agree); random is not in this version", &engine_});
    out.push_back(
        {"--depth", "K", "symbolic: runs of at most K steps (default 25; with all: as deep as explored)", &depth_});
    out.push_back({"--effort", "N", "symbolic: Z3's rlimit for one configuration (default 300000000)", &effort_});
    return out;
  }
  Outcome run(const Common& common) override;

 private:
  void set_engine(check::CheckRequest& request) const;
  Outcome print_table(const check::System& system, const Selected& selected, const Common& common) const;

  std::string spec_;
  Selection selection_;
  std::vector<std::string> properties_;
  std::string table_;
  std::string engine_ = "explicit";
  std::string depth_;
  std::string effort_;
};

void Check::set_engine(check::CheckRequest& request) const {
  if (engine_ == "symbolic") request.engine = check::Engine::symbolic;
  else if (engine_ == "all") request.engine = check::Engine::all;
  else if (engine_ != "explicit")
    throw check::InputError("--engine " + engine_ +
                            (engine_ == "random" ? ": not in this version" : ": no such engine") +
                            "; use --engine explicit, symbolic or all");
  const bool bounded = request.engine != check::Engine::explorer;
  if (!bounded && !(depth_.empty() && effort_.empty()))
    throw check::InputError("--depth and --effort are for --engine symbolic or all");
  if (!depth_.empty()) request.depth = parse_count("--depth", depth_);
  if (!effort_.empty()) request.limit_effort = parse_count("--effort", effort_);
}

/// A tree with a fact that could not be read: nothing was explored, and every property says why.
check::RunResult undecided(const check::System& system, const Selected& selected) {
  check::RunResult out;
  out.spec = system.name();
  out.kernel = selected.request.kernel;
  for (const auto& fact : selected.request.facts)
    if (!fact.second.empty()) out.facts.push_back(fact);
  for (const auto& p : system.properties()) {
    const auto& wanted = selected.request.properties;
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), p.id) == wanted.end()) continue;
    check::PropertyResult r;
    r.property = p.id;
    r.claim = p.claim;
    r.reason = "unknown in this tree, give it with --set: " + joined(selected.unknown);
    out.results.push_back(std::move(r));
  }
  return out;
}

Outcome Check::print_table(const check::System& system, const Selected& selected, const Common& common) const {
  if (!selected.unknown.empty())
    throw check::InputError("--table: unknown in this tree, give it with --set: " + joined(selected.unknown));
  return {report::render(common.format, system.table(table_, selected.request), report_options(common))};
}

Outcome Check::run(const Common& common) {
  const check::System& system = check::find_system(spec_);
  Selected selected = select(system, selection_);
  for (const auto& word : properties_) selected.request.properties.push_back(property_id(system, word));
  set_limits(selected.request, common);
  set_engine(selected.request);
  if (!table_.empty()) return print_table(system, selected, common);
  const check::RunResult result =
      selected.unknown.empty() ? system.check(selected.request) : undecided(system, selected);
  report::Options options = report_options(common);
  options.sizes = selected.request.sizes;
  options.selection = selected.words;
  Outcome out{report::render(common.format, result, options)};
  bool undecided_left = result.results.empty();
  for (const auto& r : result.results) undecided_left |= r.verdict == check::Verdict::inconclusive;
  // What was found before a signal is in the report; whether it is all there is, nobody knows.
  if (undecided_left && (result.results.empty() || interrupted()))
    out.status = check::exit_inconclusive;
  else
    out.status = check::exit_status(result.results);
  return out;
}

}  // namespace

std::unique_ptr<Command> make_check_command() { return std::make_unique<Check>(); }

}  // namespace iomc::cli
