// SPDX-License-Identifier: Apache-2.0
/* The OpenCL backend: each session has one context and one in-order queue, each program four buffers. */
#include "backends/cuda/nvml.h"
#include "backends/opencl/devices.h"
#include "backends/opencl/play.h"
#include "backends/opencl/pocl.h"

struct opencl_shared {
    void *host;
    size_t bytes;
    cl_mem buffer; /* over it */
    bool owned;    /* the pages are this session's */
};

extern const char opencl_prelude[]; /* prelude.cl, as text */

/* The kernel's parameter after its buffers. */
enum { LOCAL_ARGUMENT = DRIVER_BUFFERS, LOCAL_LEAST = 4 /* bytes: OpenCL does not allow 0 */ };

struct opencl_session {
    struct opencl_library library;
    struct opencl_place place;
    struct backend_device device;
    struct nvml_device nvml; /* of an NVIDIA GPU */
    unsigned language;
    const char *line_option; /* makes the compiler emit line information, until it is refused; or NULL */
    char options[64];        /* of each build */
    cl_context context;
    cl_command_queue queue;
    struct opencl_queues queues; /* of plays */
    struct opencl_shared *shared;
    size_t shared_count, shared_room;
};

struct opencl_program {
    cl_program program;
    cl_kernel kernel;
    cl_mem buffers[DRIVER_BUFFERS];
    size_t words[DRIVER_BUFFERS];
    struct opencl_play_buffers play_buffers;
};

static struct opencl_session *opencl_session(struct backend_session *opened)
{
    return (struct opencl_session *)opened;
}

static struct opencl_program *opencl_program(struct backend_program *built)
{
    return (struct opencl_program *)built;
}

/* Reports a failed driver call. A loss ends the session. */
static enum status driver_failed(const struct opencl_session *session, const char *call, cl_int code, bool finishing,
                                 struct error *error)
{
    return opencl_call_failed(&session->device, call, code, finishing, error);
}

static enum status list_devices(struct backend_device **devices, size_t *count, struct error *error)
{
    struct opencl_library library;
    struct opencl_place *places;
    *devices = NULL;
    *count = 0;
    TRY(opencl_library_open(&library, error));
    TRY(opencl_places(&library, &places, count, error));
    *devices = memory_take(*count, sizeof **devices);
    for (size_t i = 0; i < *count; i++)
        opencl_describe(&library, places[i], (unsigned)i, &(*devices)[i]);
    free(places);
    return STATUS_OK;
}

static enum status find_place(const struct opencl_library *library, unsigned index, struct opencl_place *place,
                              struct error *error)
{
    struct opencl_place *places;
    size_t count;
    TRY(opencl_places(library, &places, &count, error));
    const bool found = index < count;
    if (found)
        *place = places[index];
    free(places);
    return found ? STATUS_OK
                 : error_set(error, STATUS_NO_DEVICE,
                             "there is no opencl:%u: the devices here are opencl:0 to opencl:%zu", index, count - 1);
}

/* The shared memory that begins at an address; NULL: none. */
static struct opencl_shared *find_shared(const struct opencl_session *session, uint64_t address)
{
    return FIRST_OF(one, session->shared, session->shared_count, (uint64_t)(uintptr_t)one->host == address);
}

static void release_shared(const struct opencl_session *session, const struct opencl_shared *item)
{
    (void)session->library.clReleaseMemObject(item->buffer);
    if (item->owned)
        host_memory_release(item->host, item->bytes);
}

static void close_session(struct backend_session *opened)
{
    struct opencl_session *session = opencl_session(opened);
    if (!session)
        return;
    for (size_t i = 0; i < session->shared_count; i++)
        release_shared(session, &session->shared[i]);
    free(session->shared);
    opencl_release_queues(&session->library, &session->queues);
    if (session->queue)
        (void)session->library.clReleaseCommandQueue(session->queue);
    if (session->context)
        (void)session->library.clReleaseContext(session->context);
    nvml_device_close(&session->nvml);
    free(session);
}

static struct opencl_queues_of queues_of(const struct opencl_session *session)
{
    return (struct opencl_queues_of){.library = &session->library,
                                     .id = session->place.device,
                                     .context = session->context,
                                     .language = session->language};
}

static void set_options(struct opencl_session *session, const char *line_option)
{
    session->line_option = line_option;
    (void)snprintf(session->options, sizeof session->options, "-cl-std=CL%s%s%s",
                   session->language >= 300   ? "3.0"
                   : session->language >= 200 ? "2.0"
                                              : "1.2",
                   line_option ? " " : "", line_option ? line_option : "");
}

