// SPDX-License-Identifier: Apache-2.0
/* Protects the database from workers: a worker's message is accepted unchanged if it can be true, else it is refused
 * with the reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runner/supervise/claims.h"

enum { SHARE = 48, INSTANCES = 4 * SHARE, WANTED = 4 * INSTANCES, NOW = 100, SINCE = 90 };

static const char test_text[] = "OPENCL sb\n{ x=0; y=0; }\n"
                                "P0@wg 0, dev 0 (global int* x, global int* y) { *x = 1; int r0 = *y; }\n"
                                "P1@wg 1, dev 0 (global int* x, global int* y) { *y = 1; int r0 = *x; }\n"
                                "exists (0:r0=0 /\\ 1:r0=0)\n";

static const struct count outcomes[] = {{"0:r0=0; 1:r0=0;", SHARE, true},
                                        {"0:r0=0; 1:r0=1;", SHARE, false},
                                        {"0:r0=1; 1:r0=0;", SHARE, false},
                                        {"0:r0=1; 1:r0=1;", SHARE, false}};

/* A running job, and its claims. */
struct stage {
    struct litmus_test *test;
    struct job job;
    struct claims claims;
    char *draw;
};

/* A draw as the worker prints it, of a work-group of 96 items that plays one round. */
static char *make_draw(void)
{
    struct text text = {0};
    text_add(&text, "{\"groups\":2,\"testing_groups\":2,\"items\":96,\"played_rounds\":1,\"detached\":false");
#define NAME(name, kind, lowest, ...) text_add(&text, ",\"" #name "\":%u", (unsigned)(lowest));
    ENVIRONMENT_LIST(NAME)
#undef NAME
    text_add(&text, ",\"arguments_hash\":\"%064d\"}", 7);
    return text_take(&text);
}

static struct batch make_batch(const struct stage *stage)
{
    return (struct batch){.number = stage->claims.batches,
                          .instances = INSTANCES,
                          .seconds = 0.5,
                          .started = 1 + (double)stage->claims.batches,
                          .draw = stage->draw,
#define LABEL(name, counter, parameter, title, label) ",\"" label "\":1"
                          .liveness = "{\"rounds\":1,\"left\":0" MECHANISM_LIST(LABEL) "}",
#undef LABEL
                          .outcomes = outcomes,
                          .outcome_count = 4};
}

static const struct build good_build = {
    .kernel = "k", .binary = "", .log = "", .seconds = 1, .resident_groups = 64, .lowering = "c11", .kept = TEST_KEPT};

/* Reads an event and releases it; *why: what is wrong with it. */
static enum claims_verdict hear_json(struct claims *claims, json_t *json, char why[1024])
{
    struct worker_event event;
    struct error error = {.text = ""};
    char *line = json_dumps(json, JSON_COMPACT);
    const enum claims_verdict verdict = claims_hear(claims, line, strlen(line), NOW, &event, &error);
    (void)snprintf(why, 1024, "%s", error.text);
    worker_event_release(&event);
    json_decref(json);
    free(line);
    return verdict;
}

static void expect_fine(struct claims *claims, json_t *json)
{
    char why[1024];
    if (hear_json(claims, json, why) != CLAIMS_FINE)
        fail_msg("%s", why);
}

static void expect_wrong(struct claims *claims, json_t *json, const char *expected)
{
    char why[1024];
    const struct claims before = *claims;
    assert_int_equal(hear_json(claims, json, why), CLAIMS_WRONG);
    if (!strstr(why, expected))
        fail_msg("expected '%s', got '%s'", expected, why);
    assert_memory_equal(claims, &before, sizeof before); /* nothing was taken from it */
}

