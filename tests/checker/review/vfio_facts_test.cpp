// SPDX-License-Identifier: GPL-2.0-or-later
// The rules of checker/review/facts/vfio over both Debian kernels, over edits
// of them that bring back what older kernels had, and over edits that must not
// fool them.
#include <catch2/catch.hpp>

#include "tests/checker/review/edited_facts.hpp"

using namespace iomc::check;
using namespace iomc::check::testing;

namespace {

constexpr const char* manage = "kernel/irq/manage.c";
constexpr const char* chip = "kernel/irq/chip.c";
constexpr const char* msi = "drivers/pci/msi/irqdomain.c";
constexpr const char* eventfd = "fs/eventfd.c";
constexpr const char* intrs = "drivers/vfio/pci/vfio_pci_intrs.c";
constexpr const char* core = "drivers/vfio/pci/vfio_pci_core.c";
constexpr const char* virqfd = "drivers/vfio/virqfd.c";
constexpr const char* kvm = "virt/kvm/eventfd.c";
constexpr const char* posted = "arch/x86/kvm/vmx/posted_intr.c";

using Kernel = EditedFacts<decltype(vfio_facts())>;

const Kernel& debian_612() {
  static const Kernel kernel(vfio_facts, "6.12");
  return kernel;
}

std::string changes(const std::vector<Edit>& edits) { return debian_612().changes(edits); }

}  // namespace

TEST_CASE("the vfio facts of both Debian kernels are the built-in ones") {
  const Kernel debian_61(vfio_facts, "6.1");
  for (const Kernel* k : {&debian_61, &debian_612()}) {
    INFO(to_text(k->base()));
    CHECK(k->changes(k->base()) == "");
    CHECK(k->base().complete());
    for (const FactRead& f : k->base().facts) {
      INFO(f.name << " at " << f.where);
      CHECK((f.line > 0) != f.stated);
    }
  }
}

TEST_CASE("how a kernel is built is stated, and nothing else is") {
  std::string stated;
  for (const FactRead& f : debian_612().base().facts)
    if (f.stated) stated += f.name + "=" + *f.value + " ";
  CHECK(stated == "preempt=none prove_raw_lock_nesting=false ");
  CHECK_THAT(debian_612().base().find("preempt")->where, Catch::Matchers::Contains("not in the source"));
}

TEST_CASE("the handlers' flags are read from their calls") {
  const char* call = "vfio_msihandler, 0, ctx->name";
  CHECK(changes({{intrs, call, "vfio_msihandler, IRQF_NO_THREAD, ctx->name"}}) == "msi_handler_flags=NO_THREAD");
  CHECK(changes({{intrs, call, "vfio_msihandler, IRQF_ONESHOT, ctx->name"}}) == "msi_handler_flags=ONESHOT");
  CHECK(changes({{intrs, "request_irq(irq, vfio_msihandler, 0,", "request_threaded_irq(irq, vfio_msihandler, NULL, 0,"},
                 {intrs, "irqflags, ctx->name", "irqflags | IRQF_NO_THREAD, ctx->name"}}) ==
        "intx_handler_flags=NO_THREAD");
  SECTION("a comment, a macro and a store that depends on something say nothing") {
    CHECK(changes({{intrs, call, "vfio_msihandler, /* IRQF_NO_THREAD */ 0, ctx->name"}}) == "");
    CHECK(changes({{intrs, call, "vfio_msihandler, HANDLER_FLAGS, ctx->name"},
                   {intrs, "irqflags = IRQF_SHARED;", "irqflags = IRQF_SHARED | IRQF_NO_THREAD;"}}) ==
          "msi_handler_flags=unknown intx_handler_flags=unknown");
  }
}

