// SPDX-License-Identifier: GPL-2.0-or-later
// Facts of drivers/iommu/iova.c: the tree of ranges. README.md in the folder above tells how rules are read.
// reads: drivers/iommu/iova.c

// ---- tree_search ----
@anchor_at_init@
identifier d;
@@
 init_iova_domain(struct iova_domain *d, ...) {
 <+...
 d->cached32_node = &d->anchor.node
 ...+>
 }

@tree_anchor depends on anchor_at_init@
identifier d, l;
@@
 __get_cached_rbnode(struct iova_domain *d, unsigned long l) {
(
+ /* iomc: tree_search = anchor */
 if (l <= d->dma_32bit_pfn)
   return d->cached32_node;
 return d->cached_node;
|
+ /* iomc: tree_search = anchor */
 if (l > d->dma_32bit_pfn)
   return d->cached_node;
 return d->cached32_node;
)
 }

@tree_cached32@
identifier d, l;
expression c;
@@
 __get_cached_rbnode(struct iova_domain *d, unsigned long *l) {
 <+...
 *l =
+ /* iomc: tree_search = cached32 */
 \( c->pfn_lo \| c->pfn_lo - 1 \)
 ...+>
 }

// ---- limit_exclusive ----
@limit_rewritten@
identifier d, s, l, a;
expression e;
assignment operator op;
@@
 alloc_iova(struct iova_domain *d, unsigned long s, unsigned long l, bool a) {
 <+...
 \( l op e \| l++ \| ++l \| l-- \| --l \)
 ...+>
 }

@depends on !limit_rewritten@
identifier d, s, l, a;
expression n;
@@
 alloc_iova(struct iova_domain *d, unsigned long s, unsigned long l, bool a) {
 <+...
 __alloc_and_insert_iova_range(d, s,
(
+ /* iomc: limit_exclusive = true */
 l + 1
|
+ /* iomc: limit_exclusive = false */
 l
)
 , n, a)
 ...+>
 }

// ---- the walk: names of its variables, for the rules below ----
// n is the candidate, h the end of the gap, s the size asked for; c runs down the tree.
@walk@
identifier d, s, l, new, a, n, h;
expression m;
@@
 __alloc_and_insert_iova_range(struct iova_domain *d, unsigned long s, unsigned long l, struct iova *new, bool a) {
 <+...
 n = (h - s) & m
 ...+>
 }

@cursor@
identifier d, s, l, new, a, c;
@@
 __alloc_and_insert_iova_range(struct iova_domain *d, unsigned long s, unsigned long l, struct iova *new, bool a) {
 <+...
 c = rb_prev(c)
 ...+>
 }

// ---- underflow_guard ----
@guard depends on walk@
identifier walk.s, walk.n, walk.h;
expression low;
@@
(
 h < s
+ /* iomc: underflow_guard = true */
 || n < low
|
 n < low
+ /* iomc: underflow_guard = true */
 || h < s
)

@no_guard depends on walk && !guard@
identifier walk.n;
expression low;
statement S;
@@
 if (n
+ /* iomc: underflow_guard = false */
 < low) S

// Before the walk counted in one expression: the new limit is the node's low end, once less one.
@limit_steps_down depends on !walk@
identifier d, s, l, new, a;
expression c;
@@
 __alloc_and_insert_iova_range(struct iova_domain *d, unsigned long s, unsigned long l, struct iova *new, bool a) {
 <+...
 l =
(
+ /* iomc: underflow_guard = true */
 c->pfn_lo
|
+ /* iomc: underflow_guard = true */
 c->pfn_lo ? c->pfn_lo - 1 : 0
|
+ /* iomc: underflow_guard = false */
 c->pfn_lo - 1
)
 ...+>
 }

// ---- delete_update_equal ----
// With one cached node any freed range at or above it moves the pointer, the node itself included.
@delete_names@
identifier d, f;
@@
 __cached_rbnode_delete_update(struct iova_domain *d, struct iova *f) { ... }

@delete_equal@
identifier delete_names.d, delete_names.f;
expression c;
@@
 f == c
+ /* iomc: delete_update_equal = true */
 || (f->pfn_hi < d->dma_32bit_pfn && f->pfn_lo >= c->pfn_lo)

@depends on !delete_equal@
identifier delete_names.d, delete_names.f;
expression c;
statement S;
@@
 if (f->pfn_hi < d->dma_32bit_pfn
+ /* iomc: delete_update_equal = false */
 && f->pfn_lo >= c->pfn_lo) S

@depends on tree_cached32@
identifier delete_names.d, delete_names.f;
expression c, e;
@@
 if (f->pfn_lo
+ /* iomc: delete_update_equal = true */
 >= c->pfn_lo) {
 <+...
 d->cached32_node = e
 ...+>
 }

// ---- max32_reset ----
@max32_used@
expression d;
@@
 d->max32_alloc_size

@depends on !max32_used@
@@
 __cached_rbnode_delete_update(...) {
+ /* iomc: max32_reset = absent */
 ...
 }

