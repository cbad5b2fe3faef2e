// SPDX-License-Identifier: GPL-2.0-or-later
// The state graph of a specification with what each step costs: the explorer's states, edges and order.
#pragma once

#include <functional>

#include "checker/cost/longest.hpp"
#include "checker/explicit/limits.hpp"
#include "checker/explicit/storage.hpp"
#include "model/reflect.hpp"
#include "model/step.hpp"

namespace iomc::check::cost {

using Weigh = std::function<std::uint64_t(const model::CostCount&)>;

/// Explores the specification within the limits. Labels of edges are step instances. A run ends where no step can be
/// taken, or where `ends` says so; where it says so the state is not left any more.
template <model::Specification Spec>
CostGraph explore_cost(const Spec& spec, const Watch& watch, const Weigh& weigh,
                       const std::function<bool(const typename Spec::State&)>& ends = {}) {
  using State = typename Spec::State;
  CostGraph out;
  StorageFor<State> storage;
  model::StepContext<typename Spec::Event> cx;
  const auto insert = [&](const State& s) {
    const Inserted r = storage.insert(s);
    if (r.fresh) {
      out.edges.emplace_back();
      out.ends.push_back(ends && ends(s));
    }
    return static_cast<GraphState>(r.id);
  };
  model::for_each_choice(cx, [&] {
    State s{};
    spec.initial(s, cx);
    out.initial.push_back(insert(s));
  });
  std::uint64_t transitions = 0;
  for (GraphState at = 0; at < storage.size(); ++at) {
    if ((at & 0xfff) == 0) {
      const std::uint64_t bytes = storage.bytes() + transitions * sizeof(CostEdge);
      out.incomplete = watch.ended({storage.size(), transitions, 0, storage.size() - at}, bytes);
      if (!out.incomplete.empty()) break;
    }
    State before;
    storage.load(at, before);
    storage.expand(at);
    if (out.ends[at]) continue;
    State after = before;
    spec.for_each_candidate(before, [&](unsigned instance) {
      cx.choices().clear();
      do {
        cx.begin();
        cx.reset_cost();
        if (!spec.fire(after, instance, cx)) continue;
        const GraphState to = insert(after);
        out.edges[at].push_back({to, instance, weigh(cx.counted())});
        ++transitions;
        after = before;
      } while (cx.choices().advance());
    });
    if (out.edges[at].empty()) out.ends[at] = true;
  }
  out.edges.resize(storage.size());
  out.ends.resize(storage.size(), false);
  return out;
}

}  // namespace iomc::check::cost
