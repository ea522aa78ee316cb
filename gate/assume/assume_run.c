// SPDX-License-Identifier: Apache-2.0
/* Running assumptions and their planted violations. */
#include "gate/assume/assume_run.h"

#include <string.h>

static const double planted_seconds = 1; /* enough for a planted violation, which is frequent */

/* ---- which ---- */

static const char *say(const struct litmus_test *test, const char *key)
{
    const char *words = litmus_metadata(test, key);
    return words ? words : "";
}

static bool assume_run_is_named(const struct litmus_test *test, const char *name, enum litmus_dialect dialect)
{
    return test->dialect == dialect && strcmp(test->name, name) == 0;
}

/* The planted violation: from the selection, to which a user's file may add it, else from the catalogue. */
static enum status find_named(const struct selection *selection, const char *name, enum litmus_dialect dialect,
                              struct assume_pair *pair, struct error *error)
{
    for (size_t i = 0; i < selection->count; i++)
        if (assume_run_is_named(selection->tests[i].test, name, dialect)) {
            pair->planted = selection->tests[i];
            pair->borrowed = true;
            return STATUS_OK;
        }
    return selection_find(selection, name, dialect, &pair->planted, error);
}

static enum status find_planted(const struct selection *selection, const struct selected_test *test,
                                struct assume_pair *pair, struct error *error)
{
    char name[LITMUS_NAME_SIZE];
    struct error why;
    const char *rest = NULL;
    *pair = (struct assume_pair){.test = test};
    if (!litmus_next_name(test->test, litmus_planted, &rest, name) ||
        find_named(selection, name, test->test->dialect, pair, &why) != STATUS_OK)
        return error_set(error, STATUS_USAGE,
                         "%s: Planted=%s: there is no such %s test; expected the test with the planted violation",
                         test->test->name, litmus_metadata(test->test, litmus_planted),
                         litmus_dialect_name(test->test->dialect));
    if (litmus_forbids_witness(pair->planted.test))
        return error_set(error, STATUS_USAGE,
                         "%s: Planted=%s says that its witness must never appear; expected a test that shows it",
                         test->test->name, name);
    return STATUS_OK;
}

static struct assumption assume_run_describe(const struct assume_pair *pair)
{
    const struct litmus_test *test = pair->test->test;
    return (struct assumption){
        .itself = {.test = test->name, .state = JOB_NOT_RUN, .reason = ""},
        .planted = {.test = pair->planted.test->name, .state = JOB_NOT_RUN, .reason = ""},
        .assumes = say(test, "Assumes"),
        .relies = say(test, "Relies"),
        .promises = say(test, "Promises"),
        .instead = say(test, "Instead"),
        .promised = litmus_forbids_witness(test),
    };
}

enum status assume_choose(const struct selection *selection, struct assume_tests *tests, struct error *error)
{
    tests->pairs = arena_take(&tests->arena, selection->count + 1, sizeof *tests->pairs);
    tests->list = arena_take(&tests->arena, selection->count + 1, sizeof *tests->list);
    for (size_t i = 0; i < selection->count; i++) {
        if (!litmus_metadata(selection->tests[i].test, litmus_planted))
            continue;
        struct assume_pair *pair = &tests->pairs[tests->count++];
        TRY(find_planted(selection, &selection->tests[i], pair, error));
        tests->list[tests->count - 1] = assume_run_describe(pair);
    }
    if (tests->count > 0)
        return STATUS_OK;
    return error_set(
        error, STATUS_USAGE,
        "none of the tests is an assumption: expected tests with Planted= metadata, which names the test with the planted violation; `orchil list @assumptions` lists those of the catalogue");
}

void assume_release(struct assume_tests *tests)
{
    for (size_t i = 0; i < tests->count; i++)
        if (!tests->pairs[i].borrowed)
            selected_test_release(&tests->pairs[i].planted);
    arena_release(&tests->arena);
    *tests = (struct assume_tests){.count = 0};
}

/* ---- running ---- */

