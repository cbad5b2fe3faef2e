// SPDX-License-Identifier: GPL-2.0-or-later
// The first, 32-bit attempt of a DMA mapping asks for the flush of all caches again, as every kernel to 4.14 did.
// For kernels with the flag (4.15 and later). Make a patch from it in the kernel tree, and review that:
//   spatch --sp-file flush-32bit-again.cocci --patch . drivers/iommu/dma-iommu.c > flush.patch
//   iomc review flush.patch --tree .
@@
expression domain, pages, shift;
@@
 alloc_iova_fast(domain, pages, DMA_BIT_MASK(32) >> shift,
- false
+ true
 )
