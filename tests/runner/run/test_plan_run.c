// SPDX-License-Identifier: Apache-2.0
/* Protects the plan of a run: equal devices share their tests, and devices with a difference that can change a result
 * are not equal; shards are disjoint, complete and the same in every selection; a test's controls stay with it; the
 * most jobs on one piece of hardware; the jobs that a device cannot run; a part of a plan has whole units. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/target.h"
#include "runner/run/plan_run.h"

enum { DEVICES_AT_MOST = 4 };

struct fixture {
    struct selection selection;
    struct backend_device devices[DEVICES_AT_MOST];
    const struct backend_device *chosen[DEVICES_AT_MOST];
    struct run_plan plan;
};

static void select_tests(struct fixture *fixture, const char *first, const char *second)
{
    char *arguments[] = {(char *)(uintptr_t)first, (char *)(uintptr_t)second};
    struct error error;
    if (selection_make(arguments, second ? 2 : 1, kernel_judge, &fixture->selection, &error) != STATUS_OK)
        fail_msg("%s", error.text);
}

static void add_devices(struct fixture *fixture)
{
    const struct backend_device gpu = {.backend = "simulated",
                                       .name = "Toy",
                                       .driver = "1",
                                       .gpu = true,
                                       .takes = BACKEND_TAKES_C11,
                                       .compute_units = 16,
                                       .max_group_size = 256,
                                       .local_bytes = 1024};
    for (unsigned i = 0; i < DEVICES_AT_MOST; i++) {
        fixture->devices[i] = gpu;
        fixture->devices[i].index = i;
        (void)snprintf(fixture->devices[i].uuid, sizeof fixture->devices[i].uuid, "uuid-%u", i);
        fixture->chosen[i] = &fixture->devices[i];
    }
}

static void plan(struct fixture *fixture, size_t devices)
{
    struct error error;
    if (run_plan_make(&fixture->selection, fixture->chosen, devices, NULL, NULL, RUN_LOWERING_USUAL, true,
                      &fixture->plan, &error) != STATUS_OK)
        fail_msg("%s", error.text);
}

/* Checks that units and jobs match. */
static void check_units(const struct run_plan *plan)
{
    size_t at = 0;
    for (size_t u = 0; u < plan->unit_count; u++) {
        const struct planned_unit *unit = &plan->units[u];
        const struct planned_job *test = &plan->jobs[unit->first];
        assert_int_equal(unit->first, at);
        assert_true(unit->end > unit->first);
        assert_null(test->controlled);
        for (size_t i = unit->first + 1; i < unit->end; i++) {
            assert_ptr_equal(plan->jobs[i].controlled, test->test->test);
            assert_string_equal(plan->jobs[i].key, test->key);
        }
        at = unit->end;
    }
    assert_int_equal(plan->job_count, at);
}

static void release(struct fixture *fixture)
{
    run_plan_release(&fixture->plan);
    selection_release(&fixture->selection);
}

static void test_equal_devices_share(void **state)
{
    struct fixture fixture = {0};
    (void)state;
    select_tests(&fixture, "opencl:SB+relaxed", "opencl:MP+*");
    add_devices(&fixture);
    plan(&fixture, 3);
    const size_t all = fixture.plan.unit_count, jobs = fixture.plan.job_count;
    assert_true(jobs > all); /* there are controls, else the check is weaker */
    assert_int_equal(run_plan_longest(&fixture.plan, NULL), jobs / 3);
    run_plan_share(&fixture.plan);
    assert_int_equal(fixture.plan.unit_count, all / 3);
    assert_int_equal(fixture.plan.job_count, jobs / 3);
    for (size_t d = 0; d < 3; d++)
        assert_int_equal(fixture.plan.devices[d].group, 0);
    assert_int_equal(run_plan_longest(&fixture.plan, NULL), (jobs / 3 + 2) / 3);
    check_units(&fixture.plan);
    release(&fixture);
}

/* A CUDA test is played by both lowerings with the same draws, each with its controls, if the device takes both; any
 * other test once. If one lowering is requested, a test has no other, and is refused if it lacks that one. */
