// SPDX-License-Identifier: Apache-2.0
/* Protects: a part of a gate's suite runs as a separate run with the draws of the suite's run, a wanted control brings
 * its test, and an empty part runs nothing. The device is simulated; this program is also its worker. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "gate/gate_suite.h"
#include "kernel/target.h"
#include "results/results.h"
#include "runner/run/plan_run.h"
#include "runner/worker/worker.h"

static char folder[] = "/tmp/orchil-gate-suite.XXXXXX";

/* ---- who listens ---- */

static void hear_nothing(const char *line)
{
    (void)line;
}

static enum status select_tests(char *const *tests, size_t count, struct selection *selection, struct error *error)
{
    return selection_make(tests, count, kernel_judge, selection, error);
}

static void see_plan(const struct run_plan *plan)
{
    assert_true(plan->job_count > 0);
}

static enum status hear_job(const struct job_report *report, bool recalled, void *context, struct error *error)
{
    (void)report, (void)recalled, (void)context, (void)error;
    return STATUS_OK;
}

static void pass_progress(const struct run_progress *progress, void *context)
{
    (void)progress, (void)context;
}

static int run(const struct run_options *options, const struct run_plan *plan, struct run_result *result)
{
    const struct run_listener listener = {.job_ended = hear_job, .went_on = pass_progress};
    run_jobs(options, plan, &listener, result);
    return status_exit_code(result->status);
}

static const struct gate_listener listener = {
    .message = hear_nothing, .select = select_tests, .planned = see_plan, .run = run};

/* ---- the suite ---- */

struct fixture {
    struct gate_suite suite;
    struct store *store;
};

static bool has_name(const struct planned_job *job, void *context)
{
    return strcmp(job->test->test->name, context) == 0;
}

