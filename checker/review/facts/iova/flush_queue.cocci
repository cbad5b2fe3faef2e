// SPDX-License-Identifier: GPL-2.0-or-later
// Facts of the flush queue: in drivers/iommu/dma-iommu.c, and in drivers/iommu/iova.c until 5.16.
// reads: drivers/iommu/iova.c drivers/iommu/dma-iommu.c
// reads in some kernels: include/linux/iova.h

// ---- flush_queue ----
@queue exists@
identifier q;
@@
 queue_iova(...) {
 ... when any
+ /* iomc: flush_queue = true */
 spin_lock_irqsave(&q->lock, ...);
 ... when any
 fq_ring_add(q)
 ... when any
 }

@queue_name@
@@
 queue_iova(...)

@queue_defined@
@@
 queue_iova(...) { ... }

@no_queue depends on !queue_name && !queue_defined@
@@
 alloc_iova_fast(...) {
+ /* iomc: flush_queue = false */
+ /* Without a queue the facts about it decide nothing; they are given the values of the oldest queue. */
+ /* iomc: fq_size = 256 */
+ /* iomc: fq_timer_arm = cmpxchg */
+ /* iomc: fq_barrier = false */
+ /* iomc: fq_use_checked = false */
+ /* iomc: fq_teardown_sync = false */
+ /* iomc: fq_recheck_after_flush = false */
+ /* iomc: fq_single = false */
+ /* iomc: fq_publish = first */
 ...
 }

// ---- fq_size ----
@size_option@
expression o;
@@
 o->fq_size = IOVA_DEFAULT_FQ_SIZE

@depends on size_option@
expression e;
@@
+ /* iomc: fq_size = #define */
#define IOVA_DEFAULT_FQ_SIZE e

@size_fixed@
@@
 fq_ring_add(...) {
 <+... IOVA_FQ_SIZE ...+>
 }

@depends on size_fixed@
expression e;
@@
+ /* iomc: fq_size = #define */
#define IOVA_FQ_SIZE e

// ---- fq_timer_arm ----
@@
expression c;
@@
 queue_iova(...) {
 <+...
(
 if (!atomic_read(&c->fq_timer_on) &&
+ /* iomc: fq_timer_arm = test_xchg */
     !atomic_xchg(&c->fq_timer_on, 1))
   mod_timer(&c->fq_timer, ...);
|
 if (!atomic_read(&c->fq_timer_on) &&
+ /* iomc: fq_timer_arm = test_cmpxchg */
     !atomic_cmpxchg(&c->fq_timer_on, 0, 1))
   mod_timer(&c->fq_timer, ...);
|
 if (atomic_cmpxchg(&c->fq_timer_on, 0, 1)
+ /* iomc: fq_timer_arm = cmpxchg */
     == 0)
   mod_timer(&c->fq_timer, ...);
)
 ...+>
 }

// ---- fq_barrier ----
@@
expression q;
@@
 queue_iova(...) {
 ... when != spin_lock_irqsave(...)
+ /* iomc: fq_barrier = true */
 smp_mb();
 ... when any
 spin_lock_irqsave(&q->lock, ...);
 ... when any
 }

@any_barrier@
identifier b = { mb, wmb, smp_mb, smp_wmb, smp_rmb, smp_mb__before_atomic, smp_mb__after_atomic, smp_mb__after_spinlock,
                 dma_wmb };
@@
 queue_iova(...) {
 <+...
 b()
 ...+>
 }

@depends on !any_barrier exists@
expression q;
@@
 queue_iova(...) {
 ... when any
+ /* iomc: fq_barrier = false */
 spin_lock_irqsave(&q->lock, ...);
 ... when any
 }

// ---- fq_use_checked ----
@queue_of_cookie@
identifier c;
@@
 queue_iova(struct iommu_dma_cookie *c, ...) { ... }

@queued_set@
expression c;
identifier g;
@@
 g.queued = READ_ONCE(c->fq_domain)

@use_checked depends on queue_of_cookie && queued_set@
expression g;
statement S;
@@
 iommu_dma_free_iova(...) {
 <+...
 if (
+ /* iomc: fq_use_checked = true */
 <+... g->queued ...+>)
   queue_iova(...);
 else S
 ...+>
 }

@use_tested@
expression g;
statement S, S2;
@@
 iommu_dma_free_iova(...) {
 <+...
 if (<+... \( g->queued \| g->fq_domain \) ...+>) S else S2
 ...+>
 }

@depends on queue_of_cookie && !use_tested@
@@
 iommu_dma_free_iova(...) {
 <+...
+ /* iomc: fq_use_checked = false */
 queue_iova(...);
 ...+>
 }

// In iova.c the drivers could ask whether there is a queue only from 5.3 on.
@queue_of_domain@
identifier d;
@@
 queue_iova(struct iova_domain *d, ...) { ... }

@can_ask depends on queue_of_domain@
@@
 has_iova_flush_queue(...) {
+ /* iomc: fq_use_checked = true */
 ...
 }

@depends on queue_of_domain && !can_ask@
@@
 queue_iova(...) {
+ /* iomc: fq_use_checked = false */
 ...
 }

