// SPDX-License-Identifier: Apache-2.0
/* Makes the test that was compiled from a kernel's code: PTX, or SPIR-V. */
#ifndef ORCHIL_INSPECT_REBUILD_REBUILD_TEST_H
#define ORCHIL_INSPECT_REBUILD_REBUILD_TEST_H

#include "inspect/inspect.h"
#include "inspect/listing.h"
#include "kernel/kernel.h"
#include "verdicts/verdicts.h"

/*
 * Makes it, in a dialect, from a test, its kernel, and the listing of that kernel's code, in whose lines
 * kernel->source starts at first_line. A thread with straight-line source and straight-line code
 * has its instructions in the order of the code. Any other thread has the control flow of the
 * source, and therefore needs an inspection that found nothing missing, doubled or moved.
 * UNSUPPORTED, with the reason, if no test of the dialect has this code. The caller releases *compiled.
 */
enum status compiled_test_make(const struct litmus_test *test, const struct kernel *kernel, unsigned first_line,
                               const struct listing *listing, const struct inspection *inspection,
                               enum litmus_dialect dialect, struct compiled_test *compiled, struct error *error);

#endif
