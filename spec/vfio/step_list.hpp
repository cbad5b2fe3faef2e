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
  X(msi_enable, "vfio_msi_enable", "drivers/vfio/pci/vfio_pci_intrs.c", "take memory_lock")                          \
  X(msi_alloc_vectors, "vfio_msi_enable", "drivers/vfio/pci/vfio_pci_intrs.c",                                       \
    "allocate all vectors or none, drop memory_lock, set irq_type")                                                  \
  X(msi_alloc_lock, "vfio_msi_alloc_irq", "drivers/vfio/pci/vfio_pci_intrs.c", "take memory_lock")                   \
  X(msi_alloc_one, "vfio_msi_alloc_irq", "drivers/vfio/pci/vfio_pci_intrs.c", "allocate the vector, drop memory_lock")\
  X(msi_disable, "vfio_msi_disable", "drivers/vfio/pci/vfio_pci_intrs.c",                                            \
    "take the next vector down, or memory_lock")                                                                     \
  X(msi_free_vectors, "vfio_msi_disable", "drivers/vfio/pci/vfio_pci_intrs.c",                                       \
    "free the vectors, drop memory_lock, irq_type is none")                                                          \
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
  X(section_unlock, "(driver)", "a driver", "drop the lock")                                                         \
  X(softirq_raise, "raise_softirq", "kernel/softirq.c", "note that a softirq is to run, and maybe wake ksoftirqd")   \
  X(softirq_entry, "invoke_softirq", "kernel/softirq.c", "an interrupt ends and softirqs begin, or ksoftirqd runs")  \
  X(softirqd_lock, "run_ksoftirqd", "kernel/softirq.c", "softirqs off; on RT take the CPU's lock")                   \
  X(softirq_begin, "handle_softirqs", "kernel/softirq.c", "nothing is pending any more; a request completes")        \
  X(softirq_end, "handle_softirqs", "kernel/softirq.c", "again if a softirq is pending")                             \
  X(softirqd_end, "run_ksoftirqd", "kernel/softirq.c", "softirqs on; on RT drop the CPU's lock")

#define VFIO_KVM_STEPS(X)                                                                                            \
  X(msi_armed, "vfio_msi_set_vector_signal", "drivers/vfio/pci/vfio_pci_intrs.c",                                    \
    "set the trigger, with or without producer")                                                                     \
  X(assign_begin, "kvm_irqfd_assign", "virt/kvm/eventfd.c", "make the irqfd, get the eventfd")                       \
  X(assign_lock, "kvm_irqfd_assign", "virt/kvm/eventfd.c", "take irqfds.lock, look for the eventfd")                 \
  X(assign_list, "kvm_irqfd_assign", "virt/kvm/eventfd.c", "copy the route; list the irqfd, drop irqfds.lock")       \
  X(assign_wait, "irqfd_ptable_queue_proc", "virt/kvm/eventfd.c", "take the wait queue's lock")                      \
  X(assign_queue, "irqfd_ptable_queue_proc", "virt/kvm/eventfd.c", "join the wait queue, drop its lock")             \
  X(assign_poll, "kvm_irqfd_assign", "virt/kvm/eventfd.c", "an event that was there already is injected")            \
  X(assign_end, "kvm_irqfd_assign", "virt/kvm/eventfd.c", "leave the SRCU section, put the file")                    \
  X(assign_fail, "kvm_irqfd_assign", "virt/kvm/eventfd.c", "put the eventfd, free the irqfd")                        \
  X(deassign_lock, "kvm_irqfd_deassign", "virt/kvm/eventfd.c", "take irqfds.lock")                                   \
  X(deassign_mark, "irqfd_deactivate", "virt/kvm/eventfd.c",                                                         \
    "unlist the irqfd, queue its shutdown, drop irqfds.lock")                                                        \
  X(deassign_flush, "kvm_irqfd_deassign", "virt/kvm/eventfd.c", "wait for all shutdown work")                        \
  X(shutdown_grace, "irqfd_shutdown", "virt/kvm/eventfd.c", "wait for an SRCU grace period")                         \
  X(shutdown_lock, "eventfd_ctx_remove_wait_queue", "fs/eventfd.c", "take the wait queue's lock")                    \
  X(shutdown_remove, "eventfd_ctx_remove_wait_queue", "fs/eventfd.c",                                                \
    "read the count, leave the queue, drop its lock")                                                                \
  X(shutdown_flush, "irqfd_shutdown", "virt/kvm/eventfd.c", "wait for the inject work")                              \
  X(shutdown_free, "irqfd_shutdown", "virt/kvm/eventfd.c", "put the eventfd, free the irqfd")                        \
  X(inject_set, "irqfd_inject", "virt/kvm/eventfd.c", "inject by the route in the VM's table")                       \
  X(inject_end, "irqfd_inject", "virt/kvm/eventfd.c", "the work has ended")                                          \
  X(irqfd_drain, "irqfd_wakeup", "virt/kvm/eventfd.c", "read the count, enter the SRCU section")                     \
  X(irqfd_entry, "irqfd_wakeup", "virt/kvm/eventfd.c", "copy the route")                                             \
  X(irqfd_push, "irqfd_wakeup", "virt/kvm/eventfd.c", "a route is being written: on RT, wait for its writer")        \
  X(irqfd_deliver, "irqfd_wakeup", "virt/kvm/eventfd.c", "inject in place, or queue work")                           \
  X(irqfd_delivered, "irqfd_wakeup", "virt/kvm/eventfd.c",                                                           \
    "the event channel was set or not; leave the SRCU section")                                                      \
  X(irqfd_hup_lock, "irqfd_wakeup", "virt/kvm/eventfd.c", "the eventfd closes: take irqfds.lock")                    \
  X(irqfd_hup, "irqfd_wakeup", "virt/kvm/eventfd.c", "unlist the irqfd, queue its shutdown, drop irqfds.lock")       \
  X(route_swap, "kvm_set_irq_routing", "virt/kvm/irqchip.c", "the VM has a new table")                               \
  X(route_lock, "kvm_irq_routing_update", "virt/kvm/eventfd.c", "take irqfds.lock, begin to write the route")        \
  X(route_write, "irqfd_update", "virt/kvm/eventfd.c", "the route is written")                                       \
  X(route_irte, "kvm_irq_routing_update", "virt/kvm/eventfd.c", "update the producer's remapping entry")             \
  X(route_unlock, "kvm_irq_routing_update", "virt/kvm/eventfd.c", "drop irqfds.lock")                                \
  X(route_grace, "kvm_set_irq_routing", "virt/kvm/irqchip.c", "wait for an SRCU grace period")

