// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/cli/common.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>

namespace iomc::cli {

namespace {

using check::InputError;

/// COLUMNS where it is set and sensible, so that a pager or a narrow terminal gets what it can show.
unsigned columns() {
  const char* text = std::getenv("COLUMNS");
  if (text == nullptr) return 100;
  unsigned value = 0;
  const std::string all = text;
  const auto [end, error] = std::from_chars(all.data(), all.data() + all.size(), value);
  if (error != std::errc{} || end != all.data() + all.size()) return 100;
  return std::clamp(value, 72U, 160U);
}

bool wants_colour(const std::string& output) {
  const char* no = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  return output.empty() && isatty(STDOUT_FILENO) == 1 && (no == nullptr || *no == '\0') && term != nullptr &&
         std::string(term) != "dumb";
}

std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t k = 0; k < b.size(); ++k) {
      const std::size_t change = diagonal + (a[i] == b[k] ? 0 : 1);
      diagonal = row[k + 1];
      row[k + 1] = std::min({row[k] + 1, diagonal + 1, change});
    }
  }
  return row.back();
}

}  // namespace

std::vector<Argument> CommonWords::arguments() {
  return {
      {"--format", "FORMAT", "text (default), json, ktap or junit", &format},
      {"-o,--output", "FILE", "write the report to FILE, complete or not at all", &output},
      {"--stats", "", "report times, speed and memory as well", &stats},
      {"--time-limit", "SECONDS", "give up after this time: inconclusive", &time_limit},
      {"--memory-limit", "SIZE", "give up at this size, as in 512M or 2G: inconclusive", &memory_limit},
      {"--state-limit", "N", "give up after N states: inconclusive, the same on every machine", &state_limit},
      {"--threads", "N", "accepted; this version uses one", &threads},
      {"--seed", "N", "of the simulation of cost --steady; nothing else is random", &seed},
      {"--progress", "", "a line a second on stderr even if that is no terminal", &progress},
      {"--exit", "CODES", "bisect (default: 0 1 125 129) or ksft (0 1 4 129)", &exit},
  };
}

Common CommonWords::parse(const std::vector<std::string>& extra_formats) const {
  Common out;
  const bool extra = std::find(extra_formats.begin(), extra_formats.end(), format) != extra_formats.end();
  if (extra) out.extra_format = format;
  const auto known = report::format_named(extra ? "text" : format);
  if (!known) {
    static const std::vector<std::string> later = {"markdown", "html", "sarif", "mail", "perfetto"};
    const bool is_later = std::find(later.begin(), later.end(), format) != later.end();
    throw InputError("--format " + format + (is_later ? ": not in this version" : ": no such format") +
                     "; use text, json, ktap or junit" +
                     (extra_formats.empty() ? std::string() : ", here also " + joined(extra_formats)));
  }
  out.format = *known;
  if (output != "-") out.output = output;
  if (!seed.empty()) out.seed = parse_count("--seed", seed);
  if (!threads.empty()) out.threads = parse_count("--threads", threads);
  if (out.threads == 0) throw InputError("--threads 0: give at least one");
  if (!time_limit.empty()) out.time_limit_seconds = parse_seconds("--time-limit", time_limit);
  if (!memory_limit.empty()) out.memory_limit_bytes = parse_bytes("--memory-limit", memory_limit);
  if (!state_limit.empty()) out.state_limit = parse_count("--state-limit", state_limit);
  if (!state_limit.empty() && out.state_limit == 0) throw InputError("--state-limit 0: give at least one");
  if (exit != "bisect" && exit != "ksft") throw InputError("--exit " + exit + ": no such codes; use bisect or ksft");
  out.ksft = exit == "ksft";
  out.stats = stats;
  out.progress = progress || isatty(STDERR_FILENO) == 1;
  out.width = columns();
  out.colour = out.format == report::Format::text && wants_colour(out.output);
  return out;
}

std::uint64_t parse_count(const std::string& option, const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    throw InputError(option + " " + text + ": expected a number, 0 to 18446744073709551615");
  return value;
}

std::uint64_t parse_bytes(const std::string& option, const std::string& text) {
  const std::string wrong = option + " " + text + ": expected a size above 0, as in 512M or 2G";
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || value == 0) throw InputError(wrong);
  const std::string unit(end, text.data() + text.size());
  constexpr std::string_view units = "KMGT";
  unsigned shift = 0;
  if (!unit.empty()) {
    const std::size_t at = units.find(unit[0]);
    if (at == std::string_view::npos || (unit.size() > 1 && unit.substr(1) != "iB")) throw InputError(wrong);
    shift = 10 * (static_cast<unsigned>(at) + 1);
  }
  if (value > std::numeric_limits<std::uint64_t>::max() >> shift) throw InputError(wrong);
  return value << shift;
}

double parse_seconds(const std::string& option, const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value) || value <= 0)
    throw InputError(option + " " + text + ": expected seconds above 0, as in 60 or 0.5");
  return value;
}

report::Options report_options(const Common& common) {
  report::Options out;
  out.width = common.width;
  out.colour = common.colour;
  out.stats = common.stats;
  return out;
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const auto& w : words) out += (out.empty() ? "" : ", ") + w;
  return out;
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& known) {
  std::size_t best = word.size() / 3 + 1;
  const std::string* found = nullptr;
  for (const auto& k : known)
    if (const std::size_t d = edit_distance(word, k); d < best || (found == nullptr && d == best)) {
      best = d;
      found = &k;
    }
  return found == nullptr ? std::string() : "; did you mean " + *found + "?";
}

}  // namespace iomc::cli
