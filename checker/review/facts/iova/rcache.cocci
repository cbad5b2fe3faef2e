// SPDX-License-Identifier: GPL-2.0-or-later
// Facts of drivers/iommu/iova.c: the magazines, the depot, and alloc_iova_fast.
// reads: drivers/iommu/iova.c
// reads in some kernels: include/linux/iova.h

// ---- bins, mag_size, depot_max ----
@bins_used@
@@
 iova_rcache_insert(...) {
 <+... IOVA_RANGE_CACHE_MAX_SIZE ...+>
 }

@depends on bins_used@
expression e;
@@
+ /* iomc: bins = #define */
#define IOVA_RANGE_CACHE_MAX_SIZE e

@mag_used@
expression m;
@@
 iova_magazine_full(...) {
 <+... m->size == IOVA_MAG_SIZE ...+>
 }

@depends on mag_used@
expression e;
@@
+ /* iomc: mag_size = #define */
#define IOVA_MAG_SIZE e

@depot_bounded@
expression r;
@@
 __iova_rcache_insert(...) {
 <+... r->depot_size < MAX_GLOBAL_MAGS ...+>
 }

@depends on depot_bounded@
expression e;
@@
+ /* iomc: depot_max = #define */
#define MAX_GLOBAL_MAGS e

@depot_size_tested@
expression r, e;
@@
 __iova_rcache_insert(...) {
 <+...
(
 r->depot_size < e
|
 r->depot_size <= e
|
 r->depot_size == e
)
 ...+>
 }

@depends on !depot_size_tested@
identifier r, m;
@@
 iova_depot_push(struct iova_rcache *r, struct iova_magazine *m) {
 ... when any
 m->next =
+ /* iomc: depot_max = 0 */
 r->depot;
 ... when any
 }

// ---- pop ----
@@
identifier m, l, i;
@@
 iova_magazine_pop(struct iova_magazine *m, unsigned long l) {
 ... when any
 for (i = m->size - 1;
+ /* iomc: pop = scan */
 m->pfns[i] > l; i--)
   if (i == 0)
     return 0;
 ... when any
 }

@@
identifier m, l;
@@
 iova_magazine_pop(struct iova_magazine *m, unsigned long l) {
 ... when any
 if (m->pfns[m->size - 1]
+ /* iomc: pop = top */
 >= l)
   return 0;
 return m->pfns[--m->size];
 }

// ---- pop_limit_by_size ----
@@
identifier d, s, l;
expression r;
@@
 iova_rcache_get(struct iova_domain *d, unsigned long s, unsigned long l) {
 <+...
 __iova_rcache_get(r,
(
+ /* iomc: pop_limit_by_size = true */
 l - s
|
+ /* iomc: pop_limit_by_size = false */
 l
)
 )
 ...+>
 }

// ---- cpu_ptr_preemptible ----
@@
expression r;
@@
 __iova_rcache_insert(...) {
 <+...
(
+ /* iomc: cpu_ptr_preemptible = true */
 raw_cpu_ptr(r->cpu_rcaches)
|
+ /* iomc: cpu_ptr_preemptible = false */
 get_cpu_ptr(r->cpu_rcaches)
)
 ...+>
 }

@@
expression r;
@@
 __iova_rcache_get(...) {
 <+...
(
+ /* iomc: cpu_ptr_preemptible = true */
 raw_cpu_ptr(r->cpu_rcaches)
|
+ /* iomc: cpu_ptr_preemptible = false */
 get_cpu_ptr(r->cpu_rcaches)
)
 ...+>
 }

// ---- missing_range ----
@missing@
identifier m, d, i;
expression p;
@@
 iova_magazine_free_pfns(struct iova_magazine *m, struct iova_domain *d) {
 <+...
(
 struct iova *i = private_find_iova(d, p);
|
 i = private_find_iova(d, p);
)
 ...+>
 }

@@
identifier missing.i;
@@
 iova_magazine_free_pfns(...) {
 <+...
(
 if (
+ /* iomc: missing_range = warn */
 \( WARN_ON(!i) \| WARN_ON_ONCE(!i) \))
   continue;
|
 BUG_ON(
+ /* iomc: missing_range = bug */
 !i);
)
 ...+>
 }

// ---- rcache_init_checked ----
@init_checked@
expression c;
statement S;
identifier f = { iova_domain_init_rcaches, init_iova_rcaches };
@@
 f(...) {
 <+...
 if (!c->loaded
+ /* iomc: rcache_init_checked = true */
 || !c->prev) S
 ...+>
 }

@init_tested@
expression c;
statement S;
identifier f = { iova_domain_init_rcaches, init_iova_rcaches };
@@
 f(...) {
 <+...
 if (<+... \( c->loaded \| c->prev \) ...+>) S
 ...+>
 }

@depends on !init_tested@
expression c;
identifier f = { iova_domain_init_rcaches, init_iova_rcaches };
@@
 f(...) {
 <+...
 c->prev =
+ /* iomc: rcache_init_checked = false */
 iova_magazine_alloc(GFP_KERNEL);
 ...+>
 }

// ---- round_in_alloc_fast ----
@rounds@
identifier d, s;
@@
 alloc_iova_fast(struct iova_domain *d, unsigned long s, ...) {
 ...
 if (s < (1 << (IOVA_RANGE_CACHE_MAX_SIZE - 1)))
   s =
+ /* iomc: round_in_alloc_fast = true */
   roundup_pow_of_two(s);
 ... when any
 }

