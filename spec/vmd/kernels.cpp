// SPDX-License-Identifier: GPL-2.0-or-later
// The built-in kernels, each told as what it changed against the one before it.
#include <vector>

#include "spec/vmd/facts.hpp"

namespace iomc::spec::vmd {

namespace {

constexpr Features S = membar_shadow;
constexpr Features R = bus_restrictions;
constexpr Features V = shadow_vscap;
constexpr Features O = offset_first_vector;
constexpr Features B = can_bypass;

std::vector<Kernel> make_kernels() {
  std::vector<Kernel> out;
  const auto add = [&](std::string_view name, std::string_view source, const Facts& f) {
    out.push_back({name, source, f});
  };

  Facts f;
  f.id_201d = id_with(0);
  for (Id* id : {&f.id_28c0, &f.id_467f, &f.id_4c3d, &f.id_a77f, &f.id_7d0b, &f.id_ad0b, &f.id_9a0b}) *id = Id::absent;
  f.mode_written = false;
  f.offsets_force_remap = false;
  f.bypass_inherits_domain = false;
  f.irte_real_dma_dev = false;
  f.shadow_masked = false;
  f.bus_start_3 = false;
  f.bus_rebased = false;
  f.vector_choice = VectorChoice::least_of_all;
  f.single_vector_offset = false;
  f.slow_child_counted = true;
  f.no_thread = false;
  f.affinity = Affinity::refused;
  f.list_del = ListDel::always;
  f.list_lock_irqsave = false;
  f.walk = Walk::rcu;
  f.free_waits = false;
  f.child_flow = ChildFlow::simple;
  f.disable_checks_state = false;
  f.posted_ack = PostedAck::absent;
  f.resume_mode = ResumeMode::nothing;
  f.shutdown_restores = false;
  f.remove_restores = false;
  f.children_removed_first = false;
  f.window_reset = WindowReset::absent;
  f.native_flags_copied = false;
  add("4.5", "arch/x86/pci/vmd.c of 4.6, less what 4.6 changed; the list archive", f);

  f.vector_choice = VectorChoice::msi_on_first;
  f.slow_child_counted = false;
  f.parent_vector = true;
  f.list_del = ListDel::flagged;
  add("4.8", "a stored copy of the file, about 4.8; the list archive", f);

  f.list_lock_irqsave = true;
  f.free_waits = true;
  f.child_flow = ChildFlow::untracked;
  add("4.9", "a stored copy of the file, about 4.9; the list archive", f);

  f.id_28c0 = id_with(S | R);
  f.bus_rebased = true;
  f.vector_choice = VectorChoice::nvme_spread;
  f.no_thread = true;
  f.walk = Walk::srcu;
  f.disable_checks_state = true;
  f.children_removed_first = true;
  add("5.4", "the list archive", f);

  f.id_201d = id_with(V);
  f.id_9a0b = f.id_467f = f.id_4c3d = id_with(V | R | O);
  f.shadow_masked = true;
  f.single_vector_offset = true;
  f.parent_vector = false;
  add("5.11", "the list archive", f);

  f.id_28c0 = id_with(S | R | B);
  f.mode_written = true;
  f.offsets_force_remap = true;
  f.irte_real_dma_dev = true;
  f.remove_restores = true;
  add("5.13", "ee81ee84f873; the list archive", f);

  f.intremap_forces_remap = true;
  add("5.16", "the list archive", f);

  f.id_a77f = id_with(V | R | O);
  f.intremap_forces_remap = false;
  f.bypass_inherits_domain = true;
  f.window_reset = WindowReset::ascending;
  f.native_flags_copied = true;
  add("5.19", "the list archive", f);

  f.id_7d0b = f.id_ad0b = id_with(V | R | O);
  add("6.1", "linux-source-6.1, less its backports", f);

  {
    Facts d = f;
    d.resume_mode = ResumeMode::both;
    d.shutdown_restores = true;
    d.window_reset = WindowReset::ordered;
    d.cfg_lock = LockKind::raw;
    d.xen_forces_remap = true;
    add("debian-6.1", "linux-source-6.1", d);
  }

  for (Id* id : {&f.id_467f, &f.id_4c3d, &f.id_a77f, &f.id_7d0b, &f.id_ad0b, &f.id_9a0b}) *id = Facts::client;
  f.resume_mode = ResumeMode::both;
  f.shutdown_restores = true;
  f.pm_quirk_relocks = true;
  add("6.5", "linux-source-6.12, less what later releases changed; the list archive", f);

  f.posted_ack = PostedAck::no_eoi;
  f.bus_start_3 = true;
  f.affinity = Affinity::no_affinity;
  f.window_reset = WindowReset::ordered;
  f.pm_quirk_relocks = false;
  add("6.12", "linux-source-6.12, less its backports", f);

  f.id_b60b = f.id_b06f = Facts::client;
  f.cfg_lock = LockKind::raw;
  f.xen_forces_remap = true;
  {
    Facts d = f;
    d.posted_ack = PostedAck::eoi;
    add("debian-6.12", "linux-source-6.12", d);
  }
  add("6.15", "the list archive", f);

  f.id_b07f = Facts::client;
  f.nvec_capped = false;
  f.child_domain = ChildDomain::per_device;
  add("6.17", "the list archive; d5c647b08ee0 is in", f);

  f.irq_startup = IrqStartup::inherited;
  add("6.18-rc1", "the list archive; e433110eb5bf is not in", f);
  return out;
}

}  // namespace

std::span<const Kernel> kernels() {
  static const std::vector<Kernel> all = make_kernels();
  return all;
}

const Kernel* find_kernel(std::string_view name) {
  for (const Kernel& k : kernels())
    if (k.name == name) return &k;
  return nullptr;
}

}  // namespace iomc::spec::vmd
