// SPDX-License-Identifier: Apache-2.0
/*
 * The test that was compiled: the test's own threads with the instructions that a compiler made
 * from their accesses, fences and barriers, of PTX or of SPIR-V. `ptx` or `vulkan` judges it: if it allows an outcome that the
 * source's model forbids, the compiler is at fault, even if no device shows the outcome.
 */
#ifndef ORCHIL_VERDICTS_COMPILED_TEST_H
#define ORCHIL_VERDICTS_COMPILED_TEST_H

#include "base/arena.h"
#include "base/status.h"
#include "litmus/litmus.h"

struct compiled_test {
    struct litmus_test
        *test; /* in the PTX or the VULKAN dialect, with the variables and the condition of the source; owned */
    struct arena arena; /* holds what is not the source's */
};

/* Appends the test in its dialect; false, and appends nothing, if a thread has control flow or
 * computes. */
bool compiled_test_print(const struct compiled_test *compiled, struct text *text);
void compiled_test_release(struct compiled_test *compiled);

#endif
