// SPDX-License-Identifier: GPL-2.0-or-later
// The owner of Z3 expressions, and what is asked of them: satisfiability, and their value at a concrete state.
// Everything of Z3 is behind these classes, so that specifications compile without its headers.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "checker/symbolic/value.hpp"

namespace iomc::check::symbolic {

/// What solving took, in Z3's own measures: the same for the same input and the same Z3 on every machine.
struct Effort {
  std::uint64_t rlimit = 0;
  std::uint64_t conflicts = 0;
  std::uint64_t decisions = 0;

  Effort& operator+=(const Effort& o) {
    rlimit += o.rlimit;
    conflicts += o.conflicts;
    decisions += o.decisions;
    return *this;
  }
};

/// "4.8.12.0"
std::string z3_version();

/// One Z3 context and the expressions made in it, which live as long as it does. Values of two Terms never mix, and one
/// Terms belongs to one thread at a time.
class Terms {
 public:
  Terms();
  ~Terms();
  Terms(const Terms&) = delete;
  Terms& operator=(const Terms&) = delete;

  /// A free variable; the same name gives the same one.
  Value variable(const std::string& name, unsigned width);
  template <unsigned W>
  Word<W> word(const std::string& name) {
    return Word<W>::from(variable(name, W));
  }

  Truth conjunction(std::span<const Truth> all);
  Truth disjunction(std::span<const Truth> any);
  /// `in` with each variable replaced, all at once.
  Truth substitute(Truth in, std::span<const Value> variables, std::span<const Value> values);
  /// The expression as SMT-LIB text, for messages.
  std::string text(Truth t) const;

  /// Which of the variables occur in it, as ascending indices.
  std::vector<std::size_t> mentions(Truth in, std::span<const Value> variables) const;
  std::vector<std::size_t> mentions(Value in, std::span<const Value> variables) const;

  /// Of all its solvers that are gone.
  const Effort& effort() const;
  std::uint64_t checks() const;

  /// Distinct expressions made so far.
  std::size_t size() const;

  struct Impl;
  Impl& impl() { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

/// The expression whose negation this is, and true; or itself, and false.
std::pair<const Node*, bool> without_negation(const Node* n);
/// Its number among the expressions of its Terms, from 0.
std::size_t number_of(const Node* n);

enum class Answer { unsatisfiable, satisfiable, unknown };

struct SolverOptions {
  unsigned rlimit = 20'000'000;   ///< Z3's own measure of effort for one check: the same on every machine; 0: no limit
  const char* logic = "QF_FD";    ///< bit-blasts at once; the default solver is some 20 times slower on these formulas
  unsigned seed = 0;              ///< Z3's random_seed
};

/// For formulas of few paths over wide words, long chains of comparisons above all: it does not bit-blast before it
/// must. Measured on the search of the iova tree at 64 bits: 0.01 s a check, where QF_FD takes 0.5 s and QF_BV 0.15 s.
inline constexpr const char* wide_logic = "QF_UFBV";

/// An incremental solver.
class Solver {
 public:
  Solver(Terms& terms, const SolverOptions& options);
  ~Solver();
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  void push();
  void pop();
  void add(Truth t);
  Answer check();
  /// Under literals that are assumed for this check only.
  Answer check(std::span<const Truth> assumed);
  /// The value of a variable or expression in the model of the last check, which was satisfiable.
  std::uint64_t value(Value v);
  std::uint64_t checks() const { return checks_; }
  /// What all checks so far took; the resource count is that of all solvers of the Terms since this one was made.
  Effort effort() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  Answer answered(int z3_answer);
  std::uint64_t checks_ = 0;
};

/// The largest unsigned value that `v` can have while all of `given` holds, by Z3's optimisation. Not to be believed
/// without a second opinion: wrong models were reported of the version in use.
Answer largest(Terms& terms, std::span<const Truth> given, Value v, unsigned width, unsigned rlimit,
               std::uint64_t& found);

/// A push that is undone at the end of the block, also by an exception.
class Scope {
 public:
  explicit Scope(Solver& solver) : solver_(solver) { solver_.push(); }
  ~Scope() { solver_.pop(); }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

 private:
  Solver& solver_;
};

/// Expressions at a concrete state: Z3's model evaluation with each variable given.
class Evaluator {
 public:
  explicit Evaluator(Terms& terms);
  ~Evaluator();
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  void set(std::span<const Value> variables, std::span<const std::uint64_t> values);
  std::uint64_t operator()(Value v);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace iomc::check::symbolic
