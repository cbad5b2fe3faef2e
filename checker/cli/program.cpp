// SPDX-License-Identifier: GPL-2.0-or-later
// From the command line to a report and an exit status. The only file that sees CLI11.
#include "checker/cli/program.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <new>

#include "checker/cli/command.hpp"
#include "checker/cli/common.hpp"
#include "checker/cli/help.hpp"
#include "checker/cli/interrupt.hpp"
#include "checker/cli/output.hpp"
#include "model/check.hpp"

namespace iomc::cli {

namespace {

using check::InputError;
using Words = std::vector<std::string>;

void declare(CLI::App& app, const Argument& a) {
  // Required positionals are checked after parsing: CLI11's own message would not say how to go on.
  if (const auto* flag = std::get_if<bool*>(&a.target)) {
    app.add_flag(a.names, **flag)->multi_option_policy(CLI::MultiOptionPolicy::Throw);
  } else if (const auto* word = std::get_if<std::string*>(&a.target)) {
    app.add_option(a.names, **word)->type_name(a.value);
  } else {
    // One value each time the option is given; positionals take all that are left.
    auto* option = app.add_option(a.names, *std::get<Words*>(a.target));
    option->type_name(a.value);
    if (!a.positional()) option->allow_extra_args(false);
  }
}

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.pop_back();
  return text;
}

/// False if only help was asked for.
bool parse(Command& command, CommonWords& common, Words words) {
  CLI::App app;
  app.set_help_flag("-h,--help");
  const auto own = command.arguments();
  for (const auto& a : own) declare(app, a);
  for (const auto& a : common.arguments()) declare(app, a);
  std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
  try {
    app.parse(std::move(words));
  } catch (const CLI::CallForHelp&) {
    return false;
  } catch (const CLI::ParseError& e) {
    throw InputError(command.name() + ": " + one_line(e.what()) + " (iomc " + command.name() + " --help)");
  }
  for (const auto& a : own)
    if (a.required && std::get<std::string*>(a.target)->empty())
      throw InputError(command.name() + ": " + a.names + " is missing: " + a.help + " (iomc " + command.name() +
                       " --help)");
  return true;
}

/// kselftest knows "skipped" where git bisect knows "cannot be tested".
int mapped(int status, const Common& common) {
  constexpr int ksft_skip = 4;
  return common.ksft && status == check::exit_inconclusive ? ksft_skip : status;
}

int run(Command& command, Words words) {
  CommonWords common_words;
  if (!parse(command, common_words, std::move(words))) {
    write_stdout(command_help(command, common_words.arguments()));
    return check::exit_holds;
  }
  const Common common = common_words.parse(command.extra_formats());
  check_output(common.output);
  const Outcome outcome = command.run(common);
  if (common.output.empty())
    write_stdout(outcome.report);
  else
    write_output(common.output, outcome.report);
  return mapped(outcome.status, common);
}

int dispatch(Words words) {
  auto all = commands();
  if (words.empty()) words = {"explore"};
  std::string first = words.front();
  words.erase(words.begin());
  if (first == "help" && !words.empty()) {
    first = words.front();
    words = {"--help"};
  }
  if (first == "--help" || first == "-h" || first == "help") {
    write_stdout(program_help(all));
    return check::exit_holds;
  }
  if (first == "--version") {
    write_stdout("iomc " IOMC_VERSION "\n");
    return check::exit_holds;
  }
  Words names;
  for (const auto& command : all) {
    if (command->name() == first) return run(*command, std::move(words));
    names.push_back(command->name());
  }
  for (const auto& later : later_commands())
    if (later == first) throw InputError(first + ": not in this version; 'iomc --help' lists the commands");
  if (!first.empty() && first[0] == '-')
    throw InputError(first + ": options follow the command, as in iomc check iova --format json");
  throw InputError(first + ": no such command" + did_you_mean(first, names) + " (iomc --help)");
}

/// The checks of model/check.hpp say "internal error" themselves, after the place.
std::string without_marker(std::string what) {
  const std::string marker = "internal error: ";
  if (const std::size_t at = what.find(marker); at != std::string::npos) what.erase(at, marker.size());
  return what;
}

void complain(const std::string& message) { std::fprintf(stderr, "iomc: %s\n", one_line(message).c_str()); }

}  // namespace

int program(int argc, const char* const* argv) {
  handle_signals();
  return run_words(Words(argv + std::min(argc, 1), argv + argc));
}

int run_words(std::vector<std::string> words) {
  try {
    return dispatch(std::move(words));
  } catch (const InputError& e) {
    complain(e.what());
    return check::exit_usage;
  } catch (const std::bad_alloc&) {
    complain("out of memory, no result; give a --memory-limit to get the partial one");
    return check::exit_inconclusive;
  } catch (const std::exception& e) {
    complain("internal error: " + without_marker(e.what()) +
             ". This is a bug in iomc, not in your kernel: please report it with the command line");
    return exit_internal;
  }
}

}  // namespace iomc::cli
