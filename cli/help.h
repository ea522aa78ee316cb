// SPDX-License-Identifier: Apache-2.0
/* The texts of --help, manual pages and completion: entries of help.txt, which says how it is written. */
#pragma once

#include "cli/verb.h"

/* Finds the next entry of that name in the verb's section and replaces *value by its text; false if there are no more.
 * Starts with *at == NULL. */
bool help_next(const struct verb *verb, const char *name, const char **at, struct text *value);

/* Appends all entries of that name, with `between` between them. */
void help_add(const struct verb *verb, const char *name, const char *between, struct text *text);

/* Appends the entries of that name in the first section that has any: the verb's, that of the verb it is like, or that
 * of every verb. */
void help_add_of(const struct verb *verb, const char *name, struct text *text);

/* Appends what an option does, with its default value inserted. */
void help_add_option(const struct verb *verb, const struct option_row *row, struct text *text);
