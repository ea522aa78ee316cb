// SPDX-License-Identifier: Apache-2.0
/* Ways to reach the words of a program's memory other than its address: further mappings of it, textures and surfaces
 * over each mapping, and the constant bank of the module (backend.h says how a kernel gets them). */
#pragma once

#include "backends/gpu/api.h"

enum { GPU_MAXIMUM_ADDRESSES = 64 }; /* for one memory */

struct gpu_paths_of;
struct gpu_memory;

/* Starts as {0}. */
struct gpu_surfaces {
    unsigned columns, rows; /* of each array, in tiles of BACKEND_TILE_WORDS words */
    struct CUextMemory_st *external;
    struct CUmipmappedArray_st *arrays[GPU_MAXIMUM_ADDRESSES];
    unsigned long long objects[GPU_MAXIMUM_ADDRESSES]; /* 0: none */
};

/* Whether a device whose driver has all the path functions can create such arrays. */
bool gpu_surfaces_are_had(const struct gpu_api *api, int id);

/* Chooses columns and rows for that many bytes; LIMIT if the device has no surface of that size. */
enum status gpu_surfaces_shape(const struct gpu_paths_of *of, size_t bytes, struct gpu_surfaces *surfaces,
                               struct error *error);

/* The bytes that an array of that shape takes. */
size_t gpu_surfaces_bytes(const struct gpu_surfaces *surfaces);

/* What the functions for paths need of a session and its program. */
struct gpu_paths_of {
    const struct gpu_api *api;
    const struct backend_device *device;
    int id; /* the driver's number of the device */
    struct CUmod_st *module;
    struct CUstream_st *stream;
    unsigned paths, aliases; /* as backend_source has them */
    unsigned *code;          /* receives the driver's error code; 0: none so far */
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

/* Whether a program that asks for these paths needs memory of this kind instead of the usual kind. */
bool gpu_paths_need_mapping(unsigned paths);

/* Creates memory of at least that many words, maps it at all addresses, and passes them to the module; the contents are
 * undefined. DEVICE_FAILED, LIMIT or UNSUPPORTED if the driver refuses; then gpu_memory_free releases what was
 * created. */
enum status gpu_memory_make(const struct gpu_paths_of *of, size_t words, struct gpu_memory *memory,
                            struct error *error);
void gpu_memory_free(const struct gpu_api *api, struct gpu_memory *memory);

/* Passes the address of a module's constant bank to the module. */
enum status gpu_paths_set_bank(const struct gpu_paths_of *of, struct error *error);
