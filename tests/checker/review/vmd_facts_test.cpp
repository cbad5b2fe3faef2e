// SPDX-License-Identifier: GPL-2.0-or-later
// The rules of checker/review/facts/vmd over both Debian kernels, over edits of them that bring back what older kernels
// had or bring in what was proposed, and over edits that must not fool them.
#include <catch2/catch.hpp>

#include "tests/checker/review/edited_facts.hpp"

using namespace iomc::check;
using namespace iomc::check::testing;

namespace {

constexpr const char* vmd = "drivers/pci/controller/vmd.c";
constexpr const char* chip = "kernel/irq/chip.c";
constexpr const char* irte = "drivers/iommu/intel/irq_remapping.c";

using Kernel = EditedFacts<decltype(vmd_facts())>;

const Kernel& debian_612() {
  static const Kernel kernel(vmd_facts, "6.12");
  return kernel;
}

std::string changes(const std::vector<Edit>& edits) { return debian_612().changes(edits); }

}  // namespace

TEST_CASE("the vmd facts of both Debian kernels are the built-in ones") {
  const Kernel debian_61(vmd_facts, "6.1");
  for (const Kernel* k : {&debian_61, &debian_612()}) {
    INFO(to_text(k->base()));
    CHECK(k->changes(k->base()) == "");
    CHECK(k->base().complete());
    for (const FactRead& f : k->base().facts) {
      INFO(f.name << " at " << f.where);
      CHECK(f.line > 0);
    }
  }
}

TEST_CASE("features are read through macros, in any order, or not at all") {
  CHECK(changes({{vmd, "{PCI_VDEVICE(INTEL, 0x467f),\n\t\t.driver_data = VMD_FEATS_CLIENT,}",
                  "{PCI_VDEVICE(INTEL, 0x467f),}"},
                 {vmd, "{PCI_VDEVICE(INTEL, 0x4c3d),\n\t\t.driver_data = VMD_FEATS_CLIENT,}",
                  "{PCI_DEVICE(PCI_VENDOR_ID_INTEL, 0x4c3d),\n\t\t.driver_data = (VMD_FEAT_BIOS_PM_QUIRK) |\n"
                  "\t\t\t/* and */ VMD_FEAT_HAS_BUS_RESTRICTIONS,}"},
                 {vmd, "{PCI_VDEVICE(INTEL, 0xa77f),\n\t\t.driver_data = VMD_FEATS_CLIENT,},\n\t", ""},
                 {vmd, "{PCI_VDEVICE(INTEL, 0x7d0b),\n\t\t.driver_data = VMD_FEATS_CLIENT,}",
                  "{PCI_VDEVICE(INTEL, 0x7d0b),\n\t\t.driver_data = VMD_FEATS_CLIENT & ~VMD_FEAT_BIOS_PM_QUIRK,}"},
                 {vmd, "{PCI_VDEVICE(INTEL, 0xad0b),\n\t\t.driver_data = VMD_FEATS_CLIENT,}",
                  "{PCI_VDEVICE(INTEL, 0xad0b),\n\t\t.driver_data = VMD_FEATS_CLIENT | VMD_FEAT_UNHEARD_OF,}"},
                 {vmd, "\t{0,}\n", "\t{PCI_VDEVICE(INTEL, 0xb07f), .driver_data = 0,},\n\t{0,}\n"}}) ==
        "id_467f=none id_4c3d=RP id_a77f=absent id_7d0b=unknown id_ad0b=unknown id_b07f=none");
}

