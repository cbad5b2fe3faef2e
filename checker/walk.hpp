// SPDX-License-Identifier: GPL-2.0-or-later
// A run made by hand: which steps may come next, one of them, and back.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "checker/result.hpp"

namespace iomc::check {

class Walk {
 public:
  Walk() = default;
  Walk(const Walk&) = delete;
  Walk& operator=(const Walk&) = delete;
  virtual ~Walk() = default;

  virtual std::string configuration() const = 0;
  virtual std::string scope() const = 0;
  virtual std::uint64_t initial_states() const = 0;

  /// Begins again at an initial state. InputError if there is none of that index.
  virtual void start(std::uint64_t initial) = 0;

  /// The steps that may come next, with what each would change; the index in this list is its choice.
  virtual std::vector<TraceStep> enabled() const = 0;

  /// Takes one. InputError if there is none of that index.
  virtual void take(std::uint64_t choice) = 0;

  /// Undoes the last step; false at the beginning.
  virtual bool back() = 0;

  /// The steps so far, with the path that `iomc replay` takes.
  virtual Counterexample run() const = 0;

  /// The state as it is, a name and a value for each field.
  virtual std::vector<std::pair<std::string, std::string>> state() const = 0;

  /// Properties that fail here or on the last step: id, and what went wrong in a sentence.
  virtual std::vector<std::pair<std::string, std::string>> violated() const = 0;

  /// A run may end here: no step to come is no deadlock.
  virtual bool may_stop() const = 0;
};

}  // namespace iomc::check
