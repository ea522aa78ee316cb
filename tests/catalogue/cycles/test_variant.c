// SPDX-License-Identifier: Apache-2.0
/* Protects: a name and its variant determine each other, the tests of variants are right, and they read back as they
 * were made. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "catalogue/cycles/generate.h"
#include "catalogue/cycles/variant.h"
#include "catalogue/cycles/variant_parts.h"
#include "catalogue/templates/template.h"
#include "tests/catalogue/cycles/cycles.h"
#include "tests/corpus.h"
#include "tests/litmus/round_trip.h"

static const char *const dialects[LITMUS_DIALECT_COUNT] = {[LITMUS_OPENCL] = "opencl",
                                                           [LITMUS_PTX] = "ptx",
                                                           [LITMUS_CUDA] = "cuda",
                                                           [LITMUS_C] = "c",
                                                           [LITMUS_VULKAN] = "vulkan"};

static enum litmus_dialect dialect_of(const char *word)
{
    int i = 0;
    while (strcmp(dialects[i], word) != 0)
        i++;
    return (enum litmus_dialect)i;
}

static void parse(enum litmus_dialect dialect, const char *name, struct variant *variant)
{
    struct error error = {0};
    if (variant_parse_name(dialect, name, variant, &error) != STATUS_OK)
        fail_msg("%s:%s: %s", dialects[dialect], name, error.text);
}

static void make(const struct variant *variant, const struct variant_notes *notes, struct litmus_test **test)
{
    struct error error = {0};
    if (variant_test(variant, notes, test, &error) != STATUS_OK)
        fail_msg("%s", error.text);
}

/* ---- every variant of these lines ---- */

struct each {
    enum status (*take)(const struct variant *variant, void *context, struct error *error);
    void *context;
};

static void generate_line(char *line, void *context)
{
    const struct each *each = context;
    struct generation generation;
    struct error error = {0};
    if (generation_parse(line, &generation, &error) != STATUS_OK ||
        generation_each(&generation, each->take, each->context, &error) != STATUS_OK)
        fail_msg("%s: %s", line, error.text);
}

/* Between them the lines have every tag, nickname, dialect, placement, region and scope. */
static void each_generated(enum status (*take)(const struct variant *variant, void *context, struct error *error),
                           void *context)
{
    struct each each = {take, context};
    assert_true(each_cycle_line("variants.txt", generate_line, &each) > 5);
}

static enum status check_name(const struct variant *variant, void *context, struct error *error)
{
    struct text name = {0}, again = {0};
    struct variant parsed;
    size_t *count = context;
    (void)error;
    variant_name(variant, &name);
    assert_false(name.failed);
    parse(variant->dialect, text_string(&name), &parsed);
    if (!variant_same(variant, &parsed))
        fail_msg("%s:%s names another variant", dialects[variant->dialect], text_string(&name));
    variant_name(&parsed, &again);
    assert_string_equal(text_string(&name), text_string(&again));
    text_release(&name);
    text_release(&again);
    ++*count;
    return STATUS_OK;
}

static void names_read_back_as_their_variants(void **state)
{
    size_t count = 0;
    (void)state;
    each_generated(check_name, &count);
    assert_true(count > 10000);
}

/* Counts doc lines that do not fit a page, and texts that do not read back. */
static enum status check_text(const struct variant *variant, void *context, struct error *error)
{
    struct litmus_test *test;
    size_t *count = context;
    (void)error;
    if (++*count % 7 != 0)
        return STATUS_OK;
    make(variant, NULL, &test);
    assert_round_trip(test, test->name);
    for (const char *line = test->doc; line;) {
        const char *end = strchr(line, '\n');
        if ((end ? (size_t)(end - line) : strlen(line)) > 110)
            fail_msg("%s: a doc line of more than 110 characters: %s", test->name, line);
        line = end ? end + 1 : NULL;
    }
    assert_non_null(litmus_metadata(test, "Cycle"));
    litmus_release(test);
    return STATUS_OK;
}

