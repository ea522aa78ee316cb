// SPDX-License-Identifier: Apache-2.0
/* Protects smaller tests: each thread, statement, branch, loop and observed variable is removed by itself; the rest is
 * a test with the outcome as its condition, without unused names; and an edit that does not leave a test is refused.
 * edits.txt lists every edit of its tests. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "hunt/minimise/minimise_edit.h"
#include "tests/corpus.h"

/* Prints one edit and the rest of the test. Refusals of the kinds for branches and loops are not printed. */
static enum edit_end print_edit(const struct litmus_test *test, const int64_t *values, enum edit_kind kind,
                                size_t number, struct text *all)
{
    struct text what = {0}, text = {0};
    struct litmus_test *edited;
    int64_t *edited_values;
    const enum edit_end end = edit_test(test, values, kind, number, &what, &edited, &text, &edited_values);
    const bool any = kind == EDIT_THREAD || kind == EDIT_STATEMENT || kind == EDIT_VARIABLE;
    if (end == EDIT_DONE || (end == EDIT_REFUSED && any))
        text_add(all, "== %s%s\n", text_string(&what), end == EDIT_DONE ? "" : ": refused");
    if (end == EDIT_DONE) {
        struct text label = {0};
        const char *content = strchr(text_string(&text), '{');
        litmus_print_outcome(edited, edited_values, &label);
        assert_true(litmus_is_witness(edited, edited_values));
        assert_non_null(content);
        text_add(all, "%s%s\n", content, text_string(&label));
        text_release(&label);
    }
    text_release(&what);
    text_release(&text);
    litmus_release(edited);
    free(edited_values);
    return end;
}

static void check_edits(struct corpus_case *one, void *context)
{
    struct litmus_test *test;
    struct error error;
    struct text all = {0};
    const struct text *text = corpus_part(one, "");
    char *label = memory_copy(text_string(corpus_part(one, "outcome")));
    (void)context;
    label[strcspn(label, "\n")] = '\0';
    if (litmus_parse(one->title, text_string(text), text->size, &test, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    int64_t *values = memory_take(test->variable_count, sizeof *values);
    assert_true(litmus_label_read(test, label, values));
    for (enum edit_kind kind = 0; kind < EDIT_KIND_COUNT; kind++)
        for (size_t number = 0; print_edit(test, values, kind, number, &all) != EDIT_MISSING; number++)
            assert_true(number < 100);
    corpus_expect(one, "edits", text_string(&all));
    text_release(&all);
    litmus_release(test);
    free(values);
    free(label);
}

static void test_edits(void **state)
{
    (void)state;
    assert_true(corpus_each(ORCHIL_SOURCE_DIR "/tests/hunt/minimise/edits.txt", check_edits, NULL) >= 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_edits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
