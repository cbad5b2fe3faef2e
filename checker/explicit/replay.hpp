// SPDX-License-Identifier: GPL-2.0-or-later
// The independent replayer: follows a path of choice indices on the specification alone, checks that the property fails
// at its end and not before, and turns the path into a counterexample. It shares no code with the search: it tries
// every step instance of every state, keeps whole states, and compares nothing by hash.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checker/result.hpp"
#include "model/property.hpp"
#include "model/reflect.hpp"
#include "model/step.hpp"

namespace iomc::check {

using Path = std::vector<std::uint64_t>;

inline std::string path_text(const Path& path) {
  std::string out;
  for (const auto i : path) {
    if (!out.empty()) out += '/';
    out += std::to_string(i);
  }
  return out;
}

/// "0/2/2/5/1" as numbers; InputError if it is anything else.
Path parse_path(const std::string& text);

/// One step of a replay.
template <class Spec>
struct Taken {
  unsigned instance = 0;
  typename Spec::State after{};
  std::vector<typename Spec::Event> events;
  model::CostCount cost;
};

/// Calls f(Taken) for every enabled successor in order until it returns true.
template <class Spec, class F>
bool any_successor(const Spec& spec, const typename Spec::State& from, F&& f) {
  model::StepContext<typename Spec::Event> cx;
  for (unsigned instance = 0; instance < spec.instances(); ++instance) {
    cx.choices().clear();
    do {
      cx.begin();
      cx.reset_cost();
      Taken<Spec> t{instance, from, {}, {}};
      if (!spec.fire(t.after, instance, cx)) continue;
      t.events.assign(cx.events().begin(), cx.events().end());
      t.cost = cx.counted();
      if (f(t)) return true;
    } while (cx.choices().advance());
  }
  return false;
}

template <class Spec>
std::uint64_t successor_index(const Spec& spec, const typename Spec::State& from, const typename Spec::State& to) {
  std::uint64_t index = 0;
  const bool found = any_successor(spec, from, [&](const Taken<Spec>& t) {
    if (model::same(t.after, to)) return true;
    ++index;
    return false;
  });
  IOMC_POST(found);
  return index;
}

/// Calls f(state) for every initial state in order until it returns true.
template <class Spec, class F>
bool any_initial(const Spec& spec, F&& f) {
  model::StepContext<typename Spec::Event> cx;
  do {
    cx.begin();
    typename Spec::State s{};
    spec.initial(s, cx);
    if (f(s)) return true;
  } while (cx.choices().advance());
  return false;
}

template <class Spec>
std::uint64_t initial_index(const Spec& spec, const typename Spec::State& wanted) {
  std::uint64_t index = 0;
  const bool found = any_initial(spec, [&](const auto& s) { return model::same(s, wanted) || (++index, false); });
  IOMC_POST(found);
  return index;
}

/// A run of the specification: the initial state and the steps taken.
template <class Spec>
struct Run {
  typename Spec::State initial{};
  std::vector<Taken<Spec>> steps;
  Path path;
};

/// Follows a path. InputError if an index names no successor.
template <class Spec>
Run<Spec> follow(const Spec& spec, const Path& path) {
  if (path.empty()) throw InputError("replay path: empty; it starts with the index of an initial state");
  Run<Spec> run;
  run.path = path;
  std::uint64_t left = path[0];
  if (!any_initial(spec, [&](const auto& s) { return run.initial = s, left-- == 0; }))
    throw InputError("replay path: there is no initial state " + std::to_string(path[0]));
  typename Spec::State now = run.initial;
  for (std::size_t i = 1; i < path.size(); ++i) {
    left = path[i];
    std::optional<Taken<Spec>> taken;
    any_successor(spec, now, [&](const Taken<Spec>& t) {
      if (left-- != 0) return false;
      taken = t;
      return true;
    });
    if (!taken)
      throw InputError("replay path: step " + std::to_string(i) + " has no choice " + std::to_string(path[i]));
    now = taken->after;
    run.steps.push_back(std::move(*taken));
  }
  return run;
}

template <class Spec>
Counterexample render(const Spec& spec, const Run<Spec>& run) {
  Counterexample out;
  out.path = path_text(run.path);
  out.initial = std::to_string(run.path[0]);
  const auto steps = spec.steps();
  const typename Spec::State* before = &run.initial;
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    const auto& taken = run.steps[i];
    const model::StepInfo& info = steps[spec.step_of(taken.instance)];
    TraceStep step;
    step.choice = static_cast<unsigned>(run.path[i + 1]);
    const model::Lane lane = spec.lane(*before, taken.instance);
    step.cpu = lane.cpu;
    step.context = lane.context;
    step.step = info.name;
    step.function = info.function;
    step.file = info.file;
    step.what = info.what;
    if constexpr (requires { spec.locks_held(taken.after, taken.instance); })
      step.locks = spec.locks_held(taken.after, taken.instance);
    for (auto& c : model::difference(*before, taken.after))
      step.changes.push_back({std::move(c.name), std::move(c.before), std::move(c.after)});
    for (std::size_t k = 0; k < model::cost_kinds; ++k)
      if (taken.cost.n[k] != 0) step.cost.emplace_back(model::cost_names[k], taken.cost.n[k]);
    out.steps.push_back(std::move(step));
    before = &taken.after;
  }
  return out;
}

