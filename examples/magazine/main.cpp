// SPDX-License-Identifier: GPL-2.0-or-later
// Explores the magazine cache, proves its claim for runs of any length, and prints both.
#include <cstdio>

#include "checker/explicit/explorer.hpp"
#include "examples/magazine/lemmas.hpp"

namespace {

constexpr unsigned addresses = 7;

int run() {
  using namespace iomc;
  using namespace iomc::examples::magazine;
  const Spec<model::Concrete, addresses> spec;
  const Spec<check::Symbolic, addresses> twin;

  const std::vector properties{one_place_property<addresses>()};
  const check::Exploration e = check::explore(spec, std::span<const decltype(properties)::value_type>(properties));
  std::printf("explored: %llu states, %llu transitions, depth %llu\n", static_cast<unsigned long long>(e.states),
              static_cast<unsigned long long>(e.transitions), static_cast<unsigned long long>(e.depth));
  for (const auto& c : e.coverage)
    std::printf("  %-28s fired %llu times\n", c.step.c_str(), static_cast<unsigned long long>(c.fired));
  for (const auto& r : e.results) std::printf("  %s: %s\n", r.property.c_str(), check::name(r.verdict));

  const auto lemmas = lemmas_of<addresses>();
  const auto proof = check::symbolic::induct(spec, twin, lemmas);
  std::printf("\npaths:\n%s\n", check::symbolic::table(proof.steps).c_str());
  std::printf("induction, the claim with what it rests on:\n");
  for (const auto& l : lemmas) std::printf("  %s\n", l.name.c_str());
  std::printf("%s", check::symbolic::text(proof).c_str());

  if (proof.outcome == check::symbolic::Induction::Outcome::unknown) return check::exit_inconclusive;
  const bool proved = proof.outcome == check::symbolic::Induction::Outcome::proved;
  return proved ? check::exit_status(e.results) : check::exit_violated;
}

}  // namespace

int main() {
  try {
    return run();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "magazine: %s\n", e.what());
    return iomc::check::exit_usage;
  }
}
