// SPDX-License-Identifier: GPL-2.0-or-later
#include "properties/vmd.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace iomc::properties::vmd {

namespace {

using model::PropertyKind;

constexpr std::array all_info = {
    model::PropertyInfo{"vmd.S1",
                        "while a child may signal, VMCONFIG, irq_domain, irqs and msix_count all say the same mode",
                        "the child's messages are taken for what they are not: no interrupts, I/O times out",
                        "ee81ee84f873, d899aa668498", PropertyKind::safety},
    model::PropertyInfo{"vmd.S2",
                        "bypass is chosen only where the hardware has it, and in a format that the IOMMU takes",
                        "no child interrupt ever arrives, or the IOMMU faults on each", "2565e5b69c44, 886e67100b",
                        PropertyKind::safety},
    model::PropertyInfo{
        "vmd.S2a", "bypass is chosen only where this kernel owns what a message addresses: no guest, no Xen",
        "no child interrupt ever arrives", "6c4d5aadf5df; the comment in vmd_enable_domain", PropertyKind::safety},
    model::PropertyInfo{"vmd.S3",
                        "a child's vector lies in the range the hardware forwards, and NVMe is not on the slow one",
                        "the child's messages go nowhere, or a slow handler holds up the queues that share its vector",
                        "vmd_next_irq; f6b7bb847c", PropertyKind::safety},
    model::PropertyInfo{"vmd.S4",
                        "an enabled child is on its own vector's list exactly once; one without interrupt is on none",
                        "a child that is not listed is never handled; a node deleted twice is poison", "21c80c9fefc3",
                        PropertyKind::safety},
    model::PropertyInfo{"vmd.S5",
                        "every walk over a list ends: no list, and no node a handler stands at, leads in a circle",
                        "the CPU loops in vmd_irq for ever with interrupts off", "21c80c9fefc3", PropertyKind::safety},
    model::PropertyInfo{"vmd.S6",
                        "nothing of a child is called or read after it was freed, and nothing else is freed with it",
                        "a handler runs on a torn-down interrupt, or freed memory is followed",
                        "vmd_msi_free; d5c647b08ee0", PropertyKind::safety},
    model::PropertyInfo{"vmd.S7", "a vector's count is the number of children that have it",
                        "new children go to vectors that look idle and are not", "vmd_next_irq and vmd_msi_free",
                        PropertyKind::safety},
    model::PropertyInfo{"vmd.S8",
                        "locks are taken in order, in a context that may take them, and never twice by one context",
                        "deadlock, or a sleeping lock where nothing may sleep",
                        "lock rules of the kernel; 18056a48669a", PropertyKind::safety},
    model::PropertyInfo{"vmd.S9",
                        "the completion that a message announces is visible when the handler that it calls starts",
                        "the handler finds nothing, and nobody looks again until the command times out",
                        "PCIe ordering; erratum MTL016", PropertyKind::safety},
    model::PropertyInfo{"vmd.S10", "whoever gets the device after the driver let it go finds VMCONFIG at its default",
                        "the next system finds no drives", "e06720c1d9e1", PropertyKind::safety},
    model::PropertyInfo{"vmd.S11",
                        "only an interrupt that a child raised counts as one that its handler did not handle",
                        "an idle child's interrupt is disabled for good because its neighbour is busy",
                        "handle_untracked_irq", PropertyKind::safety},
    model::PropertyInfo{"vmd.S12", "accesses to the configuration space of one VMD do not overlap",
                        "some of the hardware hangs the CPU", "the comment above vmd_pci_read", PropertyKind::safety},
    model::PropertyInfo{"vmd.S13", "the children are stopped before their windows are taken away",
                        "resources are freed that are no longer there", "dc8af3a827df", PropertyKind::safety},
    model::PropertyInfo{"vmd.S14", "the domain's first bus is found at its place in the configuration window",
                        "every access fails, no child is found", "vmd_cfg_addr, 5.4", PropertyKind::safety},
    model::PropertyInfo{"vmd.S15", "no bridge window opens to new addresses while probe resets it",
                        "the bridge answers for memory that is not its own: faults, a hang at boot", "f73eedc90bf7",
                        PropertyKind::safety},
    model::PropertyInfo{"vmd.S16", "the children's windows are where the host has them, to the byte",
                        "every child's registers are read at the wrong address", "3e5095eebe01", PropertyKind::safety},
    model::PropertyInfo{"vmd.S17", "every child that asks for an interrupt is given one",
                        "root ports without hotplug, AER and PME", "removed again in 6.17", PropertyKind::completeness},
    model::PropertyInfo{"vmd.S18", "hotplug in the VMD's domain is the kernel's, whatever the platform keeps elsewhere",
                        "drives put in or taken out are not noticed", "disputed since 04b12ef163d1",
                        PropertyKind::safety},
    model::PropertyInfo{
        "vmd.S19", "AER in the VMD's domain is the kernel's only where the platform leaves it to the kernel",
        "a storm of corrected errors on machines that asked not to be asked", "04b12ef163d1", PropertyKind::safety},
    model::PropertyInfo{"vmd.S20", "each bus-number setting of the hardware is accepted", "the whole domain is missing",
                        "vmd_get_bus_number_start", PropertyKind::completeness},
    model::PropertyInfo{"vmd.S21", "a CPU goes offline without a complaint about any child",
                        "warnings at every suspend; scripts that check for them fail", "bugzilla 216835; 6.12",
                        PropertyKind::safety},
    model::PropertyInfo{"vmd.S22", "an interrupt that a CPU has taken is acknowledged by the time its handler is done",
                        "interrupts of lower priority are never delivered to that CPU again",
                        "the thread on posted MSIs of November 2025", PropertyKind::safety},
    model::PropertyInfo{"vmd.L1",
                        "at rest, no completion of a child is left unseen whose driver never touched its interrupt",
                        "the command waits until another interrupt of the vector or its own time-out, 30 s",
                        "the purpose of the handler", PropertyKind::safety},
    model::PropertyInfo{"vmd.L2",
                        "at rest, neither is one of a child whose driver has disabled and enabled its interrupt",
                        "the driver waits for a completion that it was told of while it did not listen",
                        "disable_irq and enable_irq", PropertyKind::safety},
    model::PropertyInfo{"vmd.L3", "freeing a child waits for handlers of its own vector and for nothing else",
                        "one drive's reset stalls RCU for the whole system", "3906b91844d6", PropertyKind::safety},
    model::PropertyInfo{"vmd.L4", "while any CPU is online, each vector is served by one that is",
                        "drives stop although CPUs that use them are left", "removed in 4.14; posted again in 2019",
                        PropertyKind::safety},
    model::PropertyInfo{"vmd.L5", "a message that a child's driver was given an address for ends in its handler",
                        "drives time out at boot, after resume or in the next system", "ee81ee84f873 and its fixes",
                        PropertyKind::safety},
    model::PropertyInfo{"vmd.L6", "a driver that frees its interrupt gets back from it",
                        "a drive's removal or reset hangs", "free_irq and vmd_msi_free", PropertyKind::liveness},
    model::PropertyInfo{"vmd.L7",
                        "a child's accepted message is followed by a look at its queue, unless its driver disables it",
                        "as L1, in every fair run", "the purpose of the handler", PropertyKind::liveness},
    model::PropertyInfo{"vmd.P7", "a device that can bypass does so on every host",
                        "the interrupts of many drives go through few vectors", "c94f732e80",
                        PropertyKind::performance},
    model::PropertyInfo{"vmd.P8", "children behind remapping take up no vectors of the CPUs",
                        "vectors run out although they are never used", "585dfe8abc44", PropertyKind::performance},
    model::PropertyInfo{"vmd.P10", "no NVMe queue shares its vector with another kind of device",
                        "handlers that read their device's registers hold the queues up at every interrupt",
                        "the comment on fast-interrupt handlers in vmd_next_irq", PropertyKind::performance},
};

std::string letter(unsigned c) { return std::string(1, static_cast<char>('A' + c)); }

}  // namespace

