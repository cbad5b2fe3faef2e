// SPDX-License-Identifier: GPL-2.0-or-later
// Facts read from kernel source by Coccinelle. A fact that no rule could read, or that two rules read differently, is
// unknown; nothing is ever defaulted.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "checker/review/source_tree.hpp"
#include "checker/system.hpp"

namespace iomc::check {

struct FactRead {
  std::string name;
  std::optional<std::string> value;  ///< nullopt: unknown
  std::string where;                 ///< "drivers/iommu/iova.c:61"; where unknown, the place looked at and why
  std::string file;                  ///< kernel file of that place
  unsigned line = 0;                 ///< 0: there is no such place
  std::string function;              ///< function or definition that line is in; may be empty
};

struct FactReading {
  std::string tree;             ///< as it was given
  std::vector<FactRead> facts;  ///< in the order of System::fact_texts

  bool complete() const;                   ///< no fact is unknown
  std::vector<NamedValue> values() const;  ///< of the known facts
  const FactRead* find(const std::string& name) const;
};

struct ReadOptions {
  std::filesystem::path rules;  ///< a folder of further .cocci files; one with a built-in name replaces it
};

/// Old files are names and headers that recent kernels do not have, or do not keep facts in.
enum class OldFiles : unsigned char { no, yes };

/// The kernel files that facts of a system are read from: the specified ones first, then what the rules read besides.
std::vector<std::string> files_read(const System& system, const ReadOptions& options = {},
                                    OldFiles old = OldFiles::yes);

/// Reads all facts of a system from a source directory or a linux-source-*.tar.xz. InputError if a specified file is
/// missing there, or spatch is, or a rule cannot be parsed.
FactReading read_facts(const std::filesystem::path& tree, const System& system, const ReadOptions& options = {});

/// As above, from texts. A missing file makes its facts unknown.
FactReading read_facts(const FileTexts& files, const System& system, const ReadOptions& options = {});

/// One line a fact: name, value, place.
std::string to_text(const FactReading& reading);

}  // namespace iomc::check
