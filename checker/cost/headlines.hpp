// SPDX-License-Identifier: GPL-2.0-or-later
// The figures that iomc exists for: what was published, what the models give, and how far they are apart. Nothing here
// is a stored result: each computed figure is made from runs of the specifications and from a profile.
#pragma once

#include "checker/cost/models.hpp"
#include "checker/result.hpp"

namespace iomc::check::cost {

/// How a figure stands to what was recorded.
enum class Basis : unsigned char {
  fitted,    ///< a parameter was chosen so that it comes out: it proves nothing
  left_out,  ///< computed without it
  ours,      ///< nobody has published one
};

struct Headline {
  std::string spec;
  std::string figure;
  std::string published;  ///< empty: there is none
  std::string computed;
  std::string error;  ///< "+2.4%", "x3.1", or empty
  Basis basis = Basis::ours;
};

struct Headlines {
  std::vector<Headline> rows;
  std::vector<std::string> notes;
};

Headlines iova_headlines();
Headlines vfio_headlines();
Headlines vmd_headlines();

/// All of them, as `iomc cost --headlines` prints them.
Table headline_table();

/// What a hypothesis about the 28C0 regression predicts for each recorded observation.
struct Observation {
  std::string what;
  std::string recorded;
  std::string predicted;  ///< empty: it says nothing about it
  std::string verdict;    ///< "fitted", "explains", "contradicts", "silent"
};

struct Hypothesis {
  std::string name;  ///< "cpu-bound"
  std::string claim;
  std::vector<std::string> fitted;  ///< free parameters, and to what each was fitted
  std::vector<Observation> observations;
  unsigned count(const std::string& verdict) const;
};

/// InputError with the list where there is none of that name.
Hypothesis vmd_hypothesis(const std::string& name);
Table hypothesis_table(const Hypothesis& h);

/// The facts of a built-in kernel with some of them changed.
FactValues kernel_facts(const std::string& spec, const std::string& kernel,
                        const std::vector<std::pair<std::string, std::string>>& changed = {});

}  // namespace iomc::check::cost
