// SPDX-License-Identifier: GPL-2.0-or-later
// What lets a proof about the tree alone speak of whole domains with any number of CPUs: every step of a domain changes
// the tree by a sequence of the calls that spec/iova/tree_alone.hpp takes, and in no other way.
#include <catch2/catch.hpp>

#include "checker/explicit/replay.hpp"
#include "checker/explicit/storage.hpp"
#include "spec/iova/configurations.hpp"
#include "spec/iova/iova.hpp"

namespace {

using namespace iomc;
using namespace iomc::spec::iova;
using Spec = Iova<model::Concrete, Small>;
using T = Spec::T;

std::vector<std::uint64_t> tree_part(const Spec::State& s) {
  std::vector<std::uint64_t> out;
  const auto add = [&](const auto& v, model::Range) { out.push_back(v.raw()); };
  model::for_each_value(s.tree, add);
  model::for_each_value(s.cached32, add);
  model::for_each_value(s.cached, add);
  out.push_back(s.max32_alloc_size.raw());
  return out;
}

/// Whether calls, at most `left` of them, lead from one tree to the other. The lane's request is what it asks for.
bool reached(const Spec& spec, const Spec::State& from, const std::vector<std::uint64_t>& wanted, std::size_t lane,
             unsigned left) {
  if (tree_part(from) == wanted) return true;
  if (left == 0) return false;
  model::StepContext<Spec::Event> cx;
  const auto call = [&](auto&& f) {
    Spec::State s = from;
    cx.begin();
    f(Point<T>{spec.config(), s, cx, lane});
    return reached(spec, s, wanted, lane, left - 1);
  };
  for (std::size_t p = 0; p < from.tree.n.raw(); ++p)
    if (call([&](const Point<T>& k) { remove_iova(k, p); })) return true;
  if (from.tree.n.raw() == from.tree.lo_.size()) return false;
  const auto& me = from.lanes[lane];
  if (me.size.raw() != 0 &&
      call([&](const Point<T>& k) { alloc_and_insert(k, widen<T>(me.size), me.limit, true); }))
    return true;
  const auto& env = spec.config().env;
  return env.lanes[lane].role == Role::reserver &&
         call([&](const Point<T>& k) { reserve_iova(k, T::Pfn(env.reserve_lo), T::Pfn(env.reserve_hi)); });
}

TEST_CASE("every step of a domain changes its tree by searches, removals and reservations only") {
  std::size_t changes = 0;
  for (const char* kernel : {"5.11", "6.12"})
    for (const char* name : {"strict", "irq", "tree", "depot-flush", "hotplug", "reserve", "lazy-migration"}) {
      const Spec spec(make_config(*find_configuration(name), find_kernel(kernel)->facts));
      check::StorageFor<Spec::State> seen;
      check::any_initial(spec, [&](const Spec::State& s) { return seen.insert(s), false; });
      for (check::StateId i = 0; i < seen.size() && seen.size() < 15000; ++i) {
        Spec::State before;
        seen.load(i, before);
        seen.expand(i);
        check::any_successor(spec, before, [&](const check::Taken<Spec>& t) {
          seen.insert(t.after);
          const auto wanted = tree_part(t.after);
          if (tree_part(before) == wanted || t.after.crash.raw() != 0) return false;
          ++changes;
          const bool explained = reached(spec, before, wanted, t.instance / step_count, 4);
          if (!explained) {
            std::string step = spec.steps()[spec.step_of(t.instance)].name;
            FAIL(kernel << ", " << name << ": " << step << " changes the tree by something else");
          }
          return false;
        });
      }
    }
  CHECK(changes > 10000);
}

}  // namespace
