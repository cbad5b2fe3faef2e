// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/review/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "checker/result.hpp"
#include "checker/review/c_text.hpp"
#include "checker/review/source_tree.hpp"

namespace iomc::check {

namespace {

constexpr std::string_view reads_mark = "// reads:";
constexpr std::string_view reads_old_mark = "// reads-old:";

RuleFile make_rule_file(const std::string& system, const std::string& name, std::string text) {
  RuleFile out{system, name, std::move(text), {}, {}};
  for (const std::string_view line : lines_of(out.text)) {
    const bool old = line.starts_with(reads_old_mark);
    if (!old && !line.starts_with(reads_mark)) continue;
    std::istringstream files{std::string(line.substr(old ? reads_old_mark.size() : reads_mark.size()))};
    for (std::string file; files >> file;) (old ? out.reads_old : out.reads).push_back(file);
  }
  if (out.reads.empty())
    throw InputError(fmt::format("{}: no line \"{} FILE…\": name the kernel files the rules read", name, reads_mark));
  return out;
}

}  // namespace

std::vector<RuleFile> rules_for(const std::string& system, const std::filesystem::path& folder) {
  std::map<std::string, RuleFile> out;
  for (const builtin::Text& t : builtin::rule_texts())
    if (t.system == system)
      out.insert_or_assign(std::string(t.name), make_rule_file(system, std::string(t.name), std::string(t.text)));
  if (!folder.empty()) {
    std::error_code error;
    if (!std::filesystem::is_directory(folder, error))
      throw InputError(fmt::format("{}: no such folder of rules", folder.string()));
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      const std::string name = entry.path().filename().string();
      if (entry.path().extension() == ".cocci")
        out.insert_or_assign(name, make_rule_file(system, name, read_file(entry.path())));
    }
  }
  if (out.empty()) throw InputError(fmt::format("there are no rules that read the facts of {}", system));
  std::vector<RuleFile> sorted;
  for (auto& [name, rules] : out) sorted.push_back(std::move(rules));
  return sorted;
}

std::string rule_isomorphisms() {
  for (const builtin::Text& t : builtin::rule_texts())
    if (t.system.empty()) return std::string(t.text);
  return {};
}

}  // namespace iomc::check
