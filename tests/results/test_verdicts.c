// SPDX-License-Identifier: Apache-2.0
/* Protects: verdicts are read back with their outcomes, contradictions are refused whole, and the published columns
 * keep their places. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "tests/results/fixture.h"

static void refused(struct store *store, int64_t job, const struct store_judgement *judgement, const char *text)
{
    struct error error;
    const enum status status = store_put_judgement(store, job, judgement, &error);
    assert_string_equal(status == STATUS_OK ? "(accepted)" : error.text, text);
    assert_int_equal(status, STATUS_INTERNAL);
}

static void add(struct store *store, int64_t job, const struct store_judgement *judgement)
{
    struct error error;
    fixture_ok(store_put_judgement(store, job, judgement, &error), &error);
}

/* A new job with two batches, whose counts are 2001, 6 (the witness) and 1000. */
static int64_t begin(struct store *store)
{
    struct error error;
    const int64_t job = fixture_begin_job(store, fixture_begin_run(store, 1), "SB");
    fixture_ok(fixture_add(store, job, 0, 2, &error), &error);
    return job;
}

/* Checks the verdict columns of a job, a line per outcome, most frequent first, and its number of forbidden
 * outcomes. */
static void expect(int64_t job, const char *lines, int64_t forbidden)
{
    char sql[512], text[512];
    (void)snprintf(sql, sizeof sql,
                   "SELECT group_concat(line, x'0a') FROM (SELECT format('%%d %%s %%s %%s %%s %%s', count, "
                   "coalesce(source_model, '-'), coalesce(source_verdict, '-'), coalesce(target_model, '-'), "
                   "coalesce(target_verdict, '-'), coalesce(axiom, '-')) AS line FROM v_outcome WHERE job = %d "
                   "ORDER BY count DESC)",
                   (int)job);
    fixture_text(FIXTURE_DB, sql, text, sizeof text);
    assert_string_equal(text, lines);
    (void)snprintf(sql, sizeof sql, "SELECT forbidden FROM v_job WHERE job = %d", (int)job);
    assert_int_equal(fixture_number(FIXTURE_DB, sql), forbidden);
}

/* Checks what one store shows of a job: forbidden in v_job, and the verdict and the model's hash of its witness. */
static void expect_shown(struct store *store, int64_t job, int64_t forbidden, enum verdict verdict, const char *hash)
{
    struct error error;
    struct arena arena = {0};
    struct store_judgements judgements;
    struct store_cursor cursor;
    fixture_ok(store_load_judgements(store, job, &arena, &judgements, &error), &error);
    assert_string_equal(judgements.source.model_hash, hash);
    assert_int_equal(judgements.source.verdicts[0].verdict, verdict);
    arena_release(&arena);
    store_query_view(store, &(struct store_wanted){STORE_VIEW_JOBS, 0, job}, &cursor, &error);
    assert_true(store_next(&cursor));
    for (size_t i = 0; i < cursor.row.count; i++)
        if (strcmp(cursor.row.cells[i].column, "forbidden") == 0)
            assert_int_equal(cursor.row.cells[i].integer, forbidden);
    fixture_ok(store_end(&cursor, STATUS_OK), &error);
}

/* A reader that judges again sees the new judgement in every way of reading; nobody else does. */
static void test_judged_again(void **state)
{
    (void)state;
    struct store *store = fixture_open(STORE_WRITE);
    struct error error;
    static const struct store_verdict changed[] = {{"0:r0=0; 1:r1=0;", VERDICT_FORBIDDEN, "order"}};
    struct store_judgement source = fixture_judgement("source"), again = source;
    const int64_t job = begin(store), other = begin(store);
    size_t count;
    add(store, job, &source);
    add(store, other, &source);
    again.model_hash = "fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210";
    again.verdicts = changed;
    again.verdict_count = 1;
    assert_int_equal(store_rejudge(store, job, &again, &error), STATUS_INTERNAL);
    store_close(store);

    store = fixture_open(STORE_READ);
    struct store *second = fixture_open(STORE_READ);
    expect_shown(store, job, 0, VERDICT_WEAK, source.model_hash);
    fixture_ok(store_rejudge(store, job, &again, &error), &error);
    fixture_ok(store_rejudge(store, job, &again, &error), &error); /* it replaces itself too */
    expect_shown(store, job, 6, VERDICT_FORBIDDEN, again.model_hash);
    expect_shown(store, other, 0, VERDICT_WEAK, source.model_hash);
    expect_shown(second, job, 0, VERDICT_WEAK, source.model_hash);
    again.verdict_count = 0;
    assert_int_equal(store_rejudge(store, job, &again, &error), STATUS_INTERNAL);
    expect_shown(store, job, 6, VERDICT_FORBIDDEN, "fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210");
    assert_int_equal(fixture_number(FIXTURE_DB, "SELECT count(*) FROM verdict WHERE axiom = 'order'"), 0);

    assert_null(store_changes(store, &count));
    store_note_change(store,
                      &(struct store_change){.model = "ptx", .stored_hash = "a", .hash = "b", .judged = 2, .why = ""});
    assert_string_equal(store_changes(store, &count)[0].model, "ptx");
    assert_int_equal(count, 1);
    store_close(second);
    store_close(store);
}

