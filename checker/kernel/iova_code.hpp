// SPDX-License-Identifier: GPL-2.0-or-later
// drivers/iommu/iova.c and lib/rbtree.c of a kernel tree, built and loaded. Not from more than one thread.
#pragma once

#include <string>
#include <vector>

#include "checker/kernel/build.hpp"
extern "C" {
#include "checker/kernel/shim/iova_code.h"
}

namespace iomc::check {

/// The files of a tree that the allocator's code is built from.
const std::vector<std::string>& iova_code_files();

/// The code as it is in the tree. InputError as BuiltCode::make.
class IovaCode {
 public:
  explicit IovaCode(const SourceTree& tree);
  const iomc_iova_code* operator->() const { return code_; }
  iomc_machine& machine() const { return *code_->machine; }

 private:
  BuiltCode built_;
  const iomc_iova_code* code_;
};

}  // namespace iomc::check
