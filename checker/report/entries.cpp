// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/report/entries.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "checker/report/plain.hpp"

namespace iomc::report {

std::string list_text(const std::vector<Entry>& entries, const Options& options) {
  std::size_t name_width = 0;
  std::size_t spec_width = 0;
  std::set<std::string> specs;
  for (const auto& e : entries) {
    name_width = std::max(name_width, e.name.size());
    spec_width = std::max(spec_width, e.spec.size());
    specs.insert(e.spec);
  }
  std::string out;
  for (const auto& e : entries) {
    // A property id begins with its specification; other names do not say where they belong.
    const bool say_spec = specs.size() > 1 && e.kind != "property" && e.kind != "spec";
    const std::string front = say_spec ? pad(ascii(e.spec), spec_width + 2) : std::string();
    out += hanging(front + pad(ascii(e.name), name_width + 2), ascii(e.summary), options.width);
  }
  return out;
}

std::string explain_text(const std::vector<Entry>& entries, const Options& options) {
  std::string out;
  for (const auto& e : entries) {
    if (!out.empty()) out += "\n";
    out += ascii(e.name) + " (" + e.kind + (e.spec.empty() ? std::string() : " of " + ascii(e.spec)) +
           ")\n";
    for (const auto& [label, text] : e.details)
      if (!text.empty()) out += hanging("  " + pad(label + ":", 12), ascii(text), options.width);
  }
  return out;
}

std::string entries_json(const std::vector<Entry>& entries) {
  using Json = nlohmann::ordered_json;
  Json list = Json::array();
  for (const auto& e : entries) {
    Json one;
    one["kind"] = e.kind;
    one["spec"] = e.spec;
    one["name"] = e.name;
    one["summary"] = e.summary;
    for (const auto& [label, text] : e.details) one[label] = text;
    list.push_back(std::move(one));
  }
  Json out;
  out["schema"] = "iomc.list/1";
  out["entries"] = std::move(list);
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace iomc::report
