// SPDX-License-Identifier: Apache-2.0
/* Protects the OpenCL calls between launches, with a driver that records them: exactly those of each edge, in order and
 * on the right queues; only the words in use are moved; and whichever call fails, its name is reported and every event
 * is released. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "backends/driver.h"
#include "backends/opencl/play.h"
#include "base/text.h"

enum { WORDS = 10, DRAW_WORDS = 3, GROUPS = 4, SIZE = 8, PLACES = 32 };

/* What the driver has created and what it was given. A handle points to its place in `places`, whose letter names
 * it. */
static struct {
    struct text calls;
    char places[PLACES];
    unsigned made;
    int events, buffers, queues; /* that are not released */
    unsigned called, fail_at;    /* fail_at: the call that fails, from 1; 0: none */
    char failed[48];             /* its name */
    char next_in_order, next_out_of_order;
    cl_mem draw; /* argument of the kernel */
    cl_uint memory[WORDS + 1];
} noted;

static void *make(char name)
{
    assert_true(noted.made < PLACES);
    noted.places[noted.made] = name;
    return &noted.places[noted.made++];
}

static char name_of(const void *handle)
{
    return *(const char *)handle;
}

static bool fails(const char *call)
{
    if (++noted.called != noted.fail_at)
        return false;
    (void)snprintf(noted.failed, sizeof noted.failed, "%s", call + strlen("fake_"));
    return true;
}
#define FAIL(code)                                                                                                     \
    do {                                                                                                               \
        if (fails(__func__))                                                                                           \
            return (code);                                                                                             \
    } while (0)

static void note(const char *call, const void *queue, cl_uint count, const cl_event *events)
{
    text_add(&noted.calls, "%s%s %c", noted.calls.size > 0 ? ", " : "", call, queue ? name_of(queue) : ' ');
    for (cl_uint i = 0; i < count; i++)
        text_add(&noted.calls, "%s%c", i == 0 ? " after " : "", name_of(events[i]));
    assert_true((count == 0) == (events == NULL));
}

static cl_command_queue fake_clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                                                const cl_queue_properties *properties, cl_int *code)
{
    (void)context, (void)device;
    *code = CL_OUT_OF_RESOURCES;
    FAIL(NULL);
    if (properties)
        assert_true(properties[0] == CL_QUEUE_PROPERTIES && properties[1] == CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE &&
                    properties[2] == 0);
    noted.queues++;
    *code = CL_SUCCESS;
    return make(properties ? noted.next_out_of_order++ : noted.next_in_order++);
}

static cl_int fake_clReleaseCommandQueue(cl_command_queue queue)
{
    assert_non_null(queue);
    noted.queues--;
    return CL_SUCCESS;
}

static cl_mem fake_clCreateBuffer(cl_context context, cl_mem_flags flags, size_t bytes, void *host, cl_int *code)
{
    (void)context;
    *code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    FAIL(NULL);
    assert_true(flags == CL_MEM_READ_WRITE && !host);
    noted.buffers++;
    *code = CL_SUCCESS;
    return make(bytes == WORDS * sizeof(cl_uint) ? 'S' : 'D'); /* the spare memory, or a draw */
}

static cl_int fake_clReleaseMemObject(cl_mem buffer)
{
    assert_non_null(buffer);
    noted.buffers--;
    return CL_SUCCESS;
}

static cl_int fake_clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                                        size_t bytes, const void *from, cl_uint count, const cl_event *events,
                                        cl_event *event)
{
    FAIL(CL_OUT_OF_HOST_MEMORY);
    assert_true(name_of(buffer) == 'D' && !blocking && offset == 0 && bytes == DRAW_WORDS * sizeof(cl_uint) && !event);
    noted.places[(char *)buffer - noted.places] =
        (char)('0' + *(const cl_uint *)from); /* named by its draw from now on */
    (void)queue, (void)count, (void)events;
    return CL_SUCCESS;
}

static cl_int fake_clFinish(cl_command_queue queue)
{
    FAIL(CL_OUT_OF_RESOURCES);
    note("finish", queue, 0, NULL);
    return CL_SUCCESS;
}

