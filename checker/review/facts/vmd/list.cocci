// SPDX-License-Identifier: GPL-2.0-or-later
// Facts of the shared vectors in drivers/pci/controller/vmd.c: the choice of one, the list behind it, the handler that
// walks it, and what the interrupt core does with a child's interrupt.
// reads: drivers/pci/controller/vmd.c kernel/irq/chip.c(handle_untracked_irq,__irq_disable,irq_disable)

// ---- nvec_capped ----
@capped@
symbol true, false, list_lock;
identifier n;
expression v;
@@
 vmd_msi_prepare(..., int n, ...) {
 <+...
 if (
+ /* iomc: nvec_capped = true */
 unlikely(n > v->msix_count)) { return v->msix_count; }
 ...+>
 }

@any_prepare@
@@
 vmd_msi_prepare(...) { ... }

@depends on !any_prepare@
@@
 vmd_next_irq(...) {
+ /* iomc: nvec_capped = false */
 ...
 }

// ---- vector_choice ----
// The search for the least used vector, common to all but one of the choices.
@least@
identifier best, i;
expression v;
@@
 vmd_next_irq(...) {
 <+...
 for (...; i < v->msix_count; i++)
   if (v->irqs[i].count < v->irqs[best].count) { best = i; }
 ...+>
 }

// NVMe by its class; everything else on the first vector. No other class is among the fast ones.
@other_class exists@
expression d;
identifier other != PCI_CLASS_STORAGE_EXPRESS;
@@
 vmd_next_irq(...) {
 ... when any
 switch (d->class) {
 case other: ...
 }
 ... when any
 }

@depends on least && !other_class exists@
expression v, d;
@@
 vmd_next_irq(...) {
 ... when any
 switch (
+ /* iomc: vector_choice = nvme_spread */
 d->class) {
 case PCI_CLASS_STORAGE_EXPRESS: break;
 default: return \( &v->irqs[v->first_vec] \| &v->irqs[0] \);
 }
 ... when any
 }

// NVMe and AHCI by their classes.
@third_class exists@
expression d;
identifier other != { PCI_CLASS_STORAGE_EXPRESS, PCI_CLASS_STORAGE_SATA_AHCI };
@@
 vmd_next_irq(...) {
 ... when any
 switch (d->class) {
 case other: ...
 }
 ... when any
 }

@depends on least && !third_class exists@
expression v, d;
@@
 vmd_next_irq(...) {
 ... when any
 switch (
+ /* iomc: vector_choice = ahci_spread */
 d->class) {
 case PCI_CLASS_STORAGE_EXPRESS:
 case PCI_CLASS_STORAGE_SATA_AHCI: break;
 default: return \( &v->irqs[v->first_vec] \| &v->irqs[0] \);
 }
 ... when any
 }

@depends on least && !third_class exists@
expression v, d;
@@
 vmd_next_irq(...) {
 ... when any
 switch (
+ /* iomc: vector_choice = ahci_spread */
 d->class) {
 case PCI_CLASS_STORAGE_SATA_AHCI:
 case PCI_CLASS_STORAGE_EXPRESS: break;
 default: return \( &v->irqs[v->first_vec] \| &v->irqs[0] \);
 }
 ... when any
 }

@depends on least@
expression v, d;
@@
 vmd_next_irq(...) {
 <+...
 if (
+ /* iomc: vector_choice = bridges_first */
 pci_is_bridge(d) || v->msix_count == 1) { return &v->irqs[0]; }
 ...+>
 }

@depends on least@
expression v, d;
@@
 vmd_next_irq(...) {
 <+...
 if (
+ /* iomc: vector_choice = msi_on_first */
 !d->msi_attrib.is_msix || v->msix_count == 1) { return &v->irqs[0]; }
 ...+>
 }

// No vector for the others: every way to a return counts, and the search begins at the first vector.
@uncounted exists@
expression v, n, e;
@@
 vmd_next_irq(...) {
 ... when != e.count++;
 return
+ /* iomc: slow_child_counted = false */
 &v->irqs[n];
 }

@from_0 depends on least@
identifier least.best;
@@
 vmd_next_irq(...) {
 <+...
(
 int best = 0;
|
 best = 0;
)
 ...+>
 }

@depends on from_0 && !uncounted@
identifier least.best;
expression v;
@@
 vmd_next_irq(...) {
 <+...
 v->irqs[best].count
+ /* iomc: vector_choice = least_of_all */
 ++
 ...+>
 }

@depends on !least@
expression v, e;
@@
 vmd_next_irq(...) {
 <+...
 return
+ /* iomc: vector_choice = by_entry */
 &v->irqs[\( e->msi_attrib.entry_nr \| e->pci.msi_attrib.entry_nr \| e->msi_index \)];
 ...+>
 }

// ---- single_vector_offset ----
@@
expression v;
@@
 vmd_next_irq(...) {
 <+...
 if (v->msix_count
+ /* iomc: single_vector_offset = true */
 == 1 + v->first_vec) { return &v->irqs[v->first_vec]; }
 ...+>
 }

@any_first_vec@
expression v;
@@
 v->first_vec

