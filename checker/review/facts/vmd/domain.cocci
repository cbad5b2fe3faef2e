// SPDX-License-Identifier: GPL-2.0-or-later
// Facts of the children's interrupt domain, of the root bus and of configuration space in drivers/pci/controller/vmd.c.
// reads: drivers/pci/controller/vmd.c drivers/pci/msi/irqdomain.c
// reads in some kernels: drivers/pci/msi/api.c(pci_irq_vector) drivers/pci/msi/msi.c(pci_irq_vector)
// reads in some kernels: drivers/pci/msi.c(pci_irq_vector)

// ---- child_domain, parent_vector ----
@global@
symbol x86_vector_domain;
expression r, fn, i;
@@
 r = pci_msi_create_irq_domain(fn, i,
(
+ /* iomc: child_domain = global */
+ /* iomc: parent_vector = false */
 NULL
|
+ /* iomc: child_domain = global */
+ /* iomc: parent_vector = true */
 x86_vector_domain
)
 )

@global_any@
identifier fn;
@@
 fn(...) {
 <+... pci_msi_create_irq_domain(...) ...+>
 }

@per_device@
expression r;
@@
 r = msi_create_parent_irq_domain(
+ /* iomc: child_domain = per_device */
 ...)

@with_parent depends on per_device@
identifier i;
@@
 struct irq_domain_info i = { .parent =
+ /* iomc: parent_vector = true */
 x86_vector_domain, };

@any_parent@
identifier i;
expression e;
@@
 struct irq_domain_info i = { .parent = e, };

@depends on per_device && !any_parent@
identifier i;
expression e;
@@
 struct irq_domain_info i = { .ops =
+ /* iomc: parent_vector = false */
 e, };

// ---- affinity ----
// The flag of the domain, or a callback that refuses.
@unmovable@
identifier i;
expression a, b;
@@
 struct msi_domain_info i = { .flags =
+ /* iomc: affinity = no_affinity */
 \( MSI_FLAG_NO_AFFINITY \| MSI_FLAG_NO_AFFINITY | a \| MSI_FLAG_NO_AFFINITY | a | b \| a | MSI_FLAG_NO_AFFINITY \|
    a | MSI_FLAG_NO_AFFINITY | b \)
 , };

@refuses@
identifier fn;
@@
 fn(...) {
 return -EINVAL;
 }

@refused@
identifier c, refuses.fn;
@@
 struct irq_chip c = { .irq_set_affinity =
+ /* iomc: affinity = refused */
 fn, };

// With a domain for each device the flag is among those required of it.
@required@
expression e;
@@
#define VMD_MSI_FLAGS_REQUIRED e

@depends on per_device && required@
identifier ops;
@@
 struct msi_parent_ops ops = { .required_flags =
+ /* iomc: affinity = no_affinity */
 VMD_MSI_FLAGS_REQUIRED, };

// ---- irq_startup ----
// The chip of a child: the driver's own, or a template's with what the driver puts over it.
@own_startup@
identifier c;
expression e;
@@
 struct irq_chip c = { .irq_startup = e, };

@lists_first@
identifier fn, d;
@@
 fn(struct irq_data *d) {
 <+... \( vmd_irq_enable(...) \| vmd_pci_msi_enable(...) \) ...+>
 return 0;
 }

@overridden depends on per_device@
identifier lists_first.fn;
expression i;
@@
 vmd_init_dev_msi_info(...) {
 <+...
 i->chip->irq_startup =
+ /* iomc: irq_startup = overridden */
 fn;
 ...+>
 }

@any_override@
expression i;
@@
 i->chip->irq_startup

@template_startup@
identifier t = { pci_msi_template, pci_msix_template };
expression e;
@@
 struct msi_domain_template t = { .chip = { .irq_startup = e, }, };

@depends on per_device && template_startup && !any_override@
@@
 vmd_init_dev_msi_info(...) {
+ /* iomc: irq_startup = inherited */
 ...
 }

