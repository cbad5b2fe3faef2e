// SPDX-License-Identifier: GPL-2.0-or-later
// A new node is not zeroed.
@@
@@
 alloc_iova_mem(...) {
 <...
- kmem_cache_zalloc
+ kmem_cache_alloc
   (...)
 ...>
 }