TEST_CASE("the terms of the decision are read one by one") {
  const char* decision = "\tif (!(features & VMD_FEAT_CAN_BYPASS_MSI_REMAP) ||\n\t    offset[0] || offset[1]) {";
  const auto decided = [&](const char* by, const std::vector<Edit>& more = {}) {
    std::vector<Edit> edits{{vmd, decision, by}};
    edits.insert(edits.end(), more.begin(), more.end());
    return changes(edits);
  };
  CHECK(decided("\tif (!(features & VMD_FEAT_CAN_BYPASS_MSI_REMAP)) {") == "offsets_force_remap=false");
  CHECK(decided("\tif (offset[1] || !(features & VMD_FEAT_CAN_BYPASS_MSI_REMAP) || offset[0]) {") == "");
  CHECK(decided("\tif (iommu_capable(vmd->dev->dev.bus, IOMMU_CAP_INTR_REMAP) ||\n"
                "\t    !(features & VMD_FEAT_CAN_BYPASS_MSI_REMAP) || offset[0] || offset[1]) {") ==
        "intremap_forces_remap=true");
  const Edit count{vmd, "\tsd->node = pcibus_to_node(vmd->dev->bus);\n",
                   "\tsd->node = pcibus_to_node(vmd->dev->bus);\n\tvmd->msix_count = pci_msix_vec_count(vmd->dev);\n"
                   "\tif (vmd->msix_count < 0)\n\t\treturn -ENODEV;\n"};
  CHECK(decided("\tif (!(features & VMD_FEAT_CAN_BYPASS_MSI_REMAP) || vmd->msix_count >= nr_cpu_ids ||\n"
                "\t    offset[0] || offset[1]) {",
                {count}) == "count_term=at_least_cpus");
  CHECK(decided("\tif (!(features & VMD_FEAT_CAN_BYPASS_MSI_REMAP) || vmd->msix_count > FEW ||\n"
                "\t    offset[0] || offset[1]) {",
                {count, {vmd, "#define VMD_CFGBAR\t0", "#define FEW 64\n#define VMD_CFGBAR\t0"}}) ==
        "count_term=above_64");
  SECTION("a term that no rule knows, and one too many") {
    const std::string unknown = "offsets_force_remap=unknown intremap_forces_remap=unknown count_term=unknown";
    CHECK(decided("\tif (!(features & VMD_FEAT_CAN_BYPASS_MSI_REMAP) || !offset[0] || offset[1]) {") == unknown);
    CHECK(decided("\tif (!(features & VMD_FEAT_CAN_BYPASS_MSI_REMAP) || vmd->msix_count > FEW ||\n"
                  "\t    offset[0] || offset[1]) {",
                  {count, {vmd, "#define VMD_CFGBAR\t0", "#define FEW 32\n#define VMD_CFGBAR\t0"}}) == unknown);
    CHECK(decided("\tif (!(features & VMD_FEAT_CAN_BYPASS_MSI_REMAP) || offset[0] || offset[1] ||\n"
                  "\t    xen_domain() || vmd->first_vec) {") == unknown);
  }
}

TEST_CASE("options that add or clear the bypass feature are told apart") {
  const auto with_option = [&](const char* option, const char* body) {
    return changes({{vmd, "enum vmd_features {", option}, {vmd, "\tif (xen_domain()) {", body}});
  };
  CHECK(with_option("static char *msi_remap;\nmodule_param(msi_remap, charp, 0444);\nenum vmd_features {",
                    "\tif (msi_remap) {\n\t\tif (!strcmp(msi_remap, \"on\"))\n"
                    "\t\t\tfeatures &= ~VMD_FEAT_CAN_BYPASS_MSI_REMAP;\n\t\telse\n"
                    "\t\t\tfeatures |= VMD_FEAT_CAN_BYPASS_MSI_REMAP;\n\t}\n\tif (xen_domain()) {") ==
        "bypass_option=adds");
  CHECK(with_option("static int no_bypass;\nmodule_param(no_bypass, int, 0444);\nenum vmd_features {",
                    "\tif (no_bypass == 1 && features & VMD_FEAT_CAN_BYPASS_MSI_REMAP)\n"
                    "\t\tfeatures &= ~(VMD_FEAT_CAN_BYPASS_MSI_REMAP);\n\tif (xen_domain()) {") ==
        "bypass_option=clears");
  CHECK(with_option("static int verbose;\nmodule_param(verbose, int, 0444);\nenum vmd_features {",
                    "\tif (verbose)\n\t\tdev_info(&dev->dev, \"probe\");\n\tif (xen_domain()) {") == "");
  CHECK(with_option("enum vmd_features {",
                    "\tif (is_kdump_kernel())\n\t\tfeatures &= ~VMD_FEAT_CAN_BYPASS_MSI_REMAP;\n"
                    "\tif (xen_domain()) {") == "bypass_option=unknown");
}

