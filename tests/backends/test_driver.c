// SPDX-License-Identifier: Apache-2.0
/* Protects what doctor says of a driver's devices: a description that was too long ends with a whole part. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "backends/driver.h"
#include "base/memory.h"

static const char parts[] =
    "Portable, OpenCL 3.0, None+Asserts, RELOC, SPIR-V, LLVM 15.0.6, SLEEF, ICD, VULKAN, LEVEL0, "
    "CUDA, ALMARVI, DISTRO, POCL_DEBUG, MORE, AND MORE, PART 1, PART 2, PART 3, PART 4, PART 5, P"
    "ART 6, PART 7, PART 8, PART 9, PART 10, PART 11, PART 12, PART 13, PART 14, PART 15, PART 16"
    ", PART 17, PART 18, PART 19";

/* The first device's platform is cut by its field, the second's fits. */
static enum status list_two(struct backend_device **devices, size_t *count, struct error *error)
{
    (void)error;
    *count = 2;
    *devices = memory_take(*count, sizeof **devices);
    for (size_t i = 0; i < *count; i++) {
        (*devices)[i].takes = BACKEND_TAKES_C11;
        (void)snprintf((*devices)[i].name, sizeof(*devices)[i].name, "CPU %zu", i);
        (void)snprintf((*devices)[i].driver, sizeof(*devices)[i].driver, "1");
        const char *const platform = i == 0 ? parts : "Short, 1.0";
        memcpy((*devices)[i].platform, platform, i == 0 ? sizeof(*devices)[i].platform - 1 : strlen(platform));
    }
    return STATUS_OK;
}

static void a_cut_platform_ends_with_a_whole_part(void **state)
{
    const struct backend backend = {.name = "fake", .list = list_two};
    struct text text = {0};
    (void)state;
    assert_true(driver_explain_devices(&backend, "", &text));
    assert_string_equal(text_string(&text),
                        "  devices: 2\n"
                        "  fake:0 CPU 0; driver 1; Portable, OpenCL 3.0, None+Asserts, RELOC, SPIR-V, LLVM 15.0.6, SL"
                        "EEF, ICD, VULKAN, LEVEL0, CUDA, ALMARVI, DISTRO, POCL_DEBUG, MORE, AND MORE, PART 1, PART 2,"
                        " PART 3, PART 4, PART 5, PART 6, PART 7, PART 8, PART 9, PART 10, PART 11, PART 12, PART 13,"
                        " ..."
                        "\n"
                        "  fake:1 CPU 1; driver 1; Short, 1.0\n");
    text_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_cut_platform_ends_with_a_whole_part)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
