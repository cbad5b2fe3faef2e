// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * drivers/iommu/iova.c, included whole and unchanged, so that its static structures can be looked into. Steps to a
 * neighbour, insertions and erasures are counted by giving the four functions of lib/rbtree.c another name here.
 */
#include "machine_lanes.h"

#include "iova_code.h"

#include <linux/iova.h>
#include <linux/rbtree.h>

static struct iova_domain iomc_domain;
static struct rb_node *last_step;
static unsigned passes;
static unsigned long steps_in_hold;
/* Of the call that is under way; the limit is exclusive. */
static unsigned long search_limit, search_size, search_mask;
static unsigned long first_start; /* pfn_hi of the node that the first pass began at */

static void iomc_count_step(void)
{
	++iomc.counts.steps;
	/* No walk is longer than twice all nodes; one that is goes round in circles. */
	if (++steps_in_hold > 3 * (iomc.live_objects[0] + 2))
		iomc_crash("the search of the tree does not end");
}

static struct rb_node *iomc_rb_prev(const struct rb_node *node)
{
	const struct iova *iova = rb_entry(node, struct iova, node);
	const unsigned long highest = (search_limit - search_size) & search_mask;

	if (node != last_step && ++passes == 1)
		first_start = iova->pfn_hi;
	else if (node != last_step && passes == 2) {
		++iomc.counts.second_passes;
		/* From the node above, the walk would come to this one and go on, but where not even the limit leaves room. */
		if (iova->pfn_lo < search_limit && iova->pfn_hi >= search_limit && search_limit >= search_size &&
		    highest > first_start)
			++iomc.counts.straddles;
	}
	iomc_count_step();
	return last_step = rb_prev(node);
}

static struct rb_node *iomc_rb_next(const struct rb_node *node)
{
	iomc_count_step();
	return rb_next(node);
}

static void iomc_rb_erase(struct rb_node *node, struct rb_root *root)
{
	++iomc.counts.erases;
	rb_erase(node, root);
}

static void iomc_rb_insert_color(struct rb_node *node, struct rb_root *root)
{
	++iomc.counts.inserts;
	rb_insert_color(node, root);
}

/* Each hold of the tree's lock begins a new walk. */
static inline void iomc_tree_lock(spinlock_t *lock)
{
	spin_lock(lock);
	last_step = NULL;
	passes = 0;
	steps_in_hold = 0;
}
#undef spin_lock_irqsave
#define spin_lock_irqsave(lock, flags) do { (flags) = 0; iomc_tree_lock(lock); } while (0)

/* private_find_iova and remove_iova both assert the lock; remove_iova erases too. */
#undef assert_spin_locked
#define assert_spin_locked(lock) \
	do { \
		if ((lock)->owner == 0) \
			iomc_crash("a lock that should be held is not"); \
		++iomc.counts.finds; \
	} while (0)

#define rb_prev iomc_rb_prev
#define rb_next iomc_rb_next
#define rb_erase iomc_rb_erase
#define rb_insert_color iomc_rb_insert_color
#include "drivers/iommu/iova.c"
#undef rb_prev
#undef rb_next
#undef rb_erase
#undef rb_insert_color

struct iova_domain *iomc_iovad = &iomc_domain;
#define iovad iomc_iovad

/* ---- a domain ----------------------------------------------------------------------------------------------- */

static void name_lock(struct iomc_lock *lock, unsigned kind, unsigned cpu, unsigned bin)
{
	lock->kind = kind;
	lock->cpu = cpu;
	lock->bin = bin;
}

void iomc_name_iova_locks(struct iova_domain *d);
void iomc_name_iova_locks(struct iova_domain *d)
{
	name_lock(&d->iova_rbtree_lock, iomc_lock_tree, 0, 0);
	if (!d->rcaches)
		return;
	for (unsigned bin = 0; bin < IOVA_RANGE_CACHE_MAX_SIZE; ++bin) {
		name_lock(&d->rcaches[bin].lock, iomc_lock_depot, 0, bin);
		if (!d->rcaches[bin].cpu_rcaches)
			return; /* they are being set up */
		for (unsigned cpu = 0; cpu < iomc.cpus; ++cpu)
			name_lock(&per_cpu_ptr(d->rcaches[bin].cpu_rcaches, cpu)->lock, iomc_lock_cpu_cache, cpu, bin);
	}
}

static void searches_for(unsigned long size, unsigned long limit, bool aligned)
{
	search_size = size;
	search_limit = limit + 1;
	search_mask = aligned ? ~0UL << fls_long(size - 1) : ~0UL;
}

struct arguments {
	unsigned long size, limit, pfn, lo, hi, result;
	unsigned bin, cpu;
	int flag;
};

static void do_create(void *p)
{
	struct arguments *a = p;

	if (iova_cache_get() != 0)
		iomc_crash("iova_cache_get failed");
	memset(iovad, 0, sizeof(*iovad));
	init_iova_domain(iovad, a->size, a->pfn);
	a->result = (unsigned long)-iova_domain_init_rcaches(iovad);
	iomc_name_iova_locks(iovad);
	memset(&iomc.counts, 0, sizeof(iomc.counts));
}

