// SPDX-License-Identifier: GPL-2.0-or-later
// The named configurations: small machines and what may happen to them. Each is explored to its end.
#pragma once

#include <span>

#include "spec/vmd/config.hpp"

namespace iomc::spec::vmd {

struct NamedConfiguration {
  const char* name;
  const char* what;  ///< what it switches on
  bool by_default;   ///< part of a plain `iomc check vmd`
  bool (*applies)(const Facts&);
  void (*set)(Config&);  ///< sizes and environment; facts are in place
};

/// Default ones first.
std::span<const NamedConfiguration> configurations();

Config make_config(const NamedConfiguration& which, const Facts& facts);

/// The sizes of a configuration as text.
std::string scope_text(const Config& config);

}  // namespace iomc::spec::vmd
