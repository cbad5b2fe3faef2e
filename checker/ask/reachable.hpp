// SPDX-License-Identifier: GPL-2.0-or-later
// Questions about reachable states, answered by exploring all of them.
#pragma once

#include <map>
#include <set>

#include "checker/ask/answer.hpp"
#include "checker/ask/fields.hpp"
#include "checker/explicit/limits.hpp"
#include "checker/explicit/replay.hpp"
#include "checker/explicit/storage.hpp"

namespace iomc::check::ask {

template <class Spec>
class Reachable {
 public:
  using State = typename Spec::State;

  Reachable(const Spec& spec, const Question& question, const Fields& fields, const Limits& limits)
      : spec_(spec), question_(question), fields_(fields), watch_(limits), values_(fields) {
    for (const auto& n : question.names) shown_.push_back(fields.index(n));
    if (question.where.size() > 63) throw InputError("question: at most 63 conditions");
  }

  Answer run() {
    Answer out;
    out.engine = "explicit";
    const std::string ended = explore();
    out.covers = "every run";
    out.reason = ended;
    const bool optimises = question_.measure.has_value();
    if (best_)
      out.found.push_back(found(best_state_, optimises ? best_ : std::nullopt));
    for (const auto& [values, state] : all_) {
      (void)values;
      out.found.push_back(found(state, std::nullopt));
    }
    // One state answers find. A search that ended early has no last word on what it did not find.
    if (!out.found.empty() && (ended.empty() || question_.verb == Question::Verb::find)) {
      out.outcome = Answer::Outcome::answered;
      if (question_.verb == Question::Verb::find) out.reason.clear();
    } else if (ended.empty()) {
      out.outcome = Answer::Outcome::unsatisfiable;
      const auto core = smallest_core(question_.where.size(), [&](const auto& kept) { return excluded(kept); });
      for (const std::size_t i : core)
        out.core.push_back(question_.where[i].text);
    }
    return out;
  }

 private:
  /// The fields of the state at hand.
  class Values : public OverFields<model::Concrete> {
   public:
    explicit Values(const Fields& fields) : OverFields<model::Concrete>(fields) {}
    void set(const State& s) {
      at_.clear();
      model::for_each_value(s, [&](const auto& v, model::Range) { at_.push_back(v.raw()); });
    }
    std::uint64_t raw(std::size_t index) const { return at_[index]; }

   protected:
    model::Bits<64> field(std::size_t index) override { return at_[index]; }

   private:
    std::vector<std::uint64_t> at_;
  };

  /// Why it ended before the end, or nothing.
  std::string explore() {
    model::StepContext<typename Spec::Event> cx;
    bool done = false;
    const auto visit = [&](const State& s, StateId from) {
      const Inserted i = seen_.insert(s);
      if (!i.fresh) return;
      before_.push_back(from);
      done = judge(s, i.id) || done;
    };
    any_initial(spec_, [&](const State& s) { return visit(s, none), done; });
    std::uint64_t transitions = 0;
    for (std::size_t at = 0; at < seen_.size() && !done; ++at) {
      const Progress p{seen_.size(), transitions, 0, seen_.size() - at};
      if ((at & 0x3ff) == 0)
        if (std::string why = watch_.ended(p, seen_.bytes()); !why.empty()) return why;
      State from;
      seen_.load(static_cast<StateId>(at), from);
      if constexpr (requires { seen_.expand(static_cast<StateId>(at)); }) seen_.expand(static_cast<StateId>(at));
      spec_.for_each_candidate(from, [&](unsigned instance) {
        cx.choices().clear();
        do {
          cx.begin();
          State after = from;
          if (!spec_.fire(after, instance, cx)) continue;
          ++transitions;
          visit(after, static_cast<StateId>(at));
        } while (cx.choices().advance());
      });
    }
    return {};
  }

  /// True: the question is answered.
  bool judge(const State& s, StateId id) {
    values_.set(s);
    std::uint64_t meets = 0;
    for (std::size_t i = 0; i < question_.where.size(); ++i)
      if (values_.truth(question_.where[i].expr)) meets |= std::uint64_t{1} << i;
    met_.insert(meets);
    if (meets != (std::uint64_t{1} << question_.where.size()) - 1) return false;
    switch (question_.verb) {
      case Question::Verb::find: return best_ = 0, best_state_ = id, true;
      case Question::Verb::all: {
        std::vector<std::uint64_t> shown;
        for (const std::size_t i : shown_) shown.push_back(values_.raw(i));
        all_.emplace(std::move(shown), id);
        return false;
      }
      case Question::Verb::min:
      case Question::Verb::max: {
        const std::uint64_t v = values_.number(*question_.measure, nullptr).raw();
        const bool better = !best_ || (question_.verb == Question::Verb::min ? v < *best_ : v > *best_);
        if (better) best_ = v, best_state_ = id;
        return false;
      }
    }
    return false;
  }

  bool excluded(const std::vector<std::size_t>& kept) const {
    std::uint64_t wanted = 0;
    for (const std::size_t i : kept) wanted |= std::uint64_t{1} << i;
    return std::none_of(met_.begin(), met_.end(), [&](std::uint64_t m) { return (m & wanted) == wanted; });
  }

  Found found(StateId id, std::optional<std::uint64_t> optimum) {
    Found out;
    out.optimum = optimum;
    State s;
    seen_.load(id, s);
    values_.set(s);
    for (std::size_t i = 0; i < shown_.size(); ++i)
      out.values.emplace_back(question_.names[i], fields_.text(fields_.names()[shown_[i]], values_.raw(shown_[i])));
    std::vector<StateId> run;
    for (StateId at = id; at != none; at = before_[at]) run.push_back(at);
    std::reverse(run.begin(), run.end());
    State from;
    seen_.load(run[0], from);
    Path path{initial_index(spec_, from)};
    for (std::size_t i = 1; i < run.size(); ++i) {
      State to;
      seen_.load(run[i], to);
      path.push_back(successor_index(spec_, from, to));
      from = to;
    }
    out.path = path_text(path);
    return out;
  }

  static constexpr StateId none = ~StateId{0};

  const Spec& spec_;
  const Question& question_;
  const Fields& fields_;
  Watch watch_;
  Values values_;
  StorageFor<State> seen_;
  std::vector<StateId> before_;
  std::vector<std::size_t> shown_;
  std::set<std::uint64_t> met_;
  std::map<std::vector<std::uint64_t>, StateId> all_;
  std::optional<std::uint64_t> best_;
  StateId best_state_ = 0;
};

}  // namespace iomc::check::ask