const model::PropertyInfo& info(const char* id) {
  const auto found =
      std::find_if(all_info.begin(), all_info.end(), [&](const auto& i) { return std::strcmp(i.id, id) == 0; });
  IOMC_PRE(found != all_info.end());
  return *found;
}

template <class S>
std::string Explain<S>::lost(const S&, const State&, const State& after, const Event*) {
  std::string out;
  for (unsigned c = 0; c < after.children.size(); ++c)
    if (Predicates<S>::wanted(after.children[c]) && after.children[c].cq.nonzero())
      out += "nothing is under way any more, " + letter(c) + "'s interrupt is enabled, and " + letter(c) +
             "'s completion was never looked for. ";
  return out + "It waits for the next message on the vector, or for the command's time-out";
}

template <class S>
std::string Explain<S>::list(const S&, const State&, const State& after, const Event*) {
  if (after.crash == poison_dereference) return "the child's node is deleted a second time: its prev is poison";
  for (unsigned v = 0; v < after.irqs.size(); ++v)
    if (!Predicates<S>::ends(after, after.irqs[v].next))
      return "the list of vector " + std::to_string(v) + " is a circle";
  for (const auto& lane : after.lanes)
    if (Predicates<S>::walking(lane) && !Predicates<S>::ends(after, lane.child))
      return "the handler stands at " + letter(lane.child.raw()) +
             ", whose next pointer leads back to it: it never ends";
  return "a child is enabled and not on its vector's list, or listed and not enabled";
}

