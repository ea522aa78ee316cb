// SPDX-License-Identifier: Apache-2.0
/* Mappings of one memory, textures over them, and the constant bank. surface.c has the surfaces. */
#include "backends/cuda/paths.h"

#include <string.h>

#include "backends/cuda/devices.h"
#include "backends/cuda/structures.h"

unsigned cuda_paths_describe(const struct cuda_driver *driver, int id)
{
    unsigned paths = 0;
    if (!driver->cuMemMap)
        return 0;
    paths |= BACKEND_PATH_CONSTANT;
    if (cuda_attribute(driver, id, CUDA_MAPS_MEMORY)) {
        paths |= BACKEND_PATH_ALIAS;
        if (cuda_attribute(driver, id, CUDA_TEXTURE_WIDTH))
            paths |= BACKEND_PATH_TEXTURE;
        if (cuda_surfaces_are_had(driver, id))
            paths |= BACKEND_PATH_SURFACE;
    }
    return paths;
}

bool cuda_paths_need_mapping(unsigned paths)
{
    return paths & (BACKEND_PATH_ALIAS | BACKEND_PATH_TEXTURE | BACKEND_PATH_SURFACE);
}

enum status cuda_path_failed(const struct cuda_paths_of *of, const char *call, unsigned code, struct error *error)
{
    return error_set(error, STATUS_DEVICE_FAILED, "cuda:%u (%s): %s failed: %s", of->device->index, of->device->name,
                     call, cuda_error_name(of->driver, code));
}

/* Physical memory of a device, exportable if surfaces are requested. */
static struct CUmemAllocationProp_st property_of(int id, unsigned paths)
{
    struct CUmemAllocationProp_st property;
    memset(&property, 0, sizeof property);
    property.type = CUDA_PINNED_MEMORY;
    property.location.type = CUDA_DEVICE_LOCATION;
    property.location.id = id;
    if (paths & BACKEND_PATH_SURFACE)
        property.handle_types = CUDA_FILE_DESCRIPTOR;
    return property;
}

static enum status map_at(const struct cuda_paths_of *of, size_t granularity, struct cuda_memory *memory,
                          unsigned number, unsigned *code, struct error *error)
{
    const struct CUmemAccessDesc_st access = {CUDA_DEVICE_LOCATION, of->id, CUDA_READ_AND_WRITE};
    unsigned long long *address = &memory->addresses[number];
    CUDA_PATH_CALL(of, cuMemAddressReserve, address, memory->bytes, granularity, 0, 0);
    CUDA_PATH_CALL(of, cuMemMap, *address, memory->bytes, 0, memory->handle, 0);
    memory->mapped[number] = true;
    CUDA_PATH_CALL(of, cuMemSetAccess, *address, memory->bytes, &access, 1);
    return STATUS_OK;
}

static enum status make_texture(const struct cuda_paths_of *of, struct cuda_memory *memory, unsigned number,
                                size_t words, unsigned *code, struct error *error)
{
    struct CUDA_RESOURCE_DESC_st resource;
    struct CUDA_TEXTURE_DESC_st texture;
    int width = 0;
    CUDA_PATH_CALL(of, cuDeviceGetAttribute, &width, CUDA_TEXTURE_WIDTH, of->id);
    if (words > (size_t)width)
        return error_set(
            error, STATUS_LIMIT,
            "cuda:%u (%s) has textures of at most %d words, but a batch needs %zu; choose a smaller stride",
            of->device->index, of->device->name, width, words);
    memset(&resource, 0, sizeof resource);
    memset(&texture, 0, sizeof texture);
    resource.type = CUDA_LINEAR_RESOURCE;
    resource.resource.linear.address = memory->addresses[number];
    resource.resource.linear.format = CUDA_UNSIGNED_32;
    resource.resource.linear.channels = 1;
    resource.resource.linear.bytes = words * sizeof(uint32_t);
    texture.flags = CUDA_READ_INTEGERS;
    CUDA_PATH_CALL(of, cuTexObjectCreate, &memory->textures[number], &resource, &texture, NULL);
    return STATUS_OK;
}

