// SPDX-License-Identifier: GPL-2.0-or-later
// The paths of ordinary C++ over symbolic values, by re-execution: the decisions of the last run are replayed up to the
// last one that has another feasible answer, and the run goes on from there. What the environment picks is enumerated
// in the same order, outside the solver.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "checker/symbolic/domains.hpp"
#include "checker/symbolic/terms.hpp"
#include "model/step.hpp"

namespace iomc::check::symbolic {

/// Who answers the conditions that symbolic code asks in this thread.
class Recorder {
 public:
  virtual bool decide(const Node* condition) = 0;

 protected:
  ~Recorder() = default;
};

/// The recorder of this thread, or null: no condition may be asked.
const Recorder* current_recorder();

/// Installs a recorder for a block; the one before it comes back whatever ends the block.
class Recording {
 public:
  explicit Recording(Recorder& recorder);
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

 private:
  Recorder* before_;
};

struct PathLimits {
  std::size_t paths = 2000;      ///< of one step
  std::size_t decisions = 4096;  ///< of one path: a loop that never ends runs into it
  std::size_t questions = 1'000'000;  ///< of one path, answered ones included: so does one that asks the same for ever
};

/// Enumerates paths under what `solver` has been told. A branch is taken unless the solver refutes it, so a check that
/// runs out of its limit costs precision, not soundness.
class Paths final : private Recorder {
 public:
  Paths(Solver& solver, PathLimits limits) : solver_(solver), limits_(limits) {}

  /// From now on `domains` are asked first, and the solver where they do not know. `exact`: they know all that the
  /// solver has been told, so that what they find possible is.
  void decide_by(Domains& domains, bool exact) {
    domains_ = &domains;
    exact_ = exact;
  }

  /// Calls body() once a path; it must run the same code each time, and begin with choices.restart(). While it runs
  /// the solver (with domains: these) holds the decisions made so far. UsageError, with `what` in its text, if a limit
  /// is reached.
  std::size_t enumerate(model::Choices& choices, const std::string& what, const std::function<void()>& body);

  /// What every path of the enumerations in a block is under.
  class Given {
   public:
    Given(Paths& paths, std::span<const Truth> given) : paths_(paths), count_(given.size()) {
      for (const Truth& t : given) paths_.hold(t);
    }
    ~Given() {
      for (std::size_t i = 0; i < count_; ++i) paths_.release();
    }
    Given(const Given&) = delete;
    Given& operator=(const Given&) = delete;

   private:
    Paths& paths_;
    std::size_t count_;
  };

  /// The decisions of the path just run, without those that had no alternative.
  std::vector<Truth> condition() const;

 private:
  struct Decision {
    const Node* condition;
    std::size_t picks_before;
    bool taken;
    bool open;    // the other answer is still to be taken
    bool forced;  // the other answer was refuted: not asserted, it follows
  };
  struct Known {
    std::uint64_t run = 0;
    bool taken = false;
  };
  struct Unwind;

  bool decide(const Node* condition) override;
  void extend(const Node* condition);
  bool flip();
  bool advance();
  bool refuted(Truth literal);
  void hold(Truth literal);
  void release();
  void drop();

  void tell_solver();

  Solver& solver_;
  PathLimits limits_;
  Domains* domains_ = nullptr;
  bool exact_ = false;
  std::vector<Truth> held_;   // what is neither forced nor dropped
  std::size_t told_ = 0;      // of these, the solver holds so many
  std::vector<Decision> decisions_;
  std::vector<Known> known_;  // by number of the condition: asked again on a path, it is answered without a decision
  std::uint64_t run_ = 0;
  std::size_t at_ = 0;
  std::size_t asked_ = 0;
  model::Choices* choices_ = nullptr;
  const std::string* what_ = nullptr;
};

}  // namespace iomc::check::symbolic
