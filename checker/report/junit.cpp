// SPDX-License-Identifier: GPL-2.0-or-later
// JUnit XML, the subset Jenkins and GitLab read. A violation is a failure with the counterexample as its text; anything
// inconclusive is an error, because the readers of this format show "skipped" in the colour of success.
#include <pugixml.hpp>
#include <sstream>

#include "checker/report/plain.hpp"
#include "checker/report/writers.hpp"

namespace iomc::report {

namespace {

using check::PropertyResult;
using check::Verdict;

void attribute(pugi::xml_node node, const char* name, const std::string& value) {
  node.append_attribute(name).set_value(value.c_str());
}

void add_properties(pugi::xml_node suite, const check::RunResult& run, const Options& options) {
  pugi::xml_node list = suite.append_child("properties");
  const auto add = [&](const std::string& key, const std::string& value) {
    pugi::xml_node p = list.append_child("property");
    attribute(p, "name", ascii(key));
    attribute(p, "value", ascii(value));
  };
  add("kernel", run.kernel);
  for (const auto& [key, value] : run.facts) add("fact." + key, value);
  for (const auto& [key, value] : options.sizes) add("size." + key, value);
  for (const auto& step : run.never_fired) add("never_fired", step);
}

void add_outcome(pugi::xml_node parent, const char* element, const char* type, const std::string& message,
                 const std::string& body) {
  pugi::xml_node node = parent.append_child(element);
  attribute(node, "message", message);
  attribute(node, "type", type);
  node.append_child(pugi::node_pcdata).set_value(body.c_str());
}

void add_case(pugi::xml_node suite, const check::RunResult& run, const PropertyResult& r, const Options& options) {
  pugi::xml_node test = suite.append_child("testcase");
  attribute(test, "classname", "iomc." + ascii(run.spec));
  attribute(test, "name", ascii(r.property));
  if (r.verdict == Verdict::violated) {
    Options plain = options;
    plain.colour = false;
    const std::string message = r.counterexample ? ascii(r.counterexample->conclusion) : "violated";
    add_outcome(test, "failure", "violated", message, violation_text(run.spec, r, plain));
  } else if (r.verdict == Verdict::inconclusive) {
    const std::string reason = r.reason.empty() ? "no reason given" : ascii(r.reason);
    add_outcome(test, "error", "inconclusive", reason, ascii(r.claim) + "; " + size_text(r));
  } else {
    std::string note = r.vacuous ? "holds (vacuous): nothing explored could have violated it; " : "holds: ";
    if (const std::string assumption = assumption_text(r); !assumption.empty()) note += assumption + "; ";
    test.append_child("system-out")
        .append_child(pugi::node_pcdata)
        .set_value((note + ascii(r.claim) + "; " + size_text(r)).c_str());
  }
}

}  // namespace

std::string junit_report(const check::RunResult& run, const Options& options) {
  std::size_t failures = 0;
  std::size_t errors = run.results.empty() ? 1 : 0;
  for (const auto& r : run.results) {
    failures += r.verdict == Verdict::violated ? 1 : 0;
    errors += r.verdict == Verdict::inconclusive ? 1 : 0;
  }
  const std::size_t tests = run.results.empty() ? 1 : run.results.size();
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  attribute(declaration, "version", "1.0");
  attribute(declaration, "encoding", "UTF-8");
  pugi::xml_node suites = document.append_child("testsuites");
  pugi::xml_node suite = suites.append_child("testsuite");
  for (pugi::xml_node node : {suites, suite}) {
    attribute(node, "name", node == suites ? "iomc" : ascii(run.spec));
    attribute(node, "tests", std::to_string(tests));
    attribute(node, "failures", std::to_string(failures));
    attribute(node, "errors", std::to_string(errors));
    if (node == suite) attribute(node, "skipped", "0");
    if (options.stats) attribute(node, "time", std::to_string(totals(run).seconds));
  }
  add_properties(suite, run, options);
  for (const auto& r : run.results) add_case(suite, run, r, options);
  if (run.results.empty()) {
    pugi::xml_node test = suite.append_child("testcase");
    attribute(test, "classname", "iomc." + ascii(run.spec));
    attribute(test, "name", "iomc.nothing_checked");
    add_outcome(test, "error", "inconclusive", "no property was checked", "");
  }
  std::ostringstream out;
  document.save(out, "  ", pugi::format_indent, pugi::encoding_utf8);
  return out.str();
}

}  // namespace iomc::report
