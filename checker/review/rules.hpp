// SPDX-License-Identifier: GPL-2.0-or-later
// The rules that read facts: the .cocci files of checker/review/facts, built into the program, and those of the user.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace iomc::check {

struct RuleFile {
  std::string system;  ///< "iova": the folder it lies in
  std::string name;    ///< "tree.cocci"
  std::string text;
  std::vector<std::string> reads;      ///< kernel files, from its line "// reads: …"
  std::vector<std::string> reads_old;  ///< from "// reads-old: …": names and headers that matter to old kernels only
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