template <class S>
std::string Explain<S>::lock(const S&, const State&, const State&, const Event* e) {
  if (e == nullptr) return "a context spins on a lock that it, or what it interrupted, holds";
  const char* name = e->value == desc_lock   ? "the child's descriptor lock"
                     : e->value == list_lock ? "list_lock"
                     : e->value == cfg_lock  ? "cfg_lock"
                     : e->value == msi_mutex ? "the MSI mutex"
                                             : "pci_bus_sem";
  switch (e->flag) {
    case sleeps_in_atomic: return std::string(name) + " may sleep on PREEMPT_RT and is taken where nothing may sleep";
    case nested_class: return std::string(name) + " is taken while another lock of its class is held";
    case wrong_order: return std::string(name) + " is taken under list_lock, and elsewhere the other way round";
    default: return std::string(name) + " is taken with interrupts on, and handlers take it too";
  }
}

template <class S>
std::string Explain<S>::freed(const S&, const State&, const State& after, const Event* e) {
  if (e != nullptr) return "the handler calls the interrupt of " + letter(e->child) + ", which has been freed";
  if (after.crash == wrong_free) return "an object is freed that is not the child's own";
  return "freed memory is read: the handler stands at a node that is gone";
}

template <class S>
std::string Explain<S>::count(const S&, const State&, const State& after, const Event*) {
  std::string out;
  for (unsigned v = 0; v < after.irqs.size(); ++v) {
    unsigned n = 0;
    for (const auto& c : after.children) n += c.life == live && c.vector.raw() == v ? 1 : 0;
    if (n != after.irqs[v].count.raw())
      out += "vector " + std::to_string(v) + " has " + std::to_string(n) + " children and counts " +
             std::to_string(static_cast<int>(static_cast<signed char>(after.irqs[v].count.raw()))) + ". ";
  }
  return out;
}

