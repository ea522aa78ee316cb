// SPDX-License-Identifier: Apache-2.0
/*
 * Data races of CUDA tests in CUDA C++: rc11-scoped judges the test as it is written, not as PTX.
 *
 * A volatile access counts as a relaxed atomic of system scope. C++ calls it plain, but CUDA's compilers keep each one
 * as written, and code from before cuda::atomic relies on it.
 *
 * Inline PTX is exempt, since C++ does not judge it.
 *
 * cuda-race.cat tells lasting races from unguarded ones. That a race is unguarded has to be shown: there must also be
 * an execution without a race. Otherwise it is lasting, such as one that waits for a flag that nobody raises.
 */
#include "models/races.h"

#include "litmus/language/walk.h"
#include "models/model.h"

const char race_rule[] = "In CUDA C++, two threads race if they access one location, one of them writes, one access is "
                         "plain or its scope leaves out the other thread, and nothing orders them.";

static const double race_seconds = 5;

/* A question to the search. Where a check asks for a race, the executions that pass are those with one. */
enum question { ASK_RACE, ASK_RACE_NAMED, ASK_LASTING, ASK_RACE_FREE, ASK_OUTCOMES, ASK_LASTING_OUTCOMES, QUESTIONS };

static const char *const checks[QUESTIONS] = {
    [ASK_RACE] = "flag ~empty data-race as data-race",
    [ASK_RACE_NAMED] = "flag ~empty data-race as data-race",
    [ASK_LASTING] = "flag ~empty flag-race as data-race\nflag ~empty lasting-race as data-race",
    [ASK_RACE_FREE] = "empty data-race as race",
    [ASK_OUTCOMES] = "~empty data-race as race",
    [ASK_LASTING_OUTCOMES] = "~empty lasting-race as race",
};

struct races {
    struct model *models[QUESTIONS]; /* NULL: not needed yet */
};

struct races *races_open(void)
{
    return memory_take(1, sizeof(struct races));
}

void races_close(struct races *races)
{
    for (size_t i = 0; races && i < QUESTIONS; i++)
        model_release(races->models[i]);
    free(races);
}

static enum status races_ask(struct races *races, enum question question, struct race *race,
                             struct judgement *judgement, struct error *error)
{
    struct model **model = &races->models[question];
    LOCAL(text) text = {0};
    const bool outcomes = question >= ASK_OUTCOMES;
    /* The test with no outcomes to tell apart, whose search ends at the first race; a filter needs them. */
    struct litmus_test bare = *race->test;
    if (!bare.filter) {
        bare.variable_count = 0;
        bare.condition = NULL;
        bare.quantifier = LITMUS_NO_CONDITION;
    }
    const struct judge_options options = {.explain = question == ASK_RACE_NAMED || question == ASK_LASTING,
                                          .listed_candidates = 1,
                                          .deadline = clock_seconds() + race_seconds};
    text_add(&text, "\"CUDA C++\"\ninclude \"cuda-race.cat\"\n%s\n", checks[question]);
    const enum status status = *model ? STATUS_OK : model_read("rc11-scoped", text_string(&text), model, error);
    TRY(status);
    return model_judge(*model, outcomes ? race->test : &bare, &options, judgement, error);
}

/* ---- tests that cannot race ---- */

/* How the threads use one storage. */
struct usage {
    bool narrow;          /* by a plain access, or one whose scope may leave out another thread */
    bool written, shared; /* shared: by several threads */
    const void *body;     /* of the last thread */
};

/* Whether it takes the models to know that the test has no race. Spares most tests the search. */
static bool may_race(const struct litmus_test *test)
{
    FREED struct usage *by_storage = memory_take(test->location_count, sizeof *by_storage);
    enum litmus_scope widest = LITMUS_DEVICE; /* reaches all threads */
    bool unknown = false;                     /* an address is no location's */
    for (size_t i = 0; i < test->body_count; i++) {
        const struct litmus_placement *placement = &test->threads[i].placement;
        unknown |= test->threads[i].count > 1;
        if (placement->host || placement->device != test->threads[0].placement.device)
            widest = LITMUS_ALL_DEVICES;
    }
    for (size_t i = 0; i < test->body_count; i++)
        for (struct litmus_walk walk = litmus_walk_block(&test->threads[i].body); litmus_walk_next(&walk);) {
            const struct litmus_access *access = walk.access;
            if (!access || access->spelling.assembly)
                continue;
            const bool named = !walk.statement && access->address->kind == LITMUS_EXPRESSION_ADDRESS;
            unknown |= !named || access->expected_address != NULL;
            if (named) {
                struct usage *usage = &by_storage[litmus_storage(test, (unsigned)access->address->index)];
                usage->narrow |= access->order == LITMUS_PLAIN || access->scope < widest;
                usage->written |= access->operation != LITMUS_LOAD;
                usage->shared |= usage->body && usage->body != &test->threads[i];
                usage->body = &test->threads[i];
            }
        }
    return unknown || ANY_OF(one, by_storage, test->location_count, one->narrow && one->written && one->shared);
}

