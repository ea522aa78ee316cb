// SPDX-License-Identifier: Apache-2.0
/* Launches with edges between them: streams, events, host waits, graphs and copies. */
#include "backends/gpu/play.h"

/* ---- kernels ---- */

#define KERNEL_CALL(kernel, ...) GPU_CALL((kernel)->api, (kernel)->device, __VA_ARGS__)

static struct CUlaunchAttribute_st cluster_attribute(const struct gpu_kernel *kernel)
{
    return (struct CUlaunchAttribute_st){.id = CUDA_CLUSTER_DIMENSION, .value.cluster = {kernel->cluster_groups, 1, 1}};
}

enum { LAUNCH_ATTRIBUTES = 2 };

/* The shape for the functions that take attributes, which are the caller's and must outlive the shape. */
static struct CUlaunchConfig_st launch_config(const struct gpu_kernel *kernel, struct CUstream_st *stream,
                                              struct CUlaunchAttribute_st attributes[LAUNCH_ATTRIBUTES])
{
    unsigned count = 0;
    if (kernel->cluster_groups > 1)
        attributes[count++] = cluster_attribute(kernel);
    if (kernel->programmatic)
        attributes[count++] = (struct CUlaunchAttribute_st){.id = CUDA_PROGRAMMATIC, .value.programmatic = 1};
    return (struct CUlaunchConfig_st){
        .grid_x = kernel->groups,
        .grid_y = 1,
        .grid_z = 1,
        .block_x = kernel->group_size,
        .block_y = 1,
        .block_z = 1,
        .shared_bytes = (unsigned)kernel->local_bytes,
        .stream = stream,
        .attributes = attributes,
        .attribute_count = count,
    };
}

static enum status refuse_clusters(const struct gpu_kernel *kernel, struct error *error)
{
    return error_set(error, STATUS_DEVICE_FAILED, "%s:%u (%s) has no clusters: the driver or the device is too old",
                     kernel->device->backend, kernel->device->index, kernel->device->name);
}

enum status gpu_start_kernel(const struct gpu_kernel *kernel, struct CUstream_st *stream, void **parameters,
                             struct error *error)
{
    struct CUlaunchAttribute_st attributes[LAUNCH_ATTRIBUTES];
    if (kernel->cluster_groups < 2 && !kernel->programmatic) {
        KERNEL_CALL(kernel, cuLaunchKernel, kernel->function, kernel->groups, 1, 1, kernel->group_size, 1, 1,
                    (unsigned)kernel->local_bytes, stream, parameters, NULL);
        return STATUS_OK;
    }
    if (!kernel->api->cuLaunchKernelEx)
        return refuse_clusters(kernel, error);
    const struct CUlaunchConfig_st config = launch_config(kernel, stream, attributes);
    KERNEL_CALL(kernel, cuLaunchKernelEx, &config, kernel->function, parameters, NULL);
    return STATUS_OK;
}

/* Adds it to a graph as a node that runs after the nodes in `after` have ended. Parameters are read before this
 * returns. */
static enum status gpu_add_kernel(const struct gpu_kernel *kernel, struct CUgraph_st *graph,
                                  struct CUgraphNode_st *const *after, size_t count, void **parameters,
                                  struct CUgraphNode_st **node, struct error *error)
{
    const struct CUDA_KERNEL_NODE_PARAMS_v2_st shape = {
        .function = kernel->function,
        .grid_x = kernel->groups,
        .grid_y = 1,
        .grid_z = 1,
        .block_x = kernel->group_size,
        .block_y = 1,
        .block_z = 1,
        .shared_bytes = (unsigned)kernel->local_bytes,
        .parameters = parameters,
    };
    const struct CUlaunchAttribute_st attribute = cluster_attribute(kernel);
    KERNEL_CALL(kernel, cuGraphAddKernelNode, node, graph, count > 0 ? after : NULL, count, &shape);
    if (kernel->cluster_groups < 2)
        return STATUS_OK;
    if (!kernel->api->cuLaunchKernelEx)
        return refuse_clusters(kernel, error);
    KERNEL_CALL(kernel, cuGraphKernelNodeSetAttribute, *node, CUDA_CLUSTER_DIMENSION, &attribute.value);
    return STATUS_OK;
}

