// SPDX-License-Identifier: Apache-2.0
/* Protects the catalogue: a file that does not parse, a name that leads elsewhere, or an allowed test whose control is
 * missing, allowed itself, or another program would make runs fail or their numbers mean nothing. */
#include <fts.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "litmus/litmus.h"

#define CATALOGUE ORCHIL_SOURCE_DIR "/tests-litmus"

enum { MAXIMUM_TESTS = 1024 };

struct entry {
    char *path;
    struct litmus_test *test;
};

struct catalogue {
    struct entry entries[MAXIMUM_TESTS];
    size_t count;
};

static bool ends_in(const char *text, const char *end)
{
    const size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

static const char *file_of(const struct entry *entry)
{
    return entry->path + strlen(CATALOGUE "/");
}

static void load_file(struct catalogue *catalogue, const char *path)
{
    assert_true(catalogue->count < MAXIMUM_TESTS);
    struct entry *entry = &catalogue->entries[catalogue->count++];
    struct error error;
    entry->path = strdup(path);
    assert_non_null(entry->path);
    if (litmus_parse_file(path, &entry->test, &error) != STATUS_OK)
        fail_msg("%s", error.text);
}

static int load(void **state)
{
    char folder[] = CATALOGUE;
    char *const roots[] = {folder, NULL};
    struct catalogue *catalogue = calloc(1, sizeof *catalogue);
    assert_non_null(catalogue);
    *state = catalogue;
    FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    assert_non_null(tree);
    for (const FTSENT *file; (file = fts_read(tree)) != NULL;)
        if (file->fts_info == FTS_F && ends_in(file->fts_name, ".litmus"))
            load_file(catalogue, file->fts_path);
    assert_int_equal(fts_close(tree), 0);
    return 0;
}

static int unload(void **state)
{
    struct catalogue *catalogue = *state;
    for (size_t i = 0; i < catalogue->count; i++) {
        litmus_release(catalogue->entries[i].test);
        free(catalogue->entries[i].path);
    }
    free(catalogue);
    return 0;
}

static const struct entry *find(const struct catalogue *catalogue, enum litmus_dialect dialect, const char *name)
{
    for (size_t i = 0; i < catalogue->count; i++) {
        const struct entry *entry = &catalogue->entries[i];
        if (entry->test->dialect == dialect && strcmp(entry->test->name, name) == 0)
            return entry;
    }
    return NULL;
}

static bool expects(const struct entry *entry, const char *wanted)
{
    const char *expect = litmus_metadata(entry->test, "Expect");
    return expect && strcmp(expect, wanted) == 0;
}

static void every_family_has_both_dialects(void **state)
{
    static const char *const families[] = {"MP", "SB", "LB", "CoRR", "lock"};
    static const char *const folders[LITMUS_DIALECT_COUNT] = {[LITMUS_OPENCL] = "opencl", [LITMUS_PTX] = "ptx"};
    const struct catalogue *catalogue = *state;
    size_t placed = 0;
    for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
        for (int d = 0; d < LITMUS_DIALECT_COUNT; d++) {
            char folder[64];
            size_t found = 0;
            (void)snprintf(folder, sizeof folder, "%s/%s/", families[f], folders[d]);
            for (size_t i = 0; i < catalogue->count; i++) {
                const struct entry *entry = &catalogue->entries[i];
                if (strncmp(file_of(entry), folder, strlen(folder)) != 0)
                    continue;
                found++;
                if ((int)entry->test->dialect != d)
                    fail_msg("%s is a test of the dialect %s", entry->path, litmus_dialect_name(entry->test->dialect));
            }
            if (found == 0)
                fail_msg("no test lies in %s", folder);
            placed += found;
        }
    }
    assert_int_equal(placed, catalogue->count);
}

static void printed_tests_parse_to_the_same_text(void **state)
{
    const struct catalogue *catalogue = *state;
    for (size_t i = 0; i < catalogue->count; i++) {
        struct text first = {0}, second = {0};
        struct litmus_test *again;
        struct error error;
        litmus_print(catalogue->entries[i].test, &first);
        if (litmus_parse(catalogue->entries[i].path, text_string(&first), first.size, &again, &error) != STATUS_OK)
            fail_msg("printed: %s", error.text);
        litmus_print(again, &second);
        assert_string_equal(text_string(&first), text_string(&second));
        litmus_release(again);
        text_release(&first);
        text_release(&second);
    }
}

static void every_test_can_be_run_and_judged(void **state)
{
    const struct catalogue *catalogue = *state;
    for (size_t i = 0; i < catalogue->count; i++) {
        struct text names = {0};
        if (litmus_unsupported(catalogue->entries[i].test, &names))
            fail_msg("%s uses %s", catalogue->entries[i].path, text_string(&names));
        text_release(&names);
    }
}

static void every_name_is_its_file_and_stands_once(void **state)
{
    const struct catalogue *catalogue = *state;
    for (size_t i = 0; i < catalogue->count; i++) {
        const struct entry *entry = &catalogue->entries[i];
        char file[512];
        (void)snprintf(file, sizeof file, "/%s.litmus", entry->test->name);
        if (!ends_in(entry->path, file))
            fail_msg("%s holds a test named %s", entry->path, entry->test->name);
        if (find(catalogue, entry->test->dialect, entry->test->name) != entry)
            fail_msg("%s: another test of this dialect has the same name", entry->path);
    }
}

