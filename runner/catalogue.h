// SPDX-License-Identifier: Apache-2.0
/* The embedded catalogue by name: what a test is called is read from the head of its text, without parsing the rest.
 * Private to this folder. */
#ifndef ORCHIL_RUNNER_CATALOGUE_H
#define ORCHIL_RUNNER_CATALOGUE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "litmus/litmus.h"
#include "runner/catalogue_files.h"

struct catalogue_entry {
    const struct catalogue_file *file;
    enum litmus_dialect dialect;
    char name[256]; /* cut to that size */
};

/* Reads the head of one file. False for an index and for a text without a head. */
bool catalogue_entry(const struct catalogue_file *file, struct catalogue_entry *entry);

/* The file of exactly this path below tests-litmus/, or NULL. */
const struct catalogue_file *catalogue_at(const char *path);

/* "opencl:" or "ptx:" before a name. Gives what stands behind it, or the whole text with *dialect = LITMUS_NONE. */
const char *catalogue_dialect(const char *text, int *dialect);

/* Appends " (did you mean A, B or C?)", or nothing where no name resembles the word. */
void catalogue_suggest(const char *word, int dialect, struct text *text);

/* The order of names: as strcmp, but numbers in them compare by value. */
int catalogue_compare_names(const char *left, const char *right);

#endif
