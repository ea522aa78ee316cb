// SPDX-License-Identifier: Apache-2.0
/*
 * Protects how devices are found and selected: each backend is asked in a separate process, whose crash becomes a
 * finding; a description survives conversion to JSON and back; --device works as its help says.
 *
 * devices_find runs this program again, so main() below is also the worker's.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "runner/supervise/devices.h"
#include "runner/worker/worker.h"

static struct device_list find(const char *script)
{
    struct text path = {0};
    struct device_list list;
    struct error error = {0};
    text_add(&path, "%s/tests/runner/supervise/devices/%s", ORCHIL_SOURCE_DIR, script);
    assert_int_equal(setenv("ORCHIL_SIMULATED", text_string(&path), 1), 0);
    text_release(&path);
    if (devices_find("simulated", &list, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    assert_int_equal(list.finding_count, 1);
    return list;
}

/* ---- finding ---- */

static void a_worker_lists_what_its_backend_has(void **state)
{
    (void)state;
    struct device_list list = find("three.json");
    assert_int_equal(list.findings[0].status, STATUS_OK);
    assert_string_equal(list.findings[0].text, "");
    assert_int_equal(list.count, 3);
    assert_string_equal(list.devices[0].name, "Small CPU");
    assert_string_equal(list.devices[0].backend, "simulated");
    assert_int_equal(list.devices[2].index, 2);
    devices_release(&list);
}

static void a_crash_is_a_finding_with_the_last_words(void **state)
{
    (void)state;
    struct device_list list = find("crash.json");
    assert_int_equal(list.count, 0);
    assert_int_equal(list.findings[0].status, STATUS_DEVICE_FAILED);
    assert_non_null(
        strstr(list.findings[0].text, "was killed by SIGABRT (Aborted); its last output: the driver lost its mind"));
    devices_release(&list);
}

static void no_device_is_a_finding_with_its_reason(void **state)
{
    (void)state;
    struct device_list list = find("none.json");
    assert_int_equal(list.count, 0);
    assert_int_equal(list.findings[0].status, STATUS_NO_DEVICE);
    assert_string_equal(list.findings[0].text, "the script of the simulated devices has no devices");
    devices_release(&list);
}

static void a_failure_of_the_backend_is_no_lack_of_devices(void **state)
{
    (void)state;
    struct device_list list = find("is-not-there.json");
    assert_int_equal(list.findings[0].status, STATUS_DEVICE_FAILED);
    assert_non_null(strstr(list.findings[0].text, "is-not-there.json"));
    devices_release(&list);
}

static void an_unknown_backend_is_wrong_usage(void **state)
{
    (void)state;
    struct device_list list;
    struct error error = {0};
    assert_int_equal(devices_find("opncl", &list, &error), STATUS_USAGE);
    assert_string_equal(error.text, "unknown backend 'opncl' (did you mean opencl?); backends are cuda, hip, opencl, "
                                    "vulkan, webgpu, simulated");
}

static void every_backend_that_is_offered_is_asked(void **state)
{
    (void)state;
    struct device_list list;
    struct error error = {0};
    assert_int_equal(unsetenv("ORCHIL_SIMULATED"), 0);
    assert_int_equal(devices_find(NULL, &list, &error), STATUS_OK);
    assert_int_equal(list.finding_count, 5);
    assert_string_equal(list.findings[0].backend->name, "cuda");
    assert_string_equal(list.findings[1].backend->name, "hip");
    assert_string_equal(list.findings[2].backend->name, "opencl");
    assert_string_equal(list.findings[3].backend->name, "vulkan");
    assert_string_equal(list.findings[4].backend->name, "webgpu");
    devices_release(&list);
}

static void a_backend_explains_itself_from_another_process(void **state)
{
    (void)state;
    struct text text = {0};
    struct error error = {0};
    struct device_list list = find("three.json"); /* sets the script */
    assert_int_equal(devices_explain(backend_find("simulated"), &text, &error), STATUS_OK);
    assert_non_null(strstr(text_string(&text), "three.json"));
    text_release(&text);
    devices_release(&list);
}

/* ---- JSON ---- */

static void a_device_survives_json(void **state)
{
    (void)state;
    struct device_list list = find("three.json");
    struct backend_device again;
    struct error error = {0};
    for (size_t i = 0; i < list.count; i++) {
        json_t *json = field_described_device(&list.devices[i]);
        assert_int_equal(device_from_json(json, &again, &error), STATUS_OK);
        assert_memory_equal(&again, &list.devices[i], sizeof again);
        assert_null(json_object_get(json_object_get(json, "capabilities"), "l2_bytes")); /* not reported */
        json_decref(json);
        list.devices[i].l2_bytes = 50u << 20;
        list.devices[i].clock_grain = UINT32_MAX;
        json = field_described_device(&list.devices[i]);
        assert_int_equal(device_from_json(json, &again, &error), STATUS_OK);
        assert_int_equal(again.l2_bytes, 50u << 20);
        assert_int_equal(again.clock_grain, UINT32_MAX);
        json_decref(json);
    }
    assert_int_equal(list.devices[0].atomic_orders, BACKEND_ORDER_RELAXED);
    assert_int_equal(list.devices[0].fence_orders, 0);
    assert_true(list.devices[0].memory_bytes == 4294967296);
    devices_release(&list);
}

