// SPDX-License-Identifier: Apache-2.0
/* Protects the addresses and descriptions of ensembles: reading an address, members through JSON and back, and the
 * differences between two ensembles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "backends/ensemble/ensemble.h"
#include "runner/run/plan_run.h"
#include "runner/run/plan_store.h"
#include "runner/supervise/devices.h"

static const struct backend_device members[] = {
    {.backend = "cuda", .index = 0, .name = "First", .uuid = "GPU-0", .memory_bytes = 1 << 30, .gpu = true},
    {.backend = "cuda", .index = 1, .name = "Second", .uuid = "GPU-1", .memory_bytes = 1 << 30, .gpu = true},
    {.backend = "opencl", .index = 0, .name = "A CPU", .memory_bytes = 1 << 30},
};

static const struct backend_device two = {.backend = DEVICES_ENSEMBLE,
                                          .name = "First + Second",
                                          .gpu = true,
                                          .takes = BACKEND_TAKES_PTX,
                                          .member_count = 2,
                                          .members = members,
                                          .homes = 7,
                                          .atomic_homes = 3,
                                          .links = "peer access, native atomics"};

static const struct backend_device with_host = {.backend = DEVICES_ENSEMBLE,
                                                .index = 1,
                                                .name = "Second + A CPU",
                                                .member_count = 2,
                                                .members = members + 1,
                                                .host = true,
                                                .takes = BACKEND_TAKES_PTX,
                                                .homes = 4};

/* It takes no tests; links says why. */
static const struct backend_device apart = {.backend = DEVICES_ENSEMBLE,
                                            .index = 2,
                                            .name = "First + Second",
                                            .member_count = 2,
                                            .members = members,
                                            .links = "cuda:0 has no peer access to cuda:1"};

static void an_address_names_all_members(void **state)
{
    (void)state;
    assert_string_equal(device_address(&members[1]).text, "cuda:1");
    assert_string_equal(device_address(&two).text, "cuda:0+cuda:1");
    assert_string_equal(device_address(&with_host).text, "cuda:1+host");
}

static void an_address_is_read(void **state)
{
    struct device_address address;
    struct error error = {0};
    (void)state;
    assert_int_equal(device_address_read("CUDA:0+opencl:12+HOST", &address, &error), STATUS_OK);
    assert_string_equal(address.text, "cuda:0+opencl:12+host");
    assert_true(ensemble_is_address("cuda:0+cuda:1"));
    assert_true(ensemble_is_address("host+cuda:1"));
    assert_false(ensemble_is_address("cuda:0"));
    assert_false(ensemble_is_address("Cores+Plus")); /* part of a device's name */
    assert_false(ensemble_is_address(NULL));
}

static void a_wrong_address_is_refused_with_the_reason(void **state)
{
    struct device_address address;
    struct error error = {0}, theirs = {0};
    struct ensemble_definition definition;
    (void)state;
    assert_int_equal(device_address_read("cuda:0+cuda", &address, &error), STATUS_USAGE);
    assert_int_equal(ensemble_parse("cuda:0+cuda", &definition, &theirs), STATUS_USAGE);
    assert_string_equal(error.text + strlen("--device "), theirs.text); /* the same parser, so the same text */
}

static struct backend_device through_json(const struct backend_device *device)
{
    struct backend_device again;
    struct error error = {0};
    json_t *json = field_described_device(device);
    if (device_from_json(json, &again, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    json_decref(json);
    return again;
}

static void an_ensemble_survives_json(void **state)
{
    const struct backend_device *const all[] = {&two, &with_host, &apart};
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct backend_device again = through_json(all[i]);
        assert_true(device_is_equal(all[i], &again));
        assert_int_equal(again.homes, all[i]->homes);
        assert_int_equal(again.atomic_homes, all[i]->atomic_homes);
        assert_string_equal(device_address(&again).text, device_address(all[i]).text);
        assert_string_equal(again.members[1].name, all[i]->members[1].name);
        assert_string_equal(again.links, all[i]->links);
        device_release(&again);
    }
}

static void a_damaged_ensemble_is_refused(void **state)
{
    static const struct {
        const char *member, *value;
    } damages[] = {
        {"members", "[]"}, {"members", "[{}, {}]"},     {"members", "7"},         {"host", "1"},
        {"homes", "[]"},   {"homes", "[\"2\"]"},        {"homes", "[\"there\"]"}, {"homes", "\"host\""},
        {"links", "7"},    {"atomic_homes", "[\"2\"]"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        struct backend_device again;
        struct error error = {0};
        json_t *json = field_described_device(&two);
        assert_int_equal(
            json_object_set_new(json, damages[i].member, json_loads(damages[i].value, JSON_DECODE_ANY, NULL)), 0);
        assert_int_equal(device_from_json(json, &again, &error), STATUS_INTERNAL);
        assert_null(again.members);
        json_decref(json);
    }
}

/* Ensembles differ if their members, homes or links differ. */
static void what_differs_in_a_member_differs(void **state)
{
    struct backend_device others[2], other = two;
    (void)state;
    memcpy(others, members, sizeof others);
    other.members = others;
    assert_true(device_is_equal(&two, &other));
    (void)snprintf(others[1].driver, sizeof others[1].driver, "2");
    assert_false(device_is_equal(&two, &other));
    assert_false(device_is_resumed(&two, &other));
    others[1].driver[0] = '\0';
    others[1].memory_bytes -= 1 << 20; /* the value that a driver reports may vary */
    assert_false(device_is_equal(&two, &other));
    assert_true(device_is_resumed(&two, &other));
    other.atomic_homes = 1;
    assert_false(device_is_resumed(&two, &other));
    other.atomic_homes = 3;
    other.homes = 3;
    assert_false(device_is_resumed(&two, &other));
}

/* Devices whose jobs must not run at the same time. */
static void an_ensemble_is_the_hardware_of_its_members(void **state)
{
    (void)state;
    assert_true(plan_same_hardware(&two, &members[0]));
    assert_true(plan_same_hardware(&members[1], &two));
    assert_true(plan_same_hardware(&two, &with_host));
    assert_true(plan_same_hardware(&with_host, &members[2])); /* it has no UUID */
    assert_false(plan_same_hardware(&with_host, &members[0]));
    assert_false(plan_same_hardware(&members[0], &members[1]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_address_names_all_members),
        cmocka_unit_test(an_address_is_read),
        cmocka_unit_test(a_wrong_address_is_refused_with_the_reason),
        cmocka_unit_test(an_ensemble_survives_json),
        cmocka_unit_test(a_damaged_ensemble_is_refused),
        cmocka_unit_test(what_differs_in_a_member_differs),
        cmocka_unit_test(an_ensemble_is_the_hardware_of_its_members),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
