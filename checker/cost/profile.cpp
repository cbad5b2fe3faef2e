// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/cost/profile.hpp"

#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>

#include "checker/result.hpp"

namespace iomc::check::cost {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<const char*, 4> provenance_words = {"measured", "published", "fitted", "assumed"};

/// What the reader has consumed, so that the lines of keys are known.
class Counting {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  Counting(const char* at, unsigned* line) : at_(at), line_(line) {}
  reference operator*() const { return *at_; }
  Counting& operator++() {
    if (*at_ == '\n') ++*line_;
    ++at_;
    return *this;
  }
  Counting operator++(int) {
    Counting before = *this;
    ++*this;
    return before;
  }
  bool operator==(const Counting& o) const { return at_ == o.at_; }
  bool operator!=(const Counting& o) const { return at_ != o.at_; }

 private:
  const char* at_;
  unsigned* line_;
};

/// The value, and the line of each key and array element by its JSON pointer.
struct Document {
  Json root;
  std::map<std::string, unsigned> lines;
};

class Reader {
 public:
  explicit Reader(const std::string& file) : file_(file) {}

  Document read(const std::string& text) {
    unsigned line = 1;
    Document out;
    std::vector<std::pair<std::string, std::size_t>> path;  // the pointer of each open container; elements so far
    std::string key;
    std::vector<std::set<std::string>> seen;
    const auto place = [&](bool is_key) {
      if (path.empty() || is_key) return;
      // An array element stands where it begins.
      if (auto& [at, n] = path.back(); n != ~std::size_t{0}) {
        key = at + "/" + std::to_string(n++);
        out.lines.emplace(key, line);
      }
    };
    const Json::parser_callback_t look = [&](int, Json::parse_event_t event, Json& value) {
      using E = Json::parse_event_t;
      if (event == E::key) {
        const std::string name = value.get<std::string>();
        key = path.back().first + "/" + name;
        out.lines.emplace(key, line);
        if (!seen.back().insert(name).second) fail(line, "the key \"" + name + "\" is there twice; keep one");
      } else if (event == E::object_start || event == E::array_start) {
        place(false);
        path.emplace_back(path.empty() ? "" : key, event == E::object_start ? ~std::size_t{0} : 0);
        seen.emplace_back();
      } else if (event == E::object_end || event == E::array_end) {
        path.pop_back();
        seen.pop_back();
      } else {
        place(false);
      }
      return true;
    };
    try {
      out.root = Json::parse(Counting(text.data(), &line), Counting(text.data() + text.size(), &line), look);
    } catch (const Json::parse_error& e) {
      const auto upto = std::min(e.byte == 0 ? 0 : e.byte - 1, text.size());
      const auto there = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(upto), '\n');
      std::string why = e.what();
      if (const auto at = why.find("syntax error"); at != std::string::npos) why = why.substr(at);
      fail(static_cast<unsigned>(there), "not JSON: " + why + "; correct it there");
    }
    return out;
  }

  [[noreturn]] void fail(unsigned line, const std::string& what) const {
    throw InputError(file_ + ":" + std::to_string(line) + ": " + what);
  }

 private:
  std::string file_;
};

/// A JSON object with what is asked of its keys.
class Object {
 public:
  Object(const Reader& reader, const Document& document, std::string at, const Json& value)
      : reader_(reader), document_(document), at_(std::move(at)), value_(value) {
    if (!value_.is_object()) fail("must be an object { }");
  }

  unsigned line(const std::string& key = {}) const {
    std::string at = key.empty() ? at_ : at_ + "/" + key;
    while (!at.empty()) {
      if (const auto found = document_.lines.find(at); found != document_.lines.end()) return found->second;
      at.erase(at.rfind('/'));
    }
    return 1;
  }
  [[noreturn]] void fail(const std::string& what, const std::string& key = {}) const {
    reader_.fail(line(key), (key.empty() ? std::string() : "\"" + key + "\" ") + what);
  }
  bool has(const std::string& key) const { return value_.contains(key); }
  void only(const std::set<std::string>& known) const {
    std::string list;
    for (const auto& k : known) list += (list.empty() ? "" : ", ") + k;
    for (const auto& [key, v] : value_.items())
      if (!known.contains(key)) fail("is no key here; use: " + list, key);
  }
  std::string word(const std::string& key) const {
    const Json& v = need(key);
    if (!v.is_string() || v.get<std::string>().empty()) fail("must be a text that is not empty", key);
    return v.get<std::string>();
  }
  double positive(const std::string& key) const {
    const Json& v = need(key);
    if (!v.is_number() || !std::isfinite(v.get<double>()) || v.get<double>() <= 0)
      fail("must be a number above 0", key);
    return v.get<double>();
  }
  double at_least_zero(const std::string& key) const {
    const Json& v = need(key);
    if (!v.is_number() || !std::isfinite(v.get<double>()) || v.get<double>() < 0)
      fail("must be a number, 0 or above", key);
    return v.get<double>();
  }
  unsigned count(const std::string& key) const {
    const double v = positive(key);
    if (v != std::floor(v) || v > 65536) fail("must be a whole number from 1 to 65536", key);
    return static_cast<unsigned>(v);
  }
  std::vector<Object> list(const std::string& key) const {
    const Json& v = need(key);
    if (!v.is_array() || v.empty()) fail("must be a list [ ] that is not empty", key);
    std::vector<Object> out;
    for (std::size_t i = 0; i < v.size(); ++i)
      out.emplace_back(reader_, document_, at_ + "/" + key + "/" + std::to_string(i), v[i]);
    return out;
  }
  /// value, "lo" and "hi" beside it, times `scale`.
  Range range(const std::string& key, double scale) const {
    const Range r{at_least_zero("lo"), at_least_zero(key), at_least_zero("hi")};
    if (!(r.lo <= r.value)) fail("must be at most \"" + key + "\"", "lo");
    if (!(r.value <= r.hi)) fail("must be at least \"" + key + "\"", "hi");
    return scale * r;
  }

 private:
  const Json& need(const std::string& key) const {
    if (!has(key)) fail("the key \"" + key + "\" is missing; add it");
    return value_.at(key);
  }

  const Reader& reader_;
  const Document& document_;
  std::string at_;
  const Json& value_;
};

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
