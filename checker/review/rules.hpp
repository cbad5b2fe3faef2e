// SPDX-License-Identifier: GPL-2.0-or-later
// The rules that read facts: the .cocci files of checker/review/facts, built into the program, and those of the user.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace iomc::check {

/// A kernel file that rules look at.
struct RuleRead {
  std::string file;
  std::vector<std::string> only;  ///< the definitions that spatch is given of it; empty: all
};

/// "// WORD: NAME = VALUE" and "// flags: NAME=WORD …" of a rule file.
using RuleWord = std::pair<std::string, std::string>;

struct RuleFile {
  std::string system;  ///< "iova": the folder it lies in
  std::string name;    ///< "tree.cocci"
  std::string text;
  std::vector<RuleRead> reads;          ///< "// reads: FILE FILE(definition,definition) …"
  std::vector<RuleRead> reads_in_some;  ///< "// reads in some kernels: FILE …": not in all that can be read
  std::vector<RuleWord> not_in_source;  ///< "// not in source: FACT = VALUE": what nobody but the user can say
  /// "// without FILE: FACT = VALUE": of a tree that does not have the file.
  std::map<std::string, std::vector<RuleWord>> without;
  std::vector<RuleWord> flags;          ///< "// flags: NAME=WORD …": how a value "#flags" is spelled, in this order
};

/// Every rule file of a system, by name. Files of `folder` (if not empty) are added; one with the name of a built-in
/// file replaces it. InputError if the system has no rules, or a file does not say what it reads.
std::vector<RuleFile> rules_for(const std::string& system, const std::filesystem::path& folder);

/// The isomorphisms all rules are matched under.
std::string rule_isomorphisms();

namespace builtin {

struct Text {
  std::string_view system;
  std::string_view name;
  std::string_view text;
};

/// Generated from the folder at build time; the isomorphisms are the entry without a system.
const std::vector<Text>& rule_texts();

}  // namespace builtin

}  // namespace iomc::check
