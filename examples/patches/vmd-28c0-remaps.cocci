// SPDX-License-Identifier: GPL-2.0-or-later
// Device 28C0 no longer bypasses the controller's MSI-X table: the direction of the patch of December 2022.
// As facts of 6.12: id_28c0 SRB -> SR. In the kernel tree:
//   spatch --sp-file vmd-28c0-remaps.cocci --patch . drivers/pci/controller/vmd.c > remaps.patch
//   iomc review remaps.patch --tree .
@@
expression features;
@@
 struct pci_device_id vmd_ids[] = { ..., {
 PCI_VDEVICE(INTEL, PCI_DEVICE_ID_INTEL_VMD_28C0), .driver_data =
- features | VMD_FEAT_CAN_BYPASS_MSI_REMAP
+ features
 , }, ... };
