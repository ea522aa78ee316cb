// SPDX-License-Identifier: Apache-2.0
/* Protects: planted changes are found and reported in the right order, in lines of 80 columns, byte for byte the same
 * whatever the order of the jobs; single runs are not overrated; every outcome that only one side has seen is reported;
 * effects of orchil are not blamed on the driver; jobs are read from a database with the verdicts that apply to
 * them. */
#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "results/results.h"
#include "tests/analysis/planted/planted.h"

#ifndef ORCHIL_SOURCE_DIR
#define ORCHIL_SOURCE_DIR "."
#endif

static void ok(enum status status, const struct error *error)
{
    if (status != STATUS_OK)
        fail_msg("%s [%s]", error->text, status_name(status));
}

/* ---- planted sides ---- */

enum { BATCHES = 30 };

static const struct planted_test of_a[] = {
    {.name = "CoRR", .rate = 0},
    {.name = "LB+gone", .rate = 1e-5},
    {.name = "LB+rare", .rate = 0},
    {.name = "MP+comes", .rate = 0},
    {.name = "MP+fence", .controls = "MP+same", .rate = 0},
    {.name = "MP+fence2", .controls = "MP+faster", .rate = 0, .undeclared = true, .verdict = "forbidden"},
    {.name = "MP+faster", .rate = 1e-5},
    {.name = "MP+same", .rate = 1e-5},
    {.name = "MP+slower", .rate = 4e-5},
    {.name = "SB+hangs", .rate = 1e-5},
    {.name = "SB+only-a", .rate = 1e-5},
};
static const struct planted_test of_b[] = {
    {.name = "CoRR", .rate = 1e-6, .verdict = "forbidden"},
    {.name = "LB+gone", .rate = 0},
    {.name = "LB+rare", .rate = 4e-7},
    {.name = "MP+comes", .rate = 1e-5},
    {.name = "MP+fence", .controls = "MP+same", .rate = 1e-6},
    {.name = "MP+fence2", .controls = "MP+faster", .rate = 1e-6, .undeclared = true, .verdict = "forbidden"},
    {.name = "MP+faster", .rate = 3e-5},
    {.name = "MP+same", .rate = 1.02e-5},
    {.name = "MP+slower", .rate = 1e-5},
    {.name = "SB+hangs", .rate = 1e-5, .state = JOB_HANG, .reason = "no batch for 30 s\033[2J", .batches = 3},
    {.name = "SB+only-b", .rate = 1e-5},
};

enum { RUNS = 3 };

/* All tests in every run, from the first or from the last; rare outcomes are seen only in the first run. */
static struct side plant(const struct planted_test *tests, size_t count, const char *driver, int64_t runs,
                         bool backwards)
{
    struct side side = planted_side(driver);
    for (size_t i = 0; i < count * (size_t)runs; i++) {
        const size_t at = backwards ? count * (size_t)runs - 1 - i : i;
        struct planted_test test = tests[at % count];
        test.run = (int64_t)(at / count) + 1;
        test.rate = strcmp(test.name, "LB+rare") == 0 && test.run > 1 ? 0 : test.rate;
        test.even = true;
        test.batches = test.batches ? test.batches : BATCHES;
        test.instances = 1000000;
        test.seconds = 2;
        test.draws = 5;
        test.noise = driver[0] == '2' ? 3 : 0;
        test.compiler = driver[0] == '2' ? "NVRTC 12.6" : "NVRTC 12.2";
        planted_add(&side, driver, &test);
    }
    return side;
}

/* The comparison as text, short or long; if json is not NULL, also as JSON. The caller frees both. */
static char *compare(int64_t runs, bool verbose, bool backwards, char **json)
{
    const struct compare_options options = {COMPARE_USUAL};
    struct side a = plant(of_a, sizeof of_a / sizeof *of_a, "1.0", runs, backwards);
    struct side b = plant(of_b, sizeof of_b / sizeof *of_b, "2.0", runs, backwards);
    struct comparison comparison;
    struct document said;
    struct text text = {0}, document = {0};
    compare_sides(&a, &b, &options, &comparison);
    compare_document(&comparison, verbose, &said);
    planted_print(&said, &text);
    compare_print_json(&comparison, &document);
    comparison_release(&comparison);
    side_release(&a);
    side_release(&b);
    if (json)
        *json = text_take(&document);
    text_release(&document);
    return text_take(&text);
}

