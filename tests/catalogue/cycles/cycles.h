// SPDX-License-Identifier: Apache-2.0
/* The data files of cycles, variants and generation: lines in tests/catalogue/cycles/. */
#pragma once

#include "litmus/litmus.h"

/* Calls take for every line of cycles/NAME that is not empty and does not start with '#'; the line is take's to change.
 * Returns how many there were. */
size_t each_cycle_line(const char *name, void (*take)(char *line, void *context), void *context);

/* Cuts line at the first occurrence of mark, and returns the text after it; a failed assertion if it is missing. */
char *cut_line(char *line, const char *mark);
