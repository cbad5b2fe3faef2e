// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/report/recorded.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "checker/result.hpp"

namespace iomc::report {

namespace {

using Json = nlohmann::ordered_json;
using check::InputError;

Json parse(const std::string& text, const std::string& file) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& e) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(e.byte, text.size()));
    const auto line = 1 + std::count(text.begin(), end, '\n');
    throw InputError(file + ":" + std::to_string(line) + ": not JSON; expected what 'iomc check --format json' writes");
  }
}

std::string string_at(const Json& object, const char* key, const std::string& file, const std::string& where) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string())
    throw InputError(file + ": " + where + " has no string '" + key + "'; expected an iomc.result/1");
  return found->get<std::string>();
}

std::vector<std::pair<std::string, std::string>> pairs_at(const Json& object, const char* key,
                                                          const std::string& file) {
  std::vector<std::pair<std::string, std::string>> out;
  const auto found = object.find(key);
  if (found == object.end()) return out;
  if (!found->is_object()) throw InputError(file + ": '" + key + "' is not an object; expected an iomc.result/1");
  for (const auto& [name, value] : found->items()) {
    if (!value.is_string()) throw InputError(file + ": '" + key + "." + name + "' is not a string");
    out.emplace_back(name, value.get<std::string>());
  }
  return out;
}

}  // namespace

std::vector<Recorded> read_recorded(const std::string& text, const std::string& file) {
  const Json run = parse(text, file);
  if (!run.is_object() || run.value("schema", Json()) != "iomc.result/1")
    throw InputError(file + ": its \"schema\" is not iomc.result/1; give what 'iomc check --format json' wrote");
  Recorded common;
  common.spec = string_at(run, "spec", file, "the run");
  common.kernel = string_at(run, "kernel", file, "the run");
  common.facts = pairs_at(run, "facts", file);
  common.sizes = pairs_at(run, "sizes", file);
  const auto results = run.find("results");
  if (results == run.end() || !results->is_array()) throw InputError(file + ": it has no list 'results'");
  std::vector<Recorded> out;
  for (std::size_t i = 0; i < results->size(); ++i) {
    const Json& r = (*results)[i];
    const std::string where = "results[" + std::to_string(i) + "]";
    if (!r.is_object()) throw InputError(file + ": " + where + " is not an object");
    const auto c = r.find("counterexample");
    if (c == r.end()) continue;
    Recorded one = common;
    one.property = string_at(r, "property", file, where);
    one.configuration = string_at(r, "configuration", file, where);
    if (!c->is_object()) throw InputError(file + ": " + where + ".counterexample is not an object");
    one.path = string_at(*c, "path", file, where + ".counterexample");
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace iomc::report