/* The parts of a session, one after the other; close_session releases those that exist. */
static enum status start_session(struct backend_session *opened, unsigned index, struct error *error)
{
    struct opencl_session *session = opencl_session(opened);
    const struct opencl_library *library = &session->library;
    cl_int code;
    TRY(opencl_library_open(&session->library, error));
    TRY(find_place(library, index, &session->place, error));
    opencl_describe(library, session->place, index, &session->device);
    session->language = opencl_language(library, session->place.device);
    if (session->language == 0)
        return error_set(error, STATUS_UNSUPPORTED, "opencl:%u (%s) offers %s; orchil needs OpenCL 1.2 or later", index,
                         session->device.name, session->device.compiler);
    /* The option that makes a driver's compiler emit the source line of each instruction and does not change the code,
     * or NULL. NVIDIA does not document its option, so a driver may refuse it. */
    set_options(session, strstr(session->device.platform, "NVIDIA") ? "-nv-line-info" : NULL);
    session->context = library->clCreateContext(NULL, 1, &session->place.device, NULL, NULL, &code);
    if (!session->context)
        return driver_failed(session, "clCreateContext", code, false, error);
    const struct opencl_queues_of of = queues_of(session);
    session->queue = opencl_create_queue(&of, false, &code);
    if (!session->queue)
        return driver_failed(session, "creating a command queue", code, false, error);
    if (strstr(session->device.vendor, "NVIDIA"))
        nvml_device_open(session->device.uuid, &session->nvml);
    return STATUS_OK;
}

static void release_program(struct backend_session *opened, struct backend_program *built)
{
    struct opencl_session *session = opencl_session(opened);
    struct opencl_program *program = opencl_program(built);
    if (!program)
        return;
    for (size_t i = 0; i < DRIVER_BUFFERS; i++)
        if (program->buffers[i])
            (void)session->library.clReleaseMemObject(program->buffers[i]);
    opencl_release_play_buffers(&session->library, &program->play_buffers);
    if (program->kernel)
        (void)session->library.clReleaseKernel(program->kernel);
    if (program->program)
        (void)session->library.clReleaseProgram(program->program);
    free(program);
}

/* Appends the compiler's output. If a driver keeps no log, the build still counts. */
static void read_log(const struct opencl_session *session, cl_program program, struct text *log)
{
    const struct opencl_library *library = &session->library;
    const cl_device_id device = session->place.device;
    size_t size = 0;
    if (library->clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) != CL_SUCCESS ||
        size <= 1)
        return;
    FREED char *said = memory_take(size + 1, 1);
    if (library->clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, said, NULL) == CL_SUCCESS)
        text_add(log, "%s", said);
}

/* Appends the device code, or as much as there is. */
static void read_code(const struct opencl_session *session, cl_program program, struct text *bytes)
{
    const struct opencl_library *library = &session->library;
    size_t size = 0;
    if (library->clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL) != CL_SUCCESS ||
        size == 0)
        return;
    FREED char *code = memory_take(size, 1);
    unsigned char *codes[1] = {(unsigned char *)code};
    if (library->clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof codes, codes, NULL) == CL_SUCCESS)
        text_add_bytes(bytes, code, size);
}

/* Appends the device code if it is text: NVIDIA returns PTX as its binary. */
static void read_binary(const struct opencl_session *session, cl_program program, struct text *binary)
{
    LOCAL(text) code = {0};
    read_code(session, program, &code);
    while (code.size > 0 && code.data[code.size - 1] == '\0')
        code.size--;
    if (code.size > 0 && driver_is_text(code.data, code.size))
        text_add_bytes(binary, code.data, code.size);
}

/* The program before it is compiled: from text, or from code of an earlier build. */
static cl_program create_program(const struct opencl_session *session, const struct backend_source *source,
                                 const char **call, cl_int *code)
{
    if (source->code) {
        const unsigned char *binary = (const unsigned char *)source->code;
        *call = "clCreateProgramWithBinary";
        return session->library.clCreateProgramWithBinary(session->context, 1, &session->place.device,
                                                          &source->code_size, &binary, NULL, code);
    }
    const char *texts[] = {source->prologue ? source->prologue : "", opencl_prelude, source->kernel};
    *call = "clCreateProgramWithSource";
    return session->library.clCreateProgramWithSource(session->context, 3, texts, NULL, code);
}