static cl_int fake_clFlush(cl_command_queue queue)
{
    FAIL(CL_OUT_OF_HOST_MEMORY);
    note("flush", queue, 0, NULL);
    return CL_SUCCESS;
}

static cl_int fake_clSetKernelArg(cl_kernel kernel, cl_uint which, size_t size, const void *value)
{
    (void)kernel;
    FAIL(CL_INVALID_ARG_VALUE);
    assert_true(which == DRIVER_DRAW && size == sizeof noted.draw);
    memcpy(&noted.draw, value, sizeof noted.draw);
    return CL_SUCCESS;
}

static cl_int fake_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                          const size_t *offset, const size_t *items, const size_t *group, cl_uint count,
                                          const cl_event *events, cl_event *event)
{
    char call[] = "run ?";
    FAIL(CL_OUT_OF_RESOURCES);
    (void)kernel;
    assert_true(dimensions == 1 && !offset && *items == GROUPS * SIZE && *group == SIZE);
    call[4] = name_of(noted.draw);
    note(call, queue, count, events);
    *event = make(call[4]);
    noted.events++;
    return CL_SUCCESS;
}

static cl_int fake_clReleaseEvent(cl_event event)
{
    assert_non_null(event);
    noted.events--;
    return CL_SUCCESS;
}

static cl_int fake_clWaitForEvents(cl_uint count, const cl_event *events)
{
    FAIL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    note("wait", NULL, count, events);
    return CL_SUCCESS;
}

static cl_int fake_clGetEventInfo(cl_event event, cl_event_info what, size_t size, void *value, size_t *written)
{
    FAIL(CL_OUT_OF_RESOURCES);
    assert_true(event && what == CL_EVENT_COMMAND_EXECUTION_STATUS && size == sizeof(cl_int) && !written);
    *(cl_int *)value = CL_COMPLETE;
    return CL_SUCCESS;
}

static cl_int fake_clEnqueueBarrierWithWaitList(cl_command_queue queue, cl_uint count, const cl_event *events,
                                                cl_event *event)
{
    FAIL(CL_OUT_OF_RESOURCES);
    assert_null(event);
    note("barrier", queue, count, events);
    return CL_SUCCESS;
}

static cl_int fake_clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
                                       size_t to_offset, size_t bytes, cl_uint count, const cl_event *events,
                                       cl_event *event)
{
    char call[] = "copy ??";
    FAIL(CL_OUT_OF_RESOURCES);
    assert_true(from_offset == 0 && to_offset == 0 && bytes == WORDS * sizeof(cl_uint) && !event);
    call[5] = name_of(from);
    call[6] = name_of(to);
    note(call, queue, count, events);
    return CL_SUCCESS;
}

static cl_int fake_clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void *pattern, size_t pattern_size,
                                       size_t offset, size_t bytes, cl_uint count, const cl_event *events,
                                       cl_event *event)
{
    FAIL(CL_OUT_OF_RESOURCES);
    assert_true(name_of(buffer) == 'M' && offset == 0 && bytes == WORDS * sizeof(cl_uint) && !event);
    assert_true(pattern_size == sizeof(cl_uint) && *(const cl_uint *)pattern == STEPS_PATTERN);
    note("fill", queue, count, events);
    return CL_SUCCESS;
}

static void *fake_clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, cl_map_flags flags,
                                     size_t offset, size_t bytes, cl_uint count, const cl_event *events,
                                     cl_event *event, cl_int *code)
{
    *code = CL_MAP_FAILURE;
    FAIL(NULL);
    assert_true(name_of(buffer) == 'M' && blocking && flags == (CL_MAP_READ | CL_MAP_WRITE) && offset == 0 &&
                bytes == WORDS * sizeof(cl_uint) && !event);
    note("map", queue, count, events);
    *code = CL_SUCCESS;
    return noted.memory;
}

static cl_int fake_clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem buffer, void *mapped, cl_uint count,
                                           const cl_event *events, cl_event *event)
{
    FAIL(CL_OUT_OF_RESOURCES);
    assert_true(name_of(buffer) == 'M' && mapped == noted.memory && !event);
    note("unmap", queue, count, events);
    return CL_SUCCESS;
}