static int set_up(void **state)
{
    static struct fixture fixture;
    static char *tests[] = {(char *)(uintptr_t) "opencl:MP+relaxed", (char *)(uintptr_t) "opencl:SB+relaxed"};
    static char word[] = "orchil", none[] = "{}";
    static const struct provenance provenance = {word, word, word, none};
    static const struct gate_request request = {.device = "simulated",
                                                .database = "suite.db",
                                                .instances = 3000,
                                                .seed = 5,
                                                .seeded = true,
                                                .limits = {.open = 30, .build = 30, .batch = 30},
                                                .tests = tests,
                                                .test_count = 2,
                                                .listener = &listener,
                                                .provenance = &provenance};
    struct error error;
    fixture = (struct fixture){.store = NULL};
    if (gate_suite_make(&request, NULL, &fixture.suite, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    store_close(fixture->store);
    gate_suite_release(&fixture->suite);
    (void)unlink("suite.db"); /* not every test has run anything */
    return 0;
}

static int64_t run_all(struct gate_suite *suite)
{
    int64_t run_id;
    int code;
    assert_true(gate_suite_run(suite, 5, &run_id, &code));
    assert_int_equal(code, 0);
    return run_id;
}

static void list_counts(struct store *store, int64_t job_id, struct text *list, struct error *error)
{
    struct store_cursor counts;
    store_query(store, STORE_BATCH_OUTCOMES, job_id, &counts, error);
    while (store_next(&counts))
        text_add(list, "  batch %llu: %llu of %s\n", (unsigned long long)counts.number,
                 (unsigned long long)counts.count.count, counts.count.label);
    assert_int_equal(store_end(&counts, STATUS_OK), STATUS_OK);
}

/* The jobs of a run that have the key, or all: their keys, states and the counts of their batches, which on a simulated
 * device follow from the draws. */
static char *list_jobs(struct fixture *fixture, int64_t run_id, const char *key)
{
    struct error error;
    struct store_cursor jobs;
    struct text list = {0};
    if (!fixture->store && store_open("suite.db", STORE_READ, &fixture->store, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    store_query(fixture->store, STORE_JOBS, run_id, &jobs, &error);
    while (store_next(&jobs)) {
        if (key && strcmp(jobs.job.key, key) != 0)
            continue;
        text_add(&list, "%s %s %s\n", jobs.job.test, jobs.job.key, job_state_word(jobs.job.state));
        list_counts(fixture->store, jobs.job.job_id, &list, &error);
    }
    assert_int_equal(store_end(&jobs, STATUS_OK), STATUS_OK);
    return text_take(&list);
}

static void a_part_of_the_suite_draws_what_the_suite_draws(void **state)
{
    struct fixture *fixture = *state;
    struct gate_suite *suite = &fixture->suite;
    const char *key = suite->plan->jobs[suite->plan->units[1].first].key;
    char test[] = "SB+relaxed";
    int64_t part;
    int code;
    const int64_t whole = run_all(suite);
    assert_true(gate_suite_run_some(suite, has_name, test, 5, 0, &part, &code));
    assert_int_equal(code, 0);
    assert_int_not_equal(part, whole);
    char *expected = list_jobs(fixture, whole, key), *found = list_jobs(fixture, part, NULL);
    assert_non_null(strstr(expected, "batch 29"));
    assert_string_equal(found, expected);
    free(expected);
    free(found);
}

static void another_seed_draws_otherwise(void **state)
{
    struct fixture *fixture = *state;
    char test[] = "SB+relaxed";
    int64_t first, second;
    int code;
    assert_true(gate_suite_run_some(&fixture->suite, has_name, test, 5, 0, &first, &code));
    assert_true(gate_suite_run_some(&fixture->suite, has_name, test, 6, 0, &second, &code));
    char *one = list_jobs(fixture, first, NULL), *other = list_jobs(fixture, second, NULL);
    assert_string_not_equal(one, other);
    free(one);
    free(other);
}

static void a_wanted_control_brings_its_test(void **state)
{
    struct fixture *fixture = *state;
    char control[] = "SB+sc", test[] = "SB+relaxed";
    const size_t count = gate_suite_count_some(&fixture->suite, has_name, test);
    assert_int_equal(count, fixture->suite.plan->units[1].end - fixture->suite.plan->units[1].first);
    assert_true(count >= 2);
    assert_int_equal(gate_suite_count_some(&fixture->suite, has_name, control), count);
}

static void a_part_of_nothing_runs_nothing(void **state)
{
    struct fixture *fixture = *state;
    char none[] = "none";
    int64_t run_id = 7;
    int code = 7;
    (void)run_all(&fixture->suite); /* so that there is a file */
    assert_int_equal(gate_suite_count_some(&fixture->suite, has_name, none), 0);
    assert_false(gate_suite_run_some(&fixture->suite, has_name, none, 5, 0, &run_id, &code));
    assert_int_equal(run_id, 0);
    assert_int_equal(code, 0);
}

static void write_script(void)
{
    FILE *script = fopen("script.json", "we");
    if (!script ||
        fputs("{\"devices\": [{\"name\": \"Toy\", \"driver\": \"1\", \"uuid\": \"a\"}], \"tests\": {"
              "\"MP+relaxed\": {\"outcomes\": {\"1:r0=1; 1:r1=0;\": 0.05}},"
              "\"MP+rel+acq\": {\"outcomes\": {\"1:r0=1; 1:r1=0;\": 0}},"
              "\"SB+relaxed\": {\"outcomes\": {\"0:r0=0; 1:r0=0;\": 0.05}, \"variation\": 0.3},"
              "\"SB+sc\": {\"outcomes\": {\"0:r0=0; 1:r0=0;\": 0}},"
              "\"canary\": {\"outcomes\": {\"0:r0=42;\": 1}}}}",
              script) == EOF ||
        fclose(script) != 0)
        abort();
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_part_of_the_suite_draws_what_the_suite_draws, set_up, tear_down),
        cmocka_unit_test_setup_teardown(another_seed_draws_otherwise, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_wanted_control_brings_its_test, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_part_of_nothing_runs_nothing, set_up, tear_down),
    };
    if (argc > 1 && strcmp(argv[1], "worker") == 0)
        return worker_main(argc - 1, argv + 1);
    if (!mkdtemp(folder) || chdir(folder) != 0 || setenv("ORCHIL_SIMULATED", "script.json", 1) != 0)
        return 1;
    write_script();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    (void)unlink("script.json");
    (void)chdir("/");
    (void)rmdir(folder);
    return failed;
}
