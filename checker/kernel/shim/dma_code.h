/* SPDX-License-Identifier: GPL-2.0-or-later */
/* drivers/iommu/dma-iommu.c above iova.c, run in lanes: one domain, its devices, its flush queue. */
#ifndef IOMC_DMA_CODE_H
#define IOMC_DMA_CODE_H

#include "iova_code.h"

#define IOMC_DEVICES 4
#define IOMC_WINDOWS 4

enum iomc_variable { iomc_no_variable, iomc_flush_started, iomc_flush_finished, iomc_timer_on, iomc_queue_domain };

struct iomc_dma_setup {
	unsigned cpus;
	unsigned shift; /* of a page, and so of the granule */
	unsigned long start_pfn;
	int exists; /* the domain is set up when the run begins */
	int lazy;
	int single_queue;
	int serialised; /* the IOMMU driver holds a lock while it flushes */
	int forcedac;
	int page_zero; /* pfn 0 is reserved when the run begins */
	unsigned depot_filled;
	unsigned devices;
	unsigned long limits[IOMC_DEVICES]; /* last pfn */
	int pci[IOMC_DEVICES];
	unsigned long reserve_lo, reserve_hi; /* of every device; 0: nothing */
	unsigned windows;
	unsigned long window_start[IOMC_WINDOWS], window_end[IOMC_WINDOWS]; /* exclusive */
};

/* Where a lane stopped. */
struct iomc_stop {
	int point;
	int lock_kind;
	unsigned cpu, bin; /* of the lock */
	int variable;
	int atomic; /* of an allocation */
};

struct iomc_queued {
	unsigned long pfn, pages;
	unsigned long long counter;
};

struct iomc_dma_code {
	const struct iomc_iova_code *iova;
	int (*setup)(const struct iomc_dma_setup *setup);

	/* Each gives the lane a call to make; run() takes it from there. */
	void (*map)(int lane, unsigned device, unsigned long pages);
	void (*unmap)(int lane, unsigned long pfn, unsigned long pages);
	void (*timer)(int lane);
	void (*work)(int lane, unsigned bin);
	void (*cpu_down)(int lane, unsigned cpu);
	void (*reserve)(int lane, unsigned long lo, unsigned long hi);
	void (*attach)(int lane);
	void (*detach)(int lane);
	void (*make_lazy)(int lane);
	/* To the lane's next point; on that CPU. */
	void (*run)(int lane, unsigned cpu, struct iomc_stop *stop);
	void (*fail_map)(int fails);

	/* State. */
	int (*alive)(void); /* the cookie is there */
	int (*has_rcaches)(void);
	unsigned (*owner)(int lock_kind, unsigned cpu, unsigned bin); /* 0, or 1 + the lane */
	int (*queue_ready)(void);
	unsigned (*queue)(unsigned cpu, struct iomc_queued *out, unsigned room);
	void (*counters)(unsigned long long *started, unsigned long long *finished, int *timer_on, int *timer_pending);
	int (*workaround)(unsigned device);
	unsigned (*notices)(unsigned device);
};

typedef const struct iomc_dma_code *iomc_dma_code_fn(void);

#endif
