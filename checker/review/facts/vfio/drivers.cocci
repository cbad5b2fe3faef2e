// SPDX-License-Identifier: GPL-2.0-or-later
// Facts of other drivers on the same paths: who signals, who is woken, and with which locks.
// reads: drivers/vhost/vdpa.c(vhost_vdpa_vring_ioctl) drivers/xen/privcmd.c drivers/counter/interrupt-cnt.c
// reads: drivers/input/keyboard/gpio_keys.c(gpio_keys_setup_key) kernel/irq/msi.c(msi_get_virq,msi_domain_get_virq)
// reads: drivers/net/ethernet/micrel/ks8851_common.c(ks8851_irq,ks8851_rx_pkts)
// reads: drivers/nvme/host/pci.c(nvme_poll_irqdisable)
// reads in some kernels: drivers/net/ethernet/micrel/ks8851.c(ks8851_irq,ks8851_rx_pkts)
// reads in some kernels: drivers/pci/msi.c(pci_irq_vector)

// A driver that is not there does nothing wrong.
// without drivers/vhost/vdpa.c: vdpa_token_follows_call = true
// without drivers/xen/privcmd.c: privcmd_lock = spinlock
// without drivers/counter/interrupt-cnt.c: counter_irq_flags = 0

// ---- vdpa_token_follows_call ----
// Before the eventfd is exchanged, its producer goes; behind the exchange it comes back.
@follows exists@
expression v, i, r;
@@
 vhost_vdpa_vring_ioctl(...) {
 ... when any
 vhost_vdpa_unsetup_vq_irq(
+ /* iomc: vdpa_token_follows_call = true */
 v, i);
 ... when any
 r = vhost_vring_ioctl(...);
 ... when any
 vhost_vdpa_setup_vq_irq(v, i);
 ... when any
 }

@any_unsetup@
@@
 vhost_vdpa_vring_ioctl(...) {
 <+... vhost_vdpa_unsetup_vq_irq(...) ...+>
 }

@depends on !any_unsetup@
expression r;
@@
 vhost_vdpa_vring_ioctl(...) {
 <+...
 r = vhost_vring_ioctl(
+ /* iomc: vdpa_token_follows_call = false */
 ...);
 ...+>
 }

// ---- privcmd_lock ----
@@
expression l, f;
@@
 irqfd_wakeup(...) {
 <+...
(
 spin_lock_irqsave(
+ /* iomc: privcmd_lock = spinlock */
 l, f);
|
 mutex_lock(
+ /* iomc: privcmd_lock = mutex */
 l);
)
 ...+>
 }

@wakes@
@@
 irqfd_wakeup(...) { ... }

// Without irqfds there is no such lock: the fact decides nothing.
@depends on !wakes@
@@
 privcmd_ioctl(...) {
+ /* iomc: privcmd_lock = spinlock */
 ...
 }

// ---- counter_irq_flags ----
@@
identifier trigger =~ "^IRQF_TRIGGER_";
expression d, i, n, c;
@@
 devm_request_irq(d, i, interrupt_cnt_isr,
(
+ /* iomc: counter_irq_flags = 0 */
 trigger
|
+ /* iomc: counter_irq_flags = NO_THREAD */
 trigger | IRQF_NO_THREAD
|
+ /* iomc: counter_irq_flags = NO_THREAD */
 IRQF_NO_THREAD | trigger
)
 , n, c)

// ---- gpio_keys_hard_timer ----
@@
identifier hard = { HRTIMER_MODE_REL_HARD, HRTIMER_MODE_ABS_HARD };
expression c;
@@
 gpio_keys_setup_key(...) {
 <+...
(
 hrtimer_init(
+ /* iomc: gpio_keys_hard_timer = true */
 c, ..., hard)
|
 hrtimer_setup(
+ /* iomc: gpio_keys_hard_timer = true */
 c, ..., hard)
)
 ...+>
 }

@@
identifier soft = { HRTIMER_MODE_REL, HRTIMER_MODE_ABS, HRTIMER_MODE_REL_SOFT };
expression c;
@@
 gpio_keys_setup_key(...) {
 <+...
(
 hrtimer_init(
+ /* iomc: gpio_keys_hard_timer = false */
 c, ..., soft)
|
 hrtimer_setup(
+ /* iomc: gpio_keys_hard_timer = false */
 c, ..., soft)
)
 ...+>
 }

@any_timer@
@@
 \( hrtimer_init(...) \| hrtimer_setup(...) \)

@depends on !any_timer@
@@
 gpio_keys_setup_key(...) {
+ /* iomc: gpio_keys_hard_timer = false */
 ...
 }

// ---- ks8851_rx_unlocked ----
@passed_late exists@
identifier pass = { netif_rx, netif_rx_ni, __netif_rx, netif_receive_skb };
expression k, s;
@@
 ks8851_irq(...) {
 ... when any
 ks8851_unlock(k, ...);
 ... when any
     when != ks8851_lock(...)
 pass(
+ /* iomc: ks8851_rx_unlocked = true */
 s);
 ... when any
 }

@@
identifier pass = { netif_rx, netif_rx_ni, __netif_rx, netif_receive_skb };
expression s;
@@
 ks8851_rx_pkts(...) {
 <+...
 pass(
+ /* iomc: ks8851_rx_unlocked = false */
 s);
 ...+>
 }

@@
expression k, s;
@@
 ks8851_rx_pkts(...) {
 <+...
 ks8851_rx_skb(
+ /* iomc: ks8851_rx_unlocked = false */
 k, s);
 ...+>
 }

// ---- pci_irq_vector_locks ----
@@
identifier f = { msi_get_virq, msi_domain_get_virq };
expression d;
@@
 f(...) {
 <+...
(
 msi_lock_descs(
+ /* iomc: pci_irq_vector_locks = true */
 d);
|
 mutex_lock(
+ /* iomc: pci_irq_vector_locks = true */
 d);
|
 guard(msi_descs_lock)(
+ /* iomc: pci_irq_vector_locks = true */
 d);
)
 ...+>
 }

@virq@
identifier f = { msi_get_virq, msi_domain_get_virq };
@@
 f(...) { ... }

@depends on !virq@
@@
 pci_irq_vector(...) {
+ /* iomc: pci_irq_vector_locks = false */
 ...
 }

// ---- nvme_poll_saves_irq ----
@saves_irq exists@
identifier i;
expression d, v;
@@
 nvme_poll_irqdisable(...) {
 ... when any
 i = pci_irq_vector(d, v);
 ... when any
+ /* iomc: nvme_poll_saves_irq = true */
 disable_irq(i);
 ... when any
 enable_irq(i);
 ... when any
 }

@@
expression d, v;
@@
 nvme_poll_irqdisable(...) {
 <+...
 enable_irq(
+ /* iomc: nvme_poll_saves_irq = false */
 pci_irq_vector(d, v));
 ...+>
 }
