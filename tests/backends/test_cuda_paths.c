// SPDX-License-Identifier: Apache-2.0
/* Protects how the CUDA backend gives a program's memory further addresses and textures, with the driver of
 * fake_cuda.h. All addresses map the whole of one memory; the module gets their values; whichever call fails, the error
 * names it and everything that was created is released; and a driver without these functions offers no path. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/backends/fake_cuda.h"

static void all_addresses_are_of_one_memory(void **state)
{
    const struct gpu_paths_of of = fake_kernel(BACKEND_PATH_ALIAS | BACKEND_PATH_TEXTURE, 2);
    struct gpu_memory memory = {0};
    struct error error = {0};
    (void)state;
    assert_int_equal(gpu_memory_make(&of, 1025, &memory, &error), STATUS_OK);
    assert_int_equal(fake.memories, 1);
    assert_int_equal(fake.bytes, 2 * FAKE_GRANULARITY); /* 1,025 words, rounded up */
    assert_int_equal(fake.mapped, 3);
    assert_int_equal(fake.accessible, 3);
    assert_int_equal(fake.textures, 3);
    for (unsigned k = 1; k < 3; k++)
        assert_true(memory.addresses[0] + fake.told_aliases[k - 1] == fake.addresses[k]);
    for (unsigned k = 0; k < 3; k++)
        assert_int_equal(fake.told_textures[k], 501 + k);
    assert_int_equal(fake.told_bytes, (2 + 3) * sizeof(uint64_t));
    gpu_memory_free(&fake_cuda, &memory);
    fake_expect_nothing_left();
    gpu_memory_free(&fake_cuda, &memory); /* of nothing */
    fake_expect_nothing_left();
}

static void whatever_fails_is_named_and_taken_apart(void **state)
{
    unsigned failures = 0;
    (void)state;
    for (unsigned call_number = 1;; call_number++) {
        const struct gpu_paths_of of = fake_kernel(BACKEND_PATH_ALIAS | BACKEND_PATH_TEXTURE, 1);
        struct gpu_memory memory = {0};
        struct error error = {0};
        fake.fail_at = call_number;
        const enum status status = gpu_memory_make(&of, 1000, &memory, &error);
        if (status != STATUS_OK) {
            assert_int_equal(status, STATUS_DEVICE_FAILED);
            assert_int_equal(fake.code, 2);
            assert_non_null(strstr(error.text, fake.failed));
            assert_non_null(strstr(error.text, "CUDA_ERROR_OUT_OF_MEMORY"));
            failures++;
        }
        gpu_memory_free(&fake_cuda, &memory);
        fake_expect_nothing_left();
        if (status == STATUS_OK)
            break;
    }
    assert_true(failures >= 12);
}

static void a_texture_has_a_width(void **state)
{
    struct gpu_paths_of of = fake_kernel(BACKEND_PATH_TEXTURE, 0);
    struct gpu_memory memory = {0};
    struct error error = {0};
    (void)state;
    assert_int_equal(gpu_memory_make(&of, FAKE_WIDTH + 1, &memory, &error), STATUS_LIMIT);
    assert_non_null(strstr(error.text, "textures of at most 100000 words, but a batch needs 100001"));
    gpu_memory_free(&fake_cuda, &memory);
    fake_expect_nothing_left();
    of = fake_kernel(BACKEND_PATH_TEXTURE, 0);
    assert_int_equal(gpu_memory_make(&of, FAKE_WIDTH, &memory, &error), STATUS_OK);
    gpu_memory_free(&fake_cuda, &memory);
}

static void addresses_have_a_bound(void **state)
{
    const struct gpu_paths_of of = fake_kernel(BACKEND_PATH_ALIAS, GPU_MAXIMUM_ADDRESSES);
    struct gpu_memory memory = {0};
    struct error error = {0};
    (void)state;
    assert_int_equal(gpu_memory_make(&of, 1, &memory, &error), STATUS_LIMIT);
    assert_non_null(strstr(error.text, "65 addresses of its memory; the limit is 64"));
}

static void the_bank_is_told_where_it_lies(void **state)
{
    const struct gpu_paths_of of = fake_kernel(BACKEND_PATH_CONSTANT, 0);
    struct error error = {0};
    (void)state;
    assert_int_equal(gpu_paths_set_bank(&of, &error), STATUS_OK);
    assert_int_equal(fake.told_bank, 0xabc000);
    fake.fail_at = fake.called + 1;
    assert_int_equal(gpu_paths_set_bank(&of, &error), STATUS_DEVICE_FAILED);
    assert_non_null(strstr(error.text, "cuModuleGetGlobal failed"));
}

static void a_device_has_the_paths_of_its_driver(void **state)
{
    struct gpu_api old = fake_cuda;
    (void)state;
    (void)fake_kernel(0, 0);
    assert_int_equal(gpu_paths_describe(&fake_cuda, 0),
                     BACKEND_PATH_ALIAS | BACKEND_PATH_TEXTURE | BACKEND_PATH_SURFACE | BACKEND_PATH_CONSTANT);
    fake.exports = 0;
    assert_int_equal(gpu_paths_describe(&fake_cuda, 0),
                     BACKEND_PATH_ALIAS | BACKEND_PATH_TEXTURE | BACKEND_PATH_CONSTANT);
    fake.attributes = 0; /* no virtual memory management */
    assert_int_equal(gpu_paths_describe(&fake_cuda, 0), BACKEND_PATH_CONSTANT);
    old.cuMemMap = NULL; /* an old driver */
    assert_int_equal(gpu_paths_describe(&old, 0), 0);
    assert_true(gpu_paths_need_mapping(BACKEND_PATH_TEXTURE));
    assert_false(gpu_paths_need_mapping(BACKEND_PATH_CONSTANT | BACKEND_PATH_ASYNC));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_addresses_are_of_one_memory), cmocka_unit_test(whatever_fails_is_named_and_taken_apart),
        cmocka_unit_test(a_texture_has_a_width),           cmocka_unit_test(addresses_have_a_bound),
        cmocka_unit_test(the_bank_is_told_where_it_lies),  cmocka_unit_test(a_device_has_the_paths_of_its_driver),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
