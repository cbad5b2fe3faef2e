// SPDX-License-Identifier: GPL-2.0-or-later
// All steps of a specification as paths over the fields' values: a guess of the values that fields take, from a short
// exploration, is widened until every step leads from such values to such values only. What holds of all runs then
// holds here: the values are too many, never too few.
#pragma once

#include <memory>

#include "checker/explicit/storage.hpp"
#include "checker/symbolic/relation.hpp"
#include "model/property.hpp"

namespace iomc::check::symbolic {

struct ClosureOptions {
  PathLimits paths{2000, 4096, 1'000'000};
  std::size_t guess_states = 20'000;  ///< explored to guess the fields' values
  std::size_t merge_above = 30;       ///< paths of one step, above which those with the same choices become one
  unsigned growth = 10;               ///< rounds in which a field may grow, before it may be anything in its range
};

/// A field and its value after a step.
struct Change {
  std::size_t leaf;
  Value value;
};

/// One way to take a step: enabled under all of `condition`.
struct TakenPath {
  unsigned instance = 0;
  std::vector<unsigned> picks;
  std::vector<Truth> condition;
  std::string broken;                              ///< the internal error it ends in, or empty
  std::vector<Change> changes;
  std::vector<std::size_t> leaving;                ///< fields whose value after it may be outside the declared range
  std::vector<std::pair<std::size_t, Truth>> bad;  ///< properties that an event of it violates, and when
  std::vector<std::size_t> relevant;               ///< properties that an event of it could violate
  model::CostCount cost{};                         ///< of a merged one: of the first of its paths
};

struct ClosureSize {
  std::size_t rounds = 0;
  std::size_t fields = 0;     ///< that take more than one value
  std::size_t paths = 0;      ///< enabled ones, enumerated
  std::size_t kept = 0;       ///< after merging
  std::uint64_t checks = 0;   ///< questions that needed the solver
  double seconds = 0;
};

/// "212 paths (of 1034), 61 fields, 2 rounds, 2 solver checks, 0.310 s"
std::string line(const ClosureSize& s);

namespace detail {

/// Paths of one step with the same choices as one, where they are more than `above`.
std::vector<TakenPath> merged(std::vector<TakenPath> paths, std::span<const Leaf> leaves, std::size_t above);

/// The values that some explored states have.
template <class C>
std::vector<Values> guess(const C& spec, std::size_t most) {
  using State = typename C::State;
  std::vector<Values> out;
  StorageFor<State> seen;
  model::StepContext<typename C::Event> cx;
  const auto visit = [&](const State& s) {
    if (!seen.insert(s).fresh) return;
    std::size_t i = 0;
    model::for_each_value(s, [&](const auto& v, model::Range) {
      if (i == out.size()) out.emplace_back();
      out[i++].add(v.raw());
    });
  };
  any_initial(spec, [&](const State& s) { return visit(s), false; });
  for (std::size_t at = 0; at < seen.size() && seen.size() < most; ++at) {
    State from;
    seen.load(static_cast<StateId>(at), from);
    if constexpr (requires { seen.expand(static_cast<StateId>(at)); }) seen.expand(static_cast<StateId>(at));
    spec.for_each_candidate(from, [&](unsigned instance) {
      cx.choices().clear();
      do {
        cx.begin();
        State after = from;
        if (spec.fire(after, instance, cx)) visit(after);
      } while (cx.choices().advance());
    });
  }
  return out;
}

}  // namespace detail

/// The steps of `twin`, the symbolic instance of `spec`, with the event properties of `properties`.
template <class C, class S>
class Closure {
 public:
  using Property = model::Property<S>;

