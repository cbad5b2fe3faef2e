// SPDX-License-Identifier: GPL-2.0-or-later
// The shape of AMD's driver in 4.12, in words of this project: callers of its own, a list of unmapped ranges for each CPU
// that is flushed when it is full, and a strict unmap that frees first. It is never compiled.

static unsigned long dma_ops_alloc_iova(struct device *dev, struct dma_ops_domain *dom, unsigned int count, u64 mask)
{
	unsigned long pfn = 0;

	count = __roundup_pow_of_two(count);
	if (mask > DMA_BIT_MASK(32))
		pfn = alloc_iova_fast(&dom->iovad, count, IOVA_PFN(DMA_BIT_MASK(32)));
	if (!pfn)
		pfn = alloc_iova_fast(&dom->iovad, count, IOVA_PFN(mask));
	return pfn << PAGE_SHIFT;
}

static void queue_add(struct dma_ops_domain *dom, unsigned long addr, unsigned long count)
{
	struct flush_queue *mine = get_cpu_ptr(&flush_queue);
	struct flush_queue_entry *entry;
	unsigned long irq;

	spin_lock_irqsave(&mine->lock, irq);
	if (mine->next == FLUSH_QUEUE_SIZE)
		__queue_flush(mine);
	entry = mine->entries + mine->next++;
	entry->iova_pfn = addr >> PAGE_SHIFT;
	spin_unlock_irqrestore(&mine->lock, irq);
	put_cpu_ptr(&flush_queue);
}

static void __unmap_single(struct dma_ops_domain *dom, dma_addr_t addr, size_t size, int dir)
{
	unsigned int count = iommu_num_pages(addr, size, PAGE_SIZE);

	unmap_pages(dom, addr, count);
	if (amd_iommu_unmap_flush) {
		dma_ops_free_iova(dom, addr, count);
		domain_flush_tlb(&dom->domain);
		domain_flush_complete(&dom->domain);
	} else {
		queue_add(dom, addr, count);
	}
}

static bool amd_iommu_capable(enum iommu_cap cap)
{
	return cap == IOMMU_CAP_CACHE_COHERENCY;
}