TEST_CASE("the mode's other writers, and what 5.13 to 6.4 did, are read") {
  CHECK(changes(
            {{vmd, "\tif (xen_domain()) {", "\tif (0) {"},
             {vmd, "\telse\n\t\tdev_set_msi_domain(&vmd->bus->dev,\n\t\t\t\t   dev_get_msi_domain(&vmd->dev->dev));\n",
              ""},
             {vmd, "\tvmd_set_msi_remapping(vmd, !!vmd->irq_domain);\n",
              "\tif (!vmd->irq_domain)\n\t\tvmd_set_msi_remapping(vmd, false);\n"},
             {vmd, "\t.shutdown\t= vmd_shutdown,\n", ""},
             {vmd, "\t\tcase 3:\n", ""},
             {vmd, "\t\t\t(phys1 & PCI_BASE_ADDRESS_MEM_MASK);", "\t\t\tphys1;"},
             {vmd, "\t\t\t(phys2 & PCI_BASE_ADDRESS_MEM_MASK);", "\t\t\tphys2;"},
             {vmd, "unsigned int busnr_ecam = bus->number - vmd->busn_start;", "unsigned int busnr_ecam = 0;"},
             {vmd, "PCIE_ECAM_OFFSET(busnr_ecam, devfn, reg)", "PCIE_ECAM_OFFSET(bus->number, devfn, reg)"},
             {irte, "pci_real_dma_dev(msi_desc_to_pci_dev(info->desc))", "msi_desc_to_pci_dev(info->desc)"}}) ==
        "xen_forces_remap=false bypass_option=unknown bypass_inherits_domain=false irte_real_dma_dev=false "
        "shadow_masked=false bus_start_3=false bus_rebased=false resume_mode=bypass_only shutdown_restores=false");
  CHECK(changes({{vmd, "\tvmd_set_msi_remapping(vmd, !!vmd->irq_domain);\n", ""},
                 {vmd, "\tif (!vmd->msix_count)\n\t\tvmd_set_msi_remapping(vmd, true);\n", ""}}) ==
        "resume_mode=nothing shutdown_restores=unknown remove_restores=false");
}

TEST_CASE("the list and its lock as 4.5 to 4.8 had them are read") {
  CHECK(
      changes({{vmd, "\tif (vmdirq->enabled) {\n\t\tlist_del_rcu(&vmdirq->node);\n\t\tvmdirq->enabled = false;\n\t}\n",
                "\tlist_del_rcu(&vmdirq->node);\n"},
               {vmd, "\tWARN_ON(vmdirq->enabled);\n", ""},
               {vmd, "\tvmdirq->enabled = true;\n", ""},
               {vmd, "raw_spin_lock_irqsave(&list_lock, flags)", "raw_spin_lock(&list_lock)", true},
               {vmd, "raw_spin_unlock_irqrestore(&list_lock, flags)", "raw_spin_unlock(&list_lock)", true},
               {vmd, "idx = srcu_read_lock(&irqs->srcu);", "rcu_read_lock();"},
               {vmd, "srcu_read_unlock(&irqs->srcu, idx);", "rcu_read_unlock();"},
               {vmd, "\tsynchronize_srcu(&vmdirq->irq->srcu);\n", ""},
               {vmd, "\tkfree(vmdirq);\n", "\tkfree_rcu(vmdirq, rcu);\n"},
               {vmd, "handle_untracked_irq, vmd, NULL", "handle_simple_irq, vmd, NULL"},
               {chip,
                "\tif (irqd_irq_disabled(&desc->irq_data)) {\n\t\tif (mask)\n\t\t\tmask_irq(desc);\n\t} else {\n"
                "\t\tirq_state_set_disabled(desc);\n",
                "\t{\n\t\tirq_state_set_disabled(desc);\n"}}) ==
      "list_del=always list_lock_irqsave=false walk=rcu free_waits=false child_flow=simple "
      "disable_checks_state=false");
  CHECK(
      changes({{vmd, "\tif (vmdirq->enabled) {\n\t\tlist_del_rcu(&vmdirq->node);\n\t\tvmdirq->enabled = false;\n\t}\n",
                "\tlist_del_rcu(&vmdirq->node);\n\tINIT_LIST_HEAD(&vmdirq->node);\n"},
               {vmd, "DEFINE_RAW_SPINLOCK(list_lock)", "DEFINE_SPINLOCK(list_lock)"},
               {vmd, "raw_spin_lock_irqsave(&list_lock", "spin_lock_irqsave(&list_lock", true},
               {vmd, "raw_spin_lock_irqsave(&vmd->cfg_lock", "spin_lock_irqsave(&vmd->cfg_lock", true}}) ==
      "list_del=reinit list_lock=spinlock cfg_lock=spinlock");
}

