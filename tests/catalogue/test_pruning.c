// SPDX-License-Identifier: Apache-2.0
/* Protects the search that prunes: it finds the same outcomes and races as the search that makes
 * every candidate. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include "catalogue/selection.h"

/* One in so many of the catalogue's tests is compared. */
enum { SAMPLED = 7 };

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

/* The number of outcomes of one judgement that the other does not have with the same verdict.
 * Forbidden ones need not be listed. */
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
static unsigned compare(const struct litmus_test *test, const struct model *model, unsigned *compared)
{
    struct judgement all, pruned;
    struct error error = {0};
    const struct judge_options every = {.listed_candidates = UINT32_MAX, .maximum_candidates = 50000},
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

static void pruning_loses_nothing(void **state)
{
    (void)state;
    struct model *models[LITMUS_DIALECT_COUNT];
    struct selection selection;
    struct error error = {0};
    unsigned differences = 0, compared = 0;
    for (int dialect = 0; dialect < LITMUS_DIALECT_COUNT; dialect++)
        if (model_load(model_default((enum litmus_dialect)dialect), &models[dialect], &error) != STATUS_OK)
            fail_msg("%s", error.text);
    if (selection_all(&selection, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    for (size_t i = 0; i < selection.count; i += SAMPLED) {
        const struct litmus_test *test = selection.tests[i].test;
        differences += compare(test, models[test->dialect], &compared);
    }
    selection_release(&selection);
    for (int dialect = 0; dialect < LITMUS_DIALECT_COUNT; dialect++)
        model_release(models[dialect]);
    (void)printf("%u tests compared\n", compared);
    assert_true(compared > 100);
    assert_int_equal(differences, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pruning_loses_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
