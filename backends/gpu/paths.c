// SPDX-License-Identifier: Apache-2.0
/* Mappings of one memory, textures over them, and the constant bank. surface.c has the surfaces. */
#include "backends/gpu/paths.h"

#include <string.h>

#include "backends/gpu/api.h"
#include "backends/gpu/structures.h"

unsigned gpu_paths_describe(const struct gpu_api *api, int id)
{
    unsigned paths = 0;
    if (!api->cuMemMap)
        return 0;
    paths |= BACKEND_PATH_CONSTANT;
    if (gpu_attribute(api, id, CUDA_MAPS_MEMORY)) {
        paths |= BACKEND_PATH_ALIAS;
        if (api->cuTexObjectCreate && gpu_attribute(api, id, CUDA_TEXTURE_WIDTH))
            paths |= BACKEND_PATH_TEXTURE;
        if (api->cuTexObjectCreate && gpu_surfaces_are_had(api, id))
            paths |= BACKEND_PATH_SURFACE;
    }
    return paths;
}

bool gpu_paths_need_mapping(unsigned paths)
{
    return paths & (BACKEND_PATH_ALIAS | BACKEND_PATH_TEXTURE | BACKEND_PATH_SURFACE);
}

enum status gpu_path_failed(const struct gpu_paths_of *of, const char *call, unsigned code, struct error *error)
{
    return error_set(error, STATUS_DEVICE_FAILED, "%s:%u (%s): %s failed: %s", of->device->backend, of->device->index,
                     of->device->name, gpu_function_name(of->api, call), gpu_error_name(of->api, code));
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

static enum status map_at(const struct gpu_paths_of *of, size_t granularity, struct gpu_memory *memory, unsigned number,
                          unsigned *code, struct error *error)
{
    const struct CUmemAccessDesc_st access = {CUDA_DEVICE_LOCATION, of->id, CUDA_READ_AND_WRITE};
    unsigned long long *address = &memory->addresses[number];
    GPU_PATH_CALL(of, cuMemAddressReserve, address, memory->bytes, granularity, 0, 0);
    GPU_PATH_CALL(of, cuMemMap, *address, memory->bytes, 0, memory->handle, 0);
    memory->mapped[number] = true;
    GPU_PATH_CALL(of, cuMemSetAccess, *address, memory->bytes, &access, 1);
    return STATUS_OK;
}

static enum status make_texture(const struct gpu_paths_of *of, struct gpu_memory *memory, unsigned number, size_t words,
                                unsigned *code, struct error *error)
{
    struct CUDA_RESOURCE_DESC_st resource;
    struct CUDA_TEXTURE_DESC_st texture;
    int width = 0;
    GPU_PATH_CALL(of, cuDeviceGetAttribute, &width, CUDA_TEXTURE_WIDTH, of->id);
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
    GPU_PATH_CALL(of, cuTexObjectCreate, &memory->textures[number], &resource, &texture, NULL);
    return STATUS_OK;
}

enum status gpu_path_set(const struct gpu_paths_of *of, const char *name, const void *values, size_t bytes,
                         unsigned *code, struct error *error)
{
    unsigned long long address = 0;
    size_t room = 0;
    GPU_PATH_CALL(of, cuModuleGetGlobal, &address, &room, of->module, name);
    if (room < bytes)
        return error_set(error, STATUS_DEVICE_FAILED, "the kernel's %s has %zu bytes, not %zu", name, room, bytes);
    GPU_PATH_CALL(of, cuMemcpyHtoDAsync, address, values, bytes, of->stream);
    GPU_PATH_CALL(of, cuStreamSynchronize, of->stream); /* the values belong to the caller */
    return STATUS_OK;
}

static enum status tell_memory(const struct gpu_paths_of *of, const struct gpu_memory *memory, unsigned *code,
                               struct error *error)
{
    unsigned long long distances[GPU_MAXIMUM_ADDRESSES] = {0};
    for (unsigned k = 0; k < of->aliases; k++)
        distances[k] = memory->addresses[k + 1] - memory->addresses[0]; /* modulo 2^64, because it is added */
    if (of->aliases > 0)
        TRY(gpu_path_set(of, "orchil_aliases", distances, of->aliases * sizeof *distances, code, error));
    if (of->paths & BACKEND_PATH_TEXTURE)
        TRY(gpu_path_set(of, "orchil_textures", memory->textures, (of->aliases + 1) * sizeof *memory->textures, code,
                         error));
    return STATUS_OK;
}

enum status gpu_memory_make(const struct gpu_paths_of *of, size_t words, struct gpu_memory *memory, unsigned *code,
                            struct error *error)
{
    const struct CUmemAllocationProp_st property = property_of(of->id, of->paths);
    size_t granularity = 0;
    *code = 0;
    if (of->aliases >= GPU_MAXIMUM_ADDRESSES)
        return error_set(error, STATUS_LIMIT, "a kernel asks for %u addresses of its memory; the limit is %d",
                         of->aliases + 1, GPU_MAXIMUM_ADDRESSES);
    GPU_PATH_CALL(of, cuMemGetAllocationGranularity, &granularity, &property, CUDA_LEAST_GRANULARITY);
    memory->bytes = (words * sizeof(uint32_t) + granularity - 1) / granularity * granularity;
    if (of->paths & BACKEND_PATH_SURFACE) {
        TRY(gpu_surfaces_shape(of, memory->bytes, &memory->surfaces, code, error));
        memory->bytes = (gpu_surfaces_bytes(&memory->surfaces) + granularity - 1) / granularity * granularity;
    }
    GPU_PATH_CALL(of, cuMemCreate, &memory->handle, memory->bytes, &property, 0);
    memory->has_handle = true;
    for (unsigned k = 0; k <= of->aliases; k++) {
        TRY(map_at(of, granularity, memory, k, code, error));
        if (of->paths & BACKEND_PATH_TEXTURE)
            TRY(make_texture(of, memory, k, words, code, error));
    }
    if (of->paths & BACKEND_PATH_SURFACE)
        TRY(gpu_surfaces_make(of, memory, code, error));
    return tell_memory(of, memory, code, error);
}

void gpu_memory_free(const struct gpu_api *api, struct gpu_memory *memory)
{
    gpu_surfaces_free(api, &memory->surfaces);
    for (unsigned k = 0; k < GPU_MAXIMUM_ADDRESSES; k++) {
        if (memory->textures[k])
            (void)api->cuTexObjectDestroy(memory->textures[k]);
        if (memory->mapped[k])
            (void)api->cuMemUnmap(memory->addresses[k], memory->bytes);
        if (memory->addresses[k])
            (void)api->cuMemAddressFree(memory->addresses[k], memory->bytes);
    }
    if (memory->has_handle)
        (void)api->cuMemRelease(memory->handle);
    *memory = (struct gpu_memory){0};
}

enum status gpu_paths_set_bank(const struct gpu_paths_of *of, struct error *error)
{
    unsigned long long address = 0;
    size_t bytes = 0;
    unsigned result = 0, *code = &result;
    GPU_PATH_CALL(of, cuModuleGetGlobal, &address, &bytes, of->module, "orchil_bank");
    if (bytes != BACKEND_BANK_WORDS * sizeof(uint32_t))
        return error_set(error, STATUS_DEVICE_FAILED, "the kernel's orchil_bank has %zu bytes, not %zu", bytes,
                         BACKEND_BANK_WORDS * sizeof(uint32_t));
    return gpu_path_set(of, "orchil_bank_address", &address, sizeof address, code, error);
}
