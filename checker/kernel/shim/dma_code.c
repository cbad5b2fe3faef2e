// SPDX-License-Identifier: GPL-2.0-or-later
/* drivers/iommu/dma-iommu.c, included whole and unchanged, and the calls that drivers make. */
#include "machine_lanes.h"

#include "dma_code.h"

bool iomc_map_fails;

/* Where the flush queue is published other CPUs may be looking. */
#undef READ_ONCE
#undef WRITE_ONCE
#define READ_ONCE(x) (iomc_point(iomc_at_read, &(x)), (x))
#define WRITE_ONCE(x, v) do { iomc_point(iomc_at_write, &(x)); (x) = (v); } while (0)
/* Where a queue's lock is asserted nothing has been changed yet. */
#undef assert_spin_locked
#define assert_spin_locked(lock) iomc_point(iomc_at_assert, (lock))
#include "drivers/iommu/dma-iommu.c"

extern struct iova_domain *iomc_iovad;
void iomc_name_iova_locks(struct iova_domain *d);
void iomc_run_work(unsigned bin);
bool iomc_has_rcaches(struct iova_domain *d);
void iomc_fill_depot(unsigned magazines);
iomc_iova_code_fn iomc_iova_code;

static struct iomc_dma_setup given;
static struct iommu_domain domain;
static struct pci_dev devices[IOMC_DEVICES];
static struct dev_iommu device_iommus[IOMC_DEVICES];
static struct pci_host_bridge bridge;
static struct resource_entry windows[IOMC_WINDOWS];
static struct resource window_resources[IOMC_WINDOWS];
static struct iommu_resv_region region;
static struct iomc_lock driver_lock;

static void flush_all(struct iommu_domain *d)
{
	(void)d;
	iomc_point(iomc_at_hardware, NULL);
	if (given.serialised)
		spin_lock(&driver_lock);
	iomc_point(iomc_at_done, NULL);
	if (given.serialised)
		spin_unlock(&driver_lock);
}

static const struct iommu_domain_ops domain_ops = { .flush_iotlb_all = flush_all };

void iomc_get_resv_regions(struct device *dev, struct list_head *list)
{
	(void)dev;
	if (given.reserve_hi == 0)
		return;
	region.start = given.reserve_lo << given.shift;
	region.length = (given.reserve_hi - given.reserve_lo + 1) << given.shift;
	region.type = IOMMU_RESV_RESERVED;
	list_add(&region.list, list);
}

struct pci_host_bridge *iomc_host_bridge(void)
{
	return &bridge;
}

/* ---- the locks have names --------------------------------------------------------------------------------------- */

#ifdef IOMC_HAS_OPTIONS
static struct iova_fq *queue_of(struct iommu_dma_cookie *cookie, unsigned cpu)
{
	if (cookie->options.qt == IOMMU_DMA_OPTS_SINGLE_QUEUE)
		return cpu == 0 ? cookie->single_fq : NULL;
	return per_cpu_ptr(cookie->percpu_fq, cpu);
}
static unsigned next_slot(const struct iova_fq *fq, unsigned i) { return (i + 1) & fq->mod_mask; }
#else
static struct iova_fq *queue_of(struct iommu_dma_cookie *cookie, unsigned cpu)
{
	return per_cpu_ptr(cookie->fq, cpu);
}
static unsigned next_slot(const struct iova_fq *fq, unsigned i) { return (void)fq, (i + 1) % IOVA_FQ_SIZE; }
#endif

static void name_locks(void)
{
	struct iommu_dma_cookie *cookie = domain.iova_cookie;

	if (!cookie)
		return;
	if (cookie->iovad.rcaches && cookie->iovad.rcaches == iomc_iovad->rcaches)
		iomc_name_iova_locks(&cookie->iovad);
	else
		cookie->iovad.iova_rbtree_lock.kind = iomc_lock_tree;
	if (cookie->fq_domain)
		for (unsigned cpu = 0; cpu < iomc.cpus; ++cpu) {
			struct iova_fq *fq = queue_of(cookie, cpu);

			if (!fq)
				continue;
			fq->lock.kind = iomc_lock_queue;
			fq->lock.cpu = cpu;
		}
}

/* ---- calls ------------------------------------------------------------------------------------------------------ */

struct call {
	unsigned device, cpu, bin;
	unsigned long pfn, pages, lo, hi;
};
static struct call calls[IOMC_LANES];

static void call_map(void *p)
{
	const struct call *c = p;
	const u64 mask = ((given.limits[c->device] + 1) << given.shift) - 1;

	__iommu_dma_map(&devices[c->device].dev, 0, c->pages << given.shift, 0, mask);
}

static void call_unmap(void *p)
{
	const struct call *c = p;

	__iommu_dma_unmap(&devices[0].dev, c->pfn << given.shift, c->pages << given.shift);
}

