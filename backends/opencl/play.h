// SPDX-License-Identifier: Apache-2.0
/* Several launches of a program with edges between them (OpenCL 3.0, "Execution Model: Synchronization", and the
 * chapters on command queues, events and buffers). */
#pragma once

#include "backends/driver.h"
#include "backends/opencl/library.h"
#include "backends/steps.h"

/* ---- command queues ---- */

/* Where queues are created. */
struct opencl_queues_of {
    const struct opencl_library *library;
    cl_device_id id;
    cl_context context;
    unsigned language; /* from opencl_language */
};

/* Queues that a session keeps for its plays. Each is created on first use. */
struct opencl_queues {
    cl_command_queue in_order[BACKEND_MAXIMUM_STEPS], out_of_order[BACKEND_MAXIMUM_STEPS];
};

/* NULL, with the driver's code, on failure. The caller releases it. */
cl_command_queue opencl_create_queue(const struct opencl_queues_of *of, bool out_of_order, cl_int *code);

void opencl_release_queues(const struct opencl_library *library, struct opencl_queues *queues);

/* Makes a buffer again if it has fewer words; `what` it is for is told if the device refuses. room: its words. */
enum status opencl_grow(const struct opencl_queues_of *of, const struct backend_device *device, enum driver_buffer what,
                        size_t words, cl_mem *buffer, size_t *room, struct error *error);

/* ---- plays ---- */

/* Buffers of a program that only its plays use. */
struct opencl_play_buffers {
    cl_mem draws[BACKEND_MAXIMUM_STEPS];
    size_t draw_words[BACKEND_MAXIMUM_STEPS];
    cl_mem spare; /* holds the words of memory while a COPY overwrites them */
    size_t spare_words;
};

/* A program that is ready to be launched, except for its draw. */
struct opencl_playing {
    struct opencl_queues_of of;
    const struct backend_device *device;
    struct opencl_queues *queues;
    struct opencl_play_buffers *buffers;
    cl_command_queue queue; /* the session's; no work is pending */
    cl_kernel kernel;
    cl_uint draw_argument; /* the number of the parameter; afterwards it is set to the draw of a step */
    cl_mem memory;         /* the program's own */
};

/* The edges that a device supports; see backend_device. */
unsigned opencl_edges(uint64_t queue_properties);

/* Runs the launch once for each step of the plan and waits for all; the caller handles the counters. After a failure,
 * too, nothing is running, unless the device is lost. */
enum status opencl_play(const struct opencl_playing *playing, const struct backend_launch *launch,
                        const struct steps_plan *plan, struct error *error);

void opencl_release_play_buffers(const struct opencl_library *library, struct opencl_play_buffers *buffers);
