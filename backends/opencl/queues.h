// SPDX-License-Identifier: Apache-2.0
/* Command queues. Private to this folder. */
#ifndef ORCHIL_OPENCL_QUEUES_H
#define ORCHIL_OPENCL_QUEUES_H

#include <stdbool.h>

#include "backends/backend.h"
#include "backends/opencl/library.h"

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

/* The kept queue of that number; NULL, with the driver's code, if it cannot be created. */
cl_command_queue opencl_keep_queue(const struct opencl_queues_of *of, struct opencl_queues *queues, unsigned number,
                                   bool out_of_order, cl_int *code);
void opencl_release_queues(const struct opencl_library *library, struct opencl_queues *queues);

#endif
