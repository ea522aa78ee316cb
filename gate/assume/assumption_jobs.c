// SPDX-License-Identifier: Apache-2.0
/* Which tests are assumptions, which violations are planted for them, and what is stored of their jobs. */
#include "gate/assume/assumptions.h"
#include "litmus/litmus.h"

static const double planted_seconds = 1;

/* ---- which ---- */

static const char *say(const struct litmus_test *test, const char *key)
{
    const char *words = litmus_metadata(test, key);
    return words ? words : "";
}

/* The planted violation: from the selection, to which a user's file may add it, else from the catalogue. */
static enum status find_planted(const struct selection *selection, const struct litmus_test *test,
                                struct assumptions *assumptions, const struct selected_test **planted,
                                struct error *error)
{
    struct selected_test *found = &assumptions->found[assumptions->found_count];
    char name[LITMUS_NAME_SIZE] = "";
    struct error why;
    const char *rest = NULL;
    (void)litmus_next_name(test, litmus_planted, &rest, name);
    *planted = selection_get(selection, name, test->dialect);
    if (!*planted && selection_find(selection, name, test->dialect, found, &why) == STATUS_OK) {
        assumptions->found_count++;
        *planted = found;
    }
    if (!*planted)
        return error_set(error, STATUS_USAGE,
                         "%s: Planted=%s: there is no such %s test; expected the test with the planted violation",
                         test->name, litmus_metadata(test, litmus_planted), litmus_dialect_name(test->dialect));
    if (litmus_forbids_witness((*planted)->test))
        return error_set(error, STATUS_USAGE,
                         "%s: Planted=%s says that its witness must never appear; expected a test that shows it",
                         test->name, name);
    return STATUS_OK;
}

/* Several assumptions may share a planted violation. */
static void assumption_add_test(struct selection *tests, const struct selected_test *test)
{
    if (!selection_get(tests, test->test->name, test->test->dialect))
        tests->tests[tests->count++] = *test;
}

enum status assumptions_choose(const struct selection *selection, struct assumptions *assumptions, struct error *error)
{
    struct arena *arena = &assumptions->arena;
    assumptions->list = arena_take(arena, selection->count, sizeof *assumptions->list);
    assumptions->found = arena_take(arena, selection->count, sizeof *assumptions->found);
    for (int half = 0; half < ASSUMPTION_HALVES; half++)
        assumptions->tests[half].tests = arena_take(arena, selection->count, sizeof *assumptions->tests[half].tests);
    for (size_t i = 0; i < selection->count; i++) {
        const struct litmus_test *test = selection->tests[i].test;
        const struct selected_test *planted;
        if (!litmus_metadata(test, litmus_planted))
            continue;
        TRY(find_planted(selection, test, assumptions, &planted, error));
        assumption_add_test(&assumptions->tests[ASSUMPTION_PLANTED], planted);
        assumption_add_test(&assumptions->tests[ASSUMPTION_ITSELF], &selection->tests[i]);
        assumptions->list[assumptions->count++] = (struct assumption){
            .dialect = test->dialect,
            .itself = {.test = test->name, .state = JOB_NOT_RUN, .reason = ""},
            .planted = {.test = planted->test->name, .state = JOB_NOT_RUN, .reason = ""},
            .assumes = say(test, "Assumes"),
            .relies = say(test, "Relies"),
            .promises = say(test, "Promises"),
            .instead = say(test, "Instead"),
            .promised = litmus_forbids_witness(test),
        };
    }
    if (assumptions->count > 0)
        return STATUS_OK;
    return error_set(
        error, STATUS_USAGE,
        "none of the tests is an assumption: expected tests with Planted= metadata, which names the test with the planted violation; `orchil list @assumptions` lists those of the catalogue");
}

void assumptions_release(struct assumptions *assumptions)
{
    for (size_t i = 0; i < assumptions->found_count; i++)
        selected_test_release(&assumptions->found[i]);
    for (int half = 0; half < ASSUMPTION_HALVES; half++)
        side_release(&assumptions->sides[half]);
    arena_release(&assumptions->arena);
    *assumptions = (struct assumptions){.count = 0};
}

enum status assumptions_plan(const struct assumptions *assumptions, enum assumption_half half,
                             struct run_options *options, struct run_plan *plan, struct error *error)
{
    if (half == ASSUMPTION_PLANTED) {
        options->seconds = planted_seconds;
        options->until = UNTIL_WITNESS;
    }
    TRY(run_plan_make(&assumptions->tests[half], &assumptions->device, 1, options->profile, NULL, RUN_LOWERING_USUAL,
                      false, plan, error));
    run_plan_refuse(plan);
    return STATUS_OK;
}

/* ---- what is stored ---- */

/* A forbidden outcome is a fault, except the witness: one that the specification rules out is an answer. */
static void assumption_take_job(const struct sample *sample, struct assumption_job *job)
{
    const struct store_job_row *row = &sample->row;
    job->state = row->state;
    job->reason = row->reason;
    job->not_kept = row->kept == TEST_NOT_KEPT ? row->kept_reason : NULL;
    job->instances = sample->counted;
    job->seconds = row->seconds;
    for (size_t i = 0; i < sample->outcome_count; i++) {
        const struct sample_outcome *outcome = &sample->outcomes[i];
        if (outcome->witness)
            job->witnesses += outcome->count;
        else if (outcome->ruling.fails)
            job->impossible += outcome->count;
    }
}

static enum status read_half(struct assumptions *assumptions, enum assumption_half half, struct error *error)
{
    const struct selector selector = {.database = assumptions->database, .run = assumptions->runs[half]};
    struct side *side = &assumptions->sides[half];
    const enum status status = selector.run > 0 ? side_read(&selector, side, error) : STATUS_OK;
    if (status != STATUS_OK)
        return status == STATUS_USAGE && assumptions->signal > 0 ? STATUS_OK : status; /* it came before the first
                                                                                        * job */
    side_gather(side, 0);
    for (size_t s = 0; s < side->sample_count; s++) {
        const struct sample *sample = &side->samples[s];
        for (size_t i = 0; i < assumptions->count; i++) {
            struct assumption *assumption = &assumptions->list[i];
            struct assumption_job *job = half == ASSUMPTION_PLANTED ? &assumption->planted : &assumption->itself;
            if (strcmp(job->test, sample->row.test) == 0 &&
                strcmp(litmus_dialect_name(assumption->dialect), sample->row.dialect) == 0)
                assumption_take_job(sample, job);
        }
        assumptions->profile = sample->row.profile;
        assumptions->environment = sample->row.environment_hash;
    }
    return STATUS_OK;
}

enum status assumptions_read(struct assumptions *assumptions, struct error *error)
{
    assumptions->profile = assumptions->environment = "";
    TRY(read_half(assumptions, ASSUMPTION_PLANTED, error));
    return read_half(assumptions, ASSUMPTION_ITSELF, error);
}
