// SPDX-License-Identifier: Apache-2.0
/* What the PTX that a compiler made of a kernel says without running it: whether the test was kept, and which test was
 * compiled. */
#ifndef ORCHIL_RUNNER_INSPECT_PTX_COMPILED_PTX_H
#define ORCHIL_RUNNER_INSPECT_PTX_COMPILED_PTX_H

#include "runner/inspect/inspect.h"
#include "runner/inspect/ptx/compiled_test.h"

/* One kernel's PTX: the test, the kernel, the line of the compiled text, from 1, on which kernel->source starts, the text. */
struct compiled_ptx {
    const struct litmus_test *test;
    const struct kernel *kernel;
    unsigned first_line;
    const char *text;
};

/* Whether a device's code is PTX that a compiler made of C11 or OpenCL C, so that the test it has can be read from it. */
bool compiled_ptx_is(const struct kernel *kernel, const char *code);

/* Calls tell with each step of the test and what the code has of it, opcodes alone: "membar.gl; atom.global.exch.b32".
 * UNSUPPORTED, with the reason, where the text is not read. */
enum status compiled_ptx_list(const struct compiled_ptx *ptx,
                              void (*tell)(const struct kernel_step *step, const char *opcodes, void *context),
                              void *context, struct error *error);

/* Reads and compares. *inspection says whether the test was kept; *compiled is the test that was compiled. UNSUPPORTED, with
 * the reason, where that is not known. The caller releases both, whatever the result. */
enum status compiled_ptx_read(const struct compiled_ptx *ptx, struct inspection *inspection,
                              struct compiled_test *compiled, struct error *error);

/* The test that a compiler made of a test's kernel, which was made by a lowering, by what a worker told of the build. UNSUPPORTED, with the
 * reason, where there is none. The caller releases *compiled, which is empty after a failure. */
enum status compiled_ptx_of_build(const struct litmus_test *test, const struct backend_device *device,
                                  const char *lowering, const struct build *build, struct compiled_test *compiled,
                                  struct error *error);

#endif
