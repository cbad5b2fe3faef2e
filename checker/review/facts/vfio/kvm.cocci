// SPDX-License-Identifier: GPL-2.0-or-later
// Facts of KVM's irqfds, of posted interrupts and of the others that a signal wakes or calls.
// reads: virt/kvm/eventfd.c arch/x86/kvm/vmx/posted_intr.c arch/x86/kvm/ioapic.c arch/x86/kvm/xen.c(kvm_xen_set_evtchn_fast)
// reads: arch/x86/kvm/svm/avic.c(avic_pi_update_irte)
// reads: arch/x86/kvm/x86.c(kvm_arch_irq_bypass_add_producer,kvm_arch_irq_bypass_del_producer) drivers/pci/controller/vmd.c(vmd_pci_read)
// reads in some kernels: arch/x86/kvm/irq.c(kvm_arch_irq_bypass_add_producer,kvm_arch_irq_bypass_del_producer)

// ---- irqfd_drains ----
@@
expression i, n;
@@
 irqfd_wakeup(...) {
 <+...
 eventfd_ctx_do_read(
+ /* iomc: irqfd_drains = true */
 i->eventfd, n);
 ...+>
 }

@any_read@
identifier f = { eventfd_ctx_do_read, eventfd_ctx_read, eventfd_ctx_remove_wait_queue };
@@
 irqfd_wakeup(...) {
 <+... f(...) ...+>
 }

@depends on !any_read@
expression i;
@@
 irqfd_wakeup(...) {
 <+...
 schedule_work(
+ /* iomc: irqfd_drains = false */
 &i->inject);
 ...+>
 }

// ---- irqfd_wait ----
@@
identifier queue = { irqfd_ptable_queue_proc, kvm_irqfd_register };
expression q, i, r;
@@
 queue(...) {
 <+...
(
 add_wait_queue(
+ /* iomc: irqfd_wait = shared */
 q, &i->wait);
|
 __add_wait_queue(
+ /* iomc: irqfd_wait = shared */
 q, &i->wait);
|
 add_wait_queue_priority(
+ /* iomc: irqfd_wait = exclusive */
 q, &i->wait);
|
 r = add_wait_queue_priority_exclusive(
+ /* iomc: irqfd_wait = unique */
 q, &i->wait);
)
 ...+>
 }

// ---- irqfd_inactive ----
// The wake function asks the list, or the routing entry was given a type that nothing delivers.
@asks_list@
expression i;
statement S;
@@
 irqfd_wakeup(...) {
 <+...
 if (
+ /* iomc: irqfd_inactive = list */
 unlikely(!irqfd_is_active(i)) || <+... kvm_arch_set_irq_inatomic(...) ...+>) S
 ...+>
 }

@depends on !asks_list@
expression i;
@@
 kvm_irqfd_deassign(...) {
 <+...
 i->irq_entry.type =
+ /* iomc: irqfd_inactive = route_type */
 0;
 ...+>
 }

// ---- irqfd_shutdown_waits ----
@exists@
expression k, i, n;
@@
 irqfd_shutdown(...) {
 ... when any
     when != eventfd_ctx_remove_wait_queue(...);
 \( synchronize_srcu \| synchronize_srcu_expedited \)(
+ /* iomc: irqfd_shutdown_waits = true */
 &k->irq_srcu);
 ... when any
 eventfd_ctx_remove_wait_queue(i->eventfd, &i->wait, n);
 ... when any
 }

@any_wait@
identifier f = { synchronize_srcu, synchronize_srcu_expedited, synchronize_rcu, synchronize_rcu_expedited };
@@
 irqfd_shutdown(...) {
 <+... f(...) ...+>
 }

@depends on !any_wait@
expression i, n;
@@
 irqfd_shutdown(...) {
 <+...
 eventfd_ctx_remove_wait_queue(
+ /* iomc: irqfd_shutdown_waits = false */
 i->eventfd, &i->wait, n);
 ...+>
 }

// ---- irqfd_resample_on_unmask ----
@notifies@
@@
 kvm_notify_irqfd_resampler(...) { ... }

@depends on notifies@
expression k, c, p;
statement S1, S2;
@@
 if (kvm_notify_irqfd_resampler(
+ /* iomc: irqfd_resample_on_unmask = true */
 k, c, p)) S1
 else S2

@any_notify@
@@
 kvm_notify_irqfd_resampler(...)

@depends on !notifies && !any_notify@
expression k, i, g, l, s;
@@
 irqfd_resampler_ack(...) {
 <+...
 kvm_set_irq(
+ /* iomc: irqfd_resample_on_unmask = false */
 k, i, g, l, s);
 ...+>
 }

// ---- route_change_resets_irte ----
// Behind the loop over the routes, whatever their type; before, only for a route that is still a message.
@resets exists@
iterator name hlist_for_each_entry;
identifier f = { vmx_pi_update_irte, pi_update_irte };
expression e, h, l, irq, r;
statement S;
@@
 f(...) {
 ... when any
 hlist_for_each_entry(e, h, l) S
 ... when any
 r = irq_set_vcpu_affinity(irq,
+ /* iomc: route_change_resets_irte = true */
 NULL);
 ... when any
 }

