// SPDX-License-Identifier: Apache-2.0
/*
 * Protects how the CUDA backend gives a program's memory further addresses and textures: with a driver of this file's own, which
 * notes what it is asked for. All addresses map the whole of one memory; the module is told where they are; whatever call fails,
 * its name is in the error and everything that was made is taken apart; and a driver without these functions gives no path.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "backends/cuda/paths.h"

enum { GRANULARITY = 4096, WIDTH = 100000, CALLS = 64 };

/* What the driver has made and been told. One test at a time uses it. */
static struct {
    int attributes;           /* 0: the device maps no memory */
    unsigned fail_at, called; /* the call that fails, from 1; 0: none does */
    char failed[40];          /* its name */
    unsigned memories, reserved, mapped, accessible, textures;
    size_t bytes; /* of the memory */
    unsigned long long addresses[CALLS];
    unsigned long long told_aliases[CALLS], told_textures[CALLS], told_bank;
    size_t told_bytes;
    const char *variable; /* whose address was asked for last */
} fake;

static unsigned call(const char *name)
{
    if (++fake.called != fake.fail_at)
        return 0;
    (void)snprintf(fake.failed, sizeof fake.failed, "%s", name);
    return 2;
}
#define CALL()                                                                                                         \
    do {                                                                                                               \
        const unsigned code = call(__func__ + strlen("fake_"));                                                        \
        if (code != 0)                                                                                                 \
            return code;                                                                                               \
    } while (0)

static unsigned fake_cuGetErrorName(unsigned code, const char **name)
{
    *name = code == 2 ? "CUDA_ERROR_OUT_OF_MEMORY" : NULL;
    return 0;
}

static unsigned fake_cuDeviceGetAttribute(int *value, unsigned attribute, int device)
{
    CALL();
    *value = attribute == CUDA_TEXTURE_WIDTH ? WIDTH : fake.attributes;
    return (unsigned)device;
}

static unsigned fake_cuMemGetAllocationGranularity(size_t *granularity, const struct CUmemAllocationProp_st *property,
                                                   unsigned option)
{
    CALL();
    *granularity = GRANULARITY;
    return property && option == 0 ? 0 : 1;
}

static unsigned fake_cuMemCreate(unsigned long long *handle, size_t bytes,
                                 const struct CUmemAllocationProp_st *property, unsigned long long flags)
{
    CALL();
    *handle = 77;
    fake.memories++;
    fake.bytes = bytes;
    return property && flags == 0 ? 0 : 1;
}

static unsigned fake_cuMemRelease(unsigned long long handle)
{
    assert_true(handle == 77);
    fake.memories--;
    return 0;
}

static unsigned fake_cuMemAddressReserve(unsigned long long *address, size_t bytes, size_t alignment,
                                         unsigned long long wish, unsigned long long flags)
{
    CALL();
    assert_true(bytes == fake.bytes && alignment == GRANULARITY && wish == 0 && flags == 0);
    *address = 0x700000000000ull - 0x10000000ull * fake.reserved; /* later ones lie lower: distances are modulo 2^64 */
    fake.addresses[fake.reserved++] = *address;
    return 0;
}

static unsigned fake_cuMemAddressFree(unsigned long long address, size_t bytes)
{
    assert_true(address != 0 && bytes == fake.bytes);
    fake.reserved--;
    return 0;
}

static unsigned fake_cuMemMap(unsigned long long address, size_t bytes, size_t offset, unsigned long long handle,
                              unsigned long long flags)
{
    CALL();
    assert_true(address == fake.addresses[fake.mapped] && bytes == fake.bytes && offset == 0 && handle == 77 &&
                flags == 0);
    fake.mapped++;
    return 0;
}

static unsigned fake_cuMemUnmap(unsigned long long address, size_t bytes)
{
    assert_true(address != 0 && bytes == fake.bytes);
    fake.mapped--;
    return 0;
}

static unsigned fake_cuMemSetAccess(unsigned long long address, size_t bytes, const struct CUmemAccessDesc_st *access,
                                    size_t count)
{
    CALL();
    assert_true(address == fake.addresses[fake.accessible] && bytes == fake.bytes && access && count == 1);
    fake.accessible++;
    return 0;
}

