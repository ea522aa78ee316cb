// SPDX-License-Identifier: Apache-2.0
/* Expands a template to an instance: $names become values, and places map back to the template. */
#include <stdarg.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "catalogue/templates/template.h"
#include "catalogue/templates/template_parts.h"
#include "litmus/dialects.h"
#include "litmus/parse/tokens.h"

/* ---- errors ---- */

enum status template_fail(const struct template *template, size_t at, struct error *error, enum status status,
                          const char *format, ...)
{
    struct text message = {0};
    va_list arguments;
    va_start(arguments, format);
    text_add_list(&message, format, arguments);
    va_end(arguments);
    const struct litmus_place place = scanner_place(template->source, at);
    (void)error_set(error, status, "%s:%u:%u: %s", template->file, place.line, place.column, text_string(&message));
    text_release(&message);
    return status;
}

/* ---- names and values ---- */

bool template_find_name(const struct template *template, size_t axis_count, const char *name, size_t size, size_t *axis,
                        size_t *column)
{
    for (*axis = 0; *axis < axis_count; ++*axis) {
        const struct template_axis *here = &template->axes[*axis];
        for (*column = 0; *column < here->width; ++*column)
            if (here->names[*column].size == size &&
                memcmp(template->source + here->names[*column].start, name, size) == 0)
                return true;
    }
    return false;
}

const struct extent *template_value(const struct template *template, size_t combination, size_t axis, size_t column)
{
    for (size_t i = template->axis_count - 1; i > axis; i--)
        combination /= template->axes[i].value_count / template->axes[i].width;
    const struct template_axis *here = &template->axes[axis];
    const size_t row = combination % (here->value_count / here->width);
    return &here->values[row * here->width + column];
}

/* ---- $names ---- */

/* A reference at a '$'. */
struct reference {
    struct extent name; /* empty for "$$" */
    size_t size;        /* of the whole, braces too */
};

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Reads the reference at `at`; false if there is none. */
static bool read_reference(const struct template *template, size_t at, size_t end, struct reference *reference)
{
    const char *const source = template->source;
    size_t next = at + 1;
    *reference = (struct reference){.size = 2};
    if (next < end && source[next] == '$')
        return true;
    const bool braced = next < end && source[next] == '{';
    next += braced ? 1 : 0;
    const size_t start = next;
    while (next < end && (is_letter(source[next]) || (next > start && source[next] >= '0' && source[next] <= '9')))
        next++;
    reference->name = (struct extent){start, next - start};
    if (next == start || (braced && (next == end || source[next] != '}')))
        return false;
    reference->size = next + (braced ? 1 : 0) - at;
    return true;
}

static enum status unknown_name(const struct template *template, size_t at, struct extent name, size_t axis_count,
                                struct error *error)
{
    struct text known = {0};
    for (size_t axis = 0; axis < axis_count; axis++)
        for (size_t column = 0; column < template->axes[axis].width; column++)
            text_add(&known, "%s%.*s", known.size > 0 ? ", " : "", (int)template->axes[axis].names[column].size,
                     template->source + template->axes[axis].names[column].start);
    const enum status status = template_fail(
        template, at, error, STATUS_SYNTAX, "expected the name of an axis%s (%s), found '$%.*s'; '$$' writes a dollar",
        axis_count == template->axis_count ? "" : " of the lines above", known.size > 0 ? text_string(&known) : "none",
        (int)name.size, template->source + name.start);
    text_release(&known);
    return status;
}

/* Checks the references in a part of the text, which may name the first axis_count axes. */
static enum status check_part(struct template *template, struct extent part, size_t axis_count, struct error *error)
{
    const size_t end = part.start + part.size;
    for (size_t at = part.start; at < end; at++) {
        struct reference reference;
        size_t axis, column;
        if (template->source[at] != '$')
            continue;
        if (!read_reference(template, at, end, &reference))
            return template_fail(
                template, at, error, STATUS_SYNTAX,
                "expected the name of an axis after '$', as in $name or ${name}; '$$' writes a dollar");
        if (reference.name.size > 0) {
            if (!template_find_name(template, axis_count, template->source + reference.name.start, reference.name.size,
                                    &axis, &column))
                return unknown_name(template, at, reference.name, axis_count, error);
            template->axes[axis].used[column] = true;
        }
        at += reference.size - 1;
    }
    return STATUS_OK;
}

