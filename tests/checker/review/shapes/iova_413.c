// SPDX-License-Identifier: GPL-2.0-or-later
// The shape of the allocator in 4.13, in words of this project: one cached node that may be NULL, exclusive limits, a
// flush on every failure, no flush queue. Only what the fact rules look at; it is never compiled.

#define IOVA_RANGE_CACHE_MAX_SIZE 6
#define IOVA_MAG_SIZE (1 << 7)
#define MAX_GLOBAL_MAGS 32

void init_iova_domain(struct iova_domain *dom, unsigned long gran, unsigned long first, unsigned long last32)
{
	dom->cached32_node = NULL;
	dom->dma_32bit_pfn = last32 + 1;
	init_iova_rcaches(dom);
}

static struct rb_node *__get_cached_rbnode(struct iova_domain *dom, unsigned long *end)
{
	struct rb_node *below;
	struct iova *near;

	if (dom->cached32_node == NULL || *end > dom->dma_32bit_pfn)
		return rb_last(&dom->rbroot);
	below = rb_prev(dom->cached32_node);
	near = rb_entry(dom->cached32_node, struct iova, node);
	*end = near->pfn_lo;
	return below;
}

static void __cached_rbnode_delete_update(struct iova_domain *dom, struct iova *gone)
{
	struct iova *near;

	if (!dom->cached32_node)
		return;
	near = rb_entry(dom->cached32_node, struct iova, node);
	if (gone->pfn_lo >= near->pfn_lo) {
		struct rb_node *up = rb_next(&gone->node);

		dom->cached32_node = NULL;
		if (up && rb_entry(up, struct iova, node)->pfn_lo < dom->dma_32bit_pfn)
			dom->cached32_node = up;
	}
}

static int __alloc_and_insert_iova_range(struct iova_domain *dom, unsigned long count, unsigned long end,
					 struct iova *fresh, bool align)
{
	struct rb_node *right, *at = NULL;
	unsigned long asked = end, irq;
	unsigned int pad = 0;

	spin_lock_irqsave(&dom->iova_rbtree_lock, irq);
	at = __get_cached_rbnode(dom, &end);
	right = at;
	while (at) {
		struct iova *here = rb_entry(at, struct iova, node);

		if (end <= here->pfn_lo) {
			goto left;
		} else if (end > here->pfn_hi) {
			if (align)
				pad = iova_get_pad_size(count, end);
			if ((here->pfn_hi + count + pad) < end)
				break;
		}
		end = here->pfn_lo;
left:
		right = at;
		at = rb_prev(at);
	}
	if (!at) {
		if (align)
			pad = iova_get_pad_size(count, end);
		if ((dom->start_pfn + count + pad) > end) {
			spin_unlock_irqrestore(&dom->iova_rbtree_lock, irq);
			return -ENOMEM;
		}
	}
	fresh->pfn_lo = end - (count + pad);
	fresh->pfn_hi = fresh->pfn_lo + count - 1;
	iova_insert_rbtree(&dom->rbroot, fresh, right);
	__cached_rbnode_insert_update(dom, asked, fresh);
	spin_unlock_irqrestore(&dom->iova_rbtree_lock, irq);
	return 0;
}

struct iova *alloc_iova_mem(void)
{
	return kmem_cache_alloc(iova_cache, GFP_ATOMIC);
}

struct iova *alloc_iova(struct iova_domain *dom, unsigned long count, unsigned long end, bool align)
{
	struct iova *fresh = alloc_iova_mem();

	if (!fresh)
		return NULL;
	if (__alloc_and_insert_iova_range(dom, count, end + 1, fresh, align)) {
		free_iova_mem(fresh);
		return NULL;
	}
	return fresh;
}

void free_iova(struct iova_domain *dom, unsigned long where)
{
	struct iova *range = find_iova(dom, where);

	if (range)
		__free_iova(dom, range);
}

