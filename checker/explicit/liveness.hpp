// SPDX-License-Identifier: GPL-2.0-or-later
// Liveness: P leads to Q in every fair run, for several properties on one state graph. fair_search.hpp decides,
// lasso.hpp confirms.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "checker/explicit/fair_search.hpp"
#include "checker/explicit/graph.hpp"
#include "checker/explicit/lasso.hpp"
#include "checker/result.hpp"
#include "model/property.hpp"

namespace iomc::check {

template <model::Specification Spec, class Storage = StorageFor<typename Spec::State>>
class Liveness {
 public:
  using State = typename Spec::State;
  using Property = model::LeadsTo<Spec>;

  Liveness(const Spec& spec, std::span<const Property> properties, Limits limits)
      : spec_(spec), properties_(properties), watch_(std::move(limits)), builder_(spec, watch_) {
    for (const auto& p : properties) marks_.emplace_back(p.assumptions.size());
  }

  std::vector<PropertyResult> run() {
    builder_.build([&](StateId id, const State& s) { mark(id, s); }, Outstanding::bytes_per_state() + search_bytes);
    std::vector<PropertyResult> out;
    std::vector<PropertyResult> assumptions;
    for (std::size_t i = 0; i < properties_.size(); ++i) check(i, out, assumptions);
    for (auto& a : assumptions)
      if (std::none_of(properties_.begin(), properties_.end(), [&](const auto& p) { return p.info.id == a.property; }))
        out.push_back(std::move(a));
    return out;
  }

  const SearchWork& work() const { return work_; }
  const Graph& graph() const { return builder_.graph(); }

 private:
  static constexpr std::size_t search_bytes = 6 * sizeof(std::uint32_t);  // fair_search.cpp, a state

  /// What the predicates of one property say of each state.
  struct Marks {
    explicit Marks(std::size_t assumptions) : holds(assumptions) {}
    StateSet owing;  // the trigger holds and the goal does not
    StateSet goal;
    std::vector<StateSet> holds;  // each assumption
  };

  void mark(StateId id, const State& s) {
    for (std::size_t i = 0; i < properties_.size(); ++i) {
      const Property& p = properties_[i];
      if (p.goal(spec_, s))
        marks_[i].goal.put(id);
      else if (p.trigger(spec_, s))
        marks_[i].owing.put(id);
      for (std::size_t a = 0; a < p.assumptions.size(); ++a)
        if (p.assumptions[a].holds_in(spec_, s)) marks_[i].holds[a].put(id);
    }
  }

  PropertyResult result_of(std::string id, std::string claim) const {
    PropertyResult r;
    r.property = std::move(id);
    r.claim = std::move(claim);
    r.states = graph().states();
    r.transitions = graph().edges();
    r.depth = graph().levels() - 1;
    return r;
  }

  void inconclusive(PropertyResult& r, const std::string& reason) const {
    r.verdict = Verdict::inconclusive;
    r.reason = reason + "; " + std::to_string(graph().expanded()) + " of " + std::to_string(graph().states()) +
               " states found were expanded, depth " + std::to_string(graph().levels() - 1);
  }

  /// Indices of a property's assumptions.
  using Which = std::vector<std::size_t>;

  static Which all_of(const Property& p) {
    Which out;
    for (std::size_t i = 0; i < p.assumptions.size(); ++i) out.push_back(i);
    return out;
  }
  static Which without(Which which, std::size_t i) {
    std::erase(which, i);
    return which;
  }

  /// A run that violates the property although the assumptions in `met` hold again and again.
  std::optional<Lasso> find(std::size_t property, const Outstanding& outstanding, const Which& met,
                            const StateSet* never = nullptr) {
    Demand demand{model::fairness_of_spec(spec_), {}, never};
    for (const std::size_t i : met) demand.again.push_back(&marks_[property].holds[i]);
    return find_fair_run(graph(), outstanding, demand, work_);
  }

  void check(std::size_t i, std::vector<PropertyResult>& out, std::vector<PropertyResult>& assumptions) {
    const Property& p = properties_[i];
    PropertyResult r = result_of(p.info.id, p.info.claim);
    std::vector<PropertyResult> rests_on;
    for (const auto& a : p.assumptions) {
      rests_on.push_back(result_of(a.id, a.text));
      rests_on.back().assumption_of = {p.info.id};
    }
    if (!ended_.empty()) {
      inconclusive(r, ended_);
      for (auto& a : rests_on) inconclusive(a, ended_);
    } else {
      try {
        decide(i, r, rests_on);
      } catch (const SearchEnded& e) {
        ended_ = e.reason;
        if (r.verdict == Verdict::inconclusive) inconclusive(r, ended_);
        for (auto& a : rests_on)
          if (a.verdict == Verdict::inconclusive) inconclusive(a, ended_);
      }
    }
    merge_into(out, r);
    for (const auto& a : rests_on) merge_into(assumptions, a);
  }

