// SPDX-License-Identifier: GPL-2.0-or-later
// The flush looks at CPUs that are not online too. No fact tells the two apart.
@@
iterator name for_each_online_cpu, for_each_possible_cpu;
identifier cpu;
statement body;
@@
 alloc_iova_fast(...) {
 <...
- for_each_online_cpu(cpu)
+ for_each_possible_cpu(cpu)
   body
 ...>
 }
