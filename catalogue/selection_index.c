// SPDX-License-Identifier: Apache-2.0
/* Index files: words, and the settings of a suite. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/quantity.h"
#include "catalogue/selection_parts.h"

/* ---- settings ---- */

struct suite {
    double budget, confidence; /* 0: not set */
};

static bool read_confidence(const char *value, double *confidence)
{
    char *end;
    *confidence = strtod(value, &end);
    return isdigit((unsigned char)*value) && *end == '\0' && *confidence > 0 && *confidence < 1;
}

static const struct setting {
    const char *name;
    size_t offset; /* in struct suite */
    bool (*read)(const char *value, double *result);
    const char *expected;
} settings[] = {
    {"budget", offsetof(struct suite, budget), quantity_parse_seconds,
     "a positive number of seconds, like 90, 2m or 1h"},
    {"confidence", offsetof(struct suite, confidence), read_confidence,
     "a number between 0 and 1, both left out, like 0.95"},
};

/* "NAME = VALUE", where NAME has letters only: a test's name or a path may hold a '='. */
static bool is_setting(const char *line, size_t *name, const char **value)
{
    *name = 0;
    while (isalpha((unsigned char)line[*name]) || line[*name] == '_')
        ++*name;
    *value = line + *name + strspn(line + *name, " \t");
    if (*name == 0 || **value != '=')
        return false;
    *value += 1 + strspn(*value + 1, " \t");
    return true;
}

static enum status read_setting(struct suite *suite, const char *line, size_t size, const char *value,
                                const char *place, struct error *error)
{
    struct text known = {0};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        const struct setting *setting = &settings[i];
        double *const result = (double *)(void *)((char *)suite + setting->offset);
        text_add(&known, "%s%s", i > 0 ? " or " : "", setting->name);
        if (strlen(setting->name) != size || strncmp(setting->name, line, size) != 0)
            continue;
        text_release(&known);
        if (*result > 0)
            return error_set(error, STATUS_SYNTAX, "%s: expected one line for %s, found a second one", place,
                             setting->name);
        if (!setting->read(value, result))
            return error_set(error, STATUS_SYNTAX, "%s: %s: expected %s, found '%s'", place, setting->name,
                             setting->expected, value);
        return STATUS_OK;
    }
    (void)error_set(error, STATUS_SYNTAX, "%s: expected the setting %s, found '%.*s'", place, text_string(&known),
                    (int)size, line);
    text_release(&known);
    return STATUS_SYNTAX;
}

/* Suites of one command line share one run. */
static void take_suite(struct selection *selection, const struct suite *suite)
{
    selection->budget += suite->budget;
    if (suite->confidence > selection->confidence)
        selection->confidence = suite->confidence;
}

/* ---- lines ---- */

/* The word of a line without blanks round it and without a comment, which is what stands behind '#'. */
static char *word_of_line(const char *line, size_t size)
{
    const char *comment = memchr(line, '#', size);
    if (comment)
        size = (size_t)(comment - line);
    while (size > 0 && strchr(" \t\r", line[size - 1]))
        size--;
    while (size > 0 && strchr(" \t", *line)) {
        line++;
        size--;
    }
    return memory_copy_part(line, size);
}

/* Says where the word stood that selected nothing; a fault inside a test's file has its own place. */
static enum status add_place(enum status status, const char *place, struct error *error)
{
    if (!error || (status != STATUS_USAGE && status != STATUS_UNREADABLE))
        return status;
    const struct error inner = *error;
    return error_set(error, STATUS_SYNTAX, "%s: %s", place, inner.text);
}

static const char generate_word[] = "generate";

static bool is_generation(const char *line)
{
    const size_t size = strlen(generate_word);
    return strncmp(line, generate_word, size) == 0 && (line[size] == '\0' || strchr(" \t", line[size]));
}

/* A test's file that cannot be read costs only itself; a name that no test has, or an index, is the fault of this index. */
static enum status add_word(struct maker *maker, const char *word, const char *place, const struct origin *origin)
{
    const enum status status = selection_add_word(maker, word, origin);
    const enum status placed = add_place(status, place, maker->error);
    return catalogue_is_index(word) || status == STATUS_USAGE ? placed : selection_pass_over(maker, placed);
}

/* One line; its paths are relative to the index. */
static enum status add_line(struct maker *maker, struct suite *suite, char *line, const char *place,
                            const struct origin *origin)
{
    size_t size;
    const char *value;
    if (line[0] == '\0')
        return STATUS_OK;
    if (is_setting(line, &size, &value))
        return read_setting(suite, line, size, value, place, maker->error);
    if (is_generation(line))
        return add_place(selection_add_generated(maker, line + strlen(generate_word)), place, maker->error);
    return add_word(maker, line, place, origin);
}

static enum status add_lines(struct maker *maker, const char *path, const char *text, const struct origin *origin)
{
    struct suite suite = {0};
    struct text place = {0};
    size_t matched = 0;
    unsigned number = 1;
    enum status status = STATUS_OK;
    for (const char *line = text; *line && status == STATUS_OK; number++) {
        const size_t size = strcspn(line, "\n");
        char *word = word_of_line(line, size);
        text_clear(&place);
        text_add(&place, "%s:%u:1", path, number);
        maker->matched = 0;
        status = add_line(maker, &suite, word, text_string(&place), origin);
        matched += maker->matched;
        free(word);
        line += size + (line[size] == '\n' ? 1 : 0);
    }
    text_release(&place);
    maker->matched = matched;
    if (status == STATUS_OK && matched == 0)
        status = error_set(maker->error, STATUS_USAGE, "%s: the index names no test", path);
    if (status == STATUS_OK && origin->depth == 1)
        take_suite(maker->selection, &suite);
    return status;
}

enum status selection_add_index(struct maker *maker, const char *path, bool embedded, unsigned depth)
{
    struct text text = {0};
    const char *slash = strrchr(path, '/');
    char *folder = memory_copy_part(path, slash ? (size_t)(slash - path) + 1 : 0);
    const struct origin origin = {.folder = folder, .embedded = embedded, .depth = depth + 1};
    const struct catalogue_file *file = embedded ? catalogue_at(path) : NULL;
    enum status status = STATUS_OK;
    if (origin.depth > SELECTION_MAXIMUM_NESTING)
        status = error_set(maker->error, STATUS_LIMIT, "%s: indices nest deeper than %d; does this one name itself?",
                           path, SELECTION_MAXIMUM_NESTING);
    else if (embedded && !file)
        status = error_set(maker->error, STATUS_USAGE, "the catalogue holds no index %s", path);
    else if (!embedded)
        status = litmus_read_file(path, &text, maker->error);
    if (status == STATUS_OK)
        status = add_lines(maker, path, embedded ? file->text : text_string(&text), &origin);
    text_release(&text);
    free(folder);
    return status;
}
