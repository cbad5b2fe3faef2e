// SPDX-License-Identifier: GPL-2.0-or-later
// The bound of the second pass is computed with the + 1 before the comparison again.
@@
identifier retry;
expression node;
@@
 __alloc_and_insert_iova_range(...) {
 ... when any
 retry = node->pfn_hi
+ + 1
 ;
 ... when any
 }

@@
identifier low;
symbol retry_pfn;
@@
 __alloc_and_insert_iova_range(...) {
 <...
 low = retry_pfn
- + 1
 ...>
 }
