// SPDX-License-Identifier: GPL-2.0-or-later
// The registry of iomc_fake: one system that is not there.
#include "tests/checker/fake_system.hpp"

namespace iomc::check {

const std::vector<std::unique_ptr<System>>& systems() {
  static const auto all = [] {
    std::vector<std::unique_ptr<System>> out;
    out.push_back(fake::make_system());
    return out;
  }();
  return all;
}

const System& find_system(const std::string& name) {
  if (name == "fake") return *systems().front();
  throw InputError("there is no specification " + name + "; there is fake");
}

}  // namespace iomc::check
