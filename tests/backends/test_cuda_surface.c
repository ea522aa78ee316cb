// SPDX-License-Identifier: Apache-2.0
/* Protects how the CUDA backend gives a program's memory surfaces, with the driver of fake_cuda.h: it exports the
 * memory, imports it once, creates an array over it for each address, finds the order of elements and passes it to the
 * module. An order that kernels cannot handle is unsupported, and so are a refused call and memory that is too large
 * for a surface. Every failure is named, and everything that was created is released. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/backends/fake_cuda.h"

enum { ROW_WORDS = 8 * BACKEND_TILE_WORDS }; /* of an array of 8 tiles in a row */

/* Kernels find an element from what the module was given, as surface_place of kernel/results.c does. */
static void expect_places(size_t words)
{
    for (size_t word = 0; word < words; word++) {
        const size_t tile = word / BACKEND_TILE_WORDS;
        const uint32_t within = fake.told_tile[word % BACKEND_TILE_WORDS];
        const size_t x = (within & 65535) + tile % fake.told_columns * 128;
        const size_t y = (within >> 16) + tile / fake.told_columns * 128;
        if (fake_word(x, y) != word)
            fail_msg("word %zu is said to be element (%zu, %zu), which is word %zu", word, x, y, fake_word(x, y));
    }
}

static void each_word_is_found_in_the_surfaces(void **state)
{
    const struct gpu_paths_of of = fake_kernel(BACKEND_PATH_SURFACE | BACKEND_PATH_ALIAS | BACKEND_PATH_TEXTURE, 1);
    struct gpu_memory memory = {0};
    struct error error = {0};
    (void)state;
    fake.surface_columns = 2048;
    assert_int_equal(gpu_memory_make(&of, 90000, &memory, &error), STATUS_OK);
    assert_int_equal(fake.bytes, ROW_WORDS * sizeof(uint32_t));
    assert_int_equal(fake.imports, 1);
    assert_int_equal(fake.arrays, 2);
    assert_int_equal(fake.textures, 2);
    assert_int_equal(fake.told_surfaces[0], 901);
    assert_int_equal(fake.told_surfaces[1], 902);
    assert_int_equal(fake.told_textures[1], 502);
    assert_true(memory.addresses[0] + fake.told_aliases[0] == fake.addresses[1]);
    assert_int_equal(fake.told_columns, 8);
    expect_places(ROW_WORDS);
    gpu_memory_free(&fake_cuda, &memory);
    fake_expect_nothing_left();
}

static void surfaces_grow_wide_where_they_cannot_grow_high(void **state)
{
    const struct gpu_paths_of of = fake_kernel(BACKEND_PATH_SURFACE, 0);
    struct gpu_memory memory = {0};
    struct error error = {0};
    (void)state;
    fake.surface_rows = 2 * 128;
    fake.surface_columns = 16 * 128;
    assert_int_equal(gpu_memory_make(&of, 2 * ROW_WORDS, &memory, &error), STATUS_OK);
    assert_int_equal(fake.told_columns, 8);
    expect_places(2 * ROW_WORDS);
    gpu_memory_free(&fake_cuda, &memory);
    assert_int_equal(gpu_memory_make(&of, 2 * ROW_WORDS + 1, &memory, &error), STATUS_OK);
    assert_int_equal(fake.told_columns, 16);
    assert_int_equal(fake.rows, 2 * 128);
    expect_places(4 * ROW_WORDS);
    gpu_memory_free(&fake_cuda, &memory);
    assert_int_equal(gpu_memory_make(&of, 4 * ROW_WORDS + 1, &memory, &error), STATUS_LIMIT);
    assert_non_null(strstr(error.text, "surfaces of at most 2048 x 256 words"));
    assert_non_null(strstr(error.text, "choose a smaller stride"));
    gpu_memory_free(&fake_cuda, &memory);
    fake_expect_nothing_left();
}

/* Kernels have 16 bits for a column, so a surface is not made wider even if it could be. */
static void columns_have_16_bits(void **state)
{
    const struct gpu_paths_of of = fake_kernel(BACKEND_PATH_SURFACE, 0);
    struct gpu_surfaces surfaces = {0};
    struct error error = {0};
    const size_t most = (size_t)1 << 34; /* bytes of 65,536 x 65,536 elements */
    (void)state;
    assert_int_equal(gpu_surfaces_shape(&of, most, &surfaces, &error), STATUS_OK);
    assert_int_equal(surfaces.columns, 512);
    assert_int_equal(surfaces.rows, 512);
    assert_true(gpu_surfaces_bytes(&surfaces) == most);
    assert_int_equal(gpu_surfaces_shape(&of, most + 1, &surfaces, &error), STATUS_LIMIT);
}

