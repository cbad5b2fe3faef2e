// SPDX-License-Identifier: GPL-2.0-or-later
// What a command is. Each is one file command_*.cpp with a make function, listed in commands.cpp. Commands declare
// their arguments as data: only program.cpp knows the library that parses them.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "checker/report/report.hpp"
#include "checker/result.hpp"

namespace iomc::cli {

/// Internal error: as if the program had called abort(), so that git bisect run stops.
inline constexpr int exit_internal = 134;

/// One argument. Names that begin with '-' make an option, any other name a positional.
struct Argument {
  std::string names;  ///< "-o,--output", "--kernel", "SPEC"
  std::string value;  ///< the word for its value in help texts; empty for a flag
  std::string help;
  std::variant<bool*, std::string*, std::vector<std::string>*> target;
  bool required = false;  ///< positionals only

  bool positional() const { return names[0] != '-'; }
};

/// The options every command takes, parsed.
struct Common {
  report::Format format = report::Format::text;
  std::string extra_format;  ///< one of the command's own: "csv"; empty: `format` is meant
  std::string output;  ///< empty: standard output
  std::uint64_t seed = 0;
  std::uint64_t threads = 1;
  double time_limit_seconds = 0;
  std::uint64_t memory_limit_bytes = 0;
  std::uint64_t state_limit = 0;
  bool stats = false;
  bool progress = false;
  bool ksft = false;
  unsigned width = 100;
  bool colour = false;
};

/// What a command leaves: the whole report, and the exit status in git bisect's vocabulary.
struct Outcome {
  std::string report;
  int status = check::exit_holds;
};

class Command {
 public:
  Command() = default;
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;
  virtual ~Command() = default;

  virtual std::string name() const = 0;
  virtual std::string summary() const = 0;      ///< one line for `iomc --help`
  virtual std::string description() const = 0;  ///< what a kernel developer needs to know to use it
  virtual std::string examples() const = 0;     ///< command lines, one a line
  virtual std::vector<Argument> arguments() = 0;
  /// What --format takes here beside the formats of every command.
  virtual std::vector<std::string> extra_formats() const { return {}; }
  virtual Outcome run(const Common& common) = 0;
};

/// All commands, in the order of `iomc --help`.
std::vector<std::unique_ptr<Command>> commands();

/// Commands whose names are taken, but which this version does not have.
const std::vector<std::string>& later_commands();

std::unique_ptr<Command> make_ask_command();
std::unique_ptr<Command> make_explore_command();
std::unique_ptr<Command> make_list_command();
std::unique_ptr<Command> make_explain_command();
std::unique_ptr<Command> make_check_command();
std::unique_ptr<Command> make_prove_command();
std::unique_ptr<Command> make_replay_command();
std::unique_ptr<Command> make_facts_command();
std::unique_ptr<Command> make_review_command();
std::unique_ptr<Command> make_cost_command();

}  // namespace iomc::cli
