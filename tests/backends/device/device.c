// SPDX-License-Identifier: Apache-2.0
/* Protects the contract of backend.h on real drivers: devices are described, kernels written with the prelude are
 * built, buffers are zeroed, kept and grown, a refused kernel gives its log, and a lost device is reported. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "backends/backend.h"
#include "tests/backends/device/device.h"
#include "tests/backends/device/edges.h"
#include "tests/backends/device/processor.h"

static const char head[] = "ENTRY(draw, memory, scratch, counters, local_memory)\n";

static const struct backend *backend;
static struct backend_device device;
static struct backend_session *session;
static bool (*lose_device)(void);

static struct backend_program *build(const char *body, struct text *log, enum status expected, struct error *error)
{
    struct text kernel = {0}, binary = {0};
    struct backend_program *program;
    text_add(&kernel, "%s%s", head, body);
    const struct backend_source source = {.name = "T", .kernel = text_string(&kernel)};
    assert_int_equal(backend_build(backend, session, &source, &program, log, &binary, error), expected);
    text_release(&kernel);
    text_release(&binary);
    return program;
}

static struct backend_program *build_good(const char *body)
{
    struct text log = {0};
    struct error error = {0};
    struct backend_program *program = build(body, &log, STATUS_OK, &error);
    text_release(&log);
    return program;
}

static void launch(struct backend_program *program, const struct backend_launch *how)
{
    struct error error = {0};
    double seconds = -1;
    if (backend->launch(session, program, how, &seconds, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    assert_true(seconds >= 0);
}

static void test_list(void **state)
{
    struct backend_device *devices;
    struct error error = {0};
    size_t count;
    (void)state;
    assert_int_equal(backend->list(&devices, &count, &error), STATUS_OK);
    assert_true(count > 0);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(devices[i].backend, backend->name);
        assert_int_equal(devices[i].index, i);
        assert_true(devices[i].name[0] && devices[i].vendor[0] && devices[i].driver[0]);
        assert_true((devices[i].compute_units > 0 || devices[i].gpu) && devices[i].max_group_size > 0);
        assert_true(devices[i].memory_bytes > 0 && devices[i].local_bytes > 0);
        if (devices[i].takes)
            assert_true(devices[i].atomic_orders & BACKEND_ORDER_RELAXED);
    }
    free(devices);
}

static void test_open_of_an_absent_device(void **state)
{
    struct backend_session *other;
    struct error error = {0};
    (void)state;
    assert_int_equal(backend_open(backend, 9999, &other, &error), STATUS_NO_DEVICE);
    assert_null(other);
    assert_non_null(strstr(error.text, "there is no "));
    assert_non_null(strstr(error.text, ":9999"));
}

static void test_counts(void **state)
{
    enum { GROUPS = 3, SIZE = 8 };
    const uint32_t draw[] = {5, 7};
    uint32_t counters[4];
    (void)state;
    struct backend_program *program = build_good("{\n"
                                                 "    local_memory[LANE] = draw[0];\n"
                                                 "    group_barrier();\n"
                                                 "    add(counters, 0, 1);\n"
                                                 "    add(counters, 1, local_memory[GROUP_SIZE - 1 - LANE]);\n"
                                                 "    if (GROUP == 1 && LANE == 2)\n"
                                                 "        counters[2] = draw[1];\n"
                                                 "}\n");
    const struct backend_launch how = {.groups = GROUPS,
                                       .group_size = SIZE,
                                       .local_bytes = SIZE * sizeof(uint32_t),
                                       .draw = draw,
                                       .draw_words = 2,
                                       .counter_words = 4,
                                       .clear_counters = true,
                                       .counters = counters,
                                       .read_words = 4};
    for (int i = 0; i < 3; i++) {
        memset(counters, 0xff, sizeof counters);
        launch(program, &how);
        assert_int_equal(counters[0], GROUPS * SIZE);
        assert_int_equal(counters[1], GROUPS * SIZE * 5);
        assert_int_equal(counters[2], 7);
        assert_int_equal(counters[3], 0);
    }
    backend->release(session, program);
}

/* The machine code is an object, or a module of SPIR-V, or nothing. */
static void test_machine_code(void **state)
{
    const uint32_t draw[] = {5};
    uint32_t counters[1];
    struct text code = {0};
    (void)state;
    if (!backend->machine_code)
        skip();
    struct backend_program *program = build_good("{\n    add(counters, 0, draw[0]);\n}\n");
    const struct backend_launch how = {
        .groups = 1, .group_size = 8, .draw = draw, .draw_words = 1, .counter_words = 1, .counters = counters};
    launch(program, &how);
    backend->machine_code(session, program, 0, &code);
    if (code.size > 0)
        assert_memory_equal(code.data, strcmp(backend->name, "vulkan") == 0 ? "\3\2#\7" : "\177ELF", 4); /* SPIR-V */
    text_release(&code);
    backend->release(session, program);
}

