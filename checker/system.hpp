// SPDX-License-Identifier: GPL-2.0-or-later
// A specified system as the program sees it: no templates, no state types. One implementation a spec
// (checker/systems/).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "checker/result.hpp"
#include "checker/walk.hpp"
#include "model/cost.hpp"

namespace iomc::check {

using NamedValue = std::pair<std::string, std::string>;

struct NamedText {
  std::string name;
  std::string text;
};

struct PropertyText {
  std::string id;
  std::string claim;
  std::string why;
  std::string source;
  std::string kind;  ///< "safety", "completeness", "performance", "liveness"
};

struct StepText {
  std::string name;
  std::string function;
  std::string file;
  std::string what;
};

struct FactText {
  std::string name;
  std::string what;
  std::string file;
  std::string function;
  std::string source;
  std::string allowed;  ///< "true or false", "a number", "one of top, scan"
};

struct ProgressReport {
  std::string configuration;
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::uint64_t depth = 0;
  std::uint64_t queued = 0;
  std::string text;  ///< in the place of the numbers, and not only once a second
};

enum class Engine { explorer, symbolic, all };

/// What to check. Facts are complete (one value for each fact of the system, as facts(kernel) gives them).
struct CheckRequest {
  std::string kernel;                        ///< label only: "6.12", or the tree as given
  std::vector<NamedValue> facts;
  std::vector<NamedValue> sizes;             ///< --set of a size; the rest keep each configuration's own
  std::vector<std::string> properties;       ///< empty: all
  std::vector<std::string> configurations;   ///< empty: the default ones
  Engine engine = Engine::explorer;
  std::uint64_t depth = 0;                   ///< steps of the symbolic engine's longest runs; 0: 25, or as explored
  std::uint64_t limit_effort = 300'000'000;  ///< Z3's rlimit for one configuration
  std::uint64_t limit_states = 0;
  std::uint64_t limit_memory_bytes = 0;
  double limit_seconds = 0;                  ///< for the whole request
  const std::atomic<bool>* interrupted = nullptr;
  std::function<void(const ProgressReport&)> progress;
};

/// What a counterexample did on the kernel's own code.
struct CodeReplay {
  enum class Outcome { confirmed, refuted, not_replayable };
  Outcome outcome = Outcome::not_replayable;
  /// What was built and followed, or the first step that differs, or why it cannot be followed. Empty: no code of this
  /// system can be built at all.
  std::string text;
};

/// A way to build or boot a kernel that no source tells, as values of facts.
struct Build {
  std::string name;  ///< "preempt=rt"
  std::vector<NamedValue> facts;
};

/// Counted events of one stated workload at real sizes: what a patch costs.
struct WorkloadCost {
  std::string name;      ///< "map-unmap"
  std::string workload;  ///< stated in full: CPUs, live ranges, warm-up, operations
  std::vector<std::pair<std::string, double>> per_operation;
};

/// The dearest and cheapest runs of one configuration, each a path of choices as in a counterexample.
struct CostBounds {
  std::string configuration;
  std::string scope;
  std::string incomplete;  ///< why the state graph is not whole: then nothing is claimed
  std::uint64_t states = 0;
  bool unbounded = false;
  std::uint64_t worst = 0;
  std::vector<std::string> worst_steps;  ///< unbounded: the loop
  std::string worst_path;
  bool ends = false;  ///< some run ends
  std::uint64_t best = 0;
  std::string best_path;
  std::uint64_t within = 0;
  std::string within_path;
};

/// What a fact or size may be: one of some words, or a number within these bounds.
struct Allowed {
  std::vector<std::string> words;
  std::uint64_t lo = 0;
  std::uint64_t hi = ~std::uint64_t{0};
};

namespace ask {
struct Answer;
struct Question;
}  // namespace ask

class System {
 public:
  System() = default;
  System(const System&) = delete;
  System& operator=(const System&) = delete;
  virtual ~System() = default;
  virtual std::string name() const = 0;
  virtual std::string title() const = 0;  ///< one line for `iomc list`
  virtual std::vector<std::string> files() const = 0;  ///< kernel files whose code is specified
  virtual std::vector<NamedText> kernels() const = 0;  ///< name and source, oldest first
  virtual std::vector<PropertyText> properties() const = 0;
  virtual std::vector<StepText> steps() const = 0;
  virtual std::vector<FactText> fact_texts() const = 0;
  virtual std::vector<NamedText> configurations() const = 0;  ///< name and what it switches on; default ones first
  virtual std::vector<NamedText> sizes() const = 0;           ///< names for --set, and their meaning with bounds

  /// All facts of a built-in kernel. InputError (with the list) if there is none of that name.
  virtual std::vector<NamedValue> facts(const std::string& kernel) const = 0;

  /// Sets one value in `facts` or `sizes`. InputError if the name is neither, or the value is not allowed.
  virtual void set(const std::string& name, const std::string& value, std::vector<NamedValue>& facts,
                   std::vector<NamedValue>& sizes) const = 0;

  virtual RunResult check(const CheckRequest& request) const = 0;

  /// Follows a path in the request's first configuration. `confirmed` and `conclusion` say whether the property fails
  /// there.
  virtual Counterexample replay(const CheckRequest& request, const std::string& property,
                                const std::string& path) const = 0;

  /// A run made by hand in the request's first configuration, at its first initial state.
  virtual std::unique_ptr<Walk> walk(const CheckRequest& request) const;

  /// The values that a fact or size may have; nothing if there is none of that name.
  virtual std::optional<Allowed> possible(const std::string& name) const;

  /// A question about facts and sizes, or about the states of the request's one configuration. InputError for a name
  /// that is not there.
  virtual ask::Answer ask(const ask::Question& question, const CheckRequest& request) const;

  /// As replay, and the same interleaving on the code of a kernel tree (a directory, or a linux-source-*.tar.xz),
  /// compiled in user space. InputError if the tree cannot be read or there is no C compiler.
  virtual CodeReplay replay_on_code(const CheckRequest& request, const std::string& property, const std::string& path,
                                    const std::string& tree) const {
    (void)request, (void)property, (void)path, (void)tree;
    return {};
  }

  /// The builds that a change is reviewed for, the plain one first; none: there is but one.
  virtual std::vector<Build> builds() const { return {}; }

  /// The tables of `iomc check SPEC --table NAME`.
  virtual std::vector<NamedText> tables() const { return {}; }
  /// InputError (with the list) if there is none of that name. The request's facts and limits apply where the table is
  /// about one kernel.
  virtual Table table(const std::string& table, const CheckRequest& request) const {
    (void)request;
    throw no_table(table);
  }

  /// Over the state graph of each of the request's configurations, and over `steps` steps; `weigh`: what events cost.
  virtual std::vector<CostBounds> cost_bounds(const CheckRequest& request,
                                              const std::function<std::uint64_t(const model::CostCount&)>& weigh,
                                              unsigned steps) const {
    (void)request, (void)weigh, (void)steps;
    throw InputError(name() + " has no state graph to price");
  }

  virtual std::vector<WorkloadCost> costs(const std::vector<NamedValue>& facts) const = 0;

 protected:
  InputError no_table(const std::string& asked) const {
    std::string known;
    for (const auto& t : tables()) known += (known.empty() ? "; it has: " : ", ") + t.name;
    return InputError(name() + " has no table '" + asked + "'" + known);
  }
};

/// All systems, in the order of `iomc list`.
const std::vector<std::unique_ptr<System>>& systems();

/// InputError (with the list) if there is none of that name.
const System& find_system(const std::string& name);

}  // namespace iomc::check
