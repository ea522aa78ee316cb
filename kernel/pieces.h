// SPDX-License-Identifier: Apache-2.0
/*
 * The parts of a test's kernel, for a program that plays the test without the skeleton
 * (runner/reproduce/). The text uses the types and functions that a prelude declares.
 */
#ifndef ORCHIL_KERNEL_PIECES_H
#define ORCHIL_KERNEL_PIECES_H

#include "kernel/body.h"

struct kernel_pieces {
    struct kernel kernel;
    struct kernel laid; /* the layout alone, to which allocation refers */
    struct allocation allocation;
    /* Its functions are those of the instructions. */
    struct writer writer;
    /* For each slot, the statements of its threads, without their declarations, with the names of the kernel's play_N:
     * p0_x1 points to the cell of location 1, p0_r2 is a register, p0_spins and p0_gave_up belong to a thread that
     * iterates, and p0_plays is used if each item plays one thread. */
    struct code threads[KERNEL_MAXIMUM_SLOTS];
};

/* Plans the test for the device and writes the parts; errors are those of kernel_generate.
 * *pieces holds pointers to itself and is released by the caller, whatever the result. */
enum status kernel_pieces_make(const struct litmus_test *test, const struct backend_device *device,
                               const char *lowering, bool delays, struct kernel_pieces *pieces, struct error *error);
void kernel_pieces_release(struct kernel_pieces *pieces);

#endif
