// SPDX-License-Identifier: GPL-2.0-or-later
#include <fmt/format.h>

#include <algorithm>

#include "checker/review/review.hpp"

namespace iomc::check {

namespace {

std::string value_text(const std::optional<std::string>& v) { return v.value_or("unknown"); }

std::string facts_text(const Review& r) {
  if (r.facts_changed.empty()) return "facts changed: none\n";
  std::string out = "facts changed:\n";
  for (const FactChange& c : r.facts_changed) {
    out += fmt::format("  {}: {} -> {}\n    {}\n", c.name, value_text(c.before), value_text(c.after), c.what);
    out += fmt::format("    before: {}\n    after:  {}\n", c.where_before, c.where_after);
  }
  return out;
}

std::string unknown_text(const Review& r) {
  std::string out;
  for (const FactChange& c : r.unknown)
    if (c.before == c.after) out += fmt::format("  {}: {}\n", c.name, c.where_after);
  return out.empty() ? out : "facts unknown before and after:\n" + out;
}

std::string trace_text(const Counterexample& c) {
  std::string out;
  for (const TraceStep& s : c.steps) {
    const std::string cpu = s.cpu < 0 ? std::string("env") : fmt::format("CPU{}", s.cpu);
    out += fmt::format("      {} {}: {}{}{}\n", cpu, s.context, s.function.empty() ? s.step : s.function,
                       s.what.empty() ? "" : ": ", s.what);
    for (const TraceChange& f : s.changes) out += fmt::format("        {}: {} -> {}\n", f.field, f.before, f.after);
  }
  return out + fmt::format("      {}\n      path {}\n", c.conclusion, c.path);
}

std::string verdicts_text(const Review& r) {
  if (!r.checked) return fmt::format("verdicts: {}\n", r.reason);
  std::string out = "verdicts:\n";
  std::size_t same = 0;
  for (const PropertyPair& p : r.properties) {
    const bool open = p.before.verdict == Verdict::inconclusive || p.after.verdict == Verdict::inconclusive;
    if (!p.changed() && !open) {
      ++same;
      continue;
    }
    out += fmt::format("  {}: {} -> {}\n    {}\n", p.after.property, name(p.before.verdict), name(p.after.verdict),
                       p.after.claim);
    for (const PropertyResult* side : {&p.before, &p.after}) {
      const char* which = side == &p.before ? "before" : "after";
      const std::string& scope = side->verdict == Verdict::inconclusive ? side->reason : side->scope;
      if (!scope.empty()) out += fmt::format("    {}: {}\n", which, scope);
    }
    const auto& trace = p.after.verdict == Verdict::violated ? p.after.counterexample : p.before.counterexample;
    if (trace) out += trace_text(*trace);
  }
  return out + fmt::format("  {} of {} properties have the same verdict before and after\n", same, r.properties.size());
}

std::string costs_text(const Review& r) {
  if (!r.checked) return {};
  std::string out = "costs per operation:\n";
  for (const CostPair& c : r.costs)
    out += fmt::format("  {}: {}: {:g} -> {:g}{}\n", c.workload, c.event, c.before, c.after,
                       c.before == c.after ? " (same)" : "");
  return out;
}

std::string covered_text(const Review& r) {
  std::string out;
  if (!r.not_covered.empty()) out += "not covered:\n";
  for (const Uncovered& u : r.not_covered) {
    const std::string lines = u.first == 0 ? std::string() : fmt::format(":{}-{}", u.first, u.last);
    const std::string place = u.function.empty() ? std::string() : fmt::format(" ({})", u.function);
    out += fmt::format("  {}{}{}: {} [{}:{}]\n", u.file, lines, place, u.why, u.source, u.patch_line);
  }
  for (const std::string& f : r.no_code_changed) out += fmt::format("no code changed: {}\n", f);
  return out;
}

}  // namespace

std::string to_text(const Review& r) {
  std::string out = fmt::format("review of {} against {}\n", fmt::join(r.patches, ", "), r.tree);
  out += facts_text(r) + unknown_text(r) + verdicts_text(r) + costs_text(r) + covered_text(r);
  for (const std::string& n : r.notes) out += fmt::format("note: {}\n", n);
  return out + fmt::format("verdict: {}\n", r.verdict);
}

}  // namespace iomc::check
