// SPDX-License-Identifier: Apache-2.0
/* Protects the results of a job's batches: the tally (invalid batches never count), the object for scripts, the log
 * block for mcompare7, the text for people, the exit code, and the same numbers in the database. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <unistd.h>

#include "cli/export/export.h"
#include "cli/print/report_job.h"
#include "cli/print/run_output.h"
#include "runner/run/job_record.h"

static const struct count first_outcomes[] = {{"0:r0=0; 1:r0=1;", 70, false}, {"0:r0=0; 1:r0=0;", 20, true}};
static const struct count second_outcomes[] = {{"0:r0=0; 1:r0=0;", 5, true}, {"0:r0=1; 1:r0=1;", 94, false}};
static const struct count voids[] = {{"gave_up", 7, false}, {"unmet", 3, false}};
static const struct count more_voids[] = {{"gave_up", 1, false}};
static const struct batch batches[] = {
    {.number = 0,
     .instances = 100,
     .seconds = 0.5,
     .started = 0,
     .draw = "{}",
     .liveness = "{\"rounds\":1}",
     .outcomes = first_outcomes,
     .outcome_count = 2,
     .voids = voids,
     .void_count = 2},
    {.number = 1,
     .instances = 100,
     .seconds = 0.5,
     .started = 1,
     .draw = "{}",
     .liveness = "{}",
     .invalid = "it lied",
     .outcomes = second_outcomes,
     .outcome_count = 2,
     .voids = more_voids,
     .void_count = 1},
    {.number = 2,
     .instances = 100,
     .seconds = 0.5,
     .started = 2,
     .draw = "{}",
     .liveness = "{}",
     .outcomes = second_outcomes,
     .outcome_count = 2,
     .voids = more_voids,
     .void_count = 1},
};
enum { BATCHES = 3 };

static const char test_form[] = "OPENCL SB+test\n\"The doc line.\"\n{ x=0; y=0; }\n"
                                "P0@wg 0, dev 0 (global int* x, global int* y) { *x = 1; int r0 = *y; }\n"
                                "P1@wg 1, dev 0 (global int* x, global int* y) { *y = 1; int r0 = *x; }\n"
                                "%s (0:r0=0 /\\ 1:r0=0)\n";

/* A job that ended, with all that a report of it points to. */
struct subject {
    struct litmus_test *test, *controlled;
    struct tally tally;
    struct backend_device device;
    struct job_result result;
    struct job_report report;
};

static struct litmus_test *parse(const char *quantifier)
{
    char text[512];
    struct litmus_test *test;
    struct error error;
    const char *hole = strstr(test_form, "%s");
    (void)snprintf(text, sizeof text, "%.*s%s%s", (int)(hole - test_form), test_form, quantifier, hole + 2);
    assert_int_equal(litmus_parse("test", text, strlen(text), &test, &error), STATUS_OK);
    return test;
}

static void subject_start(struct subject *subject, const char *quantifier, enum job_state state, size_t batch_count)
{
    *subject = (struct subject){.test = parse(quantifier),
                                .device = {.backend = "simulated", .index = 1, .name = "A device", .driver = "1.2"},
                                .result = {.state = state}};
    for (size_t i = 0; i < batch_count; i++)
        tally_add(&subject->tally, &batches[i]);
    tally_sort(&subject->tally);
    subject->report = (struct job_report){.test = subject->test,
                                          .device = &subject->device,
                                          .compiler = subject->device.compiler,
                                          .result = &subject->result,
                                          .tally = &subject->tally,
                                          .run_id = 3,
                                          .seed = UINT64_MAX,
                                          .environment = "hash",
                                          .profile = "gpu",
                                          .lowering = "c11"};
}

static void subject_end(struct subject *subject)
{
    tally_release(&subject->tally);
    litmus_release(subject->test);
    litmus_release(subject->controlled);
}

/* ---- the tally ---- */