enum status template_check_uses(struct template *template, struct error *error)
{
    size_t at = 0;
    for (size_t i = 0; i <= template->line_count; i++) {
        const size_t end = i < template->line_count ? template->lines[i].start : template->size;
        TRY(check_part(template, (struct extent){at, end - at}, template->axis_count, error));
        at = i < template->line_count ? end + template->lines[i].size : end;
    }
    for (size_t axis = 0; axis < template->axis_count; axis++)
        for (size_t i = 0; i < template->axes[axis].value_count; i++)
            TRY(check_part(template, template->axes[axis].values[i], axis, error));
    for (size_t i = 0; i < template->axis_count; i++) {
        const struct template_axis *axis = &template->axes[i];
        for (size_t column = 0; column < axis->width; column++)
            if (!axis->used[column])
                return template_fail(template, axis->names[column].start, error, STATUS_SYNTAX,
                                     "expected $%.*s somewhere in the test: this axis changes nothing",
                                     (int)axis->names[column].size, template->source + axis->names[column].start);
    }
    return STATUS_OK;
}

/* ---- expansion ---- */

struct expansion {
    const struct template *template;
    size_t combination, maximum, references;
    struct text *text;
    struct origin_map *map;
    struct error *error;
};

/* Records that the next bytes come from `source`, if they belong to an outermost part. */
static void add_piece(struct expansion *expansion, bool outermost, size_t source, bool value)
{
    struct origin_map *map = expansion->map;
    if (map && outermost)
        LIST_ADD(map->pieces, map->count, map->room) = (struct origin_piece){expansion->text->size, source, value};
}

static enum status add_bytes(struct expansion *expansion, size_t start, size_t size)
{
    struct text *text = expansion->text;
    if (size > expansion->maximum - text->size)
        return template_fail(expansion->template, expansion->template->header.start, expansion->error, STATUS_LIMIT,
                             "an instance is longer than %zu bytes where %s is expected", expansion->maximum,
                             expansion->maximum == TEMPLATE_MAXIMUM_NAME ? "its name" : "its text");
    text_add_bytes(text, expansion->template->source + start, size);
    return STATUS_OK;
}

/* Appends a part; `outermost` parts record their origin in the map, parts of values belong to their
 * reference. A value only names earlier axes, so this ends. */
static enum status expand_part(struct expansion *expansion, struct extent part, bool outermost)
{
    const struct template *template = expansion->template;
    const size_t end = part.start + part.size;
    add_piece(expansion, outermost, part.start, false);
    for (size_t at = part.start; at < end;) {
        const char *dollar = memchr(template->source + at, '$', end - at);
        const size_t stop = dollar ? (size_t)(dollar - template->source) : end;
        TRY(add_bytes(expansion, at, stop - at));
        if (stop == end)
            break;
        struct reference reference;
        size_t axis, column;
        add_piece(expansion, outermost, stop, true);
        if (!read_reference(template, stop, end, &reference))
            return error_set(expansion->error, STATUS_INTERNAL, "%s: internal error: unchecked '$'", template->file);
        /* Empty values take no bytes, but values within values multiply. */
        if (++expansion->references > TEMPLATE_MAXIMUM_VALUES)
            return template_fail(template, stop, expansion->error, STATUS_LIMIT,
                                 "expected at most %d values in an instance, found more", TEMPLATE_MAXIMUM_VALUES);
        if (reference.name.size == 0)
            TRY(add_bytes(expansion, stop, 1));
        else if (template_find_name(template, template->axis_count, template->source + reference.name.start,
                                    reference.name.size, &axis, &column))
            TRY(expand_part(expansion, *template_value(template, expansion->combination, axis, column), false));
        at = stop + reference.size;
        add_piece(expansion, outermost, at, false);
    }
    return STATUS_OK;
}

/* The ends of lines within a vary or exclude line. */
static enum status keep_line_ends(struct expansion *expansion, struct extent line)
{
    for (size_t i = 0; i < line.size; i++)
        if (expansion->template->source[line.start + i] == '\n')
            TRY(add_bytes(expansion, line.start + i, 1));
    return STATUS_OK;
}

enum status template_expand(const struct template *template, size_t combination, struct extent part, size_t maximum,
                            struct text *text, struct origin_map *map, struct error *error)
{
    struct expansion expansion = {
        .template = template, .combination = combination, .maximum = maximum, .text = text, .map = map, .error = error};
    const size_t end = part.start + part.size;
    size_t at = part.start;
    for (size_t i = 0; i < template->line_count; i++) {
        const struct extent line = template->lines[i];
        if (line.start < at || line.start >= end)
            continue;
        TRY(expand_part(&expansion, (struct extent){at, line.start - at}, true));
        TRY(keep_line_ends(&expansion, line));
        at = line.start + line.size;
    }
    return expand_part(&expansion, (struct extent){at, end - at}, true);
}

size_t template_origin(const struct origin_map *map, size_t at)
{
    size_t found = 0;
    for (size_t i = 0; i < map->count && map->pieces[i].at <= at; i++)
        found = i;
    if (map->count == 0)
        return at;
    const struct origin_piece *piece = &map->pieces[found];
    return piece->source + (piece->value ? 0 : at - piece->at);
}
