// SPDX-License-Identifier: Apache-2.0
/* The driver of fake_cuda.h. */
#include "tests/backends/fake_cuda.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "backends/cuda/library.h"
#include "backends/gpu/structures.h"
#include "base/memory.h"

struct fake fake;

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
    *value = attribute == CUDA_TEXTURE_WIDTH    ? FAKE_WIDTH
             : attribute == CUDA_EXPORTS_MEMORY ? fake.exports
             : attribute == CUDA_SURFACE_WIDTH  ? fake.surface_columns
             : attribute == CUDA_SURFACE_HEIGHT ? fake.surface_rows
                                                : fake.attributes;
    return (unsigned)device;
}

static unsigned fake_cuMemGetAllocationGranularity(size_t *granularity, const struct CUmemAllocationProp_st *property,
                                                   unsigned option)
{
    CALL();
    *granularity = FAKE_GRANULARITY;
    return property && option == 0 ? 0 : 1;
}

static unsigned fake_cuMemCreate(unsigned long long *handle, size_t bytes,
                                 const struct CUmemAllocationProp_st *property, unsigned long long flags)
{
    CALL();
    *handle = 77;
    fake.memories++;
    fake.accessible = 0;
    fake.bytes = bytes;
    fake.plain = memory_take(bytes, 1);
    fake.exportable = property->handle_types == CUDA_FILE_DESCRIPTOR;
    return property && flags == 0 ? 0 : 1;
}

static unsigned fake_cuMemRelease(unsigned long long handle)
{
    assert_true(handle == 77);
    assert_int_equal(fake.imports, 0);
    free(fake.plain);
    fake.plain = NULL;
    fake.memories--;
    return 0;
}

static unsigned fake_cuMemAddressReserve(unsigned long long *address, size_t bytes, size_t alignment,
                                         unsigned long long wish, unsigned long long flags)
{
    CALL();
    assert_true(bytes == fake.bytes && alignment == FAKE_GRANULARITY && wish == 0 && flags == 0);
    *address = 0x700000000000ull -
               0x10000000ull * fake.reserved; /* later ones have lower addresses: distances are modulo 2^64 */
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
    *bytes = strcmp(name, "orchil_bank") == 0 || strcmp(name, "orchil_tile") == 0 ? 65536 : sizeof fake.told_aliases;
    return 0;
}

