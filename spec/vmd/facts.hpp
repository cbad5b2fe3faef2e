// SPDX-License-Identifier: GPL-2.0-or-later
// What differs between kernels in drivers/pci/controller/vmd.c and in what the driver is built on, as facts.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "model/facts.hpp"

namespace iomc::spec::vmd {

/// driver_data of one line of vmd_ids. 0: the id is not listed; else 1 + the feature bits.
using Features = unsigned char;
enum class Id : Features { absent = 0 };

enum Feature : Features {
  membar_shadow = 1 << 0,        ///< S: VMD_FEAT_HAS_MEMBAR_SHADOW
  bus_restrictions = 1 << 1,     ///< R: VMD_FEAT_HAS_BUS_RESTRICTIONS
  shadow_vscap = 1 << 2,         ///< V: VMD_FEAT_HAS_MEMBAR_SHADOW_VSCAP
  offset_first_vector = 1 << 3,  ///< O: VMD_FEAT_OFFSET_FIRST_VECTOR
  can_bypass = 1 << 4,           ///< B: VMD_FEAT_CAN_BYPASS_MSI_REMAP
  bios_pm_quirk = 1 << 5         ///< P: VMD_FEAT_BIOS_PM_QUIRK
};

constexpr Id id_with(Features features) { return static_cast<Id>(features + 1); }
constexpr bool listed(Id id) { return id != Id::absent; }
constexpr Features features_of(Id id) { return listed(id) ? static_cast<Features>(static_cast<Features>(id) - 1) : 0; }

/// The values of an id fact: "absent", "none", then each set of features as its letters in the order S R V O B P.
struct IdWords {
  static constexpr std::size_t count = 65;
  std::array<std::array<char, 8>, count> letters{};
  std::array<std::string_view, count> words{};
  constexpr IdWords() {
    words[0] = "absent";
    words[1] = "none";
    for (unsigned bits = 1; bits < 64; ++bits) {
      std::size_t n = 0;
      for (unsigned f = 0; f < 6; ++f)
        if ((bits >> f & 1U) != 0) letters[bits + 1][n++] = "SRVOBP"[f];
      words[bits + 1] = std::string_view(letters[bits + 1].data(), n);
    }
  }
  IdWords(const IdWords&) = delete;
  IdWords& operator=(const IdWords&) = delete;
};
inline constexpr IdWords id_words;

/// The module parameter proposed in 2023: none, v1 to v4 (it may add the feature to any id), v5 (it can only take it
/// away).
enum class BypassOption : unsigned char { absent, adds, clears };
inline constexpr std::array<std::string_view, 3> bypass_option_words = {"absent", "adds", "clears"};

/// The term on the number of vectors proposed in 2024, which sets msix_count before the decision.
enum class CountTerm : unsigned char { absent, at_least_cpus, above_64 };
inline constexpr std::array<std::string_view, 3> count_term_words = {"absent", "at_least_cpus", "above_64"};

/// How vmd_next_irq chooses a child's vector.
enum class VectorChoice : unsigned char {
  least_of_all,   ///< the least used of all vectors
  msi_on_first,   ///< plain MSI on vector 0, MSI-X on the least used of the others
  bridges_first,  ///< the same, and everything of a bridge on vector 0
  nvme_spread,    ///< NVMe on the least used of the fast vectors, everything else on the slow one
  ahci_spread,    ///< NVMe and AHCI on the least used of the fast ones (posted in 2020)
  by_entry        ///< the vector of the child's own entry number (posted in 2019)
};
inline constexpr std::array<std::string_view, 6> vector_choice_words = {"least_of_all", "msi_on_first", "bridges_first",
                                                                        "nvme_spread",  "ahci_spread",  "by_entry"};

/// What vmd_irq_disable does with the child's list node.
enum class ListDel : unsigned char { always, reinit, flagged };
inline constexpr std::array<std::string_view, 3> list_del_words = {"always", "reinit", "flagged"};

/// What vmd_irq walks the list under.
enum class Walk : unsigned char { list_lock, rcu, srcu };
inline constexpr std::array<std::string_view, 3> walk_words = {"list_lock", "rcu", "srcu"};

/// What vmd_irq does before it calls a child's handler: nothing, waits for some microseconds, or reads a register of
/// the child.
enum class BeforeChild : unsigned char { nothing, delay, read };
inline constexpr std::array<std::string_view, 3> before_child_words = {"nothing", "delay", "read"};

/// The flow handler of a child's interrupt.
enum class ChildFlow : unsigned char { simple, untracked };
inline constexpr std::array<std::string_view, 2> child_flow_words = {"simple", "untracked"};

/// A lock's kind: none, spinlock_t (sleeps on PREEMPT_RT), raw_spinlock_t.
enum class LockKind : unsigned char { none, spinlock, raw };
inline constexpr std::array<std::string_view, 3> lock_kind_words = {"none", "spinlock", "raw"};

/// How the children's affinity is declared unchangeable.
enum class Affinity : unsigned char { refused, no_affinity };
inline constexpr std::array<std::string_view, 2> affinity_words = {"refused", "no_affinity"};

/// The domain of the children's interrupts in remapping mode.
enum class ChildDomain : unsigned char { global, per_device };
inline constexpr std::array<std::string_view, 2> child_domain_words = {"global", "per_device"};

/// Whether the chip of the children's domain has irq_startup, and whether it puts the child on the list.
enum class IrqStartup : unsigned char { absent, inherited, overridden };
inline constexpr std::array<std::string_view, 3> irq_startup_words = {"absent", "inherited", "overridden"};

/// How an interrupt that the IOMMU posts is acknowledged: no posting, no EOI at all, or one where it did not come
/// through the notification.
enum class PostedAck : unsigned char { absent, no_eoi, eoi };
inline constexpr std::array<std::string_view, 3> posted_ack_words = {"absent", "no_eoi", "eoi"};

/// What vmd_resume writes to VMCONFIG.
enum class ResumeMode : unsigned char { nothing, bypass_only, both };
inline constexpr std::array<std::string_view, 3> resume_mode_words = {"nothing", "bypass_only", "both"};

/// How vmd_domain_reset closes the bridges' windows.
enum class WindowReset : unsigned char { absent, ascending, ordered };
inline constexpr std::array<std::string_view, 3> window_reset_words = {"absent", "ascending", "ordered"};

/// One kernel's choices. The defaults are those of mainline 6.12.
struct Facts {
  // vmd_ids
  Id id_201d = id_with(shadow_vscap);
  Id id_28c0 = id_with(membar_shadow | bus_restrictions | can_bypass);
  Id id_467f = client;
  Id id_4c3d = client;
  Id id_a77f = client;
  Id id_7d0b = client;
  Id id_ad0b = client;
  Id id_9a0b = client;
  Id id_b60b = Id::absent;
  Id id_b06f = Id::absent;
  Id id_b07f = Id::absent;
  // the mode decision
  bool mode_written = true;
  bool offsets_force_remap = true;
  bool intremap_forces_remap = false;
  bool xen_forces_remap = false;
  BypassOption bypass_option = BypassOption::absent;
  CountTerm count_term = CountTerm::absent;
  bool bypass_inherits_domain = true;
  bool irte_real_dma_dev = true;
  bool shadow_masked = true;
  bool bus_start_3 = true;
  bool bus_rebased = true;
  // vectors
  bool nvec_capped = true;
  VectorChoice vector_choice = VectorChoice::nvme_spread;
  bool single_vector_offset = true;
  bool slow_child_counted = false;
  bool vectors_managed = false;
  bool no_thread = true;
  Affinity affinity = Affinity::no_affinity;
  bool parent_vector = false;
  // the list and the handler
  bool list_for_life = false;
  ListDel list_del = ListDel::flagged;
  LockKind list_lock = LockKind::raw;
  bool list_lock_irqsave = true;
  Walk walk = Walk::srcu;
  BeforeChild before_child = BeforeChild::nothing;
  bool free_waits = true;
  ChildFlow child_flow = ChildFlow::untracked;
  bool untracked_pending = false;
  bool disable_checks_state = true;
  PostedAck posted_ack = PostedAck::no_eoi;
  // the children's domain
  ChildDomain child_domain = ChildDomain::global;
  IrqStartup irq_startup = IrqStartup::absent;
  bool free_own_data = true;
  bool msi_children = true;
  bool init_looks_up_vector = false;
  bool fwnode_outlives = true;
  bool domain_number_first = true;
  // power, hand-over, configuration space
  ResumeMode resume_mode = ResumeMode::both;
  bool shutdown_restores = true;
  bool remove_restores = true;
  bool children_removed_first = true;
  LockKind cfg_lock = LockKind::spinlock;
  WindowReset window_reset = WindowReset::ordered;
  bool native_flags_copied = true;
  bool pm_quirk_relocks = false;

