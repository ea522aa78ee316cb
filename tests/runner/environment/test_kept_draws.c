// SPDX-License-Identifier: Apache-2.0
/* Protects stored results: the values that a seed draws for a profile's parameters must not change when a parameter or
 * a word of the layout is added; otherwise stored batches could not be played again. kept_draws.txt has recorded
 * draws. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "runner/environment/environment.h"
#include "tests/corpus.h"

#define CORPUS ORCHIL_SOURCE_DIR "/tests/runner/environment/kept_draws.txt"

/* The words that carry information: not positions, which follow from the words before them, nor steps. */
static const struct {
    const char *name;
    enum draw_word word;
} numbers[] = {
#define NUMBER(name)                                                                                                   \
    {                                                                                                                  \
#name, DRAW_##name                                                                                             \
    }
    NUMBER(GROUPS),
    NUMBER(TESTING_GROUPS),
    NUMBER(ROUNDS),
    NUMBER(FIRST_STAMP),
    NUMBER(STRIDE),
    NUMBER(LOCAL_STRIDE),
    NUMBER(MEET_ALL),
    NUMBER(JITTER_STEPS),
    NUMBER(MEET_POLLS),
    NUMBER(SPIN_BOUND),
    NUMBER(PRE_STRESS_ROUNDS),
    NUMBER(PRE_STRESS_PATTERN),
    NUMBER(PRE_STRESS_LENGTH),
    NUMBER(STRESS_PATTERN),
    NUMBER(STRESS_LENGTH),
    NUMBER(STRESS_CACHED),
    NUMBER(STRESS_LINE_COUNT),
    NUMBER(STRESS_LINE_WORDS),
    NUMBER(STRESS_CHUNKED),
    NUMBER(TEAM_MAP_COUNT),
    NUMBER(CELLS),
#undef NUMBER
};

/* Two work-groups with a thread each, and a word of local memory. */
static struct kernel make_kernel(void)
{
    return (struct kernel){.slots = 2,
                           .bodies = 2,
                           .width = 1,
                           .slot_of = {0, 1},
                           .sub_group_of = {LITMUS_NONE, LITMUS_NONE},
                           .first_of_slot = {true, true},
                           .cluster_groups = 1,
                           .cell_words = 2,
                           .locations = 2,
                           .result_words = 4,
                           .local_cells = 1,
                           .histogram_words = 6,
                           .counter_words = 100};
}

static void print_draw(const struct draw *draw, struct text *text)
{
    const size_t tables = draw->word_count - DRAW_FIXED_WORDS;
    char hash[HASH_HEX_SIZE];
    hash_hex(draw->words + DRAW_FIXED_WORDS, tables * sizeof *draw->words, hash);
    text_add(text, "group size %u, %zu bytes of local memory, %zu and %zu words\n", draw->group_size, draw->local_bytes,
             draw->memory_words, draw->scratch_words);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        text_add(text, "%s%s=%u", i == 0 ? "" : i % 7 == 0 ? "\n" : " ", numbers[i].name, draw->words[numbers[i].word]);
    text_add(text, "\ntables of %zu words: %s\n", tables, hash);
}

/* The title of a case is the profile. The device has every capability. */
static void check_profile(struct corpus_case *one, void *context)
{
    const struct backend_device device = {.gpu = true};
    const struct draw_limits limits = {
        .resident_groups = 1056, .max_group_size = 1024, .sub_group_size = 32, .local_bytes = 64 * 1024};
    const struct kernel kernel = make_kernel();
    struct environment environment;
    struct text text = {0};
    struct error error;
    char hash[HASH_HEX_SIZE];
    (void)context;
    assert_int_equal(environment_load(one->title, &device, &environment, &error), STATUS_OK);
    environment_hash(&environment, hash); /* part of a job's key */
    text_add(&text, "environment %s\n", hash);
    for (uint64_t batch = 0; batch < 3; batch++) {
        struct draw draw;
        assert_int_equal(draw_make(&environment, &kernel, &limits, 1, 2, batch, &draw, &error), STATUS_OK);
        print_draw(&draw, &text);
        draw_release(&draw);
    }
    corpus_expect(one, "expected", text_string(&text));
    text_release(&text);
}

static void test_kept_draws(void **state)
{
    (void)state;
    assert_int_equal(corpus_each(CORPUS, check_profile, NULL), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kept_draws)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
