// SPDX-License-Identifier: Apache-2.0
/* The functions of selection.h, and the meaning of a word. */
#include "catalogue/selection.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/terminal/resemblance.h"
#include "catalogue/selection_parts.h"

bool selection_ends_in(const char *text, const char *end)
{
    const size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

/* ---- the list ---- */

bool selection_is_same(const struct litmus_test *left, const struct litmus_test *right)
{
    char left_hash[65], right_hash[65];
    if (left->dialect != right->dialect || strcmp(left->name, right->name) != 0)
        return false;
    litmus_hash(left, left_hash);
    litmus_hash(right, right_hash);
    return strcmp(left_hash, right_hash) == 0;
}

static bool is_among(const struct maker *maker, const struct hash_index *index, uint64_t key,
                     const struct litmus_test *test, bool *named)
{
    size_t item;
    for (size_t step = 0; hash_index_next(index, key, &step, &item);) {
        *named |= maker->added[item]->dialect == test->dialect && strcmp(maker->added[item]->name, test->name) == 0;
        if (selection_is_same(maker->added[item], test))
            return true;
    }
    return false;
}

/* Whether no equal test was added. Many tests may share a name: only the first of a name is found
 * by name, the others by content. */
static bool is_new(struct maker *maker, const struct litmus_test *test)
{
    const uint64_t key = hash_index_key((int)test->dialect, test->name);
    char hash[65];
    bool named = false;
    if (is_among(maker, &maker->seen, key, test, &named))
        return false;
    if (!named) {
        hash_index_add(&maker->seen, key, maker->added_count);
        return true;
    }
    litmus_hash(test, hash);
    const uint64_t content = hash_index_key((int)test->dialect, hash);
    if (is_among(maker, &maker->seen_content, content, test, &named))
        return false;
    hash_index_add(&maker->seen_content, content, maker->added_count);
    return true;
}

struct selected_test *selection_add(struct maker *maker, struct litmus_test *test, const char *file,
                                    const char *template)
{
    struct selection *selection = maker->selection;
    maker->matched++;
    if (!is_new(maker, test)) {
        litmus_release(test);
        return NULL;
    }
    LIST_ADD(maker->added, maker->added_count, maker->added_room) = test;
    struct selected_test *added = &LIST_ADD(selection->tests, selection->count, maker->room);
    *added = (struct selected_test){
        .test = test, .file = memory_copy(file), .template = template ? memory_copy(template) : NULL};
    return added;
}

static int compare_tests(const void *left, const void *right)
{
    const struct selected_test *a = left, *b = right;
    int order = catalogue_compare_names(a->test->name, b->test->name);
    if (order == 0)
        order = (int)a->test->dialect - (int)b->test->dialect;
    return order != 0 ? order : strcmp(a->file, b->file);
}

/* Sorts by name the tests added after the first `first` tests. */
static void sort_tests(struct selection *selection, size_t first)
{
    if (selection->count - first > 1)
        qsort(selection->tests + first, selection->count - first, sizeof *selection->tests, compare_tests);
}

static void release_maker(struct maker *maker)
{
    hash_index_release(&maker->seen);
    hash_index_release(&maker->seen_content);
    hash_index_release(&maker->unread);
    hash_index_release(&maker->index_keys);
    free(maker->indices);
    variant_judge_release(maker->judge);
    free(maker->added);
}

/* ---- bounds ---- */

enum status selection_count(struct maker *maker, size_t named, size_t bytes)
{
    maker->named += named;
    maker->bytes += bytes;
    if (maker->named > SELECTION_MAXIMUM_NAMED)
        return error_set(maker->error, STATUS_USAGE,
                         "more than %d tests are named, counting those named more than once; name fewer at a time",
                         SELECTION_MAXIMUM_NAMED);
    if (maker->bytes > SELECTION_MAXIMUM_BYTES)
        return error_set(maker->error, STATUS_USAGE, "the tests' files are larger than %d MiB; name fewer at a time",
                         SELECTION_MAXIMUM_BYTES >> 20);
    return STATUS_OK;
}

enum status selection_count_entry(struct maker *maker)
{
    return ++maker->entries <= SELECTION_MAXIMUM_ENTRIES
               ? STATUS_OK
               : error_set(maker->error, STATUS_USAGE,
                           "the folders have more than %d entries; name the tests' own folders",
                           SELECTION_MAXIMUM_ENTRIES);
}

uint64_t selection_file_key(const struct stat *what)
{
    char text[64];
    (void)snprintf(text, sizeof text, "%ju:%ju", (uintmax_t)what->st_dev, (uintmax_t)what->st_ino);
    return hash_index_key(0, text);
}

/* ---- words ---- */

static bool is_path(const char *word)
{
    return strchr(word, '/') || selection_ends_in(word, ".litmus") || strcmp(word, ".") == 0 || strcmp(word, "..") == 0;
}

/* "ptx:MP/": not a path, unless it exists. */
static bool is_family_of_dialect(const char *word)
{
    int dialect;
    const char *name = catalogue_dialect(word, &dialect);
    const char *slash = strchr(name, '/');
    return dialect != LITMUS_NONE && slash && slash > name && slash[1] == '\0' && access(word, F_OK) != 0;
}

static enum status add_path(struct maker *maker, const char *path, const struct origin *origin)
{
    if (catalogue_is_index(path))
        return selection_add_index(maker, path, origin->embedded, origin);
    if (origin->embedded || (origin->depth == 0 && selection_means_embedded(path)))
        return selection_add_embedded(maker, path);
    return selection_add_path(maker, path, origin->depth > 0);
}

/* "@quik", which is neither a file nor an index of the catalogue. */
static enum status no_such_index(const char *word, struct error *error)
{
    struct resemblance best = {0};
    struct text close = {0};
    for (size_t i = 0; i < catalogue_file_count; i++)
        if (catalogue_is_index(catalogue_files[i].path))
            resemblance_offer(&best, word, catalogue_files[i].path);
    resemblance_print(&best, &close);
    const enum status status = error_set(
        error, STATUS_UNREADABLE, "no index of the catalogue and no file is called '%s'%s", word, text_string(&close));
    text_release(&close);
    return status;
}

/* Sorts the tests of a word by name, unless it is an index, which has its own order. */
enum status selection_add_word(struct maker *maker, const char *word, const struct origin *origin)
{
    const size_t first = maker->selection->count;
    TRY(selection_count(maker, 1, 0));
    if ((!is_path(word) && word[0] != '@') || is_family_of_dialect(word)) {
        TRY(selection_add_names(maker, word, origin));
        sort_tests(maker->selection, first);
        return STATUS_OK;
    }
    /* On the command line, the catalogue's @quick takes precedence over a file of the working
     * directory. */
    if (origin->depth == 0 && !is_path(word) && catalogue_at(word))
        return selection_add_index(maker, word, true, origin);
    if (origin->depth == 0 && !is_path(word) && access(word, F_OK) != 0)
        return no_such_index(word, maker->error);
    struct text path = {0};
    while (word[0] == '.' && word[1] == '/' && origin->embedded)
        word += 2;
    text_add(&path, "%s%s", word[0] == '/' ? "" : origin->folder, word);
    const enum status status = add_path(maker, text_string(&path), origin);
    if (status == STATUS_OK && !catalogue_is_index(word))
        sort_tests(maker->selection, first);
    text_release(&path);
    return status;
}

/* ---- the door ---- */

static void release_tests(struct selection *selection)
{
    for (size_t i = 0; i < selection->count; i++)
        selected_test_release(&selection->tests[i]);
    free(selection->tests);
    catalogue_release(&selection->catalogue);
    *selection = (struct selection){.unread = selection->unread,
                                    .unread_count = selection->unread_count,
                                    .notes = selection->notes,
                                    .note_count = selection->note_count};
}

enum status selection_make(char *const *arguments, size_t count, model_judging *judging, struct selection *selection,
                           struct error *error)
{
    const struct origin origin = {.folder = ""};
    struct maker maker = {.selection = selection, .judging = judging, .error = error};
    *selection = (struct selection){0};
    if (count == 0)
        return error_set(error, STATUS_USAGE,
                         "no test was named; expected names, globs, .litmus files, folders or @indices");
    enum status status = STATUS_OK;
    catalogue_open(&selection->catalogue);
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        maker.matched = 0;
        status = selection_add_word(&maker, arguments[i], &origin);
    }
    if (status == STATUS_OK)
        status = selection_check_rest(&maker);
    release_maker(&maker);
    if (status != STATUS_OK)
        release_tests(selection);
    return status;
}

