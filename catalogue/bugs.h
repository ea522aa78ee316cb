// SPDX-License-Identifier: Apache-2.0
/* Bugs that broke programs: the entries of tests-litmus/field/bugs.txt, and which tests ask their questions. */
#ifndef ORCHIL_CATALOGUE_BUGS_H
#define ORCHIL_CATALOGUE_BUGS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "litmus/litmus.h"

/* Words of the embedded text; not terminated. */
struct bug_words {
    const char *start;
    size_t size;
};

struct bug {
    struct bug_words name;
    struct bug_words lines; /* "key: value", where a line that starts with two blanks continues the one before */
};

/* The bugs in the order of the file: *bug starts as {0}. False after the last. */
bool bug_next(struct bug *bug);

struct bug_field {
    struct bug_words key;
    struct bug_words value; /* with its line ends */
};

/* The fields of a bug in the order of the file: *field starts as {0}. False after the last. */
bool bug_next_field(const struct bug *bug, struct bug_field *field);

/* Appends the value of a field on one line; nothing if the bug does not have the field. */
void bug_add_value(const struct bug *bug, const char *key, struct text *text);

/* The tests that a bug names, one by one: "ptx:MP+relaxed". *name starts as {0}. False after the last. */
bool bug_next_test(const struct bug *bug, struct bug_words *name);

/* Whether this is the name of the test. */
bool bug_is_test(const struct bug_words *name, const struct litmus_test *test);

#endif
