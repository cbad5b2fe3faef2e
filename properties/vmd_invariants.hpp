// SPDX-License-Identifier: GPL-2.0-or-later
// What the proofs about VMD's mode rest on: when the register, the irq_domain and the counted vectors agree, and the
// window in which the register does not.
#pragma once

#include <initializer_list>

#include "model/invariant.hpp"
#include "properties/vmd.hpp"

namespace iomc::properties::vmd {

template <class S>
struct ModeInvariants {
  using T = typename S::T;
  using State = typename S::State;
  using Byte = typename T::Byte;
  using Bool = typename T::Bool;

  static Bool at_step(const State& s, std::initializer_list<Step> steps) {
    Bool any = false;
    for (const auto& lane : s.lanes)
      for (const Step step : steps) any = either(any, lane.pc == Byte(static_cast<unsigned>(step)));
    return any;
  }
  /// The driver has decided, and has not let go.
  static Bool decided(const State& s) {
    const Bool life = either(s.mode.driver == Byte(bound), s.mode.driver == Byte(asleep));
    const Bool late_probe = at_step(s, {Step::probe_root_bus, Step::probe_scan, Step::window_first,
                                        Step::window_second, Step::window_third, Step::probe_children});
    return either(life, late_probe);
  }
  static Bool same(const Bool& a, const Bool& b) {
    return either(both(a, b), both(model::negate(a), model::negate(b)));
  }
  static Bool implies(const Bool& a, const Bool& b) { return either(model::negate(a), b); }
  static Bool remaps(const State& s) { return (s.mode.vmconfig & Byte(remap_off)) == Byte(0); }
  static Bool domain(const State& s) { return !(s.mode.irq_domain == Byte(0)); }
  static Bool counted(const State& s) { return !(s.mode.msix_count == Byte(0)); }

  static bool counted_as_mapped(const S&, const State& s) {
    return static_cast<bool>(implies(decided(s), same(domain(s), counted(s))));
  }
  static bool interrupts_of_its_own(const S&, const State& s) {
    return static_cast<bool>(same(counted(s), !(s.mode.irqs == Byte(0))));
  }

  /// The window: the firmware has run (S3), and vmd_resume has not.
  static Bool in_window(const State& s) {
    return both(both(s.mode.driver == Byte(asleep), s.mode.firmware.nonzero()),
                at_step(s, {Step::resume_noirq, Step::resume_vmd}));
  }
  /// Removal undoes it all, register and domain in one step.
  static bool register_as_mode(const S&, const State& s) {
    return static_cast<bool>(
        implies(both(decided(s), model::negate(in_window(s))), same(domain(s), remaps(s))));
  }
  static bool queue_given_back(const S&, const State& s) {
    return static_cast<bool>(
        implies(both(s.mode.driver == Byte(asleep), s.mode.firmware.nonzero()), s.mode.armed[nvme_child] == Byte(0)));
  }
  static bool holds_nothing(const S&, const State& s) {
    const Bool nobody = either(s.mode.driver == Byte(unbound), s.mode.driver == Byte(other_os));
    return static_cast<bool>(implies(nobody, both(model::negate(domain(s)), model::negate(counted(s)))));
  }
  static bool armed_when_bound(const S&, const State& s) {
    Bool armed = false;
    for (const auto& a : s.mode.armed) armed = either(armed, model::negate(a == Byte(0)));
    return static_cast<bool>(implies(armed, either(decided(s), s.mode.driver == Byte(other_os))));
  }
};

template <class S>
std::vector<model::Invariant<S>> mode_invariants() {
  using M = ModeInvariants<S>;
  return {
      {"from the decision to removal, irq_domain and msix_count say the same mode", M::counted_as_mapped},
      {"the irqs array is there with msix_count", M::interrupts_of_its_own},
      {"from the decision to removal, VMCONFIG says the mode of irq_domain, but for the window between the firmware's "
       "reset in S3 and vmd_resume",
       M::register_as_mode},
      {"while no driver is bound there is neither irq_domain nor msix_count", M::holds_nothing},
      {"in S3, NVMe has given its interrupts back", M::queue_given_back},
      {"a child's interrupt is enabled only between probe and removal, or by another system", M::armed_when_bound},
  };
}

}  // namespace iomc::properties::vmd
