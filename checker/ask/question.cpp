// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/ask/question.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "checker/result.hpp"

namespace iomc::check::ask {

namespace {

struct Token {
  enum class Kind : unsigned char { number, word, sign, end } kind = Kind::end;
  std::string text;
  std::uint64_t number = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
};

bool in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '[' || c == ']';
}

class Lexer {
 public:
  explicit Lexer(const std::string& text) : text_(text) {}

  std::vector<Token> tokens() {
    std::vector<Token> out;
    for (std::size_t at = 0;;) {
      while (at < text_.size() && std::isspace(static_cast<unsigned char>(text_[at])) != 0) ++at;
      if (at == text_.size()) break;
      out.push_back(in_word(text_[at]) && text_.compare(at, 2, "..") != 0 ? word(at) : sign(at));
      at = out.back().end;
    }
    Token end;
    end.begin = end.end = text_.size();
    out.push_back(end);
    return out;
  }

 private:
  Token word(std::size_t at) {
    Token t{Token::Kind::word, {}, 0, at, at};
    while (t.end < text_.size()) {
      const char c = text_[t.end];
      const bool dash = c == '-' && t.end + 1 < text_.size() && in_word(text_[t.end + 1]);
      if (!in_word(c) && !dash) break;
      if (c == '.' && t.end + 1 < text_.size() && text_[t.end + 1] == '.') break;  // a range
      ++t.end;
    }
    t.text = text_.substr(at, t.end - at);
    const bool hex = t.text.starts_with("0x");
    const char* first = t.text.data() + (hex ? 2 : 0);
    const char* last = t.text.data() + t.text.size();
    const auto [end, error] = std::from_chars(first, last, t.number, hex ? 16 : 10);
    if (error == std::errc::result_out_of_range)
      throw InputError("question: " + t.text + ": a number has 64 bits");
    if (error == std::errc{} && end == last) t.kind = Token::Kind::number;
    return t;
  }

  Token sign(std::size_t at) {
    for (const char* s : {"..", "!=", "<=", ">=", "==", "=", "<", ">", "+", "-", "*", "&", "(", ")", ",", ":"})
      if (text_.compare(at, std::string(s).size(), s) == 0)
        return {Token::Kind::sign, s, 0, at, at + std::string(s).size()};
    throw InputError("question: '" + text_.substr(at, 1) + "' at column " + std::to_string(at + 1) +
                     " is nothing that it may hold");
  }

  const std::string& text_;
};

class Parser {
 public:
  explicit Parser(const std::string& text) : text_(text), tokens_(Lexer(text).tokens()) {}

  Question question() {
    Question q;
    q.text = text_;
    if (tokens_.size() > 2 && tokens_[1].text == ":") {
      q.spec = take().text;
      take();
    }
    verb(q);
    for (;;) {
      if (accept("where")) {
        if (!q.where.empty()) fail("'and' between conditions; where stands once");
        conjuncts(q.where);
      } else if (accept("within")) {
        q.within = number("the number of steps, as in within 12 steps");
        if (!accept("steps")) accept("step");
      } else if (accept("for")) {
        q.sweep = word("a size");
        expect("in");
        range(q.from, q.to);
      } else {
        break;
      }
    }
    if (now().kind != Token::Kind::end) fail("and, or, where, within, for, or the end");
    if (q.verb == Question::Verb::find || q.verb == Question::Verb::all) {
      if (q.where.empty()) fail("where, and a condition");
      if (!q.sweep.empty()) throw InputError("question: 'for' goes with min and max");
    }
    return q;
  }

 private:
  const Token& now() const { return tokens_[at_]; }
  const Token& take() { return tokens_[at_ == tokens_.size() - 1 ? at_ : at_++]; }
  bool is(const char* text) const { return now().kind != Token::Kind::end && now().text == text; }
  bool accept(const char* text) { return is(text) && (take(), true); }
  void expect(const char* text) {
    if (!accept(text)) fail("'" + std::string(text) + "'");
  }
  [[noreturn]] void fail(const std::string& expected) const {
    const std::string found = now().kind == Token::Kind::end ? "it ends there" : "found '" + now().text + "'";
    throw InputError("question, column " + std::to_string(now().begin + 1) + ": expected " + expected + "; " + found);
  }
  std::string word(const char* what) {
    if (now().kind != Token::Kind::word) fail(what);
    return take().text;
  }
  std::uint64_t number(const char* what) {
    if (now().kind != Token::Kind::number) fail(what);
    return take().number;
  }
  void range(std::uint64_t& from, std::uint64_t& to) {
    from = number("a range, as in 1..3");
    expect("..");
    to = number("the end of the range");
    if (to < from) fail("a range that is not empty before this");
  }

