// SPDX-License-Identifier: GPL-2.0-or-later
// `iomc prove`: unbounded proofs of one property, as the program sees them. No templates, no Z3.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checker/system.hpp"
#include "model/reflect.hpp"

namespace iomc::check::proofs {

struct Request {
  CheckRequest check;          ///< kernel, facts, sizes, configurations (none: those that proofs exist for), limits
  std::string property;        ///< "iova.P7"
  unsigned rlimit = 0;         ///< Z3's effort for one question; 0: the engine's own
  unsigned seed = 0;           ///< Z3's random seed
};

enum class Outcome { proved, violated, inconclusive };
const char* name(Outcome o);

/// One attempt: one configuration, or one part of the specification with values left open.
struct Attempt {
  std::string configuration;
  std::string scope;   ///< sizes, in the words of the specification
  std::string open;    ///< what is left open, and for which values the proof holds; empty: nothing
  Outcome outcome = Outcome::inconclusive;
  std::string method;  ///< how it was decided
  std::vector<std::string> invariants;  ///< declared ones, each proved with the property
  std::size_t mined = 0;                ///< candidates from a search…
  std::size_t kept = 0;                 ///< …and those of them that are invariants
  std::uint64_t searched = 0;           ///< states of that search
  std::size_t paths = 0;

  // Of a counterexample to induction, or of a violation with open values: the state before the step, and the step.
  bool induction_fails = false;
  std::string failing;
  std::string step;
  std::vector<model::FieldText> before;
  std::vector<model::FieldChange> changes;
  std::string reason;  ///< why inconclusive

  std::optional<RunResult> violation;  ///< a real one, found by the explorer and replayed

  std::string solver;  ///< version
  std::string logic;
  std::uint64_t rlimit = 0;
  std::uint64_t checks = 0;
  std::uint64_t conflicts = 0;
  std::uint64_t decisions = 0;
  double seconds = 0;
};

struct Result {
  std::string spec;
  std::string kernel;
  std::string property;
  std::string claim;
  unsigned seed = 0;
  std::vector<NamedValue> facts;
  std::vector<Attempt> attempts;
};

/// Violated wins, then inconclusive. Nothing attempted is inconclusive.
Outcome overall(const Result& r);

/// Names that --config takes beside the system's own.
std::vector<NamedText> own_configurations(const std::string& spec);

/// Attempts the proof; where one fails, the explorer looks for a violation. InputError where no attempt fits.
Result prove(const System& system, const Request& request);

struct WriteOptions {
  unsigned width = 100;
  bool stats = false;  ///< times
};
std::string text(const Result& r, const WriteOptions& options);
std::string json(const Result& r, const WriteOptions& options);

}  // namespace iomc::check::proofs
