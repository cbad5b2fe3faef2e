// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/explicit/explorer.hpp"

#include <sys/resource.h>

namespace iomc::check {

std::uint64_t peak_memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace iomc::check
