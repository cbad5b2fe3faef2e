// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/report/report.hpp"

#include <algorithm>

#include "checker/report/plain.hpp"
#include "checker/report/writers.hpp"
#include "model/check.hpp"

namespace iomc::report {

std::optional<Format> format_named(std::string_view name) {
  if (name == "text") return Format::text;
  if (name == "json") return Format::json;
  if (name == "ktap") return Format::ktap;
  if (name == "junit") return Format::junit;
  return std::nullopt;
}

std::string render(Format format, const check::RunResult& run, const Options& options) {
  switch (format) {
    case Format::text: return text_report(run, options);
    case Format::json: return json_report(run, options);
    case Format::ktap: return ktap_report(run, options);
    case Format::junit: return junit_report(run, options);
  }
  IOMC_UNREACHABLE("a format without a writer");
}

std::string render(Format format, const std::vector<Replayed>& replayed, const Options& options) {
  if (format == Format::text) return text_replay(replayed, options);
  if (format == Format::json) return json_replay(replayed, options);
  throw check::InputError("replay: this format is for the results of check; use --format text or json");
}

std::string render(Format format, const check::Table& table, const Options& options) {
  if (format == Format::text) return text_table(table, options);
  if (format == Format::json) return json_table(table);
  throw check::InputError("--table: this format is for the results of properties; use --format text or json");
}

const char* name(Replayed::Outcome outcome) {
  switch (outcome) {
    case Replayed::Outcome::confirmed: return "confirmed";
    case Replayed::Outcome::refuted: return "refuted";
    case Replayed::Outcome::not_replayable: break;
  }
  return "not replayable";
}

std::string replay_line(const std::string& spec, const check::PropertyResult& result, const Options& options) {
  IOMC_PRE(result.counterexample.has_value());
  std::string out = "iomc replay " + shell_word(spec + "/" + result.property);
  out.append(" ").append(result.counterexample->path);
  for (const auto& word : options.selection) out.append(" ").append(shell_word(word));
  if (!result.configuration.empty()) out += " --config " + shell_word(result.configuration);
  return out;
}

check::Verdict overall(const check::RunResult& run) {
  if (run.results.empty()) return check::Verdict::inconclusive;
  switch (check::exit_status(run.results)) {
    case check::exit_violated: return check::Verdict::violated;
    case check::exit_holds: return check::Verdict::holds;
    default: return check::Verdict::inconclusive;
  }
}

std::string size_text(const check::PropertyResult& r) {
  std::string out = r.configuration.empty() ? std::string() : ascii(r.configuration) + ": ";
  return out + std::to_string(r.states) + " states, " + std::to_string(r.transitions) + " transitions, depth " +
         std::to_string(r.depth);
}

std::string assumption_text(const check::PropertyResult& r) {
  const auto joined = [](const std::vector<std::string>& ids) {
    std::string out;
    for (const auto& id : ids) out += (out.empty() ? "" : ", ") + ascii(id);
    return out;
  };
  std::string out;
  if (!r.assumes.empty())
    out = "assumes " + joined(r.assumes) + (r.vacuous ? ", which no run meets that could violate it" : "");
  if (!r.assumption_of.empty()) {
    const bool failed = r.verdict == check::Verdict::violated;
    out += (out.empty() ? "" : "; ") + std::string(failed ? "a failed assumption of " : "an assumption of ") +
           joined(r.assumption_of);
  }
  return out;
}

std::uint64_t Totals::states_per_second() const {
  return seconds > 0 ? static_cast<std::uint64_t>(static_cast<double>(states) / seconds) : 0;
}

Totals totals(const check::RunResult& run) {
  Totals out;
  for (const auto& e : run.explorations) {
    out.states += e.states;
    out.seconds += e.stats.seconds;
    out.peak_memory_bytes = std::max(out.peak_memory_bytes, e.stats.peak_memory_bytes);
  }
  return out;
}

}  // namespace iomc::report
