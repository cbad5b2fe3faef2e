// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/kernel/iova_code.hpp"

namespace iomc::check {

const std::vector<std::string>& iova_code_files() {
  static const std::vector<std::string> files{
      "drivers/iommu/iova.c",       "include/linux/iova.h",
      "include/linux/rbtree.h",     "include/linux/rbtree_augmented.h",
      "include/linux/rbtree_types.h", "lib/rbtree.c"};
  return files;
}

IovaCode::IovaCode(const SourceTree& tree)
    : built_(BuiltCode::make(tree, {.files = iova_code_files(),
                                    .units = {"machine.c", "iova_code.c", "lib/rbtree.c"},
                                    .constants = {},
                                    .macros = {}})),
      code_(reinterpret_cast<iomc_iova_code_fn*>(built_.symbol("iomc_iova_code"))()) {}

}  // namespace iomc::check
