// SPDX-License-Identifier: GPL-2.0-or-later
// The steps, by area: X(name, kernel function, file, what happens). The names are the enumerators, the functions that
// take them, and the public names.
#pragma once

#define VFIO_FLOW_STEPS(X)                                                                                           \
  X(device_msi, "(device)", "hardware", "the device writes the message of a vector")                                 \
  X(device_line, "(device)", "hardware", "the device raises or drops its interrupt line")                            \
  X(irq_entry, "common_interrupt", "arch/x86/kernel/irq.c", "the CPU takes an accepted interrupt")                   \
  X(edge_begin, "handle_edge_irq", "kernel/irq/chip.c", "locked: acknowledge, or mark PENDING and mask")             \
  X(edge_end, "handle_edge_irq", "kernel/irq/chip.c", "locked: clear INPROGRESS, again if PENDING")                  \
  X(fasteoi_begin, "handle_fasteoi_irq", "kernel/irq/chip.c", "locked: mask for a thread, or end at once")           \
  X(fasteoi_end, "cond_unmask_eoi_irq", "kernel/irq/chip.c", "locked: end of interrupt, unmask where nothing waits") \
  X(level_begin, "handle_level_irq", "kernel/irq/chip.c", "locked: mask and acknowledge")                            \
  X(level_end, "cond_unmask_irq", "kernel/irq/chip.c", "locked: unmask where nothing waits")                         \
  X(event_action, "__handle_irq_event_percpu", "kernel/irq/handle.c", "the next action's primary handler")           \
  X(event_returned, "__handle_irq_event_percpu", "kernel/irq/handle.c", "a primary handler has returned")            \
  X(wake_set, "__irq_wake_thread", "kernel/irq/handle.c", "set RUNTHREAD, count the thread as active")               \
  X(wake_thread, "__irq_wake_thread", "kernel/irq/handle.c", "wake_up_process of the interrupt thread")              \
  X(event_end, "note_interrupt", "kernel/irq/spurious.c", "judge whether the interrupt was handled")

#define VFIO_THREAD_STEPS(X)                                                                                         \
  X(thread_start, "irq_thread", "kernel/irq/manage.c", "the thread reports READY")                                   \
  X(thread_state, "irq_wait_for_interrupt", "kernel/irq/manage.c", "set TASK_INTERRUPTIBLE")                         \
  X(thread_test, "irq_wait_for_interrupt", "kernel/irq/manage.c", "stop, or test and clear RUNTHREAD")               \
  X(thread_schedule, "irq_wait_for_interrupt", "kernel/irq/manage.c", "schedule, unless woken since")                \
  X(thread_bh_off, "irq_forced_thread_fn", "kernel/irq/manage.c", "local_bh_disable; without RT also interrupts")    \
  X(thread_handler, "irq_thread_fn", "kernel/irq/manage.c", "call the handler")                                      \
  X(thread_finalize, "irq_finalize_oneshot", "kernel/irq/manage.c", "count; locked: unmask when no thread is left")  \
  X(thread_bh_on, "irq_forced_thread_fn", "kernel/irq/manage.c", "interrupts and softirqs on")                       \
  X(thread_inactive, "wake_threads_waitq", "kernel/irq/manage.c", "one active thread less; the last wakes waiters")  \
  X(thread_exit, "irq_thread", "kernel/irq/manage.c", "the thread ends")

#define VFIO_MANAGE_STEPS(X)                                                                                         \
  X(request_begin, "request_threaded_irq", "kernel/irq/manage.c", "set up forced threading, make the thread")        \
  X(request_lock, "__setup_irq", "kernel/irq/manage.c", "take request_mutex")                                        \
  X(request_install, "__setup_irq", "kernel/irq/manage.c", "locked: agree with sharers, start the line, list it")    \
  X(request_wake, "__setup_irq", "kernel/irq/manage.c", "drop the mutex, wake the thread")                           \
  X(request_ready, "wake_up_and_wait_for_irq_thread_ready", "kernel/irq/manage.c", "wait until the thread is READY") \
  X(free_lock, "__free_irq", "kernel/irq/manage.c", "take request_mutex")                                            \
  X(free_unlink, "__free_irq", "kernel/irq/manage.c", "locked: unlink the action; the last shuts the line down")     \
  X(free_hard, "__synchronize_hardirq", "kernel/irq/manage.c", "wait while a hard handler is in progress")           \
  X(free_threads, "__synchronize_irq", "kernel/irq/manage.c", "wait until no thread of the line is active")          \
  X(free_stop, "irq_stop_thread", "kernel/irq/manage.c", "kthread_stop: tell the thread")                            \
  X(free_stopped, "irq_stop_thread", "kernel/irq/manage.c", "kthread_stop: wait for the thread's end")               \
  X(free_end, "__free_irq", "kernel/irq/manage.c", "the last action deactivates the interrupt; drop the mutex")      \
  X(disable_begin, "__disable_irq", "kernel/irq/manage.c", "locked: depth + 1, disable at the first")                \
  X(enable_begin, "__enable_irq", "kernel/irq/manage.c", "locked: depth - 1, enable and resend at the last")         \
  X(sync_hard, "__synchronize_hardirq", "kernel/irq/manage.c", "wait while a hard handler is in progress")           \
  X(sync_threads, "__synchronize_irq", "kernel/irq/manage.c", "wait until no thread of the line is active")