@depends on per_device && !template_startup && !any_override@
@@
 vmd_init_dev_msi_info(...) {
+ /* iomc: irq_startup = absent */
 ...
 }

@depends on global && !own_startup@
identifier c;
symbol vmd_irq_enable;
@@
 struct irq_chip c = { .irq_enable =
+ /* iomc: irq_startup = absent */
 vmd_irq_enable, };

// ---- free_own_data ----
@depends on global@
expression c, q;
@@
 vmd_msi_free(...) {
 <+...
 c = irq_get_chip_data(
+ /* iomc: free_own_data = true */
 q);
 ...+>
 }

@depends on global@
identifier c;
type T;
expression q;
@@
 vmd_msi_free(...) {
 <+...
 T c = irq_get_chip_data(
+ /* iomc: free_own_data = true */
 q);
 ...+>
 }

@depends on per_device@
expression d, q, r;
@@
 vmd_msi_free(...) {
 <+...
(
 d = irq_domain_get_irq_data(
+ /* iomc: free_own_data = true */
 r, q);
|
 d = irq_get_chip_data(
+ /* iomc: free_own_data = false */
 q);
)
 ...+>
 }

@depends on per_device@
identifier c;
type T;
expression q;
@@
 vmd_msi_free(...) {
 <+...
 T c = irq_get_chip_data(
+ /* iomc: free_own_data = false */
 q);
 ...+>
 }

// ---- msi_children ----
@refuses_msi@
expression i;
statement S;
@@
 vmd_init_dev_msi_info(...) {
 <+...
 if (WARN_ON_ONCE(
+ /* iomc: msi_children = false */
 i->bus_token != DOMAIN_BUS_PCI_DEVICE_MSIX)) S
 ...+>
 }

@asks_kind@
expression d;
identifier f = { vmd_msi_init, vmd_msi_alloc, vmd_msi_prepare, vmd_init_dev_msi_info };
@@
 f(...) {
 <+... \( d->bus_token \| d->msi_attrib.is_msix \| d->pci.msi_attrib.is_msix \) ...+>
 }

@depends on !refuses_msi && !asks_kind@
identifier f = { vmd_msi_init, vmd_msi_alloc };
@@
 f(...) {
+ /* iomc: msi_children = true */
 ...
 }

// ---- init_looks_up_vector ----
// A lookup is under the mutex only since pci_irq_vector takes it.
@looks_up@
identifier f = { vmd_msi_init, vmd_msi_alloc };
@@
 f(...) {
 <+... pci_irq_vector(...) ...+>
 }

@lookup_locks depends on looks_up@
@@
 pci_irq_vector(...) {
 <+... msi_get_virq(...) ...+>
 }

@lookup_seen depends on looks_up@
@@
 pci_irq_vector(...) { ... }

@depends on lookup_locks@
identifier f = { vmd_msi_init, vmd_msi_alloc };
@@
 f(...) {
 <+...
 pci_irq_vector(
+ /* iomc: init_looks_up_vector = true */
 ...)
 ...+>
 }

@depends on lookup_seen && !lookup_locks@
identifier f = { vmd_msi_init, vmd_msi_alloc };
@@
 f(...) {
 <+...
 pci_irq_vector(
+ /* iomc: init_looks_up_vector = false */
 ...)
 ...+>
 }

@depends on !looks_up@
identifier f = { vmd_msi_init, vmd_msi_alloc };
@@
 f(...) {
+ /* iomc: init_looks_up_vector = false */
 ...
 }

// ---- fwnode_outlives ----
// Freed where the domain is removed, and behind that; or where it was made, whether that went well or not.
@node_made@
@@
 \( irq_domain_alloc_named_id_fwnode(...) \| irq_domain_alloc_named_fwnode(...) \)

