// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/symbolic/relation.hpp"

#include <cstdio>

namespace iomc::check::symbolic {

std::string line(const StepPaths& s) {
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.3f", s.seconds);
  return s.step + " (" + std::to_string(s.instance) + "): " + std::to_string(s.paths) + " paths, " +
         std::to_string(s.enabled) + " enabled, " + std::to_string(s.checks) + " checks, " + seconds + " s";
}

std::string table(std::span<const StepPaths> instances) {
  struct Row {
    StepPaths sum;
    std::size_t instances = 0;
  };
  std::vector<Row> rows;
  Row total{{0, "total", 0, 0, 0, 0}, 0};
  for (const StepPaths& s : instances) {
    auto at = std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return r.sum.step == s.step; });
    if (at == rows.end()) at = rows.insert(rows.end(), Row{{0, s.step, 0, 0, 0, 0}, 0});
    for (Row* r : {&*at, &total}) {
      ++r->instances;
      r->sum.paths += s.paths;
      r->sum.enabled += s.enabled;
      r->sum.checks += s.checks;
      r->sum.seconds += s.seconds;
    }
  }
  rows.push_back(total);
  std::string out;
  char row[160];
  std::snprintf(row, sizeof row, "%-36s %9s %7s %8s %8s %9s\n", "step", "instances", "paths", "enabled", "checks",
                "seconds");
  out += row;
  for (const Row& r : rows) {
    std::snprintf(row, sizeof row, "%-36s %9zu %7zu %8zu %8llu %9.3f\n", r.sum.step.c_str(), r.instances, r.sum.paths,
                  r.sum.enabled, static_cast<unsigned long long>(r.sum.checks), r.sum.seconds);
    out += row;
  }
  return out;
}

namespace detail {

Truth within(const Value& v, unsigned width, model::Range r) {
  if (r.lo > r.hi) return false;
  const auto most = ~std::uint64_t{0} >> (64 - width);
  if (r.lo > most) return false;
  if (!v.symbolic()) return v.constant >= r.lo && v.constant <= r.hi;
  const Truth above = Truth::from(apply(Op::less_equal, width, {r.lo, nullptr}, v));
  return r.hi >= most ? above : both(above, Truth::from(apply(Op::less_equal, width, v, {r.hi, nullptr})));
}

Truth all(std::span<const Truth> of) {
  Truth out = true;
  for (const Truth& t : of) out = both(out, t);
  return out;
}

Truth some(std::span<const Truth> of) {
  Truth none = true;
  for (const Truth& t : of) none = both(none, negate(t));
  return negate(none);
}

Truth one_of(Terms& terms, const Value& v, unsigned width, const Values& values) {
  std::vector<Truth> any;
  for (std::size_t i = 0; i < values.in.size(); ++i)
    if (values.in[i]) any.push_back(Truth::from(apply(Op::equal, width, v, {i, nullptr})));
  return terms.disjunction(any);
}

std::vector<unsigned> taken(const model::Choices& choices) {
  std::vector<unsigned> out;
  for (std::size_t i = 0; i < choices.used(); ++i) out.push_back(choices.at(i));
  return out;
}

std::vector<Truth> none_of(Terms& terms, std::span<const std::vector<Truth>> excluded) {
  std::vector<Truth> out;
  for (const auto& conjuncts : excluded) out.push_back(negate(terms.conjunction(conjuncts)));
  return out;
}

}  // namespace detail

}  // namespace iomc::check::symbolic
