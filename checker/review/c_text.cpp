// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/review/c_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

namespace iomc::check {

namespace {

bool word_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$'; }

/// Longest first.
constexpr std::array<std::string_view, 24> long_marks = {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>",
                                                         "<=",  ">=",  "==",  "!=", "&&", "||", "+=", "-=",
                                                         "*=",  "/=",  "%=",  "&=", "|=", "^=", "##", "::"};

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view source) : s_(source) {}

  Tokens run() {
    while (at_ < s_.size()) step();
    end_directive();
    return std::move(out_);
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < s_.size() ? s_[at_ + ahead] : '\0'; }

  void push(TokenKind kind, std::size_t length) {
    out_.tokens.push_back({kind, std::string(s_.substr(at_, length)), line_, at_ == token_end_ && at_ != 0});
    at_ += length;
    token_end_ = at_;
    fresh_line_ = false;
  }

  void end_directive() {
    if (directive_) out_.tokens.push_back({TokenKind::line_end, "\n", line_, false});
    directive_ = false;
  }

  void step() {
    const char c = peek();
    if (c == '\n') {
      end_directive();
      ++line_;
      ++at_;
      fresh_line_ = true;
    } else if (c == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n'))) {
      at_ += peek(1) == '\n' ? 2 : 3;
      ++line_;
    } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      ++at_;
    } else if (c == '/' && (peek(1) == '*' || peek(1) == '/')) {
      comment();
    } else if (c == '"' || c == '\'') {
      quoted(c);
    } else if (word_char(c)) {
      word();
    } else {
      mark();
    }
  }

  void comment() {
    const bool block = peek(1) == '*';
    const std::size_t close = s_.find(block ? std::string_view("*/") : std::string_view("\n"), at_ + 2);
    const std::size_t end = close == std::string_view::npos ? s_.size() : close + (block ? 2 : 0);
    const std::string_view text = s_.substr(at_, end - at_);
    out_.comments.push_back({std::string(text), line_, out_.tokens.size()});
    line_ += static_cast<unsigned>(std::count(text.begin(), text.end(), '\n'));
    at_ = end;
  }

  void quoted(char quote) {
    std::size_t length = 1;
    while (at_ + length < s_.size() && peek(length) != quote && peek(length) != '\n')
      length += peek(length) == '\\' ? 2 : 1;
    length = std::min(length + 1, s_.size() - at_);
    const unsigned begun = line_;
    const std::string_view text = s_.substr(at_, length);
    push(TokenKind::text, length);
    line_ = begun + static_cast<unsigned>(std::count(text.begin(), text.end(), '\n'));
  }

  void word() {
    std::size_t length = 1;
    while (word_char(peek(length))) ++length;
    const bool digit = std::isdigit(static_cast<unsigned char>(peek())) != 0;
    push(digit ? TokenKind::number : TokenKind::word, length);
  }

  void mark() {
    if (peek() == '#' && fresh_line_) directive_ = true;
    for (const std::string_view m : long_marks)
      if (s_.substr(at_, m.size()) == m) return push(TokenKind::mark, m.size());
    push(TokenKind::mark, 1);
  }

  std::string_view s_;
  std::size_t at_ = 0;
  std::size_t token_end_ = 0;
  unsigned line_ = 1;
  bool fresh_line_ = true;
  bool directive_ = false;
  Tokens out_;
};

/// Splits a file's tokens into regions, by the braces at file level.
class Regions {
 public:
  explicit Regions(const std::vector<Token>& tokens) : t_(tokens) {}

  std::vector<Region> run() {
    for (at_ = 0; at_ < t_.size();) {
      if (text(at_) == "#")
        directive();
      else if (text(at_) == "{")
        braces();
      else
        plain();
    }
    return std::move(out_);
  }

 private:
  const std::string& text(std::size_t i) const { return t_[i].text; }
  bool is_word(std::size_t i) const { return i < t_.size() && t_[i].kind == TokenKind::word; }

