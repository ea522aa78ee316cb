// SPDX-License-Identifier: Apache-2.0
/*
 * Several launches of a program with edges between them (OpenCL 3.0, "Execution Model: Synchronization", and chapters on command
 * queues, events and buffers). Private to this folder.
 */
#ifndef ORCHIL_OPENCL_PLAY_H
#define ORCHIL_OPENCL_PLAY_H

#include "backends/opencl/queues.h"
#include "backends/steps.h"

/* Buffers that a program has for its plays alone. */
struct opencl_play_buffers {
    cl_mem draws[BACKEND_MAXIMUM_STEPS];
    size_t draw_words[BACKEND_MAXIMUM_STEPS];
    cl_mem spare; /* where the words of memory are while a COPY overwrites them */
    size_t spare_words;
};

/* A program that is ready to be launched but for its draw. */
struct opencl_playing {
    struct opencl_queues_of of;
    const struct backend_device *device;
    struct opencl_queues *queues;
    struct opencl_play_buffers *buffers;
    cl_command_queue queue; /* the session's, which has nothing left to do */
    cl_kernel kernel;
    cl_uint draw_argument; /* the number of the parameter; what it is set to afterwards is a step's */
    cl_mem memory;         /* the program's own */
};

/* The edges that a device can be given; see backend_device. */
unsigned opencl_edges(uint64_t queue_properties);

/* Runs the launch once for each step of the plan and waits for all; counters are the caller's. After a failure, too, nothing
 * runs any more, unless the device is lost. */
enum status opencl_play(const struct opencl_playing *playing, const struct backend_launch *launch,
                        const struct steps_plan *plan, struct error *error);

void opencl_release_play_buffers(const struct opencl_library *library, struct opencl_play_buffers *buffers);

#endif