TEST_CASE("what kernel/irq did before 5.12 is read") {
  const std::vector<Edit> forced{
      {manage, "\tif (!IS_ENABLED(CONFIG_PREEMPT_RT))\n\t\tlocal_irq_disable();\n", ""},
      {manage, "\tif (!IS_ENABLED(CONFIG_PREEMPT_RT))\n\t\tlocal_irq_enable();\n", ""},
      {manage, "(IRQF_NO_THREAD | IRQF_PERCPU | IRQF_ONESHOT)", "(IRQF_PERCPU | IRQF_TIMER)"},
  };
  CHECK(changes(forced) ==
        "forced_exempt_no_thread=false "
        "forced_exempt_oneshot=false forced_irqs_off=false");

  const std::vector<Edit> threads{
      {manage, "\twake_up_and_wait_for_irq_thread_ready(desc, new);\n", "\twake_up_process(new->thread);\n"},
      {manage, "IRQTF_READY", "IRQTF_OTHER", true},
      {manage,
       "\t\t\t/* may need to run one last time */\n\t\t\tif "
       "(test_and_clear_bit(IRQTF_RUNTHREAD,\n"
       "\t\t\t\t\t       &action->thread_flags)) "
       "{\n\t\t\t\t__set_current_state(TASK_RUNNING);\n"
       "\t\t\t\treturn 0;\n\t\t\t}\n",
       ""},
      {manage, "\t__synchronize_irq(desc);\n\n#ifdef", "\t__synchronize_hardirq(desc, true);\n\n#ifdef"},
      {manage,
       "\t\tirq_domain_deactivate_irq(&desc->irq_data);\n\t\traw_spin_unlock_"
       "irqrestore(&desc->lock, flags);\n\n"
       "\t\tirq_release",
       "\t\traw_spin_unlock_irqrestore(&desc->lock, "
       "flags);\n\n\t\tirq_release"},
      {chip, "\t\tirq_state_clr_started(desc);\n\t}\n}\n\n\nvoid",
       "\t\tirq_state_clr_started(desc);\n\t}\n\tirq_domain_deactivate_irq(&"
       "desc->irq_data);\n}\n\n\nvoid"},
      {chip, "\tatomic_inc(&desc->threads_active);\n", "\tirqd_set(&desc->irq_data, IRQD_IRQ_INPROGRESS);\n"},
      {manage,
       "\t\tif ((old->flags & IRQF_ONESHOT) &&\n\t\t    (new->flags & "
       "IRQF_COND_ONESHOT))\n"
       "\t\t\tnew->flags |= IRQF_ONESHOT;\n\t\telse if",
       "\t\tif"},
  };
  CHECK(changes(threads) ==
        "thread_ready_wait=false thread_last_run=false free_irq_wait=own_thread "
        "deactivate_after_wait=false nested_threads_counted=false "
        "cond_oneshot=false");
}

TEST_CASE("a thread that tests before it sets its state is seen") {
  CHECK(changes({{manage,
                  "\t\tset_current_state(TASK_INTERRUPTIBLE);\n\t\tirq_thread_"
                  "check_affinity(desc, action);\n",
                  ""},
                 {manage, "\t\t\treturn 0;\n\t\t}\n\t\tschedule();",
                  "\t\t\treturn "
                  "0;\n\t\t}\n\t\tset_current_state(TASK_INTERRUPTIBLE);"
                  "\n\t\tschedule();"}}) == "thread_set_state_first=false");
}

TEST_CASE("what SET_IRQS undoes is read") {
  const std::vector<Edit> undone{
      {intrs, "\t\tif (ret > 0)\n\t\t\tpci_free_irq_vectors(pdev);\n", ""},
      {intrs, "\t\tif (ret)\n\t\t\tvfio_msi_disable(vdev, msix);\n", ""},
      {intrs,
       "\tif (ret) {\n\t\tfor (i = start; i < j; i++)\n"
       "\t\t\tvfio_msi_set_vector_signal(vdev, i, -1, msix);\n\t}\n",
       ""},
      {intrs, "out_put_eventfd_ctx:\n\teventfd_ctx_put(trigger);\n", "out_put_eventfd_ctx:\n"},
      {intrs, "\t\tvfio_msi_set_vector_signal(vdev, i, -1, msix);\n\t}\n\n\tcmd", "\t}\n\n\tcmd"},
  };
  CHECK(changes(undone) ==
        "msi_partial_freed=false msi_enable_unwound=false msi_block_unwound=false "
        "msi_error_puts=false msi_disable_unsets=false");
  CHECK(changes({{intrs, "\t\tcmd = vfio_pci_memory_lock_and_enable(vdev);\n\t\tfree_irq(irq, ctx->trigger);\n",
                  "\t\teventfd_ctx_put(ctx->trigger);\n\t\tcmd = vfio_pci_memory_lock_and_enable(vdev);\n"
                  "\t\tfree_irq(irq, ctx->trigger);\n"},
                 {intrs, "\t\tkfree(ctx->name);\n\t\teventfd_ctx_put(ctx->trigger);\n", "\t\tkfree(ctx->name);\n"}}) ==
        "msi_freed_before_put=false");
  SECTION("a loop that takes other vectors down says nothing") {
    CHECK(changes({{intrs, "for (i = start; i < j; i++)", "for (i = start + 1; i < j; i++)"}}) ==
          "msi_block_unwound=unknown");
  }
}

