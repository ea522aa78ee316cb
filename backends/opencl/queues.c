// SPDX-License-Identifier: Apache-2.0
/* Creates and keeps command queues. */
#include "backends/opencl/play.h"

/* A driver of OpenCL 1.2 may lack the function that replaced the old one in 2.0. */
cl_command_queue opencl_create_queue(const struct opencl_queues_of *of, bool out_of_order, cl_int *code)
{
    const cl_command_queue_properties bits = out_of_order ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0;
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, bits, 0};
    return of->language >= 200
               ? of->library->clCreateCommandQueueWithProperties(of->context, of->id, out_of_order ? list : NULL, code)
               : of->library->clCreateCommandQueue(of->context, of->id, bits, code);
}

cl_command_queue opencl_keep_queue(const struct opencl_queues_of *of, struct opencl_queues *queues, unsigned number,
                                   bool out_of_order, cl_int *code)
{
    cl_command_queue *queue = out_of_order ? &queues->out_of_order[number] : &queues->in_order[number];
    *code = CL_SUCCESS;
    if (!*queue)
        *queue = opencl_create_queue(of, out_of_order, code);
    return *queue;
}

void opencl_release_queues(const struct opencl_library *library, struct opencl_queues *queues)
{
    cl_command_queue *const kinds[] = {queues->in_order, queues->out_of_order};
    for (unsigned kind = 0; kind < 2; kind++)
        for (unsigned k = 0; k < BACKEND_MAXIMUM_STEPS; k++)
            if (kinds[kind][k])
                (void)library->clReleaseCommandQueue(kinds[kind][k]);
    *queues = (struct opencl_queues){0};
}
