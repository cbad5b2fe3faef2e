// SPDX-License-Identifier: GPL-2.0-or-later
// Facts: the named constants and choices in which kernel versions and patches differ.
//
// A specification declares a struct of them and one `visit` that calls v(FactInfo, member) for each. A member is a
// bool, an unsigned, or a Choice (one of a list of words). From the visit come listing, parsing, comparison and
// explanation.
#pragma once

#include <charconv>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace iomc::model {

struct FactInfo {
  const char* name;                                ///< stable public name
  const char* what;                                ///< what it decides, one line
  const char* file;                                ///< kernel file it is read from
  const char* function;                            ///< kernel function or definition it is read from
  const char* source;                              ///< the commit or release that changed it
  std::span<const std::string_view> words = {};    ///< the values of an enumerated fact, in the order of its enum
};

template <class E>
concept Enumerated = std::is_enum_v<E>;

template <class T>
std::string fact_text(const FactInfo& info, const T& value) {
  if constexpr (Enumerated<T>)
    return std::string(info.words[static_cast<std::size_t>(value)]);
  else if constexpr (std::is_same_v<T, bool>)
    return value ? "true" : "false";
  else
    return std::to_string(value);
}

/// So many values of an enumerated fact are named where one is not allowed.
inline constexpr std::size_t named_words = 16;

/// Parses `text` into the fact; the empty string on success, else what is allowed.
template <class T>
std::string parse_fact(const FactInfo& info, std::string_view text, T& value) {
  if constexpr (Enumerated<T>) {
    std::string allowed;
    for (std::size_t i = 0; i < info.words.size(); ++i) {
      if (info.words[i] == text) {
        value = static_cast<T>(i);
        return {};
      }
      if (i < named_words || i + 1 == info.words.size()) allowed += (i == 0 ? "" : ", ") + std::string(info.words[i]);
      else if (i == named_words) allowed += ", …";
    }
    return "one of " + allowed;
  } else if constexpr (std::is_same_v<T, bool>) {
    if (text == "true" || text == "1") return value = true, std::string();
    if (text == "false" || text == "0") return value = false, std::string();
    return "true or false";
  } else {
    std::uint32_t parsed = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parsed);
    if (error != std::errc{} || end != text.data() + text.size()) return "a number";
    return value = parsed, std::string();
  }
}

using NamedValue = std::pair<std::string, std::string>;

/// All facts with their values, in declaration order.
template <class Facts>
std::vector<NamedValue> list_facts(const Facts& facts) {
  std::vector<NamedValue> out;
  Facts::visit(facts,
               [&](const FactInfo& info, const auto& value) { out.emplace_back(info.name, fact_text(info, value)); });
  return out;
}

/// Sets one fact by name: nullopt if there is no such fact, else the empty string or what is allowed.
template <class Facts>
std::optional<std::string> set_fact(Facts& facts, std::string_view name, std::string_view text) {
  std::optional<std::string> out;
  Facts::visit(facts, [&](const FactInfo& info, auto& value) {
    if (info.name == name) out = parse_fact(info, text, value);
  });
  return out;
}

}  // namespace iomc::model
