// SPDX-License-Identifier: GPL-2.0-or-later
// Facts of kernel/irq/: forced threading, the interrupt thread, and what freeing an interrupt waits for.
// README.md in the folder above tells how rules are read.
// reads: kernel/irq/manage.c kernel/irq/chip.c drivers/pci/msi/irqdomain.c
// reads: kernel/softirq.c(__local_bh_disable_ip) kernel/locking/rwbase_rt.c(__rwbase_read_lock)
// without kernel/locking/rwbase_rt.c: rt_writer_first = false
// reads in some kernels: drivers/pci/msi.c

// How the kernel is built and booted, which its source does not say.
// not in source: preempt = none
// not in source: prove_raw_lock_nesting = false

// ---- forced_exempt_no_thread, forced_exempt_percpu, forced_exempt_oneshot ----
// The place where a handler becomes a thread's function: what stands before it exempts.
@forced@
identifier new;
@@
 irq_setup_forced_threading(struct irqaction *new) {
 <+...
 new->thread_fn = new->handler;
 ...+>
 }

@exempts depends on forced@
identifier forced.new;
expression set;
@@
 irq_setup_forced_threading(...) {
 <+...
 if (new->flags & set)
   { return 0; }
 ...+>
 }

@@
identifier forced.new;
expression a, b;
@@
 irq_setup_forced_threading(...) {
 <+...
 if (new->flags
+ /* iomc: forced_exempt_no_thread = true */
 & (\( IRQF_NO_THREAD \| IRQF_NO_THREAD | a \| IRQF_NO_THREAD | a | b \| a | IRQF_NO_THREAD \| a | IRQF_NO_THREAD | b \)))
   { return 0; }
 ...+>
 }

@any_no_thread@
@@
 irq_setup_forced_threading(...) {
 <+... IRQF_NO_THREAD ...+>
 }

@depends on exempts && !any_no_thread@
identifier forced.new;
expression set;
@@
 irq_setup_forced_threading(...) {
 <+...
 if (new->flags
+ /* iomc: forced_exempt_no_thread = false */
 & set)
   { return 0; }
 ...+>
 }

@@
identifier forced.new;
expression a, b;
@@
 irq_setup_forced_threading(...) {
 <+...
 if (new->flags
+ /* iomc: forced_exempt_percpu = true */
 & (\( IRQF_PERCPU \| IRQF_PERCPU | a \| IRQF_PERCPU | a | b \| a | IRQF_PERCPU \| a | IRQF_PERCPU | b \)))
   { return 0; }
 ...+>
 }

@any_percpu@
@@
 irq_setup_forced_threading(...) {
 <+... IRQF_PERCPU ...+>
 }

@depends on exempts && !any_percpu@
identifier forced.new;
expression set;
@@
 irq_setup_forced_threading(...) {
 <+...
 if (new->flags
+ /* iomc: forced_exempt_percpu = false */
 & set)
   { return 0; }
 ...+>
 }

@exempt_oneshot@
identifier forced.new;
expression a, b;
@@
 irq_setup_forced_threading(...) {
 <+...
 if (new->flags
+ /* iomc: forced_exempt_oneshot = true */
 & (\( IRQF_ONESHOT \| IRQF_ONESHOT | a \| IRQF_ONESHOT | a | b \| a | IRQF_ONESHOT \| a | IRQF_ONESHOT | b \)))
   { return 0; }
 ...+>
 }

@tested_oneshot@
statement S;
@@
 irq_setup_forced_threading(...) {
 <+...
 if (<+... IRQF_ONESHOT ...+>) S
 ...+>
 }

@depends on exempts && !exempt_oneshot && !tested_oneshot@
identifier forced.new;
expression set;
@@
 irq_setup_forced_threading(...) {
 <+...
 if (new->flags
+ /* iomc: forced_exempt_oneshot = false */
 & set)
   { return 0; }
 ...+>
 }

