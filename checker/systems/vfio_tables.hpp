// SPDX-License-Identifier: GPL-2.0-or-later
// The tables of `iomc check vfio --table NAME`.
#pragma once

#include <optional>

#include "checker/system.hpp"

namespace iomc::check {

std::vector<NamedText> vfio_tables();

/// Nothing where there is none of that name.
std::optional<Table> vfio_table(const System& system, const std::string& name, const CheckRequest& request);

}  // namespace iomc::check
