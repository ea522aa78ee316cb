// SPDX-License-Identifier: Apache-2.0
/* What a comparison learns about its runs before it decides: how much they differ, and whether all
 * of B is shifted. */
#include <string.h>

#include "analysis/compare/compare_parts.h"

/* The runs of both sides, each once: a run of orchil has a job of every test. */
struct run_list {
    struct listed_run {
        int side;
        const char *run; /* its UUID: run numbers of different files are unrelated */
    } * runs;
    size_t count;
};

static size_t number_of(struct arena *arena, struct run_list *list, int side, const char *run)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->runs[i].side == side && strcmp(list->runs[i].run, run) == 0)
            return i;
    ARENA_ADD(arena, list->runs, list->count) = (struct listed_run){side, run};
    return list->count - 1;
}

static void gather_questions(struct comparison *comparison, struct arena *arena, enum compare_suite of,
                             struct run_list *list, struct statistics_question **questions, size_t *count)
{
    *count = 0;
    for (size_t p = 0; p < comparison->pair_count; p++) {
        const struct sample_pair *pair = &comparison->pairs[p];
        if (pair->kernels == KERNELS_DIFFER)
            continue;
        const size_t runs = pair->sample[SIDE_A]->run_count + pair->sample[SIDE_B]->run_count;
        size_t *numbers = arena_take(arena, runs, sizeof *numbers), at = 0;
        for (int side = 0; side < SIDES; side++)
            for (size_t i = 0; i < pair->sample[side]->run_count; i++)
                numbers[at++] = number_of(arena, list, side, pair->sample[side]->runs[i].row->run_uuid);
        for (size_t r = 0; r < pair->question_count; r++)
            if (compare_suite_of(pair->rates[r].outcome) == of && !pair->rates[r].limit.ungated)
                ARENA_ADD(arena, *questions, *count) =
                    (struct statistics_question){.measure = pair->rates[r].measure,
                                                 .residuals = pair->rates[r].residuals,
                                                 .runs = numbers,
                                                 .count = runs,
                                                 .test = p};
    }
}

/* Only reruns of nearly all tests show whether all of B is shifted; a few tests, chosen because
 * they are far off, do not. */
static bool shows_shift(const struct comparison *comparison)
{
    const struct comparison *first = comparison->options.first;
    return !first || (first->shift.suspect && 10 * comparison->pair_count >= 8 * first->pair_count);
}

/* Only weak outcomes of a run move together: shares of the others add up to 1. */
void compare_learn(struct comparison *comparison)
{
    struct arena arena = {0};
    struct run_list list = {.count = 0};
    const struct comparison *first = comparison->options.first;
    struct shift *shift = &comparison->shift;
    for (enum compare_suite of = 0; of < COMPARE_SUITES; of++) {
        const bool weak = of == COMPARE_WEAK;
        struct statistics_question *questions = NULL;
        struct statistics_suite suite;
        size_t count;
        gather_questions(comparison, &arena, of, &list, &questions, &count);
        statistics_fit(questions, count, list.count, weak, &suite);
        comparison->suites[of] = first ? first->suites[of] : suite;
        if (weak && shows_shift(comparison))
            statistics_decide_shift(questions, count, &suite, comparison->options.confidence, &shift->log_ratio,
                                    &shift->decision);
    }
    arena_release(&arena);
}
