// SPDX-License-Identifier: Apache-2.0
/* The test that a kernel's text plays, read back without a compiler: the functions of the threads, the helper that each
 * call names, and the PTX or GLSL in that helper. Of the source it takes the threads, the variables and the condition,
 * but nothing of what the threads do. */
#pragma once

#include "base/arena.h"
#include "kernel/kernel.h"
#include "litmus/litmus.h"

struct read_test {
    struct litmus_test *test; /* in the target's words; owned */
    struct arena arena;       /* what is not the source's */
};

/* Reads the kernels of all agents of a test, of PTX or GLSL. NULL, or why they cannot be read; then *read is empty. The
 * caller calls read_test_release. */
const char *read_kernel(const struct litmus_test *source, enum litmus_dialect target, const struct kernel *kernels,
                        unsigned agents, struct read_test *read);
void read_test_release(struct read_test *read);
