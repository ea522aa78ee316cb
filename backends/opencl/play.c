// SPDX-License-Identifier: Apache-2.0
/* Launches with edges between them: queues, events, barriers, host waits, mappings and copies. */
#include "backends/opencl/play.h"

/* ---- queues ---- */

/* A driver of OpenCL 1.2 may lack the function that replaced the old one in 2.0. */
cl_command_queue opencl_create_queue(const struct opencl_queues_of *of, bool out_of_order, cl_int *code)
{
    const cl_command_queue_properties bits = out_of_order ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0;
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, bits, 0};
    return of->language >= 200
               ? of->library->clCreateCommandQueueWithProperties(of->context, of->id, out_of_order ? list : NULL, code)
               : of->library->clCreateCommandQueue(of->context, of->id, bits, code);
}

/* The kept queue of that number; NULL, with the driver's code, if it cannot be created. */
static cl_command_queue opencl_keep_queue(const struct opencl_queues_of *of, struct opencl_queues *queues,
                                          unsigned number, bool out_of_order, cl_int *code)
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

enum status opencl_grow(const struct opencl_queues_of *of, const struct backend_device *device, enum driver_buffer what,
                        size_t words, cl_mem *buffer, size_t *room, struct error *error)
{
    cl_int code;
    if (words <= *room)
        return STATUS_OK;
    if (*buffer)
        (void)of->library->clReleaseMemObject(*buffer);
    *room = 0;
    *buffer = of->library->clCreateBuffer(of->context, CL_MEM_READ_WRITE, words * sizeof(cl_uint), NULL, &code);
    if (!*buffer)
        return driver_buffer_refused(device, what, words, opencl_error_name(code), error);
    *room = words;
    return STATUS_OK;
}

/* ---- plays ---- */

/* What was given to the driver so far. */
struct opencl_submission {
    const struct opencl_playing *playing;
    const struct opencl_library *library;
    const struct backend_launch *launch;
    const struct steps_plan *plan;
    cl_command_queue queues[BACKEND_MAXIMUM_STEPS];
    cl_event events[BACKEND_MAXIMUM_STEPS]; /* of each step's kernel */
    unsigned given;                         /* bit k: step k */
    unsigned unflushed;                     /* bit q: queue q holds commands that may not have reached the device */
};

static enum status call_failed(const struct opencl_playing *playing, const char *call, cl_int code, bool finishing,
                               struct error *error)
{
    return opencl_call_failed(playing->device, call, code, finishing, error);
}

