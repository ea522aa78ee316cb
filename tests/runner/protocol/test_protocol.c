// SPDX-License-Identifier: Apache-2.0
/* Protects the messages between the supervisor and a worker: everything arrives as sent, including the largest numbers
 * and the oddest texts, and a line that is not a message is refused instead of partly read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runner/protocol/protocol.h"

static const char test_text[] =
    "OPENCL t\n\"a \\\\ doc, 'quoted'\"\n{ x=0; }\nP0@wg 0, dev 0 (global int* x) { int r0 = "
    "*x; }\nexists (0:r0=0)\n";
static const char odd[] = "\"quotes\" \\ and\nnewlines\r\n\tand \x01 and \xc3\xa4 {[,:]}";

static struct job make_job(void)
{
    const struct backend_device device = {.gpu = true};
    struct job job = {.seed = UINT64_MAX,
                      .key = UINT64_MAX - 1,
                      .extent = {.instances = 1ull << 63,
                                 .batch_instances = UINT64_MAX - 3,
                                 .resident_groups = UINT32_MAX,
                                 .seconds = 0.1},
                      .pilot = true,
                      .deadline = 1e6 / 3,
                      .lowering = "source"};
    environment_default(&device, &job.environment);
    return job;
}

static void test_request(void **state)
{
    const struct job sent = make_job();
    struct text one = {0}, two = {0};
    struct litmus_test *test;
    struct job job;
    struct error error;
    (void)state;
    uint64_t order;
    char *line = protocol_request(UINT64_MAX - 2, &sent, test_text, "a \"file\"");
    assert_non_null(line);
    assert_null(strchr(line, '\n'));
    assert_int_equal(protocol_read_request(line, strlen(line), &order, &job, &test, &error), STATUS_OK);
    assert_true(order == UINT64_MAX - 2);
    assert_true(job.seed == sent.seed && job.key == sent.key && job.pilot);
    assert_true(job.extent.instances == sent.extent.instances && job.extent.seconds == 0.1);
    assert_true(job.extent.batch_instances == sent.extent.batch_instances);
    assert_true(job.extent.resident_groups == UINT32_MAX && job.deadline == 1e6 / 3);
    assert_string_equal(job.lowering, "source");
    assert_ptr_equal(job.test, test);
    assert_string_equal(test->name, "t");
    environment_print(&sent.environment, &one);
    environment_print(&job.environment, &two);
    assert_string_equal(text_string(&one), text_string(&two));
    text_release(&one);
    text_release(&two);
    litmus_release(test);
    free(line);
}

static void check_refused_bytes(const char *line, size_t size, const char *expected)
{
    struct litmus_test *test;
    struct job job;
    struct error error;
    uint64_t order;
    assert_int_not_equal(protocol_read_request(line, size, &order, &job, &test, &error), STATUS_OK);
    assert_null(test);
    assert_non_null(strstr(error.text, expected));
}

static void check_refused_request(const char *line, const char *expected)
{
    check_refused_bytes(line, strlen(line), expected);
}

/* A request with one value changed. */
static void check_changed_request(const char *key, json_t *value, const char *expected)
{
    const struct job sent = make_job();
    char *line = protocol_request(1, &sent, test_text, "file");
    json_t *request = json_loads(line, 0, NULL);
    assert_int_equal(value ? json_object_set_new(request, key, value) : json_object_del(request, key), 0);
    char *changed = json_dumps(request, JSON_COMPACT);
    check_refused_request(changed, expected);
    json_decref(request);
    free(changed);
    free(line);
}

