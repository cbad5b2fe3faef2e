// SPDX-License-Identifier: GPL-2.0-or-later
/* The machine behind iomc_kernel.h: memory, CPUs, hotplug, and the lanes as coroutines. */
#include "machine_lanes.h"

struct iomc_machine iomc = { .lane = -1 };

/* ---- memory ------------------------------------------------------------------------------------------------- */

static bool out_of_memory(gfp_t flags)
{
	unsigned long long *fails = (flags & GFP_ATOMIC) ? &iomc.fail_atomic : &iomc.fail_sleeping;
	bool fail;

	iomc.atomic = (flags & GFP_ATOMIC) != 0;
	iomc_point(iomc_at_alloc, NULL);
	fail = (*fails & 1) != 0;
	*fails >>= 1;
	return fail;
}

struct kmem_cache *iomc_cache_create(const char *name, size_t size)
{
	struct kmem_cache *cache = calloc(1, sizeof(*cache));

	cache->size = size < sizeof(void *) ? sizeof(void *) : size;
	cache->counted = strstr(name, "magazine") != NULL;
	return cache;
}

void kmem_cache_destroy(struct kmem_cache *cache)
{
	if (!cache)
		return;
	while (cache->free) {
		void *next = *(void **)cache->free;

		free(cache->free);
		cache->free = next;
	}
	free(cache);
}

void *kmem_cache_alloc(struct kmem_cache *cache, gfp_t flags)
{
	void *object;

	if (out_of_memory(flags))
		return NULL;
	object = cache->free;
	if (object)
		cache->free = *(void **)object;
	else
		object = malloc(cache->size);
	if (!object)
		abort();
	++iomc.counts.allocations;
	++iomc.live_objects[cache->counted];
	/* What a slab object held before is not defined. */
	memset(object, 0x5a, cache->size < 64 ? cache->size : 64);
	return object;
}

void *kmem_cache_zalloc(struct kmem_cache *cache, gfp_t flags)
{
	void *object = kmem_cache_alloc(cache, flags);

	return object ? memset(object, 0, cache->size) : NULL;
}

void kmem_cache_free(struct kmem_cache *cache, void *object)
{
	if (!object)
		iomc_crash("NULL is given back to a slab cache");
	memset(object, 0x6b, cache->size < 64 ? cache->size : 64);
	*(void **)object = cache->free;
	cache->free = object;
	--iomc.live_objects[cache->counted];
}

void *kzalloc(size_t size, gfp_t flags)
{
	void *object;

	if (out_of_memory(flags))
		return NULL;
	object = calloc(1, size);
	if (!object)
		abort();
	++iomc.counts.allocations;
	return object;
}

void kfree(const void *object)
{
	free((void *)object);
}

void *iomc_alloc_percpu(size_t size)
{
	const size_t stride = (size + 63) / 64 * 64;
	char *block;

	if (out_of_memory(GFP_KERNEL))
		return NULL;
	block = calloc(1, 64 + iomc.cpus * stride);
	if (!block)
		abort();
	((size_t *)(block + 64))[-1] = stride;
	return block + 64;
}

void free_percpu(void *p)
{
	if (p)
		free((char *)p - 64);
}

/* ---- CPUs and work ------------------------------------------------------------------------------------------ */

unsigned iomc_next_online(unsigned cpu)
{
	while (cpu < iomc.cpus && !iomc.online[cpu])
		++cpu;
	return cpu;
}

bool schedule_delayed_work(struct delayed_work *work, unsigned long delay)
{
	(void)delay;
	iomc_point(iomc_at_timer, work);
	if (work->work.pending)
		return false;
	work->work.pending = true;
	return true;
}

static int (*dead_callback)(unsigned, struct hlist_node *);
static struct hlist_node *instance;

int cpuhp_setup_state_multi(enum cpuhp_state state, const char *name, int (*up)(unsigned, struct hlist_node *),
			    int (*down)(unsigned, struct hlist_node *))
{
	(void)state, (void)name, (void)up;
	dead_callback = down;
	return 0;
}

void cpuhp_remove_multi_state(enum cpuhp_state state)
{
	(void)state;
	dead_callback = NULL;
}

int cpuhp_state_add_instance_nocalls(enum cpuhp_state state, struct hlist_node *node)
{
	(void)state;
	instance = node;
	return 0;
}

