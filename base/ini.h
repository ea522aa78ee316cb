// SPDX-License-Identifier: Apache-2.0
/* INI texts, line by line. inih cuts a long line in two without saying so; here it is an error. */
#pragma once

#include "base/base.h"

/* Starts with the three first members; the others are {0}. */
struct ini_reader {
    /* Takes `name = value` of a section, "" before the first. False if it is wrong (ini_refuse). */
    bool (*take)(struct ini_reader *reader, const char *section, const char *name, const char *value);
    void (*begin_section)(struct ini_reader *reader); /* before the lines of each section; or NULL */
    void *context;
    int line;         /* the number of the line that is read, from 1 */
    const char *rest; /* of the text */
    int wrong_line;   /* the first that was refused; malformed ones are known to inih alone */
    char why[512];    /* what is wrong with it */
};

/* Says what is wrong with the line that is read, if none was wrong before. Always false. */
bool ini_refuse(struct ini_reader *reader, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Reads a text. SYNTAX with the place of the first wrong line, "NAME:LINE:1: ..."; `form` says what a line should be:
 * "expected `parameter = value`". */
enum status ini_read(struct ini_reader *reader, const char *name, const char *text, const char *form,
                     struct error *error);
