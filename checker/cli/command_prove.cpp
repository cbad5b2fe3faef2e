// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/cli/command.hpp"
#include "checker/cli/common.hpp"
#include "checker/cli/interrupt.hpp"
#include "checker/cli/selection.hpp"
#include "checker/proofs/proofs.hpp"

namespace iomc::cli {

namespace {

namespace proofs = check::proofs;

class Prove : public Command {
 public:
  std::string name() const override { return "prove"; }
  std::string summary() const override { return "prove one property for runs of any length"; }
  std::string description() const override {
    return "Proves by induction that no step of any run breaks the property, with the invariants that are declared "
           "beside it and with those of a search's observations that turn out to be invariants: each is proved too. "
           "The report names the sizes, and where values are left open for which of them the proof holds. Where "
           "induction fails, the step that fails is printed as a counterexample to induction, which may be "
           "unreachable, and the explorer looks for a real one, up to --state-limit states. iova: whole domains "
           "(--config strict) and the tree alone at 64 bits (--config tree-alone); vmd: the driver's life (--config "
           "mode). Effort is bounded by Z3's rlimit, never by time. Exit status 0: proved; 1: violated; 125: else.";
  }
  std::string examples() const override {
    return "iomc prove iova iova.P3 --kernel 6.12\n"
           "iomc prove iova iova.P3 --kernel 6.1 --config tree-alone\n"
           "iomc prove iova iova.P7 --kernel 6.12 --format json\n"
           "iomc prove vmd vmd.S1 --kernel 6.12";
  }
  std::vector<Argument> arguments() override {
    std::vector<Argument> out = {{"SPEC", "SPEC", "a specification from iomc list", &spec_, true},
                                 {"PROPERTY", "PROPERTY", "a property from iomc list properties", &property_, true}};
    for (auto& a : selection_.arguments()) out.push_back(std::move(a));
    out.push_back({"--rlimit", "N", "Z3's effort for one question (default: 20000000)", &rlimit_});
    return out;
  }
  Outcome run(const Common& common) override;

 private:
  std::string spec_;
  std::string property_;
  std::string rlimit_;
  Selection selection_;
};

Outcome Prove::run(const Common& common) {
  if (common.format != report::Format::text && common.format != report::Format::json)
    throw check::InputError("prove: --format takes text or json");
  const check::System& system = check::find_system(spec_);
  // Configurations of proofs alone are no configurations of the system.
  std::vector<std::string> own;
  for (const auto& c : proofs::own_configurations(spec_))
    if (std::erase(selection_.configurations, c.name) > 0) own.push_back(c.name);
  const Selected selected = select(system, selection_);
  if (!selected.unknown.empty())
    throw check::InputError("prove: unknown in this tree, give it with --set: " + joined(selected.unknown));
  proofs::Request request;
  request.check = selected.request;
  request.check.configurations.insert(request.check.configurations.end(), own.begin(), own.end());
  set_limits(request.check, common);
  request.property = property_id(system, property_);
  if (!rlimit_.empty()) request.rlimit = static_cast<unsigned>(parse_count("--rlimit", rlimit_));
  request.seed = static_cast<unsigned>(common.seed);
  const proofs::Result result = proofs::prove(system, request);
  const proofs::WriteOptions options{common.width, common.stats};
  Outcome out{common.format == report::Format::json ? proofs::json(result, options) : proofs::text(result, options)};
  switch (proofs::overall(result)) {
    case proofs::Outcome::proved: out.status = check::exit_holds; break;
    case proofs::Outcome::violated: out.status = check::exit_violated; break;
    case proofs::Outcome::inconclusive: out.status = check::exit_inconclusive; break;
  }
  return out;
}

}  // namespace

std::unique_ptr<Command> make_prove_command() { return std::make_unique<Prove>(); }

}  // namespace iomc::cli