/* Everything that a variant may say exists in Chinese. */
static enum status check_chinese(const struct variant *variant, void *context, struct error *error)
{
    static const char *const verdicts[] = {"allowed", "forbidden"};
    size_t *count = context;
    (void)error;
    for (size_t i = 0; i < 2 && ++*count % 3 == 0; i++) {
        const struct variant_notes notes = {.expect = verdicts[i]};
        struct litmus_test *test;
        struct text text = {0};
        make(variant, &notes, &test);
        assert_true(variant_describe_in_chinese(test, &text));
        if (strstr(text_string(&text), ", ") || strstr(text_string(&text), ". ") ||
            strstr(text_string(&text), " the ") || strchr(text_string(&text), '?') ||
            !strstr(text_string(&text), i == 0 ? "：允许。\n" : "：禁止。\n"))
            fail_msg("%s: not in Chinese: %s", test->name, text_string(&text));
        text_release(&text);
        litmus_release(test);
    }
    return STATUS_OK;
}

static void variants_are_described_in_chinese(void **state)
{
    size_t count = 0;
    struct text text = {0};
    struct litmus_test *test = litmus_new();
    (void)state;
    each_generated(check_chinese, &count);
    test->name = arena_copy(&test->arena, "MP+relaxed"); /* a name alone makes no variant */
    assert_false(variant_describe_in_chinese(test, &text));
    litmus_release(test);
}

static void tests_read_back_as_they_were_made(void **state)
{
    size_t count = 0;
    (void)state;
    each_generated(check_text, &count);
}

/* The Cycle= line of a test gives the same cycle again. */
static enum status check_cycle(const struct variant *variant, void *context, struct error *error)
{
    struct text text = {0};
    struct cycle cycle;
    struct variant again = *variant;
    (void)context;
    cycle_print(&variant->cycle, &text);
    if (cycle_parse(text_string(&text), &cycle, error) != STATUS_OK)
        fail_msg("%s: %s", text_string(&text), error->text);
    again.cycle = cycle;
    if (!variant_same(&again, variant))
        fail_msg("%s reads back as another cycle", text_string(&text));
    text_release(&text);
    return STATUS_OK;
}

static void cycles_of_variants_read_back(void **state)
{
    (void)state;
    each_generated(check_cycle, NULL);
}

/* ---- texts ---- */

/* The title of a case is DIALECT:NAME. */
static void check_printed(struct corpus_case *one, void *context)
{
    struct text printed = {0};
    struct variant variant;
    struct litmus_test *test;
    char title[512];
    (void)context;
    (void)snprintf(title, sizeof title, "%s", one->title);
    const char *name = cut_line(title, ":");
    parse(dialect_of(title), name, &variant);
    make(&variant, NULL, &test);
    litmus_print(test, &printed);
    corpus_expect(one, "printed", text_string(&printed));
    litmus_release(test);
    text_release(&printed);
}

static void tests_print_as_written(void **state)
{
    (void)state;
    assert_true(corpus_each(ORCHIL_SOURCE_DIR "/tests/catalogue/cycles/printed.txt", check_printed, NULL) > 5);
}

static void notes_become_metadata(void **state)
{
    static const struct variant_notes notes = {.expect = "allowed", .control = "MP+rel+acq"};
    struct variant variant;
    struct litmus_test *test;
    (void)state;
    parse(LITMUS_PTX, "MP+relaxed", &variant);
    make(&variant, &notes, &test);
    assert_string_equal(litmus_metadata(test, "Expect"), "allowed");
    assert_string_equal(litmus_metadata(test, "Control"), "MP+rel+acq");
    assert_null(litmus_metadata(test, "Mutants"));
    assert_memory_equal(test->doc, "Message passing, relaxed accesses: allowed.\n", 44);
    assert_round_trip(test, "MP+relaxed");
    litmus_release(test);
}

/* ---- the catalogue ---- */

struct comparison {
    size_t same;
    struct text different;
};

