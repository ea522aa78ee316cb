// SPDX-License-Identifier: Apache-2.0
/*
 * The PTX test that was compiled: the test's own threads with the instructions that a compiler made
 * from their accesses, fences and barriers. `ptx` judges it: if it allows an outcome that the
 * source's model forbids, the compiler is at fault, even if no device shows the outcome.
 */
#ifndef ORCHIL_RUNNER_INSPECT_PTX_COMPILED_TEST_H
#define ORCHIL_RUNNER_INSPECT_PTX_COMPILED_TEST_H

#include "base/arena.h"
#include "base/status.h"
#include "litmus/litmus.h"
#include "runner/inspect/inspect.h"
#include "runner/inspect/listing.h"
#include "runner/kernel/kernel.h"

struct compiled_test {
    struct litmus_test *test; /* in the PTX dialect, with the variables and the condition of the source; owned */
    struct arena arena;       /* holds what is not the source's */
};

/*
 * Makes it from a test, its kernel, and the listing of that kernel's PTX, in whose lines
 * kernel->source starts at first_line. A thread with straight-line source and straight-line code
 * has its instructions in the order of the code. Any other thread has the control flow of the
 * source, and therefore needs an inspection that found nothing missing, doubled or moved.
 * UNSUPPORTED, with the reason, if no PTX test has this code. The caller releases *compiled.
 */
enum status compiled_test_make(const struct litmus_test *test, const struct kernel *kernel, unsigned first_line,
                               const struct listing *listing, const struct inspection *inspection,
                               struct compiled_test *compiled, struct error *error);

/* Appends the test in the PTX dialect; false, and appends nothing, if a thread has control flow or
 * computes. */
bool compiled_test_print(const struct compiled_test *compiled, struct text *text);
void compiled_test_release(struct compiled_test *compiled);

#endif
