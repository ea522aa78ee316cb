// SPDX-License-Identifier: Apache-2.0
/* Protects the CUDA calls between launches, with a driver that records them: exactly those of each edge, in order and
 * on the right streams; only the words in use are moved; events are passed to and from other sessions; and whichever
 * call fails, its name is reported and everything that was created is destroyed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "backends/cuda/library.h"
#include "backends/gpu/play.h"
#include "backends/steps.h"
#include "base/text.h"

enum { WORDS = 10, DRAW_WORDS = 3, GROUPS = 4, SIZE = 8, STRIDE = 64, PLACES = 32 };
enum { DRAWS = 0x1000, MEMORY = 0x2000, SCRATCH = 0x3000, COUNTERS = 0x4000, SPARE = 0x5000 };

/* What the driver has created and what it was given. A handle points to its place in `places`, whose letter names
 * it. */
static struct {
    struct text calls;
    char places[PLACES];
    unsigned made;
    int streams, events, graphs, instances, memories; /* that are not destroyed */
    unsigned called, fail_at;                         /* fail_at: the call that fails, from 1; 0: none */
    unsigned code;                                    /* with which it fails */
    char failed[48];                                  /* its name */
    char next_stream, next_event;
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
#define FAIL()                                                                                                         \
    do {                                                                                                               \
        if (fails(__func__))                                                                                           \
            return noted.code;                                                                                         \
    } while (0)

static void __attribute__((format(printf, 1, 2))) note(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    text_add(&noted.calls, "%s", noted.calls.size > 0 ? ", " : "");
    text_add_list(&noted.calls, format, list);
    va_end(list);
}

static unsigned fake_cuGetErrorName(unsigned code, const char **name)
{
    *name = code == 2 ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR_OTHER";
    return 0;
}

static unsigned fake_cuStreamCreate(struct CUstream_st **stream, unsigned flags)
{
    FAIL();
    assert_int_equal(flags, CUDA_STREAM_NON_BLOCKING);
    noted.streams++;
    *stream = make(noted.next_stream++);
    return 0;
}

static unsigned fake_cuStreamDestroy(struct CUstream_st *stream)
{
    assert_non_null(stream);
    noted.streams--;
    return 0;
}

static unsigned fake_cuStreamSynchronize(struct CUstream_st *stream)
{
    FAIL();
    note("finish %c", name_of(stream));
    return 0;
}

static unsigned fake_cuMemAlloc(unsigned long long *address, size_t bytes)
{
    FAIL();
    assert_int_equal(bytes, WORDS * sizeof(uint32_t));
    noted.memories++;
    *address = SPARE;
    return 0;
}

static unsigned fake_cuMemFree(unsigned long long address)
{
    assert_true(address == SPARE);
    noted.memories--;
    return 0;
}

static unsigned fake_cuMemcpyHtoDAsync(unsigned long long to, const void *from, size_t bytes,
                                       struct CUstream_st *stream)
{
    FAIL();
    assert_true(bytes == DRAW_WORDS * sizeof(uint32_t) && name_of(stream) == 's');
    assert_true(to == DRAWS + *(const uint32_t *)from * STRIDE * sizeof(uint32_t));
    return 0;
}

static unsigned fake_cuMemcpyDtoDAsync(unsigned long long to, unsigned long long from, size_t bytes,
                                       struct CUstream_st *stream)
{
    FAIL();
    assert_int_equal(bytes, WORDS * sizeof(uint32_t));
    assert_true((to == SPARE && from == MEMORY) || (to == MEMORY && from == SPARE));
    note("copy %s %c", to == SPARE ? "away" : "back", name_of(stream));
    return 0;
}

static unsigned fake_cuMemsetD32Async(unsigned long long address, unsigned word, size_t words,
                                      struct CUstream_st *stream)
{
    FAIL();
    assert_true(address == MEMORY && word == STEPS_PATTERN && words == WORDS);
    note("fill %c", name_of(stream));
    return 0;
}

/* The step whose draw the kernel gets. */
static char step_of(void *const *parameters)
{
    const unsigned long long *const *addresses = (const unsigned long long *const *)parameters;
    assert_true(*addresses[DRIVER_MEMORY] == MEMORY && *addresses[DRIVER_SCRATCH] == SCRATCH &&
                *addresses[DRIVER_COUNTERS] == COUNTERS);
    return (char)('0' + (*addresses[DRIVER_DRAW] - DRAWS) / (STRIDE * sizeof(uint32_t)));
}

static unsigned fake_cuLaunchKernel(struct CUfunc_st *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                    unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                                    struct CUstream_st *stream, void **parameters, void **extra)
{
    FAIL();
    assert_true(!function && grid_x == GROUPS && grid_y == 1 && grid_z == 1 && block_x == SIZE && block_y == 1 &&
                block_z == 1 && shared_bytes == 16 && !extra);
    note("run %c %c", step_of(parameters), name_of(stream));
    return 0;
}

static unsigned fake_cuLaunchKernelEx(const struct CUlaunchConfig_st *config, struct CUfunc_st *function,
                                      void **parameters, void **extra)
{
    FAIL();
    char clusters[32] = "";
    const char *programmatic = "";
    assert_true(!function && !extra && config->grid_x == GROUPS && config->block_x == SIZE &&
                config->attribute_count > 0);
    for (unsigned i = 0; i < config->attribute_count; i++) {
        const struct CUlaunchAttribute_st *attribute = &config->attributes[i];
        if (attribute->id == CUDA_CLUSTER_DIMENSION) {
            (void)snprintf(clusters, sizeof clusters, " in clusters of %u", attribute->value.cluster.x);
        } else {
            assert_true(attribute->id == CUDA_PROGRAMMATIC && attribute->value.programmatic == 1);
            programmatic = " early";
        }
    }
    note("run %c %c%s%s", step_of(parameters), name_of(config->stream), clusters, programmatic);
    return 0;
}

static unsigned fake_cuEventCreate(struct CUevent_st **event, unsigned flags)
{
    FAIL();
    assert_int_equal(flags, CUDA_EVENT_WITHOUT_TIME);
    noted.events++;
    *event = make(noted.next_event++);
    return 0;
}

static unsigned fake_cuEventRecord(struct CUevent_st *event, struct CUstream_st *stream)
{
    FAIL();
    note("record %c %c", name_of(event), name_of(stream));
    return 0;
}

static unsigned fake_cuEventSynchronize(struct CUevent_st *event)
{
    FAIL();
    note("wait %c", name_of(event));
    return 0;
}

static unsigned fake_cuEventDestroy(struct CUevent_st *event)
{
    assert_non_null(event);
    noted.events--;
    return 0;
}

static unsigned fake_cuStreamWaitEvent(struct CUstream_st *stream, struct CUevent_st *event, unsigned flags)
{
    FAIL();
    assert_int_equal(flags, 0);
    note("await %c %c", name_of(event), name_of(stream));
    return 0;
}

static unsigned fake_cuGraphCreate(struct CUgraph_st **graph, unsigned flags)
{
    FAIL();
    assert_int_equal(flags, 0);
    noted.graphs++;
    *graph = make('G');
    return 0;
}

static unsigned fake_cuGraphDestroy(struct CUgraph_st *graph)
{
    assert_true(name_of(graph) == 'G');
    noted.graphs--;
    return 0;
}

static unsigned fake_cuGraphAddKernelNode(struct CUgraphNode_st **node, struct CUgraph_st *graph,
                                          struct CUgraphNode_st *const *after, size_t count,
                                          const struct CUDA_KERNEL_NODE_PARAMS_v2_st *kernel)
{
    FAIL();
    assert_true(name_of(graph) == 'G' && kernel->grid_x == GROUPS && kernel->grid_y == 1 && kernel->grid_z == 1 &&
                kernel->block_x == SIZE && kernel->block_y == 1 && kernel->block_z == 1 && kernel->shared_bytes == 16 &&
                !kernel->extra && !kernel->kernel && !kernel->context);
    assert_true((count == 0) == (after == NULL));
    const char step = step_of(kernel->parameters);
    note("node %c", step);
    for (size_t i = 0; i < count; i++)
        text_add(&noted.calls, "%s%c", i == 0 ? " after " : "", name_of(after[i]));
    *node = make(step);
    return 0;
}

static unsigned fake_cuGraphKernelNodeSetAttribute(struct CUgraphNode_st *node, unsigned attribute,
                                                   const union CUlaunchAttributeValue_union *value)
{
    FAIL();
    assert_true(node && attribute == CUDA_CLUSTER_DIMENSION);
    note("clusters of %u", value->cluster.x);
    return 0;
}

static unsigned fake_cuGraphInstantiate(struct CUgraphExec_st **instance, struct CUgraph_st *graph,
                                        unsigned long long flags)
{
    FAIL();
    assert_true(name_of(graph) == 'G' && flags == 0);
    noted.instances++;
    *instance = make('I');
    return 0;
}

static unsigned fake_cuGraphExecDestroy(struct CUgraphExec_st *instance)
{
    assert_true(name_of(instance) == 'I');
    noted.instances--;
    return 0;
}

static unsigned fake_cuGraphLaunch(struct CUgraphExec_st *instance, struct CUstream_st *stream)
{
    FAIL();
    assert_true(name_of(instance) == 'I');
    note("launch %c", name_of(stream));
    return 0;
}

static const struct gpu_api driver = {
    .driver = &cuda_driver,
#define FAKE(function) .function = fake_##function
    FAKE(cuGetErrorName),
    FAKE(cuStreamCreate),
    FAKE(cuStreamDestroy),
    FAKE(cuStreamSynchronize),
    FAKE(cuMemAlloc),
    FAKE(cuMemFree),
    FAKE(cuMemcpyHtoDAsync),
    FAKE(cuMemcpyDtoDAsync),
    FAKE(cuMemsetD32Async),
    FAKE(cuLaunchKernel),
    FAKE(cuLaunchKernelEx),
    FAKE(cuEventCreate),
    FAKE(cuEventRecord),
    FAKE(cuEventSynchronize),
    FAKE(cuEventDestroy),
    FAKE(cuStreamWaitEvent),
    FAKE(cuGraphCreate),
    FAKE(cuGraphDestroy),
    FAKE(cuGraphAddKernelNode),
    FAKE(cuGraphKernelNodeSetAttribute),
    FAKE(cuGraphInstantiate),
    FAKE(cuGraphExecDestroy),
    FAKE(cuGraphLaunch),
#undef FAKE
};

static struct backend_device device = {.backend = "cuda", .name = "a GPU"};

static void begin(unsigned fail_at, unsigned code)
{
    text_release(&noted.calls);
    memset(&noted, 0, sizeof noted);
    noted.fail_at = fail_at;
    noted.code = code;
    noted.next_stream = 'a';
    noted.next_event = 'A';
}

/* Plays with new streams, and checks that nothing is left over. */
static enum status play(const struct backend_step *edges, size_t count, unsigned cluster, struct error *error)
{
    static const uint32_t draws[BACKEND_MAXIMUM_STEPS][DRAW_WORDS] = {{0}, {1}, {2}, {3}};
    struct backend_step steps[BACKEND_MAXIMUM_STEPS];
    struct steps_plan plan;
    struct gpu_streams streams = {.streams = {NULL}};
    struct gpu_spare spare = {.address = 0};
    const struct backend_launch launch = {.memory_words = WORDS};
    const struct gpu_playing playing = {
        .kernel = {.api = &driver,
                   .device = &device,
                   .groups = GROUPS,
                   .group_size = SIZE,
                   .cluster_groups = cluster,
                   .local_bytes = 16},
        .stream = make('s'),
        .streams = &streams,
        .spare = &spare,
        .buffers = {DRAWS, MEMORY, SCRATCH, COUNTERS},
        .draw_words = DRAW_WORDS,
        .memory_words = WORDS,
    };
    for (size_t k = 0; k < count; k++) {
        steps[k] = edges[k];
        steps[k].draw = draws[k];
    }
    device.edges = gpu_edges(&driver) | STEPS_PROGRAMMATIC;
    assert_int_equal(steps_plan(&device, &launch, steps, count, &plan, error), STATUS_OK);
    const enum status status = gpu_play(&playing, &plan, error);
    assert_int_equal(noted.events, streams.given[1] != NULL); /* one that others may use until the session is closed */
    assert_int_equal(noted.instances, 0);
    assert_int_equal(noted.graphs, 0);
    gpu_release_streams(&driver, &streams);
    gpu_release_spare(&driver, &spare);
    assert_int_equal(noted.events, 0);
    assert_int_equal(noted.streams, 0);
    assert_int_equal(noted.memories, 0);
    return status;
}

static const struct {
    size_t count;
    unsigned cluster;
    struct backend_step steps[BACKEND_MAXIMUM_STEPS];
    const char *calls; /* after the draws are there, which finishes s */
} cases[] = {
    {2, 0, {{0}, {.after = 1, .edges = {LAUNCH_EDGE_QUEUE}}}, "run 0 a, run 1 a, finish a"},
    {2,
     0,
     {{0}, {.after = 1, .edges = {LAUNCH_EDGE_EVENT}}},
     "run 0 a, record A a, await A b, run 1 b, finish a, finish b"},
    {2, 0, {{0}, {.after = 1, .edges = {LAUNCH_EDGE_HOST}}}, "run 0 a, finish a, run 1 b, finish a, finish b"},
    {2,
     0,
     {{0}, {.after = 1, .edges = {LAUNCH_EDGE_COPY}}},
     "run 0 a, copy away a, fill a, copy back a, run 1 a, finish a"},
    {2, 0, {{0}, {.after = 1, .edges = {LAUNCH_EDGE_GRAPH}}}, "node 0, node 1 after 0, launch s, finish s"},
    {4,
     0,
     {{0},
      {0},
      {.after = 3, .edges = {LAUNCH_EDGE_GRAPH, LAUNCH_EDGE_GRAPH}},
      {.after = 2, .edges = {[1] = LAUNCH_EDGE_GRAPH}}},
     "node 0, node 1, node 2 after 01, node 3 after 1, launch s, finish s"},
    {2,
     2,
     {{0}, {.after = 1, .edges = {LAUNCH_EDGE_QUEUE}}},
     "run 0 a in clusters of 2, run 1 a in clusters of 2, finish a"},
    {2,
     2,
     {{0}, {.after = 1, .edges = {LAUNCH_EDGE_GRAPH}}},
     "node 0, clusters of 2, node 1 after 0, clusters of 2, launch s, finish s"},
    {3,
     0,
     {{0}, {.after = 1, .edges = {LAUNCH_EDGE_PROGRAMMATIC}}, {.after = 2, .edges = {[1] = LAUNCH_EDGE_QUEUE}}},
     "run 0 a, run 1 a early, run 2 a, finish a"},
    {2,
     2,
     {{0}, {.after = 1, .edges = {LAUNCH_EDGE_PROGRAMMATIC}}},
     "run 0 a in clusters of 2, run 1 a in clusters of 2 early, finish a"},
    /* Unordered launches are given to the driver before anybody waits. */
    {2, 0, {{0}, {0}}, "run 0 a, run 1 b, finish a, finish b"},
    {3,
     0,
     {{0}, {.after = 1, .edges = {LAUNCH_EDGE_HOST}}, {0}},
     "run 0 a, run 2 c, finish a, run 1 b, finish a, finish b, finish c"},
    {3,
     0,
     {{0}, {0}, {.after = 3, .edges = {LAUNCH_EDGE_EVENT, LAUNCH_EDGE_EVENT}}},
     "run 0 a, record A a, run 1 b, record B b, await A c, await B c, run 2 c, finish a, finish b, finish c"},
    /* If the stream continues, the host waits for an event in it. */
    {3,
     0,
     {{0}, {.after = 1, .edges = {LAUNCH_EDGE_QUEUE}}, {.after = 1, .edges = {LAUNCH_EDGE_HOST}}},
     "run 0 a, record A a, run 1 a, wait A, run 2 b, finish a, finish b"},
};

static void test_calls(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static const char ready[] = "finish s, ";
        struct error error = {0};
        begin(0, 0);
        if (play(cases[i].steps, cases[i].count, cases[i].cluster, &error) != STATUS_OK)
            fail_msg("%s", error.text);
        const char *calls = text_string(&noted.calls);
        assert_memory_equal(calls, ready, strlen(ready));
        assert_string_equal(calls + strlen(ready), cases[i].calls);
    }
}