enum status cuda_path_set(const struct cuda_paths_of *of, const char *name, const void *values, size_t bytes,
                          unsigned *code, struct error *error)
{
    unsigned long long address = 0;
    size_t room = 0;
    CUDA_PATH_CALL(of, cuModuleGetGlobal, &address, &room, of->module, name);
    if (room < bytes)
        return error_set(error, STATUS_DEVICE_FAILED, "the kernel's %s has %zu bytes, not %zu", name, room, bytes);
    CUDA_PATH_CALL(of, cuMemcpyHtoDAsync, address, values, bytes, of->stream);
    CUDA_PATH_CALL(of, cuStreamSynchronize, of->stream); /* the values belong to the caller */
    return STATUS_OK;
}

static enum status tell_memory(const struct cuda_paths_of *of, const struct cuda_memory *memory, unsigned *code,
                               struct error *error)
{
    unsigned long long distances[CUDA_MAXIMUM_ADDRESSES] = {0};
    for (unsigned k = 0; k < of->aliases; k++)
        distances[k] = memory->addresses[k + 1] - memory->addresses[0]; /* modulo 2^64, because it is added */
    if (of->aliases > 0)
        TRY(cuda_path_set(of, "orchil_aliases", distances, of->aliases * sizeof *distances, code, error));
    if (of->paths & BACKEND_PATH_TEXTURE)
        TRY(cuda_path_set(of, "orchil_textures", memory->textures, (of->aliases + 1) * sizeof *memory->textures, code,
                          error));
    return STATUS_OK;
}

enum status cuda_memory_make(const struct cuda_paths_of *of, size_t words, struct cuda_memory *memory, unsigned *code,
                             struct error *error)
{
    const struct CUmemAllocationProp_st property = property_of(of->id, of->paths);
    size_t granularity = 0;
    *code = 0;
    if (of->aliases >= CUDA_MAXIMUM_ADDRESSES)
        return error_set(error, STATUS_LIMIT, "a kernel asks for %u addresses of its memory; the limit is %d",
                         of->aliases + 1, CUDA_MAXIMUM_ADDRESSES);
    CUDA_PATH_CALL(of, cuMemGetAllocationGranularity, &granularity, &property, CUDA_LEAST_GRANULARITY);
    memory->bytes = (words * sizeof(uint32_t) + granularity - 1) / granularity * granularity;
    if (of->paths & BACKEND_PATH_SURFACE) {
        TRY(cuda_surfaces_shape(of, memory->bytes, &memory->surfaces, code, error));
        memory->bytes = (cuda_surfaces_bytes(&memory->surfaces) + granularity - 1) / granularity * granularity;
    }
    CUDA_PATH_CALL(of, cuMemCreate, &memory->handle, memory->bytes, &property, 0);
    memory->has_handle = true;
    for (unsigned k = 0; k <= of->aliases; k++) {
        TRY(map_at(of, granularity, memory, k, code, error));
        if (of->paths & BACKEND_PATH_TEXTURE)
            TRY(make_texture(of, memory, k, words, code, error));
    }
    if (of->paths & BACKEND_PATH_SURFACE)
        TRY(cuda_surfaces_make(of, memory, code, error));
    return tell_memory(of, memory, code, error);
}

void cuda_memory_free(const struct cuda_driver *driver, struct cuda_memory *memory)
{
    cuda_surfaces_free(driver, &memory->surfaces);
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

enum status cuda_paths_set_bank(const struct cuda_paths_of *of, struct error *error)
{
    unsigned long long address = 0;
    size_t bytes = 0;
    unsigned result = 0, *code = &result;
    CUDA_PATH_CALL(of, cuModuleGetGlobal, &address, &bytes, of->module, "orchil_bank");
    if (bytes != BACKEND_BANK_WORDS * sizeof(uint32_t))
        return error_set(error, STATUS_DEVICE_FAILED, "the kernel's orchil_bank has %zu bytes, not %zu", bytes,
                         BACKEND_BANK_WORDS * sizeof(uint32_t));
    return cuda_path_set(of, "orchil_bank_address", &address, sizeof address, code, error);
}
