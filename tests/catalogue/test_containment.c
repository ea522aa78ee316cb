// SPDX-License-Identifier: Apache-2.0
/* Protects what every model shares: each allows whatever an interleaving allows. An outcome that a model loses accuses
 * a driver of what is sequentially consistent. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "catalogue/selection.h"
#include "tests/catalogue/random_tests.h"

/* One in so many of the catalogue's tests is judged, and so many random tests; with ORCHIL_WHOLE_CATALOGUE set, all and
 * more. */
enum { SAMPLED = 211, RANDOM = 120, RANDOM_NIGHTLY = 20000 };

/* A test that takes longer than this many looks at the clock is left out. */
enum { LOOKS = 100, MOST_MODELS = 32 };

/* The built-in models; the first is sc. */
struct models {
    struct model *model[MOST_MODELS];
    unsigned count, judged, lost;
};

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

static bool judge(const struct model *model, const struct litmus_test *test, struct judgement *judgement)
{
    struct error error = {0};
    unsigned looks = LOOKS;
    const struct judge_options options = {.stopped = is_enough, .context = &looks};
    return model_judge(model, test, &options, judgement, &error) == STATUS_OK;
}

static const struct judged_outcome *find(const struct judgement *judgement, const struct judged_outcome *wanted,
                                         size_t variables)
{
    for (size_t i = 0; i < judgement->outcome_count; i++)
        if (memcmp(judgement->outcomes[i].values, wanted->values, variables * sizeof *wanted->values) == 0)
            return &judgement->outcomes[i];
    return NULL;
}

/* Outcomes that sc allows and the model does not. Where it gives the test no meaning, or its search was cut, there are
 * none. */
static unsigned lost_outcomes(const struct judgement *sc, const struct judgement *other, size_t variables)
{
    unsigned lost = 0;
    if (other->racy || other->cut)
        return 0;
    for (size_t i = 0; i < sc->outcome_count; i++) {
        const struct judged_outcome *found = find(other, &sc->outcomes[i], variables);
        const bool sound = found && (found->verdict == VERDICT_SC || found->verdict == VERDICT_UNSPECIFIED);
        lost += sc->outcomes[i].verdict == VERDICT_SC && !sound;
    }
    return lost;
}

/* Judges a test by all models; true: one lost an outcome. */
static bool judge_all(struct models *models, const struct litmus_test *test)
{
    struct judgement sc, other;
    bool any = false;
    if (!judge(models->model[0], test, &sc))
        return false;
    for (unsigned i = 1; i < models->count; i++) {
        if (!judge(models->model[i], test, &other))
            continue;
        const unsigned lost = lost_outcomes(&sc, &other, test->variable_count);
        if (lost > 0)
            (void)printf("%s:%s: %s forbids %u outcomes that sc allows\n", litmus_dialect_name(test->dialect),
                         test->name, model_id(models->model[i]), lost);
        any |= lost > 0;
        models->lost += lost;
        models->judged++;
        judgement_release(&other);
    }
    judgement_release(&sc);
    return any;
}

static void start(struct models *models)
{
    struct error error = {0};
    *models = (struct models){.count = 0};
    assert_string_equal(model_names[0], "sc");
    for (; model_names[models->count]; models->count++)
        if (models->count == MOST_MODELS ||
            model_load(model_names[models->count], &models->model[models->count], &error) != STATUS_OK)
            fail_msg("%s", error.text);
}

static void end(struct models *models, unsigned least)
{
    for (unsigned i = 0; i < models->count; i++)
        model_release(models->model[i]);
    (void)printf("%u judgements\n", models->judged);
    assert_true(models->judged > least);
    assert_int_equal(models->lost, 0);
}

static void catalogue_contains_sc(void **state)
{
    (void)state;
    struct selection selection;
    struct models models;
    struct error error = {0};
    start(&models);
    if (selection_all(&selection, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    for (size_t i = 0; i < selection.count; i += whole() ? 1 : SAMPLED)
        (void)judge_all(&models, selection.tests[i].test);
    selection_release(&selection);
    end(&models, 100);
}

static void random_tests_contain_sc(void **state)
{
    (void)state;
    struct models models;
    start(&models);
    for (unsigned i = 0, count = whole() ? RANDOM_NIGHTLY : RANDOM; i < count; i++) {
        struct text text = {0};
        struct litmus_test *test = random_small_test((enum litmus_dialect)(i % RANDOM_DIALECTS), i, &text);
        if (judge_all(&models, test))
            (void)printf("%s\n", text_string(&text));
        litmus_release(test);
        text_release(&text);
    }
    end(&models, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(catalogue_contains_sc),
                                       cmocka_unit_test(random_tests_contain_sc)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