static void every_test_says_what_it_shows(void **state)
{
    const struct catalogue *catalogue = *state;
    for (size_t i = 0; i < catalogue->count; i++) {
        const struct entry *entry = &catalogue->entries[i];
        if (strlen(entry->test->doc) == 0)
            fail_msg("%s has no quoted line", entry->path);
        if (!expects(entry, "allowed") && !expects(entry, "forbidden"))
            fail_msg("%s has no line Expect=allowed or Expect=forbidden", entry->path);
    }
}

/* Where a test and its control may not differ: who runs where. */
static bool same_threads(const struct litmus_test *a, const struct litmus_test *b)
{
    if (a->body_count != b->body_count)
        return false;
    for (size_t i = 0; i < a->body_count; i++) {
        const struct litmus_placement *p = &a->threads[i].placement, *q = &b->threads[i].placement;
        if (a->threads[i].first != b->threads[i].first || a->threads[i].count != b->threads[i].count ||
            p->sub_group != q->sub_group || p->work_group != q->work_group || p->cluster != q->cluster ||
            p->device != q->device)
            return false;
    }
    return true;
}

/* Whether a location is atomic may differ: the data of a lock is plain only where the lock is right. */
static bool same_locations(const struct litmus_test *a, const struct litmus_test *b)
{
    if (a->location_count != b->location_count)
        return false;
    for (size_t i = 0; i < a->location_count; i++) {
        const struct litmus_location *x = &a->locations[i], *y = &b->locations[i];
        if (strcmp(x->name, y->name) != 0 || x->type != y->type || x->region != y->region ||
            x->elements != y->elements || memcmp(x->initial, y->initial, x->elements * sizeof *x->initial) != 0)
            return false;
    }
    return true;
}

/* The condition from its first parenthesis on: the quantifier may differ. */
static bool same_proposition(const struct litmus_test *a, const struct litmus_test *b)
{
    struct text x = {0}, y = {0};
    litmus_print_condition(a, &x);
    litmus_print_condition(b, &y);
    const char *left = strchr(text_string(&x), '('), *right = strchr(text_string(&y), '(');
    const bool same = left && right && strcmp(left, right) == 0 && !a->filter && !b->filter;
    text_release(&x);
    text_release(&y);
    return same;
}

static void every_allowed_test_has_a_control_that_is_its_forbidden_sibling(void **state)
{
    const struct catalogue *catalogue = *state;
    size_t controls = 0;
    for (size_t i = 0; i < catalogue->count; i++) {
        const struct entry *entry = &catalogue->entries[i];
        const char *name = litmus_metadata(entry->test, "Control");
        if (!name && expects(entry, "allowed"))
            fail_msg("%s is allowed and names no control", entry->path);
        if (!name)
            continue;
        const struct entry *control = find(catalogue, entry->test->dialect, name);
        if (!control)
            fail_msg("%s: its control %s is no test of its dialect", entry->path, name);
        if (!expects(control, "forbidden"))
            fail_msg("%s: its control %s is not forbidden", entry->path, name);
        if (!same_threads(entry->test, control->test))
            fail_msg("%s: its control %s has other threads", entry->path, name);
        if (!same_locations(entry->test, control->test))
            fail_msg("%s: its control %s has other locations", entry->path, name);
        if (!same_proposition(entry->test, control->test))
            fail_msg("%s: its control %s has another condition", entry->path, name);
        controls++;
    }
    assert_true(controls > 0);
}

static bool lists(char lines[][256], size_t count, const char *file)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(lines[i], file) == 0)
            return true;
    return false;
}

static void the_quick_index_lists_tests_together_with_their_controls(void **state)
{
    const struct catalogue *catalogue = *state;
    char lines[64][256];
    size_t count = 0, found = 0;
    FILE *file = fopen(CATALOGUE "/@quick", "r");
    assert_non_null(file);
    while (count < 64 && fgets(lines[count], sizeof lines[count], file)) {
        lines[count][strcspn(lines[count], "\n")] = '\0';
        if (lines[count][0] != '#')
            count++;
    }
    assert_true(feof(file));
    assert_int_equal(fclose(file), 0);
    for (size_t i = 0; i < catalogue->count; i++) {
        const struct entry *entry = &catalogue->entries[i];
        if (!lists(lines, count, file_of(entry)))
            continue;
        found++;
        const char *name = litmus_metadata(entry->test, "Control");
        const struct entry *control = name ? find(catalogue, entry->test->dialect, name) : NULL;
        if (name && !(control && lists(lines, count, file_of(control))))
            fail_msg("@quick has %s without its control %s", file_of(entry), name);
    }
    assert_true(count > 0);
    assert_int_equal(found, count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_family_has_both_dialects),
        cmocka_unit_test(printed_tests_parse_to_the_same_text),
        cmocka_unit_test(every_test_can_be_run_and_judged),
        cmocka_unit_test(every_name_is_its_file_and_stands_once),
        cmocka_unit_test(every_test_says_what_it_shows),
        cmocka_unit_test(every_allowed_test_has_a_control_that_is_its_forbidden_sibling),
        cmocka_unit_test(the_quick_index_lists_tests_together_with_their_controls),
    };
    return cmocka_run_group_tests_name("catalogue", tests, load, unload);
}