#define VFIO_BYPASS_STEPS(X)                                                                                         \
  X(producer_lock, "irq_bypass_register_producer", "virt/lib/irqbypass.c", "take the mutex, look for the token")     \
  X(producer_listed, "irq_bypass_register_producer", "virt/lib/irqbypass.c",                                         \
    "list the producer unless that failed, drop the mutex")                                                          \
  X(unproduce_lock, "irq_bypass_unregister_producer", "virt/lib/irqbypass.c", "take the mutex, look for a consumer") \
  X(unproduce_listed, "irq_bypass_unregister_producer", "virt/lib/irqbypass.c",                                      \
    "unlist the producer, drop the mutex")                                                                           \
  X(consumer_lock, "irq_bypass_register_consumer", "virt/lib/irqbypass.c", "take the mutex, look for the token")     \
  X(consumer_listed, "irq_bypass_register_consumer", "virt/lib/irqbypass.c",                                         \
    "list the consumer unless that failed, drop the mutex")                                                          \
  X(unconsume_lock, "irq_bypass_unregister_consumer", "virt/lib/irqbypass.c", "take the mutex, look for a producer") \
  X(unconsume_listed, "irq_bypass_unregister_consumer", "virt/lib/irqbypass.c",                                      \
    "unlist the consumer, drop the mutex")                                                                           \
  X(connect, "kvm_arch_irq_bypass_add_producer", "arch/x86/kvm/x86.c",                                               \
    "note the producer, and post where the route allows")                                                            \
  X(connect_irte, "kvm_arch_irq_bypass_add_producer", "arch/x86/kvm/x86.c", "post where the route allows")           \
  X(disconnect, "kvm_arch_irq_bypass_del_producer", "arch/x86/kvm/x86.c",                                            \
    "forget the producer, back to remapped mode")                                                                    \
  X(disconnect_irte, "kvm_arch_irq_bypass_del_producer", "arch/x86/kvm/x86.c", "back to remapped mode")              \
  X(vdpa_swap, "vhost_vring_ioctl", "drivers/vhost/vhost.c", "put the old eventfd of the queue, get the new one")    \
  X(vdpa_setup, "vhost_vdpa_setup_vq_irq", "drivers/vhost/vdpa.c",                                                   \
    "the token is the new eventfd: register the producer")

