// SPDX-License-Identifier: GPL-2.0-or-later
// The report a person reads: a verdict a line, then what was explored, then the counterexamples.
#include <fmt/format.h>

#include <algorithm>

#include "checker/report/lanes.hpp"
#include "checker/report/plain.hpp"
#include "checker/report/writers.hpp"

namespace iomc::report {

namespace {

using check::PropertyResult;
using check::RunResult;
using check::Verdict;

std::string verdict_word(const PropertyResult& r) {
  return r.verdict == Verdict::holds && r.vacuous ? "holds (vacuous)" : check::name(r.verdict);
}

std::string coloured(const std::string& padded, const PropertyResult& r, const Options& options) {
  if (!options.colour) return padded;
  const bool firm = r.verdict == Verdict::holds && !r.vacuous;
  const char* sgr = firm ? "\x1b[32m" : r.verdict == Verdict::violated ? "\x1b[1;31m" : "\x1b[33m";
  return sgr + padded + "\x1b[0m";
}

std::string title(const RunResult& run, const Options& options) {
  std::string out = ascii(run.spec) + ", kernel " + ascii(run.kernel);
  // The selection repeats the kernel; what follows it are the changes to it.
  for (std::size_t i = 0; i + 1 < options.selection.size(); ++i)
    if (options.selection[i] == "--set") out += ", " + ascii(options.selection[i + 1]);
  return hanging("", out, options.width);
}

/// "explicit: violated in 6 steps; symbolic: violated in 6 steps"
std::string engines_text(const PropertyResult& r) {
  std::string out;
  for (const auto& e : r.engines) {
    out += (out.empty() ? "" : "; ") + e.engine + ": " + check::name(e.verdict);
    if (e.verdict == Verdict::violated) out += " in " + std::to_string(e.depth) + " steps";
    else if (e.verdict == Verdict::inconclusive) out += " (" + ascii(e.reason) + ")";
  }
  return out;
}

std::string verdict_lines(const RunResult& run, const Options& options) {
  std::size_t verdict_width = 12;
  std::size_t id_width = 0;
  for (const auto& r : run.results) {
    verdict_width = std::max(verdict_width, verdict_word(r).size());
    id_width = std::max(id_width, r.property.size());
  }
  std::string out;
  for (const auto& r : run.results) {
    const std::string word = pad(verdict_word(r), verdict_width + 1);
    const std::string rest = pad(ascii(r.property), id_width + 2);
    // Wrapped without the escape sequences, which have no width.
    std::string lines = hanging(word + rest, ascii(r.claim), options.width);
    lines.replace(0, word.size(), coloured(word, r, options));
    out += lines;
    if (r.verdict == Verdict::inconclusive)
      out += hanging(std::string(word.size() + rest.size(), ' '),
                     "reason: " + (r.reason.empty() ? "not given" : ascii(r.reason)), options.width);
    if (!r.engines.empty())
      out += hanging(std::string(word.size() + rest.size(), ' '), engines_text(r), options.width);
    if (const std::string assumption = assumption_text(r); !assumption.empty())
      out += hanging(std::string(word.size() + rest.size(), ' '), assumption, options.width);
  }
  return out;
}

std::string solved(const RunResult& run, const Options& options, std::size_t name_width) {
  const auto symbolic = [](const check::Exploration& e) { return e.solving.has_value(); };
  if (std::none_of(run.explorations.begin(), run.explorations.end(), symbolic)) return {};
  std::string out = fmt::format("{:<{}}  {:>5}  {:>6}  {:>6}  {:>6}  {:>9}  {:>10}  complete\n", "symbolic", name_width,
                                "steps", "paths", "merged", "fields", "conflicts", "rlimit");
  for (const auto& e : run.explorations) {
    if (!symbolic(e)) continue;
    const auto& s = *e.solving;
    const std::string front =
        fmt::format("{:<{}}  {:>5}  {:>6}  {:>6}  {:>6}  {:>9}  {:>10}  ", ascii(e.configuration), name_width, e.depth,
                    s.paths, s.kept, s.fields, s.conflicts, s.rlimit);
    out += hanging(front, e.complete ? "yes" : "no: " + ascii(e.reason), options.width);
    if (options.stats)
      out += fmt::format("{:<{}}  enumerated in {:.2f} s, {:.2f} s in all\n", "", name_width, s.enumeration_seconds,
                         e.stats.seconds);
  }
  return out;
}

std::string explored(const RunResult& run, const Options& options) {
  std::size_t name_width = 13;
  for (const auto& e : run.explorations) name_width = std::max(name_width, e.configuration.size());
  std::string out;
  for (const auto& e : run.explorations) {
    if (e.solving) continue;
    if (out.empty())
      out = fmt::format("{:<{}}  {:>10}  {:>11}  {:>5}  complete\n", "configuration", name_width, "states",
                        "transitions", "depth");
    const std::string front = fmt::format("{:<{}}  {:>10}  {:>11}  {:>5}  ", ascii(e.configuration), name_width,
                                          e.states, e.transitions, e.depth);
    out += hanging(front, e.complete ? "yes" : "no: " + ascii(e.reason), options.width);
  }
  out += solved(run, options, name_width);
  for (const auto& e : run.explorations)
    if (!e.scope.empty())
      // A scope says what would have been covered; where the search ended early it was not.
      out += hanging("scope of " + ascii(e.configuration) + (e.complete ? ": " : " (not covered): "), ascii(e.scope),
                     options.width);
  return out;
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const auto& w : words) out += (out.empty() ? "" : ", ") + ascii(w);
  return out;
}

std::string gaps(const RunResult& run, const Options& options) {
  std::string out;
  if (!run.never_fired.empty())
    out += hanging("never fired: ", joined(run.never_fired) + " (these results say nothing about them)", options.width);
  std::vector<std::string> vacuous;
  for (const auto& r : run.results)
    if (r.verdict == Verdict::holds && r.vacuous) vacuous.push_back(r.property);
  if (!vacuous.empty())
    out += hanging("vacuous: ", joined(vacuous) + " (nothing explored could have violated them)", options.width);
  return out;
}

std::string summary(const RunResult& run, const Options& options) {
  std::size_t holds = 0;
  std::size_t vacuous = 0;
  std::size_t violated = 0;
  std::size_t inconclusive = 0;
  for (const auto& r : run.results) {
    if (r.verdict == Verdict::violated)
      ++violated;
    else if (r.verdict == Verdict::inconclusive)
      ++inconclusive;
    else
      ++(r.vacuous ? vacuous : holds);
  }
  std::string out = fmt::format("{} {}: {} violated, {} inconclusive, {} hold", run.results.size(),
                                run.results.size() == 1 ? "property" : "properties", violated, inconclusive, holds);
  if (vacuous != 0) out += fmt::format(", {} vacuously", vacuous);
  if (run.results.empty()) out = "inconclusive: no property was checked";
  out += "\n";
  if (options.stats) {
    const Totals t = totals(run);
    out += fmt::format("stats: {:.2f} s, {} states/s, peak memory {} bytes\n", t.seconds, t.states_per_second(),
                       t.peak_memory_bytes);
  }
  return out;
}

std::string conclusion_lines(const check::Counterexample& c, const Options& options) {
  std::string out = hanging("What went wrong: ", ascii(c.conclusion), options.width);
  if (!c.confirmed || !c.loop_start) return out;
  std::string fair;
  for (const auto& group : c.fairness) fair += (fair.empty() ? "" : "; ") + ascii(group);
  if (*c.loop_start == c.steps.size())
    fair = "the run may end there: nobody is left who must take a step";
  else if (fair.empty())
    fair = "nobody who must take a step could take one in the loop";
  return out + hanging("Why this is fair: ", fair, options.width);
}

std::string steps_word(std::size_t n) { return std::to_string(n) + (n == 1 ? " step" : " steps"); }

std::string length_of(const check::Counterexample& c) {
  if (!c.loop_start) return steps_word(c.steps.size());
  if (*c.loop_start == c.steps.size()) return steps_word(c.steps.size()) + ", after which the run ends";
  return steps_word(*c.loop_start) + " and a loop of " + steps_word(c.steps.size() - *c.loop_start);
}

}  // namespace