static unsigned fake_cuTexObjectCreate(unsigned long long *object, const struct CUDA_RESOURCE_DESC_st *resource,
                                       const struct CUDA_TEXTURE_DESC_st *texture,
                                       const struct CUDA_RESOURCE_VIEW_DESC_st *view)
{
    CALL();
    assert_true(resource && texture && !view);
    *object = 500 + ++fake.textures;
    return 0;
}

static unsigned fake_cuTexObjectDestroy(unsigned long long object)
{
    assert_true(object > 500);
    fake.textures--;
    return 0;
}

static unsigned fake_cuModuleGetGlobal(unsigned long long *address, size_t *bytes, struct CUmod_st *module,
                                       const char *name)
{
    CALL();
    assert_null(module);
    fake.variable = name;
    *address = 0xabc000;
    *bytes = strcmp(name, "orchil_bank") == 0 ? 65536 : sizeof fake.told_aliases;
    return 0;
}

static unsigned fake_cuMemcpyHtoDAsync(unsigned long long to, const void *from, size_t bytes,
                                       struct CUstream_st *stream)
{
    CALL();
    assert_true(to == 0xabc000 && !stream);
    fake.told_bytes += bytes;
    if (strcmp(fake.variable, "orchil_aliases") == 0)
        memcpy(fake.told_aliases, from, bytes);
    else if (strcmp(fake.variable, "orchil_textures") == 0)
        memcpy(fake.told_textures, from, bytes);
    else if (strcmp(fake.variable, "orchil_bank_address") == 0)
        memcpy(&fake.told_bank, from, bytes);
    else
        fail_msg("%s is filled", fake.variable);
    return 0;
}

static unsigned fake_cuStreamSynchronize(struct CUstream_st *stream)
{
    CALL();
    assert_null(stream);
    return 0;
}

static const struct cuda_driver driver = {
    .cuGetErrorName = fake_cuGetErrorName,
    .cuDeviceGetAttribute = fake_cuDeviceGetAttribute,
    .cuMemGetAllocationGranularity = fake_cuMemGetAllocationGranularity,
    .cuMemCreate = fake_cuMemCreate,
    .cuMemRelease = fake_cuMemRelease,
    .cuMemAddressReserve = fake_cuMemAddressReserve,
    .cuMemAddressFree = fake_cuMemAddressFree,
    .cuMemMap = fake_cuMemMap,
    .cuMemUnmap = fake_cuMemUnmap,
    .cuMemSetAccess = fake_cuMemSetAccess,
    .cuTexObjectCreate = fake_cuTexObjectCreate,
    .cuTexObjectDestroy = fake_cuTexObjectDestroy,
    .cuModuleGetGlobal = fake_cuModuleGetGlobal,
    .cuMemcpyHtoDAsync = fake_cuMemcpyHtoDAsync,
    .cuStreamSynchronize = fake_cuStreamSynchronize,
};

static const struct backend_device device = {.backend = "cuda", .name = "a GPU"};

static struct cuda_paths_of of_kernel(unsigned paths, unsigned aliases)
{
    memset(&fake, 0, sizeof fake);
    fake.attributes = 1;
    return (struct cuda_paths_of){.driver = &driver, .device = &device, .paths = paths, .aliases = aliases};
}

static void expect_nothing_left(void)
{
    assert_int_equal(fake.memories, 0);
    assert_int_equal(fake.reserved, 0);
    assert_int_equal(fake.mapped, 0);
    assert_int_equal(fake.textures, 0);
}

static void all_addresses_are_of_one_memory(void **state)
{
    const struct cuda_paths_of of = of_kernel(BACKEND_PATH_ALIAS | BACKEND_PATH_TEXTURE, 2);
    struct cuda_memory memory = {0};
    struct error error = {0};
    unsigned code;
    (void)state;
    assert_int_equal(cuda_memory_make(&of, 1025, &memory, &code, &error), STATUS_OK);
    assert_int_equal(fake.memories, 1);
    assert_int_equal(fake.bytes, 2 * GRANULARITY); /* 1,025 words, rounded up */
    assert_int_equal(fake.mapped, 3);
    assert_int_equal(fake.accessible, 3);
    assert_int_equal(fake.textures, 3);
    for (unsigned k = 1; k < 3; k++)
        assert_true(memory.addresses[0] + fake.told_aliases[k - 1] == fake.addresses[k]);
    for (unsigned k = 0; k < 3; k++)
        assert_int_equal(fake.told_textures[k], 501 + k);
    assert_int_equal(fake.told_bytes, (2 + 3) * sizeof(uint64_t));
    cuda_memory_free(&driver, &memory);
    expect_nothing_left();
    cuda_memory_free(&driver, &memory); /* of nothing */
    expect_nothing_left();
}

