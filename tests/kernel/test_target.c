// SPDX-License-Identifier: Apache-2.0
/* Protects the promise that the models judge the instructions which a device really runs. The first text of a case in
 * target/ is lowered and judged; the second, "ptx" or "vulkan", is the output of lower_ptx.c or lower_glsl.c, written
 * by hand: the model of that name must give both the same verdicts, outcome by outcome. In emitted.txt the second text
 * is what is emitted, in words. The compiler chooses the order in which an expression is evaluated, so expressions
 * whose fence has no certain place are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/target.h"
#include "models/models.h"
#include "tests/corpus.h"
#include "tests/kernel/fixture.h"

/* Model ptx's verdicts on a test, as text: whether they are complete, and a line for each outcome; to be freed. */
static char *verdicts_of(const struct model *model, const struct litmus_test *test)
{
    struct judgement judgement;
    struct error error;
    struct text text = {0};
    if (model_judge(model, test, NULL, &judgement, &error) != STATUS_OK)
        fail_msg("%s: %s", test->name, error.text);
    text_add(&text, "%s\n", judgement.cut ? "cut" : "complete");
    for (size_t i = 0; i < judgement.outcome_count; i++) {
        litmus_print_outcome(test, judgement.outcomes[i].values, &text);
        text_add(&text, " %s\n", verdict_word(judgement.outcomes[i].verdict));
    }
    judgement_release(&judgement);
    return text_take(&text);
}

/* A mapping, by its name in the cases. */
struct mapping {
    const char *name;
    enum litmus_dialect dialect;
    struct model *model;
    unsigned pairs;
};

static void check_mapping(struct corpus_case *one, struct mapping *mapping)
{
    struct kernel_target target;
    struct error error;
    struct litmus_test *source = fixture_parse(one->title, text_string(&one->parts[1].text));
    struct litmus_test *emitted = fixture_parse(one->title, text_string(corpus_part(one, mapping->name)));
    if (kernel_target_make(source, kernel_mapping_to(mapping->dialect), &target, &error) != STATUS_OK)
        fail_msg("%s: %s", one->title, error.text);
    assert_int_equal(target.test->dialect, mapping->dialect);
    assert_int_equal(emitted->dialect, mapping->dialect);
    assert_int_not_equal(source->dialect, mapping->dialect);
    char *found = verdicts_of(mapping->model, target.test), *expected = verdicts_of(mapping->model, emitted);
    if (strcmp(found, expected) != 0)
        fail_msg("%s:%u: %s:\nexpected, as of its %s:\n%s\nfound:\n%s", one->path, one->line, one->title, mapping->name,
                 expected, found);
    mapping->pairs++;
    kernel_target_release(&target);
    litmus_release(source);
    litmus_release(emitted);
    free(found);
    free(expected);
}

static void check_pair(struct corpus_case *one, void *context)
{
    struct mapping *mappings = context;
    assert_int_equal(one->count, 3); /* the first, without a name, is empty */
    check_mapping(one, &mappings[strcmp(one->parts[2].name, mappings[0].name) != 0]);
}

static void test_verdicts(void **state)
{
    struct mapping mappings[] = {{"ptx", LITMUS_PTX, NULL, 0}, {"vulkan", LITMUS_VULKAN, NULL, 0}};
    struct error error;
    (void)state;
    for (size_t i = 0; i < 2; i++)
        if (model_load(mappings[i].name, &mappings[i].model, &error) != STATUS_OK)
            fail_msg("%s", error.text);
    (void)corpus_each(ORCHIL_SOURCE_DIR "/tests/kernel/target", check_pair, mappings);
    assert_true(mappings[0].pairs >= 50 && mappings[1].pairs >= 6);
    for (size_t i = 0; i < 2; i++)
        model_release(mappings[i].model);
}

/* The words themselves, because verdicts cannot tell some of them apart: emitted.txt has tests, and what is emitted for
 * them. */