static void test_tally(void **state)
{
    struct subject subject;
    (void)state;
    subject_start(&subject, "exists", JOB_COMPLETED, BATCHES);
    const struct tally *tally = &subject.tally;
    assert_int_equal(tally->batches, 2);
    assert_int_equal(tally->invalid_batches, 1);
    assert_string_equal(tally->invalid, "it lied");
    assert_int_equal(tally->instances, 200);
    assert_int_equal(tally->void_instances, 11);
    assert_int_equal(tally->witnesses, 25);
    assert_true(tally->seconds == 2.5);
    assert_int_equal(tally->outcome_count, 3);
    assert_string_equal(tally->outcomes[0].label, "0:r0=1; 1:r0=1;");
    assert_string_equal(tally->outcomes[1].label, "0:r0=0; 1:r0=1;");
    assert_int_equal(tally->outcomes[2].count, 25);
    assert_true(tally->outcomes[2].witness && !tally->outcomes[0].witness);
    assert_int_equal(tally->void_count, 2);
    assert_int_equal(tally->voids[0].count, 8);
    subject_end(&subject);
}

static void test_tally_of_many(void **state)
{
    struct tally tally = {0};
    uint64_t sum = 0;
    (void)state;
    for (unsigned i = 0; i < 1000; i++) {
        char label[16];
        (void)snprintf(label, sizeof label, "%u", i * 7919 % 500);
        const struct count outcome = {label, i, i % 500 == 0};
        const struct batch batch = {.number = i, .instances = i, .outcomes = &outcome, .outcome_count = 1};
        tally_add(&tally, &batch);
    }
    tally_sort(&tally);
    assert_int_equal(tally.outcome_count, 500);
    for (size_t i = 0; i < tally.outcome_count; i++) {
        sum += tally.outcomes[i].count;
        assert_true(i == 0 || tally.outcomes[i - 1].count >= tally.outcomes[i].count);
    }
    assert_int_equal(sum, 1000 * 999 / 2);
    tally_release(&tally);
}

/* ---- for scripts ---- */

static void test_json(void **state)
{
    static const struct {
        const char *key;
        json_type type;
    } fields[] = {{"test", JSON_STRING},     {"backend", JSON_STRING},    {"device", JSON_STRING},
                  {"driver", JSON_STRING},   {"state", JSON_STRING},      {"condition", JSON_STRING},
                  {"run", JSON_INTEGER},     {"marks", JSON_ARRAY},       {"control", JSON_FALSE},
                  {"batches", JSON_INTEGER}, {"instances", JSON_INTEGER}, {"void", JSON_INTEGER},
                  {"void_by", JSON_OBJECT},  {"witnesses", JSON_INTEGER}, {"seconds", JSON_REAL},
                  {"outcomes", JSON_ARRAY},  {"model", JSON_NULL}};
    struct subject subject;
    (void)state;
    subject_start(&subject, "exists", JOB_COMPLETED, BATCHES);
    subject.report.seed = 7;
    json_t *object = report_job_json(&subject.report);
    assert_non_null(object);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        const json_t *field = json_object_get(object, fields[i].key);
        if (!field || json_typeof(field) != fields[i].type)
            fail_msg("%s", fields[i].key);
    }
    assert_string_equal(json_string_value(json_object_get(object, "test")), "SB+test");
    assert_string_equal(json_string_value(json_object_get(object, "state")), "completed");
    assert_string_equal(json_string_value(json_object_get(object, "condition")), "exists (0:r0=0 /\\ 1:r0=0)");
    assert_int_equal(json_integer_value(json_object_get(object, "seed")), 7);
    assert_int_equal(json_integer_value(json_object_get(object, "instances")), 200);
    assert_int_equal(json_integer_value(json_object_get(object, "void")), 11);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(object, "void_by"), "unmet")), 3);
    const json_t *last = json_array_get(json_object_get(object, "outcomes"), 2);
    assert_string_equal(json_string_value(json_object_get(last, "outcome")), "0:r0=0; 1:r0=0;");
    assert_int_equal(json_integer_value(json_object_get(last, "count")), 25);
    assert_true(json_is_true(json_object_get(last, "witness")));
    assert_true(json_is_null(json_object_get(last, "verdict")));
    json_decref(object);
    subject_end(&subject);
}

