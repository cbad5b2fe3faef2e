// SPDX-License-Identifier: GPL-2.0-or-later
// Sets of values in the place of a solver: most conditions of a step compare one field with a constant, and are decided
// by looking at the values that the field may have. What needs more is tried out value by value, up to a bound.
#pragma once

#include <bitset>
#include <cstdint>
#include <functional>
#include <vector>

#include "checker/symbolic/terms.hpp"

namespace iomc::check::symbolic {

/// The values that a field may have: those below 256 one by one, or any number.
struct Values {
  std::bitset<256> in;
  bool any = false;

  static Values of(std::uint64_t v) {
    Values out;
    out.add(v);
    return out;
  }
  void add(std::uint64_t v) {
    if (v < in.size()) in.set(static_cast<std::size_t>(v));
    else any = true;
  }
  bool contains(std::uint64_t v) const { return any || (v < in.size() && in[static_cast<std::size_t>(v)]); }
  bool contains(const Values& o) const { return any || (!o.any && (o.in & ~in).none()); }
  bool single() const { return !any && in.count() == 1; }
  std::uint64_t first() const {
    std::size_t v = 0;
    while (v + 1 < in.size() && !in[v]) ++v;
    return v;
  }
  /// Whether something was new.
  bool merge(const Values& o) {
    const Values before = *this;
    in |= o.in;
    any = any || o.any;
    return in != before.in || any != before.any;
  }
};

/// Expressions at a concrete state, without Z3. An expression that Z3 made is no business of it: see readable().
class Interpreter {
 public:
  /// Forgets the state.
  void begin() { ++run_; }
  void set(const Node* variable, std::uint64_t value);
  std::uint64_t operator()(Value v);

 private:
  struct Known {
    std::uint64_t run = 0;
    std::uint64_t value = 0;
  };
  std::uint64_t compute(const Node* n);
  Known& at(const Node* n);

  std::vector<Known> known_;  // by number
  std::uint64_t run_ = 1;
};

/// The variables of an expression, each once, in the order of their numbers; and whether it can be read without Z3.
class Supports {
 public:
  struct Support {
    bool asked = false;
    bool readable = true;
    std::vector<const Node*> variables;
  };
  const Support& of(const Node* n);

 private:
  std::vector<Support> known_;  // by number
};

/// The values of variables under literals that are held.
class Domains {
 public:
  void set(const Node* variable, const Values& values);
  /// What is possible for a variable now; `any` for one that was not set.
  const Values& values(const Node* variable) const;

  void hold(Truth literal);
  void drop();
  std::size_t held() const { return held_.size(); }

  /// Whether the literal can hold beside those that are held, which can hold together. Unknown where there is too much
  /// to try out.
  Answer possible(Truth literal);
  /// The values that an expression can have under what is held; `any` where there are too many to try out.
  Values image(Value v);

  Interpreter& interpreter() { return interpreter_; }
  Supports& supports() { return supports_; }

 private:
  struct Held {
    Truth literal;
    const Node* narrowed = nullptr;  // a literal on one variable, and what was possible before
    Values before;
  };
  struct Mask {
    bool made = false;
    std::bitset<256> in;
  };
  const std::bitset<256>& mask(const Node* condition, const Node* variable);
  std::bitset<256> wanted(Truth literal, const Node* variable);
  /// Variables that held literals tie to those of `seed`, and the literals that do.
  void component(std::vector<const Node*>& variables, std::vector<Truth>& literals) const;
  /// Calls f() at each state of `variables` in which `literals` hold, until it says true. False: too many.
  bool search(const std::vector<const Node*>& variables, const std::vector<Truth>& literals,
              const std::function<bool()>& f);

  std::vector<Values> values_;  // by number of the variable
  Values unset_{{}, true};
  std::vector<Held> held_;
  std::vector<Mask> masks_;  // by number of the condition
  mutable Supports supports_;
  Interpreter interpreter_;
};

}  // namespace iomc::check::symbolic
