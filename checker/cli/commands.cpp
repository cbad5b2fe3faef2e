// SPDX-License-Identifier: GPL-2.0-or-later
// To add a command: write command_NAME.cpp, declare its make function in command.hpp, add it here and to
// CMakeLists.txt.
#include "checker/cli/command.hpp"

namespace iomc::cli {

std::vector<std::unique_ptr<Command>> commands() {
  std::vector<std::unique_ptr<Command>> out;
  out.push_back(make_explore_command());
  out.push_back(make_list_command());
  out.push_back(make_explain_command());
  out.push_back(make_check_command());
  out.push_back(make_prove_command());
  out.push_back(make_ask_command());
  out.push_back(make_replay_command());
  out.push_back(make_facts_command());
  out.push_back(make_review_command());
  out.push_back(make_cost_command());
  return out;
}

const std::vector<std::string>& later_commands() {
  static const std::vector<std::string> names = {"trace", "ci", "export"};
  return names;
}

}  // namespace iomc::cli
