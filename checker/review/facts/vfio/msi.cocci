// SPDX-License-Identifier: GPL-2.0-or-later
// Facts of VFIO_DEVICE_SET_IRQS for MSI and MSI-X: what a failed call takes back, and in what order a vector goes.
// reads: drivers/vfio/pci/vfio_pci_intrs.c

// ---- msi_partial_freed ----
@vectors_asked_for@
expression r;
@@
 vfio_msi_enable(...) {
 <+...
 r = pci_alloc_irq_vectors(...)
 ...+>
 }

@depends on vectors_asked_for@
expression vectors_asked_for.r, d;
statement S;
@@
 vfio_msi_enable(...) {
 <+...
 if (r > 0) { pci_free_irq_vectors(
+ /* iomc: msi_partial_freed = true */
 d); }
 else S
 ...+>
 }

@any_freed_at_enable@
@@
 vfio_msi_enable(...) {
 <+... pci_free_irq_vectors(...) ...+>
 }

@depends on !any_freed_at_enable@
expression r;
@@
 vfio_msi_enable(...) {
 <+...
 r = pci_alloc_irq_vectors(
+ /* iomc: msi_partial_freed = false */
 ...)
 ...+>
 }

// ---- msi_enable_unwound ----
@enable_unwound exists@
expression r, d, m;
statement S;
@@
 vfio_pci_set_msi_trigger(...) {
 ... when any
 r = vfio_msi_enable(...);
 ... when any
 r = vfio_msi_set_block(...);
 if (r) { vfio_msi_disable(
+ /* iomc: msi_enable_unwound = true */
 d, m); }
 else S
 ... when any
 }

@depends on !enable_unwound exists@
expression r;
@@
 vfio_pci_set_msi_trigger(...) {
 ... when any
 r = vfio_msi_enable(
+ /* iomc: msi_enable_unwound = false */
 ...);
 ... when any
(
 r = vfio_msi_set_block(...);
 ... when != vfio_msi_disable(...)
 return r;
|
 return vfio_msi_set_block(...);
)
 }

// ---- msi_block_unwound ----
@block_unwound exists@
expression d, m, r, fd, first, go_on, next;
identifier i, j, start;
statement S;
@@
 vfio_msi_set_block(...) {
 ... when any
 for (first; go_on; next) {
 ...
 r = vfio_msi_set_vector_signal(d, j, fd, m);
 }
 if (r) {
 for (i = start; i < j; i++) { vfio_msi_set_vector_signal(d, i,
+ /* iomc: msi_block_unwound = true */
 -1, m); }
 }
 else S
 ... when any
 }

@any_unwound_vector@
expression d, i, m;
@@
 vfio_msi_set_block(...) {
 <+... vfio_msi_set_vector_signal(d, i, -1, m) ...+>
 }

@depends on !any_unwound_vector@
expression r;
@@
 vfio_msi_set_block(...) {
 <+...
 r = vfio_msi_set_vector_signal(
+ /* iomc: msi_block_unwound = false */
 ...)
 ...+>
 }

// ---- msi_error_puts ----
@error_puts exists@
expression irq, f, n, r;
identifier t;
symbol vfio_msihandler;
@@
 vfio_msi_set_vector_signal(...) {
 ... when any
(
 r = request_irq(irq, vfio_msihandler, f, n, t);
|
 r = request_threaded_irq(irq, vfio_msihandler, NULL, f, n, t);
)
 ... when any
     when != return 0;
 eventfd_ctx_put(
+ /* iomc: msi_error_puts = true */
 t);
 ... when any
 }

@depends on !error_puts@
expression irq, f, n, r, t;
@@
 vfio_msi_set_vector_signal(...) {
 <+...
(
 r = request_irq(
+ /* iomc: msi_error_puts = false */
 irq, vfio_msihandler, f, n, t)
|
 r = request_threaded_irq(
+ /* iomc: msi_error_puts = false */
 irq, vfio_msihandler, NULL, f, n, t)
)
 ...+>
 }

// ---- msi_freed_before_put ----
@put_then_freed exists@
expression irq, t;
@@
 vfio_msi_set_vector_signal(...) {
 ... when any
 eventfd_ctx_put(t);
 ... when any
 free_irq(irq,
+ /* iomc: msi_freed_before_put = false */
 t);
 ... when any
 }

@depends on !put_then_freed exists@
expression irq, t;
@@
 vfio_msi_set_vector_signal(...) {
 ... when any
 free_irq(irq, t);
 ... when any
 eventfd_ctx_put(
+ /* iomc: msi_freed_before_put = true */
 t);
 ... when any
 }

// ---- msi_disable_unsets ----
@disable_unsets exists@
expression d, i, n, m;
@@
 vfio_msi_disable(...) {
 ... when any
(
 vfio_msi_set_vector_signal(
+ /* iomc: msi_disable_unsets = true */
 d, i, -1, m);
|
 vfio_msi_set_block(
+ /* iomc: msi_disable_unsets = true */
 d, 0, n, NULL, m);
)
 ... when any
 pci_free_irq_vectors(...);
 ... when any
 }

@any_unset@
identifier f = { vfio_msi_set_vector_signal, vfio_msi_set_block };
@@
 vfio_msi_disable(...) {
 <+... f(...) ...+>
 }

@depends on !any_unset@
@@
 vfio_msi_disable(...) {
 <+...
 pci_free_irq_vectors(
+ /* iomc: msi_disable_unsets = false */
 ...)
 ...+>
 }
