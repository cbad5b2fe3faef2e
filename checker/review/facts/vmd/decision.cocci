// SPDX-License-Identifier: GPL-2.0-or-later
// Facts of the mode decision in drivers/pci/controller/vmd.c, and of who writes the mode later.
// reads: drivers/pci/controller/vmd.c drivers/iommu/intel/irq_remapping.c(intel_irq_remapping_prepare_irte)

// ---- the decision ----
// One condition chooses remapping. It is a chain of terms, any of which suffices; every one must be known, so chains are
// told apart by their length.
@any_decision@
symbol true, false;
@@
 VMD_FEAT_CAN_BYPASS_MSI_REMAP

@decision@
expression all, v;
@@
 vmd_enable_domain(...) {
 <+...
 if (all) {
 <+... vmd_alloc_irqs(v) ...+>
 } else {
 <+... vmd_set_msi_remapping(v, false); ...+>
 }
 ...+>
 }

// Features alone.
@only_features@
expression v, f;
@@
 vmd_enable_domain(...) {
 <+...
 if (
+ /* iomc: offsets_force_remap = false */
+ /* iomc: intremap_forces_remap = false */
+ /* iomc: count_term = absent */
 !(f & VMD_FEAT_CAN_BYPASS_MSI_REMAP)) {
 <+... vmd_alloc_irqs(v) ...+>
 } else {
 <+... vmd_set_msi_remapping(v, false); ...+>
 }
 ...+>
 }

// Four terms or more, five or more.
@four@
expression a, b, c, d, v;
@@
 vmd_enable_domain(...) {
 <+...
 if (a || b || c || d) {
 <+... vmd_alloc_irqs(v) ...+>
 } else {
 <+... vmd_set_msi_remapping(v, false); ...+>
 }
 ...+>
 }

@five@
expression a, b, c, d, e, v;
@@
 vmd_enable_domain(...) {
 <+...
 if (a || b || c || d || e) {
 <+... vmd_alloc_irqs(v) ...+>
 } else {
 <+... vmd_set_msi_remapping(v, false); ...+>
 }
 ...+>
 }

// The terms of a chain of three, and of four.
@features_3 depends on decision && !four@
expression f, a, b;
@@
(
 !(f & VMD_FEAT_CAN_BYPASS_MSI_REMAP) || a || b
|
 a || !(f & VMD_FEAT_CAN_BYPASS_MSI_REMAP) || b
|
 a || b || !(f & VMD_FEAT_CAN_BYPASS_MSI_REMAP)
)

@first_3 depends on decision && !four@
expression o, a, b;
@@
(
 o[0] || a || b
|
 a || o[0] || b
|
 a || b || o[0]
)

@second_3 depends on decision && !four@
expression o, a, b;
@@
(
 o[1] || a || b
|
 a || o[1] || b
|
 a || b || o[1]
)

@plain depends on features_3 && first_3 && second_3@
expression a, b, c, v;
@@
 vmd_enable_domain(...) {
 <+...
 if (
+ /* iomc: offsets_force_remap = true */
+ /* iomc: intremap_forces_remap = false */
+ /* iomc: count_term = absent */
 a || b || c) {
 <+... vmd_alloc_irqs(v) ...+>
 } else {
 <+... vmd_set_msi_remapping(v, false); ...+>
 }
 ...+>
 }

@features_4 depends on four && !five@
expression f, a, b, c;
@@
(
 !(f & VMD_FEAT_CAN_BYPASS_MSI_REMAP) || a || b || c
|
 a || !(f & VMD_FEAT_CAN_BYPASS_MSI_REMAP) || b || c
|
 a || b || !(f & VMD_FEAT_CAN_BYPASS_MSI_REMAP) || c
|
 a || b || c || !(f & VMD_FEAT_CAN_BYPASS_MSI_REMAP)
)

@first_4 depends on four && !five@
expression o, a, b, c;
@@
(
 o[0] || a || b || c
|
 a || o[0] || b || c
|
 a || b || o[0] || c
|
 a || b || c || o[0]
)

