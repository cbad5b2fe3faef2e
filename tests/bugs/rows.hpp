// SPDX-License-Identifier: GPL-2.0-or-later
// Rows of bugs: a command that finds the violation on an affected kernel, and one that finds none on a fixed one.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>
#include <string>

#include "checker/system.hpp"

namespace iomc::bugs {

struct Row {
  const char* id;        ///< B: a bug that was fixed or never merged; N: a finding
  const char* what;
  const char* property;
  const char* affected;  ///< arguments of `iomc check SPEC`
  const char* fixed;     ///< empty: no kernel has a cure
  std::size_t steps;     ///< of the shortest counterexample; 0: not stated
};

/// "--kernel 6.12 --config x --set a=b" as a request.
inline check::CheckRequest request_of(const check::System& system, const std::string& arguments,
                                      const std::string& property) {
  check::CheckRequest r;
  std::istringstream words(arguments);
  std::string option;
  std::string value;
  std::vector<std::string> sets;
  while (words >> option >> value) {
    if (option == "--kernel") r.kernel = value;
    else if (option == "--config") r.configurations.push_back(value);
    else if (option == "--set") sets.push_back(value);
    else FAIL("row with an unknown option " << option);
  }
  r.facts = system.facts(r.kernel);
  for (const auto& s : sets) system.set(s.substr(0, s.find('=')), s.substr(s.find('=') + 1), r.facts, r.sizes);
  r.limit_states = 4000000;
  r.properties = {property};
  return r;
}

inline const check::PropertyResult& result_of(const check::RunResult& run, const std::string& property) {
  const auto r =
      std::find_if(run.results.begin(), run.results.end(), [&](const auto& x) { return x.property == property; });
  REQUIRE(r != run.results.end());
  return *r;
}

/// Runs both commands of a row. What holds must not hold vacuously, unless the fix takes the situation itself away.
inline void check_row(const check::System& system, const Row& row, bool may_be_vacuous = false) {
  INFO(row.id << ": " << row.what);
  const std::string command = "iomc check " + system.name() + " ";
  INFO("affected: " << command << row.affected << " --property " << row.property);
  const check::RunResult bad = system.check(request_of(system, row.affected, row.property));
  const check::PropertyResult& found = result_of(bad, row.property);
  CHECK(found.verdict == check::Verdict::violated);
  // Counted runs have no counterexample.
  CHECK(found.counterexample.has_value() == found.counted.empty());
  if (found.counterexample) {
    CHECK(found.counterexample->confirmed);
    if (row.steps != 0) CHECK(found.counterexample->steps.size() == row.steps);
  }
  if (*row.fixed == '\0') return;
  INFO("fixed: " << command << row.fixed << " --property " << row.property);
  const check::RunResult good = system.check(request_of(system, row.fixed, row.property));
  const check::PropertyResult& none = result_of(good, row.property);
  INFO(none.reason << (none.counterexample ? none.counterexample->conclusion : ""));
  CHECK(none.verdict == check::Verdict::holds);
  CHECK(none.vacuous == may_be_vacuous);
}

}  // namespace iomc::bugs
