// SPDX-License-Identifier: Apache-2.0
/* The CUDA backend: compiling for a session and loading what was compiled. backends/gpu/ does the
 * rest. */
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
#include "backends/cuda/ptx.h"
#include "backends/driver.h"
#include "backends/gpu/session.h"

struct cuda_session {
    struct gpu_session gpu;
    struct cuda_nvrtc nvrtc; /* opened by the first build that needs it */
    struct nvml_device nvml;
};

static struct cuda_session *cuda_session(struct backend_session *opened)
{
    return (struct cuda_session *)opened;
}

static enum status list_devices(struct backend_device **devices, size_t *count, struct error *error)
{
    return gpu_list(&cuda_driver, devices, count, error);
}

static enum status start_session(struct backend_session *opened, unsigned index, struct error *error)
{
    struct cuda_session *session = cuda_session(opened);
    TRY(gpu_start(&cuda_driver, &session->gpu, index, error));
    nvml_device_open(session->gpu.device.uuid, &session->nvml);
    return STATUS_OK;
}

static void close_session(struct backend_session *opened)
{
    struct cuda_session *session = cuda_session(opened);
    if (!session)
        return;
    nvml_device_close(&session->nvml);
    gpu_close(&session->gpu);
}

static struct cuda_jit_of jit_of(const struct cuda_session *session, const struct backend_source *source)
{
    return (struct cuda_jit_of){.driver = &session->gpu.api, .device = &session->gpu.device, .test = source->name};
}

/* Whether PTX contains line information, which is needed to inspect its code. Drivers before CUDA
 * 11.2 do not read it. */
static bool says_lines(int driver_version)
{
    const unsigned newest = cuda_ptx_newest(driver_version);
    return newest == 0 || newest >= CUDA_PTX_LINES;
}

/* Kernel text to PTX. */
static enum status compile_ptx(struct cuda_session *session, const struct backend_source *source,
                               struct backend_code *code, struct error *error)
{
    struct text options = {0};
    const struct cuda_request request = {.kernel = source->kernel,
                                         .architecture = session->gpu.device.architecture,
                                         .driver_version = session->gpu.api.version,
                                         .includes = source->headers != NULL,
                                         .lines = says_lines(session->gpu.api.version),
                                         .options = &options};
    if (!session->nvrtc.handle)
        TRY(cuda_nvrtc_open(&session->nvrtc, session->gpu.api.version, error));
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
        status = cuda_nvrtc_open(&session->nvrtc, session->gpu.api.version, &error);
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

static enum status fill_program(struct backend_session *opened, const struct backend_source *source,
                                struct backend_program *built, struct text *log, struct text *binary,
                                struct error *error)
{
    struct cuda_session *session = cuda_session(opened);
    struct gpu_program *program = gpu_program(built);
    struct backend_code made = {0};
    const char *code = source->code;
    size_t size = source->code_size;
    enum status status = STATUS_OK;
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
    return gpu_finish_program(&session->gpu, source, program, error);
}

static void machine_code_ahead(const char *code, size_t size, struct text *ptx, struct text *machine_code)
{
    const size_t offset = cuda_machine_code_offset(strlen(code));
    text_add(ptx, "%s", code);
    if (offset < size)
        text_add_bytes(machine_code, code + offset, size - offset);
}

/* Without a device: PTX for an architecture that this machine need not have. */
static enum status compile_for(const char *architecture, const struct backend_source *source, struct backend_code *code,
                               struct error *error)
{
    struct cuda_nvrtc nvrtc = {0};
    const struct cuda_request request = {
        .kernel = source->kernel, .architecture = architecture, .includes = source->headers != NULL, .lines = true};
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
    .program_size = sizeof(struct gpu_program),
    .fill = fill_program,
    GPU_BACKEND_MEMBERS,
    .machine_code_ahead = machine_code_ahead,
    .observe = observe_device,
    .close = close_session,
    .explain = cuda_explain,
};