TEST_CASE("what the handler does before it calls a child is read") {
  const char* loop =
      "\tlist_for_each_entry_rcu(vmdirq, &irqs->irq_list, node)\n\t\tgeneric_handle_irq(vmdirq->virq);\n";
  const auto with = [&](const std::string& before) {
    const std::string by = "\tlist_for_each_entry_rcu(vmdirq, &irqs->irq_list, node) {\n" + before +
                           "\t\tgeneric_handle_irq(vmdirq->virq);\n\t}\n";
    return changes({{vmd, loop, by.c_str()}});
  };
  CHECK(with("\t\tif (irqs->delay)\n\t\t\tudelay(4);\n") == "before_child=delay");
  CHECK(with("\t\tudelay(4);\n") == "before_child=delay");
  CHECK(with("\t\treadl(vmdirq->status);\n") == "before_child=read");
  CHECK(with("") == "");
  CHECK(with("\t\tif (!vmdirq->enabled)\n\t\t\tcontinue;\n") == "walk=unknown before_child=unknown");
}

TEST_CASE("the choices of a vector are told apart") {
  const char* by_class =
      "\tswitch (msi_desc_to_pci_dev(desc)->class) {\n\tcase PCI_CLASS_STORAGE_EXPRESS:\n\t\tbreak;\n"
      "\tdefault:\n\t\treturn &vmd->irqs[vmd->first_vec];\n\t}\n";
  const char* single = "\tif (vmd->msix_count == 1 + vmd->first_vec)\n\t\treturn &vmd->irqs[vmd->first_vec];\n";
  const Edit from_one{vmd, "\tbest = vmd->first_vec + 1;\n", "\tbest = 1;\n"};
  const Edit vectors{vmd, "pci_alloc_irq_vectors(dev, vmd->first_vec + 1,", "pci_alloc_irq_vectors(dev, 1,"};
  const Edit offset{vmd, "\tif (features & VMD_FEAT_OFFSET_FIRST_VECTOR)\n\t\tvmd->first_vec = 1;\n", ""};
  CHECK(changes({{vmd, by_class, ""},
                 {vmd, single, "\tif (!desc->msi_attrib.is_msix || vmd->msix_count == 1)\n\t\treturn &vmd->irqs[0];\n"},
                 from_one,
                 vectors,
                 offset}) == "vector_choice=msi_on_first single_vector_offset=false");
  CHECK(changes({{vmd, by_class, ""},
                 {vmd, single,
                  "\tif (pci_is_bridge(msi_desc_to_pci_dev(desc)) || vmd->msix_count == 1)\n"
                  "\t\treturn &vmd->irqs[0];\n"},
                 from_one,
                 vectors,
                 offset}) == "vector_choice=bridges_first single_vector_offset=false");
  CHECK(changes({{vmd, by_class, ""},
                 {vmd, single, ""},
                 {vmd, "\tbest = vmd->first_vec + 1;\n", "\tbest = 0;\n"},
                 {vmd, "for (i = best; i <", "for (i = 1; i <"},
                 {vmd, "vmd->msix_count, PCI_IRQ_MSIX)", "vmd->msix_count, PCI_IRQ_MSIX | PCI_IRQ_AFFINITY)"},
                 {vmd, "vmd_irq, IRQF_NO_THREAD,", "vmd_irq, 0,", true},
                 vectors,
                 offset}) ==
        "vector_choice=least_of_all single_vector_offset=false slow_child_counted=true vectors_managed=true "
        "no_thread=false");
  CHECK(changes({{vmd, "\tcase PCI_CLASS_STORAGE_EXPRESS:\n\t\tbreak;",
                  "\tcase PCI_CLASS_STORAGE_EXPRESS:\n"
                  "\tcase PCI_CLASS_STORAGE_SATA_AHCI:\n\t\tbreak;"}}) == "vector_choice=ahci_spread");
  CHECK(changes({{vmd, "\tcase PCI_CLASS_STORAGE_EXPRESS:\n\t\tbreak;",
                  "\tcase PCI_CLASS_STORAGE_EXPRESS:\n"
                  "\tcase PCI_CLASS_STORAGE_RAID:\n\t\tbreak;"}}) == "vector_choice=unknown");
}

