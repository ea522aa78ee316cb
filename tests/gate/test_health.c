// SPDX-License-Identifier: Apache-2.0
/* Protects: the problems of a set of runs are counted and named, in words and in JSON. */
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "gate/health.h"
#include "tests/analysis/planted/planted.h"

static void test_what_is_wrong_is_named(void **state)
{
    (void)state;
    static const struct planted_test jobs[] = {
        {.name = "SB", .batches = 5, .instances = 1000, .rate = 0.1, .even = true, .verdict = "forbidden"},
        {.name = "T0+fence", .controls = "T0", .batches = 5, .instances = 1000, .rate = 0.1, .even = true},
        {.name = "LB", .batches = 2, .instances = 1000, .even = true, .state = JOB_HANG},
        {.name = "T0", .batches = 5, .instances = 1000, .rate = 0.1, .even = true},
        {.name = "MP", .batches = 2, .instances = 1000, .even = true},
        {.name = "MP+fence", .controls = "MP", .batches = 2, .instances = 1000, .even = true}};
    struct side side = planted_side("1.0");
    struct document document = {.title = "health"};
    struct health health;
    struct text text = {0};
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++)
        planted_add(&side, "1.0", &jobs[i]);
    side_gather(&side, DIMENSION_DRIVER);
    health_read(&side, &health);
    assert_int_equal(health.alarm_count, 3);
    assert_string_equal(health.alarms[0].sample->row.test, "SB");
    assert_string_equal(health.alarms[1].sample->row.test, "T0+fence");
    assert_string_equal(health.alarms[2].sample->row.test, "LB");
    assert_int_equal(health.mutants, 2);
    assert_int_equal(health.unseen_count, 1);
    json_t *alarms = field_alarms(&health), *unseen = field_unseen_mutants(&health);
    assert_int_equal(json_array_size(alarms), 3);
    assert_string_equal(json_string_value(json_array_get(unseen, 0)), "ptx:MP");
    json_decref(alarms);
    json_decref(unseen);
    text_add(&document.line, "a baseline");
    document_answer(&document, TERMINAL_PLAIN);
    health_document(&health, &document);
    planted_print(&document, &text);
    assert_non_null(strstr(text_string(&text), "FORBIDDEN  ptx:SB  " PLANTED_WITNESS));
    assert_non_null(strstr(text_string(&text), "CONTROL  ptx:T0+fence  " PLANTED_WITNESS));
    assert_non_null(strstr(text_string(&text), "FAULT  ptx:LB  hang in 1 of 1 jobs"));
    assert_non_null(strstr(text_string(&text), "1 of 2 mutants was never seen here"));
    text_release(&text);
    side_release(&side);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_what_is_wrong_is_named)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
