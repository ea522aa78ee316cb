// SPDX-License-Identifier: Apache-2.0
/*
 * Surfaces over a program's memory: arrays of two dimensions that share it, one for each of its addresses, and the order in which
 * elements lie in it. No documented call makes an array of memory that is mapped as plain memory too, but memory that one API
 * exports and CUDA imports may become one ("External Resource Interoperability" in the CUDA driver API), and CUDA may be that
 * API. Where an array's elements lie is not documented; so it is read. Private to this folder.
 */
#ifndef ORCHIL_CUDA_SURFACE_H
#define ORCHIL_CUDA_SURFACE_H

#include <stdbool.h>

#include "backends/cuda/library.h"
#include "base/status.h"

enum { CUDA_MAXIMUM_ADDRESSES = 64 }; /* of one memory */

struct cuda_paths_of;
struct cuda_memory;

/* Starts as {0}. */
struct cuda_surfaces {
    unsigned columns, rows; /* of each array, in tiles of BACKEND_TILE_WORDS words */
    struct CUextMemory_st *external;
    struct CUmipmappedArray_st *arrays[CUDA_MAXIMUM_ADDRESSES];
    unsigned long long objects[CUDA_MAXIMUM_ADDRESSES]; /* 0: none */
};

/* Whether a device whose driver has all functions of paths can make such arrays. */
bool cuda_surfaces_are_had(const struct cuda_driver *driver, int id);

/* Chooses columns and rows for so much memory; LIMIT where the device has no surface of that size. */
enum status cuda_surfaces_shape(const struct cuda_paths_of *of, size_t bytes, struct cuda_surfaces *surfaces,
                                unsigned *code, struct error *error);

/* What an array of that shape takes. */
size_t cuda_surfaces_bytes(const struct cuda_surfaces *surfaces);

/* Makes the arrays and surfaces of memory whose shape is chosen and which is mapped, finds out where its words lie in them, and
 * tells the module. Writes to the memory. DEVICE_FAILED; UNSUPPORTED where words do not lie as backend.h has them. */
enum status cuda_surfaces_make(const struct cuda_paths_of *of, struct cuda_memory *memory, unsigned *code,
                               struct error *error);

/* Takes apart what there is; the memory must still be there. */
void cuda_surfaces_free(const struct cuda_driver *driver, struct cuda_surfaces *surfaces);

#endif
