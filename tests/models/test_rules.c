// SPDX-License-Identifier: Apache-2.0
/*
 * Protects each rule of the models by a test of its own, above all those that no published verdict notices. A case of
 * the files in rules/ says in its metadata what is to come out:
 *     Expect=MODEL:WORD,...      allowed, forbidden (is the condition's proposition reachable?), undefined,
 *                                unspecified, or refused: the model cannot judge it
 *     Consistent=MODEL:N,...     how many executions the model allows
 * A MODEL is a built-in one, or a file of hrf/: what papers define, written down for comparison. Both searches must
 * give the expected result: of every candidate, and with pruning.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/corpus.h"
#include "tests/models/judged.h"

enum { MODELS = 32, NAME_SIZE = 32 };

/* Models that were loaded so far. */
struct library {
    char name[MODELS][NAME_SIZE];
    struct model *model[MODELS];
    unsigned count;
};

/* The model of hrf/ with that name, else the built-in one. */
static struct model *load(const char *name)
{
    struct model *model = NULL;
    struct text path = {0};
    text_add(&path, ORCHIL_SOURCE_DIR "/tests/models/hrf/%s.cat", name);
    if (access(text_string(&path), R_OK) == 0) {
        struct error error = {0};
        if (model_load(text_string(&path), &model, &error) != STATUS_OK)
            fail_msg("%s", error.text);
    }
    text_release(&path);
    return model ? model : loaded(name);
}

static const struct model *find_model(struct library *library, const char *name)
{
    for (unsigned i = 0; i < library->count; i++)
        if (strcmp(library->name[i], name) == 0)
            return library->model[i];
    assert_true(library->count < MODELS);
    (void)snprintf(library->name[library->count], NAME_SIZE, "%s", name);
    library->model[library->count] = load(name);
    return library->model[library->count++];
}

static const char *outcome_word(const struct judgement *judgement)
{
    bool allowed = false, unjudged = false;
    for (size_t i = 0; i < judgement->outcome_count; i++) {
        const enum verdict verdict = judgement->outcomes[i].verdict;
        if (verdict == VERDICT_UNDEFINED || verdict == VERDICT_UNSPECIFIED)
            return verdict_word(verdict);
        unjudged |= judgement->outcomes[i].witness && verdict == VERDICT_NONE;
        allowed |= judgement->outcomes[i].witness && (verdict == VERDICT_SC || verdict == VERDICT_WEAK);
    }
    return allowed ? "allowed" : unjudged ? "unjudged" : "forbidden";
}

/* Makes every candidate, or prunes. */
static const struct judge_options searches[] = {{0}, {.listed_candidates = 1}};

/* Compares "MODEL:WANTED,..." with the models' answers; returns the number of differences. */
static unsigned check_list(struct library *library, const struct litmus_test *test, const char *list, bool counts,
                           const struct judge_options *options)
{
    unsigned differences = 0;
    char name[NAME_SIZE], wanted[NAME_SIZE], got[NAME_SIZE];
    for (const char *at = list; at && *at; at += *at == ',') {
        int used = 0;
        assert_int_equal(sscanf(at, "%31[^:]:%31[^,]%n", name, wanted, &used), 2);
        at += used;
        struct judgement judgement;
        struct error error = {0};
        const enum status status = model_judge(find_model(library, name), test, options, &judgement, &error);
        if (status != STATUS_OK && (status != STATUS_UNSUPPORTED || strcmp(wanted, "refused") != 0))
            fail_msg("%s, %s: %s", test->name, name, error.text);
        if (status == STATUS_UNSUPPORTED)
            (void)snprintf(got, sizeof got, "refused");
        else if (counts)
            (void)snprintf(got, sizeof got, "%llu", (unsigned long long)judgement.consistent);
        else
            (void)snprintf(got, sizeof got, "%s", outcome_word(&judgement));
        judgement_release(&judgement);
        if (strcmp(got, wanted) != 0) {
            (void)printf("%s %s, %s%s: expected %s, found %s\n", litmus_dialect_name(test->dialect), test->name, name,
                         options->listed_candidates ? ", pruned" : "", wanted, got);
            differences++;
        }
    }
    return differences;
}

struct rules {
    struct library models;
    unsigned differences;
};

static void check_rule(struct corpus_case *one, void *context)
{
    struct rules *rules = context;
    const struct text *text = corpus_part(one, "");
    struct litmus_test *test;
    struct error error = {0};
    if (litmus_parse(one->title, text_string(text), text->size, &test, &error) != STATUS_OK)
        fail_msg("%s: %s", one->path, error.text);
    const char *expect = litmus_metadata(test, "Expect");
    assert_non_null(expect);
    unsigned differences = check_list(&rules->models, test, litmus_metadata(test, "Consistent"), true, &searches[0]);
    for (size_t i = 0; i < sizeof searches / sizeof searches[0]; i++)
        differences += check_list(&rules->models, test, expect, false, &searches[i]);
    if (differences > 0)
        (void)printf("%s:%u: %s\n", one->path, one->line, one->title);
    rules->differences += differences;
    litmus_release(test);
}

static void each_rule(void **state)
{
    struct rules rules = {0};
    (void)state;
    const size_t cases = corpus_each(ORCHIL_SOURCE_DIR "/tests/models/rules", check_rule, &rules);
    for (unsigned i = 0; i < rules.models.count; i++)
        model_release(rules.models.model[i]);
    (void)printf("%zu cases\n", cases);
    assert_true(cases > 0);
    assert_int_equal(rules.differences, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_rule)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
