// SPDX-License-Identifier: GPL-2.0-or-later
// Facts of drivers/iommu/dma-iommu.c: who asks for ranges, and how.
// reads: drivers/iommu/dma-iommu.c
// reads in some kernels: drivers/iommu/dma-iommu.h

// ---- flush_on_32bit_failure, flush_on_full_failure ----
// The 32-bit attempt is the call whose limit is the 32-bit mask; the full one asks for the caller's own limit.
@@
symbol true, false, iommu_dma_forcedac;
expression d, n, s;
@@
 iommu_dma_alloc_iova(...) {
 <+...
 alloc_iova_fast(d, n, DMA_BIT_MASK(32) >> s,
(
+ /* iomc: flush_on_32bit_failure = true */
 true
|
+ /* iomc: flush_on_32bit_failure = false */
 false
)
 )
 ...+>
 }

@@
expression d, n, s;
identifier limit;
@@
 iommu_dma_alloc_iova(...) {
 <+...
 alloc_iova_fast(d, n, limit >> s,
(
+ /* iomc: flush_on_full_failure = true */
 true
|
+ /* iomc: flush_on_full_failure = false */
 false
)
 )
 ...+>
 }

// Without the flag every failure flushes.
@@
expression d, n, s;
identifier limit;
@@
 iommu_dma_alloc_iova(...) {
 <+...
(
 alloc_iova_fast(d, n,
+ /* iomc: flush_on_32bit_failure = true */
 DMA_BIT_MASK(32) >> s)
|
 alloc_iova_fast(d, n,
+ /* iomc: flush_on_full_failure = true */
 limit >> s)
)
 ...+>
 }

// ---- callers_round ----
@caller_rounds@
identifier n;
@@
 iommu_dma_alloc_iova(...) {
 <+...
 n =
+/* iomc: callers_round = true */
 roundup_pow_of_two(n);
 ...+>
 }

@depends on !caller_rounds@
@@
 iommu_dma_alloc_iova(...) {
+/* iomc: callers_round = false */
 ...
 }

// ---- sticky_32bit ----
@flag_asked@
expression dev, l;
statement S;
@@
 if (l > DMA_BIT_MASK(32) && dev->iommu->pci_32bit_workaround) S

@flag_cleared depends on flag_asked@
expression dev;
@@
 iommu_dma_alloc_iova(...) {
 <+...
 dev->iommu->pci_32bit_workaround =
+ /* iomc: sticky_32bit = true */
 false;
 ...+>
 }

@flag_written@
expression dev, e;
@@
 iommu_dma_alloc_iova(...) {
 <+...
 dev->iommu->pci_32bit_workaround = e
 ...+>
 }

@flag_used@
expression dev;
@@
 dev->iommu->pci_32bit_workaround

@depends on !flag_used || (flag_asked && !flag_written)@
expression d, n, s;
@@
 iommu_dma_alloc_iova(...) {
 <+...
 alloc_iova_fast(d, n,
+ /* iomc: sticky_32bit = false */
 DMA_BIT_MASK(32) >> s, ...)
 ...+>
 }

// ---- forcedac_option ----
@dac_parsed@
identifier fn, s;
@@
 fn(char *s) {
 <+...
 kstrtobool(s, &iommu_dma_forcedac)
 ...+>
 }

@dac_used@
@@
 !iommu_dma_forcedac

@depends on dac_parsed && dac_used@
identifier dac_parsed.fn;
@@
 fn(...) {
+ /* iomc: forcedac_option = true */
 ...
 }

@dac_anywhere@
@@
 iommu_dma_forcedac

@depends on !dac_anywhere@
@@
 iommu_dma_alloc_iova(...) {
+ /* iomc: forcedac_option = false */
 ...
 }

// ---- domain_init_locked ----
@init_locked exists@
expression m, d;
statement S;
@@
 iommu_dma_init_domain(...) {
 ... when any
+ /* iomc: domain_init_locked = true */
 mutex_lock(m);
 ... when != mutex_unlock(m)
 if (d->start_pfn) S
 ... when != mutex_unlock(m)
 init_iova_domain(d, ...);
 ... when any
 }

