// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/cli/command.hpp"
#include "checker/cli/interrupt.hpp"
#include "checker/cli/line_editor.hpp"
#include "checker/cli/output.hpp"
#include "checker/cli/prompt.hpp"

namespace iomc::cli {

namespace {

class Explore : public Command {
 public:
  std::string name() const override { return "explore"; }
  std::string summary() const override { return "the prompt: questions, and runs made step by step"; }
  std::string description() const override {
    return "Reads commands, one a line: load a specification and a kernel, set facts and sizes, check, prove, ask, and "
           "go through a run step by step, forwards and back. 'help' lists them. iomc alone is the same. On a terminal "
           "lines are edited, completed (Tab) and kept; elsewhere a script is read from standard input. Ctrl-C stops a "
           "command, not the prompt. Exit status: 129 if a line was wrong, else 1 if something was violated, else 125 "
           "if something was inconclusive, else 0.";
  }
  std::string examples() const override {
    return "iomc\n"
           "iomc explore iova --kernel 6.12 --config lazy\n"
           "printf 'load iova 6.1\\ncheck P3\\ngoto P3\\n' | iomc";
  }
  std::vector<Argument> arguments() override {
    std::vector<Argument> out = {{"SPEC", "SPEC", "a specification from iomc list", &spec_}};
    for (auto& a : selection_.arguments()) out.push_back(std::move(a));
    return out;
  }
  Outcome run(const Common&) override {
    Prompt prompt(spec_, selection_);
    LineEditor editor(history_file(), [&](const std::string& line) { return prompt.completions(line); });
    outlive_interrupts(editor.interactive());
    if (editor.interactive()) write_stdout("iomc: 'help' lists the commands, 'quit' ends\n");
    while (const auto line = editor.line())
      if (!prompt.run(*line)) break;
    return {{}, prompt.status()};
  }

 private:
  std::string spec_;
  Selection selection_;
};

}  // namespace

std::unique_ptr<Command> make_explore_command() { return std::make_unique<Explore>(); }

}  // namespace iomc::cli
