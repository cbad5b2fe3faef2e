// SPDX-License-Identifier: GPL-2.0-or-later
// The named configurations: small domains and what may happen to them. Each is explored to its end.
#pragma once

#include <span>

#include "spec/iova/config.hpp"

namespace iomc::spec::iova {

struct NamedConfiguration {
  const char* name;
  const char* what;       ///< what it switches on
  bool by_default;        ///< part of a plain `iomc check iova`
  bool (*applies)(const Facts&);
  void (*set)(Config&);   ///< sizes and environment; facts are in place
};

/// Default ones first.
std::span<const NamedConfiguration> configurations();

/// The configuration of that name for these facts; nullptr name is not found.
const NamedConfiguration* find_configuration(std::string_view name);

Config make_config(const NamedConfiguration& which, const Facts& facts);

/// "cpus=2 mag_size=2 …, exhaustive": the sizes of a configuration as text.
std::string scope_text(const Config& config);

}  // namespace iomc::spec::iova
