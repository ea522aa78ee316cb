// SPDX-License-Identifier: Apache-2.0
/* The WebGPU backend: a library with the C API of WebGPU (Dawn, wgpu-native), opened at run time; its devices, kernels
 * and launches. A kernel, its launches and their draws are those that a page of `orchil web` plays in a browser. */
#include <dlfcn.h>

#include "backends/driver.h"
#include "backends/webgpu/recorded.h"
#include "backends/webgpu/symbols.h"
#include "backends/webgpu/wgsl.h"
#include "base/clock.h"
#include "base/terminal/terminal.h"

#define WEBGPU_VARIABLE "ORCHIL_WEBGPU"
#define WEBGPU_NAMES "libwebgpu_dawn.so", "libwebgpu.so", "libwgpu_native.so"

#define WEBGPU_MEMBER(result, name, parameters) result(*name) parameters;
struct webgpu_library {
    WEBGPU_FUNCTIONS(WEBGPU_MEMBER)
    void *handle, *instance;
};

/* As in webgpu.h. */
_Static_assert(sizeof(struct webgpu_limits) == 152 && offsetof(struct webgpu_limits, local_bytes) == 124, "limits");
_Static_assert(sizeof(struct webgpu_device_options) == 144 && sizeof(struct webgpu_slot) == 120, "options");
_Static_assert(sizeof(struct webgpu_adapter_info) == 96 && sizeof(struct webgpu_pipeline_options) == 80, "info");

/* The kernel's buffers, as the prelude binds them: a word that a test accesses plainly is in the last one. */
enum { WEBGPU_PLAIN = DRIVER_BUFFERS, WEBGPU_BUFFERS };

enum {
    WEBGPU_ADAPTERS = 3,
    WEBGPU_PIPELINES = 8,   /* that a program keeps */
    WEBGPU_LOCAL_STEP = 64, /* words: sizes of local memory are multiples, so that they share pipelines */
    WEBGPU_POLL = 50        /* microseconds */
};

struct webgpu_adapter {
    void *handle;
    struct webgpu_adapter_info info;
    struct webgpu_limits limits;
};

struct webgpu_session {
    struct webgpu_library library;
    struct backend_device device;
    struct webgpu_limits limits;
    void *logical, *queue, *slots, *layout;
    char said[4096]; /* the first error since the last one was reported */
    char lost[256];  /* why the device was lost */
};

struct webgpu_buffer {
    void *handle;
    size_t words;
};

struct webgpu_pipeline {
    void *handle;
    uint32_t group_size, local_words;
};

struct webgpu_program {
    void *module, *group;
    bool plain; /* a test uses the last buffer */
    struct webgpu_buffer buffers[WEBGPU_BUFFERS], read;
    struct webgpu_pipeline kept[WEBGPU_PIPELINES];
    unsigned made;
};

static struct webgpu_session *webgpu_session(struct backend_session *opened)
{
    return (struct webgpu_session *)opened;
}

static struct webgpu_word webgpu_word(const char *text)
{
    return (struct webgpu_word){text, strlen(text)};
}

static void webgpu_copy(char *to, size_t size, struct webgpu_word word)
{
    FREED char *text = memory_copy_part(word.data ? word.data : "", word.data ? word.size : 0);
    driver_copy(to, size, text);
}

/* ---- the library ---- */

static enum status webgpu_open_library(struct webgpu_library *library, struct error *error)
{
#define WEBGPU_SYMBOL(result, name, parameters) {#name, offsetof(struct webgpu_library, name)},
    static const struct driver_symbol symbols[] = {WEBGPU_FUNCTIONS(WEBGPU_SYMBOL)};
    static const char *const usual[] = {WEBGPU_NAMES};
    const char *const named = getenv(WEBGPU_VARIABLE);
    driver_disable_caches();
    for (size_t i = 0; i < (named ? 1 : COUNT(usual)) && !library->handle; i++)
        library->handle = dlopen(named ? named : usual[i], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library->handle && named)
        return error_set(error, STATUS_NO_DEVICE, WEBGPU_VARIABLE ": %s", dlerror());
    if (!library->handle)
        return error_set(error, STATUS_NO_DEVICE,
                         "no library with the C API of WebGPU: name one in " WEBGPU_VARIABLE
                         "; browsers play tests on a page, which `orchil web` writes");
    const char *lacking = driver_load_symbols(library->handle, library, symbols, COUNT(symbols));
    if (lacking)
        return error_set(error, STATUS_NO_DEVICE, "%s is older than webgpu.h of May 2025: it has no %s",
                         driver_library_path(library->handle), lacking);
    library->instance = library->wgpuCreateInstance(NULL);
    return library->instance ? STATUS_OK
                             : error_set(error, STATUS_NO_DEVICE, "wgpuCreateInstance of %s failed",
                                         driver_library_path(library->handle));
}

