// SPDX-License-Identifier: GPL-2.0-or-later
// The report of a review that a person reads: facts, verdicts, counterexamples, costs, gaps, and one line at the end.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "checker/report/plain.hpp"
#include "checker/report/writers.hpp"
#include "checker/review/writers.hpp"

namespace iomc::review {

namespace {

using check::PropertyPair;
using check::PropertyResult;
using check::Verdict;
using report::ascii;
using report::hanging;
using report::Options;
using report::pad;

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const auto& w : words) out += (out.empty() ? "" : ", ") + ascii(w);
  return out;
}

std::string title(const Reviewed& r, const Options& options) {
  return hanging(
      "", ascii(r.review.system) + ", review of " + joined(r.review.patches) + " against " + ascii(r.review.tree) +
              (r.review.build.empty() ? std::string() : ", built with " + ascii(r.review.build)),
      options.width);
}

std::string facts(const check::Review& r, const Options& options) {
  if (r.facts_changed.empty()) return "facts changed: none\n";
  std::string out = "facts changed:\n";
  for (const auto& c : r.facts_changed) {
    const std::string values = c.before.value_or("unknown") + " -> " + c.after.value_or("unknown");
    out += hanging("  " + ascii(c.name) + "  ", ascii(values), options.width);
    out += hanging("      ", ascii(c.what), options.width);
    out += hanging("      before: ", ascii(c.where_before), options.width);
    out += hanging("      after:  ", ascii(c.where_after), options.width);
  }
  return out;
}

/// A list under a heading, or nothing.
std::string section(const std::string& heading, const std::vector<std::string>& lines, const Options& options) {
  if (lines.empty()) return {};
  std::string out = "\n" + heading + "\n";
  for (const auto& line : lines) out += hanging("  ", line, options.width);
  return out;
}

std::string unknown(const check::Review& r, const Options& options) {
  std::vector<std::string> lines;
  for (const auto& f : r.unknown) lines.push_back(unknown_text(f));
  return section("facts unknown (give them with --set NAME=VALUE):", lines, options);
}

std::string verdict_word(const PropertyResult& r) {
  return r.verdict == Verdict::holds && r.vacuous ? "holds (vacuous)" : check::name(r.verdict);
}

std::string coloured(const std::string& padded, const PropertyResult& r, const Options& options) {
  if (!options.colour) return padded;
  const bool firm = r.verdict == Verdict::holds && !r.vacuous;
  const char* sgr = firm ? "\x1b[32m" : r.verdict == Verdict::violated ? "\x1b[1;31m" : "\x1b[33m";
  return sgr + padded + "\x1b[0m";
}

bool open(const PropertyPair& p) {
  return p.before.verdict == Verdict::inconclusive || p.after.verdict == Verdict::inconclusive;
}

/// The properties that are shown in full: broken first, then repaired, then what could not be decided.
std::vector<const PropertyPair*> shown(const check::Review& r) {
  std::vector<const PropertyPair*> out;
  for (const auto& p : r.properties)
    if (p.changed() || open(p)) out.push_back(&p);
  std::stable_sort(out.begin(), out.end(), [](const PropertyPair* a, const PropertyPair* b) {
    const auto rank = [](const PropertyPair& p) { return p.broken() ? 0 : p.repaired() ? 1 : 2; };
    return rank(*a) < rank(*b);
  });
  return out;
}

std::string verdict_table(const std::vector<const PropertyPair*>& pairs, const Options& options) {
  std::size_t word = 12;
  std::size_t id = 0;
  for (const auto* p : pairs) {
    word = std::max({word, verdict_word(p->before).size(), verdict_word(p->after).size()});
    id = std::max(id, p->after.property.size());
  }
  std::string out = pad("before", word + 1) + pad("after", word + 1) + "property\n";
  for (const auto* p : pairs) {
    const std::string before = pad(verdict_word(p->before), word + 1);
    const std::string after = pad(verdict_word(p->after), word + 1);
    const std::string name = pad(ascii(p->after.property), id + 2);
    // Wrapped without the escape sequences, which have no width.
    std::string lines = hanging(before + after + name, ascii(p->after.claim), options.width);
    lines.replace(0, before.size() + after.size(),
                  coloured(before, p->before, options) + coloured(after, p->after, options));
    out += lines;
    if (open(*p))
      out += hanging(std::string(before.size() + after.size() + name.size(), ' '), "reason: " + ascii(open_reason(*p)),
                     options.width);
  }
  return out;
}

/// What did not change, counted; what was wrong before and still is, by name.
std::string unchanged(const check::Review& r, const Options& options) {
  std::size_t hold = 0;
  std::vector<std::string> violated;
  std::vector<std::string> vacuous;
  for (const auto& p : r.properties) {
    if (p.changed() || open(p)) continue;
    if (p.after.verdict == Verdict::violated)
      violated.push_back(p.after.property);
    else
      ++hold;
    if (p.after.verdict == Verdict::holds && p.after.vacuous) vacuous.push_back(p.after.property);
  }
  std::string out = fmt::format("holds before and after: {}\n", hold);
  const std::string front = fmt::format("violated before and after: {}", violated.size());
  out += hanging("", violated.empty() ? front : front + " (" + joined(violated) + ")", options.width);
  if (!vacuous.empty())
    out += hanging("vacuous after: ", joined(vacuous) + " (nothing explored could have violated them)", options.width);
  return out;
}

std::string verdicts(const check::Review& r, const Options& options) {
  if (!r.checked) return "\n" + hanging("verdicts: ", ascii(r.reason), options.width);
  const auto pairs = shown(r);
  const std::string table = pairs.empty() ? "no property changes its verdict\n" : verdict_table(pairs, options);
  return "\n" + table + "\n" + unchanged(r, options);
}

