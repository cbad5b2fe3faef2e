// SPDX-License-Identifier: GPL-2.0-or-later
// How an interrupt that the IOMMU posts is acknowledged, in drivers/iommu/intel/irq_remapping.c.
// reads: drivers/iommu/intel/irq_remapping.c

@posted@
symbol intel_ir_chip, intel_ir_chip_post_msi;
@@
 struct irq_chip intel_ir_chip_post_msi = {
 ...,
 };

@@
symbol intel_ir_chip_post_msi, intel_ack_posted_msi_irq;
@@
 struct irq_chip intel_ir_chip_post_msi = {
 ...,
 .irq_ack =
+ /* iomc: posted_ack = eoi */
 intel_ack_posted_msi_irq,
 ...,
 };

@@
symbol intel_ir_chip_post_msi, irq_move_irq;
@@
 struct irq_chip intel_ir_chip_post_msi = {
 ...,
 .irq_ack =
+ /* iomc: posted_ack = no_eoi */
 irq_move_irq,
 ...,
 };

@depends on !posted@
expression e;
@@
 struct irq_chip intel_ir_chip = {
 ...,
 .irq_ack =
+ /* iomc: posted_ack = absent */
 e,
 ...,
 };