TEST_CASE("a wait for hard handlers that does not ask the chip is seen") {
  CHECK(changes({{manage,
                  "\t\t\t__irq_get_irqchip_state(irqd, IRQCHIP_STATE_ACTIVE,\n\t\t\t\t\t\t&inprogress);\n", ""}}) ==
        "sync_asks_chip=false");
}

TEST_CASE("readers that pass a waiting writer on RT are seen") {
  const char* rwbase = "kernel/locking/rwbase_rt.c";
  CHECK(changes({{rwbase, "\ttrace_contention_begin(rwb, LCB_F_RT | LCB_F_READ);\n",
                  "\tif (atomic_read(&rwb->readers) != WRITER_BIAS) {\n\t\tatomic_inc(&rwb->readers);\n"
                  "\t\traw_spin_unlock_irq(&rtm->wait_lock);\n\t\treturn 0;\n\t}\n"}}) == "rt_writer_first=false");
}

TEST_CASE("a thread that does not clear the note of its wake-up is seen") {
  // What else is read from the same test is no longer what it was.
  CHECK(changes({{manage, "test_and_clear_bit(IRQTF_RUNTHREAD", "test_bit(IRQTF_RUNTHREAD", true}}) ==
        "thread_set_state_first=unknown thread_last_run=false thread_clears_work=false");
}

TEST_CASE("what turns softirqs off for a forced thread is read") {
  CHECK(changes({{manage, "\tlocal_bh_disable();\n", ""}, {manage, "\tlocal_bh_enable();\n", ""}}) ==
        "forced_bh_off=false");
  CHECK(changes({{"kernel/softirq.c", "local_lock(&softirq_ctrl.lock);", ""}}) == "bh_lock=false");
}

TEST_CASE("a chip that needs masking is seen, one among three is unknown") {
  CHECK(changes({{msi, "\t\t.flags\t\t\t= IRQCHIP_ONESHOT_SAFE,\n", "", true},
                 {msi, "\tinfo->chip->flags |= IRQCHIP_ONESHOT_SAFE;\n", ""}}) == "msi_oneshot_safe=false");
  CHECK(changes({{msi, "\tinfo->chip->flags |= IRQCHIP_ONESHOT_SAFE;\n", ""}}) == "msi_oneshot_safe=unknown");
}

TEST_CASE("locks and guards of eventfd and epoll are read") {
  CHECK(changes({{eventfd, "\tif (WARN_ON_ONCE(current->in_eventfd))\n\t\treturn;\n", ""},
                 {eventfd, "current->in_eventfd = 1;\n\tif (ctx->count <", "\n\tif (ctx->count <"},
                 {eventfd, "\tcurrent->in_eventfd = 0;\n\tspin_unlock_irqrestore", "\tspin_unlock_irqrestore"},
                 {"fs/eventpoll.c", "spin_lock_irqsave(&ep->lock, flags)", "read_lock_irqsave(&ep->lock, flags)"}}) ==
        "eventfd_guard=absent ep_lock=rwlock");
  CHECK(changes({{eventfd, "current->in_eventfd", "__this_cpu_read(in_eventfd)", true}}) == "eventfd_guard=unknown");
  const std::string raw = changes({{eventfd, "\tspin_lock_irqsave(&ctx->wqh.lock, flags);\n\tcurrent",
                                    "\traw_spin_lock_irqsave(&ctx->wqh.lock, flags);\n\tcurrent"}});
  CHECK_THAT(raw, Catch::Matchers::Contains("eventfd_lock=raw_spinlock"));
}

