// SPDX-License-Identifier: Apache-2.0
/* Bugs that broke programs: the entries of tests-litmus/field/bugs.txt, and which tests ask their questions. */
#ifndef ORCHIL_CATALOGUE_BUGS_H
#define ORCHIL_CATALOGUE_BUGS_H

#include <stdbool.h>

#include "base/text.h"
#include "catalogue/catalogue.h"
#include "litmus/litmus.h"

struct bug {
    struct catalogue_words name;
    struct catalogue_words lines; /* "key: value", where a line that starts with two blanks continues the one before */
};

/* Steps to the next bug, in the order of the file: *bug starts as {0}. False after the last. */
bool bug_next(struct bug *bug);

struct bug_field {
    struct catalogue_words key;
    struct catalogue_words value; /* with its line ends */
};

/* Steps to the next field of a bug, in the order of the file: *field starts as {0}. False after the last. */
bool bug_next_field(const struct bug *bug, struct bug_field *field);

/* Appends the value of a field on one line; nothing if the bug does not have the field. */
void bug_add_value(const struct bug *bug, const char *key, struct text *text);

/* Steps to the next test that a bug names, as "ptx:MP+relaxed": *name starts as {0}. False after the last. */
bool bug_next_test(const struct bug *bug, struct catalogue_words *name);

/* Whether this is the name of the test. */
bool bug_is_test(const struct catalogue_words *name, const struct litmus_test *test);

#endif
