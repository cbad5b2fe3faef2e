// SPDX-License-Identifier: GPL-2.0-or-later
// A child stays on the list of its vector from its set-up until it is freed; disabling it only masks it. A handler that
// walks the list then never loses the way to the children behind one that is disabled and enabled again.
// As facts of 6.12: list_for_life false -> true. In the kernel tree:
//   spatch --sp-file vmd-list-for-life.cocci --patch . drivers/pci/controller/vmd.c > for-life.patch
//   iomc review for-life.patch --tree .
@@
identifier data, child, flags;
@@
 vmd_irq_enable(struct irq_data *data) {
-struct vmd_irq *child = data->chip_data;
-unsigned long flags;
-
-raw_spin_lock_irqsave(&list_lock, flags);
-WARN_ON(child->enabled);
-list_add_tail_rcu(&child->node, &child->irq->irq_list);
-child->enabled = true;
-raw_spin_unlock_irqrestore(&list_lock, flags);
-
 data->chip->irq_unmask(data);
 }

@@
identifier data, child, flags;
@@
 vmd_irq_disable(struct irq_data *data) {
-struct vmd_irq *child = data->chip_data;
-unsigned long flags;
-
 data->chip->irq_mask(data);
-
-raw_spin_lock_irqsave(&list_lock, flags);
-if (child->enabled) {
-	list_del_rcu(&child->node);
-	child->enabled = false;
-}
-raw_spin_unlock_irqrestore(&list_lock, flags);
 }

@@
@@
 struct vmd_irq {
 ...
-bool enabled;
 ...
 };

@@
identifier child;
@@
 vmd_msi_init(...) {
 ...
 struct vmd_irq *child = ...;
+unsigned long flags;
 ...
 irq_domain_set_info(...);
+
+raw_spin_lock_irqsave(&list_lock, flags);
+list_add_tail_rcu(&child->node, &child->irq->irq_list);
+raw_spin_unlock_irqrestore(&list_lock, flags);
+
 return 0;
 }

@@
identifier child, flags;
@@
 vmd_msi_free(...) {
 ...
 struct vmd_irq *child = ...;
 unsigned long flags;
+
+raw_spin_lock_irqsave(&list_lock, flags);
+list_del_rcu(&child->node);
+raw_spin_unlock_irqrestore(&list_lock, flags);
 synchronize_srcu(...);
 ...
 }