struct assume_collector {
    struct assume_tests *tests;
    enum assume_half half;
    const struct assume_listener *listener;
    const char *profile, *environment;
};

static const struct litmus_test *test_of(const struct assume_pair *pair, enum assume_half half)
{
    return half == ASSUME_PLANTED ? pair->planted.test : pair->test->test;
}

/* Counts forbidden outcomes except the witness: a witness that the specification rules out is an answer. */
static uint64_t count_impossible(const struct job_report *report)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < report->tally->outcome_count; i++) {
        const struct count *row = &report->tally->outcomes[i];
        if (!row->witness && report_ruling(report, row).fails)
            sum += row->count;
    }
    return sum;
}

static void note_job(const struct job_report *report, struct arena *arena, struct assumption_job *job)
{
    const struct tally *tally = report->tally;
    job->state = report->result->state;
    job->reason = arena_copy(arena, report->result->reason);
    job->not_kept = report->kept == TEST_NOT_KEPT ? arena_copy(arena, report->kept_reason) : NULL;
    job->witnesses = tally->witnesses;
    job->impossible = count_impossible(report);
    job->instances = tally->instances - tally->void_instances;
    job->seconds = tally->seconds;
}

/* Several assumptions may share a planted violation. */
static enum status collect_job(const struct job_report *report, bool recalled, void *context, struct error *error)
{
    struct assume_collector *collector = context;
    struct assume_tests *tests = collector->tests;
    (void)recalled, (void)error;
    for (size_t i = 0; i < tests->count; i++)
        if (assume_run_is_named(test_of(&tests->pairs[i], collector->half), report->test->name, report->test->dialect))
            note_job(report, &tests->arena,
                     collector->half == ASSUME_PLANTED ? &tests->list[i].planted : &tests->list[i].itself);
    collector->profile = arena_copy(&tests->arena, report->profile);
    collector->environment = arena_copy(&tests->arena, report->environment);
    return STATUS_OK;
}

static void pass_progress(const struct run_progress *progress, void *context)
{
    const struct assume_collector *collector = context;
    collector->listener->went_on(progress, collector->half, collector->listener->context);
}

/* The tests of one half, each once. Their owners stay the same. */
static struct selection gather(struct assume_tests *tests, enum assume_half half)
{
    struct selection selection = {.tests = arena_take(&tests->arena, tests->count, sizeof *selection.tests)};
    for (size_t i = 0; i < tests->count; i++) {
        const struct litmus_test *test = test_of(&tests->pairs[i], half);
        bool known = false;
        for (size_t k = 0; k < selection.count && !known; k++)
            known = assume_run_is_named(selection.tests[k].test, test->name, test->dialect);
        if (!known)
            selection.tests[selection.count++] =
                half == ASSUME_PLANTED ? tests->pairs[i].planted : *tests->pairs[i].test;
    }
    return selection;
}

enum status assume_run(struct assume_tests *tests, enum assume_half half, const struct backend_device *device,
                       const struct run_options *options, const struct assume_listener *listener,
                       struct run_result *result, const char **profile, const char **environment, struct error *error)
{
    const struct selection selection = gather(tests, half);
    struct assume_collector collector = {
        .tests = tests, .half = half, .listener = listener, .profile = "", .environment = ""};
    const struct run_listener of_run = {.job_ended = collect_job, .went_on = pass_progress, .context = &collector};
    struct run_options of_half = *options;
    struct run_plan plan = {.job_count = 0};
    if (half == ASSUME_PLANTED) {
        of_half.seconds = planted_seconds;
        of_half.until = UNTIL_WITNESS;
    }
    enum status status =
        run_plan_make(&selection, &device, 1, options->profile, NULL, RUN_LOWERING_USUAL, false, &plan, error);
    if (status == STATUS_OK) {
        run_plan_refuse(&plan);
        run_jobs(&of_half, &plan, &of_run, result);
        status = result->status;
        *error = result->error;
    }
    run_plan_release(&plan);
    *profile = collector.profile;
    *environment = collector.environment;
    return status;
}