/* A test with a variant's name has that variant's content. */
static void compare(const struct litmus_test *written, struct comparison *comparison)
{
    struct litmus_test *made;
    struct variant variant;
    struct error error = {0};
    char hashes[2][65];
    if (!litmus_metadata(written, "Cycle") ||
        variant_parse_name(written->dialect, written->name, &variant, &error) != STATUS_OK)
        return;
    make(&variant, NULL, &made);
    litmus_hash(written, hashes[0]);
    litmus_hash(made, hashes[1]);
    if (strcmp(hashes[0], hashes[1]) == 0)
        comparison->same++;
    else
        text_add(&comparison->different, "%s:%s\n", dialects[written->dialect], written->name);
    litmus_release(made);
}

static void check_catalogue(const char *path, void *context)
{
    struct text text = {0};
    struct template *family;
    struct error error = {0};
    read_text(path, &text);
    if (template_parse(path, text_string(&text), text.size, &family, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    for (size_t i = 0; i < template_count(family); i++) {
        struct litmus_test *written;
        if (template_test(family, i, &written, &error) != STATUS_OK)
            fail_msg("%s", error.text);
        compare(written, context);
        litmus_release(written);
    }
    template_release(family);
    text_release(&text);
}

/* catalogue-differs.txt lists those that may differ. */
static void catalogue_tests_are_the_variants_of_their_names(void **state)
{
    struct comparison comparison = {0};
    struct text listed = {0};
    (void)state;
    assert_true(each_litmus_file(ORCHIL_SOURCE_DIR "/tests-litmus", check_catalogue, &comparison) > 0);
    assert_true(each_litmus_file(ORCHIL_CYCLES_DIR, check_catalogue, &comparison) > 0);
    read_text(ORCHIL_SOURCE_DIR "/tests/catalogue/cycles/catalogue-differs.txt", &listed);
    for (char *line = comparison.different.data, *end; line && (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        if (!strstr(text_string(&listed), line))
            fail_msg("%s is not the variant of its name", line);
    }
    assert_true(comparison.same >= 25);
    text_release(&comparison.different);
    text_release(&listed);
}

/* ---- refusals and tags ---- */

static void check_refused(char *line, void *context)
{
    struct variant variant;
    struct litmus_test *test = NULL;
    struct error error = {0};
    char *name = cut_line(line, ":");
    const char *expected = cut_line(name, " => ");
    (void)context;
    enum status status = variant_parse_name(dialect_of(line), name, &variant, &error);
    if (status == STATUS_OK) {
        status = variant_test(&variant, NULL, &test, &error);
        assert_int_equal(status, STATUS_UNSUPPORTED);
    } else
        assert_int_equal(status, STATUS_SYNTAX);
    assert_null(test);
    assert_string_equal(error.text, expected);
}

static void refused_names_say_why(void **state)
{
    (void)state;
    assert_true(each_cycle_line("refused-names.txt", check_refused, NULL) > 40);
}

static const struct {
    enum litmus_dialect dialect;
    size_t edge;            /* of MP: 0 is P0's, 2 is P1's, 1 and 3 are communications */
    const char *tag, *name; /* NULL: refused */
} settings[] = {
    {LITMUS_OPENCL, 0, "rel", "MP+rel+relaxed"},
    {LITMUS_OPENCL, 2, "acq", "MP+relaxed+acq"},
    {LITMUS_OPENCL, 0, "acq", NULL},
    {LITMUS_OPENCL, 2, "rel", NULL},
    {LITMUS_OPENCL, 1, "relaxed", NULL},
    {LITMUS_OPENCL, 4, "relaxed", NULL},
    {LITMUS_OPENCL, 2, "addr", "MP+relaxed+addr"},
    {LITMUS_OPENCL, 2, "data", NULL},
    {LITMUS_OPENCL, 0, "data", NULL},
    {LITMUS_OPENCL, 2, "sc", "MP+relaxed+sc"},
    {LITMUS_PTX, 2, "sc", NULL},
    {LITMUS_PTX, 0, "poscrlx", NULL},
    {LITMUS_PTX, 2, "fenceacq", "MP+relaxed+fenceacq"},
    {LITMUS_PTX, 0, "fencerel", "MP+fencerel+relaxed"},
    {LITMUS_CUDA, 0, "fencerel", "MP+fencerel+relaxed"},
    {LITMUS_PTX, 0, "fencear.cta", "MP+fencear.cta+relaxed"},
    {LITMUS_PTX, 0, "fencear.wg", NULL},
    {LITMUS_PTX, 0, "weak", "MP+weak+relaxed"},
    {LITMUS_PTX, 0, "plain", NULL},
    {LITMUS_C, 0, "plain", "MP+plain+relaxed"},
    {LITMUS_C, 0, "vol", NULL},
    {LITMUS_CUDA, 0, "vol", "MP+vol+relaxed"},
    {LITMUS_PTX, 0, "relaxed+rel", NULL},
    {LITMUS_PTX, 0, "", NULL},
};

static void tags_fit_edges_and_dialects(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        struct cycle cycle;
        struct variant variant, before;
        struct error error = {0};
        struct text name = {0};
        assert_int_equal(cycle_of_family("MP", &cycle, &error), STATUS_OK);
        variant_of_cycle(&cycle, settings[i].dialect, &variant);
        before = variant;
        const bool set = variant_set_tag(&variant, settings[i].edge, settings[i].tag);
        if (set != (settings[i].name != NULL))
            fail_msg("%s on edge %zu of %s", settings[i].tag, settings[i].edge, dialects[settings[i].dialect]);
        variant_name(&variant, &name);
        if (set)
            assert_string_equal(text_string(&name), settings[i].name);
        else
            assert_true(variant_same(&variant, &before));
        text_release(&name);
    }
}

/* Scopes, regions and read-modify-writes that change nothing give the same test, which has one name. */
static void settings_without_effect_have_no_name(void **state)
{
    struct variant variant, other;
    struct text name = {0};
    (void)state;
    parse(LITMUS_PTX, "MP+weak", &variant);
    other = variant;
    other.scope = LITMUS_WORK_GROUP;
    assert_true(variant_same(&variant, &other));
    parse(LITMUS_OPENCL, "MP+fencear+local+01", &variant);
    assert_int_equal(variant.scope, LITMUS_WORK_GROUP);
    variant.scope = LITMUS_DEVICE;
    variant.work_group[0] = variant.work_group[1] = 5;
    variant_name(&variant, &name);
    assert_string_equal(text_string(&name), "MP+fencear+local+01");
    text_release(&name);
}

/* Three writes of one location: pinned where a thread or the final value says their order, else refused. */
static void three_writes_need_an_order(void **state)
{
    static const struct {
        const char *cycle;
        enum status status;
    } rows[] = {
        {"PodWW Rfe PosRW Coe PodWR Fre", STATUS_OK},
        {"PodWW Coi PosWW Rfe PodRR Fre", STATUS_OK},
        {"PodWW Coe PosWW PodWR Fre", STATUS_UNSUPPORTED},
        {"PodWW Coe Coe PodWR Fre", STATUS_UNSUPPORTED},
        {"PodWW Coe PodWR Fre", STATUS_OK},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct cycle cycle;
        struct variant variant;
        struct litmus_test *test;
        struct error error = {0};
        assert_int_equal(cycle_parse(rows[i].cycle, &cycle, &error), STATUS_OK);
        variant_of_cycle(&cycle, LITMUS_PTX, &variant);
        const enum status status = variant_test(&variant, NULL, &test, &error);
        if (status != rows[i].status)
            fail_msg("%s: status %d: %s", rows[i].cycle, (int)status, error.text);
        litmus_release(test);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_read_back_as_their_variants),
        cmocka_unit_test(tests_read_back_as_they_were_made),
        cmocka_unit_test(variants_are_described_in_chinese),
        cmocka_unit_test(cycles_of_variants_read_back),
        cmocka_unit_test(tests_print_as_written),
        cmocka_unit_test(notes_become_metadata),
        cmocka_unit_test(catalogue_tests_are_the_variants_of_their_names),
        cmocka_unit_test(refused_names_say_why),
        cmocka_unit_test(tags_fit_edges_and_dialects),
        cmocka_unit_test(settings_without_effect_have_no_name),
        cmocka_unit_test(three_writes_need_an_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