static int code_create(unsigned cpus, unsigned long granule, unsigned long start_pfn)
{
	struct arguments a = { .size = granule, .pfn = start_pfn };
	const unsigned long long fail = iomc.fail_sleeping;

	iomc_machine_reset(cpus);
	iomc.fail_sleeping = fail;
	return iomc_call(do_create, &a, 0) ? -(int)a.result : -1;
}

static void do_destroy(void *p)
{
	(void)p;
	put_iova_domain(iovad);
	iova_cache_put();
}

static void code_destroy(void)
{
	iomc.crash = NULL;
	iomc_call(do_destroy, NULL, 0);
}

/* ---- calls -------------------------------------------------------------------------------------------------- */

static void do_alloc_fast(void *p)
{
	struct arguments *a = p;

	searches_for(a->size < 1 << (IOVA_RANGE_CACHE_MAX_SIZE - 1) ? roundup_pow_of_two(a->size) : a->size, a->limit,
		     true);
	a->result = alloc_iova_fast(iovad, a->size, a->limit, a->flag);
}

static unsigned long code_alloc_fast(unsigned cpu, unsigned long size, unsigned long limit, int flush)
{
	struct arguments a = { .size = size, .limit = limit, .flag = flush };

	return iomc_call(do_alloc_fast, &a, cpu) ? a.result : 0;
}

static void do_free_fast(void *p)
{
	struct arguments *a = p;

	free_iova_fast(iovad, a->pfn, a->size);
}

static void code_free_fast(unsigned cpu, unsigned long pfn, unsigned long size)
{
	struct arguments a = { .size = size, .pfn = pfn };

	/* Wrong on purpose: the range is given back on the next CPU. */
	if (iomc.injected == 1)
		cpu = (cpu + 1) % iomc.cpus;
	iomc_call(do_free_fast, &a, cpu);
}

static void do_alloc(void *p)
{
	struct arguments *a = p;
	struct iova *iova;

	searches_for(a->size, a->limit, a->flag);
	iova = alloc_iova(iovad, a->size, a->limit, a->flag);
	a->result = iova != NULL;
	if (iova)
		a->lo = iova->pfn_lo;
}

static int code_alloc(unsigned long size, unsigned long limit, int aligned, unsigned long *lo)
{
	struct arguments a = { .size = size, .limit = limit, .flag = aligned };

	if (!iomc_call(do_alloc, &a, 0) || !a.result)
		return 0;
	*lo = a.lo;
	return 1;
}

static void do_free(void *p)
{
	free_iova(iovad, ((struct arguments *)p)->pfn);
}

static void code_free(unsigned long pfn)
{
	struct arguments a = { .pfn = pfn };

	iomc_call(do_free, &a, 0);
}

static void do_find(void *p)
{
	struct arguments *a = p;
	const struct iova *iova = find_iova(iovad, a->pfn);

	a->result = iova != NULL;
	if (iova) {
		a->lo = iova->pfn_lo;
		a->hi = iova->pfn_hi;
	}
}

static int code_find(unsigned long pfn, struct iomc_range *out)
{
	struct arguments a = { .pfn = pfn };

	if (!iomc_call(do_find, &a, 0) || !a.result)
		return 0;
	out->lo = a.lo;
	out->hi = a.hi;
	return 1;
}

static void do_reserve(void *p)
{
	struct arguments *a = p;

	reserve_iova(iovad, a->lo, a->hi);
}

static void code_reserve(unsigned long lo, unsigned long hi)
{
	struct arguments a = { .lo = lo, .hi = hi };

	iomc_call(do_reserve, &a, 0);
}

static void do_cpu_down(void *p)
{
	iomc_cpu_down(((struct arguments *)p)->cpu);
}

static void code_cpu_down(unsigned cpu)
{
	struct arguments a = { .cpu = cpu };

	/* Wrong on purpose: the callback is not run. */
	if (iomc.injected == 2) {
		iomc.online[cpu] = 0;
		--iomc.online_count;
		return;
	}
	iomc_call(do_cpu_down, &a, 0);
}

#ifdef IOVA_DEPOT_DELAY
static void do_work(void *p)
{
	struct work_struct *work = p;

	work->pending = false;
	work->func(work);
}

static int code_run_work(unsigned cpu, unsigned bin)
{
	struct work_struct *work = &iovad->rcaches[bin].work.work;

	if (!work->pending)
		return 0;
	iomc_call(do_work, work, cpu);
	return 1;
}

static int code_work_pending(unsigned bin)
{
	return iovad->rcaches[bin].work.work.pending;
}
#else
static int code_run_work(unsigned cpu, unsigned bin)
{
	(void)cpu, (void)bin;
	return 0;
}

static int code_work_pending(unsigned bin)
{
	(void)bin;
	return 0;
}
#endif

