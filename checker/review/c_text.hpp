// SPDX-License-Identifier: GPL-2.0-or-later
// C source as tokens: enough to tell a change of code from a change of comments or blanks, to name the function a line
// is in, and to compute a constant. No preprocessing, no types; Coccinelle does the understanding.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace iomc::check {

enum class TokenKind : unsigned char {
  word,
  number,
  text,
  mark,
  line_end
};  ///< line_end only ends a preprocessor line

struct Token {
  TokenKind kind = TokenKind::mark;
  std::string text;
  unsigned line = 0;    ///< from 1
  bool joined = false;  ///< nothing stands between it and the token before it
};

struct Comment {
  std::string text;
  unsigned line = 0;
  std::size_t next = 0;  ///< index of the token that follows it
};

struct Tokens {
  std::vector<Token> tokens;
  std::vector<Comment> comments;
};

Tokens tokenize(std::string_view source);

/// Same code: the same tokens, wherever they stand.
bool same_code(const std::vector<Token>& a, const std::vector<Token>& b);

/// A named stretch of a file: a function, a macro, a struct, union or enum.
struct Region {
  std::string name;
  bool function = false;
  std::size_t first_token = 0;  ///< of its head; one past the end is last_token + 1
  std::size_t last_token = 0;
  unsigned first_line = 0;
  unsigned last_line = 0;
};

/// The regions of a file in file order; what lies outside them is declarations.
std::vector<Region> regions(const std::vector<Token>& tokens);

/// The region a line is in, or nullptr.
const Region* region_at(const std::vector<Region>& all, unsigned line);

/// Object-like macros and their replacement.
std::map<std::string, std::vector<Token>> object_macros(const std::vector<Token>& tokens);

/// The value of a constant expression (+ - * / << >> | & ~ and parentheses over numbers and object-like macros);
/// nullopt if it is anything else, or does not fit.
std::optional<std::uint64_t> evaluate(const std::vector<Token>& expression,
                                      const std::map<std::string, std::vector<Token>>& macros);

/// Lines of a text without their line ends; a final line end does not begin another line.
std::vector<std::string_view> lines_of(std::string_view text);

}  // namespace iomc::check