static void test_refused_requests(void **state)
{
    static const char unreadable[] = "malformed request to the worker";
    static const char *const lines[] = {"", "{", "[]", "7", "{}", "null", "\"text\"", "{\"test\": 1}"};
    static const char *const numbers[] = {"", "-1", "1.5", "0x10", "18446744073709551616", "7 ", "seven"};
    static const char *const keys[] = {"order", "test", "file", "environment", "seed", "key", "instances", "seconds"};
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        check_refused_request(lines[i], unreadable);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        check_changed_request("seed", json_string(numbers[i]), unreadable);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        check_changed_request(keys[i], NULL, unreadable);
        check_changed_request(keys[i], json_true(), unreadable);
    }
    check_changed_request("colour", json_string("red"), unreadable);
    check_changed_request("resident_limit", json_string("4294967296"), unreadable);
    check_changed_request("seconds", json_real(-1), unreadable);
    check_changed_request("deadline", json_real(-1), unreadable);
    check_changed_request("done_seconds", json_real(-1), unreadable);
    check_changed_request("environment", json_string("{}"), "environment: group_size: expected [low, high]");
    check_changed_request("test", json_string("OPENCL t\n{ x=0; }\nno thread"), "file:3:1: ");
}

/* Bytes at which a C string would end, and a job without a limit. */
static void test_refused_bytes_and_jobs(void **state)
{
    static const char unreadable[] = "malformed request to the worker";
    static char endless[PROTOCOL_LINE_MAXIMUM + 1];
    struct job sent = make_job();
    (void)state;
    char *line = protocol_request(1, &sent, test_text, "file");
    check_refused_bytes(line, strlen(line) + 1, unreadable); /* a NUL after it */
    check_refused_bytes(line, strlen(line) - 1, unreadable);
    free(line);
    memset(endless, ' ', sizeof endless);
    memcpy(endless, "{}", 2);
    check_refused_bytes(endless, sizeof endless, unreadable);
    sent.extent.instances = 0;
    sent.extent.seconds = sent.deadline = 0;
    line = protocol_request(1, &sent, test_text, "file");
    check_refused_request(line, "request to the worker for a job without a limit");
    free(line);
}

/* Of a log that is too long for a line, the end is sent, because it says what is wrong. */
static void test_long_log(void **state)
{
    enum { SIZE = 2 * PROTOCOL_LINE_MAXIMUM };
    struct build sent = {.kernel = "k", .binary = "", .lowering = "c11"}, build;
    struct error error;
    char *log = malloc(SIZE);
    (void)state;
    assert_non_null(log);
    memset(log, '\n', SIZE);
    memcpy(log + SIZE - 5, "last", 5);
    sent.log = sent.binary = log;
    json_t *event = protocol_built(1, &sent);
    char *line = json_dumps(event, JSON_COMPACT);
    json_decref(event);
    event = protocol_read_event(line, strlen(line));
    assert_non_null(event);
    assert_int_equal(protocol_read_built(event, &build, &error), STATUS_OK);
    assert_int_equal(strlen(build.log), PROTOCOL_LOG_MAXIMUM);
    assert_string_equal(build.log + PROTOCOL_LOG_MAXIMUM - 4, "last");
    json_decref(event);
    free(line);
    free(log);
}

static void test_built(void **state)
{
    const struct build sent = {.kernel = odd,
                               .binary = "",
                               .log = odd,
                               .seconds = 1.5,
                               .resident_groups = INT32_MAX,
                               .marks = MARK_UNDECLARED | MARK_FROZEN,
                               .lowering = "c11",
                               .kept = TEST_NOT_KEPT,
                               .kept_reason = "P1 line 7: the load of x is missing"};
    struct build build;
    struct error error;
    json_t *event = protocol_built(7, &sent);
    (void)state;
    assert_non_null(event);
    char *line = json_dumps(event, JSON_COMPACT);
    json_decref(event);
    assert_null(strchr(line, '\n'));
    event = protocol_read_event(line, strlen(line));
    assert_non_null(event);
    assert_int_equal(protocol_order(event), 7);
    assert_string_equal(protocol_kind(event), "built");
    assert_int_equal(protocol_read_built(event, &build, &error), STATUS_OK);
    assert_string_equal(build.kernel, odd);
    assert_string_equal(build.binary, "");
    assert_string_equal(build.log, odd);
    assert_true(build.seconds == 1.5);
    assert_int_equal(build.resident_groups, INT32_MAX);
    assert_int_equal(build.marks, MARK_UNDECLARED | MARK_FROZEN);
    assert_string_equal(build.lowering, "c11");
    assert_int_equal(build.kept, TEST_NOT_KEPT);
    assert_string_equal(build.kept_reason, "P1 line 7: the load of x is missing");
    assert_int_equal(json_object_set_new(event, "marks", json_true()), 0);
    assert_int_equal(protocol_read_built(event, &build, &error), STATUS_INTERNAL);
    assert_string_equal(error.text, "malformed `built` message from the worker");
    json_decref(event);
    free(line);
}

