/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What kernel sources include, for user space: every header that is not taken from the kernel tree is this one. Types
 * and functions have the kernel's names and meanings; what they do is ours. Only what the built files use is here.
 */
#ifndef IOMC_KERNEL_H
#define IOMC_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"

/* ---- types and compiler ------------------------------------------------------------------------------------- */

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;
typedef uint64_t dma_addr_t;
typedef uint64_t phys_addr_t;
typedef unsigned gfp_t;
typedef long ssize_t;
typedef unsigned short umode_t;

#define __percpu
#define __iomem
#define __user
#define __rcu
#define __init
#define __exit
#define __read_mostly
#define __must_check
#define __force
#define __maybe_unused __attribute__((unused))
#define __always_inline inline __attribute__((always_inline))
#define __packed __attribute__((packed))
#define __aligned(x) __attribute__((aligned(x)))
#define ____cacheline_aligned
#define noinline __attribute__((noinline))
#define fallthrough __attribute__((fallthrough))
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define barrier() __asm__ __volatile__("" ::: "memory")
#define typeof __typeof__
#define __same_type(a, b) __builtin_types_compatible_p(typeof(a), typeof(b))
#define static_assert(...) _Static_assert(1, "sizes are the business of the kernel's own build")

#define IS_ENABLED(option) 1
#define IS_REACHABLE(option) 1
#define IS_BUILTIN(option) 1
#define IS_MODULE(option) 0

#define EXPORT_SYMBOL(sym)
#define EXPORT_SYMBOL_GPL(sym)
#define MODULE_AUTHOR(text)
#define MODULE_DESCRIPTION(text)
#define MODULE_LICENSE(text)

#define container_of(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))
#define READ_ONCE(x) (*(const volatile typeof(x) *)&(x))
#define WRITE_ONCE(x, v) (*(volatile typeof(x) *)&(x) = (v))
#define rcu_assign_pointer(p, v) WRITE_ONCE(p, v)
#define smp_mb() barrier()
#define smp_wmb() barrier()
#define smp_rmb() barrier()

#define min(a, b) ({ typeof(a) a_ = (a); typeof(b) b_ = (b); a_ < b_ ? a_ : b_; })
#define max(a, b) ({ typeof(a) a_ = (a); typeof(b) b_ = (b); a_ > b_ ? a_ : b_; })
#define min_t(type, a, b) min((type)(a), (type)(b))
#define max_t(type, a, b) max((type)(a), (type)(b))
#define min_not_zero(a, b) ({ typeof(a) m_ = (a); typeof(b) n_ = (b); m_ == 0 ? n_ : (n_ == 0 ? m_ : min(m_, n_)); })
#define swap(a, b) do { typeof(a) t_ = (a); (a) = (b); (b) = t_; } while (0)
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define ALIGN(x, a) (((x) + ((typeof(x))(a) - 1)) & ~((typeof(x))(a) - 1))
#define ALIGN_DOWN(x, a) ((x) & ~((typeof(x))(a) - 1))
#define BIT(n) (1UL << (n))
#define BITS_PER_LONG 64
#define ULLONG_MAX (~0ULL)

#define EIO 5
#define ENOMEM 12
#define EFAULT 14
#define EBUSY 16
#define EEXIST 17
#define ENODEV 19
#define EINVAL 22
#define ENOSPC 28
#define ERANGE 34
#define ENOTSUPP 524
#define ERR_PTR(error) ((void *)(long)(error))
#define PTR_ERR(p) ((long)(p))
#define IS_ERR(p) ((unsigned long)(p) >= (unsigned long)-4095)

/* ---- bits --------------------------------------------------------------------------------------------------- */

static inline unsigned long fls_long(unsigned long x) { return x == 0 ? 0 : 64 - (unsigned)__builtin_clzl(x); }
static inline unsigned long __ffs(unsigned long x) { return (unsigned long)__builtin_ctzl(x); }
static inline bool is_power_of_2(unsigned long x) { return x != 0 && (x & (x - 1)) == 0; }
static inline unsigned long roundup_pow_of_two(unsigned long x) { return x <= 1 ? 1 : 1UL << fls_long(x - 1); }
static inline unsigned order_base_2(unsigned long x) { return x <= 1 ? 0 : (unsigned)fls_long(x - 1); }

/* ---- the machine -------------------------------------------------------------------------------------------- */

extern struct iomc_machine iomc;

void iomc_stop_at(int point, const void *object);      /* switches the lane out */
void iomc_crash(const char *why) __attribute__((noreturn)); /* ends the call that is under way */

static inline void iomc_point(int point, const void *object)
{
	if (unlikely(iomc.lane >= 0))
		iomc_stop_at(point, object);
}

#define IOMC_TEXT_(x) #x
#define IOMC_TEXT(x) IOMC_TEXT_(x)
#define BUG() iomc_crash("BUG at " __FILE__ ":" IOMC_TEXT(__LINE__))
#define BUG_ON(condition) do { if (unlikely(condition)) BUG(); } while (0)
#define WARN_ON(condition) ({ bool c_ = !!(condition); if (unlikely(c_)) ++iomc.counts.warnings; c_; })
#define WARN_ON_ONCE(condition) WARN_ON(condition)
#define pr_err(...) do { } while (0)
#define pr_warn(...) do { } while (0)
#define pr_info(...) do { } while (0)

/* ---- CPUs --------------------------------------------------------------------------------------------------- */

