// SPDX-License-Identifier: Apache-2.0
/* The dialects: one row each. A new dialect needs a value in enum litmus_dialect, a row here,
 * and its columns in the tables of language/words.c. */
#ifndef ORCHIL_LITMUS_DIALECTS_H
#define ORCHIL_LITMUS_DIALECTS_H

#include "litmus/litmus.h"

struct parser;

struct dialect {
    const char *name;
    const char *words[4]; /* accepted in the header, NULL after the last */
    /* From the token after the initial state to the first one of the trailers. Types are
     * complete afterwards. */
    enum status (*parse_threads)(struct parser *parser);
    void (*print_threads)(const struct litmus_test *test, struct text *text);
    bool has_places; /* whether a test may place its threads and locations */
    bool columns;    /* whether its threads are columns of instructions */
};

extern const struct dialect dialects[LITMUS_DIALECT_COUNT];

#endif