static void webgpu_close_library(struct webgpu_library *library)
{
    if (library->instance)
        library->wgpuInstanceRelease(library->instance);
    library->instance = NULL;
}

/* What a call with a callback brings. */
struct webgpu_answer {
    bool arrived;
    void *handle; /* NULL: it failed */
    char said[512];
};

static void webgpu_take_handle(UNUSED uint32_t status, void *handle, struct webgpu_word said, void *to,
                               UNUSED void *unused)
{
    struct webgpu_answer *answer = to;
    webgpu_copy(answer->said, sizeof answer->said, said);
    answer->handle = handle;
    answer->arrived = true;
}

static void webgpu_take_mapped(uint32_t status, struct webgpu_word said, void *to, void *unused)
{
    webgpu_take_handle(status, status == WEBGPU_SUCCESS ? to : NULL, said, to, unused);
}

/* Lets the library work until the answer is there. A processor that plays the kernel needs its cores for that. */
static void webgpu_await(const struct webgpu_library *library, bool pauses, const struct webgpu_answer *answer)
{
    for (library->wgpuInstanceProcessEvents(library->instance); !answer->arrived;
         library->wgpuInstanceProcessEvents(library->instance))
        if (pauses)
            (void)usleep(WEBGPU_POLL);
}

/* ---- devices ---- */

/* Reads into a larger space: an older library writes less, and one of another form more. */
static bool webgpu_read_limits(const struct webgpu_library *library, void *adapter, struct webgpu_limits *limits)
{
    enum { MARK = 0xee };
    struct {
        struct webgpu_limits limits;
        unsigned char after[128];
    } space;
    memset(&space, MARK, sizeof space);
    space.limits.next = NULL;
    const uint32_t status = library->wgpuAdapterGetLimits(adapter, &space.limits);
    *limits = space.limits;
    return status == WEBGPU_SUCCESS && limits->immediate_bytes != MARK * 0x01010101U && space.after[0] == MARK;
}

static bool webgpu_is_same(const struct webgpu_adapter_info *a, const struct webgpu_adapter_info *b)
{
    return a->vendor_number == b->vendor_number && a->device_number == b->device_number &&
           a->description.size == b->description.size &&
           memcmp(a->description.data, b->description.data, a->description.size) == 0;
}

/* The API has no list of adapters: asks for each kind, and leaves out what it has already. */
static enum status webgpu_find_adapters(const struct webgpu_library *library, struct webgpu_adapter *found,
                                        size_t *count, struct error *error)
{
    static const uint32_t kinds[WEBGPU_ADAPTERS][2] = {{WEBGPU_HIGH_PERFORMANCE}, {WEBGPU_LOW_POWER}, {0, true}};
    struct webgpu_answer answer;
    *count = 0;
    for (size_t i = 0; i < COUNT(kinds); i++) {
        const struct webgpu_adapter_options options = {
            .level = WEBGPU_CORE, .power = kinds[i][0], .only_fallback = kinds[i][1], .backend = WEBGPU_VULKAN};
        struct webgpu_adapter *own = &found[*count];
        *own = (struct webgpu_adapter){.handle = NULL};
        answer = (struct webgpu_answer){.arrived = false};
        (void)library->wgpuInstanceRequestAdapter(
            library->instance, &options,
            (struct webgpu_handle_callback){
                .mode = WEBGPU_PROCESS_EVENTS, .call = webgpu_take_handle, .to = &answer});
        webgpu_await(library, true, &answer);
        own->handle = answer.handle;
        if (!own->handle || library->wgpuAdapterGetInfo(own->handle, &own->info) != WEBGPU_SUCCESS)
            continue;
        if (!webgpu_read_limits(library, own->handle, &own->limits))
            return error_set(error, STATUS_NO_DEVICE,
                             "%s is older than webgpu.h of May 2025: its limits have another form",
                             driver_library_path(library->handle));
        if (!ANY_OF(other, found, *count, webgpu_is_same(&other->info, &own->info)))
            ++*count;
    }
    return *count > 0 ? STATUS_OK
                      : error_set(error, STATUS_NO_DEVICE, "%s finds no device of Vulkan: %s",
                                  driver_library_path(library->handle), answer.said);
}

