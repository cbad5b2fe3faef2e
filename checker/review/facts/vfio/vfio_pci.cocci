// SPDX-License-Identifier: GPL-2.0-or-later
// Facts of drivers/vfio/: the handlers, their flags and their lifetimes, and what protects the triggers.
// reads: drivers/vfio/pci/vfio_pci_intrs.c drivers/vfio/virqfd.c
// reads: drivers/vfio/vfio_main.c(vfio_set_irqs_validate_and_prepare)
// reads: drivers/vfio/pci/vfio_pci_core.c(vfio_pci_core_aer_err_detected,vfio_pci_core_close_device)
// reads in some kernels: drivers/vfio/vfio.c(vfio_set_irqs_validate_and_prepare)
// reads in some kernels: drivers/vfio/pci/vfio_pci.c(vfio_pci_aer_err_detected,vfio_pci_release)

// ---- msi_handler_flags ----
@@
expression irq, name, t;
symbol vfio_msihandler, vfio_intx_handler;
@@
(
 request_irq(irq, vfio_msihandler,
+ /* iomc: msi_handler_flags = 0 */
 0, name, t)
|
 request_irq(irq, vfio_msihandler,
+ /* iomc: msi_handler_flags = NO_THREAD */
 IRQF_NO_THREAD, name, t)
|
 request_irq(irq, vfio_msihandler,
+ /* iomc: msi_handler_flags = ONESHOT */
 IRQF_ONESHOT, name, t)
|
 request_threaded_irq(irq, vfio_msihandler, NULL,
+ /* iomc: msi_handler_flags = 0 */
 0, name, t)
|
 request_threaded_irq(irq, vfio_msihandler, NULL,
+ /* iomc: msi_handler_flags = NO_THREAD */
 IRQF_NO_THREAD, name, t)
|
 request_threaded_irq(irq, vfio_msihandler, NULL,
+ /* iomc: msi_handler_flags = ONESHOT */
 IRQF_ONESHOT, name, t)
)

// ---- intx_handler_flags ----
// The flags are a variable, SHARED or not; every store to it must be known.
@intx_var@
identifier flags;
expression irq, name, d, more;
@@
 request_irq(irq, vfio_intx_handler, \( flags \| flags | more \), name, d)

@plain_store@
identifier intx_var.flags;
expression c;
position p;
@@
 flags =@p \( IRQF_SHARED \| 0 \| c ? IRQF_NO_AUTOEN : 0 \)

@odd_store@
identifier intx_var.flags;
expression e;
position p != plain_store.p;
@@
 flags =@p e

@plain_begin@
identifier intx_var.flags;
type T;
position p;
@@
 T flags@p = \( IRQF_SHARED \| 0 \);

@odd_begin@
identifier intx_var.flags;
type T;
expression e;
position p != plain_begin.p;
@@
 T flags@p = e;

@odd_change@
identifier intx_var.flags;
expression e;
assignment operator op = { |=, &=, ^=, += };
@@
 flags op e

@depends on plain_store && !odd_store && !odd_begin && !odd_change@
identifier intx_var.flags;
expression irq, name, d;
@@
 request_irq(irq, vfio_intx_handler,
(
+ /* iomc: intx_handler_flags = NO_THREAD */
 flags | IRQF_NO_THREAD
|
+ /* iomc: intx_handler_flags = ONESHOT */
 flags | IRQF_ONESHOT
)
 , name, d)

@depends on plain_store && !odd_store && !odd_begin && !odd_change@
identifier intx_var.flags;
expression irq, name, d;
@@
 request_irq(irq, vfio_intx_handler,
+ /* iomc: intx_handler_flags = 0 */
 flags, name, d)

// ---- memory_lock ----
@locks_memory@
@@
 vfio_msi_set_vector_signal(...) {
 <+... vfio_pci_memory_lock_and_enable(...) ...+>
 }

@free_locked exists@
expression c, d;
@@
 vfio_msi_set_vector_signal(...) {
 ... when any
 c = vfio_pci_memory_lock_and_enable(d);
 ... when != vfio_pci_memory_unlock_and_restore(...);
 free_irq(
+ /* iomc: memory_lock = true */
 ...);
 ... when any
 }

@request_locked exists@
expression c, d, r;
@@
 vfio_msi_set_vector_signal(...) {
 ... when any
 c = vfio_pci_memory_lock_and_enable(d);
 ... when != vfio_pci_memory_unlock_and_restore(...);
 r = request_irq(
+ /* iomc: memory_lock = true */
 ...);
 ... when any
 }

