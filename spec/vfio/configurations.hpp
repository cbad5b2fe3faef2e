// SPDX-License-Identifier: GPL-2.0-or-later
// The named configurations: a device, its user, and who else is on its CPUs. Each is explored to its end.
#pragma once

#include <span>

#include "spec/vfio/config.hpp"

namespace iomc::spec::vfio {

struct NamedConfiguration {
  const char* name;
  const char* what;      ///< what it switches on
  bool by_default;       ///< part of a plain `iomc check vfio`
  bool (*applies)(const Facts&);
  void (*set)(Config&);  ///< sizes and environment; facts are in place
};

/// By area.
std::span<const NamedConfiguration> dispatch_configurations();
std::span<const NamedConfiguration> kvm_configurations();
std::span<const NamedConfiguration> driver_configurations();
std::span<const NamedConfiguration> intx_configurations();

/// All of them, default ones first.
std::span<const NamedConfiguration> configurations();

Config make_config(const NamedConfiguration& which, const Facts& facts);

/// The sizes of a configuration as text.
std::string scope_text(const Config& config);

}  // namespace iomc::spec::vfio
