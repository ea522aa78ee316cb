// SPDX-License-Identifier: Apache-2.0
/* The WebGPU backend: the device of a library with the C API of WebGPU (Dawn, wgpu-native), opened at run time. It
 * plays the kernels that a page of `orchil web` plays in a browser. */
#include <dlfcn.h>

#include "backends/driver.h"
#include "backends/webgpu/recorded.h"
#include "backends/webgpu/symbols.h"
#include "backends/webgpu/wgsl.h"

#define WEBGPU_VARIABLE "ORCHIL_WEBGPU"

#define WEBGPU_MEMBER(result, name, parameters) result(*name) parameters;
#define WEBGPU_RELEASE(object) WEBGPU_MEMBER(void, object##Release, (void *))
struct webgpu_library {
    WEBGPU_FUNCTIONS(WEBGPU_MEMBER) WEBGPU_RELEASES(WEBGPU_RELEASE) void *handle, *instance;
};

/* As in webgpu.h. */
_Static_assert(sizeof(struct webgpu_limits) == 152 && offsetof(struct webgpu_limits, local_bytes) == 124, "limits");
_Static_assert(sizeof(struct webgpu_device) == 144 && sizeof(struct webgpu_adapter_info) == 96, "device");
_Static_assert(sizeof(struct webgpu_bind_group_layout_entry) == 120, "layout");

/* The kernel's buffers as the prelude binds them; the last one has the words that tests access plainly. */
enum { WEBGPU_PLAIN = DRIVER_BUFFERS, WEBGPU_BUFFERS };

enum {
    WEBGPU_PIPELINES = 8, /* that a program keeps */
    WEBGPU_POLL_MICROSECONDS = 50
};

struct webgpu_session {
    struct webgpu_library library;
    struct backend_device device;
    struct webgpu_limits limits;
    void *logical, *queue, *group_layout, *layout;
    char said[4096]; /* the first error since one was reported */
    char lost[256];  /* why the device was lost */
};

struct webgpu_words {
    void *buffer;
    size_t count;
};

struct webgpu_program {
    void *module, *group;
    bool plain; /* the test uses the last buffer */
    struct webgpu_words words[WEBGPU_BUFFERS], read;
    unsigned made; /* pipelines */
    struct webgpu_pipeline {
        void *handle;
        uint32_t group_size, local_words;
    } pipelines[WEBGPU_PIPELINES];
};

static struct webgpu_session *webgpu_session(struct backend_session *opened)
{
    return (struct webgpu_session *)opened;
}

static void webgpu_copy(char *to, size_t size, struct webgpu_word word)
{
    (void)snprintf(to, size, "%.*s", (int)word.size, word.data ? word.data : "");
}

static void webgpu_drop(void (*release)(void *), void **handle)
{
    if (*handle)
        release(*handle);
    *handle = NULL;
}

/* ---- the library ---- */

static enum status webgpu_library_open(struct webgpu_library *library, struct error *error)
{
#define WEBGPU_SYMBOL(result, name, parameters) {"wgpu" #name, offsetof(struct webgpu_library, name)},
#define WEBGPU_RELEASE_SYMBOL(object) WEBGPU_SYMBOL(void, object##Release, )
    static const struct driver_symbol symbols[] = {WEBGPU_FUNCTIONS(WEBGPU_SYMBOL)
                                                       WEBGPU_RELEASES(WEBGPU_RELEASE_SYMBOL)};
    static const char *const usual[] = {"libwebgpu_dawn.so", "libwebgpu.so", "libwgpu_native.so"};
    const char *const named = getenv(WEBGPU_VARIABLE);
    driver_disable_caches();
    for (size_t i = 0; i < (named ? 1 : COUNT(usual)) && !library->handle; i++)
        library->handle = dlopen(named ? named : usual[i], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library->handle && named)
        return error_set(error, STATUS_NO_DEVICE, WEBGPU_VARIABLE ": %s", dlerror());
    if (!library->handle)
        return error_set(error, STATUS_NO_DEVICE,
                         "no library of WebGPU: install libwebgpu_dawn.so, or name one in " WEBGPU_VARIABLE);
    const char *lacking = driver_load_symbols(library->handle, library, symbols, COUNT(symbols));
    if (lacking)
        return error_set(error, STATUS_NO_DEVICE, "%s has no %s: expected a WebGPU library of May 2025 or later",
                         driver_library_path(library->handle), lacking);
    library->instance = library->CreateInstance(NULL);
    return library->instance ? STATUS_OK : error_set(error, STATUS_NO_DEVICE, "wgpuCreateInstance failed");
}