TEST_CASE("what vfio-pci did before its fixes is read") {
  CHECK(changes({
            {intrs, "\t\tif (likely(trigger))\n\t\t\teventfd_signal(trigger);", "\t\teventfd_signal(trigger);"},
            {intrs, "\tmutex_lock(&vdev->igate);\n\tmask_changed = __vfio", "\tmask_changed = __vfio"},
            {intrs, "\tmutex_unlock(&vdev->igate);\n\n\treturn mask_changed;", "\n\treturn mask_changed;"},
            {intrs, "\t\tirq_set_status_flags(pdev->irq, IRQ_DISABLE_UNLAZY);", "\t\t;"},
            {intrs, "irq_clear_status_flags(pdev->irq, IRQ_DISABLE_UNLAZY)", "(void)0", true},
            {intrs,
             "\tif (!ctx) {\n\t\tkfree(name);\n\t\treturn "
             "-ENOMEM;\n\t}\n\n\tctx->name",
             "\tif (!ctx)\n\t\treturn -ENOMEM;\n\n\tctx->name"},
            {intrs, "\tmutex_lock(&vdev->igate);\n\t__vfio_pci_intx_unmask", "\t__vfio_pci_intx_unmask"},
            {intrs, "map = pci_msix_alloc_irq_at(pdev, vector, NULL);", "map = no_such_call(pdev, vector);"},
        }) ==
        "dynamic_msix=false intx_config_igate=false "
        "intx_trigger_checked=false intx_disable_unlazy=false "
        "intx_frees_name=false");
  CHECK(changes({{virqfd, "\t\teventfd_ctx_do_read(virqfd->eventfd, &cnt);\n", ""},
                 {virqfd,
                  "\tspin_lock_irqsave(&virqfd_lock, flags);\n\n\tif (*pvirqfd) "
                  "{\n\t\tvirqfd_deactivate",
                  "\tif (*pvirqfd) {\n\t\tvirqfd_deactivate"},
                 {core,
                  "\trcu_read_lock();\n\teventfd = "
                  "rcu_dereference(vdev->err_trigger);\n\tif (eventfd)\n"
                  "\t\teventfd_signal(eventfd->ctx);\n\trcu_read_unlock();\n",
                  "\tif "
                  "(vdev->err_trigger)\n\t\teventfd_signal(vdev->err_trigger);"
                  "\n"}}) == "err_trigger=unlocked virqfd_locked=false virqfd_drains=false");
}

TEST_CASE("an INTx handler that looks at the mask before it disables the line is seen") {
  const char* disable = "\t\tdisable_irq_nosync(vdev->pdev->irq);";
  CHECK(changes({{intrs, disable, "\t\tif (!ctx->masked)\n\t\t\tdisable_irq_nosync(vdev->pdev->irq);"}}) ==
        "intx_handler_tests_mask=true");
}

TEST_CASE("an interrupt that is requested before its trigger is set is seen") {
  CHECK(changes({{intrs, "\tctx->trigger = trigger;\n\tctx->vdev", "\tctx->vdev"},
                 {intrs,
                  "\t\tvfio_irq_ctx_free(vdev, ctx, 0);\n\t\treturn "
                  "ret;\n\t}\n\n\treturn 0;\n}\n\nstatic int "
                  "vfio_intx_set_signal",
                  "\t\tvfio_irq_ctx_free(vdev, ctx, 0);\n\t\treturn "
                  "ret;\n\t}\n\tctx->trigger = trigger;\n\n\treturn 0;\n"
                  "}\n\nstatic int vfio_intx_set_signal"}}) == "intx_set_before_request=false");
}

TEST_CASE("memory_lock must be held for both, or for neither") {
  CHECK(changes({{intrs, "\t\tcmd = vfio_pci_memory_lock_and_enable(vdev);\n\t\tfree_irq", "\t\tfree_irq"}}) ==
        "memory_lock=unknown");
  CHECK(changes({{intrs, "\t\tcmd = vfio_pci_memory_lock_and_enable(vdev);\n\t\tfree_irq", "\t\tfree_irq"},
                 {intrs, "\tcmd = vfio_pci_memory_lock_and_enable(vdev);\n\tif (msix)", "\tif (msix)"}}) ==
        "memory_lock=false");
}

