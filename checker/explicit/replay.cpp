// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/explicit/replay.hpp"

#include <charconv>

namespace iomc::check {

Path parse_path(const std::string& text) {
  Path out;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    std::uint64_t value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc{} || (next != end && *next != '/'))
      throw InputError("replay path '" + text + "': expected numbers with '/' between them, as in 0/2/2/5/1");
    out.push_back(value);
    if (next == end) return out;
    at = next + 1;
  }
}

}  // namespace iomc::check