  Closure(const C& spec, const S& twin, std::span<const Property> properties, ClosureOptions options = {})
      : spec_(spec), twin_(twin), properties_(properties), options_(std::move(options)) {
    const auto start = std::chrono::steady_clock::now();
    values_ = detail::guess(spec, options_.guess_states);
    grown_.assign(values_.size(), 0);
    last_grown_.assign(values_.size(), 0);
    while (!round()) {
    }
    for (TakenPath& p : paths_)
      if (p.broken.empty()) ++size_.paths;
    finish();
    size_.kept = paths_.size();
    for (const Values& v : values_) size_.fields += v.single() ? 0 : 1;
    size_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  Relation<S>& relation() { return *relation_; }
  std::span<const TakenPath> paths() const { return paths_; }
  std::span<const Values> values() const { return values_; }
  const ClosureSize& size() const { return size_; }

 private:
  /// Enumerates every step under the values so far. True if no new value came.
  bool round() {
    ++size_.rounds;
    if (relation_) size_.checks += relation_->solver().checks();
    RelationOptions options;
    options.paths = options_.paths;
    options.values = values_;
    relation_ = std::make_unique<Relation<S>>(twin_, std::move(options));
    paths_.clear();
    full_.clear();
    bool closed = true;
    for (unsigned instance = 0; instance < twin_.instances(); ++instance)
      relation_->for_each_path(instance, [&](const StepPath<S>& p) {
        if (!p.enabled && p.broken.empty()) return;
        if (!take(instance, p)) closed = false;
      });
    return closed;
  }

  bool take(unsigned instance, const StepPath<S>& p) {
    TakenPath out{instance, p.picks, p.condition, p.broken, {}, {}, {}, {}, p.cost};
    bool closed = true;
    if (p.broken.empty()) {
      const auto after = detail::values_of(p.after);
      for (std::size_t i = 0; i < after.size(); ++i) {
        if (after[i] == relation_->variables()[i]) continue;
        out.changes.push_back({i, after[i]});
        if (!grow(i, relation_->domains().image(after[i]), out)) closed = false;
      }
    }
    paths_.push_back(std::move(out));
    full_.push_back(p);
    return closed;
  }

  /// Adds the values of a field after a step. True if none was new.
  bool grow(std::size_t leaf, Values image, TakenPath& path) {
    const Leaf& l = relation_->leaves()[leaf];
    const std::uint64_t most = std::min(l.range.hi, ~std::uint64_t{0} >> (64 - l.width));
    bool outside = image.any && (l.range.lo != 0 || l.range.hi < most);
    for (std::size_t v = 0; v < image.in.size(); ++v)
      if (image.in[v] && (v < l.range.lo || v > l.range.hi)) {
        image.in.reset(v);
        outside = true;
      }
    if (outside) path.leaving.push_back(leaf);
    const bool give_up = grown_[leaf] > options_.growth && !values_[leaf].contains(image);
    if ((image.any || give_up) && most < image.in.size()) {  // too many to try out: all of the range
      image.any = false;
      for (std::uint64_t v = l.range.lo; v <= most; ++v) image.add(v);
    }
    image.any = image.any || (give_up && most >= image.in.size());
    if (!values_[leaf].merge(image)) return true;
    if (last_grown_[leaf] != size_.rounds) ++grown_[leaf];
    last_grown_[leaf] = size_.rounds;
    return false;
  }

  /// What properties say of the events, and paths merged step by step.
  void finish() {
    std::vector<TakenPath> out;
    for (std::size_t begin = 0, end = 0; begin < paths_.size(); begin = end) {
      while (end < paths_.size() && paths_[end].instance == paths_[begin].instance) judge(end++);
      std::vector<TakenPath> step(std::make_move_iterator(paths_.begin() + static_cast<std::ptrdiff_t>(begin)),
                                  std::make_move_iterator(paths_.begin() + static_cast<std::ptrdiff_t>(end)));
      for (TakenPath& p : detail::merged(std::move(step), relation_->leaves(), options_.merge_above))
        out.push_back(std::move(p));
    }
    paths_ = std::move(out);
    full_.clear();
    size_.checks += relation_->solver().checks();
  }

  void judge(std::size_t index) {
    const StepPath<S>& full = full_[index];
    TakenPath& path = paths_[index];
    if (!path.broken.empty()) return;
    for (std::size_t i = 0; i < properties_.size(); ++i) {
      const Property& p = properties_[i];
      if (p.holds_on == nullptr) continue;
      for (const auto& e : full.events) {
        bool relevant = false;
        const auto failures = relation_->failures(p.info.id, path.condition, [&] {
          if (!p.relevant_on(e)) return true;
          relevant = true;
          return p.holds_on(twin_, relation_->before(), full.after, e);
        });
        if (relevant && (path.relevant.empty() || path.relevant.back() != i)) path.relevant.push_back(i);
        std::vector<Truth> any;
        for (const auto& f : failures) any.push_back(detail::all(f));
        if (!any.empty()) path.bad.emplace_back(i, detail::some(any));
      }
    }
  }

  const C& spec_;
  const S& twin_;
  std::span<const Property> properties_;
  ClosureOptions options_;
  std::vector<Values> values_;
  std::vector<std::size_t> grown_;  // by field: rounds in which it grew, and the last of them
  std::vector<std::size_t> last_grown_;
  std::unique_ptr<Relation<S>> relation_;
  std::vector<TakenPath> paths_;
  std::vector<StepPath<S>> full_;
  ClosureSize size_;
};

}  // namespace iomc::check::symbolic