@freed_last exists@
expression d, n;
@@
 vmd_remove_irq_domain(...) {
 ... when any
 irq_domain_remove(d);
 ... when any
 irq_domain_free_fwnode(
+ /* iomc: fwnode_outlives = true */
 n);
 ... when any
 }

@freed_at_once exists@
identifier f = { vmd_create_irq_domain, vmd_enable_domain };
expression r, n;
@@
 f(...) {
 ... when any
 r = pci_msi_create_irq_domain(n, ...);
 irq_domain_free_fwnode(
+ /* iomc: fwnode_outlives = false */
 n);
 ... when any
 }

// A domain without a node of its own has none to lose.
@depends on !node_made@
@@
 vmd_enable_domain(...) {
+ /* iomc: fwnode_outlives = true */
 ...
 }

// ---- domain_number_first ----
@names_domain@
expression v, x;
@@
 vmd_create_irq_domain(...) {
 <+...
 irq_domain_alloc_named_id_fwnode(x, v->sysdata.domain)
 ...+>
 }

@number_first depends on names_domain exists@
expression s;
@@
 vmd_enable_domain(...) {
 ... when any
     when != vmd_create_irq_domain(...)
 s->domain =
+ /* iomc: domain_number_first = true */
 \( vmd_find_free_domain() \| pci_bus_find_emul_domain_nr(...) \);
 ... when any
 vmd_create_irq_domain(...)
 ... when any
 }

@depends on names_domain && !number_first exists@
identifier find = { vmd_find_free_domain, pci_bus_find_emul_domain_nr };
expression s, r;
@@
 vmd_enable_domain(...) {
 ... when any
 r = vmd_create_irq_domain(
+ /* iomc: domain_number_first = false */
 ...);
 ... when any
 s->domain = find(...);
 ... when any
 }

@depends on !names_domain@
@@
 vmd_enable_domain(...) {
+ /* iomc: domain_number_first = true */
 ...
 }

// ---- shadow_masked ----
@@
identifier bar = { VMD_MEMBAR1, VMD_MEMBAR2 };
identifier p;
expression o, d;
@@
 vmd_get_phys_offsets(...) {
 <+...
(
 *o = d->resource[bar].start -
+ /* iomc: shadow_masked = true */
 (p & PCI_BASE_ADDRESS_MEM_MASK)
|
 *o = d->resource[bar].start -
+ /* iomc: shadow_masked = false */
 p
)
 ...+>
 }

@offsets@
@@
 vmd_get_phys_offsets(...) { ... }

@any_mask@
@@
 PCI_BASE_ADDRESS_MEM_MASK

// Before the function there was no mask.
@depends on !offsets && !any_mask@
@@
 vmd_enable_domain(...) {
+ /* iomc: shadow_masked = false */
 ...
 }

// ---- bus_start_3 ----
@third exists@
expression e;
@@
 vmd_get_bus_number_start(...) {
 ... when any
 switch (
+ /* iomc: bus_start_3 = true */
 e) {
 case 3: ...
 }
 ... when any
 }

@bus_start@
@@
 vmd_get_bus_number_start(...) { ... }

@depends on bus_start && !third@
expression e;
@@
 vmd_get_bus_number_start(...) {
 <+...
 switch (
+ /* iomc: bus_start_3 = false */
 e) {
 case 2: ...
 }
 ...+>
 }

@depends on !bus_start@
@@
 vmd_enable_domain(...) {
+ /* iomc: bus_start_3 = false */
 ...
 }

// ---- bus_rebased ----
@rebased@
expression b, v;
@@
 vmd_cfg_addr(...) {
 <+...
 b->number
+ /* iomc: bus_rebased = true */
 - v->busn_start
 ...+>
 }

@any_busn@
expression v;
@@
 vmd_cfg_addr(...) {
 <+... v->busn_start ...+>
 }

@depends on !any_busn@
expression b;
@@
 vmd_cfg_addr(...) {
 <+...
(
 b->number
+ /* iomc: bus_rebased = false */
 << 20
|
 PCIE_ECAM_OFFSET(
+ /* iomc: bus_rebased = false */
 b->number, ...)
)
 ...+>
 }

