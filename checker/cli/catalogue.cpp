// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/cli/catalogue.hpp"

#include "checker/cli/common.hpp"
#include "checker/cost/profile.hpp"
#include "checker/system.hpp"

namespace iomc::cli {

namespace {

using check::System;
using report::Entry;
using Entries = std::vector<Entry>;

void add_spec(const System& s, Entries& out) {
  out.push_back({"spec", s.name(), s.name(), s.title(), {{"title", s.title()}, {"files", joined(s.files())}}});
}

void add_properties(const System& s, Entries& out) {
  for (const auto& p : s.properties())
    out.push_back({"property",
                   s.name(),
                   p.id,
                   p.claim,
                   {{"claim", p.claim}, {"why", p.why}, {"class", p.kind}, {"source", p.source}}});
}

void add_steps(const System& s, Entries& out) {
  for (const auto& t : s.steps())
    out.push_back({"step", s.name(), t.name, t.what, {{"what", t.what}, {"function", t.function}, {"file", t.file}}});
}

void add_facts(const System& s, Entries& out) {
  for (const auto& f : s.fact_texts())
    out.push_back(
        {"fact",
         s.name(),
         f.name,
         f.what,
         {{"what", f.what}, {"values", f.allowed}, {"function", f.function}, {"file", f.file}, {"source", f.source}}});
}

void add_texts(const System& s, const char* kind, const std::vector<check::NamedText>& texts, Entries& out) {
  for (const auto& t : texts) out.push_back({kind, s.name(), t.name, t.text, {{"what", t.text}}});
}

void add_profiles(Entries& out) {
  for (const auto& p : check::cost::profiles()) {
    Entry e{"profile", "", p.name, p.what, {{"what", p.what}}};
    e.details.emplace_back("machine", std::to_string(p.cpus) + " CPUs, " + std::to_string(p.numa_nodes) +
                                          " NUMA nodes, " + check::cost::number(p.clock_ghz) + " GHz");
    for (const auto& x : p.entries) {
      std::string text;
      for (const auto& at : x.at)
        text += (text.empty() ? "" : "; ") + check::cost::time_text(at.ns) +
                (at.nodes == 0 ? "" : " at " + check::cost::number(at.nodes) + " nodes");
      e.details.emplace_back(x.event, text + ", " + name(x.provenance) + ": " + x.source);
    }
    for (const auto& f : p.figures)
      e.details.emplace_back(f.name,
                             check::cost::text(f.value) + " " + f.unit + ", " + name(f.provenance) + ": " + f.source);
    out.push_back(std::move(e));
  }
}

void add_events(Entries& out) {
  for (std::size_t i = 0; i < model::cost_kinds; ++i)
    out.push_back({"event", "", model::cost_names[i], model::cost_meanings[i], {{"what", model::cost_meanings[i]}}});
}

void add(const std::string& kinds, const System& s, Entries& out) {
  if (kinds == "specs") add_spec(s, out);
  if (kinds == "properties") add_properties(s, out);
  if (kinds == "kernels") add_texts(s, "kernel", s.kernels(), out);
  if (kinds == "steps") add_steps(s, out);
  if (kinds == "facts") add_facts(s, out);
  if (kinds == "configurations") add_texts(s, "configuration", s.configurations(), out);
  if (kinds == "sizes") add_texts(s, "size", s.sizes(), out);
}

}  // namespace

const std::vector<std::string>& catalogue_kinds() {
  static const std::vector<std::string> kinds = {"specs", "properties",     "kernels", "steps",
                                                 "facts", "configurations", "sizes",   "profiles", "events"};
  return kinds;
}

Entries catalogue(const std::string& kinds, const std::string& spec) {
  bool known = false;
  for (const auto& k : catalogue_kinds()) known |= k == kinds;
  if (!known) throw check::InputError("list " + kinds + ": no such list; there are " + joined(catalogue_kinds()));
  Entries out;
  if (kinds == "profiles" || kinds == "events") {
    if (!spec.empty())
      throw check::InputError("list " + kinds + ": the same for every specification; leave --spec out");
    if (kinds == "profiles") add_profiles(out);
    if (kinds == "events") add_events(out);
    return out;
  }
  if (!spec.empty()) {
    add(kinds, check::find_system(spec), out);
    return out;
  }
  for (const auto& s : check::systems()) add(kinds, *s, out);
  return out;
}

}  // namespace iomc::cli