/* Protects: an unknown word for `kept` makes the message invalid, as it could not be stored. */
static void test_a_word_on_the_test_that_is_none(void **state)
{
    const struct build sent = {.kernel = "k", .binary = "", .log = "", .lowering = "c11", .kept = TEST_KEPT};
    struct build build;
    struct error error;
    json_t *event = protocol_built(7, &sent);
    (void)state;
    assert_int_equal(protocol_read_built(event, &build, &error), STATUS_OK);
    assert_int_equal(build.kept, TEST_KEPT);
    assert_string_equal(build.kept_reason, "");
    assert_int_equal(json_object_set_new(event, "kept", json_string("perhaps")), 0);
    assert_int_equal(protocol_read_built(event, &build, &error), STATUS_INTERNAL);
    assert_int_equal(json_object_set_new(event, "kept", json_string("kept")), 0);
    assert_int_equal(json_object_del(event, "kept_reason"), 0);
    assert_int_equal(protocol_read_built(event, &build, &error), STATUS_INTERNAL);
    json_decref(event);
}

/* Protects: a reason of any length and form arrives as one line that the supervisor accepts, and is cut between
 * characters. */
static void test_a_long_reason_is_cut(void **state)
{
    char reason[4 * KEPT_REASON_SIZE] = "";
    struct build build;
    struct error error;
    (void)state;
    for (size_t i = 0; i + 3 < sizeof reason; i += 2)
        memcpy(reason + i, "\u00e9", 3);
    struct build sent = {
        .kernel = "k", .binary = "", .log = "", .lowering = "c11", .kept = TEST_NOT_KEPT, .kept_reason = reason};
    json_t *event = protocol_built(7, &sent);
    assert_int_equal(protocol_read_built(event, &build, &error), STATUS_OK);
    assert_int_equal(strlen(build.kept_reason), KEPT_REASON_SIZE - 2); /* 511 characters of two bytes */
    json_decref(event);
    sent.kept_reason = "first line\nsecond";
    event = protocol_built(7, &sent);
    assert_int_equal(protocol_read_built(event, &build, &error), STATUS_OK);
    assert_string_equal(build.kept_reason, "first line");
    json_decref(event);
}

/* Sends a batch as text and reads it back; returns the event, into which the strings point. */
static json_t *send_batch(const struct batch *sent, struct batch *batch)
{
    struct error error;
    json_t *event = protocol_batch(7, sent);
    assert_non_null(event);
    char *line = json_dumps(event, JSON_COMPACT);
    json_decref(event);
    assert_null(strchr(line, '\n'));
    event = protocol_read_event(line, strlen(line));
    assert_non_null(event);
    assert_int_equal(protocol_order(event), 7);
    free(line);
    assert_string_equal(protocol_kind(event), "batch");
    assert_int_equal(protocol_read_batch(event, batch, &error), STATUS_OK);
    return event;
}

