// SPDX-License-Identifier: Apache-2.0
/* What the tests of kernel generation share. */
#ifndef ORCHIL_TESTS_KERNEL_FIXTURE_H
#define ORCHIL_TESTS_KERNEL_FIXTURE_H

#include "runner/kernel/kernel.h"

/* The marker in a kernel's source that only generated text follows. */
#define FIXTURE_MARKER "// ---- this test ----\n\n"

/* A device that takes "c11", "ptx", "both", "source" or "none", declares every order and scope, and has sub-groups of 32. */
struct backend_device fixture_device(const char *takes);

/* A file's text, NUL-terminated; to be freed. Fails the test where it cannot be read. */
char *fixture_read(const char *path);

/* Parses a text; fails the test, with the parser's words, where it has an error. */
struct litmus_test *fixture_parse(const char *name, const char *text);

/* The lowering to ask for by name: "source" for a device that takes nothing else, else NULL. */
const char *fixture_lowering(const struct backend_device *device);

/* The generated part of the test's kernel; to be freed. Fails the test where there is none. */
char *fixture_generate(const struct litmus_test *test, const struct backend_device *device);

#endif
