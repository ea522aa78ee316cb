// SPDX-License-Identifier: Apache-2.0
/* A selection under construction: its list, its bounds, files that cannot be read, and notes. */

#include "catalogue/selection_parts.h"

static bool selection_list_is_listed(const struct maker *maker, uint64_t key, const char *message)
{
    size_t item;
    for (size_t step = 0; hash_index_next(&maker->unread, key, &step, &item);)
        if (strcmp(maker->selection->unread[item], message) == 0)
            return true;
    return false;
}

bool selection_is_fault(enum status status)
{
    return status == STATUS_SYNTAX || status == STATUS_UNREADABLE || status == STATUS_LIMIT;
}

enum status selection_pass_over(struct maker *maker, enum status status)
{
    if (!selection_is_fault(status))
        return status;
    struct selection *selection = maker->selection;
    const uint64_t key = hash_index_key(0, maker->error->text);
    maker->matched++;
    if (selection_list_is_listed(maker, key, maker->error->text))
        return STATUS_OK;
    hash_index_add(&maker->unread, key, selection->unread_count);
    LIST_ADD(selection->unread, selection->unread_count, maker->unread_room) = memory_copy(maker->error->text);
    return STATUS_OK;
}

enum status selection_check_rest(const struct maker *maker)
{
    const size_t unread = maker->selection->unread_count;
    if (maker->selection->count > 0 || unread == 0)
        return STATUS_OK;
    return error_set(maker->error, STATUS_USAGE, "no test is left: %s",
                     unread == 1 ? "the only file cannot be read" : "none of the files can be read");
}

void selection_note(struct maker *maker, const char *format, ...)
{
    struct selection *selection = maker->selection;
    char note[1024];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(note, sizeof note, format, list);
    va_end(list);
    LIST_ADD(selection->notes, selection->note_count, maker->note_room) = memory_copy(note);
}

void selection_release_unread(struct selection *selection)
{
    for (size_t i = 0; i < selection->note_count; i++)
        free(selection->notes[i]);
    free(selection->notes);
    selection->notes = NULL;
    selection->note_count = 0;
    for (size_t i = 0; i < selection->unread_count; i++)
        free(selection->unread[i]);
    free(selection->unread);
    selection->unread = NULL;
    selection->unread_count = 0;
}
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

/* Whether no equal test was added. Many tests may share a name: only the first of a name is found by name, the others
 * by content. */
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

ORDERED_BY(selection_list_compare_tests, const struct selected_test,
           catalogue_compare_names(a->test->name, b->test->name) ?: (int)a->test->dialect - (int)b->test->dialect
               ?: strcmp(a->file, b->file))

void selection_sort(struct selection *selection, size_t first)
{
    if (selection->count - first > 1)
        qsort(selection->tests + first, selection->count - first, sizeof *selection->tests,
              selection_list_compare_tests);
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
    const char *const text = PRINTED(64, "%ju:%ju", (uintmax_t)what->st_dev, (uintmax_t)what->st_ino);
    return hash_index_key(0, text);
}

/* ---- unread files and notes ---- */