@depends on !resets@
identifier f = { vmx_pi_update_irte, pi_update_irte };
expression e, h, l, irq;
@@
 f(...) {
 <+...
 hlist_for_each_entry(e, h, l) {
 <+...
 irq_set_vcpu_affinity(irq,
+ /* iomc: route_change_resets_irte = false */
 NULL)
 ...+>
 }
 ...+>
 }

// ---- producer_cleared_on_error ----
@clears@
expression i, r;
@@
 kvm_arch_irq_bypass_add_producer(...) {
 <+...
 if (r) {
 <+...
 i->producer =
+ /* iomc: producer_cleared_on_error = true */
 NULL;
 ...+>
 }
 ...+>
 }

@any_clear@
expression i;
@@
 kvm_arch_irq_bypass_add_producer(...) {
 <+... i->producer = NULL ...+>
 }

@depends on !any_clear@
expression i, p;
@@
 kvm_arch_irq_bypass_add_producer(...) {
 <+...
 i->producer =
+ /* iomc: producer_cleared_on_error = false */
 p;
 ...+>
 }

// ---- producer_locked ----
@@
identifier f = { kvm_arch_irq_bypass_add_producer, kvm_arch_irq_bypass_del_producer };
expression k, i, p;
@@
 f(...) {
 ... when any
 spin_lock_irq(&k->irqfds.lock);
 ... when != spin_unlock_irq(&k->irqfds.lock);
 i->producer =
+ /* iomc: producer_locked = true */
 p;
 ... when any
 }

@sets_locked exists@
identifier f = { kvm_arch_irq_bypass_add_producer, kvm_arch_irq_bypass_del_producer };
expression k, i, p;
@@
 f(...) {
 ... when != spin_lock_irq(&k->irqfds.lock);
 i->producer =
+ /* iomc: producer_locked = false */
 p;
 ... when any
 }

// ---- irte_route, irte_gsi_checked ----
@@
identifier f = { vmx_pi_update_irte, pi_update_irte, avic_pi_update_irte };
expression r, k;
@@
 f(...) {
 <+...
 r =
+ /* iomc: irte_route = table */
 srcu_dereference(k->irq_routing, ...);
 ...+>
 }

@any_table@
expression k;
@@
 k->irq_routing

@depends on !any_table@
identifier f = { vmx_pi_update_irte, avic_pi_update_irte }, e;
@@
 f(..., struct kvm_kernel_irq_routing_entry *e, ...) {
+ /* iomc: irte_route = entry */
+ /* iomc: irte_gsi_checked = true */
 ...
 }

@@
identifier f = { vmx_pi_update_irte, pi_update_irte, avic_pi_update_irte };
expression g, t, m;
statement S;
@@
 f(...) {
 <+...
 if (g
+ /* iomc: irte_gsi_checked = true */
 >= t->nr_rt_entries || hlist_empty(m)) S
 ...+>
 }

@@
identifier f = { vmx_pi_update_irte, pi_update_irte, avic_pi_update_irte };
expression g, t;
@@
 f(...) {
 <+...
 WARN_ON(g
+ /* iomc: irte_gsi_checked = false */
 >= t->nr_rt_entries)
 ...+>
 }

@avic_checks@
expression g, t;
@@
 avic_pi_update_irte(...) {
 <+... \( g >= t->nr_rt_entries \| g < t->nr_rt_entries \) ...+>
 }

@depends on !avic_checks@
iterator name hlist_for_each_entry;
expression e, m;
statement S;
@@
 avic_pi_update_irte(...) {
 <+...
 hlist_for_each_entry(e,
+ /* iomc: irte_gsi_checked = false */
 m, ...) S
 ...+>
 }

// ---- pi_wakeup_lock ----
@@
expression l;
@@
 pi_wakeup_handler(...) {
 <+...
(
 raw_spin_lock(
+ /* iomc: pi_wakeup_lock = raw_spinlock */
 l);
|
 spin_lock(
+ /* iomc: pi_wakeup_lock = spinlock */
 l);
)
 ...+>
 }

// ---- xen_evtchn_trylock ----
@@
expression g, f;
@@
 kvm_xen_set_evtchn_fast(...) {
 <+...
(
 read_lock_irqsave(
+ /* iomc: xen_evtchn_trylock = false */
 &g->lock, f);
|
 read_lock(
+ /* iomc: xen_evtchn_trylock = false */
 &g->lock);
|
 read_trylock(
+ /* iomc: xen_evtchn_trylock = true */
 &g->lock)
)
 ...+>
 }

// ---- vmd_cfg_lock ----
@@
expression v, f;
@@
 vmd_pci_read(...) {
 <+...
(
 raw_spin_lock_irqsave(
+ /* iomc: vmd_cfg_lock = raw_spinlock */
 &v->cfg_lock, f);
|
 spin_lock_irqsave(
+ /* iomc: vmd_cfg_lock = spinlock */
 &v->cfg_lock, f);
)
 ...+>
 }
