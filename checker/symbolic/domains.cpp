// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/symbolic/domains.hpp"

#include <algorithm>

#include "checker/symbolic/node.hpp"

namespace iomc::check::symbolic {

namespace {

/// States tried out for one question.
constexpr std::size_t search_limit = 20'000;

std::uint64_t cut(std::uint64_t v, std::uint64_t width) {
  return width == 0 || width >= 64 ? v : v & ((std::uint64_t{1} << width) - 1);
}

template <class T>
T& slot(std::vector<T>& v, std::size_t number) {
  if (number >= v.size()) v.resize(number + number / 2 + 64);
  return v[number];
}

}  // namespace

Interpreter::Known& Interpreter::at(const Node* n) { return slot(known_, n->number); }

void Interpreter::set(const Node* variable, std::uint64_t value) { at(variable) = {run_, value}; }

std::uint64_t Interpreter::operator()(Value v) {
  if (!v.symbolic()) return v.constant;
  if (const Known& k = at(v.term); k.run == run_) return k.value;
  const std::uint64_t value = compute(v.term);
  at(v.term) = {run_, value};
  return value;
}

std::uint64_t Interpreter::compute(const Node* n) {
  auto& self = *this;
  if (n->made == Made::chosen) return self({0, n->condition}) != 0 ? self(n->a) : self(n->b);
  return made_of(*n, self(n->a), self(n->b), false);
}

std::uint64_t made_of(const Node& n, std::uint64_t a, std::uint64_t b, bool condition) {
  switch (n.made) {
    case Made::add: return cut(a + b, n.n);
    case Made::subtract: return cut(a - b, n.n);
    case Made::bit_and: return a & b;
    case Made::bit_or: return a | b;
    case Made::bit_xor: return a ^ b;
    case Made::equal: return a == b ? 1 : 0;
    case Made::less: return a < b ? 1 : 0;
    case Made::less_equal: return a <= b ? 1 : 0;
    case Made::inverted: return cut(~a, n.width);
    case Made::shifted_left: return cut(a << n.n, n.width);
    case Made::shifted_right: return a >> n.n;
    case Made::resized: return cut(a, n.width);
    case Made::chosen: return condition ? a : b;
    case Made::negated: return a == 0 ? 1 : 0;
    case Made::both: return a & b;
    case Made::variable: IOMC_UNREACHABLE("a variable without a value");
    case Made::elsewhere: break;
  }
  IOMC_UNREACHABLE("an expression that Z3 made");
}

const Supports::Support& Supports::of(const Node* n) {
  if (const Support& s = slot(known_, n->number); s.asked) return s;
  Support made;
  made.asked = true;
  const auto take = [&](Value v) {
    if (!v.symbolic()) return;
    const Support part = of(v.term);  // a copy: known_ may move
    made.readable = made.readable && part.readable;
    std::vector<const Node*> both;
    std::set_union(made.variables.begin(), made.variables.end(), part.variables.begin(), part.variables.end(),
                   std::back_inserter(both), [](const Node* a, const Node* b) { return a->number < b->number; });
    made.variables = std::move(both);
  };
  if (n->made == Made::variable) {
    made.variables.push_back(n);
  } else if (n->made == Made::elsewhere) {
    made.readable = false;
  } else {
    take(n->a);
    take(n->b);
    if (n->made == Made::chosen) take({0, n->condition});
  }
  Support& at = slot(known_, n->number);
  at = std::move(made);
  return at;
}

void Domains::set(const Node* variable, const Values& values) {
  IOMC_PRE(held_.empty());
  if (variable->number >= values_.size()) values_.resize(variable->number + variable->number / 2 + 64, unset_);
  values_[variable->number] = values;
}

const Values& Domains::values(const Node* variable) const {
  return variable->number < values_.size() ? values_[variable->number] : unset_;
}

const std::bitset<256>& Domains::mask(const Node* condition, const Node* variable) {
  if (const Mask& known = slot(masks_, condition->number); known.made) return known.in;
  Mask made;
  made.made = true;
  const std::uint64_t end = variable->width >= 8 ? 256 : std::uint64_t{1} << variable->width;
  for (std::uint64_t v = 0; v < end; ++v) {
    interpreter_.begin();
    interpreter_.set(variable, v);
    if (interpreter_({0, condition}) != 0) made.in.set(static_cast<std::size_t>(v));
  }
  Mask& at = slot(masks_, condition->number);
  at = made;
  return at.in;
}

std::bitset<256> Domains::wanted(Truth literal, const Node* variable) {
  const auto [condition, negative] = without_negation(literal.value().term);
  const auto& in = mask(condition, variable);
  return negative ? ~in : in;
}

void Domains::hold(Truth literal) {
  Held h{literal, nullptr, {}};
  if (literal.value().symbolic()) {
    const auto& support = supports_.of(literal.value().term);
    if (support.readable && support.variables.size() == 1 && !values(support.variables[0]).any) {
      const Node* variable = support.variables[0];
      const auto keep = wanted(literal, variable);
      h.narrowed = variable;
      h.before = values_[variable->number];
      values_[variable->number].in &= keep;
    }
  }
  held_.push_back(h);
}

void Domains::drop() {
  IOMC_PRE(!held_.empty());
  if (const Held& h = held_.back(); h.narrowed != nullptr) values_[h.narrowed->number] = h.before;
  held_.pop_back();
}

void Domains::component(std::vector<const Node*>& variables, std::vector<Truth>& literals) const {
  std::vector<bool> used(held_.size(), false);
  const auto known = [&](const Node* v) { return std::find(variables.begin(), variables.end(), v) != variables.end(); };
  for (bool grew = true; grew;) {
    grew = false;
    for (std::size_t i = 0; i < held_.size(); ++i) {
      if (used[i] || held_[i].narrowed != nullptr || !held_[i].literal.value().symbolic()) continue;
      const auto& support = supports_.of(held_[i].literal.value().term).variables;
      if (std::none_of(support.begin(), support.end(), [&](const Node* v) { return known(v) && !values(v).single(); }))
        continue;
      used[i] = grew = true;
      literals.push_back(held_[i].literal);
      for (const Node* v : support)
        if (!known(v)) variables.push_back(v);
    }
  }
}

bool Domains::search(const std::vector<const Node*>& variables, const std::vector<Truth>& literals,
                     const std::function<bool()>& f) {
  std::size_t tried = 0;
  // Each literal is looked at as soon as its variables have values. Every assignment begins the interpreter's state
  // again, as what it remembers of larger expressions is of the one before.
  std::vector<std::vector<Truth>> ready(variables.size());
  for (const Truth& l : literals) {
    std::size_t last = 0;
    for (const Node* v : supports_.of(l.value().term).variables)
      last = std::max(last, static_cast<std::size_t>(std::find(variables.begin(), variables.end(), v) -
                                                     variables.begin()));
    ready[last].push_back(l);
  }
  std::vector<std::uint64_t> chosen(variables.size());
  std::function<int(std::size_t)> go = [&](std::size_t depth) -> int {  // 0: no more, 1: f said so, 2: too many
    const auto& possible = values(variables[depth]).in;
    for (std::size_t v = 0; v < possible.size(); ++v) {
      if (!possible[v]) continue;
      if (++tried > search_limit) return 2;
      chosen[depth] = v;
      interpreter_.begin();
      for (std::size_t i = 0; i <= depth; ++i) interpreter_.set(variables[i], chosen[i]);
      if (std::any_of(ready[depth].begin(), ready[depth].end(),
                      [&](const Truth& l) { return interpreter_(l.value()) == 0; }))
        continue;
      if (depth + 1 == variables.size()) {
        if (f()) return 1;
      } else if (const int r = go(depth + 1); r != 0) {
        return r;
      }
    }
    return 0;
  };
  return go(0) != 2;
}

Answer Domains::possible(Truth literal) {
  if (!literal.value().symbolic())
    return literal.value().constant != 0 ? Answer::satisfiable : Answer::unsatisfiable;
  const auto support = supports_.of(literal.value().term);
  if (!support.readable) return Answer::unknown;
  std::vector<const Node*> variables = support.variables;
  const auto too_wide = [&] {
    return std::any_of(variables.begin(), variables.end(), [&](const Node* v) { return values(v).any; });
  };
  if (too_wide()) return Answer::unknown;
  std::vector<Truth> literals;
  component(variables, literals);
  if (literals.empty() && variables.size() == 1)
    return (values(variables[0]).in & wanted(literal, variables[0])).any() ? Answer::satisfiable
                                                                           : Answer::unsatisfiable;
  if (too_wide()) return Answer::unknown;
  for (const Truth& l : literals)
    if (!supports_.of(l.value().term).readable) return Answer::unknown;
  literals.push_back(literal);
  bool found = false;
  if (!search(variables, literals, [&] { return found = true; })) return Answer::unknown;
  return found ? Answer::satisfiable : Answer::unsatisfiable;
}

Values Domains::image(Value v) {
  if (!v.symbolic()) return Values::of(v.constant);
  const auto support = supports_.of(v.term);
  Values out;
  const auto wide = [&](const Node* n) { return values(n).any; };
  if (!support.readable || std::any_of(support.variables.begin(), support.variables.end(), wide)) {
    out.any = true;
    return out;
  }
  if (v.term->made == Made::variable) {
    bool tied = false;
    for (const Held& h : held_)
      if (h.narrowed == nullptr && h.literal.value().symbolic()) {
        const auto& s = supports_.of(h.literal.value().term).variables;
        tied = tied || std::find(s.begin(), s.end(), v.term) != s.end();
      }
    if (!tied) return values(v.term);
  }
  std::vector<const Node*> variables = support.variables;
  std::vector<Truth> literals;
  component(variables, literals);
  const auto collect = [&] { return out.add(interpreter_(v)), false; };
  const auto readable = [&](const Truth& l) { return supports_.of(l.value().term).readable; };
  if (std::none_of(variables.begin(), variables.end(), wide) &&
      std::all_of(literals.begin(), literals.end(), readable) && search(variables, literals, collect))
    return out;
  out = {};
  if (search(support.variables, {}, collect)) return out;  // without what ties them: more, never less
  out = {};
  out.any = true;
  return out;
}

}  // namespace iomc::check::symbolic