std::string violation_text(const std::string& spec, const PropertyResult& r, const Options& options) {
  std::string out = hanging(ascii(r.property) + ": ", ascii(r.claim), options.width);
  if (!r.counted.empty())
    return out + hanging("Counted: ", ascii(r.counted), options.width) +
           hanging("Workload: ", ascii(r.scope), options.width);
  if (!r.counterexample) return out + "(the engine gave no counterexample)\n";
  const auto& c = *r.counterexample;
  std::string from = "counterexample of " + length_of(c);
  if (!r.configuration.empty()) from += ", configuration " + ascii(r.configuration);
  from += ", initial state " + (c.initial.empty() ? std::string("0") : ascii(c.initial));
  from += c.confirmed ? ", confirmed by the replayer" : ", NOT confirmed by the replayer";
  out += hanging("", from, options.width) + "\n" + lane_chart(c, options.width) + "\n";
  out += conclusion_lines(c, options);
  return out + "Replay: " + replay_line(spec, r, options) + "\n";
}

std::string text_report(const RunResult& run, const Options& options) {
  std::string out = title(run, options) + "\n" + verdict_lines(run, options);
  if (!run.explorations.empty()) out.append("\n").append(explored(run, options));
  if (const std::string g = gaps(run, options); !g.empty()) out.append("\n").append(g);
  for (const auto& r : run.results)
    if (r.verdict == Verdict::violated) out.append("\n").append(violation_text(run.spec, r, options));
  return out.append("\n").append(summary(run, options));
}

std::string text_replay(const std::vector<Replayed>& replayed, const Options& options) {
  std::string out;
  for (const auto& r : replayed) {
    if (!out.empty()) out += "\n";
    out += hanging(ascii(r.property) + ": ", ascii(r.claim), options.width);
    out += hanging("",
                   "path " + ascii(r.path) + ", kernel " + ascii(r.kernel) +
                       (r.configuration.empty() ? "" : ", configuration " + ascii(r.configuration)),
                   options.width);
    if (r.counterexample) out.append("\n").append(lane_chart(*r.counterexample, options.width));
    out += "\n";
    if (!r.code.empty()) {
      if (r.outcome != Replayed::Outcome::not_replayable) out += conclusion_lines(*r.counterexample, options);
      const char* const on_code[] = {"confirmed on kernel code: ", "refuted on kernel code: ",
                                     "not replayable on kernel code: "};
      out += hanging(on_code[static_cast<int>(r.outcome)], ascii(r.reason) + "; tree " + ascii(r.code), options.width);
      continue;
    }
    switch (r.outcome) {
      case Replayed::Outcome::confirmed:
        out += conclusion_lines(*r.counterexample, options);
        out += r.counterexample->loop_start ? "confirmed: the property is violated by this run\n"
                                            : "confirmed: the property is violated at the end of this path\n";
        break;
      case Replayed::Outcome::refuted:
        if (r.counterexample->loop_start)
          out += hanging("refuted: ", "the path exists, but " + ascii(r.counterexample->conclusion), options.width);
        else
          out += "refuted: the path exists, and the property is not violated at its end\n";
        break;
      case Replayed::Outcome::not_replayable: out += hanging("not replayable: ", ascii(r.reason), options.width); break;
    }
  }
  return out;
}

}  // namespace iomc::report