/* Order 7, built, at its first batch. */
static void set_stage(struct stage *stage, const struct job *job)
{
    struct error error;
    *stage = (struct stage){.draw = make_draw(), .job = *job};
    assert_int_equal(litmus_parse("sb", test_text, sizeof test_text - 1, &stage->test, &error), STATUS_OK);
    stage->job.test = stage->test;
    stage->claims = claims_of_job(7, &stage->job, SINCE, false);
    expect_fine(&stage->claims, protocol_built(7, &good_build));
}

static void clear_stage(struct stage *stage)
{
    litmus_release(stage->test);
    free(stage->draw);
}

static const struct job wanted_job = {.extent = {.instances = WANTED}};

static json_t *say_end(enum status status)
{
    const struct error error = {.status = status, .text = "why", .detail = "detail"};
    const struct circumstances none = {0};
    return protocol_ended(7, status, &error, &none);
}

/* ---- valid messages ---- */

static void an_honest_job_is_believed(void **state)
{
    struct stage stage;
    (void)state;
    set_stage(&stage, &wanted_job);
    for (int i = 0; i < 4; i++) {
        const struct batch batch = make_batch(&stage);
        expect_fine(&stage.claims, protocol_batch(7, &batch));
    }
    assert_int_equal(stage.claims.batches, 4);
    assert_int_equal(stage.claims.instances, WANTED);
    expect_fine(&stage.claims, say_end(STATUS_OK));
    clear_stage(&stage);
}

/* A miscounting device is reported, and is a valid message. */
static void an_invalid_batch_may_have_any_sum(void **state)
{
    struct stage stage;
    (void)state;
    set_stage(&stage, &wanted_job);
    struct batch batch = make_batch(&stage);
    batch.outcome_count = 3;
    expect_wrong(&stage.claims, protocol_batch(7, &batch),
                 "batch 0 does not add up: its counts are 144, its instances 192");
    batch.invalid = "they do not add up";
    expect_fine(&stage.claims, protocol_batch(7, &batch));
    clear_stage(&stage);
}

/* A resumed job continues at its next batch, with its earlier time. */
static void a_job_that_goes_on_begins_with_its_next_batch(void **state)
{
    struct stage stage;
    const struct job job = {
        .extent = {.instances = WANTED}, .done_batches = 3, .done_instances = 3 * INSTANCES, .done_seconds = 1000};
    (void)state;
    set_stage(&stage, &job);
    struct batch batch = make_batch(&stage);
    batch.number = 0;
    batch.started = 1001;
    expect_wrong(&stage.claims, protocol_batch(7, &batch), "found batch 0, expected batch 3");
    batch.number = 3;
    batch.started = 999;
    expect_wrong(&stage.claims, protocol_batch(7, &batch), "batch 3 cannot have begun after 999 s");
    batch.started = 1012; /* 12 s after it resumed, when 10 s have passed */
    expect_wrong(&stage.claims, protocol_batch(7, &batch), "batch 3 cannot have begun after 1012 s");
    batch.started = 1001;
    expect_fine(&stage.claims, protocol_batch(7, &batch));
    expect_fine(&stage.claims, say_end(STATUS_OK));
    clear_stage(&stage);
}

/* The simulated device's script may set its speed. */
static void seconds_are_those_that_have_passed(void **state)
{
    struct stage stage;
    (void)state;
    set_stage(&stage, &wanted_job);
    struct batch batch = make_batch(&stage);
    batch.seconds = 12;
    expect_wrong(&stage.claims, protocol_batch(7, &batch), "batch 0 cannot have taken 12 s");
    stage.claims.invents_seconds = true;
    expect_fine(&stage.claims, protocol_batch(7, &batch));
    batch.number++;
    batch.started = 1e300;
    expect_wrong(&stage.claims, protocol_batch(7, &batch), "batch 1 cannot have begun after 1e+300 s");
    clear_stage(&stage);
}

/* ---- ends ---- */