  void add(std::string name, bool function, std::size_t first, std::size_t last) {
    out_.push_back({std::move(name), function, first, last, t_[first].line, t_[last].line});
  }

  std::size_t directive_end(std::size_t i) const {
    while (i < t_.size() && t_[i].kind != TokenKind::line_end) ++i;
    return std::min(i, t_.size() - 1);
  }

  void directive() {
    const std::size_t end = directive_end(at_);
    if (at_ + 2 <= end && text(at_ + 1) == "define" && is_word(at_ + 2)) {
      const std::size_t last = end > at_ && t_[end].kind == TokenKind::line_end ? end - 1 : end;
      add(text(at_ + 2), false, at_, last);
    }
    at_ = end + 1;
    if (paren_ == 0) head_ = std::max(head_, at_);
  }

  void plain() {
    if (text(at_) == "(") ++paren_;
    if (text(at_) == ")" && paren_ > 0) --paren_;
    const bool ends = paren_ == 0 && text(at_) == ";";
    ++at_;
    if (ends) head_ = at_;
  }

  std::size_t closing(std::size_t i) const {
    unsigned depth = 0;
    for (; i < t_.size(); ++i) {
      if (text(i) == "{") ++depth;
      if (text(i) == "}" && --depth == 0) return i;
    }
    return t_.size() - 1;
  }

  /// The name before the parameters; empty where the head is none of a function. A macro call without a semicolon may
  /// stand before the function, and an annotation like __releases(lock) behind its parameters: only the former is
  /// followed by a type and another name.
  std::string function_name() const {
    std::string name;
    std::size_t after_group = head_;
    unsigned depth = 0;
    for (std::size_t i = head_; i < at_; ++i) {
      if (text(i) == "=") return {};
      if (text(i) == "(" && depth++ == 0 && i > head_ && is_word(i - 1) && (name.empty() || i - after_group >= 2))
        name = text(i - 1);
      if (text(i) == ")" && depth > 0 && --depth == 0) after_group = i + 1;
    }
    return name;
  }

  std::string tag_name() const {
    for (std::size_t i = head_; i < at_; ++i)
      if (text(i) == "struct" || text(i) == "union" || text(i) == "enum") return i + 1 < at_ ? text(i + 1) : "";
    return {};
  }

  /// The name before "=", as of an initialised table.
  std::string variable_name() const {
    for (std::size_t i = head_; i < at_; ++i)
      if (text(i) == "=")
        for (std::size_t j = i; j-- > head_;)
          if (is_word(j)) return text(j);
    return {};
  }

  void braces() {
    const std::size_t end = closing(at_);
    if (paren_ == 0 && head_ < at_) {
      std::string name = function_name();
      const bool function = !name.empty();
      if (!function) name = variable_name();
      if (name.empty()) name = tag_name();
      if (!name.empty()) add(std::move(name), function, head_, end);
      at_ = end + 1;
      if (function) head_ = at_;
    } else {
      at_ = end + 1;
    }
  }

  const std::vector<Token>& t_;
  std::vector<Region> out_;
  std::size_t at_ = 0;
  std::size_t head_ = 0;  ///< first token since the last end of a declaration
  unsigned paren_ = 0;
};

/// Recursive descent over C's integer operators, lowest binding first.
class Evaluator {
 public:
  Evaluator(const std::vector<Token>& t, const std::map<std::string, std::vector<Token>>& macros, unsigned depth)
      : t_(t), macros_(macros), depth_(depth) {}

  std::optional<std::uint64_t> run() {
    const std::uint64_t value = binary(0);
    if (!ok_ || at_ != t_.size() || t_.empty()) return std::nullopt;
    return value;
  }

 private:
  static constexpr std::array<std::array<std::string_view, 3>, 5> levels = {
      {{"|", "", ""}, {"&", "", ""}, {"<<", ">>", ""}, {"+", "-", ""}, {"*", "/", "%"}}};

  std::uint64_t fail() {
    ok_ = false;
    return 0;
  }

