// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/proofs/proofs.hpp"

#include "checker/proofs/attempts.hpp"

namespace iomc::check::proofs {

const char* name(Outcome o) {
  switch (o) {
    case Outcome::proved: return "proved";
    case Outcome::violated: return "violated";
    case Outcome::inconclusive: break;
  }
  return "inconclusive";
}

Outcome overall(const Result& r) {
  Outcome out = r.attempts.empty() ? Outcome::inconclusive : Outcome::proved;
  for (const Attempt& a : r.attempts) {
    if (a.outcome == Outcome::violated) return Outcome::violated;
    if (a.outcome == Outcome::inconclusive) out = Outcome::inconclusive;
  }
  return out;
}

std::vector<NamedText> own_configurations(const std::string& spec) {
  if (spec != "iova") return {};
  return {{"tree-alone", "the tree alone at 64-bit widths; bounds and requests are left open"}};
}

namespace {

/// States that the explorer looks at for a violation, where no limit was given.
constexpr std::uint64_t explored_states = 1'000'000;

bool is_own(const std::string& spec, const std::string& configuration) {
  for (const auto& c : own_configurations(spec))
    if (c.name == configuration) return true;
  return false;
}

/// A failed proof is no violation; a run that violates is one.
void look_for_violation(const System& system, const Request& request, Attempt& a) {
  CheckRequest check = request.check;
  check.properties = {request.property};
  check.configurations.clear();
  if (!is_own(system.name(), a.configuration)) check.configurations.push_back(a.configuration);
  if (check.limit_states == 0) check.limit_states = explored_states;
  RunResult run = system.check(check);
  for (const PropertyResult& r : run.results) {
    if (r.verdict != Verdict::violated || !r.counterexample) continue;
    a.outcome = Outcome::violated;
    a.method = "exploration";
    a.violation = std::move(run);
    return;
  }
}

}  // namespace

Result prove(const System& system, const Request& request) {
  Result out;
  out.spec = system.name();
  out.kernel = request.check.kernel;
  out.property = request.property;
  out.seed = request.seed;
  out.facts = request.check.facts;
  for (const auto& p : system.properties())
    if (p.id == request.property) {
      out.claim = p.claim;
      if (p.kind == "liveness")
        throw InputError(p.id + " is a liveness property; proofs are of what holds in every state and on every step: " +
                         "iomc check " + system.name() + " --property " + p.id);
    }
  if (system.name() == "iova") out.attempts = iova_attempts(request);
  if (system.name() == "vmd") out.attempts = vmd_attempts(request);
  if (out.attempts.empty())
    throw InputError("there is no proof to attempt for " + request.property +
                     "; iomc check explores it, iomc prove --help names what can be proved");
  for (Attempt& a : out.attempts)
    if (a.outcome == Outcome::inconclusive && !(request.check.interrupted != nullptr && *request.check.interrupted))
      look_for_violation(system, request, a);
  return out;
}

}  // namespace iomc::check::proofs