@depends on !free_locked@
@@
 vfio_msi_set_vector_signal(...) {
 <+...
 free_irq(
+ /* iomc: memory_lock = false */
 ...);
 ...+>
 }

@depends on !request_locked@
@@
 vfio_msi_set_vector_signal(...) {
 <+...
 request_irq(
+ /* iomc: memory_lock = false */
 ...)
 ...+>
 }

// ---- dynamic_msix ----
@late_vector@
identifier fn;
@@
 fn(...) {
 <+...
 pci_msix_alloc_irq_at(...)
 ...+>
 }

@depends on late_vector@
identifier late_vector.fn;
@@
 vfio_msi_set_vector_signal(...) {
 <+...
 fn(
+ /* iomc: dynamic_msix = true */
 ...)
 ...+>
 }

@depends on !late_vector@
expression r, n;
@@
 vfio_msi_enable(...) {
 <+...
 r = pci_alloc_irq_vectors(
+ /* iomc: dynamic_msix = false */
 ...)
 ...+>
 }

// ---- set_irqs_validated ----
@no_overflow@
expression h;
@@
 vfio_set_irqs_validate_and_prepare(...) {
 <+...
 h->count >= (U32_MAX - h->start)
 ...+>
 }

@in_bounds@
expression h, n;
statement S;
@@
 vfio_set_irqs_validate_and_prepare(...) {
 <+...
 if (h->start >= n || h->start + h->count > n) S
 ...+>
 }

@depends on no_overflow && in_bounds@
expression h, n;
@@
 vfio_set_irqs_validate_and_prepare(...) {
 <+...
 h->start
+ /* iomc: set_irqs_validated = true */
 >= n
 ...+>
 }

@any_maximum@
@@
 U32_MAX

@depends on in_bounds && !no_overflow && !any_maximum@
expression h, n;
@@
 vfio_set_irqs_validate_and_prepare(...) {
 <+...
 h->start
+ /* iomc: set_irqs_validated = false */
 >= n
 ...+>
 }

// ---- intx_lifetime ----
@with_ctx@
expression r;
@@
 vfio_intx_enable(...) {
 <+...
 r = request_irq(
+ /* iomc: intx_lifetime = per_ctx */
 ...)
 ...+>
 }

@with_trigger@
expression r;
@@
 vfio_intx_set_signal(...) {
 <+...
 r = request_irq(
+ /* iomc: intx_lifetime = per_trigger */
 ...)
 ...+>
 }

// ---- intx_set_before_request ----
@set_first depends on with_ctx exists@
expression c, d, r, t;
@@
 vfio_intx_enable(...) {
 ... when any
 \( c.trigger = t; \| c->trigger = t; \| WRITE_ONCE(c->trigger, t); \| WRITE_ONCE(c.trigger, t); \)
 ... when any
 d->irq_type = VFIO_PCI_INTX_IRQ_INDEX;
 ... when any
     when != d->irq_type = r
 r = request_irq(
+ /* iomc: intx_set_before_request = true */
 ...);
 ... when any
 }

@set_first_signal depends on with_trigger exists@
expression c, r, t;
@@
 vfio_intx_set_signal(...) {
 ... when any
 \( c.trigger = t; \| c->trigger = t; \)
 ... when any
     when != \( c.trigger = NULL \| c->trigger = NULL \)
 r = request_irq(
+ /* iomc: intx_set_before_request = true */
 ...);
 ... when any
 }

@depends on with_ctx exists@
expression d, r;
@@
 vfio_intx_enable(...) {
 ... when != d->irq_type = VFIO_PCI_INTX_IRQ_INDEX
 r = request_irq(
+ /* iomc: intx_set_before_request = false */
 ...);
 ... when any
 d->irq_type = VFIO_PCI_INTX_IRQ_INDEX;
 ... when any
 }

@depends on !set_first && !set_first_signal exists@
identifier f = { vfio_intx_enable, vfio_intx_set_signal };
expression c, r, t;
@@
 f(...) {
 ... when any
 r = request_irq(
+ /* iomc: intx_set_before_request = false */
 ...);
 ... when any
 \( c.trigger = t; \| c->trigger = t; \)
 ... when any
 }

// ---- intx_config_igate ----
@exists@
identifier f = { vfio_pci_intx_mask, vfio_pci_intx_unmask };
expression d;
@@
 f(...) {
 ... when any
 mutex_lock(
+ /* iomc: intx_config_igate = true */
 &d->igate);
 ... when any
 mutex_unlock(&d->igate);
 ... when any
 }

