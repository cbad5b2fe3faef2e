// SPDX-License-Identifier: GPL-2.0-or-later
// Bounded model checking of one configuration: runs of 0, 1, 2, … steps, so that the first violation found is a
// shortest one. It is decoded into the path that the explorer would name, and replayed on the concrete specification.
#pragma once

#include "checker/explicit/limits.hpp"
#include "checker/result.hpp"
#include "checker/symbolic/unroll.hpp"

namespace iomc::check::symbolic {

struct BmcOptions {
  std::size_t depth = 30;                          ///< steps of the longest runs
  std::uint64_t rlimit = 4'000'000'000;            ///< Z3's effort for all of it; what is left bounds each check
  ClosureOptions closure;
  std::size_t initial_states = 4096;               ///< more are not taken on
  std::optional<std::uint64_t> diameter;           ///< explored: no state is farther from the initial ones
  const std::atomic<bool>* interrupted = nullptr;
  std::function<void(const ClosureSize&)> enumerated;
  std::function<void(const UnrollSize&)> progress; ///< once a depth
};

namespace detail {

/// The text of a bound that ended the search: what was covered, and why not more.
std::string bounded_reason(std::size_t depth, bool stopped, const std::string& why);
/// What Z3 is given for one check of what is left of `rlimit`.
unsigned check_limit(std::uint64_t rlimit);

template <class C>
class Decoder {
 public:
  using State = typename C::State;
  explicit Decoder(const C& spec) : spec_(spec) {}

  /// The explorer's path of a run. InternalError where the concrete specification does not take a step of it.
  Path path(const UnrolledRun& run, const std::vector<std::uint64_t>& first) {
    State now = shape_of(spec_);
    assign(now, first);
    Path out{initial_index(spec_, now)};
    for (const Choice& choice : run.steps) out.push_back(step(now, choice));
    return out;
  }

 private:
  std::uint64_t step(State& now, const Choice& choice) {
    model::StepContext<typename C::Event> cx;
    std::uint64_t index = 0;
    for (unsigned instance = 0; instance < choice.instance; ++instance)
      fire(now, instance, cx, [&](const State&) { return ++index, false; });
    State next = now;
    const bool found = fire(now, choice.instance, cx, [&](const State& after) {
      if (taken(cx.choices()) == choice.picks) return next = after, true;
      return ++index, false;
    });
    if (!found)
      throw model::InternalError("the explorer does not take a step that the symbolic relation has: " +
                                 std::string(spec_.steps()[spec_.step_of(choice.instance)].name));
    // Among several choices with one result the explorer's path has the first.
    const std::uint64_t first = successor_index(spec_, now, next);
    now = next;
    return std::min(index, first);
  }
  template <class F>
  bool fire(const State& from, unsigned instance, model::StepContext<typename C::Event>& cx, F&& f) {
    cx.choices().clear();
    do {
      cx.begin();
      State after = from;
      if (spec_.fire(after, instance, cx) && f(after)) return true;
    } while (cx.choices().advance());
    return false;
  }

  const C& spec_;
};

}  // namespace detail

/// What BMC says of a configuration, and what it took.
struct BmcResult {
  Exploration found;      ///< states and transitions are 0: they are not counted
  ClosureSize closure;
  UnrollSize size;
  bool enumerated = false;
};

/// C and S are the two instances of one specification, and the properties the same ones in the same order.
template <class C, class S>
class Bmc {
 public:
  Bmc(const C& spec, const S& twin, std::span<const model::Property<C>> properties,
      std::span<const model::Property<S>> symbolic, BmcOptions options)
      : spec_(spec), twin_(twin), properties_(properties), symbolic_(symbolic), options_(std::move(options)) {
    IOMC_PRE(properties.size() == symbolic.size());
    for (const auto& p : properties) add(p.info.id, p.info.claim);
    add(std::string(spec.name()) + ".deadlock", "some step can be taken in every state that is not an end");
  }

  BmcResult run() {
    try {
      prepare();
      search();
    } catch (const UsageError& e) {
      why_ = e.what();
    }
    finish();
    return std::move(result_);
  }

 private:
  void add(std::string id, std::string claim) {
    PropertyResult r;
    r.property = std::move(id);
    r.claim = std::move(claim);
    result_.found.results.push_back(std::move(r));
  }

  void prepare() {
    closure_ = std::make_unique<Closure<C, S>>(spec_, twin_, symbolic_, options_.closure);
    result_.closure = closure_->size();
    result_.enumerated = true;
    if (options_.enumerated) options_.enumerated(closure_->size());
    any_initial(spec_, [&](const typename C::State& s) {
      auto numbers = detail::numbers_of(s);
      if (std::find(initial_.begin(), initial_.end(), numbers) == initial_.end())
        initial_.push_back(std::move(numbers));
      return initial_.size() > options_.initial_states;
    });
    if (initial_.size() > options_.initial_states)
      throw UsageError("more than " + std::to_string(options_.initial_states) + " initial states");
    std::vector<Goal> goals;
    for (std::size_t i = 0; i < symbolic_.size(); ++i) {
      Goal g{false, {}, false, false};
      const auto& p = symbolic_[i];
      if (p.holds_on != nullptr) g.property = i;
      if (p.holds_in != nullptr) try {
        g.state = false_in(p.info.id, [&] { return p.holds_in(twin_, relation().before()); });
      } catch (const UsageError& e) {
        unread_[i] = e.what();
      }
      goals.push_back(std::move(g));
    }
    goals.push_back({false_in("may_stop", [&] { return twin_.may_stop(relation().before()); }), {}, true, false});
    goals.push_back({false, {}, false, true});
    fault_ = goals.size() - 1;
    SolverOptions solver;
    solver.rlimit = detail::check_limit(options_.rlimit);
    unrolling_ = std::make_unique<Unrolling>(relation().terms(), solver, relation().leaves(), closure_->paths(),
                                             closure_->values(), initial_, std::move(goals));
    for (std::size_t g = 0; g < result_.found.results.size(); ++g)
      if (!unread_.contains(g)) open_.push_back(g);
  }

