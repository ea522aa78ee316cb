// SPDX-License-Identifier: Apache-2.0
/* Protects what the CUDA backend does without a GPU: it says what is missing and how to get it, knows which errors are
 * fatal, finds the driver's version, finds NVRTC and compiles to PTX. The PTX part is skipped without NVRTC. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cuda/cuda.h"

static const char empty_kernel[] =
    "ENTRY(draw, memory, scratch, counters, local_memory)\n{\n    add(counters, 0, 1);\n}\n";

/* Compiles for an architecture, with this machine's NVRTC. BUILD_FAILED if there is none. */
static enum status compile_for(const char *kernel, const char *architecture, struct text *ptx, struct text *log,
                               struct error *error)
{
    struct gpu_compiler nvrtc;
    const struct cuda_request request = {.kernel = kernel, .architecture = architecture};
    TRY(cuda_nvrtc_open(&nvrtc, 0, error));
    return cuda_compile(&nvrtc, &request, ptx, log, error);
}

static void test_list(void **state)
{
    struct backend_device *devices;
    struct error error = {0};
    size_t count;
    (void)state;
    const enum status status = cuda_backend.list(&devices, &count, &error);
    if (status == STATUS_OK) {
        free(devices);
        skip(); /* with a GPU, test_device tests this */
    }
    assert_int_equal(status, STATUS_NO_DEVICE);
    assert_null(devices);
    assert_int_equal(count, 0);
    assert_non_null(strstr(error.text, "libcuda.so.1"));
}

static void test_errors(void **state)
{
    static const unsigned lost[] = {214, 220, 700, 702, 714, 715, 716, 717, 718, 719};
    static const unsigned others[] = {0, 1, 2, 100, 200, 218, 222, 701, 12345};
    (void)state;
    for (size_t i = 0; i < sizeof lost / sizeof *lost; i++)
        assert_true(gpu_error_is_loss(lost[i]));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(gpu_error_is_loss(others[i]));
    assert_true(cuda_error_is_refusal(218));
    assert_true(cuda_error_is_refusal(222));
    assert_false(cuda_error_is_refusal(2));
    assert_false(cuda_error_is_refusal(700));
}

static void test_driver_version(void **state)
{
    static const struct {
        const char *text, *version;
    } cases[] = {
        {"NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.183.01  Sun May 12 19:39:15 UTC 2024\n", "535.183.01"},
        {"NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.95.05  Release Build  (user@host)\n",
         "580.95.05"},
        {"NVRM version: NVIDIA UNIX aarch64 Kernel Module  390.25  Wed\n", "390.25"},
        {"GCC version:  gcc 12\n", NULL},
        {"", NULL},
    };
    char version[128];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(cuda_read_version(cases[i].text, version, sizeof version), cases[i].version != NULL);
        if (cases[i].version)
            assert_string_equal(version, cases[i].version);
    }
    assert_false(cuda_read_version("1.2345", version, 6));
}

static void test_named_nvrtc_is_missing(void **state)
{
    struct gpu_compiler nvrtc;
    struct error error = {0};
    (void)state;
    assert_int_equal(setenv("ORCHIL_NVRTC", "/nowhere/libnvrtc.so", 1), 0);
    assert_int_equal(cuda_nvrtc_open(&nvrtc, 0, &error), STATUS_BUILD_FAILED);
    assert_non_null(strstr(error.text, "cannot open /nowhere/libnvrtc.so, named by ORCHIL_NVRTC"));
    assert_int_equal(setenv("ORCHIL_NVRTC", "libc.so.6", 1), 0);
    assert_int_equal(cuda_nvrtc_open(&nvrtc, 0, &error), STATUS_BUILD_FAILED);
    assert_non_null(strstr(error.text, "cannot open libc.so.6, named by ORCHIL_NVRTC"));
    assert_int_equal(unsetenv("ORCHIL_NVRTC"), 0);
}

static void test_explain(void **state)
{
    struct text text = {0};
    (void)state;
    cuda_backend.explain(&text);
    assert_ptr_equal(strstr(text_string(&text), "CUDA\n  "), text_string(&text));
    assert_non_null(strstr(text_string(&text), "libcuda"));
    assert_non_null(strstr(text_string(&text), "nvrtc"));
    text_release(&text);
}