static const struct opencl_library library = {
#define FAKE(function) .function = fake_##function
    FAKE(clCreateCommandQueueWithProperties),
    FAKE(clReleaseCommandQueue),
    FAKE(clCreateBuffer),
    FAKE(clReleaseMemObject),
    FAKE(clEnqueueWriteBuffer),
    FAKE(clFinish),
    FAKE(clFlush),
    FAKE(clSetKernelArg),
    FAKE(clEnqueueNDRangeKernel),
    FAKE(clReleaseEvent),
    FAKE(clWaitForEvents),
    FAKE(clGetEventInfo),
    FAKE(clEnqueueBarrierWithWaitList),
    FAKE(clEnqueueCopyBuffer),
    FAKE(clEnqueueFillBuffer),
    FAKE(clEnqueueMapBuffer),
    FAKE(clEnqueueUnmapMemObject),
#undef FAKE
};

static const struct backend_device device = {.backend = "opencl", .name = "D", .edges = STEPS_ALL & ~STEPS_GRAPH};

static void begin(unsigned fail_at)
{
    text_release(&noted.calls);
    memset(&noted, 0, sizeof noted);
    noted.fail_at = fail_at;
    noted.next_in_order = 'a';
    noted.next_out_of_order = 'X';
    for (cl_uint i = 0; i <= WORDS; i++)
        noted.memory[i] = 100 + i;
}

/* Plays with new queues and buffers, and checks that nothing is left over. */
static enum status play(const struct backend_step *edges, size_t count, struct error *error)
{
    static const uint32_t draws[BACKEND_MAXIMUM_STEPS][DRAW_WORDS] = {{0}, {1}, {2}, {3}};
    struct backend_step steps[BACKEND_MAXIMUM_STEPS];
    struct steps_plan plan;
    struct opencl_queues queues = {.in_order = {NULL}};
    struct opencl_play_buffers buffers = {.spare = NULL};
    const struct backend_launch launch = {
        .groups = GROUPS, .group_size = SIZE, .draw_words = DRAW_WORDS, .memory_words = WORDS};
    const struct opencl_playing playing = {.of = {.library = &library, .language = 300},
                                           .device = &device,
                                           .queues = &queues,
                                           .buffers = &buffers,
                                           .queue = make('s'),
                                           .draw_argument = DRIVER_DRAW,
                                           .memory = make('M')};
    for (size_t k = 0; k < count; k++) {
        steps[k] = edges[k];
        steps[k].draw = draws[k];
    }
    assert_int_equal(steps_plan(&device, &launch, steps, count, &plan, error), STATUS_OK);
    const enum status status = opencl_play(&playing, &launch, &plan, error);
    assert_int_equal(noted.events, 0);
    opencl_release_queues(&library, &queues);
    opencl_release_play_buffers(&library, &buffers);
    assert_int_equal(noted.queues, 0);
    assert_int_equal(noted.buffers, 0);
    for (cl_uint i = 0; i <= WORDS; i++)
        assert_int_equal(noted.memory[i], 100 + i);
    return status;
}