static void check_words(struct corpus_case *one, void *context)
{
    struct kernel_target target;
    struct error error;
    struct text found = {0};
    const char *dialect = one->parts[2].name;
    (void)context;
    assert_int_equal(one->count, 3);
    struct litmus_test *source = fixture_parse(one->title, text_string(&one->parts[1].text));
    const unsigned mapping = strcmp(dialect, "ptx") == 0 ? KERNEL_MAPPING_PTX : KERNEL_MAPPING_VULKAN;
    if (kernel_target_make(source, mapping, &target, &error) != STATUS_OK ||
        kernel_target_print(&target, &found, &error) != STATUS_OK)
        fail_msg("%s: %s", one->title, error.text);
    assert_string_equal(text_string(&found), text_string(corpus_part(one, dialect)));
    text_release(&found);
    kernel_target_release(&target);
    litmus_release(source);
}

static void test_words(void **state)
{
    (void)state;
    assert_true(corpus_each(ORCHIL_SOURCE_DIR "/tests/kernel/emitted.txt", check_words, NULL) >= 6);
}

#define LOAD(location, order) "atomic_load_explicit(" location ", memory_order_" order ", memory_scope_device)"
#define STORE(value, order) "atomic_store_explicit(x, " value ", memory_order_" order ", memory_scope_device);"

/* Statements whose fence has no certain place, and why. */
static void test_refused(void **state)
{
    static const struct {
        const char *statement, *reason;
    } cases[] = {
        {"r0 = " LOAD("x", "seq_cst") " + " LOAD("y", "seq_cst") ";", "two seq_cst accesses in one expression"},
        {"if (r0 == 0) { while (" LOAD("x", "seq_cst") " < " LOAD("y", "seq_cst") ") { r0 = 1; } }",
         "two seq_cst accesses in one expression"},
        {STORE(LOAD("y", "seq_cst"), "seq_cst"), "two seq_cst accesses in one expression"},
        {"r0 = " LOAD("x", "relaxed") " + " LOAD("y", "seq_cst") ";",
         "a seq_cst access and another access in one expression"},
        {STORE(LOAD("y", "relaxed"), "seq_cst"), "a seq_cst access and another access in one expression"},
        {"if (r0 == 0 && " LOAD("x", "seq_cst") ") { r0 = 1; }",
         "a seq_cst access to the right of && or ||, which is not always evaluated"},
        {"r0 = r0 || " LOAD("x", "seq_cst") ";",
         "a seq_cst access to the right of && or ||, which is not always evaluated"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct kernel_target target;
        struct error error = {0};
        char text[1024];
        (void)snprintf(text, sizeof text,
                       "OPENCL refused\n{ x=0; y=0; }\nP0@wg 0, dev 0 (global atomic_int* x, global atomic_int* y) {\n"
                       "int r0 = 0;\n%s\n}\nexists (0:r0=0)\n",
                       cases[i].statement);
        struct litmus_test *test = fixture_parse("refused", text);
        assert_int_equal(kernel_target_make(test, KERNEL_MAPPING_PTX, &target, &error), STATUS_UNSUPPORTED);
        assert_string_equal(error.text, cases[i].reason);
        assert_null(target.test);
        litmus_release(test);
    }
}

/* Statements whose fence has a certain place are lowered: to the left of &&, and other accesses without seq_cst. */
static void test_not_refused(void **state)
{
    static const char *const statements[] = {
        "if (" LOAD("x", "seq_cst") " && r0 == 0) { r0 = 1; }",
        "r0 = " LOAD("x", "relaxed") " + " LOAD("y", "acquire") ";",
        "if (r0 == 0 || " LOAD("x", "acquire") ") { r0 = 1; }",
    };
    (void)state;
    for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++) {
        struct kernel_target target;
        struct error error;
        char text[1024];
        (void)snprintf(text, sizeof text,
                       "OPENCL lowered\n{ x=0; y=0; }\nP0@wg 0, dev 0 (global atomic_int* x, global atomic_int* y) {\n"
                       "int r0 = 0;\n%s\n}\nexists (0:r0=0)\n",
                       statements[i]);
        struct litmus_test *test = fixture_parse("lowered", text);
        if (kernel_target_make(test, KERNEL_MAPPING_PTX, &target, &error) != STATUS_OK)
            fail_msg("%s: %s", statements[i], error.text);
        kernel_target_release(&target);
        litmus_release(test);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_verdicts), cmocka_unit_test(test_words),
                                       cmocka_unit_test(test_refused), cmocka_unit_test(test_not_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
