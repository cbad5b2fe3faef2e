// SPDX-License-Identifier: GPL-2.0-or-later
// The shape of Intel's driver in 4.13, in words of this project: its own callers and tables of unmapped ranges, and no
// other way in caching mode. It is never compiled.

int __init intel_iommu_init(void)
{
	if (init_dmars())
		return -ENODEV;
	bus_set_iommu(&pci_bus_type, &intel_iommu_ops);
	return 0;
}