/* Counts the launch and the values in the first words of memory and scratch, and adds one to each of these words. */
static const char accumulating[] = "{\n"
                                   "    for (u32 i = 0; i < draw[0]; i++) {\n"
                                   "        counters[1] += memory[i];\n"
                                   "        memory[i]++;\n"
                                   "    }\n"
                                   "    for (u32 i = 0; i < draw[1]; i++) {\n"
                                   "        counters[2] += scratch[i];\n"
                                   "        scratch[i]++;\n"
                                   "    }\n"
                                   "    counters[0]++;\n"
                                   "}\n";

static void test_steps_keep_counters(void **state)
{
    const uint32_t draw[] = {0, 0};
    uint32_t counters[3] = {77, 77, 77};
    (void)state;
    struct backend_program *program = build_good(accumulating);
    struct backend_launch how = {
        .groups = 1, .group_size = 1, .draw = draw, .draw_words = 2, .counter_words = 3, .clear_counters = true};
    launch(program, &how);
    assert_int_equal(counters[0], 77);
    how.clear_counters = false;
    launch(program, &how);
    how.counters = counters;
    how.read_words = 2;
    launch(program, &how);
    assert_int_equal(counters[0], 3);
    assert_int_equal(counters[2], 77); /* beyond read_words */
    how.clear_counters = true;
    launch(program, &how);
    assert_int_equal(counters[0], 1);
    backend->release(session, program);
}

static void test_edges(void **state)
{
    (void)state;
    if (!backend->play)
        skip();
    edges_check(backend, &device, session);
}

static void test_growth(void **state)
{
    /* Words of memory and scratch that a launch uses, and the sum that it must find in them. */
    static const struct {
        uint32_t memory, scratch, found_memory, found_scratch;
    } steps[] = {
        {10, 4, 0, 0},   {10, 4, 10, 4},        {1000, 4, 0, 8},
        {10, 4, 10, 12}, {1000, 5000, 1010, 0}, {1000, 5000, 2010, 5000},
    };
    (void)state;
    struct backend_program *program = build_good(accumulating);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        uint32_t counters[3], draw[4000] = {steps[i].memory, steps[i].scratch};
        launch(program, &(struct backend_launch){.groups = 1,
                                                 .group_size = 1,
                                                 .draw = draw,
                                                 .draw_words = 2 + i * 500,
                                                 .memory_words = steps[i].memory,
                                                 .scratch_words = steps[i].scratch,
                                                 .counter_words = 3 + i,
                                                 .clear_counters = true,
                                                 .counters = counters,
                                                 .read_words = 3});
        assert_int_equal(counters[0], 1);
        assert_int_equal(counters[1], steps[i].found_memory);
        assert_int_equal(counters[2], steps[i].found_scratch);
    }
    backend->release(session, program);
}

static void test_refused_kernel(void **state)
{
    struct text log = {0};
    struct error error = {0};
    (void)state;
    text_add(&log, "before\n");
    assert_null(build("{ undeclared_word = 1; }\n", &log, STATUS_BUILD_FAILED, &error));
    assert_non_null(strstr(error.text, "refused the kernel"));
    assert_non_null(strstr(error.detail, "undeclared_word"));
    assert_null(strstr(error.detail, "before"));
    assert_non_null(strstr(text_string(&log), "undeclared_word"));
    assert_ptr_equal(strstr(text_string(&log), "before"), text_string(&log));
    text_release(&log);
}