static unsigned fake_cuMemcpyHtoDAsync(unsigned long long to, const void *from, size_t bytes,
                                       struct CUstream_st *stream)
{
    CALL();
    assert_null(stream);
    if (to != 0xabc000) {
        assert_true(to >= fake.addresses[0] && to + bytes <= fake.addresses[0] + fake.bytes);
        memcpy((char *)fake.plain + (to - fake.addresses[0]), from, bytes);
        return 0;
    }
    fake.told_bytes += bytes;
    if (strcmp(fake.variable, "orchil_aliases") == 0)
        memcpy(fake.told_aliases, from, bytes);
    else if (strcmp(fake.variable, "orchil_textures") == 0)
        memcpy(fake.told_textures, from, bytes);
    else if (strcmp(fake.variable, "orchil_surfaces") == 0)
        memcpy(fake.told_surfaces, from, bytes);
    else if (strcmp(fake.variable, "orchil_tile") == 0)
        memcpy(fake.told_tile, from, bytes);
    else if (strcmp(fake.variable, "orchil_tile_columns") == 0)
        memcpy(&fake.told_columns, from, bytes);
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

static unsigned fake_cuMemExportToShareableHandle(void *exported, unsigned long long handle, unsigned type,
                                                  unsigned long long flags)
{
    CALL();
    assert_true(handle == 77 && fake.exportable && type == CUDA_FILE_DESCRIPTOR && flags == 0);
    fake.file = open("/dev/null", O_RDONLY | O_CLOEXEC);
    memcpy(exported, &fake.file, sizeof fake.file);
    return 0;
}

/* The driver owns the file once it is imported. */
static unsigned fake_cuImportExternalMemory(struct CUextMemory_st **memory,
                                            const struct CUDA_EXTERNAL_MEMORY_HANDLE_DESC_st *handle)
{
    CALL();
    assert_true(handle->type == CUDA_OPAQUE_FILE && handle->handle.file == fake.file && handle->bytes == fake.bytes);
    assert_int_equal(close(fake.file), 0);
    *memory = (struct CUextMemory_st *)&fake.imports;
    fake.imports++;
    return 0;
}

static unsigned fake_cuDestroyExternalMemory(struct CUextMemory_st *memory)
{
    assert_ptr_equal(memory, &fake.imports);
    assert_int_equal(fake.arrays, 0);
    fake.imports--;
    return 0;
}

static unsigned
fake_cuExternalMemoryGetMappedMipmappedArray(struct CUmipmappedArray_st **array, struct CUextMemory_st *memory,
                                             const struct CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC_st *shape)
{
    CALL();
    assert_ptr_equal(memory, &fake.imports);
    assert_true(shape->offset == 0 && shape->levels == 1 && shape->array.depth == 0);
    assert_true(shape->array.format == CUDA_UNSIGNED_32 && shape->array.channels == 1 &&
                shape->array.flags == CUDA_SURFACE_ARRAY);
    fake.columns = shape->array.width;
    fake.rows = shape->array.height;
    assert_true(fake.columns <= (size_t)fake.surface_columns && fake.rows <= (size_t)fake.surface_rows);
    assert_true(fake.columns * fake.rows * sizeof(uint32_t) <= fake.bytes);
    *array = (struct CUmipmappedArray_st *)&fake.addresses[fake.arrays++];
    return 0;
}

static unsigned fake_cuMipmappedArrayGetLevel(struct CUarray_st **array, struct CUmipmappedArray_st *of, unsigned level)
{
    CALL();
    assert_int_equal(level, 0);
    *array = (struct CUarray_st *)of;
    return 0;
}

static unsigned fake_cuMipmappedArrayDestroy(struct CUmipmappedArray_st *array)
{
    assert_non_null(array);
    fake.arrays--;
    return 0;
}

static unsigned fake_cuSurfObjectCreate(unsigned long long *object, const struct CUDA_RESOURCE_DESC_st *resource)
{
    CALL();
    assert_true(resource->type == CUDA_ARRAY_RESOURCE);
    assert_ptr_equal(resource->resource.array, &fake.addresses[fake.arrays - 1]);
    *object = 900 + ++fake.surfaces;
    return 0;
}

static unsigned fake_cuSurfObjectDestroy(unsigned long long object)
{
    assert_true(object > 900);
    assert_int_not_equal(fake.arrays, 0);
    fake.surfaces--;
    return 0;
}

size_t fake_word(size_t x, size_t y)
{
    static const unsigned char bits[14] = {0, 1, 7, 8, 2, 9, 3, 10, 11, 12, 13, 4, 5, 6}; /* of x, then of y */
    const size_t tile = y / 128 * (fake.columns / 128) + x / 128, place = x % 128 | y % 128 << 7;
    size_t within = 0;
    if (fake.order == FAKE_ROWS)
        return y * fake.columns + x;
    for (unsigned bit = 0; bit < 14; bit++)
        within |= (place >> bits[bit] & 1u) << bit;
    if (fake.order == FAKE_ODD_TILE && tile == fake.columns / 128 * (fake.rows / 128) - 1)
        within ^= 1;
    return tile * BACKEND_TILE_WORDS + within;
}

static unsigned fake_cuMemcpy2DAsync(const struct CUDA_MEMCPY2D_st *copy, struct CUstream_st *stream)
{
    CALL();
    assert_true(copy->from_type == CUDA_ARRAY_MEMORY && copy->to_type == CUDA_HOST_MEMORY && !stream);
    assert_non_null(copy->from_array);
    assert_true(copy->from_byte == 0 && copy->bytes == fake.columns * sizeof(uint32_t) &&
                copy->from_row + copy->rows <= fake.rows);
    for (size_t y = 0; y < copy->rows; y++)
        for (size_t x = 0; x < fake.columns; x++)
            memcpy((char *)copy->to_host + (copy->to_row + y) * copy->to_pitch + copy->to_byte + x * sizeof(uint32_t),
                   &fake.plain[fake_word(x, copy->from_row + y)], sizeof(uint32_t));
    return 0;
}

const struct gpu_api fake_cuda = {
    .driver = &cuda_driver,
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
    .cuMemExportToShareableHandle = fake_cuMemExportToShareableHandle,
    .cuImportExternalMemory = fake_cuImportExternalMemory,
    .cuDestroyExternalMemory = fake_cuDestroyExternalMemory,
    .cuExternalMemoryGetMappedMipmappedArray = fake_cuExternalMemoryGetMappedMipmappedArray,
    .cuMipmappedArrayGetLevel = fake_cuMipmappedArrayGetLevel,
    .cuMipmappedArrayDestroy = fake_cuMipmappedArrayDestroy,
    .cuSurfObjectCreate = fake_cuSurfObjectCreate,
    .cuSurfObjectDestroy = fake_cuSurfObjectDestroy,
    .cuMemcpy2DAsync = fake_cuMemcpy2DAsync,
    .cuModuleGetGlobal = fake_cuModuleGetGlobal,
    .cuMemcpyHtoDAsync = fake_cuMemcpyHtoDAsync,
    .cuStreamSynchronize = fake_cuStreamSynchronize,
};

static const struct backend_device device = {.backend = "cuda", .name = "a GPU"};

struct gpu_paths_of fake_kernel(unsigned paths, unsigned aliases)
{
    memset(&fake, 0, sizeof fake);
    fake.attributes = fake.exports = 1;
    fake.surface_columns = 131072;
    fake.surface_rows = 65536;
    return (struct gpu_paths_of){
        .api = &fake_cuda, .device = &device, .paths = paths, .aliases = aliases, .code = &fake.code};
}

void fake_expect_nothing_left(void)
{
    assert_int_equal(fake.memories, 0);
    assert_int_equal(fake.reserved, 0);
    assert_int_equal(fake.mapped, 0);
    assert_int_equal(fake.textures, 0);
    assert_int_equal(fake.imports, 0);
    assert_int_equal(fake.arrays, 0);
    assert_int_equal(fake.surfaces, 0);
}