  bool operator==(const Facts&) const = default;

  /// The driver_data of client parts since 6.3.
  static constexpr Id client = id_with(shadow_vscap | bus_restrictions | offset_first_vector | bios_pm_quirk);

  template <class Self, class V>
  static void visit(Self& f, V&& v) {
    using model::FactInfo;
    constexpr const char* vmd_c = "drivers/pci/controller/vmd.c";
    const auto id = [&](const char* name, const char* what, const char* source, auto& member) {
      v(FactInfo{name, what, vmd_c, "vmd_ids", source, id_words.words}, member);
    };
    id("id_201d", "features of device 201D (Skylake server), as letters S R V O B P", "4.5; V: 5.9", f.id_201d);
    id("id_28c0", "features of device 28C0 (Ice Lake server and later)", "4.18; B: ee81ee84f873, 5.13", f.id_28c0);
    id("id_467f", "features of device 467F (client)", "5.6; O: f6b7bb847c, 5.11; P: 6.3", f.id_467f);
    id("id_4c3d", "features of device 4C3D (client)", "5.6; O: f6b7bb847c, 5.11; P: 6.3", f.id_4c3d);
    id("id_a77f", "features of device A77F (Raptor Lake client)", "5.17; P: 6.3", f.id_a77f);
    id("id_7d0b", "features of device 7D0B (Meteor Lake client)", "6.0; P: 6.3", f.id_7d0b);
    id("id_ad0b", "features of device AD0B (client)", "6.0; P: 6.3", f.id_ad0b);
    id("id_9a0b", "features of device 9A0B (Tiger Lake client)", "5.5; V: 5.9; O: f6b7bb847c, 5.11; P: 6.3", f.id_9a0b);
    id("id_b60b", "features of device B60B (client)", "6.13", f.id_b60b);
    id("id_b06f", "features of device B06F (client)", "6.13", f.id_b06f);
    id("id_b07f", "features of device B07F (client)", "6.17", f.id_b07f);

    v(FactInfo{"mode_written", "probe writes the mode to VMCONFIG", vmd_c, "vmd_enable_domain", "ee81ee84f873, 5.13"},
      f.mode_written);
    v(FactInfo{"offsets_force_remap", "a shadow offset other than 0, the sign of a guest, selects remapping", vmd_c,
               "vmd_enable_domain", "ee81ee84f873, 5.13"},
      f.offsets_force_remap);
    v(FactInfo{"intremap_forces_remap", "an IOMMU that can remap interrupts selects remapping", vmd_c,
               "vmd_enable_domain", "2565e5b69c44, 5.16; reverted by c94f732e80, 5.19"},
      f.intremap_forces_remap);
    v(FactInfo{"xen_forces_remap", "a Xen domain selects remapping", vmd_c, "vmd_probe", "6c4d5aadf5df, 6.15"},
      f.xen_forces_remap);
    v(FactInfo{"bypass_option", "a module parameter that adds the bypass feature to any id, or takes it away", vmd_c,
               "vmd_probe", "posted in 2023, in no release", bypass_option_words},
      f.bypass_option);
    v(FactInfo{"count_term", "msix_count is set before the decision, and a high count selects remapping", vmd_c,
               "vmd_enable_domain", "posted in 2024, in no release", count_term_words},
      f.count_term);
    v(FactInfo{"bypass_inherits_domain", "in bypass mode the bus gets the MSI domain of the VMD endpoint", vmd_c,
               "vmd_enable_domain", "886e67100b, 5.19"},
      f.bypass_inherits_domain);
    v(FactInfo{"irte_real_dma_dev", "the source id of a child's IRTE is that of the device whose id its writes carry",
               "drivers/iommu/intel/irq_remapping.c", "intel_irq_remapping_prepare_irte", "9b4a824b889e, 5.13"},
      f.irte_real_dma_dev);
    v(FactInfo{"shadow_masked", "the type bits of a shadow register are masked before offsets are computed", vmd_c,
               "vmd_get_phys_offsets", "3e5095eebe01, 5.8"},
      f.shadow_masked);
    v(FactInfo{"bus_start_3", "bus-number setting 3 is accepted as bus 224", vmd_c, "vmd_get_bus_number_start",
               "between 6.1 and 6.12"},
      f.bus_start_3);
    v(FactInfo{"bus_rebased", "the offset of a config access counts from the domain's first bus", vmd_c, "vmd_cfg_addr",
               "5.4"},
      f.bus_rebased);

    v(FactInfo{"nvec_capped", "a child gets at most msix_count interrupts", vmd_c, "vmd_msi_prepare",
               "4.5; removed by d7d8ab87e3e7, 6.17"},
      f.nvec_capped);
    v(FactInfo{"vector_choice", "which VMD vector a child's interrupt shares", vmd_c, "vmd_next_irq",
               "4.5; 4.8; 4.18; 4.20; by_entry: posted in 2019, ahci_spread: in 2020", vector_choice_words},
      f.vector_choice);
    v(FactInfo{"single_vector_offset", "a VMD with one usable vector uses first_vec, not vector 0", vmd_c,
               "vmd_next_irq", "f6b7bb847c, 5.11"},
      f.single_vector_offset);
    v(FactInfo{"slow_child_counted", "a child placed without comparing counts is counted on its vector", vmd_c,
               "vmd_next_irq", "4.5, where there is no such child; in no later release"},
      f.slow_child_counted);
    v(FactInfo{"vectors_managed", "the VMD's own vectors have managed affinity", vmd_c, "vmd_alloc_irqs",
               "2017; removed in 4.14"},
      f.vectors_managed);
    v(FactInfo{"no_thread", "the VMD's own handler is never forced into a thread", vmd_c, "vmd_alloc_irqs",
               "between 4.14 and 5.4"},
      f.no_thread);
    v(FactInfo{"affinity", "how a child's affinity is kept from being changed", vmd_c, "vmd_msi_controller",
               "4.5; 6.12", affinity_words},
      f.affinity);
    v(FactInfo{"parent_vector", "the children's domain has the CPU vector domain as its parent", vmd_c,
               "vmd_create_irq_domain", "4.8; 585dfe8abc44, 5.10"},
      f.parent_vector);

    v(FactInfo{"list_for_life", "a child stays on its vector's list from vmd_msi_init to vmd_msi_free", vmd_c,
               "vmd_irq_enable", "in no release: the cure of the skipped sibling"},
      f.list_for_life);
    v(FactInfo{"list_del", "how a disabled child leaves the list", vmd_c, "vmd_irq_disable",
               "4.5; reinit: 97e923063575, 4.8-rc; flagged: 21c80c9fefc3, 4.8", list_del_words},
      f.list_del);
    v(FactInfo{"list_lock", "kind of the lock around the lists", vmd_c, "list_lock", "4.5", lock_kind_words},
      f.list_lock);
    v(FactInfo{"list_lock_irqsave", "the list lock is taken with interrupts off", vmd_c, "vmd_irq_enable", "4.9"},
      f.list_lock_irqsave);
    v(FactInfo{"walk", "what the handler walks the list under", vmd_c, "vmd_irq", "4.5; 3906b91844d6, 4.12",
               walk_words},
      f.walk);
    v(FactInfo{"before_child", "what the handler does before it calls a child's", vmd_c, "vmd_irq",
               "4.5; delay: posted for erratum MTL016, in no release", before_child_words},
      f.before_child);
    v(FactInfo{"free_waits", "vmd_msi_free waits for handlers that may still walk the list", vmd_c, "vmd_msi_free",
               "4.9"},
      f.free_waits);
    v(FactInfo{"child_flow", "the flow handler of a child's interrupt", vmd_c, "vmd_msi_init", "4.5; 4.9",
               child_flow_words},
      f.child_flow);

    v(FactInfo{"untracked_pending", "an untracked interrupt that is already being handled is marked pending and rerun",
               "kernel/irq/chip.c", "handle_untracked_irq", "in no release: the cure of the dropped completion"},
      f.untracked_pending);
    v(FactInfo{"disable_checks_state", "an interrupt that is disabled already is not disabled again at its chip",
               "kernel/irq/chip.c", "__irq_disable", "bf22ff45bed6, 4.13"},
      f.disable_checks_state);
    v(FactInfo{"posted_ack", "how an interrupt that the IOMMU posts is acknowledged",
               "drivers/iommu/intel/irq_remapping.c", "intel_ir_chip_post_msi",
               "6.10; fixed after 6.18, in debian-6.12", posted_ack_words},
      f.posted_ack);

    v(FactInfo{"child_domain", "one domain for all children, or one for each device below a parent domain", vmd_c,
               "vmd_create_irq_domain", "d7d8ab87e3e7, 6.17", child_domain_words},
      f.child_domain);
    v(FactInfo{"irq_startup",
               "irq_startup of the children's chip: absent, the template's own, or one that lists the "
               "child first",
               vmd_c, "vmd_init_dev_msi_info", "54f45a30c0d0, 6.18-rc1; e433110eb5bf", irq_startup_words},
      f.irq_startup);
    v(FactInfo{"free_own_data", "the object freed with a child's interrupt is the one of the VMD's own domain", vmd_c,
               "vmd_msi_free", "d7d8ab87e3e7; d5c647b08ee0, 6.17"},
      f.free_own_data);
    v(FactInfo{"msi_children", "children that use plain MSI are accepted", vmd_c, "vmd_msi_init",
               "refused by d7d8ab87e3e7, 6.17-rc"},
      f.msi_children);
    v(FactInfo{"init_looks_up_vector", "vmd_msi_init looks up the VMD's own interrupt under the child's MSI mutex",
               vmd_c, "vmd_msi_init", "82ff8e6b78fc, 5.17-rc; ba1366f3d039, 5.17"},
      f.init_looks_up_vector);
    v(FactInfo{"fwnode_outlives", "the domain's firmware node is freed after the domain", vmd_c,
               "vmd_remove_irq_domain", "711419e504eb, 5.8-rc; e3beca48a45b, 5.9"},
      f.fwnode_outlives);
    v(FactInfo{"domain_number_first", "the PCI domain number is known before it names the irq domain", vmd_c,
               "vmd_enable_domain", "lost after 6.18"},
      f.domain_number_first);

    v(FactInfo{"resume_mode", "what resume writes to VMCONFIG", vmd_c, "vmd_resume", "d899aa668498, 6.2",
               resume_mode_words},
      f.resume_mode);
    v(FactInfo{"shutdown_restores", "shutdown turns remapping on again", vmd_c, "vmd_shutdown", "e06720c1d9e1, 6.5"},
      f.shutdown_restores);
    v(FactInfo{"remove_restores", "removal turns remapping on again where it was bypassed", vmd_c,
               "vmd_remove_irq_domain", "ee81ee84f873, 5.13"},
      f.remove_restores);
    v(FactInfo{"children_removed_first", "removal stops the children before it takes their windows away", vmd_c,
               "vmd_remove", "dc8af3a827df, 4.20"},
      f.children_removed_first);
    v(FactInfo{"cfg_lock", "kind of the lock around config accesses", vmd_c, "vmd_pci_read", "18056a48669a, 6.15",
               lock_kind_words},
      f.cfg_lock);
    v(FactInfo{"window_reset", "how probe closes the bridges' prefetchable windows", vmd_c, "vmd_domain_reset",
               "6aab5622296b, 5.17; f73eedc90bf7, 6.6", window_reset_words},
      f.window_reset);
    v(FactInfo{"native_flags_copied", "the domain takes the ownership flags of the physical host bridge", vmd_c,
               "vmd_copy_host_bridge_flags", "04b12ef163d1, 5.17"},
      f.native_flags_copied);
    v(FactInfo{"pm_quirk_relocks", "the PM quirk takes pci_bus_sem again under a walk that holds it", vmd_c,
               "vmd_pm_enable_quirk", "f492edb40b54, 6.3; 6.7"},
      f.pm_quirk_relocks);
  }
};

/// A built-in fact set.
struct Kernel {
  std::string_view name;    ///< "4.5", "debian-6.12"
  std::string_view source;  ///< where its facts were taken from
  Facts facts;
};

/// All built-in fact sets, oldest first.
std::span<const Kernel> kernels();

/// The built-in fact set of that name, or nullptr.
const Kernel* find_kernel(std::string_view name);

}  // namespace iomc::spec::vmd
