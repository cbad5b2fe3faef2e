// SPDX-License-Identifier: GPL-2.0-or-later
// The search is given the limit itself.
@@
expression d, size, limit, node, aligned;
@@
 __alloc_and_insert_iova_range(d, size, limit
- + 1
 , node, aligned)