@max32_any@
identifier delete_names.d, delete_names.f;
@@
 if (f->pfn_lo < d->dma_32bit_pfn)
   d->max32_alloc_size =
+ /* iomc: max32_reset = any_32bit_free */
   d->dma_32bit_pfn;

@depends on !max32_any@
identifier delete_names.d, delete_names.f;
@@
 if (<+... f->pfn_lo ...+>) {
 ...
(
 d->cached32_node = rb_next(&f->node);
 ...
 d->max32_alloc_size =
+ /* iomc: max32_reset = with_cached32 */
 d->dma_32bit_pfn;
|
 d->max32_alloc_size =
+ /* iomc: max32_reset = with_cached32 */
 d->dma_32bit_pfn;
 ...
 d->cached32_node = rb_next(&f->node);
)
 ...
 }

@max32_reset_here@
identifier f != init_iova_domain;
expression d, e;
@@
 f(...) {
 <+...
 d->max32_alloc_size = e->dma_32bit_pfn
 ...+>
 }

@max32_set@
expression d, e;
@@
 __cached_rbnode_delete_update(...) {
 <+...
 d->max32_alloc_size = e
 ...+>
 }

@depends on max32_used && !max32_reset_here && !max32_set@
@@
 __cached_rbnode_delete_update(...) {
+ /* iomc: max32_reset = never */
 ...
 }

// ---- max32_store_on_walk ----
@store_at_label@
identifier walk.d, walk.s, label;
@@
label:
 d->max32_alloc_size =
+ /* iomc: max32_store_on_walk = false */
 s;

@depends on !store_at_label exists@
identifier walk.d, walk.s, walk.n;
expression low;
@@
 if (<+... n < low ...+>) {
 ... when any
 d->max32_alloc_size =
+ /* iomc: max32_store_on_walk = true */
 s;
 ... when any
 }

@depends on !max32_used@
@@
 __alloc_and_insert_iova_range(...) {
+ /* iomc: max32_store_on_walk = false */
 ...
 }

// ---- second_pass, retry_pfn_wraps ----
@any_second depends on walk@
identifier walk.n, cursor.c;
expression low, e;
@@
 if (<+... n < low ...+>) {
 <+...
 c = e
 ...+>
 }

@second@
identifier walk.d, walk.l, cursor.c, low, r, again;
@@
 if (low == d->start_pfn && r < l) {
 ... when any
 c =
(
+ /* iomc: second_pass = from_limit */
 iova_find_limit(d, l)
|
+ /* iomc: second_pass = from_anchor */
 &d->anchor.node
)
 ;
 ... when any
 goto again;
 }

@depends on walk && !any_second@
identifier walk.n;
expression low;
statement S;
@@
 if (<+... n
+ /* iomc: second_pass = absent */
+ /* iomc: retry_pfn_wraps = false */
 < low ...+>) S

@one_walk depends on !walk@
identifier d, cursor.c;
expression e;
@@
 __alloc_and_insert_iova_range(struct iova_domain *d, ...) {
 <+...
 if (!c) {
+ /* iomc: second_pass = absent */
+ /* iomc: retry_pfn_wraps = false */
 ... when != c = e
 }
 ...+>
 }

@wraps@
identifier second.r;
expression c;
@@
 r = c->pfn_hi
+ /* iomc: retry_pfn_wraps = true */
 + 1

@one_added@
identifier second.r, second.low;
@@
 low = r + 1

@depends on one_added && !wraps@
identifier second.r;
expression c;
@@
 r =
+ /* iomc: retry_pfn_wraps = false */
 c->pfn_hi

// ---- free_iova_one_section ----
@exists@
identifier d, p, i;
expression fl;
@@
 free_iova(struct iova_domain *d, unsigned long p) {
 ... when any
 spin_lock_irqsave(&d->iova_rbtree_lock, fl);
 i =
+ /* iomc: free_iova_one_section = true */
 private_find_iova(d, p);
 ... when != spin_unlock_irqrestore(...)
(
 remove_iova(d, i);
|
 private_free_iova(d, i);
)
 ... when any
 }

@exists@
identifier d, p, i;
@@
 free_iova(struct iova_domain *d, unsigned long p) {
 ... when any
(
 struct iova *i =
+ /* iomc: free_iova_one_section = false */
 find_iova(d, p);
|
 i =
+ /* iomc: free_iova_one_section = false */
 find_iova(d, p);
)
 ... when any
 __free_iova(d, i);
 ... when any
 }

// ---- node_zeroed ----
@@
expression flags, cache;
@@
 alloc_iova_mem(...) {
 <+...
(
+ /* iomc: node_zeroed = true */
 kmem_cache_zalloc(cache, flags)
|
+ /* iomc: node_zeroed = true */
 kmem_cache_alloc(cache, <+... __GFP_ZERO ...+>)
|
+ /* iomc: node_zeroed = false */
 kmem_cache_alloc(cache, flags)
)
 ...+>
 }
