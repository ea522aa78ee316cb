// SPDX-License-Identifier: Apache-2.0
/* The HIP backend: compiling for a session and loading what was compiled. backends/gpu/ does the
 * rest. */
#include "backends/hip/hip.h"

#include <string.h>

#include "backends/gpu/session.h"
#include "backends/hip/compile.h"

struct hip_session {
    struct gpu_session gpu;
    struct hiprtc hiprtc; /* opened by the first build that needs it */
};

static struct hip_session *hip_session(struct backend_session *opened)
{
    return (struct hip_session *)opened;
}

static enum status list_devices(struct backend_device **devices, size_t *count, struct error *error)
{
    return gpu_list(&hip_driver, devices, count, error);
}

static enum status start_session(struct backend_session *opened, unsigned index, struct error *error)
{
    return gpu_start(&hip_driver, gpu_session(opened), index, error);
}

static void close_session(struct backend_session *opened)
{
    if (opened)
        gpu_close(gpu_session(opened));
}

/* Code is an ELF object for a processor, which every driver of that processor takes. */
static enum status compile_kernel(struct backend_session *opened, const struct backend_source *source,
                                  struct backend_code *code, struct error *error)
{
    struct hip_session *session = hip_session(opened);
    if (source->code) {
        text_add_bytes(&code->bytes, source->code, source->code_size);
        code->portable = code->bytes.size;
        return STATUS_OK;
    }
    if (!session->hiprtc.handle)
        TRY(hiprtc_open(&session->hiprtc, error));
    TRY(hip_compile(&session->hiprtc, session->gpu.device.architecture, source, code, error));
    return code->bytes.failed
               ? error_set(error, STATUS_LIMIT, "the code of %s has more than %d bytes", source->name, TEXT_MAXIMUM)
               : STATUS_OK;
}

/* Without a device. */
static enum status compile_for(const char *architecture, const struct backend_source *source, struct backend_code *code,
                               struct error *error)
{
    struct hiprtc hiprtc;
    TRY(hiprtc_open(&hiprtc, error));
    return hip_compile(&hiprtc, architecture, source, code, error);
}

static bool is_refusal(unsigned code)
{
    return code == CUDA_ERROR_INVALID_IMAGE || code == CUDA_ERROR_NO_BINARY_FOR_GPU || code == CUDA_ERROR_INVALID_PTX;
}

static enum status load(struct gpu_session *session, const struct backend_source *source, const char *code,
                        struct gpu_program *program, struct error *error)
{
    const unsigned result = session->api.cuModuleLoadDataEx(&program->module, code, 0, NULL, NULL);
    if (result == 0)
        return STATUS_OK;
    program->module = NULL;
    if (!is_refusal(result))
        return gpu_call_failed(&session->api, &session->device, "cuModuleLoadDataEx", result, error);
    return error_set(error, source->code ? STATUS_UNSUPPORTED : STATUS_BUILD_FAILED,
                     "the driver %s of hip:%u (%s, %s) refused the code of %s, which is for one kind of processor: %s",
                     session->device.driver, session->device.index, session->device.name, session->device.architecture,
                     source->name, gpu_error_name(&session->api, result));
}

static enum status fill_program(struct backend_session *opened, const struct backend_source *source,
                                struct backend_program *built, struct text *log, struct text *binary,
                                struct error *error)
{
    struct gpu_session *session = gpu_session(opened);
    struct gpu_program *program = gpu_program(built);
    struct backend_code made = {0};
    (void)binary; /* code objects are no text */
    enum status status = compile_kernel(opened, source, &made, error);
    text_add(log, "%s", text_string(&made.log));
    if (status == STATUS_OK)
        status = load(session, source, text_string(&made.bytes), program, error);
    program->machine_code = made.bytes;
    made.bytes = (struct text){0};
    backend_code_release(&made);
    TRY(status);
    return gpu_finish_program(session, source, program, error);
}

static void machine_code_ahead(const char *code, size_t size, struct text *ptx, struct text *machine_code)
{
    (void)ptx;
    text_add_bytes(machine_code, code, size);
}

const struct backend hip_backend = {
    .name = "hip",
    .title = "HIP",
    .prelude = hip_prelude,
    .source_suffix = "hip",
    .code_suffix = "hsaco",
    .list = list_devices,
    .session_size = sizeof(struct hip_session),
    .start = start_session,
    .compile = compile_kernel,
    .compile_for = compile_for,
    .compiles_ahead = driver_always,
    .program_size = sizeof(struct gpu_program),
    .fill = fill_program,
    GPU_BACKEND_MEMBERS,
    .machine_code_ahead = machine_code_ahead,
    .close = close_session,
    .explain = hip_explain,
    .explain_lacks = hip_explain_lacks,
};
