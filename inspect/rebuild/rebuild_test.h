// SPDX-License-Identifier: Apache-2.0
/* Makes the test that was compiled from a kernel's code: PTX, or SPIR-V. */
#pragma once

#include "inspect/inspect.h"
#include "kernel/kernel.h"
#include "listing/listing.h"
#include "verdicts/verdicts.h"

/* ---- PTX ---- */

/* One kernel's PTX. first_line: the line of the compiled text, from 1, on which kernel->source starts. */
struct compiled_ptx {
    const struct litmus_test *test;
    const struct kernel *kernel;
    unsigned first_line;
    const char *text;
};

/* Whether a device's code is PTX that a compiler made from C11 or OpenCL C, so that its test can be read from it. */
bool compiled_ptx_is(const struct kernel *kernel, const char *code);

/* Reads and compares. *inspection says whether the test was kept; *compiled is the test that was compiled. UNSUPPORTED,
 * with the reason, if that is not known. The caller releases both, whatever the result. */
enum status compiled_ptx_read(const struct compiled_ptx *ptx, struct inspection *inspection,
                              struct kernel_target *compiled, struct error *error);

/* The test that a compiler made from a test's kernel, according to a worker's report of the build. lowering and delays:
 * how the kernel was generated. UNSUPPORTED, with the reason, if there is none. The caller releases *compiled, which is
 * empty after a failure. */
enum status compiled_ptx_of_build(const struct litmus_test *test, const struct backend_device *device,
                                  const char *lowering, bool delays, const struct build *build,
                                  struct kernel_target *compiled, struct error *error);

/* ---- SPIR-V ---- */

/* Makes the VULKAN test that was compiled. inspection: of the same code. UNSUPPORTED, with the reason, if no VULKAN
 * test has this code. The caller releases *compiled, whatever the result. */
enum status compiled_spirv_read(const struct inspect_code *code, const struct litmus_test *test,
                                const struct kernel *kernel, const struct inspection *inspection,
                                struct kernel_target *compiled, struct error *error);

/* ---- outcomes that the compiled test allows and the test forbids ---- */

/* Inspects and judges code. PTX (of SASS, that which it has) and SPIR-V are read back: each outcome that the compiled
 * test allows, and the test's model or for a CUDA test the mapping to PTX forbids, becomes a finding, and the test is
 * not kept. What cannot be read back or judged adds nothing. If machine code is not inspected, its PTX is. device: the
 * kernel's target. */
void inspect_compiled(const struct inspect_code *code, const struct litmus_test *test, const struct kernel *kernel,
                      const struct backend_device *device, struct inspection *inspection);

/* The second half, for PTX: *inspection is that of the machine code. */
void judge_compiled(const struct compiled_ptx *ptx, const struct backend_device *device, struct inspection *inspection);
