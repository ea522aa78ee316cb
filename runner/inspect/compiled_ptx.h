// SPDX-License-Identifier: Apache-2.0
/* What the PTX that a compiler made of a kernel says without running it: whether the test was kept, and which test was
 * compiled. */
#ifndef ORCHIL_RUNNER_INSPECT_COMPILED_PTX_H
#define ORCHIL_RUNNER_INSPECT_COMPILED_PTX_H

#include "runner/inspect/compiled_test.h"
#include "runner/inspect/inspect.h"

/* One kernel's PTX: the test, the kernel, the line of the compiled text, from 1, on which kernel->source starts, the text. */
struct compiled_ptx {
    const struct litmus_test *test;
    const struct kernel *kernel;
    unsigned first_line;
    const char *text;
};

/* Whether a device's code is PTX that a compiler made of C11 or OpenCL C, so that the test it has can be read from it. */
bool compiled_ptx_is(const struct kernel *kernel, const char *code);

/* Reads and compares. *inspection says whether the test was kept; *compiled is the test that was compiled. UNSUPPORTED, with
 * the reason, where that is not known. The caller releases both, whatever the result. */
enum status compiled_ptx_read(const struct compiled_ptx *ptx, struct inspection *inspection,
                              struct compiled_test *compiled, struct error *error);

#endif
