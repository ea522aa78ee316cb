// SPDX-License-Identifier: Apache-2.0
/* The device for which tests generate kernels. */
#include "tests/kernel/fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct backend_device fixture_device(const char *takes)
{
    struct backend_device device = {
        .backend = "simulated",
        .name = "fixture",
        .gpu = true,
        .atomic_orders = BACKEND_ORDER_RELAXED | BACKEND_ORDER_ACQ_REL | BACKEND_ORDER_SEQ_CST,
        .fence_orders = BACKEND_ORDER_RELAXED | BACKEND_ORDER_ACQ_REL | BACKEND_ORDER_SEQ_CST,
        .atomic_scopes = 0x3f,
        .fence_scopes = 0x3f,
        .types = BACKEND_ALL_TYPES,
        .paths = BACKEND_ALL_PATHS,
        .edges = (1U << LAUNCH_EDGE_COUNT) - 1,
        .compute_units = 4,
        .max_group_size = 256,
        .max_cluster_groups = 8,
        .sub_group_size = 32,
        .local_bytes = 32768,
    };
    if (strcmp(takes, "c11") == 0 || strcmp(takes, "both") == 0)
        device.takes |= BACKEND_TAKES_C11;
    if (strcmp(takes, "ptx") == 0 || strcmp(takes, "both") == 0) {
        device.takes |= BACKEND_TAKES_PTX;
    }
    if (strcmp(takes, "glsl") == 0)
        device.takes = BACKEND_TAKES_GLSL;
    if (strcmp(takes, "source") == 0)
        device.takes = BACKEND_TAKES_CUDA | BACKEND_TAKES_PTX;
    if (strcmp(takes, "hip") == 0)
        device.takes = BACKEND_TAKES_CUDA | BACKEND_TAKES_C11;
    if (strcmp(takes, "opencl1") == 0) {
        device.takes = BACKEND_TAKES_OPENCL1;
        device.atomic_orders = device.fence_orders = device.atomic_scopes = device.fence_scopes = 0;
        device.types &= ~(unsigned)BACKEND_TYPE_GENERIC;
    }
    return device;
}

char *fixture_read(const char *path)
{
    struct text text = {0};
    char bytes[4096];
    size_t got;
    FILE *file = fopen(path, "re");
    if (!file)
        fail_msg("%s cannot be read", path);
    while ((got = fread(bytes, 1, sizeof bytes, file)) > 0)
        text_add_bytes(&text, bytes, got);
    assert_int_equal(fclose(file), 0);
    text_add(&text, "%s", "");
    return text_take(&text);
}

struct litmus_test *fixture_parse(const char *name, const char *text)
{
    struct litmus_test *test;
    struct error error;
    if (litmus_parse(name, text, strlen(text), &test, &error) != STATUS_OK)
        fail_msg("%s\n%s", error.text, text);
    return test;
}

const char *fixture_lowering(const struct backend_device *device)
{
    return device->takes == (BACKEND_TAKES_CUDA | BACKEND_TAKES_PTX) ? "source" : NULL;
}

char *fixture_generate(const struct litmus_test *test, const struct backend_device *device)
{
    struct kernel kernel;
    struct error error;
    if (kernel_generate(test, device, fixture_lowering(device), false, &kernel, &error) != STATUS_OK)
        fail_msg("%s: %s", test->name, error.text);
    const char *part = strstr(kernel.source, FIXTURE_MARKER);
    assert_non_null(part);
    char *copy = strdup(part + strlen(FIXTURE_MARKER));
    assert_non_null(copy);
    kernel_release(&kernel);
    return copy;
}
