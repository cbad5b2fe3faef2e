// SPDX-License-Identifier: GPL-2.0-or-later
// The state of INTx beside the vector's ctx: the device's own mask, virqfds and their works, the line's other device.
#pragma once

#include "spec/vfio/config.hpp"

namespace iomc::spec::vfio {

inline constexpr unsigned max_virqfds = 2;

/// struct virqfd. Its works are Work.
template <class D>
struct Virqfd {
  using Byte = typename D::template Bits<8>;
  Byte exists;   ///< 0: freed
  Byte eventfd;  ///< 1 + the eventfd it waits at, and holds
  Byte shutdown;
  Byte inject;
  Byte flush_inject;

  template <class Self, class F>
  static void visit(Self& s, F&& f) {
    f("exists", s.exists, model::flag);
    f("eventfd", s.eventfd, model::Range{0, max_eventfds});
    f("shutdown", s.shutdown, model::Range{0, 3});
    f("inject", s.inject, model::Range{0, 3});
    f("flush_inject", s.flush_inject, model::Range{0, 3});
  }
};

template <class D>
struct Intx {
  using Byte = typename D::template Bits<8>;
  // the hardware
  Byte status;   ///< PCI_STATUS_INTERRUPT: the device wants service
  Byte disintx;  ///< PCI_COMMAND_INTX_DISABLE, as the device has it
  Byte other;    ///< another device asserts the line
  Byte other_sent;
  Byte msix;     ///< another driver's device has MSI-X enabled
  // struct vfio_pci_irq_ctx
  Byte unmask;     ///< ctx->unmask: 1 + the virqfd
  Byte file_held;  ///< 1 + the eventfd whose file a lane holds while it sets up a virqfd
  std::array<Virqfd<D>, max_virqfds> virqfd;
  // ghosts
  Byte names;          ///< names that are allocated
  Byte user_masked;    ///< the user has masked by ioctl
  Byte unmask_wanted;  ///< the user has unmasked, and neither is the hardware unmasked nor a signal sent

  template <class Self, class F>
  static void visit(Self& s, F&& f) {
    f("status", s.status, model::flag);
    f("DisINTx", s.disintx, model::flag);
    f("other", s.other, model::flag);
    f("other_sent", s.other_sent, model::any);
    f("msix_enabled", s.msix, model::flag);
    f("unmask", s.unmask, model::Range{0, max_virqfds});
    f("file_held", s.file_held, model::Range{0, max_eventfds});
    f("virqfd", s.virqfd, model::any);
    f("names", s.names, model::Range{0, 3});
    f("user_masked", s.user_masked, model::flag);
    f("unmask_wanted", s.unmask_wanted, model::flag);
  }
};

}  // namespace iomc::spec::vfio