// ---- children_removed_first ----
@exists@
expression v, b;
identifier stop = { pci_stop_root_bus, pci_remove_root_bus };
@@
 vmd_remove(...) {
 ... when any
     when != vmd_detach_resources(v);
 stop(
+ /* iomc: children_removed_first = true */
 b);
 ... when any
 vmd_detach_resources(v);
 ... when any
 }

@exists@
expression v, b;
identifier stop = { pci_stop_root_bus, pci_remove_root_bus };
@@
 vmd_remove(...) {
 ... when any
 vmd_detach_resources(
+ /* iomc: children_removed_first = false */
 v);
 ... when any
 stop(b);
 ... when any
 }

// ---- cfg_lock ----
@@
identifier f = { vmd_pci_read, vmd_pci_write };
expression v, x;
@@
 f(...) {
 <+...
(
 raw_spin_lock_irqsave(
+ /* iomc: cfg_lock = raw */
 &v->cfg_lock, x);
|
 spin_lock_irqsave(
+ /* iomc: cfg_lock = spinlock */
 &v->cfg_lock, x);
|
 guard(raw_spinlock_irqsave)(
+ /* iomc: cfg_lock = raw */
 &v->cfg_lock);
|
 guard(spinlock_irqsave)(
+ /* iomc: cfg_lock = spinlock */
 &v->cfg_lock);
)
 ...+>
 }

@any_cfg_lock@
expression v;
@@
 v->cfg_lock

@depends on !any_cfg_lock@
@@
 vmd_pci_read(...) {
+ /* iomc: cfg_lock = none */
 ...
 }

// ---- window_reset ----
@resets@
@@
 vmd_domain_reset(...) { ... }

@depends on !resets@
@@
 vmd_enable_domain(...) {
+ /* iomc: window_reset = absent */
 ...
 }

@exists@
expression b;
@@
 vmd_domain_reset(...) {
 ... when any
 writel(0, b + PCI_PREF_LIMIT_UPPER32);
 ... when any
 writel(
+ /* iomc: window_reset = ordered */
 0x0000fff0, b + PCI_PREF_MEMORY_BASE);
 ... when any
 writel(0xffffffff, b + PCI_PREF_BASE_UPPER32);
 ... when any
 }

@@
expression b, n;
@@
 vmd_domain_reset(...) {
 <+...
 memset_io(
+ /* iomc: window_reset = ascending */
 b + PCI_IO_BASE, 0, n)
 ...+>
 }

// ---- native_flags_copied ----
@copies@
expression v, r;
@@
 vmd_copy_host_bridge_flags(...) {
 <+...
 v->native_pcie_hotplug = r->native_pcie_hotplug;
 ...+>
 }

@depends on copies@
@@
 vmd_enable_domain(...) {
 <+...
 vmd_copy_host_bridge_flags(
+ /* iomc: native_flags_copied = true */
 ...);
 ...+>
 }

@any_native@
expression v;
@@
 v->native_pcie_hotplug

@depends on !any_native@
@@
 vmd_enable_domain(...) {
+ /* iomc: native_flags_copied = false */
 ...
 }

// ---- pm_quirk_relocks ----
@quirk@
@@
 vmd_pm_enable_quirk(...) { ... }

@relocks@
@@
 vmd_pm_enable_quirk(...) {
 <+...
 pci_enable_link_state(
+ /* iomc: pm_quirk_relocks = true */
 ...)
 ...+>
 }

@depends on quirk && !relocks@
@@
 vmd_pm_enable_quirk(...) {
 <+...
 pci_enable_link_state_locked(
+ /* iomc: pm_quirk_relocks = false */
 ...)
 ...+>
 }

@depends on !quirk@
@@
 vmd_enable_domain(...) {
+ /* iomc: pm_quirk_relocks = false */
 ...
 }
