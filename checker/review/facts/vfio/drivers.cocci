// SPDX-License-Identifier: GPL-2.0-or-later
// Facts of other drivers that share locks or contexts with the path.
// reads: drivers/vhost/vdpa.c drivers/xen/privcmd.c drivers/counter/interrupt-cnt.c
// reads: drivers/input/keyboard/gpio_keys.c(gpio_keys_setup_key)
// reads: drivers/net/ethernet/micrel/ks8851_common.c kernel/irq/msi.c

// ---- vdpa_token_follows_call ----
@unsets@
expression v, i;
@@
 vhost_vdpa_vring_ioctl(...) {
 <+...
 vhost_vdpa_unsetup_vq_irq(
+ /* iomc: vdpa_token_follows_call = true */
 v, i)
 ...+>
 }

@depends on !unsets@
expression p;
@@
 vhost_vdpa_setup_vq_irq(...) {
 <+...
 irq_bypass_unregister_producer(
+ /* iomc: vdpa_token_follows_call = false */
 p)
 ...+>
 }

// ---- privcmd_lock ----
@wakes@
@@
 irqfd_wakeup(...) { ... }

@depends on wakes@
expression f;
identifier l;
@@
 irqfd_wakeup(...) {
 <+...
(
 spin_lock_irqsave(
+ /* iomc: privcmd_lock = spinlock */
 &l, f);
|
 mutex_lock(
+ /* iomc: privcmd_lock = mutex */
 &l);
)
 ...+>
 }

// To 6.5 there are no irqfds there, and no lock.
@depends on !wakes@
expression f, u;
@@
 privcmd_ioctl(...) {
 <+...
 privcmd_ioctl_hypercall(
+ /* iomc: privcmd_lock = spinlock */
 f, u)
 ...+>
 }

// ---- counter_irq_flags ----
@@
expression d, i, n, p;
symbol interrupt_cnt_isr;
@@
 devm_request_irq(d, i, interrupt_cnt_isr,
+ /* iomc: counter_irq_flags = NO_THREAD */
 IRQF_TRIGGER_RISING | IRQF_NO_THREAD, n, p)

@@
expression d, i, n, p;
symbol interrupt_cnt_isr;
@@
 devm_request_irq(d, i, interrupt_cnt_isr,
+ /* iomc: counter_irq_flags = 0 */
 IRQF_TRIGGER_RISING, n, p)

// ---- gpio_keys_hard_timer ----
@@
identifier setup = { hrtimer_init, hrtimer_setup };
expression b;
@@
 setup(&b->release_timer, ...,
+ /* iomc: gpio_keys_hard_timer = true */
 HRTIMER_MODE_REL_HARD)

@@
identifier setup = { hrtimer_init, hrtimer_setup };
expression b;
@@
 setup(&b->release_timer, ...,
+ /* iomc: gpio_keys_hard_timer = false */
 HRTIMER_MODE_REL)

// ---- ks8851_rx_unlocked ----
@after exists@
expression k, s;
@@
 ks8851_irq(...) {
 ... when any
 ks8851_unlock(k, ...);
 ... when any
 netif_rx(
+ /* iomc: ks8851_rx_unlocked = true */
 s);
 ... when any
 }

@depends on !after@
identifier rx = { netif_rx, netif_rx_ni, __netif_rx };
expression s;
@@
 ks8851_rx_pkts(...) {
 <+...
 rx(
+ /* iomc: ks8851_rx_unlocked = false */
 s)
 ...+>
 }

// ---- pci_irq_vector_locks ----
@locks@
identifier f = { msi_get_virq, msi_domain_get_virq };
expression d;
symbol msi_descs_lock;
@@
 f(...) {
 <+...
(
 msi_lock_descs(
+ /* iomc: pci_irq_vector_locks = true */
 d);
|
 guard(msi_descs_lock)(
+ /* iomc: pci_irq_vector_locks = true */
 d);
)
 ...+>
 }

@depends on !locks@
identifier f = { msi_get_virq, msi_domain_get_virq };
expression r;
@@
 f(...) {
 <+...
 return
+ /* iomc: pci_irq_vector_locks = false */
 r;
 ...+>
 }