// ---- fq_teardown_sync ----
@@
expression c;
identifier f = { iommu_dma_free_fq, free_iova_flush_queue };
@@
 f(...) {
 ... when any
 \( del_timer_sync \| timer_delete_sync \| timer_shutdown_sync \)(
+ /* iomc: fq_teardown_sync = true */
 &c->fq_timer);
 ... when any
 }

@@
expression c;
identifier f = { iommu_dma_free_fq, free_iova_flush_queue };
@@
 f(...) {
 <+...
 \( del_timer \| timer_delete \)(
+ /* iomc: fq_teardown_sync = false */
 &c->fq_timer)
 ...+>
 }

// ---- fq_recheck_after_flush ----
@recheck@
expression q;
@@
 queue_iova(...) {
 <+...
 while (
+ /* iomc: fq_recheck_after_flush = true */
 fq_full(q)) {
 <+... \( fq_flush_iotlb(...) \| iova_domain_flush(...) \) ...+>
 }
 ...+>
 }

@recheck_again depends on !recheck exists@
expression q;
statement S;
@@
 queue_iova(...) {
 ... when any
 \( fq_flush_iotlb(...); \| iova_domain_flush(...); \)
 ... when any
 if (
+ /* iomc: fq_recheck_after_flush = true */
 fq_full(q)) S
 ... when any
 }

@depends on !recheck && !recheck_again exists@
expression q, i;
@@
 queue_iova(...) {
 ... when any
 if (
+ /* iomc: fq_recheck_after_flush = false */
 fq_full(q)) {
 ...
 \( fq_flush_iotlb(...); \| iova_domain_flush(...); \)
 ...
 }
 ... when != fq_full(q)
 i = fq_ring_add(q);
 ... when any
 }

// ---- fq_single ----
@single exists@
expression o, d;
statement S;
@@
 if (d->iommu->shadow_on_flush) {
 ... when any
+ /* iomc: fq_single = true */
 o->qt = IOMMU_DMA_OPTS_SINGLE_QUEUE;
 ... when any
 } else S

@any_single@
symbol IOMMU_DMA_OPTS_SINGLE_QUEUE;
@@
 IOMMU_DMA_OPTS_SINGLE_QUEUE

@depends on !any_single@
@@
 queue_iova(...) {
+ /* iomc: fq_single = false */
 ...
 }

// ---- fq_publish ----
@publish_last exists@
expression c, d;
@@
 iommu_dma_init_fq(...) {
 ... when any
 \( timer_setup(&c->fq_timer, ...); \| init_iova_flush_queue(...) \)
 ... when any
     when != c->fq_domain = d
 smp_wmb();
+ /* iomc: fq_publish = last */
 WRITE_ONCE(c->fq_domain, d);
 ... when any
     when != timer_setup(...)
 }

@publish_early exists@
expression c, d;
identifier init = { iommu_dma_init_fq_percpu, iommu_dma_init_fq_single, alloc_percpu, init_iova_flush_queue };
@@
 iommu_dma_init_fq(...) {
 ... when any
(
+ /* iomc: fq_publish = first */
 WRITE_ONCE(c->fq_domain, d);
|
+ /* iomc: fq_publish = first */
 c->fq_domain = d;
)
 ... when any
 init(...)
 ... when any
 }

@publish_before_timer depends on !publish_early exists@
expression c, d;
@@
 iommu_dma_init_fq(...) {
 ... when any
(
+ /* iomc: fq_publish = before_timer */
 WRITE_ONCE(c->fq_domain, d);
|
+ /* iomc: fq_publish = before_timer */
 c->fq_domain = d;
)
 ... when any
 timer_setup(&c->fq_timer, ...);
 ... when any
 }

@publish_unordered depends on !publish_last && !publish_early && !publish_before_timer exists@
expression c, d;
@@
 iommu_dma_init_fq(...) {
 ... when any
 \( timer_setup(&c->fq_timer, ...); \| init_iova_flush_queue(...) \)
 ... when any
     when != smp_wmb()
     when != smp_mb()
(
+ /* iomc: fq_publish = unordered */
 WRITE_ONCE(c->fq_domain, d);
|
+ /* iomc: fq_publish = unordered */
 c->fq_domain = d;
)
 ... when any
 }

// In iova.c the queue was seen through the domain itself.
@live_init@
@@
 iommu_dma_init_fq(...) { ... }

@old_first depends on !live_init exists@
expression d;
identifier set_up = { timer_setup, setup_timer };
@@
 init_iova_flush_queue(...) {
 ... when any
+ /* iomc: fq_publish = first */
 d->fq = alloc_percpu(...);
 ... when any
 set_up(&d->fq_timer, ...);
 ... when any
 }

@depends on !live_init && !old_first exists@
expression d, q;
@@
 init_iova_flush_queue(...) {
 ... when any
 smp_wmb();
+ /* iomc: fq_publish = before_timer */
 d->fq = q;
 ... when any
 timer_setup(&d->fq_timer, ...);
 ... when any
 }