static void test_json_of_control(void **state)
{
    struct subject subject;
    (void)state;
    subject_start(&subject, "exists", JOB_HANG, 0);
    subject.controlled = parse("exists");
    subject.report.controlled = subject.controlled;
    subject.report.marks = MARK_UNDECLARED | MARK_NOT_CO_RESIDENT;
    json_t *object = report_job_json(&subject.report);
    assert_true(json_is_true(json_object_get(object, "control")));
    assert_string_equal(json_string_value(json_object_get(object, "state")), "hang");
    json_t *marks = json_pack("[s, s]", "undeclared", "not-co-resident");
    assert_true(json_equal(json_object_get(object, "marks"), marks));
    assert_int_equal(json_array_size(json_object_get(object, "outcomes")), 0);
    json_decref(marks);
    json_decref(object);
    subject_end(&subject);
}

/* ---- for the herd family ---- */

static void check_log(const char *quantifier, const char *kind, const char *verdict, const char *condition)
{
    struct subject subject;
    struct text text = {0}, expected = {0};
    char hash[65];
    const bool exists = strcmp(quantifier, "exists") == 0, forall = strcmp(quantifier, "forall") == 0;
    subject_start(&subject, quantifier, JOB_COMPLETED, BATCHES);
    litmus_hash(subject.test, hash);
    export_log_block(&subject.report, &text);
    text_add(&expected,
             "Test SB+test %s\nHistogram (3 states)\n94      :>0:r0=1; 1:r0=1;\n70      :>0:r0=0; 1:r0=1;\n"
             "25      *>0:r0=0; 1:r0=0;\n%s\n\nWitnesses\nPositive: %d, Negative: %d\n"
             "Condition %s (0:r0=0 /\\ 1:r0=0) is %svalidated\nHash=%s\nObservation SB+test Sometimes %d %d\n"
             "Device=simulated:1\nTime SB+test 2.50\n\n",
             kind, verdict, exists ? 25 : 164, exists ? 164 : 25, quantifier, condition, hash, forall ? 164 : 25,
             forall ? 25 : 164);
    assert_string_equal(text_string(&text), text_string(&expected));
    text_release(&text);
    text_release(&expected);
    subject_end(&subject);
}

static void test_log(void **state)
{
    (void)state;
    check_log("exists", "Allowed", "Ok", "");
    check_log("~exists", "Forbidden", "No", "NOT ");
    check_log("forall", "Required", "No", "NOT ");
}

/* A job without counts must not look like one without witnesses. */
static void test_log_of_nothing(void **state)
{
    struct subject subject;
    struct text text = {0};
    (void)state;
    subject_start(&subject, "~exists", JOB_UNSUPPORTED, 0);
    export_log_block(&subject.report, &text);
    assert_string_equal(text_string(&text), "");
    subject_end(&subject);
}

/* ---- for people ---- */

static void test_text(void **state)
{
    struct subject subject;
    struct text text = {0};
    (void)state;
    subject_start(&subject, "~exists", JOB_COMPLETED, BATCHES);
    report_job_text(&subject.report, &(struct report_form){.colours = false}, &text);
    assert_non_null(strstr(text_string(&text), "SB+test (OPENCL) on simulated:1 A device\n  The doc line.\n"));
    assert_non_null(strstr(text_string(&text), "  25     1.323e-01  *  0:r0=0; 1:r0=0;\n"));
    assert_non_null(strstr(text_string(&text), "25 of 189 instances"));
    assert_non_null(strstr(text_string(&text), "This outcome must never appear"));
    assert_non_null(strstr(text_string(&text), "11 void (8 gave_up: "));
    assert_non_null(strstr(text_string(&text), "1 batches are invalid and left out: it lied"));
    assert_null(strchr(text_string(&text), '\033'));
    text_clear(&text);
    report_job_text(&subject.report, &(struct report_form){.colours = true}, &text);
    assert_non_null(strchr(text_string(&text), '\033'));
    text_release(&text);
    subject_end(&subject);
}

