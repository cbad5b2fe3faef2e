// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/symbolic/value.hpp"  // before the specification: its free functions are found by qualified name

#include "checker/ask/search.hpp"
#include "checker/systems/symbolic.hpp"
#include "properties/iova_tree.hpp"

namespace iomc::check {

ask::Answer answer_search(const spec::iova::Facts& facts, const ask::Question& question) {
  constexpr unsigned nodes = 2;
  using Plain = spec::iova::TreeAlone<model::Concrete, nodes>;
  using Twin = spec::iova::TreeAlone<Symbolic, nodes>;
  const Plain spec(facts);
  const Twin twin(facts);
  const auto outputs = []<class S>(const S*) {
    using Pfn = typename S::Pfn;
    return std::vector<ask::Output<S>>{
        {"grant_lo", [](const auto& e) { return e.lo; }},
        {"grant_hi", [](const auto& e) { return e.lo + e.size - Pfn(1); }},
    };
  };
  std::vector<std::pair<std::string, std::function<bool(const Twin&, const Twin::State&)>>> given;
  given.emplace_back("assumed", [](const Twin& s, const Twin::State& state) { return s.assumed(state); });
  for (const auto& i : properties::iova::tree_invariants<Twin>()) given.emplace_back(i.name, i.holds_in);
  ask::Search<Plain, Twin> search(
      spec, twin, question, Plain::alloc_aligned, [](const auto& e) { return e.kind == Twin::Event::grant; },
      [](const auto& e) { return e.kind == Plain::Event::grant; }, outputs(static_cast<const Twin*>(nullptr)),
      outputs(static_cast<const Plain*>(nullptr)), given);
  ask::Answer out = search.run();
  out.covers = "one size-aligned search of any tree of up to " + std::to_string(nodes) + " nodes";
  out.scope = std::string("64 bits; ") + Plain::assumptions();
  return out;
}

}  // namespace iomc::check
