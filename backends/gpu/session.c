// SPDX-License-Identifier: Apache-2.0
/* A session of CUDA or HIP: the primary context and one stream. Its programs: four buffers each. */
#include "backends/gpu/session.h"

/* ---- sessions ---- */

struct gpu_session *gpu_session(struct backend_session *opened)
{
    return (struct gpu_session *)opened;
}

struct gpu_program *gpu_program(struct backend_program *built)
{
    return (struct gpu_program *)built;
}

/* Reports a failed driver call. A loss ends the session. */
static enum status call_failed(const struct gpu_session *session, const char *call, unsigned code, struct error *error)
{
    return gpu_call_failed(&session->api, &session->device, call, code, error);
}

#define CALL(session, ...) GPU_CALL(&(session)->api, &(session)->device, __VA_ARGS__)

struct CUuuid_st {
    unsigned char bytes[16];
};

/* Fills *device with everything that the driver reports about device number index. */
static enum status session_describe(const struct gpu_api *api, const struct gpu_software *software, unsigned index,
                                    struct backend_device *device, struct error *error)
{
    const struct gpu_driver *driver = api->driver;
    int id;
    size_t memory = 0;
    struct CUuuid_st uuid;
    *device = (struct backend_device){.index = index, .gpu = true};
    driver_copy(device->backend, sizeof device->backend, driver->backend->name);
    driver_copy(device->vendor, sizeof device->vendor, driver->vendor);
    unsigned code = api->cuDeviceGet(&id, (int)index);
    if (code == 0)
        code = api->cuDeviceGetName(device->name, (int)sizeof device->name, id);
    if (code == 0)
        code = api->cuDeviceTotalMem(&memory, id);
    if (code != 0)
        return error_set(error, STATUS_DEVICE_FAILED, "%s cannot describe %s:%u: %s", driver->call, device->backend,
                         index, gpu_error_name(api, code));
    if (api->cuDeviceGetUuid(&uuid, id) == 0)
        driver_uuid(device->uuid, uuid.bytes);
    driver_copy(device->driver, sizeof device->driver, software->driver);
    driver_copy(device->compiler, sizeof device->compiler, software->compiler);
    device->memory_bytes = memory;
    device->compute_units = gpu_attribute(api, id, CUDA_MULTIPROCESSORS);
    device->l2_bytes = gpu_attribute(api, id, CUDA_L2_BYTES);
    device->max_group_size = gpu_attribute(api, id, CUDA_MAX_THREADS_PER_BLOCK);
    device->sub_group_size = gpu_attribute(api, id, CUDA_WARP_SIZE);
    driver->describe(api, software, id, device);
    return STATUS_OK;
}

/* The same for count devices, from number `first` on. */
static enum status describe_all(const struct gpu_api *api, unsigned first, size_t count, struct backend_device *devices,
                                struct error *error)
{
    struct gpu_software software = {0};
    api->driver->describe_software(api, &software);
    for (unsigned i = 0; i < count; i++)
        TRY(session_describe(api, &software, first + i, &devices[i], error));
    return STATUS_OK;
}

enum status gpu_list(const struct gpu_driver *driver, struct backend_device **devices, size_t *count,
                     struct error *error)
{
    struct gpu_api api;
    int found = 0;
    *devices = NULL;
    *count = 0;
    TRY(driver->open(&api, error));
    const unsigned code = api.cuDeviceGetCount(&found);
    if (code != 0 || found <= 0)
        return error_set(error, STATUS_NO_DEVICE, "the %s driver finds no GPU: %s; check %s", driver->title,
                         gpu_error_name(&api, code), driver->hiding_variable);
    *devices = memory_take((size_t)found, sizeof **devices);
    const enum status status = describe_all(&api, 0, (size_t)found, *devices, error);
    if (status == STATUS_OK) {
        *count = (size_t)found;
    } else {
        free(*devices);
        *devices = NULL;
    }
    return status;
}