static void other_orders_are_unsupported(void **state)
{
    (void)state;
    for (enum fake_order order = FAKE_ODD_TILE; order <= FAKE_ROWS; order++) {
        const struct gpu_paths_of of = fake_kernel(BACKEND_PATH_SURFACE, 0);
        struct gpu_memory memory = {0};
        struct error error = {0};
        fake.order = order;
        assert_int_equal(gpu_memory_make(&of, 2 * ROW_WORDS, &memory, &error), STATUS_UNSUPPORTED);
        assert_non_null(strstr(error.text, order == FAKE_ROWS ? "element (128, 0) of a surface in word 128"
                                                              : "element (896, 128) of a surface in word 245761"));
        gpu_memory_free(&fake_cuda, &memory);
        fake_expect_nothing_left();
    }
}

/* Calls that no document promises to succeed. */
static bool may_refuse(const char *call)
{
    return strcmp(call, "cuMemExportToShareableHandle") == 0 || strcmp(call, "cuImportExternalMemory") == 0 ||
           strcmp(call, "cuExternalMemoryGetMappedMipmappedArray") == 0;
}

static void whatever_fails_is_named_and_taken_apart(void **state)
{
    unsigned failures = 0, refusals = 0;
    (void)state;
    for (unsigned call_number = 1;; call_number++) {
        const struct gpu_paths_of of = fake_kernel(BACKEND_PATH_SURFACE, 1);
        struct gpu_memory memory = {0};
        struct error error = {0};
        fake.fail_at = call_number;
        fake.file = -1;
        const enum status status = gpu_memory_make(&of, 1000, &memory, &error);
        if (status != STATUS_OK) {
            assert_int_equal(status, may_refuse(fake.failed) ? STATUS_UNSUPPORTED : STATUS_DEVICE_FAILED);
            assert_int_equal(fake.code, 2);
            assert_non_null(strstr(error.text, fake.failed));
            assert_non_null(strstr(error.text, "CUDA_ERROR_OUT_OF_MEMORY"));
            failures++;
            refusals += may_refuse(fake.failed);
        }
        gpu_memory_free(&fake_cuda, &memory);
        fake_expect_nothing_left();
        if (fake.file >= 0) /* the exported file must be closed */
            assert_true(fcntl(fake.file, F_GETFD) == -1 && errno == EBADF);
        if (status == STATUS_OK)
            break;
    }
    assert_int_equal(refusals, 1 + 1 + 2);
    assert_true(failures >= 30);
}

static void a_device_has_surfaces_where_it_exports_memory(void **state)
{
    (void)state;
    (void)fake_kernel(0, 0);
    assert_true(gpu_surfaces_are_had(&fake_cuda, 0));
    fake.exports = 0;
    assert_false(gpu_surfaces_are_had(&fake_cuda, 0));
    fake.exports = 1;
    fake.surface_columns = 1023; /* less than 8 tiles */
    assert_false(gpu_surfaces_are_had(&fake_cuda, 0));
    fake.surface_columns = 1024;
    fake.surface_rows = 127;
    assert_false(gpu_surfaces_are_had(&fake_cuda, 0));
    assert_true(gpu_paths_need_mapping(BACKEND_PATH_SURFACE));
}

/* Memory is created as exportable only if surfaces need it. */
static void memory_without_surfaces_is_not_exportable(void **state)
{
    const struct gpu_paths_of of = fake_kernel(BACKEND_PATH_TEXTURE, 0);
    struct gpu_memory memory = {0};
    struct error error = {0};
    (void)state;
    assert_int_equal(gpu_memory_make(&of, 1, &memory, &error), STATUS_OK);
    assert_false(fake.exportable);
    assert_int_equal(fake.bytes, FAKE_GRANULARITY);
    gpu_memory_free(&fake_cuda, &memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_word_is_found_in_the_surfaces),
        cmocka_unit_test(surfaces_grow_wide_where_they_cannot_grow_high),
        cmocka_unit_test(columns_have_16_bits),
        cmocka_unit_test(other_orders_are_unsupported),
        cmocka_unit_test(whatever_fails_is_named_and_taken_apart),
        cmocka_unit_test(a_device_has_surfaces_where_it_exports_memory),
        cmocka_unit_test(memory_without_surfaces_is_not_exportable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