/* How a message names a failed call. */
static const char *words_for(const char *call)
{
    return strcmp(call, "cuMemAlloc") == 0 ? "refused a buffer" : call;
}

/* Makes each call of each case fail in turn. */
static void test_failures(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (unsigned fail_at = 1;; fail_at++) {
            struct error error = {0};
            begin(fail_at, 2);
            const enum status status = play(cases[i].steps, cases[i].count, cases[i].cluster, &error);
            if (!noted.failed[0]) {
                assert_int_equal(status, STATUS_OK);
                assert_true(fail_at > 6);
                break;
            }
            assert_int_equal(status, STATUS_DEVICE_FAILED);
            /* It is not known which kernel made a stream fail. */
            if (!strstr(error.text, words_for(noted.failed)) && !strstr(error.text, "the kernel failed"))
                fail_msg("%s: %s", noted.failed, error.text);
            const char *first = strstr(text_string(&noted.calls), "run ");
            if (first && strcmp(noted.failed, "cuStreamSynchronize") != 0)
                assert_non_null(strstr(first, "finish ")); /* nothing is running */
        }
}

/* A lost device is not waited for, and nothing is left over. */
static void test_losses(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (unsigned fail_at = 1;; fail_at++) {
            struct error error = {0};
            begin(fail_at, 700);
            const enum status status = play(cases[i].steps, cases[i].count, cases[i].cluster, &error);
            if (!noted.failed[0])
                break;
            assert_int_equal(status, STATUS_DEVICE_LOST);
            assert_non_null(strstr(error.text, "this process can no longer use it"));
            assert_int_equal(noted.called, fail_at);
        }
}

