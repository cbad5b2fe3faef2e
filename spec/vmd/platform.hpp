// SPDX-License-Identifier: GPL-2.0-or-later
// The machine around a VMD, as far as the mode depends on it: device ids and what their hardware does, the platform,
// the interrupt remapping of the IOMMU, and what becomes of a child's message.
#pragma once

#include <array>
#include <string_view>

#include "spec/vmd/config.hpp"
#include "spec/vmd/mode.hpp"

namespace iomc::spec::vmd {

/// A device id: its line in vmd_ids, and what the hardware does whatever the line says.
struct DeviceId {
  std::string_view name;
  Id Facts::*line;
  bool bypasses;        ///< the hardware can pass its children's messages on
  bool reserves_first;  ///< vector 0 is for software; children's messages to it are not forwarded
  bool native_shadow;   ///< shadow registers in its second memory window; else in an emulated capability
};

inline constexpr std::array<DeviceId, 11> device_ids = {{
    {"201d", &Facts::id_201d, false, false, false},
    {"28c0", &Facts::id_28c0, true, false, true},
    {"467f", &Facts::id_467f, false, true, false},
    {"4c3d", &Facts::id_4c3d, false, true, false},
    {"a77f", &Facts::id_a77f, false, true, false},
    {"7d0b", &Facts::id_7d0b, false, true, false},
    {"ad0b", &Facts::id_ad0b, false, true, false},
    {"9a0b", &Facts::id_9a0b, false, true, false},
    {"b60b", &Facts::id_b60b, false, true, false},
    {"b06f", &Facts::id_b06f, false, true, false},
    {"b07f", &Facts::id_b07f, false, true, false},
}};
inline constexpr std::array<std::string_view, 11> device_words = [] {
  std::array<std::string_view, 11> out{};
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = device_ids[i].name;
  return out;
}();
inline constexpr std::array<std::string_view, 3> platform_words = {"host", "guest", "xen"};

/// The interrupt remapping of the IOMMU: off, or on with its two settings.
struct Remapping {
  std::string_view name;
  bool on;
  bool eime;  ///< extended interrupt mode: no compatibility format
  bool cfis;  ///< compatibility format interrupts are let through
};
inline constexpr std::array<Remapping, 5> remappings = {{{"off", false, false, false},
                                                         {"on", true, false, false},
                                                         {"on+cfis", true, false, true},
                                                         {"on+eime", true, true, false},
                                                         {"on+eime+cfis", true, true, true}}};

inline constexpr std::array<std::string_view, 3> shadow_words = {"none", "identity", "shifted"};

/// The mode decision of vmd_enable_domain: whether the children's messages are remapped.
inline bool decides_remap(const Facts& f, Features features, bool offset, const Remapping& ir, unsigned many_vectors) {
  if (!f.mode_written || (features & can_bypass) == 0) return true;
  if (f.intremap_forces_remap && ir.on) return true;
  if (f.count_term == CountTerm::at_least_cpus && many_vectors >= 1) return true;
  if (f.count_term == CountTerm::above_64 && many_vectors >= 2) return true;
  return f.offsets_force_remap && offset;
}

/// The features probe goes by.
inline Features effective_features(const Facts& f, Features listed_features, Platform platform) {
  Features out = listed_features;
  // The option is at its effective value: a reviewer asks what it can do.
  if (f.bypass_option == BypassOption::adds) out = static_cast<Features>(out | can_bypass);
  if (f.bypass_option == BypassOption::clears) out = static_cast<Features>(out & ~can_bypass);
  if (f.xen_forces_remap && platform == Platform::xen) out = static_cast<Features>(out & ~can_bypass);
  return out;
}

/// Whether a message of this format, sent by a child, ends in its handler.
template <class T>
bool arrives(const Facts& f, const Mode<T>& m, unsigned format, bool first_vector) {
  const DeviceId& id = device_ids[model::index_of(m.device, device_ids.size())];
  const Remapping& ir = remappings[model::index_of(m.remapping, remappings.size())];
  const bool hardware_bypasses = id.bypasses && (m.vmconfig & typename T::Byte(remap_off)).nonzero();
  if (format == vmd_index) {
    // Passed on as it is, the message names a CPU and a vector that mean nothing.
    if (hardware_bypasses) return false;
    if (id.reserves_first && first_vector) return false;
    return m.driver == other_os || m.requested.nonzero();
  }
  // Its address would be taken for an index into entries that nobody has filled.
  if (!hardware_bypasses) return false;
  // Only the kernel that owns the interrupt controller and the IOMMU can make such a message mean something.
  if (!(m.platform == static_cast<unsigned>(Platform::host))) return false;
  if (!ir.on) return format == compatibility;
  if (format == remappable) return f.irte_real_dma_dev;
  return !ir.eime && ir.cfis;
}

}  // namespace iomc::spec::vmd
