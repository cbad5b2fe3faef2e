// SPDX-License-Identifier: GPL-2.0-or-later
// A module parameter lets any device bypass the controller's MSI-X table, whether it can or not: the direction of the
// first versions posted in 2023. Under Xen the bypass stays off.
// As facts of 6.12: bypass_option absent -> adds. In the kernel tree:
//   spatch --sp-file vmd-force-bypass.cocci --patch . drivers/pci/controller/vmd.c > force-bypass.patch
//   iomc review force-bypass.patch --tree .
@parameter@
@@
+static bool force_bypass;
+module_param(force_bypass, bool, 0444);
+MODULE_PARM_DESC(force_bypass, "let the MSI-X messages of every child bypass the controller");
+
 static int vmd_probe(...) { ... }

@depends on parameter@
identifier features;
@@
 vmd_probe(...) {
 ... when any
+if (force_bypass)
+	features |= VMD_FEAT_CAN_BYPASS_MSI_REMAP;
 if (xen_domain()) {
 ...
 features &= ~VMD_FEAT_CAN_BYPASS_MSI_REMAP;
 ...
 }
 ... when any
 }
