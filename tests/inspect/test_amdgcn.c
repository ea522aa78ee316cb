// SPDX-License-Identifier: Apache-2.0
/* Protects the inspection of code of AMD GPUs: what clang 14 to 22 make for one thread is kept, and each planted
 * compiler fault is reported at its place, for each generation. If one were missed, a compiler's bug would pass the
 * gate; if kept code were reported, nobody would use the gate. A damaged listing is inspected or refused, whatever the
 * damage. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "inspect/inspect.h"
#include "inspect/readers.h"
#include "tests/corpus.h"
#include "tests/inspect/planted_faults.h"
#include "tests/kernel/fixture.h"

/* Adds an instruction's line: a step's; "=": that of the instruction before; "-": the kernel's, around the threads;
 * "?": none. */
static void add_place(const struct kernel *kernel, const char *step, struct text *text)
{
    if (step[0] == '-')
        text_add(text, "\t.loc\t1 1 0\n");
    else if (step[0] == '?')
        text_add(text, "\t.loc\t1 0 0\n");
    else if (step[0] != '=')
        text_add(text, "\t.loc\t1 %u 0\n", kernel->steps[strtoul(step, NULL, 10)].line);
}

/* Lines "STEP INSTRUCTION", or a label with its colon -> the assembly that clang prints. target: "gfx90a", or "gfx90a
 * apart" if the waves of a work-group do not share a cache. */
