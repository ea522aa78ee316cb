// SPDX-License-Identifier: Apache-2.0
/* The test that a device really runs. An OpenCL or C test that is lowered to PTX, or to GLSL for Vulkan, has other
 * instructions, which the model of PTX or of Vulkan judges: an outcome that it forbids is an error of the compiler, the
 * driver or the chip; one that only the source's model forbids is an error of the lowering. A CUDA test is always
 * lowered to PTX and judged only as PTX. */
#pragma once

#include "litmus/litmus.h"
#include "models/models.h"

/* Which instructions are emitted for a test: a number for each mapping, to PTX and to VULKAN. Increment it on every
 * change to the instructions of some test. Results of an earlier mapping cannot be judged again, because other
 * instructions would be emitted now. */
enum { KERNEL_MAPPING_PTX = 2, KERNEL_MAPPING_VULKAN = 1 << 10 };

/* In place of a mapping: the output of a driver's compiler was judged. Only that compiler could reproduce it. */
enum { KERNEL_COMPILED = 1 << 20 };

/* The mapping to the dialect, or 0 if there is none; the dialect of a mapping. */
unsigned kernel_mapping_to(enum litmus_dialect dialect);
enum litmus_dialect kernel_mapping_dialect(unsigned mapping);

/* Whether this version of orchil generates the same code for a mapping as the version that named it. */
bool kernel_mapping_is_current(unsigned mapping);

/* The test that a device gets: by a mapping, or as the compiled code has it (inspect/rebuild/rebuild_test.h). */
struct kernel_target {
    struct litmus_test
        *test;          /* in PTX or VULKAN, with the variables, the values and the condition of the source; owned */
    struct arena arena; /* what is not the source's */
};

/* The test that the device gets for an OPENCL, CUDA or C test, for the models: each of its instructions is what the
 * lowering prints, because both take it from map.h. Its statements and accesses have the places of the source.
 * UNSUPPORTED, with the reason, if the mapping has no such instruction, or the place of a fence.sc of PTX is not
 * certain: a seq_cst access in one expression with another access, or to the right of && or ||. The caller releases
 * *target. */
enum status kernel_target_make(const struct litmus_test *test, unsigned mapping, struct kernel_target *target,
                               struct error *error);
void kernel_target_release(struct kernel_target *target);

/* Appends a test in the words of PTX or VULKAN, as columns of single instructions: a statement is three at most.
 * UNSUPPORTED, with the reason, and nothing appended, if a thread branches or computes. */
enum status kernel_print_instructions(const struct litmus_test *test, struct text *text, struct error *error);

/* The same for the test that the device gets. What is appended is a test that can be parsed, and has the same verdicts:
 * also UNSUPPORTED, with something appended, if the dialect has no words for some of it. */
enum status kernel_target_print(const struct kernel_target *target, struct text *text, struct error *error);

/* model_judge, applied to the emitted PTX for a CUDA test, which has no model of its own. It has the test's
 * variables. */
model_judging kernel_judge;

/* Judges what is emitted for an OPENCL, CUDA or C test: VULKAN's instructions by `vulkan`, PTX by any other model.
 * Variables and places of instructions are the test's. */
model_judging kernel_judge_emitted;
