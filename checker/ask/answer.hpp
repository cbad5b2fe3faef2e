// SPDX-License-Identifier: GPL-2.0-or-later
// What a question is answered with.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace iomc::check::ask {

/// One answer: names and their values, and a run that leads there.
struct Found {
  std::vector<std::pair<std::string, std::string>> values;
  std::optional<std::string> path;           ///< as iomc replay and the prompt's goto take it
  std::optional<std::uint64_t> at;           ///< the value of the swept name
  std::optional<std::uint64_t> optimum;      ///< of min and max
};

struct Answer {
  enum class Outcome : unsigned char { answered, unsatisfiable, unknown };

  std::string question;
  std::string spec;
  std::string kernel;
  std::string configuration;         ///< empty: the question is about facts and sizes
  std::string scope;
  std::string engine;                ///< "explicit", "symbolic"
  std::string covers;                ///< what the answer is about: "every run", "runs of at most 12 steps"
  Outcome outcome = Outcome::unknown;
  std::vector<Found> found;
  std::vector<std::string> core;     ///< of an unsatisfiable one: conditions that exclude each other, none too many
  std::string reason;                ///< of an unknown one; or what else could not be decided
  std::string law;                   ///< of a sweep, where there is one: "6cpus + 3"

  // Of Z3.
  std::string solver;                ///< "z3 4.8.12.0"; empty: not asked
  unsigned seed = 0;
  std::uint64_t rlimit = 0;
  std::uint64_t conflicts = 0;
  std::uint64_t decisions = 0;
  std::uint64_t checks = 0;
  double seconds = 0;
};

inline const char* name(Answer::Outcome o) {
  switch (o) {
    case Answer::Outcome::answered: return "answered";
    case Answer::Outcome::unsatisfiable: return "unsatisfiable";
    case Answer::Outcome::unknown: break;
  }
  return "unknown";
}

/// Takes conditions out of an excluding set one by one, while `excluded(kept)` says that the rest still excludes.
template <class Excluded>
std::vector<std::size_t> smallest_core(std::size_t conditions, Excluded&& excluded) {
  std::vector<std::size_t> kept(conditions);
  for (std::size_t i = 0; i < conditions; ++i) kept[i] = i;
  for (std::size_t i = 0; i < kept.size();) {
    auto fewer = kept;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (excluded(fewer))
      kept = std::move(fewer);
    else
      ++i;
  }
  return kept;
}

}  // namespace iomc::check::ask