  void verb(Question& q) {
    if (accept("find") || accept("all")) {
      q.verb = tokens_[at_ - 1].text == "find" ? Question::Verb::find : Question::Verb::all;
      if (is("where")) fail("a name");
      do q.names.push_back(word("a name")); while (accept(","));
      return;
    }
    if (!is("min") && !is("max")) fail("find, all, min or max");
    q.verb = take().text == "min" ? Question::Verb::min : Question::Verb::max;
    const std::size_t begin = now().begin;
    q.measure = sum();
    q.measure_text = text_.substr(begin, tokens_[at_ - 1].end - begin);
  }

  /// The parts between the outermost ands, each with its text.
  void conjuncts(std::vector<Conjunct>& out) {
    const std::size_t start = at_;
    Expr whole = disjunction();
    if (whole.kind != Expr::Kind::conjunction || tokens_[start].text == "(") {
      out.push_back({source(start), std::move(whole)});
      return;
    }
    at_ = start;
    do {
      const std::size_t begin = at_;
      Expr part = negation();
      out.push_back({source(begin), std::move(part)});
    } while (accept("and"));
  }
  std::string source(std::size_t begin) const {
    return text_.substr(tokens_[begin].begin, tokens_[at_ - 1].end - tokens_[begin].begin);
  }

  Expr joined(Expr::Kind kind, const char* word, Expr (Parser::*next)()) {
    Expr first = (this->*next)();
    if (!is(word)) return first;
    Expr out;
    out.kind = kind;
    out.of.push_back(truth(std::move(first)));
    while (accept(word)) out.of.push_back(truth((this->*next)()));
    return out;
  }
  Expr truth(Expr e) const {
    if (!e.truth() && e.kind != Expr::Kind::call) fail("a condition before this, as in a = 1");
    return e;
  }
  Expr disjunction() { return joined(Expr::Kind::disjunction, "or", &Parser::conjunction); }
  Expr conjunction() { return joined(Expr::Kind::conjunction, "and", &Parser::negation); }
  Expr negation() {
    if (!accept("not")) return comparison();
    Expr out;
    out.kind = Expr::Kind::negation;
    out.of.push_back(truth(negation()));
    return out;
  }
  Expr comparison() {
    Expr left = sum();
    if (accept("in")) {
      std::uint64_t from = 0;
      std::uint64_t to = 0;
      range(from, to);
      Expr out;
      out.kind = Expr::Kind::conjunction;
      out.of.push_back(compare(">=", left, constant(from)));
      out.of.push_back(compare("<=", left, constant(to)));
      return out;
    }
    for (const char* sign : {"=", "==", "!=", "<", "<=", ">", ">="})
      if (accept(sign)) return compare(std::string(sign) == "==" ? "=" : sign, std::move(left), sum());
    return left;
  }
  static Expr constant(std::uint64_t n) {
    Expr out;
    out.number = n;
    return out;
  }
  static Expr compare(std::string sign, Expr a, Expr b) {
    Expr out;
    out.kind = Expr::Kind::comparison;
    out.text = std::move(sign);
    out.of.push_back(std::move(a));
    out.of.push_back(std::move(b));
    return out;
  }
  Expr sum() {
    Expr out = product();
    while (is("+") || is("-")) out = operation(std::move(out), &Parser::product);
    return out;
  }
  Expr product() {
    Expr out = factor();
    while (is("*") || is("&")) out = operation(std::move(out), &Parser::factor);
    return out;
  }
  Expr operation(Expr left, Expr (Parser::*next)()) {
    Expr out;
    out.kind = Expr::Kind::operation;
    out.text = take().text;
    out.of.push_back(std::move(left));
    out.of.push_back((this->*next)());
    for (const Expr& e : out.of)
      if (e.truth()) fail("numbers on both sides of '" + out.text + "' before this");
    return out;
  }
  Expr factor() {
    if (accept("(")) {
      Expr out = disjunction();
      expect(")");
      return out;
    }
    if (now().kind == Token::Kind::number) return constant(take().number);
    Expr out;
    out.kind = Expr::Kind::word;
    out.text = word("a name, a number or '('");
    for (const char* reserved : {"where", "and", "or", "not", "within", "for", "in"})
      if (out.text == reserved) {
        --at_;
        fail("a name, a number or '('");
      }
    if (!accept("(")) return out;
    if (out.text != "violated" && out.text != "holds" && out.text != "cost")
      throw InputError("question: there is no " + out.text + "(); there are violated(ID), holds(ID) and cost(EVENT)");
    Expr argument;
    argument.kind = Expr::Kind::word;
    argument.text = word("a property, or an event of iomc list events");
    out.kind = Expr::Kind::call;
    out.of.push_back(std::move(argument));
    expect(")");
    return out;
  }

  const std::string& text_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
};

}  // namespace

Question parse(const std::string& text) { return Parser(text).question(); }

void collect(const Expr& e, std::vector<std::string>& words, std::vector<Expr>& calls) {
  if (e.kind == Expr::Kind::word) words.push_back(e.text);
  if (e.kind == Expr::Kind::call) {
    calls.push_back(e);
    return;
  }
  for (const Expr& part : e.of) collect(part, words, calls);
}

}  // namespace iomc::check::ask
