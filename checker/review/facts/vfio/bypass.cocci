// SPDX-License-Identifier: GPL-2.0-or-later
// Facts of posted interrupts: how a producer is noted, and what an update of a remapping entry goes by.
// reads: arch/x86/kvm/vmx/posted_intr.c arch/x86/kvm/svm/avic.c
// reads: arch/x86/kvm/x86.c(kvm_arch_irq_bypass_add_producer)
// reads in some kernels: arch/x86/kvm/irq.c(kvm_arch_irq_bypass_add_producer)

// ---- producer_locked ----
@locks exists@
expression l, i, p;
@@
 kvm_arch_irq_bypass_add_producer(...) {
 ... when any
 spin_lock_irq(l);
 ... when any
 i->producer =
+ /* iomc: producer_locked = true */
 p;
 ... when any
 }

@any_lock@
identifier f = { spin_lock_irq, spin_lock, spin_lock_irqsave, raw_spin_lock_irq };
@@
 kvm_arch_irq_bypass_add_producer(...) {
 <+... f(...) ...+>
 }

@depends on !any_lock@
expression i, p;
@@
 kvm_arch_irq_bypass_add_producer(...) {
 <+...
 i->producer =
+ /* iomc: producer_locked = false */
 p;
 ...+>
 }

// ---- irte_route ----
@by_table@
iterator name hlist_for_each_entry;
identifier f = { vmx_pi_update_irte, pi_update_irte };
expression e, t, g, l;
statement S;
@@
 f(...) {
 <+...
 hlist_for_each_entry(e, &t->map[
+ /* iomc: irte_route = table */
 g], l) S
 ...+>
 }

@depends on !by_table@
identifier f = { vmx_pi_update_irte, pi_update_irte };
expression irq, v;
@@
 f(...) {
 <+...
 irq_set_vcpu_affinity(
+ /* iomc: irte_route = entry */
 irq, v)
 ...+>
 }

// ---- irte_gsi_checked ----
@checked@
identifier f = { avic_pi_update_irte, svm_update_pi_irte };
expression g, t, h;
statement S;
@@
 f(...) {
 <+...
 if (
+ /* iomc: irte_gsi_checked = true */
 g >= t->nr_rt_entries || hlist_empty(h)) S
 ...+>
 }

@depends on !checked@
identifier f = { avic_pi_update_irte, svm_update_pi_irte };
expression g, t;
@@
 f(...) {
 <+...
 WARN_ON(
+ /* iomc: irte_gsi_checked = false */
 g >= t->nr_rt_entries)
 ...+>
 }
