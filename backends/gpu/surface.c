// SPDX-License-Identifier: Apache-2.0
/* Arrays that share a program's memory, and the positions of its words in them. */
#include "backends/gpu/surface.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/gpu/api.h"
#include "backends/gpu/paths.h"
#include "backends/gpu/structures.h"
#include "base/memory.h"

enum {
    TILE_SIDE = 128,
    TILE_BYTES = BACKEND_TILE_WORDS * sizeof(uint32_t),
    NARROWEST = 8,            /* tiles in a row */
    WIDEST = 1 << 16,         /* elements: kernels have 16 bits for a column */
    UNKNOWN_PLACE = TILE_SIDE /* of a word in its tile: no column has that number */
};
_Static_assert(TILE_SIDE *TILE_SIDE == BACKEND_TILE_WORDS, "backend.h says how many columns and rows a tile has");

bool gpu_surfaces_are_had(const struct gpu_api *api, int id)
{
    return gpu_attribute(api, id, CUDA_EXPORTS_MEMORY) &&
           gpu_attribute(api, id, CUDA_SURFACE_WIDTH) >= NARROWEST * TILE_SIDE &&
           gpu_attribute(api, id, CUDA_SURFACE_HEIGHT) >= TILE_SIDE;
}

enum status gpu_surfaces_shape(const struct gpu_paths_of *of, size_t bytes, struct gpu_surfaces *surfaces,
                               unsigned *code, struct error *error)
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
static enum status refused(const struct gpu_paths_of *of, const char *call, unsigned code, struct error *error)
{
    return error_set(error, STATUS_UNSUPPORTED,
                     "cuda:%u (%s) cannot make a surface over memory that also has addresses: %s failed: %s",
                     of->device->index, of->device->name, call, gpu_error_name(of->api, code));
}

/* Exports the memory and imports it. */
static enum status import_memory(const struct gpu_paths_of *of, struct gpu_memory *memory, unsigned *code,
                                 struct error *error)
{
    struct CUDA_EXTERNAL_MEMORY_HANDLE_DESC_st handle;
    int file = -1;
    *code = of->api->cuMemExportToShareableHandle(&file, memory->handle, CUDA_FILE_DESCRIPTOR, 0);
    if (*code != 0)
        return refused(of, "cuMemExportToShareableHandle", *code, error);
    memset(&handle, 0, sizeof handle);
    handle.type = CUDA_OPAQUE_FILE;
    handle.handle.file = file;
    handle.bytes = memory->bytes;
    *code = of->api->cuImportExternalMemory(&memory->surfaces.external, &handle);
    if (*code == 0)
        return STATUS_OK; /* the driver owns the file now */
    (void)close(file);
    return refused(of, "cuImportExternalMemory", *code, error);
}

/* The array and the surface of one address. */
static enum status make_surface(const struct gpu_paths_of *of, struct gpu_surfaces *surfaces, unsigned number,
                                struct CUarray_st **array, unsigned *code, struct error *error)
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
    *code = of->api->cuExternalMemoryGetMappedMipmappedArray(&surfaces->arrays[number], surfaces->external, &shape);
    if (*code != 0)
        return refused(of, "cuExternalMemoryGetMappedMipmappedArray", *code, error);
    GPU_PATH_CALL(of, cuMipmappedArrayGetLevel, array, surfaces->arrays[number], 0);
    resource.type = CUDA_ARRAY_RESOURCE;
    resource.resource.array = *array;
    GPU_PATH_CALL(of, cuSurfObjectCreate, &surfaces->objects[number], &resource);
    return STATUS_OK;
}

/* To find the order of elements, each word of plain memory is set to its number, and the arrays are
 * read. */
struct surface_reading {
    const struct gpu_paths_of *of;
    const struct gpu_memory *memory;
    size_t band_words;                 /* of a row of tiles */
    uint32_t *band;                    /* such a row, in host memory */
    uint32_t tile[BACKEND_TILE_WORDS]; /* becomes orchil_tile */
};

static enum status number_words(struct surface_reading *reading, unsigned *code, struct error *error)
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

static enum status check_array(struct surface_reading *reading, struct CUarray_st *array, unsigned *code,
                               struct error *error)
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

static enum status make_all(struct surface_reading *reading, struct gpu_memory *memory, unsigned *code,
                            struct error *error)
{
    const struct gpu_paths_of *of = reading->of;
    struct gpu_surfaces *surfaces = &memory->surfaces;
    for (unsigned i = 0; i < BACKEND_TILE_WORDS; i++)
        reading->tile[i] = UNKNOWN_PLACE;
    TRY(number_words(reading, code, error));
    TRY(import_memory(of, memory, code, error));
    for (unsigned k = 0; k <= of->aliases; k++) {
        struct CUarray_st *array = NULL;
        TRY(make_surface(of, surfaces, k, &array, code, error));
        TRY(check_array(reading, array, code, error));
    }
    TRY(gpu_path_set(of, "orchil_tile", reading->tile, sizeof reading->tile, code, error));
    TRY(gpu_path_set(of, "orchil_tile_columns", &surfaces->columns, sizeof surfaces->columns, code, error));
    return gpu_path_set(of, "orchil_surfaces", surfaces->objects, (of->aliases + 1) * sizeof *surfaces->objects, code,
                        error);
}

enum status gpu_surfaces_make(const struct gpu_paths_of *of, struct gpu_memory *memory, unsigned *code,
                              struct error *error)
{
    struct surface_reading *reading = memory_take(1, sizeof *reading);
    reading->of = of;
    reading->memory = memory;
    reading->band_words = (size_t)memory->surfaces.columns * BACKEND_TILE_WORDS;
    reading->band = memory_take(reading->band_words, sizeof *reading->band);
    const enum status status = make_all(reading, memory, code, error);
    free(reading->band);
    free(reading);
    return status;
}

void gpu_surfaces_free(const struct gpu_api *api, struct gpu_surfaces *surfaces)
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
