// SPDX-License-Identifier: GPL-2.0-or-later
// What `iomc cost SPEC` evaluates: one stated operation of each specification, as a function of sizes, counted by
// running the specification's own steps.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "checker/cost/growth.hpp"
#include "checker/cost/price.hpp"
#include "checker/cost/simulate.hpp"

namespace iomc::check::cost {

using FactValues = std::vector<std::pair<std::string, std::string>>;
using Sizes = std::map<std::string, std::int64_t>;

struct Parameter {
  const char* name;
  const char* symbol;  ///< in growth laws
  const char* what;
  std::int64_t lo;
  std::int64_t hi;
  std::int64_t standard;
};

/// What one operation did. Medians over the run's operations, so whole numbers.
struct Counted {
  std::vector<std::pair<std::string, std::int64_t>> counts;  ///< every event and measure of the model, zeros too
  std::int64_t nodes = 0;                                    ///< tree nodes, for entries that depend on them
  EventCounts events() const;
  std::int64_t operator[](const std::string& name) const;
};

/// A column beside the counts: computed from them, the sizes and the machine.
struct Derived {
  std::string name;
  std::string unit;
  Range value;
};

class Model {
 public:
  Model() = default;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;
  virtual ~Model() = default;
  virtual std::string spec() const = 0;
  virtual std::string operation() const = 0;  ///< what is counted, in a sentence
  virtual std::string profile() const = 0;    ///< the built-in one that fits best
  virtual std::vector<Parameter> parameters() const = 0;
  virtual Counted count(const FactValues& facts, const Sizes& sizes) const = 0;
  /// The sizes that `count` looks at: the others only enter the derived columns.
  virtual std::vector<std::string> counted() const = 0;
  virtual std::vector<Derived> derive(const FactValues& facts, const Sizes& sizes, const Counted& counted,
                                      const Profile& profile) const = 0;
  /// The operation under load, in ns, for the simulation: who goes round, and what they queue at. InputError where the
  /// model has none.
  virtual Network network(const FactValues& facts, const Sizes& sizes, const Counted& counted,
                          const Profile& profile) const = 0;
};

const std::vector<std::unique_ptr<Model>>& models();
const Model& find_model(const std::string& spec);

/// The value of --sweep: NAME=A..B or NAME=A,B,C; InputError where the model has no such size or it is out of bounds.
struct Sweep {
  std::string name;
  std::vector<std::int64_t> values;
};
Sweep parse_sweep(const Model& model, const std::string& text);

/// One row of a sweep.
struct Row {
  Sizes sizes;
  Counted counted;
  Price price;
  std::vector<Derived> derived;
};

struct LawLine {
  std::string name;    ///< the event
  std::int64_t value;  ///< at the last point
  std::string law;     ///< "6P + 3"; empty: none goes through all points
};

struct SweepResult {
  std::vector<Row> rows;
  std::vector<LawLine> laws;
  std::vector<std::string> notes;
  std::size_t runs = 0;  ///< how many sets of sizes were run; the other rows were evaluated by laws
};

/// Evaluates all combinations. Where the counts follow a law that the runs at chosen points and at the largest ones all
/// confirm, the other points are the law's.
SweepResult sweep(const Model& model, const FactValues& facts, Sizes fixed, const std::vector<Sweep>& sweeps,
                  const Profile& profile);

/// The counts of one map and unmap under a full 32-bit window, and of an interrupt of a VMD with `children` on its
/// vector: shared with the headlines.
struct Pressure {
  unsigned cpus = 128;
  unsigned live = 2047;      ///< pages that fill the 32-bit window
  unsigned in_flight = 512;  ///< single pages above it
};
Counted map_unmap(const FactValues& iova_facts, const Pressure& p);
Counted vmd_interrupt(const FactValues& vmd_facts, unsigned children);
/// A message to its signal; `readers` wait for the eventfd. The hard interrupt's own part is counted apart.
struct Delivery {
  Counted all;
  Counted hard_irq;
};
Delivery vfio_delivery_counts(const FactValues& vfio_facts, unsigned readers);
/// Context switches of one interrupt with one reader of that SCHED_FIFO priority on the interrupt's CPU, until the
/// reader waits again.
std::int64_t vfio_context_switches(const FactValues& vfio_facts, unsigned priority);

/// Interrupt queues of one drive, with and without remapping, and which of them a set of neighbouring CPUs uses.
struct Queues {
  unsigned entries_bypass = 0;
  unsigned entries_remap = 0;
  Range used_bypass;  ///< completion queues that the CPUs use; over where among the groups they lie
  Range used_remap;
};
Queues vmd_queues(const FactValues& vmd_facts, unsigned machine_cpus, unsigned used_cpus, unsigned vmd_vectors);

}  // namespace iomc::check::cost