  Relation<S>& relation() { return closure_->relation(); }

  Truth false_in(const std::string& name, const std::function<bool()>& predicate) {
    std::vector<Truth> any;
    for (const auto& f : relation().failures(name, {}, predicate)) any.push_back(detail::all(f));
    return detail::some(any);
  }

  void search() {
    for (;;) {
      if (!look()) return;
      covered_ = unrolling_->size().depth;
      seen_ = true;
      if (options_.progress) options_.progress(unrolling_->size());
      if (open_.empty() || covered_ == options_.depth) return;
      if (options_.interrupted != nullptr && *options_.interrupted) return void(why_ = "interrupted");
      if (unrolling_->size().effort.rlimit >= options_.rlimit) return void(why_ = limit_text());
      const Answer longer = unrolling_->lengthen();
      if (longer == Answer::unsatisfiable) return void(ended_ = true);
      if (longer == Answer::unknown) return void(why_ = limit_text());
    }
  }

  std::string limit_text() const {
    return "the limit of " + std::to_string(options_.rlimit) + " of Z3's resource units was reached";
  }

  /// Runs of the present length. False where the solver gave up on some goal.
  bool look() {
    std::vector<std::size_t> wanted = open_;
    wanted.insert(wanted.begin(), fault_);
    const Answer any = unrolling_->any(wanted);
    if (any == Answer::unsatisfiable) return true;
    for (const std::size_t g : wanted) {
      const Answer a = unrolling_->reached(g);
      if (a == Answer::unknown) return why_ = limit_text(), false;
      if (a == Answer::unsatisfiable) continue;
      violated(g);
    }
    std::erase_if(open_, [&](std::size_t g) { return result_.found.results[g].verdict == Verdict::violated; });
    return true;
  }

  void violated(std::size_t g) {
    bool least = true;
    const UnrolledRun run = unrolling_->run(g, least);
    detail::Decoder<C> decoder(spec_);
    const Path path = decoder.path(run, initial_[run.initial]);
    if (g == fault_) {  // the explorer ends there too
      follow_into_fault(path);
      throw model::InternalError("the symbolic relation has a fault that the explorer has not, after " +
                                 path_text(path));
    }
    PropertyResult& r = result_.found.results[g];
    r.verdict = Verdict::violated;
    r.depth = run.steps.size();
    r.counterexample = g < properties_.size() ? replay_violation(spec_, properties_[g], path)
                                              : replay_deadlock(spec_, path);
  }

  void follow_into_fault(const Path& path) {
    const Run<C> run = follow(spec_, path);
    const auto& end = run.steps.empty() ? run.initial : run.steps.back().after;
    any_successor(spec_, end, [](const Taken<C>& t) { return model::require_ranges(t.after), false; });
  }

  void finish() {
    Exploration& e = result_.found;
    if (unrolling_) result_.size = unrolling_->size();
    e.depth = covered_;
    const bool all = seen_ && (ended_ || (options_.diameter && covered_ > *options_.diameter));
    e.complete = all;
    for (std::size_t g = 0; g < e.results.size(); ++g) {
      PropertyResult& r = e.results[g];
      if (r.verdict == Verdict::violated) continue;
      r.depth = covered_;
      if (const auto at = unread_.find(g); at != unread_.end()) {
        r.reason = at->second;
        r.examined = false;
      } else if (all) {
        r.verdict = Verdict::holds;
      } else {
        r.reason = seen_ ? detail::bounded_reason(covered_, !why_.empty(), why_) : why_;
      }
    }
    if (!seen_)
      for (PropertyResult& r : e.results) r.examined = false;
    if (!all) e.reason = seen_ ? detail::bounded_reason(covered_, !why_.empty(), why_) : why_;
  }

  const C& spec_;
  const S& twin_;
  std::span<const model::Property<C>> properties_;
  std::span<const model::Property<S>> symbolic_;
  BmcOptions options_;
  BmcResult result_;
  std::unique_ptr<Closure<C, S>> closure_;
  std::vector<std::vector<std::uint64_t>> initial_;
  std::unique_ptr<Unrolling> unrolling_;
  std::map<std::size_t, std::string> unread_;  // properties with too many paths
  std::vector<std::size_t> open_;
  std::size_t fault_ = 0;
  std::size_t covered_ = 0;
  bool seen_ = false;
  bool ended_ = false;
  std::string why_;
};

template <class C, class S>
BmcResult bounded_check(const C& spec, const S& twin,
                        std::span<const std::type_identity_t<model::Property<C>>> concrete,
                        std::span<const std::type_identity_t<model::Property<S>>> symbolic, BmcOptions options = {}) {
  return Bmc<C, S>(spec, twin, concrete, symbolic, std::move(options)).run();
}

}  // namespace iomc::check::symbolic
