// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/symbolic/costliest.hpp"

namespace iomc::check::symbolic {

Costliest maximise(Terms& terms, std::span<const Truth> given, Value v, unsigned width) {
  constexpr unsigned rlimit = 200'000'000;
  std::uint64_t found = 0;
  switch (largest(terms, given, v, width, rlimit, found)) {
    case Answer::unsatisfiable: return {std::nullopt, "there is no run at all"};
    case Answer::unknown: return {std::nullopt, "Z3 gave up"};
    case Answer::satisfiable: break;
  }
  SolverOptions options;
  options.rlimit = rlimit;
  Solver plain(terms, options);
  for (const Truth& g : given) plain.add(g);
  const auto is = [&](Op op, std::uint64_t bound) { return Truth::from(apply(op, width, v, {bound, nullptr})); };
  {
    const Scope scope(plain);
    plain.add(is(Op::equal, found));
    if (plain.check() != Answer::satisfiable) return {std::nullopt, "Z3's optimum has no run; nothing is claimed"};
  }
  plain.add(negate(is(Op::less_equal, found)));
  if (plain.check() != Answer::unsatisfiable)
    return {std::nullopt, "Z3's optimum could be exceeded; nothing is claimed"};
  return {found, {}};
}

}  // namespace iomc::check::symbolic
