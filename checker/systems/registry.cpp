// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/systems/registry.hpp"

namespace iomc::check {

const std::vector<std::unique_ptr<System>>& systems() {
  static const std::vector<std::unique_ptr<System>> all = [] {
    std::vector<std::unique_ptr<System>> out;
    out.push_back(make_iova_system());
    out.push_back(make_vfio_system());
    out.push_back(make_vmd_system());
    return out;
  }();
  return all;
}

const System& find_system(const std::string& name) {
  std::string known;
  for (const auto& s : systems()) {
    if (s->name() == name) return *s;
    known += (known.empty() ? "" : ", ") + s->name();
  }
  throw InputError("there is no specification '" + name + "'; there are: " + known);
}

}  // namespace iomc::check
