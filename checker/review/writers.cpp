// SPDX-License-Identifier: GPL-2.0-or-later
// What the writers have in common.
#include "checker/review/writers.hpp"

#include <fmt/format.h>

#include "checker/report/plain.hpp"
#include "model/check.hpp"

namespace iomc::review {

using check::Verdict;
using report::ascii;

std::string render(report::Format format, const std::vector<Reviewed>& all, const report::Options& options) {
  switch (format) {
    case report::Format::text:
      return text_report(all, options);
    case report::Format::json:
      return json_report(all, options);
    case report::Format::ktap:
      return ktap_report(all, options);
    case report::Format::junit:
      return junit_report(all, options);
  }
  IOMC_UNREACHABLE("a format without a writer");
}

std::string verdict_word(check::ExitStatus exit) {
  if (exit == check::exit_violated) return "broken";
  return exit == check::exit_holds ? "nothing broken" : "inconclusive";
}

check::ExitStatus overall(const std::vector<Reviewed>& all) {
  check::ExitStatus out = all.empty() ? check::exit_inconclusive : check::exit_holds;
  for (const auto& r : all) {
    if (r.review.exit == check::exit_violated) return check::exit_violated;
    if (r.review.exit == check::exit_inconclusive) out = check::exit_inconclusive;
  }
  return out;
}

std::string change_word(const check::PropertyPair& pair) {
  if (pair.broken()) return "broken";
  if (pair.repaired()) return "repaired";
  if (pair.changed() || pair.after.verdict == Verdict::inconclusive) return "inconclusive";
  return pair.after.verdict == Verdict::violated ? "violated on both sides" : "holds on both sides";
}

std::string open_reason(const check::PropertyPair& pair) {
  const auto said = [](const check::PropertyResult& r) { return r.reason.empty() ? "no reason given" : r.reason; };
  const bool before = pair.before.verdict == Verdict::inconclusive;
  const bool after = pair.after.verdict == Verdict::inconclusive;
  if (before && after && pair.before.reason == pair.after.reason) return said(pair.after);
  std::string out = before ? "before: " + said(pair.before) : std::string();
  if (after) out += (before ? "; after: " : "after: ") + said(pair.after);
  return out;
}

std::string uncovered_text(const check::Uncovered& u) {
  const std::string lines = u.first == 0        ? ""
                            : u.first == u.last ? fmt::format(":{}", u.first)
                                                : fmt::format(":{}-{}", u.first, u.last);
  const std::string place = u.function.empty() ? std::string() : fmt::format(" ({})", u.function);
  return ascii(fmt::format("{}{}{}: {}; {}:{}", u.file, lines, place, u.why, u.source, u.patch_line));
}

std::string unknown_text(const check::FactChange& f) {
  const std::string both =
      f.before == f.after ? std::string() : f.before.value_or("unknown") + " -> " + f.after.value_or("unknown");
  return ascii(f.name + (both.empty() ? "" : ", " + both) + ": " + (f.after ? f.where_before : f.where_after));
}

}  // namespace iomc::review