#define VFIO_LEVEL_STEPS(X)                                                                                          \
  X(intx_signal, "vfio_send_intx_eventfd", "drivers/vfio/pci/vfio_pci_intrs.c",                                      \
    "the line is masked: signal the trigger")                                                                        \
  X(guest_eoi, "irqfd_resampler_ack", "virt/kvm/eventfd.c",                                                          \
    "the guest's end of interrupt: lower the pin, tell vfio to unmask")                                              \
  X(guest_ack, "(guest)", "the guest's driver", "the device drops its line")                                         \
  X(guest_unmask, "ioapic_write_indirect", "arch/x86/kvm/ioapic.c", "the guest unmasks the pin")

#define VFIO_DRIVER_STEPS(X)                                                                                         \
  X(config_lock, "pci_read_config_dword", "drivers/pci/access.c", "take pci_lock")                                   \
  X(config_inner, "vmd_pci_read", "drivers/pci/controller/vmd.c", "take cfg_lock under it")                          \
  X(config_read, "vmd_pci_read", "drivers/pci/controller/vmd.c", "drop cfg_lock")                                    \
  X(config_unlock, "pci_read_config_dword", "drivers/pci/access.c", "drop pci_lock")                                 \
  X(block_irqs, "pi_enable_wakeup_handler", "arch/x86/kvm/vmx/posted_intr.c", "interrupts off")                      \
  X(block_lock, "pi_enable_wakeup_handler", "arch/x86/kvm/vmx/posted_intr.c",                                        \
    "take the lock of the list of blocked vCPUs")                                                                    \
  X(block_unlock, "pi_enable_wakeup_handler", "arch/x86/kvm/vmx/posted_intr.c",                                      \
    "the vCPU is listed; drop the lock, interrupts on")                                                              \
  X(wakeup_lock, "pi_wakeup_handler", "arch/x86/kvm/vmx/posted_intr.c",                                              \
    "take the lock of the list of blocked vCPUs")                                                                    \
  X(wakeup_unlock, "pi_wakeup_handler", "arch/x86/kvm/vmx/posted_intr.c", "vCPUs are woken; drop the lock")          \
  X(xen_lock, "kvm_xen_set_evtchn_fast", "arch/x86/kvm/xen.c", "take gpc->lock to read")                             \
  X(xen_unlock, "kvm_xen_set_evtchn_fast", "arch/x86/kvm/xen.c", "the port is set; drop gpc->lock")                  \
  X(privcmd_take, "irqfd_wakeup", "drivers/xen/privcmd.c", "the eventfd closes: take the lock")                     \
  X(privcmd_drop, "irqfd_wakeup", "drivers/xen/privcmd.c", "the irqfd is deactivated; drop the lock")              \
  X(lookup_lock, "msi_get_virq", "kernel/irq/msi.c", "take the mutex of the MSI descriptors")                        \
  X(lookup_unlock, "msi_get_virq", "kernel/irq/msi.c", "drop it")                                                    \
  X(net_lock, "ks8851_irq", "drivers/net/ethernet/micrel/ks8851_common.c", "take the driver's lock")                 \
  X(net_rx, "ks8851_irq", "drivers/net/ethernet/micrel/ks8851_common.c",                                             \
    "pass packets up, or queue them and drop the lock")                                                              \
  X(net_unlock, "ks8851_irq", "drivers/net/ethernet/micrel/ks8851_common.c", "drop the driver's lock")               \
  X(net_xmit, "ks8851_start_xmit_par", "drivers/net/ethernet/micrel/ks8851_par.c",                                   \
    "softirq: take the driver's lock to send")                                                                       \
  X(net_sent, "ks8851_start_xmit_par", "drivers/net/ethernet/micrel/ks8851_par.c", "drop it")                        \
  X(scan_lock, "ep_start_scan", "fs/eventpoll.c", "take ep->lock to steal the ready list")                           \
  X(scan_unlock, "ep_start_scan", "fs/eventpoll.c", "drop ep->lock")                                                 \
  X(hotplug_lock, "pci_bus_add_device", "drivers/pci/probe.c", "take pci_bus_sem to write")                          \
  X(hotplug_unlock, "pci_bus_add_device", "drivers/pci/probe.c", "drop pci_bus_sem")                                 \
  X(aer_walk, "pci_walk_bus", "drivers/pci/bus.c", "take pci_bus_sem to read")                                       \
  X(aer_lock, "vfio_pci_core_aer_err_detected", "drivers/vfio/pci/vfio_pci_core.c",                                  \
    "take igate, or enter rcu_read_lock")                                                                            \
  X(aer_load, "vfio_pci_core_aer_err_detected", "drivers/vfio/pci/vfio_pci_core.c", "load the error trigger")        \
  X(aer_unlock, "vfio_pci_core_aer_err_detected", "drivers/vfio/pci/vfio_pci_core.c",                                \
    "the signal is sent; drop igate or leave RCU")                                                                   \
  X(aer_walked, "pci_walk_bus", "drivers/pci/bus.c", "drop pci_bus_sem")                                             \
  X(reset_lock, "vfio_pci_dev_set_hot_reset", "drivers/vfio/pci/vfio_pci_core.c", "try memory_lock")                 \
  X(reset_bus, "pci_bridge_wait_for_secondary_bus", "drivers/pci/pci.c", "take pci_bus_sem to read")                 \
  X(reset_end, "vfio_pci_dev_set_hot_reset", "drivers/vfio/pci/vfio_pci_core.c", "drop both")                        \
  X(release_lock, "vfio_pci_core_close_device", "drivers/vfio/pci/vfio_pci_core.c", "take igate")                    \
  X(release_clear, "vfio_pci_core_close_device", "drivers/vfio/pci/vfio_pci_core.c", "clear the error trigger")      \
  X(release_put, "vfio_pci_core_close_device", "drivers/vfio/pci/vfio_pci_core.c",                                   \
    "put the error trigger's eventfd")

