// SPDX-License-Identifier: Apache-2.0
/* Reads and rewrites files of cases. */
#include "tests/corpus.h"

#include <ctype.h>
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/status.h"
#include "base/whole_file.h"

static const char title_mark[] = "==== ", part_mark[] = "---- ";
enum { MARK_SIZE = sizeof title_mark - 1, PATH_SIZE = 4096, FOLDER_MODE = 0777 };

struct corpus {
    const char *path;
    struct text head;
    struct corpus_case *cases;
    size_t count, room;
};

static bool is_updating(void)
{
    return getenv("ORCHIL_UPDATE") != NULL;
}

/* ---- reading ---- */

static struct corpus_part *add_part(struct corpus_case *one, const char *name, size_t size)
{
    struct corpus_part *part = &LIST_ADD(one->parts, one->count, one->room);
    part->name = memory_copy_part(name, size);
    return part;
}

/* Starts a case with its first part. */
static struct corpus_case *add_case(struct corpus *corpus, const char *title, size_t size, unsigned line)
{
    for (size_t i = 0; i < corpus->count; i++)
        if (strlen(corpus->cases[i].title) == size && strncmp(corpus->cases[i].title, title, size) == 0)
            fail_msg("%s:%u: the title of line %u again: %s", corpus->path, line, corpus->cases[i].line,
                     corpus->cases[i].title);
    struct corpus_case *one = &LIST_ADD(corpus->cases, corpus->count, corpus->room);
    one->title = memory_copy_part(title, size);
    one->path = corpus->path;
    one->line = line;
    (void)add_part(one, "", 0);
    return one;
}

/* Appends a line, with its newline. */
static void add_line(struct text *text, const char *line, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        char byte = line[i];
        if (size - i > 3 && strncmp(line + i, "\\x", 2) == 0 && isxdigit((unsigned char)line[i + 2]) &&
            isxdigit((unsigned char)line[i + 3])) {
            const char digits[] = {line[i + 2], line[i + 3], '\0'};
            byte = (char)strtoul(digits, NULL, 16);
            i += 3;
        }
        text_add_bytes(text, &byte, 1);
    }
}

static bool starts_with(const char *line, const char *end, const char *mark)
{
    return (size_t)(end - line) > MARK_SIZE && strncmp(line, mark, MARK_SIZE) == 0;
}

/* Whether the line that ends at end is the last of its part. */
static bool is_last(const char *end, const char *all_end)
{
    const char *next = end + 1;
    return next >= all_end || starts_with(next, all_end, part_mark) || starts_with(next, all_end, title_mark) ||
           (*next == '\n' && starts_with(next + 1, all_end, title_mark));
}

static void read_cases(struct corpus *corpus, const struct text *all)
{
    const char *line = text_string(all), *const all_end = line + all->size;
    struct corpus_case *one = NULL;
    unsigned number = 1;
    for (const char *end; line < all_end; line = end + 1, number++) {
        end = memchr(line, '\n', (size_t)(all_end - line));
        if (!end)
            fail_msg("%s:%u: expected a newline at the end of the file", corpus->path, number);
        const size_t size = (size_t)(end - line);
        if (starts_with(line, end, title_mark))
            one = add_case(corpus, line + MARK_SIZE, size - MARK_SIZE, number);
        else if (!one)
            text_add_bytes(&corpus->head, line, size + 1);
        else if (starts_with(line, end, part_mark))
            (void)add_part(one, line + MARK_SIZE, size - MARK_SIZE);
        else if (size > 0 || !starts_with(end + 1, all_end, title_mark)) {
            const bool joined = size > 0 && end[-1] == '\\' && is_last(end, all_end);
            add_line(&one->parts[one->count - 1].text, line, joined ? size - 1 : size + 1);
        }
    }
}

/* ---- writing ---- */

void corpus_print(const struct text *part, struct text *all)
{
    const char *text = text_string(part);
    for (size_t i = 0; i < part->size; i++) {
        const unsigned char byte = (unsigned char)text[i];
        const bool starts = i == 0 || text[i - 1] == '\n';
        const bool marks =
            starts && (strncmp(text + i, title_mark, MARK_SIZE) == 0 || strncmp(text + i, part_mark, MARK_SIZE) == 0);
        const bool joins = byte == '\\' && (i + 2 >= part->size || text[i + 1] == 'x');
        const bool is_text = (byte >= ' ' && byte < 0x7f) || byte == '\n' || byte == '\t';
        if (marks || joins || !is_text)
            text_add(all, "\\x%02x", byte);
        else
            text_add_bytes(all, text + i, 1);
    }
    if (part->size > 0 && text[part->size - 1] != '\n')
        text_add(all, "\\\n");
}

