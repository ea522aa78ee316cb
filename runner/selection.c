// SPDX-License-Identifier: Apache-2.0
#include "runner/selection.h"

#include <errno.h>
#include <fnmatch.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runner/catalogue.h"

enum { MAXIMUM_NESTING = 16 }; /* of indices */

/* Where the words of a command line or of an index are looked for. */
struct origin {
    const char *folder; /* "" or with a '/' at its end */
    bool embedded;      /* the folder is one of the catalogue */
    unsigned depth;     /* of indices */
};

struct maker {
    struct selection *selection;
    size_t capacity;
    size_t matched; /* tests that the present word means, those selected before too */
    struct error *error;
};

static enum status no_memory(struct maker *maker)
{
    return error_set(maker->error, STATUS_MEMORY, "no memory for the list of selected tests");
}

/* ---- the list ---- */

/* The same name, dialect and content: then a second run would tell nothing new. */
static bool is_same(const struct litmus_test *left, const struct litmus_test *right)
{
    char left_hash[65], right_hash[65];
    if (left->dialect != right->dialect || strcmp(left->name, right->name) != 0)
        return false;
    litmus_hash(left, left_hash);
    litmus_hash(right, right_hash);
    return strcmp(left_hash, right_hash) == 0;
}

/* Takes the test, whatever it returns. */
static enum status add(struct maker *maker, struct litmus_test *test, const char *file)
{
    struct selection *selection = maker->selection;
    maker->matched++;
    for (size_t i = 0; i < selection->count; i++) {
        if (is_same(selection->tests[i].test, test)) {
            litmus_release(test);
            return STATUS_OK;
        }
    }
    if (selection->count == maker->capacity) {
        const size_t capacity = maker->capacity ? 2 * maker->capacity : 64;
        struct selected_test *tests = realloc(selection->tests, capacity * sizeof *tests);
        if (!tests) {
            litmus_release(test);
            return no_memory(maker);
        }
        selection->tests = tests;
        maker->capacity = capacity;
    }
    char *copy = strdup(file);
    if (!copy) {
        litmus_release(test);
        return no_memory(maker);
    }
    selection->tests[selection->count++] = (struct selected_test){.test = test, .file = copy};
    return STATUS_OK;
}

static int compare_tests(const void *left, const void *right)
{
    const struct selected_test *a = left, *b = right;
    int order = catalogue_compare_names(a->test->name, b->test->name);
    if (order == 0)
        order = (int)a->test->dialect - (int)b->test->dialect;
    return order != 0 ? order : strcmp(a->file, b->file);
}

static void sort_from(struct selection *selection, size_t first)
{
    if (selection->count - first > 1)
        qsort(selection->tests + first, selection->count - first, sizeof *selection->tests, compare_tests);
}

/* ---- names and files of the catalogue ---- */

static enum status add_embedded(struct maker *maker, const struct catalogue_file *file)
{
    struct litmus_test *test;
    TRY(litmus_parse(file->path, file->text, file->size, &test, maker->error));
    return add(maker, test, file->path);
}

static enum status add_names(struct maker *maker, const char *pattern, int dialect, bool exact)
{
    for (size_t i = 0; i < catalogue_file_count; i++) {
        struct catalogue_entry entry;
        if (!catalogue_entry(&catalogue_files[i], &entry) || (dialect != LITMUS_NONE && dialect != (int)entry.dialect))
            continue;
        if (exact ? strcmp(entry.name, pattern) == 0 : fnmatch(pattern, entry.name, 0) == 0)
            TRY(add_embedded(maker, entry.file));
    }
    return STATUS_OK;
}

