// SPDX-License-Identifier: Apache-2.0
/* Protects what the OpenCL backend does without a device: it names error codes, distinguishes a loss from a failed
 * call, and says where drivers are registered when there is none. Skipped without the OpenCL loader. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "backends/driver.h"
#include "backends/opencl/library.h"

static void test_error_names(void **state)
{
    (void)state;
    assert_string_equal(opencl_error_name(CL_SUCCESS), "CL_SUCCESS");
    assert_string_equal(opencl_error_name(CL_OUT_OF_RESOURCES), "CL_OUT_OF_RESOURCES");
    assert_string_equal(opencl_error_name(CL_PLATFORM_NOT_FOUND_KHR), "CL_PLATFORM_NOT_FOUND_KHR");
    assert_string_equal(opencl_error_name(-12345), "an unknown OpenCL error");
}

static void test_losses(void **state)
{
    (void)state;
    assert_true(opencl_error_is_loss(-9999, false, true));
    assert_true(opencl_error_is_loss(CL_DEVICE_NOT_AVAILABLE, false, false));
    assert_true(opencl_error_is_loss(CL_OUT_OF_RESOURCES, true, true));
    assert_true(opencl_error_is_loss(CL_INVALID_COMMAND_QUEUE, true, true));
    assert_false(opencl_error_is_loss(CL_OUT_OF_RESOURCES, false, true));
    assert_false(opencl_error_is_loss(CL_OUT_OF_RESOURCES, true, false));
    assert_false(opencl_error_is_loss(CL_SUCCESS, true, true));
}

/* The loader reads the variable once, at its first call, so this case must come first. */
static void test_no_driver(void **state)
{
    struct backend_device *devices;
    struct error error = {0};
    struct text text = {0};
    size_t count;
    (void)state;
    assert_int_equal(opencl_backend.list(&devices, &count, &error), STATUS_NO_DEVICE);
    assert_null(devices);
    assert_int_equal(count, 0);
    assert_non_null(strstr(error.text, "knows no driver (CL_PLATFORM_NOT_FOUND_KHR)"));
    assert_non_null(strstr(error.text, "pocl-opencl-icd"));
    opencl_backend.explain(&text);
    assert_non_null(strstr(text_string(&text), "  no driver is registered in " ORCHIL_SOURCE_DIR "/tests/backends/\n"));
    assert_non_null(strstr(text_string(&text), "    apt-get install pocl-opencl-icd "));
    text_release(&text);
}

static void test_caches_are_off(void **state)
{
    (void)state;
    assert_string_equal(getenv("POCL_KERNEL_CACHE"), "0");
    assert_string_equal(getenv("CUDA_CACHE_DISABLE"), "7"); /* the user's own choice stays */
}

/* Code that is compiled ahead is also kept: never for a CPU, whose cores are under test. */
static void test_compiled_ahead(void **state)
{
    (void)state;
    assert_true(opencl_backend.compiles_ahead(&(struct backend_device){.gpu = true}));
    assert_false(opencl_backend.compiles_ahead(&(struct backend_device){.gpu = false}));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_error_names),    cmocka_unit_test(test_losses),         cmocka_unit_test(test_no_driver),
        cmocka_unit_test(test_caches_are_off), cmocka_unit_test(test_compiled_ahead),
    };
    struct opencl_library library;
    struct error error = {0};
    if (unsetenv("POCL_KERNEL_CACHE") != 0 || setenv("CUDA_CACHE_DISABLE", "7", 1) != 0 ||
        setenv("OCL_ICD_VENDORS", ORCHIL_SOURCE_DIR "/tests/backends/", 1) != 0)
        return 1;
    if (opencl_library_open(&library, &error) != STATUS_OK) {
        print_message("skipped: %s\n", error.text);
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
