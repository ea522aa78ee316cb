// SPDX-License-Identifier: Apache-2.0
/* A CUDA driver for tests of how backends/cuda handles a program's memory. It records the calls, keeps what is copied
 * to memory at its first address, can make any one call fail, and fails the test if a call makes no sense. */
#pragma once

#include "backends/gpu/paths.h"

enum {
    FAKE_GRANULARITY = 4096, /* bytes of memory */
    FAKE_WIDTH = 100000,     /* most words of a texture */
    FAKE_CALLS = 64
};

/* The order of elements of arrays in memory: tiles of 128 x 128, each in the order of an H200; the same, except for the
 * last tile; row after row. */
enum fake_order { FAKE_TILES, FAKE_ODD_TILE, FAKE_ROWS };

/* What the driver has created and what it was given. Only one test at a time uses it. */
extern struct fake {
    int attributes;                    /* 0: the device maps no memory */
    int exports;                       /* 0: the device exports no memory */
    int surface_columns, surface_rows; /* maximum of a surface */
    unsigned code;                     /* the driver's last one, of a kernel's paths */
    unsigned fail_at, called;          /* fail_at: the call that fails, from 1; 0: none */
    char failed[48];                   /* its name */
    unsigned memories, reserved, mapped, accessible, textures, imports, arrays, surfaces;
    size_t bytes; /* of the memory */
    uint32_t *plain;
    bool exportable;
    int file;             /* that was exported last */
    size_t columns, rows; /* of the arrays, in elements */
    enum fake_order order;
    unsigned long long addresses[FAKE_CALLS];
    unsigned long long told_aliases[FAKE_CALLS], told_textures[FAKE_CALLS], told_surfaces[FAKE_CALLS], told_bank;
    uint32_t told_tile[BACKEND_TILE_WORDS], told_columns;
    size_t told_bytes;
    const char *variable; /* whose address was asked for last */
} fake;

extern const struct gpu_api fake_cuda;

/* Resets everything, and returns a kernel that takes these paths. */
struct gpu_paths_of fake_kernel(unsigned paths, unsigned aliases);

/* The word of memory that holds an element of the arrays. */
size_t fake_word(size_t x, size_t y);

void fake_expect_nothing_left(void);
