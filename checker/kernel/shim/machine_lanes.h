/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For the harnesses, not for kernel code: running calls and lanes. */
#ifndef IOMC_MACHINE_LANES_H
#define IOMC_MACHINE_LANES_H

#include <setjmp.h>
#include <signal.h>
#include <ucontext.h>

#include "iomc_kernel.h"

/* All CPUs online, nothing counted, no lanes. */
void iomc_machine_reset(unsigned cpus);

/* Runs body to its end on that CPU, without lanes. False where the kernel stopped. */
bool iomc_call(void (*body)(void *), void *argument, unsigned cpu);

void iomc_lane_start(int lane, unsigned cpu, void (*body)(void *), void *argument);
/* Runs the lane to its next point, which is returned and described in iomc. */
int iomc_lane_run(int lane, unsigned cpu);
bool iomc_lane_alive(int lane);

#endif