/* WebGPU has no number of compute units. Kernels have two arrays in local memory, and a word. */
static void webgpu_describe(const struct webgpu_library *library, const struct webgpu_adapter *adapter, unsigned index,
                            struct backend_device *device)
{
    const struct webgpu_adapter_info *info = &adapter->info;
    const struct webgpu_limits *limits = &adapter->limits;
    const char *file = strrchr(driver_library_path(library->handle), '/');
    const bool gpu = info->type != WEBGPU_CPU;
    *device = (struct backend_device){
        .backend = "webgpu",
        .index = index,
        .name = "a device without a name",
        .takes = BACKEND_TAKES_WGSL,
        .atomic_orders = BACKEND_ORDER_RELAXED,
        .atomic_scopes = BACKEND_SCOPE_WORK_GROUP | BACKEND_SCOPE_DEVICE,
        .gpu = gpu,
        .compute_units = gpu ? 0 : (unsigned)sysconf(_SC_NPROCESSORS_ONLN),
        .max_group_size = limits->group_items < limits->group_x ? limits->group_items : limits->group_x,
        .sub_group_size = 1,
        .local_bytes = limits->local_bytes / 2 - WEBGPU_LOCAL_STEP * sizeof(uint32_t),
        .memory_bytes = limits->storage_bytes < limits->buffer_bytes ? limits->storage_bytes : limits->buffer_bytes};
    if (info->device.size > 0)
        webgpu_copy(device->name, sizeof device->name, info->device);
    webgpu_copy(device->vendor, sizeof device->vendor, info->vendor);
    webgpu_copy(device->driver, sizeof device->driver, info->description);
    webgpu_copy(device->architecture, sizeof device->architecture, info->architecture);
    (void)snprintf(device->platform, sizeof device->platform, "%s, Vulkan", file ? file + 1 : "a library");
    (void)snprintf(device->compiler, sizeof device->compiler, "the compiler of %s", file ? file + 1 : "the library");
}

static enum status webgpu_list(struct backend_device **devices, size_t *count, struct error *error)
{
    struct webgpu_library library = {.handle = NULL};
    struct webgpu_adapter found[WEBGPU_ADAPTERS];
    *devices = NULL;
    *count = 0;
    enum status status = webgpu_open_library(&library, error);
    THEN(status, webgpu_find_adapters(&library, found, count, error));
    *devices = memory_take(WEBGPU_ADAPTERS, sizeof **devices);
    for (unsigned i = 0; i < *count; i++)
        webgpu_describe(&library, &found[i], i, &(*devices)[i]);
    webgpu_close_library(&library);
    return status;
}

/* ---- sessions ---- */

static void webgpu_note_error(UNUSED void *const *device, UNUSED uint32_t kind, struct webgpu_word said, void *to,
                              UNUSED void *unused)
{
    struct webgpu_session *session = to;
    if (session->said[0] == '\0')
        webgpu_copy(session->said, sizeof session->said, said);
}

static void webgpu_note_loss(UNUSED void *const *device, uint32_t reason, struct webgpu_word said, void *to,
                             UNUSED void *unused)
{
    struct webgpu_session *session = to;
    if (reason == WEBGPU_LOST_UNKNOWN)
        webgpu_copy(session->lost, sizeof session->lost, said.size > 0 ? said : webgpu_word("no reason"));
}