static enum status no_such_name(struct maker *maker, const char *word, const char *name, int dialect)
{
    struct text text = {0};
    const bool glob = strpbrk(name, "*?[") != NULL;
    text_add(&text, "no test of the catalogue%s%s %s '%s'", dialect == LITMUS_NONE ? "" : " in ",
             dialect == LITMUS_NONE ? "" : litmus_dialect_name((enum litmus_dialect)dialect),
             glob ? "matches" : "is called", name);
    catalogue_suggest(name, dialect, &text);
    if (access(word, F_OK) == 0)
        text_add(&text, "; to mean the file or folder of that name, write ./%s", word);
    text_add(&text, "; 'orchil list' shows all names");
    const enum status status = error_set(maker->error, STATUS_USAGE, "%s", text_string(&text));
    text_release(&text);
    return status;
}

static enum status select_names(struct maker *maker, const char *word)
{
    int dialect;
    const char *name = catalogue_dialect(word, &dialect);
    TRY(add_names(maker, name, dialect, true));
    if (maker->matched == 0)
        TRY(add_names(maker, name, dialect, false));
    return maker->matched > 0 ? STATUS_OK : no_such_name(maker, word, name, dialect);
}

static bool ends_in(const char *text, const char *end)
{
    const size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

/* A path within the catalogue: a file, or all tests below a folder. */
static enum status select_embedded_path(struct maker *maker, const char *path)
{
    size_t length = strlen(path);
    while (length > 0 && path[length - 1] == '/')
        length--;
    for (size_t i = 0; i < catalogue_file_count; i++) {
        const struct catalogue_file *file = &catalogue_files[i];
        const bool below = strncmp(file->path, path, length) == 0 && file->path[length] == '/';
        if (ends_in(file->path, ".litmus") && (below || strcmp(file->path, path) == 0))
            TRY(add_embedded(maker, file));
    }
    if (maker->matched == 0)
        return error_set(maker->error, STATUS_USAGE, "the catalogue holds no test at %s", path);
    return STATUS_OK;
}

/* ---- files and folders ---- */

static enum status add_file(struct maker *maker, const char *path)
{
    struct litmus_test *test;
    TRY(litmus_parse_file(path, &test, maker->error));
    return add(maker, test, path);
}

static int compare_entries(const FTSENT **left, const FTSENT **right)
{
    return strcmp((*left)->fts_name, (*right)->fts_name);
}

static enum status add_entry(struct maker *maker, const FTSENT *entry)
{
    switch (entry->fts_info) {
    case FTS_F:
        return ends_in(entry->fts_name, ".litmus") ? add_file(maker, entry->fts_path) : STATUS_OK;
    case FTS_DNR:
    case FTS_ERR:
    case FTS_NS:
        return error_set(maker->error, STATUS_UNREADABLE, "%s: cannot be read: %s", entry->fts_path,
                         strerror(entry->fts_errno));
    case FTS_SLNONE:
        if (ends_in(entry->fts_name, ".litmus"))
            return error_set(maker->error, STATUS_UNREADABLE, "%s: the link leads nowhere", entry->fts_path);
        return STATUS_OK;
    default:
        return STATUS_OK;
    }
}

static enum status select_folder(struct maker *maker, const char *path)
{
    enum status status = STATUS_OK;
    char *copy = strdup(path);
    if (!copy)
        return no_memory(maker);
    for (size_t length = strlen(copy); length > 1 && copy[length - 1] == '/'; length--)
        copy[length - 1] = '\0';
    char *const roots[] = {copy, NULL};
    FTS *tree = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, compare_entries);
    if (!tree)
        status = error_set(maker->error, STATUS_UNREADABLE, "%s: cannot be read: %s", path, strerror(errno));
    for (const FTSENT *entry; status == STATUS_OK && (errno = 0, entry = fts_read(tree)) != NULL;)
        status = add_entry(maker, entry);
    if (status == STATUS_OK && errno != 0)
        status = error_set(maker->error, STATUS_UNREADABLE, "%s: cannot be read to its end: %s", path, strerror(errno));
    if (tree)
        (void)fts_close(tree); /* nothing was changed below it */
    free(copy);
    if (status == STATUS_OK && maker->matched == 0)
        status = error_set(maker->error, STATUS_USAGE, "%s: no .litmus file lies below this folder", path);
    return status;
}

