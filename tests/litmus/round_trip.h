// SPDX-License-Identifier: Apache-2.0
/* Shared by tests over files: walking a folder, reading a text, printing and parsing again. */
#pragma once

#include "litmus/litmus.h"

/* Calls visit for every *.litmus file below folder, in the order of their paths. Returns how many there were, or -1 if
 * the folder cannot be read. */
long each_litmus_file(const char *folder, void (*visit)(const char *path, void *context), void *context);

/* Reads a whole file; a failed assertion if it cannot be read. */
void read_text(const char *path, struct text *text);

/* Prints the test, parses that, and asserts that the second test equals the first and prints the same. */
void assert_round_trip(const struct litmus_test *test, const char *path);