  std::uint64_t apply(std::string_view op, std::uint64_t a, std::uint64_t b) {
    if (op == "|") return a | b;
    if (op == "&") return a & b;
    if (op == "<<") return b < 64 ? a << b : fail();
    if (op == ">>") return b < 64 ? a >> b : fail();
    if (op == "+") return a + b;
    if (op == "-") return a >= b ? a - b : fail();
    if (op == "*") return a * b;
    if (b == 0) return fail();
    return op == "/" ? a / b : a % b;
  }

  std::uint64_t binary(std::size_t level) {
    if (level == levels.size()) return unary();
    std::uint64_t value = binary(level + 1);
    while (ok_ && at_ < t_.size()) {
      const auto& ops = levels[level];
      const auto op = std::find(ops.begin(), ops.end(), std::string_view(t_[at_].text));
      if (op == ops.end()) break;
      ++at_;
      value = apply(*op, value, binary(level + 1));
    }
    return value;
  }

  std::uint64_t unary() {
    if (at_ >= t_.size() || ++nested_ > 256) return fail();  // no kernel constant nests as deeply
    const Token& token = t_[at_++];
    if (token.text == "~") return ~unary();
    if (token.text == "(") {
      const std::uint64_t value = binary(0);
      if (at_ >= t_.size() || t_[at_++].text != ")") return fail();
      return value;
    }
    if (token.kind == TokenKind::number) return number(token.text);
    const auto macro = macros_.find(token.text);
    if (macro == macros_.end() || depth_ > 16) return fail();
    const auto value = Evaluator(macro->second, macros_, depth_ + 1).run();
    return value ? *value : fail();
  }

  std::uint64_t number(std::string text) {
    while (!text.empty() && (std::tolower(text.back()) == 'u' || std::tolower(text.back()) == 'l')) text.pop_back();
    int base = 10;
    std::size_t skip = 0;
    if (text.size() > 2 && text[0] == '0' && std::tolower(text[1]) == 'x') {
      base = 16;
      skip = 2;
    } else if (text.size() > 1 && text[0] == '0') {
      base = 8;
      skip = 1;
    }
    std::uint64_t value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + skip, end, value, base);
    return error == std::errc{} && stop == end ? value : fail();
  }

  const std::vector<Token>& t_;
  const std::map<std::string, std::vector<Token>>& macros_;
  unsigned depth_;
  unsigned nested_ = 0;  ///< operands seen
  std::size_t at_ = 0;
  bool ok_ = true;
};

}  // namespace

Tokens tokenize(std::string_view source) { return Tokenizer(source).run(); }

bool same_code(const std::vector<Token>& a, const std::vector<Token>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Token& x, const Token& y) { return x.text == y.text; });
}

std::vector<Region> regions(const std::vector<Token>& tokens) { return Regions(tokens).run(); }

const Region* region_at(const std::vector<Region>& all, unsigned line) {
  for (const Region& r : all)
    if (r.first_line <= line && line <= r.last_line) return &r;
  return nullptr;
}

std::map<std::string, std::vector<Token>> object_macros(const std::vector<Token>& tokens) {
  std::map<std::string, std::vector<Token>> out;
  for (const Region& r : regions(tokens)) {
    const std::size_t after = r.first_token + 3;
    if (tokens[r.first_token].text != "#") continue;
    if (after <= r.last_token && tokens[after].text == "(" && tokens[after].joined) continue;  // function-like
    out[r.name].assign(tokens.begin() + static_cast<std::ptrdiff_t>(std::min(after, r.last_token + 1)),
                       tokens.begin() + static_cast<std::ptrdiff_t>(r.last_token) + 1);
  }
  return out;
}

std::optional<std::uint64_t> evaluate(const std::vector<Token>& expression,
                                      const std::map<std::string, std::vector<Token>>& macros) {
  return Evaluator(expression, macros, 0).run();
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    out.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return out;
}

}  // namespace iomc::check