static void write_corpus(const struct corpus *corpus)
{
    struct text all = {0};
    struct error error = {0};
    text_add(&all, "%s", text_string(&corpus->head));
    for (size_t i = 0; i < corpus->count; i++) {
        const struct corpus_case *one = &corpus->cases[i];
        text_add(&all, "%s%s%s\n", i > 0 ? "\n" : "", title_mark, one->title);
        for (size_t part = 0; part < one->count; part++) {
            if (part > 0)
                text_add(&all, "%s%s\n", part_mark, one->parts[part].name);
            corpus_print(&one->parts[part].text, &all);
        }
    }
    if (file_write_whole(corpus->path, text_string(&all), all.size, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    text_release(&all);
}

/* ---- for the test programs ---- */

static struct corpus_part *find_part(const struct corpus_case *one, const char *name)
{
    for (size_t i = 0; i < one->count; i++)
        if (strcmp(one->parts[i].name, name) == 0)
            return &one->parts[i];
    return NULL;
}

const struct text *corpus_part(const struct corpus_case *one, const char *name)
{
    const struct corpus_part *part = find_part(one, name);
    return part ? &part->text : NULL;
}

void corpus_expect(struct corpus_case *one, const char *name, const char *found)
{
    struct corpus_part *part = find_part(one, name);
    if (part && part->text.size == strlen(found) && strcmp(text_string(&part->text), found) == 0)
        return;
    if (!is_updating())
        fail_msg("%s:%u: %s, %s: expected\n%s\nfound\n%s", one->path, one->line, one->title, name,
                 part ? text_string(&part->text) : "", found);
    if (!part)
        part = add_part(one, name, strlen(name));
    text_clear(&part->text);
    text_add_bytes(&part->text, found, strlen(found));
    one->changed = true;
}

static void release_corpus(struct corpus *corpus)
{
    for (size_t i = 0; i < corpus->count; i++) {
        struct corpus_case *one = &corpus->cases[i];
        for (size_t part = 0; part < one->count; part++) {
            free(one->parts[part].name);
            text_release(&one->parts[part].text);
        }
        free(one->parts);
        free(one->title);
    }
    free(corpus->cases);
    text_release(&corpus->head);
}

static size_t each_of_file(const char *path, void (*check)(struct corpus_case *one, void *context), void *context)
{
    struct corpus corpus = {.path = path};
    struct text all = {0};
    struct error error = {0};
    bool changed = false;
    if (file_read_whole(path, TEXT_MAXIMUM / 2, &all, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    read_cases(&corpus, &all);
    text_release(&all);
    for (size_t i = 0; i < corpus.count; i++) {
        check(&corpus.cases[i], context);
        changed |= corpus.cases[i].changed;
    }
    if (changed)
        write_corpus(&corpus);
    const size_t count = corpus.count;
    release_corpus(&corpus);
    return count;
}

static int is_corpus(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name);
    return length > 4 && strcmp(entry->d_name + length - 4, ".txt") == 0;
}

size_t corpus_each(const char *path, void (*check)(struct corpus_case *one, void *context), void *context)
{
    struct dirent **entries;
    size_t count = 0;
    const int entry_count = scandir(path, &entries, is_corpus, alphasort);
    if (entry_count < 0)
        return each_of_file(path, check, context);
    for (int i = 0; i < entry_count; i++) {
        char file[PATH_SIZE];
        (void)snprintf(file, sizeof file, "%s/%s", path, entries[i]->d_name);
        free(entries[i]);
        count += each_of_file(file, check, context);
    }
    free(entries);
    return count;
}

/* ---- single files ---- */

static void unpack_case(struct corpus_case *one, void *context)
{
    const char *folder = context;
    const struct text *bytes = corpus_part(one, "");
    struct text path = {0}, parent = {0};
    struct error error = {0};
    if (one->count != 1)
        fail_msg("%s:%u: %s: expected one part", one->path, one->line, one->title);
    text_add(&path, "%s/%s", folder, one->title);
    text_add_bytes(&parent, path.data, (size_t)(strrchr(path.data, '/') - path.data));
    if (file_make_folders(text_string(&parent), FOLDER_MODE, &error) != STATUS_OK ||
        file_write_quick(text_string(&path), text_string(bytes), bytes->size, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    text_release(&parent);
    text_release(&path);
}

size_t corpus_unpack(const char *path, const char *folder)
{
    struct text copy = {0};
    text_add(&copy, "%s", folder);
    const size_t count = corpus_each(path, unpack_case, copy.data);
    text_release(&copy);
    return count;
}
