// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/cost/profile.hpp"

#include <cmath>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>

#include "checker/cost/json_object.hpp"

namespace iomc::check::cost {

namespace {

using json::Document;
using json::Object;
using json::Reader;

constexpr std::array<const char*, 4> provenance_words = {"measured", "published", "fitted", "assumed"};

Provenance provenance_of(const Object& o) {
  const std::string word = o.word("provenance");
  for (std::size_t i = 0; i < provenance_words.size(); ++i)
    if (word == provenance_words[i]) return static_cast<Provenance>(i);
  o.fail("is \"" + word + "\"; use measured, published, fitted or assumed", "provenance");
}

Range time_of(const Object& o, double clock_ghz) {
  if (o.has("ns") == o.has("cycles")) o.fail("needs one of \"ns\" and \"cycles\"");
  return o.has("ns") ? o.range("ns", 1) : o.range("cycles", 1 / clock_ghz);
}

Entry entry_of(const Object& o, double clock_ghz) {
  o.only({"event", "ns", "cycles", "lo", "hi", "by_nodes", "provenance", "source"});
  Entry e;
  e.event = o.word("event");
  const auto& known = model::cost_names;
  if (std::find(known.begin(), known.end(), e.event) == known.end())
    o.fail("is \"" + e.event + "\", which is no event; see: iomc list events", "event");
  e.provenance = provenance_of(o);
  e.source = o.word("source");
  if (!o.has("by_nodes")) {
    e.at = {{0, time_of(o, clock_ghz)}};
    return e;
  }
  if (o.has("ns") || o.has("cycles")) o.fail("needs either a time or by_nodes, not both", "by_nodes");
  for (const Object& row : o.list("by_nodes")) {
    row.only({"nodes", "ns", "cycles", "lo", "hi"});
    e.at.push_back({row.positive("nodes"), time_of(row, clock_ghz)});
    if (e.at.size() > 1 && !(e.at[e.at.size() - 2].nodes < e.at.back().nodes))
      row.fail("must rise from row to row", "nodes");
  }
  return e;
}

Figure figure_of(const Object& o) {
  o.only({"name", "unit", "value", "lo", "hi", "provenance", "source"});
  return {o.word("name"), o.word("unit"), o.range("value", 1), provenance_of(o), o.word("source")};
}

}  // namespace

const char* name(Provenance p) { return provenance_words[static_cast<std::size_t>(p)]; }

Range Entry::ns(double nodes) const {
  if (nodes <= at.front().nodes) return at.front().ns;
  for (std::size_t i = 1; i < at.size(); ++i) {
    if (nodes > at[i].nodes) continue;
    const double t = std::log(nodes / at[i - 1].nodes) / std::log(at[i].nodes / at[i - 1].nodes);
    return (1 - t) * at[i - 1].ns + t * at[i].ns;
  }
  return at.back().ns;
}

const Entry* Profile::entry(std::string_view event) const {
  for (const Entry& e : entries)
    if (e.event == event) return &e;
  return nullptr;
}

const Figure& Profile::figure(std::string_view wanted) const {
  for (const Figure& f : figures)
    if (f.name == wanted) return f;
  throw InputError("profile " + name + " has no figure '" + std::string(wanted) + "'; add it, or use --profile NAME");
}

unsigned Profile::fitted() const {
  unsigned out = 0;
  for (const Entry& e : entries) out += e.provenance == Provenance::fitted ? 1 : 0;
  for (const Figure& f : figures) out += f.provenance == Provenance::fitted ? 1 : 0;
  return out;
}

Profile parse_profile(const std::string& text, const std::string& file) {
  Reader reader(file);
  const Document document = reader.read(text);
  const Object root(reader, document, "", document.root);
  root.only({"schema", "name", "what", "clock_ghz", "cpus", "numa_nodes", "entries", "figures"});
  if (root.word("schema") != "iomc.profile/1") root.fail("must be \"iomc.profile/1\"", "schema");
  Profile out;
  out.name = root.word("name");
  out.what = root.word("what");
  out.clock_ghz = root.positive("clock_ghz");
  out.cpus = root.count("cpus");
  out.numa_nodes = root.count("numa_nodes");
  std::set<std::string> seen;
  for (const Object& o : root.list("entries")) {
    out.entries.push_back(entry_of(o, out.clock_ghz));
    if (!seen.insert(out.entries.back().event).second)
      o.fail("\"" + out.entries.back().event + "\" has an entry already; keep one", "event");
  }
  seen.clear();
  if (root.has("figures"))
    for (const Object& o : root.list("figures")) {
      out.figures.push_back(figure_of(o));
      if (!seen.insert(out.figures.back().name).second)
        o.fail("\"" + out.figures.back().name + "\" is there already; keep one", "name");
    }
  return out;
}

const std::vector<Profile>& profiles() {
  static const std::vector<Profile> all = [] {
    std::vector<Profile> out;
    for (const auto& t : builtin::profile_texts())
      out.push_back(parse_profile(std::string(t.text), std::string(t.file)));
    return out;
  }();
  return all;
}

Profile find_profile(const std::string& word) {
  if (word.find('/') != std::string::npos || word.ends_with(".json")) {
    std::ifstream in(word, std::ios::binary);
    std::ostringstream text;
    if (!in || !(text << in.rdbuf()))
      throw InputError(word + ": cannot be read; give a profile's file, or a name from iomc list profiles");
    return parse_profile(text.str(), word);
  }
  std::string known;
  for (const Profile& p : profiles()) {
    if (p.name == word) return p;
    known += (known.empty() ? "" : ", ") + p.name;
  }
  throw InputError("there is no profile '" + word + "'; there are: " + known + ", or give a file (DIR/NAME.json)");
}

}  // namespace iomc::check::cost
