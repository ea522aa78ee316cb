// SPDX-License-Identifier: Apache-2.0
/* Protects random programs: each is a valid test of its dialect, reads back as it was made, has no data race where the
 * dialect gives a race no meaning, and is a function of its seed and number; together they have all that the grammar
 * promises. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "catalogue/random/random_program.h"
#include "models/models.h"
#include "tests/litmus/round_trip.h"

enum { PROGRAMS = 150, RACES = 25, LOOKS = 40 };

static struct litmus_test *make(enum litmus_dialect dialect, uint64_t seed, uint64_t number)
{
    struct litmus_test *test;
    struct error error;
    if (random_program(dialect, seed, number, &test, &error) != STATUS_OK)
        fail_msg("%s %llu: %s", litmus_dialect_name(dialect), (unsigned long long)number, error.text);
    return test;
}

/* What the programs of a dialect must have between them, in its own words. */
static const char *const wanted[LITMUS_DIALECT_COUNT][12] = {
    [LITMUS_OPENCL] = {"while (", "if (", "else", "fetch_xor", "compare_exchange", "item_fence", "barrier(", "local ",
                       "atomic_long", "volatile", "exists (0:r0", "seq_cst"},
    [LITMUS_PTX] = {"ld.volatile", "st.weak", "bne ", "goto ", "atom.acq_rel", "red.", ".cas", "fence.sc", "bar.cta",
                    ": shared", "ulong x", "ld.acquire"},
    [LITMUS_CUDA] = {"while (", "do {", "fetch_min", "compare_exchange_weak", "atomic_thread_fence", "__syncthreads",
                     "__shared__", "volatile int*", "long long*", "thread_scope_block", "seq_cst", "else"},
    [LITMUS_C] = {"while (", "if (", "fetch_or", "compare_exchange_strong", "atomic_thread_fence", "int64_t",
                  "*p0 =", "= *d", "do {", "acq_rel", "seq_cst", "else"},
    [LITMUS_VULKAN] = {"ld.vis", "st.av", "rmw.atom", ".cas", "membar", "cbar.", "sc1", "bne ", "goto ", "ulong x",
                       "semsc1", "st.atom.rel"},
};

static void programs_are_tests_and_have_everything(void **state)
{
    (void)state;
    for (int dialect = 0; dialect < LITMUS_DIALECT_COUNT; dialect++) {
        struct text all = {0};
        for (uint64_t number = 0; number < PROGRAMS; number++) {
            struct litmus_test *test = make((enum litmus_dialect)dialect, 1, number);
            assert_int_equal(test->warning_count, 0);
            assert_round_trip(test, test->name);
            litmus_print(test, &all);
            litmus_release(test);
        }
        for (size_t i = 0; i < 12; i++)
            if (!strstr(text_string(&all), wanted[dialect][i]))
                fail_msg("no %s program has '%s'", litmus_dialect_name((enum litmus_dialect)dialect),
                         wanted[dialect][i]);
        text_release(&all);
    }
}

static void programs_follow_from_seed_and_number(void **state)
{
    struct text texts[3] = {0};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct litmus_test *test = make(LITMUS_OPENCL, i < 2 ? 5 : 6, 7);
        test->name[0] = '\0';
        litmus_print(test, &texts[i]);
        litmus_release(test);
    }
    assert_string_equal(text_string(&texts[0]), text_string(&texts[1]));
    assert_string_not_equal(text_string(&texts[0]), text_string(&texts[2]));
    for (size_t i = 0; i < 3; i++)
        text_release(&texts[i]);
}

static bool is_enough(void *context)
{
    unsigned *looks = context;
    return (*looks)-- == 0;
}

static void programs_of_opencl_and_c_do_not_race(void **state)
{
    static const enum litmus_dialect dialects[] = {LITMUS_OPENCL, LITMUS_C};
    static const char *const names[] = {"opencl", "rc11"};
    unsigned judged = 0;
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct model *model;
        struct error error;
        assert_int_equal(model_load(names[i], &model, &error), STATUS_OK);
        for (uint64_t number = 0; number < RACES; number++) {
            struct litmus_test *test = make(dialects[i], 2, number);
            unsigned looks = LOOKS;
            const struct judge_options options = {.stopped = is_enough, .context = &looks};
            struct judgement judgement;
            if (model_judge(model, test, &options, &judgement, &error) == STATUS_OK) {
                judged++;
                for (size_t k = 0; k < judgement.outcome_count; k++)
                    if (judgement.outcomes[k].verdict == VERDICT_UNDEFINED)
                        fail_msg("%s races", test->name);
                judgement_release(&judgement);
            }
            litmus_release(test);
        }
        model_release(model);
    }
    assert_true(judged > RACES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_are_tests_and_have_everything),
        cmocka_unit_test(programs_follow_from_seed_and_number),
        cmocka_unit_test(programs_of_opencl_and_c_do_not_race),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