// ---- forced_irqs_off ----
@irqs_off exists@
expression r, a;
@@
 irq_forced_thread_fn(...) {
 ... when any
 if (
+ /* iomc: forced_irqs_off = true */
 !IS_ENABLED(CONFIG_PREEMPT_RT)) { local_irq_disable(); }
 ... when != local_irq_enable();
 r = a->thread_fn(...);
 ... when any
 }

@any_irqs_off@
identifier f = { local_irq_disable, local_irq_save, raw_local_irq_save, raw_local_irq_disable };
@@
 irq_forced_thread_fn(...) {
 <+... f(...) ...+>
 }

@depends on !any_irqs_off@
expression r, a;
@@
 irq_forced_thread_fn(...) {
 <+...
 r =
+ /* iomc: forced_irqs_off = false */
 a->thread_fn(...)
 ...+>
 }

// ---- msi_oneshot_safe ----
// The chip of the old domain, and the templates of the domains of each device.
@safe_chip@
expression i;
@@
 pci_msi_create_irq_domain(...) {
 <+...
 i->chip->flags |=
+ /* iomc: msi_oneshot_safe = true */
 IRQCHIP_ONESHOT_SAFE
 ...+>
 }

@any_safe@
@@
 pci_msi_create_irq_domain(...) {
 <+... IRQCHIP_ONESHOT_SAFE ...+>
 }

@depends on !any_safe@
@@
 pci_msi_create_irq_domain(...) {
 <+...
 msi_create_irq_domain(
+ /* iomc: msi_oneshot_safe = false */
 ...)
 ...+>
 }

@safe_msi@
symbol pci_msi_template, pci_msix_template;
expression a, b;
@@
 struct msi_domain_template pci_msi_template = { .chip = { .flags =
+ /* iomc: msi_oneshot_safe = true */
 \( IRQCHIP_ONESHOT_SAFE \| IRQCHIP_ONESHOT_SAFE | a \| a | IRQCHIP_ONESHOT_SAFE \| a | IRQCHIP_ONESHOT_SAFE | b \)
 , }, };

@safe_msix@
expression a, b;
@@
 struct msi_domain_template pci_msix_template = { .chip = { .flags =
+ /* iomc: msi_oneshot_safe = true */
 \( IRQCHIP_ONESHOT_SAFE \| IRQCHIP_ONESHOT_SAFE | a \| a | IRQCHIP_ONESHOT_SAFE \| a | IRQCHIP_ONESHOT_SAFE | b \)
 , }, };

@depends on !safe_msi@
expression e;
@@
 struct msi_domain_template pci_msi_template = { .chip = { .irq_mask =
+ /* iomc: msi_oneshot_safe = false */
 e, }, };

@depends on !safe_msix@
expression e;
@@
 struct msi_domain_template pci_msix_template = { .chip = { .irq_mask =
+ /* iomc: msi_oneshot_safe = false */
 e, }, };

// ---- thread_ready_wait ----
@ready@
identifier fn;
expression d, a;
@@
 fn(...) {
 <+...
 wait_event(d->wait_for_threads, test_bit(IRQTF_READY, &a->thread_flags));
 ...+>
 }

@depends on ready@
identifier ready.fn;
expression d, a;
@@
 __setup_irq(...) {
 <+...
 fn(
+ /* iomc: thread_ready_wait = true */
 d, a);
 ...+>
 }

@any_ready@
@@
 IRQTF_READY

@depends on !any_ready@
expression a;
@@
 __setup_irq(...) {
 <+...
 wake_up_process(
+ /* iomc: thread_ready_wait = false */
 a->thread);
 ...+>
 }

// ---- thread_set_state_first ----
@state_first exists@
statement S;
@@
 irq_wait_for_interrupt(...) {
 ... when any
 set_current_state(TASK_INTERRUPTIBLE);
 ... when != schedule();
     when != set_current_state(...);
     when != __set_current_state(...);
 if (test_and_clear_bit(
+ /* iomc: thread_set_state_first = true */
 IRQTF_RUNTHREAD, ...)) S
 ... when any
 }