static unsigned resident_clusters(const struct gpu_kernel *kernel)
{
    int clusters = 0;
    struct CUlaunchAttribute_st attributes[LAUNCH_ATTRIBUTES];
    struct gpu_kernel one = *kernel;
    one.groups = kernel->cluster_groups;
    const struct CUlaunchConfig_st config = launch_config(&one, NULL, attributes);
    if (!kernel->api->cuOccupancyMaxActiveClusters ||
        kernel->api->cuOccupancyMaxActiveClusters(&clusters, kernel->function, &config) != 0 || clusters < 0)
        return 0;
    return (unsigned)clusters * kernel->cluster_groups;
}

unsigned gpu_count_resident(const struct gpu_kernel *kernel)
{
    int groups = 0;
    if (kernel->cluster_groups > 1)
        return resident_clusters(kernel);
    if (kernel->api->cuOccupancyMaxActiveBlocksPerMultiprocessor(&groups, kernel->function, (int)kernel->group_size,
                                                                 kernel->local_bytes) != 0 ||
        groups < 0)
        return 0;
    return (unsigned)groups * kernel->device->compute_units;
}

/* ---- plays ---- */

enum { DRAW_ALIGNMENT = 64 /* words */ };

/* What was given to the driver so far. */
struct gpu_submission {
    const struct gpu_playing *playing;
    const struct gpu_api *api;
    const struct steps_plan *plan;
    struct CUevent_st *events[BACKEND_MAXIMUM_STEPS]; /* after each step's kernel; NULL if nothing waits for it */
    struct CUgraph_st *graph;
    struct CUgraphExec_st *instance; /* of the graph */
};

static enum status call_failed(const struct gpu_submission *submission, const char *call, unsigned code,
                               struct error *error)
{
    return gpu_call_failed(submission->api, submission->playing->kernel.device, call, code, error);
}

#define CALL(...) GPU_CALL(submission->api, submission->playing->kernel.device, __VA_ARGS__)

unsigned gpu_edges(const struct gpu_api *api)
{
    const unsigned always = STEPS_BESIDE | STEPS_QUEUE | STEPS_EVENT | STEPS_HOST | STEPS_COPY;
    return api->cuGraphCreate ? always | STEPS_GRAPH : always;
}

size_t gpu_draw_stride(size_t draw_words)
{
    return (draw_words + DRAW_ALIGNMENT - 1) / DRAW_ALIGNMENT * DRAW_ALIGNMENT;
}

static unsigned long long draw_of(const struct gpu_submission *submission, unsigned step)
{
    return submission->playing->buffers[DRIVER_DRAW] +
           step * gpu_draw_stride(submission->playing->draw_words) * sizeof(uint32_t);
}

static struct CUstream_st *stream_of(const struct gpu_submission *submission, unsigned step)
{
    return submission->playing->streams->streams[submission->plan->queue[step]];
}

/* Pointers to the kernel's parameters; draw is the caller's copy of the address of the step's draw. */
static void set_parameters(const struct gpu_submission *submission, unsigned long long *draw, void **parameters)
{
    for (enum driver_buffer i = 0; i < DRIVER_BUFFERS; i++)
        parameters[i] = i == DRIVER_DRAW ? draw : (void *)(uintptr_t)&submission->playing->buffers[i];
}

static bool is_last_in_stream(const struct steps_plan *plan, unsigned step)
{
    for (unsigned later = step + 1; later < plan->count; later++)
        if (plan->queue[later] == plan->queue[step])
            return false;
    return true;
}

/* The host waits for the stream or, if the stream continues, for an event in it. */
static bool needs_event(const struct steps_plan *plan, unsigned step)
{
    return steps_followed(plan, step, STEPS_EVENT) ||
           (steps_followed(plan, step, STEPS_HOST) && !is_last_in_stream(plan, step));
}

static enum status record_event(const struct gpu_submission *submission, unsigned step, struct CUevent_st **event,
                                struct error *error)
{
    if (!*event)
        CALL(cuEventCreate, event, CUDA_EVENT_WITHOUT_TIME);
    CALL(cuEventRecord, *event, stream_of(submission, step));
    return STATUS_OK;
}

/* An event may belong to another device (CUDA Driver API, cuStreamWaitEvent). It has been recorded by then; otherwise
 * the wait would have no effect. */
