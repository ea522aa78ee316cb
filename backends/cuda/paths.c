// SPDX-License-Identifier: Apache-2.0
/* Mappings of one memory, textures over them, and the constant bank. */
#include "backends/cuda/paths.h"

#include <string.h>

/* cuda.h's, as far as they are used here; tests/backends/test_cuda_prototypes.c compares them. */
struct CUmemAllocationProp_st {
    unsigned type, handle_types;
    struct {
        unsigned type;
        int id;
    } location;
    void *windows;
    unsigned char compression, rdma;
    unsigned short usage;
    unsigned char reserved[4];
};

struct CUmemAccessDesc_st {
    unsigned location_type;
    int id;
    unsigned flags;
};

struct CUDA_RESOURCE_DESC_st {
    unsigned type;
    union {
        struct {
            unsigned long long address;
            unsigned format, channels;
            size_t bytes;
        } linear;
        int room[32];
    } resource;
    unsigned flags;
};

struct CUDA_TEXTURE_DESC_st {
    unsigned address_modes[3], filter, flags, anisotropy, mipmap_filter;
    float bias, least_level, greatest_level, border[4];
    int reserved[12];
};

_Static_assert(sizeof(struct CUmemAllocationProp_st) == 32 && offsetof(struct CUmemAllocationProp_st, usage) == 26,
               "allocation");
_Static_assert(sizeof(struct CUmemAccessDesc_st) == 12, "access");
_Static_assert(sizeof(struct CUDA_RESOURCE_DESC_st) == 144 &&
                   offsetof(struct CUDA_RESOURCE_DESC_st, resource.linear.bytes) == 24,
               "resource");
_Static_assert(sizeof(struct CUDA_TEXTURE_DESC_st) == 104 && offsetof(struct CUDA_TEXTURE_DESC_st, flags) == 16,
               "texture");

static bool has_attribute(const struct cuda_driver *driver, int id, enum cuda_constant attribute)
{
    int value = 0;
    return driver->cuDeviceGetAttribute(&value, (unsigned)attribute, id) == 0 && value > 0;
}

unsigned cuda_paths_describe(const struct cuda_driver *driver, int id)
{
    unsigned paths = 0;
    if (!driver->cuMemMap)
        return 0;
    paths |= BACKEND_PATH_CONSTANT;
    if (has_attribute(driver, id, CUDA_MAPS_MEMORY)) {
        paths |= BACKEND_PATH_ALIAS;
        if (has_attribute(driver, id, CUDA_TEXTURE_WIDTH))
            paths |= BACKEND_PATH_TEXTURE;
    }
    return paths;
}

bool cuda_paths_need_mapping(unsigned paths)
{
    return paths & (BACKEND_PATH_ALIAS | BACKEND_PATH_TEXTURE);
}

static enum status path_failed(const struct cuda_paths_of *of, const char *call, unsigned code, struct error *error)
{
    return error_set(error, STATUS_DEVICE_FAILED, "cuda:%u (%s): %s failed: %s", of->device->index, of->device->name,
                     call, cuda_error_name(of->driver, code));
}

