// SPDX-License-Identifier: GPL-2.0-or-later
#include <array>

#include "spec/vmd/vmd.hpp"

namespace iomc::spec::vmd {

namespace {

constexpr const char* vmd_c = "drivers/pci/controller/vmd.c";
constexpr const char* chip_c = "kernel/irq/chip.c";
constexpr const char* manage_c = "kernel/irq/manage.c";
constexpr const char* nvme_c = "drivers/nvme/host/pci.c";

constexpr std::array<model::StepInfo, step_count> table = {{
    {"idle", "-", "-", "nothing is under way"},
    {"handle_edge_irq", "handle_edge_irq", chip_c, "the CPU takes a VMD vector's message and acknowledges it"},
    {"vmd_irq.srcu_lock", "vmd_irq", vmd_c, "enters the read-side section of the vector's list"},
    {"vmd_irq.first", "vmd_irq", vmd_c, "reads the list's first node"},
    {"vmd_irq.wait", "vmd_irq", vmd_c, "waits before the child's handler, or reads a register of the child"},
    {"generic_handle_irq", "handle_untracked_irq", chip_c,
     "the child's flow handler under the child's descriptor lock: dropped, marked pending, or handled"},
    {"nvme_irq", "nvme_irq", nvme_c, "the child's handler reaps what it finds"},
    {"generic_handle_irq.done", "handle_untracked_irq", chip_c, "the child's interrupt is no longer in progress"},
    {"vmd_irq.next", "vmd_irq", vmd_c, "reads the next pointer of the node it stands at"},
    {"vmd_irq.srcu_unlock", "vmd_irq", vmd_c, "leaves the read-side section"},
    {"handle_edge_irq.end", "handle_edge_irq", chip_c, "runs once more where it was marked pending, or is done"},
    {"posted_msi_notification", "sysvec_posted_msi_notification", "arch/x86/kernel/irq.c",
     "a posted descriptor's notification is taken"},
    {"handle_pending_pir", "handle_pending_pir", "arch/x86/kernel/irq.c",
     "takes what has been posted, handles the next vector of it, or ends with one EOI"},
    {"vmd_suspend.irq", "vmd_suspend", vmd_c, "gives one of the VMD's own interrupts back"},
    {"vmd_resume.irq", "vmd_resume", vmd_c, "requests it again; what was pending is sent again"},
    {"nvme_timeout", "nvme_timeout", nvme_c,
     "a command has timed out: its queue is to be polled with the interrupt off"},
    {"driver.begin", "-", "-", "a child's driver begins to disable its interrupt, or to free it"},
    {"disable_irq", "__disable_irq", manage_c, "a child is disabled under its descriptor lock"},
    {"vmd_irq_disable.mask", "vmd_irq_disable", vmd_c, "masks the child's entry and reads it back"},
    {"vmd_irq_disable.del", "vmd_irq_disable", vmd_c, "takes the child off the list under list_lock"},
    {"synchronize_irq", "__synchronize_irq", manage_c, "waits until the child's own handler is not running"},
    {"nvme_poll_cq", "nvme_poll_irqdisable", nvme_c, "reaps what is visible on the queue"},
    {"enable_irq", "__enable_irq", manage_c, "a child is enabled under its descriptor lock"},
    {"vmd_irq_enable.add", "vmd_irq_enable", vmd_c, "adds the child at the list's tail under list_lock"},
    {"vmd_irq_enable.unmask", "vmd_irq_enable", vmd_c, "unmasks the child's entry; a message that waited is sent"},
    {"desc_lock.wait", "queued_spin_lock_slowpath", "kernel/locking/qspinlock.c",
     "takes its place in the queue for the child's descriptor lock"},
    {"free_irq", "__free_irq", manage_c, "removes the child's action and shuts its interrupt down"},
    {"vmd_msi_free.begin", "vmd_msi_free", vmd_c, "begins to wait for handlers that walk the list"},
    {"vmd_msi_free.wait", "vmd_msi_free", vmd_c, "none of those handlers walks the list any more"},
    {"vmd_msi_free.count", "vmd_msi_free", vmd_c, "takes list_lock and lowers the vector's count"},
    {"vmd_msi_free.unlock", "vmd_msi_free", vmd_c, "lets go of list_lock"},
    {"vmd_msi_free.free", "vmd_msi_free", vmd_c, "frees the child's vmd_irq; its descriptor goes"},
    {"msi_lock_descs", "msi_domain_alloc_irqs", "kernel/irq/msi.c", "takes the MSI mutex of the child's device"},
    {"vmd_msi_init", "vmd_msi_init", vmd_c, "takes list_lock and chooses the child's vector"},
    {"vmd_msi_init.unlock", "vmd_msi_init", vmd_c, "lets go of list_lock"},
    {"request_irq", "__setup_irq", manage_c, "the child gets its action and is started"},
    {"resend_irqs", "resend_irqs", "kernel/irq/resend.c", "the tasklet runs the flow of a child that was pending"},
    {"vmd_pci_read.begin", "vmd_pci_read", vmd_c, "a configuration access begins"},
    {"vmd_pci_read.end", "vmd_pci_read", vmd_c, "…and ends"},
    {"pci_walk_bus", "pci_walk_bus", "drivers/pci/bus.c", "takes pci_bus_sem for reading"},
    {"vmd_pm_enable_quirk", "vmd_pm_enable_quirk", vmd_c, "takes it again inside the walk"},
    {"vmd_pm_enable_quirk.end", "vmd_pm_enable_quirk", vmd_c, "lets the inner one go"},
    {"pci_bus_sem.write", "pci_device_add", "drivers/pci/probe.c", "a writer asks for pci_bus_sem"},
    {"pci_bus_sem.written", "pci_device_add", "drivers/pci/probe.c", "the writer has had it"},
    {"pci_walk_bus.end", "pci_walk_bus", "drivers/pci/bus.c", "lets pci_bus_sem go"},
    {"irq_set_affinity", "irq_do_set_affinity", manage_c, "moves a VMD vector to another CPU"},
    {"cpu_down", "migrate_one_irq", "kernel/irq/cpuhotplug.c", "a CPU goes offline; the VMD's vectors leave it"},
    {"cpu_up", "irq_affinity_online_cpu", "kernel/irq/cpuhotplug.c", "the CPU comes back"},
    {"rcu_read_lock", "-", "-", "a long reader elsewhere in the system begins"},
    {"rcu_read_unlock", "-", "-", "it ends"},
    {"device.complete", "-", "-", "the device writes a completion"},
    {"device.visible", "-", "-", "the completion becomes visible to the CPUs"},
    {"device.coalesced", "-", "-", "the device's aggregation time is over"},
    {"device.message", "-", "-", "the device sends its message, or keeps it where its entry is masked"},
    {"vmd_probe", "vmd_probe", vmd_c, "takes the features of the device id, enables the device"},
    {"vmd_get_phys_offsets", "vmd_get_phys_offsets", vmd_c, "reads where the host has the memory windows"},
    {"vmd_get_bus_number_start", "vmd_get_bus_number_start", vmd_c, "reads the number of the first bus"},
    {"vmd_enable_domain.decide", "vmd_enable_domain", vmd_c, "decides between remapping and bypass"},
    {"vmd_alloc_irqs", "vmd_alloc_irqs", vmd_c, "allocates and requests the VMD's own interrupts"},
    {"vmd_set_msi_remapping.on", "vmd_set_msi_remapping", vmd_c, "clears VMCONFIG bit 1: remapping"},
    {"vmd_create_irq_domain", "vmd_create_irq_domain", vmd_c, "creates the children's interrupt domain"},
    {"vmd_set_msi_remapping.off", "vmd_set_msi_remapping", vmd_c, "sets VMCONFIG bit 1: bypass"},
    {"pci_create_root_bus", "vmd_enable_domain", vmd_c, "creates the root bus and hands it its MSI domain"},
    {"pci_scan_child_bus", "vmd_enable_domain", vmd_c, "reads the configuration space of the first bus"},
    {"vmd_domain_reset.first", "vmd_domain_reset", vmd_c, "writes a bridge's prefetchable window, first register"},
    {"vmd_domain_reset.second", "vmd_domain_reset", vmd_c, "…second register"},
    {"vmd_domain_reset.third", "vmd_domain_reset", vmd_c, "…third register"},
    {"pci_bus_add_devices", "vmd_enable_domain", vmd_c, "the children's drivers enable their interrupts"},
    {"suspend.children", "nvme_suspend", nvme_c, "the children's drivers suspend, for S3 or for s2idle"},
    {"vmd_suspend", "vmd_suspend", vmd_c, "gives the VMD's own interrupts back"},
    {"suspend_device_irqs", "suspend_device_irqs", "kernel/irq/pm.c", "the interrupt core suspends what is enabled"},
    {"firmware.S3", "-", "-", "the machine sleeps; the firmware resets VMCONFIG"},
    {"resume_device_irqs", "resume_device_irqs", "kernel/irq/pm.c", "the interrupt core resumes what it suspended"},
    {"vmd_resume", "vmd_resume", vmd_c, "writes VMCONFIG, as far as this kernel does, and requests the interrupts"},
    {"resume.children", "nvme_resume", nvme_c, "the children's drivers resume"},
    {"vmd_remove.first", "vmd_remove", vmd_c, "stops the children, or takes their windows away first"},
    {"vmd_remove.second", "vmd_remove", vmd_c, "the other of the two, and the SRCU structures"},
    {"vmd_remove.mode", "vmd_remove_irq_domain", vmd_c, "restores remapping where msix_count is 0, removes the domain"},
    {"shutdown.children", "nvme_shutdown", nvme_c, "the children are shut down"},
    {"vmd_shutdown", "vmd_shutdown", vmd_c, "restores remapping, where this kernel does"},
    {"restart", "-", "-", "a warm restart or kexec: the same kernel, or a system that expects the default"},
    {"crash_kexec", "-", "-", "a crash kernel of the same version starts"},
    {"child.message", "-", "-", "a child sends its message"},
}};

}  // namespace

std::span<const model::StepInfo> step_table() { return table; }

}  // namespace iomc::spec::vmd
