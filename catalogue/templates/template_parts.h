// SPDX-License-Identifier: Apache-2.0
/* Shared by template*.c: the axes, the combinations of their values, and the making of an instance's text. Positions
 * are offsets into the template's text. */
#pragma once

#include "catalogue/templates/template.h"

enum {
    AXIS_MAXIMUM_NAMES = 24,        /* of one tuple */
    TEMPLATE_MAXIMUM_NAME = 250,    /* bytes of an instance's name, which is also a file's name */
    TEMPLATE_MAXIMUM_VALUES = 4096, /* put into an instance, including those within values */
    TEMPLATE_MAXIMUM_COMBINATIONS = 16 * TEMPLATE_MAXIMUM_INSTANCES /* before exclude lines */
};

/* Bytes of the template's text. */
struct extent {
    size_t start, size;
};

/* One vary line: `width` names, and as many values in each row. */
struct template_axis {
    struct extent names[AXIS_MAXIMUM_NAMES];
    bool used[AXIS_MAXIMUM_NAMES];
    size_t width;
    struct extent *values; /* row by row */
    size_t value_count;    /* rows * width */
};

struct exclusion_term {
    size_t axis, column;
    struct extent value;
    bool differs; /* "!=" */
};

/* One exclude line: all terms hold. */
struct exclusion {
    size_t start;
    struct exclusion_term *terms;
    size_t count;
    bool matched;
};

struct template
{
    struct arena arena; /* holds the template and everything reachable from it */
    char *file, *source;
    size_t size;
    enum litmus_dialect dialect;
    struct extent header; /* the name as written */
    char *title;
    struct template_axis axes[TEMPLATE_MAXIMUM_AXES];
    size_t axis_count;
    struct exclusion *exclusions;
    size_t exclusion_count;
    struct extent *lines; /* the vary and exclude lines, in order; none contains the end of its last line */
    size_t line_count;
    size_t *combinations; /* of each instance: its values, as a number whose last digit is the last axis' row */
    char **names;
    size_t count;
};

/* Errors at an offset of the text. */
enum status template_fail(const struct template *template, size_t at, struct error *error, enum status status,
                          const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Reads the vary or exclude line whose first word is at *at; leaves *at after it. */
enum status template_read_line(struct template *template, size_t *at, struct error *error);

/* The value of a name in a combination. */
const struct extent *template_value(const struct template *template, size_t combination, size_t axis, size_t column);

/* Checks every $name of the text and of the values, and that every axis is used. */
enum status template_check_uses(struct template *template, struct error *error);

/* The origin of the bytes of an expanded text. */
struct origin_map {
    struct origin_piece {
        size_t at;     /* in the expanded text */
        size_t source; /* in the template's text */
        bool value;    /* the whole piece replaces the $name at `source` */
    } * pieces;
    size_t count, room;
};

/* Appends a part of the text with a combination's values, and without the vary and exclude lines. map may be NULL.
 * LIMIT beyond `maximum` bytes. */
enum status template_expand(const struct template *template, size_t combination, struct extent part, size_t maximum,
                            struct text *text, struct origin_map *map, struct error *error);

/* The offset in the template's text of an offset in an expanded one. */
size_t template_origin(const struct origin_map *map, size_t at);