static void test_batch(void **state)
{
    static const struct count outcomes[] = {{"0:r0=1;", UINT64_MAX, true}, {odd, 1, false}};
    static const struct count voids[] = {{"gave_up", 3, false}};
    const struct batch sent = {.number = UINT64_MAX,
                               .instances = UINT64_MAX - 3,
                               .seconds = 0.25,
                               .started = 1e9,
                               .draw = "{\"a\":1}",
                               .liveness = "{}",
                               .outcomes = outcomes,
                               .outcome_count = 2,
                               .voids = voids,
                               .void_count = 1};
    struct batch batch;
    json_t *event = send_batch(&sent, &batch);
    (void)state;
    assert_true(batch.number == UINT64_MAX && batch.instances == UINT64_MAX - 3);
    assert_true(batch.seconds == 0.25 && batch.started == 1e9);
    assert_null(batch.invalid);
    assert_string_equal(batch.draw, "{\"a\":1}");
    assert_int_equal(batch.outcome_count, 2);
    assert_true(batch.outcomes[0].count == UINT64_MAX && batch.outcomes[0].witness && !batch.outcomes[1].witness);
    assert_string_equal(batch.outcomes[1].label, odd);
    assert_int_equal(batch.void_count, 1);
    assert_string_equal(batch.voids[0].label, "gave_up");
    protocol_release_batch(&batch);
    json_decref(event);
}

static void test_invalid_batch(void **state)
{
    const struct batch sent = {.invalid = odd, .draw = "", .liveness = ""};
    struct batch batch;
    json_t *event = send_batch(&sent, &batch);
    (void)state;
    assert_string_equal(batch.invalid, odd);
    assert_int_equal(batch.outcome_count, 0);
    assert_int_equal(batch.void_count, 0);
    protocol_release_batch(&batch);
    json_decref(event);
}

static void test_refused_batches(void **state)
{
    static const char *const lists[] = {"7",
                                        "{}",
                                        "[7]",
                                        "[[]]",
                                        "[[\"a\",1,true]]",
                                        "[[\"a\",\"1\",true,1]]",
                                        "[[\"a\",\"1\",1]]",
                                        "[[1,\"1\",true]]",
                                        "[[\"a\",\"1\",true],[\"b\"]]",
                                        "[[\"a\",\"-1\",true]]"};
    const struct batch sent = {.draw = "", .liveness = ""};
    (void)state;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        struct batch batch;
        struct error error;
        json_t *event = protocol_batch(7, &sent);
        assert_int_equal(
            json_object_set_new(event, i % 2 ? "voids" : "outcomes", json_loads(lists[i], JSON_DECODE_ANY, NULL)), 0);
        assert_int_equal(protocol_read_batch(event, &batch, &error), STATUS_INTERNAL);
        assert_string_equal(error.text, "malformed `batch` message from the worker");
        protocol_release_batch(&batch);
        json_decref(event);
    }
}

static void test_ended(void **state)
{
    struct error sent, told, error;
    struct circumstances read = {0}, circumstances;
    (void)state;
    assert_true(circumstances_note(&read, CIRCUMSTANCE_POWER, 701.25));
    assert_true(circumstances_note_throttle(&read, "power thermal"));
    for (int status = 0; status < STATUS_COUNT; status++) {
        (void)error_set(&sent, (enum status)status, "%s", odd);
        error_set_detail(&sent, "line 1\nline \"2\"");
        json_t *event = protocol_ended(7, (enum status)status, &sent, &read);
        assert_string_equal(protocol_kind(event), "ended");
        assert_int_equal(protocol_read_ended(event, &told, &circumstances, &error), STATUS_OK);
        assert_int_equal(circumstances.known, 1u << CIRCUMSTANCE_POWER);
        assert_true(circumstances.numbers[CIRCUMSTANCE_POWER] == 701.25);
        assert_string_equal(circumstances.throttle, "power thermal");
        assert_int_equal(told.status, status);
        assert_string_equal(told.text, status == STATUS_OK ? "" : odd);
        assert_string_equal(told.detail, status == STATUS_OK ? "" : "line 1\nline \"2\"");
        json_decref(event);
    }
}

