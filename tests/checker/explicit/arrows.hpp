// SPDX-License-Identifier: GPL-2.0-or-later
// A specification that is a drawn graph, for the tests of liveness: numbered states, arrows with fairness groups, and
// sets of states as predicates.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "checker/explicit/liveness.hpp"
#include "model/property.hpp"
#include "model/reflect.hpp"
#include "model/step.hpp"

namespace iomc::test {

struct ArrowsState {
  model::Bits<8> at{};
  template <class Self, class F>
  static void visit(Self& self, F&& f) {
    f("at", self.at, model::Range{0, 99});
  }
};

struct Arrows {
  using State = ArrowsState;
  struct Event {};
  using Context = model::StepContext<Event>;

  struct Arrow {
    unsigned from;
    std::vector<unsigned> to;  // several: the environment chooses
    int group;
  };

  unsigned states = 0;
  std::vector<unsigned> initials{0};
  std::vector<Arrow> arrows;
  std::vector<model::FairnessInfo> groups;
  bool ends_on_purpose = false;

  Arrows& group(const std::string& name, model::FairnessKind kind) {
    groups.push_back({name, kind});
    return *this;
  }
  Arrows& weak(const std::string& name) { return group(name, model::FairnessKind::weak); }
  Arrows& strong(const std::string& name) { return group(name, model::FairnessKind::strong); }
  Arrows& arrow(unsigned from, std::vector<unsigned> to, int of = model::no_fairness) {
    states = std::max(states, from + 1);
    for (const unsigned t : to) states = std::max(states, t + 1);
    arrows.push_back({from, std::move(to), of});
    return *this;
  }

  static constexpr std::array<model::StepInfo, 1> table = {{{"arrow", "arrow", "", "goes along an arrow"}}};
  const char* name() const { return "arrows"; }
  std::span<const model::StepInfo> steps() const { return table; }
  unsigned instances() const { return static_cast<unsigned>(arrows.size()); }
  unsigned step_of(unsigned) const { return 0; }
  bool may_stop(const State&) const { return ends_on_purpose; }
  model::Lane lane(const State&, unsigned instance) const {
    const int g = arrows[instance].group;
    return {0, g < 0 ? "environment" : groups[static_cast<unsigned>(g)].name};
  }
  void initial(State& s, Context& cx) const { s.at = initials[cx.pick(static_cast<unsigned>(initials.size()))]; }
  template <class F>
  void for_each_candidate(const State&, F&& f) const {
    for (unsigned i = 0; i < arrows.size(); ++i) f(i);
  }
  bool fire(State& s, unsigned instance, Context& cx) const {
    const Arrow& a = arrows[instance];
    if (s.at != a.from) return false;
    s.at = a.to[cx.pick(static_cast<unsigned>(a.to.size()))];
    return true;
  }

  std::span<const model::FairnessInfo> fairness() const { return groups; }
  int fairness_of(const State&, unsigned instance) const { return arrows[instance].group; }
};

using States = std::set<unsigned>;
using ArrowsLeadsTo = model::LeadsTo<Arrows>;

inline ArrowsLeadsTo::Predicate in(States states) {
  return [states = std::move(states)](const Arrows&, const ArrowsState& s) { return states.contains(s.at.raw()); };
}

inline ArrowsLeadsTo leads_to(States trigger, States goal, std::vector<std::pair<std::string, States>> assumptions = {},
                              const char* id = "arrows.L1") {
  ArrowsLeadsTo p;
  p.info = {id, "what is asked for comes", "it would not come", "test", model::PropertyKind::liveness};
  p.trigger = in(std::move(trigger));
  p.goal = in(std::move(goal));
  for (auto& [name, states] : assumptions) p.assumptions.push_back({name, "again and again in them", in(states)});
  return p;
}

inline std::vector<check::PropertyResult> decided(const Arrows& spec, const std::vector<ArrowsLeadsTo>& properties,
                                                  check::Limits limits = {}) {
  return check::check_leads_to<Arrows>(spec, properties, std::move(limits));
}
inline check::PropertyResult decided(const Arrows& spec, const ArrowsLeadsTo& property) {
  return decided(spec, std::vector{property}).at(0);
}

}  // namespace iomc::test