static bool is_refusal(cl_int code)
{
    return code == CL_BUILD_PROGRAM_FAILURE || code == CL_COMPILE_PROGRAM_FAILURE || code == CL_LINK_PROGRAM_FAILURE ||
           code == CL_INVALID_BUILD_OPTIONS || code == CL_INVALID_BINARY;
}

/* Of one build: the session's, and the folders of the source. */
static void add_options(const struct opencl_session *session, const struct backend_source *source, struct text *options)
{
    text_add(options, "%s", session->options);
    for (size_t i = 0; source->folders && source->folders[i]; i++)
        text_add(options, " -I%s", source->folders[i]);
}

/* Compiles. If that is refused with the option for lines, tries again without it: a driver may not know the option. */
static cl_int compile_program(struct opencl_session *session, const struct backend_source *source, cl_program program)
{
    const struct opencl_library *library = &session->library;
    const cl_device_id *device = &session->place.device;
    LOCAL(text) options = {0};
    add_options(session, source, &options);
    cl_int code = library->clBuildProgram(program, 1, device, text_string(&options), NULL, NULL);
    if (session->line_option && is_refusal(code)) {
        const char *option = session->line_option;
        set_options(session, NULL);
        text_clear(&options);
        add_options(session, source, &options);
        code = library->clBuildProgram(program, 1, device, text_string(&options), NULL, NULL);
        if (is_refusal(code)) /* then the option was not the cause */
            set_options(session, option);
    }
    return code;
}

/* A driver refused kept code; another driver, or another version of it, may take it. */
static enum status code_refused(const struct opencl_session *session, const struct backend_source *source, cl_int code,
                                struct error *error)
{
    return error_set(error, STATUS_UNSUPPORTED,
                     "the driver %s of opencl:%u (%s) refused the saved code of %s: %s; an OpenCL binary works on one "
                     "device with one version of its driver",
                     session->device.driver, session->device.index, session->device.name, source->name,
                     opencl_error_name(code));
}

/* A built program, from the kernel's text or from kept code. */
static enum status build_program(struct opencl_session *session, const struct backend_source *source,
                                 cl_program *program, struct text *log, struct error *error)
{
    const char *call;
    const size_t log_start = log->size;
    cl_int code;
    *program = create_program(session, source, &call, &code);
    if (!*program)
        return source->code && (code == CL_INVALID_BINARY || code == CL_INVALID_VALUE)
                   ? code_refused(session, source, code, error)
                   : driver_failed(session, call, code, false, error);
    code = compile_program(session, source, *program);
    read_log(session, *program, log);
    if (code == CL_SUCCESS)
        return STATUS_OK;
    if (!is_refusal(code))
        return driver_failed(session, "clBuildProgram", code, false, error);
    const enum status status =
        source->code ? code_refused(session, source, code, error)
                     : error_set(error, STATUS_BUILD_FAILED,
                                 "the OpenCL compiler of opencl:%u (%s) refused the kernel of %s: %s",
                                 session->device.index, session->device.name, source->name, opencl_error_name(code));
    error_set_detail(error, text_string(log) + log_start);
    return status;
}

static enum status compile_kernel(struct backend_session *opened, const struct backend_source *source,
                                  struct backend_code *code, struct error *error)
{
    struct opencl_session *session = opencl_session(opened);
    cl_program program = NULL;
    enum status status = build_program(session, source, &program, &code->log, error);
    if (status == STATUS_OK) {
        read_code(session, program, &code->bytes);
        code->portable = code->bytes.size;
        driver_copy(code->compiler, sizeof code->compiler, session->device.compiler);
        (void)snprintf(code->options, sizeof code->options, "%s", session->options);
    }
    if (program)
        (void)session->library.clReleaseProgram(program);
    return status;
}

static enum status fill_program(struct backend_session *opened, const struct backend_source *source,
                                struct backend_program *built, struct text *log, struct text *binary,
                                struct error *error)
{
    struct opencl_session *session = opencl_session(opened);
    struct opencl_program *program = opencl_program(built);
    cl_int code;
    TRY(build_program(session, source, &program->program, log, error));
    /* PoCL's binary is not text, and PoCL compiles the kernel again for it, for any group size. */
    if (session->device.gpu)
        read_binary(session, program->program, binary);
    program->kernel = session->library.clCreateKernel(program->program, "orchil", &code);
    return program->kernel ? STATUS_OK : driver_failed(session, "clCreateKernel", code, false, error);
}

