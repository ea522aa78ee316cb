// SPDX-License-Identifier: Apache-2.0
/* Whether a device has the agents that a test needs. Private to this folder. */
#ifndef ORCHIL_RUNNER_KERNEL_AGENTS_H
#define ORCHIL_RUNNER_KERNEL_AGENTS_H

#include "runner/kernel/kernel.h"

/* Finds the test's agents. UNSUPPORTED, with the reason, where the device cannot be these agents: by itself, or with
 * its members where it is an ensemble. */
enum status agents_check(const struct litmus_test *test, const struct backend_device *device,
                         struct litmus_agents *agents, struct error *error);

/* UNSUPPORTED: the test needs other devices, with the words that ask for them. */
enum status agents_refuse(const struct backend_device *device, const struct litmus_agents *agents, struct error *error);

/* UNSUPPORTED, with the reason, where the kernel's read-modify-writes would be atomic in no memory of the ensemble. */
enum status agents_check_atomics(const struct backend_device *ensemble, const struct kernel *kernel,
                                 struct error *error);

/* UNSUPPORTED, with the reason, where the kernels of two agents of the ensemble would lay an instance out
 * differently. */
enum status agents_check_layout(const struct backend_device *ensemble, const struct kernel *first,
                                const struct kernel *other, struct error *error);

#endif
