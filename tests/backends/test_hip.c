// SPDX-License-Identifier: Apache-2.0
/* Protects what the HIP backend does without a GPU: it says what is missing and how to get it, names functions as HIP
 * does, reads the dies of a GPU from the files of the kernel's driver, and compiles to code objects. The last part is
 * skipped without HIPRTC. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "backends/hip/hip.h"
#include "base/temporary_folder.h"

static const char empty_kernel[] =
    "ENTRY(draw, memory, scratch, counters, local_memory)\n{\n    add(counters, 0, 1);\n}\n";

static void test_list(void **state)
{
    struct backend_device *devices;
    struct error error = {0};
    size_t count;
    (void)state;
    const enum status status = hip_backend.list(&devices, &count, &error);
    if (status == STATUS_OK) {
        free(devices);
        skip(); /* with a GPU, test_device tests this */
    }
    assert_int_equal(status, STATUS_NO_DEVICE);
    assert_null(devices);
    assert_int_equal(count, 0);
    assert_non_null(strstr(error.text, "libamdhip64"));
}

static void test_missing(void **state)
{
    struct gpu_api api;
    struct gpu_compiler hiprtc;
    struct error error = {0};
    (void)state;
    assert_int_equal(setenv("ORCHIL_HIP", "/nonexistent/libamdhip64.so", 1), 0);
    assert_int_equal(setenv("ORCHIL_HIPRTC", "/nonexistent/libhiprtc.so", 1), 0);
    assert_int_equal(hip_open(&api, &error), STATUS_NO_DEVICE);
    assert_non_null(strstr(error.text, "/nonexistent/libamdhip64.so"));
    assert_non_null(strstr(error.text, "ORCHIL_HIP"));
    assert_int_equal(hiprtc_open(&hiprtc, &error), STATUS_BUILD_FAILED);
    assert_non_null(strstr(error.text, "ORCHIL_HIPRTC"));
    assert_int_equal(unsetenv("ORCHIL_HIP"), 0);
    assert_int_equal(unsetenv("ORCHIL_HIPRTC"), 0);
}

static void test_names(void **state)
{
    const struct gpu_api hip = {.driver = &hip_driver};
    (void)state;
    assert_string_equal(gpu_function_name(&hip, "cuMemAlloc"), "hipMalloc");
    assert_string_equal(gpu_function_name(&hip, "cuLaunchKernel"), "hipModuleLaunchKernel");
    assert_string_equal(gpu_function_name(&hip, "cuGraphInstantiate"), "hipGraphInstantiateWithFlags");
    assert_string_equal(gpu_function_name(&hip, "cuMemMap"), "hipMemMap");
    assert_string_equal(gpu_function_name(&hip, "the kernel"), "the kernel");
    assert_true(gpu_error_is_loss(719));
    assert_false(gpu_error_is_loss(2));
}

static void write_node(const char *folder, int node, const char *properties)
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%d", folder, node);
    assert_int_equal(mkdir(path, 0700), 0);
    (void)snprintf(path, sizeof path, "%s/%d/properties", folder, node);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(properties, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* Node 0 is the processor; two GPUs have the same place in two domains. */
static void test_dies(void **state)
{
    char folder[256];
    struct error error = {0};
    (void)state;
    assert_int_equal(temporary_folder_make("dies", folder, sizeof folder, &error), STATUS_OK);
    write_node(folder, 0, "cpu_cores_count 8\nsimd_count 0\nlocation_id 0\ndomain 0\n");
    write_node(folder, 1, "simd_count 1216\nlocation_id 33536\ndomain 0\nnum_xcc 8\n");
    write_node(folder, 2, "simd_count 416\nlocation_id 33536\ndomain 1\nnum_xcc 1\n");
    write_node(folder, 4, "simd_count 416\nlocation_id 768\ndomain 0\n");
    assert_int_equal(hip_count_dies(folder, "0000:83:00.0"), 8);
    assert_int_equal(hip_count_dies(folder, "0001:83:00.0"), 1);
    assert_int_equal(hip_count_dies(folder, "0000:03:00.0"), 0); /* an older driver does not say */
    assert_int_equal(hip_count_dies(folder, "0000:04:00.0"), 0);
    assert_int_equal(hip_count_dies(folder, ""), 0);
    assert_int_equal(hip_count_dies("/nonexistent", "0000:83:00.0"), 0);
    temporary_folder_remove(folder);
}

static void test_compile(void **state)
{
    static const char *const processors[] = {"gfx906", "gfx90a", "gfx90a:xnack-", "gfx1030"};
    struct gpu_compiler hiprtc;
    struct error error = {0};
    (void)state;
    if (hiprtc_open(&hiprtc, &error) != STATUS_OK)
        skip();
    for (size_t i = 0; i < sizeof processors / sizeof *processors; i++) {
        const struct backend_source source = {.name = "empty", .kernel = empty_kernel};
        struct backend_code code = {0};
        assert_int_equal(hip_compile(&hiprtc, processors[i], &source, &code, &error), STATUS_OK);
        assert_true(code.bytes.size > 64);
        assert_memory_equal(code.bytes.data, "\177ELF", 4);
        assert_int_equal(code.portable, code.bytes.size);
        assert_string_equal(code.target, processors[i]);
        backend_code_release(&code);
    }
}

static void test_refused(void **state)
{
    struct gpu_compiler hiprtc;
    struct error error = {0};
    struct backend_code code = {0};
    const struct backend_source source = {.name = "wrong", .kernel = "this is no kernel\n"};
    (void)state;
    if (hiprtc_open(&hiprtc, &error) != STATUS_OK)
        skip();
    assert_int_equal(hip_compile(&hiprtc, "gfx90a", &source, &code, &error), STATUS_BUILD_FAILED);
    assert_non_null(strstr(error.text, "gfx90a"));
    assert_non_null(strstr(text_string(&code.log), "orchil-kernel:1:"));
    backend_code_release(&code);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list), cmocka_unit_test(test_missing), cmocka_unit_test(test_names),
        cmocka_unit_test(test_dies), cmocka_unit_test(test_compile), cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
