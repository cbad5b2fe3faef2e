// SPDX-License-Identifier: GPL-2.0-or-later
// A path of spec/iova on the kernel's own code.
#pragma once

#include <string>

#include "checker/explicit/replay.hpp"
#include "checker/system.hpp"

namespace iomc::check {

/// Follows the path on the code of a tree (a directory or a package), built at the sizes of the configuration. `loops`:
/// the path ends in what repeats for ever. InputError if the tree cannot be read or there is no C compiler. There for
/// Iova<model::Concrete, Small> and Medium.
template <class Spec>
CodeReplay follow_on_code(const Spec& spec, const Path& path, bool loops, const std::string& tree);

}  // namespace iomc::check
