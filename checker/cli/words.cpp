// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/cli/words.hpp"

#include "checker/result.hpp"

namespace iomc::cli {

std::vector<std::string> split_words(const std::string& line) {
  std::vector<std::string> out;
  std::string word;
  bool in_word = false;
  const auto end_word = [&] {
    if (in_word) out.push_back(std::move(word));
    word.clear();
    in_word = false;
  };
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == ' ' || c == '\t') {
      end_word();
    } else if (c == '#' && !in_word) {
      break;
    } else if (c == '\\' && i + 1 < line.size()) {
      in_word = true;
      word += line[++i];
    } else if (c == '\'' || c == '"') {
      in_word = true;
      std::size_t at = i + 1;
      for (; at < line.size() && line[at] != c; ++at) {
        if (c == '"' && line[at] == '\\' && at + 1 < line.size() && (line[at + 1] == '"' || line[at + 1] == '\\')) ++at;
        word += line[at];
      }
      if (at == line.size()) throw check::InputError(std::string("the quote ") + c + " is not closed: " + line);
      i = at;
    } else {
      in_word = true;
      word += c;
    }
  }
  end_word();
  return out;
}

}  // namespace iomc::cli