TEST_CASE("the domain of 6.17 and after is read") {
  const char* create = "\tvmd->irq_domain = pci_msi_create_irq_domain(fn, &vmd_msi_domain_info, NULL);";
  const auto converted = [&](std::vector<Edit> edits) {
    edits.push_back({vmd, create, "\tvmd->irq_domain = msi_create_parent_irq_domain(&info, &vmd_msi_parent_ops);"});
    edits.push_back(
        {vmd, "\tstruct fwnode_handle *fn;\n\n\tfn =",
         "\tstruct irq_domain_info info = {\n\t\t.ops = &vmd_ops_of_domain,\n\t};\n\tstruct fwnode_handle *fn;\n\n"
         "\tfn ="});
    edits.push_back({vmd, "static int vmd_create_irq_domain(",
                     "#define VMD_MSI_FLAGS_REQUIRED (MSI_FLAG_USE_DEF_DOM_OPS | MSI_FLAG_NO_AFFINITY)\n"
                     "static const struct msi_parent_ops vmd_msi_parent_ops = {\n"
                     "\t.required_flags = VMD_MSI_FLAGS_REQUIRED,\n};\n\nstatic int vmd_create_irq_domain("});
    edits.push_back({vmd, "struct vmd_irq *vmdirq = irq_get_chip_data(virq);",
                     "struct irq_data *own = irq_domain_get_irq_data(domain, virq);\n"
                     "\tstruct vmd_irq *vmdirq = own->chip_data;"});
    return changes(edits);
  };
  const char* begin = "static bool vmd_init_dev_msi_info(struct device *dev, struct msi_domain_info *info)\n{\n";
  const std::string inherits = std::string(begin) + "\treturn true;\n}\n\nstatic void vmd_set_msi_remapping(";
  const std::string overrides =
      "static unsigned int begin(struct irq_data *data)\n{\n\tvmd_irq_enable(data);\n\treturn 0;\n}\n\n" +
      std::string(begin) +
      "\tinfo->chip->irq_startup = begin;\n\treturn true;\n}\n\n"
      "static void vmd_set_msi_remapping(";
  const char* place = "static void vmd_set_msi_remapping(";
  CHECK(converted({{vmd, place, inherits.c_str()}}) == "child_domain=per_device free_own_data=unknown");
  CHECK(converted({{vmd, place, inherits.c_str()},
                   {"drivers/pci/msi/irqdomain.c", "\t\t.irq_mask\t\t= pci_irq_mask_msix,\n",
                    "\t\t.irq_startup = pci_startup,\n\t\t.irq_mask = pci_irq_mask_msix,\n"}}) ==
        "child_domain=per_device irq_startup=inherited free_own_data=unknown");
  CHECK(converted({{vmd, place, overrides.c_str()}}) ==
        "child_domain=per_device irq_startup=overridden free_own_data=unknown");
}

