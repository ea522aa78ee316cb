// SPDX-License-Identifier: Apache-2.0
/*
 * Several launches of a program with edges between them: streams, events, waits of the host, graphs and copies (CUDA Driver API,
 * "Stream Management", "Event Management", "Graph Management"). Private to this folder.
 */
#ifndef ORCHIL_CUDA_PLAY_H
#define ORCHIL_CUDA_PLAY_H

#include "backends/cuda/kernel.h"
#include "backends/driver.h"
#include "backends/steps.h"

/* Streams that a session keeps for its plays, and events that it gives to other sessions, which may come to wait for one when the
 * play is over here. Each is made when it is first asked for. */
struct cuda_streams {
    struct CUstream_st *streams[BACKEND_MAXIMUM_STEPS];
    struct CUevent_st *given[BACKEND_MAXIMUM_STEPS]; /* of each step */
};

/* Where the words of a program's memory are while a COPY overwrites them. */
struct cuda_spare {
    unsigned long long address; /* 0: nowhere yet */
    size_t words;
};

/* A program that is ready to be launched. */
struct cuda_playing {
    struct cuda_kernel kernel;
    struct CUstream_st *stream; /* the session's; what it has left to do is done before the first step */
    struct cuda_streams *streams;
    struct cuda_spare *spare;
    unsigned long long buffers[DRIVER_BUFFERS]; /* addresses; the draw's has room for one of each step */
    size_t draw_words, memory_words;            /* that are in use, of one step */
};

/* How many words apart the draws of steps lie: as aligned as buffers of their own. */
size_t cuda_draw_stride(size_t draw_words);

/* The edges that a device can be given by this driver; see backend_device. */
unsigned cuda_edges(const struct cuda_driver *driver);

/* Runs the kernel once for each step of the plan and waits for all. After a failure, too, nothing is running, unless the device
 * is lost. */
enum status cuda_play(const struct cuda_playing *playing, const struct steps_plan *plan, struct error *error);

void cuda_release_streams(const struct cuda_driver *driver, struct cuda_streams *streams);
void cuda_release_spare(const struct cuda_driver *driver, struct cuda_spare *spare);

#endif
