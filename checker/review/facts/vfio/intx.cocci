// SPDX-License-Identifier: GPL-2.0-or-later
// What the INTx handler does to its line.
// reads: drivers/vfio/pci/vfio_pci_intrs.c

// ---- intx_handler_tests_mask ----
@tests_mask@
expression c, i;
statement S;
@@
 vfio_intx_handler(...) {
 <+...
 if (!c->masked) {
 disable_irq_nosync(
+ /* iomc: intx_handler_tests_mask = true */
 i);
 } else S
 ...+>
 }

@depends on !tests_mask@
expression d, i;
statement S;
@@
 vfio_intx_handler(...) {
 <+...
 if (!d->pci_2_3) {
 disable_irq_nosync(
+ /* iomc: intx_handler_tests_mask = false */
 i);
 ...
 } else S
 ...+>
 }
