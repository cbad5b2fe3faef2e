/* SPDX-License-Identifier: GPL-2.0-or-later */
/* drivers/iommu/iova.c as a table of functions: what the shared object exports. One domain at a time. Pfns and sizes
 * are the kernel's; CPUs count from 0. A call that stops the kernel returns 0 and leaves machine->crash set. */
#ifndef IOMC_IOVA_CODE_H
#define IOMC_IOVA_CODE_H

#include "machine.h"

struct iomc_range {
	unsigned long lo;
	unsigned long hi;
};

struct iomc_iova_code {
	struct iomc_machine *machine;
	unsigned bins;
	unsigned mag_size;
	unsigned depot_max; /* 0: a list without bound */
	int has_work;

	/* init_iova_domain and iova_domain_init_rcaches; 0, or the kernel's error. */
	int (*create)(unsigned cpus, unsigned long granule, unsigned long start_pfn);
	void (*destroy)(void);

	unsigned long (*alloc_fast)(unsigned cpu, unsigned long size, unsigned long limit, int flush);
	void (*free_fast)(unsigned cpu, unsigned long pfn, unsigned long size);
	/* 1 and *lo, or 0. */
	int (*alloc)(unsigned long size, unsigned long limit, int aligned, unsigned long *lo);
	void (*free)(unsigned long pfn);
	int (*find)(unsigned long pfn, struct iomc_range *out);
	void (*reserve)(unsigned long lo, unsigned long hi);
	/* Takes the CPU offline and runs the callback that iova_cache_get registered; or brings it back. */
	void (*cpu_down)(unsigned cpu);
	void (*cpu_up)(unsigned cpu);
	/* The delayed work of one size class: 1 if it was pending and has run. */
	int (*run_work)(unsigned cpu, unsigned bin);

	/* State. */
	unsigned long (*nodes)(struct iomc_range *out, unsigned long room); /* ascending, without the anchor */
	void (*pointers)(unsigned long *cached32, unsigned long *cached, unsigned long *max32);
	unsigned long (*magazine)(unsigned bin, unsigned cpu, int prev, const unsigned long **pfns);
	unsigned long (*depot_size)(unsigned bin);
	/* The i-th magazine, oldest first. */
	void (*depot)(unsigned bin, const unsigned long **pfns);
	int (*work_pending)(unsigned bin);
};

/* The one symbol. */
typedef const struct iomc_iova_code *iomc_iova_code_fn(void);

#endif
