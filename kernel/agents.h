// SPDX-License-Identifier: Apache-2.0
/* Whether a device has the agents that a test needs. Private to this folder. */
#ifndef ORCHIL_KERNEL_AGENTS_H
#define ORCHIL_KERNEL_AGENTS_H

#include "kernel/kernel.h"

/* Finds the test's agents. UNSUPPORTED, with the reason, if the device, or the members of an
 * ensemble, cannot play them. */
enum status agents_check(const struct litmus_test *test, const struct backend_device *device,
                         struct litmus_agents *agents, struct error *error);

/* UNSUPPORTED: the test needs other devices. The message gives the options that select them, or the placement that a
 * thread lacks. */
enum status agents_refuse(const struct litmus_test *test, const struct backend_device *device,
                          const struct litmus_agents *agents, struct error *error);

/* UNSUPPORTED, with the reason, if no memory of the ensemble makes the kernel's read-modify-writes
 * atomic. */
enum status agents_check_atomics(const struct backend_device *ensemble, const struct kernel *kernel,
                                 struct error *error);

/* UNSUPPORTED, with the reason, if the kernels of two agents of the ensemble lay out an instance
 * differently. */
enum status agents_check_layout(const struct backend_device *ensemble, const struct kernel *first,
                                const struct kernel *other, struct error *error);

#endif
