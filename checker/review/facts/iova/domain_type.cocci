// SPDX-License-Identifier: GPL-2.0-or-later
// What drivers/iommu/iommu.c does to a domain in use.
// reads: drivers/iommu/iommu.c

// ---- fq_live_switch ----
@live exists@
identifier f = { iommu_group_store_type, iommu_change_dev_def_domain };
@@
 f(...) {
 ... when any
+ /* iomc: fq_live_switch = true */
 iommu_dma_init_fq(...)
 ... when any
 }

@named@
@@
 iommu_dma_init_fq(...)

@depends on !live && !named@
@@
 iommu_group_alloc(...) {
+ /* iomc: fq_live_switch = false */
 ...
 }
