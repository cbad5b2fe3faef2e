// SPDX-License-Identifier: GPL-2.0-or-later
// The direction of the 2017 fix: alloc_iova_fast gets a flag, and only the last attempt of a mapping flushes the
// caches. For kernels to 4.14, in drivers/iommu/iova.c and drivers/iommu/dma-iommu.c. As facts, on the built-in kernel
// 4.13:
//   flush_optional          false -> true
//   flush_on_32bit_failure  true  -> false
@@
identifier domain, size, limit, done;
@@
 alloc_iova_fast(struct iova_domain *domain, unsigned long size, unsigned long limit
+ , bool flush_rcache
 )
 {
 <...
(
- bool done = false;
|
- if (done)
+ if (!flush_rcache)
   return 0;
|
- done = true;
+ flush_rcache = false;
)
 ...>
 }

@@
expression domain, pages, shift;
@@
 alloc_iova_fast(domain, pages, DMA_BIT_MASK(32) >> shift
+ , false
 )

@@
expression domain, pages, shift;
identifier limit;
@@
 alloc_iova_fast(domain, pages, limit >> shift
+ , true
 )