// A way from the begin to the test without the store.
@exists@
statement S;
@@
 irq_wait_for_interrupt(...) {
 ... when != set_current_state(...);
     when != __set_current_state(...);
 if (test_and_clear_bit(
+ /* iomc: thread_set_state_first = false */
 IRQTF_RUNTHREAD, ...)) S
 ... when any
 set_current_state(TASK_INTERRUPTIBLE);
 ... when any
 }

// ---- thread_last_run ----
@last_run@
@@
 irq_wait_for_interrupt(...) {
 <+...
 if (kthread_should_stop()) {
 <+...
 test_and_clear_bit(
+ /* iomc: thread_last_run = true */
 IRQTF_RUNTHREAD, ...)
 ...+>
 }
 ...+>
 }

@depends on !last_run@
@@
 irq_wait_for_interrupt(...) {
 <+...
(
 while (
+ /* iomc: thread_last_run = false */
 !kthread_should_stop()) {
 <+... test_and_clear_bit(IRQTF_RUNTHREAD, ...) ...+>
 }
|
 if (
+ /* iomc: thread_last_run = false */
 kthread_should_stop()) {
 ...
 return -1;
 }
|
 if (
+ /* iomc: thread_last_run = false */
 kthread_should_stop())
   { return -1; }
)
 ...+>
 }

// ---- forced_bh_off ----
@@
@@
 irq_forced_thread_fn(...) {
 ... when any
 local_bh_disable(
+ /* iomc: forced_bh_off = true */
 );
 ... when any
 local_bh_enable();
 ... when any
 }

@any_bh_off@
@@
 irq_forced_thread_fn(...) {
 <+... local_bh_disable() ...+>
 }

@depends on !any_bh_off@
expression r, a, b, f;
@@
 irq_forced_thread_fn(...) {
 <+...
 r = f(
+ /* iomc: forced_bh_off = false */
 a, b)
 ...+>
 }

// ---- bh_lock ----
@@
statement S;
@@
 __local_bh_disable_ip(...) {
 <+...
 if (preemptible()) {
 local_lock(
+ /* iomc: bh_lock = true */
 &softirq_ctrl.lock);
 ...
 }
 else S
 ...+>
 }

@any_bh_lock@
@@
 __local_bh_disable_ip(...) {
 <+... local_lock(...) ...+>
 }

@depends on !any_bh_lock@
expression n;
@@
 __local_bh_disable_ip(...) {
 <+...
 __this_cpu_add_return(
+ /* iomc: bh_lock = false */
 softirq_ctrl.cnt, n)
 ...+>
 }

// ---- sync_asks_chip ----
@asks_chip@
expression d, p;
symbol IRQCHIP_STATE_ACTIVE;
@@
 __synchronize_hardirq(...) {
 <+...
 __irq_get_irqchip_state(d,
+ /* iomc: sync_asks_chip = true */
 IRQCHIP_STATE_ACTIVE, p)
 ...+>
 }

@any_asks_chip@
@@
 __synchronize_hardirq(...) {
 <+... __irq_get_irqchip_state(...) ...+>
 }

@depends on !any_asks_chip@
@@
 __synchronize_hardirq(...) {
 <+...
 raw_spin_unlock_irqrestore(
+ /* iomc: sync_asks_chip = false */
 ...);
 ...+>
 }

// ---- rt_writer_first ----
@readers_pass@
expression rwb;
symbol WRITER_BIAS;
statement S;
@@
 __rwbase_read_lock(...) {
 <+...
 if (atomic_read(
+ /* iomc: rt_writer_first = false */
 &rwb->readers) != WRITER_BIAS) {
 atomic_inc(&rwb->readers);
 ...
 return 0;
 }
 else S
 ...+>
 }

