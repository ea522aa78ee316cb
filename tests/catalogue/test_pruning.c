// SPDX-License-Identifier: Apache-2.0
/* Protects the search that prunes: it finds the same outcomes and races as the search that makes every candidate. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <stdio.h>

#include "catalogue/selection.h"
#include "tests/catalogue/random_tests.h"

/* One in so many of the catalogue's tests is compared, and so many random tests; with ORCHIL_WHOLE_CATALOGUE set, all
 * and more. */
enum { SAMPLED = 7, RANDOM = 500, RANDOM_NIGHTLY = 20000 };

/* Of a test that is compared: the most candidates, and the most looks at the clock during the search that makes them
 * all. */
enum { CANDIDATES = 50000, RANDOM_CANDIDATES = 3000, LOOKS = 50000, RANDOM_LOOKS = 150 };

static bool whole(void)
{
    return getenv("ORCHIL_WHOLE_CATALOGUE") != NULL;
}

/* Counts a look down. */
static bool is_enough(void *context)
{
    unsigned *looks = context;
    return (*looks)-- == 0;
}

static bool has_outcome(const struct judgement *judgement, const struct judged_outcome *wanted, size_t variables)
{
    for (size_t i = 0; i < judgement->outcome_count; i++) {
        const struct judged_outcome *outcome = &judgement->outcomes[i];
        bool same = true;
        for (size_t k = 0; k < variables; k++)
            same &= outcome->values[k] == wanted->values[k];
        if (same)
            return outcome->verdict == wanted->verdict;
    }
    return false;
}

/* The number of outcomes of one judgement that the other does not have with the same verdict. Forbidden ones need not
 * be listed. */
static unsigned missing(const struct judgement *from, const struct judgement *in, size_t variables)
{
    unsigned count = 0;
    for (size_t i = 0; i < from->outcome_count; i++) {
        const enum verdict verdict = from->outcomes[i].verdict;
        count +=
            verdict != VERDICT_FORBIDDEN && verdict != VERDICT_NONE && !has_outcome(in, &from->outcomes[i], variables);
    }
    return count;
}

/* Returns the number of differences. */
static unsigned compare(const struct litmus_test *test, const struct model *model, unsigned candidates, unsigned looks,
                        unsigned *compared)
{
    struct judgement all, pruned;
    struct error error = {0};
    const struct judge_options every = {.listed_candidates = UINT32_MAX,
                                        .maximum_candidates = candidates,
                                        .stopped = is_enough,
                                        .context = &looks},
                               prune = {.listed_candidates = 1};
    if (model_judge(model, test, &every, &all, &error) != STATUS_OK)
        return 0;
    if (model_judge(model, test, &prune, &pruned, &error) != STATUS_OK)
        fail_msg("%s: %s", test->name, error.text);
    const size_t variables = test->variable_count;
    /* Every outcome of a racy test is undefined, listed or not. */
    const unsigned listed =
        all.racy && pruned.racy ? 0 : missing(&all, &pruned, variables) + missing(&pruned, &all, variables);
    const unsigned differences = listed + (all.racy != pruned.racy) + (all.holds != pruned.holds);
    if (differences > 0)
        (void)printf("%s %s: %u differences\n", litmus_dialect_name(test->dialect), test->name, differences);
    judgement_release(&pruned);
    judgement_release(&all);
    ++*compared;
    return differences;
}

struct tally {
    struct model *models[LITMUS_DIALECT_COUNT];
    unsigned differences, compared;
};

static void tally_start(struct tally *tally)
{
    struct error error = {0};
    *tally = (struct tally){.differences = 0};
    for (int dialect = 0; dialect < LITMUS_DIALECT_COUNT; dialect++)
        if (model_load(model_default((enum litmus_dialect)dialect), &tally->models[dialect], &error) != STATUS_OK)
            fail_msg("%s", error.text);
}

static void tally_end(struct tally *tally, unsigned least)
{
    for (int dialect = 0; dialect < LITMUS_DIALECT_COUNT; dialect++)
        model_release(tally->models[dialect]);
    (void)printf("%u tests compared\n", tally->compared);
    assert_true(tally->compared > least);
    assert_int_equal(tally->differences, 0);
}

static void pruning_loses_nothing(void **state)
{
    (void)state;
    struct selection selection;
    struct error error = {0};
    struct tally tally;
    tally_start(&tally);
    if (selection_all(&selection, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    for (size_t i = 0; i < selection.count; i += whole() ? 1 : SAMPLED) {
        const struct litmus_test *test = selection.tests[i].test;
        tally.differences += compare(test, tally.models[test->dialect], CANDIDATES, LOOKS, &tally.compared);
    }
    selection_release(&selection);
    tally_end(&tally, 100);
}

static void pruning_loses_nothing_of_random_tests(void **state)
{
    (void)state;
    const unsigned count = whole() ? RANDOM_NIGHTLY : RANDOM;
    struct tally tally;
    tally_start(&tally);
    for (unsigned i = 0; i < count; i++) {
        struct text text = {0};
        const enum litmus_dialect dialect = (enum litmus_dialect)(i % RANDOM_DIALECTS);
        struct litmus_test *test = random_small_test(dialect, i, &text);
        const unsigned differences =
            compare(test, tally.models[dialect], RANDOM_CANDIDATES, RANDOM_LOOKS, &tally.compared);
        if (differences > 0)
            (void)printf("%s\n", text_string(&text));
        tally.differences += differences;
        litmus_release(test);
        text_release(&text);
    }
    tally_end(&tally, count / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pruning_loses_nothing),
                                       cmocka_unit_test(pruning_loses_nothing_of_random_tests)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
