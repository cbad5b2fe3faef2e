// SPDX-License-Identifier: GPL-2.0-or-later
// Facts of vmd_ids in drivers/pci/controller/vmd.c: which devices there are, and the features of each.
// README.md in the folder above tells how rules are read.
// reads: drivers/pci/controller/vmd.c
// flags: VMD_FEAT_HAS_MEMBAR_SHADOW=S VMD_FEAT_HAS_BUS_RESTRICTIONS=R VMD_FEAT_HAS_MEMBAR_SHADOW_VSCAP=V
// flags: VMD_FEAT_OFFSET_FIRST_VECTOR=O VMD_FEAT_CAN_BYPASS_MSI_REMAP=B VMD_FEAT_BIOS_PM_QUIRK=P 0=none

// Each device has three rules: its features, none at all, and not in the list.

// ---- id_201d ----
@@
symbol vmd_ids;
identifier device = { PCI_VDEVICE, PCI_DEVICE };
expression vendor, e;
@@
 struct pci_device_id vmd_ids[] = { ..., {
 device(vendor, \( PCI_DEVICE_ID_INTEL_VMD_201D \| 0x201d \)), .driver_data =
+ /* iomc: id_201d = #flags */
 e, }, ... };

@@
identifier device = { PCI_VDEVICE, PCI_DEVICE };
expression vendor;
@@
 struct pci_device_id vmd_ids[] = { ..., {
+ /* iomc: id_201d = none */
 device(vendor, \( PCI_DEVICE_ID_INTEL_VMD_201D \| 0x201d \)), }, ... };

@any_201d@
@@
 \( PCI_DEVICE_ID_INTEL_VMD_201D \| 0x201d \)

@depends on !any_201d@
@@
 struct pci_device_id vmd_ids[] =
+ /* iomc: id_201d = absent */
 { ... };

// ---- id_28c0 ----
@@
identifier device = { PCI_VDEVICE, PCI_DEVICE };
expression vendor, e;
@@
 struct pci_device_id vmd_ids[] = { ..., {
 device(vendor, \( PCI_DEVICE_ID_INTEL_VMD_28C0 \| 0x28c0 \)), .driver_data =
+ /* iomc: id_28c0 = #flags */
 e, }, ... };

@@
identifier device = { PCI_VDEVICE, PCI_DEVICE };
expression vendor;
@@
 struct pci_device_id vmd_ids[] = { ..., {
+ /* iomc: id_28c0 = none */
 device(vendor, \( PCI_DEVICE_ID_INTEL_VMD_28C0 \| 0x28c0 \)), }, ... };

@any_28c0@
@@
 \( PCI_DEVICE_ID_INTEL_VMD_28C0 \| 0x28c0 \)

@depends on !any_28c0@
@@
 struct pci_device_id vmd_ids[] =
+ /* iomc: id_28c0 = absent */
 { ... };

// ---- id_467f ----
@@
identifier device = { PCI_VDEVICE, PCI_DEVICE };
expression vendor, e;
@@
 struct pci_device_id vmd_ids[] = { ..., {
 device(vendor, 0x467f), .driver_data =
+ /* iomc: id_467f = #flags */
 e, }, ... };

@@
identifier device = { PCI_VDEVICE, PCI_DEVICE };
expression vendor;
@@
 struct pci_device_id vmd_ids[] = { ..., {
+ /* iomc: id_467f = none */
 device(vendor, 0x467f), }, ... };

@any_467f@
@@
 0x467f

@depends on !any_467f@
@@
 struct pci_device_id vmd_ids[] =
+ /* iomc: id_467f = absent */
 { ... };

// ---- id_4c3d ----
@@
identifier device = { PCI_VDEVICE, PCI_DEVICE };
expression vendor, e;
@@
 struct pci_device_id vmd_ids[] = { ..., {
 device(vendor, 0x4c3d), .driver_data =
+ /* iomc: id_4c3d = #flags */
 e, }, ... };

@@
identifier device = { PCI_VDEVICE, PCI_DEVICE };
expression vendor;
@@
 struct pci_device_id vmd_ids[] = { ..., {
+ /* iomc: id_4c3d = none */
 device(vendor, 0x4c3d), }, ... };

@any_4c3d@
@@
 0x4c3d

@depends on !any_4c3d@
@@
 struct pci_device_id vmd_ids[] =
+ /* iomc: id_4c3d = absent */
 { ... };

// ---- id_a77f ----
@@
identifier device = { PCI_VDEVICE, PCI_DEVICE };
expression vendor, e;
@@
 struct pci_device_id vmd_ids[] = { ..., {
 device(vendor, 0xa77f), .driver_data =
+ /* iomc: id_a77f = #flags */
 e, }, ... };

@@
identifier device = { PCI_VDEVICE, PCI_DEVICE };
expression vendor;
@@
 struct pci_device_id vmd_ids[] = { ..., {
+ /* iomc: id_a77f = none */
 device(vendor, 0xa77f), }, ... };

@any_a77f@
@@
 0xa77f

