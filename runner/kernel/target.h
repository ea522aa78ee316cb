// SPDX-License-Identifier: Apache-2.0
/*
 * The test that a device really gets. Where an OpenCL or a C test is lowered to PTX, its instructions are others, and the
 * PTX model judges those: an outcome that PTX forbids accuses the compiler, the driver or the chip, one that only the
 * source's model forbids accuses the lowering. A CUDA test is always lowered to PTX, and judged as that alone.
 */
#ifndef ORCHIL_RUNNER_TARGET_H
#define ORCHIL_RUNNER_TARGET_H

#include "base/arena.h"
#include "base/status.h"
#include "litmus/litmus.h"
#include "models/models.h"

/* Raised by hand with every change that gives the PTX test of some test other instructions: what was emitted before can then
 * not be judged again, as it is not what would be emitted now. */
enum { KERNEL_MAPPING = 2 };

/* In place of a mapping: what a driver's compiler made was judged. Only that compiler could say it again. */
enum { KERNEL_COMPILED = 1 << 20 };

struct kernel_target {
    struct litmus_test *test; /* in the PTX dialect, with the variables and values of the source; owned */
    struct arena statements;  /* lists of them that are not the source's */
};

/* The PTX test that lower_ptx.c makes of an OPENCL, CUDA or C test, for the models: it is never printed. Its statements and
 * accesses have the places of the source. UNSUPPORTED where the
 * place of a fence.sc is not sure: a seq_cst access beside another access in one expression, or to the right of && or ||.
 * The caller releases *target. */
enum status kernel_target_make(const struct litmus_test *test, struct kernel_target *target, struct error *error);
void kernel_target_release(struct kernel_target *target);

/* model_judge; of a CUDA test, which has no model of its own, of what is emitted. Its variables are those of the test. */
model_judging kernel_judge;

/* What a model of PTX says of what is emitted for an OPENCL, CUDA or C test; its variables and the places of its instructions
 * are those of the test. */
model_judging kernel_judge_emitted;

#endif
