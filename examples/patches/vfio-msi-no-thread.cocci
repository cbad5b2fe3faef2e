// SPDX-License-Identifier: GPL-2.0-or-later
// The handler of MSI and MSI-X is never forced into a thread: the direction of the patch of November 2017.
// As facts of 6.12: msi_handler_flags 0 -> NO_THREAD. In the kernel tree:
//   spatch --sp-file vfio-msi-no-thread.cocci --patch . drivers/vfio/pci/vfio_pci_intrs.c > no-thread.patch
//   iomc review no-thread.patch --tree .
@@
expression irq, name, trigger;
@@
 request_irq(irq, vfio_msihandler,
- 0
+ IRQF_NO_THREAD
 , name, trigger)
