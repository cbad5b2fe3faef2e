// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/symbolic/paths.hpp"

namespace iomc::check::symbolic {

namespace {

thread_local Recorder* recorder = nullptr;

Truth literal(const Node* condition, bool taken) {
  const Truth t = Truth::from({0, condition});
  return taken ? t : negate(t);
}

}  // namespace

const Recorder* current_recorder() { return recorder; }

Recording::Recording(Recorder& r) : before_(std::exchange(recorder, &r)) {}
Recording::~Recording() { recorder = before_; }

bool fork(const Node* condition) {
  if (recorder == nullptr)
    throw UsageError("a symbolic condition was asked outside an enumeration of paths; select, both and either merge");
  return recorder->decide(condition);
}

struct Paths::Unwind {
  Paths& paths;
  ~Unwind() {
    while (!paths.decisions_.empty()) paths.drop();
    paths.choices_ = nullptr;
    paths.what_ = nullptr;
  }
};

std::size_t Paths::enumerate(model::Choices& choices, const std::string& what, const std::function<void()>& body) {
  IOMC_PRE(choices_ == nullptr);
  choices.clear();
  choices_ = &choices;
  what_ = &what;
  const Unwind unwind{*this};
  if (!(domains_ != nullptr && exact_) && solver_.check() == Answer::unsatisfiable) return 0;
  const Recording recording(*this);
  std::size_t paths = 0;
  do {
    if (paths == limits_.paths)
      throw UsageError(what + ": more than " + std::to_string(limits_.paths) +
                       " paths; merge branches with select, split the step, or raise the limit");
    ++run_;
    at_ = 0;
    asked_ = 0;
    body();
    ++paths;
    if (at_ != decisions_.size())
      throw UsageError(what + ": took another path when run again; a step must be deterministic");
  } while (advance());
  return paths;
}

std::vector<Truth> Paths::condition() const {
  std::vector<Truth> out;
  for (const Decision& d : decisions_)
    if (!d.forced) out.push_back(literal(d.condition, d.taken));
  return out;
}

bool Paths::decide(const Node* asked) {
  if (++asked_ > limits_.questions)
    throw UsageError(*what_ + ": more than " + std::to_string(limits_.questions) +
                     " conditions on one path; a loop does not end, perhaps because a value has no declared range");
  const auto [condition, negative] = without_negation(asked);
  const std::size_t number = number_of(condition);
  if (number >= known_.size()) known_.resize(number + number / 2 + 64);
  if (known_[number].run != run_) {
    if (at_ == decisions_.size()) extend(condition);
    const Decision& d = decisions_[at_++];
    if (d.condition != condition || d.picks_before != choices_->used())
      throw UsageError(*what_ + ": asked another condition when run again; a step must be deterministic");
    known_[number] = {run_, d.taken};
  }
  return known_[number].taken != negative;
}

void Paths::extend(const Node* condition) {
  if (decisions_.size() == limits_.decisions)
    throw UsageError(*what_ + ": more than " + std::to_string(limits_.decisions) +
                     " decisions on one path; does a loop depend on a value without a bound?");
  const bool can_be = !refuted(literal(condition, true));
  const bool can_not_be = !can_be || !refuted(literal(condition, false));
  if (can_be && can_not_be) hold(literal(condition, true));
  decisions_.push_back({condition, choices_->used(), can_be, can_be && can_not_be, !can_be || !can_not_be});
}

bool Paths::refuted(Truth t) {
  if (domains_ != nullptr) {
    const Answer a = domains_->possible(t);
    if (a == Answer::unsatisfiable || (a == Answer::satisfiable && exact_)) return a == Answer::unsatisfiable;
  }
  tell_solver();
  const Scope scope(solver_);
  solver_.add(t);
  return solver_.check() == Answer::unsatisfiable;
}

void Paths::tell_solver() {
  for (; told_ < held_.size(); ++told_) {
    solver_.push();
    solver_.add(held_[told_]);
  }
}

void Paths::hold(Truth t) {
  held_.push_back(t);
  if (domains_ != nullptr) domains_->hold(t);
  else tell_solver();
}

void Paths::release() {
  if (told_ == held_.size()) {
    solver_.pop();
    --told_;
  }
  held_.pop_back();
  if (domains_ != nullptr) domains_->drop();
}

void Paths::drop() {
  if (!decisions_.back().forced) release();
  decisions_.pop_back();
}

/// The other answer of the last decision; false, and the decision is dropped, if there is none.
bool Paths::flip() {
  const Decision last = decisions_.back();
  drop();
  if (!last.open) return false;
  hold(literal(last.condition, !last.taken));
  decisions_.push_back({last.condition, last.picks_before, !last.taken, false, false});
  return true;
}

/// Decisions and picks are one stack in the order of execution; each decision knows how many picks came before it.
bool Paths::advance() {
  for (;;) {
    if (!decisions_.empty() && decisions_.back().picks_before == choices_->size()) {
      if (flip()) return true;
    } else if (choices_->size() == 0) {
      return false;
    } else if (choices_->advance_last()) {
      return true;
    }
  }
}

}  // namespace iomc::check::symbolic
