// SPDX-License-Identifier: Apache-2.0
/* The CUDA backend: each session has the primary context and one stream, each program four
 * buffers. */
#include "backends/cuda/cuda.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cuda/compile.h"
#include "backends/cuda/devices.h"
#include "backends/cuda/headers.h"
#include "backends/cuda/jit.h"
#include "backends/cuda/library.h"
#include "backends/cuda/nvml.h"
#include "backends/cuda/paths.h"
#include "backends/cuda/play.h"
#include "backends/cuda/ptx.h"
#include "backends/cuda/share.h"
#include "backends/driver.h"
#include "base/clock.h"
#include "base/memory.h"

enum {
    SHARED_UNASKED = 48 * 1024 /* bytes of dynamic shared memory that every kernel may use */
};

struct cuda_session {
    struct cuda_driver driver;
    struct cuda_nvrtc nvrtc; /* opened by the first build that needs it */
    struct backend_device device;
    struct nvml_device nvml;
    int id;
    struct CUctx_st *context;
    struct CUstream_st *stream;
    struct cuda_streams streams; /* of plays */
};

struct cuda_program {
    struct CUmod_st *module;
    struct CUfunc_st *function;
    size_t shared_allowed;
    unsigned long long buffers[DRIVER_BUFFERS]; /* device addresses; 0: none */
    size_t words[DRIVER_BUFFERS];
    unsigned paths, aliases;   /* as in its source */
    struct cuda_memory mapped; /* buffers[DRIVER_MEMORY] is its first address, if it has several */
    struct text machine_code;  /* the code that runs; empty if the driver compiled the PTX while loading it */
    struct cuda_spare spare;
};

static struct cuda_session *cuda_session(struct backend_session *opened)
{
    return (struct cuda_session *)opened;
}

static struct cuda_program *cuda_program(struct backend_program *built)
{
    return (struct cuda_program *)built;
}

/* Reports a failed driver call. A loss ends the session. */
static enum status driver_failed(const struct cuda_session *session, const char *call, unsigned code,
                                 struct error *error)
{
    return cuda_call_failed(&session->driver, &session->device, call, code, error);
}

