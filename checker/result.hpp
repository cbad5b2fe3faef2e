// SPDX-License-Identifier: GPL-2.0-or-later
// Results: what the engines say and the reports print. No engine type appears here.
#pragma once

#include <cstdint>
#include <exception>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace iomc::check {

enum class Verdict { holds, violated, inconclusive };

/// Exit statuses of the program (git bisect run's vocabulary).
enum ExitStatus { exit_holds = 0, exit_violated = 1, exit_inconclusive = 125, exit_usage = 129 };

/// Bad input: one line that names the file, the line where there is one, and the remedy. Exit status 129.
class InputError : public std::exception {
 public:
  explicit InputError(std::string message) : message_(std::move(message)) {}
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string message_;
};

struct TraceChange {
  std::string field;
  std::string before;
  std::string after;
};

struct TraceStep {
  unsigned choice = 0;        ///< index among the enabled successors of the state before: the replay path
  int cpu = -1;               ///< -1: the environment
  std::string context;        ///< "task A", "hardirq", "softirq timer"
  std::string step;           ///< stable step name
  std::string function;       ///< kernel function
  std::string file;           ///< kernel file
  std::string what;           ///< one line
  std::string locks;          ///< locks this context holds after the step; empty if none
  std::vector<TraceChange> changes;
  std::vector<std::pair<std::string, std::uint64_t>> cost;  ///< events of this step, name and number
};

struct Counterexample {
  std::string initial;             ///< index of the initial state, as the first number of the path
  std::vector<TraceStep> steps;
  std::string path;                ///< "0/2/2/5/1": initial state, then one choice a step; "0/2/loop/5/1", "0/2/end"
  std::string conclusion;          ///< what went wrong, in a sentence
  bool confirmed = false;          ///< the independent replayer reached the same violation

  // Of a liveness property only.
  std::optional<std::size_t> loop_start;  ///< steps before those that repeat for ever; all of them: the run ends there
  std::size_t owed_from = 0;              ///< steps before the goal is outstanding for good
  std::vector<std::string> fairness;      ///< whom the loop is fair to, and how
};

/// What one engine says of a property, where several were asked.
struct EngineVerdict {
  std::string engine;
  Verdict verdict = Verdict::inconclusive;
  std::uint64_t depth = 0;  ///< of its counterexample, or of what it looked at
  std::string reason;       ///< why inconclusive
};

struct PropertyResult {
  std::string property;
  std::string claim;
  std::string configuration;  ///< the scenario that decided it
  Verdict verdict = Verdict::inconclusive;
  std::string scope;          ///< "exhaustive: cpus=2 …", "counted run: …"
  std::string reason;         ///< why inconclusive
  std::string counted;        ///< a property of counted runs: what was counted against each bound
  bool vacuous = false;       ///< nothing explored could have violated it
  bool examined = true;       ///< bounded checking: not one of those that it cannot read
  std::vector<std::string> assumes;        ///< holds only where these do: ids of properties that are assumptions
  std::vector<std::string> assumption_of;  ///< an assumption: the properties that need it; violated: they fail with it
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::uint64_t depth = 0;
  std::vector<EngineVerdict> engines;  ///< of --engine all
  std::optional<Counterexample> counterexample;
};

struct StepCoverage {
  std::string step;
  std::uint64_t fired = 0;
};

struct Stats {
  double seconds = 0;
  std::uint64_t peak_memory_bytes = 0;
};

/// What a solver did, in its own measures: the same for the same input and the same solver on every machine.
struct Solving {
  std::string solver;  ///< name and version
  std::string logic;
  unsigned random_seed = 0;
  std::uint64_t rlimit = 0;
  std::uint64_t conflicts = 0;
  std::uint64_t decisions = 0;
  std::uint64_t checks = 0;
  // The relation: paths of all steps, how many they were merged into, fields that are not constants, rounds until the
  // fields' values were closed.
  std::uint64_t paths = 0;
  std::uint64_t kept = 0;
  std::uint64_t fields = 0;
  std::uint64_t rounds = 0;
  double enumeration_seconds = 0;
};

/// One exploration (one configuration).
struct Exploration {
  std::string engine = "explicit";
  std::string configuration;
  std::string scope;
  bool complete = false;
  std::string reason;  ///< why not complete
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::uint64_t depth = 0;
  std::vector<StepCoverage> coverage;  ///< in the order of the specification's step table
  std::vector<PropertyResult> results;
  std::optional<Solving> solving;  ///< of the symbolic engine
  Stats stats;
};

/// One run of `iomc check`: one object of the JSON report.
struct RunResult {
  std::string spec;
  std::string kernel;                                       ///< "6.12", or the tree's path as given
  std::vector<std::pair<std::string, std::string>> facts;   ///< name, value
  std::vector<Exploration> explorations;
  std::vector<PropertyResult> results;                      ///< one a property: violated wins, then inconclusive
  std::vector<std::string> never_fired;                     ///< steps that fired in no configuration
};

/// A table that one command makes: verdicts over kernels, decisions over configurations.
struct Table {
  std::string spec;
  std::string name;   ///< as asked for
  std::string title;  ///< one line
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  ///< as many cells as columns
  std::vector<std::string> notes;              ///< what the reader must know; how many cases were judged
};

inline const char* name(Verdict v) {
  switch (v) {
    case Verdict::holds: return "holds";
    case Verdict::violated: return "violated";
    case Verdict::inconclusive: break;
  }
  return "inconclusive";
}

/// Merges explorations into one result a property: violated wins, then inconclusive, then a holds that was not vacuous.
std::vector<PropertyResult> merge(const std::vector<Exploration>& explorations);

/// Puts a result into such a list.
void merge_into(std::vector<PropertyResult>& results, const PropertyResult& result);

/// The exit status of a list of results.
ExitStatus exit_status(const std::vector<PropertyResult>& results);

}  // namespace iomc::check
