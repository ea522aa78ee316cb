// SPDX-License-Identifier: Apache-2.0
/* Completions of a value, by the word that help texts use for it. Private to this folder. */
#ifndef ORCHIL_CLI_COMPLETION_VALUES_H
#define ORCHIL_CLI_COMPLETION_VALUES_H

#include <stddef.h>

#include "base/text.h"

/* The word to complete: a prefix that each answer keeps ("--device="), and from `start` on the part
 * to complete. */
struct typed {
    const char *word, *start; /* start is in word */
};

/* Appends "BEFORE WORD<tab>DESCRIPTION" as a line if the word begins as typed. description: NULL for none. */
void values_offer(const struct typed *typed, const char *word, const char *description, struct text *lines);

/* Appends the completions of a value. */
typedef void value_source(const struct typed *typed, struct text *lines);

/* The completions of "FILE", "TEST" or another word of help texts; NULL if unknown. */
value_source *values_find(const char *metavar, size_t size);

#endif
