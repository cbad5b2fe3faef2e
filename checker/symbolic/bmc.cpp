// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/symbolic/bmc.hpp"

#include <limits>

namespace iomc::check::symbolic::detail {

std::string bounded_reason(std::size_t depth, bool stopped, const std::string& why) {
  const std::string covered = "no violation within " + std::to_string(depth) + (depth == 1 ? " step" : " steps");
  return stopped ? why + "; " + covered : covered;
}

unsigned check_limit(std::uint64_t rlimit) {
  return static_cast<unsigned>(std::min<std::uint64_t>(rlimit, std::numeric_limits<unsigned>::max()));
}

}  // namespace iomc::check::symbolic::detail