#define VFIO_INTX_STEPS(X)                                                                                           \
  X(intx_handler, "vfio_intx_handler", "drivers/vfio/pci/vfio_pci_intrs.c", "take irqlock")                          \
  X(intx_handler_mask, "vfio_intx_handler", "drivers/vfio/pci/vfio_pci_intrs.c",                                     \
    "disable the line, or mask an asserting device; drop irqlock")                                                   \
  X(intx_send, "vfio_send_intx_eventfd", "drivers/vfio/pci/vfio_pci_intrs.c",                                        \
    "read irq_type, virq_disabled and the trigger")                                                                  \
  X(intx_mask_lock, "__vfio_pci_intx_mask", "drivers/vfio/pci/vfio_pci_intrs.c", "take irqlock, look at irq_type")   \
  X(intx_mask, "__vfio_pci_intx_mask", "drivers/vfio/pci/vfio_pci_intrs.c",                                          \
    "mask device or line unless masked; drop irqlock")                                                               \
  X(intx_unmask_lock, "vfio_pci_intx_unmask_handler", "drivers/vfio/pci/vfio_pci_intrs.c",                           \
    "take irqlock, look at irq_type")                                                                                \
  X(intx_unmask, "vfio_pci_intx_unmask_handler", "drivers/vfio/pci/vfio_pci_intrs.c",                                \
    "unmask unless the device still asserts; drop irqlock")                                                          \
  X(intx_unmasked, "__vfio_pci_intx_unmask", "drivers/vfio/pci/vfio_pci_intrs.c",                                    \
    "signal again where the device still asserts")                                                                   \
  X(config_disintx, "vfio_basic_config_write", "drivers/vfio/pci/vfio_pci_config.c",                                 \
    "the guest's DisINTx becomes virq_disabled")                                                                     \
  X(disintx_lock, "vfio_pci_intx_mask", "drivers/vfio/pci/vfio_pci_intrs.c", "take igate")                           \
  X(disintx_end, "vfio_pci_intx_mask", "drivers/vfio/pci/vfio_pci_intrs.c", "drop igate")                            \
  X(intx_ioctl, "vfio_pci_ioctl_set_irqs", "drivers/vfio/pci/vfio_pci_core.c", "take igate, look at irq_type")       \
  X(intx_unlock, "vfio_pci_ioctl_set_irqs", "drivers/vfio/pci/vfio_pci_core.c", "drop igate")                        \
  X(intx_alloc, "vfio_intx_enable", "drivers/vfio/pci/vfio_pci_intrs.c", "make name and ctx")                        \
  X(intx_program, "vfio_intx_enable", "drivers/vfio/pci/vfio_pci_intrs.c",                                           \
    "the virtual mask and the device's own follow virq_disabled")                                                    \
  X(intx_type, "vfio_intx_enable", "drivers/vfio/pci/vfio_pci_intrs.c", "set irq_type, request the interrupt")       \
  X(intx_requested, "vfio_intx_enable", "drivers/vfio/pci/vfio_pci_intrs.c", "a failed request undoes all")          \
  X(intx_swap, "vfio_intx_set_signal", "drivers/vfio/pci/vfio_pci_intrs.c",                                          \
    "exchange the trigger, wait for handlers")                                                                       \
  X(intx_swapped, "vfio_intx_set_signal", "drivers/vfio/pci/vfio_pci_intrs.c", "wait for the inject work")           \
  X(intx_put_old, "vfio_intx_set_signal", "drivers/vfio/pci/vfio_pci_intrs.c", "put the old trigger")                \
  X(intx_detach, "vfio_intx_set_signal", "drivers/vfio/pci/vfio_pci_intrs.c",                                        \
    "free the interrupt of the old trigger")                                                                         \
  X(intx_detached, "vfio_intx_set_signal", "drivers/vfio/pci/vfio_pci_intrs.c", "free the name, put the old trigger")\
  X(intx_detached_clear, "vfio_intx_set_signal", "drivers/vfio/pci/vfio_pci_intrs.c", "the trigger is NULL")         \
  X(intx_attach, "vfio_intx_set_signal", "drivers/vfio/pci/vfio_pci_intrs.c",                                        \
    "make the name, get the eventfd, request the interrupt")                                                         \
  X(intx_attached, "vfio_intx_set_signal", "drivers/vfio/pci/vfio_pci_intrs.c", "a failed request undoes all")       \
  X(intx_late_lock, "vfio_intx_set_signal", "drivers/vfio/pci/vfio_pci_intrs.c", "take irqlock")                     \
  X(intx_late, "vfio_intx_set_signal", "drivers/vfio/pci/vfio_pci_intrs.c",                                          \
    "the line follows the virtual mask; drop irqlock")                                                               \
  X(intx_disable, "vfio_intx_disable", "drivers/vfio/pci/vfio_pci_intrs.c", "disable the virqfds")                   \
  X(intx_disable_free, "vfio_intx_disable", "drivers/vfio/pci/vfio_pci_intrs.c", "free the interrupt")               \
  X(intx_disable_put, "vfio_intx_disable", "drivers/vfio/pci/vfio_pci_intrs.c", "put the trigger, free the name")    \
  X(intx_disable_type, "vfio_intx_disable", "drivers/vfio/pci/vfio_pci_intrs.c", "irq_type is none, the ctx is gone")\
  X(device_service, "(guest)", "user space", "the guest's driver services the device")

