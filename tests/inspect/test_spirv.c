// SPDX-License-Identifier: Apache-2.0
/* Protects the inspection of SPIR-V: what glslang makes of a test's threads is kept, each planted fault is reported at
 * its place with the outcomes that the compiled test allows, and code that is stronger than the test is not reported. A
 * damaged module is inspected or refused, whatever the damage. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "base/random.h"
#include "inspect/inspect.h"
#include "inspect/readers.h"
#include "inspect/rebuild/compiled_step.h"
#include "inspect/rebuild/rebuild_test.h"
#include "tests/corpus.h"
#include "tests/inspect/planted_faults.h"
#include "tests/inspect/spirv_words.h"
#include "tests/kernel/fixture.h"
#include "verdicts/verdicts.h"

/* ---- damage ---- */

enum { DAMAGED = 3000, CASES = 60 /* at least */ };

/* Copies the module with a few words changed, left out or doubled, or without its end. */
static void damage(const struct text *module, struct random *random, struct text *damaged)
{
    const uint32_t count = (uint32_t)(module->size / 4);
    uint32_t changes = 1 + random_below(random, 4);
    text_clear(damaged);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t word;
        memcpy(&word, module->data + i * sizeof word, sizeof word);
        const bool changed = changes > 0 && random_below(random, count / 2) == 0;
        changes -= changed;
        switch (changed ? random_below(random, 6) : 0) {
        case 1: /* one bit */
            word ^= 1u << random_below(random, 32);
            break;
        case 2: /* another number */
            word = random_below(random, 400);
            break;
        case 3:
            continue;
        case 4: /* twice */
            text_add_bytes(damaged, (const char *)&word, sizeof word);
            break;
        case 5: /* the end, within a word */
            text_add_bytes(damaged, (const char *)&word, random_below(random, 4));
            return;
        default:
            break;
        }
        text_add_bytes(damaged, (const char *)&word, sizeof word);
    }
}

static void inspect_damaged(const struct inspect_code *code, const struct text *module, const struct litmus_test *test,
                            const struct kernel *kernel, uint64_t seed)
{
    struct text damaged = {0};
    struct random random = random_start(seed, 0, 0, 0);
    for (unsigned i = 0; i < DAMAGED / CASES + 1; i++) {
        struct inspect_code other = *code;
        struct inspection inspection;
        damage(module, &random, &damaged);
        other.text = text_string(&damaged);
        other.size = damaged.size;
        inspect_code(&other, test, kernel, &inspection);
        assert_true(inspection.kept == TEST_KEPT || inspection.reason[0] != '\0');
        inspection_release(&inspection);
    }
    text_release(&damaged);
}

/* ---- cases ---- */

static void add_limit(const char *label, void *context)
{
    text_add(context, "allows %s, which the test forbids\n", label);
}

/* Appends the threads of the compiled test, and what it allows that the test forbids. */
static void add_compiled(const struct litmus_test *test, const struct backend_device *device,
                         struct kernel_target *compiled, struct text *found)
{
    const struct judge_options limits = {0};
    struct verdicts verdicts;
    struct error error;
    struct text text = {0};
    if (kernel_print_instructions(compiled->test, &text, &error) == STATUS_OK)
        text_add(found, "%s", strstr(text_string(&text), " P0@"));
    text_release(&text);
    assert_int_equal(verdicts_make(test, device, &limits, &verdicts, &error), STATUS_OK);
    assert_int_equal(verdicts_add_compiled(&verdicts, compiled, &limits, &error), STATUS_OK);
    verdicts_list_limits(&verdicts, add_limit, found);
    if (verdicts.target.judgement.racy && !verdicts.source.judgement.racy)
        text_add(found, "racy, and the test is not\n");
    verdicts_release(&verdicts);
}

/* The test of the next cases, and the faults planted in them. */
struct cases {
    struct litmus_test *test;
    struct kernel kernel;
    struct planted_faults planted;
    unsigned faults, harmless;
};

static void judge(const struct inspect_code *code, const struct cases *cases, const struct backend_device *device,
                  const struct inspection *inspection, struct text *found)
{
    struct kernel_target compiled;
    struct error error;
    if (compiled_spirv_read(code, cases->test, &cases->kernel, inspection, &compiled, &error) == STATUS_OK)
        add_compiled(cases->test, device, &compiled, found);
    else
        text_add(found, "%s\n", error.text);
    kernel_target_release(&compiled);
}

