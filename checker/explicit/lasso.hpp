// SPDX-License-Identifier: GPL-2.0-or-later
// The independent replayer of runs that go on for ever: follows the path on the specification alone and checks that the
// loop closes, that the goal stays outstanding, and that the run is fair and meets the assumptions. As
// checker/explicit/replay.hpp it shares no code with the search.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "checker/explicit/replay.hpp"
#include "model/fairness.hpp"
#include "model/property.hpp"

namespace iomc::check {

/// A path and what follows it: nothing is said, or from a step on the same steps again and again, or no step at all.
struct Route {
  Path path;
  std::optional<std::size_t> loop_start;  ///< steps before the loop; as many as there are: the run ends
};

/// "0/2/5", "0/2/loop/5/1", "0/2/5/end".
std::string route_text(const Route& route);

/// InputError if it is anything else.
Route parse_route(const std::string& text);

/// The index of a successor that a step of one fairness group leads to: another group's step may lead to it, too.
template <class Spec>
std::uint64_t successor_index(const Spec& spec, const typename Spec::State& from, const typename Spec::State& to,
                              int group) {
  std::uint64_t index = 0;
  const bool found = any_successor(spec, from, [&](const Taken<Spec>& t) {
    if (model::same(t.after, to) && model::fairness_group(spec, from, t.instance) == group) return true;
    ++index;
    return false;
  });
  IOMC_POST(found);
  return index;
}

/// What a run is said to show.
template <class Spec>
struct LassoClaim {
  const model::LeadsTo<Spec>* property = nullptr;
  std::vector<std::size_t> met;        ///< assumptions of the property that hold again and again in the run
  std::optional<std::size_t> failed;   ///< the assumption that does not
};

/// What a replay of a run found out about it.
struct LassoVerdict {
  std::string refuted;               ///< why it does not show what it is said to; empty if it does
  unsigned passed = 0;               ///< how many of the questions it stood up to
  std::size_t owed_from = 0;         ///< steps before the goal is outstanding for good
  std::vector<std::string> fairness; ///< each group that could run in the loop, and why the run is fair to it
};

template <class Spec>
class LassoReplay {
 public:
  using State = typename Spec::State;

  LassoReplay(const Spec& spec, const Run<Spec>& run, std::size_t loop_start)
      : spec_(spec), run_(run), loop_start_(loop_start), states_{run.initial} {
    for (const auto& t : run.steps) states_.push_back(t.after);
    IOMC_PRE(loop_start <= run.steps.size());
  }

  /// The states that are repeated for ever, or the one in which the run ends.
  std::span<const State> loop() const {
    const std::span<const State> all(states_);
    return ends() ? all.last(1) : all.subspan(loop_start_, run_.steps.size() - loop_start_);
  }
  const State& state(std::size_t steps) const { return states_[steps]; }

  std::string how_it_goes_on() const {
    if (!ends()) return "the same steps repeat for ever";
    if (any_successor(spec_, states_.back(), [](const auto&) { return true; })) return "nobody has to do anything more";
    return "nothing more can happen";
  }

  LassoVerdict judge(const LassoClaim<Spec>& claim) const {
    LassoVerdict out;
    if (!goes_on(out)) return out;
    ++out.passed;
    if (!stays_owed(*claim.property, out)) return out;
    ++out.passed;
    if (!fair(out)) return out;
    ++out.passed;
    const auto met = [&](const model::Assumption<Spec>& a) {
      return std::any_of(loop().begin(), loop().end(), [&](const State& s) { return a.holds_in(spec_, s); });
    };
    const auto& assumptions = claim.property->assumptions;
    for (const std::size_t i : claim.met)
      if (!met(assumptions.at(i))) out.refuted = "assumption " + assumptions[i].id + " is not met in the loop";
    if (claim.failed && met(assumptions.at(*claim.failed)))
      out.refuted = "assumption " + assumptions[*claim.failed].id + " is met in the loop";
    return out;
  }

 private:
  bool ends() const { return loop_start_ == run_.steps.size(); }

  /// The loop closes. Whether a run may end is a question of fairness.
  bool goes_on(LassoVerdict& out) const {
    if (!model::same(states_[loop_start_], states_.back())) out.refuted = "the loop does not come back to its start";
    return out.refuted.empty();
  }

  bool stays_owed(const model::LeadsTo<Spec>& property, LassoVerdict& out) const {
    std::size_t after_goal = 0;
    for (std::size_t i = 0; i < states_.size(); ++i)
      if (property.goal(spec_, states_[i])) after_goal = i + 1;
    if (after_goal > loop_start_) {
      out.refuted = ends() ? "the goal is reached where the run ends" : "the goal is reached in the loop";
      return false;
    }
    for (out.owed_from = after_goal; out.owed_from < states_.size(); ++out.owed_from)
      if (property.trigger(spec_, states_[out.owed_from])) return true;
    out.refuted = "nothing asks for the goal after it was last reached";
    return false;
  }

  /// Why a loop is fair to one group, as far as the loop is known.
  struct Told {
    bool ever_enabled = false;
    std::optional<std::size_t> disabled;  // steps before a state in which it is not enabled
    std::optional<std::size_t> taken;     // a step that is of the group
  };