#define VFIO_VIRQFD_STEPS(X)                                                                                         \
  X(virqfd_alloc, "vfio_virqfd_enable", "drivers/vfio/virqfd.c", "make the virqfd, get file and eventfd")            \
  X(virqfd_publish, "vfio_virqfd_enable", "drivers/vfio/virqfd.c", "take virqfd_lock")                               \
  X(virqfd_published, "vfio_virqfd_enable", "drivers/vfio/virqfd.c",                                                 \
    "set the pointer unless there is one; drop virqfd_lock")                                                         \
  X(virqfd_poll, "virqfd_ptable_queue_proc", "drivers/vfio/virqfd.c", "take the wait queue's lock")                  \
  X(virqfd_polled, "virqfd_ptable_queue_proc", "drivers/vfio/virqfd.c", "join the wait queue, drop its lock")        \
  X(virqfd_look, "vfio_virqfd_enable", "drivers/vfio/virqfd.c", "an event that was there already is handled")        \
  X(virqfd_enabled, "vfio_virqfd_enable", "drivers/vfio/virqfd.c",                                                   \
    "queue the inject work where it is needed; put the file")                                                        \
  X(virqfd_disable_lock, "vfio_virqfd_disable", "drivers/vfio/virqfd.c", "take virqfd_lock")                         \
  X(virqfd_disable, "vfio_virqfd_disable", "drivers/vfio/virqfd.c",                                                  \
    "queue the shutdown, clear the pointer; drop virqfd_lock")                                                       \
  X(virqfd_flush_lock, "vfio_virqfd_flush_thread", "drivers/vfio/virqfd.c", "take virqfd_lock")                      \
  X(virqfd_flush, "vfio_virqfd_flush_thread", "drivers/vfio/virqfd.c",                                               \
    "queue a work that waits for the inject work; drop virqfd_lock")                                                 \
  X(virqfd_flush_queue, "flush_workqueue", "kernel/workqueue.c", "wait until vfio-irqfd-cleanup has nothing left")   \
  X(virqfd_woken, "virqfd_wakeup", "drivers/vfio/virqfd.c", "read the count, or see the hang-up")                    \
  X(virqfd_handled, "virqfd_wakeup", "drivers/vfio/virqfd.c", "queue the inject work where the handler asks for it") \
  X(virqfd_told, "virqfd_wakeup", "drivers/vfio/virqfd.c", "no kernel's: the wake function has signalled itself")    \
  X(virqfd_hup_lock, "virqfd_wakeup", "drivers/vfio/virqfd.c", "take virqfd_lock")                                   \
  X(virqfd_hup, "virqfd_wakeup", "drivers/vfio/virqfd.c", "queue the shutdown unless it is; drop virqfd_lock")       \
  X(virqfd_inject, "virqfd_inject", "drivers/vfio/virqfd.c", "signal the trigger")                                   \
  X(virqfd_injected, "virqfd_inject", "drivers/vfio/virqfd.c", "the work ends")                                      \
  X(virqfd_flush_inject, "virqfd_flush_inject", "drivers/vfio/virqfd.c", "wait for the inject work")                 \
  X(virqfd_shutdown, "virqfd_shutdown", "drivers/vfio/virqfd.c", "take the wait queue's lock")                       \
  X(virqfd_removed, "eventfd_ctx_remove_wait_queue", "fs/eventfd.c",                                                 \
    "leave the wait queue, read the count; drop its lock")                                                           \
  X(virqfd_shutdown_flush, "virqfd_shutdown", "drivers/vfio/virqfd.c", "wait for the inject work")                   \
  X(virqfd_freed, "virqfd_shutdown", "drivers/vfio/virqfd.c", "put the eventfd, free the virqfd")

