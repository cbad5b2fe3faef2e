// SPDX-License-Identifier: GPL-2.0-or-later
// Reports: a result as text, JSON, KTAP or JUnit XML. Pure functions of their arguments: the same result gives the same
// bytes. docs/formats.md describes each format; docs/counterexample.md is the legend of the text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "checker/result.hpp"

namespace iomc::report {

enum class Format { text, json, ktap, junit };

/// The format of that name, if this version writes it.
std::optional<Format> format_named(std::string_view name);

struct Options {
  unsigned width = 100;  ///< columns of the text report
  bool colour = false;   ///< escape sequences in the text report
  bool stats = false;    ///< times and memory; without them a report depends on its input only
  std::vector<std::pair<std::string, std::string>> sizes;  ///< sizes that were asked for with --set
  std::vector<std::string> selection;  ///< the words that select kernel, facts and sizes: the tail of a replay line
};

std::string render(Format format, const check::RunResult& run, const Options& options);

/// What following a recorded path showed.
struct Replayed {
  enum class Outcome { confirmed, refuted, not_replayable };
  std::string spec;
  std::string kernel;
  std::string property;
  std::string claim;
  std::string configuration;
  std::string path;
  Outcome outcome = Outcome::not_replayable;
  std::string reason;  ///< why not replayable; on kernel code: what was followed, or the first step that differs
  std::optional<check::Counterexample> counterexample;
  std::string code = {};  ///< the tree whose code it was followed on; empty: the specification only
};

const char* name(Replayed::Outcome outcome);

/// Text and JSON only; InputError for the formats of test results.
std::string render(Format format, const std::vector<Replayed>& replayed, const Options& options);

/// Text and JSON only; InputError for the formats of test results.
std::string render(Format format, const check::Table& table, const Options& options);

/// "iomc replay iova/iova.P9 0/2/2/5/1 --kernel 6.12 --config two-cpus"
std::string replay_line(const std::string& spec, const check::PropertyResult& result, const Options& options);

/// The verdict of a whole run: violated wins, then inconclusive. A run that checked nothing is inconclusive.
check::Verdict overall(const check::RunResult& run);

}  // namespace iomc::report
