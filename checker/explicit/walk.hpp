// SPDX-License-Identifier: GPL-2.0-or-later
// Walk on a specification, by the means of the replayer.
#pragma once

#include "checker/explicit/replay.hpp"
#include "checker/walk.hpp"

namespace iomc::check {

template <class Spec>
class WalkOf : public Walk {
 public:
  WalkOf(const Spec& spec, std::vector<model::Property<Spec>> properties, std::string configuration, std::string scope)
      : spec_(spec),
        properties_(std::move(properties)),
        configuration_(std::move(configuration)),
        scope_(std::move(scope)) {
    start(0);
  }

  std::string configuration() const override { return configuration_; }
  std::string scope() const override { return scope_; }
  std::uint64_t initial_states() const override {
    std::uint64_t n = 0;
    any_initial(spec_, [&](const auto&) { return ++n, false; });
    return n;
  }

  void start(std::uint64_t initial) override { run_ = follow(spec_, {initial}); }

  std::vector<TraceStep> enabled() const override {
    std::vector<TraceStep> out;
    any_successor(spec_, now(), [&](const Taken<Spec>& t) {
      Run<Spec> one;
      one.initial = now();
      one.steps.push_back(t);
      one.path = {0, out.size()};
      out.push_back(render(spec_, one).steps.front());
      return false;
    });
    return out;
  }

  void take(std::uint64_t choice) override {
    std::uint64_t left = choice;
    std::uint64_t count = 0;
    const bool found = any_successor(spec_, now(), [&](const Taken<Spec>& t) {
      ++count;
      if (left-- != 0) return false;
      run_.steps.push_back(t);
      return true;
    });
    if (!found)
      throw InputError("there is no step " + std::to_string(choice) + " here; " +
                       (count == 0 ? "none may come next" : "0 to " + std::to_string(count - 1) + " may come next"));
    run_.path.push_back(choice);
  }

  bool back() override {
    if (run_.steps.empty()) return false;
    run_.steps.pop_back();
    run_.path.pop_back();
    return true;
  }

  Counterexample run() const override { return render(spec_, run_); }

  std::vector<std::pair<std::string, std::string>> state() const override {
    std::vector<std::pair<std::string, std::string>> out;
    for (auto& f : model::describe(now())) out.emplace_back(std::move(f.name), std::move(f.value));
    return out;
  }

  std::vector<std::pair<std::string, std::string>> violated() const override {
    std::vector<std::pair<std::string, std::string>> out;
    const auto& after = now();
    const auto& before = run_.steps.size() < 2 ? run_.initial : run_.steps[run_.steps.size() - 2].after;
    for (const auto& p : properties_) {
      const auto say = [&](const typename Spec::Event* event) {
        out.emplace_back(p.info.id, p.explain != nullptr ? p.explain(spec_, before, after, event) : p.info.claim);
      };
      if (p.holds_in != nullptr && !p.holds_in(spec_, after)) {
        say(nullptr);
      } else if (p.holds_on != nullptr && !run_.steps.empty()) {
        for (const auto& e : run_.steps.back().events)
          if ((p.relevant_on == nullptr || p.relevant_on(e)) && !p.holds_on(spec_, before, after, e)) {
            say(&e);
            break;
          }
      }
    }
    return out;
  }

  bool may_stop() const override { return spec_.may_stop(now()); }

 private:
  const typename Spec::State& now() const { return run_.steps.empty() ? run_.initial : run_.steps.back().after; }

  Spec spec_;
  std::vector<model::Property<Spec>> properties_;
  std::string configuration_;
  std::string scope_;
  Run<Spec> run_;
};

}  // namespace iomc::check
