// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/kernel/dma_code.hpp"

namespace iomc::check {

namespace {

constexpr const char* dma_c = "drivers/iommu/dma-iommu.c";

Recipe recipe_for(const SourceTree& tree, const DmaConstants& c) {
  const auto has = [&](const char* text) {
    for (const char* file : {dma_c, "drivers/iommu/iova.c"})
      if (const auto found = tree.read(file); found && found->find(text) != std::string::npos) return true;
    return false;
  };
  Recipe r;
  r.files = dma_code_files();
  r.units = {"machine.c", "iova_code.c", "dma_code.c", "lib/rbtree.c"};
  r.constants = {{"IOVA_MAG_SIZE", std::to_string(c.mag_size)},
                 {"IOVA_RANGE_CACHE_MAX_SIZE", std::to_string(c.bins)}};
  if (has("#define MAX_GLOBAL_MAGS")) r.constants.emplace_back("MAX_GLOBAL_MAGS", std::to_string(c.depot_max));
  for (const char* name : {"IOVA_FQ_SIZE", "IOVA_DEFAULT_FQ_SIZE", "IOVA_SINGLE_FQ_SIZE"})
    if (has((std::string("#define ") + name).c_str())) r.constants.emplace_back(name, std::to_string(c.fq_size));
  r.macros = {"IOMC_DMA=1", "PAGE_SIZE=(1UL<<" + std::to_string(c.page_shift) + ")"};
  r.features = {{dma_c, "struct iommu_dma_options {", "IOMC_HAS_OPTIONS=1"},
                {dma_c, "struct dma_sgt_handle {", "IOMC_OWN_SGT_HANDLE=1"},
                {dma_c, "iommu_dma_init_domain(struct iommu_domain *domain, dma_addr_t base",
                 "IOMC_INIT_HAS_LIMITS=1"}};
  return r;
}

}  // namespace

const std::vector<std::string>& dma_code_files() {
  static const std::vector<std::string> files = [] {
    std::vector<std::string> out = iova_code_files();
    out.insert(out.begin(), {dma_c, "drivers/iommu/dma-iommu.h"});
    return out;
  }();
  return files;
}

DmaCode::DmaCode(const SourceTree& tree, const DmaConstants& constants)
    : built_(BuiltCode::make(tree, recipe_for(tree, constants))),
      code_(reinterpret_cast<iomc_dma_code_fn*>(built_.symbol("iomc_dma_code"))()) {}

}  // namespace iomc::check
