// SPDX-License-Identifier: GPL-2.0-or-later
// What 4.15 has otherwise than 4.13, in words of this project: an anchor and two cached nodes, the flag of
// alloc_iova_fast, the search of a whole magazine, and the flush queue inside iova.c. The functions replace those of
// the same name in iova_413.c.

#define IOVA_FQ_SIZE 256

void init_iova_domain(struct iova_domain *dom, unsigned long gran, unsigned long first)
{
	dom->cached_node = &dom->anchor.node;
	dom->cached32_node = &dom->anchor.node;
	dom->dma_32bit_pfn = 1UL << (32 - iova_shift(dom));
	init_iova_rcaches(dom);
}

static struct rb_node *__get_cached_rbnode(struct iova_domain *dom, unsigned long end)
{
	if (end <= dom->dma_32bit_pfn)
		return dom->cached32_node;
	return dom->cached_node;
}

static void __cached_rbnode_delete_update(struct iova_domain *dom, struct iova *gone)
{
	struct iova *near = rb_entry(dom->cached32_node, struct iova, node);

	if (gone->pfn_hi < dom->dma_32bit_pfn && gone->pfn_lo >= near->pfn_lo)
		dom->cached32_node = rb_next(&gone->node);
	near = rb_entry(dom->cached_node, struct iova, node);
	if (gone->pfn_lo >= near->pfn_lo)
		dom->cached_node = rb_next(&gone->node);
}

static int __alloc_and_insert_iova_range(struct iova_domain *dom, unsigned long count, unsigned long end,
					 struct iova *fresh, bool align)
{
	struct rb_node *at, *right;
	struct iova *here;
	unsigned long irq, lo, mask = ~0UL;

	if (align)
		mask <<= fls_long(count - 1);
	spin_lock_irqsave(&dom->iova_rbtree_lock, irq);
	at = __get_cached_rbnode(dom, end);
	here = rb_entry(at, struct iova, node);
	do {
		end = min(end, here->pfn_lo);
		lo = (end - count) & mask;
		right = at;
		at = rb_prev(at);
		here = rb_entry(at, struct iova, node);
	} while (at && lo <= here->pfn_hi);
	if (end < count || lo < dom->start_pfn) {
		spin_unlock_irqrestore(&dom->iova_rbtree_lock, irq);
		return -ENOMEM;
	}
	fresh->pfn_lo = lo;
	fresh->pfn_hi = lo + count - 1;
	iova_insert_rbtree(&dom->rbroot, fresh, right);
	__cached_rbnode_insert_update(dom, fresh);
	spin_unlock_irqrestore(&dom->iova_rbtree_lock, irq);
	return 0;
}

unsigned long alloc_iova_fast(struct iova_domain *dom, unsigned long count, unsigned long end, bool empty_caches)
{
	unsigned long pfn;
	struct iova *fresh;

	pfn = iova_rcache_get(dom, count, end + 1);
	if (pfn)
		return pfn;
again:
	fresh = alloc_iova(dom, count, end, true);
	if (!fresh) {
		unsigned int c;

		if (!empty_caches)
			return 0;
		empty_caches = false;
		for_each_online_cpu(c)
			free_cpu_cached_iovas(c, dom);
		goto again;
	}
	return fresh->pfn_lo;
}

static unsigned long iova_magazine_pop(struct iova_magazine *m, unsigned long end)
{
	unsigned long pfn;
	int n;

	for (n = m->size - 1; m->pfns[n] > end; n--)
		if (n == 0)
			return 0;
	pfn = m->pfns[n];
	m->pfns[n] = m->pfns[--m->size];
	return pfn;
}

static unsigned long iova_rcache_get(struct iova_domain *dom, unsigned long count, unsigned long end)
{
	unsigned int order = order_base_2(count);

	if (order >= IOVA_RANGE_CACHE_MAX_SIZE)
		return 0;
	return __iova_rcache_get(&dom->rcaches[order], end - count);
}

void free_iova_flush_queue(struct iova_domain *dom)
{
	if (timer_pending(&dom->fq_timer))
		del_timer(&dom->fq_timer);
	fq_destroy_all_entries(dom);
	free_percpu(dom->fq);
}

static unsigned fq_ring_add(struct iova_fq *q)
{
	unsigned n = q->tail;

	q->tail = (n + 1) % IOVA_FQ_SIZE;
	return n;
}

void queue_iova(struct iova_domain *dom, unsigned long pfn, unsigned long count, unsigned long data)
{
	struct iova_fq *q = raw_cpu_ptr(dom->fq);
	unsigned long irq;
	unsigned n;

	spin_lock_irqsave(&q->lock, irq);
	fq_ring_free(dom, q);
	if (fq_full(q)) {
		iova_domain_flush(dom);
		fq_ring_free(dom, q);
	}
	n = fq_ring_add(q);
	q->entries[n].iova_pfn = pfn;
	q->entries[n].counter = atomic64_read(&dom->fq_flush_start_cnt);
	spin_unlock_irqrestore(&q->lock, irq);
	if (atomic_cmpxchg(&dom->fq_timer_on, 0, 1) == 0)
		mod_timer(&dom->fq_timer, jiffies + msecs_to_jiffies(IOVA_FQ_TIMEOUT));
}

int init_iova_flush_queue(struct iova_domain *dom, iova_flush_cb flush, iova_entry_dtor release)
{
	int cpu;

	dom->fq = alloc_percpu(struct iova_fq);
	if (!dom->fq)
		return -ENOMEM;
	dom->flush_cb = flush;
	for_each_possible_cpu(cpu)
		spin_lock_init(&per_cpu_ptr(dom->fq, cpu)->lock);
	setup_timer(&dom->fq_timer, fq_flush_timeout, (unsigned long)dom);
	return 0;
}