static enum status set_argument(const struct opencl_session *session, const struct opencl_program *program,
                                cl_uint which, size_t size, const void *value, struct error *error)
{
    const cl_int code = session->library.clSetKernelArg(program->kernel, which, size, value);
    return code == CL_SUCCESS ? STATUS_OK : driver_failed(session, "clSetKernelArg", code, false, error);
}

static enum status zero_buffer(const struct opencl_session *session, struct opencl_program *program,
                               enum driver_buffer which, struct error *error)
{
    static const cl_uint nought = 0;
    const cl_int code =
        session->library.clEnqueueFillBuffer(session->queue, program->buffers[which], &nought, sizeof nought, 0,
                                             program->words[which] * sizeof(cl_uint), 0, NULL, NULL);
    return code == CL_SUCCESS ? STATUS_OK : driver_failed(session, "clEnqueueFillBuffer", code, false, error);
}

static enum status grow_buffer(struct opencl_session *session, struct opencl_program *program, enum driver_buffer which,
                               size_t words, struct error *error)
{
    const struct opencl_queues_of of = queues_of(session);
    if (words <= program->words[which])
        return STATUS_OK;
    TRY(opencl_grow(&of, &session->device, which, words, &program->buffers[which], &program->words[which], error));
    TRY(set_argument(session, program, which, sizeof(cl_mem), &program->buffers[which], error));
    const enum status status = zero_buffer(session, program, which, error);
    if (status != STATUS_OK)
        program->words[which] = 0; /* not zeroed: the next launch creates it again */
    return status;
}

/* Shared memory takes the place of the program's own, which is created again if it is needed. */
static enum status use_shared_memory(const struct opencl_session *session, struct opencl_program *program,
                                     uint64_t address, struct error *error)
{
    const struct opencl_shared *shared = find_shared(session, address);
    if (!shared)
        return error_set(error, STATUS_INTERNAL, "opencl:%u shares no memory at %#llx", session->device.index,
                         (unsigned long long)address);
    program->words[DRIVER_MEMORY] = 0;
    return set_argument(session, program, DRIVER_MEMORY, sizeof shared->buffer, &shared->buffer, error);
}

static enum status grow_buffers(struct opencl_session *session, struct opencl_program *program,
                                const struct backend_launch *launch, struct error *error)
{
    size_t words[DRIVER_BUFFERS];
    TRY(driver_buffer_words(launch, words, error));
    for (enum driver_buffer i = 0; i < DRIVER_BUFFERS; i++)
        TRY(grow_buffer(session, program, i, words[i], error));
    return STATUS_OK;
}

static enum status reserve_buffers(struct backend_session *opened, struct backend_program *built,
                                   const struct backend_launch *launch, struct error *error)
{
    return grow_buffers(opencl_session(opened), opencl_program(built), launch, error);
}

static enum status prepare_launch(struct opencl_session *session, struct opencl_program *program,
                                  const struct backend_launch *launch, struct error *error)
{
    const size_t local = launch->local_bytes > LOCAL_LEAST ? launch->local_bytes : LOCAL_LEAST;
    TRY(grow_buffers(session, program, launch, error));
    if (launch->memory_address != 0)
        TRY(use_shared_memory(session, program, launch->memory_address, error));
    TRY(set_argument(session, program, LOCAL_ARGUMENT, local, NULL, error));
    if (launch->clear_counters)
        TRY(zero_buffer(session, program, DRIVER_COUNTERS, error));
    if (launch->draw_words == 0)
        return STATUS_OK;
    const cl_int code =
        session->library.clEnqueueWriteBuffer(session->queue, program->buffers[DRIVER_DRAW], CL_FALSE, 0,
                                              launch->draw_words * sizeof *launch->draw, launch->draw, 0, NULL, NULL);
    return code == CL_SUCCESS ? STATUS_OK : driver_failed(session, "clEnqueueWriteBuffer", code, false, error);
}