/* What a callback brings. */
struct webgpu_answer {
    bool arrived;
    void *handle; /* NULL: the call failed */
    char said[512];
};

static void take_handle(UNUSED uint32_t status, void *handle, struct webgpu_word said, void *to, UNUSED void *unused)
{
    struct webgpu_answer *answer = to;
    webgpu_copy(answer->said, sizeof answer->said, said);
    answer->handle = handle;
    answer->arrived = true;
}

static void take_mapped(uint32_t status, struct webgpu_word said, void *to, void *unused)
{
    take_handle(status, status == WEBGPU_SUCCESS ? to : NULL, said, to, unused);
}

static struct webgpu_callback webgpu_answered(struct webgpu_answer *answer)
{
    *answer = (struct webgpu_answer){.arrived = false};
    return (struct webgpu_callback){.mode = WEBGPU_PROCESS_EVENTS, .call.handle = take_handle, .to = answer};
}

/* Lets the library work until the answer is there. A processor that plays a kernel needs its cores for that. */
static void webgpu_await(const struct webgpu_library *library, bool pauses, const struct webgpu_answer *answer)
{
    for (; !answer->arrived; library->InstanceProcessEvents(library->instance))
        if (pauses)
            (void)usleep(WEBGPU_POLL_MICROSECONDS);
}

/* ---- the device ---- */

/* Reads into a larger space, in which an older library leaves the last limit out. */
static bool read_limits(const struct webgpu_library *library, void *adapter, struct webgpu_limits *limits)
{
    struct {
        struct webgpu_limits limits;
        uint32_t after[32];
    } space;
    memset(&space, 0xee, sizeof space);
    space.limits.next = NULL;
    const bool read = library->AdapterGetLimits(adapter, &space.limits) == WEBGPU_SUCCESS;
    *limits = space.limits;
    return read && limits->immediate_bytes != space.after[COUNT(space.after) - 1];
}

/* The API has no list of adapters, only the best one. */
static enum status find_adapter(struct webgpu_session *session, void **adapter, struct webgpu_adapter_info *info,
                                struct error *error)
{
    static const struct webgpu_request_adapter_options options = {
        .level = WEBGPU_CORE, .power = WEBGPU_HIGH_PERFORMANCE, .backend = WEBGPU_VULKAN};
    const struct webgpu_library *library = &session->library;
    const char *path = driver_library_path(library->handle);
    struct webgpu_answer answer;
    (void)library->InstanceRequestAdapter(library->instance, &options, webgpu_answered(&answer));
    webgpu_await(library, true, &answer);
    *adapter = answer.handle;
    if (!*adapter || library->AdapterGetInfo(*adapter, info) != WEBGPU_SUCCESS)
        return error_set(error, STATUS_NO_DEVICE, "%s finds no Vulkan device: %s", path, answer.said);
    return read_limits(library, *adapter, &session->limits)
               ? STATUS_OK
               : error_set(error, STATUS_NO_DEVICE,
                           "%s has fewer limits: expected a WebGPU library of May 2025 or later", path);
}

/* WebGPU tells no number of compute units. A kernel has two arrays in local memory, and a word. */
static enum status webgpu_find(struct webgpu_session *session, void **adapter, struct error *error)
{
    struct webgpu_adapter_info info = {.next = NULL};
    const struct webgpu_limits *limits = &session->limits;
    struct backend_device *device = &session->device;
    TRY(webgpu_library_open(&session->library, error));
    TRY(find_adapter(session, adapter, &info, error));
    *device = (struct backend_device){
        .backend = "webgpu",
        .takes = BACKEND_TAKES_WGSL,
        .atomic_orders = BACKEND_ORDER_RELAXED,
        .atomic_scopes = BACKEND_SCOPE_WORK_GROUP | BACKEND_SCOPE_DEVICE,
        .gpu = info.type != WEBGPU_CPU,
        .compute_units = info.type == WEBGPU_CPU ? (unsigned)sysconf(_SC_NPROCESSORS_ONLN) : 0,
        .max_group_size = limits->group_items < limits->group_x ? limits->group_items : limits->group_x,
        .sub_group_size = 1,
        .local_bytes = limits->local_bytes / 2 - DRIVER_LOCAL_STEP * sizeof(uint32_t),
        .memory_bytes = limits->storage_bytes < limits->buffer_bytes ? limits->storage_bytes : limits->buffer_bytes};
    webgpu_copy(device->name, sizeof device->name, info.device.size > 0 ? info.device : info.description);
    webgpu_copy(device->vendor, sizeof device->vendor, info.vendor);
    webgpu_copy(device->driver, sizeof device->driver, info.description);
    webgpu_copy(device->architecture, sizeof device->architecture, info.architecture);
    const char *path = driver_library_path(session->library.handle), *file = strrchr(path, '/');
    driver_copy(device->compiler, sizeof device->compiler, file ? file + 1 : path);
    (void)snprintf(device->platform, sizeof device->platform, "%s, Vulkan", device->compiler);
    return STATUS_OK;
}