/// Whether `property` fails first at the very end of the run. On success `conclusion` says what went wrong.
template <class Spec>
bool violates_at_end(const Spec& spec, const model::Property<Spec>& property, const Run<Spec>& run,
                     std::string& conclusion) {
  const auto explain = [&](const auto& before, const auto& after, const typename Spec::Event* event) {
    conclusion = property.explain != nullptr ? property.explain(spec, before, after, event)
                                             : std::string("violated: ") + property.info.claim;
    return true;
  };
  const auto fails = [&](const auto& s) { return property.holds_in != nullptr && !property.holds_in(spec, s); };
  if (fails(run.initial)) return run.steps.empty() && explain(run.initial, run.initial, nullptr);
  const auto* before = &run.initial;
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    const auto& taken = run.steps[i];
    const bool last = i + 1 == run.steps.size();
    if (property.holds_on != nullptr)
      for (const auto& e : taken.events)
        if ((property.relevant_on == nullptr || property.relevant_on(e)) &&
            !property.holds_on(spec, *before, taken.after, e))
          return last && explain(*before, taken.after, &e);
    if (fails(taken.after)) return last && explain(*before, taken.after, nullptr);
    before = &taken.after;
  }
  return false;
}

template <class Spec>
Counterexample replay_violation(const Spec& spec, const model::Property<Spec>& property, const Path& path) {
  const Run<Spec> run = follow(spec, path);
  Counterexample out = render(spec, run);
  out.confirmed = violates_at_end(spec, property, run, out.conclusion);
  if (!out.confirmed)
    throw model::InternalError(std::string("the replayer does not confirm the counterexample of ") + property.info.id +
                               " at " + out.path);
  return out;
}

/// Whether no step can be taken at the end of the run, and some should be. On success `conclusion` says so.
template <class Spec>
bool deadlocked_at_end(const Spec& spec, const Run<Spec>& run, std::string& conclusion) {
  const auto& end = run.steps.empty() ? run.initial : run.steps.back().after;
  if (any_successor(spec, end, [](const auto&) { return true; }) || spec.may_stop(end)) return false;
  conclusion = "no context can take a step: every one waits for a lock or for another";
  return true;
}

template <class Spec>
Counterexample replay_deadlock(const Spec& spec, const Path& path) {
  const Run<Spec> run = follow(spec, path);
  Counterexample out = render(spec, run);
  out.confirmed = deadlocked_at_end(spec, run, out.conclusion);
  if (!out.confirmed) throw model::InternalError("the replayer does not confirm the deadlock at " + out.path);
  return out;
}

}  // namespace iomc::check