static void test_lowerings(void **state)
{
    struct fixture fixture = {0};
    struct error error;
    (void)state;
    select_tests(&fixture, "cuda:MP+relaxed", "ptx:MP+relaxed");
    add_devices(&fixture);
    fixture.devices[0].takes = BACKEND_TAKES_PTX | BACKEND_TAKES_CUDA;
    fixture.devices[1].takes = BACKEND_TAKES_PTX;
    assert_int_equal(run_plan_make(&fixture.selection, fixture.chosen, 2, NULL, NULL, RUN_LOWERING_BOTH, true,
                                   &fixture.plan, &error),
                     STATUS_OK);
    static const char *const expected[] = {"ptx", "source", "ptx", "ptx",
                                           "ptx"}; /* of units; device 1 does not take source */
    assert_int_equal(fixture.plan.unit_count, 5);
    for (size_t u = 0; u < 5; u++)
        for (size_t i = fixture.plan.units[u].first; i < fixture.plan.units[u].end; i++)
            assert_string_equal(fixture.plan.jobs[i].lowering, expected[u]);
    assert_string_equal(fixture.plan.jobs[fixture.plan.units[0].first].key,
                        fixture.plan.jobs[fixture.plan.units[1].first].key);
    check_units(&fixture.plan);
    run_plan_release(&fixture.plan);
    assert_int_equal(run_plan_make(&fixture.selection, fixture.chosen, 1, NULL, NULL, RUN_LOWERING_SOURCE, false,
                                   &fixture.plan, &error),
                     STATUS_OK);
    run_plan_refuse(&fixture.plan);
    assert_int_equal(fixture.plan.job_count, 2);
    assert_string_equal(fixture.plan.jobs[1].lowering, "source");
    assert_false(fixture.plan.jobs[0].refused);
    assert_true(fixture.plan.jobs[1].refused);
    release(&fixture);
}

/* A difference between the two devices, and whether they still count as equal. */
struct difference {
    const char *what;
    bool equal;
    void (*make)(struct backend_device *device);
};

static void differ_uuid(struct backend_device *device)
{
    device->uuid[0] = '\0';
}

static void differ_memory(struct backend_device *device)
{
    device->memory_bytes = 1;
}

static void differ_name(struct backend_device *device)
{
    device->name[0] = 'J';
}

static void differ_driver(struct backend_device *device)
{
    device->driver[0] = '2';
}

static void differ_platform(struct backend_device *device)
{
    device->platform[0] = 'P';
}

static void differ_compiler(struct backend_device *device)
{
    device->compiler[0] = 'C';
}

static void differ_architecture(struct backend_device *device)
{
    device->architecture[0] = 'A';
}

static void differ_units(struct backend_device *device)
{
    device->compute_units++;
}

static void differ_group(struct backend_device *device)
{
    device->max_group_size++;
}

static void differ_local(struct backend_device *device)
{
    device->local_bytes++;
}

static void differ_orders(struct backend_device *device)
{
    device->atomic_orders ^= BACKEND_ORDER_SEQ_CST;
}

static void differ_kind(struct backend_device *device)
{
    device->gpu = false;
}

static const struct difference differences[] = {
    {"uuid", true, differ_uuid},
    {"memory", true, differ_memory},
    {"name", false, differ_name},
    {"driver", false, differ_driver},
    {"platform", false, differ_platform},
    {"compiler", false, differ_compiler},
    {"architecture", false, differ_architecture},
    {"compute units", false, differ_units},
    {"work-group size", false, differ_group},
    {"local memory", false, differ_local},
    {"orders", false, differ_orders},
    {"GPU or not", false, differ_kind},
};

static void test_unequal_devices_do_not_share(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof differences / sizeof *differences; i++) {
        struct fixture fixture = {0};
        select_tests(&fixture, "opencl:SB+relaxed", NULL);
        add_devices(&fixture);
        differences[i].make(&fixture.devices[1]);
        plan(&fixture, 2);
        run_plan_share(&fixture.plan);
        if (fixture.plan.unit_count != (differences[i].equal ? 1 : 2))
            fail_msg("devices of another %s: %zu units", differences[i].what, fixture.plan.unit_count);
        check_units(&fixture.plan);
        release(&fixture);
    }
}

/* Counts how often the keys of a shard's units were seen. */
static size_t count_key(const struct run_plan *plan, const char *key)
{
    size_t count = 0;
    for (size_t u = 0; u < plan->unit_count; u++)
        count += strcmp(plan->jobs[plan->units[u].first].key, key) == 0;
    return count;
}