static void test_text_is_as_expected(void **state)
{
    (void)state;
    char *expected = planted_read_file("analysis/compare/compare.txt");
    char *runs = compare(RUNS, false, false, NULL), *single = compare(1, false, false, NULL),
         *verbose = compare(RUNS, true, false, NULL);
    struct text found = {0};
    text_add(&found, "%s\n==== of single runs\n%s\n==== verbose\n%s", runs, single, verbose);
    if (strcmp(text_string(&found), expected) != 0) {
        (void)fputs(text_string(&found), stdout); /* fail_msg would cut it */
        fail_msg("compare.txt says something else than the text above");
    }
    text_release(&found);
    free(verbose);
    free(single);
    free(runs);
    free(expected);
}

static void test_lines_fit_a_terminal(void **state)
{
    (void)state;
    for (int verbose = 0; verbose < 2; verbose++) {
        char *text = compare(RUNS, verbose, false, NULL);
        for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
            assert_true(strcspn(line, "\n") <= 80);
        free(text);
    }
}

static void test_order_of_jobs_does_not_matter(void **state)
{
    (void)state;
    char *json[3], *text[3] = {compare(RUNS, true, false, &json[0]), compare(RUNS, true, false, &json[1]),
                               compare(RUNS, true, true, &json[2])};
    for (int i = 1; i < 3; i++) {
        assert_string_equal(text[0], text[i]);
        assert_string_equal(json[0], json[i]);
    }
    for (int i = 0; i < 3; i++) {
        free(text[i]);
        free(json[i]);
    }
}