enum status gpu_start(const struct gpu_driver *driver, struct gpu_session *session, unsigned index, struct error *error)
{
    const struct backend_device *device = &session->device;
    const char *name = driver->backend->name;
    int count = 0;
    session->device.index = index; /* for messages about failures */
    (void)snprintf(session->device.backend, sizeof session->device.backend, "%s", name);
    TRY(driver->open(&session->api, error));
    CALL(session, cuDeviceGetCount, &count);
    if (index >= (unsigned)count)
        return error_set(error, STATUS_NO_DEVICE, "there is no %s:%u: the %s driver finds %d device(s)", name, index,
                         driver->title, count);
    TRY(describe_all(&session->api, index, 1, &session->device, error));
    if (!device->takes)
        return error_set(error, STATUS_UNSUPPORTED, "%s:%u (%s) is %s; %s", name, index, device->name,
                         device->architecture, driver->lacks);
    CALL(session, cuDeviceGet, &session->id, (int)index);
    CALL(session, cuDevicePrimaryCtxRetain, &session->context, session->id);
    CALL(session, cuCtxSetCurrent, session->context);
    CALL(session, cuStreamCreate, &session->stream, CUDA_STREAM_NON_BLOCKING);
    return STATUS_OK;
}

void gpu_close(struct backend_session *opened)
{
    struct gpu_session *session = gpu_session(opened);
    if (!session)
        return;
    gpu_release_streams(&session->api, &session->streams);
    if (session->stream)
        (void)session->api.cuStreamDestroy(session->stream);
    if (session->context)
        (void)session->api.cuDevicePrimaryCtxRelease(session->id);
    free(session);
}

/* Returns the driver's code. */
static unsigned free_buffer(const struct gpu_session *session, struct gpu_program *program, enum driver_buffer which)
{
    const unsigned long long old = program->buffers[which];
    program->buffers[which] = 0;
    program->words[which] = 0;
    if (which == DRIVER_MEMORY && program->mapped.bytes > 0) {
        gpu_memory_free(&session->api, &program->mapped);
        return 0;
    }
    return old ? session->api.cuMemFree(old) : 0;
}

void gpu_release(struct backend_session *opened, struct backend_program *built)
{
    struct gpu_session *session = gpu_session(opened);
    struct gpu_program *program = gpu_program(built);
    if (!program)
        return;
    for (enum driver_buffer i = 0; i < DRIVER_BUFFERS; i++)
        (void)free_buffer(session, program, i);
    gpu_release_spare(&session->api, &program->spare);
    if (program->module)
        (void)session->api.cuModuleUnload(program->module);
    text_release(&program->machine_code);
    free(program);
}

static struct gpu_paths_of paths_of(const struct gpu_session *session, const struct gpu_program *program,
                                    unsigned *code)
{
    return (struct gpu_paths_of){.api = &session->api,
                                 .device = &session->device,
                                 .id = session->id,
                                 .module = program->module,
                                 .stream = session->stream,
                                 .paths = program->paths,
                                 .aliases = program->aliases,
                                 .code = code};
}

enum status gpu_finish_program(struct gpu_session *session, const struct backend_source *source,
                               struct gpu_program *program, struct error *error)
{
    program->shared_allowed = session->api.driver->shared_unasked;
    CALL(session, cuModuleGetFunction, &program->function, program->module, "orchil");
    /* The constant memory for draws, which the kernels of some backends have. */
    const unsigned code = session->api.cuModuleGetGlobal(&program->constant_draw, &program->constant_bytes,
                                                         program->module, "orchil_draw");
    if (code != 0)
        program->constant_draw = 0;
    if (code != 0 && code != CUDA_NOT_FOUND)
        return call_failed(session, "cuModuleGetGlobal", code, error);
    program->paths = source->paths;
    program->aliases = source->aliases;
    if (source->paths & ~session->device.paths)
        return error_set(error, STATUS_UNSUPPORTED, "the driver of %s:%u (%s) lacks a path to memory that %s needs",
                         session->device.backend, session->device.index, session->device.name, source->name);
    unsigned result = 0;
    const struct gpu_paths_of of = paths_of(session, program, &result);
    return source->paths & BACKEND_PATH_CONSTANT ? gpu_paths_set_bank(&of, error) : STATUS_OK;
}

