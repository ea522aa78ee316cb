// SPDX-License-Identifier: Apache-2.0
/*
 * Ways to the words of a program's memory other than its address: further mappings of it, textures and surfaces over each mapping,
 * and the constant bank of the module (backend.h says how a kernel gets them). Private to this folder.
 */
#ifndef ORCHIL_CUDA_PATHS_H
#define ORCHIL_CUDA_PATHS_H

#include <stdbool.h>
#include <stdint.h>

#include "backends/backend.h"
#include "backends/cuda/library.h"
#include "backends/cuda/surface.h"

/* What the path functions need of a session and its program. */
struct cuda_paths_of {
    const struct cuda_driver *driver;
    const struct backend_device *device;
    int id; /* the driver's of the device */
    struct CUmod_st *module;
    struct CUstream_st *stream;
    unsigned paths, aliases; /* as backend_source has them */
};

/* A program's memory in all its mappings. Starts as {0}. */
struct cuda_memory {
    unsigned long long handle; /* of the physical memory, where has_handle is true */
    bool has_handle;
    size_t bytes; /* of each mapping */
    unsigned long long addresses[CUDA_MAXIMUM_ADDRESSES];
    bool mapped[CUDA_MAXIMUM_ADDRESSES];
    unsigned long long textures[CUDA_MAXIMUM_ADDRESSES]; /* 0: none */
    struct cuda_surfaces surfaces;
};

/* BACKEND_PATH_* to memory that its driver and its hardware have. */
unsigned cuda_paths_describe(const struct cuda_driver *driver, int id);

/* Whether a program that asks for these paths has memory of this kind, and not the usual one. */
bool cuda_paths_need_mapping(unsigned paths);

/* Makes memory of at least that many words, maps it at all addresses, and tells the module of them; what is in it is not said.
 * DEVICE_FAILED, LIMIT or UNSUPPORTED where the driver refuses; then cuda_memory_free takes apart what there is. code: the
 * driver's, for its meaning. */
enum status cuda_memory_make(const struct cuda_paths_of *of, size_t words, struct cuda_memory *memory, unsigned *code,
                             struct error *error);
void cuda_memory_free(const struct cuda_driver *driver, struct cuda_memory *memory);

/* Tells a module where its constant bank lies. */
enum status cuda_paths_tell_bank(const struct cuda_paths_of *of, struct error *error);

/* Fills a variable of the module, which has room for as many bytes. */
enum status cuda_path_tell(const struct cuda_paths_of *of, const char *name, const void *values, size_t bytes,
                           unsigned *code, struct error *error);

/* DEVICE_FAILED: a call of the driver failed with that code. */
enum status cuda_path_failed(const struct cuda_paths_of *of, const char *call, unsigned code, struct error *error);

/* Calls a function of the driver; where it fails, returns so, with its code in *code. */
#define CUDA_PATH_CALL(of, function, ...)                                                                              \
    do {                                                                                                               \
        *code = (of)->driver->function(__VA_ARGS__);                                                                   \
        if (*code != 0)                                                                                                \
            return cuda_path_failed((of), #function, *code, error);                                                    \
    } while (0)

#endif