static void test_verdicts_come_back(void **state)
{
    (void)state;
    struct store *store = fixture_open(STORE_WRITE);
    struct error error;
    const struct store_judgement source = fixture_judgement("source"), target = fixture_judgement("target");
    const int64_t job = begin(store), other = begin(store);
    expect(job, "2001 - - - - -\n1000 - - - - -\n6 - - - - -", 0);
    add(store, job, &source);
    expect(job, "2001 opencl sc - - -\n1000 opencl - - - -\n6 opencl weak - - -", 0);
    fixture_ok(store_finish_job(store, job, JOB_COMPLETED, "", "", 1, &error), &error);
    add(store, job, &target); /* a job that has ended can still be judged */
    expect(job, "2001 opencl sc ptx sc -\n1000 opencl - ptx - -\n6 opencl weak ptx forbidden causality", 6);
    expect(other, "2001 - - - - -\n1000 - - - - -\n6 - - - - -", 0);
    store_close(store);

    char text[256];
    fixture_text(FIXTURE_DB,
                 "SELECT group_concat(label || verdict || axiom, ' ') FROM verdict JOIN judgement g ON "
                 "g.id = judgement_id WHERE g.role = 'target'",
                 text, sizeof text);
    assert_string_equal(text, "0:r0=0; 1:r1=0;forbiddencausality 0:r0=1; 1:r1=1;sc 0:r0=7; 1:r1=7;forbiddenthin-air");
    fixture_sound(FIXTURE_DB);
}

static void test_target_overrules_source(void **state)
{
    (void)state;
    struct store *store = fixture_open(STORE_WRITE);
    static const struct store_verdict of_source[] = {{"0:r0=1; 1:r1=1;", VERDICT_FORBIDDEN, "coherence"},
                                                     {"0:r0=0; 1:r1=1;", VERDICT_FORBIDDEN, "atomicity"},
                                                     {"0:r0=0; 1:r1=0;", VERDICT_FORBIDDEN, "coherence"}};
    static const struct store_verdict of_target[] = {{"0:r0=1; 1:r1=1;", VERDICT_UNSPECIFIED, ""},
                                                     {"0:r0=0; 1:r1=0;", VERDICT_FORBIDDEN, "causality"}};
    struct store_judgement source = fixture_judgement("source"), target = fixture_judgement("target");
    source.verdicts = of_source;
    target.verdicts = of_target;
    target.verdict_count = 2;
    const int64_t job = begin(store);
    add(store, job, &source);
    add(store, job, &target);
    expect(job,
           "2001 opencl forbidden ptx unspecified -\n"
           "1000 opencl forbidden ptx - atomicity\n"
           "6 opencl forbidden ptx forbidden causality",
           1006);
    store_close(store);
}

/* A judgement without verdicts names no model in v_outcome, so a model there means that the model could have listed the
 * outcome. */
static void test_unjudged(void **state)
{
    (void)state;
    struct store *store = fixture_open(STORE_WRITE);
    const struct store_judgement unjudged = {.role = "target",
                                             .model = "ptx",
                                             .model_hash = FIXTURE_MODEL_HASH,
                                             .unjudged = "more than 64 events",
                                             .cut = "",
                                             .racy = true};
    struct store_judgement source = fixture_judgement("source");
    const int64_t job = begin(store);
    add(store, job, &unjudged);
    expect(job, "2001 - - - - -\n1000 - - - - -\n6 - - - - -", 0);
    static const struct store_verdict of_source[] = {{"0:r0=0; 1:r1=0;", VERDICT_FORBIDDEN, ""}};
    source.verdicts = of_source;
    source.verdict_count = 1;
    add(store, job, &source);
    expect(job, "2001 opencl - - - -\n1000 opencl - - - -\n6 opencl forbidden - - -", 6);
    store_close(store);

    char text[128];
    fixture_text(FIXTURE_DB,
                 "SELECT group_concat(format('%d %s %s [%s] %d %d', job, role, model, unjudged, complete, racy), '; ') "
                 "FROM (SELECT * FROM v_judgement ORDER BY role)",
                 text, sizeof text);
    assert_string_equal(text, "1 source opencl [] 1 0; 1 target ptx [more than 64 events] 0 1");
}

static void test_invalid_batches_are_not_forbidden(void **state)
{
    (void)state;
    struct store *store = fixture_open(STORE_WRITE);
    struct error error;
    struct fixture_batch sample;
    const struct store_judgement target = fixture_judgement("target");
    const int64_t job = begin(store);
    fixture_batch(&sample, 2);
    sample.batch.invalid = "the stress did nothing";
    fixture_ok(store_add_batches(store, job, &sample.batch, 1, &error), &error);
    add(store, job, &target);
    expect(job, "2001 - - ptx sc -\n1000 - - ptx - -\n6 - - ptx forbidden causality", 6);
    store_close(store);
}

