// SPDX-License-Identifier: Apache-2.0
/*
 * Ways to reach the words of a program's memory other than its address: further mappings of it,
 * textures and surfaces over each mapping, and the constant bank of the module (backend.h says how
 * a kernel gets them). Private to this folder.
 */
#ifndef ORCHIL_GPU_PATHS_H
#define ORCHIL_GPU_PATHS_H

#include <stdbool.h>
#include <stdint.h>

#include "backends/backend.h"
#include "backends/gpu/api.h"
#include "backends/gpu/surface.h"

/* What the functions for paths need of a session and its program. */
struct gpu_paths_of {
    const struct gpu_api *api;
    const struct backend_device *device;
    int id; /* the driver's number of the device */
    struct CUmod_st *module;
    struct CUstream_st *stream;
    unsigned paths, aliases; /* as backend_source has them */
};

/* A program's memory in all its mappings. Starts as {0}. */
struct gpu_memory {
    unsigned long long handle; /* of the physical memory, if has_handle is true */
    bool has_handle;
    size_t bytes; /* of each mapping */
    unsigned long long addresses[GPU_MAXIMUM_ADDRESSES];
    bool mapped[GPU_MAXIMUM_ADDRESSES];
    unsigned long long textures[GPU_MAXIMUM_ADDRESSES]; /* 0: none */
    struct gpu_surfaces surfaces;
};

/* The BACKEND_PATH_* that the driver and the hardware have. */
unsigned gpu_paths_describe(const struct gpu_api *api, int id);

/* Whether a program that asks for these paths needs memory of this kind instead of the usual
 * kind. */
bool gpu_paths_need_mapping(unsigned paths);

/* Creates memory of at least that many words, maps it at all addresses, and passes them to the
 * module; the contents are undefined. DEVICE_FAILED, LIMIT or UNSUPPORTED if the driver refuses;
 * then gpu_memory_free releases what was created. code: the driver's error code. */
enum status gpu_memory_make(const struct gpu_paths_of *of, size_t words, struct gpu_memory *memory, unsigned *code,
                            struct error *error);
void gpu_memory_free(const struct gpu_api *api, struct gpu_memory *memory);

/* Passes the address of a module's constant bank to the module. */
enum status gpu_paths_set_bank(const struct gpu_paths_of *of, struct error *error);

/* Fills a variable of the module, which has room for that many bytes. */
enum status gpu_path_set(const struct gpu_paths_of *of, const char *name, const void *values, size_t bytes,
                         unsigned *code, struct error *error);

/* DEVICE_FAILED: a call of the driver failed with that code. */
enum status gpu_path_failed(const struct gpu_paths_of *of, const char *call, unsigned code, struct error *error);

/* Calls a function of the driver; if it fails, returns that failure, with its code in *code. */
#define GPU_PATH_CALL(of, function, ...)                                                                               \
    do {                                                                                                               \
        *code = (of)->api->function(__VA_ARGS__);                                                                      \
        if (*code != 0)                                                                                                \
            return gpu_path_failed((of), #function, *code, error);                                                     \
    } while (0)

#endif
