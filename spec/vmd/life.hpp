// SPDX-License-Identifier: GPL-2.0-or-later
// The life of the driver: probe and the mode decision, VMCONFIG, suspend and resume, removal, shutdown and hand-over to
// another kernel (drivers/pci/controller/vmd.c), with what its children do meanwhile.
#pragma once

#include "spec/vmd/list.hpp"
#include "spec/vmd/platform.hpp"
#include "spec/vmd/point.hpp"

namespace iomc::spec::vmd {

using model::both;

enum ChildOf : unsigned char { nvme_child = 0, port_child = 1 };

template <class T>
Mode<T>& mode_of(const Point<T>& k) {
  return k.s.mode;
}

/// 2.13: a read-modify-write of VMCONFIG. Deviation: the read always succeeds. The kernel does not look at its result,
/// and writes all ones back where the device is gone.
template <class T>
void set_msi_remapping(Mode<T>& m, bool enable) {
  using Byte = typename T::Byte;
  if (enable)
    m.vmconfig &= ~Byte(remap_off);
  else
    m.vmconfig |= Byte(remap_off);
}

/// The driver has let go of the device.
template <class T>
void hand_over(const Point<T>& k, bool failed_probe) {
  const Mode<T>& m = mode_of(k);
  const bool is_default = !(m.vmconfig & typename T::Byte(remap_off)).nonzero();
  const bool untouched = failed_probe && (m.vmconfig & typename T::Byte(remap_off)) == m.found;
  k.emit(Event<T>::handed_over, 0, 0, is_default || untouched ? 1 : 0);
}

/// 2.14: vmd_remove_irq_domain. False: the domain's firmware node was freed before. Deviation: the kernel leaves the
/// pointer to the domain as it is.
template <class T>
bool remove_irq_domain(const Point<T>& k) {
  using Byte = typename T::Byte;
  Mode<T>& m = mode_of(k);
  if (k.facts().remove_restores && !m.msix_count.nonzero()) set_msi_remapping(m, true);
  if (m.irq_domain.nonzero() && !k.facts().fwnode_outlives) return false;
  m.irq_domain = Byte(0);
  return true;
}

template <class T>
void forget_driver(Mode<T>& m) {
  using Byte = typename T::Byte;
  m.driver = Byte(unbound);
  m.features = m.offset = m.msix_count = m.irqs = m.requested = m.irq_domain = m.found = m.bus_start = Byte(0);
  m.format = {};
  m.armed = {};
  m.index = {};
  m.cpu_vectors = m.owns_hotplug = m.owns_aer = Byte(0);
}

template <class T>
bool fail_probe(const Point<T>& k) {
  hand_over(k, true);
  forget_driver(mode_of(k));
  return k.done();
}

/// Whether the environment lets this step of probe fail.
template <class T>
bool fails(const Point<T>& k) {
  return k.env().faults && k.cx.pick(2) == 1;
}

// ---- probe -----------------------------------------------------------------------------------------------------

/// 2.1: the features, the bars, the device.
template <class T>
bool probe(const Point<T>& k) {
  using Byte = typename T::Byte;
  Mode<T>& m = mode_of(k);
  const DeviceId& id = device_ids[model::index_of(m.device, device_ids.size())];
  if (!(m.driver == unbound) || !listed(k.facts().*id.line)) return false;
  k.start(op_other);
  m.driver = Byte(probing);
  m.found = m.vmconfig & Byte(remap_off);
  const auto platform = static_cast<Platform>(model::index_of(m.platform, 3));
  m.features = Byte(effective_features(k.facts(), features_of(k.facts().*id.line), platform));
  if (fails(k)) return fail_probe(k);
  return k.then(Step::probe_offsets);
}

/// 2.2, 1: where the host has the bars.
template <class T>
bool probe_offsets(const Point<T>& k) {
  using Byte = typename T::Byte;
  Mode<T>& m = mode_of(k);
  const DeviceId& id = device_ids[model::index_of(m.device, device_ids.size())];
  const auto native = (m.features & Byte(membar_shadow)).nonzero();
  const bool emulated = !native && (m.features & Byte(shadow_vscap)).nonzero();
  if (native && fails(k)) return fail_probe(k);
  // A device without those registers reads as if they were disabled.
  if ((native && id.native_shadow) || (emulated && !id.native_shadow)) {
    const auto there = m.shadow.nonzero();
    // The type bits of the register are not part of the address.
    const bool typed = there && !k.facts().shadow_masked;
    if (m.shadow == shifted || typed) m.offset = Byte(1);
    k.emit(Event<T>::windows, 0, 0, typed ? 0 : 1);
  }
  return k.then(Step::probe_buses);
}

/// 2.2, 2: the first bus.
template <class T>
bool probe_buses(const Point<T>& k) {
  using Byte = typename T::Byte;
  Mode<T>& m = mode_of(k);
  if ((m.features & Byte(bus_restrictions)).nonzero()) {
    const bool known = !(m.bus_setting == 3) || k.facts().bus_start_3;
    k.emit(Event<T>::bus_setting, 0, 0, known ? 1 : 0);
    if (!known) return fail_probe(k);
    m.bus_start = Byte(m.bus_setting == 0 ? 0 : m.bus_setting == 1 ? 128 : 224);
  }
  if (k.facts().domain_number_first && fails(k)) return fail_probe(k);
  return k.then(Step::probe_decide);
}

/// 2.2, 4: the decision.
template <class T>
bool probe_decide(const Point<T>& k) {
  using Byte = typename T::Byte;
  Mode<T>& m = mode_of(k);
  if (k.facts().count_term != CountTerm::absent) m.msix_count = Byte(1);
  const Remapping& ir = remappings[model::index_of(m.remapping, remappings.size())];
  const auto features = static_cast<Features>(model::index_of(m.features, 64));
  const bool remap = decides_remap(k.facts(), features, static_cast<bool>(m.offset.nonzero()), ir,
                                   static_cast<unsigned>(model::index_of(m.many_vectors, 3)));
  return k.then(remap ? Step::probe_irqs : Step::probe_bypass);
}

/// 2.3: the VMD's own interrupts.
template <class T>
bool probe_irqs(const Point<T>& k) {
  using Byte = typename T::Byte;
  Mode<T>& m = mode_of(k);
  if (fails(k)) return fail_probe(k);
  m.msix_count = m.irqs = m.requested = Byte(1);
  return k.then(Step::probe_remap);
}

/// 2.2, 5a.
template <class T>
bool probe_remap(const Point<T>& k) {
  if (k.facts().mode_written) set_msi_remapping(mode_of(k), true);
  return k.then(Step::probe_domain);
}

template <class T>
bool probe_domain(const Point<T>& k) {
  if (fails(k)) return fail_probe(k);
  mode_of(k).irq_domain = typename T::Byte(1);
  return k.then(Step::probe_root_bus);
}

/// 2.2, 5b.
template <class T>
bool probe_bypass(const Point<T>& k) {
  set_msi_remapping(mode_of(k), false);
  return k.then(Step::probe_root_bus);
}

/// 2.2, 6 to 8: the root bus and what it takes over.
template <class T>
bool probe_root_bus(const Point<T>& k) {
  using Byte = typename T::Byte;
  Mode<T>& m = mode_of(k);
  if (!k.facts().domain_number_first && fails(k)) return fail_probe(k);
  if (fails(k)) {
    if (!remove_irq_domain(k)) return k.crash(use_after_free);
    return fail_probe(k);
  }
  const bool copied = k.facts().native_flags_copied && m.platform_owns.nonzero();
  m.owns_hotplug = m.owns_aer = Byte(copied ? 0 : 1);
  return k.then(Step::probe_scan);
}

/// 2.2, 9: the scan reads the first bus's configuration space.
template <class T>
bool probe_scan(const Point<T>& k) {
  const Mode<T>& m = mode_of(k);
  // The window holds as many buses as there are from the start on, at most 128.
  const bool reached = k.facts().bus_rebased || m.bus_start == 0;
  k.emit(Event<T>::scanned, 0, 0, reached ? 1 : 0);
  const bool reset = k.env().buses && k.facts().window_reset != WindowReset::absent;
  return k.then(reset ? Step::window_first : Step::probe_children);
}

/// vmd_domain_reset on one bridge: the three registers of its prefetchable window, in ascending order (the lower
/// halves, the base's upper half, the limit's), or in an order that keeps it closed.
template <class T>
bool window_step(const Point<T>& k, unsigned write) {
  using Byte = typename T::Byte;
  Mode<T>& m = mode_of(k);
  const bool ordered = k.facts().window_reset == WindowReset::ordered;
  const Byte base = m.pref_base;
  const Byte limit = m.pref_limit;
  enum { lower, base_upper, limit_upper };
  constexpr unsigned orders[2][3] = {{lower, base_upper, limit_upper}, {limit_upper, lower, base_upper}};
  switch (orders[ordered ? 1 : 0][write]) {
    case lower:
      m.pref_base = (base & Byte(0xf0)) | Byte(ordered ? 0x0f : 0);
      m.pref_limit = limit & Byte(0xf0);
      break;
    case base_upper: m.pref_base = (base & Byte(0x0f)) | Byte(ordered ? 0xf0 : 0); break;
    default: m.pref_limit = limit & Byte(0x0f); break;
  }
  const auto same = both(m.pref_base == base, m.pref_limit == limit);
  k.emit(Event<T>::window, 0, 0, same || m.pref_base > m.pref_limit ? 1 : 0);
  return k.then(write == 0 ? Step::window_second : write == 1 ? Step::window_third : Step::probe_children);
}

/// The children's drivers enable their interrupts.
template <class T>
void arm(const Point<T>& k, ChildOf child) {
  using Byte = typename T::Byte;
  Mode<T>& m = mode_of(k);
  const Remapping& ir = remappings[model::index_of(m.remapping, remappings.size())];
  const bool refused = child == port_child && !k.facts().msi_children;
  k.emit(Event<T>::interrupt_asked, child, 0, refused ? 0 : 1);
  if (refused) return;
  m.armed[child] = Byte(1);
  if (!m.irq_domain.nonzero()) {
    m.format[child] = Byte(k.facts().bypass_inherits_domain && ir.on ? remappable : compatibility);
    return;
  }
  m.format[child] = Byte(vmd_index);
  if (k.facts().parent_vector) m.cpu_vectors += Byte(1);
  // Three vectors of its own stand for any number above two.
  std::array<unsigned, 3> counts{};
  const auto offset = (m.features & Byte(offset_first_vector)).nonzero();
  const ChildKind kind = child == nvme_child ? ChildKind::nvme : ChildKind::bridge;
  const unsigned index = vmd_next_irq(k.facts(), offset ? 1 : 0, 3, requester(kind, 0), counts);
  m.index[child] = Byte(index);
  const DeviceId& id = device_ids[model::index_of(m.device, device_ids.size())];
  k.emit(Event<T>::indexed, child, index, id.reserves_first ? 1 : 0);
}

template <class T>
bool probe_children(const Point<T>& k) {
  using Byte = typename T::Byte;
  Mode<T>& m = mode_of(k);
  arm(k, nvme_child);
  if (k.env().port) arm(k, port_child);
  m.driver = Byte(bound);
  return k.done();
}

// ---- power -----------------------------------------------------------------------------------------------------

/// The children's drivers suspend: for S3 NVMe gives its interrupts back, for s2idle it keeps them.
template <class T>
bool suspend_children(const Point<T>& k) {
  using Byte = typename T::Byte;
  Mode<T>& m = mode_of(k);
  if (!(m.driver == bound)) return false;
  k.start(op_other);
  m.driver = Byte(asleep);
  const bool s3 = k.cx.pick(2) == 0;
  m.firmware = Byte(s3 ? 1 : 0);
  if (s3) {
    if (m.format[nvme_child] == vmd_index && k.facts().parent_vector) m.cpu_vectors -= Byte(1);
    m.armed[nvme_child] = m.format[nvme_child] = m.index[nvme_child] = Byte(0);
  }
  return k.then(Step::suspend_vmd);
}

/// 2.17: vmd_suspend gives the VMD's own interrupts back, one for each of msix_count.
template <class T>
bool suspend_vmd(const Point<T>& k) {
  using Byte = typename T::Byte;
  Mode<T>& m = mode_of(k);
  if (m.msix_count.nonzero() && !m.irqs.nonzero()) return k.crash(null_dereference);
  m.requested = Byte(0);
  return k.then(Step::suspend_noirq);
}

/// suspend_device_irqs: what is still enabled is suspended by the interrupt core. Deviation: also what is to wake the
/// machine, which the kernel leaves enabled.
template <class T>
bool suspend_noirq(const Point<T>& k) {
  using Byte = typename T::Byte;
  for (auto& armed : mode_of(k).armed)
    if (armed.nonzero()) armed = Byte(2);
  return k.then(mode_of(k).firmware.nonzero() ? Step::sleep : Step::resume_noirq);
}

/// S3: the firmware clears VMCONFIG.
template <class T>
bool sleep_step(const Point<T>& k) {
  set_msi_remapping(mode_of(k), true);
  return k.then(Step::resume_noirq);
}

/// resume_device_irqs: before any driver's resume.
template <class T>
bool resume_noirq(const Point<T>& k) {
  using Byte = typename T::Byte;
  for (auto& armed : mode_of(k).armed)
    if (armed.nonzero()) armed = Byte(1);
  return k.then(Step::resume_vmd);
}

/// 2.17: vmd_resume. Deviation: request_irq does not fail.
template <class T>
bool resume_vmd(const Point<T>& k) {
  Mode<T>& m = mode_of(k);
  const bool remap = static_cast<bool>(m.irq_domain.nonzero());
  if (k.facts().resume_mode == ResumeMode::both) set_msi_remapping(m, remap);
  if (k.facts().resume_mode == ResumeMode::bypass_only && !remap) set_msi_remapping(m, false);
  if (m.msix_count.nonzero() && !m.irqs.nonzero()) return k.crash(null_dereference);
  m.requested = m.irqs;
  return k.then(Step::resume_children);
}

template <class T>
bool resume_children(const Point<T>& k) {
  using Byte = typename T::Byte;
  Mode<T>& m = mode_of(k);
  if (m.firmware.nonzero()) arm(k, nvme_child);
  m.firmware = Byte(0);
  m.driver = Byte(bound);
  return k.done();
}

// ---- removal and hand-over -------------------------------------------------------------------------------------

template <class T>
void disarm(Mode<T>& m) {
  m.armed = {};
  m.format = {};
  m.index = {};
  m.cpu_vectors = typename T::Byte(0);
}

/// 2.15: vmd_remove. The windows go before the children, or after.
template <class T>
bool remove_first(const Point<T>& k) {
  using Byte = typename T::Byte;
  Mode<T>& m = mode_of(k);
  if (!(m.driver == bound)) return false;
  k.start(op_other);
  m.driver = Byte(asleep);
  if (k.facts().children_removed_first) disarm(m);
  return k.then(Step::remove_second);
}

template <class T>
bool remove_second(const Point<T>& k) {
  Mode<T>& m = mode_of(k);
  k.emit(Event<T>::windows_gone, 0, 0, m.armed[nvme_child].nonzero() ? 0 : 1);
  disarm(m);
  // cleanup_srcu_struct for each of msix_count
  if (m.msix_count.nonzero() && !m.irqs.nonzero()) return k.crash(null_dereference);
  return k.then(Step::remove_mode);
}

template <class T>
bool remove_mode(const Point<T>& k) {
  if (!remove_irq_domain(k)) return k.crash(use_after_free);
  hand_over(k, false);
  forget_driver(mode_of(k));
  return k.done();
}

/// device_shutdown: the children first.
template <class T>
bool shutdown_children(const Point<T>& k) {
  using Byte = typename T::Byte;
  Mode<T>& m = mode_of(k);
  if (!(m.driver == bound) || !k.env().kexec) return false;
  k.start(op_other);
  m.driver = Byte(down);
  disarm(m);
  return k.then(Step::shutdown_vmd);
}

/// 2.16.
template <class T>
bool shutdown_vmd(const Point<T>& k) {
  if (k.facts().shutdown_restores && !remove_irq_domain(k)) return k.crash(use_after_free);
  hand_over(k, false);
  return k.then(Step::restart);
}

/// A warm restart or kexec: the register stays as it is. The same kernel comes, or a system that never writes it.
template <class T>
bool restart(const Point<T>& k) {
  using Byte = typename T::Byte;
  Mode<T>& m = mode_of(k);
  const bool other = k.cx.pick(2) == 1;
  forget_driver(m);
  if (other) {
    m.driver = Byte(other_os);
    m.armed[nvme_child] = Byte(1);
    m.format[nvme_child] = Byte(vmd_index);
    m.index[nvme_child] = Byte(1);
  }
  return k.done();
}

/// A crash kernel of the same version: nothing is shut down.
template <class T>
bool crash_kexec(const Point<T>& k) {
  Mode<T>& m = mode_of(k);
  if (!k.env().kexec || m.driver == unbound || m.driver == other_os || m.driver == probing) return false;
  forget_driver(m);
  return k.done();
}

// ---- messages --------------------------------------------------------------------------------------------------

/// A child sends a message. NVMe has nothing to say unless its driver is at work.
template <class T>
bool signal(const Point<T>& k) {
  const Mode<T>& m = mode_of(k);
  const unsigned child = static_cast<unsigned>(k.id);
  if (child > port_child || !(m.armed[child] == 1)) return false;
  if (child == nvme_child && !(m.driver == bound) && !(m.driver == other_os)) return false;
  const bool first = static_cast<bool>(m.index[child] == 0);
  const unsigned format = static_cast<unsigned>(model::index_of(m.format[child], 4));
  k.emit(Event<T>::message, child, format, arrives(k.facts(), m, format, first) ? 1 : 0);
  return true;
}

// ---- initial states --------------------------------------------------------------------------------------------

/// Every machine that the configuration covers.
template <class T>
void initial_machine(const Point<T>& k) {
  using Byte = typename T::Byte;
  Mode<T>& m = mode_of(k);
  const Sizes& sizes = k.sizes();
  m.device = Byte(sizes.device != 0 ? sizes.device - 1 : k.cx.pick(device_ids.size()));
  m.platform = Byte(sizes.platform != 0 ? sizes.platform - 1 : k.cx.pick(3));
  const bool guest = static_cast<bool>(m.platform == static_cast<unsigned>(Platform::guest));
  m.shadow = Byte(k.cx.pick(guest ? 3 : 2));
  m.remapping = Byte(k.cx.pick(remappings.size()));
  if (k.env().buses) m.bus_setting = Byte(k.cx.pick(4));
  if (k.env().ownership) m.platform_owns = Byte(k.cx.pick(2));
  if (k.facts().count_term != CountTerm::absent) m.many_vectors = Byte(k.cx.pick(3));
  if (k.env().left_behind && k.cx.pick(2) == 1) m.vmconfig = Byte(remap_off);
  if (k.env().buses) {
    // The firmware's window, four bits for each half of a register: below 4 GiB or above.
    const unsigned upper = k.cx.pick(2) == 0 ? 0 : 0x20;
    m.pref_base = Byte(upper | 0x4);
    m.pref_limit = Byte(upper | 0x7);
  }
}

}  // namespace iomc::spec::vmd
