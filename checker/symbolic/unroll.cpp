// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/symbolic/unroll.hpp"

#include <bit>
#include <map>

#include "checker/symbolic/node.hpp"

namespace iomc::check::symbolic {

namespace {

/// Expressions with values in the place of variables, folded again on the way.
class Renaming {
 public:
  explicit Renaming(std::size_t terms) : known_(terms) {}

  void set(const Node* variable, Value value) { at(variable) = {true, value}; }
  Value operator()(Value v) {
    if (!v.symbolic()) return v;
    if (at(v.term).made) return at(v.term).value;
    const Value made = make(*v.term);
    at(v.term) = {true, made};
    return made;
  }
  Truth operator()(Truth t) { return Truth::from((*this)(t.value())); }

 private:
  struct Known {
    bool made = false;
    Value value;
  };
  Known& at(const Node* n) {
    if (n->number >= known_.size()) known_.resize(n->number + n->number / 2 + 64);
    return known_[n->number];
  }

  Value make(const Node& n) {
    if (n.made == Made::chosen) {
      const Value condition = (*this)(Value{0, n.condition});
      if (!condition.symbolic()) return (*this)(condition.constant != 0 ? n.a : n.b);
      return choose(n.width, condition.term, (*this)(n.a), (*this)(n.b));
    }
    IOMC_INVARIANT(n.made != Made::variable && n.made != Made::elsewhere);
    const Value a = (*this)(n.a);
    const Value b = (*this)(n.b);
    if (!a.symbolic() && !b.symbolic()) return {made_of(n, a.constant, b.constant, false), nullptr};
    switch (n.made) {
      case Made::inverted: return invert(n.width, a);
      case Made::shifted_left: return shift(n.width, a, static_cast<unsigned>(n.n), true);
      case Made::shifted_right: return shift(n.width, a, static_cast<unsigned>(n.n), false);
      case Made::resized: return resize(static_cast<unsigned>(n.n), n.width, a);
      case Made::negated: return negation(a);
      case Made::both: return all_of(a, b);
      default: return apply(static_cast<Op>(n.made), static_cast<unsigned>(n.n), a, b);
    }
  }

  std::vector<Known> known_;  // by number
};

bool is(Truth t, bool wanted) { return !t.value().symbolic() && (t.value().constant != 0) == wanted; }

Truth implies(Truth a, Truth b) { return negate(both(a, negate(b))); }

}  // namespace

struct Unrolling::Impl {
  /// A step's paths that can be taken at one depth, in the order of choices.
  struct Taken {
    const TakenPath* path;
    std::vector<Truth> condition;  // renamed
    Truth all;
    Truth chosen;                  // the solver takes it here
  };
  struct Depth {
    std::vector<Values> values;
    std::vector<Value> at;         // by field
    std::vector<Taken> taken;      // from here
    std::vector<Truth> events;     // by goal: an event of the step to here is bad
    Value selector;
    unsigned selector_width = 0;
    std::map<std::size_t, Truth> asked;  // by goal: the literal that stands for it
  };

  Terms& terms;
  Solver solver;
  std::vector<Leaf> leaves;
  std::vector<const TakenPath*> paths;  // enabled and not broken, by choice
  std::vector<const TakenPath*> faulty; // broken, or perhaps leaving a range
  std::vector<std::vector<std::uint64_t>> initial;
  std::vector<Goal> goals;
  std::vector<Depth> depths;
  Domains domains;
  Value first;  // index of the initial state
  unsigned first_width = 0;
  std::size_t names = 0;
  UnrollSize size;

  Impl(Terms& t, const SolverOptions& o) : terms(t), solver(t, o) {}

  static unsigned bits_for(std::size_t n) {
    return std::max<unsigned>(1, static_cast<unsigned>(std::bit_width(n - 1)));
  }
  std::string fresh(const std::string& what) { return what + "!" + std::to_string(names++); }

