// SPDX-License-Identifier: GPL-2.0-or-later
// The report of a proof, as text and as iomc.prove/1 (docs/prove.schema.json).
#include <cstdio>

#include "checker/proofs/proofs.hpp"
#include "checker/report/json_parts.hpp"
#include "checker/report/plain.hpp"

namespace iomc::check::proofs {

namespace {

using report::hanging;
using report::Json;

std::string fields(const std::vector<model::FieldText>& all) {
  std::string out;
  for (const auto& f : all) out += (out.empty() ? "" : ", ") + f.name + "=" + f.value;
  return out;
}

std::string changes(const std::vector<model::FieldChange>& all) {
  std::string out;
  for (const auto& c : all) out += (out.empty() ? "" : ", ") + c.name + ": " + c.before + " -> " + c.after;
  return out.empty() ? "nothing" : out;
}

/// The step that breaks something, and the state before it.
std::string step_text(const Attempt& a, std::size_t width) {
  std::string out;
  if (!a.step.empty()) out += hanging("  step    ", a.step + " breaks: " + a.failing, width);
  const std::string rest = a.step.empty() ? "" : "as in the first initial state, but: ";
  out += hanging("  before  ", rest + fields(a.before), width);
  if (!a.step.empty()) out += hanging("  changes ", changes(a.changes), width);
  return out;
}

std::string scope_sentence(const Attempt& a) {
  std::string out = "proved for unbounded runs at sizes: " + a.scope;
  if (!a.open.empty()) out += "; for all values of what is left open: " + a.open;
  return out;
}

}  // namespace

std::string text(const Result& r, const WriteOptions& options) {
  const std::size_t w = options.width;
  std::string out = r.spec + ", kernel " + r.kernel + "\n\n";
  out += hanging(r.property + ": ", r.claim, w) + "\n";
  for (const Attempt& a : r.attempts) {
    out += hanging(std::string(name(a.outcome)) + "  ", "configuration " + a.configuration, w);
    if (a.outcome == Outcome::proved) {
      out += hanging("  scope   ", scope_sentence(a), w);
      out += hanging("  by      ", a.method + ", " + std::to_string(a.paths) + " paths", w);
    } else {
      out += hanging("  sizes   ", a.scope + (a.open.empty() ? "" : "; left open: " + a.open), w);
      if (!a.reason.empty()) out += hanging("  reason  ", a.reason, w);
    }
    for (const auto& i : a.invariants) out += hanging("  with    ", i, w);
    if (a.mined > 0)
      out += hanging("  mined   ", std::to_string(a.kept) + " of " + std::to_string(a.mined) +
                                       " candidates from " + std::to_string(a.searched) +
                                       " explored states are invariants", w);
    if (a.induction_fails)
      out += "\n" + hanging("", "counterexample to induction (not a run of the kernel: the state before may be "
                                "unreachable)", w) + step_text(a, w);
    if (a.outcome == Outcome::violated && !a.violation)
      out += "\n" + hanging("", "counterexample: a step from an initial state, replayed on the specification", w) +
             step_text(a, w);
    if (a.violation) {
      report::Options o;
      o.width = options.width;
      o.stats = options.stats;
      out += "\n" + hanging("", "counterexample, found by the explorer and replayed", w) +
             report::render(report::Format::text, *a.violation, o);
    }
    out += "\n";
  }
  for (const Attempt& a : r.attempts) {
    out += hanging("solver: ", a.solver + " " + a.logic + ", seed " + std::to_string(r.seed) + ", rlimit used " +
                                   std::to_string(a.rlimit) + ", " + std::to_string(a.checks) + " checks, " +
                                   std::to_string(a.conflicts) + " conflicts, " + std::to_string(a.decisions) +
                                   " decisions (" + a.configuration + ")", w);
    if (options.stats) {
      char seconds[40];
      std::snprintf(seconds, sizeof seconds, "%.1f s\n", a.seconds);
      out += seconds;
    }
  }
  out += std::string(name(overall(r))) + "\n";
  return out;
}

std::string json(const Result& r, const WriteOptions& options) {
  Json out;
  out["schema"] = "iomc.prove/1";
  out["spec"] = r.spec;
  out["kernel"] = r.kernel;
  out["property"] = r.property;
  out["claim"] = r.claim;
  out["verdict"] = name(overall(r));
  out["facts"] = report::words_json(r.facts);
  out["attempts"] = Json::array();
  for (const Attempt& a : r.attempts) {
    Json j;
    j["configuration"] = a.configuration;
    j["outcome"] = name(a.outcome);
    j["method"] = a.method;
    j["scope"] = a.scope;
    j["open"] = a.open;
    j["reason"] = a.reason;
    j["invariants"] = a.invariants;
    j["mined"] = {{"candidates", a.mined}, {"kept", a.kept}, {"states", a.searched}};
    j["paths"] = a.paths;
    const bool at_once = a.outcome == Outcome::violated && !a.violation;
    if (a.induction_fails || at_once) {
      Json step;
      step["failing"] = a.failing;
      step["step"] = a.step;
      Json before = Json::object();
      for (const auto& f : a.before) before[f.name] = f.value;
      step["before"] = before;
      Json changed = Json::object();
      for (const auto& c : a.changes) changed[c.name] = {{"before", c.before}, {"after", c.after}};
      step["changes"] = changed;
      j[at_once ? "violating_step" : "counterexample_to_induction"] = step;
    }
    if (a.violation)
      for (const auto& result : a.violation->results)
        if (result.counterexample) j["violation"] = report::result_json(r.spec, result, {});
    j["solver"] = {{"version", a.solver},       {"logic", a.logic},         {"seed", r.seed},
                   {"rlimit", a.rlimit},        {"checks", a.checks},       {"conflicts", a.conflicts},
                   {"decisions", a.decisions}};
    if (options.stats) j["stats"] = {{"seconds", a.seconds}};
    out["attempts"].push_back(j);
  }
  return report::dump(out);
}

}  // namespace iomc::check::proofs
