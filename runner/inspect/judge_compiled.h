// SPDX-License-Identifier: Apache-2.0
/* What models say of the test that a compiler made, without running it. */
#ifndef ORCHIL_RUNNER_INSPECT_JUDGE_COMPILED_H
#define ORCHIL_RUNNER_INSPECT_JUDGE_COMPILED_H

#include "runner/inspect/ptx/compiled_ptx.h"

/*
 * Reads the PTX back and judges it: each outcome that the test's model, or for a CUDA test the mapping to PTX, forbids and the
 * compiled test allows becomes a finding of *inspection, which is then not kept. What cannot be read back or judged adds nothing.
 * Where nobody has inspected the machine code, *inspection becomes that of the PTX. device: what the kernel was made for.
 */
void judge_compiled(const struct compiled_ptx *ptx, const struct backend_device *device, struct inspection *inspection);

#endif