@second_4 depends on four && !five@
expression o, a, b, c;
@@
(
 o[1] || a || b || c
|
 a || o[1] || b || c
|
 a || b || o[1] || c
|
 a || b || c || o[1]
)

@intremap_4 depends on four && !five@
expression x, a, b, c;
identifier capable = { iommu_capable, device_iommu_capable };
@@
(
 capable(x, IOMMU_CAP_INTR_REMAP) || a || b || c
|
 a || capable(x, IOMMU_CAP_INTR_REMAP) || b || c
|
 a || b || capable(x, IOMMU_CAP_INTR_REMAP) || c
|
 a || b || c || capable(x, IOMMU_CAP_INTR_REMAP)
)

@cpu_ids_4 depends on four && !five@
symbol nr_cpu_ids;
expression v, a, b, c;
@@
(
 v->msix_count >= nr_cpu_ids || a || b || c
|
 a || v->msix_count >= nr_cpu_ids || b || c
|
 a || b || v->msix_count >= nr_cpu_ids || c
|
 a || b || c || v->msix_count >= nr_cpu_ids
)

@cpus_4 depends on four && !five@
identifier cpus = { num_online_cpus, num_possible_cpus, num_present_cpus };
expression v, a, b, c;
@@
(
 v->msix_count >= cpus() || a || b || c
|
 a || v->msix_count >= cpus() || b || c
|
 a || b || v->msix_count >= cpus() || c
|
 a || b || c || v->msix_count >= cpus()
)

@sixty_four@
identifier n;
@@
#define n 64

@above_64_4 depends on four && !five@
expression v, a, b, c;
@@
(
 v->msix_count > 64 || a || b || c
|
 a || v->msix_count > 64 || b || c
|
 a || b || v->msix_count > 64 || c
|
 a || b || c || v->msix_count > 64
)

@above_name_4 depends on four && !five@
identifier sixty_four.n;
expression v, a, b, c;
@@
(
 v->msix_count > n || a || b || c
|
 a || v->msix_count > n || b || c
|
 a || b || v->msix_count > n || c
|
 a || b || c || v->msix_count > n
)

@depends on features_4 && first_4 && second_4 && intremap_4@
expression a, b, c, d, v;
@@
 vmd_enable_domain(...) {
 <+...
 if (
+ /* iomc: offsets_force_remap = true */
+ /* iomc: intremap_forces_remap = true */
+ /* iomc: count_term = absent */
 a || b || c || d) {
 <+... vmd_alloc_irqs(v) ...+>
 } else {
 <+... vmd_set_msi_remapping(v, false); ...+>
 }
 ...+>
 }

// The count is that of the table, read before the decision.
@counted exists@
expression all, n, v;
@@
 vmd_enable_domain(...) {
 ... when any
 v->msix_count = pci_msix_vec_count(n);
 ... when any
 if (all) {
 <+... vmd_alloc_irqs(v) ...+>
 } else {
 <+... vmd_set_msi_remapping(v, false); ...+>
 }
 ... when any
 }

@depends on features_4 && first_4 && second_4 && (cpu_ids_4 || cpus_4) && counted@
expression a, b, c, d, v;
@@
 vmd_enable_domain(...) {
 <+...
 if (
+ /* iomc: offsets_force_remap = true */
+ /* iomc: intremap_forces_remap = false */
+ /* iomc: count_term = at_least_cpus */
 a || b || c || d) {
 <+... vmd_alloc_irqs(v) ...+>
 } else {
 <+... vmd_set_msi_remapping(v, false); ...+>
 }
 ...+>
 }

@depends on features_4 && first_4 && second_4 && (above_64_4 || above_name_4) && counted@
expression a, b, c, d, v;
@@
 vmd_enable_domain(...) {
 <+...
 if (
+ /* iomc: offsets_force_remap = true */
+ /* iomc: intremap_forces_remap = false */
+ /* iomc: count_term = above_64 */
 a || b || c || d) {
 <+... vmd_alloc_irqs(v) ...+>
 } else {
 <+... vmd_set_msi_remapping(v, false); ...+>
 }
 ...+>
 }