static void expand(const struct kernel *kernel, const char *target, const char *lines, struct text *text)
{
    char *rest, *copy = strdup(lines);
    text_add(text,
             "\t.amdgcn_target \"amdgcn-amd-amdhsa--%.*s\"\norchil:\n\t.file\t0 \"/tmp\" \"words\"\n"
             "\t.file\t1 \".\" \"orchil-kernel\"\n",
             (int)strcspn(target, " \n"), target);
    for (char *line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        if (line[strlen(line) - 1] == ':') {
            text_add(text, "%s\n", line);
        } else {
            add_place(kernel, line, text);
            text_add(text, "\t%s\n", strchr(line, ' ') + 1);
        }
    text_add(text, ".Lfunc_end0:\n\t\t.amdhsa_tg_split %d\n", strstr(target, " apart") != NULL);
    free(copy);
}

enum { DAMAGED = 10000, CASES = 100 /* at least */ };

/* Copies the text with a few bytes or lines changed, left out or doubled. */
static void damage(const char *text, size_t size, struct random *random, struct text *damaged)
{
    static const char bytes[] = "\n\t ,.:[]()0123456789abcdefgsvx_-\"\xff";
    uint32_t changes = 1 + random_below(random, 4);
    text_clear(damaged);
    for (size_t at = 0; at < size; at++) {
        const size_t line = strcspn(text + at, "\n") + 1;
        const bool changed = changes > 0 && random_below(random, (uint32_t)(size / 2)) == 0;
        changes -= changed;
        switch (changed ? random_below(random, 5) : 0) {
        case 1: /* another byte */
            text_add_bytes(damaged, &bytes[random_below(random, sizeof bytes - 1)], 1);
            break;
        case 2: /* no rest of the line */
            at += line - 1;
            break;
        case 3: /* the rest of the line twice */
            text_add_bytes(damaged, text + at, at + line <= size ? line : size - at);
            text_add_bytes(damaged, text + at, 1);
            break;
        case 4: /* the end */
            return;
        default:
            text_add_bytes(damaged, text + at, 1);
        }
    }
}

static void inspect_damaged(const struct inspect_code *code, const struct litmus_test *test,
                            const struct kernel *kernel, uint64_t seed)
{
    struct text damaged = {0};
    struct random random = random_start(seed, 0, 0, 0);
    for (unsigned i = 0; i < DAMAGED / CASES + 1; i++) {
        struct inspect_code other = *code;
        struct inspection inspection;
        damage(code->text, strlen(code->text), &random, &damaged);
        other.text = text_string(&damaged);
        inspect_code(&other, test, kernel, &inspection);
        assert_true(inspection.kept == TEST_KEPT || inspection.reason[0] != '\0');
        inspection_release(&inspection);
    }
    text_release(&damaged);
}

/* The test and the target of the next cases, and the faults planted in them. */
struct cases {
    struct litmus_test *test;
    struct kernel kernel;
    struct text target;
    struct planted_faults planted;
    unsigned faults, harmless;
};

static void check_case(struct corpus_case *one, void *context)
{
    struct cases *cases = context;
    const struct backend_device device = fixture_device("c11");
    struct error error;
    struct text code = {0}, found = {0};
    struct inspection inspection;
    const struct text *planted = corpus_part(one, "planted");
    if (corpus_part(one, "test")) {
        kernel_release(&cases->kernel);
        litmus_release(cases->test);
        cases->test = fixture_parse(one->title, text_string(corpus_part(one, "test")));
        assert_int_equal(kernel_generate(cases->test, &device, NULL, false, &cases->kernel, &error), STATUS_OK);
    }
    if (corpus_part(one, "target")) {
        text_clear(&cases->target);
        text_add(&cases->target, "%s", text_string(corpus_part(one, "target")));
    }
    expand(&cases->kernel, text_string(&cases->target), text_string(corpus_part(one, "code")), &code);
    const struct inspect_code whole = {
        .machine = INSPECT_AMDGCN, .text = text_string(&code), .architecture = "", .first_line = 1};
    inspect_code(&whole, cases->test, &cases->kernel, &inspection);
    inspect_damaged(&whole, cases->test, &cases->kernel, cases->faults + cases->harmless);
    planted_faults_print(&inspection, &found);
    planted_faults_add(&cases->planted, one->title, planted ? text_string(planted) : NULL, inspection.kept);
    cases->faults += planted != NULL;
    cases->harmless += planted == NULL;
    corpus_expect(one, "expected", text_string(&found));
    inspection_release(&inspection);
    text_release(&code);
    text_release(&found);
}

static void test_cases(void **state)
{
    struct cases cases = {0};
    (void)state;
    (void)corpus_each(ORCHIL_SOURCE_DIR "/tests/inspect/amdgcn.txt", check_case, &cases);
    assert_true(cases.faults >= 40);
    assert_true(cases.harmless >= 10);
    assert_true((cases.faults + cases.harmless) * (DAMAGED / CASES + 1) >= DAMAGED);
    planted_faults_check(&cases.planted, "AMD GPUs");
    kernel_release(&cases.kernel);
    litmus_release(cases.test);
    text_release(&cases.target);
}

static void check_refused(const char *text, const char *reason)
{
    struct error error;
    struct listing listing;
    assert_int_not_equal(listing_read_amdgcn(text, &listing, &error), STATUS_OK);
    assert_non_null(strstr(error.text, reason));
    listing_release(&listing);
}

static void test_refused(void **state)
{
    (void)state;
    check_refused("",
                  "the compiler printed no assembly for an AMD GPU, because the assembly does not name a processor");
    check_refused("\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx1300\"\n",
                  "there are no rules for the processor 'gfx1300'");
#define HEAD "\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx90a\"\n"
    check_refused(HEAD "other:\n\ts_endpgm\n", "the assembly has no function 'orchil'");
    check_refused(HEAD "orchil:\n\ts_endpgm\n", "ends within the function");
    check_refused(HEAD "orchil:\n\ts_branch .LBB0_1\n.Lfunc_end0:\n", "jumps to a label that is not there");
    check_refused(HEAD "orchil:\n\ts_swappc_b64 s[30:31], s[16:17]\n.Lfunc_end0:\n", "calls a function");
    check_refused(HEAD "orchil:\n\ts_nop 0\n.Lfunc_end0:\n", "continues after its end");
    check_refused(HEAD "orchil:\n\ts_endpgm", "is truncated");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases), cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