  /// The fields at a new depth: a constant where there is one value, else a variable.
  Depth& open(std::vector<Values> values) {
    Depth d;
    d.events.assign(goals.size(), false);
    size.fields = 0;
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      const Values& v = values[i];
      if (v.single()) {
        d.at.push_back({v.first(), nullptr});
        continue;
      }
      ++size.fields;
      d.at.push_back(terms.variable(leaves[i].name + "@" + std::to_string(depths.size()), leaves[i].width));
      if (v.any) continue;
      std::uint64_t most = 0;
      for (std::size_t k = 0; k < v.in.size(); ++k)
        if (v.in[k]) most = k;
      const unsigned width = static_cast<unsigned>(std::bit_width(most));
      if (width < leaves[i].width)  // the bits above are 0: the solver then has nothing to choose there
        solver.add(Truth::from(
            apply(Op::less_equal, leaves[i].width, d.at.back(), {(std::uint64_t{1} << width) - 1, nullptr})));
    }
    d.values = std::move(values);
    depths.push_back(std::move(d));
    return depths.back();
  }

  Renaming renaming(const Depth& d) const {
    Renaming out(terms.size());
    for (std::size_t i = 0; i < leaves.size(); ++i)
      if (leaves[i].variable.symbolic()) out.set(leaves[i].variable.term, d.at[i]);
    return out;
  }

  void begin() {
    std::vector<Values> values(leaves.size());
    for (const auto& s : initial)
      for (std::size_t i = 0; i < s.size(); ++i) values[i].add(s[i]);
    Depth& d = open(std::move(values));
    first_width = bits_for(std::max<std::size_t>(2, initial.size()));
    first = terms.variable("initial", first_width);
    solver.add(Truth::from(apply(Op::less_equal, first_width, first, {initial.size() - 1, nullptr})));
    for (std::size_t k = 0; k < initial.size(); ++k) {
      const Truth here = Truth::from(apply(Op::equal, first_width, first, {k, nullptr}));
      for (std::size_t i = 0; i < leaves.size(); ++i)
        if (d.at[i].symbolic())
          solver.add(implies(here, Truth::from(apply(Op::equal, leaves[i].width, d.at[i], {initial[k][i], nullptr}))));
    }
    enable();
  }

  /// Which paths can be taken from the last depth, as far as the values of single fields tell.
  void enable() {
    Depth& d = depths.back();
    for (std::size_t i = 0; i < leaves.size(); ++i)
      if (leaves[i].variable.symbolic()) domains.set(leaves[i].variable.term, d.values[i]);
    Renaming rename = renaming(d);
    for (const TakenPath* p : paths) {
      if (!possible(*p)) continue;
      Taken t{p, {}, true, true};
      bool never = false;
      for (const Truth& c : p->condition) {
        const Truth here = rename(c);
        never = never || is(here, false);
        if (here.value().symbolic()) t.condition.push_back(here);
      }
      if (never) continue;
      t.all = detail::all(t.condition);
      d.taken.push_back(std::move(t));
    }
    size.paths = d.taken.size();
  }

  bool possible(const TakenPath& p) {
    bool can = true;
    for (const Truth& c : p.condition) {
      can = domains.possible(c) != Answer::unsatisfiable;
      if (!can) break;
      domains.hold(c);
    }
    while (domains.held() != 0) domains.drop();
    return can;
  }

  /// The goal as a literal at the last depth.
  Truth literal(std::size_t goal) {
    Depth& d = depths.back();
    if (const auto at = d.asked.find(goal); at != d.asked.end()) return at->second;
    const Goal& g = goals[goal];
    Renaming rename = renaming(d);
    Truth bad = rename(g.state);
    if (g.stuck)
      for (const Taken& t : d.taken) bad = both(bad, negate(t.all));
    if (g.broken)
      for (const TakenPath* p : faulty) bad = either(bad, fault(*p, rename));
    bad = either(bad, d.events[goal]);
    if (bad.value().symbolic()) {
      const Truth name = Truth::from(terms.variable(fresh("goal"), 0));
      solver.add(implies(name, bad));
      bad = name;
    }
    d.asked.emplace(goal, bad);
    return bad;
  }

  Truth fault(const TakenPath& p, Renaming& rename) {
    if (!possible(p)) return false;
    Truth out = true;
    for (const Truth& c : p.condition) out = both(out, rename(c));
    if (!p.broken.empty()) return out;
    Truth outside = false;
    for (const Change& c : p.changes)
      if (std::find(p.leaving.begin(), p.leaving.end(), c.leaf) != p.leaving.end())
        outside = either(outside, negate(detail::within(rename(c.value), leaves[c.leaf].width, leaves[c.leaf].range)));
    return both(out, outside);
  }

