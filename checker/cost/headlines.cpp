// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/cost/headlines.hpp"

#include "model/check.hpp"
#include "model/facts.hpp"
#include "spec/iova/facts.hpp"
#include "spec/vfio/facts.hpp"
#include "spec/vmd/facts.hpp"

namespace iomc::check::cost {

namespace {

template <class Kernels>
FactValues find_facts(const Kernels& kernels, const std::string& wanted) {
  for (const auto& k : kernels)
    if (k.name == wanted) return model::list_facts(k.facts);
  IOMC_UNREACHABLE("no kernel of that name");
}

const char* name(Basis b) {
  switch (b) {
    case Basis::fitted: return "fitted to it";
    case Basis::left_out: return "left out";
    case Basis::ours: break;
  }
  return "-";
}

}  // namespace

FactValues kernel_facts(const std::string& spec, const std::string& kernel,
                        const std::vector<std::pair<std::string, std::string>>& changed) {
  FactValues out = spec == "iova"   ? find_facts(spec::iova::kernels(), kernel)
                   : spec == "vfio" ? find_facts(spec::vfio::kernels(), kernel)
                                    : find_facts(spec::vmd::kernels(), kernel);
  for (const auto& [fact, value] : changed) {
    bool known = false;
    for (auto& [n, v] : out)
      if (n == fact) v = value, known = true;
    IOMC_PRE(known);
  }
  return out;
}

Table headline_table() {
  Table out;
  out.spec = "all";
  out.name = "headlines";
  out.title = "What was published, and what the models give; ranges are what the profiles' entries leave open";
  out.columns = {"", "figure", "published", "computed", "error", "basis"};
  for (const Headlines& part : {iova_headlines(), vfio_headlines(), vmd_headlines()}) {
    for (const Headline& h : part.rows)
      out.rows.push_back({h.spec, h.figure, h.published.empty() ? "-" : h.published, h.computed,
                          h.error.empty() ? "-" : h.error, name(h.basis)});
    out.notes.insert(out.notes.end(), part.notes.begin(), part.notes.end());
  }
  return out;
}

unsigned Hypothesis::count(const std::string& verdict) const {
  unsigned out = 0;
  for (const Observation& o : observations) out += o.verdict == verdict ? 1 : 0;
  return out;
}

Table hypothesis_table(const Hypothesis& h) {
  Table out;
  out.spec = "vmd";
  out.name = h.name;
  out.title = h.claim;
  out.columns = {"observation", "recorded", "predicted", "verdict"};
  for (const Observation& o : h.observations)
    out.rows.push_back({o.what, o.recorded, o.predicted.empty() ? "-" : o.predicted, o.verdict});
  for (const auto& f : h.fitted) out.notes.push_back("Fitted: " + f + ".");
  out.notes.push_back(h.name + ": " + std::to_string(h.fitted.size()) + " free parameters fitted; of " +
                      std::to_string(h.observations.size()) + " observations " + std::to_string(h.count("fitted")) +
                      " were fitted to, " + std::to_string(h.count("explains")) + " are explained, " +
                      std::to_string(h.count("contradicts")) + " are contradicted, about " +
                      std::to_string(h.count("silent")) + " it says nothing.");
  out.notes.push_back("A number is explained where the prediction is within 10% of it.");
  return out;
}

}  // namespace iomc::check::cost