static enum status zero_buffer(const struct gpu_session *session, const struct gpu_program *program,
                               enum driver_buffer which, struct error *error)
{
    CALL(session, cuMemsetD32Async, program->buffers[which], 0, program->words[which], session->stream);
    return STATUS_OK;
}

/* Memory at several addresses, zero at first. Nothing is running, because each launch is waited for. */
static enum status map_memory(const struct gpu_session *session, struct gpu_program *program, size_t words,
                              struct error *error)
{
    unsigned code = 0;
    const struct gpu_paths_of of = paths_of(session, program, &code);
    enum status status = gpu_memory_make(&of, words, &program->mapped, error);
    if (gpu_error_is_loss(code))
        return call_failed(session, "mapping memory", code, error);
    program->buffers[DRIVER_MEMORY] = program->mapped.addresses[0];
    program->words[DRIVER_MEMORY] = words;
    THEN(status, zero_buffer(session, program, DRIVER_MEMORY, error));
    if (status != STATUS_OK && status != STATUS_DEVICE_LOST)
        (void)free_buffer(session, program, DRIVER_MEMORY);
    return status;
}

static enum status grow_buffer(struct gpu_session *session, struct gpu_program *program, enum driver_buffer which,
                               size_t words, struct error *error)
{
    if (words <= program->words[which])
        return STATUS_OK;
    const unsigned freed = free_buffer(session, program, which);
    if (freed != 0)
        return call_failed(session, "cuMemFree", freed, error);
    if (which == DRIVER_MEMORY && gpu_paths_need_mapping(program->paths))
        return map_memory(session, program, words, error);
    const unsigned code = session->api.cuMemAlloc(&program->buffers[which], words * sizeof(uint32_t));
    if (code != 0) {
        program->buffers[which] = 0;
        if (gpu_error_is_loss(code))
            return call_failed(session, "cuMemAlloc", code, error);
        return driver_buffer_refused(&session->device, which, words, gpu_error_name(&session->api, code), error);
    }
    program->words[which] = words;
    const enum status status = zero_buffer(session, program, which, error);
    if (status != STATUS_OK)
        program->words[which] = 0; /* not zeroed: the next launch creates it again */
    return status;
}

/* A kernel may use more shared memory than usual only after a request. */
static enum status allow_shared(const struct gpu_session *session, struct gpu_program *program, size_t bytes,
                                struct error *error)
{
    if (bytes <= program->shared_allowed)
        return STATUS_OK;
    if (bytes > session->device.local_bytes)
        return error_set(error, STATUS_DEVICE_FAILED, "%s:%u (%s) has %zu bytes of shared memory, not %zu",
                         session->device.backend, session->device.index, session->device.name,
                         (size_t)session->device.local_bytes, bytes);
    CALL(session, cuFuncSetAttribute, program->function, CUDA_MAX_DYNAMIC_SHARED, (int)bytes);
    program->shared_allowed = bytes;
    return STATUS_OK;
}

static struct gpu_kernel kernel_of(const struct gpu_session *session, const struct gpu_program *program,
                                   const struct backend_launch *launch)
{
    return (struct gpu_kernel){.api = &session->api,
                               .device = &session->device,
                               .function = program->function,
                               .groups = launch->groups,
                               .group_size = launch->group_size,
                               .cluster_groups = launch->cluster_groups,
                               .local_bytes = launch->local_bytes};
}

static enum status reserve_buffers(struct gpu_session *session, struct gpu_program *program,
                                   const struct backend_launch *launch, struct error *error)
{
    size_t words[DRIVER_BUFFERS];
    TRY(driver_buffer_words(launch, words, error));
    for (enum driver_buffer i = 0; i < DRIVER_BUFFERS; i++)
        TRY(grow_buffer(session, program, i, words[i], error));
    return allow_shared(session, program, launch->local_bytes, error);
}