static void webgpu_end(struct webgpu_session *session)
{
    struct webgpu_library *library = &session->library;
    webgpu_drop(library->PipelineLayoutRelease, &session->layout);
    webgpu_drop(library->BindGroupLayoutRelease, &session->group_layout);
    webgpu_drop(library->QueueRelease, &session->queue);
    webgpu_drop(library->DeviceRelease, &session->logical);
    webgpu_drop(library->InstanceRelease, &library->instance);
}

static enum status webgpu_list(struct backend_device **devices, size_t *count, struct error *error)
{
    struct webgpu_session session = {.queue = NULL};
    void *adapter;
    const enum status status = webgpu_find(&session, &adapter, error);
    *count = status == STATUS_OK;
    *devices = status == STATUS_OK ? memory_take(1, sizeof **devices) : NULL;
    if (status == STATUS_OK)
        **devices = session.device;
    webgpu_end(&session);
    return status;
}

static void webgpu_explain(struct text *text)
{
    text_add(text, "WebGPU\n");
    (void)driver_explain_devices(&webgpu_backend, "", text);
    text_add(text, "  browsers play tests on a page: `orchil web` writes it, `orchil import` reads its results\n");
}

/* ---- sessions ---- */

static void note_error(UNUSED void *const *device, UNUSED uint32_t kind, struct webgpu_word said, void *to,
                       UNUSED void *unused)
{
    struct webgpu_session *session = to;
    if (session->said[0] == '\0')
        webgpu_copy(session->said, sizeof session->said, said);
}

static void note_loss(UNUSED void *const *device, uint32_t reason, struct webgpu_word said, void *to,
                      UNUSED void *unused)
{
    struct webgpu_session *session = to;
    if (reason == WEBGPU_LOST)
        webgpu_copy(session->lost, sizeof session->lost, said.size > 0 ? said : (struct webgpu_word){"no reason", 9});
    session->lost[strcspn(session->lost, "\n")] = '\0'; /* then where in the library */
}

/* Reports what the library has said of the calls since the last check. *log: what it said in full, if not NULL. */
static enum status webgpu_check(struct webgpu_session *session, const char *call, struct text *log, struct error *error)
{
    session->library.InstanceProcessEvents(session->library.instance);
    if (log && session->said[0])
        text_add(log, "%s\n", session->said);
    for (char *end = session->said; (end = strchr(end, '\n')) != NULL;)
        *end = ' ';
    const enum status status =
        session->lost[0]   ? driver_call_failed(&session->device, call, "an error", session->lost, error)
        : session->said[0] ? driver_call_failed(&session->device, call, session->said, NULL, error)
                           : STATUS_OK;
    session->said[0] = '\0';
    return status;
}

/* With the adapter's own limits. Dawn leaves out its checks of indices, which no kernel needs. */
static enum status open_device(struct webgpu_session *session, void *adapter, struct error *error)
{
    static const char *const unneeded[] = {"disable_robustness"};
    static const struct webgpu_toggles toggles = {{.type = WEBGPU_TOGGLES}, COUNT(unneeded), unneeded, 0, NULL};
    const struct webgpu_device options = {
        .head.next = dlsym(session->library.handle, "wgpuDeviceTick") ? &toggles.link : NULL,
        .limits = &session->limits,
        .lost = {.mode = WEBGPU_PROCESS_EVENTS, .call.trouble = note_loss, .to = session},
        .error = note_error,
        .to = session};
    struct webgpu_answer answer;
    (void)session->library.AdapterRequestDevice(adapter, &options, webgpu_answered(&answer));
    webgpu_await(&session->library, true, &answer);
    session->logical = answer.handle;
    return answer.handle ? STATUS_OK
                         : driver_call_failed(&session->device, "wgpuAdapterRequestDevice", answer.said, NULL, error);
}