/* ---- for the harness of dma-iommu.c ------------------------------------------------------------------------- */

void iomc_run_work(unsigned bin);
void iomc_run_work(unsigned bin)
{
#ifdef IOVA_DEPOT_DELAY
	do_work(&iovad->rcaches[bin].work.work);
#else
	(void)bin;
#endif
}

/* All of them are there. */
bool iomc_has_rcaches(struct iova_domain *d);
bool iomc_has_rcaches(struct iova_domain *d)
{
	const unsigned last = IOVA_RANGE_CACHE_MAX_SIZE - 1;

	return d->rcaches && d->rcaches[last].cpu_rcaches && per_cpu_ptr(d->rcaches[last].cpu_rcaches, iomc.cpus - 1)->prev;
}

unsigned iomc_cache_owner(struct iova_domain *d, int kind, unsigned cpu, unsigned bin);
unsigned iomc_cache_owner(struct iova_domain *d, int kind, unsigned cpu, unsigned bin)
{
	return kind == iomc_lock_depot ? d->rcaches[bin].lock.owner
				       : per_cpu_ptr(d->rcaches[bin].cpu_rcaches, cpu)->lock.owner;
}

/* Single pages just below the 32-bit boundary, in full magazines. */
void iomc_fill_depot(unsigned magazines);
void iomc_fill_depot(unsigned magazines)
{
	struct iova_rcache *rcache = &iovad->rcaches[0];

	for (unsigned m = 0; m < magazines; ++m) {
		struct iova_magazine *mag = iova_magazine_alloc(GFP_KERNEL);

		while (!iova_magazine_full(mag))
			iova_magazine_push(mag, alloc_iova(iovad, 1, iovad->dma_32bit_pfn - 1, true)->pfn_lo);
#ifdef MAX_GLOBAL_MAGS
		rcache->depot[rcache->depot_size++] = mag;
#else
		iova_depot_push(rcache, mag);
		rcache->work.work.pending = true;
#endif
	}
}

/* ---- state -------------------------------------------------------------------------------------------------- */

static unsigned long code_nodes(struct iomc_range *out, unsigned long room)
{
	unsigned long n = 0;

	for (struct rb_node *node = rb_first(&iovad->rbroot); node; node = rb_next(node)) {
		if (node == &iovad->anchor.node)
			continue;
		if (n < room) {
			out[n].lo = to_iova(node)->pfn_lo;
			out[n].hi = to_iova(node)->pfn_hi;
		}
		++n;
	}
	return n;
}

static void code_pointers(unsigned long *cached32, unsigned long *cached, unsigned long *max32)
{
	*cached32 = to_iova(iovad->cached32_node)->pfn_lo;
	*cached = to_iova(iovad->cached_node)->pfn_lo;
	*max32 = iovad->max32_alloc_size;
}

static unsigned long code_magazine(unsigned bin, unsigned cpu, int prev, const unsigned long **pfns)
{
	struct iova_cpu_rcache *cache = per_cpu_ptr(iovad->rcaches[bin].cpu_rcaches, cpu);
	struct iova_magazine *mag = prev ? cache->prev : cache->loaded;

	if (!mag) {
		*pfns = NULL;
		return 0;
	}
	*pfns = mag->pfns;
	return mag->size;
}

static unsigned long code_depot_size(unsigned bin)
{
	return iovad->rcaches[bin].depot_size;
}

static void code_depot(unsigned bin, const unsigned long **pfns)
{
#ifdef MAX_GLOBAL_MAGS
	for (unsigned long i = 0; i < iovad->rcaches[bin].depot_size; ++i)
		pfns[i] = iovad->rcaches[bin].depot[i]->pfns;
#else
	unsigned long i = iovad->rcaches[bin].depot_size;

	for (struct iova_magazine *mag = iovad->rcaches[bin].depot; mag && i > 0; mag = mag->next)
		pfns[--i] = mag->pfns;
#endif
}

static const struct iomc_iova_code code = {
	.machine = &iomc,
	.bins = IOVA_RANGE_CACHE_MAX_SIZE,
	.mag_size = IOVA_MAG_SIZE,
#ifdef MAX_GLOBAL_MAGS
	.depot_max = MAX_GLOBAL_MAGS,
#endif
#ifdef IOVA_DEPOT_DELAY
	.has_work = 1,
#endif
	.create = code_create,
	.destroy = code_destroy,
	.alloc_fast = code_alloc_fast,
	.free_fast = code_free_fast,
	.alloc = code_alloc,
	.free = code_free,
	.find = code_find,
	.reserve = code_reserve,
	.cpu_down = code_cpu_down,
	.cpu_up = iomc_cpu_up,
	.run_work = code_run_work,
	.nodes = code_nodes,
	.pointers = code_pointers,
	.magazine = code_magazine,
	.depot_size = code_depot_size,
	.depot = code_depot,
	.work_pending = code_work_pending,
};

iomc_iova_code_fn iomc_iova_code;
const struct iomc_iova_code *iomc_iova_code(void)
{
	return &code;
}