static void test_missing_entry(void **state)
{
    const struct backend_source source = {.name = "T", .kernel = "FUNCTION void other(void) {}\n"};
    struct backend_program *program;
    struct text log = {0}, binary = {0};
    struct error error = {0};
    (void)state;
    assert_int_not_equal(backend_build(backend, session, &source, &program, &log, &binary, &error), STATUS_OK);
    assert_null(program);
    assert_true(error.text[0]);
    text_release(&log);
    text_release(&binary);
}

/* Kept device code does the same as the text that it was made from. */
static void test_kept_binary(void **state)
{
    struct text log = {0}, binary = {0}, again = {0};
    struct error error = {0};
    struct backend_program *program;
    uint32_t counters[2];
    (void)state;
    struct backend_source source = {.name = "T",
                                    .kernel = "ENTRY(draw, memory, scratch, counters, local_memory)\n"
                                              "{\n"
                                              "    counters[1] = 4711;\n"
                                              "}\n"};
    assert_int_equal(backend_build(backend, session, &source, &program, &log, &binary, &error), STATUS_OK);
    backend->release(session, program);
    if (binary.size == 0) {
        text_release(&log);
        skip(); /* this driver returns none */
    }
    source.code = text_string(&binary);
    source.code_size = binary.size;
    source.kernel = "this is not a kernel";
    assert_int_equal(backend_build(backend, session, &source, &program, &log, &again, &error), STATUS_OK);
    launch(program, &(struct backend_launch){.groups = 1,
                                             .group_size = 1,
                                             .counter_words = 2,
                                             .clear_counters = true,
                                             .counters = counters,
                                             .read_words = 2});
    assert_int_equal(counters[1], 4711);
    backend->release(session, program);
    text_release(&log);
    text_release(&binary);
    text_release(&again);
}

/* The result of compile, and its portable part, do the same as their text, also in a second compilation. */
static void test_compiled_code(void **state)
{
    struct backend_code code = {0}, ready = {0};
    struct error error = {0};
    (void)state;
    struct backend_source source = {.name = "T",
                                    .kernel = "ENTRY(draw, memory, scratch, counters, local_memory)\n"
                                              "{\n"
                                              "    counters[1] = 4712;\n"
                                              "}\n"};
    if (backend->compile(session, &source, &code, &error) != STATUS_OK)
        fail_msg("%s\n%s", error.text, text_string(&code.log));
    assert_true(code.portable > 0 && code.portable <= code.bytes.size);
    assert_true(code.compiler[0] != '\0' && code.options[0] != '\0');

    struct text part = {0};
    text_add_bytes(&part, code.bytes.data, code.portable);
    source.kernel = "this is not a kernel";
    source.code = text_string(&part);
    source.code_size = part.size;
    if (backend->compile(session, &source, &ready, &error) != STATUS_OK)
        fail_msg("%s\n%s", error.text, text_string(&ready.log));
    const struct text *const codes[] = {&code.bytes, &part, &ready.bytes};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        struct text log = {0}, binary = {0};
        struct backend_program *program;
        uint32_t counters[2] = {0};
        source.code = text_string(codes[i]);
        source.code_size = codes[i]->size;
        if (backend_build(backend, session, &source, &program, &log, &binary, &error) != STATUS_OK)
            fail_msg("%s\n%s", error.text, text_string(&log));
        launch(program, &(struct backend_launch){.groups = 1,
                                                 .group_size = 1,
                                                 .counter_words = 2,
                                                 .clear_counters = true,
                                                 .counters = counters,
                                                 .read_words = 2});
        assert_int_equal(counters[1], 4712);
        backend->release(session, program);
        text_release(&log);
        text_release(&binary);
    }
    text_release(&part);
    backend_code_release(&code);
    backend_code_release(&ready);
}

/* Bytes that are not code are refused, and the session stays usable. */
static void test_refused_code(void **state)
{
    static const char nonsense[] = "this is no device code of any kind";
    struct text log = {0}, binary = {0};
    struct error error = {0};
    struct backend_program *program;
    (void)state;
    const struct backend_source source = {
        .name = "T", .kernel = "", .code = nonsense, .code_size = sizeof nonsense - 1};
    const enum status status = backend_build(backend, session, &source, &program, &log, &binary, &error);
    assert_true(status == STATUS_UNSUPPORTED || status == STATUS_BUILD_FAILED);
    assert_null(program);
    assert_non_null(strstr(error.text, device.name));
    assert_non_null(strstr(error.text, device.driver));
    backend->release(session, build_good("{\n}\n"));
    text_release(&log);
    text_release(&binary);
}

