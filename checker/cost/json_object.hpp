// SPDX-License-Identifier: GPL-2.0-or-later
// Strict reading of JSON files that people write: every complaint has the file, the line and what to do. Only for the
// readers of profiles and task sets.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "checker/cost/range.hpp"
#include "checker/result.hpp"

namespace iomc::check::cost::json {

using Json = nlohmann::ordered_json;

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
  bool yes_or_no(const std::string& key) const {
    const Json& v = need(key);
    if (!v.is_boolean()) fail("must be true or false", key);
    return v.get<bool>();
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

}  // namespace iomc::check::cost::json