static enum status webgpu_start(struct backend_session *opened, unsigned index, struct error *error)
{
    struct webgpu_session *session = webgpu_session(opened);
    struct webgpu_library *library = &session->library;
    struct webgpu_bind_group_layout_entry entries[WEBGPU_BUFFERS];
    void *adapter;
    if (index > 0)
        return error_set(error, STATUS_NO_DEVICE, "there is no webgpu:%u: WebGPU shows one device, webgpu:0", index);
    TRY(webgpu_find(session, &adapter, error));
    TRY(open_device(session, adapter, error));
    session->queue = library->DeviceGetQueue(session->logical);
    for (uint32_t i = 0; i < WEBGPU_BUFFERS; i++)
        entries[i] = (struct webgpu_bind_group_layout_entry){
            .binding = i, .stages = WEBGPU_IN_COMPUTE, .type = i == DRIVER_DRAW ? WEBGPU_READ_ONLY : WEBGPU_WRITABLE};
    session->group_layout = library->DeviceCreateBindGroupLayout(
        session->logical, &(struct webgpu_layout){.count = WEBGPU_BUFFERS, .entries = entries});
    session->layout = library->DeviceCreatePipelineLayout(
        session->logical, &(struct webgpu_layout){.count = 1, .entries = &session->group_layout});
    return webgpu_check(session, "wgpuDeviceCreatePipelineLayout", NULL, error);
}

static void webgpu_close(struct backend_session *opened)
{
    webgpu_end(webgpu_session(opened));
    free(opened);
}

/* ---- programs ---- */

/* To WGSL, of which each device makes its own code. */
static enum status webgpu_compile(UNUSED struct backend_session *opened, const struct backend_source *source,
                                  struct backend_code *code, struct error *error)
{
    if (source->code)
        text_add_bytes(&code->bytes, source->code, source->code_size);
    else
        TRY(wgsl_translate(source->kernel, &code->bytes, error));
    code->portable = code->bytes.size;
    driver_copy(code->compiler, sizeof code->compiler, "orchil");
    driver_copy(code->options, sizeof code->options, "none");
    driver_copy(code->target, sizeof code->target, "WGSL");
    return STATUS_OK;
}

/* The pipeline for such launches. It stays valid until WEBGPU_PIPELINES others were asked for. */
static void *find_pipeline(struct webgpu_session *session, struct webgpu_program *program, uint32_t group_size,
                           size_t local_bytes)
{
    const uint32_t words = driver_local_words(local_bytes);
    const struct webgpu_constant_entry constants[] = {{.name = {"GROUP_SIZE", 10}, .value = group_size},
                                                      {.name = {"LOCAL_WORDS", 11}, .value = words}};
    struct webgpu_pipeline *own = FIRST_OF(one, program->pipelines, WEBGPU_PIPELINES,
                                           one->handle && one->group_size == group_size && one->local_words == words);
    if (own)
        return own->handle;
    own = &program->pipelines[program->made++ % WEBGPU_PIPELINES];
    webgpu_drop(session->library.ComputePipelineRelease, &own->handle);
    *own = (struct webgpu_pipeline){NULL, group_size, words};
    own->handle = session->library.DeviceCreateComputePipeline(
        session->logical, &(struct webgpu_compute_pipeline){.layout = session->layout,
                                                            .module = program->module,
                                                            .entry = {"main", 4},
                                                            .constant_count = COUNT(constants),
                                                            .constants = constants});
    return own->handle;
}