/* What a kernel reads at its start: the draw, and zeroed counters. */
static enum status fill_buffers(const struct gpu_session *session, const struct gpu_program *program,
                                const struct backend_launch *launch, struct error *error)
{
    const unsigned long long draw = program->constant_draw ? program->constant_draw : program->buffers[DRIVER_DRAW];
    const size_t bytes = launch->draw_words * sizeof *launch->draw;
    if (program->constant_draw && bytes > program->constant_bytes)
        return error_set(error, STATUS_LIMIT, "a draw has %zu bytes, and the kernel's constant memory %zu", bytes,
                         program->constant_bytes);
    if (bytes > 0)
        CALL(session, cuMemcpyHtoDAsync, draw, launch->draw, bytes, session->stream);
    return launch->clear_counters ? zero_buffer(session, program, DRIVER_COUNTERS, error) : STATUS_OK;
}

/* For a launch concurrent with others: everything except starting the kernel and reading its results. */
enum status gpu_reserve(struct backend_session *opened, struct backend_program *built,
                        const struct backend_launch *launch, struct error *error)
{
    struct gpu_session *session = gpu_session(opened);
    struct gpu_program *program = gpu_program(built);
    TRY(reserve_buffers(session, program, launch, error));
    const enum status status = fill_buffers(session, program, launch, error);
    CALL(session, cuStreamSynchronize, session->stream); /* also after a failure: the draw belongs to the caller */
    return status;
}

static enum status queue_launch(struct gpu_session *session, struct gpu_program *program,
                                const struct backend_launch *launch, struct error *error)
{
    void *parameters[DRIVER_BUFFERS];
    unsigned long long shared = launch->memory_address;
    if (shared == 0) { /* else gpu_reserve did that */
        TRY(reserve_buffers(session, program, launch, error));
        TRY(fill_buffers(session, program, launch, error));
    }
    for (enum driver_buffer i = 0; i < DRIVER_BUFFERS; i++)
        parameters[i] = i == DRIVER_MEMORY && shared != 0 ? &shared : &program->buffers[i];
    const struct gpu_kernel kernel = kernel_of(session, program, launch);
    TRY(gpu_start_kernel(&kernel, session->stream, parameters, error));
    /* A copy to pageable memory waits for the kernel inside the driver, which may block calls of other sessions. */
    if (shared != 0)
        CALL(session, cuStreamSynchronize, session->stream);
    if (launch->read_words > 0)
        CALL(session, cuMemcpyDtoHAsync, launch->counters, program->buffers[DRIVER_COUNTERS],
             launch->read_words * sizeof *launch->counters, session->stream);
    return STATUS_OK;
}

/* Also after a failure: the caller's draw and counters must not be accessed after the return. */
static enum status settle(const struct gpu_session *session, enum status status, struct error *error)
{
    const unsigned code = session->api.cuStreamSynchronize(session->stream);
    return code != 0 && (status == STATUS_OK || gpu_error_is_loss(code))
               ? call_failed(session, "the kernel", code, error)
               : status;
}

enum status gpu_launch(struct backend_session *opened, struct backend_program *built,
                       const struct backend_launch *launch, double *seconds, struct error *error)
{
    struct gpu_session *session = gpu_session(opened);
    const double start = clock_seconds();
    const enum status status = settle(session, queue_launch(session, gpu_program(built), launch, error), error);
    *seconds = clock_seconds() - start;
    return status;
}

/* The buffer for draws holds one draw per step. */
static enum status queue_play(struct gpu_session *session, struct gpu_program *program,
                              const struct backend_launch *launch, const struct steps_plan *plan, struct error *error)
{
    struct backend_launch all = *launch;
    struct gpu_playing playing = {.kernel = kernel_of(session, program, launch),
                                  .stream = session->stream,
                                  .streams = &session->streams,
                                  .spare = &program->spare,
                                  .draw_words = launch->draw_words,
                                  .memory_words = launch->memory_words > 0 ? launch->memory_words : 1};
    all.draw_words = plan->count * gpu_draw_stride(launch->draw_words);
    TRY(reserve_buffers(session, program, &all, error));
    memcpy(playing.buffers, program->buffers, sizeof playing.buffers);
    if (launch->memory_address != 0)
        playing.buffers[DRIVER_MEMORY] = launch->memory_address;
    if (launch->clear_counters)
        TRY(zero_buffer(session, program, DRIVER_COUNTERS, error));
    TRY(gpu_play(&playing, plan, error));
    if (launch->read_words > 0)
        CALL(session, cuMemcpyDtoHAsync, launch->counters, program->buffers[DRIVER_COUNTERS],
             launch->read_words * sizeof *launch->counters, session->stream);
    return STATUS_OK;
}