/* ---- indices ---- */

static enum status select_word(struct maker *maker, const char *word, const struct origin *origin);

static enum status read_text(const char *path, struct text *text, struct error *error)
{
    char bytes[4096];
    size_t got;
    FILE *file = fopen(path, "re");
    if (!file)
        return error_set(error, STATUS_UNREADABLE, "%s: cannot be opened: %s", path, strerror(errno));
    while (text->size <= LITMUS_MAXIMUM_FILE && (got = fread(bytes, 1, sizeof bytes, file)) > 0)
        text_add_bytes(text, bytes, got);
    const int why = ferror(file) ? errno : 0;
    (void)fclose(file);
    if (why != 0)
        return error_set(error, STATUS_UNREADABLE, "%s: cannot be read: %s", path, strerror(why));
    if (text->failed)
        return error_set(error, STATUS_MEMORY, "%s: no memory for the index", path);
    if (text->size > LITMUS_MAXIMUM_FILE)
        return error_set(error, STATUS_LIMIT, "%s: an index of more than %d bytes is not read", path,
                         LITMUS_MAXIMUM_FILE);
    return STATUS_OK;
}

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
    return strndup(line, size);
}

/* Says where the word stood that selected nothing; a fault inside a test's file has its own place. */
static enum status add_place(enum status status, const char *path, unsigned line, struct error *error)
{
    if (!error || (status != STATUS_USAGE && status != STATUS_UNREADABLE))
        return status;
    const struct error inner = *error;
    return error_set(error, STATUS_SYNTAX, "%s:%u:1: %s", path, line, inner.text);
}

/* Each line is a word as on the command line; its paths are relative to the index. */
static enum status select_lines(struct maker *maker, const char *path, const char *text, const struct origin *origin)
{
    size_t matched = 0;
    unsigned number = 1;
    for (const char *line = text; *line; number++) {
        const size_t size = strcspn(line, "\n");
        char *word = word_of_line(line, size);
        if (!word)
            return no_memory(maker);
        if (word[0] != '\0') {
            maker->matched = 0;
            const enum status status = select_word(maker, word, origin);
            matched += maker->matched;
            free(word);
            if (status != STATUS_OK)
                return add_place(status, path, number, maker->error);
        } else
            free(word);
        line += size + (line[size] == '\n' ? 1 : 0);
    }
    maker->matched = matched;
    return matched > 0 ? STATUS_OK : error_set(maker->error, STATUS_USAGE, "%s: the index names no test", path);
}

static enum status select_index(struct maker *maker, const char *path, bool embedded, unsigned depth)
{
    struct text text = {0};
    const char *slash = strrchr(path, '/');
    char *folder = strndup(path, slash ? (size_t)(slash - path) + 1 : 0);
    const struct origin origin = {.folder = folder, .embedded = embedded, .depth = depth + 1};
    const struct catalogue_file *file = embedded ? catalogue_at(path) : NULL;
    enum status status = STATUS_OK;
    if (!folder)
        status = no_memory(maker);
    else if (origin.depth > MAXIMUM_NESTING)
        status = error_set(maker->error, STATUS_LIMIT, "%s: indices nest deeper than %d; does this one name itself?",
                           path, MAXIMUM_NESTING);
    else if (embedded && !file)
        status = error_set(maker->error, STATUS_USAGE, "the catalogue holds no index %s", path);
    else if (!embedded)
        status = read_text(path, &text, maker->error);
    if (status == STATUS_OK)
        status = select_lines(maker, path, embedded ? file->text : text_string(&text), &origin);
    text_release(&text);
    free(folder);
    return status;
}

/* ---- words ---- */

static bool is_path(const char *word)
{
    return strchr(word, '/') || ends_in(word, ".litmus") || strcmp(word, ".") == 0 || strcmp(word, "..") == 0;
}

