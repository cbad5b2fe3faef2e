// SPDX-License-Identifier: GPL-2.0-or-later
// The interrupt line of the INTx device, which it may share with another device.
#pragma once

#include "spec/vfio/irq.hpp"

namespace iomc::spec::vfio {

/// The irq of the line, or max_irqs.
inline std::size_t line_irq(const Environment& env) {
  for (std::size_t i = 0; i < env.irqs.size(); ++i)
    if (!env.irqs[i].msi && !env.irqs[i].nested) return i;
  return max_irqs;
}

/// After a change of what the devices assert. An assertion that follows is another one.
template <class D>
void update_line(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  const std::size_t irq = line_irq(k.env());
  if (irq == max_irqs) return;
  const Intx<D>& x = k.s.intx;
  const auto asserted = model::either(model::both(x.status == 1, x.disintx == 0), x.other == 1);
  Desc<D>& d = k.s.desc[irq];
  d.line = Byte(asserted);
  d.presented = select(asserted, d.presented, Byte(0));
}

/// pci_intx: the device's own mask.
template <class D>
void pci_intx(const Point<D>& k, bool enable) {
  k.s.intx.disintx = typename Point<D>::Byte(enable ? 0 : 1);
  update_line(k);
}

/// One of the line's devices wants service.
template <class D>
bool device_line(const Point<D>& k) {
  using Byte = typename Point<D>::Byte;
  const std::size_t irq = line_irq(k.env());
  if (irq == max_irqs) return false;
  const bool other = k.env().other_device && k.cx.pick(2) == 1;
  Byte& status = other ? k.s.intx.other : k.s.intx.status;
  Byte& sent = other ? k.s.intx.other_sent : k.s.desc[irq].sent;
  if (!(sent < k.config.sizes.msis) || status == 1) return false;
  sent += Byte(1);
  status = Byte(1);
  update_line(k);
  return true;
}

}  // namespace iomc::spec::vfio
