// SPDX-License-Identifier: GPL-2.0-or-later
// Breadth-first exploration of a specification: exact, deterministic, shortest counterexamples.
#pragma once

#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "checker/explicit/limits.hpp"
#include "checker/explicit/replay.hpp"
#include "checker/explicit/storage.hpp"
#include "checker/result.hpp"
#include "model/property.hpp"
#include "model/step.hpp"

namespace iomc::check {

template <model::Specification Spec, class Storage = StorageFor<typename Spec::State>>
class Explorer {
 public:
  using State = typename Spec::State;
  using Event = typename Spec::Event;
  using Property = model::Property<Spec>;

  Explorer(const Spec& spec, std::span<const Property> properties, Limits limits)
      : spec_(spec), watch_(std::move(limits)), fired_(spec.steps().size()) {
    for (const auto& p : properties) tracked_.push_back({&p});
  }

  Exploration run() {
    model::for_each_choice(cx_, [&] {
      State s{};
      spec_.initial(s, cx_);
      found(storage_.insert(s), s, no_parent);
    });
    StateId level_end = static_cast<StateId>(storage_.size());
    StateId at = 0;
    for (; at < level_end; ++at) {
      if ((at & 0xfff) == 0 && (visit_pending(), stop(at))) break;
      expand(at);
      if (at + 1 < level_end) continue;
      visit_pending();
      if (storage_.size() > level_end) ++depth_;
      level_end = static_cast<StateId>(storage_.size());
    }
    return finish(at);
  }

 private:
  static constexpr StateId no_parent = ~StateId{0};

  struct Tracked {
    const Property* property;
    bool relevant = false;
    bool violated = false;
    bool on_event = false;
    StateId state = 0;        // the violating state, or the one before the violating step
    std::uint64_t choice = 0; // with on_event: index of the violating step among the successors of `state`
  };

  // Successors are made where they wait, and a handful is inserted at a time: all are hashed, then all are looked up,
  // so that the cache lines of one are on their way while the others are worked on. The order of insertion is the order
  // of generation.
  static constexpr bool batched = requires(const Storage& st, std::uint64_t h) {
    st.prefetch_slot(h), st.prefetch_state(h);
  };
  static constexpr std::size_t batch_size = batched ? 32 : 1;

  struct alignas(16) Pending {
    State state;
    StateId parent;
    std::uint64_t hash;
  };

  /// Where the next successor is made.
  State& room() { return pending_[waiting_].state; }
  void submit(StateId parent) {
    pending_[waiting_].parent = parent;
    if (++waiting_ == batch_size) visit_pending();
  }
  void visit_pending() {
    const std::span<Pending> batch(pending_.data(), std::exchange(waiting_, 0));
    if constexpr (batched) {
      for (Pending& p : batch) {
        p.hash = Storage::hash(p.state);
        storage_.prefetch_slot(p.hash);
      }
      for (const Pending& p : batch) storage_.prefetch_state(p.hash);
      for (const Pending& p : batch) found(storage_.insert(p.state, p.hash), p.state, p.parent);
    } else {
      for (const Pending& p : batch) found(storage_.insert(p.state), p.state, p.parent);
    }
  }

  void found(Inserted r, const State& s, StateId parent) {
    if (!r.fresh) return;
    parents_.reserve(r.id + 1);
    parents_[r.id] = parent;
    model::require_ranges(s);
    for (auto& t : tracked_) {
      if (t.violated || t.property->holds_in == nullptr) continue;
      if (!t.relevant) t.relevant = t.property->relevant_in == nullptr || t.property->relevant_in(spec_, s);
      if (!t.property->holds_in(spec_, s)) {
        t.violated = true;
        t.state = r.id;
      }
    }
  }

  void expand(StateId id) {
    State before;
    storage_.load(id, before);
    storage_.expand(id);
    std::uint64_t successors = 0;
    State* after = &(room() = before);
    spec_.for_each_candidate(before, [&](unsigned instance) {
      cx_.choices().clear();
      do {
        cx_.begin();
        if (!spec_.fire(*after, instance, cx_)) continue;
        ++transitions_;
        ++fired_[spec_.step_of(instance)];
        if (!cx_.events().empty()) check_events(id, successors, before, *after);
        ++successors;
        submit(id);
        after = &(room() = before);
      } while (cx_.choices().advance());
    });
    if (successors == 0 && !deadlock_found_ && !spec_.may_stop(before)) {
      deadlock_found_ = true;
      deadlock_ = id;
    }
  }

