// SPDX-License-Identifier: Apache-2.0
/*
 * Surfaces over a program's memory: two-dimensional arrays that share it, one for each of its
 * addresses, and the order of their elements in it. No documented call creates an array in memory
 * that is also mapped as plain memory. But memory that another API exports can become one when CUDA
 * imports it ("External Resource Interoperability" in the CUDA driver API), and that other API may
 * be CUDA itself. The order of an array's elements is not documented, so it is determined by
 * reading the arrays. Private to this folder.
 */
#ifndef ORCHIL_GPU_SURFACE_H
#define ORCHIL_GPU_SURFACE_H

#include <stdbool.h>

#include "backends/gpu/api.h"
#include "base/status.h"

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
                               unsigned *code, struct error *error);

/* The bytes that an array of that shape takes. */
size_t gpu_surfaces_bytes(const struct gpu_surfaces *surfaces);

/* Creates arrays and surfaces over mapped memory. The shape of the memory must be chosen before. Then it
 * finds where each word of the memory lies in the arrays, and gives the module these positions. Writes to
 * the memory. DEVICE_FAILED; UNSUPPORTED if words are not placed as in backend.h. */
enum status gpu_surfaces_make(const struct gpu_paths_of *of, struct gpu_memory *memory, unsigned *code,
                              struct error *error);

/* Releases what was created; the memory must still exist. */
void gpu_surfaces_free(const struct gpu_api *api, struct gpu_surfaces *surfaces);

#endif