static enum status select_path(struct maker *maker, const char *path, const struct origin *origin)
{
    struct stat what;
    const char *slash = strrchr(path, '/');
    if ((slash ? slash + 1 : path)[0] == '@')
        return select_index(maker, path, origin->embedded, origin->depth);
    if (origin->embedded)
        return select_embedded_path(maker, path);
    if (stat(path, &what) == 0 && S_ISDIR(what.st_mode))
        return select_folder(maker, path);
    return add_file(maker, path);
}

/* Leaves the tests that the word means in the order of their names, unless it is an index, which has its own. */
static enum status select_word(struct maker *maker, const char *word, const struct origin *origin)
{
    const size_t first = maker->selection->count;
    if (!is_path(word) && word[0] != '@') {
        TRY(select_names(maker, word));
        sort_from(maker->selection, first);
        return STATUS_OK;
    }
    /* On the command line, @quick is the catalogue's before it is a file of the working directory. */
    if (origin->depth == 0 && !is_path(word) && catalogue_at(word))
        return select_index(maker, word, true, origin->depth);
    struct text path = {0};
    while (word[0] == '.' && word[1] == '/' && origin->embedded)
        word += 2;
    text_add(&path, "%s%s", word[0] == '/' ? "" : origin->folder, word);
    const enum status status = path.failed ? no_memory(maker) : select_path(maker, text_string(&path), origin);
    const char *slash = strrchr(word, '/');
    if (status == STATUS_OK && (slash ? slash + 1 : word)[0] != '@')
        sort_from(maker->selection, first);
    text_release(&path);
    return status;
}

/* ---- the door ---- */

enum status selection_make(char *const *arguments, size_t count, struct selection *selection, struct error *error)
{
    const struct origin origin = {.folder = ""};
    struct maker maker = {.selection = selection, .error = error};
    enum status status = STATUS_OK;
    *selection = (struct selection){0};
    if (count == 0)
        return error_set(error, STATUS_USAGE,
                         "no test was named; expected names, globs, .litmus files, folders or @indices");
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        maker.matched = 0;
        status = select_word(&maker, arguments[i], &origin);
    }
    if (status != STATUS_OK)
        selection_release(selection);
    return status;
}

enum status selection_all(struct selection *selection, struct error *error)
{
    struct maker maker = {.selection = selection, .error = error};
    enum status status = STATUS_OK;
    *selection = (struct selection){0};
    for (size_t i = 0; status == STATUS_OK && i < catalogue_file_count; i++)
        if (ends_in(catalogue_files[i].path, ".litmus"))
            status = add_embedded(&maker, &catalogue_files[i]);
    if (status == STATUS_OK && selection->count == 0)
        status =
            error_set(error, STATUS_USAGE, "the catalogue of this binary is empty: it was built without tests-litmus/");
    if (status == STATUS_OK)
        sort_from(selection, 0);
    else
        selection_release(selection);
    return status;
}

enum status selection_find(const char *name, enum litmus_dialect dialect, struct selected_test *found,
                           struct error *error)
{
    struct selection selection = {0};
    struct maker maker = {.selection = &selection, .error = error};
    *found = (struct selected_test){0};
    enum status status = add_names(&maker, name, (int)dialect, true);
    if (status == STATUS_OK && selection.count == 0)
        status = no_such_name(&maker, name, name, (int)dialect);
    if (status == STATUS_OK) {
        *found = selection.tests[0];
        selection.tests[0] = (struct selected_test){0};
    }
    selection_release(&selection);
    return status;
}

void selection_release(struct selection *selection)
{
    for (size_t i = 0; i < selection->count; i++) {
        if (selection->tests[i].test)
            litmus_release(selection->tests[i].test);
        free(selection->tests[i].file);
    }
    free(selection->tests);
    *selection = (struct selection){0};
}
