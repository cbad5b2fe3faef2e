// SPDX-License-Identifier: GPL-2.0-or-later
// The rules of posted interrupts and of other drivers over edits that bring back what older kernels had.
#include <catch2/catch.hpp>

#include "tests/checker/review/edited_facts.hpp"

using namespace iomc::check;
using namespace iomc::check::testing;

namespace {

std::string changes(const std::vector<Edit>& edits) {
  static const EditedFacts<decltype(vfio_facts())> kernel(vfio_facts, "6.12");
  return kernel.changes(edits);
}

}  // namespace

TEST_CASE("how a bypass producer is set, and what an update goes by") {
  CHECK(changes({{"arch/x86/kvm/x86.c", "\tspin_lock_irq(&kvm->irqfds.lock);\n\tirqfd->producer = prod;\n",
                  "\tirqfd->producer = prod;\n"}}) == "producer_locked=false");
  CHECK(changes({{"arch/x86/kvm/svm/avic.c",
                  "\tif (guest_irq >= irq_rt->nr_rt_entries ||\n\t\thlist_empty(&irq_rt->map[guest_irq])) {",
                  "\tWARN_ON(guest_irq >= irq_rt->nr_rt_entries);\n\tif (guest_irq == 0) {"}}) ==
        "irte_gsi_checked=false");
}

TEST_CASE("what other drivers did before their fixes is read") {
  CHECK(changes({{"drivers/xen/privcmd.c", "\t\tspin_lock_irqsave(&irqfds_lock, flags);\n\t\tirqfd_deactivate(kirqfd);",
                  "\t\tmutex_lock(&irqfds_lock);\n\t\tirqfd_deactivate(kirqfd);"}}) == "privcmd_lock=mutex");
  CHECK(changes({{"drivers/counter/interrupt-cnt.c", "IRQF_TRIGGER_RISING,", "IRQF_TRIGGER_RISING | IRQF_NO_THREAD,"}}) ==
        "counter_irq_flags=NO_THREAD");
  CHECK(changes({{"drivers/input/keyboard/gpio_keys.c", "HRTIMER_MODE_REL);\n\t\tbdata->release_timer",
                  "HRTIMER_MODE_REL_HARD);\n\t\tbdata->release_timer"}}) == "gpio_keys_hard_timer=true");
  CHECK(changes({{"drivers/vhost/vdpa.c", "\t\t\t\tvhost_vdpa_unsetup_vq_irq(v, idx);\n", "\t\t\t\tcontinue_with(v);\n"},
                 {"drivers/vhost/vdpa.c", "\tvq->call_ctx.producer.irq = irq;\n",
                  "\tirq_bypass_unregister_producer(&vq->call_ctx.producer);\n\tvq->call_ctx.producer.irq = irq;\n"}}) ==
        "vdpa_token_follows_call=false");
  CHECK(changes({{"kernel/irq/msi.c", "\tmsi_lock_descs(dev);\n\txa = &dev", "\txa = &dev"}}) ==
        "pci_irq_vector_locks=false");
}