TEST_CASE("what KVM did before its fixes, and does after later ones, is read") {
  CHECK(changes({{kvm, "\t\teventfd_ctx_do_read(irqfd->eventfd, &cnt);\n", ""},
                 {kvm,
                  "\tsynchronize_srcu_expedited(&kvm->irq_srcu);\n\n\t/*\n\t * "
                  "Synchronize with",
                  "\t/*\n\t * Synchronize with"},
                 {kvm, "\tadd_wait_queue_priority(wqh, &irqfd->wait);", "\tadd_wait_queue(wqh, &irqfd->wait);"},
                 {kvm, "unlikely(!irqfd_is_active(irqfd)) ||", ""},
                 {posted, "DEFINE_PER_CPU(raw_spinlock_t", "DEFINE_PER_CPU(spinlock_t"},
                 {posted, "\traw_spin_lock(spinlock);", "\tspin_lock(spinlock);"},
                 {posted,
                  "\tif (enable_remapped_mode)\n\t\tret = "
                  "irq_set_vcpu_affinity(host_irq, NULL);\n",
                  ""},
                 {posted, "\t\tif (!set)\n\t\t\tcontinue;\n",
                  "\t\tif (!set) {\n\t\t\tret = irq_set_vcpu_affinity(host_irq, "
                  "NULL);\n\t\t\tcontinue;\n\t\t}\n"},
                 {"arch/x86/kvm/x86.c",
                  "\tif "
                  "(ret)\n\t\tkvm_arch_end_assignment(irqfd->kvm);\n\n\tspin_"
                  "unlock_irq",
                  "\tif (ret) "
                  "{\n\t\tkvm_arch_end_assignment(irqfd->kvm);\n\t\tirqfd->"
                  "producer = NULL;\n\t}\n\n\tspin_unlock_irq"},
                 {"drivers/pci/controller/vmd.c", "raw_spin_lock_irqsave(&vmd->cfg_lock",
                  "spin_lock_irqsave(&vmd->cfg_lock", true},
                 {"arch/x86/kvm/xen.c",
                  "\tread_lock_irqsave(&gpc->lock, flags);\n\tif "
                  "(!kvm_gpc_check(gpc, PAGE_SIZE))",
                  "\tif (!read_trylock(&gpc->lock))\n\t\tgoto out_rcu;\n\tif "
                  "(!kvm_gpc_check(gpc, PAGE_SIZE))",
                  true}}) ==
        "irqfd_drains=false irqfd_wait=shared irqfd_inactive=unknown "
        "irqfd_shutdown_waits=false "
        "route_change_resets_irte=false producer_cleared_on_error=true "
        "pi_wakeup_lock=spinlock "
        "xen_evtchn_trylock=unknown vmd_cfg_lock=spinlock");
  CHECK(changes({{kvm, "\tadd_wait_queue_priority(wqh, &irqfd->wait);",
                  "\tirqfd->ret = add_wait_queue_priority_exclusive(wqh, "
                  "&irqfd->wait);"},
                 {"arch/x86/kvm/ioapic.c", "kvm_notify_irqfd_resampler(", "no_such_call("}}) ==
        "irqfd_wait=unique irqfd_resample_on_unmask=unknown");
}

