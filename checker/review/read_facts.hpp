// SPDX-License-Identifier: GPL-2.0-or-later
// Facts read from kernel source by Coccinelle. A fact that no rule could read, or that two rules read differently, is
// unknown; nothing is defaulted, except what no source says (how a kernel was built and booted) and what a driver does
// that is not there.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "checker/review/source_tree.hpp"
#include "checker/system.hpp"

namespace iomc::check {

/// Where a rule matched.
struct FactPlace {
  std::string file;
  unsigned line = 0;
  std::string function;  ///< function or definition that line is in; empty for a declaration outside any
};

struct FactRead {
  std::string name;
  std::optional<std::string> value;  ///< nullopt: unknown
  std::string where;                 ///< "drivers/iommu/iova.c:61"; where unknown, the place looked at and why
  std::string file;                  ///< kernel file of that place
  unsigned line = 0;                 ///< 0: there is no such place
  std::string function;              ///< function or definition that line is in; may be empty
  bool stated = false;               ///< no source says it: the value is the one that the rules give it
  std::vector<FactPlace> places = {};  ///< every place that says so, where it could be read
};

struct RuleRuns;  ///< what each rule file said about which texts

struct FactReading {
  std::string tree;             ///< as it was given
  std::vector<FactRead> facts;  ///< in the order of System::fact_texts
  std::shared_ptr<const RuleRuns> runs = nullptr;  ///< for ReadOptions::earlier

  bool complete() const;                   ///< no fact is unknown
  std::vector<NamedValue> values() const;  ///< of the known facts
  const FactRead* find(const std::string& name) const;
};

struct ReadOptions {
  std::filesystem::path rules;  ///< a folder of further .cocci files; one with a built-in name replaces it
  std::shared_ptr<const RuleRuns> earlier = nullptr;  ///< of another reading: what it ran over the same texts stands
};

/// The kernel files that facts of a system are read from: the specified ones first, then what the rules read besides.
std::vector<std::string> files_read(const System& system, const ReadOptions& options = {});

/// Those of them that every supported kernel has. Looking for the others costs a reading of a package to its end, and
/// is needed only where a fact is still unknown without them.
std::vector<std::string> files_read_first(const System& system, const ReadOptions& options = {});

/// Reads all facts of a system from a source directory or a linux-source-*.tar.xz. InputError if a specified file is
/// missing there, or spatch is, or a rule cannot be parsed.
FactReading read_facts(const std::filesystem::path& tree, const System& system, const ReadOptions& options = {});

/// As above for several systems: a package is unpacked once.
std::vector<FactReading> read_facts(const std::filesystem::path& tree, const std::vector<const System*>& systems,
                                    const ReadOptions& options = {});

/// As above, from texts. A missing file makes its facts unknown.
FactReading read_facts(const FileTexts& files, const System& system, const ReadOptions& options = {});

/// One line a fact: name, value, place.
std::string to_text(const FactReading& reading);

}  // namespace iomc::check
