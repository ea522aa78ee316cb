// SPDX-License-Identifier: Apache-2.0
/* Index files: words, and the settings of a suite. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/quantity.h"
#include "base/whole_file.h"
#include "catalogue/selection_parts.h"

/* ---- settings ---- */

struct suite {
    double budget, confidence, score; /* 0: not set */
};

static bool read_confidence(const char *value, double *confidence)
{
    char *end;
    *confidence = strtod(value, &end);
    return isdigit((unsigned char)*value) && *end == '\0' && *confidence > 0 && *confidence < 1;
}

/* The one score that there is: of mutants. */
static bool read_score(const char *value, double *score)
{
    *score = strcmp(value, "mutants") == 0;
    return *score > 0;
}

static const struct setting {
    const char *name;
    size_t offset; /* in struct suite */
    bool (*read)(const char *value, double *result);
    const char *expected;
} settings[] = {
    {"budget", offsetof(struct suite, budget), quantity_parse_seconds,
     "a positive number of seconds, such as 90, 2m or 1h"},
    {"confidence", offsetof(struct suite, confidence), read_confidence,
     "a number between 0 and 1 (exclusive), such as 0.95"},
    {"score", offsetof(struct suite, score), read_score, "mutants"},
};

/* "NAME = VALUE", where NAME has only letters: a test's name or a path may contain '='. */
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
    selection->score |= suite->score > 0;
}

/* ---- lines ---- */

/* The word of a line without surrounding spaces and without a comment (from '#' on). */
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

/* Adds the place of a word that selected nothing; an error in a test's file has its own place. */
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

/* A test's file that cannot be read is listed as unread; an unknown name or a bad index is an error
 * of this index. */
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

/* ---- files ---- */

static bool is_same_index(const struct origin *left, const struct origin *right)
{
    if (left->embedded != right->embedded)
        return false;
    return left->embedded ? strcmp(left->index, right->index) == 0
                          : left->device == right->device && left->file == right->file;
}

/* "@a names @b, which names @a". */
static enum status check_circle(const struct origin *index, struct error *error)
{
    const struct origin *same = index->above;
    struct text names = {0}, chain = {0};
    while (same && (!same->index || !is_same_index(same, index)))
        same = same->above;
    if (!same)
        return STATUS_OK;
    for (const struct origin *link = index->above; link != same; link = link->above) {
        text_clear(&chain);
        text_add(&chain, " names %s, which%s", link->index, text_string(&names));
        text_clear(&names);
        text_add(&names, "%s", text_string(&chain));
    }
    const enum status status = error_set(error, STATUS_USAGE, "the index names itself: %s%s names %s", same->index,
                                         text_string(&names), index->index);
    text_release(&names);
    text_release(&chain);
    return status;
}

static uint64_t index_key(const struct origin *index)
{
    char identity[64];
    (void)snprintf(identity, sizeof identity, "%" PRIu64 ":%" PRIu64, index->device, index->file);
    return index->embedded ? hash_index_key(1, index->index) : hash_index_key(0, identity);
}

/* Reading a nested index twice would add nothing: its tests are selected, and its settings do not
 * count. */
static bool is_read(const struct maker *maker, const struct origin *index)
{
    size_t item;
    for (size_t step = 0; index->depth > 1 && hash_index_next(&maker->index_keys, index_key(index), &step, &item);)
        if (is_same_index(&maker->indices[item], index))
            return true;
    return false;
}

static void note_read(struct maker *maker, const struct origin *index)
{
    struct origin *noted = &LIST_ADD(maker->indices, maker->index_count, maker->index_room);
    *noted = (struct origin){.embedded = index->embedded, .device = index->device, .file = index->file};
    if (index->embedded)
        noted->index = catalogue_at(index->index)->path; /* which lives as long as the program */
    hash_index_add(&maker->index_keys, index_key(index), maker->index_count - 1);
}

static enum status read_index(struct maker *maker, struct origin *index, struct text *text)
{
    struct stat what;
    const struct catalogue_file *file = index->embedded ? catalogue_at(index->index) : NULL;
    if (index->embedded && !file)
        return error_set(maker->error, STATUS_USAGE, "the catalogue has no index %s", index->index);
    if (!index->embedded && stat(index->index, &what) == 0) {
        index->device = (uint64_t)what.st_dev;
        index->file = (uint64_t)what.st_ino;
    }
    TRY(check_circle(index, maker->error));
    if (index->depth > SELECTION_MAXIMUM_NESTING)
        return error_set(maker->error, STATUS_USAGE, "indices nest deeper than %d", SELECTION_MAXIMUM_NESTING);
    if (is_read(maker, index))
        return STATUS_OK;
    if (file)
        text_add(text, "%s", file->text);
    else
        TRY(file_read_whole(index->index, LITMUS_MAXIMUM_FILE, text, maker->error));
    if (strlen(text_string(text)) != text->size)
        return error_set(maker->error, STATUS_SYNTAX, "%s:1:1: expected text, found NUL bytes", index->index);
    return selection_count(maker, 0, text->size);
}

enum status selection_add_index(struct maker *maker, const char *path, bool embedded, const struct origin *above)
{
    struct text text = {0};
    const char *slash = strrchr(path, '/');
    char *folder = memory_copy_part(path, slash ? (size_t)(slash - path) + 1 : 0);
    struct origin index = {
        .folder = folder, .embedded = embedded, .depth = above->depth + 1, .above = above, .index = path};
    enum status status = read_index(maker, &index, &text);
    if (status == STATUS_OK && is_read(maker, &index)) {
        maker->matched++;
    } else if (status == STATUS_OK) {
        status = add_lines(maker, path, text_string(&text), &index);
        if (status == STATUS_OK)
            note_read(maker, &index);
    }
    text_release(&text);
    free(folder);
    return status;
}
