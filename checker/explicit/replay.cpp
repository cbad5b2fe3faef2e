// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/explicit/replay.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "checker/explicit/lasso.hpp"

namespace iomc::check {

namespace {

[[noreturn]] void no_path(const std::string& text) {
  throw InputError("replay path '" + text + "': expected numbers with '/' between them, as in 0/2/2/5/1, " +
                   "and for a run without end 0/2/loop/5/1 or 0/2/end");
}

}  // namespace

Route parse_route(const std::string& text) {
  Route out;
  const char* at = text.data();
  const char* const end = at + text.size();
  // Steps taken so far: the first number is no step.
  const auto steps = [&] { return out.path.size() - 1; };
  while (true) {
    const char* const slash = std::find(at, end, '/');
    const std::string_view word(at, slash);
    if (word == "end" && slash == end && !out.path.empty() && !out.loop_start) {
      out.loop_start = steps();
    } else if (word == "loop" && slash != end && !out.path.empty() && !out.loop_start) {
      out.loop_start = steps();
    } else {
      std::uint64_t value = 0;
      const auto [next, error] = std::from_chars(at, slash, value);
      if (error != std::errc{} || next != slash) no_path(text);
      out.path.push_back(value);
    }
    if (slash == end) return out;
    at = slash + 1;
  }
}

Path parse_path(const std::string& text) {
  const Route route = parse_route(text);
  if (route.loop_start)
    throw InputError("replay path '" + text + "': a run without end shows nothing about a property of this kind");
  return route.path;
}

std::string route_text(const Route& route) {
  const std::size_t steps = route.path.size() - 1;
  std::string out;
  for (std::size_t i = 0; i < route.path.size(); ++i) {
    if (i != 0) out += '/';
    if (i == route.loop_start.value_or(steps) + 1) out += "loop/";
    out += std::to_string(route.path[i]);
  }
  return route.loop_start == steps ? out + "/end" : out;
}

}  // namespace iomc::check
