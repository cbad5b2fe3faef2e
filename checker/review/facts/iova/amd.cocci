// SPDX-License-Identifier: GPL-2.0-or-later
// Facts of the AMD IOMMU driver: how it uses the allocator. Up to 5.4 it had callers and, up to 4.13, a queue of its own.
// reads: drivers/iommu/amd/iommu.c
// reads in some kernels: drivers/iommu/amd_iommu.c

// ---- amd_caller ----
@own_caller@
@@
 dma_ops_alloc_iova(...) { <+... alloc_iova_fast(...) ...+> }

@list depends on own_caller@
expression q;
@@
 queue_add(...) {
 <+...
 if (
+ /* iomc: amd_caller = own_list */
 q->next == FLUSH_QUEUE_SIZE)
  __queue_flush(q);
 ...+>
 }

// The queue of 4.13 is known from descriptions only: entries with the counter of started flushes.
@counted depends on own_caller && !list@
expression e, d;
@@
 queue_add(...) {
 <+...
+ /* iomc: amd_caller = own_ring */
 e.counter = atomic64_read(&d->flush_start_cnt);
 ...+>
 }

@generic depends on own_caller && !list && !counted@
@@
 __unmap_single(...) {
 <+...
+ /* iomc: amd_caller = own_ring */
 queue_iova(...)
 ...+>
 }

@any_own@
identifier f = { alloc_iova_fast, alloc_iova, free_iova_fast, queue_iova, queue_add, dma_ops_alloc_iova,
                 dma_ops_free_iova };
@@
 f(...)

@depends on !own_caller && !any_own@
@@
 amd_iommu_capable(...) {
+ /* iomc: amd_caller = dma_iommu */
+ /* The strict unmap is dma-iommu's then. */
+ /* iomc: amd_strict_flush_first = true */
 ...
 }

// ---- amd_strict_flush_first ----
@free_first depends on own_caller exists@
@@
 __unmap_single(...) {
 ... when any
     when != domain_flush_tlb(...)
+ /* iomc: amd_strict_flush_first = false */
 dma_ops_free_iova(...);
 ... when any
 domain_flush_tlb(...);
 ... when any
 }

@depends on own_caller && !free_first exists@
@@
 __unmap_single(...) {
 ... when any
 domain_flush_tlb(...);
 ... when any
 domain_flush_complete(...);
 ... when any
+ /* iomc: amd_strict_flush_first = true */
 dma_ops_free_iova(...);
 ... when any
 }
