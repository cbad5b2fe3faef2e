// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/report/answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>


namespace iomc::report {

namespace {

using check::ask::Answer;
using check::ask::Found;

/// Rows of cells, each column as wide as its widest.
std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i == widths.size()) widths.push_back(0);
      widths[i] = std::max(widths[i], row[i].size());
    }
  std::string out;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) line += fmt::format("{:<{}}  ", row[i], widths[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

}  // namespace

std::string answer_text(const Answer& a, bool stats) {
  std::string out = fmt::format("{}, kernel {}{}\n{}\n\n", a.spec, a.kernel,
                                a.configuration.empty() ? "" : ", configuration " + a.configuration, a.question);
  if (!a.found.empty()) {
    std::vector<std::vector<std::string>> rows(1);
    const Found& first = a.found[0];
    if (first.at) rows[0].emplace_back("at");
    if (first.optimum) rows[0].emplace_back("value");
    for (const auto& [name, value] : first.values) rows[0].push_back(name);
    if (first.path) rows[0].emplace_back("path");
    for (const Found& f : a.found) {
      rows.emplace_back();
      if (first.at) rows.back().push_back(f.at ? std::to_string(*f.at) : "");
      if (first.optimum) rows.back().push_back(f.optimum ? std::to_string(*f.optimum) : "none");
      for (const auto& [name, value] : f.values) rows.back().push_back(value);
      if (f.path) rows.back().push_back(*f.path);
    }
    out += table(rows);
    if (a.found.size() > 1) out += fmt::format("{} answers\n", a.found.size());
  }
  if (!a.law.empty()) out += "law: " + a.law + "\n";
  switch (a.outcome) {
    case Answer::Outcome::answered: break;
    case Answer::Outcome::unsatisfiable: {
      out += "nothing: ";
      if (a.core.empty()) {
        out += "no condition is needed to exclude it\n";
      } else {
        std::string core;
        for (const auto& c : a.core) core += (core.empty() ? "" : "; ") + c;
        out += (a.core.size() == 1 ? "never: " : "these exclude each other: ") + core + "\n";
      }
      break;
    }
    case Answer::Outcome::unknown: out += a.found.empty() ? "unknown\n" : "unknown whether this is all\n"; break;
  }
  if (!a.reason.empty()) out += "because: " + a.reason + "\n";
  out += "about: " + a.covers + (a.scope.empty() ? "" : "; " + a.scope) + "\n";
  if (!a.solver.empty())
    out += fmt::format("{}, seed {}, {} checks, rlimit {}, {} conflicts, {} decisions\n", a.solver, a.seed, a.checks,
                       a.rlimit, a.conflicts, a.decisions);
  if (stats) out += fmt::format("{:.3f} s\n", a.seconds);
  return out;
}

std::string answer_json(const Answer& a, bool stats) {
  nlohmann::ordered_json out;
  out["schema"] = "iomc.answer/1";
  out["question"] = a.question;
  out["spec"] = a.spec;
  out["kernel"] = a.kernel;
  if (!a.configuration.empty()) out["configuration"] = a.configuration;
  out["scope"] = a.scope;
  out["engine"] = a.engine;
  out["covers"] = a.covers;
  out["outcome"] = check::ask::name(a.outcome);
  out["answers"] = nlohmann::ordered_json::array();
  for (const Found& f : a.found) {
    nlohmann::ordered_json one;
    if (f.at) one["at"] = *f.at;
    if (f.optimum) one["value"] = *f.optimum;
    one["values"] = nlohmann::ordered_json::object();
    for (const auto& [n, value] : f.values) one["values"][n] = value;
    if (f.path) one["path"] = *f.path;
    out["answers"].push_back(std::move(one));
  }
  out["core"] = a.core;
  if (!a.law.empty()) out["law"] = a.law;
  if (!a.reason.empty()) out["reason"] = a.reason;
  if (!a.solver.empty())
    out["solver"] = {{"name", a.solver},       {"random_seed", a.seed}, {"rlimit", a.rlimit},
                     {"conflicts", a.conflicts}, {"decisions", a.decisions}, {"checks", a.checks}};
  if (stats) out["stats"] = {{"seconds", a.seconds}};
  return out.dump(2) + "\n";
}

}  // namespace iomc::report