/* The blocks of a run say once whom to suspect, and how far batches lie apart. */
static void test_told_once(void **state)
{
    static const char suspicion[] = "suspect orchil first";
    struct subject subject;
    struct report_before before = {.lines = {0}};
    struct text text = {0};
    (void)state;
    subject_start(&subject, "~exists", JOB_COMPLETED, BATCHES);
    const struct report_form form = {.before = &before};
    report_job_text(&subject.report, &form, &text);
    assert_non_null(strstr(text_string(&text), suspicion));
    assert_non_null(strstr(text_string(&text), "from 5.1e-02 to 2.2e-01 per instance in 2 batches"));
    text_clear(&text);
    report_job_text(&subject.report, &form, &text);
    assert_null(strstr(text_string(&text), suspicion));
    assert_non_null(strstr(text_string(&text), "This outcome must never appear"));
    subject_end(&subject);
    subject_start(&subject, "exists", JOB_COMPLETED, 1);
    text_clear(&text);
    report_job_text(&subject.report, &form, &text);
    assert_non_null(strstr(text_string(&text), "One batch does not show how much this rate varies"));
    text_release(&text);
    text_release(&before.lines);
    subject_end(&subject);
}

static int exit_code_of(const char *quantifier, enum job_state first, enum job_state second)
{
    struct summary summary = {0};
    struct subject subject;
    subject_start(&subject, quantifier, first, first == JOB_COMPLETED ? 1 : 0);
    summary_add(&summary, &subject.report);
    subject.result.state = second;
    summary_add(&summary, &subject.report);
    const int code = summary_exit_code(&summary);
    summary_release(&summary);
    subject_end(&subject);
    return code;
}

static void test_exit_codes(void **state)
{
    static const int codes[JOB_STATE_COUNT] = {[JOB_BUILD_FAILED] = 4, [JOB_HANG] = 4,    [JOB_CRASH] = 4,
                                               [JOB_DEVICE_LOST] = 4,  [JOB_NOT_RUN] = 4, [JOB_INVALID] = 3};
    (void)state;
    for (int other = 0; other < JOB_STATE_COUNT; other++) {
        if (other == JOB_INTERRUPTED)
            continue; /* the signal gives the code */
        assert_int_equal(exit_code_of("exists", JOB_COMPLETED, (enum job_state)other), codes[other]);
        assert_int_equal(exit_code_of("~exists", JOB_COMPLETED, (enum job_state)other), 1);
    }
    assert_int_equal(exit_code_of("exists", JOB_UNSUPPORTED, JOB_UNSUPPORTED), 3);
    assert_int_equal(exit_code_of("~exists", JOB_UNSUPPORTED, JOB_UNSUPPORTED), 3);
}

/* A job left out for lack of time is not a device fault: the result is incomplete. */
static void a_spent_budget_is_no_failure(void **state)
{
    struct summary summary = {0};
    struct subject subject;
    (void)state;
    subject_start(&subject, "exists", JOB_COMPLETED, 1);
    summary_add(&summary, &subject.report);
    subject.result.state = JOB_NOT_RUN;
    subject.report.spent = true;
    summary_add(&summary, &subject.report);
    assert_int_equal(summary_exit_code(&summary), 3);
    subject.report.spent = false;
    summary_add(&summary, &subject.report);
    assert_int_equal(summary_exit_code(&summary), 4);
    summary_release(&summary);
    subject_end(&subject);
}

/* ---- the database ---- */

struct wanted {
    const struct tally *tally;
    unsigned jobs, outcomes;
};

static void compare_job(const struct store_job_row *row, struct wanted *wanted)
{
    assert_string_equal(row->test, "SB+test");
    assert_int_equal(row->state, JOB_INVALID);
    assert_int_equal(row->marks, MARK_UNDECLARED | MARK_NOT_CO_RESIDENT);
    assert_int_equal(row->batches, wanted->tally->batches);
    assert_int_equal(row->instances, wanted->tally->instances);
    assert_int_equal(row->voids, wanted->tally->void_instances);
    assert_true(row->seed == UINT64_MAX);
    wanted->jobs++;
}

