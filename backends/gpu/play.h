// SPDX-License-Identifier: Apache-2.0
/* Several launches of a program with edges between them: streams, events, host waits, graphs and copies (CUDA Driver
 * API, "Stream Management", "Event Management", "Graph Management"). */
#pragma once

#include "backends/gpu/api.h"
#include "backends/steps.h"

/* ---- a kernel and the shape of its launches, in a stream or as a node of a graph ---- */

struct gpu_kernel {
    const struct gpu_api *api;
    const struct backend_device *device;
    struct CUfunc_st *function; /* may use local_bytes of shared memory */
    unsigned groups, group_size;
    unsigned cluster_groups; /* 0 or 1: no clusters; else divides groups */
    bool programmatic;       /* may begin as soon as all groups of the kernel before it have triggered it or ended */
    size_t local_bytes;
};

/* Launches it in a stream; parameters are pointers to the kernel's parameters, which are read before this returns. */
enum status gpu_start_kernel(const struct gpu_kernel *kernel, struct CUstream_st *stream, void **parameters,
                             struct error *error);

/* As `resident` in backend.h; the group size is the kernel's. */
unsigned gpu_count_resident(const struct gpu_kernel *kernel);

/* Streams that a session keeps for its plays, and events that it gives to other sessions, which may still wait for one
 * after the play has ended here. Each is created on first use. */
struct gpu_streams {
    struct CUstream_st *streams[BACKEND_MAXIMUM_STEPS];
    struct CUevent_st *given[BACKEND_MAXIMUM_STEPS]; /* of each step */
};

/* Holds the words of a program's memory while a COPY overwrites them. */
struct gpu_spare {
    unsigned long long address; /* 0: none yet */
    size_t words;
};

/* A program that is ready to be launched. */
struct gpu_playing {
    struct gpu_kernel kernel;
    struct CUstream_st *stream; /* the session's; its pending work ends before the first step */
    struct gpu_streams *streams;
    struct gpu_spare *spare;
    unsigned long long buffers[DRIVER_BUFFERS]; /* addresses; the draw's has room for one draw per step */
    size_t draw_words, memory_words;            /* used by one step */
};

/* The distance in words between the draws of two steps: each is aligned like a buffer of its own. */
size_t gpu_draw_stride(size_t draw_words);

/* The edges that this driver supports; see backend_device. */
unsigned gpu_edges(const struct gpu_api *api);

/* Runs the kernel once for each step of the plan and waits for all. After a failure, too, nothing is running, unless
 * the device is lost. */
enum status gpu_play(const struct gpu_playing *playing, const struct steps_plan *plan, struct error *error);

void gpu_release_streams(const struct gpu_api *api, struct gpu_streams *streams);
void gpu_release_spare(const struct gpu_api *api, struct gpu_spare *spare);
