// SPDX-License-Identifier: Apache-2.0
/* Outcomes that a compiled test allows and the test forbids. */
#ifndef ORCHIL_INSPECT_COMPILE_JUDGE_CODE_H
#define ORCHIL_INSPECT_COMPILE_JUDGE_CODE_H

#include "inspect/rebuild/rebuild_test.h"

/* Inspects and judges code. PTX (of SASS, that which it has) and SPIR-V are read back: each outcome that the compiled
 * test allows, and the test's model or for a CUDA test the mapping to PTX forbids, becomes a finding, and the test is
 * not kept. What cannot be read back or judged adds nothing. If machine code is not inspected, its PTX is. device: the
 * kernel's target. */
void inspect_compiled(const struct inspect_code *code, const struct litmus_test *test, const struct kernel *kernel,
                      const struct backend_device *device, struct inspection *inspection);

/* The second half, for PTX: *inspection is that of the machine code. */
void judge_compiled(const struct compiled_ptx *ptx, const struct backend_device *device, struct inspection *inspection);

#endif