static void test_refused_launch(void **state)
{
    struct error error = {0};
    double seconds;
    (void)state;
    struct backend_program *program = build_good(accumulating);
    const uint32_t draw[] = {0, 0};
    struct backend_launch how = {
        .groups = 1, .group_size = 1u << 30, .draw = draw, .draw_words = 2, .counter_words = 3, .clear_counters = true};
    assert_int_equal(backend->launch(session, program, &how, &seconds, &error), STATUS_DEVICE_FAILED);
    assert_non_null(strstr(error.text, "failed on "));
    how.group_size = 1;
    launch(program, &how); /* the session stays usable */
    how.memory_words = (size_t)1 << 50;
    assert_int_equal(backend->launch(session, program, &how, &seconds, &error), STATUS_DEVICE_FAILED);
    assert_non_null(strstr(error.text, "refused a buffer of 4503599627370496 bytes for memory"));
    how.memory_words = 1;
    launch(program, &how);
    how.read_words = 4;
    assert_int_equal(backend->launch(session, program, &how, &seconds, &error), STATUS_INTERNAL);
    backend->release(session, program);
}

/* All the local memory that the device claims can be used. */
static void test_local_memory(void **state)
{
    uint32_t counters[1], draw[1] = {(uint32_t)(device.local_bytes / sizeof(uint32_t))};
    (void)state;
    struct backend_program *program = build_good("{\n"
                                                 "    for (u32 i = 0; i < draw[0]; i++)\n"
                                                 "        local_memory[i] = i;\n"
                                                 "    counters[0] = local_memory[draw[0] - 1];\n"
                                                 "}\n");
    launch(program, &(struct backend_launch){.groups = 1,
                                             .group_size = 1,
                                             .local_bytes = device.local_bytes,
                                             .draw = draw,
                                             .draw_words = 1,
                                             .counter_words = 1,
                                             .clear_counters = true,
                                             .counters = counters,
                                             .read_words = 1});
    assert_int_equal(counters[0], draw[0] - 1);
    backend->release(session, program);
}

static void test_resident(void **state)
{
    (void)state;
    struct backend_program *program = build_good("{\n}\n");
    if (backend->group_limit)
        assert_true(backend->group_limit(session, program) <= device.max_group_size);
    if (!backend->resident) { /* the driver does not say */
        backend->release(session, program);
        return;
    }
    const unsigned small = backend->resident(session, program, 0, 32, 1, 0);
    const unsigned large = backend->resident(session, program, 0, 32, 1, device.local_bytes);
    if (small > 0) {
        assert_true(small >= device.compute_units);
        assert_true(large <= small && large > 0);
    }
    assert_int_equal(backend->resident(session, program, 0, 1u << 30, 1, 0), 0);
    if (device.max_cluster_groups > 0) {
        const unsigned clustered = backend->resident(session, program, 0, 32, 2, 0);
        assert_true(clustered > 0 && clustered % 2 == 0 && clustered <= small);
    }
    backend->release(session, program);
}

