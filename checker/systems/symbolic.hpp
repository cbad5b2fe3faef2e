// SPDX-License-Identifier: GPL-2.0-or-later
// Bounded checking of one configuration of each system. The symbolic instances are compiled apart from the explored
// ones (checker/systems/*_symbolic.cpp).
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "checker/result.hpp"

namespace iomc::spec::iova {
struct Config;
struct Facts;
}
namespace iomc::spec::vfio {
struct Config;
}
namespace iomc::spec::vmd {
struct Config;
}

namespace iomc::check {

struct CheckRequest;
namespace ask {
struct Answer;
struct FieldWords;
struct Question;
}  // namespace ask

struct SymbolicRequest {
  std::vector<std::string> properties;      ///< empty: all
  std::uint64_t depth = 0;                  ///< steps of the longest runs
  std::uint64_t effort = 0;                 ///< Z3's rlimit for all of it
  std::optional<std::uint64_t> diameter;    ///< explored: no state is farther away
  const std::atomic<bool>* interrupted = nullptr;
  std::function<void(const std::string&)> tell;  ///< what was enumerated, and each depth, in a line
};

/// The results of the properties asked for, then the deadlock's. Configuration and scope are left to the caller.
Exploration check_symbolically(const spec::iova::Config& config, const SymbolicRequest& request);
Exploration check_symbolically(const spec::vfio::Config& config, const SymbolicRequest& request);
Exploration check_symbolically(const spec::vmd::Config& config, const SymbolicRequest& request);

/// A question with 'within K steps' (checker/ask/bounded.hpp). Configuration and scope are left to the caller.
ask::Answer answer_within(const spec::iova::Config& config, const ask::Question& question,
                          const std::vector<ask::FieldWords>& words, const CheckRequest& request);
ask::Answer answer_within(const spec::vfio::Config& config, const ask::Question& question,
                          const std::vector<ask::FieldWords>& words, const CheckRequest& request);
ask::Answer answer_within(const spec::vmd::Config& config, const ask::Question& question,
                          const std::vector<ask::FieldWords>& words, const CheckRequest& request);

/// A question about one search of the tree alone, at 64 bits: checker/systems/iova_search.cpp.
ask::Answer answer_search(const spec::iova::Facts& facts, const ask::Question& question);

}  // namespace iomc::check