unsigned long alloc_iova_fast(struct iova_domain *dom, unsigned long count, unsigned long end)
{
	bool emptied = false;
	unsigned long pfn;
	struct iova *fresh;

	pfn = iova_rcache_get(dom, count, end);
	if (pfn)
		return pfn;
again:
	fresh = alloc_iova(dom, count, end, true);
	if (!fresh) {
		unsigned int c;

		if (emptied)
			return 0;
		emptied = true;
		for_each_online_cpu(c)
			free_cpu_cached_iovas(c, dom);
		goto again;
	}
	return fresh->pfn_lo;
}

static void iova_magazine_free_pfns(struct iova_magazine *m, struct iova_domain *dom)
{
	unsigned long irq;
	int n;

	spin_lock_irqsave(&dom->iova_rbtree_lock, irq);
	for (n = 0; n < m->size; ++n) {
		struct iova *range = private_find_iova(dom, m->pfns[n]);

		BUG_ON(!range);
		private_free_iova(dom, range);
	}
	spin_unlock_irqrestore(&dom->iova_rbtree_lock, irq);
	m->size = 0;
}

static bool iova_magazine_full(struct iova_magazine *m)
{
	return m && m->size == IOVA_MAG_SIZE;
}

static unsigned long iova_magazine_pop(struct iova_magazine *m, unsigned long end)
{
	BUG_ON(iova_magazine_empty(m));
	if (m->pfns[m->size - 1] >= end)
		return 0;
	return m->pfns[--m->size];
}

static void init_iova_rcaches(struct iova_domain *dom)
{
	struct iova_cpu_rcache *mine;
	unsigned int c;
	int o;

	for (o = 0; o < IOVA_RANGE_CACHE_MAX_SIZE; ++o) {
		for_each_possible_cpu(c) {
			mine = per_cpu_ptr(dom->rcaches[o].cpu_rcaches, c);
			mine->loaded = iova_magazine_alloc(GFP_KERNEL);
			mine->prev = iova_magazine_alloc(GFP_KERNEL);
		}
	}
}

static bool __iova_rcache_insert(struct iova_domain *dom, struct iova_rcache *bin, unsigned long pfn)
{
	struct iova_cpu_rcache *mine = raw_cpu_ptr(bin->cpu_rcaches);
	struct iova_magazine *spill = NULL;
	bool fits = false;
	unsigned long irq;

	spin_lock_irqsave(&mine->lock, irq);
	if (!iova_magazine_full(mine->loaded)) {
		fits = true;
	} else {
		struct iova_magazine *empty = iova_magazine_alloc(GFP_ATOMIC);

		if (empty) {
			spin_lock(&bin->lock);
			if (bin->depot_size < MAX_GLOBAL_MAGS)
				bin->depot[bin->depot_size++] = mine->loaded;
			else
				spill = mine->loaded;
			spin_unlock(&bin->lock);
			mine->loaded = empty;
			fits = true;
		}
	}
	if (fits)
		iova_magazine_push(mine->loaded, pfn);
	spin_unlock_irqrestore(&mine->lock, irq);
	if (spill) {
		iova_magazine_free_pfns(spill, dom);
		iova_magazine_free(spill);
	}
	return fits;
}

static bool iova_rcache_insert(struct iova_domain *dom, unsigned long pfn, unsigned long count)
{
	unsigned int order = order_base_2(count);

	if (order >= IOVA_RANGE_CACHE_MAX_SIZE)
		return false;
	return __iova_rcache_insert(dom, &dom->rcaches[order], pfn);
}

static unsigned long __iova_rcache_get(struct iova_rcache *bin, unsigned long end)
{
	struct iova_cpu_rcache *mine = raw_cpu_ptr(bin->cpu_rcaches);
	unsigned long irq, pfn = 0;

	spin_lock_irqsave(&mine->lock, irq);
	if (!iova_magazine_empty(mine->loaded))
		pfn = iova_magazine_pop(mine->loaded, end);
	spin_unlock_irqrestore(&mine->lock, irq);
	return pfn;
}

static unsigned long iova_rcache_get(struct iova_domain *dom, unsigned long count, unsigned long end)
{
	unsigned int order = order_base_2(count);

	if (order >= IOVA_RANGE_CACHE_MAX_SIZE)
		return 0;
	return __iova_rcache_get(&dom->rcaches[order], end);
}