/* Reports what the library has said since the last check. */
static enum status webgpu_check(struct webgpu_session *session, const char *call, struct error *error)
{
    session->library.wgpuInstanceProcessEvents(session->library.instance);
    if (session->lost[0])
        return driver_call_failed(&session->device, call, "an error", session->lost, error);
    if (session->said[0] == '\0')
        return STATUS_OK;
    for (char *end = session->said; (end = strchr(end, '\n')) != NULL;)
        *end = ' ';
    const enum status status = driver_call_failed(&session->device, call, session->said, NULL, error);
    session->said[0] = '\0';
    return status;
}

/* With the adapter's own limits. Dawn leaves out its checks of indices, which no kernel needs. */
static enum status webgpu_open_device(struct webgpu_session *session, void *adapter, struct error *error)
{
    static const char *const unneeded[] = {"disable_robustness"};
    static const struct webgpu_toggles toggles = {
        .link.type = WEBGPU_TOGGLES, .enabled_count = COUNT(unneeded), .enabled = unneeded};
    struct webgpu_answer answer = {.arrived = false};
    const bool dawn = dlsym(session->library.handle, "wgpuDeviceTick");
    const struct webgpu_device_options options = {
        .next = dawn ? &toggles.link : NULL,
        .limits = &session->limits,
        .lost = {.mode = WEBGPU_PROCESS_EVENTS, .call = webgpu_note_loss, .to = session},
        .error = {.call = webgpu_note_error, .to = session}};
    (void)session->library.wgpuAdapterRequestDevice(
        adapter, &options,
        (struct webgpu_handle_callback){.mode = WEBGPU_PROCESS_EVENTS, .call = webgpu_take_handle, .to = &answer});
    webgpu_await(&session->library, true, &answer);
    session->logical = answer.handle;
    return answer.handle ? STATUS_OK
                         : driver_call_failed(&session->device, "wgpuAdapterRequestDevice", answer.said, NULL, error);
}

static enum status webgpu_create_layout(struct webgpu_session *session, struct error *error)
{
    struct webgpu_slot slots[WEBGPU_BUFFERS];
    for (uint32_t i = 0; i < WEBGPU_BUFFERS; i++)
        slots[i] = (struct webgpu_slot){.binding = i,
                                        .stages = WEBGPU_IN_COMPUTE,
                                        .type = i == DRIVER_DRAW ? WEBGPU_READ_ONLY : WEBGPU_WRITABLE};
    session->slots = session->library.wgpuDeviceCreateBindGroupLayout(
        session->logical, &(struct webgpu_slots){.count = WEBGPU_BUFFERS, .slots = slots});
    session->layout = session->library.wgpuDeviceCreatePipelineLayout(
        session->logical, &(struct webgpu_layout_options){.count = 1, .groups = &session->slots});
    return webgpu_check(session, "wgpuDeviceCreatePipelineLayout", error);
}

static enum status webgpu_start(struct backend_session *opened, unsigned index, struct error *error)
{
    struct webgpu_session *session = webgpu_session(opened);
    struct webgpu_adapter found[WEBGPU_ADAPTERS];
    size_t count;
    TRY(webgpu_open_library(&session->library, error));
    TRY(webgpu_find_adapters(&session->library, found, &count, error));
    if (index >= count)
        return error_set(error, STATUS_NO_DEVICE, "there is no webgpu:%u: the devices here are webgpu:0 to webgpu:%zu",
                         index, count - 1);
    webgpu_describe(&session->library, &found[index], index, &session->device);
    session->limits = found[index].limits;
    TRY(webgpu_open_device(session, found[index].handle, error));
    session->queue = session->library.wgpuDeviceGetQueue(session->logical);
    return webgpu_create_layout(session, error);
}

static void webgpu_close(struct backend_session *opened)
{
    FREED struct webgpu_session *session = webgpu_session(opened);
    if (session->layout) {
        session->library.wgpuPipelineLayoutRelease(session->layout);
        session->library.wgpuBindGroupLayoutRelease(session->slots);
    }
    if (session->queue)
        session->library.wgpuQueueRelease(session->queue);
    if (session->logical)
        session->library.wgpuDeviceRelease(session->logical);
    webgpu_close_library(&session->library);
}

/* ---- programs ---- */

static enum status webgpu_translate(const struct backend_source *source, struct text *wgsl, struct error *error)
{
    if (!source->code)
        return wgsl_translate(source->kernel, wgsl, error);
    text_add_bytes(wgsl, source->code, source->code_size);
    return STATUS_OK;
}