static void call_timer(void *p)
{
	struct timer_list *timer = &domain.iova_cookie->fq_timer;

	(void)p;
	timer->pending = false;
	timer->function(timer);
}

static void call_work(void *p)
{
	iomc_run_work(((const struct call *)p)->bin);
}

static void call_cpu_down(void *p)
{
	iomc_cpu_down(((const struct call *)p)->cpu);
}

static void call_reserve(void *p)
{
	const struct call *c = p;

	reserve_iova(iomc_iovad, c->lo, c->hi);
}

static int attach_device(void)
{
#ifdef IOMC_INIT_HAS_LIMITS
	return iommu_dma_init_domain(&domain, given.start_pfn << given.shift, ~0ULL, &devices[0].dev);
#else
	return iommu_dma_init_domain(&domain, &devices[0].dev);
#endif
}

static void call_attach(void *p)
{
	(void)p;
	attach_device();
}

static void call_detach(void *p)
{
	(void)p;
	iommu_put_dma_cookie(&domain);
}

static void call_make_lazy(void *p)
{
	(void)p;
	iommu_dma_init_fq(&domain);
}

static struct call *begin(int lane, void (*body)(void *))
{
	memset(&calls[lane], 0, sizeof(calls[lane]));
	iomc_lane_start(lane, 0, body, &calls[lane]);
	return &calls[lane];
}

static void code_map(int lane, unsigned device, unsigned long pages)
{
	struct call *c = begin(lane, call_map);

	c->device = device;
	c->pages = pages;
}

static void code_unmap(int lane, unsigned long pfn, unsigned long pages)
{
	struct call *c = begin(lane, call_unmap);

	c->pfn = pfn;
	c->pages = pages;
}

static void code_timer(int lane) { begin(lane, call_timer); }
static void code_work(int lane, unsigned bin) { begin(lane, call_work)->bin = bin; }
static void code_cpu_down(int lane, unsigned cpu) { begin(lane, call_cpu_down)->cpu = cpu; }
static void code_attach(int lane) { begin(lane, call_attach); }
static void code_detach(int lane) { begin(lane, call_detach); }
static void code_make_lazy(int lane) { begin(lane, call_make_lazy); }

static void code_reserve(int lane, unsigned long lo, unsigned long hi)
{
	struct call *c = begin(lane, call_reserve);

	c->lo = lo;
	c->hi = hi;
}

static int variable_of(const void *object)
{
	const struct iommu_dma_cookie *cookie = domain.iova_cookie;

	if (!cookie || !object)
		return iomc_no_variable;
	if (object == (const void *)&cookie->fq_flush_start_cnt)
		return iomc_flush_started;
	if (object == (const void *)&cookie->fq_flush_finish_cnt)
		return iomc_flush_finished;
	if (object == (const void *)&cookie->fq_timer_on)
		return iomc_timer_on;
	return object == (const void *)&cookie->fq_domain ? iomc_queue_domain : iomc_no_variable;
}

static void code_run(int lane, unsigned cpu, struct iomc_stop *stop)
{
	memset(stop, 0, sizeof(*stop));
	stop->point = iomc_lane_run(lane, cpu);
	if (iomc.crash)
		return;
	name_locks();
	stop->atomic = iomc.atomic;
	switch (stop->point) {
	case iomc_at_lock:
	case iomc_at_blocked:
	case iomc_at_unlocking:
	case iomc_at_unlock: {
		const struct iomc_lock *lock = iomc.object;

		stop->lock_kind = (int)lock->kind;
		stop->cpu = lock->cpu;
		stop->bin = lock->bin;
		break;
	}
	default:
		stop->variable = variable_of(iomc.object);
	}
}

/* ---- set-up ----------------------------------------------------------------------------------------------------- */

static void set_up(void *p)
{
	(void)p;
	if (iova_cache_get() != 0 || iommu_get_dma_cookie(&domain) != 0)
		iomc_crash("the domain could not be made");
	iomc_iovad = &domain.iova_cookie->iovad;
	if (!given.exists)
		return;
	{
		/* What is reserved later is not there now. */
		const unsigned long hi = given.reserve_hi;
		const unsigned n = given.windows;

		given.reserve_hi = given.windows = 0;
		INIT_LIST_HEAD(&bridge.dma_ranges);
		if (attach_device() != 0)
			iomc_crash("the domain could not be set up");
		given.reserve_hi = hi;
		given.windows = n;
	}
	iomc_iovad->start_pfn = given.start_pfn;
	name_locks();
	if (given.page_zero)
		reserve_iova(iomc_iovad, 0, 0);
	iomc_fill_depot(given.depot_filled);
}