@depends on !any_a77f@
@@
 struct pci_device_id vmd_ids[] =
+ /* iomc: id_a77f = absent */
 { ... };

// ---- id_7d0b ----
@@
identifier device = { PCI_VDEVICE, PCI_DEVICE };
expression vendor, e;
@@
 struct pci_device_id vmd_ids[] = { ..., {
 device(vendor, 0x7d0b), .driver_data =
+ /* iomc: id_7d0b = #flags */
 e, }, ... };

@@
identifier device = { PCI_VDEVICE, PCI_DEVICE };
expression vendor;
@@
 struct pci_device_id vmd_ids[] = { ..., {
+ /* iomc: id_7d0b = none */
 device(vendor, 0x7d0b), }, ... };

@any_7d0b@
@@
 0x7d0b

@depends on !any_7d0b@
@@
 struct pci_device_id vmd_ids[] =
+ /* iomc: id_7d0b = absent */
 { ... };

// ---- id_ad0b ----
@@
identifier device = { PCI_VDEVICE, PCI_DEVICE };
expression vendor, e;
@@
 struct pci_device_id vmd_ids[] = { ..., {
 device(vendor, 0xad0b), .driver_data =
+ /* iomc: id_ad0b = #flags */
 e, }, ... };

@@
identifier device = { PCI_VDEVICE, PCI_DEVICE };
expression vendor;
@@
 struct pci_device_id vmd_ids[] = { ..., {
+ /* iomc: id_ad0b = none */
 device(vendor, 0xad0b), }, ... };

@any_ad0b@
@@
 0xad0b

@depends on !any_ad0b@
@@
 struct pci_device_id vmd_ids[] =
+ /* iomc: id_ad0b = absent */
 { ... };

// ---- id_9a0b ----
@@
identifier device = { PCI_VDEVICE, PCI_DEVICE };
expression vendor, e;
@@
 struct pci_device_id vmd_ids[] = { ..., {
 device(vendor, \( PCI_DEVICE_ID_INTEL_VMD_9A0B \| 0x9a0b \)), .driver_data =
+ /* iomc: id_9a0b = #flags */
 e, }, ... };

@@
identifier device = { PCI_VDEVICE, PCI_DEVICE };
expression vendor;
@@
 struct pci_device_id vmd_ids[] = { ..., {
+ /* iomc: id_9a0b = none */
 device(vendor, \( PCI_DEVICE_ID_INTEL_VMD_9A0B \| 0x9a0b \)), }, ... };

@any_9a0b@
@@
 \( PCI_DEVICE_ID_INTEL_VMD_9A0B \| 0x9a0b \)

@depends on !any_9a0b@
@@
 struct pci_device_id vmd_ids[] =
+ /* iomc: id_9a0b = absent */
 { ... };

// ---- id_b60b ----
@@
identifier device = { PCI_VDEVICE, PCI_DEVICE };
expression vendor, e;
@@
 struct pci_device_id vmd_ids[] = { ..., {
 device(vendor, 0xb60b), .driver_data =
+ /* iomc: id_b60b = #flags */
 e, }, ... };

@@
identifier device = { PCI_VDEVICE, PCI_DEVICE };
expression vendor;
@@
 struct pci_device_id vmd_ids[] = { ..., {
+ /* iomc: id_b60b = none */
 device(vendor, 0xb60b), }, ... };

@any_b60b@
@@
 0xb60b

@depends on !any_b60b@
@@
 struct pci_device_id vmd_ids[] =
+ /* iomc: id_b60b = absent */
 { ... };

// ---- id_b06f ----
@@
identifier device = { PCI_VDEVICE, PCI_DEVICE };
expression vendor, e;
@@
 struct pci_device_id vmd_ids[] = { ..., {
 device(vendor, 0xb06f), .driver_data =
+ /* iomc: id_b06f = #flags */
 e, }, ... };

@@
identifier device = { PCI_VDEVICE, PCI_DEVICE };
expression vendor;
@@
 struct pci_device_id vmd_ids[] = { ..., {
+ /* iomc: id_b06f = none */
 device(vendor, 0xb06f), }, ... };

@any_b06f@
@@
 0xb06f

@depends on !any_b06f@
@@
 struct pci_device_id vmd_ids[] =
+ /* iomc: id_b06f = absent */
 { ... };

// ---- id_b07f ----
@@
identifier device = { PCI_VDEVICE, PCI_DEVICE };
expression vendor, e;
@@
 struct pci_device_id vmd_ids[] = { ..., {
 device(vendor, 0xb07f), .driver_data =
+ /* iomc: id_b07f = #flags */
 e, }, ... };

@@
identifier device = { PCI_VDEVICE, PCI_DEVICE };
expression vendor;
@@
 struct pci_device_id vmd_ids[] = { ..., {
+ /* iomc: id_b07f = none */
 device(vendor, 0xb07f), }, ... };

@any_b07f@
@@
 0xb07f

@depends on !any_b07f@
@@
 struct pci_device_id vmd_ids[] =
+ /* iomc: id_b07f = absent */
 { ... };
