// SPDX-License-Identifier: GPL-2.0-or-later
// The shape of the callers in 4.13, in words of this project: two attempts without a flag, no lock at the set-up of a
// domain, no DMA windows. It is never compiled.

static int iommu_dma_init_domain(struct iommu_domain *domain, dma_addr_t base, u64 size, struct device *dev)
{
	struct iova_domain *dom = &domain->iova_cookie->iovad;
	unsigned long order = __ffs(domain->pgsize_bitmap);

	if (dom->start_pfn) {
		if (1UL << order != dom->granule)
			return -EFAULT;
		return 0;
	}
	init_iova_domain(dom, 1UL << order, base >> order, (base + size - 1) >> order);
	return 0;
}

static dma_addr_t iommu_dma_alloc_iova(struct iommu_domain *domain, size_t size, dma_addr_t mask, struct device *dev)
{
	struct iova_domain *dom = &domain->iova_cookie->iovad;
	unsigned long bits = iova_shift(dom), count = size >> bits, pfn = 0;

	if (count < (1 << (IOVA_RANGE_CACHE_MAX_SIZE - 1)))
		count = roundup_pow_of_two(count);
	if (mask > DMA_BIT_MASK(32) && dev_is_pci(dev))
		pfn = alloc_iova_fast(dom, count, DMA_BIT_MASK(32) >> bits);
	if (!pfn)
		pfn = alloc_iova_fast(dom, count, mask >> bits);
	return (dma_addr_t)pfn << bits;
}

static void iommu_dma_free_iova(struct iommu_dma_cookie *cookie, dma_addr_t addr, size_t size)
{
	struct iova_domain *dom = &cookie->iovad;

	free_iova_fast(dom, iova_pfn(dom, addr), size >> iova_shift(dom));
}

int iommu_dma_map_sg(struct device *dev, struct scatterlist *list, int entries, int prot)
{
	struct iommu_domain *domain = iommu_get_domain_for_dev(dev);
	size_t total = total_length(list, entries);
	dma_addr_t addr;

	addr = iommu_dma_alloc_iova(domain, total, dma_get_mask(dev), dev);
	if (!addr)
		goto restore;
	if (iommu_map_sg(domain, addr, list, entries, prot) < total)
		goto free;
	return __finalise_sg(dev, list, entries, addr);
free:
	iommu_dma_free_iova(domain->iova_cookie, addr, total);
restore:
	__invalidate_sg(list, entries);
	return 0;
}