static int code_setup(const struct iomc_dma_setup *setup)
{
	given = *setup;
	iomc_machine_reset(setup->cpus);
	iomc_map_fails = false;
	memset(&domain, 0, sizeof(domain));
	memset(devices, 0, sizeof(devices));
	memset(&driver_lock, 0, sizeof(driver_lock));
	iommu_dma_forcedac = setup->forcedac;
	domain.type = setup->lazy ? IOMMU_DOMAIN_DMA_FQ : IOMMU_DOMAIN_DMA;
	domain.ops = &domain_ops;
	domain.pgsize_bitmap = 1UL << setup->shift;
	domain.geometry.aperture_start = setup->start_pfn << setup->shift;
	domain.geometry.aperture_end = ~0ULL;
	domain.geometry.force_aperture = true;
	for (unsigned i = 0; i < setup->devices; ++i) {
		devices[i].dev.iomc_domain = &domain;
		devices[i].dev.iommu = &device_iommus[i];
		devices[i].dev.iomc_pci = setup->pci[i];
		device_iommus[i].pci_32bit_workaround = setup->pci[i] && !setup->forcedac;
		device_iommus[i].shadow_on_flush = setup->single_queue;
	}
	INIT_LIST_HEAD(&bridge.windows);
	INIT_LIST_HEAD(&bridge.dma_ranges);
	for (unsigned i = setup->windows; i-- > 0;) {
		window_resources[i].start = setup->window_start[i] << setup->shift;
		window_resources[i].end = (setup->window_end[i] << setup->shift) - 1;
		windows[i].res = &window_resources[i];
		list_add(&windows[i].node, &bridge.dma_ranges);
	}
	return iomc_call(set_up, NULL, 0) ? 0 : -1;
}

/* ---- state ------------------------------------------------------------------------------------------------------ */

static void code_fail_map(int fails) { iomc_map_fails = fails; }
static int code_alive(void) { return domain.iova_cookie != NULL; }
static int code_has_rcaches(void) { return iomc_has_rcaches(iomc_iovad); }
static int code_queue_ready(void) { return domain.iova_cookie->fq_domain != NULL; }
static int code_workaround(unsigned device) { return device_iommus[device].pci_32bit_workaround; }
static unsigned code_notices(unsigned device) { return devices[device].dev.iomc_notices; }

unsigned iomc_cache_owner(struct iova_domain *d, int kind, unsigned cpu, unsigned bin);
static unsigned code_owner(int kind, unsigned cpu, unsigned bin)
{
	if (kind == iomc_lock_other)
		return driver_lock.owner;
	if (kind == iomc_lock_queue) {
		struct iova_fq *fq = code_queue_ready() ? queue_of(domain.iova_cookie, cpu) : NULL;

		return fq ? fq->lock.owner : 0;
	}
	return code_has_rcaches() ? iomc_cache_owner(iomc_iovad, kind, cpu, bin) : 0;
}

static unsigned code_queue(unsigned cpu, struct iomc_queued *out, unsigned room)
{
	struct iova_fq *fq = code_queue_ready() ? queue_of(domain.iova_cookie, cpu) : NULL;
	unsigned n = 0;

	if (!fq)
		return 0;
	for (unsigned i = fq->head; i != fq->tail && n < room; i = next_slot(fq, i), ++n) {
		out[n].pfn = fq->entries[i].iova_pfn;
		out[n].pages = fq->entries[i].pages;
		out[n].counter = fq->entries[i].counter;
	}
	return n;
}

static void code_counters(unsigned long long *started, unsigned long long *finished, int *timer_on, int *timer_pending)
{
	const struct iommu_dma_cookie *cookie = domain.iova_cookie;

	*started = (unsigned long long)cookie->fq_flush_start_cnt.counter;
	*finished = (unsigned long long)cookie->fq_flush_finish_cnt.counter;
	*timer_on = cookie->fq_timer_on.counter;
	*timer_pending = cookie->fq_timer.pending;
}

static struct iomc_dma_code code = {
	.setup = code_setup,
	.map = code_map,
	.unmap = code_unmap,
	.timer = code_timer,
	.work = code_work,
	.cpu_down = code_cpu_down,
	.reserve = code_reserve,
	.attach = code_attach,
	.detach = code_detach,
	.make_lazy = code_make_lazy,
	.run = code_run,
	.fail_map = code_fail_map,
	.alive = code_alive,
	.has_rcaches = code_has_rcaches,
	.owner = code_owner,
	.queue_ready = code_queue_ready,
	.queue = code_queue,
	.counters = code_counters,
	.workaround = code_workaround,
	.notices = code_notices,
};

iomc_dma_code_fn iomc_dma_code;
const struct iomc_dma_code *iomc_dma_code(void)
{
	code.iova = iomc_iova_code();
	return &code;
}