  bool fair(LassoVerdict& out) const {
    const auto groups = model::fairness_of_spec(spec_);
    std::vector<Told> told(groups.size());
    for (std::size_t i = 0; i < loop().size(); ++i) {
      const std::size_t steps = loop_start_ + i;
      std::vector<bool> enabled(groups.size(), false);
      any_successor(spec_, states_[steps], [&](const Taken<Spec>& t) {
        if (const int g = model::fairness_group(spec_, states_[steps], t.instance); g != model::no_fairness)
          enabled.at(static_cast<std::size_t>(g)) = true;
        return false;
      });
      for (std::size_t g = 0; g < groups.size(); ++g) {
        if (enabled[g])
          told[g].ever_enabled = true;
        else if (!told[g].disabled)
          told[g].disabled = steps;
      }
      if (ends()) continue;
      const int g = model::fairness_group(spec_, states_[steps], run_.steps[steps].instance);
      if (g != model::no_fairness && !told[static_cast<std::size_t>(g)].taken)
        told[static_cast<std::size_t>(g)].taken = steps;
    }
    for (std::size_t g = 0; g < groups.size(); ++g) tell(groups[g], told[g], ends(), out);
    return out.refuted.empty();
  }

  static void tell(const model::FairnessInfo& group, const Told& told, bool ends, LassoVerdict& out) {
    if (!told.ever_enabled) return;
    if (told.taken) {
      out.fairness.push_back(group.name + " takes step " + std::to_string(*told.taken + 1));
    } else if (group.kind == model::FairnessKind::weak && told.disabled) {
      out.fairness.push_back(group.name + " cannot take a step " +
                             (*told.disabled == 0 ? "at first" : "after step " + std::to_string(*told.disabled)));
    } else if (ends) {
      out.refuted = "the run does not end there: " + group.name + " takes a step in the end";
    } else {
      out.refuted = "the loop is unfair to " + group.name + ", which can take a step " +
                    (group.kind == model::FairnessKind::weak ? "in every state of it" : "again and again") +
                    " and never does";
    }
  }

  const Spec& spec_;
  const Run<Spec>& run_;
  std::size_t loop_start_;
  std::vector<State> states_;
};

/// The run as a counterexample; `confirmed` and `conclusion` say whether it shows what is claimed. `passed` is how many
/// of the replayer's questions it stood up to.
template <class Spec>
Counterexample judge_lasso(const Spec& spec, const LassoClaim<Spec>& claim, const Route& route, unsigned& passed) {
  const Run<Spec> run = follow(spec, route.path);
  Counterexample out = render(spec, run);
  out.path = route_text(route);
  out.loop_start = route.loop_start;
  const auto& property = *claim.property;
  if (!route.loop_start) {
    out.conclusion =
        std::string(property.info.id) + " speaks of what happens in the end: the path needs a loop, or /end";
    return out;
  }
  const LassoReplay<Spec> replay(spec, run, *route.loop_start);
  LassoVerdict verdict = replay.judge(claim);
  passed = verdict.passed;
  if (!verdict.refuted.empty()) {
    out.conclusion = verdict.refuted;
    return out;
  }
  out.confirmed = true;
  out.owed_from = verdict.owed_from;
  out.fairness = std::move(verdict.fairness);
  if (property.explain)
    out.conclusion = property.explain(spec, replay.state(verdict.owed_from), replay.loop());
  else
    out.conclusion = replay.how_it_goes_on() + ", and what is outstanding never comes: " + property.info.claim;
  if (claim.failed) {
    const auto& a = property.assumptions[*claim.failed];
    out.conclusion = "failed assumption of " + std::string(property.info.id) + " (" + a.text + "): " + out.conclusion;
  }
  return out;
}

template <class Spec>
Counterexample replay_lasso(const Spec& spec, const LassoClaim<Spec>& claim, const Route& route) {
  unsigned passed = 0;
  Counterexample out = judge_lasso(spec, claim, route, passed);
  if (!out.confirmed)
    throw model::InternalError(std::string("the replayer does not confirm the counterexample of ") +
                               claim.property->info.id + " at " + out.path + ": " + out.conclusion);
  return out;
}

/// Whether a run violates the liveness property of that id, or fails the assumption of that id; nothing if there is
/// none. An assumption fails in a run in which it holds only for a while, and a property that rests on it fails.
template <class Spec>
std::optional<Counterexample> replay_leads_to(const Spec& spec, std::span<const model::LeadsTo<Spec>> properties,
                                              const std::string& id, const std::string& path) {
  std::optional<Counterexample> out;
  unsigned best = 0;
  // Of several that refute the run the one that comes nearest to confirming it has the best reason.
  const auto judge = [&](LassoClaim<Spec> claim) {
    unsigned passed = 0;
    Counterexample judged = judge_lasso(spec, claim, parse_route(path), passed);
    if (!out || (!out->confirmed && (judged.confirmed || passed > best))) {
      out = std::move(judged);
      best = passed;
    }
  };
  for (const auto& p : properties) {
    if (p.info.id != id) continue;
    LassoClaim<Spec> claim{&p, {}, std::nullopt};
    for (std::size_t i = 0; i < p.assumptions.size(); ++i) claim.met.push_back(i);
    judge(claim);
  }
  if (out) return out;
  for (const auto& p : properties)
    for (std::size_t i = 0; i < p.assumptions.size(); ++i)
      if (p.assumptions[i].id == id) judge({&p, {}, i});
  return out;
}

}  // namespace iomc::check