@depends on !any_first_vec@
@@
 vmd_next_irq(...) {
+ /* iomc: single_vector_offset = false */
 ...
 }

// ---- slow_child_counted ----
@depends on least && !uncounted@
expression e;
@@
 vmd_next_irq(...) {
 <+...
 e.count
+ /* iomc: slow_child_counted = true */
 ++
 ...+>
 }

// ---- vectors_managed ----
@@
expression d, lo, hi;
@@
(
 pci_alloc_irq_vectors(d, lo, hi,
+ /* iomc: vectors_managed = false */
 PCI_IRQ_MSIX)
|
 pci_alloc_irq_vectors(d, lo, hi,
+ /* iomc: vectors_managed = true */
 PCI_IRQ_MSIX | PCI_IRQ_AFFINITY)
|
 pci_alloc_irq_vectors_affinity(d, lo, hi, PCI_IRQ_MSIX | PCI_IRQ_AFFINITY,
+ /* iomc: vectors_managed = true */
 ...)
|
 pci_enable_msix_range(
+ /* iomc: vectors_managed = false */
 d, ...)
)

// ---- no_thread ----
@@
expression dev, irq, name, d;
@@
(
 devm_request_irq(dev, irq, vmd_irq,
+ /* iomc: no_thread = true */
 IRQF_NO_THREAD, name, d)
|
 devm_request_irq(dev, irq, vmd_irq,
+ /* iomc: no_thread = false */
 0, name, d)
)

// ---- list_for_life, list_del ----
// Who lists a child: its enable, or its set-up.
@enable_lists@
identifier d;
expression c, l;
@@
 vmd_irq_enable(struct irq_data *d) {
 <+...
 list_add_tail_rcu(
+ /* iomc: list_for_life = false */
 &c->node, l);
 ...+>
 }

// The other places that say so.
@depends on enable_lists@
expression c;
@@
 vmd_irq_disable(...) {
 <+...
 list_del_rcu(
+ /* iomc: list_for_life = false */
 &c->node);
 ...+>
 }

@depends on enable_lists@
@@
 struct vmd_irq {
 ...
+ /* iomc: list_for_life = false */
 bool enabled;
 ...
 };

@enable_any@
identifier add = { list_add, list_add_rcu, list_add_tail, list_add_tail_rcu };
@@
 vmd_irq_enable(...) {
 <+... add(...) ...+>
 }

@disable_any@
identifier del = { list_del, list_del_rcu, list_del_init, list_del_init_careful };
@@
 vmd_irq_disable(...) {
 <+... del(...) ...+>
 }

@free_unlists@
identifier free = { vmd_msi_free };
expression c;
@@
 free(...) {
 <+... list_del_rcu(&c->node) ...+>
 }

// The facts about leaving the list at a disable decide nothing then: they are given today's values.
@depends on !enable_any && !disable_any && free_unlists@
identifier init = { vmd_msi_init, vmd_msi_alloc };
expression c, l;
@@
 init(...) {
 <+...
 list_add_tail_rcu(
+ /* iomc: list_for_life = true */
+ /* iomc: list_del = flagged */
 &c->node, l);
 ...+>
 }

@depends on !enable_any && !disable_any && free_unlists@
expression c;
@@
 vmd_msi_free(...) {
 <+...
 list_del_rcu(
+ /* iomc: list_for_life = true */
 &c->node);
 ...+>
 }

@flagged@
expression c;
@@
 vmd_irq_disable(...) {
 <+...
 if (c->enabled) {
 list_del_rcu(
+ /* iomc: list_del = flagged */
 &c->node);
 c->enabled = false;
 }
 ...+>
 }

@reinit@
expression c;
@@
 vmd_irq_disable(...) {
 <+...
 list_del_rcu(
+ /* iomc: list_del = reinit */
 &c->node);
 INIT_LIST_HEAD(&c->node);
 ...+>
 }

@any_flag@
expression c;
@@
 c->enabled

@depends on !flagged && !reinit && !any_flag@
expression c;
@@
 vmd_irq_disable(...) {
 <+...
 list_del_rcu(
+ /* iomc: list_del = always */
 &c->node);
 ...+>
 }

// ---- list_lock, list_lock_irqsave ----
@raw_lock@
declarer name DEFINE_RAW_SPINLOCK;
@@
 DEFINE_RAW_SPINLOCK(
+ /* iomc: list_lock = raw */
 list_lock);

@plain_lock@
declarer name DEFINE_SPINLOCK;
@@
 DEFINE_SPINLOCK(
+ /* iomc: list_lock = spinlock */
 list_lock);

@any_lock@
@@
 list_lock

@depends on !raw_lock && !plain_lock && !any_lock@
@@
 vmd_irq_enable(...) {
+ /* iomc: list_lock = none */
+ /* iomc: list_lock_irqsave = false */
 ...
 }

@@
identifier saving = { raw_spin_lock_irqsave, spin_lock_irqsave, raw_spin_lock_irq, spin_lock_irq };
@@
 saving(
+ /* iomc: list_lock_irqsave = true */
 &list_lock, ...);

