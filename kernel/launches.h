// SPDX-License-Identifier: Apache-2.0
/* Tests of several launches. Private to this folder. */
#ifndef ORCHIL_KERNEL_LAUNCHES_H
#define ORCHIL_KERNEL_LAUNCHES_H

#include "kernel/allocation.h"

/* Checks that the device, or the ensemble, supports all edges between the test's launches.
 * UNSUPPORTED, with the reason, if not. */
enum status launches_check(const struct litmus_test *test, const struct backend_device *device, struct error *error);

/* Assigns launches to the slots; the threads must have their slots. The threads of a work-group are
 * launched together, and so are those of a cluster, as the language requires. */
enum status launches_place(struct allocation *allocation, struct error *error);

/* "#define LAUNCH_OF(slot) ((slot) == 0u ? 0u : 1u)" and the other definitions that the skeleton
 * needs for a test of several launches. */
void launches_write(const struct kernel *kernel, struct text *text);

#endif