enum status gpu_play_steps(struct backend_session *opened, struct backend_program *built,
                           const struct backend_launch *launch, const struct backend_step *steps, size_t count,
                           double *seconds, struct error *error)
{
    struct gpu_session *session = gpu_session(opened);
    const double start = clock_seconds();
    struct steps_plan plan;
    *seconds = 0;
    TRY(steps_plan(&session->device, launch, steps, count, &plan, error));
    const enum status status = settle(session, queue_play(session, gpu_program(built), launch, &plan, error), error);
    *seconds = clock_seconds() - start;
    return status;
}

/* ---- memory that is shared with others ---- */

/* Memory that kernels of several sessions reach while they run: plain memory of one GPU, to which another has peer
 * access (CUDA Driver API, "Peer Context Memory Access"), and host pages that are pinned and mapped ("Memory
 * Management", cuMemHostRegister). Managed memory, which migrates, and multicast are never used. */

static enum status check_driver(const struct gpu_session *session, struct error *error)
{
    return session->api.cuMemHostRegister
               ? STATUS_OK
               : error_set(error, STATUS_UNSUPPORTED,
                           "the driver of %s:%u (%s) lacks the functions for sharing "
                           "memory",
                           session->device.backend, session->device.index, session->device.name);
}

enum status gpu_zero_memory(struct backend_session *opened, uint64_t address, size_t words, struct error *error)
{
    const struct gpu_session *session = gpu_session(opened);
    CALL(session, cuMemsetD32Async, address, 0, words, session->stream);
    CALL(session, cuStreamSynchronize, session->stream);
    return STATUS_OK;
}

enum status gpu_share_memory(struct backend_session *opened, size_t bytes, struct backend_shared *shared,
                             struct error *error)
{
    const struct gpu_session *session = gpu_session(opened);
    const size_t words = (bytes + sizeof(uint32_t) - 1) / sizeof(uint32_t);
    unsigned long long address;
    *shared = (struct backend_shared){0};
    TRY(check_driver(session, error));
    if (session->api.allocate_shared)
        CALL(session, allocate_shared, &address, words * sizeof(uint32_t));
    else
        CALL(session, cuMemAlloc, &address, words * sizeof(uint32_t));
    const enum status status = gpu_zero_memory(opened, address, words, error);
    if (status != STATUS_OK) {
        (void)session->api.cuMemFree(address);
        return status;
    }
    *shared = (struct backend_shared){.owner = session->api.driver->backend,
                                      .index = session->device.index,
                                      .address = address,
                                      .bytes = bytes,
                                      .handle = session->context};
    return STATUS_OK;
}

/* The addresses of all GPUs are in one address space: a peer's memory has its owner's address (CUDA Driver API,
 * "Unified Addressing"). */
static enum status reach_peer(const struct gpu_session *session, const struct backend_shared *shared, uint64_t *address,
                              struct error *error)
{
    int peer, can = 0;
    CALL(session, cuDeviceGet, &peer, (int)shared->index);
    CALL(session, cuDeviceCanAccessPeer, &can, session->id, peer);
    if (!can)
        return error_set(error, STATUS_UNSUPPORTED,
                         "%s:%u (%s) has no peer access to %s:%u, says the driver; %s lists the GPUs that have it",
                         session->device.backend, session->device.index, session->device.name, session->device.backend,
                         shared->index, session->api.driver->is_hip ? "rocm-smi --showtopo" : "nvidia-smi topo -p2p r");
    const unsigned code = session->api.cuCtxEnablePeerAccess(shared->handle, 0);
    if (code != 0 && code != CUDA_PEER_ACCESS_IS_ENABLED)
        return call_failed(session, "cuCtxEnablePeerAccess", code, error);
    *address = shared->address;
    return STATUS_OK;
}