static void a_job_ends_at_a_limit_or_with_a_reason(void **state)
{
    static const struct {
        struct job job;
        bool may_end;
    } cases[] = {{{.extent = {.instances = 1}}, false},
                 {{.extent = {.seconds = 10}}, true},
                 {{.extent = {.seconds = 11}}, false},
                 {{.extent = {.seconds = 11}, .done_seconds = 1}, true},
                 {{.deadline = NOW}, true},
                 {{.deadline = NOW + 1}, false}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct stage stage;
        set_stage(&stage, &cases[i].job);
        if (cases[i].may_end)
            expect_fine(&stage.claims, say_end(STATUS_OK));
        else
            expect_wrong(&stage.claims, say_end(STATUS_OK),
                         "the job ended after 0 instances, before any of its limits");
        expect_fine(&stage.claims, say_end(STATUS_DEVICE_FAILED));
        stage.claims.stopping = true;
        expect_fine(&stage.claims, say_end(STATUS_OK));
        clear_stage(&stage);
    }
}

static void each_event_has_its_time(void **state)
{
    struct claims opening = claims_of_opening(), compiling = claims_of_compiling(7);
    const struct circumstances none = {0};
    const struct error error = {.text = "why"};
    struct stage stage;
    (void)state;
    expect_wrong(&opening, protocol_built(0, &good_build), "'built' while it was opening the device");
    expect_wrong(&opening, protocol_ended(0, STATUS_OK, &error, &none), "the job ended without an opened device");
    expect_fine(&opening, protocol_ended(0, STATUS_NO_DEVICE, &error, &none));
    expect_fine(&opening, protocol_opened());
    expect_wrong(&compiling, protocol_built(7, &good_build), "'built' while it was compiling a kernel");
    expect_fine(&compiling, say_end(STATUS_OK));
    set_stage(&stage, &wanted_job);
    const struct batch batch = make_batch(&stage);
    expect_wrong(&stage.claims, protocol_built(7, &good_build), "'built' while it was running batches");
    stage.claims.phase = CLAIMS_BUILDING;
    expect_wrong(&stage.claims, protocol_batch(7, &batch), "'batch' while it was building the kernel");
    expect_wrong(&stage.claims, say_end(STATUS_OK), "the job ended before its kernel was built");
    clear_stage(&stage);
}

static void an_answer_to_another_order_is_none(void **state)
{
    struct stage stage;
    char why[1024];
    (void)state;
    set_stage(&stage, &wanted_job);
    const struct batch batch = make_batch(&stage);
    assert_int_equal(hear_json(&stage.claims, protocol_batch(6, &batch), why), CLAIMS_STALE);
    assert_string_equal(why,
                        "invalid message from the worker: found an answer to request 6, expected one to request 7");
    expect_wrong(&stage.claims, protocol_batch(8, &batch), "found an answer to request 8, expected one to request 7");
    clear_stage(&stage);
}

/* ---- invalid messages ---- */