@mask_mutex@
@@
 vfio_pci_intx_mask(...) {
 <+... mutex_lock(...) ...+>
 }

@depends on !mask_mutex@
expression d, f;
@@
 vfio_pci_intx_mask(...) {
 <+...
(
 spin_lock_irqsave(
+ /* iomc: intx_config_igate = false */
 &d->irqlock, f)
|
 __vfio_pci_intx_mask(
+ /* iomc: intx_config_igate = false */
 d)
)
 ...+>
 }

@unmask_mutex@
@@
 vfio_pci_intx_unmask(...) {
 <+... mutex_lock(...) ...+>
 }

@depends on !unmask_mutex@
expression d, c;
@@
 vfio_pci_intx_unmask(...) {
 <+...
(
 vfio_pci_intx_unmask_handler(
+ /* iomc: intx_config_igate = false */
 d, c)
|
 __vfio_pci_intx_unmask(
+ /* iomc: intx_config_igate = false */
 d)
)
 ...+>
 }

// ---- intx_trigger_checked ----
@sends_checked@
expression t;
statement S;
@@
 vfio_send_intx_eventfd(...) {
 <+...
 if (
+ /* iomc: intx_trigger_checked = true */
 likely(t)) { eventfd_signal(t, ...); }
 else S
 ...+>
 }

@sends_in_condition@
expression t;
@@
 vfio_send_intx_eventfd(...) {
 <+...
 if (<+... t ...+>) {
 <+... eventfd_signal(t, ...); ...+>
 }
 ...+>
 }

@depends on !sends_checked && !sends_in_condition@
@@
 vfio_send_intx_eventfd(...) {
 <+...
 eventfd_signal(
+ /* iomc: intx_trigger_checked = false */
 ...);
 ...+>
 }

// ---- intx_disable_unlazy ----
@unlazy exists@
expression d, r, irq;
statement S;
@@
 vfio_intx_enable(...) {
 ... when any
 if (!d->pci_2_3)
   { irq_set_status_flags(irq,
+ /* iomc: intx_disable_unlazy = true */
   IRQ_DISABLE_UNLAZY); }
 else S
 ... when any
 r = request_irq(...);
 ... when any
 }

@any_unlazy@
@@
 IRQ_DISABLE_UNLAZY

@depends on !any_unlazy@
identifier f = { vfio_intx_enable, vfio_intx_set_signal };
expression irq, a, n, d;
@@
 f(...) {
 <+...
 request_irq(irq,
+ /* iomc: intx_disable_unlazy = false */
 vfio_intx_handler, a, n, d)
 ...+>
 }

// ---- intx_frees_name ----
@named@
identifier n;
@@
 vfio_intx_enable(...) {
 <+...
 n = kasprintf(...);
 ...+>
 }

@frees_name depends on named exists@
identifier named.n;
expression c;
@@
 vfio_intx_enable(...) {
 ... when any
 n = kasprintf(...);
 ... when any
 if (!c) {
   kfree(
+ /* iomc: intx_frees_name = true */
   n);
   return -ENOMEM;
 }
 ... when any
 }

@depends on named && !frees_name exists@
identifier named.n;
expression c;
statement S;
@@
 vfio_intx_enable(...) {
 ... when any
 n = kasprintf(...);
 if (!n) S
 ... when any
     when != kfree(n);
 if (!c)
   { return
+ /* iomc: intx_frees_name = false */
   -ENOMEM; }
 ... when any
 }

// The handler that comes with the trigger brings its name along.
@depends on with_trigger && !named exists@
expression r, n;
@@
 vfio_intx_set_signal(...) {
 ... when any
 r = request_irq(...);
 if (r) {
 ... when any
 kfree(
+ /* iomc: intx_frees_name = true */
 n);
 ... when any
 return r;
 }
 ... when any
 }

// ---- err_trigger ----
// Who reads the trigger, and who drops it when the device is closed.
@read_igate exists@
identifier f = { vfio_pci_core_aer_err_detected, vfio_pci_aer_err_detected };
expression d;
@@
 f(...) {
 ... when any
 mutex_lock(&d->igate);
 ... when != mutex_unlock(&d->igate);
 eventfd_signal(d->err_trigger, ...);
 ... when any
 }

