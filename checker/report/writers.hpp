// SPDX-License-Identifier: GPL-2.0-or-later
// The writers behind report::render, and what the writers of reviews share with them. Not for anybody else.
#pragma once

#include <string>
#include <vector>

#include "checker/report/report.hpp"

namespace iomc::report {

std::string text_report(const check::RunResult& run, const Options& options);
std::string json_report(const check::RunResult& run, const Options& options);
std::string ktap_report(const check::RunResult& run, const Options& options);
std::string junit_report(const check::RunResult& run, const Options& options);

std::string text_replay(const std::vector<Replayed>& replayed, const Options& options);
std::string json_replay(const std::vector<Replayed>& replayed, const Options& options);

std::string text_table(const check::Table& table, const Options& options);
std::string json_table(const check::Table& table);

/// A violated result as the lines a maintainer reads: lanes, what went wrong, how to replay it.
std::string violation_text(const std::string& spec, const check::PropertyResult& result, const Options& options);

/// "two-cpus: 41318 states, 98112 transitions, depth 23": the data behind one property's verdict.
std::string size_text(const check::PropertyResult& result);

/// "assumes vfio.L6", "a failed assumption of vfio.L1": what a result has to do with assumptions, or nothing.
std::string assumption_text(const check::PropertyResult& result);

inline constexpr unsigned log_width = 75;  ///< dmesg and mail

/// The name of a test: printable, and without '#', at which a description ends.
std::string ktap_name(const std::string& text);

/// Lines of text as diagnostic lines of a subtest.
std::string ktap_comment(const std::string& text);

/// Sums over all explorations, for --stats.
struct Totals {
  std::uint64_t states = 0;
  double seconds = 0;
  std::uint64_t peak_memory_bytes = 0;
  std::uint64_t states_per_second() const;
};
Totals totals(const check::RunResult& run);

}  // namespace iomc::report
