// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>
#include <deque>

#include "checker/cost/model_parts.hpp"
#include "spec/iova/sequence.hpp"

namespace iomc::check::cost {

namespace {

namespace iova = spec::iova;

constexpr const char* walked = "nodes_walked";
const std::vector<std::string> under_the_tree_lock = {"tree_lock", "tree_step", "tree_find", "tree_insert",
                                                      "tree_erase"};

}  // namespace

Counted map_unmap(const FactValues& facts, const Pressure& p) {
  const auto f = facts_of<iova::Facts>(facts);
  iova::Sizes sizes = iova::real_sizes(f, p.cpus);
  sizes.boundary = p.live + 1;
  iova::Sequence<> s(iova::real_config(f, sizes));
  while (s.alloc(1, p.live)) {
  }
  std::deque<std::uint64_t> flying;
  const auto map = [&](unsigned cpu) {
    const auto pfn = s.map(cpu, 0, 1);
    IOMC_INVARIANT(pfn.has_value());
    flying.push_back(*pfn);
  };
  for (unsigned i = 0; i < p.in_flight; ++i) map(i % p.cpus);
  // The first flush puts the caches and the cached nodes into their steady state.
  constexpr unsigned warm_up = 8;
  constexpr unsigned measured = 9;
  std::vector<std::vector<std::int64_t>> seen;
  for (unsigned i = 0; i < warm_up + measured; ++i) {
    s.reset_counts();
    s.unmap(i % p.cpus, flying.front(), 1);
    flying.pop_front();
    map(i % p.cpus);
    if (i < warm_up) continue;
    const iova::Counted& c = s.counted();
    std::vector<std::int64_t> sample;
    for (const auto n : c.events.n) sample.push_back(static_cast<std::int64_t>(n));
    sample.push_back(static_cast<std::int64_t>(c.failed.visits + c.found.visits));
    sample.push_back(static_cast<std::int64_t>(c.longest_irqs_off));
    seen.push_back(std::move(sample));
  }
  IOMC_INVARIANT(s.crash() == iova::alive);
  Counted out;
  out.nodes = static_cast<std::int64_t>(s.nodes());
  for (std::size_t m = 0; m < seen.front().size(); ++m) {
    std::vector<std::int64_t> values;
    for (const auto& sample : seen) values.push_back(sample[m]);
    std::nth_element(values.begin(), values.begin() + measured / 2, values.end());
    const char* name = m < model::cost_kinds    ? model::cost_names[m]
                       : m == model::cost_kinds ? walked
                                                : "longest_irqs_off_nodes";
    out.counts.emplace_back(name, values[measured / 2]);
  }
  return out;
}

namespace {

class IovaModel : public Model {
 public:
  std::string spec() const override { return "iova"; }
  std::string operation() const override {
    return "one unmap of the oldest page and one map of a new one, CPUs in turn, strict, by a 64-bit PCI device while "
           "the "
           "32-bit window is full";
  }
  std::string profile() const override { return "arm64-128"; }
  std::vector<Parameter> parameters() const override {
    return {{"cpus", "P", "CPUs", 1, 256, 128},
            {"live", "n", "pages that fill the 32-bit window, all live", 16, 1048575, 2047},
            {"in_flight", "f", "single pages in flight above it", 16, 65536, 512}};
  }
  std::vector<std::string> counted() const override { return {"cpus", "live", "in_flight"}; }
  Counted count(const FactValues& facts, const Sizes& sizes) const override {
    return map_unmap(facts, {static_cast<unsigned>(sizes.at("cpus")), static_cast<unsigned>(sizes.at("live")),
                             static_cast<unsigned>(sizes.at("in_flight"))});
  }
  std::vector<Derived> derive(const FactValues&, const Sizes& sizes, const Counted& counted,
                              const Profile& profile) const override {
    const auto nodes = static_cast<double>(counted.nodes);
    const Price paid = price(counted.events(), profile, nodes);
    // What is done under the domain's one lock is all that P CPUs can do at a time.
    const Range held = paid.of(under_the_tree_lock);
    const double cpus = static_cast<double>(sizes.at("cpus"));
    Range rate{cpus * 1e9 / paid.ns.hi, cpus * 1e9 / paid.ns.value, cpus * 1e9 / paid.ns.lo};
    if (held.value > 0) rate = least(rate, {1e9 / held.hi, 1e9 / held.value, 1e9 / held.lo});
    return {{"all CPUs at once, at most", "operations/s", rate}};
  }
  Network network(const FactValues&, const Sizes& sizes, const Counted& counted,
                  const Profile& profile) const override {
    const Price paid = price(counted.events(), profile, static_cast<double>(counted.nodes));
    const double held = paid.of(under_the_tree_lock).value;
    Class cpus{"CPU", static_cast<unsigned>(sizes.at("cpus")), 0, {}};
    // The lock is taken so often in one operation; in between the CPU does the rest.
    const auto times = static_cast<unsigned>(std::clamp<std::int64_t>(counted["tree_lock"], 1, 16));
    for (unsigned i = 0; i < times; ++i) {
      cpus.visits.push_back({0, (paid.ns.value - held) / times, Service::exponential});
      if (held > 0) cpus.visits.push_back({1, held / times, Service::exponential});
    }
    return {{{"outside the tree lock", 0}, {"the tree lock", 1}}, {cpus}};
  }
};

}  // namespace

std::unique_ptr<Model> make_iova_model() { return std::make_unique<IovaModel>(); }

}  // namespace iomc::check::cost