/* To WGSL, of which each device makes its own code. */
static enum status webgpu_compile(UNUSED struct backend_session *opened, const struct backend_source *source,
                                  struct backend_code *code, struct error *error)
{
    TRY(webgpu_translate(source, &code->bytes, error));
    code->portable = code->bytes.size;
    driver_copy(code->compiler, sizeof code->compiler, "orchil");
    driver_copy(code->options, sizeof code->options, "none");
    driver_copy(code->target, sizeof code->target, "WGSL");
    return STATUS_OK;
}

/* Reports that the library refused the kernel, if it did. */
static enum status webgpu_check_kernel(struct webgpu_session *session, const char *name, struct text *log,
                                       struct error *error)
{
    session->library.wgpuInstanceProcessEvents(session->library.instance);
    if (session->lost[0] || session->said[0] == '\0')
        return webgpu_check(session, "wgpuDeviceCreateComputePipeline", error);
    text_add(log, "%s\n", session->said);
    (void)error_set(error, STATUS_BUILD_FAILED, "webgpu:%u (%s, driver %s) refused the kernel of %s",
                    session->device.index, session->device.name, session->device.driver, name);
    error_set_detail(error, session->said);
    session->said[0] = '\0';
    return STATUS_BUILD_FAILED;
}

/* The pipeline for such launches. It stays valid until WEBGPU_PIPELINES others were asked for. */
static void *webgpu_find_pipeline(struct webgpu_session *session, struct webgpu_program *program, uint32_t group_size,
                                  size_t local_bytes)
{
    const uint32_t step = WEBGPU_LOCAL_STEP * sizeof(uint32_t);
    const uint32_t words = (uint32_t)((local_bytes + step - 1) / step) * WEBGPU_LOCAL_STEP;
    const struct webgpu_constant constants[] = {
        {.name = webgpu_word("GROUP_SIZE"), .value = group_size},
        {.name = webgpu_word("LOCAL_WORDS"), .value = words > 0 ? words : WEBGPU_LOCAL_STEP}};
    const struct webgpu_pipeline *known = FIRST_OF(one, program->kept, WEBGPU_PIPELINES,
                                                   one->handle && one->group_size == group_size &&
                                                       one->local_words == words);
    if (known)
        return known->handle;
    struct webgpu_pipeline *own = &program->kept[program->made++ % WEBGPU_PIPELINES];
    if (own->handle)
        session->library.wgpuComputePipelineRelease(own->handle);
    *own = (struct webgpu_pipeline){.group_size = group_size, .local_words = words};
    own->handle = session->library.wgpuDeviceCreateComputePipeline(
        session->logical, &(struct webgpu_pipeline_options){.layout = session->layout,
                                                            .module = program->module,
                                                            .entry = webgpu_word("main"),
                                                            .constant_count = COUNT(constants),
                                                            .constants = constants});
    return own->handle;
}

static enum status webgpu_fill(struct backend_session *opened, const struct backend_source *source,
                               struct backend_program *built, struct text *log, UNUSED struct text *binary,
                               struct error *error)
{
    enum { SIZE = 32 }; /* of the first draws' groups, often */
    static const char declaration[] = "> plain : array";
    struct webgpu_session *session = webgpu_session(opened);
    struct webgpu_program *program = (struct webgpu_program *)built;
    LOCAL(text) wgsl = {0};
    TRY(webgpu_translate(source, &wgsl, error));
    const struct webgpu_wgsl code = {{.type = WEBGPU_SOURCE_WGSL}, {text_string(&wgsl), wgsl.size}};
    const char *plain = strstr(text_string(&wgsl), declaration);
    program->plain = plain && strstr(plain + strlen(declaration), "plain[");
    program->module = session->library.wgpuDeviceCreateShaderModule(
        session->logical, &(struct webgpu_module_options){.next = &code.link});
    (void)webgpu_find_pipeline(session, program, SIZE, 0);
    return webgpu_check_kernel(session, source->name, log, error);
}

