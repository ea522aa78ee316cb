// SPDX-License-Identifier: Apache-2.0
/*
 * Protects the inspection of PTX that a compiler made: what was compiled of tests as recorded drivers compiled them, and that
 * each of many faults planted in that text is found, with its place, and the outcome that it allows (ptx/).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "runner/inspect/compiled_ptx.h"
#include "runner/run/verdicts.h"
#include "tests/corpus.h"
#include "tests/runner/kernel/fixture.h"

/* A case with all its parts; the ones with a "change" alone take the rest from the last that had it. */
struct base {
    char *test, *lines, *ptx;
};

static void keep(char **slot, const struct text *part)
{
    if (!part)
        return;
    free(*slot);
    *slot = memory_copy(text_string(part));
}

/* "657 677 713: 685 686 704 705": the lines on which the helpers and the threads' functions begin and on which they end when
 * it was recorded, and those of the steps. */
static void set_lines(struct kernel *kernel, const char *lines)
{
    char *at;
    kernel->helpers_line = (unsigned)strtoul(lines, &at, 10);
    kernel->functions_line = (unsigned)strtoul(at, &at, 10);
    kernel->functions_end = (unsigned)strtoul(at, &at, 10);
    assert_int_equal(*at++, ':');
    for (size_t i = 0; i < kernel->step_count; i++) {
        kernel->steps[i].line = (unsigned)strtoul(at, &at, 10);
        assert_int_not_equal(kernel->steps[i].line, 0);
    }
}

/* Takes the next lines that begin with a mark, without it. */
static void take_marked(const char **at, char mark, struct text *text)
{
    for (; **at == mark; *at += strcspn(*at, "\n") + 1)
        text_add(text, "%.*s\n", (int)strcspn(*at + 1, "\n"), *at + 1);
}

/* Replaces lines: "-" those that are there, once; "+" what takes their place. Further changes follow an empty line. */
static void apply(const char *change, struct text *ptx)
{
    while (*change) {
        struct text old = {0}, new = {0}, changed = {0};
        take_marked(&change, '-', &old);
        take_marked(&change, '+', &new);
        change += *change == '\n';
        const char *found = strstr(text_string(ptx), text_string(&old));
        assert_non_null(found);
        assert_null(strstr(found + 1, text_string(&old)));
        text_add_bytes(&changed, ptx->data, (size_t)(found - ptx->data));
        text_add(&changed, "%s%s", text_string(&new), found + old.size);
        text_release(ptx);
        text_release(&old);
        text_release(&new);
        *ptx = changed;
    }
}

static void add_limit(const char *label, void *context)
{
    text_add(context, "allows %s, which the test's model forbids\n", label);
}

/* What the models say of it. */
static void judge(const struct litmus_test *test, const struct backend_device *device, struct compiled_test *compiled,
                  struct text *found)
{
    const struct judge_options limits = {0};
    struct verdicts verdicts;
    struct error error;
    assert_int_equal(verdicts_make(test, device, &limits, &verdicts, &error), STATUS_OK);
    assert_int_equal(verdicts_add_compiled(&verdicts, compiled, &limits, &error), STATUS_OK);
    verdicts_list_limits(&verdicts, add_limit, found);
    if (verdicts.target.judgement.racy && !verdicts.source.judgement.racy)
        text_add(found, "racy, and the test is not\n");
    verdicts_release(&verdicts);
}

/* From the threads to the end. */
static void print_threads(const struct compiled_test *compiled, struct text *found)
{
    struct text text = {0};
    if (compiled_test_print(compiled, &text)) {
        const char *end = strstr(text_string(&text), "}\n");
        assert_non_null(end);
        text_add(found, "%s", end + 2);
    }
    text_release(&text);
}

static void inspect(const struct base *base, const char *text, struct text *found)
{
    struct litmus_test *test = fixture_parse("recorded", base->test);
    const struct backend_device device = fixture_device("c11");
    struct kernel kernel;
    struct error error;
    struct inspection inspection;
    struct compiled_test compiled;
    assert_int_equal(kernel_generate(test, &device, &kernel, &error), STATUS_OK);
    set_lines(&kernel, base->lines);
    const struct compiled_ptx ptx = {test, &kernel, 1, text};
    assert_true(compiled_ptx_is(&kernel, text));
    const enum status status = compiled_ptx_read(&ptx, &inspection, &compiled, &error);
    text_add(found, "%s\n", kept_word(inspection.kept));
    for (size_t i = 0; i < inspection.finding_count; i++)
        text_add(found, "%s: %s\n", inspect_fault_word(inspection.findings[i].fault), inspection.findings[i].text);
    if (status == STATUS_OK) {
        print_threads(&compiled, found);
        judge(test, &device, &compiled, found);
    } else
        text_add(found, "%s\n", error.text);
    compiled_test_release(&compiled);
    inspection_release(&inspection);
    kernel_release(&kernel);
    litmus_release(test);
}

static void check_case(struct corpus_case *one, void *context)
{
    struct base *base = context;
    struct text ptx = {0}, found = {0};
    const struct text *change = corpus_part(one, "change");
    if (!change) {
        keep(&base->test, corpus_part(one, ""));
        keep(&base->lines, corpus_part(one, "lines"));
        keep(&base->ptx, corpus_part(one, "ptx"));
    }
    text_add(&ptx, "%s", base->ptx);
    if (change)
        apply(text_string(change), &ptx);
    inspect(base, text_string(&ptx), &found);
    corpus_expect(one, "found", text_string(&found));
    text_release(&ptx);
    text_release(&found);
}

static void test_recorded(void **state)
{
    struct base base = {0};
    (void)state;
    assert_true(corpus_each(ORCHIL_SOURCE_DIR "/tests/runner/inspect/ptx", check_case, &base) > 10);
    free(base.test);
    free(base.lines);
    free(base.ptx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recorded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