TEST_CASE(
    "what other drivers did before their fixes, and do after later ones, "
    "is read") {
  const char* x86 = "arch/x86/kvm/x86.c";
  CHECK(changes({{x86, "\tspin_lock_irq(&kvm->irqfds.lock);\n\tirqfd->producer = prod;",
                  "\tirqfd->producer = prod;"}}) == "producer_locked=unknown");
  CHECK(changes({{x86, "\tspin_lock_irq(&kvm->irqfds.lock);\n\tirqfd->producer = prod;", "\tirqfd->producer = prod;"},
                 {x86, "\tspin_lock_irq(&kvm->irqfds.lock);\n\tirqfd->producer = NULL;", "\tirqfd->producer = NULL;"},
                 {"arch/x86/kvm/svm/avic.c", "\tif (guest_irq >= irq_rt->nr_rt_entries ||\n\t\thlist_empty",
                  "\tif (hlist_empty"},
                 {posted, "\tif (guest_irq >= irq_rt->nr_rt_entries ||\n\t    hlist_empty", "\tif (hlist_empty"}}) ==
        "producer_locked=false irte_gsi_checked=false");
  CHECK(changes({{"drivers/vhost/vdpa.c", "\t\t\t\tvhost_vdpa_unsetup_vq_irq(v, idx);\n\t\t\tvq->call_ctx",
                  "\t\t\t\tcpu_relax();\n\t\t\tvq->call_ctx"},
                 {"drivers/counter/interrupt-cnt.c", "\t\t\t       IRQF_TRIGGER_RISING, dev_name",
                  "\t\t\t       IRQF_TRIGGER_RISING | IRQF_NO_THREAD, dev_name"},
                 {"drivers/input/keyboard/gpio_keys.c", "\t\t\t     CLOCK_REALTIME, HRTIMER_MODE_REL);",
                  "\t\t\t     CLOCK_REALTIME, HRTIMER_MODE_REL_HARD);", true},
                 {"drivers/net/ethernet/micrel/ks8851_common.c", "\t\t\tnetif_rx(skb);", "\t\t\tkfree_skb(skb);"},
                 {"kernel/irq/msi.c", "\tmsi_lock_descs(dev);\n\txa = ", "\txa = "}}) ==
        "vdpa_token_follows_call=false counter_irq_flags=NO_THREAD "
        "gpio_keys_hard_timer=true "
        "ks8851_rx_unlocked=unknown pci_irq_vector_locks=unknown");
  const Edit lock{"drivers/xen/privcmd.c",
                  "\t\tspin_lock_irqsave(&irqfds_lock, "
                  "flags);\n\t\tirqfd_deactivate(kirqfd);",
                  "\t\tmutex_lock(&irqfds_lock);\n\t\tirqfd_deactivate(kirqfd);"};
  CHECK(changes({lock}) == "privcmd_lock=mutex");
}

TEST_CASE("a driver that is not there does nothing wrong, and its facts say so") {
  FileTexts files = debian_612().files({});
  for (const char* driver : {"drivers/vhost/vdpa.c", "drivers/xen/privcmd.c", "drivers/counter/interrupt-cnt.c"})
    files.erase(driver);
  const FactReading read = debian_612().read(files);
  CHECK(debian_612().changes(read) == "");
  CHECK(read.find("counter_irq_flags")->where == "the tree has no drivers/counter/interrupt-cnt.c");
}

TEST_CASE(
    "other names, blanks, braces, hints and comments leave the vfio "
    "facts as they are") {
  CHECK(changes(
            {{intrs, "irqflags", "how", true},
             {intrs, "pdev", "device", true},
             {intrs, "out_unlock", "leave", true},
             {intrs, "\tif (ret)\n\t\tgoto out_put_eventfd_ctx;",
              "\tif (unlikely(ret)) {\n\t\tgoto out_put_eventfd_ctx;\n\t}"},
             {intrs, "\t\tif (likely(trigger))\n\t\t\teventfd_signal(trigger);",
              "\t\tif (trigger) {\n\t\t\t/* IRQF_NO_THREAD "
              "*/\n\t\t\teventfd_signal(trigger);\n\t\t}"},
             {manage, "(IRQF_NO_THREAD | IRQF_PERCPU | IRQF_ONESHOT)", "(IRQF_ONESHOT | IRQF_NO_THREAD | IRQF_PERCPU)"},
             {manage, "\tif (!IS_ENABLED(CONFIG_PREEMPT_RT))\n\t\tlocal_irq_disable();",
              "\tif (!IS_ENABLED(CONFIG_PREEMPT_RT)) "
              "{\n\t\tlocal_irq_disable();\n\t}"},
             {manage, "action_ptr", "link", true}}) == "");
}

TEST_CASE("the example patch changes the handler's flags and no other fact") {
  FileTexts files = interrupt_sources("6.12");
  files[intrs] = patched({{intrs, files.at(intrs)}}, example("vfio-msi-no-thread.cocci")).at(intrs);
  CHECK(debian_612().changes(debian_612().read(files)) == "msi_handler_flags=NO_THREAD");
}