static void webgpu_release(struct backend_session *opened, struct backend_program *built)
{
    struct webgpu_library *library = &webgpu_session(opened)->library;
    FREED struct webgpu_program *program = (struct webgpu_program *)built;
    FOR_EACH(struct webgpu_pipeline, pipeline, program->kept, WEBGPU_PIPELINES)
        if (pipeline->handle)
            library->wgpuComputePipelineRelease(pipeline->handle);
    FOR_EACH(struct webgpu_buffer, buffer, program->buffers, WEBGPU_BUFFERS)
        if (buffer->handle)
            library->wgpuBufferRelease(buffer->handle);
    if (program->read.handle)
        library->wgpuBufferRelease(program->read.handle);
    if (program->group)
        library->wgpuBindGroupRelease(program->group);
    if (program->module)
        library->wgpuShaderModuleRelease(program->module);
}

/* ---- launches ---- */

/* Makes a buffer large enough: a new one is zero. *created: whether it is new. */
static enum status webgpu_grow(struct webgpu_session *session, size_t words, uint64_t usage,
                               struct webgpu_buffer *buffer, bool *created, struct error *error)
{
    if (words <= buffer->words)
        return STATUS_OK;
    if (buffer->handle)
        session->library.wgpuBufferRelease(buffer->handle);
    *buffer = (struct webgpu_buffer){.handle = NULL};
    *created = true;
    if (words > session->device.memory_bytes / sizeof(uint32_t))
        return error_set(error, STATUS_DEVICE_FAILED, "a buffer has at most %" PRIu64 " bytes",
                         session->device.memory_bytes);
    buffer->handle = session->library.wgpuDeviceCreateBuffer(
        session->logical, &(struct webgpu_buffer_options){.usage = usage, .bytes = words * sizeof(uint32_t)});
    TRY(webgpu_check(session, "wgpuDeviceCreateBuffer", error));
    buffer->words = words;
    return STATUS_OK;
}

static enum status webgpu_grow_buffers(struct webgpu_session *session, struct webgpu_program *program,
                                       const struct backend_launch *launch, struct error *error)
{
    const uint64_t usage = WEBGPU_STORAGE | WEBGPU_COPY_FROM | WEBGPU_COPY_TO;
    size_t words[WEBGPU_BUFFERS];
    struct webgpu_binding bindings[WEBGPU_BUFFERS];
    bool created = false, ignored;
    struct error why;
    TRY(driver_buffer_words(launch, words, error));
    words[WEBGPU_PLAIN] = program->plain ? words[DRIVER_MEMORY] : 1;
    for (uint32_t i = 0; i < WEBGPU_BUFFERS; i++) {
        const enum status status = webgpu_grow(session, words[i], usage, &program->buffers[i], &created, &why);
        if (status != STATUS_OK)
            return driver_buffer_refused(&session->device, i == WEBGPU_PLAIN ? DRIVER_MEMORY : (enum driver_buffer)i,
                                         words[i], why.text, error);
        bindings[i] =
            (struct webgpu_binding){.binding = i, .buffer = program->buffers[i].handle, .bytes = UINT64_MAX};
    }
    TRY(webgpu_grow(session, launch->read_words, WEBGPU_MAP_READ | WEBGPU_COPY_TO, &program->read, &ignored, error));
    if (!created)
        return STATUS_OK;
    if (program->group)
        session->library.wgpuBindGroupRelease(program->group);
    program->group = session->library.wgpuDeviceCreateBindGroup(
        session->logical,
        &(struct webgpu_bindings){.slots = session->slots, .count = WEBGPU_BUFFERS, .bindings = bindings});
    return webgpu_check(session, "wgpuDeviceCreateBindGroup", error);
}

