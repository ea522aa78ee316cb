// SPDX-License-Identifier: Apache-2.0
/* Judges the test that a compiler made, without running it. */
#ifndef ORCHIL_INSPECT_COMPILE_JUDGE_COMPILED_H
#define ORCHIL_INSPECT_COMPILE_JUDGE_COMPILED_H

#include "inspect/ptx/compiled_ptx.h"

/*
 * Reads the PTX back and judges it: each outcome that the test's model, or for a CUDA test the
 * mapping to PTX, forbids and the compiled test allows becomes a finding of *inspection, which is
 * then not kept. PTX that cannot be read back or judged adds nothing. If the machine code was not
 * inspected, *inspection becomes the inspection of the PTX. device: the kernel's target.
 */
void judge_compiled(const struct compiled_ptx *ptx, const struct backend_device *device, struct inspection *inspection);

/* The same for SPIR-V that is not kept: the findings of its inspection say what differs, and these what
 * may come of it. */
void judge_compiled_spirv(const struct inspect_code *code, const struct litmus_test *test, const struct kernel *kernel,
                          const struct backend_device *device, struct inspection *inspection);

#endif
