// SPDX-License-Identifier: GPL-2.0-or-later
// A controller with more than 64 vectors remaps, whatever its features: the direction of the patches posted in 2024. To
// decide, they store the size of the table in msix_count, which is 0 in bypass mode otherwise.
// As facts of 6.12: count_term absent -> above_64. In the kernel tree:
//   spatch --sp-file vmd-low-msi-count.cocci --patch . drivers/pci/controller/vmd.c > low-count.patch
//   iomc review low-count.patch --tree .
@@
identifier controller;
expression features, offsets;
statement Remap, Bypass;
@@
 vmd_enable_domain(struct vmd_dev *controller, ...) {
 ... when any
+controller->msix_count = pci_msix_vec_count(controller->dev);
+if (controller->msix_count < 0)
+	return -ENODEV;
 if (!(features & VMD_FEAT_CAN_BYPASS_MSI_REMAP)
+    || controller->msix_count > 64
     || offsets[0] || offsets[1]) Remap
 else Bypass
 ... when any
 }
