// SPDX-License-Identifier: GPL-2.0-or-later
// Everything that has a name: what `iomc list` lists and `iomc explain` explains.
#pragma once

#include <string>
#include <vector>

#include "checker/report/entries.hpp"

namespace iomc::cli {

/// The words `iomc list` takes.
const std::vector<std::string>& catalogue_kinds();

/// The entries of one of those kinds, of one specification or (empty) of all. InputError for an unknown word.
std::vector<report::Entry> catalogue(const std::string& kinds, const std::string& spec);

}  // namespace iomc::cli