  void decide(std::size_t i, PropertyResult& r, std::vector<PropertyResult>& rests_on) {
    const Property& p = properties_[i];
    const Outstanding outstanding(graph(), marks_[i].owing, &marks_[i].goal, work_);
    Which needed = all_of(p);
    if (const auto lasso = find(i, outstanding, needed)) {
      r.verdict = Verdict::violated;
      r.counterexample = replayed({&p, needed, std::nullopt}, *lasso);
    } else {
      needed = find(i, outstanding, {}) ? fewest(i, outstanding) : Which{};
      if (!builder_.reason().empty()) {
        inconclusive(r, builder_.reason());
      } else {
        r.vacuous = outstanding.size() == 0 || (!needed.empty() && !can_meet(i, needed));
        r.verdict = Verdict::holds;
        for (const std::size_t a : needed) r.assumes.push_back(p.assumptions[a].id);
      }
    }
    for (std::size_t a = 0; a < p.assumptions.size(); ++a) decide_assumption(i, a, outstanding, needed, rests_on[a]);
  }

  /// A set of assumptions that is enough, and of which none can be left out.
  Which fewest(std::size_t property, const Outstanding& outstanding) {
    Which out = all_of(properties_[property]);
    for (const std::size_t a : all_of(properties_[property]))
      if (!find(property, outstanding, without(out, a))) std::erase(out, a);
    return out;
  }

  /// Whether a run that meets the assumptions has the trigger at all. Where none has, the property says nothing.
  bool can_meet(std::size_t property, const Which& met) {
    const Outstanding after(graph(), marks_[property].owing, nullptr, work_);
    return find(property, after, met).has_value();
  }

  /// An assumption fails if it holds only for a while in a run in which the others hold again and again and the
  /// property fails. Where the property rests on it there is such a run: otherwise it could be left out.
  void decide_assumption(std::size_t property, std::size_t a, const Outstanding& outstanding, const Which& needed,
                         PropertyResult& r) {
    const Property& p = properties_[property];
    const StateSet& holds = marks_[property].holds[a];
    const bool rests_on_it = std::find(needed.begin(), needed.end(), a) != needed.end();
    const Which others = without(rests_on_it ? needed : all_of(p), a);
    if (const auto lasso = find(property, outstanding, others, &holds)) {
      r.verdict = Verdict::violated;
      r.counterexample = replayed({&p, others, a}, *lasso);
    } else if (!builder_.reason().empty()) {
      inconclusive(r, builder_.reason());
    } else {
      r.verdict = Verdict::holds;
      r.vacuous = true;
      for (Outstanding::Rank s = 0; s < outstanding.size() && r.vacuous; ++s)
        r.vacuous = holds.has(outstanding.state(s));
    }
  }

  Counterexample replayed(const LassoClaim<Spec>& claim, const Lasso& lasso) const {
    Route route;
    State now = builder_.state(lasso.stem.front());
    route.path.push_back(initial_index(spec_, now));
    const auto go = [&](StateId to, auto... group) {
      const State next = builder_.state(to);
      route.path.push_back(successor_index(spec_, now, next, group...));
      now = next;
    };
    for (std::size_t i = 1; i < lasso.stem.size(); ++i) go(lasso.stem[i]);
    route.loop_start = lasso.stem.size() - 1;
    for (const Graph::Edge& e : lasso.loop)
      go(e.to, e.group == no_group ? model::no_fairness : static_cast<int>(e.group));
    return replay_lasso(spec_, claim, route);
  }

  const Spec& spec_;
  std::span<const Property> properties_;
  Watch watch_;
  GraphBuilder<Spec, Storage> builder_;
  std::vector<Marks> marks_;
  SearchWork work_{&watch_};
  std::string ended_;
};

/// Decides the properties on one state graph. The results are those of the properties, one for each id, then those of
/// their assumptions: an assumption is violated where a property fails for want of it ("failed assumption"). In a graph
/// that is not whole a violation is one of states all of whose steps are known; what has none is inconclusive.
template <model::Specification Spec>
std::vector<PropertyResult> check_leads_to(const Spec& spec, std::span<const model::LeadsTo<Spec>> properties,
                                           Limits limits = {}) {
  return Liveness<Spec>(spec, properties, std::move(limits)).run();
}

}  // namespace iomc::check
