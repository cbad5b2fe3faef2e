// SPDX-License-Identifier: GPL-2.0-or-later
// The state of a VMD device and its driver, as far as the mode goes.
#pragma once

#include <array>

#include "spec/vmd/types.hpp"

namespace iomc::spec::vmd {

/// What the shadow registers say: not there, the bars are where the host has them, or they are elsewhere.
enum Shadow : unsigned char { no_shadow = 0, identity = 1, shifted = 2 };

/// VMCONFIG. The bit's name in the driver says the opposite of what it does: set means that remapping is off.
enum Vmconfig : unsigned char { remap_off = 0x2 };

/// The life of the driver.
enum DriverState : unsigned char {
  unbound = 0,
  probing,
  bound,
  asleep,   ///< between suspend and the end of resume
  down,     ///< shut down, the machine is about to restart
  other_os  ///< another system runs, which takes VMCONFIG's default for granted
};

/// The format of a child's message.
enum Format : unsigned char { no_message = 0, vmd_index = 1, remappable = 2, compatibility = 3 };

/// The VMD device and its driver, for the mode.
template <class T>
struct Mode {
  using Byte = typename T::Byte;
  // the machine: fixed in a run
  Byte device;
  Byte platform;
  Byte shadow;
  Byte remapping;
  Byte bus_setting;    ///< VMCONFIG bits 9:8
  Byte platform_owns;  ///< _OSC of the physical host bridge leaves hotplug and AER to the firmware
  Byte many_vectors;   ///< 1: more vectors than CPUs, 2: more than 64 as well
  // the hardware
  Byte vmconfig;   ///< the low byte
  Byte pref_base;  ///< a bridge's prefetchable window: high nibble the upper half, low nibble the lower
  Byte pref_limit;
  // struct vmd_dev
  Byte driver;  ///< DriverState
  Byte features;
  Byte offset;      ///< some offset is not 0
  Byte msix_count;  ///< 0, or some
  Byte irqs;        ///< the array is there
  Byte requested;   ///< the VMD's own interrupts are requested
  Byte irq_domain;
  Byte found;  ///< VMCONFIG's mode bit as probe found it
  Byte bus_start;
  Byte firmware;  ///< S3: the firmware has run
  // the children: an NVMe queue, and a port's service interrupt
  std::array<Byte, 2> format;
  std::array<Byte, 2> armed;  ///< 1: its driver has it enabled, 2: the interrupt core has suspended it
  std::array<Byte, 2> index;  ///< their vectors
  Byte cpu_vectors;           ///< vectors of CPUs that children take up
  Byte owns_hotplug;
  Byte owns_aer;

  template <class Self, class F>
  static void visit(Self& s, F&& f) {
    f("device", s.device, model::Range{0, 10});
    f("platform", s.platform, model::Range{0, 2});
    f("shadow", s.shadow, model::Range{0, 2});
    f("remapping", s.remapping, model::Range{0, 4});
    f("bus_setting", s.bus_setting, model::Range{0, 3});
    f("platform_owns", s.platform_owns, model::flag);
    f("many_vectors", s.many_vectors, model::Range{0, 2});
    f("VMCONFIG", s.vmconfig, model::any);
    f("pref_base", s.pref_base, model::any);
    f("pref_limit", s.pref_limit, model::any);
    f("driver", s.driver, model::Range{0, 5});
    f("features", s.features, model::Range{0, 63});
    f("offset", s.offset, model::flag);
    f("msix_count", s.msix_count, model::flag);
    f("irqs", s.irqs, model::flag);
    f("irqs_requested", s.requested, model::flag);
    f("irq_domain", s.irq_domain, model::flag);
    f("found", s.found, model::any);
    f("busn_start", s.bus_start, model::any);
    f("firmware", s.firmware, model::flag);
    f("format", s.format, model::Range{0, 3});
    f("armed", s.armed, model::Range{0, 2});
    f("index", s.index, model::any);
    f("cpu_vectors", s.cpu_vectors, model::any);
    f("native_pcie_hotplug", s.owns_hotplug, model::flag);
    f("native_aer", s.owns_aer, model::flag);
  }
};

}  // namespace iomc::spec::vmd
