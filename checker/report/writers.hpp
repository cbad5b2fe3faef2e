// SPDX-License-Identifier: GPL-2.0-or-later
// The writers behind report::render. Internal to checker/report/.
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

/// A violated result as the lines a maintainer reads: lanes, what went wrong, how to replay it.
std::string violation_text(const std::string& spec, const check::PropertyResult& result, const Options& options);

/// "two-cpus: 41318 states, 98112 transitions, depth 23": the data behind one property's verdict.
std::string size_text(const check::PropertyResult& result);

/// Sums over all explorations, for --stats.
struct Totals {
  std::uint64_t states = 0;
  double seconds = 0;
  std::uint64_t peak_memory_bytes = 0;
  std::uint64_t states_per_second() const;
};
Totals totals(const check::RunResult& run);

}  // namespace iomc::report