static void check_case(struct corpus_case *one, void *context)
{
    struct cases *cases = context;
    const struct backend_device device = fixture_device("glsl");
    struct error error;
    struct text module = {0}, found = {0};
    struct inspection inspection;
    const struct text *planted = corpus_part(one, "planted");
    if (corpus_part(one, "test")) {
        kernel_release(&cases->kernel);
        litmus_release(cases->test);
        cases->test = fixture_parse(one->title, text_string(corpus_part(one, "test")));
        if (kernel_generate(cases->test, &device, NULL, false, &cases->kernel, &error) != STATUS_OK)
            fail_msg("%s: %s", one->title, error.text);
    }
    spirv_words_add(&cases->kernel, text_string(corpus_part(one, "code")), &module);
    const struct inspect_code code = {
        .machine = INSPECT_SPIRV, .text = module.data, .size = module.size, .architecture = "", .first_line = 1};
    inspect_and_judge(&code, cases->test, &cases->kernel, &device, &inspection);
    inspect_damaged(&code, &module, cases->test, &cases->kernel, cases->faults + cases->harmless);
    planted_faults_print(&inspection, &found);
    if (inspection.kept == TEST_NOT_KEPT)
        judge(&code, cases, &device, &inspection, &found);
    planted_faults_add(&cases->planted, one->title, planted ? text_string(planted) : NULL, inspection.kept);
    cases->faults += planted != NULL;
    cases->harmless += planted == NULL;
    corpus_expect(one, "expected", text_string(&found));
    inspection_release(&inspection);
    text_release(&module);
    text_release(&found);
}

static void test_cases(void **state)
{
    struct cases cases = {0};
    (void)state;
    (void)corpus_each(ORCHIL_SOURCE_DIR "/tests/inspect/spirv.txt", check_case, &cases);
    assert_true(cases.faults >= 20);
    assert_true(cases.harmless >= 8);
    assert_true((cases.faults + cases.harmless) * (DAMAGED / CASES + 1) >= DAMAGED);
    planted_faults_check(&cases.planted, "SPIR-V");
    kernel_release(&cases.kernel);
    litmus_release(cases.test);
}

/* ---- C11 ---- */

static const struct backend *vulkan(void)
{
    return backend_find("vulkan");
}

/* The instructions of each step, in the form that spirv_words_add reads. */
static void list_steps(const struct kernel *kernel, const struct text *module, struct text *text)
{
    struct listing listing;
    struct error error;
    struct arena arena = {0};
    assert_int_equal(listing_read_spirv(module->data, module->size, &listing, &error), STATUS_OK);
    const struct inspect_subject subject = {
        .kernel = kernel, .listing = &listing, .first_line = kernel_unit_line(vulkan(), 1)};
    for (size_t i = 0; i < kernel->step_count; i++) {
        struct compiled_step step;
        (void)compiled_step_list(&subject, &kernel->steps[i], &arena, &step);
        for (size_t k = 0; k < step.count; k++)
            text_add(text, "%zu %s\n", i, step.instructions[k]->text);
    }
    arena_release(&arena);
    listing_release(&listing);
}

/* Compares the recorded instructions with those that glslang makes now, if it is installed. */
static void compare_with_glslang(struct corpus_case *one, const struct kernel *kernel, bool *found)
{
    struct backend_code made = {0};
    struct text lines = {0};
    struct error error;
    const struct backend_source source = {.name = one->title, .kernel = kernel->source};
    const enum status status = vulkan()->compile_for("", &source, &made, &error);
    *found = status != STATUS_UNSUPPORTED;
    if (*found) {
        assert_int_equal(status, STATUS_OK);
        list_steps(kernel, &made.bytes, &lines);
        corpus_expect(one, "code", text_string(&lines));
    }
    backend_code_release(&made);
    text_release(&lines);
}