  Answer ask(Truth t) {
    if (is(t, false)) return Answer::unsatisfiable;
    const std::vector<Truth> assumed{t};
    const Answer a = t.value().symbolic() ? solver.check(assumed) : solver.check();
    if (a == Answer::unsatisfiable && t.value().symbolic()) solver.add(negate(t));
    return a;
  }

  void step() {
    Depth& from = depths.back();
    from.selector_width = bits_for(std::max<std::size_t>(2, from.taken.size()));
    from.selector = terms.variable("step@" + std::to_string(depths.size() - 1), from.selector_width);
    solver.add(Truth::from(
        apply(Op::less_equal, from.selector_width, from.selector, {from.taken.size() - 1, nullptr})));
    // What each field may be then, and which paths change it.
    std::vector<Values> values(leaves.size());
    std::vector<std::size_t> changed(leaves.size(), 0);
    for (const Taken& t : from.taken) {
      for (const Truth& c : t.path->condition) domains.hold(c);
      for (const Change& c : t.path->changes) {
        ++changed[c.leaf];
        Values image = domains.image(c.value);
        limit(image, leaves[c.leaf]);
        values[c.leaf].merge(image);
      }
      while (domains.held() != 0) domains.drop();
    }
    for (std::size_t i = 0; i < leaves.size(); ++i)
      if (changed[i] < from.taken.size()) values[i].merge(from.values[i]);
    const std::size_t now = depths.size() - 1;
    open(std::move(values));
    relate(depths[now], depths[now + 1]);
    enable();
  }

  static void limit(Values& image, const Leaf& leaf) {
    for (std::size_t v = 0; v < image.in.size(); ++v)
      if (image.in[v] && (v < leaf.range.lo || v > leaf.range.hi)) image.in.reset(v);  // the goal of faults has those
  }

  void relate(Depth& from, Depth& to) {
    Renaming rename = renaming(from);
    std::vector<Truth> kept(leaves.size(), true);  // by field: no path that changes it is taken
    for (std::size_t i = 0; i < from.taken.size(); ++i) {
      Taken& t = from.taken[i];
      t.chosen = Truth::from(apply(Op::equal, from.selector_width, from.selector, {i, nullptr}));
      for (const Truth& c : t.condition) solver.add(implies(t.chosen, c));
      for (const Change& c : t.path->changes) {
        const Value after = rename(c.value);
        kept[c.leaf] = both(kept[c.leaf], negate(t.chosen));
        if (after == to.at[c.leaf]) continue;
        solver.add(implies(t.chosen, equal(c.leaf, after, to.at[c.leaf])));
      }
      for (const auto& [property, bad] : t.path->bad)
        for (std::size_t g = 0; g < goals.size(); ++g)
          if (goals[g].property == property) to.events[g] = either(to.events[g], both(t.chosen, rename(bad)));
    }
    for (std::size_t i = 0; i < leaves.size(); ++i)
      if (from.at[i] != to.at[i] && !is(kept[i], false))
        solver.add(implies(kept[i], equal(i, from.at[i], to.at[i])));
  }

  Truth equal(std::size_t leaf, Value a, Value b) const {
    if (!a.symbolic() && !b.symbolic()) return a.constant == b.constant;
    return Truth::from(apply(Op::equal, leaves[leaf].width, a, b));
  }

  // ---- the least run ----------------------------------------------------------------------------------------------

  /// What the solver's model takes: the initial state, then indices among the taken of each depth.
  std::vector<std::size_t> model() {
    std::vector<std::size_t> out{static_cast<std::size_t>(solver.value(first))};
    for (std::size_t k = 0; k + 1 < depths.size(); ++k)
      out.push_back(static_cast<std::size_t>(solver.value(depths[k].selector)));
    return out;
  }
  /// The paths of one choice stand beside each other: the first and the one behind the last of them.
  std::pair<std::size_t, std::size_t> same_choice(std::size_t depth, std::size_t index) const {
    const auto& taken = depths[depth].taken;
    const auto same = [&](std::size_t k) {
      return taken[k].path->instance == taken[index].path->instance && taken[k].path->picks == taken[index].path->picks;
    };
    std::size_t lo = index;
    while (lo > 0 && same(lo - 1)) --lo;
    std::size_t hi = index + 1;
    while (hi < taken.size() && same(hi)) ++hi;
    return {lo, hi};
  }
  Truth below(Value v, unsigned width, std::size_t n) const {
    return n == 0 ? Truth(false) : Truth::from(apply(Op::less_equal, width, v, {n - 1, nullptr}));
  }

