// SPDX-License-Identifier: GPL-2.0-or-later
// Facts of eventfd and epoll: lock kinds, and what keeps a signal from calling itself.
// reads: fs/eventfd.c fs/eventpoll.c(ep_poll_callback) include/linux/wait.h(wait_queue_head)

// ---- eventfd_lock ----
// The lock that a signal takes, and its kind in the wait queue.
@signal_lock@
identifier fn = { eventfd_signal, eventfd_signal_mask };
expression c, f;
@@
 fn(...) {
 <+...
 spin_lock_irqsave(&c->wqh.lock, f);
 ...+>
 }

@queue depends on signal_lock@
@@
 struct eventfd_ctx {
 ...
 wait_queue_head_t wqh;
 ...
 };

@depends on queue@
@@
 struct wait_queue_head {
 ...
+ /* iomc: eventfd_lock = spinlock */
 spinlock_t lock;
 ...
 };

@@
identifier fn = { eventfd_signal, eventfd_signal_mask };
expression c, f;
@@
 fn(...) {
 <+...
 raw_spin_lock_irqsave(
+ /* iomc: eventfd_lock = raw_spinlock */
 &c->wqh.lock, f);
 ...+>
 }

// ---- eventfd_guard ----
@@
symbol current;
identifier fn = { eventfd_signal, eventfd_signal_mask };
identifier bit =~ "^in_eventfd";
expression c, f;
statement S;
@@
 fn(...) {
 ... when any
 if (WARN_ON_ONCE(
+ /* iomc: eventfd_guard = per_task */
 current->bit)) S
 ... when any
 spin_lock_irqsave(&c->wqh.lock, f);
 ... when any
 current->bit = 1;
 ... when any
 current->bit = 0;
 ... when any
 }

@@
identifier fn = { eventfd_signal, eventfd_signal_mask };
identifier count =~ "eventfd";
expression c, f;
statement S;
@@
 fn(...) {
 ... when any
 if (WARN_ON_ONCE(
+ /* iomc: eventfd_guard = per_cpu */
 this_cpu_read(count))) S
 ... when any
 spin_lock_irqsave(&c->wqh.lock, f);
 ... when any
 this_cpu_inc(count);
 ... when any
 this_cpu_dec(count);
 ... when any
 }

@any_guard@
identifier fn = { eventfd_signal, eventfd_signal_mask };
@@
 fn(...) {
 <+...
 \( current \| this_cpu_read(...) \| this_cpu_inc(...) \| __this_cpu_read(...) \| WARN_ON(...) \| WARN_ON_ONCE(...) \)
 ...+>
 }

@depends on !any_guard@
identifier fn = { eventfd_signal, eventfd_signal_mask };
expression c, f;
@@
 fn(...) {
 <+...
 spin_lock_irqsave(
+ /* iomc: eventfd_guard = absent */
 &c->wqh.lock, f);
 ...+>
 }

// ---- ep_lock ----
@@
expression ep, f;
@@
 ep_poll_callback(...) {
 <+...
(
 read_lock_irqsave(
+ /* iomc: ep_lock = rwlock */
 &ep->lock, f);
|
 spin_lock_irqsave(
+ /* iomc: ep_lock = spinlock */
 &ep->lock, f);
)
 ...+>
 }