static void a_batch_that_cannot_be_is_refused(void **state)
{
    static const struct {
        const char *member, *value, *why;
    } cases[] = {
        {"number", "\"1\"", "found batch 1, expected batch 0"},
        {"number", "\"9223372036854775808\"", "found batch 9223372036854775808, expected batch 0"},
        {"number", "\"18446744073709551616\"", "malformed `batch` message"},
        {"instances", "\"0\"", "batch 0 cannot have 0 instances"},
        {"instances", "\"193\"", "batch 0 cannot have 193 instances"}, /* its draw has room for 192 */
        {"instances", "\"2147483648\"", "batch 0 cannot have 2147483648 instances"},
        {"instances", "\"9223372036854775808\"", "batch 0 cannot have 9223372036854775808 instances"},
        {"seconds", "-1e-9", "batch 0 cannot have taken -1e-09 s"},
        {"seconds", "1e300", "batch 0 cannot have taken 1e+300 s"},
        {"started", "-1", "batch 0 cannot have begun after -1 s"},
        {"started", "12", "batch 0 cannot have begun after 12 s"},
        {"invalid", "\"\"", "batch 0 is invalid without a reason"},
        {"draw", "\"{}\"", "the draw or the liveness of batch 0 is malformed"},
        {"draw", "\"[]\"", "the draw or the liveness of batch 0 is malformed"},
        {"liveness", "\"{\\\"rounds\\\":1}\"", "the draw or the liveness of batch 0 is malformed"},
        {"liveness", "\"\"", "the draw or the liveness of batch 0 is malformed"},
        {"outcomes", "[]", "its counts are 0, its instances 192"},
        {"outcomes", "[[\"0:r0=0; 1:r0=0;\",\"191\",true]]", "its counts are 191, its instances 192"},
        {"outcomes", "[[\"0:r0=0; 1:r0=0;\",\"0\",true]]", "a count of batch 0 is 0, or too large"},
        {"outcomes", "[[\"0:r0=0; 1:r0=0;\",\"18446744073709551615\",true],[\"0:r0=0; 1:r0=1;\",\"193\",false]]",
         "a count of batch 0 is 0, or too large"},
        {"outcomes", "[[\"0:r0=0; 1:r0=0;\",\"96\",true],[\"0:r0=0; 1:r0=0;\",\"96\",true]]", "an outcome twice"},
        {"outcomes", "[[\"0:r0=0; 1:r0=0;\",\"192\",false]]",
         "marks an outcome wrongly as a witness, or misses a witness"},
        {"outcomes", "[[\"0:r0=1; 1:r0=0;\",\"192\",true]]",
         "marks an outcome wrongly as a witness, or misses a witness"},
        {"outcomes", "[[\"\",\"192\",false]]", "an outcome that the test does not have"},
        {"outcomes", "[[\"0:r0=0; 1:r9=0;\",\"192\",false]]", "an outcome that the test does not have"},
        {"outcomes", "[[\"0:r0=4294967296; 1:r0=0;\",\"192\",false]]", "an outcome that the test does not have"},
        {"voids", "[[\"moonlight\",\"1\",false]]", "void instances for an unknown reason"},
        {"voids", "[[\"unmet\",\"1\",true]]", "void instances for an unknown reason"},
        {"voids", "[[\"unmet\",\"1\",false],[\"unmet\",\"1\",false]]", "void instances for an unknown reason"},
        {"colour", "\"red\"", "malformed `batch` message"},
    };
    struct stage stage;
    (void)state;
    set_stage(&stage, &wanted_job);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct batch batch = make_batch(&stage);
        json_t *event = protocol_batch(7, &batch);
        json_t *value = json_loads(cases[i].value, JSON_DECODE_ANY, NULL);
        assert_non_null(value);
        assert_int_equal(json_object_set_new(event, cases[i].member, value), 0);
        expect_wrong(&stage.claims, event, cases[i].why);
    }
    clear_stage(&stage);
}

/* The homes of the test's locations may be given, but no others. */
static void homes_are_places_of_locations(void **state)
{
    static const struct {
        const char *homes;
        bool good;
    } cases[] = {{"{\"x\":\"1\",\"y\":\"host\"}", true},
                 {"{\"x\":\"0\"}", true},
                 {"{\"z\":\"0\"}", false},
                 {"{\"x\":\"4\"}", false},
                 {"{\"x\":\"there\"}", false},
                 {"{\"x\":0}", false},
                 {"{}", false},
                 {"[\"x\"]", false}};
    struct stage stage;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        set_stage(&stage, &wanted_job);
        struct batch batch = make_batch(&stage);
        json_t *draw = json_loads(stage.draw, 0, NULL);
        assert_int_equal(json_object_set_new(draw, "homes", json_loads(cases[i].homes, 0, NULL)), 0);
        char *text = json_dumps(draw, JSON_COMPACT);
        batch.draw = text;
        if (cases[i].good)
            expect_fine(&stage.claims, protocol_batch(7, &batch));
        else
            expect_wrong(&stage.claims, protocol_batch(7, &batch), "batch 0");
        free(text);
        json_decref(draw);
        clear_stage(&stage);
    }
}

