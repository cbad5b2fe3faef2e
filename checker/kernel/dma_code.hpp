// SPDX-License-Identifier: GPL-2.0-or-later
// drivers/iommu/dma-iommu.c above drivers/iommu/iova.c, built for the sizes of a counterexample and loaded.
#pragma once

#include <string>

#include "checker/kernel/iova_code.hpp"
extern "C" {
#include "checker/kernel/shim/dma_code.h"
}

namespace iomc::check {

/// Constants of the kernel in place of its own: the numbers of their #define lines.
struct DmaConstants {
  unsigned mag_size = 0;   ///< IOVA_MAG_SIZE
  unsigned bins = 0;       ///< IOVA_RANGE_CACHE_MAX_SIZE
  unsigned depot_max = 0;  ///< MAX_GLOBAL_MAGS; 0: the tree has none
  unsigned fq_size = 0;    ///< IOVA_FQ_SIZE, IOVA_DEFAULT_FQ_SIZE, IOVA_SINGLE_FQ_SIZE
  unsigned page_shift = 0; ///< of a page, so that 32 bits of address are few pages
};

const std::vector<std::string>& dma_code_files();

class DmaCode {
 public:
  DmaCode(const SourceTree& tree, const DmaConstants& constants);
  const iomc_dma_code* operator->() const { return code_; }
  const iomc_iova_code& iova() const { return *code_->iova; }
  iomc_machine& machine() const { return *code_->iova->machine; }

 private:
  BuiltCode built_;
  const iomc_dma_code* code_;
};

}  // namespace iomc::check
