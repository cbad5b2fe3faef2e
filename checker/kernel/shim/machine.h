/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine that kernel code runs on in user space: CPUs, lanes, locks, memory that can be made to run out. Plain C
 * that a C++ program may include too: it sees the same structures in the shared object that the shims are built into.
 *
 * A lane is one thread of execution. It runs until it comes to a point where others may interleave (enum iomc_point)
 * and is then switched out; whoever drives the machine decides which lane goes on. Without lanes (iomc.lane < 0) the
 * points are passed over, and calls run to their end one after the other.
 */
#ifndef IOMC_MACHINE_H
#define IOMC_MACHINE_H

#define IOMC_CPUS 256
#define IOMC_LANES 16

/* Where a lane stops. */
enum iomc_point {
	iomc_at_nothing,
	iomc_at_lock,      /* about to take a lock: object is the struct iomc_lock */
	iomc_at_blocked,   /* the lock it wants is held by another lane: object likewise */
	iomc_at_unlocking, /* about to let go of a lock: object likewise */
	iomc_at_unlock,    /* has let go of a lock: object likewise */
	iomc_at_mutex,     /* has taken a mutex: object likewise */
	iomc_at_cpu,       /* about to read which CPU it runs on */
	iomc_at_alloc,     /* about to allocate memory; `atomic` tells which kind */
	iomc_at_read,      /* about to read an atomic or a WRITE_ONCE variable: object is its address */
	iomc_at_write,     /* about to write one: object likewise */
	iomc_at_hardware,  /* the IOMMU is about to invalidate the domain */
	iomc_at_done,      /* …and does it */
	iomc_at_timer,     /* about to arm a timer or to schedule work */
	iomc_at_assert,    /* a lock is asserted to be held: object likewise */
	iomc_at_stopped,   /* a timer has been stopped for good */
	iomc_returned,     /* the call has returned */
	iomc_crashed       /* the kernel has stopped; see iomc.crash */
};

/* What a lock protects; the harness names them once the structures exist. */
enum iomc_lock_kind {
	iomc_lock_other,
	iomc_lock_cpu_cache,
	iomc_lock_depot,
	iomc_lock_tree,
	iomc_lock_queue,
	iomc_lock_kinds
};

struct iomc_lock {
	unsigned owner; /* 0, or 1 + the lane that holds it (1 without lanes) */
	unsigned kind;
	unsigned cpu;
	unsigned bin;
};

/* Counted since the last reset. */
struct iomc_counts {
	unsigned long long locks[iomc_lock_kinds];
	unsigned long long steps;   /* rb_prev and rb_next */
	unsigned long long finds;   /* private_find_iova */
	unsigned long long erases;  /* rb_erase */
	unsigned long long inserts; /* rb_insert_color */
	unsigned long long second_passes; /* that took a step */
	unsigned long long straddles; /* second passes that began at a node across their limit */
	unsigned long long allocations;
	unsigned long long warnings; /* WARN_ON */
	unsigned long long notices;  /* dev_notice */
};

struct iomc_machine {
	struct iomc_counts counts;
	unsigned cpus;
	unsigned online_count;
	unsigned cpu; /* where the running lane is */
	int lane;     /* -1: no lanes */
	unsigned char online[IOMC_CPUS];
	/* The lowest bit decides about the next allocation (1: it fails) and is then dropped. */
	unsigned long long fail_atomic;
	unsigned long long fail_sleeping;
	unsigned long long live_objects[2]; /* struct iova, magazines */
	const char *crash;                  /* why the kernel stopped, or NULL */
	/* About the point at which the lane stopped. */
	int point;
	int atomic;
	const void *object;
	/* One line of the shims is made wrong on purpose, for tests of the comparison; 0: none. */
	int injected;
};

#endif
