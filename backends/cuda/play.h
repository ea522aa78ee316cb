// SPDX-License-Identifier: Apache-2.0
/*
 * Several launches of a program with edges between them: streams, events, host waits, graphs and
 * copies (CUDA Driver API, "Stream Management", "Event Management", "Graph Management"). Private to
 * this folder.
 */
#ifndef ORCHIL_CUDA_PLAY_H
#define ORCHIL_CUDA_PLAY_H

#include "backends/cuda/kernel.h"
#include "backends/driver.h"
#include "backends/steps.h"

/* Streams that a session keeps for its plays, and events that it gives to other sessions, which may
 * still wait for one after the play has ended here. Each is created on first use. */
struct cuda_streams {
    struct CUstream_st *streams[BACKEND_MAXIMUM_STEPS];
    struct CUevent_st *given[BACKEND_MAXIMUM_STEPS]; /* of each step */
};

/* Holds the words of a program's memory while a COPY overwrites them. */
struct cuda_spare {
    unsigned long long address; /* 0: none yet */
    size_t words;
};

/* A program that is ready to be launched. */
struct cuda_playing {
    struct cuda_kernel kernel;
    struct CUstream_st *stream; /* the session's; its pending work ends before the first step */
    struct cuda_streams *streams;
    struct cuda_spare *spare;
    unsigned long long buffers[DRIVER_BUFFERS]; /* addresses; the draw's has room for one draw per step */
    size_t draw_words, memory_words;            /* used by one step */
};

/* The distance in words between the draws of two steps: each is aligned like a buffer of its
 * own. */
size_t cuda_draw_stride(size_t draw_words);

/* The edges that this driver supports; see backend_device. */
unsigned cuda_edges(const struct cuda_driver *driver);

/* Runs the kernel once for each step of the plan and waits for all. After a failure, too, nothing
 * is running, unless the device is lost. */
enum status cuda_play(const struct cuda_playing *playing, const struct steps_plan *plan, struct error *error);

void cuda_release_streams(const struct cuda_driver *driver, struct cuda_streams *streams);
void cuda_release_spare(const struct cuda_driver *driver, struct cuda_spare *spare);

#endif