/* For a test of several launches, the draw has their order and the liveness has the number of overlapping groups; for
 * other tests, neither. */
static void tests_of_several_launches_have_an_order_and_overlap(void **state)
{
    static const struct {
        const char *order, *overlapped;
        bool launches, good;
    } cases[] = {{"[0,1]", "0", true, true},    {"[1,0]", "9", true, true},    {"[0,1]", NULL, true, false},
                 {NULL, "0", true, false},      {"[0,0]", "0", true, false},   {"[0]", "0", true, false},
                 {"[0,1,2]", "0", true, false}, {"[0,2]", "0", true, false},   {"\"01\"", "0", true, false},
                 {"[0,1]", "-1", true, false},  {"[0,1]", "1.5", true, false}, {NULL, NULL, false, true},
                 {"[0,1]", NULL, false, false}, {NULL, "1", false, false},     {"[0,\"1\"]", "0", true, false}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct litmus_edge edge = {.later = 1, .kind = LAUNCH_EDGE_BESIDE};
        struct stage stage;
        set_stage(&stage, &wanted_job);
        stage.test->edges = &edge;
        stage.test->edge_count = cases[i].launches;
        struct batch batch = make_batch(&stage);
        json_t *draw = json_loads(stage.draw, 0, NULL), *liveness = json_loads(batch.liveness, 0, NULL);
        if (cases[i].order)
            assert_int_equal(json_object_set_new(draw, "order", json_loads(cases[i].order, JSON_DECODE_ANY, NULL)), 0);
        if (cases[i].overlapped)
            assert_int_equal(
                json_object_set_new(liveness, BATCH_OVERLAPPED, json_loads(cases[i].overlapped, JSON_DECODE_ANY, NULL)),
                0);
        char *draw_text = json_dumps(draw, JSON_COMPACT), *liveness_text = json_dumps(liveness, JSON_COMPACT);
        batch.draw = draw_text;
        batch.liveness = liveness_text;
        if (cases[i].good)
            expect_fine(&stage.claims, protocol_batch(7, &batch));
        else
            expect_wrong(&stage.claims, protocol_batch(7, &batch), "the draw or the liveness of batch 0");
        free(draw_text);
        free(liveness_text);
        json_decref(draw);
        json_decref(liveness);
        clear_stage(&stage);
    }
}

/* One member of the draw has a wrong value, or there is one too many. */
static void a_draw_is_what_a_worker_prints(void **state)
{
    static const struct {
        const char *member, *value;
    } cases[] = {{"items", "4294967296"}, {"items", "-1"},  {"items", "\"96\""},          {"detached", "0"},
                 {"arguments_hash", "7"}, {"wind", "7"},    {"arguments_hash", "\"00\""}, {"rounds", "null"},
                 {"played_rounds", "0"},  {"groups", "1.5"}};
    struct stage stage;
    (void)state;
    set_stage(&stage, &wanted_job);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct batch batch = make_batch(&stage);
        json_t *draw = json_loads(stage.draw, 0, NULL);
        assert_int_equal(json_object_set_new(draw, cases[i].member, json_loads(cases[i].value, JSON_DECODE_ANY, NULL)),
                         0);
        char *text = json_dumps(draw, JSON_COMPACT);
        batch.draw = text;
        expect_wrong(&stage.claims, protocol_batch(7, &batch), "batch 0");
        free(text);
        json_decref(draw);
    }
    clear_stage(&stage);
}