#define for_each_possible_cpu(cpu) for ((cpu) = 0; (cpu) < iomc.cpus; ++(cpu))
unsigned iomc_next_online(unsigned cpu);
#define for_each_online_cpu(cpu) for ((cpu) = iomc_next_online(0); (cpu) < iomc.cpus; (cpu) = iomc_next_online((cpu) + 1))
#define num_online_cpus() (iomc.online_count)
#define cache_line_size() 64

/* One copy for each CPU, a whole number of cache lines apart; how far stands in front of the first. */
void *iomc_alloc_percpu(size_t size);
#define __alloc_percpu(size, align) iomc_alloc_percpu(size)
#define alloc_percpu(type) ((type *)iomc_alloc_percpu(sizeof(type)))
void free_percpu(void *p);
#define per_cpu_ptr(p, c) ((typeof(p))((char *)(p) + (size_t)(c) * ((const size_t *)(p))[-1]))
#define raw_cpu_ptr(p) ({ iomc_point(iomc_at_cpu, (p)); per_cpu_ptr(p, iomc.cpu); })

/* ---- locks -------------------------------------------------------------------------------------------------- */

typedef struct iomc_lock spinlock_t;

void iomc_wait_for(struct iomc_lock *lock); /* returns once nobody holds it */

static inline void spin_lock_init(spinlock_t *lock) { memset(lock, 0, sizeof(*lock)); }
static inline void spin_lock(spinlock_t *lock)
{
	iomc_point(iomc_at_lock, lock);
	if (unlikely(lock->owner != 0))
		iomc_wait_for(lock);
	lock->owner = (unsigned)(iomc.lane < 0 ? 1 : iomc.lane + 1);
	++iomc.counts.locks[lock->kind];
}
static inline void spin_unlock(spinlock_t *lock)
{
	if (unlikely(lock->owner == 0))
		iomc_crash("a lock is let go that nobody holds");
	iomc_point(iomc_at_unlocking, lock);
	lock->owner = 0;
	iomc_point(iomc_at_unlock, lock);
}
#define spin_lock_irqsave(lock, flags) do { (flags) = 0; spin_lock(lock); } while (0)
#define spin_unlock_irqrestore(lock, flags) do { (void)(flags); spin_unlock(lock); } while (0)
#define assert_spin_locked(lock) do { if ((lock)->owner == 0) iomc_crash("a lock that should be held is not"); } while (0)

struct mutex { struct iomc_lock lock; };
#define DEFINE_MUTEX(name) struct mutex name
#define mutex_init(m) spin_lock_init(&(m)->lock)
#define mutex_lock(m) do { spin_lock(&(m)->lock); iomc_point(iomc_at_mutex, &(m)->lock); } while (0)
#define mutex_unlock(m) spin_unlock(&(m)->lock)

/* ---- memory ------------------------------------------------------------------------------------------------- */

#define GFP_ATOMIC 1U
#define GFP_KERNEL 2U
#define __GFP_NOWARN 4U
#define SLAB_HWCACHE_ALIGN 0
#ifndef PAGE_SIZE
#define PAGE_SIZE 4096UL
#endif

struct kmem_cache {
	size_t size;
	void *free;      /* given back, the newest first */
	unsigned counted; /* which of iomc.live_objects */
};
struct kmem_cache *iomc_cache_create(const char *name, size_t size);
#define kmem_cache_create(name, size, align, flags, constructor) iomc_cache_create(name, size)
void kmem_cache_destroy(struct kmem_cache *cache);
void *kmem_cache_alloc(struct kmem_cache *cache, gfp_t flags);
void *kmem_cache_zalloc(struct kmem_cache *cache, gfp_t flags);
void kmem_cache_free(struct kmem_cache *cache, void *object);
void *kzalloc(size_t size, gfp_t flags);
#define kcalloc(n, size, flags) kzalloc((n) * (size), flags)
void kfree(const void *object);
#define kmemleak_transient_leak(p) ((void)0)

/* ---- lists, work, timers, hotplug --------------------------------------------------------------------------- */

struct hlist_node { struct hlist_node *next, **pprev; };
#define hlist_entry_safe(ptr, type, member) ((ptr) ? container_of(ptr, type, member) : NULL)

struct work_struct { void (*func)(struct work_struct *); bool pending; };
struct delayed_work { struct work_struct work; };
#define INIT_DELAYED_WORK(w, f) ((w)->work.func = (f), (w)->work.pending = false)
#define msecs_to_jiffies(ms) ((unsigned long)(ms))
bool schedule_delayed_work(struct delayed_work *work, unsigned long delay);
#define cancel_delayed_work_sync(w) ((w)->work.pending = false)

enum cpuhp_state { CPUHP_IOMMU_IOVA_DEAD, iomc_cpuhp_states };
int cpuhp_setup_state_multi(enum cpuhp_state state, const char *name, int (*up)(unsigned, struct hlist_node *),
			    int (*down)(unsigned, struct hlist_node *));
void cpuhp_remove_multi_state(enum cpuhp_state state);
int cpuhp_state_add_instance_nocalls(enum cpuhp_state state, struct hlist_node *node);
void cpuhp_state_remove_instance_nocalls(enum cpuhp_state state, struct hlist_node *node);
void iomc_cpu_down(unsigned cpu);
void iomc_cpu_up(unsigned cpu);

#ifdef IOMC_DMA
#include "iomc_dma.h"
#endif

#endif
