// SPDX-License-Identifier: GPL-2.0-or-later
// Candidates for invariants, from the states that an explicit search of the same specification meets: the values of
// each field, and its values while a lane is at one step. They are guesses: a proof drops those that some step breaks,
// and rests on none that it has not proved.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "checker/explicit/replay.hpp"
#include "checker/explicit/storage.hpp"
#include "checker/symbolic/relation.hpp"

namespace iomc::check::symbolic {

/// "This field has one of these values (while that program counter has that one)".
struct Candidate {
  std::size_t leaf = 0;
  std::vector<std::uint64_t> values;  ///< ascending
  std::optional<std::size_t> counter;  ///< a program counter's leaf…
  std::uint64_t at = 0;                ///< …and its value
};

struct Mining {
  std::vector<Candidate> candidates;
  std::uint64_t states = 0;
  bool complete = false;  ///< every reachable state was met
};

/// A field with more values than this is no candidate.
inline constexpr std::size_t candidate_values = 24;

namespace detail {

/// "lanes[0]." of "lanes[0].pc", where the name is that of a program counter.
std::string lane_of(const std::string& name);

/// Fills in the candidates from the values met: [leaf] and, for each program counter, [counter][its value][leaf].
using Met = std::set<std::uint64_t>;
std::vector<Candidate> candidates(const std::vector<std::string>& names, const std::vector<Met>& met,
                                  const std::map<std::size_t, std::map<std::uint64_t, std::vector<Met>>>& met_at);

inline void meet(Met& met, std::uint64_t value) {
  if (met.size() <= candidate_values) met.insert(value);
}

}  // namespace detail

/// Breadth first, up to `limit` states.
template <class C>
Mining mine(const C& spec, std::uint64_t limit) {
  using State = typename C::State;
  StorageFor<State> seen;
  any_initial(spec, [&](const State& s) { return seen.insert(s), false; });
  Mining out;
  StateId next = 0;
  for (; next < seen.size() && seen.size() <= limit; ++next) {
    State from;
    seen.load(next, from);
    seen.expand(next);
    any_successor(spec, from, [&](const Taken<C>& t) { return seen.insert(t.after), false; });
  }
  out.states = seen.size();
  out.complete = next == seen.size();

  std::vector<std::string> names;
  State shape = detail::shape_of(spec);
  model::for_each_leaf(shape, [&](const std::string& name, auto&, model::Range) { names.push_back(name); });
  std::vector<detail::Met> met(names.size());
  std::map<std::size_t, std::map<std::uint64_t, std::vector<detail::Met>>> met_at;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (!detail::lane_of(names[i]).empty()) met_at[i];
  for (StateId i = 0; i < seen.size(); ++i) {
    State s;
    seen.load(i, s);
    const auto numbers = detail::numbers_of(s);
    for (std::size_t leaf = 0; leaf < numbers.size(); ++leaf) detail::meet(met[leaf], numbers[leaf]);
    for (auto& [counter, by_value] : met_at) {
      auto& here = by_value[numbers[counter]];
      here.resize(names.size());
      for (std::size_t leaf = 0; leaf < numbers.size(); ++leaf) detail::meet(here[leaf], numbers[leaf]);
    }
  }
  out.candidates = detail::candidates(names, met, met_at);
  return out;
}

}  // namespace iomc::check::symbolic
