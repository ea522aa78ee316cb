// SPDX-License-Identifier: Apache-2.0
/* The structures of cuda.h that the functions for paths take, as far as they are used here;
 * tests/backends/test_cuda_prototypes.c compares them with NVIDIA's. */
#pragma once

#include "base/base.h"

struct CUarray_st;

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
        struct CUarray_st *array;
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

struct CUDA_EXTERNAL_MEMORY_HANDLE_DESC_st {
    unsigned type;
    union {
        int file;
        void *room[2];
    } handle;
    unsigned long long bytes;
    unsigned flags, reserved[16];
};

struct CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC_st {
    unsigned long long offset;
    struct {
        size_t width, height, depth;
        unsigned format, channels, flags;
    } array;
    unsigned levels, reserved[16];
};

struct CUDA_MEMCPY2D_st {
    size_t from_byte, from_row;
    unsigned from_type;
    const void *from_host;
    unsigned long long from_address;
    struct CUarray_st *from_array;
    size_t from_pitch;
    size_t to_byte, to_row;
    unsigned to_type;
    void *to_host;
    unsigned long long to_address;
    struct CUarray_st *to_array;
    size_t to_pitch;
    size_t bytes, rows;
};

_Static_assert(sizeof(struct CUmemAllocationProp_st) == 32 && offsetof(struct CUmemAllocationProp_st, usage) == 26,
               "allocation");
_Static_assert(sizeof(struct CUmemAccessDesc_st) == 12, "access");
_Static_assert(sizeof(struct CUDA_RESOURCE_DESC_st) == 144 &&
                   offsetof(struct CUDA_RESOURCE_DESC_st, resource.array) == 8 &&
                   offsetof(struct CUDA_RESOURCE_DESC_st, resource.linear.bytes) == 24,
               "resource");
_Static_assert(sizeof(struct CUDA_TEXTURE_DESC_st) == 104 && offsetof(struct CUDA_TEXTURE_DESC_st, flags) == 16,
               "texture");
_Static_assert(sizeof(struct CUDA_EXTERNAL_MEMORY_HANDLE_DESC_st) == 104 &&
                   offsetof(struct CUDA_EXTERNAL_MEMORY_HANDLE_DESC_st, handle.file) == 8 &&
                   offsetof(struct CUDA_EXTERNAL_MEMORY_HANDLE_DESC_st, bytes) == 24 &&
                   offsetof(struct CUDA_EXTERNAL_MEMORY_HANDLE_DESC_st, flags) == 32,
               "external memory");
_Static_assert(sizeof(struct CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC_st) == 120 &&
                   offsetof(struct CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC_st, array.width) == 8 &&
                   offsetof(struct CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC_st, array.flags) == 40 &&
                   offsetof(struct CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC_st, levels) == 48,
               "array");
_Static_assert(sizeof(struct CUDA_MEMCPY2D_st) == 128 && offsetof(struct CUDA_MEMCPY2D_st, from_array) == 40 &&
                   offsetof(struct CUDA_MEMCPY2D_st, to_host) == 80 &&
                   offsetof(struct CUDA_MEMCPY2D_st, to_pitch) == 104 && offsetof(struct CUDA_MEMCPY2D_st, rows) == 120,
               "copy");