@@
identifier plain = { raw_spin_lock, spin_lock };
@@
 plain(
+ /* iomc: list_lock_irqsave = false */
 &list_lock);

@@
iterator name scoped_guard;
identifier saving = { raw_spinlock_irqsave, spinlock_irqsave, raw_spinlock_irq, spinlock_irq };
statement S;
@@
 scoped_guard(saving,
+ /* iomc: list_lock_irqsave = true */
 &list_lock) S

@@
identifier plain = { raw_spinlock, spinlock };
statement S;
@@
 scoped_guard(plain,
+ /* iomc: list_lock_irqsave = false */
 &list_lock) S

// ---- walk, before_child ----
@@
iterator name list_for_each_entry_rcu;
expression i, l, c, h;
identifier m;
@@
 vmd_irq(...) {
 ... when any
(
 i = srcu_read_lock(
+ /* iomc: walk = srcu */
 l);
|
+ /* iomc: walk = rcu */
 rcu_read_lock();
)
 list_for_each_entry_rcu(c, h, m) {
   generic_handle_irq(
+ /* iomc: before_child = nothing */
   c->virq);
 }
 ... when any
 }

@@
iterator name list_for_each_entry_rcu;
expression i, l, c, h, e;
identifier m, wait = { udelay, ndelay };
@@
 vmd_irq(...) {
 ... when any
(
 i = srcu_read_lock(
+ /* iomc: walk = srcu */
 l);
|
+ /* iomc: walk = rcu */
 rcu_read_lock();
)
 list_for_each_entry_rcu(c, h, m) {
(
   wait(
+ /* iomc: before_child = delay */
   ...);
|
   if (e) { wait(
+ /* iomc: before_child = delay */
   ...); }
)
   generic_handle_irq(c->virq);
 }
 ... when any
 }

@@
iterator name list_for_each_entry_rcu;
expression i, l, c, h, e;
identifier m, wait = { readb, readw, readl, readq, ioread8, ioread16, ioread32, pci_read_config_byte,
  pci_read_config_word, pci_read_config_dword };
@@
 vmd_irq(...) {
 ... when any
(
 i = srcu_read_lock(
+ /* iomc: walk = srcu */
 l);
|
+ /* iomc: walk = rcu */
 rcu_read_lock();
)
 list_for_each_entry_rcu(c, h, m) {
(
   wait(
+ /* iomc: before_child = read */
   ...);
|
   if (e) { wait(
+ /* iomc: before_child = read */
   ...); }
)
   generic_handle_irq(c->virq);
 }
 ... when any
 }

@@
identifier lock = { raw_spin_lock, spin_lock, raw_spin_lock_irqsave, spin_lock_irqsave };
@@
 vmd_irq(...) {
 <+...
 lock(
+ /* iomc: walk = list_lock */
 &list_lock, ...);
 ...+>
 }

// ---- free_waits ----
@waits exists@
identifier wait = { synchronize_srcu, synchronize_srcu_expedited, synchronize_rcu };
expression c;
@@
 vmd_msi_free(...) {
 ... when any
 wait(
+ /* iomc: free_waits = true */
 ...);
 ... when any
 kfree(c);
 ... when any
 }

@any_wait@
identifier wait =~ "^synchronize_";
@@
 vmd_msi_free(...) {
 <+... wait(...) ...+>
 }

@depends on !any_wait@
expression c;
@@
 vmd_msi_free(...) {
 <+...
(
 kfree(
+ /* iomc: free_waits = false */
 c);
|
 kfree_rcu(
+ /* iomc: free_waits = false */
 c, ...);
)
 ...+>
 }

// ---- child_flow ----
@@
expression d, n, h, c, x, y, z;
@@
(
 irq_domain_set_info(d, n, h, c, x,
+ /* iomc: child_flow = untracked */
 handle_untracked_irq, y, z)
|
 irq_domain_set_info(d, n, h, c, x,
+ /* iomc: child_flow = simple */
 handle_simple_irq, y, z)
)

// ---- untracked_pending ----
@gives_up@
expression d;
identifier out;
@@
 handle_untracked_irq(...) {
 <+...
 if (
+ /* iomc: untracked_pending = false */
 !irq_may_run(d)) { goto out; }
 ...+>
 }

@depends on !gives_up@
expression d;
@@
 handle_untracked_irq(...) {
 <+...
 if (!irq_may_run(d)) {
 ...
 d->istate |=
+ /* iomc: untracked_pending = true */
 IRQS_PENDING;
 ...
 }
 ...+>
 }

// ---- disable_checks_state ----
@asked@
identifier f = { __irq_disable, irq_disable };
expression d;
statement S1, S2;
@@
 f(...) {
 <+...
 if (
+ /* iomc: disable_checks_state = true */
 irqd_irq_disabled(&d->irq_data)) S1
 else S2
 ...+>
 }

@any_asked@
@@
 irqd_irq_disabled(...)

@depends on !asked@
identifier f = { __irq_disable, irq_disable };
expression d;
@@
 f(...) {
 ...
+ /* iomc: disable_checks_state = false */
 irq_state_set_disabled(d);
 ... when any
 }
