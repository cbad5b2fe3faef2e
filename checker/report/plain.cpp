// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/report/plain.hpp"

#include <array>
#include <utility>

namespace iomc::report {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 10> spelled_out = {{
    {"\xe2\x80\xa6", "..."},
    {"\xe2\x80\x93", "-"},
    {"\xe2\x80\x94", "-"},
    {"\xe2\x86\x92", "->"},
    {"\xe2\x89\xa4", "<="},
    {"\xe2\x89\xa5", ">="},
    {"\xe2\x80\x98", "'"},
    {"\xe2\x80\x99", "'"},
    {"\xe2\x80\x9c", "\""},
    {"\xe2\x80\x9d", "\""},
}};

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; }

}  // namespace

std::string ascii(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c >= 0x20 && c < 0x7f) {
      out += text[i++];
      continue;
    }
    if (c == '\n' || c == '\t') {
      out += ' ';
      ++i;
      continue;
    }
    std::string_view replacement = "?";
    for (const auto& [from, to] : spelled_out)
      if (text.substr(i).starts_with(from)) replacement = to;
    out += replacement;
    ++i;
    while (c >= 0x80 && i < text.size() && continues(text[i])) ++i;
  }
  return out;
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  if (width == 0) width = 1;
  std::vector<std::string> out;
  while (!text.empty()) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    if (text.size() <= width) {
      if (!text.empty()) out.emplace_back(text);
      break;
    }
    std::size_t cut = text.rfind(' ', width);
    if (cut == std::string_view::npos || cut == 0) cut = width;
    std::string line(text.substr(0, cut));
    while (!line.empty() && line.back() == ' ') line.pop_back();
    out.push_back(std::move(line));
    text.remove_prefix(cut);
  }
  if (out.empty()) out.emplace_back();
  return out;
}

std::string hanging(const std::string& first, std::string_view text, std::size_t width) {
  std::string out;
  const std::string other(first.size(), ' ');
  for (const auto& line : wrap(text, width > first.size() + 20 ? width - first.size() : 20)) {
    std::string whole = (out.empty() ? first : other) + line;
    while (!whole.empty() && whole.back() == ' ') whole.pop_back();
    out += whole + "\n";
  }
  return out;
}

std::string pad(std::string text, std::size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

std::string shell_word(const std::string& word) {
  constexpr std::string_view safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=,:+@%";
  if (!word.empty() && word.find_first_not_of(safe) == std::string::npos) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace iomc::report