template <class S>
std::string Explain<S>::shared(const S& spec, const State&, const State& after, const Event*) {
  std::string out;
  for (unsigned v = 0; v < spec.config().sizes.vectors; ++v) {
    std::string nvme;
    std::string other;
    for (unsigned c = 0; c < spec.config().sizes.children; ++c)
      if (after.children[c].life == live && after.children[c].vector.raw() == v)
        (Predicates<S>::is_nvme(spec, c) ? nvme : other) = letter(c);
    if (!nvme.empty() && !other.empty())
      out += "vector " + std::to_string(v) + " calls the handler of " + other +
             ", which reads its device's registers, whenever the NVMe queue " + nvme + " signals. ";
  }
  return out;
}

template <class S>
std::string Explain<S>::mode(const S&, const State&, const State& after, const Event* e) {
  const Mode<typename S::T>& m = after.mode;
  if (after.crash == null_dereference) return "msix_count says that there are vectors, and irqs is NULL";
  std::string out = "device " + std::string(device_words[m.device.raw()]) + ", " +
                    std::string(platform_words[m.platform.raw()]) + ", shadow registers " +
                    std::string(shadow_words[m.shadow.raw()]) + ", interrupt remapping " +
                    std::string(remappings[m.remapping.raw()].name) + ": ";
  const bool off = (m.vmconfig.raw() & remap_off) != 0;
  if (e != nullptr && e->kind == Event::handed_over)
    return out + "the driver has let go, and VMCONFIG bit 1 is still " + (off ? "set" : "clear");
  out += "VMCONFIG bit 1 is " + std::string(off ? "set (bypass)" : "clear (remapping)");
  if (m.driver.raw() == other_os) return out + ", and another system runs that never writes it";
  out += std::string(", the driver ") + (m.irq_domain.raw() != 0 ? "remaps" : "bypasses");
  constexpr std::array formats = {"none", "an index into the VMD's table", "in remappable format",
                                  "in compatibility format"};
  if (m.format[nvme_child].raw() != 0) out += std::string(", NVMe's message is ") + formats[m.format[nvme_child].raw()];
  if (e != nullptr)
    return out + ". " + (e->child == nvme_child ? "NVMe's" : "A port's") + " message has just been lost";
  if (m.cpu_vectors.raw() != 0) out += ", and children take up " + std::to_string(m.cpu_vectors.raw()) + " CPU vectors";
  return out;
}

template <class S>
std::string Explain<S>::event(const S& spec, const State&, const State& after, const Event* e) {
  if (e == nullptr && after.unacked.raw() != 0)
    return "the interrupt came to its own vector, and the posted chip's ack has left the LAPIC waiting for its EOI";
  if (e == nullptr) return "a vector's messages go to a CPU that is offline, or nowhere";
  switch (e->kind) {
    case Event::placed:
      return letter(e->child) + " gets vector " + std::to_string(e->value) + " of " +
             std::to_string(spec.config().sizes.vectors);
    case Event::handler_started:
      return "the handler of " + letter(e->child) + " starts before its completion is visible";
    case Event::unhandled:
      return letter(e->child) + " raised no interrupt, and is charged with one that nobody handled";
    case Event::config_access: return "two configuration accesses are under way at once";
    case Event::waits_for:
      return "freeing " + letter(e->child) + " waits for a reader that has nothing to do with its vector";
    case Event::indexed:
      return std::string(e->child == nvme_child ? "NVMe" : "a port") + " gets vector " + std::to_string(e->value) +
             ", and the hardware forwards none below " + std::to_string(e->flag);
    case Event::windows: return "the type bits of the shadow register are taken for address bits";
    case Event::bus_setting: return "the bus-number setting is refused";
    case Event::scanned: return "the first bus is looked for beyond the configuration window";
    case Event::window: return "between two register writes the bridge's window is open where it was not";
    case Event::interrupt_asked: return "a child that uses plain MSI gets no interrupt";
    case Event::cpu_left: return "the interrupt of " + letter(e->child) + " cannot be moved, and the kernel says so";
    case Event::windows_gone: return "the windows are taken away under children that still use them";
    default: return "violated";
  }
}

template struct Explain<Vmd<model::Concrete, Small>>;

}  // namespace iomc::properties::vmd