#define CALL(of, function, ...)                                                                                        \
    do {                                                                                                               \
        *code = (of)->driver->function(__VA_ARGS__);                                                                   \
        if (*code != 0)                                                                                                \
            return path_failed((of), #function, *code, error);                                                         \
    } while (0)

/* Physical memory of a device. */
static struct CUmemAllocationProp_st property_of(int id)
{
    struct CUmemAllocationProp_st property;
    memset(&property, 0, sizeof property);
    property.type = CUDA_PINNED_MEMORY;
    property.location.type = CUDA_DEVICE_LOCATION;
    property.location.id = id;
    return property;
}

static enum status map_at(const struct cuda_paths_of *of, size_t granularity, struct cuda_memory *memory,
                          unsigned number, unsigned *code, struct error *error)
{
    const struct CUmemAccessDesc_st access = {CUDA_DEVICE_LOCATION, of->id, CUDA_READ_AND_WRITE};
    unsigned long long *address = &memory->addresses[number];
    CALL(of, cuMemAddressReserve, address, memory->bytes, granularity, 0, 0);
    CALL(of, cuMemMap, *address, memory->bytes, 0, memory->handle, 0);
    memory->mapped[number] = true;
    CALL(of, cuMemSetAccess, *address, memory->bytes, &access, 1);
    return STATUS_OK;
}

static enum status make_texture(const struct cuda_paths_of *of, struct cuda_memory *memory, unsigned number,
                                size_t words, unsigned *code, struct error *error)
{
    struct CUDA_RESOURCE_DESC_st resource;
    struct CUDA_TEXTURE_DESC_st texture;
    int width = 0;
    CALL(of, cuDeviceGetAttribute, &width, CUDA_TEXTURE_WIDTH, of->id);
    if (words > (size_t)width)
        return error_set(error, STATUS_LIMIT,
                         "cuda:%u (%s) has textures over %d words at most, a batch needs %zu: choose a smaller stride",
                         of->device->index, of->device->name, width, words);
    memset(&resource, 0, sizeof resource);
    memset(&texture, 0, sizeof texture);
    resource.type = CUDA_LINEAR_RESOURCE;
    resource.resource.linear.address = memory->addresses[number];
    resource.resource.linear.format = CUDA_UNSIGNED_32;
    resource.resource.linear.channels = 1;
    resource.resource.linear.bytes = words * sizeof(uint32_t);
    texture.flags = CUDA_READ_INTEGERS;
    CALL(of, cuTexObjectCreate, &memory->textures[number], &resource, &texture, NULL);
    return STATUS_OK;
}

/* Fills a variable of the module, which has room for as many bytes. */
static enum status tell(const struct cuda_paths_of *of, const char *name, const void *values, size_t bytes,
                        unsigned *code, struct error *error)
{
    unsigned long long address = 0;
    size_t room = 0;
    CALL(of, cuModuleGetGlobal, &address, &room, of->module, name);
    if (room < bytes)
        return error_set(error, STATUS_DEVICE_FAILED, "the kernel's %s has %zu bytes, not %zu", name, room, bytes);
    CALL(of, cuMemcpyHtoDAsync, address, values, bytes, of->stream);
    CALL(of, cuStreamSynchronize, of->stream); /* the values are the caller's */
    return STATUS_OK;
}

static enum status tell_memory(const struct cuda_paths_of *of, const struct cuda_memory *memory, unsigned *code,
                               struct error *error)
{
    unsigned long long distances[CUDA_MAXIMUM_ADDRESSES] = {0};
    for (unsigned k = 0; k < of->aliases; k++)
        distances[k] = memory->addresses[k + 1] - memory->addresses[0]; /* modulo 2^64, as it is added */
    if (of->aliases > 0)
        TRY(tell(of, "orchil_aliases", distances, of->aliases * sizeof *distances, code, error));
    if (of->paths & BACKEND_PATH_TEXTURE)
        TRY(tell(of, "orchil_textures", memory->textures, (of->aliases + 1) * sizeof *memory->textures, code, error));
    return STATUS_OK;
}

enum status cuda_memory_make(const struct cuda_paths_of *of, size_t words, struct cuda_memory *memory, unsigned *code,
                             struct error *error)
{
    const struct CUmemAllocationProp_st property = property_of(of->id);
    size_t granularity = 0;
    *code = 0;
    if (of->aliases >= CUDA_MAXIMUM_ADDRESSES)
        return error_set(error, STATUS_LIMIT, "a kernel asks for %u addresses of its memory, at most %d can be had",
                         of->aliases + 1, CUDA_MAXIMUM_ADDRESSES);
    CALL(of, cuMemGetAllocationGranularity, &granularity, &property, CUDA_LEAST_GRANULARITY);
    memory->bytes = (words * sizeof(uint32_t) + granularity - 1) / granularity * granularity;
    CALL(of, cuMemCreate, &memory->handle, memory->bytes, &property, 0);
    memory->has_handle = true;
    for (unsigned k = 0; k <= of->aliases; k++) {
        TRY(map_at(of, granularity, memory, k, code, error));
        if (of->paths & BACKEND_PATH_TEXTURE)
            TRY(make_texture(of, memory, k, words, code, error));
    }
    return tell_memory(of, memory, code, error);
}

void cuda_memory_free(const struct cuda_driver *driver, struct cuda_memory *memory)
{
    for (unsigned k = 0; k < CUDA_MAXIMUM_ADDRESSES; k++) {
        if (memory->textures[k])
            (void)driver->cuTexObjectDestroy(memory->textures[k]);
        if (memory->mapped[k])
            (void)driver->cuMemUnmap(memory->addresses[k], memory->bytes);
        if (memory->addresses[k])
            (void)driver->cuMemAddressFree(memory->addresses[k], memory->bytes);
    }
    if (memory->has_handle)
        (void)driver->cuMemRelease(memory->handle);
    *memory = (struct cuda_memory){0};
}

enum status cuda_paths_tell_bank(const struct cuda_paths_of *of, struct error *error)
{
    unsigned long long address = 0;
    size_t bytes = 0;
    unsigned result = 0, *code = &result;
    CALL(of, cuModuleGetGlobal, &address, &bytes, of->module, "orchil_bank");
    if (bytes != BACKEND_BANK_WORDS * sizeof(uint32_t))
        return error_set(error, STATUS_DEVICE_FAILED, "the kernel's orchil_bank has %zu bytes, not %zu", bytes,
                         BACKEND_BANK_WORDS * sizeof(uint32_t));
    return tell(of, "orchil_bank_address", &address, sizeof address, code, error);
}