// No feature to bypass: no decision.
@depends on !any_decision@
@@
 vmd_enable_domain(...) {
+ /* iomc: offsets_force_remap = false */
+ /* iomc: intremap_forces_remap = false */
+ /* iomc: count_term = absent */
 ...
 }

// ---- mode_written ----
@depends on decision exists@
expression v, r;
@@
 vmd_enable_domain(...) {
 ... when any
 r = vmd_alloc_irqs(v);
 ... when any
 vmd_set_msi_remapping(v,
+ /* iomc: mode_written = true */
 true);
 ... when any
 }

@any_mode@
@@
 vmd_set_msi_remapping(...)

@depends on !any_mode@
@@
 vmd_enable_domain(...) {
+ /* iomc: mode_written = false */
 ...
 }

// ---- xen_forces_remap ----
@xen@
expression f;
statement S;
@@
 vmd_probe(...) {
 <+...
 if (
+ /* iomc: xen_forces_remap = true */
 xen_domain())
   { f &= ~(VMD_FEAT_CAN_BYPASS_MSI_REMAP); }
 else S
 ...+>
 }

@any_xen@
identifier xen_asked =~ "^xen_";
@@
 xen_asked(...)

@depends on !any_xen@
@@
 vmd_probe(...) {
+ /* iomc: xen_forces_remap = false */
 ...
 }

// ---- bypass_option ----
@option@
declarer name module_param, module_param_named;
identifier p, name;
@@
(
 module_param(p, ...);
|
 module_param_named(name, p, ...);
)

@option_adds depends on option@
identifier option.p;
expression f;
statement S;
@@
(
 if (<+... p ...+>) { f |=
+ /* iomc: bypass_option = adds */
 VMD_FEAT_CAN_BYPASS_MSI_REMAP; }
 else S
|
 if (<+... p ...+>) {
 <+...
 f |=
+ /* iomc: bypass_option = adds */
 VMD_FEAT_CAN_BYPASS_MSI_REMAP
 ...+>
 }
)

@option_clears depends on option && !option_adds@
identifier option.p;
expression f;
statement S;
@@
(
 if (<+... p ...+>) { f &=
+ /* iomc: bypass_option = clears */
 ~(VMD_FEAT_CAN_BYPASS_MSI_REMAP); }
 else S
|
 if (<+... p ...+>) {
 <+...
 f &=
+ /* iomc: bypass_option = clears */
 ~(VMD_FEAT_CAN_BYPASS_MSI_REMAP)
 ...+>
 }
)

// The declarations of the option belong to it.
@depends on option_adds@
declarer name MODULE_PARM_DESC;
identifier option.p;
type T;
expression e;
@@
(
+ /* iomc: bypass_option = adds */
 T p;
|
 MODULE_PARM_DESC(
+ /* iomc: bypass_option = adds */
 p, e);
|
 module_param(
+ /* iomc: bypass_option = adds */
 p, ...);
)

@depends on option_clears@
identifier option.p;
type T;
expression e;
@@
(
+ /* iomc: bypass_option = clears */
 T p;
|
 MODULE_PARM_DESC(
+ /* iomc: bypass_option = clears */
 p, e);
|
 module_param(
+ /* iomc: bypass_option = clears */
 p, ...);
)

// Any other change of the feature that Xen does not ask for.
@xen_clears@
expression f;
position p;
statement S;
@@
 if (xen_domain())
   { f &=@p ~(VMD_FEAT_CAN_BYPASS_MSI_REMAP); }
 else S

@other_change@
expression f;
assignment operator op;
position p != xen_clears.p;
@@
 f op@p <+... VMD_FEAT_CAN_BYPASS_MSI_REMAP ...+>

@depends on !other_change@
@@
 vmd_probe(...) {
+ /* iomc: bypass_option = absent */
 ...
 }

