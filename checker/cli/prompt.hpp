// SPDX-License-Identifier: GPL-2.0-or-later
// The prompt: what is loaded (a specification, a kernel, what is set), and a run that is made step by step. Commands of
// the program are run as on the command line, with what is loaded put in.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "checker/cli/selection.hpp"
#include "checker/walk.hpp"

namespace iomc::cli {

/// A command of the prompt's own.
struct PromptCommand {
  const char* name;
  const char* arguments;
  const char* help;  ///< one line
};

class Prompt {
 public:
  /// Loads `spec`, if it is not empty, with the selection. InputError as from `iomc check`.
  Prompt(const std::string& spec, Selection selection);

  /// Runs one line; false where it ends the session. Never throws: what is wrong is said on stderr.
  bool run(const std::string& line);

  /// The statuses of all lines as one: 129 for bad input, then 1, then 125, else 0.
  int status() const { return status_; }

  /// The words that may stand where the last word of `line` stands.
  std::vector<std::string> completions(const std::string& line) const;

 private:
  using Words = std::vector<std::string>;

  bool run_own(const std::string& name, const Words& arguments);
  void run_program(Words words);
  /// With what is loaded, after the first `begin` words.
  Words with_selection(const Words& words, std::size_t begin) const;
  Words question(const Words& words) const;
  void note(int status);

  void load(const Words& arguments);
  void set(const Words& arguments);
  void unset(const Words& arguments);
  void choose_configuration(const Words& arguments);
  void settings() const;
  void facts(const Words& arguments) const;
  void help(const Words& arguments) const;

  void start(const Words& arguments);
  void enabled();
  void step(const Words& arguments);
  void back(const Words& arguments);
  void forward(const Words& arguments);
  void go_to(const Words& arguments);
  void state(const Words& arguments);
  void show_run();
  check::Walk& walk();
  void say_where();

  const check::System& system() const;
  check::CheckRequest request() const;

  std::string spec_;
  Selection selection_;
  std::unique_ptr<check::Walk> walk_;
  std::vector<std::uint64_t> undone_;  ///< choices that `forward` takes again, the next one last
  bool ended_ = false;
  int status_ = 0;
};

}  // namespace iomc::cli