enum status selection_all(struct selection *selection, struct error *error)
{
    struct maker maker = {.selection = selection, .error = error};
    *selection = (struct selection){0};
    enum status status = STATUS_OK;
    catalogue_open(&selection->catalogue);
    for (size_t i = 0; status == STATUS_OK && i < catalogue_file_count; i++)
        if (selection_ends_in(catalogue_files[i].path, ".litmus"))
            status = selection_pass_over(&maker, selection_add_embedded(&maker, catalogue_files[i].path));
    if (status == STATUS_OK && selection->count == 0)
        status =
            error_set(error, STATUS_USAGE, "the catalogue of this binary is empty: it was built without tests-litmus/");
    release_maker(&maker);
    if (status == STATUS_OK)
        sort_tests(selection, 0);
    else
        release_tests(selection);
    return status;
}

enum status selected_test_check_claim(const struct selected_test *test, struct error *error)
{
    if (litmus_claim(test->test) == LITMUS_CLAIM_UNKNOWN)
        return error_set(error, STATUS_SYNTAX, "%s: Expect=: expected allowed, unpromised or forbidden, found '%s'",
                         test->file, litmus_metadata(test->test, "Expect"));
    return STATUS_OK;
}

void selected_test_release(struct selected_test *test)
{
    litmus_release(test->test);
    free(test->file);
    free(test->template);
    *test = (struct selected_test){0};
}

void selection_release(struct selection *selection)
{
    release_tests(selection);
    selection_release_unread(selection);
}