static enum status webgpu_fill(struct backend_session *opened, const struct backend_source *source,
                               struct backend_program *built, struct text *log, UNUSED struct text *binary,
                               struct error *error)
{
    struct webgpu_session *session = webgpu_session(opened);
    struct webgpu_program *program = (struct webgpu_program *)built;
    struct backend_code code = {.portable = 0};
    const size_t start = log->size;
    enum status status = webgpu_compile(opened, source, &code, error);
    const struct webgpu_shader_source_wgsl wgsl = {{.type = WEBGPU_WGSL}, {text_string(&code.bytes), code.bytes.size}};
    if (status == STATUS_OK) {
        program->plain = strstr(text_string(&code.bytes), "plain[");
        program->module =
            session->library.DeviceCreateShaderModule(session->logical, &(struct webgpu_head){.next = &wgsl.link});
        if (session->said[0] == '\0' && !strstr(text_string(&code.bytes), "fn main("))
            driver_copy(session->said, sizeof session->said, "it has no function main");
        status = webgpu_check(session, "wgpuDeviceCreateShaderModule", log, error);
    }
    backend_code_release(&code);
    if (status != STATUS_DEVICE_FAILED)
        return status;
    (void)error_set(error, STATUS_BUILD_FAILED, "webgpu:%u (%s, driver %s) refused the kernel of %s",
                    session->device.index, session->device.name, session->device.driver, source->name);
    error_set_detail(error, text_string(log) + start);
    return STATUS_BUILD_FAILED;
}

static void webgpu_release(struct backend_session *opened, struct backend_program *built)
{
    struct webgpu_library *library = &webgpu_session(opened)->library;
    FREED struct webgpu_program *program = (struct webgpu_program *)built;
    FOR_EACH(struct webgpu_pipeline, pipeline, program->pipelines, WEBGPU_PIPELINES)
        webgpu_drop(library->ComputePipelineRelease, &pipeline->handle);
    FOR_EACH(struct webgpu_words, words, program->words, WEBGPU_BUFFERS)
        webgpu_drop(library->BufferRelease, &words->buffer);
    webgpu_drop(library->BufferRelease, &program->read.buffer);
    webgpu_drop(library->BindGroupRelease, &program->group);
    webgpu_drop(library->ShaderModuleRelease, &program->module);
}

/* ---- launches ---- */

/* Makes a buffer large enough; a new one is zero, and the group that binds the buffers has to be made again. */
static enum status webgpu_grow(struct webgpu_session *session, struct webgpu_program *program, size_t count,
                               uint64_t usage, struct webgpu_words *words, struct error *error)
{
    if (count <= words->count)
        return STATUS_OK;
    webgpu_drop(session->library.BufferRelease, &words->buffer);
    webgpu_drop(session->library.BindGroupRelease, &program->group);
    words->count = 0;
    if (count > session->device.memory_bytes / sizeof(uint32_t))
        return error_set(error, STATUS_DEVICE_FAILED, "it has room for %" PRIu64, session->device.memory_bytes);
    words->buffer = session->library.DeviceCreateBuffer(
        session->logical, &(struct webgpu_buffer){.usage = usage, .bytes = count * sizeof(uint32_t)});
    TRY(webgpu_check(session, "wgpuDeviceCreateBuffer", NULL, error));
    words->count = count;
    return STATUS_OK;
}

static enum status webgpu_bind(struct webgpu_session *session, struct webgpu_program *program,
                               const struct backend_launch *launch, struct error *error)
{
    const uint64_t usage = WEBGPU_STORAGE | WEBGPU_COPY_FROM | WEBGPU_COPY_TO;
    size_t counts[WEBGPU_BUFFERS];
    struct webgpu_bind_group_entry entries[WEBGPU_BUFFERS];
    struct error why;
    TRY(driver_buffer_words(launch, counts, error));
    counts[WEBGPU_PLAIN] = program->plain ? counts[DRIVER_MEMORY] : 1;
    TRY(webgpu_grow(session, program, launch->read_words, WEBGPU_MAP_READ | WEBGPU_COPY_TO, &program->read, error));
    for (uint32_t i = 0; i < WEBGPU_BUFFERS; i++) {
        const enum driver_buffer which = i == WEBGPU_PLAIN ? DRIVER_MEMORY : (enum driver_buffer)i;
        const enum status status = webgpu_grow(session, program, counts[i], usage, &program->words[i], &why);
        if (status == STATUS_DEVICE_LOST)
            return error_set(error, status, "%s", why.text);
        if (status != STATUS_OK)
            return driver_buffer_refused(&session->device, which, counts[i], why.text, error);
        entries[i] =
            (struct webgpu_bind_group_entry){.binding = i, .buffer = program->words[i].buffer, .bytes = UINT64_MAX};
    }
    if (!program->group)
        program->group = session->library.DeviceCreateBindGroup(
            session->logical,
            &(struct webgpu_bind_group){.layout = session->group_layout, .count = WEBGPU_BUFFERS, .entries = entries});
    return STATUS_OK;
}