@any_readers_read@
@@
 __rwbase_read_lock(...) {
 <+... \( atomic_read(...) \| atomic_try_cmpxchg_acquire(...) \) ...+>
 }

@depends on !any_readers_read@
@@
 __rwbase_read_lock(...) {
 <+...
 rwbase_rtmutex_slowlock_locked(
+ /* iomc: rt_writer_first = true */
 ...)
 ...+>
 }

// ---- thread_clears_work ----
@@
@@
 irq_wait_for_interrupt(...) {
 <+...
 test_and_clear_bit(
+ /* iomc: thread_clears_work = true */
 IRQTF_RUNTHREAD, ...)
 ...+>
 }

@@
@@
 irq_wait_for_interrupt(...) {
 <+...
 test_bit(
+ /* iomc: thread_clears_work = false */
 IRQTF_RUNTHREAD, ...)
 ...+>
 }

// ---- free_irq_wait ----
@waits_all@
identifier fn;
expression d;
@@
 fn(...) {
 <+...
 wait_event(d->wait_for_threads, !atomic_read(&d->threads_active));
 ...+>
 }

@frees_all depends on waits_all@
identifier waits_all.fn;
expression e;
@@
 __free_irq(...) {
 <+...
 \( fn \| synchronize_irq \)(
+ /* iomc: free_irq_wait = all_threads */
 e);
 ...+>
 }

@depends on !frees_all@
identifier f = { synchronize_hardirq, __synchronize_hardirq };
@@
 __free_irq(...) {
 <+...
 f(
+ /* iomc: free_irq_wait = own_thread */
 ...);
 ...+>
 }

// ---- deactivate_after_wait ----
@late exists@
identifier f = { synchronize_irq, __synchronize_irq, synchronize_hardirq, __synchronize_hardirq };
@@
 __free_irq(...) {
 ... when any
     when != irq_domain_deactivate_irq(...);
 f(...);
 ... when any
 irq_domain_deactivate_irq(
+ /* iomc: deactivate_after_wait = true */
 ...);
 ... when any
 }

@@
@@
 irq_shutdown(...) {
 <+...
 irq_domain_deactivate_irq(
+ /* iomc: deactivate_after_wait = false */
 ...);
 ...+>
 }

@depends on !late exists@
identifier f = { synchronize_irq, __synchronize_irq, synchronize_hardirq, __synchronize_hardirq };
@@
 __free_irq(...) {
 ... when any
 irq_domain_deactivate_irq(
+ /* iomc: deactivate_after_wait = false */
 ...);
 ... when any
 f(...);
 ... when any
 }

// ---- nested_threads_counted ----
@@
expression d;
@@
 handle_nested_irq(...) {
 <+...
(
 atomic_inc(
+ /* iomc: nested_threads_counted = true */
 &d->threads_active);
|
 irqd_set(&d->irq_data,
+ /* iomc: nested_threads_counted = false */
 IRQD_IRQ_INPROGRESS);
)
 ...+>
 }

// ---- cond_oneshot ----
@@
expression old, new;
statement S;
@@
 __setup_irq(...) {
 <+...
 if (\( (old->flags & IRQF_ONESHOT) && (new->flags & IRQF_COND_ONESHOT) \|
        (new->flags & IRQF_COND_ONESHOT) && (old->flags & IRQF_ONESHOT) \))
   { new->flags |=
+ /* iomc: cond_oneshot = true */
   IRQF_ONESHOT; }
 else S
 ...+>
 }

@any_cond_oneshot@
@@
 IRQF_COND_ONESHOT

@depends on !any_cond_oneshot@
expression old, new;
@@
 __setup_irq(...) {
 <+...
 (old->flags
+ /* iomc: cond_oneshot = false */
 ^ new->flags) & IRQF_ONESHOT
 ...+>
 }