void cpuhp_state_remove_instance_nocalls(enum cpuhp_state state, struct hlist_node *node)
{
	(void)state, (void)node;
	instance = NULL;
}

void iomc_cpu_down(unsigned cpu)
{
	iomc.online[cpu] = 0;
	--iomc.online_count;
	if (dead_callback && instance)
		dead_callback(cpu, instance);
}

void iomc_cpu_up(unsigned cpu)
{
	iomc.online[cpu] = 1;
	++iomc.online_count;
}

/* ---- lanes -------------------------------------------------------------------------------------------------- */

enum { stack_bytes = 256 * 1024 };

struct lane {
	ucontext_t context;
	char *stack;
	void (*body)(void *);
	void *argument;
	unsigned cpu;
	bool alive;
	int point;
	int atomic;
	const void *object;
};

static struct lane lanes[IOMC_LANES];
static ucontext_t driver;
static jmp_buf call;
static bool in_call;

void iomc_stop_at(int point, const void *object)
{
	struct lane *me = &lanes[iomc.lane];

	me->point = point;
	me->atomic = iomc.atomic;
	me->object = object;
	swapcontext(&me->context, &driver);
	/* Whoever runs this lane again has set iomc.lane and iomc.cpu. */
}

void iomc_crash(const char *why)
{
	if (!iomc.crash)
		iomc.crash = why;
	if (iomc.lane >= 0)
		for (;;)
			iomc_stop_at(iomc_crashed, NULL);
	if (!in_call)
		abort();
	in_call = false;
	longjmp(call, 1);
}

void iomc_wait_for(struct iomc_lock *lock)
{
	if (iomc.lane < 0)
		iomc_crash("a lock is taken twice");
	while (lock->owner != 0) {
		if (lock->owner == (unsigned)iomc.lane + 1)
			iomc_crash("a lock is taken twice");
		iomc_stop_at(iomc_at_blocked, lock);
	}
}

bool iomc_call(void (*body)(void *), void *argument, unsigned cpu)
{
	iomc.cpu = cpu;
	if (setjmp(call) != 0)
		return false;
	in_call = true;
	body(argument);
	in_call = false;
	return true;
}

static void lane_main(void)
{
	struct lane *me = &lanes[iomc.lane];

	me->body(me->argument);
	me->alive = false;
	for (;;)
		iomc_stop_at(iomc_returned, NULL);
}

void iomc_lane_start(int lane, unsigned cpu, void (*body)(void *), void *argument)
{
	struct lane *me = &lanes[lane];

	if (!me->stack)
		me->stack = malloc(stack_bytes);
	getcontext(&me->context);
	me->context.uc_stack.ss_sp = me->stack;
	me->context.uc_stack.ss_size = stack_bytes;
	me->context.uc_link = NULL;
	me->body = body;
	me->argument = argument;
	me->cpu = cpu;
	me->alive = true;
	me->point = iomc_at_nothing;
	makecontext(&me->context, lane_main, 0);
}

/* What kernel code does to a NULL pointer ends its lane. */
static void bad_address(int signal)
{
	(void)signal;
	if (iomc.lane < 0)
		abort();
	iomc_crash("a bad address is used");
}

int iomc_lane_run(int lane, unsigned cpu)
{
	struct lane *me = &lanes[lane];
	struct sigaction action = { .sa_handler = bad_address, .sa_flags = SA_NODEFER }, before;

	sigaction(SIGSEGV, &action, &before);

	iomc.lane = lane;
	iomc.cpu = cpu;
	swapcontext(&driver, &me->context);
	sigaction(SIGSEGV, &before, NULL);
	iomc.lane = -1;
	iomc.point = me->point;
	iomc.atomic = me->atomic;
	iomc.object = me->object;
	return me->point;
}

bool iomc_lane_alive(int lane)
{
	return lanes[lane].alive;
}

void iomc_machine_reset(unsigned cpus)
{
	const int injected = iomc.injected;

	for (int i = 0; i < IOMC_LANES; ++i) {
		free(lanes[i].stack);
		memset(&lanes[i], 0, sizeof(lanes[i]));
	}
	memset(&iomc, 0, sizeof(iomc));
	iomc.injected = injected;
	iomc.lane = -1;
	iomc.cpus = iomc.online_count = cpus;
	memset(iomc.online, 1, cpus);
}
