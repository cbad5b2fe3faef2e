// SPDX-License-Identifier: GPL-2.0-or-later
// Reviews as test results: KTAP and JUnit XML. A test is a question to the change, not to the kernel: a property that
// was violated before and still is passes, with a note. Two tests stand for what no property can say: that every fact
// could be read, and that every change of code is covered by one. Without them an inconclusive review would pass.
#include <pugixml.hpp>
#include <sstream>

#include "checker/report/plain.hpp"
#include "checker/report/writers.hpp"
#include "checker/review/writers.hpp"

namespace iomc::review {

namespace {

using check::Verdict;
using report::ascii;
using report::hanging;
using report::Options;

struct Case {
  enum class Outcome { ok, failed, undecided };
  std::string name;
  Outcome outcome = Outcome::ok;
  std::string note;  ///< one line
  std::string body;  ///< lines of text
};

Case property_case(const Reviewed& r, const check::PropertyPair& p) {
  Options plain = r.after;
  plain.colour = false;
  plain.width = report::log_width;
  Case out{ascii(p.after.property), Case::Outcome::ok, {}, {}};
  const std::string word = change_word(p);
  if (word == "broken") {
    out.outcome = Case::Outcome::failed;
    out.note = p.after.counterexample ? ascii(p.after.counterexample->conclusion) : "violated, and held before";
    out.body = "held before, is violated after\n" + report::violation_text(r.review.system, p.after, plain);
  } else if (word == "inconclusive") {
    out.outcome = Case::Outcome::undecided;
    out.note = ascii(open_reason(p));
    out.body = hanging(out.name + ": ", ascii(p.after.claim), plain.width);
    if (p.after.verdict == Verdict::violated) out.body += report::violation_text(r.review.system, p.after, plain);
  } else {
    const bool vacuous = p.after.verdict == Verdict::holds && p.after.vacuous;
    out.note = word + (vacuous ? " (vacuous after); " : "; ") + report::size_text(p.after);
  }
  return out;
}

Case list_case(const std::string& name, const std::vector<std::string>& lines, const std::string& one,
               const std::string& many, const std::string& none) {
  Case out{name, Case::Outcome::ok, none, {}};
  if (lines.empty()) return out;
  out.outcome = Case::Outcome::undecided;
  out.note = std::to_string(lines.size()) + " " + (lines.size() == 1 ? one : many);
  for (const auto& l : lines) out.body += hanging("", l, report::log_width);
  return out;
}

std::vector<Case> cases_of(const Reviewed& r) {
  std::vector<Case> out;
  std::vector<std::string> unknown;
  std::vector<std::string> uncovered;
  for (const auto& f : r.review.unknown) unknown.push_back(unknown_text(f));
  for (const auto& u : r.review.not_covered) uncovered.push_back(uncovered_text(u));
  const std::string spec = ascii(r.review.system);
  out.push_back(
      list_case(spec + ".facts", unknown, "fact is unknown", "facts are unknown", "every fact could be read"));
  out.push_back(list_case(spec + ".coverage", uncovered, "change is not covered", "changes are not covered",
                          "a fact stands for every change of code"));
  for (const auto& p : r.review.properties) out.push_back(property_case(r, p));
  return out;
}

/// "vfio", or "vfio preempt=rt" where a change is reviewed for several builds.
std::string label(const check::Review& r) { return r.build.empty() ? r.system : r.system + " " + r.build; }

std::string heading(const check::Review& r) {
  std::string out = "review of ";
  for (const auto& p : r.patches) out += (&p == &r.patches.front() ? "" : ", ") + ascii(p);
  out += " against " + ascii(r.tree) + "\n";
  for (const auto& f : r.facts_changed)
    out += ascii(f.name + ": " + f.before.value_or("unknown") + " -> " + f.after.value_or("unknown")) + "\n";
  if (!r.checked) out += ascii(r.reason) + "\n";
  return out;
}

std::string ktap_line(const Case& c, std::size_t number) {
  const std::string tail = std::to_string(number) + " " + report::ktap_name(c.name) + " # ";
  switch (c.outcome) {
    case Case::Outcome::ok:
      return "  ok " + tail + c.note + "\n";
    case Case::Outcome::failed:
      return report::ktap_comment(c.body) + "  not ok " + tail + "violated: " + c.note + "\n";
    case Case::Outcome::undecided:
      break;
  }
  return report::ktap_comment(c.body) + "  not ok " + tail + "ERROR inconclusive: " + c.note + "\n";
}

void attribute(pugi::xml_node node, const char* name, const std::string& value) {
  node.append_attribute(name).set_value(value.c_str());
}

void add_properties(pugi::xml_node suite, const check::Review& r) {
  pugi::xml_node list = suite.append_child("properties");
  const auto add = [&](const std::string& key, const std::string& value) {
    pugi::xml_node p = list.append_child("property");
    attribute(p, "name", ascii(key));
    attribute(p, "value", ascii(value));
  };
  add("tree", r.tree);
  for (const auto& p : r.patches) add("patch", p);
  for (const auto& [key, value] : r.before.values()) add("before." + key, value);
  for (const auto& [key, value] : r.after.values()) add("after." + key, value);
  add("verdict", verdict_word(r.exit) + ": " + r.verdict);
}

void add_case(pugi::xml_node suite, const std::string& spec, const Case& c) {
  pugi::xml_node test = suite.append_child("testcase");
  attribute(test, "classname", "iomc." + ascii(spec));
  attribute(test, "name", c.name);
  if (c.outcome == Case::Outcome::ok) {
    test.append_child("system-out").append_child(pugi::node_pcdata).set_value(c.note.c_str());
    return;
  }
  const bool failed = c.outcome == Case::Outcome::failed;
  pugi::xml_node node = test.append_child(failed ? "failure" : "error");
  attribute(node, "message", c.note);
  attribute(node, "type", failed ? "broken" : "inconclusive");
  node.append_child(pugi::node_pcdata).set_value(c.body.c_str());
}

struct Counts {
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t errors = 0;
};

void add_counts(pugi::xml_node node, const std::string& name, const Counts& counts) {
  attribute(node, "name", name);
  attribute(node, "tests", std::to_string(counts.tests));
  attribute(node, "failures", std::to_string(counts.failures));
  attribute(node, "errors", std::to_string(counts.errors));
}

Counts count(const std::vector<Case>& cases) {
  Counts out{cases.size(), 0, 0};
  for (const Case& c : cases) {
    out.failures += c.outcome == Case::Outcome::failed ? 1 : 0;
    out.errors += c.outcome == Case::Outcome::undecided ? 1 : 0;
  }
  return out;
}

}  // namespace

std::string ktap_report(const std::vector<Reviewed>& all, const Options&) {
  std::string out = "KTAP version 1\n1.." + std::to_string(all.size()) + "\n";
  for (std::size_t i = 0; i < all.size(); ++i) {
    const check::Review& r = all[i].review;
    const std::vector<Case> cases = cases_of(all[i]);
    out += "  KTAP version 1\n  # Subtest: " + report::ktap_name(label(r)) + "\n" + report::ktap_comment(heading(r));
    out += "  1.." + std::to_string(cases.size()) + "\n";
    for (std::size_t c = 0; c < cases.size(); ++c) out += ktap_line(cases[c], c + 1);
    const std::string tail = std::to_string(i + 1) + " " + report::ktap_name(label(r)) + " # ";
    out += (r.exit == check::exit_holds ? "ok " : "not ok ") + tail + verdict_word(r.exit) + ": " + ascii(r.verdict) +
           "\n";
  }
  return out;
}

std::string junit_report(const std::vector<Reviewed>& all, const Options& options) {
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  attribute(declaration, "version", "1.0");
  attribute(declaration, "encoding", "UTF-8");
  pugi::xml_node suites = document.append_child("testsuites");
  Counts sum;
  for (const auto& r : all) {
    const std::vector<Case> cases = cases_of(r);
    const Counts counts = count(cases);
    sum = {sum.tests + counts.tests, sum.failures + counts.failures, sum.errors + counts.errors};
    pugi::xml_node suite = suites.append_child("testsuite");
    add_counts(suite, ascii(label(r.review)), counts);
    attribute(suite, "skipped", "0");
    double seconds = 0;
    for (const auto& run : r.runs) seconds += report::totals(run).seconds;
    if (options.stats) attribute(suite, "time", std::to_string(seconds));
    add_properties(suite, r.review);
    for (const Case& c : cases) add_case(suite, label(r.review), c);
  }
  add_counts(suites, "iomc review", sum);
  std::ostringstream out;
  document.save(out, "  ", pugi::format_indent, pugi::encoding_utf8);
  return out.str();
}

}  // namespace iomc::review