static void need_nvrtc(void)
{
    struct gpu_compiler nvrtc;
    struct error error = {0};
    if (cuda_nvrtc_open(&nvrtc, 0, &error) != STATUS_OK) {
        print_message("%s\n", error.text);
        skip();
    }
}

static void test_compile(void **state)
{
    struct text ptx = {0}, log = {0};
    struct error error = {0};
    (void)state;
    need_nvrtc();
    text_add(&ptx, "//");
    if (compile_for(empty_kernel, "sm_90", &ptx, &log, &error) != STATUS_OK)
        fail_msg("%s\n%s", error.text, text_string(&log));
    assert_true(strncmp(text_string(&ptx), "////", 4) == 0); /* appended */
    assert_non_null(strstr(text_string(&ptx), ".target sm_90"));
    assert_non_null(strstr(text_string(&ptx), ".entry orchil("));
    text_clear(&ptx);
    /* For an architecture that no compiler knows, the newest known one below it. */
    assert_int_equal(compile_for(empty_kernel, "sm_999", &ptx, &log, &error), STATUS_OK);
    assert_non_null(strstr(text_string(&ptx), ".entry orchil("));
    text_release(&ptx);
    text_release(&log);
}

/* PTX is stamped for the driver and the device that are to run it, whatever NVRTC knows. */
static void test_compile_for_driver(void **state)
{
    static const struct {
        const char *architecture;
        int driver;
        const char *stamps;
    } cases[] = {
        {"sm_90", 12000, ".version 8.0\n.target sm_90\n"},
        {"sm_75", 11020, ".version 7.2\n.target sm_75\n"},
        {"sm_100", 12080, ".version 8.7\n.target sm_100\n"},
    };
    struct gpu_compiler nvrtc;
    struct text ptx = {0}, log = {0}, options = {0};
    struct error error = {0};
    (void)state;
    need_nvrtc();
    assert_int_equal(cuda_nvrtc_open(&nvrtc, 0, &error), STATUS_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct cuda_request request = {.kernel = empty_kernel,
                                             .architecture = cases[i].architecture,
                                             .driver_version = cases[i].driver,
                                             .options = &options};
        text_clear(&ptx);
        if (cuda_compile(&nvrtc, &request, &ptx, &log, &error) != STATUS_OK)
            fail_msg("%s\n%s", error.text, text_string(&log));
        assert_non_null(strstr(text_string(&ptx), cases[i].stamps));
        assert_non_null(strstr(text_string(&options), "--gpu-architecture=compute_"));
    }
    text_release(&ptx);
    text_release(&log);
    text_release(&options);
}

static void test_refused_kernel(void **state)
{
    struct text ptx = {0}, log = {0};
    struct error error = {0};
    (void)state;
    need_nvrtc();
    assert_int_equal(compile_for("undeclared_word;\n", "sm_90", &ptx, &log, &error), STATUS_BUILD_FAILED);
    assert_non_null(strstr(error.text, "refused the kernel for sm_90: NVRTC_ERROR_COMPILATION"));
    assert_non_null(strstr(error.detail, "undeclared_word"));
    assert_non_null(strstr(text_string(&log), "undeclared_word"));
    assert_int_equal(ptx.size, 0);
    text_release(&ptx);
    text_release(&log);
}

static void test_refused_architecture(void **state)
{
    struct text ptx = {0}, log = {0};
    struct error error = {0};
    (void)state;
    need_nvrtc();
    assert_int_equal(compile_for(empty_kernel, "sm_20", &ptx, &log, &error), STATUS_BUILD_FAILED);
    assert_non_null(strstr(error.text, "the device is sm_20; set ORCHIL_NVRTC"));
    assert_int_equal(compile_for(empty_kernel, "hopper", &ptx, &log, &error), STATUS_USAGE);
    assert_string_equal(error.text, "expected an architecture like sm_90, found 'hopper'");
    text_release(&ptx);
    text_release(&log);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_driver_version),
        cmocka_unit_test(test_named_nvrtc_is_missing),
        cmocka_unit_test(test_explain),
        cmocka_unit_test(test_compile),
        cmocka_unit_test(test_compile_for_driver),
        cmocka_unit_test(test_refused_kernel),
        cmocka_unit_test(test_refused_architecture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