#define VFIO_SHARING_STEPS(X)                                                                                        \
  X(sharer_handler, "(driver)", "a driver", "a sharer looks at its device, and services it")                         \
  X(device_quiet, "(driver)", "a driver", "a driver that goes silences its device")                                  \
  X(remover_handler, "pciehp_ist", "drivers/pci/hotplug/pciehp_hpc.c", "remove the driver that shares the line")     \
  X(remover_done, "pciehp_ist", "drivers/pci/hotplug/pciehp_hpc.c", "the driver is removed")                         \
  X(nested_begin, "handle_nested_irq", "kernel/irq/chip.c", "locked: note that a handler is under way")              \
  X(nested_handler, "handle_nested_irq", "kernel/irq/chip.c", "call the thread function")                            \
  X(nested_end, "handle_nested_irq", "kernel/irq/chip.c", "locked: no handler is under way")                         \
  X(nested_done, "(driver)", "a driver", "the demultiplexing handler returns")                                       \
  X(poll_disable, "nvme_poll_irqdisable", "drivers/nvme/host/pci.c", "disable the interrupt of the queue's vector")  \
  X(poll_enable, "nvme_poll_irqdisable", "drivers/nvme/host/pci.c", "enable the interrupt of the queue's vector")    \
  X(msix_off, "pci_free_irq_vectors", "drivers/pci/msi/api.c", "the device goes from MSI-X to INTx")                 \
  X(set_irqs_header, "vfio_device_fops_unl_ioctl", "drivers/vfio/vfio_main.c", "a header of VFIO_DEVICE_SET_IRQS")   \
  X(set_irqs_check, "vfio_set_irqs_validate_and_prepare", "drivers/vfio/vfio_main.c",                                \
    "the header is validated, and used")

#define VFIO_STEPS(X)   \
  VFIO_FLOW_STEPS(X)    \
  VFIO_THREAD_STEPS(X)  \
  VFIO_MANAGE_STEPS(X)  \
  VFIO_EVENTFD_STEPS(X) \
  VFIO_MSI_STEPS(X)     \
  VFIO_OTHER_STEPS(X)   \
  VFIO_KVM_STEPS(X)     \
  VFIO_BYPASS_STEPS(X)  \
  VFIO_LEVEL_STEPS(X)   \
  VFIO_DRIVER_STEPS(X)  \
  VFIO_INTX_STEPS(X)    \
  VFIO_VIRQFD_STEPS(X)  \
  VFIO_SHARING_STEPS(X)