#define VFIO_EVENTFD_STEPS(X)                                                                                        \
  X(begin, "(system call)", "user space", "a task enters the kernel")                                                \
  X(left, "(system call)", "user space", "a task leaves the kernel")                                                 \
  X(signal_check, "eventfd_signal_mask", "fs/eventfd.c", "is a signal already under way here")                       \
  X(signal_lock, "eventfd_signal_mask", "fs/eventfd.c", "take the wait queue's lock")                                \
  X(signal_count, "eventfd_signal_mask", "fs/eventfd.c", "note that a signal is under way, raise the count")         \
  X(signal_out, "eventfd_signal_mask", "fs/eventfd.c", "the signal is no longer under way")                          \
  X(signal_unlock, "eventfd_signal_mask", "fs/eventfd.c", "drop the wait queue's lock")                              \
  X(wake_next, "__wake_up_common", "kernel/sched/wait.c", "the next entry of the wait queue")                        \
  X(epoll_lock, "ep_poll_callback", "fs/eventpoll.c", "take ep->lock")                                               \
  X(epoll_unlock, "ep_poll_callback", "fs/eventpoll.c", "the item is ready; drop ep->lock")                          \
  X(read_lock, "eventfd_read", "fs/eventfd.c", "take the wait queue's lock")                                         \
  X(read_test, "eventfd_read", "fs/eventfd.c", "take the count, or wait in the queue")                               \
  X(read_out, "eventfd_read", "fs/eventfd.c", "writers have been woken")                                             \
  X(read_unlock, "eventfd_read", "fs/eventfd.c", "drop the wait queue's lock")                                       \
  X(write_lock, "eventfd_write", "fs/eventfd.c", "take the wait queue's lock")                                       \
  X(write_add, "eventfd_write", "fs/eventfd.c", "raise the count, note that a wake-up is under way")                 \
  X(fdinfo_lock, "eventfd_show_fdinfo", "fs/eventfd.c", "take the wait queue's lock")                                \
  X(fdinfo_unlock, "eventfd_show_fdinfo", "fs/eventfd.c", "drop the wait queue's lock")                              \
  X(poll_lock, "eventfd_poll", "fs/eventfd.c", "take the wait queue's lock to add or remove an entry")               \
  X(poll_unlock, "eventfd_poll", "fs/eventfd.c", "drop the wait queue's lock, read the count")                       \
  X(close_lock, "eventfd_release", "fs/eventfd.c", "take the wait queue's lock to tell the hang-up")                 \
  X(close_unlock, "eventfd_release", "fs/eventfd.c", "drop the lock, then the file's reference")

#define VFIO_MSI_STEPS(X)                                                                                            \
  X(msi_lock, "vfio_pci_ioctl_set_irqs", "drivers/vfio/pci/vfio_pci_core.c", "take igate")                           \
  X(msi_disarm, "vfio_msi_set_vector_signal", "drivers/vfio/pci/vfio_pci_intrs.c", "unregister the bypass producer") \
  X(msi_free_memory, "vfio_msi_set_vector_signal", "drivers/vfio/pci/vfio_pci_intrs.c", "take memory_lock")          \
  X(msi_freed, "vfio_msi_set_vector_signal", "drivers/vfio/pci/vfio_pci_intrs.c", "drop memory_lock")                \
  X(msi_put, "vfio_msi_set_vector_signal", "drivers/vfio/pci/vfio_pci_intrs.c", "put the old trigger, free the ctx") \
  X(msi_arm, "vfio_msi_set_vector_signal", "drivers/vfio/pci/vfio_pci_intrs.c", "make the ctx, get the eventfd")     \
  X(msi_memory, "vfio_msi_set_vector_signal", "drivers/vfio/pci/vfio_pci_intrs.c", "take memory_lock")               \
  X(msi_requested, "vfio_msi_set_vector_signal", "drivers/vfio/pci/vfio_pci_intrs.c", "drop memory_lock")            \
  X(msi_trigger, "vfio_msi_set_vector_signal", "drivers/vfio/pci/vfio_pci_intrs.c", "register the producer, set it") \
  X(msi_unlock, "vfio_pci_ioctl_set_irqs", "drivers/vfio/pci/vfio_pci_core.c", "drop igate")                         \
  X(msi_loopback, "vfio_pci_set_msi_trigger", "drivers/vfio/pci/vfio_pci_intrs.c", "signal the trigger by hand")

#define VFIO_OTHER_STEPS(X)                                                                                          \
  X(spin_on, "(user space)", "user space", "a task that computes and never blocks")                                  \
  X(bh_take, "local_bh_disable", "kernel/softirq.c", "softirqs off; on RT take the CPU's lock")                      \
  X(bh_drop, "local_bh_enable", "kernel/softirq.c", "softirqs on")                                                   \
  X(section_lock, "(driver)", "a driver", "take a lock")                                                             \
  X(section_inner, "(driver)", "a driver", "take a second lock under it")                                            \
  X(section_inner_unlock, "(driver)", "a driver", "drop the inner lock")                                             \
  X(section_unlock, "(driver)", "a driver", "drop the lock")

#define VFIO_STEPS(X)   \
  VFIO_FLOW_STEPS(X)    \
  VFIO_THREAD_STEPS(X)  \
  VFIO_MANAGE_STEPS(X)  \
  VFIO_EVENTFD_STEPS(X) \
  VFIO_MSI_STEPS(X)     \
  VFIO_OTHER_STEPS(X)