/* Runs what prepare has queued, and reads back. */
static enum status finish_launch(const struct opencl_session *session, struct opencl_program *program,
                                 const struct backend_launch *launch, struct error *error)
{
    const struct opencl_library *library = &session->library;
    const size_t items = (size_t)launch->groups * launch->group_size, group = launch->group_size;
    cl_event event = NULL;
    cl_int ended = CL_COMPLETE;
    const char *call = "clEnqueueNDRangeKernel";
    cl_int code =
        library->clEnqueueNDRangeKernel(session->queue, program->kernel, 1, NULL, &items, &group, 0, NULL, &event);
    if (code != CL_SUCCESS)
        return driver_failed(session, call, code, false, error);
    if (launch->read_words > 0) {
        call = "clEnqueueReadBuffer";
        code = library->clEnqueueReadBuffer(session->queue, program->buffers[DRIVER_COUNTERS], CL_TRUE, 0,
                                            launch->read_words * sizeof *launch->counters, launch->counters, 0, NULL,
                                            NULL);
    }
    if (code == CL_SUCCESS) {
        call = "clFinish";
        code = library->clFinish(session->queue);
    }
    /* A driver may finish the queue without an error even if the kernel has failed. */
    if (code == CL_SUCCESS) {
        call = "the kernel's event";
        code = library->clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof ended, &ended, NULL);
        if (code == CL_SUCCESS && ended < 0)
            code = ended;
    }
    (void)library->clReleaseEvent(event);
    return code == CL_SUCCESS ? STATUS_OK : driver_failed(session, call, code, true, error);
}

/* The caller's draws must not be read after the return. */
static enum status settle(const struct opencl_session *session, enum status status, struct error *error)
{
    if (status != STATUS_OK && status != STATUS_DEVICE_LOST) {
        const cl_int code = session->library.clFinish(session->queue);
        if (opencl_error_is_loss(code, true, session->device.gpu))
            status = driver_failed(session, "clFinish", code, true, error);
    }
    return status;
}

static enum status launch_program(struct backend_session *opened, struct backend_program *built,
                                  const struct backend_launch *launch, double *seconds, struct error *error)
{
    struct opencl_session *session = opencl_session(opened);
    struct opencl_program *program = opencl_program(built);
    const double start = clock_seconds();
    enum status status = prepare_launch(session, program, launch, error);
    THEN(status, finish_launch(session, program, launch, error));
    status = settle(session, status, error);
    *seconds = clock_seconds() - start;
    return status;
}

/* The steps have their own buffers for their draws. */
static enum status run_steps(struct opencl_session *session, struct opencl_program *program,
                             const struct backend_launch *launch, const struct steps_plan *plan, struct error *error)
{
    struct backend_launch undrawn = *launch;
    undrawn.draw_words = 0;
    TRY(prepare_launch(session, program, &undrawn, error));
    const struct opencl_playing playing = {.of = queues_of(session),
                                           .device = &session->device,
                                           .queues = &session->queues,
                                           .buffers = &program->play_buffers,
                                           .queue = session->queue,
                                           .kernel = program->kernel,
                                           .draw_argument = DRIVER_DRAW,
                                           .memory = program->buffers[DRIVER_MEMORY]};
    const enum status status = opencl_play(&playing, launch, plan, error);
    const enum status restored = set_argument(session, program, DRIVER_DRAW, sizeof(cl_mem),
                                              &program->buffers[DRIVER_DRAW], status == STATUS_OK ? error : NULL);
    return status == STATUS_OK ? restored : status;
}

static enum status play_program(struct backend_session *opened, struct backend_program *built,
                                const struct backend_launch *launch, const struct backend_step *steps, size_t count,
                                double *seconds, struct error *error)
{
    struct opencl_session *session = opencl_session(opened);
    struct opencl_program *program = opencl_program(built);
    const double start = clock_seconds();
    struct steps_plan plan;
    *seconds = 0;
    TRY(steps_plan(&session->device, launch, steps, count, &plan, error));
    enum status status = run_steps(session, program, launch, &plan, error);
    if (status == STATUS_OK && launch->read_words > 0) {
        const cl_int code = session->library.clEnqueueReadBuffer(
            session->queue, program->buffers[DRIVER_COUNTERS], CL_TRUE, 0,
            launch->read_words * sizeof *launch->counters, launch->counters, 0, NULL, NULL);
        if (code != CL_SUCCESS)
            status = driver_failed(session, "clEnqueueReadBuffer", code, true, error);
    }
    status = settle(session, status, error);
    *seconds = clock_seconds() - start;
    return status;
}

/* ---- shared memory: buffers over host pages ---- */

static enum status expect_sharing(const struct opencl_session *session, struct error *error)
{
    cl_device_svm_capabilities has = 0;
    const struct backend_device *device = &session->device;
    if (device->gpu)
        return error_set(error, STATUS_UNSUPPORTED,
                         "opencl:%u (%s) cannot share memory while kernels run: on a GPU, OpenCL shares memory only "
                         "after a kernel has ended",
                         device->index, device->name);
    if (session->library.clGetDeviceInfo(session->place.device, CL_DEVICE_SVM_CAPABILITIES, sizeof has, &has, NULL) !=
            CL_SUCCESS ||
        !(has & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) || !(has & CL_DEVICE_SVM_ATOMICS))
        return error_set(error, STATUS_UNSUPPORTED,
                         "opencl:%u (%s) cannot share memory while kernels run: its driver (%s) has no fine-grained "
                         "shared virtual memory with atomics",
                         device->index, device->name, device->platform);
    return STATUS_OK;
}