/* finishing: the call waits for the device. */
#define CALL(finishing, function, ...)                                                                                 \
    do {                                                                                                               \
        const cl_int call_code = submission->library->function(__VA_ARGS__);                                           \
        if (call_code != CL_SUCCESS)                                                                                   \
            return call_failed(submission->playing, #function, call_code, (finishing), error);                         \
    } while (0)

unsigned opencl_edges(uint64_t queue_properties)
{
    const unsigned always = STEPS_BESIDE | STEPS_QUEUE | STEPS_EVENT | STEPS_HOST | STEPS_MAP | STEPS_COPY;
    return queue_properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE ? always | STEPS_BARRIER : always;
}

static size_t memory_bytes(const struct opencl_submission *submission)
{
    return (submission->launch->memory_words > 0 ? submission->launch->memory_words : 1) * sizeof(cl_uint);
}

static enum status flush(struct opencl_submission *submission, unsigned queues, struct error *error)
{
    for (unsigned q = 0; q < submission->plan->queues; q++)
        if (submission->unflushed & queues & 1u << q) {
            CALL(false, clFlush, submission->queues[q]);
            submission->unflushed &= ~(1u << q);
        }
    return STATUS_OK;
}

/* The events of those steps; their number. */
static cl_uint list_events(const struct opencl_submission *submission, unsigned steps, cl_event *events)
{
    cl_uint count = 0;
    for (unsigned k = 0; k < submission->plan->count; k++)
        if (steps >> k & 1)
            events[count++] = submission->events[k];
    return count;
}

/* The host waits for launches. */
static enum status wait_by_host(struct opencl_submission *submission, unsigned steps, struct error *error)
{
    cl_event events[BACKEND_MAXIMUM_STEPS];
    TRY(flush(submission, ~0u, error));
    const cl_uint count = list_events(submission, steps, events);
    CALL(true, clWaitForEvents, count, events);
    return STATUS_OK;
}

/* Copies the words out of the mapping and back, with accesses that a compiler must not omit. */
static void rewrite(volatile cl_uint *words, size_t count)
{
    FREED cl_uint *kept = memory_take(count, sizeof *kept);
    for (size_t i = 0; i < count; i++)
        kept[i] = words[i];
    for (size_t i = 0; i < count; i++)
        words[i] = (cl_uint)STEPS_PATTERN;
    for (size_t i = 0; i < count; i++)
        words[i] = kept[i];
}

static enum status move_by_map(struct opencl_submission *submission, cl_command_queue queue, struct error *error)
{
    cl_int code;
    TRY(flush(submission, ~0u, error));
    void *mapped =
        submission->library->clEnqueueMapBuffer(queue, submission->playing->memory, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                                                0, memory_bytes(submission), 0, NULL, NULL, &code);
    if (!mapped || code != CL_SUCCESS)
        return call_failed(submission->playing, "clEnqueueMapBuffer", code, true, error);
    rewrite(mapped, memory_bytes(submission) / sizeof(cl_uint));
    CALL(false, clEnqueueUnmapMemObject, queue, submission->playing->memory, mapped, 0, NULL, NULL);
    return STATUS_OK;
}

static enum status move_by_copies(struct opencl_submission *submission, cl_command_queue queue, struct error *error)
{
    static const cl_uint pattern = (cl_uint)STEPS_PATTERN;
    const cl_mem memory = submission->playing->memory, spare = submission->playing->buffers->spare;
    const size_t bytes = memory_bytes(submission);
    CALL(false, clEnqueueCopyBuffer, queue, memory, spare, 0, 0, bytes, 0, NULL, NULL);
    CALL(false, clEnqueueFillBuffer, queue, memory, &pattern, sizeof pattern, 0, bytes, 0, NULL, NULL);
    CALL(false, clEnqueueCopyBuffer, queue, spare, memory, 0, 0, bytes, 0, NULL, NULL);
    return STATUS_OK;
}

/* Without an event list if the barrier must wait for everything in the queue. */
static enum status put_barrier(struct opencl_submission *submission, unsigned step, struct error *error)
{
    const struct steps_plan *plan = submission->plan;
    unsigned in_queue = 0;
    cl_event events[BACKEND_MAXIMUM_STEPS];
    for (unsigned k = 0; k < plan->count; k++)
        if ((submission->given >> k & 1) && plan->queue[k] == plan->queue[step])
            in_queue |= 1u << k;
    const cl_uint count =
        in_queue & ~plan->before[step] ? list_events(submission, steps_after(plan, step, STEPS_BARRIER), events) : 0;
    CALL(false, clEnqueueBarrierWithWaitList, submission->queues[plan->queue[step]], count, count > 0 ? events : NULL,
         NULL);
    return STATUS_OK;
}

/* The commands before a step in its queue, and what the host does before them. */
static enum status put_edges(struct opencl_submission *submission, unsigned step, struct error *error)
{
    const struct steps_plan *plan = submission->plan;
    const cl_command_queue queue = submission->queues[plan->queue[step]];
    const unsigned host = steps_after(plan, step, STEPS_HOST);
    if (host)
        TRY(wait_by_host(submission, host, error));
    if (steps_after(plan, step, STEPS_MAP))
        TRY(move_by_map(submission, queue, error));
    if (steps_after(plan, step, STEPS_COPY))
        TRY(move_by_copies(submission, queue, error));
    if (steps_after(plan, step, STEPS_BARRIER))
        TRY(put_barrier(submission, step, error));
    /* An event that other queues wait for must have been submitted to the device (OpenCL 3.0, clFlush). */
    return flush(submission, steps_queues(plan, steps_after(plan, step, STEPS_EVENT)), error);
}

static enum status give_step(struct opencl_submission *submission, unsigned step, struct error *error)
{
    const struct opencl_playing *playing = submission->playing;
    const size_t group = submission->launch->group_size, items = submission->launch->groups * group;
    const unsigned queue = submission->plan->queue[step];
    cl_event events[BACKEND_MAXIMUM_STEPS];
    TRY(put_edges(submission, step, error));
    const cl_uint count = list_events(submission, steps_after(submission->plan, step, STEPS_EVENT), events);
    CALL(false, clSetKernelArg, playing->kernel, playing->draw_argument, sizeof(cl_mem),
         &playing->buffers->draws[step]);
    CALL(false, clEnqueueNDRangeKernel, submission->queues[queue], playing->kernel, 1, NULL, &items, &group, count,
         count > 0 ? events : NULL, &submission->events[step]);
    submission->given |= 1u << step;
    submission->unflushed |= 1u << queue;
    return STATUS_OK;
}

/* Waits for the events too: rusticl of Mesa 22.3 returns from clFinish at once if the queue was flushed before. */
static enum status give_steps(struct opencl_submission *submission, struct error *error)
{
    for (unsigned i = 0; i < submission->plan->count; i++)
        TRY(give_step(submission, steps_next(submission->plan, submission->given), error));
    return wait_by_host(submission, submission->given, error);
}

/* Waits for all queues that were used. The first failure counts, but a lost device takes precedence. After a failure
 * nobody has waited for the events. */
static enum status finish(const struct opencl_submission *submission, enum status status, struct error *error)
{
    cl_event events[BACKEND_MAXIMUM_STEPS];
    const cl_uint count = list_events(submission, submission->given, events);
    for (unsigned q = 0; q < submission->plan->queues && status != STATUS_DEVICE_LOST; q++) {
        const cl_int code = submission->queues[q] ? submission->library->clFinish(submission->queues[q]) : CL_SUCCESS;
        if (code != CL_SUCCESS &&
            (status == STATUS_OK || opencl_error_is_loss(code, true, submission->playing->device->gpu)))
            status = call_failed(submission->playing, "clFinish", code, true, error);
    }
    if (status != STATUS_OK && status != STATUS_DEVICE_LOST && count > 0)
        (void)submission->library->clWaitForEvents(count, events);
    return status;
}

/* A driver may finish a queue without an error even if a kernel has failed. */
static enum status check_events(const struct opencl_submission *submission, struct error *error)
{
    for (unsigned k = 0; k < submission->plan->count; k++) {
        cl_int ended = CL_COMPLETE;
        CALL(true, clGetEventInfo, submission->events[k], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof ended, &ended,
             NULL);
        if (ended < 0)
            return call_failed(submission->playing, "the kernel's event", ended, true, error);
    }
    return STATUS_OK;
}

/* Each step's draw is on the device before the first step begins, since writing it must not be an edge itself. */
static enum status write_draws(const struct opencl_submission *submission, struct error *error)
{
    const struct opencl_playing *playing = submission->playing;
    struct opencl_play_buffers *buffers = playing->buffers;
    const size_t words = submission->launch->draw_words;
    for (unsigned k = 0; k < submission->plan->count; k++) {
        TRY(opencl_grow(&playing->of, playing->device, DRIVER_DRAW, words > 0 ? words : 1, &buffers->draws[k],
                        &buffers->draw_words[k], error));
        if (words > 0)
            CALL(false, clEnqueueWriteBuffer, playing->queue, buffers->draws[k], CL_FALSE, 0, words * sizeof(cl_uint),
                 submission->plan->steps[k].draw, 0, NULL, NULL);
    }
    return STATUS_OK;
}

static enum status make_ready(struct opencl_submission *submission, struct error *error)
{
    const struct opencl_playing *playing = submission->playing;
    struct opencl_play_buffers *buffers = playing->buffers;
    unsigned copies = 0;
    for (unsigned k = 0; k < submission->plan->count; k++)
        copies |= steps_after(submission->plan, k, STEPS_COPY);
    if (copies)
        TRY(opencl_grow(&playing->of, playing->device, DRIVER_MEMORY, memory_bytes(submission) / sizeof(cl_uint),
                        &buffers->spare, &buffers->spare_words, error));
    for (unsigned q = 0; q < submission->plan->queues; q++) {
        cl_int code;
        submission->queues[q] =
            opencl_keep_queue(&playing->of, playing->queues, q, submission->plan->out_of_order >> q & 1, &code);
        if (!submission->queues[q])
            return call_failed(playing, "creating a command queue", code, false, error);
    }
    const enum status status = write_draws(submission, error);
    const cl_int code =
        submission->library->clFinish(playing->queue); /* also after a failure: the draws belong to the caller */
    return code != CL_SUCCESS && status == STATUS_OK ? call_failed(playing, "clFinish", code, true, error) : status;
}

enum status opencl_play(const struct opencl_playing *playing, const struct backend_launch *launch,
                        const struct steps_plan *plan, struct error *error)
{
    struct opencl_submission submission = {
        .playing = playing, .library = playing->of.library, .launch = launch, .plan = plan};
    TRY(make_ready(&submission, error));
    enum status status = finish(&submission, give_steps(&submission, error), error);
    THEN(status, check_events(&submission, error));
    for (unsigned k = 0; k < plan->count; k++)
        if (submission.events[k])
            (void)submission.library->clReleaseEvent(submission.events[k]);
    return status;
}

void opencl_release_play_buffers(const struct opencl_library *library, struct opencl_play_buffers *buffers)
{
    for (unsigned k = 0; k < BACKEND_MAXIMUM_STEPS; k++)
        if (buffers->draws[k])
            (void)library->clReleaseMemObject(buffers->draws[k]);
    if (buffers->spare)
        (void)library->clReleaseMemObject(buffers->spare);
    *buffers = (struct opencl_play_buffers){0};
}