/* A driver may name its device in any encoding. */
static void a_name_that_is_not_utf8_becomes_question_marks(void **state)
{
    (void)state;
    const struct backend_device device = {.backend = "opencl",
                                          .name = "Gr\xfc\xdf"
                                                  "e"};
    struct backend_device again;
    struct error error = {0};
    json_t *json = field_described_device(&device);
    assert_int_equal(device_from_json(json, &again, &error), STATUS_OK);
    assert_string_equal(again.name, "Gr??e");
    json_decref(json);
}

static void a_damaged_description_is_refused(void **state)
{
    static const struct {
        const char *member, *value;
    } damages[] = {
        {"name", "7"},           {"index", "-1"},
        {"index", "4294967296"}, {"gpu", "1"},
        {"takes", "[\"c12\"]"},  {"takes", "\"c11\""},
        {"capabilities", "[]"},  {"uuid", "\"0123456789012345678901234567890123456\""},
    };
    (void)state;
    const struct backend_device device = {.backend = "opencl", .name = "a name"};
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        struct backend_device again;
        struct error error = {0};
        json_t *json = field_described_device(&device);
        assert_int_equal(device_from_json(json, &again, &error), STATUS_OK);
        assert_int_equal(
            json_object_set_new(json, damages[i].member, json_loads(damages[i].value, JSON_DECODE_ANY, NULL)), 0);
        assert_int_equal(device_from_json(json, &again, &error), STATUS_INTERNAL);
        json_decref(json);
    }
}

/* ---- selecting ---- */

static struct device_list machine(void)
{
    static const struct backend_device devices[] = {
        {.backend = "cuda", .index = 0, .name = "NVIDIA H100", .gpu = true},
        {.backend = "cuda", .index = 1, .name = "NVIDIA A100", .gpu = true},
        {.backend = "opencl", .index = 0, .name = "A CPU"},
        {.backend = "opencl", .index = 1, .name = "Radeon", .gpu = true},
        {.backend = "simulated", .index = 0, .name = "Simulated device", .gpu = true},
    };
    struct device_list list = {.count = sizeof devices / sizeof *devices};
    list.devices = malloc(sizeof devices);
    assert_non_null(list.devices);
    memcpy(list.devices, devices, sizeof devices);
    return list;
}

/* What spec selects, as "cuda:0 opencl:1", or the error's text after a '!'. */
static void expect(const struct device_list *list, const char *spec, const char *expected)
{
    const struct backend_device **chosen;
    size_t count;
    struct error error = {0};
    struct text found = {0};
    if (devices_select(list, spec, &chosen, &count, &error) != STATUS_OK) {
        text_add(&found, "! %s", error.text);
        assert_null(chosen);
    }
    for (size_t i = 0; i < count; i++)
        text_add(&found, "%s%s:%u", i > 0 ? " " : "", chosen[i]->backend, chosen[i]->index);
    assert_string_equal(text_string(&found), expected);
    text_release(&found);
    free(chosen);
}

static void a_spec_means_what_the_help_says(void **state)
{
    (void)state;
    assert_int_equal(unsetenv("ORCHIL_SIMULATED"), 0);
    struct device_list list = machine();
    expect(&list, NULL, "cuda:0");
    expect(&list, "cuda", "cuda:0");
    expect(&list, "cuda:1", "cuda:1");
    expect(&list, "opencl", "opencl:1"); /* its first GPU */
    expect(&list, "opencl:0", "opencl:0");
    expect(&list, "simulated", "simulated:0");
    expect(&list, "radeon", "opencl:1");
    expect(&list, "opencl:radeon", "opencl:1");
    expect(&list, "cuda:a100", "cuda:1");
    expect(&list, "all", "cuda:0 cuda:1 opencl:0 opencl:1 simulated:0");
    expect(&list, "opencl:all", "opencl:0 opencl:1");
    expect(&list, "radeon,cuda:1,cuda:1,A100", "opencl:1 cuda:1"); /* each once, in the order of the list */
    devices_release(&list);
}