#define CALL(session, function, ...)                                                                                   \
    do {                                                                                                               \
        const unsigned call_code = (session)->driver.function(__VA_ARGS__);                                            \
        if (call_code != 0)                                                                                            \
            return driver_failed((session), #function, call_code, error);                                              \
    } while (0)

static enum status list_devices(struct backend_device **devices, size_t *count, struct error *error)
{
    struct cuda_driver driver;
    struct cuda_software software;
    int found = 0;
    enum status status = STATUS_OK;
    *devices = NULL;
    *count = 0;
    TRY(cuda_driver_open(&driver, error));
    const unsigned code = driver.cuDeviceGetCount(&found);
    if (code != 0 || found <= 0)
        return error_set(error, STATUS_NO_DEVICE, "the CUDA driver finds no GPU: %s; check CUDA_VISIBLE_DEVICES",
                         cuda_error_name(&driver, code));
    *devices = memory_take((size_t)found, sizeof **devices);
    cuda_describe_software(&driver, &software);
    for (unsigned i = 0; status == STATUS_OK && i < (unsigned)found; i++)
        status = cuda_describe(&driver, &software, i, &(*devices)[i], error);
    if (status == STATUS_OK) {
        *count = (size_t)found;
    } else {
        free(*devices);
        *devices = NULL;
    }
    return status;
}

static void close_session(struct backend_session *opened)
{
    struct cuda_session *session = cuda_session(opened);
    if (!session)
        return;
    cuda_release_streams(&session->driver, &session->streams);
    if (session->stream)
        (void)session->driver.cuStreamDestroy(session->stream);
    if (session->context)
        (void)session->driver.cuDevicePrimaryCtxRelease(session->id);
    nvml_device_close(&session->nvml);
    free(session);
}

/* The parts of a session, one after the other; close_session releases those that exist. */
static enum status start_session(struct backend_session *opened, unsigned index, struct error *error)
{
    struct cuda_session *session = cuda_session(opened);
    struct cuda_software software;
    int count = 0;
    session->device = (struct backend_device){.backend = "cuda", .index = index}; /* for messages about failures */
    TRY(cuda_driver_open(&session->driver, error));
    CALL(session, cuDeviceGetCount, &count);
    if (index >= (unsigned)count)
        return error_set(error, STATUS_NO_DEVICE, "there is no cuda:%u: the CUDA driver finds %d device(s)", index,
                         count);
    cuda_describe_software(&session->driver, &software);
    TRY(cuda_describe(&session->driver, &software, index, &session->device, error));
    if (!session->device.takes)
        return error_set(error, STATUS_UNSUPPORTED,
                         "cuda:%u (%s) is %s; orchil needs sm_%d or later, where the PTX memory model begins", index,
                         session->device.name, session->device.architecture, CUDA_OLDEST);
    CALL(session, cuDeviceGet, &session->id, (int)index);
    CALL(session, cuDevicePrimaryCtxRetain, &session->context, session->id);
    CALL(session, cuCtxSetCurrent, session->context);
    CALL(session, cuStreamCreate, &session->stream, CUDA_STREAM_NON_BLOCKING);
    nvml_device_open(session->device.uuid, &session->nvml);
    return STATUS_OK;
}

/* Returns the driver's code. */
static unsigned free_buffer(const struct cuda_session *session, struct cuda_program *program, enum driver_buffer which)
{
    const unsigned long long old = program->buffers[which];
    program->buffers[which] = 0;
    program->words[which] = 0;
    if (which == DRIVER_MEMORY && program->mapped.bytes > 0) {
        cuda_memory_free(&session->driver, &program->mapped);
        return 0;
    }
    return old ? session->driver.cuMemFree(old) : 0;
}

static void release_program(struct backend_session *opened, struct backend_program *built)
{
    struct cuda_session *session = cuda_session(opened);
    struct cuda_program *program = cuda_program(built);
    if (!program)
        return;
    for (enum driver_buffer i = 0; i < DRIVER_BUFFERS; i++)
        (void)free_buffer(session, program, i);
    cuda_release_spare(&session->driver, &program->spare);
    if (program->module)
        (void)session->driver.cuModuleUnload(program->module);
    text_release(&program->machine_code);
    free(program);
}

static struct cuda_jit_of jit_of(const struct cuda_session *session, const struct backend_source *source)
{
    return (struct cuda_jit_of){.driver = &session->driver, .device = &session->device, .test = source->name};
}

/* Whether PTX contains line information, which is needed to inspect its code. Drivers before CUDA
 * 11.2 do not read it, so PTX that is saved for any driver lacks it. */
static bool says_lines(bool portable, int driver_version)
{
    const unsigned newest = cuda_ptx_newest(driver_version);
    return !portable && (newest == 0 || newest >= CUDA_PTX_LINES);
}

/* Kernel text to PTX. */
static enum status compile_ptx(struct cuda_session *session, const struct backend_source *source,
                               struct backend_code *code, struct error *error)
{
    struct text options = {0};
    const struct cuda_request request = {.kernel = source->kernel,
                                         .architecture = session->device.architecture,
                                         .portable = source->portable,
                                         .clusters = source->clusters,
                                         .includes = source->headers != NULL,
                                         .lines = says_lines(source->portable, session->driver.version),
                                         .options = &options};
    if (!session->nvrtc.handle)
        TRY(cuda_nvrtc_open(&session->nvrtc, session->driver.version, error));
    const enum status status = cuda_compile(&session->nvrtc, &request, &code->bytes, &code->log, error);
    (void)snprintf(code->options, sizeof code->options, "%s", text_string(&options));
    (void)snprintf(code->compiler, sizeof code->compiler, "NVRTC %d.%d", session->nvrtc.major, session->nvrtc.minor);
    text_release(&options);
    return status;
}

static void name_headers(struct backend_session *opened, unsigned member, struct text *text)
{
    struct cuda_session *session = cuda_session(opened);
    (void)member;
    struct cuda_headers headers;
    struct error error = {0};
    enum status status = STATUS_OK;
    if (!session->nvrtc.handle)
        status = cuda_nvrtc_open(&session->nvrtc, session->driver.version, &error);
    if (status == STATUS_OK)
        status = cuda_headers_find(&session->nvrtc, &headers, &error);
    if (status == STATUS_OK)
        text_add(text, "%s, libcu++ %s", headers.folder, headers.version);
    else
        text_add(text, "%s", error.text);
}

/* The code of a program is its PTX, which is the portable part, followed by the machine code that
 * the driver made from it. */
static enum status compile_kernel(struct backend_session *opened, const struct backend_source *source,
                                  struct backend_code *code, struct error *error)
{
    struct cuda_session *session = cuda_session(opened);
    if (source->code)
        text_add(&code->bytes, "%s", source->code);
    else
        TRY(compile_ptx(session, source, code, error));
    const char *ptx = text_string(&code->bytes);
    const unsigned version = cuda_ptx_version(ptx);
    code->portable = code->bytes.size;
    (void)snprintf(code->target, sizeof code->target, "PTX %u.%u, sm_%u", version / 10, version % 10,
                   cuda_ptx_target(ptx));
    if (!code->bytes.failed) {
        const struct cuda_jit_of of = jit_of(session, source);
        TRY(cuda_assemble(&of, &code->bytes, &code->log, error));
    }
    return code->bytes.failed
               ? error_set(error, STATUS_LIMIT, "the code of %s has more than %d bytes", source->name, TEXT_MAXIMUM)
               : STATUS_OK;
}

static struct cuda_paths_of paths_of(const struct cuda_session *session, const struct cuda_program *program)
{
    return (struct cuda_paths_of){.driver = &session->driver,
                                  .device = &session->device,
                                  .id = session->id,
                                  .module = program->module,
                                  .stream = session->stream,
                                  .paths = program->paths,
                                  .aliases = program->aliases};
}

static enum status fill_program(struct backend_session *opened, const struct backend_source *source,
                                struct backend_program *built, struct text *log, struct text *binary,
                                struct error *error)
{
    struct cuda_session *session = cuda_session(opened);
    struct cuda_program *program = cuda_program(built);
    struct backend_code made = {0};
    const char *code = source->code;
    size_t size = source->code_size;
    enum status status = STATUS_OK;
    program->shared_allowed = SHARED_UNASKED;
    if (!code) {
        status = compile_kernel(opened, source, &made, error);
        text_add(log, "%s", text_string(&made.log));
        code = text_string(&made.bytes);
        size = made.bytes.size;
    }
    const size_t ptx = strlen(code);
    if (status == STATUS_OK) {
        const struct cuda_jit_of of = jit_of(session, source);
        text_add_bytes(binary, code, ptx);
        status =
            cuda_load(&of, code, cuda_machine_code_offset(ptx) < size ? code + cuda_machine_code_offset(ptx) : code,
                      &program->module, log, error);
    }
    if (status == STATUS_OK && cuda_machine_code_offset(ptx) < size)
        text_add_bytes(&program->machine_code, code + cuda_machine_code_offset(ptx),
                       size - cuda_machine_code_offset(ptx));
    backend_code_release(&made);
    TRY(status);
    CALL(session, cuModuleGetFunction, &program->function, program->module, "orchil");
    program->paths = source->paths;
    program->aliases = source->aliases;
    if (source->paths & ~session->device.paths)
        return error_set(error, STATUS_UNSUPPORTED, "the driver of cuda:%u (%s) lacks a path to memory that %s needs",
                         session->device.index, session->device.name, source->name);
    const struct cuda_paths_of of = paths_of(session, program);
    return source->paths & BACKEND_PATH_CONSTANT ? cuda_paths_set_bank(&of, error) : STATUS_OK;
}

static enum status zero_buffer(const struct cuda_session *session, const struct cuda_program *program,
                               enum driver_buffer which, struct error *error)
{
    CALL(session, cuMemsetD32Async, program->buffers[which], 0, program->words[which], session->stream);
    return STATUS_OK;
}

/* Memory at several addresses, zero at first. Nothing is running, because each launch is waited
 * for. */
static enum status map_memory(const struct cuda_session *session, struct cuda_program *program, size_t words,
                              struct error *error)
{
    const struct cuda_paths_of of = paths_of(session, program);
    unsigned code = 0;
    enum status status = cuda_memory_make(&of, words, &program->mapped, &code, error);
    if (cuda_error_is_loss(code))
        return driver_failed(session, "mapping memory", code, error);
    program->buffers[DRIVER_MEMORY] = program->mapped.addresses[0];
    program->words[DRIVER_MEMORY] = words;
    if (status == STATUS_OK)
        status = zero_buffer(session, program, DRIVER_MEMORY, error);
    if (status != STATUS_OK && status != STATUS_DEVICE_LOST)
        (void)free_buffer(session, program, DRIVER_MEMORY);
    return status;
}

static enum status grow_buffer(struct cuda_session *session, struct cuda_program *program, enum driver_buffer which,
                               size_t words, struct error *error)
{
    if (words <= program->words[which])
        return STATUS_OK;
    const unsigned freed = free_buffer(session, program, which);
    if (freed != 0)
        return driver_failed(session, "cuMemFree", freed, error);
    if (which == DRIVER_MEMORY && cuda_paths_need_mapping(program->paths))
        return map_memory(session, program, words, error);
    const unsigned code = session->driver.cuMemAlloc(&program->buffers[which], words * sizeof(uint32_t));
    if (code != 0) {
        program->buffers[which] = 0;
        if (cuda_error_is_loss(code))
            return driver_failed(session, "cuMemAlloc", code, error);
        return driver_buffer_refused(&session->device, which, words, cuda_error_name(&session->driver, code), error);
    }
    program->words[which] = words;
    const enum status status = zero_buffer(session, program, which, error);
    if (status != STATUS_OK)
        program->words[which] = 0; /* not zeroed: the next launch creates it again */
    return status;
}

/* A kernel may use more shared memory than usual only after a request. */
static enum status allow_shared(const struct cuda_session *session, struct cuda_program *program, size_t bytes,
                                struct error *error)
{
    if (bytes <= program->shared_allowed)
        return STATUS_OK;
    if (bytes > session->device.local_bytes)
        return error_set(error, STATUS_DEVICE_FAILED, "cuda:%u (%s) has %zu bytes of shared memory, not %zu",
                         session->device.index, session->device.name, (size_t)session->device.local_bytes, bytes);
    CALL(session, cuFuncSetAttribute, program->function, CUDA_MAX_DYNAMIC_SHARED, (int)bytes);
    program->shared_allowed = bytes;
    return STATUS_OK;
}

static struct cuda_kernel kernel_of(const struct cuda_session *session, const struct cuda_program *program,
                                    const struct backend_launch *launch)
{
    return (struct cuda_kernel){.driver = &session->driver,
                                .device = &session->device,
                                .function = program->function,
                                .groups = launch->groups,
                                .group_size = launch->group_size,
                                .cluster_groups = launch->cluster_groups,
                                .local_bytes = launch->local_bytes};
}

static enum status reserve_buffers(struct cuda_session *session, struct cuda_program *program,
                                   const struct backend_launch *launch, struct error *error)
{
    size_t words[DRIVER_BUFFERS];
    TRY(driver_buffer_words(launch, words, error));
    for (enum driver_buffer i = 0; i < DRIVER_BUFFERS; i++)
        TRY(grow_buffer(session, program, i, words[i], error));
    return allow_shared(session, program, launch->local_bytes, error);
}

/* What a kernel reads at its start: the draw, and zeroed counters. */
static enum status fill_buffers(const struct cuda_session *session, const struct cuda_program *program,
                                const struct backend_launch *launch, struct error *error)
{
    if (launch->draw_words > 0)
        CALL(session, cuMemcpyHtoDAsync, program->buffers[DRIVER_DRAW], launch->draw,
             launch->draw_words * sizeof *launch->draw, session->stream);
    return launch->clear_counters ? zero_buffer(session, program, DRIVER_COUNTERS, error) : STATUS_OK;
}

/* For a launch concurrent with others: everything except starting the kernel and reading its
 * results. */
static enum status prepare_launch(struct backend_session *opened, struct backend_program *built,
                                  const struct backend_launch *launch, struct error *error)
{
    struct cuda_session *session = cuda_session(opened);
    struct cuda_program *program = cuda_program(built);
    TRY(reserve_buffers(session, program, launch, error));
    const enum status status = fill_buffers(session, program, launch, error);
    CALL(session, cuStreamSynchronize, session->stream); /* also after a failure: the draw belongs to the caller */
    return status;
}

static enum status queue_launch(struct cuda_session *session, struct cuda_program *program,
                                const struct backend_launch *launch, struct error *error)
{
    void *parameters[DRIVER_BUFFERS];
    unsigned long long shared = launch->memory_address;
    if (shared == 0) { /* else prepare_launch did that */
        TRY(reserve_buffers(session, program, launch, error));
        TRY(fill_buffers(session, program, launch, error));
    }
    for (enum driver_buffer i = 0; i < DRIVER_BUFFERS; i++)
        parameters[i] = i == DRIVER_MEMORY && shared != 0 ? &shared : &program->buffers[i];
    const struct cuda_kernel kernel = kernel_of(session, program, launch);
    TRY(cuda_start_kernel(&kernel, session->stream, parameters, error));
    /* A copy to pageable memory waits for the kernel inside the driver, which may block calls of
     * other sessions. */
    if (shared != 0)
        CALL(session, cuStreamSynchronize, session->stream);
    if (launch->read_words > 0)
        CALL(session, cuMemcpyDtoHAsync, launch->counters, program->buffers[DRIVER_COUNTERS],
             launch->read_words * sizeof *launch->counters, session->stream);
    return STATUS_OK;
}

/* Also after a failure: the caller's draw and counters must not be accessed after the return. */
static enum status settle(const struct cuda_session *session, enum status status, struct error *error)
{
    const unsigned code = session->driver.cuStreamSynchronize(session->stream);
    return code != 0 && (status == STATUS_OK || cuda_error_is_loss(code))
               ? driver_failed(session, "the kernel", code, error)
               : status;
}

static enum status launch_program(struct backend_session *opened, struct backend_program *built,
                                  const struct backend_launch *launch, double *seconds, struct error *error)
{
    struct cuda_session *session = cuda_session(opened);
    const double start = clock_seconds();
    const enum status status = settle(session, queue_launch(session, cuda_program(built), launch, error), error);
    *seconds = clock_seconds() - start;
    return status;
}

/* The buffer for draws holds one draw per step. */
static enum status queue_play(struct cuda_session *session, struct cuda_program *program,
                              const struct backend_launch *launch, const struct steps_plan *plan, struct error *error)
{
    struct backend_launch all = *launch;
    struct cuda_playing playing = {.kernel = kernel_of(session, program, launch),
                                   .stream = session->stream,
                                   .streams = &session->streams,
                                   .spare = &program->spare,
                                   .draw_words = launch->draw_words,
                                   .memory_words = launch->memory_words > 0 ? launch->memory_words : 1};
    all.draw_words = plan->count * cuda_draw_stride(launch->draw_words);
    TRY(reserve_buffers(session, program, &all, error));
    memcpy(playing.buffers, program->buffers, sizeof playing.buffers);
    if (launch->memory_address != 0)
        playing.buffers[DRIVER_MEMORY] = launch->memory_address;
    if (launch->clear_counters)
        TRY(zero_buffer(session, program, DRIVER_COUNTERS, error));
    TRY(cuda_play(&playing, plan, error));
    if (launch->read_words > 0)
        CALL(session, cuMemcpyDtoHAsync, launch->counters, program->buffers[DRIVER_COUNTERS],
             launch->read_words * sizeof *launch->counters, session->stream);
    return STATUS_OK;
}

static enum status play_program(struct backend_session *opened, struct backend_program *built,
                                const struct backend_launch *launch, const struct backend_step *steps, size_t count,
                                double *seconds, struct error *error)
{
    struct cuda_session *session = cuda_session(opened);
    const double start = clock_seconds();
    struct steps_plan plan;
    *seconds = 0;
    TRY(steps_plan(&session->device, launch, steps, count, &plan, error));
    const enum status status = settle(session, queue_play(session, cuda_program(built), launch, &plan, error), error);
    *seconds = clock_seconds() - start;
    return status;
}

static struct cuda_sharing sharing_of(const struct cuda_session *session)
{
    return (struct cuda_sharing){.driver = &session->driver,
                                 .device = &session->device,
                                 .id = session->id,
                                 .context = session->context,
                                 .stream = session->stream};
}

static enum status share_memory(struct backend_session *opened, size_t bytes, struct backend_shared *shared,
                                struct error *error)
{
    const struct cuda_sharing of = sharing_of(cuda_session(opened));
    return cuda_share(&of, bytes, shared, error);
}

static enum status reach_memory(struct backend_session *opened, const struct backend_shared *shared, uint64_t *address,
                                struct error *error)
{
    const struct cuda_sharing of = sharing_of(cuda_session(opened));
    return cuda_reach(&of, shared, address, error);
}

static void forget_memory(struct backend_session *opened, const struct backend_shared *shared)
{
    const struct cuda_sharing of = sharing_of(cuda_session(opened));
    cuda_forget(&of, shared);
}

static bool describe_link(struct backend_session *opened, const struct backend_shared *shared, struct text *text)
{
    const struct cuda_sharing of = sharing_of(cuda_session(opened));
    return cuda_describe_link(&of, shared, text);
}

static enum status zero_shared(struct backend_session *opened, uint64_t address, size_t words, struct error *error)
{
    const struct cuda_sharing of = sharing_of(cuda_session(opened));
    return cuda_zero_shared(&of, address, words, error);
}

/* The launch bounds in the prelude make every program fit the largest group. */
static unsigned group_limit(struct backend_session *opened, struct backend_program *built)
{
    (void)opened, (void)built;
    return 0;
}

static unsigned count_resident(struct backend_session *opened, struct backend_program *built, unsigned member,
                               unsigned group_size, unsigned cluster_groups, size_t local_bytes)
{
    struct cuda_session *session = cuda_session(opened);
    struct cuda_program *program = cuda_program(built);
    (void)member;
    if (group_size > session->device.max_group_size || allow_shared(session, program, local_bytes, NULL) != STATUS_OK)
        return 0;
    const struct backend_launch shape = {
        .group_size = group_size, .cluster_groups = cluster_groups, .local_bytes = local_bytes};
    const struct cuda_kernel kernel = kernel_of(session, program, &shape);
    return cuda_count_resident(&kernel);
}

static void machine_code_ahead(const char *code, size_t size, struct text *ptx, struct text *machine_code)
{
    const size_t offset = cuda_machine_code_offset(strlen(code));
    text_add(ptx, "%s", code);
    if (offset < size)
        text_add_bytes(machine_code, code + offset, size - offset);
}

static void machine_code(struct backend_session *opened, struct backend_program *built, unsigned member,
                         struct text *code)
{
    struct cuda_program *program = cuda_program(built);
    (void)opened, (void)member;
    text_add_bytes(code, text_string(&program->machine_code), program->machine_code.size);
}

/* Without a device: PTX for an architecture that this machine need not have. */
static enum status compile_for(const char *architecture, const struct backend_source *source, struct backend_code *code,
                               struct error *error)
{
    struct cuda_nvrtc nvrtc = {0};
    const struct cuda_request request = {.kernel = source->kernel,
                                         .architecture = architecture,
                                         .clusters = source->clusters,
                                         .includes = source->headers != NULL,
                                         .lines = true};
    TRY(cuda_nvrtc_open(&nvrtc, 0, error));
    const enum status status = cuda_compile(&nvrtc, &request, &code->bytes, &code->log, error);
    code->portable = code->bytes.size;
    (void)snprintf(code->compiler, sizeof code->compiler, "NVRTC %d.%d", nvrtc.major, nvrtc.minor);
    return status;
}

static void observe_device(struct backend_session *opened, struct circumstances *circumstances)
{
    nvml_device_observe(&cuda_session(opened)->nvml, circumstances);
}

const struct backend cuda_backend = {
    .name = "cuda",
    .title = "CUDA",
    .prelude = cuda_prelude,
    .source_suffix = "cu",
    .code_suffix = "ptx",
    .list = list_devices,
    .session_size = sizeof(struct cuda_session),
    .start = start_session,
    .compile = compile_kernel,
    .compile_for = compile_for,
    .name_headers = name_headers,
    .compiles_ahead = driver_always,
    .program_size = sizeof(struct cuda_program),
    .fill = fill_program,
    .launch = launch_program,
    .play = play_program,
    .relays_events = true,
    .share = share_memory,
    .reach = reach_memory,
    .forget = forget_memory,
    .describe_link = describe_link,
    .reserve = prepare_launch,
    .zero_shared = zero_shared,
    .group_limit = group_limit,
    .resident = count_resident,
    .machine_code = machine_code,
    .machine_code_ahead = machine_code_ahead,
    .observe = observe_device,
    .release = release_program,
    .close = close_session,
    .explain = cuda_explain,
};