static void test_contradictions_are_refused(void **state)
{
    (void)state;
    struct store *store = fixture_open(STORE_WRITE);
    const struct store_judgement sound = fixture_judgement("source");
    const int64_t job = begin(store);
    struct store_judgement wrong = sound;
    wrong.verdict_count = 0;
    refused(store, job, &wrong,
            "results.db: storing the source judgement of job 1 failed: there is neither a verdict nor a reason");
    wrong = sound;
    wrong.unjudged = "too long";
    refused(store, job, &wrong,
            "results.db: storing the source judgement of job 1 failed: there are both verdicts and a reason for having "
            "none");
    refused(store, 99, &sound, "results.db: storing the source judgement of job 99 failed: there is no such job");
    wrong = sound;
    wrong.role = "both";
    refused(store, job, &wrong,
            "results.db: storing the both judgement of job 1 failed: it contradicts what is stored (CHECK constraint "
            "failed: role IN ('source', 'target'))");
    wrong = sound;
    wrong.model = "";
    refused(store, job, &wrong,
            "results.db: storing the source judgement of job 1 failed: it contradicts what is stored (CHECK constraint "
            "failed: model <> '')");

    static const struct {
        struct store_verdict verdicts[2];
        const char *constraint;
    } lists[] = {
        {{{"a", VERDICT_SC, ""}, {"a", VERDICT_WEAK, ""}},
         "UNIQUE constraint failed: verdict.judgement_id, verdict.label"},
        {{{"a", VERDICT_SC, ""}, {"b", VERDICT_NONE, ""}}, "NOT NULL constraint failed: verdict.verdict"},
        {{{"a", VERDICT_SC, ""}, {"b", VERDICT_WEAK, "causality"}},
         "CHECK constraint failed: axiom = '' OR verdict = 'forbidden'"},
        {{{"a", VERDICT_SC, ""}, {"", VERDICT_WEAK, ""}}, "CHECK constraint failed: label <> ''"},
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        char text[256];
        wrong = sound;
        wrong.verdicts = lists[i].verdicts;
        wrong.verdict_count = 2;
        (void)snprintf(text, sizeof text,
                       "results.db: storing the source judgement of job 1 failed: it contradicts what is stored (%s)",
                       lists[i].constraint);
        refused(store, job, &wrong, text);
    }
    assert_int_equal(fixture_number(FIXTURE_DB, "SELECT count(*) FROM judgement"), 0);
    assert_int_equal(fixture_number(FIXTURE_DB, "SELECT count(*) FROM verdict"), 0);

    add(store, job, &sound);
    add(store, job, &sound); /* replaces the first */
    assert_int_equal(fixture_number(FIXTURE_DB, "SELECT count(*) FROM judgement"), 1);
    assert_int_equal(fixture_number(FIXTURE_DB, "SELECT count(*) FROM verdict"), (int64_t)sound.verdict_count);
    store_close(store);
    assert_int_equal(fixture_number(FIXTURE_DB, "SELECT count(*) FROM v_judgement"), 1);
}

/* The published columns keep their places; new ones may come after them. */
static void test_columns_keep_their_places(void **state)
{
    (void)state;
    static const struct {
        const char *view, *columns;
    } views[] = {
        {"v_job",
         "job,job_uuid,run,run_uuid,test,dialect,test_hash,condition,backend,device,device_uuid,platform,driver,"
         "compiler,environment_hash,profile,seed,replicate,key,state,reason,controls,marks,batches,"
         "invalid_batches,instances,voids,witnesses,seconds,started_at,finished_at,instances_per_second,"
         "witnesses_per_second,forbidden,kernel_hash,circumstances,kept,kept_reason,lowering"},
        {"v_outcome", "job,run,test,dialect,test_hash,backend,device,device_uuid,driver,environment_hash,outcome,"
                      "witness,count,counted,rate,source_model,source_verdict,target_model,target_verdict,axiom,"
                      "unjudged,lowering"},
        {"v_void", "job,reason,count"},
        {"v_batch", "job,batch,valid,instances,voids,witnesses,started,seconds,draw,liveness,arguments"},
    };
    store_close(fixture_open(STORE_WRITE));
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        char sql[128], columns[1024];
        (void)snprintf(sql, sizeof sql, "SELECT group_concat(name) FROM pragma_table_info('%s')", views[i].view);
        fixture_text(FIXTURE_DB, sql, columns, sizeof columns);
        assert_string_equal(columns, views[i].columns);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_judged_again, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_verdicts_come_back, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_target_overrules_source, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_unjudged, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_invalid_batches_are_not_forbidden, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_contradictions_are_refused, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_columns_keep_their_places, fixture_enter, fixture_leave),
    };
    return cmocka_run_group_tests_name("verdicts", tests, NULL, NULL);
}