/* Where the device has a shared clock, it counts about as fast as the host's, in nanoseconds; and it is measured. */
static void test_clock(void **state)
{
    static const double least = 0.02;
    struct text kernel = {0}, log = {0}, binary = {0};
    struct error error = {0};
    struct backend_program *program;
    uint32_t counts[2] = {0};
    double times[2] = {0};
    (void)state;
    if (!device.shared_clock)
        skip();
    text_add(&kernel, "%s%s{\n    counters[0] = shared_clock();\n}\n", backend->clock ? backend->clock : "", head);
    const struct backend_source source = {.name = "T", .kernel = text_string(&kernel)};
    if (backend_build(backend, session, &source, &program, &log, &binary, &error) != STATUS_OK)
        fail_msg("%s\n%s", error.text, text_string(&log));
    for (int i = 0, warm = 0; i < 2; warm++) {
        launch(program, &(struct backend_launch){.groups = 1,
                                                 .group_size = 1,
                                                 .counter_words = 1,
                                                 .clear_counters = true,
                                                 .counters = &counts[i],
                                                 .read_words = 1});
        times[i] = clock_seconds();
        i += i == 0 ? warm > 0 : times[1] - times[0] > least;
    }
    const double counted = (double)(uint32_t)(counts[1] - counts[0]), passed = 1e9 * (times[1] - times[0]);
    print_message("a count of the clock takes %.3g ns\n", passed / counted);
    assert_true(counted > passed / 4 && counted < passed * 4);
    backend->release(session, program);
    struct backend_device measured = device;
    measured.compute_units += measured.compute_units == 1; /* two groups, even if they never run at once */
    if (backend_measure_clock(backend, session, &measured, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    print_message("a reading is wrong by at most %" PRIu32 " ns\n", measured.clock_grain);
    assert_true(measured.clock_grain > 0);
    if (device.gpu) /* the threads of a processor may have other work */
        assert_true(measured.clock_grain < 1000000);
    text_release(&kernel);
    text_release(&log);
    text_release(&binary);
}

static void test_explain(void **state)
{
    struct text text = {0}, name = {0};
    (void)state;
    backend->explain(&text);
    text_add(&name, "%s:0 ", backend->name);
    assert_non_null(strstr(text_string(&text), text_string(&name)));
    assert_non_null(strstr(text_string(&text), ".so"));
    print_message("%s", text_string(&text));
    text_release(&text);
    text_release(&name);
}

/* This test comes last: only close may follow. */
static void test_lost_device(void **state)
{
    struct error error = {0};
    double seconds;
    (void)state;
    if (!lose_device && !device.gpu)
        skip(); /* on a processor the kernel would end this process */
    struct backend_program *program =
        build_good(lose_device ? "{\n}\n" : "{\n    *(volatile GLOBAL u32 *)((u64)draw[0] << 44) = 1;\n}\n");
    if (lose_device && !lose_device())
        skip(); /* nothing here can make the driver say so */
    const uint32_t draw[] = {1};
    const struct backend_launch how = {
        .groups = 1, .group_size = 1, .draw = draw, .draw_words = 1, .counter_words = 1, .clear_counters = true};
    assert_int_equal(backend->launch(session, program, &how, &seconds, &error), STATUS_DEVICE_LOST);
    assert_non_null(strstr(error.text, "was lost"));
    print_message("%s\n", error.text);
}

bool device_lose_by_layer(void)
{
    const char *layers = getenv("VK_INSTANCE_LAYERS");
    return layers && strstr(layers, "VK_LAYER_ORCHIL_failing") && setenv("FAIL_CALL", "vkQueueSubmit", 1) == 0 &&
           setenv("FAIL_AS", "-4", 1) == 0;
}

/* The first device that takes kernels. */
static enum status open_first(struct error *error)
{
    struct backend_device *devices;
    size_t count, i = 0;
    TRY(backend->list(&devices, &count, error));
    while (i + 1 < count && !devices[i].takes)
        i++;
    device = devices[i];
    free(devices);
    return backend_open(backend, device.index, &session, error);
}

int device_run(const char *name, bool (*lose)(void))
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_open_of_an_absent_device),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_machine_code),
        cmocka_unit_test(test_steps_keep_counters),
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_growth),
        cmocka_unit_test(test_refused_kernel),
        cmocka_unit_test(test_missing_entry),
        cmocka_unit_test(test_kept_binary),
        cmocka_unit_test(test_compiled_code),
        cmocka_unit_test(test_refused_code),
        cmocka_unit_test(test_refused_launch),
        cmocka_unit_test(test_local_memory),
        cmocka_unit_test(test_resident),
        cmocka_unit_test(test_clock),
        cmocka_unit_test(test_explain),
        cmocka_unit_test(test_lost_device),
    };
    struct error error = {0};
    backend = backend_find(name);
    lose_device = lose;
    if (!backend) {
        print_error("there is no backend %s\n", name);
        return 1;
    }
    if (!processor_is_described(name))
        return 77;
    if (open_first(&error) != STATUS_OK) {
        print_message("skipped: %s\n", error.text);
        return error.status == STATUS_NO_DEVICE || error.status == STATUS_UNSUPPORTED ? 77 : 1;
    }
    print_message("on %s:%u, %s\n", device.backend, device.index, device.name);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    backend->close(session);
    return failed;
}
