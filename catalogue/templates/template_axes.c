// SPDX-License-Identifier: Apache-2.0
/* Expands a template to an instance: $names become values, and places map back to the template. Then its vary and
 * exclude lines. */
#include "catalogue/templates/template_parts.h"
#include "litmus/dialects.h"
#include "litmus/parse/tokens.h"

/* ---- errors ---- */

enum status template_fail(const struct template *template, size_t at, struct error *error, enum status status,
                          const char *format, ...)
{
    LOCAL(text) message = {0};
    va_list arguments;
    va_start(arguments, format);
    text_add_list(&message, format, arguments);
    va_end(arguments);
    const struct litmus_place place = scanner_place(template->source, at);
    (void)error_set(error, status, "%s:%u:%u: %s", template->file, place.line, place.column, text_string(&message));
    return status;
}

/* ---- names and values ---- */

/* Finds a name among the first axis_count axes. */
static bool template_find_name(const struct template *template, size_t axis_count, const char *name, size_t size,
                               size_t *axis, size_t *column)
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

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Reads the reference at the '$' at *at and moves *at after it, braces too; false if there is none. The name of "$$" is
 * empty. */
static bool read_reference(const struct template *template, size_t *at, size_t end, struct extent *name)
{
    const char *const source = template->source;
    size_t next = *at + 1;
    *name = (struct extent){0};
    *at += 2;
    if (next < end && source[next] == '$')
        return true;
    const bool braced = next < end && source[next] == '{';
    next += braced ? 1 : 0;
    const size_t start = next;
    while (next < end && (is_letter(source[next]) || (next > start && source[next] >= '0' && source[next] <= '9')))
        next++;
    *name = (struct extent){start, next - start};
    if (next == start || (braced && (next == end || source[next] != '}')))
        return false;
    *at = next + (braced ? 1 : 0);
    return true;
}

static enum status unknown_name(const struct template *template, size_t at, struct extent name, size_t axis_count,
                                struct error *error)
{
    LOCAL(text) known = {0};
    for (size_t axis = 0; axis < axis_count; axis++)
        for (size_t column = 0; column < template->axes[axis].width; column++)
            text_add(&known, "%s%.*s", known.size > 0 ? ", " : "", (int)template->axes[axis].names[column].size,
                     template->source + template->axes[axis].names[column].start);
    return template_fail(template, at, error, STATUS_SYNTAX,
                         "expected the name of an axis%s (%s), found '$%.*s'; '$$' writes a dollar",
                         axis_count == template->axis_count ? "" : " of the lines above",
                         known.size > 0 ? text_string(&known) : "none", (int)name.size, template->source + name.start);
}

