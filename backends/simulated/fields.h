// SPDX-License-Identifier: Apache-2.0
/* Reads JSON objects into structs by a table of their keys, and rejects every key that is not in
 * the table. */
#ifndef ORCHIL_SIMULATED_FIELDS_H
#define ORCHIL_SIMULATED_FIELDS_H

#include <jansson.h>
#include <stddef.h>

#include "base/status.h"

enum field_kind {
    FIELD_CHARS,        /* char[size]: a text that fits */
    FIELD_TEXT,         /* const char *: a text, owned by the tree */
    FIELD_BOOLEAN,      /* bool */
    FIELD_UNSIGNED,     /* unsigned: a whole number from low to high */
    FIELD_INTEGER,      /* int64_t: likewise */
    FIELD_SIZE,         /* uint64_t: likewise */
    FIELD_REAL,         /* double: a number from low to high */
    FIELD_CHOICE,       /* unsigned: one of the words, as its position */
    FIELD_MASK,         /* unsigned: an array of words, as bits by position */
    FIELD_NUMBERS,      /* const json_t *: an object of numbers from low to high */
    FIELD_TEXTS,        /* const json_t *: an array of texts */
    FIELD_ARRAY,        /* const json_t *: an array of objects */
    FIELD_OBJECT,       /* const json_t *: an object of objects */
    FIELD_CIRCUMSTANCES /* struct circumstances: an object as in base/circumstances.h */
};

struct field {
    const char *name;
    enum field_kind kind;
    size_t offset;            /* in the struct */
    size_t size;              /* FIELD_CHARS */
    double low, high;         /* numbers */
    const char *const *words; /* FIELD_CHOICE and FIELD_MASK: ends with NULL; an empty word cannot be written */
};

/* Reads object into the struct at `to`; missing keys leave it unchanged. place names the object in
 * messages. SYNTAX, with file, place and what was expected. */
enum status fields_read(const char *file, const char *place, const json_t *object, const struct field *fields,
                        size_t count, void *to, struct error *error);

#endif