@any_mutex@
expression m;
@@
 iommu_dma_init_domain(...) {
 <+...
 \( mutex_lock(m) \| spin_lock(m) \| mutex_trylock(m) \| down_write(m) \)
 ...+>
 }

@depends on !any_mutex@
expression d;
statement S;
@@
 iommu_dma_init_domain(...) {
 <+...
 if (
+ /* iomc: domain_init_locked = false */
 d->start_pfn) S
 ...+>
 }

// ---- adjacent_windows ----
@windows_gap@
identifier end, start, lo, hi;
expression d;
statement S;
@@
 if (end > start) {
 ...
 reserve_iova(d, lo, hi);
 ...
 } else if (
+ /* iomc: adjacent_windows = true */
 end < start) S

@windows_error@
identifier end, start, lo, hi;
expression d;
@@
 if (end > start) {
 ...
 reserve_iova(d, lo, hi);
 ...
 } else {
 ...
 return
+ /* iomc: adjacent_windows = false */
 -EINVAL;
 }

// Kernels that do not look at DMA windows refuse none.
@windows_used@
expression b;
@@
 b->dma_ranges

@depends on !windows_used@
@@
 iommu_dma_init_domain(...) {
+ /* iomc: adjacent_windows = true */
 ...
 }

// ---- dma_windows_reserved ----
@depends on windows_used@
@@
 iommu_dma_init_domain(...) {
+/* iomc: dma_windows_reserved = true */
 ...
 }

@depends on !windows_used@
@@
 iommu_dma_init_domain(...) {
+/* iomc: dma_windows_reserved = false */
 ...
 }

// ---- map_sg_check ----
// n is the length asked for; in the file only this function compares a result with it.
@sg_range@
identifier i, n;
expression domain, limit, dev;
@@
 iommu_dma_map_sg(...) {
 <+...
 i = iommu_dma_alloc_iova(domain, n, limit, dev)
 ...+>
 }

@sg_null@
identifier sg_range.i, sg_range.n;
expression domain, limit, dev;
statement S;
@@
 i = iommu_dma_alloc_iova(domain, n, limit, dev);
 if (!i) S

@@
identifier sg_range.i, sg_range.n;
expression domain, limit, dev;
statement S;
@@
 i = iommu_dma_alloc_iova(domain, n, limit, dev);
 if (i
+ /* iomc: map_sg_check = mapping_error */
 == DMA_MAPPING_ERROR) S

@sg_result depends on sg_null@
identifier r;
@@
 iommu_dma_map_sg(...) {
 <+...
 r = \( iommu_map_sg(...) \| iommu_map_sg_atomic(...) \)
 ...+>
 }

@sg_signed@
identifier sg_result.r;
@@
 iommu_dma_map_sg(...) {
 ... when any
 ssize_t r;
 ... when any
 }

@sg_unsigned@
identifier sg_result.r;
@@
 iommu_dma_map_sg(...) {
 ... when any
 size_t r;
 ... when any
 }

@sg_correct depends on sg_signed@
identifier sg_result.r, sg_range.n;
@@
(
 r < 0
+ /* iomc: map_sg_check = correct */
 || r < n
|
 r
+ /* iomc: map_sg_check = correct */
 < (ssize_t)n
)

@depends on sg_signed && !sg_correct@
identifier sg_result.r, sg_range.n;
statement S;
@@
 if (r
+ /* iomc: map_sg_check = unsigned_compare */
 < n) S

@depends on sg_unsigned@
identifier sg_result.r, sg_range.n;
statement S;
@@
 if (r
+ /* iomc: map_sg_check = correct */
 < n) S

// Until 5.14 the mapped length was unsigned, 0 on failure, and compared where it was returned.
@ssize_anywhere@
identifier r;
@@
 ssize_t r;

@depends on sg_null && !ssize_anywhere@
identifier sg_range.n;
identifier map = { iommu_map_sg, iommu_map_sg_atomic };
@@
 map(...)
+ /* iomc: map_sg_check = correct */
 < n
