// SPDX-License-Identifier: GPL-2.0-or-later
// The same calls to the specification, at the kernel's own sizes, and to the kernel's own code. After every call the
// results, the cached nodes, max32_alloc_size and the counts are compared; after every `full_every` calls, and at the
// end, all of the state.
#pragma once

#include <deque>
#include <string>

#include "checker/kernel/iova_code.hpp"
#include "spec/iova/sequence.hpp"
#include "tests/conformance/iova/operations.hpp"

namespace iomc::conformance {

struct Compared {
  std::uint64_t operations = 0;
  std::uint64_t full_states = 0;
  std::uint64_t visits = 0;       ///< tree nodes stepped over, the same in both
  std::uint64_t locks = 0;        ///< taken, the same in both
  std::uint64_t second_passes = 0;
  std::uint64_t straddles = 0;    ///< second passes that began at a node across their limit; see docs/assumptions.md
  std::uint64_t failures = 0;     ///< allocations that found nothing
  std::uint64_t warnings = 0;     ///< WARN_ON of the kernel
  std::uint64_t most_nodes = 0;
  std::uint64_t most_depot = 0;
  std::uint64_t domains = 0;
  std::string difference;         ///< empty: none

  Compared& operator+=(const Compared& o);
};

class Differential {
 public:
  static constexpr unsigned cpus = 128;

  /// `facts` must be those of the tree that `code` was built from.
  Differential(check::IovaCode& code, const spec::iova::Facts& facts, std::uint64_t start_pfn);
  ~Differential();
  Differential(const Differential&) = delete;
  Differential& operator=(const Differential&) = delete;

  /// Both do it. False at the first difference, which is in compared().difference.
  bool apply(const Operation& op);
  /// All of the state.
  bool compare_state();

  const Compared& compared() const { return compared_; }
  std::uint64_t last_result() const { return result_; }
  std::uint64_t last_visits() const { return visits_; }

 private:
  using Sequence = spec::iova::Sequence<>;

  std::uint64_t run_spec(const Operation& op);
  std::uint64_t run_code(const Operation& op);
  bool compare_call(const Operation& op, std::uint64_t spec, std::uint64_t code);
  bool compare_counts();
  bool compare_pointers();
  bool compare_tree();
  bool compare_caches(unsigned bin);
  bool differ(const std::string& what, std::uint64_t spec, std::uint64_t code);

  check::IovaCode& code_;
  Sequence spec_;
  Compared compared_;
  std::uint64_t result_ = 0;
  std::uint64_t visits_ = 0;
  std::deque<Operation> last_;  ///< the latest calls, for the message
  std::vector<iomc_range> nodes_;
};

/// Calls made up from a seed, over domains of several lengths of life and several sizes of their 32-bit space. At most
/// `full_every` calls between two comparisons of all state.
Compared run_random(check::IovaCode& code, const spec::iova::Facts& facts, std::uint64_t seed,
                    std::uint64_t operations, std::uint64_t full_every, Distribution& distribution);

}  // namespace iomc::conformance
