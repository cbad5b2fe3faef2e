// SPDX-License-Identifier: GPL-2.0-or-later
// The trimming work takes the depot lock with interrupts on.
@@
expression lock, flags;
@@
 iova_depot_work_func(...) {
 <...
(
- spin_lock_irqsave(lock, flags)
+ spin_lock(lock)
|
- spin_unlock_irqrestore(lock, flags)
+ spin_unlock(lock)
)
 ...>
 }