@drops@
identifier g = { vfio_pci_core_close_device, vfio_pci_release };
expression d;
@@
 g(...) {
 <+... \( d->err_trigger = NULL \| eventfd_ctx_put(d->err_trigger) \) ...+>
 }

@drops_locked exists@
identifier g = { vfio_pci_core_close_device, vfio_pci_release };
expression d;
@@
 g(...) {
 ... when any
 mutex_lock(&d->igate);
 ... when != mutex_unlock(&d->igate);
 eventfd_ctx_put(d->err_trigger);
 ... when any
 }

@depends on read_igate && (drops_locked || !drops)@
identifier f = { vfio_pci_core_aer_err_detected, vfio_pci_aer_err_detected };
expression d;
@@
 f(...) {
 <+...
 eventfd_signal(
+ /* iomc: err_trigger = igate */
 d->err_trigger, ...)
 ...+>
 }

@depends on read_igate && drops && !drops_locked@
identifier f = { vfio_pci_core_aer_err_detected, vfio_pci_aer_err_detected };
expression d;
@@
 f(...) {
 <+...
 eventfd_signal(
+ /* iomc: err_trigger = unlocked */
 d->err_trigger, ...)
 ...+>
 }

@@
identifier f = { vfio_pci_core_aer_err_detected, vfio_pci_aer_err_detected };
expression d, e;
@@
 f(...) {
 ... when any
 rcu_read_lock();
 ... when != rcu_read_unlock();
 e = rcu_dereference(
+ /* iomc: err_trigger = rcu */
 d->err_trigger);
 ... when any
 rcu_read_unlock();
 ... when any
 }

@read_locked@
identifier f = { vfio_pci_core_aer_err_detected, vfio_pci_aer_err_detected };
@@
 f(...) {
 <+... \( mutex_lock(...) \| rcu_read_lock() \| spin_lock_irqsave(...) \| srcu_read_lock(...) \) ...+>
 }

@depends on !read_locked@
identifier f = { vfio_pci_core_aer_err_detected, vfio_pci_aer_err_detected };
expression d;
@@
 f(...) {
 <+...
 eventfd_signal(
+ /* iomc: err_trigger = unlocked */
 d->err_trigger, ...)
 ...+>
 }

// ---- virqfd_locked ----
@@
symbol virqfd_lock;
expression v, f;
@@
 vfio_virqfd_disable(...) {
 ... when any
 spin_lock_irqsave(&virqfd_lock, f);
 ... when != spin_unlock_irqrestore(&virqfd_lock, f);
 if (*v) {
 <+...
 virqfd_deactivate(
+ /* iomc: virqfd_locked = true */
 *v);
 ...+>
 }
 ... when any
 }

@virqfd_any_lock@
identifier lock = { spin_lock_irqsave, spin_lock_irq, spin_lock, mutex_lock, raw_spin_lock_irqsave };
@@
 vfio_virqfd_disable(...) {
 <+... lock(...) ...+>
 }

@depends on !virqfd_any_lock@
expression v;
@@
 vfio_virqfd_disable(...) {
 <+...
 virqfd_deactivate(
+ /* iomc: virqfd_locked = false */
 v);
 ...+>
 }

// ---- virqfd_drains ----
@virqfd_reads@
expression v, n;
@@
 virqfd_wakeup(...) {
 <+...
 eventfd_ctx_do_read(
+ /* iomc: virqfd_drains = true */
 v->eventfd, n);
 ...+>
 }

@virqfd_any_read@
identifier f = { eventfd_ctx_do_read, eventfd_ctx_read, eventfd_ctx_remove_wait_queue };
@@
 virqfd_wakeup(...) {
 <+... f(...) ...+>
 }

@depends on !virqfd_any_read@
expression v;
@@
 virqfd_wakeup(...) {
 <+...
 schedule_work(
+ /* iomc: virqfd_drains = false */
 &v->inject);
 ...+>
 }

// ---- intx_no_autoen ----
@autoen_off@
expression c, f;
symbol IRQF_NO_AUTOEN;
@@
 vfio_intx_enable(...) {
 <+...
+ /* iomc: intx_no_autoen = true */
 f = c ? IRQF_NO_AUTOEN : 0;
 ...+>
 }

@autoen_any@
symbol IRQF_NO_AUTOEN;
@@
 IRQF_NO_AUTOEN

@depends on !autoen_any@
@@
 vfio_intx_set_signal(...) {
 <+...
 request_irq(
+ /* iomc: intx_no_autoen = false */
 ...)
 ...+>
 }
