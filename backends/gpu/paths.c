// SPDX-License-Identifier: Apache-2.0
/* Mappings of one memory, textures and surfaces over them, and the constant bank. */
#include "backends/gpu/paths.h"
#include "backends/gpu/structures.h"

/* DEVICE_FAILED: a call of the driver failed. */
static enum status gpu_path_failed(const struct gpu_paths_of *of, const char *call, struct error *error)
{
    return error_set(error, STATUS_DEVICE_FAILED, "%s:%u (%s): %s failed: %s", of->device->backend, of->device->index,
                     of->device->name, gpu_function_name(of->api, call), gpu_error_name(of->api, *of->code));
}

/* Calls a function of the driver; if it fails, returns that failure, with its code in *of->code. */
#define GPU_PATH_CALL(of, function, ...)                                                                               \
    do {                                                                                                               \
        *(of)->code = (of)->api->function(__VA_ARGS__);                                                                \
        if (*(of)->code != 0)                                                                                          \
            return gpu_path_failed((of), #function, error);                                                            \
    } while (0)

enum {
    TILE_SIDE = 128,
    TILE_BYTES = BACKEND_TILE_WORDS * sizeof(uint32_t),
    NARROWEST = 8,            /* tiles in a row */
    WIDEST = 1 << 16,         /* elements: kernels have 16 bits for a column */
    UNKNOWN_PLACE = TILE_SIDE /* of a word in its tile: no column has that number */
};
_Static_assert(TILE_SIDE *TILE_SIDE == BACKEND_TILE_WORDS, "backend.h says how many columns and rows a tile has");

/* Surfaces over a program's memory: two-dimensional arrays that share it, one for each of its addresses, and the order
 * of their elements in it. No documented call creates an array in memory that is also mapped as plain memory. But
 * memory that another API exports can become one when CUDA imports it ("External Resource Interoperability" in the CUDA
 * driver API), and that other API may be CUDA itself. The order of an array's elements is not documented, so it is
 * determined by reading the arrays. */

bool gpu_surfaces_are_had(const struct gpu_api *api, int id)
{
    return gpu_attribute(api, id, CUDA_EXPORTS_MEMORY) &&
           gpu_attribute(api, id, CUDA_SURFACE_WIDTH) >= NARROWEST * TILE_SIDE &&
           gpu_attribute(api, id, CUDA_SURFACE_HEIGHT) >= TILE_SIDE;
}

enum status gpu_surfaces_shape(const struct gpu_paths_of *of, size_t bytes, struct gpu_surfaces *surfaces,
                               struct error *error)
{
    const size_t tiles = (bytes + TILE_BYTES - 1) / TILE_BYTES;
    int width = 0, height = 0;
    GPU_PATH_CALL(of, cuDeviceGetAttribute, &width, CUDA_SURFACE_WIDTH, of->id);
    GPU_PATH_CALL(of, cuDeviceGetAttribute, &height, CUDA_SURFACE_HEIGHT, of->id);
    const unsigned most_columns = (unsigned)(width < WIDEST ? width : WIDEST) / TILE_SIDE;
    const unsigned most_rows = (unsigned)(height < WIDEST ? height : WIDEST) / TILE_SIDE;
    unsigned columns = NARROWEST;
    while (tiles > (size_t)columns * most_rows && columns * 2 <= most_columns)
        columns *= 2;
    if (tiles > (size_t)columns * most_rows)
        return error_set(error, STATUS_LIMIT,
                         "cuda:%u (%s) has surfaces of at most %u x %u words, but a batch needs %zu words; choose a "
                         "smaller stride",
                         of->device->index, of->device->name, columns * TILE_SIDE, most_rows * TILE_SIDE,
                         bytes / sizeof(uint32_t));
    surfaces->columns = columns;
    surfaces->rows = (unsigned)((tiles + columns - 1) / columns);
    return STATUS_OK;
}

size_t gpu_surfaces_bytes(const struct gpu_surfaces *surfaces)
{
    return (size_t)surfaces->rows * surfaces->columns * TILE_BYTES;
}

/* UNSUPPORTED, because no document promises that these calls succeed for memory of this kind. */
static enum status refused(const struct gpu_paths_of *of, const char *call, struct error *error)
{
    return error_set(error, STATUS_UNSUPPORTED,
                     "cuda:%u (%s) cannot make a surface over memory that also has addresses: %s failed: %s",
                     of->device->index, of->device->name, call, gpu_error_name(of->api, *of->code));
}

/* Exports the memory and imports it. */
static enum status import_memory(const struct gpu_paths_of *of, struct gpu_memory *memory, struct error *error)
{
    struct CUDA_EXTERNAL_MEMORY_HANDLE_DESC_st handle;
    int file = -1;
    *of->code = of->api->cuMemExportToShareableHandle(&file, memory->handle, CUDA_FILE_DESCRIPTOR, 0);
    if (*of->code != 0)
        return refused(of, "cuMemExportToShareableHandle", error);
    memset(&handle, 0, sizeof handle);
    handle.type = CUDA_OPAQUE_FILE;
    handle.handle.file = file;
    handle.bytes = memory->bytes;
    *of->code = of->api->cuImportExternalMemory(&memory->surfaces.external, &handle);
    if (*of->code == 0)
        return STATUS_OK; /* the driver owns the file now */
    (void)close(file);
    return refused(of, "cuImportExternalMemory", error);
}

/* The array and the surface of one address. */
static enum status make_surface(const struct gpu_paths_of *of, struct gpu_surfaces *surfaces, unsigned number,
                                struct CUarray_st **array, struct error *error)
{
    struct CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC_st shape;
    struct CUDA_RESOURCE_DESC_st resource;
    memset(&shape, 0, sizeof shape);
    memset(&resource, 0, sizeof resource);
    shape.array.width = (size_t)surfaces->columns * TILE_SIDE;
    shape.array.height = (size_t)surfaces->rows * TILE_SIDE;
    shape.array.format = CUDA_UNSIGNED_32;
    shape.array.channels = 1;
    shape.array.flags = CUDA_SURFACE_ARRAY;
    shape.levels = 1;
    *of->code = of->api->cuExternalMemoryGetMappedMipmappedArray(&surfaces->arrays[number], surfaces->external, &shape);
    if (*of->code != 0)
        return refused(of, "cuExternalMemoryGetMappedMipmappedArray", error);
    GPU_PATH_CALL(of, cuMipmappedArrayGetLevel, array, surfaces->arrays[number], 0);
    resource.type = CUDA_ARRAY_RESOURCE;
    resource.resource.array = *array;
    GPU_PATH_CALL(of, cuSurfObjectCreate, &surfaces->objects[number], &resource);
    return STATUS_OK;
}

/* To find the order of elements, each word of plain memory is set to its number, and the arrays are read. */
struct surface_reading {
    const struct gpu_paths_of *of;
    const struct gpu_memory *memory;
    size_t band_words;                 /* of a row of tiles */
    uint32_t *band;                    /* such a row, in host memory */
    uint32_t tile[BACKEND_TILE_WORDS]; /* becomes orchil_tile */
};

static enum status number_words(struct surface_reading *reading, struct error *error)
{
    const struct gpu_paths_of *of = reading->of;
    const size_t bytes = reading->band_words * sizeof(uint32_t);
    for (unsigned row = 0; row < reading->memory->surfaces.rows; row++) {
        for (size_t i = 0; i < reading->band_words; i++)
            reading->band[i] = (uint32_t)(row * reading->band_words + i);
        GPU_PATH_CALL(of, cuMemcpyHtoDAsync, reading->memory->addresses[0] + row * bytes, reading->band, bytes,
                      of->stream);
        GPU_PATH_CALL(of, cuStreamSynchronize, of->stream);
    }
    return STATUS_OK;
}

/* Reads the positions of the words from the first tile, and compares the other tiles with it. */
static enum status check_band(struct surface_reading *reading, unsigned row, struct error *error)
{
    const unsigned columns = reading->memory->surfaces.columns;
    const size_t width = (size_t)columns * TILE_SIDE;
    for (size_t i = 0; i < reading->band_words; i++) {
        const uint32_t word = reading->band[i], x = (uint32_t)(i % width), y = (uint32_t)(i / width);
        const uint32_t place = x % TILE_SIDE | y << 16;
        uint32_t *known = &reading->tile[word % BACKEND_TILE_WORDS];
        if (*known == UNKNOWN_PLACE)
            *known = place;
        if (word / BACKEND_TILE_WORDS != row * columns + x / TILE_SIDE || *known != place)
            return error_set(error, STATUS_UNSUPPORTED,
                             "cuda:%u (%s) keeps element (%u, %u) of a surface in word %u of its memory; orchil can "
                             "only use surfaces whose squares of 128 x 128 elements are contiguous and all have the "
                             "same order",
                             reading->of->device->index, reading->of->device->name, x, row * TILE_SIDE + y, word);
    }
    return STATUS_OK;
}

static enum status check_array(struct surface_reading *reading, struct CUarray_st *array, struct error *error)
{
    const struct gpu_paths_of *of = reading->of;
    const struct gpu_surfaces *surfaces = &reading->memory->surfaces;
    struct CUDA_MEMCPY2D_st copy;
    memset(&copy, 0, sizeof copy);
    copy.from_type = CUDA_ARRAY_MEMORY;
    copy.from_array = array;
    copy.to_type = CUDA_HOST_MEMORY;
    copy.to_host = reading->band;
    copy.bytes = copy.to_pitch = (size_t)surfaces->columns * TILE_SIDE * sizeof(uint32_t);
    copy.rows = TILE_SIDE;
    for (unsigned row = 0; row < surfaces->rows; row++) {
        copy.from_row = (size_t)row * TILE_SIDE;
        memset(reading->band, 0xff, reading->band_words * sizeof(uint32_t)); /* no word has that number */
        GPU_PATH_CALL(of, cuMemcpy2DAsync, &copy, of->stream);
        GPU_PATH_CALL(of, cuStreamSynchronize, of->stream);
        TRY(check_band(reading, row, error));
    }
    return STATUS_OK;
}

/* Fills a variable of the module, which has room for that many bytes. */
static enum status gpu_path_set(const struct gpu_paths_of *of, const char *name, const void *values, size_t bytes,
                                struct error *error)
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

static enum status make_all(struct surface_reading *reading, struct gpu_memory *memory, struct error *error)
{
    const struct gpu_paths_of *of = reading->of;
    struct gpu_surfaces *surfaces = &memory->surfaces;
    for (unsigned i = 0; i < BACKEND_TILE_WORDS; i++)
        reading->tile[i] = UNKNOWN_PLACE;
    TRY(number_words(reading, error));
    TRY(import_memory(of, memory, error));
    for (unsigned k = 0; k <= of->aliases; k++) {
        struct CUarray_st *array = NULL;
        TRY(make_surface(of, surfaces, k, &array, error));
        TRY(check_array(reading, array, error));
    }
    TRY(gpu_path_set(of, "orchil_tile", reading->tile, sizeof reading->tile, error));
    TRY(gpu_path_set(of, "orchil_tile_columns", &surfaces->columns, sizeof surfaces->columns, error));
    return gpu_path_set(of, "orchil_surfaces", surfaces->objects, (of->aliases + 1) * sizeof *surfaces->objects, error);
}

/* Creates arrays and surfaces over mapped memory. The shape of the memory must be chosen before. Then it finds where
 * each word of the memory lies in the arrays, and gives the module these positions. Writes to the memory.
 * DEVICE_FAILED; UNSUPPORTED if words are not placed as in backend.h. */
static enum status gpu_surfaces_make(const struct gpu_paths_of *of, struct gpu_memory *memory, struct error *error)
{
    FREED struct surface_reading *reading = memory_take(1, sizeof *reading);
    reading->of = of;
    reading->memory = memory;
    reading->band_words = (size_t)memory->surfaces.columns * BACKEND_TILE_WORDS;
    reading->band = memory_take(reading->band_words, sizeof *reading->band);
    const enum status status = make_all(reading, memory, error);
    free(reading->band);
    return status;
}

/* Releases what was created; the memory must still exist. */
static void gpu_surfaces_free(const struct gpu_api *api, struct gpu_surfaces *surfaces)
{
    for (unsigned k = 0; k < GPU_MAXIMUM_ADDRESSES; k++) {
        if (surfaces->objects[k])
            (void)api->cuSurfObjectDestroy(surfaces->objects[k]);
        if (surfaces->arrays[k])
            (void)api->cuMipmappedArrayDestroy(surfaces->arrays[k]);
    }
    if (surfaces->external)
        (void)api->cuDestroyExternalMemory(surfaces->external);
    *surfaces = (struct gpu_surfaces){0};
}

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
                          struct error *error)
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
                                struct error *error)
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