/* Checks the references in a part of the text, which may name the first axis_count axes. */
static enum status check_part(struct template *template, struct extent part, size_t axis_count, struct error *error)
{
    const size_t end = part.start + part.size;
    for (size_t at = part.start; at < end;) {
        const size_t dollar = at;
        struct extent name;
        size_t axis, column;
        if (template->source[at] != '$') {
            at++;
            continue;
        }
        if (!read_reference(template, &at, end, &name))
            return template_fail(
                template, dollar, error, STATUS_SYNTAX,
                "expected the name of an axis after '$', as in $name or ${name}; '$$' writes a dollar");
        if (name.size == 0)
            continue;
        if (!template_find_name(template, axis_count, template->source + name.start, name.size, &axis, &column))
            return unknown_name(template, dollar, name, axis_count, error);
        template->axes[axis].used[column] = true;
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
    FOR_EACH(const struct template_axis, axis, template->axes, template->axis_count)
        for (size_t column = 0; column < axis->width; column++)
            if (!axis->used[column])
                return template_fail(template, axis->names[column].start, error, STATUS_SYNTAX,
                                     "expected $%.*s somewhere in the test: this axis changes nothing",
                                     (int)axis->names[column].size, template->source + axis->names[column].start);
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

/* Appends a part; `outermost` parts record their origin in the map, parts of values belong to their reference. A value
 * only names earlier axes, so this ends. */
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
        struct extent name;
        size_t axis, column;
        add_piece(expansion, outermost, stop, true);
        at = stop;
        if (!read_reference(template, &at, end, &name))
            return error_set(expansion->error, STATUS_INTERNAL, "%s: internal error: unchecked '$'", template->file);
        /* Empty values take no bytes, but values within values multiply. */
        if (++expansion->references > TEMPLATE_MAXIMUM_VALUES)
            return template_fail(template, stop, expansion->error, STATUS_LIMIT,
                                 "expected at most %d values in an instance, found more", TEMPLATE_MAXIMUM_VALUES);
        if (name.size == 0)
            TRY(add_bytes(expansion, stop, 1));
        else if (template_find_name(template, template->axis_count, template->source + name.start, name.size, &axis,
                                    &column))
            TRY(expand_part(expansion, *template_value(template, expansion->combination, axis, column), false));
        add_piece(expansion, outermost, at, false);
    }
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
        /* The ends of lines within a vary or exclude line. */
        for (at = line.start; at < line.start + line.size; at++)
            if (template->source[at] == '\n')
                TRY(add_bytes(&expansion, at, 1));
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

enum item_kind { ITEM_END, ITEM_WORD, ITEM_TEXT, ITEM_MARK };

struct line_reader {
    struct template *template;
    struct error *error;
    size_t at;
    size_t end;     /* after the last item */
    unsigned open;  /* parentheses */
    bool continues; /* the last item was a comma or '=': the line may continue on the next one */
    /* The item at hand: a word, a quoted text or a mark of a vary or exclude line. */
    enum item_kind kind;
    struct extent item; /* without the quotes */
};

/* ---- items ---- */

static bool stands_at(const struct line_reader *reader, size_t at, const char *text)
{
    const struct template *template = reader->template;
    return template->size - at >= strlen(text) && memcmp(template->source + at, text, strlen(text)) == 0;
}

static size_t end_of_line(const struct template *template, size_t at)
{
    while (at < template->size && template->source[at] != '\n')
        at++;
    return at;
}

static enum status skip_comment(struct line_reader *reader)
{
    const size_t start = reader->at;
    const char *const close = stands_at(reader, start, "(*") ? "*)" : "*/";
    if (stands_at(reader, start, "//")) {
        reader->at = end_of_line(reader->template, start);
        return STATUS_OK;
    }
    for (reader->at += 2; reader->at < reader->template->size; reader->at++) {
        if (stands_at(reader, reader->at, close)) {
            reader->at += 2;
            return STATUS_OK;
        }
    }
    return template_fail(reader->template, start, reader->error, STATUS_SYNTAX,
                         "expected '%s' at the end of this comment, found the end of the file", close);
}

static enum status template_axes_skip_blanks(struct line_reader *reader)
{
    const struct template *template = reader->template;
    for (bool more = true; more && reader->at < template->size;) {
        const char c = template->source[reader->at];
        if (c == ' ' || c == '\t' || c == '\r' || (c == '\n' && (reader->open > 0 || reader->continues)))
            reader->at++;
        else if (stands_at(reader, reader->at, "//") || stands_at(reader, reader->at, "/*") ||
                 stands_at(reader, reader->at, "(*"))
            TRY(skip_comment(reader));
        else
            more = false;
    }
    return STATUS_OK;
}

static bool ends_word(const struct line_reader *reader, size_t at)
{
    return strchr(" \t\r\n,()\"=", reader->template->source[at]) || stands_at(reader, at, "!=");
}

static enum status take_quoted(struct line_reader *reader)
{
    const struct template *template = reader->template;
    const size_t start = reader->at;
    reader->at++;
    while (reader->at < template->size && template->source[reader->at] != '"' && template->source[reader->at] != '\n')
        reader->at++;
    if (reader->at == template->size || template->source[reader->at] == '\n')
        return template_fail(template, start, reader->error, STATUS_SYNTAX,
                             "expected '\"' at the end of this value, on the same line");
    reader->kind = ITEM_TEXT;
    reader->item = (struct extent){start + 1, reader->at - start - 1};
    reader->at++;
    return STATUS_OK;
}

/* Takes the next item. */
static enum status next_item(struct line_reader *reader)
{
    const struct template *template = reader->template;
    TRY(template_axes_skip_blanks(reader));
    const size_t start = reader->at;
    if (start == template->size || template->source[start] == '\n') {
        reader->kind = ITEM_END;
        reader->item = (struct extent){start, 0};
        return STATUS_OK;
    }
    if (template->source[start] == '"')
        TRY(take_quoted(reader));
    else if (ends_word(reader, start)) {
        reader->at += stands_at(reader, start, "!=") ? 2 : 1;
        reader->kind = ITEM_MARK;
        reader->item = (struct extent){start, reader->at - start};
    } else {
        while (reader->at < template->size && !ends_word(reader, reader->at))
            reader->at++;
        reader->kind = ITEM_WORD;
        reader->item = (struct extent){start, reader->at - start};
    }
    const char c = template->source[start];
    if (c == '(')
        reader->open++;
    else if (c == ')' && reader->open > 0)
        reader->open--;
    reader->continues = c == ',' || c == '=' || stands_at(reader, start, "!=");
    reader->end = reader->at;
    return STATUS_OK;
}

/* Where the item begins: a text, at its quote. */
static size_t item_start(const struct line_reader *reader)
{
    return reader->item.start - (reader->kind == ITEM_TEXT);
}

static bool at_mark(const struct line_reader *reader, const char *mark)
{
    return reader->kind == ITEM_MARK && reader->item.size == strlen(mark) &&
           stands_at(reader, reader->item.start, mark);
}

static enum status expected_item(struct line_reader *reader, const char *what)
{
    const struct template *template = reader->template;
    const struct extent item = reader->item;
    const size_t at = item_start(reader);
    if (reader->kind == ITEM_END)
        return template_fail(template, at, reader->error, STATUS_SYNTAX, "expected %s, found the end of the %s", what,
                             at == template->size ? "file" : "line");
    return template_fail(template, at, reader->error, STATUS_SYNTAX, "expected %s, found '%.*s'", what,
                         (int)(item.size < 80 ? item.size : 80), template->source + item.start);
}

static enum status take_mark(struct line_reader *reader, const char *mark, const char *what)
{
    return at_mark(reader, mark) ? next_item(reader) : expected_item(reader, what);
}

static enum status template_axes_take_value(struct line_reader *reader, struct extent *value)
{
    if (reader->kind != ITEM_WORD && reader->kind != ITEM_TEXT)
        return expected_item(reader, "a value: a word, or a text in quotes");
    *value = reader->item;
    return next_item(reader);
}

/* ---- vary ---- */

static bool template_axes_is_name(const char *text, size_t size)
{
    size_t i = 0;
    while (i < size && (is_letter(text[i]) || (i > 0 && text[i] >= '0' && text[i] <= '9')))
        i++;
    return i == size && size > 0;
}

static enum status take_axis_name(struct line_reader *reader, struct template_axis *axis)
{
    const struct template *template = reader->template;
    const struct extent name = reader->item;
    const char *const text = template->source + name.start;
    size_t other, column;
    if (reader->kind != ITEM_WORD || !template_axes_is_name(text, name.size))
        return expected_item(reader, "the name of an axis: letters, digits and '_'");
    bool twice = template_find_name(template, template->axis_count, text, name.size, &other, &column);
    for (size_t i = 0; i < axis->width; i++)
        twice |=
            axis->names[i].size == name.size && memcmp(template->source + axis->names[i].start, text, name.size) == 0;
    if (twice)
        return template_fail(template, name.start, reader->error, STATUS_SYNTAX,
                             "expected a name that no other axis has, found '%.*s' again", (int)name.size, text);
    if (axis->width == AXIS_MAXIMUM_NAMES)
        return template_fail(template, name.start, reader->error, STATUS_LIMIT,
                             "expected at most %d names that vary together", AXIS_MAXIMUM_NAMES);
    axis->names[axis->width++] = name;
    return next_item(reader);
}

static enum status read_names(struct line_reader *reader, struct template_axis *axis)
{
    if (!at_mark(reader, "("))
        return take_axis_name(reader, axis);
    do {
        TRY(next_item(reader));
        TRY(take_axis_name(reader, axis));
    } while (at_mark(reader, ","));
    return take_mark(reader, ")", "',' or ')' after the name of an axis");
}

static enum status take_axis_value(struct line_reader *reader, struct template_axis *axis)
{
    struct extent value;
    TRY(template_axes_take_value(reader, &value));
    ARENA_ADD(&reader->template->arena, axis->values, axis->value_count) = value;
    return STATUS_OK;
}

/* "(a, b)": one value for each name. */
static enum status read_row(struct line_reader *reader, struct template_axis *axis)
{
    const size_t start = item_start(reader), before = axis->value_count;
    if (!at_mark(reader, "("))
        return expected_item(reader, "'(' and a value for each of the names");
    do {
        TRY(next_item(reader));
        TRY(take_axis_value(reader, axis));
    } while (at_mark(reader, ","));
    const size_t found = axis->value_count - before;
    if (found != axis->width)
        return template_fail(reader->template, start, reader->error, STATUS_SYNTAX,
                             "expected %zu value%s, one for each name, found %zu", axis->width,
                             axis->width == 1 ? "" : "s", found);
    return take_mark(reader, ")", "',' or ')' after a value (quote a value that contains such a character)");
}

static bool same_bytes(const struct template *template, struct extent left, struct extent right)
{
    return left.size == right.size &&
           memcmp(template->source + left.start, template->source + right.start, left.size) == 0;
}

static enum status refuse_equal_rows(const struct line_reader *reader, const struct template_axis *axis)
{
    const struct template *template = reader->template;
    for (size_t row = axis->width; row < axis->value_count; row += axis->width) {
        for (size_t other = 0; other < row; other += axis->width) {
            bool same = true;
            for (size_t i = 0; i < axis->width; i++)
                same = same && same_bytes(template, axis->values[row + i], axis->values[other + i]);
            if (same)
                return template_fail(template, axis->values[row].start, reader->error, STATUS_SYNTAX,
                                     "expected each value of an axis once, found '%.*s'%s again",
                                     (int)axis->values[row].size, template->source + axis->values[row].start,
                                     axis->width > 1 ? " and the values that vary with it" : "");
        }
    }
    return STATUS_OK;
}

static enum status read_vary(struct line_reader *reader)
{
    struct template *template = reader->template;
    bool more = true;
    if (template->axis_count == TEMPLATE_MAXIMUM_AXES)
        return template_fail(template, item_start(reader), reader->error, STATUS_LIMIT,
                             "expected at most %d vary lines", TEMPLATE_MAXIMUM_AXES);
    struct template_axis *axis = &template->axes[template->axis_count];
    *axis = (struct template_axis){0};
    const bool tuple = at_mark(reader, "(");
    TRY(read_names(reader, axis));
    TRY(take_mark(reader, "=", "'=' and the values of the axis"));
    while (more) {
        TRY(tuple ? read_row(reader, axis) : take_axis_value(reader, axis));
        more = at_mark(reader, ",");
        if (more)
            TRY(next_item(reader));
        else if (reader->kind != ITEM_END)
            return expected_item(
                reader,
                "',' or the end of the line after a value (quote a value that contains a blank, a comma, '=' or "
                "a parenthesis)");
        if (axis->value_count / axis->width > TEMPLATE_MAXIMUM_INSTANCES)
            return template_fail(template, axis->names[0].start, reader->error, STATUS_LIMIT,
                                 "expected at most %d values of an axis", TEMPLATE_MAXIMUM_INSTANCES);
    }
    TRY(refuse_equal_rows(reader, axis));
    template->axis_count++;
    return STATUS_OK;
}

/* ---- exclude ---- */

static bool has_value(const struct template *template, const struct exclusion_term *term)
{
    const struct template_axis *axis = &template->axes[term->axis];
    for (size_t i = term->column; i < axis->value_count; i += axis->width)
        if (same_bytes(template, axis->values[i], term->value))
            return true;
    return false;
}

static enum status read_term(struct line_reader *reader, struct exclusion_term *term)
{
    const struct template *template = reader->template;
    const struct extent name = reader->item;
    if (reader->kind != ITEM_WORD || !template_find_name(template, template->axis_count, template->source + name.start,
                                                         name.size, &term->axis, &term->column))
        return expected_item(reader, template->axis_count > 0 ? "the name of an axis of the lines above"
                                                              : "a vary line above the first exclude line");
    TRY(next_item(reader));
    term->differs = at_mark(reader, "!=");
    if (!term->differs && !at_mark(reader, "="))
        return expected_item(reader, "'=' or '!=' and a value of the axis");
    TRY(next_item(reader));
    const size_t at = item_start(reader);
    TRY(template_axes_take_value(reader, &term->value));
    if (!has_value(template, term))
        return template_fail(
            template, at, reader->error, STATUS_SYNTAX, "expected a value of the axis %.*s, found '%.*s'",
            (int)name.size, template->source + name.start, (int)term->value.size, template->source + term->value.start);
    return STATUS_OK;
}

static enum status read_exclude(struct line_reader *reader, size_t start)
{
    struct template *template = reader->template;
    struct exclusion exclusion = {.start = start};
    for (bool more = true; more;) {
        struct exclusion_term term = {0};
        TRY(read_term(reader, &term));
        ARENA_ADD(&template->arena, exclusion.terms, exclusion.count) = term;
        more = at_mark(reader, ",");
        if (more)
            TRY(next_item(reader));
        else if (reader->kind != ITEM_END)
            return expected_item(reader, "',' or the end of the line");
    }
    ARENA_ADD(&template->arena, template->exclusions, template->exclusion_count) = exclusion;
    return STATUS_OK;
}

enum status template_read_line(struct template *template, size_t *at, struct error *error)
{
    struct line_reader reader = {.template = template, .error = error, .at = *at};
    const bool vary = stands_at(&reader, *at, "vary");
    TRY(next_item(&reader)); /* the word itself */
    TRY(next_item(&reader));
    TRY(vary ? read_vary(&reader) : read_exclude(&reader, *at));
    ARENA_ADD(&template->arena, template->lines, template->line_count) = (struct extent){*at, reader.at - *at};
    *at = reader.at;
    return STATUS_OK;
}
