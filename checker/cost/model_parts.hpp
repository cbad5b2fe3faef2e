// SPDX-License-Identifier: GPL-2.0-or-later
// What the models share. Not for anybody else.
#pragma once

#include "checker/cost/models.hpp"
#include "checker/result.hpp"
#include "model/facts.hpp"

namespace iomc::check::cost {

/// Facts by name; all must be known. The remedy is the caller's: they come from System::facts.
template <class Facts>
Facts facts_of(const FactValues& values) {
  Facts out;
  for (const auto& [name, value] : values) {
    const auto answer = model::set_fact(out, name, value);
    if (!answer || !answer->empty())
      throw InputError("fact " + name + "=" + value + ": not known; see iomc list facts");
  }
  return out;
}

std::unique_ptr<Model> make_iova_model();
std::unique_ptr<Model> make_vfio_model();
std::unique_ptr<Model> make_vmd_model();

}  // namespace iomc::check::cost