/* Another session may already have pinned the same pages for all contexts. */
static enum status reach_host(const struct gpu_session *session, const struct backend_shared *shared, uint64_t *address,
                              struct error *error)
{
    unsigned long long found = 0;
    const unsigned code = session->api.cuMemHostRegister(shared->host, host_memory_size(shared->bytes),
                                                         CUDA_REGISTER_PORTABLE | CUDA_REGISTER_MAPPED);
    if (code != 0 && code != CUDA_IS_REGISTERED)
        return call_failed(session, "cuMemHostRegister", code, error);
    const unsigned result = session->api.cuMemHostGetDevicePointer(&found, shared->host, 0);
    if (result != 0) {
        if (code == 0)
            (void)session->api.cuMemHostUnregister(shared->host);
        return call_failed(session, "cuMemHostGetDevicePointer", result, error);
    }
    *address = found;
    return STATUS_OK;
}

enum status gpu_reach_memory(struct backend_session *opened, const struct backend_shared *shared, uint64_t *address,
                             struct error *error)
{
    const struct gpu_session *session = gpu_session(opened);
    TRY(check_driver(session, error));
    if (shared->owner == session->api.driver->backend)
        return reach_peer(session, shared, address, error);
    if (shared->host)
        return reach_host(session, shared, address, error);
    return error_set(error, STATUS_UNSUPPORTED, "%s:%u (%s) cannot access memory on %s:%u", session->device.backend,
                     session->device.index, session->device.name, shared->owner->name, shared->index);
}

/* Peer access stays enabled, because other memory may be reached by it; it ends with the context. Several sessions may
 * have pinned the same pages: only the first to unpin them succeeds. */
void gpu_forget_memory(struct backend_session *opened, const struct backend_shared *shared)
{
    const struct gpu_session *session = gpu_session(opened);
    if (shared->host)
        (void)session->api.cuMemHostUnregister(shared->host);
    else if (shared->owner == session->api.driver->backend && shared->handle == session->context)
        (void)session->api.cuMemFree(shared->address);
}

bool gpu_describe_link_to(struct backend_session *opened, const struct backend_shared *shared, struct text *text)
{
    const struct gpu_session *session = gpu_session(opened);
    int peer, native = 0;
    const bool is_peer = shared->owner == session->api.driver->backend;
    const bool known =
        is_peer ? session->api.cuDeviceGet(&peer, (int)shared->index) == 0 &&
                      session->api.cuDeviceGetP2PAttribute(&native, CUDA_PEER_NATIVE_ATOMICS, session->id, peer) == 0
                : session->api.cuDeviceGetAttribute(&native, CUDA_HOST_NATIVE_ATOMICS, session->id) == 0;
    text_add(text, "%s%s", is_peer ? "peer access" : "pinned memory",
             !known   ? ""
             : native ? ", native atomics"
                      : ", no native atomics");
    return known && native;
}

/* ---- what a launch may have ---- */

unsigned gpu_resident(struct backend_session *opened, struct backend_program *built, UNUSED unsigned member,
                      unsigned group_size, unsigned cluster_groups, size_t local_bytes)
{
    struct gpu_session *session = gpu_session(opened);
    struct gpu_program *program = gpu_program(built);
    if (group_size > session->device.max_group_size || allow_shared(session, program, local_bytes, NULL) != STATUS_OK)
        return 0;
    const struct backend_launch shape = {
        .group_size = group_size, .cluster_groups = cluster_groups, .local_bytes = local_bytes};
    const struct gpu_kernel kernel = kernel_of(session, program, &shape);
    return gpu_count_resident(&kernel);
}

void gpu_machine_code(struct backend_session *opened, struct backend_program *built, unsigned member, struct text *code)
{
    struct gpu_program *program = gpu_program(built);
    (void)opened, (void)member;
    text_add_bytes(code, text_string(&program->machine_code), program->machine_code.size);
}