static void test_json_says_the_same(void **state)
{
    (void)state;
    static const char *const findings_of[][2] = {
        {"forbidden", "sure"}, {"control", "sure"}, {"forbidden", "sure"}, {"state", "sure"},    {"new", "sure"},
        {"lost", "sure"},      {"rate", "sure"},    {"rate", "sure"},      {"new", "undecided"},
    };
    char *json;
    free(compare(RUNS, false, false, &json));
    json_t *document = json_loads(json, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(document);
    const json_t *findings = json_object_get(document, "findings");
    assert_int_equal(json_array_size(findings), sizeof findings_of / sizeof *findings_of);
    for (size_t i = 0; i < sizeof findings_of / sizeof *findings_of; i++) {
        const json_t *finding = json_array_get(findings, i);
        assert_string_equal(json_string_value(json_object_get(finding, "kind")), findings_of[i][0]);
        assert_string_equal(json_string_value(json_object_get(finding, "standing")), findings_of[i][1]);
    }
    assert_int_equal(json_array_size(json_object_get(document, "pairs")), 10);
    assert_int_equal(json_array_size(json_object_get(document, "unmatched")), 2);
    json_decref(document);
    free(json);
}

/* A member of the rate of the witness of the pair's only test, which must be a number. */
static double number_of(const json_t *document, size_t pair, const char *member)
{
    const json_t *of = json_array_get(json_object_get(document, "pairs"), pair);
    const json_t *rate = json_array_get(json_object_get(of, "rates"), 1);
    const json_t *number = json_object_get(rate, member);
    if (!json_is_number(number))
        fail_msg("%s is no number", member);
    return json_number_value(number);
}

/* Numbers are numbers, and agree with each other: the ratio with its logarithm, the interval with the error. */
static void test_json_has_numbers(void **state)
{
    (void)state;
    enum { FASTER = 4 }; /* MP+faster, among the pairs */
    char *json;
    free(compare(RUNS, false, false, &json));
    json_t *document = json_loads(json, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(document);
    assert_true(fabs(log(number_of(document, FASTER, "ratio")) - number_of(document, FASTER, "log_ratio")) < 1e-6);
    assert_true(fabs(number_of(document, FASTER, "ratio") - 3) < 0.1);
    assert_true(number_of(document, FASTER, "error") > 0 && number_of(document, FASTER, "degrees_of_freedom") >= 2);
    assert_true(number_of(document, FASTER, "dispersion") >= 1 && number_of(document, FASTER, "p_adjusted") <= 0.05);
    (void)number_of(document, FASTER, "lag");
    assert_int_equal(json_integer_value(json_array_get(json_object_get(document, "runs"), 0)), RUNS);
    assert_true(
        json_is_number(json_object_get(json_object_get(json_object_get(document, "suite"), "weak"), "variance")));
    json_decref(document);
    free(json);
}

/* Whether the comparison as a long text holds `part`, wherever its lines are broken. */
static bool says(const struct comparison *comparison, const char *part)
{
    struct document said;
    struct text text = {0}, line = {0};
    compare_document(comparison, true, &said);
    planted_print(&said, &text);
    for (const char *at = text_string(&text); *at;) {
        const size_t blank = strspn(at, " \n");
        text_add(&line, "%s", blank > 0 ? " " : "");
        at += blank;
        text_add_bytes(&line, at, strcspn(at, " \n"));
        at += strcspn(at, " \n");
    }
    const bool found = strstr(text_string(&line), part) != NULL;
    text_release(&line);
    text_release(&text);
    return found;
}

/* Rare events: 1 in 1e9 where there may be none. */
static void test_one_in_a_billion_is_found(void **state)
{
    (void)state;
    const struct compare_options options = {COMPARE_USUAL};
    struct side a = planted_side("1"), b = planted_side("2");
    struct planted_test test = {
        .name = "CoRR", .even = true, .batches = 30, .instances = 100000000, .verdict = "forbidden"};
    struct comparison comparison;
    planted_add(&a, "1", &test);
    planted_add(&b, "2", &test);
    static uint64_t sightings[30] = {[17] = 3};
    b.jobs[0].outcomes[1].counts[0] = sightings;
    b.jobs[0].outcomes[1].count = 3;
    side_settle(&b.jobs[0]);
    compare_sides(&a, &b, &options, &comparison);
    assert_int_equal(comparison.findings[0].kind, FINDING_FORBIDDEN);
    assert_int_equal(comparison.findings[0].count[SIDE_B], 3);
    assert_int_equal(comparison.findings[0].count[SIDE_A], 0);
    const struct rate *rate = &comparison.pairs[0].rates[1];
    assert_int_equal(rate->result, RATE_NEW_RARE);
    assert_true(says(&comparison, "B 3 3.00 G 1.0"));
    comparison_release(&comparison);
    side_release(&a);
    side_release(&b);
}

/* ---- sides ---- */

/* A test of a few even batches on a device. */
static void add_job(struct side *side, const char *driver, const char *device, const char *uuid, double rate)
{
    const struct planted_test test = {
        .name = "MP", .rate = rate, .even = true, .batches = BATCHES, .instances = 1000000, .draws = 5};
    planted_add(side, driver, &test);
    side->jobs[side->job_count - 1].row.device = device;
    side->jobs[side->job_count - 1].row.device_uuid = uuid;
}

static struct comparison compare_two(struct side *a, struct side *b)
{
    const struct compare_options options = {COMPARE_USUAL};
    struct comparison comparison;
    compare_sides(a, b, &options, &comparison);
    return comparison;
}

static void release_two(struct comparison *comparison, struct side *a, struct side *b)
{
    comparison_release(comparison);
    side_release(a);
    side_release(b);
}

/* A machine of two devices before and after the driver of one of them changed. */
static void test_drivers_are_compared_device_by_device(void **state)
{
    (void)state;
    struct side a = planted_side("before"), b = planted_side("after");
    add_job(&a, "1", "First", "1", 1e-5);
    add_job(&a, "9", "Second", "2", 1e-5);
    add_job(&b, "2", "First", "1", 1e-5);
    add_job(&b, "9", "Second", "2", 1e-5);
    struct comparison comparison = compare_two(&a, &b);
    assert_int_equal(comparison.dimensions, DIMENSION_DRIVER);
    assert_int_equal(comparison.pair_count, 2);
    assert_int_equal(comparison.unmatched_count, 0);
    release_two(&comparison, &a, &b);
}

/* A side with two drivers of one device is about neither: each matches its own kind. */
static void test_drivers_of_one_side_are_kept_apart(void **state)
{
    (void)state;
    struct side a = planted_side("both"), b = planted_side("new");
    add_job(&a, "1", "First", "1", 1e-5);
    add_job(&a, "2", "First", "1", 1e-5);
    add_job(&b, "2", "First", "1", 1e-5);
    struct comparison comparison = compare_two(&a, &b);
    assert_int_equal(comparison.dimensions, 0);
    assert_int_equal(comparison.pair_count, 1);
    assert_string_equal(comparison.pairs[0].sample[SIDE_A]->row.driver, "2");
    assert_int_equal(comparison.unmatched_count, 1);
    assert_string_equal(comparison.unmatched[0].reason, "the driver differs there (2)");
    release_two(&comparison, &a, &b);
}

/* Devices of one name are distinguished by their UUIDs, and only those. */
static void test_namesakes_have_uuids(void **state)
{
    (void)state;
    struct side a = planted_side("1"), b = planted_side("2");
    add_job(&a, "1", "First", "uuid-1", 1e-5);
    add_job(&a, "1", "First", "uuid-2", 1e-5);
    add_job(&b, "2", "First", "uuid-1", 9e-5);
    add_job(&b, "2", "First", "uuid-2", 1e-5);
    struct comparison comparison = compare_two(&a, &b);
    assert_true(says(&comparison, "MP on simulated, First uuid-1 1:r0=1; 1:r1=0; rate x9 "));
    release_two(&comparison, &a, &b);
}

static void test_equal_jobs_are_told(void **state)
{
    (void)state;
    struct side a = planted_side("1"), b = planted_side("1");
    a.database = b.database = "results.db";
    add_job(&a, "1", "First", "1", 1e-5);
    add_job(&b, "1", "First", "1", 1e-5);
    struct comparison comparison = compare_two(&a, &b);
    assert_true(says(&comparison, "A and B are the same jobs, so nothing can differ."));
    assert_true(says(&comparison, "compared pairwise: 1 of these tests."));
    release_two(&comparison, &a, &b);
}

/* Five batches with equal draws also have partners, and this is reported; only the test differs. */
static void test_few_batches_have_equal_draws(void **state)
{
    (void)state;
    struct side a = planted_side("1"), b = planted_side("2");
    add_job(&a, "1", "First", "1", 1e-5);
    add_job(&b, "2", "First", "1", 1e-5);
    a.jobs[0].run.batch_count = b.jobs[0].run.batch_count = 5;
    struct comparison comparison = compare_two(&a, &b);
    assert_int_equal(comparison.pairs[0].equal_draws, 5);
    assert_false(comparison.pairs[0].paired);
    assert_true(says(&comparison, "side against side: 1 with equal draws in part."));
    release_two(&comparison, &a, &b);
}

/* A model lists outcomes that B has not seen, without saying which are witnesses. */
static void test_a_lost_witness_stays_one(void **state)
{
    (void)state;
    struct side a = planted_side("1"), b = planted_side("2");
    add_job(&a, "1", "First", "1", 1e-5);
    add_job(&b, "2", "First", "1", 0);
    b.jobs[0].outcomes[1].witness = false;
    struct comparison comparison = compare_two(&a, &b);
    assert_int_equal(comparison.findings[0].kind, FINDING_LOST);
    assert_true(comparison.findings[0].outcome->witness);
    release_two(&comparison, &a, &b);
}

/* ---- from a database ---- */

static void store_one(struct store *store, int64_t run, const char *driver, const char *test, enum job_state state,
                      uint64_t witnesses)
{
    const struct store_job job = {.run_id = run,
                                  .device = {.backend = "simulated",
                                             .name = "Simulated GPU",
                                             .vendor = "nobody",
                                             .uuid = "u-1",
                                             .architecture = "weak",
                                             .platform = "",
                                             .driver = driver,
                                             .compiler = "c",
                                             .capabilities = "{}"},
                                  .test = {.dialect = "PTX",
                                           .name = test,
                                           .hash = test,
                                           .text = "PTX text",
                                           .condition = "exists (x=2)",
                                           .doc = "what it asks"},
                                  .environment = {.hash = "e", .text = "{}", .profile = "gpu"},
                                  .key = "45c48cce2e2d7fbd",
                                  .seed = 9,
                                  .controls = ""};
    const struct build build = {.kernel = "k", .binary = "", .log = "", .marks = MARK_UNDECLARED};
    const struct store_verdict verdicts[] = {
        {"[x]=1;", VERDICT_SC, ""}, {"[x]=2;", VERDICT_WEAK, ""}, {"[x]=9;", VERDICT_FORBIDDEN, "atomicity"}};
    const struct store_judgement judgement = {.role = "source",
                                              .model = "ptx",
                                              .model_hash = "",
                                              .unjudged = "",
                                              .cut = "",
                                              .verdicts = verdicts,
                                              .verdict_count = 3};
    struct error error;
    int64_t id = 0;
    ok(store_begin_job(store, &job, &id, &error), &error);
    ok(store_add_build(store, id, &build, &error), &error);
    ok(store_put_judgement(store, id, &judgement, &error), &error);
    for (uint64_t number = 0; number < 12; number++) {
        const struct count outcomes[] = {
            {"[x]=1;", 990 - witnesses, false}, {"[x]=2;", witnesses, true}, {"[x]=7;", number == 3 ? 1 : 0, false}};
        const struct count voids[] = {{"gave_up", number == 3 ? 9 : 10, false}};
        const struct batch batch = {.number = number,
                                    .draw = "{}",
                                    .instances = 1000,
                                    .seconds = 0.5,
                                    .invalid = number == 5 ? "the stress did nothing" : NULL,
                                    .liveness = "{}",
                                    .outcomes = outcomes,
                                    .outcome_count = number == 3 ? 3 : 2,
                                    .voids = voids,
                                    .void_count = 1};
        ok(store_add_batches(store, id, &batch, 1, &error), &error);
    }
    ok(store_finish_job(store, id, state, "because", "", 6, &error), &error);
}

static void test_jobs_are_read(void **state)
{
    (void)state;
    char folder[] = "/tmp/orchil-analysis-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/r.db", folder);
    const struct store_run run = {.tool_version = "1", .command_line = "c", .host = "h", .environment_variables = "{}"};
    struct store *store = NULL;
    struct error error;
    int64_t id = 0;
    ok(store_open(path, STORE_WRITE, &store, &error), &error);
    ok(store_begin_run(store, &run, &id, &error), &error);
    store_one(store, id, "575.57", "SB", JOB_COMPLETED, 20);
    store_one(store, id, "575.57.08", "SB", JOB_CRASH, 20);
    ok(store_finish_run(store, id, RUN_COMPLETED, &error), &error);
    store_close(store);

    struct side a, b;
    struct comparison comparison;
    const struct compare_options options = {COMPARE_USUAL};
    ok(side_read(&(struct selector){.database = path, .driver = "575.57"}, &a, &error), &error);
    ok(side_read(&(struct selector){.database = path, .driver = ".08", .device = "u-1"}, &b, &error), &error);
    assert_int_equal(a.job_count, 1); /* the exact version, not the one that contains it */
    compare_sides(&a, &b, &options, &comparison);
    assert_int_equal(comparison.pair_count, 1);
    const struct sample_pair *pair = &comparison.pairs[0];
    const struct sample *sample = pair->sample[SIDE_A];
    assert_true(pair->paired && pair->equal_draws == 11);
    assert_int_equal(sample->counted, 11 * 990 + 1);
    assert_int_equal(sample->row.voids, 11 * 10 - 1);
    assert_int_equal(sample->row.invalid_batches, 1);
    assert_true((sample->row.marks & MARK_UNDECLARED) != 0);
    assert_int_equal(sample->outcome_count, 4);
    assert_int_equal(sample_verdict(sample_outcome(sample, "[x]=2;")), VERDICT_WEAK);
    assert_true(sample_outcome(sample, "[x]=2;")->witness);
    /* Listed and never seen; seen and not listed, by a model that lists everything. */
    assert_int_equal(sample_outcome(sample, "[x]=9;")->count, 0);
    assert_int_equal(sample_verdict(sample_outcome(sample, "[x]=7;")), VERDICT_FORBIDDEN);
    assert_string_equal(sample_deciding(sample_outcome(sample, "[x]=7;"))->model, "ptx");
    assert_int_equal(comparison.findings[0].kind, FINDING_FORBIDDEN);
    assert_true(comparison.findings[0].excused);
    assert_int_equal(comparison.findings[1].kind, FINDING_STATE);
    comparison_release(&comparison);
    side_release(&a);
    side_release(&b);

    assert_int_equal(side_read(&(struct selector){.database = path, .driver = "999"}, &a, &error), STATUS_USAGE);
    assert_non_null(strstr(error.text, "575.57; 575.57.08"));
    side_release(&a);
    static const char *const suffixes[] = {"", "-wal", "-shm"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        (void)snprintf(path, sizeof path, "%s/r.db%s", folder, suffixes[i]);
        (void)unlink(path);
    }
    assert_int_equal(rmdir(folder), 0);
}

/* Bounds that would be printed as the ratio are left out. */
static void test_a_factor_is_printed_once(void **state)
{
    (void)state;
    struct text text = {0};
    const struct statistics_ratio ratios[] = {
        {.ratio = 2, .interval = {1.9999, 2.0001}},
        {.ratio = 2, .interval = {1.9, 2.1}},
        {.ratio = 2, .interval = {1.9, INFINITY}},
        {.ratio = 2, .interval = {0, INFINITY}},
        {.ratio = 18812.4, .interval = {18812.4, INFINITY}, .kind = STATISTICS_RATIO_AT_LEAST},
        {.ratio = 2.46e-6, .interval = {0, 2.46e-6}, .kind = STATISTICS_RATIO_AT_MOST},
        {.ratio = 6.62, .interval = {6.58, 6.65}, .kind = STATISTICS_RATIO_IN_DRAWS, .draws = 1},
    };
    for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++) {
        text_add(&text, "%s", i > 0 ? ", " : "");
        compare_add_factor(&text, &ratios[i]);
    }
    assert_string_equal(text_string(&text), "x2, x2 (1.9 to 2.1), x2 (1.9 or more), x2 (may be anything), "
                                            "at least x18800, at most x2.46e-6, x6.62 in 1 draw");
    text_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_is_as_expected),
        cmocka_unit_test(test_lines_fit_a_terminal),
        cmocka_unit_test(test_order_of_jobs_does_not_matter),
        cmocka_unit_test(test_json_says_the_same),
        cmocka_unit_test(test_json_has_numbers),
        cmocka_unit_test(test_one_in_a_billion_is_found),
        cmocka_unit_test(test_drivers_are_compared_device_by_device),
        cmocka_unit_test(test_drivers_of_one_side_are_kept_apart),
        cmocka_unit_test(test_namesakes_have_uuids),
        cmocka_unit_test(test_equal_jobs_are_told),
        cmocka_unit_test(test_few_batches_have_equal_draws),
        cmocka_unit_test(test_a_lost_witness_stays_one),
        cmocka_unit_test(test_jobs_are_read),
        cmocka_unit_test(test_a_factor_is_printed_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