static enum status await_others(const struct gpu_submission *submission, unsigned step, struct error *error)
{
    struct relay *const *awaits = submission->plan->steps[step].awaits;
    for (unsigned i = 0; i < BACKEND_MAXIMUM_STEPS && awaits[i]; i++) {
        struct CUevent_st *event = relay_await(awaits[i]);
        if (!event)
            return error_set(error, STATUS_DEVICE_FAILED,
                             "launch %u waits for a launch on another device that was "
                             "never made",
                             step);
        CALL(cuStreamWaitEvent, stream_of(submission, step), event, 0);
    }
    return STATUS_OK;
}

static enum status give_to_others(const struct gpu_submission *submission, unsigned step, struct error *error)
{
    struct CUevent_st **event = &submission->playing->streams->given[step];
    if (!submission->plan->steps[step].gives)
        return STATUS_OK;
    TRY(record_event(submission, step, event, error));
    relay_give(submission->plan->steps[step].gives, *event);
    return STATUS_OK;
}

static enum status wait_by_host(const struct gpu_submission *submission, unsigned step, struct error *error)
{
    if (is_last_in_stream(submission->plan, step))
        CALL(cuStreamSynchronize, stream_of(submission, step));
    else
        CALL(cuEventSynchronize, submission->events[step]);
    return STATUS_OK;
}

/* Copies the words of memory elsewhere and back; meanwhile memory holds a pattern. */
static enum status move_by_copies(const struct gpu_submission *submission, struct CUstream_st *stream,
                                  struct error *error)
{
    const struct gpu_playing *playing = submission->playing;
    const unsigned long long memory = playing->buffers[DRIVER_MEMORY], spare = playing->spare->address;
    const size_t words = playing->memory_words, bytes = words * sizeof(uint32_t);
    CALL(cuMemcpyDtoDAsync, spare, memory, bytes, stream);
    CALL(cuMemsetD32Async, memory, (unsigned)STEPS_PATTERN, words, stream);
    CALL(cuMemcpyDtoDAsync, memory, spare, bytes, stream);
    return STATUS_OK;
}

static enum status give_step(struct gpu_submission *submission, unsigned step, struct error *error)
{
    const struct steps_plan *plan = submission->plan;
    const unsigned host = steps_after(plan, step, STEPS_HOST), event = steps_after(plan, step, STEPS_EVENT);
    struct CUstream_st *stream = stream_of(submission, step);
    unsigned long long draw = draw_of(submission, step);
    void *parameters[DRIVER_BUFFERS];
    for (unsigned k = 0; k < step; k++)
        if (host >> k & 1)
            TRY(wait_by_host(submission, k, error));
    if (steps_after(plan, step, STEPS_COPY))
        TRY(move_by_copies(submission, stream, error));
    for (unsigned k = 0; k < step; k++)
        if (event >> k & 1)
            CALL(cuStreamWaitEvent, stream, submission->events[k], 0);
    TRY(await_others(submission, step, error));
    set_parameters(submission, &draw, parameters);
    struct gpu_kernel kernel = submission->playing->kernel;
    kernel.programmatic = steps_after(plan, step, STEPS_PROGRAMMATIC) != 0;
    TRY(gpu_start_kernel(&kernel, stream, parameters, error));
    TRY(give_to_others(submission, step, error));
    return needs_event(plan, step) ? record_event(submission, step, &submission->events[step], error) : STATUS_OK;
}

static enum status give_steps(struct gpu_submission *submission, struct error *error)
{
    unsigned given = 0;
    for (unsigned i = 0; i < submission->plan->count; i++) {
        const unsigned step = steps_next(submission->plan, given);
        TRY(give_step(submission, step, error));
        given |= 1u << step;
    }
    return STATUS_OK;
}

/* All steps as one graph, in the session's stream. */
static enum status give_graph(struct gpu_submission *submission, struct error *error)
{
    struct CUgraphNode_st *nodes[BACKEND_MAXIMUM_STEPS];
    CALL(cuGraphCreate, &submission->graph, 0);
    for (unsigned step = 0; step < submission->plan->count; step++) {
        const unsigned after = steps_after(submission->plan, step, STEPS_GRAPH);
        struct CUgraphNode_st *earlier[BACKEND_MAXIMUM_STEPS];
        unsigned long long draw = draw_of(submission, step);
        void *parameters[DRIVER_BUFFERS];
        size_t count = 0;
        for (unsigned k = 0; k < step; k++)
            if (after >> k & 1)
                earlier[count++] = nodes[k];
        set_parameters(submission, &draw, parameters);
        TRY(gpu_add_kernel(&submission->playing->kernel, submission->graph, earlier, count, parameters, &nodes[step],
                           error));
    }
    CALL(cuGraphInstantiate, &submission->instance, submission->graph, 0);
    CALL(cuGraphLaunch, submission->instance, submission->playing->stream);
    return STATUS_OK;
}

