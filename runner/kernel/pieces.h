// SPDX-License-Identifier: Apache-2.0
/*
 * The parts of a test's kernel, for a program that plays the test without the skeleton (runner/reproduce/). The text is in
 * the words of a prelude, and calls what is declared there.
 */
#ifndef ORCHIL_RUNNER_PIECES_H
#define ORCHIL_RUNNER_PIECES_H

#include "runner/kernel/body.h"

struct kernel_pieces {
    struct kernel kernel;
    struct kernel laid; /* what plan refers to: the layout alone */
    struct plan plan;
    struct text instructions; /* a function for each distinct access and fence */
    /* Of each slot, what its threads do, without their declarations. It uses the names that play_N of the kernel has:
     * p0_x1 points to the cell of location 1, p0_r2 is a register, p0_spins and p0_gave_up of a thread that iterates, and
     * p0_plays where each item plays one thread. */
    struct text threads[KERNEL_MAXIMUM_SLOTS];
};

/* Plans the test for the device and writes the parts; errors as those of kernel_generate_by. *pieces holds pointers to itself
 * and is released by the caller, whatever the result. */
enum status kernel_pieces_make(const struct litmus_test *test, const struct backend_device *device,
                               const char *lowering, bool delays, struct kernel_pieces *pieces, struct error *error);
void kernel_pieces_release(struct kernel_pieces *pieces);

#endif
