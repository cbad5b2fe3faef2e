// SPDX-License-Identifier: GPL-2.0-or-later
// The shape of Intel's driver in 4.13, in words of this project: callers of its own, a table of unmapped ranges for each
// CPU whose fullness is looked at without its lock, and nothing else in caching mode. It is never compiled.

static unsigned long intel_alloc_iova(struct device *dev, struct dmar_domain *dom, unsigned long count, u64 mask)
{
	unsigned long pfn = 0;

	count = __roundup_pow_of_two(count);
	if (!dmar_forcedac && mask > DMA_BIT_MASK(32))
		pfn = alloc_iova_fast(&dom->iovad, count, IOVA_PFN(DMA_BIT_MASK(32)));
	return pfn ? pfn : alloc_iova_fast(&dom->iovad, count, IOVA_PFN(mask));
}

static void add_unmap(struct dmar_domain *dom, unsigned long pfn, unsigned long count, struct page *pages)
{
	struct deferred_flush_data *mine = raw_cpu_ptr(&deferred_flush);
	unsigned long irq;
	int cpu, at;

	if (mine->size == HIGH_WATER_MARK) {
		for_each_online_cpu(cpu)
			flush_unmaps_timeout(cpu);
	}
	spin_lock_irqsave(&mine->lock, irq);
	at = mine->tables[0].next++;
	mine->tables[0].entries[at].iova_pfn = pfn;
	mine->size++;
	spin_unlock_irqrestore(&mine->lock, irq);
}

static void intel_unmap(struct device *dev, dma_addr_t addr, size_t size)
{
	struct dmar_domain *dom = find_domain(dev);
	struct page *pages = domain_unmap(dom, addr, size);

	if (intel_iommu_strict)
		free_iova_fast(&dom->iovad, IOVA_PFN(addr), size >> PAGE_SHIFT);
	else
		add_unmap(dom, IOVA_PFN(addr), size >> PAGE_SHIFT, pages);
}

int __init intel_iommu_init(void)
{
	if (init_dmars())
		return -ENODEV;
	bus_set_iommu(&pci_bus_type, &intel_iommu_ops);
	return 0;
}
