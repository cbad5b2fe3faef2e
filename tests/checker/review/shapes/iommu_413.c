// SPDX-License-Identifier: GPL-2.0-or-later
// The shape of drivers/iommu/iommu.c in 4.13: nothing changes the type of a domain in use. It is never compiled.

struct iommu_group *iommu_group_alloc(void)
{
	return kzalloc(sizeof(struct iommu_group), GFP_KERNEL);
}
