// SPDX-License-Identifier: GPL-2.0-or-later
// KTAP version 1 (Documentation/dev-tools/ktap.rst): the specification is a test, its properties are its subtests.
//
// An inconclusive property is "not ok ... # ERROR". The kernel's kunit_parser.py knows one directive that changes a
// status, SKIP, and it would count "# SKIP" as skipped whatever stands before it; but a run of holding and skipped
// tests is a success to kunit.py, and its reason is not shown. With ERROR, which ktap.rst defines for a test whose
// execution did not end, the line counts as failed, the reason is printed, and nothing unknown passes.
#include "checker/report/plain.hpp"
#include "checker/report/writers.hpp"

namespace iomc::report {

namespace {

using check::PropertyResult;
using check::Verdict;

std::string property_lines(const check::RunResult& run, const PropertyResult& r, std::size_t number,
                           const Options& options) {
  const std::string tail = std::to_string(number) + " " + ktap_name(r.property);
  if (r.verdict == Verdict::violated) {
    Options narrow = options;
    narrow.colour = false;
    narrow.width = log_width;
    const std::string why = r.counterexample ? ascii(r.counterexample->conclusion) : "violated";
    return ktap_comment(violation_text(run.spec, r, narrow)) + "  not ok " + tail + " # violated: " + why + "\n";
  }
  if (r.verdict == Verdict::inconclusive) {
    const std::string reason = r.reason.empty() ? "no reason given" : ascii(r.reason);
    return ktap_comment(hanging(ascii(r.property) + ": ", ascii(r.claim), log_width) +
                        hanging("inconclusive: ", reason, log_width)) +
           "  not ok " + tail + " # ERROR inconclusive: " + reason + "\n";
  }
  std::string note = r.vacuous ? "vacuous, nothing explored could have violated it; " : "";
  if (const std::string assumption = assumption_text(r); !assumption.empty()) note += assumption + "; ";
  return "  ok " + tail + " # " + note + size_text(r) + "\n";
}

}  // namespace

std::string ktap_name(const std::string& text) {
  std::string out = ascii(text);
  for (char& c : out)
    if (c == '#') c = '_';
  return out;
}

std::string ktap_comment(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out += end == at ? "  #\n" : "  # " + text.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return out;
}

std::string ktap_report(const check::RunResult& run, const Options& options) {
  const std::string spec = ktap_name(run.spec);
  std::string out = "KTAP version 1\n1..1\n  KTAP version 1\n  # Subtest: " + spec + "\n";
  if (run.results.empty())
    // A plan of zero tests is an error to the kernel's parser, as it should be.
    return out + "  1..0\nnot ok 1 " + spec + " # ERROR inconclusive: no property was checked\n";
  // In front of the plan, the parser keeps it for the specification; behind it, for the first property.
  out += ktap_comment("kernel " + ascii(run.kernel) + "\n");
  out += "  1.." + std::to_string(run.results.size()) + "\n";
  for (std::size_t i = 0; i < run.results.size(); ++i) out += property_lines(run, run.results[i], i + 1, options);
  const bool all = overall(run) == Verdict::holds;
  return out + (all ? "ok 1 " : "not ok 1 ") + spec + "\n";
}

}  // namespace iomc::report