static void batches_beyond_the_job_are_refused(void **state)
{
    struct stage stage;
    (void)state;
    set_stage(&stage, &wanted_job);
    struct batch batch = make_batch(&stage);
    stage.claims.instances = WANTED;
    expect_wrong(&stage.claims, protocol_batch(7, &batch),
                 "batch 0 is one batch too many: the job already had all its instances");
    stage.job.extent.instances = 0;
    stage.claims.instances = INT64_MAX - 1;
    expect_wrong(&stage.claims, protocol_batch(7, &batch), "batch 0 cannot have 192 instances");
    stage.claims.instances = INSTANCES;
    stage.claims.started = 2;
    expect_wrong(&stage.claims, protocol_batch(7, &batch), "batch 0 cannot have begun after 1 s");
    clear_stage(&stage);
}

static void a_build_that_cannot_be_is_refused(void **state)
{
    static const struct {
        struct build build;
        const char *why;
    } cases[] = {
        {{.kernel = "", .seconds = 1, .resident_groups = 1, .lowering = "c11"}, "a build without a kernel"},
        {{.kernel = "k", .seconds = -1, .resident_groups = 1, .lowering = "c11"}, "its build cannot have taken -1 s"},
        {{.kernel = "k", .seconds = 12, .resident_groups = 1, .lowering = "c11"}, "its build cannot have taken 12 s"},
        {{.kernel = "k", .seconds = 1, .resident_groups = 0, .lowering = "c11"}, "0 work-groups cannot be resident"},
        {{.kernel = "k", .seconds = 1, .resident_groups = UINT32_MAX, .lowering = "c11"},
         "4294967295 work-groups cannot be resident"},
        {{.kernel = "k", .seconds = 1, .resident_groups = 1, .marks = 1u << 31, .lowering = "c11"}, "an unknown mark"},
        {{.kernel = "k",
          .seconds = 1,
          .resident_groups = 1,
          .lowering = "c11",
          .kept = TEST_KEPT,
          .kept_reason = "a load is missing"},
         "a missing or malformed reason for a test that is kept"},
        {{.kernel = "k", .seconds = 1, .resident_groups = 1, .lowering = "c11", .kept = TEST_NOT_KEPT},
         "a missing or malformed reason for a test that is not-kept"},
        {{.kernel = "k", .seconds = 1, .resident_groups = 1, .lowering = "c11", .kept = TEST_NOT_INSPECTED},
         "a missing or malformed reason for a test that is not-inspected"},
    };
    struct stage stage;
    (void)state;
    set_stage(&stage, &wanted_job);
    stage.claims.phase = CLAIMS_BUILDING;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct build build = cases[i].build;
        build.binary = build.log = "";
        expect_wrong(&stage.claims, protocol_built(7, &build), cases[i].why);
    }
    json_t *two_lines = protocol_built(7, &(const struct build){.kernel = "k",
                                                                .binary = "",
                                                                .log = "",
                                                                .seconds = 1,
                                                                .resident_groups = 1,
                                                                .lowering = "c11",
                                                                .kept = TEST_NOT_KEPT,
                                                                .kept_reason = "why"});
    assert_int_equal(json_object_set_new(two_lines, "kept_reason", json_string("why\nand more")), 0);
    expect_wrong(&stage.claims, two_lines, "a missing or malformed reason for a test that is not-kept");
    clear_stage(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_honest_job_is_believed),
        cmocka_unit_test(an_invalid_batch_may_have_any_sum),
        cmocka_unit_test(a_job_that_goes_on_begins_with_its_next_batch),
        cmocka_unit_test(seconds_are_those_that_have_passed),
        cmocka_unit_test(a_job_ends_at_a_limit_or_with_a_reason),
        cmocka_unit_test(each_event_has_its_time),
        cmocka_unit_test(an_answer_to_another_order_is_none),
        cmocka_unit_test(a_batch_that_cannot_be_is_refused),
        cmocka_unit_test(homes_are_places_of_locations),
        cmocka_unit_test(tests_of_several_launches_have_an_order_and_overlap),
        cmocka_unit_test(a_draw_is_what_a_worker_prints),
        cmocka_unit_test(batches_beyond_the_job_are_refused),
        cmocka_unit_test(a_build_that_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