static const struct {
    size_t count;
    struct backend_step steps[BACKEND_MAXIMUM_STEPS];
    const char *calls; /* after the draws are there, which finishes s */
} cases[] = {
    {2, {{0}, {.after = 1, .edges = {LAUNCH_EDGE_QUEUE}}}, "run 0 a, run 1 a, flush a, wait   after 01, finish a"},
    {2,
     {{0}, {.after = 1, .edges = {LAUNCH_EDGE_EVENT}}},
     "run 0 a, flush a, run 1 b after 0, flush b, wait   after 01, finish a, finish b"},
    {2,
     {{0}, {.after = 1, .edges = {LAUNCH_EDGE_BARRIER}}},
     "run 0 X, barrier X, run 1 X, flush X, wait   after 01, finish X"},
    {2,
     {{0}, {.after = 1, .edges = {LAUNCH_EDGE_HOST}}},
     "run 0 a, flush a, wait   after 0, run 1 b, flush b, wait   after 01, finish a, finish b"},
    {2,
     {{0}, {.after = 1, .edges = {LAUNCH_EDGE_MAP}}},
     "run 0 a, flush a, map a, unmap a, run 1 a, flush a, wait   after 01, finish a"},
    {2,
     {{0}, {.after = 1, .edges = {LAUNCH_EDGE_COPY}}},
     "run 0 a, copy MS a, fill a, copy SM a, run 1 a, flush a, wait   after 01, finish a"},
    /* Unordered launches reach the device before anybody waits. */
    {2, {{0}, {0}}, "run 0 a, run 1 b, flush a, flush b, wait   after 01, finish a, finish b"},
    {3,
     {{0}, {.after = 1, .edges = {LAUNCH_EDGE_HOST}}, {0}},
     "run 0 a, run 2 c, flush a, flush c, wait   after 0, run 1 b, flush b, wait   after 012, finish a, finish b, "
     "finish c"},
    {3,
     {{0}, {0}, {.after = 3, .edges = {LAUNCH_EDGE_EVENT, LAUNCH_EDGE_EVENT}}},
     "run 0 a, run 1 b, flush a, flush b, run 2 c after 01, flush c, wait   after 012, finish a, finish b, finish c"},
    /* A barrier has a list of its edges if the queue holds more. */
    {3,
     {{0}, {.after = 1, .edges = {LAUNCH_EDGE_BARRIER}}, {.after = 1, .edges = {LAUNCH_EDGE_BARRIER}}},
     "run 0 X, barrier X, run 1 X, barrier X after 0, run 2 X, flush X, wait   after 012, finish X"},
    {3,
     {{0}, {0}, {.after = 3, .edges = {LAUNCH_EDGE_BARRIER, LAUNCH_EDGE_EVENT}}},
     "run 0 X, run 1 a, barrier X, flush a, run 2 X after 1, flush X, wait   after 012, finish X, finish a"},
};

static void test_calls(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error error = {0};
        static const char ready[] = "finish s, ";
        begin(0);
        if (play(cases[i].steps, cases[i].count, &error) != STATUS_OK)
            fail_msg("%s", error.text);
        const char *calls = text_string(&noted.calls);
        assert_memory_equal(calls, ready, strlen(ready));
        assert_string_equal(calls + strlen(ready), cases[i].calls);
    }
}

/* How a message names a failed call. */
static const char *words_for(const char *call)
{
    return strcmp(call, "clCreateBuffer") == 0         ? "refused a buffer"
           : strncmp(call, "clCreateCommand", 15) == 0 ? "creating a command queue"
                                                       : call;
}

/* Makes each call of each case fail in turn. */
static void test_failures(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (unsigned fail_at = 1;; fail_at++) {
            struct error error = {0};
            begin(fail_at);
            const enum status status = play(cases[i].steps, cases[i].count, &error);
            if (!noted.failed[0]) {
                assert_int_equal(status, STATUS_OK);
                assert_true(fail_at > 8);
                break;
            }
            assert_int_equal(status, STATUS_DEVICE_FAILED);
            if (!strstr(error.text, words_for(noted.failed)))
                fail_msg("%s: %s", noted.failed, error.text);
            /* Everything given to the driver has ended before anybody uses its buffers again. */
            const char *calls = text_string(&noted.calls);
            const char *last = strstr(calls, "run ");
            if (last && strcmp(noted.failed, "clFinish") != 0)
                assert_non_null(strstr(last, "finish "));
        }
}

static void test_edges_of_queues(void **state)
{
    (void)state;
    assert_int_equal(opencl_edges(CL_QUEUE_PROFILING_ENABLE),
                     STEPS_ALL & ~(STEPS_GRAPH | STEPS_BARRIER | STEPS_PROGRAMMATIC));
    assert_int_equal(opencl_edges(CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE),
                     STEPS_ALL & ~(STEPS_GRAPH | STEPS_PROGRAMMATIC));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_edges_of_queues),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    text_release(&noted.calls);
    return failed;
}