/* ---- the judgement ---- */

bool race_occurs_with(const struct judged_outcome *outcome)
{
    return outcome->verdict == VERDICT_SC || outcome->verdict == VERDICT_WEAK;
}

/* Of a test with a race. *outcomes: the question for its outcomes. */
static enum status find_kind(struct races *races, struct race *race, enum question *outcomes, struct error *error)
{
    struct judgement judgement;
    TRY(races_ask(races, ASK_LASTING, race, &race->named, error));
    race->kind = RACE_LASTING;
    *outcomes = ASK_LASTING_OUTCOMES;
    if (race->named.racy)
        return STATUS_OK;
    *outcomes = ASK_OUTCOMES;
    TRY(races_ask(races, ASK_RACE_FREE, race, &judgement, error));
    race->kind = judgement.consistent > 0 ? RACE_UNGUARDED : RACE_LASTING;
    judgement_release(&judgement);
    judgement_release(&race->named);
    return races_ask(races, ASK_RACE_NAMED, race, &race->named, error);
}

static enum status find_details(struct races *races, struct race *race, enum question outcomes, struct error *error)
{
    const struct explanation *found = race->named.undefined;
    if (!found || found->cycle_count == 0)
        return error_set(error, STATUS_UNSUPPORTED, "the race was not found again");
    race->accesses[0] = &found->events[found->cycle[0].from];
    race->accesses[1] = &found->events[found->cycle[0].to];
    TRY(races_ask(races, outcomes, race, &race->outcomes, error));
    for (size_t i = 0; i < race->outcomes.outcome_count; i++)
        if (race_occurs_with(&race->outcomes.outcomes[i])) {
            race->outcome_count++;
            race->witness_count += race->outcomes.outcomes[i].witness;
        }
    return STATUS_OK;
}

void race_find(struct races *races, const struct litmus_test *test, bool details, struct race *race)
{
    LOCAL(judgement) judgement = {0};
    enum question outcomes = ASK_OUTCOMES;
    struct error error;
    *race = (struct race){.test = test};
    if (test->dialect != LITMUS_CUDA || !may_race(test))
        return;
    enum status status = races_ask(races, ASK_RACE, race, &judgement, &error);
    if (status == STATUS_OK && judgement.racy)
        status = find_kind(races, race, &outcomes, &error);
    if (status == STATUS_OK && details && race->kind != RACE_NONE)
        status = find_details(races, race, outcomes, &error);
    if (status == STATUS_OK)
        return;
    race->kind = RACE_NONE;
    race->unjudged = memory_copy(status == STATUS_LIMIT ? "the search for races takes too long" : error.text);
}

void race_release(struct race *race)
{
    judgement_release(&race->named);
    judgement_release(&race->outcomes);
    free(race->unjudged);
    *race = (struct race){.kind = RACE_NONE};
}

/* ---- in words ---- */

WORDS_OF(race_word, enum race_kind, "none", "unguarded", "lasting")

void race_describe(const struct race *race, struct text *text)
{
    const bool lasting = race->kind == RACE_LASTING;
    text_add(text, "%s in CUDA C++: ", lasting ? "Data race" : "Unguarded access");
    for (size_t i = 0; i < 2; i++) {
        const struct explained_event *access = race->accesses[i];
        text_add(text, "%sP%d", i ? " and " : "", access->thread);
        if (access->place.line > 0)
            text_add(text, " line %u", access->place.line);
        text_add(text, " (%s)", access->instruction ? access->instruction : access->what);
    }
    text_add(text,
             " access %s, nothing orders them, and they are not both atomic in scopes that include each other. %s",
             race->accesses[0]->location,
             lasting ? "So the compiler may break the test, with or without fences."
                     : "Only executions that do not see a flag have this race: a loop or a condition around the "
                       "flag's read removes it.");
    text_add(text, " It occurs with %zu outcome%s", race->outcome_count, race->outcome_count == 1 ? "" : "s");
    enum { SHOWN = 3 };
    size_t shown = 0;
    for (size_t i = 0; i < race->outcomes.outcome_count && shown < SHOWN; i++)
        if (race_occurs_with(&race->outcomes.outcomes[i])) {
            text_add(text, "%s", shown++ ? "', '" : ": '");
            litmus_print_outcome(race->test, race->outcomes.outcomes[i].values, text);
        }
    text_add(text, "'");
    if (race->outcome_count > shown)
        text_add(text, " and %zu more", race->outcome_count - shown);
}