static void submit(struct webgpu_session *session, const struct webgpu_program *program, void *pipeline,
                   const struct backend_launch *launch)
{
    const struct webgpu_library *library = &session->library;
    void *const counters = program->words[DRIVER_COUNTERS].buffer;
    void *encoder = library->DeviceCreateCommandEncoder(session->logical, NULL);
    if (launch->draw_words > 0)
        library->QueueWriteBuffer(session->queue, program->words[DRIVER_DRAW].buffer, 0, launch->draw,
                                  launch->draw_words * sizeof *launch->draw);
    if (launch->clear_counters)
        library->CommandEncoderClearBuffer(encoder, counters, 0, UINT64_MAX);
    void *pass = library->CommandEncoderBeginComputePass(encoder, NULL);
    library->ComputePassEncoderSetPipeline(pass, pipeline);
    library->ComputePassEncoderSetBindGroup(pass, 0, program->group, 0, NULL);
    library->ComputePassEncoderDispatchWorkgroups(pass, launch->groups, 1, 1);
    library->ComputePassEncoderEnd(pass);
    if (launch->read_words > 0)
        library->CommandEncoderCopyBufferToBuffer(encoder, counters, 0, program->read.buffer, 0,
                                                  launch->read_words * sizeof *launch->counters);
    void *commands = library->CommandEncoderFinish(encoder, NULL);
    library->QueueSubmit(session->queue, 1, &commands);
    webgpu_drop(library->CommandBufferRelease, &commands);
    webgpu_drop(library->ComputePassEncoderRelease, &pass);
    webgpu_drop(library->CommandEncoderRelease, &encoder);
}

static enum status webgpu_read(struct webgpu_session *session, const struct webgpu_program *program,
                               const struct backend_launch *launch, struct error *error)
{
    const struct webgpu_library *library = &session->library;
    const size_t bytes = launch->read_words * sizeof *launch->counters;
    struct webgpu_answer answer;
    struct webgpu_callback callback = webgpu_answered(&answer);
    callback.call.mapped = take_mapped;
    (void)library->BufferMapAsync(program->read.buffer, WEBGPU_MAP_READ, 0, bytes, callback);
    webgpu_await(library, !session->device.gpu, &answer);
    TRY(webgpu_check(session, "wgpuQueueSubmit", NULL, error));
    if (!answer.handle)
        return driver_call_failed(&session->device, "wgpuBufferMapAsync", answer.said, NULL, error);
    memcpy(launch->counters, library->BufferGetConstMappedRange(program->read.buffer, 0, bytes), bytes);
    library->BufferUnmap(program->read.buffer);
    return STATUS_OK;
}

/* A launch whose counters are not read is not waited for: the library has copied its draw, and the next launch, in the
 * same queue, comes after it. */
static enum status webgpu_launch(struct backend_session *opened, struct backend_program *built,
                                 const struct backend_launch *launch, double *seconds, struct error *error)
{
    struct webgpu_session *session = webgpu_session(opened);
    struct webgpu_program *program = (struct webgpu_program *)built;
    const double start = clock_seconds();
    const char *why = driver_refuses_launch(&session->device, launch, session->limits.groups);
    if (why)
        return driver_call_failed(&session->device, "wgpuComputePassEncoderDispatchWorkgroups", why, NULL, error);
    TRY(webgpu_bind(session, program, launch, error));
    submit(session, program, find_pipeline(session, program, launch->group_size, launch->local_bytes), launch);
    const enum status status = launch->read_words > 0 ? webgpu_read(session, program, launch, error)
                                                      : webgpu_check(session, "wgpuQueueSubmit", NULL, error);
    *seconds = clock_seconds() - start;
    return status;
}

const struct backend webgpu_backend = {
    .name = "webgpu",
    .title = "WebGPU",
    .prelude = webgpu_prelude,
    .list = webgpu_list,
    .session_size = sizeof(struct webgpu_session),
    .start = webgpu_start,
    .source_suffix = "wgsl",
    .code_suffix = "wgsl",
    .compile = webgpu_compile,
    .compiles_ahead = driver_never,
    .program_size = sizeof(struct webgpu_program),
    .fill = webgpu_fill,
    .launch = webgpu_launch,
    .invent_kept = webgpu_kept,
    .release = webgpu_release,
    .close = webgpu_close,
    .replay = &replay_backend,
    .explain = webgpu_explain,
};
