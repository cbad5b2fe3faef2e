// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/cost/price.hpp"

#include <algorithm>

namespace iomc::check::cost {

EventCounts counts_of(const model::CostCount& c) {
  EventCounts out;
  for (std::size_t i = 0; i < model::cost_kinds; ++i)
    if (c.n[i] != 0) out.emplace_back(model::cost_names[i], static_cast<double>(c.n[i]));
  return out;
}

Range Price::of(const std::vector<std::string>& events) const {
  Range out;
  for (const Part& p : parts)
    if (std::find(events.begin(), events.end(), p.event) != events.end()) out += p.ns;
  return out;
}

Price price(const EventCounts& counts, const Profile& profile, double nodes) {
  Price out;
  for (const auto& [event, n] : counts) {
    const auto& known = model::cost_names;
    if (n == 0 || std::find(known.begin(), known.end(), event) == known.end()) continue;
    const Entry* e = profile.entry(event);
    if (e == nullptr) {
      out.unpriced.push_back(event);
      continue;
    }
    out.parts.push_back({event, n, n * e->ns(nodes), e->provenance});
    out.ns += out.parts.back().ns;
  }
  return out;
}

std::string counts_text(const EventCounts& counts) {
  std::string out;
  for (const auto& [event, n] : counts)
    if (n != 0) out += (out.empty() ? "" : ", ") + event + " " + number(n);
  return out;
}

}  // namespace iomc::check::cost