/* Appends the test that the instructions amount to, with the verdicts of `vulkan` on it. */
static void judge_instructions(const struct litmus_test *test, const struct kernel *kernel,
                               const struct backend_device *device, const char *lines, struct text *found)
{
    const struct judge_options limits = {0};
    struct text module = {0}, text = {0};
    struct inspection inspection;
    struct kernel_target compiled;
    struct verdicts verdicts;
    struct error error;
    spirv_words_add(kernel, lines, &module);
    const struct inspect_code code = {
        .machine = INSPECT_SPIRV, .text = module.data, .size = module.size, .architecture = "", .first_line = 1};
    inspect_and_judge(&code, test, kernel, device, &inspection);
    planted_faults_print(&inspection, found);
    assert_int_equal(compiled_spirv_read(&code, test, kernel, &inspection, &compiled, &error), STATUS_OK);
    assert_int_equal(kernel_print_instructions(compiled.test, &text, &error), STATUS_OK);
    text_add(found, "%s", strstr(text_string(&text), " P0@"));
    assert_int_equal(verdicts_make(test, device, &limits, &verdicts, &error), STATUS_OK);
    assert_int_equal(verdicts_add_compiled(&verdicts, &compiled, &limits, &error), STATUS_OK);
    assert_string_equal(verdicts.target.model, "vulkan");
    for (size_t i = 0; i < verdicts.target.judgement.outcome_count; i++)
        text_add(found, "%s %s\n", verdicts.target.labels[i],
                 verdict_word(verdicts.target.judgement.outcomes[i].verdict));
    verdicts_release(&verdicts);
    inspection_release(&inspection);
    text_release(&module);
    text_release(&text);
}

static void check_c11(struct corpus_case *one, void *context)
{
    const struct backend_device device = fixture_device("glsl");
    struct litmus_test *test = fixture_parse(one->title, text_string(corpus_part(one, "")));
    struct kernel kernel;
    struct error error;
    struct text found = {0};
    assert_int_equal(kernel_generate(test, &device, NULL, false, &kernel, &error), STATUS_OK);
    compare_with_glslang(one, &kernel, context);
    judge_instructions(test, &kernel, &device, text_string(corpus_part(one, "code")), &found);
    corpus_expect(one, "expected", text_string(&found));
    text_release(&found);
    kernel_release(&kernel);
    litmus_release(test);
}

static void test_c11(void **state)
{
    bool has_glslang = false;
    (void)state;
    (void)corpus_each(ORCHIL_SOURCE_DIR "/tests/inspect/spirv-c11.txt", check_c11, &has_glslang);
    if (!has_glslang)
        print_message("The recorded instructions were not compared with glslang's: install glslang-tools\n");
}

/* ---- refusals ---- */

static void check_refused(const uint32_t *words, size_t count, const char *reason)
{
    struct error error;
    struct listing listing;
    assert_int_not_equal(listing_read_spirv((const char *)words, count * sizeof *words, &listing, &error), STATUS_OK);
    if (!strstr(error.text, reason))
        fail_msg("'%s' does not say '%s'", error.text, reason);
    listing_release(&listing);
}

#define REFUSED(reason, ...)                                                                                           \
    check_refused((const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), reason)
#define HEAD 0x07230203, 0x00010500, 0, 100, 0
#define ENTRY 4u << 16 | 15, 5, 1, 0
#define FUNCTION(id) 5u << 16 | 54, 2, id, 0, 3
#define END 1u << 16 | 56

static void test_refused(void **state)
{
    (void)state;
    REFUSED("a file of 4 bytes is not SPIR-V", 0x07230203);
    REFUSED("not SPIR-V: first word 0x464c457f", 0x464c457f, 0, 0, 0, 0);
    REFUSED("no entry point", HEAD);
    REFUSED("it claims to have 4294967295 ids", 0x07230203, 0x00010500, 0, UINT32_MAX, 0);
    REFUSED("its instruction at byte 0x14 has 0 words", HEAD, 0);
    REFUSED("its instruction at byte 0x14 has 9 words", HEAD, 9u << 16 | 54);
    REFUSED("several entry points", HEAD, ENTRY, ENTRY);
    REFUSED("not a function of the module", HEAD, ENTRY);
    REFUSED("a function without an end", HEAD, ENTRY, FUNCTION(1));
    REFUSED("no line information", HEAD, ENTRY, FUNCTION(1), END);
    REFUSED("a function that calls itself", HEAD, ENTRY, FUNCTION(1), 4u << 16 | 57, 2, 4, 1, END);
    REFUSED("a branch to a label that its function does not have", HEAD, ENTRY, FUNCTION(1), 2u << 16 | 249, 9, END);
    REFUSED("no entry point", 0x03022307, 0x00050100, 0, 0x64000000, 0); /* the other byte order */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases), cmocka_unit_test(test_c11),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