static void webgpu_submit(struct webgpu_session *session, const struct webgpu_program *program, void *pipeline,
                          const struct backend_launch *launch)
{
    const struct webgpu_library *library = &session->library;
    void *const counters = program->buffers[DRIVER_COUNTERS].handle;
    void *const encoder = library->wgpuDeviceCreateCommandEncoder(session->logical, NULL);
    if (launch->draw_words > 0)
        library->wgpuQueueWriteBuffer(session->queue, program->buffers[DRIVER_DRAW].handle, 0, launch->draw,
                                      launch->draw_words * sizeof(uint32_t));
    if (launch->clear_counters)
        library->wgpuCommandEncoderClearBuffer(encoder, counters, 0, UINT64_MAX);
    void *const pass = library->wgpuCommandEncoderBeginComputePass(encoder, NULL);
    library->wgpuComputePassEncoderSetPipeline(pass, pipeline);
    library->wgpuComputePassEncoderSetBindGroup(pass, 0, program->group, 0, NULL);
    library->wgpuComputePassEncoderDispatchWorkgroups(pass, launch->groups, 1, 1);
    library->wgpuComputePassEncoderEnd(pass);
    library->wgpuComputePassEncoderRelease(pass);
    if (launch->read_words > 0)
        library->wgpuCommandEncoderCopyBufferToBuffer(encoder, counters, 0, program->read.handle, 0,
                                                      launch->read_words * sizeof(uint32_t));
    void *const commands = library->wgpuCommandEncoderFinish(encoder, NULL);
    library->wgpuQueueSubmit(session->queue, 1, &commands);
    library->wgpuCommandBufferRelease(commands);
    library->wgpuCommandEncoderRelease(encoder);
}

static enum status webgpu_read(struct webgpu_session *session, const struct webgpu_program *program,
                               const struct backend_launch *launch, struct error *error)
{
    const struct webgpu_library *library = &session->library;
    const size_t bytes = launch->read_words * sizeof(uint32_t);
    struct webgpu_answer answer = {.arrived = false};
    (void)library->wgpuBufferMapAsync(
        program->read.handle, WEBGPU_MAP_READ, 0, bytes,
        (struct webgpu_mapped_callback){.mode = WEBGPU_PROCESS_EVENTS, .call = webgpu_take_mapped, .to = &answer});
    webgpu_await(library, !session->device.gpu, &answer);
    TRY(webgpu_check(session, "wgpuQueueSubmit", error));
    if (!answer.handle)
        return driver_call_failed(&session->device, "wgpuBufferMapAsync", answer.said, NULL, error);
    memcpy(launch->counters, library->wgpuBufferGetConstMappedRange(program->read.handle, 0, bytes), bytes);
    library->wgpuBufferUnmap(program->read.handle);
    return STATUS_OK;
}

static enum status webgpu_play(struct webgpu_session *session, struct webgpu_program *program,
                               const struct backend_launch *launch, struct error *error)
{
    const char *why = launch->group_size > session->device.max_group_size ? "the device has no work-groups of that size"
                      : launch->local_bytes > session->device.local_bytes ? "the device has less local memory"
                      : launch->groups > session->limits.groups           ? "the device takes fewer work-groups"
                                                                          : NULL;
    if (why)
        return driver_call_failed(&session->device, "wgpuComputePassEncoderDispatchWorkgroups", why, NULL, error);
    void *pipeline = webgpu_find_pipeline(session, program, launch->group_size, launch->local_bytes);
    TRY(webgpu_check(session, "wgpuDeviceCreateComputePipeline", error));
    TRY(webgpu_grow_buffers(session, program, launch, error));
    webgpu_submit(session, program, pipeline, launch);
    return launch->read_words > 0 ? webgpu_read(session, program, launch, error)
                                  : webgpu_check(session, "wgpuQueueSubmit", error);
}

/* A launch whose counters are not read is not waited for: the library has copied its draw, and the next launch, which
 * is in the same queue, comes after it. */
static enum status webgpu_launch(struct backend_session *opened, struct backend_program *built,
                                 const struct backend_launch *launch, double *seconds, struct error *error)
{
    const double start = clock_seconds();
    const enum status status = webgpu_play(webgpu_session(opened), (struct webgpu_program *)built, launch, error);
    *seconds = clock_seconds() - start;
    return status;
}

static void webgpu_explain(struct text *text)
{
    struct webgpu_library library = {.handle = NULL};
    struct error error = {0};
    text_add(text, "WebGPU\n");
    const enum status status = webgpu_open_library(&library, &error);
    webgpu_close_library(&library);
    if (status == STATUS_OK)
        text_add(text, "  library: %s\n", driver_library_path(library.handle));
    else
        terminal_add(text, "  %s\n", error.text);
    if (status == STATUS_OK)
        (void)driver_explain_devices(&webgpu_backend, "", text);
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
