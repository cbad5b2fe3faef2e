// SPDX-License-Identifier: GPL-2.0-or-later
// Facts of the Intel IOMMU driver: how it uses the allocator, and when it does not queue.
// reads: drivers/iommu/intel/iommu.c
// reads in some kernels: drivers/iommu/intel-iommu.c

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

// ---- intel_caller ----
@own_caller@
@@
 intel_alloc_iova(...) { <+... alloc_iova_fast(...) ...+> }

@table depends on own_caller exists@
expression q;
@@
 add_unmap(...) {
 ... when any
 if (
+ /* iomc: intel_caller = own_table */
 q->size == HIGH_WATER_MARK) { ... flush_unmaps_timeout(...) ... }
 ... when any
 spin_lock_irqsave(&q->lock, ...);
 ... when any
 q->size++;
 ... when any
 }

@ring depends on own_caller && !table@
@@
 intel_unmap(...) {
 <+...
+ /* iomc: intel_caller = own_ring */
 queue_iova(...)
 ...+>
 }

@any_own@
identifier f = { alloc_iova_fast, alloc_iova, free_iova_fast, queue_iova, intel_alloc_iova, add_unmap };
@@
 f(...)

@depends on !own_caller && !any_own@
@@
 intel_iommu_init(...) {
+ /* iomc: intel_caller = dma_iommu */
 ...
 }
