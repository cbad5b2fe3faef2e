// SPDX-License-Identifier: GPL-2.0-or-later
// The size of the last failed 32-bit search is reset to another value: no word stands for that.
@@
identifier d, gone;
@@
 __cached_rbnode_delete_update(struct iova_domain *d, struct iova *gone) {
 ... when any
 if (gone->pfn_lo < d->dma_32bit_pfn)
-   d->max32_alloc_size = d->dma_32bit_pfn;
+   d->max32_alloc_size = d->dma_32bit_pfn / 2;
 ... when any
 }
