// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/cli/help.hpp"

#include "checker/cli/common.hpp"
#include "checker/report/plain.hpp"

namespace iomc::cli {

namespace {

constexpr std::size_t width = 80;

std::string usage(Command& command) {
  std::string out = "usage: iomc " + command.name();
  for (const auto& a : command.arguments()) {
    if (!a.positional()) continue;
    const bool many = std::holds_alternative<std::vector<std::string>*>(a.target);
    const std::string word = a.names + (many ? "..." : "");
    out += a.required ? std::string(" ").append(word) : " [" + word + "]";
  }
  return out + " [OPTION]...\n";
}

std::string option_lines(const std::vector<Argument>& arguments, bool positional) {
  std::string out;
  for (const auto& a : arguments) {
    if (a.positional() != positional) continue;
    std::string names = a.names;
    if (const std::size_t comma = names.find(','); comma != std::string::npos) names.insert(comma + 1, 1, ' ');
    if (!positional && !a.value.empty()) names.append(" ").append(a.value);
    out += report::hanging(report::pad("  " + names, 25), a.help, width);
  }
  return out;
}

std::string indented(const std::string& lines) {
  std::string out = "  ";
  for (const char c : lines) out += c == '\n' ? std::string("\n  ") : std::string(1, c);
  return out + "\n";
}

}  // namespace

std::string program_help(const std::vector<std::unique_ptr<Command>>& all) {
  std::string out = "usage: iomc COMMAND [ARGUMENT]...\n\n";
  out += report::hanging("",
                         "Checks executable specifications of the Linux kernel's interrupt and DMA path: is this "
                         "code, or this patch, right?",
                         width);
  out += "\ncommands:\n";
  for (const auto& c : all) out += report::hanging(report::pad("  " + c->name(), 12), c->summary(), width);
  out += report::hanging("\nnot in this version: ", joined(later_commands()), width);
  out += "\nexamples:\n" + indented(
                               "iomc list properties\niomc explain iova.P9\niomc check iova --kernel 6.12\n"
                               "git bisect run iomc check iova --tree .");
  out += "\nexit status:\n";
  out +=
      "  0    all hold\n  1    something is violated\n  125  inconclusive, or interrupted (git bisect skips)\n"
      "  129  bad usage or bad input (git bisect stops)\n  134  internal error: please report it\n";
  return out + "\n'iomc COMMAND --help' says more about a command; see also iomc(1).\n";
}

std::string command_help(Command& command, const std::vector<Argument>& common) {
  const auto own = command.arguments();
  std::string out = usage(command) + "\n" + report::hanging("", command.description(), width);
  const std::string positionals = option_lines(own, true);
  const std::string options = option_lines(own, false);
  if (!positionals.empty()) out += "\narguments:\n" + positionals;
  if (!options.empty()) out += "\noptions:\n" + options;
  out += "\ncommon options:\n" + option_lines(common, false);
  return out + "\nexamples:\n" + indented(command.examples());
}

}  // namespace iomc::cli
