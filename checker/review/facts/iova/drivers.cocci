// SPDX-License-Identifier: GPL-2.0-or-later
// Facts of the IOMMU drivers that decide how the allocator is used.
// reads: drivers/iommu/intel/iommu.c
// reads-old: drivers/iommu/intel-iommu.c

// ---- caching_mode_strict ----
@strict_in_guests exists@
expression i;
@@
 intel_iommu_init(...) {
 ... when any
 if (cap_caching_mode(i->cap)
+ /* iomc: caching_mode_strict = true */
     && ...) {
  ... when any
  iommu_set_dma_strict();
  ... when any
 }
 ... when any
 }

// From 5.11 the driver's own switch was set, by whichever function set the units up.
@own_switch exists@
identifier f;
expression i;
symbol intel_iommu_strict;
@@
 f(...) {
 ... when any
 if (
+ /* iomc: caching_mode_strict = true */
 <+... cap_caching_mode(i->cap) ...+>) {
  ... when any
  intel_iommu_strict = 1;
  ... when any
 }
 ... when any
 }

@never_strict depends on !strict_in_guests && !own_switch@
@@
 intel_iommu_init(...) {
+ /* iomc: caching_mode_strict = false */
 ...
 }