static enum status tell_memory(const struct gpu_paths_of *of, const struct gpu_memory *memory, struct error *error)
{
    unsigned long long distances[GPU_MAXIMUM_ADDRESSES] = {0};
    for (unsigned k = 0; k < of->aliases; k++)
        distances[k] = memory->addresses[k + 1] - memory->addresses[0]; /* modulo 2^64, because it is added */
    if (of->aliases > 0)
        TRY(gpu_path_set(of, "orchil_aliases", distances, of->aliases * sizeof *distances, error));
    if (of->paths & BACKEND_PATH_TEXTURE)
        TRY(gpu_path_set(of, "orchil_textures", memory->textures, (of->aliases + 1) * sizeof *memory->textures, error));
    return STATUS_OK;
}

enum status gpu_memory_make(const struct gpu_paths_of *of, size_t words, struct gpu_memory *memory, struct error *error)
{
    const struct CUmemAllocationProp_st property = property_of(of->id, of->paths);
    size_t granularity = 0;
    *of->code = 0;
    if (of->aliases >= GPU_MAXIMUM_ADDRESSES)
        return error_set(error, STATUS_LIMIT, "a kernel asks for %u addresses of its memory; the limit is %d",
                         of->aliases + 1, GPU_MAXIMUM_ADDRESSES);
    GPU_PATH_CALL(of, cuMemGetAllocationGranularity, &granularity, &property, CUDA_LEAST_GRANULARITY);
    memory->bytes = (words * sizeof(uint32_t) + granularity - 1) / granularity * granularity;
    if (of->paths & BACKEND_PATH_SURFACE) {
        TRY(gpu_surfaces_shape(of, memory->bytes, &memory->surfaces, error));
        memory->bytes = (gpu_surfaces_bytes(&memory->surfaces) + granularity - 1) / granularity * granularity;
    }
    GPU_PATH_CALL(of, cuMemCreate, &memory->handle, memory->bytes, &property, 0);
    memory->has_handle = true;
    for (unsigned k = 0; k <= of->aliases; k++) {
        TRY(map_at(of, granularity, memory, k, error));
        if (of->paths & BACKEND_PATH_TEXTURE)
            TRY(make_texture(of, memory, k, words, error));
    }
    if (of->paths & BACKEND_PATH_SURFACE)
        TRY(gpu_surfaces_make(of, memory, error));
    return tell_memory(of, memory, error);
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
    GPU_PATH_CALL(of, cuModuleGetGlobal, &address, &bytes, of->module, "orchil_bank");
    if (bytes != BACKEND_BANK_WORDS * sizeof(uint32_t))
        return error_set(error, STATUS_DEVICE_FAILED, "the kernel's orchil_bank has %zu bytes, not %zu", bytes,
                         BACKEND_BANK_WORDS * sizeof(uint32_t));
    return gpu_path_set(of, "orchil_bank_address", &address, sizeof address, error);
}
