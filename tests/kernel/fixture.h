// SPDX-License-Identifier: Apache-2.0
/* Helpers for the tests of kernel generation. */
#pragma once

#include "kernel/kernel.h"

/* The marker in a kernel's source after which all text is generated. */
#define FIXTURE_MARKER "// ---- this test ----\n\n"

/* A device that takes "c11", "ptx", "both", "glsl", "source" or "none", declares every order and scope, and has
 * sub-groups of 32. */
struct backend_device fixture_device(const char *takes);

/* A file's text, NUL-terminated; to be freed. Fails the test if it cannot be read. */
char *fixture_read(const char *path);

/* Parses a text; on an error, fails the test with the parser's message. */
struct litmus_test *fixture_parse(const char *name, const char *text);

/* The lowering to ask for by name: "source" for a device that takes nothing else; otherwise NULL. */
const char *fixture_lowering(const struct backend_device *device);

/* The generated part of the test's kernel; to be freed. Fails the test if there is none. */
char *fixture_generate(const struct litmus_test *test, const struct backend_device *device);
