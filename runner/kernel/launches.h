// SPDX-License-Identifier: Apache-2.0
/* Tests of several launches. Private to this folder. */
#ifndef ORCHIL_RUNNER_KERNEL_LAUNCHES_H
#define ORCHIL_RUNNER_KERNEL_LAUNCHES_H

#include "runner/kernel/plan.h"

/* Whether the device, or the ensemble, can put all edges of a test between its launches. UNSUPPORTED, with the reason, where it
 * cannot. */
enum status launches_check(const struct litmus_test *test, const struct backend_device *device, struct error *error);

/* Gives the slots their launches, the threads having their slots: those of one work-group are launched together, and so are those of
 * one cluster, which the language asks for. */
enum status launches_place(struct plan *plan, struct error *error);

/* "#define LAUNCH_OF(slot) ((slot) == 0u ? 0u : 1u)" and what else the skeleton asks of a test of several launches. */
void launches_write(const struct kernel *kernel, struct text *text);

#endif