static void whatever_fails_is_named_and_taken_apart(void **state)
{
    unsigned failures = 0;
    (void)state;
    for (unsigned call_number = 1;; call_number++) {
        const struct cuda_paths_of of = of_kernel(BACKEND_PATH_ALIAS | BACKEND_PATH_TEXTURE, 1);
        struct cuda_memory memory = {0};
        struct error error = {0};
        unsigned code;
        fake.fail_at = call_number;
        const enum status status = cuda_memory_make(&of, 1000, &memory, &code, &error);
        if (status != STATUS_OK) {
            assert_int_equal(status, STATUS_DEVICE_FAILED);
            assert_int_equal(code, 2);
            assert_non_null(strstr(error.text, fake.failed));
            assert_non_null(strstr(error.text, "CUDA_ERROR_OUT_OF_MEMORY"));
            failures++;
        }
        cuda_memory_free(&driver, &memory);
        expect_nothing_left();
        if (status == STATUS_OK)
            break;
    }
    assert_true(failures >= 12);
}

static void a_texture_has_a_width(void **state)
{
    struct cuda_paths_of of = of_kernel(BACKEND_PATH_TEXTURE, 0);
    struct cuda_memory memory = {0};
    struct error error = {0};
    unsigned code;
    (void)state;
    assert_int_equal(cuda_memory_make(&of, WIDTH + 1, &memory, &code, &error), STATUS_LIMIT);
    assert_non_null(strstr(error.text, "textures over 100000 words at most, a batch needs 100001"));
    cuda_memory_free(&driver, &memory);
    expect_nothing_left();
    of = of_kernel(BACKEND_PATH_TEXTURE, 0);
    assert_int_equal(cuda_memory_make(&of, WIDTH, &memory, &code, &error), STATUS_OK);
    cuda_memory_free(&driver, &memory);
}

static void addresses_have_a_bound(void **state)
{
    const struct cuda_paths_of of = of_kernel(BACKEND_PATH_ALIAS, CUDA_MAXIMUM_ADDRESSES);
    struct cuda_memory memory = {0};
    struct error error = {0};
    unsigned code;
    (void)state;
    assert_int_equal(cuda_memory_make(&of, 1, &memory, &code, &error), STATUS_LIMIT);
    assert_non_null(strstr(error.text, "65 addresses of its memory, at most 64"));
}

static void the_bank_is_told_where_it_lies(void **state)
{
    const struct cuda_paths_of of = of_kernel(BACKEND_PATH_CONSTANT, 0);
    struct error error = {0};
    (void)state;
    assert_int_equal(cuda_paths_tell_bank(&of, &error), STATUS_OK);
    assert_int_equal(fake.told_bank, 0xabc000);
    fake.fail_at = fake.called + 1;
    assert_int_equal(cuda_paths_tell_bank(&of, &error), STATUS_DEVICE_FAILED);
    assert_non_null(strstr(error.text, "cuModuleGetGlobal failed"));
}

static void a_device_has_the_paths_of_its_driver(void **state)
{
    struct cuda_driver old = driver;
    (void)state;
    (void)of_kernel(0, 0);
    assert_int_equal(cuda_paths_describe(&driver, 0),
                     BACKEND_PATH_ALIAS | BACKEND_PATH_TEXTURE | BACKEND_PATH_CONSTANT);
    fake.attributes = 0; /* no virtual memory management */
    assert_int_equal(cuda_paths_describe(&driver, 0), BACKEND_PATH_CONSTANT);
    old.cuMemMap = NULL; /* an old driver */
    assert_int_equal(cuda_paths_describe(&old, 0), 0);
    assert_true(cuda_paths_need_mapping(BACKEND_PATH_TEXTURE));
    assert_false(cuda_paths_need_mapping(BACKEND_PATH_CONSTANT | BACKEND_PATH_ASYNC));
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
