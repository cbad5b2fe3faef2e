// SPDX-License-Identifier: GPL-2.0-or-later
// Counted workloads: what an operation costs in events, at the kernel's own constants. Deterministic: the same facts
// give the same numbers on any machine.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spec/iova/facts.hpp"

namespace iomc::spec::iova {

/// One number of an operation: how often something happened in it, or the largest of something.
struct Measure {
  std::string name;  ///< a cost event, or one of the names below
  double mean = 0;   ///< over the operations of the run
  double median = 0;
  double least = 0;
  double most = 0;
};

// Measures beside the cost events of model/cost.hpp. A search "steps over" a node where rb_prev leaves it.
inline constexpr const char* failed_searches = "failed_searches";
inline constexpr const char* failed_search_nodes = "failed_search_nodes";
inline constexpr const char* found_searches = "found_searches";
inline constexpr const char* found_search_nodes = "found_search_nodes";
inline constexpr const char* cache_hits = "cache_hits";
inline constexpr const char* irqs_off_nodes = "longest_irqs_off_node_operations";
inline constexpr const char* trimmed = "ranges_trimmed";
inline constexpr const char* domain_bytes = "magazine_bytes_per_domain";

struct Run {
  std::string name;
  std::string workload;  ///< stated in full: CPUs, live ranges, warm-up, what one operation is
  std::uint64_t operations = 0;
  std::vector<Measure> measures;

  /// Zero where nothing of that name was counted.
  const Measure& operator[](std::string_view measure) const;
};

struct Workload {
  const char* name;
  Run (*run)(const Facts& facts);
};

/// All workloads, in the order of reports.
std::span<const Workload> workloads();

/// Runs the workload of that name, which must exist.
Run run_workload(std::string_view name, const Facts& facts);

/// The workload `lazy` with other sizes: each of `cpus` CPUs maps and unmaps `each` single pages, fewer than its flush
/// queue holds, between two runs of the flush timer. One operation is such a cycle: 4 after 2 to warm up.
Run run_lazy_cycles(const Facts& facts, unsigned cpus, unsigned each);

/// The runs of one set of facts, each made when it is first asked for.
class Runs {
 public:
  explicit Runs(const Facts& facts) : facts_(facts) {}
  const Facts& facts() const { return facts_; }
  const Run& operator[](const std::string& name);

 private:
  Facts facts_;
  std::map<std::string, Run> made_;
};

/// Bytes the slab hands out for one magazine: kmalloc's next power of two.
unsigned magazine_bytes(const Facts& facts);

}  // namespace iomc::spec::iova