@size_rewritten@
identifier d, s;
expression e;
assignment operator op;
@@
 alloc_iova_fast(struct iova_domain *d, unsigned long s, ...) {
 <+...
 s op e
 ...+>
 }

@depends on !size_rewritten@
@@
 alloc_iova_fast(...) {
+ /* iomc: round_in_alloc_fast = false */
 ...
 }

// ---- flush_optional ----
@with_flag@
identifier d, s, l, flush;
@@
 alloc_iova_fast(struct iova_domain *d, unsigned long s, unsigned long l, bool flush) { ... }

@depends on with_flag exists@
identifier with_flag.flush;
@@
 alloc_iova_fast(...) {
 ... when any
 if (
+ /* iomc: flush_optional = true */
 !flush)
   return 0;
 ... when any
 flush = false;
 ... when any
 free_cpu_cached_iovas(...);
 ... when any
 }

@exists@
identifier d, s, l, done;
@@
 alloc_iova_fast(struct iova_domain *d, unsigned long s, unsigned long l) {
 ... when any
 if (
+ /* iomc: flush_optional = false */
 done)
   return 0;
 ... when any
 done = true;
 ... when any
 free_cpu_cached_iovas(...);
 ... when any
 }

// ---- flush_depot, depot_flush_newest_first ----
@exists@
identifier d, cpu, again;
iterator name for_each_online_cpu;
iterator cpus;
@@
 alloc_iova_fast(struct iova_domain *d, ...) {
 ... when any
 cpus(cpu)
   free_cpu_cached_iovas(cpu, d);
(
+ /* iomc: flush_depot = true */
 free_global_cached_iovas(d);
 goto again;
|
+ /* iomc: flush_depot = false */
 goto again;
)
 ... when any
 }

@newest@
identifier d, m;
expression r;
@@
 free_global_cached_iovas(struct iova_domain *d) {
 <+...
 while (r->depot) {
   ... when any
(
   struct iova_magazine *m =
+ /* iomc: depot_flush_newest_first = true */
   iova_depot_pop(r);
|
   m =
+ /* iomc: depot_flush_newest_first = true */
   iova_depot_pop(r);
)
   ... when any
   iova_magazine_free_pfns(m, d);
   ... when any
 }
 ...+>
 }

@@
identifier d, j;
expression r;
@@
 free_global_cached_iovas(struct iova_domain *d) {
 <+...
 for (j = 0; j < r->depot_size; \( ++j \| j++ \)) {
   ... when any
   iova_magazine_free_pfns(
+ /* iomc: depot_flush_newest_first = false */
   r->depot[j], d);
   ... when any
 }
 ...+>
 }

// No flush of the depot: there is no order to speak of.
@global_flush@
@@
 free_global_cached_iovas(...) { ... }

@depends on !global_flush@
@@
 alloc_iova_fast(...) {
+ /* iomc: depot_flush_newest_first = false */
 ...
 }

// ---- cpuhp_flush ----
@dead@
identifier cpu, n, fn;
expression d;
@@
 fn(unsigned int cpu, struct hlist_node *n) {
 ... when any
 free_cpu_cached_iovas(cpu, d);
 ... when any
 }

@registered@
identifier dead.fn;
@@
 cpuhp_setup_state_multi(..., fn)

@instance depends on registered@
expression d;
@@
 cpuhp_state_add_instance_nocalls(CPUHP_IOMMU_IOVA_DEAD, &d->cpuhp_dead)

@depends on instance@
identifier dead.fn;
expression dead.d;
identifier dead.cpu;
@@
 fn(...) {
 ... when any
+ /* iomc: cpuhp_flush = true */
 free_cpu_cached_iovas(cpu, d);
 ... when any
 }

@any_hotplug@
identifier f = { cpuhp_setup_state_multi, cpuhp_state_add_instance_nocalls, cpuhp_state_add_instance,
                 cpuhp_setup_state, cpuhp_setup_state_nocalls, register_cpu_notifier };
@@
 f(...)

@depends on !any_hotplug && !dead@
@@
 alloc_iova_fast(...) {
+ /* iomc: cpuhp_flush = false */
 ...
 }

// ---- depot_trim, depot_trim_irqsave ----
@trim_work@
expression r;
identifier fn;
@@
(
 INIT_DELAYED_WORK(&r->work, fn)
|
 INIT_DEFERRABLE_WORK(&r->work, fn)
)

@trim@
identifier trim_work.fn, w, m;
expression r;
@@
 fn(struct work_struct *w) {
 <+...
 if (r->depot_size
+ /* iomc: depot_trim = true */
 > num_online_cpus())
   m = iova_depot_pop(r);
 ...+>
 }

@depends on trim@
identifier trim_work.fn;
expression trim.r, fl;
@@
 fn(...) {
 <+...
(
+ /* iomc: depot_trim_irqsave = true */
 spin_lock_irqsave(&r->lock, fl)
|
+ /* iomc: depot_trim_irqsave = true */
 spin_lock_irq(&r->lock)
|
+ /* iomc: depot_trim_irqsave = false */
 spin_lock(&r->lock)
|
+ /* iomc: depot_trim_irqsave = false */
 spin_lock_bh(&r->lock)
)
 ...+>
 }

@any_work@
identifier f = { INIT_DELAYED_WORK, INIT_DEFERRABLE_WORK, INIT_WORK, schedule_delayed_work, schedule_work,
                 queue_delayed_work, queue_work, mod_delayed_work };
@@
 f(...)

@depends on !any_work@
@@
 alloc_iova_fast(...) {
+ /* iomc: depot_trim = false */
+ /* iomc: depot_trim_irqsave = false */
 ...
 }