/* A step waits for another session's event before its kernel, and gives its own afterwards. */
static void test_relays(void **state)
{
    struct relay from, to;
    const struct backend_step steps[] = {{0},
                                         {.after = 1, .edges = {LAUNCH_EDGE_QUEUE}, .awaits = {&from}, .gives = &to}};
    struct error error = {0};
    char other = 'Z';
    (void)state;
    begin(0, 0);
    relay_open(&from);
    relay_open(&to);
    relay_give(&from, &other);
    assert_int_equal(play(steps, 2, 0, &error), STATUS_OK);
    assert_string_equal(text_string(&noted.calls), "finish s, run 0 a, await Z a, run 1 a, record A a, finish a");
    assert_ptr_equal(relay_await(&to), &noted.places[2]); /* after the session's stream and a */
    relay_close(&from);
    relay_close(&to);
    /* No event comes: the kernel is not launched, and none is given. */
    begin(0, 0);
    relay_open(&from);
    relay_open(&to);
    relay_give(&from, NULL);
    assert_int_equal(play(steps, 2, 0, &error), STATUS_DEVICE_FAILED);
    assert_string_equal(error.text, "launch 1 waits for a launch on another device that was never made");
    assert_string_equal(text_string(&noted.calls), "finish s, run 0 a, finish a");
    assert_false(to.ended);
    relay_close(&from);
    relay_close(&to);
}

static void test_edges_of_drivers(void **state)
{
    struct gpu_api old = driver;
    (void)state;
    assert_int_equal(gpu_edges(&driver), STEPS_ALL & ~(STEPS_MAP | STEPS_BARRIER | STEPS_PROGRAMMATIC));
    old.cuGraphCreate = NULL;
    assert_int_equal(gpu_edges(&old), STEPS_ALL & ~(STEPS_MAP | STEPS_BARRIER | STEPS_GRAPH | STEPS_PROGRAMMATIC));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls),  cmocka_unit_test(test_failures),         cmocka_unit_test(test_losses),
        cmocka_unit_test(test_relays), cmocka_unit_test(test_edges_of_drivers),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    text_release(&noted.calls);
    return failed;
}
