// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/review/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "checker/result.hpp"
#include "checker/review/c_text.hpp"
#include "checker/review/source_tree.hpp"

namespace iomc::check {

namespace {

constexpr std::string_view reads_mark = "// reads:";
constexpr std::string_view reads_in_some_mark = "// reads in some kernels:";
constexpr std::string_view not_in_source_mark = "// not in source:";
constexpr std::string_view without_mark = "// without ";
constexpr std::string_view flags_mark = "// flags:";

std::vector<std::string> words_of(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::vector<std::string> out;
  for (std::string word; in >> word;) out.push_back(word);
  return out;
}

/// "FILE" or "FILE(definition,definition)".
RuleRead read_of(const std::string& word, const std::string& rules) {
  const auto open = word.find('(');
  if (open == std::string::npos) return {word, {}};
  if (!word.ends_with(')'))
    throw InputError(fmt::format("{}: \"{}\": write FILE(definition,definition) without blanks", rules, word));
  RuleRead out{word.substr(0, open), {}};
  std::istringstream names{word.substr(open + 1, word.size() - open - 2)};
  for (std::string name; std::getline(names, name, ',');) out.only.push_back(name);
  return out;
}

RuleFile make_rule_file(const std::string& system, const std::string& name, std::string text) {
  RuleFile out{system, name, std::move(text), {}, {}, {}, {}, {}};
  // Calls use(words) if the line begins with the mark.
  const auto marked = [](std::string_view line, std::string_view mark, auto use) {
    if (line.starts_with(mark)) use(words_of(line.substr(mark.size())));
  };
  for (const std::string_view line : lines_of(out.text)) {
    marked(line, reads_mark, [&](const auto& words) {
      for (const auto& w : words) out.reads.push_back(read_of(w, name));
    });
    marked(line, reads_in_some_mark, [&](const auto& words) {
      for (const auto& w : words) out.reads_in_some.push_back(read_of(w, name));
    });
    marked(line, not_in_source_mark, [&](const auto& words) {
      if (words.size() != 3 || words[1] != "=")
        throw InputError(fmt::format("{}: after \"{}\" write FACT = VALUE", name, not_in_source_mark));
      out.not_in_source.emplace_back(words[0], words[2]);
    });
    marked(line, without_mark, [&](const auto& words) {
      if (words.size() != 4 || !words[0].ends_with(':') || words[2] != "=")
        throw InputError(fmt::format("{}: write {}FILE: FACT = VALUE", name, without_mark));
      out.without[words[0].substr(0, words[0].size() - 1)].emplace_back(words[1], words[3]);
    });
    marked(line, flags_mark, [&](const auto& words) {
      for (const auto& w : words) {
        const auto equals = w.find('=');
        if (equals == std::string::npos)
          throw InputError(fmt::format("{}: after \"{}\" write NAME=WORD, without blanks", name, flags_mark));
        out.flags.emplace_back(w.substr(0, equals), w.substr(equals + 1));
      }
    });
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