static enum status add_shared(struct opencl_session *session, void *host, size_t bytes, bool owned, struct error *error)
{
    cl_int code;
    const cl_mem buffer = session->library.clCreateBuffer(session->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                                                          host_memory_size(bytes), host, &code);
    if (!buffer)
        return driver_call_failed(&session->device, "clCreateBuffer over host memory", opencl_error_name(code), NULL,
                                  error);
    LIST_ADD(session->shared, session->shared_count, session->shared_room) =
        (struct opencl_shared){host, bytes, buffer, owned};
    return STATUS_OK;
}

static enum status share_memory(struct backend_session *opened, size_t bytes, struct backend_shared *shared,
                                struct error *error)
{
    struct opencl_session *session = opencl_session(opened);
    *shared = (struct backend_shared){0};
    TRY(expect_sharing(session, error));
    void *host = host_memory_take(bytes);
    if (!host)
        return driver_buffer_refused(&session->device, DRIVER_MEMORY, bytes / sizeof(uint32_t), "out of memory", error);
    const enum status status = add_shared(session, host, bytes, true, error);
    if (status != STATUS_OK) {
        host_memory_release(host, bytes);
        return status;
    }
    *shared = (struct backend_shared){.owner = &opencl_backend,
                                      .index = session->device.index,
                                      .host = host,
                                      .address = (uint64_t)(uintptr_t)host,
                                      .bytes = bytes};
    return STATUS_OK;
}

static enum status reach_memory(struct backend_session *opened, const struct backend_shared *shared, uint64_t *address,
                                struct error *error)
{
    struct opencl_session *session = opencl_session(opened);
    TRY(expect_sharing(session, error));
    if (!shared->host)
        return error_set(error, STATUS_UNSUPPORTED, "opencl:%u (%s) cannot access memory on %s:%u",
                         session->device.index, session->device.name, shared->owner->name, shared->index);
    TRY(add_shared(session, shared->host, shared->bytes, false, error));
    *address = (uint64_t)(uintptr_t)shared->host;
    return STATUS_OK;
}

static void forget_memory(struct backend_session *opened, const struct backend_shared *shared)
{
    struct opencl_session *session = opencl_session(opened);
    struct opencl_shared *item = find_shared(session, (uint64_t)(uintptr_t)shared->host);
    if (!item)
        return;
    release_shared(session, item);
    *item = session->shared[--session->shared_count];
}

static unsigned opencl_group_limit(struct backend_session *opened, struct backend_program *built)
{
    struct opencl_session *session = opencl_session(opened);
    size_t size = 0;
    const cl_int code = session->library.clGetKernelWorkGroupInfo(opencl_program(built)->kernel, session->place.device,
                                                                  CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size, NULL);
    return code == CL_SUCCESS && size <= UINT32_MAX ? (unsigned)size : 0;
}

static void observe_device(struct backend_session *opened, struct circumstances *circumstances)
{
    nvml_device_observe(&opencl_session(opened)->nvml, circumstances);
}

const struct backend opencl_backend = {
    .name = "opencl",
    .title = "OpenCL",
    .prelude = opencl_prelude,
    .list = list_devices,
    .session_size = sizeof(struct opencl_session),
    .start = start_session,
    .source_suffix = "cl",
    .code_suffix = "bin",
    .compile = compile_kernel,
    .compiles_ahead = driver_for_gpus, /* PoCL, too, compiles for a group size, except for code in its binaries */
    .program_size = sizeof(struct opencl_program),
    .fill = fill_program,
    .launch = launch_program,
    .play = play_program,
    .share = share_memory,
    .reach = reach_memory,
    .forget = forget_memory,
    .describe_link = driver_describe_host_memory,
    .reserve = reserve_buffers,
    .zero_shared = driver_zero_host_memory,
    .group_limit = opencl_group_limit,
    .observe = observe_device,
    .release = release_program,
    .close = close_session,
    .explain = opencl_explain,
    .lacks_folder = pocl_lacks_folder,
    .explain_lacks = pocl_explain_lacks,
};