/* An `ended` event with one value changed or missing. */
static void check_refused_end(const char *key, json_t *value)
{
    const struct error sent = {.status = STATUS_OK};
    struct error told, error;
    struct circumstances read = {0}, circumstances;
    json_t *event = protocol_ended(7, STATUS_OK, &sent, &read);
    assert_int_equal(value ? json_object_set_new(event, key, value) : json_object_del(event, key), 0);
    assert_int_equal(protocol_read_ended(event, &told, &circumstances, &error), STATUS_INTERNAL);
    assert_string_equal(error.text, "malformed `ended` message from the worker");
    json_decref(event);
}

static void test_refused_ends(void **state)
{
    static const char *const keys[] = {"status", "text", "detail", "circumstances"};
    static const char *const circumstances[] = {"{\"power_w\":-1}",       "{\"power_w\":1e9}", "{\"power_w\":\"7\"}",
                                                "{\"throttle\":\"A;B\"}", "{\"throttle\":7}",  "{\"wind\":7}"};
    (void)state;
    check_refused_end("status", json_string("NEVER_HEARD"));
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        check_refused_end(keys[i], NULL);
        check_refused_end(keys[i], json_true());
    }
    for (size_t i = 0; i < sizeof circumstances / sizeof *circumstances; i++)
        check_refused_end("circumstances", json_loads(circumstances[i], 0, NULL));
}

/* Lines that are not events, whatever their kind says. */
static void test_no_events(void **state)
{
    static const char *const lines[] = {"",
                                        "{}",
                                        "[]",
                                        "7",
                                        "{\"event\":\"opened\"}",
                                        "{\"order\":\"0\"}",
                                        "{\"event\":7,\"order\":\"0\"}",
                                        "{\"event\":\"opened\",\"order\":0}",
                                        "{\"event\":\"opened\",\"order\":\"0\"} {}",
                                        "{\"event\":\"opened\",\"event\":\"opened\",\"order\":\"0\"}",
                                        "{\"event\":\"\\u0000\",\"order\":\"0\"}",
                                        "{\"event\":\"\xff\",\"order\":\"0\"}"};
    static const char cut[] = "{\"event\":\"opened\",\"order\":\"0\"}";
    struct error error;
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        assert_null(protocol_read_event(lines[i], strlen(lines[i])));
    assert_null(protocol_read_event(cut, sizeof cut)); /* including its NUL */
    json_t *event = protocol_read_event(cut, sizeof cut - 1);
    assert_non_null(event);
    assert_int_equal(protocol_read_opened(event, &error), STATUS_OK);
    assert_int_equal(json_object_set_new(event, "colour", json_string("red")), 0);
    assert_int_equal(protocol_read_opened(event, &error), STATUS_INTERNAL);
    json_decref(event);
}

static void test_kind(void **state)
{
    json_t *none = json_object(), *number = json_pack("{s:i}", "event", 7), *list = json_array();
    (void)state;
    assert_string_equal(protocol_kind(none), "");
    assert_string_equal(protocol_kind(number), "");
    assert_string_equal(protocol_kind(list), "");
    assert_string_equal(protocol_kind(NULL), "");
    json_decref(none);
    json_decref(number);
    json_decref(list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_request),
        cmocka_unit_test(test_refused_requests),
        cmocka_unit_test(test_a_word_on_the_test_that_is_none),
        cmocka_unit_test(test_a_long_reason_is_cut),
        cmocka_unit_test(test_built),
        cmocka_unit_test(test_batch),
        cmocka_unit_test(test_invalid_batch),
        cmocka_unit_test(test_ended),
        cmocka_unit_test(test_refused_ends),
        cmocka_unit_test(test_refused_batches),
        cmocka_unit_test(test_kind),
        cmocka_unit_test(test_no_events),
        cmocka_unit_test(test_long_log),
        cmocka_unit_test(test_refused_bytes_and_jobs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