/* Waits for a stream. The first failure counts, but a lost device takes precedence. */
static enum status finish_stream(const struct gpu_submission *submission, struct CUstream_st *stream,
                                 enum status status, struct error *error)
{
    if (status == STATUS_DEVICE_LOST)
        return status;
    const unsigned code = submission->api->cuStreamSynchronize(stream);
    return code != 0 && (status == STATUS_OK || gpu_error_is_loss(code))
               ? call_failed(submission, "the kernel", code, error)
               : status;
}

static enum status finish(const struct gpu_submission *submission, enum status status, struct error *error)
{
    if (submission->plan->graph)
        return finish_stream(submission, submission->playing->stream, status, error);
    for (unsigned q = 0; q < submission->plan->queues; q++)
        status = finish_stream(submission, submission->playing->streams->streams[q], status, error);
    return status;
}

static enum status grow_spare(const struct gpu_submission *submission, struct error *error)
{
    struct gpu_spare *spare = submission->playing->spare;
    const size_t words = submission->playing->memory_words;
    if (words <= spare->words)
        return STATUS_OK;
    gpu_release_spare(submission->api, spare);
    const unsigned code = submission->api->cuMemAlloc(&spare->address, words * sizeof(uint32_t));
    if (code != 0) {
        *spare = (struct gpu_spare){0};
        return gpu_error_is_loss(code) ? call_failed(submission, "cuMemAlloc", code, error)
                                       : driver_buffer_refused(submission->playing->kernel.device, DRIVER_MEMORY, words,
                                                               gpu_error_name(submission->api, code), error);
    }
    spare->words = words;
    return STATUS_OK;
}

/* Preparation ends before the first step begins, since it must not be an edge itself. */
static enum status make_ready(const struct gpu_submission *submission, struct error *error)
{
    struct gpu_streams *streams = submission->playing->streams;
    for (unsigned k = 0; k < submission->plan->count; k++)
        if (steps_after(submission->plan, k, STEPS_COPY))
            TRY(grow_spare(submission, error));
    for (unsigned q = 0; q < submission->plan->queues && !submission->plan->graph; q++)
        if (!streams->streams[q])
            CALL(cuStreamCreate, &streams->streams[q], CUDA_STREAM_NON_BLOCKING);
    const size_t bytes = submission->playing->draw_words * sizeof(uint32_t);
    for (unsigned k = 0; k < submission->plan->count && bytes > 0; k++)
        CALL(cuMemcpyHtoDAsync, draw_of(submission, k), submission->plan->steps[k].draw, bytes,
             submission->playing->stream);
    CALL(cuStreamSynchronize, submission->playing->stream);
    return STATUS_OK;
}

enum status gpu_play(const struct gpu_playing *playing, const struct steps_plan *plan, struct error *error)
{
    struct gpu_submission submission = {.playing = playing, .api = playing->kernel.api, .plan = plan};
    TRY(make_ready(&submission, error));
    const enum status given = plan->graph ? give_graph(&submission, error) : give_steps(&submission, error);
    const enum status status = finish(&submission, given, error);
    /* After a loss these calls fail, and the process ends soon. */
    for (unsigned k = 0; k < submission.plan->count; k++)
        if (submission.events[k])
            (void)submission.api->cuEventDestroy(submission.events[k]);
    if (submission.instance)
        (void)submission.api->cuGraphExecDestroy(submission.instance);
    if (submission.graph)
        (void)submission.api->cuGraphDestroy(submission.graph);
    return status;
}

void gpu_release_streams(const struct gpu_api *api, struct gpu_streams *streams)
{
    for (unsigned q = 0; q < BACKEND_MAXIMUM_STEPS; q++)
        if (streams->streams[q])
            (void)api->cuStreamDestroy(streams->streams[q]);
    for (unsigned k = 0; k < BACKEND_MAXIMUM_STEPS; k++)
        if (streams->given[k])
            (void)api->cuEventDestroy(streams->given[k]);
    *streams = (struct gpu_streams){0};
}

void gpu_release_spare(const struct gpu_api *api, struct gpu_spare *spare)
{
    if (spare->address)
        (void)api->cuMemFree(spare->address);
    *spare = (struct gpu_spare){0};
}
