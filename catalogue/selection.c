// SPDX-License-Identifier: Apache-2.0
/* Makes selections, and leaves tests out of them. */
#include "catalogue/selection.h"

#include <fnmatch.h>

#include "base/terminal/resemblance.h"
#include "catalogue/selection_parts.h"

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
        if (count > 1 && !catalogue_is_index(arguments[i]))
            status = selection_pass_over(&maker, status);
    }
    THEN(status, selection_check_rest(&maker));
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
        selection_sort(selection, 0);
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

/* ---- leaves tests out of a selection ---- */

/* Marks the selected tests that a word names, or matches as a glob: tests of any file, not only of the catalogue. */
static bool exclude_names(const struct selection *selection, const char *word, bool *marked)
{
    int dialect;
    bool found = false;
    const char *name = catalogue_dialect(word, &dialect);
    for (size_t i = 0; i < selection->count; i++) {
        const struct litmus_test *test = selection->tests[i].test;
        const bool fits = dialect == LITMUS_NONE || dialect == (int)test->dialect;
        if (!fits || (strcmp(name, test->name) != 0 && fnmatch(name, test->name, 0) != 0))
            continue;
        marked[i] = found = true;
    }
    return found;
}

static enum status exclude_word(const struct selection *selection, char *word, model_judging *judging, bool *marked,
                                struct error *error)
{
    LOCAL(selection) others = {0};
    struct error why;
    if (exclude_names(selection, word, marked))
        return STATUS_OK;
    const enum status status = selection_make(&word, 1, judging, &others, &why);
    if (status != STATUS_OK)
        return error_set(error, status, "--exclude: %s", why.text);
    /* Marks the selected tests that are also in another selection: of the same name, dialect and content. */
    LOCAL(hash_index) index = {0};
    for (size_t i = 0; i < others.count; i++)
        hash_index_add(&index, hash_index_key((int)others.tests[i].test->dialect, others.tests[i].test->name), i);
    for (size_t i = 0; i < selection->count; i++) {
        const struct litmus_test *test = selection->tests[i].test;
        size_t item;
        for (size_t step = 0; hash_index_next(&index, hash_index_key((int)test->dialect, test->name), &step, &item);)
            marked[i] |= selection_is_same(others.tests[item].test, test);
    }
    return STATUS_OK;
}

enum status selection_exclude(struct selection *selection, char *const *words, size_t count, model_judging *judging,
                              struct error *error)
{
    const bool any = selection->count > 0;
    FREED bool *marked = memory_take(selection->count, sizeof *marked);
    for (size_t i = 0; i < count; i++)
        TRY(exclude_word(selection, words[i], judging, marked, error));
    /* Leaves out the tests that are marked. */
    size_t kept = 0;
    for (size_t i = 0; i < selection->count; i++) {
        if (marked[i])
            selected_test_release(&selection->tests[i]);
        else
            selection->tests[kept++] = selection->tests[i];
    }
    selection->count = kept;
    if (any && selection->count == 0)
        return error_set(error, STATUS_USAGE, "no test is left: --exclude leaves out all selected tests");
    return STATUS_OK;
}