  void check_events(StateId id, std::uint64_t successor, const State& before, const State& after) {
    for (auto& t : tracked_) {
      if (t.violated || t.property->holds_on == nullptr) continue;
      for (const Event& e : cx_.events()) {
        if (t.property->relevant_on != nullptr && !t.property->relevant_on(e)) continue;
        t.relevant = true;
        if (t.property->holds_on(spec_, before, after, e)) continue;
        t.violated = true;
        t.on_event = true;
        t.state = id;
        t.choice = successor;
        break;
      }
    }
  }

  bool stop(StateId at) {
    const std::uint64_t bytes = storage_.bytes() + storage_.size() * sizeof(StateId);
    reason_ = watch_.ended({storage_.size(), transitions_, depth_, storage_.size() - at}, bytes);
    return !reason_.empty();
  }

  Exploration finish(StateId expanded) {
    Exploration out;
    out.complete = reason_.empty();
    out.reason = reason_;
    out.states = storage_.size();
    out.transitions = transitions_;
    out.depth = depth_;
    out.stats.seconds = watch_.seconds();
    out.stats.peak_memory_bytes = peak_memory_bytes();
    const auto steps = spec_.steps();
    for (std::size_t i = 0; i < steps.size(); ++i) out.coverage.push_back({steps[i].name, fired_[i]});
    const std::string covered = std::to_string(expanded) + " of " + std::to_string(storage_.size()) +
                                " states found were expanded, depth " + std::to_string(depth_);
    for (const auto& t : tracked_) {
      PropertyResult r = result_of(out, t.property->info.id, t.property->info.claim);
      if (t.violated) {
        r.verdict = Verdict::violated;
        auto path = path_to(t.state);
        if (t.on_event) path.push_back(t.choice);
        r.counterexample = replay_violation(spec_, *t.property, path);
      } else if (!out.complete) {
        r.verdict = Verdict::inconclusive;
        r.reason = reason_ + "; " + covered;
      } else {
        r.verdict = Verdict::holds;
        r.vacuous = !t.relevant;
      }
      out.results.push_back(std::move(r));
    }
    PropertyResult d = result_of(out, std::string(spec_.name()) + ".deadlock",
                                 "some step can be taken in every state that is not an end");
    if (deadlock_found_) {
      d.verdict = Verdict::violated;
      d.counterexample = replay_deadlock(spec_, path_to(deadlock_));
    } else if (!out.complete) {
      d.reason = reason_ + "; " + covered;
    } else {
      d.verdict = Verdict::holds;
    }
    out.results.push_back(std::move(d));
    return out;
  }

  static PropertyResult result_of(const Exploration& e, std::string id, std::string claim) {
    PropertyResult r;
    r.property = std::move(id);
    r.claim = std::move(claim);
    r.states = e.states;
    r.transitions = e.transitions;
    r.depth = e.depth;
    return r;
  }

  /// The replay path to a state: index of the initial state, then an index among the successors for each step.
  std::vector<std::uint64_t> path_to(StateId id) {
    std::vector<StateId> chain{id};
    while (parents_[chain.back()] != no_parent) chain.push_back(parents_[chain.back()]);
    State root;
    storage_.load(chain.back(), root);
    std::vector<std::uint64_t> path{initial_index(spec_, root)};
    State from = root;
    for (std::size_t i = chain.size() - 1; i-- > 0;) {
      State to;
      storage_.load(chain[i], to);
      path.push_back(successor_index(spec_, from, to));
      from = to;
    }
    return path;
  }

  const Spec& spec_;
  Watch watch_;
  Storage storage_;
  Region<StateId> parents_{std::size_t{1} << 12};
  model::StepContext<Event> cx_;
  std::array<Pending, batch_size> pending_{};
  std::size_t waiting_ = 0;
  std::vector<Tracked> tracked_;
  std::vector<std::uint64_t> fired_;
  std::uint64_t transitions_ = 0;
  std::uint64_t depth_ = 0;
  bool deadlock_found_ = false;
  StateId deadlock_ = 0;
  std::string reason_;
};

template <model::Specification Spec>
Exploration explore(const Spec& spec, std::span<const model::Property<Spec>> properties, Limits limits = {}) {
  return Explorer<Spec>(spec, properties, std::move(limits)).run();
}

}  // namespace iomc::check