// ---- bypass_inherits_domain ----
@inherits@
expression v, b, e;
@@
 vmd_enable_domain(...) {
 <+...
 if (v->irq_domain) { dev_set_msi_domain(b, v->irq_domain); }
 else { dev_set_msi_domain(b,
+ /* iomc: bypass_inherits_domain = true */
 dev_get_msi_domain(e)); }
 ...+>
 }

@any_inherit@
@@
 dev_get_msi_domain(...)

@depends on !any_inherit@
expression v, b;
@@
 vmd_enable_domain(...) {
 <+...
 dev_set_msi_domain(b,
+ /* iomc: bypass_inherits_domain = false */
 v->irq_domain);
 ...+>
 }

// ---- irte_real_dma_dev ----
@@
expression i, d;
@@
 intel_irq_remapping_prepare_irte(...) {
 <+...
(
 set_msi_sid(i,
+ /* iomc: irte_real_dma_dev = true */
 pci_real_dma_dev(d));
|
 set_msi_sid(i,
+ /* iomc: irte_real_dma_dev = false */
 msi_desc_to_pci_dev(d));
|
 set_msi_sid(i,
+ /* iomc: irte_real_dma_dev = false */
 d->msi_dev);
)
 ...+>
 }

// ---- resume_mode ----
@resume_both@
expression v;
@@
 vmd_resume(...) {
 <+...
(
 vmd_set_msi_remapping(v,
+ /* iomc: resume_mode = both */
 !!v->irq_domain);
|
 if (
+ /* iomc: resume_mode = both */
 v->irq_domain) { vmd_set_msi_remapping(v, true); } else { vmd_set_msi_remapping(v, false); }
|
 if (
+ /* iomc: resume_mode = both */
 !v->irq_domain) { vmd_set_msi_remapping(v, false); } else { vmd_set_msi_remapping(v, true); }
)
 ...+>
 }

@depends on !resume_both@
expression v;
@@
 vmd_resume(...) {
 <+...
 if (
+ /* iomc: resume_mode = bypass_only */
 !v->irq_domain) { vmd_set_msi_remapping(v, false); }
 ...+>
 }

@any_resume_mode@
@@
 vmd_resume(...) {
 <+... vmd_set_msi_remapping(...) ...+>
 }

@depends on !any_resume_mode@
@@
 vmd_resume(...) {
+ /* iomc: resume_mode = nothing */
 ...
 }

// ---- remove_restores, shutdown_restores ----
// The restoring function, and who calls it.
@called_at_remove@
@@
 vmd_remove(...) {
 <+... vmd_remove_irq_domain(...) ...+>
 }

@restores depends on called_at_remove@
expression v;
@@
 vmd_remove_irq_domain(...) {
 <+...
(
 if (
+ /* iomc: remove_restores = true */
 !v->msix_count) { vmd_set_msi_remapping(v, true); }
|
 if (v->msix_count
+ /* iomc: remove_restores = true */
 == 0) { vmd_set_msi_remapping(v, true); }
)
 ...+>
 }

@restores_always@
expression v;
@@
 vmd_remove_irq_domain(...) {
 <+...
 vmd_set_msi_remapping(v, true);
 ...+>
 }

@any_at_remove@
@@
 vmd_remove(...) {
 <+... vmd_set_msi_remapping(...) ...+>
 }

@depends on !restores_always && !any_at_remove@
@@
 vmd_remove(...) {
+ /* iomc: remove_restores = false */
 ...
 }

@at_shutdown@
identifier driver, fn;
@@
 struct pci_driver driver = { .shutdown = fn, };

@depends on restores@
identifier at_shutdown.fn;
@@
 fn(...) {
 <+...
 vmd_remove_irq_domain(
+ /* iomc: shutdown_restores = true */
 ...);
 ...+>
 }

@depends on !at_shutdown@
@@
 vmd_remove(...) {
+ /* iomc: shutdown_restores = false */
 ...
 }