  UnrolledRun least(std::size_t goal, bool& least) {
    const Scope scope(solver);
    solver.add(literal(goal));
    least = true;
    IOMC_INVARIANT(solver.check() == Answer::satisfiable);
    std::vector<std::size_t> best = model();
    for (std::size_t k = 0; k < best.size(); ++k) {
      const Value v = k == 0 ? first : depths[k - 1].selector;
      const unsigned width = k == 0 ? first_width : depths[k - 1].selector_width;
      std::size_t lo = best[k];
      std::size_t hi = best[k] + 1;
      for (;;) {
        if (k > 0) std::tie(lo, hi) = same_choice(k - 1, best[k]);
        else lo = best[k], hi = best[k] + 1;
        if (lo == 0) break;
        const Scope lesser(solver);
        solver.add(below(v, width, lo));
        const Answer a = solver.check();
        if (a == Answer::satisfiable) {
          best = model();
          continue;
        }
        least = least && a == Answer::unsatisfiable;
        break;
      }
      solver.add(both(negate(below(v, width, lo)), below(v, width, hi)));
    }
    UnrolledRun out;
    out.initial = best[0];
    for (std::size_t k = 1; k < best.size(); ++k) {
      const TakenPath& p = *depths[k - 1].taken[best[k]].path;
      out.steps.push_back({p.instance, p.picks});
    }
    return out;
  }
};

std::string line(const UnrollSize& s) {
  return "depth " + std::to_string(s.depth) + ": " + std::to_string(s.paths) + " paths, " + std::to_string(s.fields) +
         " fields, " + std::to_string(s.effort.conflicts) + " conflicts, rlimit " + std::to_string(s.effort.rlimit);
}

Unrolling::Unrolling(Terms& terms, const SolverOptions& options, std::span<const Leaf> leaves,
                     std::span<const TakenPath> paths, std::span<const Values> values,
                     std::vector<std::vector<std::uint64_t>> initial, std::vector<Goal> goals)
    : impl_(std::make_unique<Impl>(terms, options)) {
  IOMC_PRE(!initial.empty() && values.size() == leaves.size());
  impl_->leaves.assign(leaves.begin(), leaves.end());
  for (const TakenPath& p : paths) {
    if (p.broken.empty()) impl_->paths.push_back(&p);
    if (!p.broken.empty() || !p.leaving.empty()) impl_->faulty.push_back(&p);
  }
  std::stable_sort(impl_->paths.begin(), impl_->paths.end(), [](const TakenPath* a, const TakenPath* b) {
    return std::tie(a->instance, a->picks) < std::tie(b->instance, b->picks);
  });
  impl_->initial = std::move(initial);
  impl_->goals = std::move(goals);
  impl_->depths.reserve(64);
  impl_->begin();
}
Unrolling::~Unrolling() = default;

Answer Unrolling::any(std::span<const std::size_t> wanted) {
  std::vector<Truth> literals;
  for (const std::size_t g : wanted) literals.push_back(impl_->literal(g));
  Truth any = detail::some(literals);
  if (any.value().symbolic()) {
    const Truth name = Truth::from(impl_->terms.variable(impl_->fresh("any"), 0));
    impl_->solver.add(implies(name, any));
    any = name;
  }
  const Answer a = impl_->ask(any);
  if (a == Answer::unsatisfiable)
    for (const Truth& t : literals)
      if (t.value().symbolic()) impl_->solver.add(negate(t));
  return a;
}

Answer Unrolling::reached(std::size_t goal) { return impl_->ask(impl_->literal(goal)); }

UnrolledRun Unrolling::run(std::size_t goal, bool& least) { return impl_->least(goal, least); }

Answer Unrolling::lengthen() {
  if (impl_->depths.back().taken.empty()) return Answer::unsatisfiable;
  impl_->step();
  ++impl_->size.depth;
  return impl_->solver.check();
}

const UnrollSize& Unrolling::size() const {
  impl_->size.checks = impl_->solver.checks();
  impl_->size.effort = impl_->solver.effort();
  return impl_->size;
}

}  // namespace iomc::check::symbolic
