// SPDX-License-Identifier: GPL-2.0-or-later
// A system as a review asks it: twice, for the state before and the state after a change. What is the same on both
// sides is explored once, the time limit is for both together, and progress says which side is meant.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "checker/system.hpp"

namespace iomc::review {

class Sides : public check::System {
 public:
  explicit Sides(const check::System& system) : system_(system) {}

  std::string name() const override { return system_.name(); }
  std::string title() const override { return system_.title(); }
  std::vector<std::string> files() const override { return system_.files(); }
  std::vector<check::NamedText> kernels() const override { return system_.kernels(); }
  std::vector<check::PropertyText> properties() const override { return system_.properties(); }
  std::vector<check::StepText> steps() const override { return system_.steps(); }
  std::vector<check::FactText> fact_texts() const override { return system_.fact_texts(); }
  std::vector<check::NamedText> configurations() const override { return system_.configurations(); }
  std::vector<check::NamedText> sizes() const override { return system_.sizes(); }
  std::vector<check::NamedValue> facts(const std::string& kernel) const override { return system_.facts(kernel); }
  void set(const std::string& fact, const std::string& value, std::vector<check::NamedValue>& facts,
           std::vector<check::NamedValue>& sizes) const override {
    system_.set(fact, value, facts, sizes);
  }
  check::RunResult check(const check::CheckRequest& request) const override;
  check::Counterexample replay(const check::CheckRequest& request, const std::string& property,
                               const std::string& path) const override {
    return system_.replay(request, property, path);
  }
  std::vector<check::WorkloadCost> costs(const std::vector<check::NamedValue>& facts) const override {
    return system_.costs(facts);
  }

  std::vector<check::Build> builds() const override { return system_.builds(); }

  /// The answers so far, in the order of the questions: before, after.
  const std::vector<check::RunResult>& answers() const { return answers_; }

 private:
  struct Question {
    std::vector<check::NamedValue> facts;
    std::vector<check::NamedValue> sizes;
    std::vector<std::string> properties;
    std::vector<std::string> configurations;
    bool operator==(const Question&) const = default;
  };

  const check::System& system_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  // System::check is const because an answer does not change the system; it does not here either.
  mutable std::vector<Question> questions_;
  mutable std::vector<check::RunResult> answers_;
};

}  // namespace iomc::review