static void test_shards_divide(void **state)
{
    enum { SHARDS = 3 };
    struct fixture whole = {0}, parts[SHARDS] = {0};
    size_t jobs = 0;
    (void)state;
    select_tests(&whole, "opencl:SB+*", "opencl:MP+*");
    add_devices(&whole);
    plan(&whole, 1);
    for (unsigned s = 0; s < SHARDS; s++) {
        select_tests(&parts[s], "opencl:MP+*", "opencl:SB+*"); /* in another order */
        add_devices(&parts[s]);
        plan(&parts[s], 1);
        run_plan_shard(&parts[s].plan, s + 1, SHARDS);
        check_units(&parts[s].plan);
        assert_true(parts[s].plan.unit_count > 0);
        assert_true(parts[s].plan.unit_count < whole.plan.unit_count / 2);
        jobs += parts[s].plan.job_count;
    }
    assert_int_equal(jobs, whole.plan.job_count);
    for (size_t u = 0; u < whole.plan.unit_count; u++) {
        const char *key = whole.plan.jobs[whole.plan.units[u].first].key;
        size_t with = 0, times = 0;
        for (unsigned s = 0; s < SHARDS; s++) {
            with += count_key(&parts[s].plan, key) > 0;
            times += count_key(&parts[s].plan, key);
        }
        assert_int_equal(with, 1);
        assert_int_equal(times, count_key(&whole.plan, key));
    }
    for (unsigned s = 0; s < SHARDS; s++)
        release(&parts[s]);
    release(&whole);
}

static void test_same_hardware(void **state)
{
    struct fixture fixture = {0};
    (void)state;
    select_tests(&fixture, "opencl:SB+relaxed", NULL);
    add_devices(&fixture);
    const struct backend_device *a = &fixture.devices[0], *b = &fixture.devices[1];
    assert_true(plan_same_hardware(a, a));
    assert_false(plan_same_hardware(a, b));
    memcpy(fixture.devices[1].uuid, a->uuid, sizeof a->uuid);
    (void)snprintf(fixture.devices[1].backend, sizeof b->backend, "opencl");
    assert_true(plan_same_hardware(a, b));
    plan(&fixture, 3);
    assert_int_equal(run_plan_longest(&fixture.plan, NULL), 2 * fixture.plan.job_count / 3);
    fixture.devices[0].uuid[0] = fixture.devices[1].uuid[0] = '\0';
    assert_false(plan_same_hardware(a, b));
    release(&fixture);
}

/* A device that takes only OpenCL C: PTX tests are refused without asking a driver, and no time is planned for them. */
static void what_a_device_cannot_run_is_known_in_advance(void **state)
{
    struct fixture fixture = {0};
    size_t able = 0;
    (void)state;
    select_tests(&fixture, "opencl:SB+relaxed", "ptx:MP+relaxed");
    add_devices(&fixture);
    plan(&fixture, 1);
    assert_int_equal(run_plan_longest(&fixture.plan, NULL), fixture.plan.job_count);
    run_plan_refuse(&fixture.plan);
    for (size_t i = 0; i < fixture.plan.job_count; i++) {
        const bool runs = fixture.plan.jobs[i].test->test->dialect == LITMUS_OPENCL;
        assert_int_equal(fixture.plan.jobs[i].refused, !runs);
        able += runs;
    }
    assert_true(able > 0 && able < fixture.plan.job_count);
    assert_int_equal(run_plan_longest(&fixture.plan, NULL), able);
    release(&fixture);
}

static bool is_control(const struct planned_job *job, void *context)
{
    (void)context;
    return job->controlled != NULL;
}

static void a_part_has_whole_units_and_their_keys(void **state)
{
    struct fixture fixture = {0};
    struct run_plan picked;
    (void)state;
    select_tests(&fixture, "opencl:CoRR+relaxed", "opencl:SB+relaxed"); /* the first has no control */
    add_devices(&fixture);
    plan(&fixture, 2);
    run_plan_pick(&fixture.plan, is_control, NULL, &picked);
    assert_int_equal(fixture.plan.unit_count, 4);
    assert_int_equal(picked.unit_count, 2);
    check_units(&picked);
    for (size_t u = 0; u < picked.unit_count; u++) {
        assert_string_equal(picked.jobs[picked.units[u].first].test->test->name, "SB+relaxed");
        assert_true(count_key(&fixture.plan, picked.jobs[picked.units[u].first].key) > 0);
    }
    run_plan_release(&picked);
    check_units(&fixture.plan);
    release(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_devices_share),
        cmocka_unit_test(test_lowerings),
        cmocka_unit_test(test_unequal_devices_do_not_share),
        cmocka_unit_test(test_shards_divide),
        cmocka_unit_test(test_same_hardware),
        cmocka_unit_test(what_a_device_cannot_run_is_known_in_advance),
        cmocka_unit_test(a_part_has_whole_units_and_their_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