const check::Exploration* exploration_of(const check::RunResult& run, const std::string& configuration) {
  for (const auto& e : run.explorations)
    if (e.configuration == configuration) return &e;
  return nullptr;
}

std::string states_of(const check::Exploration* e) {
  return e == nullptr ? "not there" : std::to_string(e->states) + (e->complete ? "" : "*");
}

/// What was explored on either side, and what that covers.
std::string explored(const Reviewed& r, const Options& options) {
  if (r.runs.size() < 2) return {};
  std::vector<std::string> names;
  std::size_t width = 13;
  for (const auto& run : r.runs)
    for (const auto& e : run.explorations)
      if (std::find(names.begin(), names.end(), e.configuration) == names.end()) names.push_back(e.configuration);
  if (names.empty()) return {};
  for (const auto& n : names) width = std::max(width, n.size());
  std::string table =
      fmt::format("\n{:<{}}  {:>13}  {:>13}\n", "configuration", width, "states before", "states after");
  std::string scopes;
  bool partial = false;
  for (const auto& n : names) {
    const auto* before = exploration_of(r.runs[0], n);
    const auto* after = exploration_of(r.runs[1], n);
    table += fmt::format("{:<{}}  {:>13}  {:>13}\n", ascii(n), width, states_of(before), states_of(after));
    partial = partial || (before != nullptr && !before->complete) || (after != nullptr && !after->complete);
    const auto* either = after != nullptr ? after : before;
    if (!either->scope.empty()) scopes += hanging("scope of " + ascii(n) + ": ", ascii(either->scope), options.width);
    if (before != nullptr && after != nullptr && before->scope != after->scope)
      scopes += hanging("  and before: ", ascii(before->scope), options.width);
  }
  if (partial) table += "*: ended early, its scope is not covered\n";
  return table + scopes;
}

std::string counterexamples(const Reviewed& r, const Options& options) {
  Options side = r.after;
  side.width = options.width;
  std::string out;
  for (const auto* p : shown(r.review))
    if (p->after.verdict == Verdict::violated) out += "\n" + report::violation_text(r.review.system, p->after, side);
  return out;
}

/// How far a ratio is from 1, either way; what was free or becomes free has changed most.
double change_of(const check::CostPair& c) {
  if (c.before == c.after) return 0;
  if (c.before <= 0 || c.after <= 0) return std::numeric_limits<double>::infinity();
  return std::abs(std::log(c.after / c.before));
}

std::string ratio_of(const check::CostPair& c) {
  return c.before > 0 ? fmt::format("x {:.3g}", c.after / c.before) : "new";
}

std::string costs(const check::Review& r, const Options& options) {
  if (!r.checked) return {};
  if (r.costs.empty())
    return "\n" + hanging("", "costs: no workload of " + ascii(r.system) + " is counted", options.width);
  std::vector<check::CostPair> sorted;
  for (const auto& c : r.costs)
    if (c.before != c.after) sorted.push_back(c);
  const std::size_t unchanged = r.costs.size() - sorted.size();
  if (sorted.empty())
    return "\n" + hanging("", fmt::format("costs: none of {} counted events changes", unchanged), options.width);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return change_of(a) > change_of(b); });
  std::size_t workload = 18;
  std::size_t event = 5;
  for (const auto& c : sorted) {
    workload = std::max(workload, c.workload.size());
    event = std::max(event, c.event.size());
  }
  std::string out = fmt::format("\n{:<{}}  {:<{}}  {:>12}  {:>12}  {:>9}\n", "cost per operation", workload, "event",
                                event, "before", "after", "ratio");
  for (const auto& c : sorted)
    out += fmt::format("{:<{}}  {:<{}}  {:>12.6g}  {:>12.6g}  {:>9}\n", ascii(c.workload), workload, ascii(c.event),
                       event, c.before, c.after, ratio_of(c));
  if (unchanged > 0) out += fmt::format("({} counted events do not change)\n", unchanged);
  return out;
}

std::string gaps(const check::Review& r, const Options& options) {
  std::vector<std::string> uncovered;
  std::vector<std::string> notes;
  for (const auto& u : r.not_covered) uncovered.push_back(uncovered_text(u));
  for (const auto& n : r.notes) notes.push_back(ascii(n));
  std::string out = section("not covered (no verdict above says anything about it):", uncovered, options);
  if (!r.no_code_changed.empty()) out += "\n" + hanging("no code changed: ", joined(r.no_code_changed), options.width);
  return out + section("notes:", notes, options);
}

std::string stats(const Reviewed& r) {
  std::string out;
  for (std::size_t i = 0; i < r.runs.size(); ++i) {
    const report::Totals t = report::totals(r.runs[i]);
    out += fmt::format("stats {}: {:.2f} s, {} states/s, peak memory {} bytes\n", i == 0 ? "before" : "after",
                       t.seconds, t.states_per_second(), t.peak_memory_bytes);
  }
  return out;
}

}  // namespace

std::string text_report(const std::vector<Reviewed>& all, const Options& options) {
  std::string out;
  for (const auto& one : all) {
    const check::Review& r = one.review;
    if (!out.empty()) out += "\n";
    out += title(one, options) + "\n" + facts(r, options) + unknown(r, options) + verdicts(r, options);
    out += explored(one, options) + counterexamples(one, options) + costs(r, options) + gaps(r, options) + "\n";
    if (options.stats) out += stats(one);
    out += hanging("verdict: ", review::verdict_word(r.exit) + ": " + ascii(r.verdict), options.width);
  }
  return out;
}

}  // namespace iomc::review