TEST_CASE("what earlier kernels did at set-up and removal is read") {
  CHECK(
      changes(
          {{vmd, "\tpci_stop_root_bus(vmd->bus);\n\tsysfs",
            "\tvmd_detach_resources(vmd);\n\tpci_stop_root_bus(vmd->bus);\n\tsysfs"},
           {vmd, "\tvmd_cleanup_srcu(vmd);\n\tvmd_detach_resources(vmd);\n", "\tvmd_cleanup_srcu(vmd);\n"},
           {vmd, "\tvmd_copy_host_bridge_flags(pci_find_host_bridge", "\tno_such_call(pci_find_host_bridge"},
           {vmd, "vmd_bridge->native_pcie_hotplug = root_bridge->native_pcie_hotplug;", ";"},
           {vmd, "pci_enable_link_state_locked(", "pci_enable_link_state("},
           {vmd, "\tvmdirq->virq = virq;\n", "\tvmdirq->virq = pci_irq_vector(vmd->dev, 0);\n"},
           {vmd, "&vmd_msi_domain_info, NULL)", "&vmd_msi_domain_info, x86_vector_domain)"},
           {vmd, "\t\t\t  MSI_FLAG_NO_AFFINITY | MSI_FLAG_PCI_MSIX,", "\t\t\t  MSI_FLAG_PCI_MSIX,"},
           {vmd, "\tif (nvec > vmd->msix_count)\n\t\treturn vmd->msix_count;\n", ""},
           {vmd, "writel(0xffffffff, base + PCI_PREF_BASE_UPPER32);", "writel(0, base + PCI_PREF_BASE_UPPER32);"}}) ==
      "nvec_capped=unknown affinity=unknown parent_vector=true init_looks_up_vector=true children_removed_first=false "
      "window_reset=unknown native_flags_copied=false pm_quirk_relocks=true");
}

TEST_CASE("other names, blanks, braces, guards and comments leave the vmd facts as they are") {
  CHECK(changes(
            {{vmd, "features", "abilities", true},
             {vmd, "vmdirq", "child", true},
             {vmd, "best", "least", true},
             {vmd, "offset[", "shift[", true},
             {vmd, "busnr_ecam", "row", true},
             {vmd, "\tif (!vmd->msix_count)\n\t\tvmd_set_msi_remapping(vmd, true);",
              "\tif (vmd->msix_count == 0) {\n\t\t/* vmd_set_msi_remapping(vmd, false) */\n"
              "\t\tvmd_set_msi_remapping(vmd, true);\n\t}"},
             {vmd, "\tif (nvec > vmd->msix_count)", "\tif (unlikely(vmd->msix_count < nvec))"},
             {chip,
              "\tif (!irq_may_run(desc))\n\t\tgoto out_unlock;\n\n\tdesc->istate &= ~(IRQS_REPLAY | IRQS_WAITING);\n\n"
              "\tif (unlikely(!desc->action || irqd_irq_disabled(&desc->irq_data))) {\n\t\tdesc->istate |= "
              "IRQS_PENDING;\n\t\tgoto out_unlock;\n\t}\n\n\tdesc->istate &= ~IRQS_PENDING;\n\tirqd_set",
              "\tif (!irq_may_run(desc)) {\n\t\tgoto out_unlock;\n\t}\n\n\tdesc->istate &= "
              "~IRQS_PENDING;\n\tirqd_set"}}) == "");
}

TEST_CASE("the example patches change the facts they are about and no other") {
  const auto after = [&](const char* name) {
    const FileTexts one = patched({{vmd, interrupt_sources("6.12").at(vmd)}}, example(name));
    FileTexts all = interrupt_sources("6.12");
    all[vmd] = one.at(vmd);
    return debian_612().changes(debian_612().read(all));
  };
  CHECK(after("vmd-28c0-remaps.cocci") == "id_28c0=SR");
  CHECK(after("vmd-force-bypass.cocci") == "bypass_option=adds");
  CHECK(after("vmd-low-msi-count.cocci") == "count_term=above_64");
  CHECK(after("vmd-list-for-life.cocci") == "list_for_life=true");
}
