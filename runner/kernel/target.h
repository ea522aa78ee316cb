// SPDX-License-Identifier: Apache-2.0
/*
 * The test that a device really runs. An OpenCL or C test that is lowered to PTX has other
 * instructions, which the PTX model judges: an outcome that PTX forbids is an error of the
 * compiler, the driver or the chip; one that only the source's model forbids is an error of the
 * lowering. A CUDA test is always lowered to PTX and judged only as PTX.
 */
#ifndef ORCHIL_RUNNER_KERNEL_TARGET_H
#define ORCHIL_RUNNER_KERNEL_TARGET_H

#include "base/arena.h"
#include "base/status.h"
#include "litmus/litmus.h"
#include "models/models.h"

/* Increment on every change to the instructions of some test's PTX test. Results of an earlier
 * mapping cannot be judged again, because other instructions would be emitted now. */
enum { KERNEL_MAPPING = 2 };

/* In place of a mapping: the output of a driver's compiler was judged. Only that compiler could
 * reproduce it. */
enum { KERNEL_COMPILED = 1 << 20 };

struct kernel_target {
    struct litmus_test *test; /* in the PTX dialect, with the variables and values of the source; owned */
    struct arena statements;  /* statement lists that are not the source's */
};

/* The PTX test that lower_ptx.c makes from an OPENCL, CUDA or C test, for the models; it is never
 * printed. Its statements and accesses have the places of the source. UNSUPPORTED if the place of a
 * fence.sc is not certain: a seq_cst access in one expression with another access, or to the right
 * of && or ||. The caller releases *target. */
enum status kernel_target_make(const struct litmus_test *test, struct kernel_target *target, struct error *error);
void kernel_target_release(struct kernel_target *target);

/* model_judge, applied to the emitted PTX for a CUDA test, which has no model of its own. It has
 * the test's variables. */
model_judging kernel_judge;

/* Judges the PTX emitted for an OPENCL, CUDA or C test by a model of PTX. Variables and places of
 * instructions are the test's. */
model_judging kernel_judge_emitted;

#endif
