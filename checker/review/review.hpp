// SPDX-License-Identifier: GPL-2.0-or-later
// The review of a patch: the facts before and after it, what that does to the properties and to the costs, and which of
// its changes no fact covers.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "checker/result.hpp"
#include "checker/review/patch.hpp"
#include "checker/review/read_facts.hpp"
#include "checker/system.hpp"

namespace iomc::check {

struct FactChange {
  std::string name;
  std::string what;
  std::optional<std::string> before;  ///< nullopt: unknown
  std::optional<std::string> after;
  std::string where_before;
  std::string where_after;
};

/// One property on both sides.
struct PropertyPair {
  PropertyResult before;
  PropertyResult after;

  bool broken() const { return before.verdict == Verdict::holds && after.verdict == Verdict::violated; }
  bool repaired() const { return before.verdict == Verdict::violated && after.verdict == Verdict::holds; }
  bool changed() const { return before.verdict != after.verdict; }
};

struct CostPair {
  std::string workload;
  std::string event;
  double before = 0;
  double after = 0;
};

/// A change of code that no changed fact stands for.
struct Uncovered {
  std::string source;  ///< the patch
  unsigned patch_line = 0;
  std::string file;      ///< kernel file
  std::string function;  ///< or definition; empty: between functions
  unsigned first = 0;    ///< lines of the file after the patch (before it, where lines were only removed)
  unsigned last = 0;
  std::string why;
};

struct Review {
  std::string system;
  std::string tree;
  std::string build;                 ///< "preempt=rt"; empty where a system knows one build only
  std::vector<std::string> patches;  ///< subject, or file, in the order applied
  std::vector<std::string> notes;    ///< hunks that applied elsewhere, facts that were given instead of read
  FactReading before;
  FactReading after;
  std::vector<FactChange> facts_changed;
  std::vector<FactChange> unknown;  ///< facts that could not be read before or after
  bool checked = false;             ///< both sides were checked; else `reason` says why not
  std::string reason;
  std::vector<PropertyPair> properties;
  std::vector<CostPair> costs;
  std::vector<Uncovered> not_covered;
  std::vector<std::string>
      no_code_changed;  ///< files in which only comments, blanks, or the order of definitions changed
  std::string verdict;  ///< one line
  ExitStatus exit = exit_inconclusive;
};

/// Reviews patches, applied in order, against a tree: a source directory or a linux-source-*.tar.xz. Facts in `request`
/// stand in for those that cannot be read; the rest of it goes to System::check unchanged. InputError if a patch cannot
/// be read or applied, or if no patch touches a specified file.
Review review(const std::vector<Patch>& patches, const std::filesystem::path& tree, const System& system,
              const CheckRequest& request, const ReadOptions& options = {});

/// As above for a range of commits ("A..B") of a git repository: A is the tree before, B the tree after.
Review review_range(const std::string& range, const std::filesystem::path& repository, const System& system,
                    const CheckRequest& request, const ReadOptions& options = {});

/// As above for a change that is told, not read: `before` and `after` have a value or none for each fact. `changes` are
/// the words it was told in.
Review review_facts(const FactReading& before, const FactReading& after, const std::vector<std::string>& changes,
                    const System& system, const CheckRequest& request);

/// The same change, with these facts on both sides. Reads nothing again.
Review review_build(Review reviewed, const Build& build, const System& system, const CheckRequest& request);

/// Plain text: facts changed, verdicts, costs, what is not covered.
std::string to_text(const Review& review);

}  // namespace iomc::check