static void a_spec_that_means_none_or_several_is_an_error(void **state)
{
    static const char all[] = "cuda:0 (NVIDIA H100), cuda:1 (NVIDIA A100), opencl:0 (A CPU), opencl:1 (Radeon), "
                              "simulated:0 (Simulated device)";
    static const char *const none[] = {"cuda:2",      "cuda:", "cuda:x", "cuda:0x", "cuda:99999999999",
                                       "cuda:Radeon", "H200",  "hip:0",  ""};
    (void)state;
    struct device_list list = machine();
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        struct text expected = {0};
        text_add(&expected, "! no device matches '%s'; available: %s", none[i], all);
        expect(&list, none[i], text_string(&expected));
        text_release(&expected);
    }
    expect(
        &list, "nvidia",
        "! several devices match 'nvidia': cuda:0 (NVIDIA H100), cuda:1 (NVIDIA A100); give the number of one device, "
        "a list with commas, or 'all'");
    expect(&list, "cuda:nvidia",
           "! several devices match 'cuda:nvidia': cuda:0 (NVIDIA H100), cuda:1 (NVIDIA A100); give the number of one "
           "device, a list with commas, or 'all'");
    expect(&list, "cuda:0,all",
           "! --device cuda:0,all: 'all' cannot be part of a list, because it makes equal devices share "
           "the tests, while each device of a list runs all tests");
    expect(&list, "cuda:0,H200",
           "! no device matches 'H200'; available: "
           "cuda:0 (NVIDIA H100), cuda:1 (NVIDIA A100), opencl:0 (A CPU), opencl:1 (Radeon), "
           "simulated:0 (Simulated device)");
    devices_release(&list);
}

static void the_default_is_a_gpu_and_simulated_only_if_wanted(void **state)
{
    (void)state;
    struct device_list list = machine();
    const struct device_list cpu_and_simulated = {
        .devices = (struct backend_device[]){list.devices[2], list.devices[4]}, .count = 2};
    const struct device_list simulated = {.devices = &list.devices[4], .count = 1};
    assert_int_equal(unsetenv("ORCHIL_SIMULATED"), 0);
    expect(&cpu_and_simulated, NULL, "opencl:0");
    expect(&simulated, "simulated", "simulated:0");
    assert_true(devices_is_default(&list, &list.devices[0]));
    assert_false(devices_is_default(&list, &list.devices[1]));
    assert_int_equal(setenv("ORCHIL_SIMULATED", "", 1), 0);
    expect(&cpu_and_simulated, NULL, "simulated:0");
    assert_int_equal(unsetenv("ORCHIL_SIMULATED"), 0);
    devices_release(&list);
}

static void without_devices_the_reasons_are_told(void **state)
{
    (void)state;
    struct device_list list = find("none.json");
    const struct backend_device **chosen;
    size_t count;
    struct error error = {0};
    assert_int_equal(devices_select(&list, NULL, &chosen, &count, &error), STATUS_NO_DEVICE);
    assert_string_equal(error.text, "no device was found; 'orchil doctor' says what is missing");
    assert_non_null(strstr(error.detail, ": the script of the simulated devices has no devices"));
    devices_release(&list);
}

static void a_spec_tells_which_backend_to_ask(void **state)
{
    (void)state;
    assert_string_equal(devices_backend("cuda"), "cuda");
    assert_string_equal(devices_backend("opencl:3"), "opencl");
    assert_string_equal(devices_backend("cuda:all"), "cuda");
    assert_string_equal(devices_backend("cuda:0,cuda:1"), "cuda");
    assert_null(devices_backend("cuda:0,opencl:1"));
    assert_null(devices_backend("cuda:0,H100"));
    assert_null(devices_backend("all"));
    assert_null(devices_backend("H100"));
    assert_null(devices_backend(NULL));
}

static void only_kinds_of_devices_share(void **state)
{
    (void)state;
    assert_true(devices_shared("all"));
    assert_true(devices_shared("opencl:all"));
    assert_false(devices_shared("opencl"));
    assert_false(devices_shared("cuda:0,cuda:1"));
    assert_false(devices_shared("ball"));
    assert_false(devices_shared(NULL));
}

/* ---- the worker ---- */

static int work(char **argv)
{
    const struct rlimit none = {0, 0};
    (void)setrlimit(RLIMIT_CORE, &none);
    if (strcmp(argv[2], "--list") == 0)
        return worker_list(backend_find(argv[3]), NULL);
    if (strcmp(argv[2], "--explain") == 0)
        return worker_explain(backend_find(argv[3]));
    return 99;
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "worker") == 0)
        return work(argv);
    (void)signal(SIGPIPE, SIG_IGN); /* as orchil's main does */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_worker_lists_what_its_backend_has),
        cmocka_unit_test(a_crash_is_a_finding_with_the_last_words),
        cmocka_unit_test(no_device_is_a_finding_with_its_reason),
        cmocka_unit_test(a_failure_of_the_backend_is_no_lack_of_devices),
        cmocka_unit_test(an_unknown_backend_is_wrong_usage),
        cmocka_unit_test(every_backend_that_is_offered_is_asked),
        cmocka_unit_test(a_backend_explains_itself_from_another_process),
        cmocka_unit_test(a_device_survives_json),
        cmocka_unit_test(a_name_that_is_not_utf8_becomes_question_marks),
        cmocka_unit_test(a_damaged_description_is_refused),
        cmocka_unit_test(a_spec_means_what_the_help_says),
        cmocka_unit_test(a_spec_that_means_none_or_several_is_an_error),
        cmocka_unit_test(the_default_is_a_gpu_and_simulated_only_if_wanted),
        cmocka_unit_test(without_devices_the_reasons_are_told),
        cmocka_unit_test(a_spec_tells_which_backend_to_ask),
        cmocka_unit_test(only_kinds_of_devices_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