static void compare_outcome(const struct count *outcome, struct wanted *wanted)
{
    assert_true(wanted->outcomes < wanted->tally->outcome_count);
    const struct count *row = &wanted->tally->outcomes[wanted->outcomes++];
    assert_string_equal(outcome->label, row->label);
    assert_int_equal(outcome->count, row->count);
    assert_int_equal(outcome->witness, row->witness);
}

static void record_all(struct store *store, int64_t *job_id)
{
    const struct store_run run = {"0.1.0", "orchil run", "host", "{}", UINT64_MAX, false};
    const struct build build = {.kernel = "kernel",
                                .binary = "",
                                .log = "",
                                .seconds = 1,
                                .resident_groups = 2,
                                .marks = MARK_UNDECLARED | MARK_NOT_CO_RESIDENT,
                                .lowering = "c11"};
    struct store_job job = {.device = {.backend = "simulated",
                                       .name = "A device",
                                       .vendor = "",
                                       .uuid = "",
                                       .architecture = "",
                                       .platform = "",
                                       .driver = "1",
                                       .compiler = "",
                                       .capabilities = "{}"},
                            .test = {"OPENCL", "SB+test", "hash", "text", "exists (...)", ""},
                            .environment = {"hash", "{}", "gpu"},
                            .key = "key",
                            .seed = UINT64_MAX,
                            .controls = ""};
    struct job_record record = {.store = store};
    struct error error;
    assert_int_equal(store_begin_run(store, &run, &job.run_id, &error), STATUS_OK);
    assert_int_equal(store_begin_job(store, &job, &record.job_id, &error), STATUS_OK);
    assert_int_equal(store_add_build(record.store, record.job_id, &build, &error), STATUS_OK);
    for (size_t i = 0; i < BATCHES; i++)
        assert_int_equal(job_record_batch(&record, &batches[i], &error), STATUS_OK);
    assert_int_equal(job_record_flush(&record, &error), STATUS_OK);
    assert_int_equal(job_record_flush(&record, &error), STATUS_OK); /* nothing is stored twice */
    *job_id = record.job_id;
    job_record_release(&record);
    assert_int_equal(store_finish_job(store, *job_id, JOB_INVALID, "", "", 2.5, &error), STATUS_OK);
}

static void test_record(void **state)
{
    char folder[] = "/tmp/orchil-record.XXXXXX", path[64];
    struct subject subject;
    struct store *store;
    struct text findings = {0};
    struct error error;
    int64_t job_id;
    (void)state;
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/record.db", folder);
    subject_start(&subject, "exists", JOB_INVALID, BATCHES);
    struct wanted wanted = {.tally = &subject.tally};
    assert_int_equal(store_open(path, STORE_WRITE, &store, &error), STATUS_OK);
    record_all(store, &job_id);
    struct store_cursor cursor;
    store_query(store, STORE_JOBS, 0, &cursor, &error);
    while (store_next(&cursor))
        compare_job(&cursor.job, &wanted);
    assert_int_equal(store_end(&cursor, STATUS_OK), STATUS_OK);
    store_query(store, STORE_OUTCOMES, job_id, &cursor, &error);
    uint64_t witnesses = 0;
    while (store_next(&cursor)) {
        compare_outcome(&cursor.count, &wanted);
        witnesses += cursor.count.witness ? cursor.count.count : 0;
    }
    assert_int_equal(witnesses, wanted.tally->witnesses);
    assert_int_equal(store_end(&cursor, STATUS_OK), STATUS_OK);
    assert_int_equal(wanted.jobs, 1);
    assert_int_equal(wanted.outcomes, 3);
    assert_int_equal(store_check(store, &findings, &error), STATUS_OK);
    assert_string_equal(text_string(&findings), "");
    text_release(&findings);
    store_close(store);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
    subject_end(&subject);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tally),
        cmocka_unit_test(test_tally_of_many),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_json_of_control),
        cmocka_unit_test(test_log),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_told_once),
        cmocka_unit_test(test_exit_codes),
        cmocka_unit_test(a_spent_budget_is_no_failure),
        cmocka_unit_test(test_record),
        cmocka_unit_test(test_log_of_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
